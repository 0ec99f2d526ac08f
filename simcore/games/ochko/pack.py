"""The pack of a circle: shuffled from the front, as far as it is needed, and made anew from the played cards."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.games.ochko import events
from simcore.games.ochko.state import (
    ACE_RANK,
    ACES,
    CARD_BITS,
    DECK,
    FRESH,
    N_RANKS,
    PACK,
    POINTS,
    VALUES,
    code,
)
from simcore.jit import inlined, part
from simcore.log import emit
from simcore.streams import LOW, S32, next64, settle, shuffle

BLOCK = 16
"""Cards shuffled at a time; even, as a random word serves two."""

_VALUES = np.array(VALUES)
_ELEVEN = code("ace", "eleven")


@part
def lay_fresh(opt, s):
    """Write the pack in its first order: each card with what it counts."""
    first = PACK - opt.deck
    for card in range(first, PACK):
        rank = card // 4
        points = _VALUES[rank]
        if rank == ACE_RANK and opt.ace == _ELEVEN:
            points = 11
        s[FRESH + card - first] = card | points << POINTS | (rank == ACE_RANK) << ACES
    return N_RANKS - opt.deck // 4


@part
def extend(s, rng, ready, end):
    """Put the next `BLOCK` cards of the pack in their places; returns (random state, how many cards are in place).

    The card at `end` is not among them: it was drawn by lot before (the bottom of the pack).
    """
    i = ready
    stop = min(ready + BLOCK, end)
    while i < stop:
        rng, word = next64(rng)
        rng, j = settle(rng, word & LOW, np.uint64(end - i))
        a, b = DECK + i, DECK + i + np.int64(j)
        s[a], s[b] = s[b], s[a]
        i += 1
        if i < stop:
            rng, j = settle(rng, word >> S32, np.uint64(end - i))
            a, b = DECK + i, DECK + i + np.int64(j)
            s[a], s[b] = s[b], s[a]
            i += 1
    return rng, stop


@inlined
def bit(entry):
    """Mask of a card."""
    return 1 << (entry & CARD_BITS)


@part
def played_cards(opt, s, position, held):
    """Mask of the played cards: all but those `held` and the first cards of the punters after `position`."""
    for later in range(position + 1, opt.players - 1):
        held |= bit(s[DECK + later])
    return (1 << PACK) - (1 << (PACK - opt.deck)) & ~held


@part
def reshuffle(opt, s, rng, played):
    """Make the played cards the pack, behind the first cards; returns (random state, its end)."""
    first = PACK - opt.deck
    end = opt.players
    for card in range(first, PACK):
        if played >> card & 1:
            s[DECK + end] = s[FRESH + card - first]
            end += 1
    rng = shuffle(rng, s[DECK + opt.players : DECK + end])
    return rng, end


@part
def supply(opt, s, rng, at, ready, limit, end, position, held, log):
    """See to it that a card lies at `at`: shuffle on, or, where the pack is empty, shuffle the played cards.

    Returns
    -------
    rng, at, ready, limit, end
        Random state; the next card; how many cards are in place; how many are shuffled; the end of the pack.
    anew : bool
        Did the played cards become the pack?
    """
    if at < end:
        rng, ready = extend(s, rng, ready, limit)
        return rng, at, (end if ready == limit else ready), limit, end, False
    rng, end = reshuffle(opt, s, rng, played_cards(opt, s, position, held))
    if log is not None:
        emit(log, events.RESHUFFLE, end - opt.players, 0, 0)
        for i in range(opt.players, end):
            emit(log, events.CARD, s[DECK + i] & CARD_BITS, 0, 0)
    return rng, opt.players, end, end, end, True
