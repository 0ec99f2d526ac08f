"""What is told to the compiler beside the code: it changes the speed of machine code, never what it does.

Each function is plain Python that does nothing; the second half of this file says what the compiler makes of it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import lower_builtin, type_callable


def out_of_line():
    """Called first in a function, keeps it out of its callers' machine code, so that it has all registers for itself."""


def rarely(condition):
    """A condition (boolean) that seldom holds: what follows on it is kept out of the way, and the registers for the rest."""
    return condition


@type_callable(out_of_line)
def _type_out_of_line(context):
    return lambda: types.none


@lower_builtin(out_of_line)
def _out_of_line(context, builder, sig, args):
    builder.function.attributes.add("noinline")
    return context.get_dummy_value()


@type_callable(rarely)
def _type_rarely(context):
    return lambda condition: types.boolean if condition == types.boolean else None


@lower_builtin(rarely, types.Boolean)
def _rarely(context, builder, sig, args):
    bit, name = ir.IntType(1), "llvm.expect.i1"
    expect = builder.module.globals.get(name)
    if expect is None:
        expect = ir.Function(builder.module, ir.FunctionType(bit, [bit, bit]), name)
    return builder.call(expect, [args[0], ir.Constant(bit, 0)])
