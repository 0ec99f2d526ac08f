"""The bots of Bank. A bot knows the rules of the table and sees a `View`, and nothing else."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

from simcore.bots import Bot
from simcore.games.bank.greedy import greedy
from simcore.games.bank.thrifty import thrifty
from simcore.jit import part

CODE = 0
RANDOM, GREEDY, THRIFTY = range(3)

BOTS = (
    Bot("random", "chooses evenly among all legal actions"),
    Bot("greedy", "lays as many cards as it can, now"),
    Bot(
        "thrifty",
        "keeps its good cards for when they matter, and lays what the next player can hardly answer",
    ),
)


class View(NamedTuple):
    """What a bot may know when it chooses; nothing of other hands or of the order of the stock.

    Attributes
    ----------
    seat, phase : int
        Own seat; `MOVE`, `DRAWN`, `EXTRA` or `EXTRA_DRAWN`.
    hand, cover, need, singles, quads : int
        Masks: own hand; the cards that cover the top card; the card that must be used (or 0); legal singles and quads.
    actions : int
        Number of legal actions.
    may_decline : bool
    top, owner, cards, worth, kings : int
        The top card and its owner; number and points of the cards in the bank; who laid four uncovered kings (or -1).
    unseen : int
        Mask of the cards that are in other hands or in the stock.
    stock : int
        Cards left in it.
    follower, follower_cards : int
        Who moves next, and his number of cards.
    after, after_cards : int
        Who moves after the follower (with two players left: oneself), and his number of cards.
    still_in : int
        Players who have not gone out.
    """

    seat: int
    phase: int
    hand: int
    cover: int
    need: int
    singles: int
    quads: int
    actions: int
    may_decline: bool
    top: int
    owner: int
    cards: int
    worth: int
    kings: int
    unseen: int
    stock: int
    follower: int
    follower_cards: int
    after: int
    after_cards: int
    still_in: int


@part
def decide(opt, view, covers, rng, bot):
    """The choice of a bot other than `random`.

    Parameters
    ----------
    opt : Options
    view : View
    covers : ndarray of int64
        From `cover_table`.
    rng : uint64
        State of the bot's own stream.
    bot : int
        `GREEDY` or `THRIFTY`.

    Returns
    -------
    rng : uint64
    mask, top : int
        The cards laid and the one that ends on top; (0, 0) for declining.
    """
    if bot == GREEDY:
        return greedy(opt, view, covers, rng)
    return thrifty(opt, view, covers, rng)
