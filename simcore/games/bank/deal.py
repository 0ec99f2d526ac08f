"""The deal of a round, and who moves first."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.bits import highest, lowest
from simcore.games.bank.rules import PACK
from simcore.games.bank.state import (
    BONUS,
    CAPTURED,
    DECK,
    HAND,
    HITS,
    LOWEST_SUIT,
    NOBODY,
    PENALTY,
    PLACE,
    SEATS,
    STREAM,
    code,
)
from simcore.jit import part
from simcore.streams import DEAL, SEAT, shuffle, stream

_NEAREST, _DEALER_LEFT = code("first_move", "nearest"), code("first_move", "dealer_left")


@part
def deal(opt, s, key, round_no):
    """Shuffle, deal the hands, and set up the round's state; returns where in the pack the opening card lies."""
    for i in range(PACK):
        s[DECK + i] = i
    shuffle(stream(key.chance, round_no, DEAL), s[DECK:])
    for block in (CAPTURED, BONUS, PENALTY, PLACE, HITS):
        s[block : block + SEATS] = 0
    at = 0
    for seat in range(opt.players):
        hand = 0
        for _ in range(opt.hand_size):
            hand |= 1 << s[DECK + at]
            at += 1
        s[HAND + seat] = hand
        s[STREAM + seat] = np.int64(stream(key.bots, round_no, SEAT + seat))
    return at


@part
def holder(opt, s, dealer, cards):
    """First seat from the dealer's left that holds any of `cards`, or `NOBODY`."""
    for step in range(1, opt.players + 1):
        seat = (dealer + step) % opt.players
        if s[HAND + seat] & cards:
            return seat
    return NOBODY


@part
def starter_of(opt, s, dealer, opening):
    """The seat that moves first."""
    left = (dealer + 1) % opt.players
    if opt.first_move == _DEALER_LEFT:
        return left
    held = 0
    for seat in range(opt.players):
        held |= s[HAND + seat]
    held &= LOWEST_SUIT << (opening % 4)
    if held == 0:
        return left
    lower = held & ((1 << opening) - 1)
    wanted = lower if lower != 0 else held
    if opt.first_move == _NEAREST:
        wanted = 1 << (highest(lower) if lower else lowest(held))
    return holder(opt, s, dealer, wanted)
