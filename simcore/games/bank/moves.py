"""Which cards cover which, and the legal moves of a hand: singles, quads and runs, as masks and counts.

An action is (mask of the cards laid, card that ends on top). `need` is 0, or the mask of one card that the move must use.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.bits import highest, lowest, nth_bit, popcount
from simcore.games.bank.rules import PACK
from simcore.games.bank.state import EIGHT, LOWEST_SUIT, NIBBLE, SEATS, SIX, code
from simcore.jit import inlined, part

_OWN, _ONE, _TWO, _RANKED = (code("trumps", w) for w in ("own", "one", "two", "ranked"))
_ANY_LOWER = code("cover", "any_lower")
_SAME_SUIT = code("run_suits", "same")
_DIAMONDS, _SPADES = 1, 3


@part
def level(trumps, suit):
    """Standing of a suit that is a trump for all: 2 senior, 1 trump, 0 not."""
    if suit == _SPADES and trumps == _RANKED:
        return 2
    if suit == _SPADES and (trumps in (_ONE, _TWO)):
        return 1
    if suit == _DIAMONDS and (trumps in (_TWO, _RANKED)):
        return 1
    return 0


@inlined
def own_trump(seat):
    """Suit of a seat's own trump: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return _SPADES - seat


@part
def covers(opt, seat, card, top):
    """Whether `card` in the hand of `seat` covers `top`: the five cases of RULES.md."""
    rank, suit, top_rank, top_suit = card // 4, card % 4, top // 4, top % 4
    if rank == EIGHT or rank == top_rank:
        return True
    if suit == top_suit:
        lower = rank < top_rank if opt.cover == _ANY_LOWER else rank == top_rank - 1
        return lower or rank == SIX
    if opt.trumps == _OWN:
        return suit == own_trump(seat)
    return level(opt.trumps, suit) > level(opt.trumps, top_suit)


@part
def cover_table(opt):
    """For each seat and top card the mask of all cards that cover it; int64, shape (36 · 4,), index 4·top + seat."""
    table = np.zeros(SEATS * PACK, dtype=np.int64)
    for seat in range(SEATS):
        for top in range(PACK):
            for card in range(PACK):
                if card != top and covers(opt, seat, card, top):
                    table[SEATS * top + seat] |= 1 << card
    return table


@inlined
def quads_in(hand):
    """Mask with the club's bit of each rank of which all four cards are in hand."""
    pairs = hand & (hand >> 1)
    return pairs & (pairs >> 2) & LOWEST_SUIT


@inlined
def run_starts(hand):
    """Mask with the club's bit of each rank that begins four consecutive ranks in hand."""
    ranks = (hand | (hand >> 1) | (hand >> 2) | (hand >> 3)) & LOWEST_SUIT
    pairs = ranks & (ranks >> 4)
    return pairs & (pairs >> 8)


@inlined
def rank_cards(mask, at):
    """The four bits of the rank whose club is bit `at`."""
    return mask & (NIBBLE << at)


@inlined
def usable(hand, at, need):
    """Cards of a rank that a run may use: only the needed card, if it is of that rank."""
    cards = rank_cards(hand, at)
    return cards & need if cards & need else cards


@part
def runs_from(hand, at, cover, need):
    """Numbers of runs on the four ranks from bit `at` up: (upwards, downwards)."""
    if need and need & hand & (0xFFFF << at) == 0:
        return 0, 0
    first, last = usable(hand, at, need), usable(hand, at + 12, need)
    middle = popcount(usable(hand, at + 4, need)) * popcount(usable(hand, at + 8, need))
    up = popcount(first & cover) * middle * popcount(last)
    down = popcount(last & cover) * middle * popcount(first)
    return up, down


@part
def count_runs(hand, starts, cover, need, run_suits):
    """Number of actions that are runs; `starts` from `run_starts`."""
    total = 0
    while starts:
        at = lowest(starts)
        if run_suits == _SAME_SUIT:
            for suit in range(4):
                up, down = runs_from(hand & (LOWEST_SUIT << suit), at, cover, need)
                total += up + down
        else:
            up, down = runs_from(hand, at, cover, need)
            total += up + down
        starts &= starts - 1
    return total


@inlined
def legal(hand, cover, need, run_suits):
    """The legal moves: (mask of singles, mask of quad ranks, number of runs).

    `cover` is the mask of the cards that cover the top card.
    """
    singles = hand & cover
    quads = quads_in(hand)
    starts = run_starts(hand)
    if need:
        singles &= need
        quads &= LOWEST_SUIT & ((need >> 3) | (need >> 2) | (need >> 1) | need)
    runs = 0
    if starts:
        runs = count_runs(hand, starts, cover, need, run_suits)
    return singles, quads, runs


@inlined
def count(singles, quads, runs):
    """Number of actions; a quad gives four, one for each card on top."""
    return popcount(singles) + 4 * popcount(quads) + runs


@part
def _run_of(cards, at, cover, need, k):
    """The `k`-th run on the four ranks from bit `at`: upwards ones first; mixed radix over the four ranks."""
    up, _ = runs_from(cards, at, cover, need)
    upwards = k < up
    if not upwards:
        k -= up
    mask = 0
    top = 0
    for step in range(4):
        position = at + (4 * step if upwards else 12 - 4 * step)
        choices = usable(cards, position, need)
        if step == 0:
            choices &= cover
        n = popcount(choices)
        top = nth_bit(choices, k % n)
        mask |= 1 << top
        k //= n
    return mask, top


@part
def nth_run(hand, cover, need, run_suits, k):
    """The `k`-th run in the order of `count_runs`: (mask, card on top)."""
    starts = run_starts(hand)
    while True:
        at = lowest(starts)
        for suit in range(4 if run_suits == _SAME_SUIT else 1):
            cards = hand & (LOWEST_SUIT << suit) if run_suits == _SAME_SUIT else hand
            up, down = runs_from(cards, at, cover, need)
            if k < up + down:
                return _run_of(cards, at, cover, need, k)
            k -= up + down
        starts &= starts - 1


@inlined
def nth_action(hand, cover, need, run_suits, singles, quads, k):
    """The `k`-th action: singles from the lowest card, quads from the lowest rank, runs: (mask, card on top)."""
    n_singles = popcount(singles)
    if k < n_singles:
        top = nth_bit(singles, k)
        return 1 << top, top
    k -= n_singles
    n_quads = popcount(quads)
    if k < 4 * n_quads:
        at = nth_bit(quads, k >> 2)
        return NIBBLE << at, at + (k & 3)
    return nth_run(hand, cover, need, run_suits, k - 4 * n_quads)


@inlined
def is_single(mask):
    return mask & (mask - 1) == 0


@inlined
def is_quad(mask):
    """Whether a mask of four cards is a quad (a run has no two cards of a rank)."""
    return mask & (mask >> 1) & LOWEST_SUIT != 0


@inlined
def is_one_suit(mask):
    """Whether a run's four cards share a suit."""
    step = lowest(mask)
    return mask == (1 << step) * 0x1111


@inlined
def goes_up(mask, top):
    """Whether a run with `top` on top was laid upwards."""
    return highest(mask) == top
