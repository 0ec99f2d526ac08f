"""Best answers in a duel: of a punter to a banker's policy, of a banker to a punter's, and thresholds that answer each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simcore.games.ochko.exact.duel import Duel
from simcore.games.ochko.exact.hands import GOAL, Floats, Hands, Ints
from simcore.games.ochko.exact.policies import (
    BLIND,
    DRAW,
    STOP,
    Punter,
    any_first,
    orders,
    threshold_banker,
    threshold_punter,
)

STANDS = tuple(range(2, GOAL + 1))
"""Every threshold that differs from the next: a total is 2 or more once a card has been drawn."""
FORBIDDEN = -1e6
"""Worth per unit staked of an action that the rules do not allow: finite, as it is weighted and summed."""
_MOST_ROUNDS = 50
_NOISE = 1e-10  # a choice must be better by this, per unit staked, to count as better


@dataclass(frozen=True)
class Showdown:
    """What a punter may come to against one banker's policy, or several: all arrays of shape (hands, columns).

    A column is a banker's first card (open card), or one for all of them (closed), for each policy.

    Attributes
    ----------
    stop, blind, at_once, base : ndarray of float64
        Gain times weight: of stopping, of drawing blind, of being drawn to (21 and busts). And the weight.
    """

    hands: Hands
    stop: Floats
    blind: Floats
    at_once: Floats
    base: Floats


def showdown(duel: Duel, bankers: Sequence[Floats], closed: bool = False) -> Showdown:
    """Prepare a punter's choices against each banker; columns are bankers × cards, cards innermost (or bankers, if closed)."""
    stop = duel.stop_values(np.hstack([duel.finals(banker) for banker in bankers]))
    at_once, base = (np.tile(a, len(bankers)) for a in (duel.at_once(), duel.base))
    if closed:
        stop, at_once, base = (a.reshape(len(a), len(bankers), -1).sum(axis=2) for a in (stop, at_once, base))
    blind = duel.children(stop) if duel.terms.blind else FORBIDDEN * base
    return Showdown(duel.hands, stop, blind, at_once, base)


def best_by_cards(view: Showdown) -> Floats:
    """The punter's best expectation when he minds every card he sees, times weight; shape (hands, columns)."""
    hands = view.hands
    value = np.zeros((len(hands) + 1, view.stop.shape[1]))
    value[:-1] = view.at_once
    for size in range(int(hands.size.max()), 0, -1):
        rows = np.flatnonzero((hands.size == size) & (hands.total < GOAL))
        more = value[hands.child[rows]].sum(axis=1)
        if size > 1:
            more = np.maximum(np.maximum(view.stop[rows], view.blind[rows]), more)
        value[rows] = more
    return value[:-1]


@dataclass(frozen=True)
class Chart:
    """A punter's best policy among those that look at nothing but the total, its softness, and the banker's card.

    Attributes
    ----------
    hands : Hands
    choice : ndarray of int64, shape (hands, columns)
        0 stop, 1 draw, 2 draw blind; the same for all hands of a state.
    first : ndarray of float64, shape (values, columns)
        Expected gain per unit staked with each first card.
    value : ndarray of float64, shape (columns,)
        Expected gain per unit staked.
    worth : ndarray of float64, shape (states, 3, columns)
        What stopping, drawing and drawing blind give in each of `states`, times `reach`.
    reach : ndarray of float64, shape (states, columns)
        Weight of each state beside the banker's card, where the chart comes to it (if it never does: where drawing always would).
    """

    hands: Hands
    choice: Ints
    first: Floats
    value: Floats
    worth: Floats
    reach: Floats

    def against(self, columns: slice) -> Chart:
        """The chart of some columns alone."""
        return Chart(
            self.hands,
            self.choice[:, columns],
            self.first[:, columns],
            self.value[columns],
            self.worth[:, :, columns],
            self.reach[:, columns],
        )

    @cached_property
    def punter(self) -> Punter:
        """The chart as a policy for `Duel.value`, for charts with a column for every banker's card, or one in all."""
        hands = self.hands
        below = (hands.total < GOAL)[:, None]
        return Punter(np.stack([(self.choice == a) & below for a in range(3)]).astype(float))


