"""Random streams: splitmix64, keyed by (seed, game, round, purpose).

The generator is that of Steele, Lea & Flood, "Fast splittable pseudorandom number generators" (OOPSLA 2014), with the mixing
constants of its reference version; bounded numbers are exact, by D. Lemire, "Fast random integer generation in an interval"
(ACM TOMACS 29, 2019). A stream's state is one uint64, held in a local variable of the kernel; a draw returns the new state.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore.hints import rarely
from simcore.jit import bare, inlined, part

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX1 = np.uint64(0xBF58476D1CE4E5B9)
MIX2 = np.uint64(0x94D049BB133111EB)
LOW = np.uint64(0xFFFFFFFF)
S32_RANGE = np.uint64(1 << 32)
ONE = np.uint64(1)
S27, S30, S31, S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)

DEAL, LOT, SEAT = 0, 1, 2
"""Purposes of a stream: the deal, drawing lots, and the bot at seat s (`SEAT` + s)."""
PURPOSES = 32


@inlined
def mix64(z):
    """Finaliser of splitmix64, a bijection on uint64."""
    z = (z ^ (z >> S30)) * MIX1
    z = (z ^ (z >> S27)) * MIX2
    return z ^ (z >> S31)


class Keys(NamedTuple):
    """Keys (uint64) of a game's streams: those of the game itself (deals and lots), and those of its bots."""

    chance: object
    bots: object


@inlined
def game_key(seed, game):
    """Key (uint64) of all streams of a game."""
    return mix64(mix64(np.uint64(seed) + GOLDEN) + np.uint64(game) * GOLDEN)


@inlined
def bot_key(key, dice):
    """Key (uint64) of the bots' streams in the game with `key`; the same for `dice` 0, as `mix64` leaves 0 alone."""
    return key ^ mix64(np.uint64(dice))


@inlined
def game_keys(seed, game, dice):
    """Both keys of a game. Games that differ in `dice` alone have the same deals, and bots that choose anew."""
    key = game_key(seed, game)
    return Keys(key, bot_key(key, dice))


@inlined
def stream(key, round_no, purpose):
    """State (uint64) of the stream for `purpose` in round `round_no` of the game with `key`."""
    return mix64(key + np.uint64(round_no * PURPOSES + purpose + 1) * GOLDEN)


@inlined
def next64(state):
    """Return (new state, 64 random bits)."""
    state = state + GOLDEN
    return state, mix64(state)


@part
def _redraw(state, low, n):
    """Finish a bounded draw whose product fell into the zone that may be biased."""
    limit = (S32_RANGE - n) % n
    product = low
    while (product & LOW) < limit:
        state, word = next64(state)
        product = (word >> S32) * n
    return state, product >> S32


@inlined
def settle(state, half, n):
    """Turn 32 random bits `half` into a number below `n` (uint64), exactly uniform; draws more only when it must."""
    product = half * n
    if rarely((product & LOW) < n):
        return _redraw(state, product, n)
    return state, product >> S32


@inlined
def below(state, n):
    """Return (new state, number in 0 … n-1 as int64), exactly uniform."""
    state, word = next64(state)
    state, value = settle(state, word >> S32, np.uint64(n))
    return state, np.int64(value)


@bare
def shuffle_part(state, pack, start, n):
    """Shuffle `n` entries of `pack` (1-D integer array) from `start` on, in place; returns the new state.

    Fisher-Yates from the front, two draws a word.
    """
    i = np.uint64(start)  # unsigned, or else each index is tested for counting from the end
    end = i + np.uint64(n)
    while i + ONE < end:
        state, word = next64(state)
        state, j = settle(state, word & LOW, end - i)
        pack[i], pack[i + j] = pack[i + j], pack[i]
        i += ONE
        if i + ONE < end:
            state, j = settle(state, word >> S32, end - i)
            pack[i], pack[i + j] = pack[i + j], pack[i]
            i += ONE
    return state


@bare
def shuffle(state, pack):
    """Shuffle `pack` (1-D integer array) in place; returns the new state."""
    return shuffle_part(state, pack, 0, len(pack))
