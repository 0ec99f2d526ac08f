"""The bots of Square. A bot sees a `View` and nothing else: partners do not see each other's hands."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

from simcore.bits import lowest
from simcore.bots import Bot
from simcore.games.square.moves import after_play, open_places, targets, worth_of
from simcore.games.square.scoring import ending_score
from simcore.games.square.state import DISCARD, JACK, OTHER, QUEEN
from simcore.jit import part
from simcore.options import IntOption
from simcore.streams import below

RANDOM, GREEDY, BUILDER = range(3)

BOTS = (
    Bot("random", "plays evenly among all legal plays; ends, and consents to an end, half of the times it may"),
    Bot("greedy", "gains the most in worth over the opponents now; ends as soon as that wins the deal"),
    Bot(
        "builder",
        "plays for the lines that can still be made and against the opponents'; ends when going on promises less",
        (
            IntOption(
                "end_from",
                "variant",
                "ends from this worth on, and never below; 0: weighs in every turn what going on promises",
                0,
                low=0,
                high=160,
            ),
        ),
    ),
)


class View(NamedTuple):
    """What a player may know when he chooses; nothing of other hands or of the order of the pack.

    Attributes
    ----------
    hand : int
        Mask of the own cards.
    own, other : int
        The squares.
    own_worth, other_worth : int
    unseen : int
        Mask of the cards that are in other hands or in the pack.
    left : int
        Cards in the pack.
    own_total, other_total : int
        Totals of the match before this deal.
    deal : int
        Number of the deal, from 1.
    """

    hand: int
    own: int
    other: int
    own_worth: int
    other_worth: int
    unseen: int
    left: int
    own_total: int
    other_total: int
    deal: int


@part
def ends_greedily(opt, view):
    """Whether `greedy` ends, or consents: if the deal is won by it."""
    return ending_score(opt, view.own_worth) > view.other_worth


@part
def greedy_play(opt, view, rng):
    """The play that gains the most in worth over the opponents; of equals first those that fill the own square, then discards.

    What is still equal is settled by lot. Returns (random state, card, target).
    """
    open_own, open_other = open_places(view.own), open_places(view.other)
    best, ties, best_card, best_target = -(1 << 40), 0, 0, 0
    hand = view.hand
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        reach = targets(card, open_own, open_other, opt.gifts)
        while reach:
            target = lowest(reach)
            reach &= reach - 1
            own, other = after_play(view.own, view.other, card, target)
            value = 4 * (worth_of(opt, own) - worth_of(opt, other)) + _leaning(card, target)
            if value > best:
                best, ties, best_card, best_target = value, 1, card, target
            elif value == best:
                ties += 1
                rng, k = below(rng, ties)
                if k == 0:
                    best_card, best_target = card, target
    return rng, best_card, best_target


@part
def _leaning(card, target):
    """What breaks a tie: 2 for an open card in the own square, 1 for a discard, 0 for the rest."""
    if target == DISCARD:
        return 1
    rank = card >> 2
    return 2 if target < OTHER and (rank < JACK or rank > QUEEN) else 0
