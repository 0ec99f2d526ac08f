"""Sets of cards as bits of an int64: card `c` is bit `c`. 52 cards never reach the sign bit, so plain integers serve.

Each function is plain Python, which says what it does; the second half of this file tells the compiler which instruction of
the processor does the same.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable


def popcount(mask):
    """Number of cards in `mask`."""
    return int(mask).bit_count()


def lowest(mask):
    """Index of the lowest card in a non-empty `mask`."""
    return (int(mask) & -int(mask)).bit_length() - 1


def highest(mask):
    """Index of the highest card in a non-empty `mask`."""
    return int(mask).bit_length() - 1


def nth_card(mask, k):
    """The `k`-th card from below (k from 0) in `mask`, which has more than `k`, as a mask of its own."""
    mask = int(mask)
    for _ in range(int(k)):
        mask &= mask - 1
    return mask & -mask


def nth_bit(mask, k):
    """Index of the `k`-th card from below (k from 0) in `mask`."""
    return lowest(nth_card(mask, k))


_I64 = ir.IntType(64)
_ZERO_IS_DEFINED = ir.Constant(ir.IntType(1), 0)
_SLOW_PDEP = (
    "znver1",
    "znver2",
    "bdver4",
)  # processors that have the instruction `pdep`, but take hundreds of cycles for it


def _typed(function, n_args):
    """Tell the compiler that `function` takes and gives int64."""

    def one(context):
        return lambda mask: types.int64

    def two(context):
        return lambda mask, k: types.int64

    type_callable(function)(one if n_args == 1 else two)


def _as_int64(context, builder, sig, args):
    return [context.cast(builder, value, given, types.int64) for value, given in zip(args, sig.args, strict=True)]


@lower_builtin(popcount, types.Integer)
def _popcount(context, builder, sig, args):
    return builder.ctpop(*_as_int64(context, builder, sig, args))


@lower_builtin(lowest, types.Integer)
def _lowest(context, builder, sig, args):
    return builder.cttz(*_as_int64(context, builder, sig, args), _ZERO_IS_DEFINED)


@lower_builtin(highest, types.Integer)
def _highest(context, builder, sig, args):
    zeros = builder.ctlz(*_as_int64(context, builder, sig, args), _ZERO_IS_DEFINED)
    return builder.sub(ir.Constant(_I64, 63), zeros)


def has_fast_pdep(context):
    """Whether the processor compiled for scatters bits by one fast instruction."""
    _, cpu, features = context.codegen().magic_tuple()
    return "+bmi2" in features.split(",") and cpu not in _SLOW_PDEP


def _nth_by_loop(mask, k):
    while k > 0:
        mask &= mask - 1
        k -= 1
    return mask & -mask


@lower_builtin(nth_card, types.Integer, types.Integer)
def _nth_card(context, builder, sig, args):
    mask, k = _as_int64(context, builder, sig, args)
    if not has_fast_pdep(context):
        return context.compile_internal(builder, _nth_by_loop, types.int64(types.int64, types.int64), [mask, k])
    name = "llvm.x86.bmi.pdep.64"
    pdep = builder.module.globals.get(name) or ir.Function(builder.module, ir.FunctionType(_I64, [_I64, _I64]), name)
    return builder.call(pdep, [builder.shl(ir.Constant(_I64, 1), k), mask])


@lower_builtin(nth_bit, types.Integer, types.Integer)
def _nth_bit(context, builder, sig, args):
    return builder.cttz(_nth_card(context, builder, sig, args), _ZERO_IS_DEFINED)


for _function, _n_args in ((popcount, 1), (lowest, 1), (highest, 1), (nth_card, 2), (nth_bit, 2)):
    _typed(_function, _n_args)
