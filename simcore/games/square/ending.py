"""When the `builder` ends a deal: if what it has is worth more than what going on for a round promises.

Going on promises the gain of the own next play and what the square may still become (each counted with the excess), less the
loss by the opponents' next play. All of it is estimated from the cards not seen, in 256ths of a point.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import lowest, popcount
from simcore.games.square.builder import ONE, drawn_chance, own_draws, prospect, set_places
from simcore.games.square.moves import after_play, open_places, targets, worth_of
from simcore.games.square.scoring import UNDECIDED, decided, ending_score, exhausted_score
from simcore.games.square.state import DISCARD, OWN_CHANCE, SWING, SWINGS, code
from simcore.jit import part

_BEFORE = code("draw", "before")
_DOUBLE = code("excess", "double")


@part
def standing(opt, worth, last):
    """What a square of `worth` scores: ended as soon as it may be, or, in the `last` round of the pack, when that runs out."""
    if last:
        return exhausted_score(opt, worth)
    return ending_score(opt, worth) if worth >= opt.end_at else worth


@part
def best_swing(opt, card, own, other, last, ends):
    """The most that one play of `card` can gain: own score less the others'.

    `ends` tells whose score counts as that of a side which will end the deal: the player's own, or else the others'.
    """
    open_own, open_other = open_places(own), open_places(other)
    own_worth, other_worth = worth_of(opt, own), worth_of(opt, other)
    best = 0
    reach = targets(card, open_own, open_other, opt.gifts)
    while reach:
        target = lowest(reach)
        reach &= reach - 1
        if target == DISCARD:
            continue
        mine, theirs = after_play(own, other, card, target)
        my_worth, their_worth = worth_of(opt, mine), worth_of(opt, theirs)
        if last:
            gain = exhausted_score(opt, my_worth) - exhausted_score(opt, own_worth)
            gain -= exhausted_score(opt, their_worth) - exhausted_score(opt, other_worth)
        elif ends:
            gain = standing(opt, my_worth, False) - standing(opt, own_worth, False) - their_worth + other_worth
        else:
            gain = my_worth - own_worth - standing(opt, their_worth, False) + standing(opt, other_worth, False)
        best = max(best, gain)
    return min(best, SWINGS - 1)


@part
def next_gain(opt, view, last):
    """Expected gain of the own next play, in 256ths of a point: the hand is known, the card to be drawn is any unseen one."""
    at_hand = 0
    cards = view.hand
    while cards:
        at_hand = max(at_hand, best_swing(opt, lowest(cards), view.own, view.other, last, True))
        cards &= cards - 1
    if opt.draw != _BEFORE:
        return at_hand * ONE
    total = 0
    cards = view.unseen
    while cards:
        total += max(at_hand, best_swing(opt, lowest(cards), view.own, view.other, last, True))
        cards &= cards - 1
    return total * ONE // max(1, popcount(view.unseen))


@part
def next_loss(opt, view, s, last):
    """Expected loss by the next opponent's play, in 256ths of a point.

    Each unseen card is in that hand with the same chance q, so the play gains v or more with chance 1 − (1 − q)ⁿ, where n
    unseen cards can gain v or more; the expectation is the sum of these chances over v = 1, 2 …
    """
    for swing in range(SWINGS):
        s[SWING + swing] = 0
    cards = view.unseen
    while cards:
        s[SWING + best_swing(opt, lowest(cards), view.other, view.own, last, False)] += 1
        cards &= cards - 1
    held = opt.hand_size + (1 if opt.draw == _BEFORE else 0)
    lacks = ONE - min(ONE, held * ONE // max(1, popcount(view.unseen)))
    loss, none_of_them = 0, ONE
    for swing in range(SWINGS - 1, 0, -1):
        for _ in range(s[SWING + swing]):
            none_of_them = none_of_them * lacks >> 8
        loss += ONE - none_of_them
    return loss


@part
def going_on(opt, view, s):
    """Expected difference of the scores if the deal goes on for a round and is ended then, in 256ths of a point."""
    last = view.left <= 2
    gain, loss = next_gain(opt, view, last), next_loss(opt, view, s, last)
    if last:
        return (exhausted_score(opt, view.own_worth) - exhausted_score(opt, view.other_worth)) * ONE + gain - loss
    chance = drawn_chance(own_draws(opt, view), view.unseen)
    set_places(s, OWN_CHANCE, view.own, view.hand, view.unseen, chance)
    later = (prospect(opt, s, OWN_CHANCE) >> 16) - view.own_worth * ONE
    gain_later = 2 * later if opt.excess == _DOUBLE else later
    value = (ending_score(opt, view.own_worth) - view.other_worth) * ONE + gain + gain_later - loss
    if view.other_worth >= opt.end_at:
        value = min(value, (view.own_worth - ending_score(opt, view.other_worth)) * ONE + gain // 2)
    return value


@part
def builder_ends(opt, view, s, end_from):
    """Whether `builder` ends, or consents: at `end_from` if that is given, else as the match and the expectation bid."""
    if end_from > 0:
        return view.own_worth >= end_from
    mine = view.own_total + ending_score(opt, view.own_worth)
    theirs = view.other_total + view.other_worth
    winner = decided(opt, mine, theirs, view.deal)
    if winner != UNDECIDED:
        return winner == 0
    return (ending_score(opt, view.own_worth) - view.other_worth) * ONE >= going_on(opt, view, s)
