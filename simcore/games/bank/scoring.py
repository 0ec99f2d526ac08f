"""Bonuses for going out, penalties, the scores of a round, the next dealer, and who wins."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import popcount
from simcore.games.bank.layout import BONUS, CAPTURED, HAND, ONE_CARD, PENALTY, RULE, SCORE, TOTAL, rules_of
from simcore.games.bank.state import (
    ACE,
    GOING_OUT,
    JACK,
    KING,
    KING_LAST,
    NIBBLE,
    NOBODY,
    QUAD_LAST,
    QUEEN,
    RUN_LAST,
    SEATS,
    TEN,
    code,
)
from simcore.jit import bare, inlined

_NONE, _HAND, _HAND_FIXED, _HAND_PER_CARD, _FIXED = (
    code("penalty", w) for w in ("none", "hand", "hand_fixed", "hand_per_card", "fixed")
)
_ON_LOSER = code("penalty_on", "loser")
_LOSER, _LAST_OUT, _STARTER, _LEADER = (code("next_dealer", w) for w in ("loser", "last_out", "starter", "leader"))


def _ranks(*ranks: int) -> int:
    return sum(NIBBLE << (4 * rank) for rank in ranks)


_ONES, _TWOS = _ranks(JACK, QUEEN, KING), _ranks(QUEEN, TEN)
_FOURS, _EIGHTS = _ranks(KING, ACE), _ranks(TEN, ACE)


@bare
def points(mask):
    """Points of the cards in `mask`, by the binary digits of J 1, Q 3, K 5, T 10, A 12."""
    return (
        popcount(mask & _ONES) + 2 * popcount(mask & _TWOS) + 4 * popcount(mask & _FOURS) + 8 * popcount(mask & _EIGHTS)
    )


@bare
def going_out_bonus(place, king_on_top, quad, one_suit_run):
    """The four parts of the bonus for going out as number `place`: (out, king, quad, run), in points."""
    at = place - 1
    king = KING_LAST[at] if king_on_top else 0
    by_quad = QUAD_LAST[at] if quad else 0
    by_run = RUN_LAST[at] if one_suit_run else 0
    return GOING_OUT[at], king, by_quad, by_run


@bare
def left_of(seat, players):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < players else 0


@bare
def last_out(s, dealer):
    """Of the players still holding cards the one with most points in hand, then most cards, then from the dealer's left."""
    best, most, seat = NOBODY, -1, dealer
    for step in range(SEATS):
        if step == s[RULE.players]:
            break
        seat = left_of(seat, s[RULE.players])
        hand = s[HAND + seat]
        held = points(hand) * ONE_CARD + popcount(hand)
        if hand and held > most:
            best, most = seat, held
    return best


@bare
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


@inlined
def score_round(s, dealer):
    """Fill in penalties and scores, and add the scores to the totals."""
    payer = last_out(s, dealer) if s[RULE.penalty_on] == _ON_LOSER else NOBODY
    for seat in range(SEATS):
        if seat == s[RULE.players]:
            break
        hand, penalty = s[HAND + seat], 0
        if hand and payer in (NOBODY, seat):
            penalty = penalty_for(rules_of(s), hand)
        s[PENALTY + seat] = penalty
        s[SCORE + seat] = s[CAPTURED + seat] + s[BONUS + seat] - penalty
        s[TOTAL + seat] += s[SCORE + seat]


@bare
def greatest(s, block, dealer, sign):
    """Seat with the greatest ``sign · value`` in a block of the state; of equals the first from the dealer's left."""
    players = s[RULE.players]
    seat = best = left_of(dealer, players)
    most = sign * s[block + best]
    for step in range(1, SEATS):
        if step == players:
            break
        seat = left_of(seat, players)
        value = sign * s[block + seat]
        best, most = (seat, value) if value > most else (best, most)
    return best


@inlined
def next_dealer(s, dealer, starter):
    """Who deals the next round."""
    rule = s[RULE.next_dealer]
    if rule == _LOSER:
        return greatest(s, SCORE, dealer, -1)
    if rule == _LAST_OUT:
        return last_out(s, dealer)
    if rule == _STARTER:
        return starter
    return greatest(s, TOTAL, dealer, 1 if rule == _LEADER else -1)


@inlined
def standing(s, block, players):
    """(first seat with the greatest value, how many share it, it, the second greatest) of a block of the state.

    Where the greatest is shared, it is the second greatest too.
    """
    first, second = max(s[block], s[block + 1]), min(s[block], s[block + 1])
    for seat in range(2, SEATS):
        if seat == players:
            break
        value = s[block + seat]
        first, second = max(first, value), max(second, min(first, value))
    best, ties = NOBODY, 0
    for back in range(1, SEATS + 1):
        seat = SEATS - back
        if seat >= players:
            continue
        ties += s[block + seat] == first
        best = seat if s[block + seat] == first else best
    return best, ties, first, second
