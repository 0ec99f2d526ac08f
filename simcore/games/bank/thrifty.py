"""The bot `thrifty`: it weighs what a move wins now against what the cards left are good for later.

The value of a move, in points, is what it brings at once, and the chance that the bank comes to its layer, and what the hand
left is worth. The weights below were found by playing variants of the bot against `greedy` and against each other, at two to
four players and under several rules; `benchmarks/bots.py` measures the bot that they make.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import lowest, popcount
from simcore.games.bank.greedy import action, even_pick, owes_extra
from simcore.games.bank.moves import is_one_suit, is_quad, is_single, own_trump, quads_in, run_starts
from simcore.games.bank.rules import PACK
from simcore.games.bank.scoring import going_out_bonus, penalty_for, points
from simcore.games.bank.state import (
    EIGHTS,
    EXTRA,
    KING,
    KINGS,
    LOWEST_SUIT,
    NOBODY,
    POINTS,
    SEATS,
    SEVEN,
    SIXES,
    code,
)
from simcore.jit import bare

# The bank.
WON, LEFT = 0.7, 0.1
"""Of each point in it: if the next player fails; given away if he does not."""
ANOTHER_TURN = 2.0
"""A seven that throws the turn back to us, with a card to lay on it."""
LOST, TO_DRAW = 1.0, 3.0
"""Declining: of each point of a bank that goes to another; the card that comes to the hand."""

# The hand that is kept.
REACH = 10.0
"""A hand that covers whatever may come; part of it for one that covers part."""
AN_EIGHT, A_TRUMP, A_SIX, A_KING = 5.0, 5.0, 1.5, 1.5
"""Each such card; for a trump, times its level."""
A_QUAD, ONLY_A_QUAD = 5.0, 20.0
A_RUN, ONLY_A_RUN = 2.0, 10.0
"""Combinations; the second number is for a hand of nothing else, that goes out with it (a run in one suit)."""
LAST_CARD, LAST_KING = 3.0, 17.5
"""A hand of one card; if it is a king, times the chance that it can be laid."""
CARD = 0.2
"""Lost for each card."""
RISK, RISK_LATE = 0.075, 0.2
"""Lost for each point of the penalty that the hand would pay now: at any time; more, the more of the pack is drawn."""

ROUND_ENDS = 2.5
"""Going out as the last but one: the other is left with his cards."""
NOTHING = -1e9

_OWN, _NONE, _ONE, _RANKED = (code("trumps", w) for w in ("own", "none", "one", "ranked"))
_NO_SEVEN, _DRAW_PLAY = code("seven", "nothing"), code("seven", "draw_play")
_LAST_COVER = code("final_bank", "last_cover")
_OPPONENT = code("kings_cover", "opponent")
_DIAMONDS, _SPADES = LOWEST_SUIT << 1, LOWEST_SUIT << 3


@bare
def trumps_of(opt, seat):
    """Mask of all trumps of a seat."""
    if opt.trumps == _NONE:
        return 0
    if opt.trumps == _OWN:
        return LOWEST_SUIT << own_trump(seat)
    return _SPADES if opt.trumps == _ONE else _SPADES | _DIAMONDS


@bare
def chance_of_failure(coverers, unseen, cards):
    """Chance that of `cards` cards, any of the `unseen`, none is one of the `coverers`; all three are numbers."""
    chance = 1.0
    for i in range(cards):
        chance *= (unseen - coverers - i) / (unseen - i)
        if chance <= 0.0:
            return 0.0
    return chance


@bare
def reach(covers, seat, hand, tops):
    """Share of the cards `tops` that some card of `hand` covers."""
    n = covered = 0
    while tops:
        covered += hand & covers[SEATS * lowest(tops) + seat] != 0
        tops &= tops - 1
        n += 1
    return covered / n if n else 0.0


@bare
def good_cards(opt, seat, hand):
    """Worth of eights, trumps, sixes and kings."""
    trumps = popcount(hand & trumps_of(opt, seat))
    if opt.trumps == _RANKED:
        trumps += popcount(hand & _SPADES)
    return (
        AN_EIGHT * popcount(hand & EIGHTS)
        + A_TRUMP * trumps
        + A_SIX * popcount(hand & SIXES)
        + A_KING * popcount(hand & KINGS)
    )


@bare
def combinations(hand, covered):
    """Worth of quads, runs, and a last card; `covered` from `reach`."""
    n = popcount(hand)
    if n == 1:
        return LAST_CARD + (LAST_KING * covered if hand & KINGS else 0.0)
    if quads_in(hand):
        return ONLY_A_QUAD if n == 4 else A_QUAD
    if run_starts(hand):
        return ONLY_A_RUN if n == 4 and is_one_suit(hand) else A_RUN
    return 0.0


@bare
def hand_value(opt, view, covers, hand):
    """Worth of a hand that is kept for the turns to come."""
    covered = reach(covers, view.seat, hand, view.unseen)
    risk = RISK + RISK_LATE * (1.0 - view.stock / PACK)
    value = REACH * covered - CARD * popcount(hand) - risk * penalty_for(opt, hand)
    return value + good_cards(opt, view.seat, hand) + combinations(hand, covered)


@bare
def bank_value(opt, view, covers, hand, top, worth, cards):
    """What the bank is worth to its owner, who leaves `top` on it and keeps `hand`.

    It has so many `cards` and is `worth` so many points.
    """
    who, held, drawn = view.follower, view.follower_cards, 1
    if top // 4 == SEVEN and opt.seven != _NO_SEVEN:
        if opt.seven == _DRAW_PLAY:
            drawn = 2
        else:
            who, held = view.after, view.after_cards
    cover = covers[SEATS * top + who]
    if who == view.seat:
        return ANOTHER_TURN if cover & hand else 0.0
    fails = chance_of_failure(popcount(cover & view.unseen), popcount(view.unseen), held + min(drawn, view.stock))
    won = WON * worth if cards > 1 else 0.0
    return fails * won - (1.0 - fails) * LEFT * worth


@bare
def out_value(opt, view, covers, mask, top, worth, cards):
    """What going out brings, with `mask` as the last move."""
    king, several = top // 4 == KING, not is_single(mask)
    place = opt.players - view.still_in + 1
    out, for_king, by_quad, by_run = going_out_bonus(
        place, king, several and is_quad(mask) and not king, several and is_one_suit(mask)
    )
    bonus = out + for_king + by_quad + by_run
    if king and trumps_of(opt, view.seat) >> top & 1:
        return bonus + worth
    if view.still_in > 2:
        return bonus + bank_value(opt, view, covers, 0, top, worth, cards)
    return bonus + ROUND_ENDS + (worth if opt.final_bank == _LAST_COVER else 0)


@bare
def end_value(opt, view, covers, mask, hand, top, worth, cards):
    """Value of ending the turn with `mask` as the last move and `hand` left."""
    if hand == 0:
        return out_value(opt, view, covers, mask, top, worth, cards)
    return bank_value(opt, view, covers, hand, top, worth, cards) + hand_value(opt, view, covers, hand)


@bare
def extra_value(opt, view, covers, hand, top, worth, cards):
    """Value of owing an extra move on `top`: that of the best single card, or of ending the turn if none covers."""
    follow = hand & covers[SEATS * top + view.seat]
    if follow == 0:
        return end_value(opt, view, covers, 0, hand, top, worth, cards)
    best = NOTHING
    while follow:
        card = lowest(follow)
        mask = 1 << card
        value = end_value(opt, view, covers, mask, hand & ~mask, card, worth + POINTS[card], cards + 1)
        best = max(best, value)
        follow &= follow - 1
    return best


@bare
def move_value(opt, view, covers, mask, top):
    """Value of a move."""
    hand = view.hand & ~mask
    worth, cards, taken = view.worth + points(mask), view.cards + popcount(mask), 0
    if view.kings != NOBODY and (view.kings != view.seat or opt.kings_cover != _OPPONENT):
        worth, cards, taken = 0, 0, worth
    if hand and owes_extra(mask, top):
        return taken + extra_value(opt, view, covers, hand, top, worth, cards)
    return taken + end_value(opt, view, covers, mask, hand, top, worth, cards)


@bare
def decline_value(opt, view, covers):
    """Value of not laying: it ends the turn where an extra move is owed, else it may lose the bank."""
    if view.phase >= EXTRA:
        return end_value(opt, view, covers, 0, view.hand, view.top, view.worth, view.cards)
    lost = view.worth if view.owner not in (NOBODY, view.seat) and view.cards > 1 else 0
    return hand_value(opt, view, covers, view.hand) - LOST * lost - TO_DRAW


@bare
def thrifty(opt, view, covers, rng):
    """The action of the greatest value, or declining; of equals any, evenly."""
    best, ties, mask, top = NOTHING, 0, 0, 0
    if view.may_decline:
        best, ties = decline_value(opt, view, covers), 1
    for k in range(view.actions):
        cards, last = action(opt, view, k)
        value = move_value(opt, view, covers, cards, last)
        if value > best:
            best, ties = value, 0
        if value == best:
            ties += 1
            rng, taken = even_pick(rng, ties)
            if taken:
                mask, top = cards, last
    return rng, mask, top