def states(hands: Hands) -> list[Ints]:
    """The hands of each state in which a punter decides, the states that can only be reached from others before these."""
    raw = hands.total - 10 * hands.soft
    free = (hands.total < GOAL) & (hands.size > 1)
    keys = sorted({(int(r), bool(s)) for r, s in zip(raw[free], hands.soft[free], strict=True)}, reverse=True)
    return [np.flatnonzero(free & (raw == r) & (hands.soft == s)) for r, s in keys]


def best_chart(view: Showdown) -> Chart:
    """The best chart: choices are improved in turn, from high totals down, until none changes."""
    hands, columns = view.hands, view.stop.shape[1]
    groups = states(hands)
    choice = np.where(hands.total[:, None] >= 17, STOP, DRAW) * np.ones((1, columns), dtype=np.int64)
    for _ in range(_MOST_ROUNDS):
        better, value, worth, reach = _improve(view, groups, choice)
        settled = bool((better == choice).all())
        choice = better
        if settled:
            break
    else:
        raise ArithmeticError(f"the chart has not settled after {_MOST_ROUNDS} rounds")
    singles = np.flatnonzero(hands.size == 1)
    first = value[singles] / view.base[singles]
    whole = value[singles].sum(axis=0) / view.base[singles].sum(axis=0)
    return Chart(hands, choice, first, whole, np.stack(worth), np.stack(reach))


def _improve(view: Showdown, groups: list[Ints], choice: Ints) -> tuple[Ints, Floats, list[Floats], list[Floats]]:
    """One pass: the best choice of each state, its hands weighted by how often `choice` comes to them.

    A state's weights hang on lower states alone, and what follows it on higher ones, which have been improved before it: so
    every change by itself raises the chart's value, and passes cannot go in circles. Equal choices are left as they are.
    """
    hands = view.hands
    reach = orders(hands, (choice == DRAW).astype(float), any_first(hands))
    always = orders(hands, np.ones((len(hands), 1)), any_first(hands))
    value = np.zeros((len(hands) + 1, view.stop.shape[1]))
    value[:-1] = view.at_once
    better, columns = choice.copy(), np.arange(choice.shape[1])
    all_worth, all_reach = [], []
    for rows in groups:
        options = np.stack([view.stop[rows], value[hands.child[rows]].sum(axis=1), view.blind[rows]])
        seen = reach[rows]
        weight = np.where(seen.any(axis=0), seen, always[rows])
        worth = (options * weight).sum(axis=1)
        all_worth.append(worth.copy())
        all_reach.append((weight * view.base[rows]).sum(axis=0))
        worth[choice[rows[0]], columns] += _NOISE * all_reach[-1]
        best = worth.argmax(axis=0)
        better[rows] = best
        value[rows] = np.take_along_axis(options, best[None, None, :], axis=0)[0]
    singles = np.flatnonzero(hands.size == 1)
    better[singles] = DRAW
    value[singles] = value[hands.child[singles]].sum(axis=1)
    return better, value[:-1], all_worth, all_reach


def banker_best_by_cards(duel: Duel, punter: Punter) -> Floats:
    """The banker's best expectation when he minds every card he sees and the number of the punter's, by his first card.

    Parameters
    ----------
    punter : Punter
        His policy, known to the banker.

    Returns
    -------
    ndarray of float64, shape (cards,)
        The banker's gain per unit staked.
    """
    standing, lost = _showdown_orders(duel, punter)
    total = np.zeros(duel.base.shape[1])
    for size in range(2, int(duel.hands.size.max()) + 1):
        rows = duel.hands.size[duel.rows] == size
        if (standing[rows] > 0).any():
            total += _banker_walk(duel, rows, standing)
    return np.asarray((total + lost) / duel.card)


def _showdown_orders(duel: Duel, punter: Punter) -> tuple[Floats, Floats]:
    """Orders in which a punter comes to the showdown with each of the duel's rows; what he pays the banker without one."""
    hands, act = duel.hands, punter.act
    reach = orders(hands, act[DRAW], any_first(hands))
    ends = np.zeros((len(hands) + 1, act.shape[2]))
    ends[:-1] = reach * act[STOP]
    for v in range(hands.child.shape[1]):
        np.add.at(ends, hands.child[:, v], reach * act[BLIND])
    ends = ends[:-1] * np.ones((1, duel.base.shape[1]))
    lost = -(reach * act[DRAW] * duel.children(duel.at_once(punter.conceal))).sum(axis=0)
    if len(duel.rows) < len(hands):
        lost = lost + (ends * duel.base)[hands.bust].sum(axis=0)
    return ends[duel.rows], lost


