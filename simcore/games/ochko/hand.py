"""What a hand is worth, what is staked on it, and how it ends: small functions of numbers alone."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.games.ochko.bots import ALL, BEST, FLAT, HALF
from simcore.games.ochko.state import (
    BANKER_BUST,
    BLIND_BUST,
    BOTH_BUST,
    CARD_BITS,
    GOAL,
    HIDDEN_BUST,
    HIGHER,
    LOWER,
    ONE_ACE,
    TIE,
    TOTAL_BITS,
    code,
)
from simcore.jit import inlined, part
from simcore.streams import next64

_PUSH = code("tie", "push")
_BOTH_PUSH = code("both_bust", "push")

STANDS, STANDS_BLIND, CONCEALS = range(3)
"""How a punter comes to the showdown: with seen cards, after a blind draw, with a concealed bust."""


@inlined
def rank_of(entry):
    """Rank of a card of the pack."""
    return (entry & CARD_BITS) >> 2


@inlined
def total_of(acc, cards, either, pair):
    """Total of a hand from the sum of its entries (points, and aces from `ONE_ACE` on)."""
    total = acc & TOTAL_BITS
    if either and acc >= ONE_ACE and total <= GOAL - 10:
        total += 10
    if pair and cards == 2 and acc >= 2 * ONE_ACE:
        total = GOAL
    return total


@inlined
def named_stake(policy, bank, promising):
    """The stake by a policy; `promising`: do the first cards promise a gain?"""
    if policy == HALF:
        return bank >> 1 if bank > 1 else 1
    if policy == ALL or (policy == BEST and promising):
        return bank
    if policy > FLAT:
        return min(policy - FLAT, bank)
    return 1


@part
def any_stake(rng, bank):
    """A stake of 1 … bank, each as likely: (random state, stake). Masked draws, as a bank may pass 32 bits."""
    mask = bank - 1
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> shift
    while True:
        rng, word = next64(rng)
        stake = np.int64(word >> np.uint64(1)) & mask
        if stake < bank:
            return rng, stake + 1


@inlined
def outcome(opt, total, fate, his):
    """How a showdown ends: (reason, the punter's gain in stakes)."""
    if fate == CONCEALS:
        return HIDDEN_BUST, -opt.hidden_bust
    if total > GOAL:
        if his > GOAL:
            return BOTH_BUST, (0 if opt.both_bust == _BOTH_PUSH else -1)
        return BLIND_BUST, -1
    if his > GOAL:
        return BANKER_BUST, 1
    if total > his:
        return HIGHER, 1
    if total < his:
        return LOWER, -1
    return TIE, (0 if opt.tie == _PUSH else -1)
