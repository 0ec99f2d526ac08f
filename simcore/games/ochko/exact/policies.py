"""Ways to play a hand of Ochko, as probabilities over the actions in every hand that can be held."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simcore.games.ochko.exact.hands import GOAL, Floats, Hands

STOP, DRAW, BLIND = 0, 1, 2
ACTIONS = ("stop", "draw", "draw blind")


@dataclass(frozen=True)
class Punter:
    """A punter's policy.

    Attributes
    ----------
    act : ndarray of float64, shape (3, hands, columns)
        Probability of stopping, drawing, drawing blind; one column for every banker's card, or one for all.
    conceal : float
        Probability of concealing a bust.
    """

    act: Floats
    conceal: float = 0.0


def _undecided(hands: Hands) -> tuple[Floats, Floats]:
    """Masks of the hands in which a punter decides (two cards or more, below 21), and in which he must draw (one card)."""
    below = hands.total < GOAL
    return (below & (hands.size > 1)).astype(float), (below & (hands.size == 1)).astype(float)


def threshold_punter(hands: Hands, stand: int, blind_from: int = GOAL, conceal: float = 0.0) -> Punter:
    """Draw below `stand`, blind from `blind_from` on."""
    free, forced = _undecided(hands)
    more = free * (hands.total < stand)
    blind = more * (hands.total >= blind_from)
    return Punter(np.stack([free - more, forced + more - blind, blind])[:, :, None], conceal)


def random_punter(hands: Hands, blind: bool) -> Punter:
    """Every allowed action with the same probability."""
    free, forced = _undecided(hands)
    share = free / (3 if blind else 2)
    return Punter(np.stack([share, forced + share, share * blind])[:, :, None])


def threshold_banker(hands: Hands, stand: int) -> Floats:
    """Probability of drawing in each hand for a banker who draws below `stand`; shape (hands,)."""
    return ((hands.total < stand) & (hands.total < GOAL)).astype(float)


def random_banker(hands: Hands) -> Floats:
    """The same for a banker who tosses a coin."""
    return np.where(hands.total < GOAL, 0.5, 0.0)


def orders(hands: Hands, draw: Floats, start: Floats) -> Floats:
    """In how many orders of values each hand comes about, each order times the probability that the policy goes on.

    Parameters
    ----------
    draw : ndarray of float64, shape (hands, columns)
        Probability of drawing in a hand.
    start : ndarray of float64, shape (hands, columns)
        1 for each hand of one card to start from.
    """
    shape = np.broadcast_shapes(draw.shape, start.shape)
    reach = np.zeros((len(hands) + 1, shape[1]))
    reach[:-1] = start
    for size in range(1, int(hands.size.max())):
        rows = np.flatnonzero(hands.size == size)
        flow = reach[rows] * draw[rows]
        for v in range(hands.child.shape[1]):
            np.add.at(reach, hands.child[rows, v], flow)
        reach[-1] = 0.0
    return reach[:-1]


def any_first(hands: Hands) -> Floats:
    """A start from any one card; shape (hands, 1)."""
    return np.asarray((hands.size == 1).astype(float)[:, None])


def each_first(hands: Hands) -> Floats:
    """A start from each value in a column of its own; shape (hands, values)."""
    return np.asarray((hands.cards * (hands.size == 1)[:, None]).astype(float))