def _banker_walk(duel: Duel, rows: NDArray[np.bool_], standing: Floats) -> Floats:
    """Best play against punters of one size: gain times weight, by the banker's first card; shape (cards,)."""
    hands, live = duel.hands, duel.hands.live
    joint, ends = duel.joint[rows], standing[rows]
    totals = hands.total[duel.rows][rows]
    mass = np.zeros((len(hands) + 1, ends.shape[1]))
    mass[live] = joint.T @ ends
    if_bust = np.where(totals > GOAL, duel.terms.both_bust, 1.0)
    # What the banker loses by a bust, for each hand of his: spread over the hands it would have come from.
    loss = np.zeros_like(mass)
    loss[live] = joint.T @ (ends * if_bust[:, None])
    gain = np.zeros_like(mass)
    for total in np.unique(totals):
        at = totals == total
        gain[live] -= duel.gains(int(total))[:, None] * (joint[at].T @ ends[at])
    value = gain.copy()
    for size in range(int(hands.size.max()), 0, -1):
        h = np.flatnonzero((hands.size == size) & (hands.total < GOAL))
        alive = np.where(np.append(hands.bust, True)[hands.child[h]][:, :, None], 0.0, 1.0)
        busts = loss[h] - (alive * loss[hands.child[h]]).sum(axis=1)
        more = (alive * value[hands.child[h]]).sum(axis=1) - busts
        value[h] = np.maximum(gain[h], more)
    singles = np.flatnonzero(hands.size == 1)
    return np.asarray((value[singles] * (hands.cards[singles] > 0)).sum(axis=0))


@dataclass(frozen=True)
class Equilibrium:
    """Thresholds that answer each other.

    Attributes
    ----------
    edge : float
        The banker's expectation per unit staked.
    punter, banker : dict of int to float
        Thresholds and how often each is played; one alone where pure thresholds answer each other.
    """

    edge: float
    punter: dict[int, float]
    banker: dict[int, float]

    @property
    def pure(self) -> bool:
        return len(self.punter) == len(self.banker) == 1


def threshold_edges(duel: Duel) -> Floats:
    """The banker's edge for each punter's threshold (rows) and banker's threshold (columns), both `STANDS`."""
    hands = duel.hands
    stop = showdown(duel, [threshold_banker(hands, s) for s in STANDS], closed=True).stop
    return -np.array([duel.mean_values(threshold_punter(hands, stand), stop) for stand in STANDS])


def equilibrium(edges: Floats) -> Equilibrium:
    """Solve the game of thresholds: a saddle point if there is one, else the mixture by linear programming."""
    worst, best = edges.max(axis=1), edges.min(axis=0)
    if np.isclose(worst.min(), best.max(), rtol=0, atol=1e-12):
        i, j = int(worst.argmin()), int(best.argmax())
        return Equilibrium(float(edges[i, j]), {STANDS[i]: 1.0}, {STANDS[j]: 1.0})
    banker = _mixture(edges)
    punter = _mixture(-edges.T)
    value = float((edges.T @ _dense(punter)) @ _dense(banker))
    return Equilibrium(value, punter, banker)


def _mixture(edges: Floats) -> dict[int, float]:
    """The column player's mixture that maximises his worst row."""
    from scipy.optimize import linprog

    rows, columns = edges.shape
    found = linprog(
        np.append(np.zeros(columns), -1.0),
        A_ub=np.hstack([-edges, np.ones((rows, 1))]),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None, :],
        b_eq=[1.0],
        bounds=[(0, None)] * columns + [(None, None)],
    )
    return {STANDS[i]: float(p) for i, p in enumerate(found.x[:-1]) if p > 1e-9}


def _dense(mixture: dict[int, float]) -> Floats:
    return np.array([mixture.get(stand, 0.0) for stand in STANDS])
