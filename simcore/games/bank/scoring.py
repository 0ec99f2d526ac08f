"""Bonuses for going out, penalties, the scores of a round, the next dealer, and who wins."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import popcount
from simcore.games.bank.state import (
    ACE,
    BONUS,
    CAPTURED,
    GOING_OUT,
    HAND,
    JACK,
    KING,
    KING_LAST,
    NIBBLE,
    PENALTY,
    QUAD_LAST,
    QUEEN,
    RUN_LAST,
    SCORE,
    TEN,
    TOTAL,
    code,
)
from simcore.jit import part

_NONE, _HAND, _HAND_FIXED, _HAND_PER_CARD, _FIXED = (
    code("penalty", w) for w in ("none", "hand", "hand_fixed", "hand_per_card", "fixed")
)
_ON_LOSER = code("penalty_on", "loser")
_LOSER, _LAST_OUT, _STARTER, _LEADER = (code("next_dealer", w) for w in ("loser", "last_out", "starter", "leader"))
UNDECIDED = -1


@part
def points(mask):
    """Points of the cards in `mask`."""
    return (
        12 * popcount(mask & (NIBBLE << (4 * ACE)))
        + 10 * popcount(mask & (NIBBLE << (4 * TEN)))
        + 5 * popcount(mask & (NIBBLE << (4 * KING)))
        + 3 * popcount(mask & (NIBBLE << (4 * QUEEN)))
        + popcount(mask & (NIBBLE << (4 * JACK)))
    )


@part
def going_out_bonus(place, king_on_top, quad, one_suit_run):
    """The four parts of the bonus for going out as number `place`: (out, king, quad, run), in points."""
    at = place - 1
    king = KING_LAST[at] if king_on_top else 0
    by_quad = QUAD_LAST[at] if quad else 0
    by_run = RUN_LAST[at] if one_suit_run else 0
    return GOING_OUT[at], king, by_quad, by_run


@part
def last_out(opt, s, dealer):
    """Of the players still holding cards the one with most points in hand, then most cards, then from the dealer's left."""
    best, best_points, best_cards = -1, -1, -1
    for step in range(1, opt.players + 1):
        seat = (dealer + step) % opt.players
        hand = s[HAND + seat]
        held, cards = points(hand), popcount(hand)
        if hand and (held > best_points or (held == best_points and cards > best_cards)):
            best, best_points, best_cards = seat, held, cards
    return best


@part
def penalty_for(opt, hand):
    """Penalty of a player who still holds `hand`."""
    if opt.penalty == _NONE:
        return 0
    total = 0
    if opt.penalty in (_HAND, _HAND_FIXED, _HAND_PER_CARD):
        total += points(hand)
    if opt.penalty in (_FIXED, _HAND_FIXED):
        total += opt.penalty_fixed
    elif opt.penalty != _HAND:
        total += opt.penalty_card * popcount(hand)
    return total


@part
def score_round(opt, s, dealer):
    """Fill in penalties and scores, and add the scores to the totals."""
    payer = last_out(opt, s, dealer) if opt.penalty_on == _ON_LOSER else -1
    for seat in range(opt.players):
        hand = s[HAND + seat]
        if hand and payer in (-1, seat):
            s[PENALTY + seat] = penalty_for(opt, hand)
        s[SCORE + seat] = s[CAPTURED + seat] + s[BONUS + seat] - s[PENALTY + seat]
        s[TOTAL + seat] += s[SCORE + seat]


@part
def _extreme(opt, s, block, dealer, sign):
    """Seat with the greatest ``sign · value`` in a block of the state; of equals the first from the dealer's left."""
    best = (dealer + 1) % opt.players
    for step in range(2, opt.players + 1):
        seat = (dealer + step) % opt.players
        if sign * s[block + seat] > sign * s[block + best]:
            best = seat
    return best


@part
def next_dealer(opt, s, dealer, starter):
    """Who deals the next round."""
    if opt.next_dealer == _LOSER:
        return _extreme(opt, s, SCORE, dealer, -1)
    if opt.next_dealer == _LAST_OUT:
        return last_out(opt, s, dealer)
    if opt.next_dealer == _STARTER:
        return starter
    return _extreme(opt, s, TOTAL, dealer, 1 if opt.next_dealer == _LEADER else -1)


@part
def top_two(s, block, players):
    """(index of the greatest, how many share it, the greatest, the second greatest) of a block of the state.

    Where the greatest is shared, it is the second greatest too.
    """
    best, ties, first, second = 0, 1, s[block], s[block + 1]
    if second > first:
        best, first, second = 1, second, first
    elif second == first:
        ties = 2
    for seat in range(2, players):
        value = s[block + seat]
        if value > first:
            best, ties, second, first = seat, 1, first, value
        elif value == first:
            ties += 1
            second = value
        elif value > second:
            second = value
    return best, ties, first, second
