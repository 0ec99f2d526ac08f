"""Sets of cards as bits of an int64: card `c` is bit `c`. 52 cards never reach the sign bit, so plain integers serve."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.jit import inlined


@inlined
def popcount(mask):
    """Number of cards in `mask`; the compiler turns this loop into one instruction."""
    n = 0
    while mask != 0:
        mask &= mask - 1
        n += 1
    return n


@inlined
def lowest(mask):
    """Index of the lowest card in a non-empty `mask`."""
    return popcount((mask & -mask) - 1)


@inlined
def nth_bit(mask, k):
    """Index of the `k`-th card from below (k from 0) in `mask`."""
    while k > 0:
        mask &= mask - 1
        k -= 1
    return lowest(mask)


@inlined
def highest(mask):
    """Index of the highest card in a non-empty `mask`."""
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    return popcount(mask) - 1
