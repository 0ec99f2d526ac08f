"""One punter against the banker with a fresh pack: the exact expectation of any pair of policies.

Everything is per unit staked and from the punter's side; the banker's edge is its negative. Sums are float64 over positive terms,
so that an expectation is exact to about 1e-13. The model is the first hand of a circle, whatever the number of
players: cards that nobody has seen do not change the odds, wherever they lie.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from simcore.games.ochko.exact.hands import GOAL, Floats, Hands, Weights, all_hands, values_of
from simcore.games.ochko.exact.policies import BLIND, DRAW, STOP, Punter, any_first, each_first, orders
from simcore.options import Setting


@dataclass(frozen=True)
class Terms:
    """What a duel is played for.

    Attributes
    ----------
    tie, both_bust : float
        The punter's gain, in stakes, at equal totals; and when his blind bust meets a banker's bust.
    hidden : int
        Stakes paid for a bust that was concealed.
    blind : bool
        Are blind draws allowed?
    """

    tie: float = -1.0
    both_bust: float = -1.0
    hidden: int = 2
    blind: bool = True


class Duel:
    """A pack and terms, ready for any policies.

    Arrays with a *card* axis have one column for each value of the banker's first card.

    Parameters
    ----------
    hands : Hands
    terms : Terms
    marker : int, optional
        Value of the marker, if the computation is to know it.

    Attributes
    ----------
    base : ndarray of float64, shape (hands, cards)
        Weight of a punter's hand together with the banker's first card.
    card : ndarray of float64, shape (cards,)
        Probability of the banker's first card.
    """

    def __init__(self, hands: Hands, terms: Terms, marker: int | None = None) -> None:
        self.hands, self.terms = hands, terms
        weights = Weights(hands, marker)
        self._weights = weights
        self.base, self.card = weights.beside(), weights.cards()
        self.rows = np.arange(len(hands)) if self._needs_busts else hands.live

    @cached_property
    def joint(self) -> Floats:
        """Weight of a punter's hand (of `rows`) together with each live hand of the banker; shape (rows, live hands)."""
        return self._weights.joint(self.hands.cards[self.hands.live], self.rows)

    @property
    def _needs_busts(self) -> bool:
        """Does it matter to a punter's blind bust what the banker has?"""
        return self.terms.blind and self.terms.both_bust != -1.0

    def finals(self, banker: Floats) -> Floats:
        """Orders in which the banker ends on each live hand, by his first card; shape (live hands, cards)."""
        stops = orders(self.hands, banker[:, None], each_first(self.hands)) * (1.0 - banker)[:, None]
        return np.asarray(stops[self.hands.live])

    def gains(self, total: int) -> Floats:
        """The punter's gain with `total` against each live hand of the banker; shape (live hands,)."""
        his = self.hands.total[self.hands.live]
        if total > GOAL:
            return np.full(len(his), -1.0)
        return np.where(total > his, 1.0, np.where(total < his, -1.0, self.terms.tie))

    def stop_values(self, finals: Floats) -> Floats:
        """The punter's gain from going to the showdown with each hand, times the weight of that hand beside the banker's card.

        A banker's bust is what remains of the hand's weight after his live hands, so his bust hands need not be listed.

        Parameters
        ----------
        finals : ndarray of float64, shape (live hands, columns)
            Of one or more bankers; `columns` a multiple of `cards`, cards innermost.

        Returns
        -------
        ndarray of float64, shape (hands, columns)
        """
        out = np.tile(-self.base, finals.shape[1] // self.base.shape[1])
        base, totals = -out, self.hands.total[self.rows]
        for total in np.unique(np.minimum(totals, GOAL + 1)):
            at = np.flatnonzero(np.minimum(totals, GOAL + 1) == total)
            if_bust = self.terms.both_bust if total > GOAL else 1.0
            versus = (self.gains(int(total)) - if_bust)[:, None] * finals
            out[self.rows[at]] = if_bust * base[self.rows[at]] + self.joint[at] @ versus
        return out

    def children(self, of_hands: Floats) -> Floats:
        """Sum over the next card of a quantity of hands; shape as given."""
        padded = np.vstack([of_hands, np.zeros((1, of_hands.shape[1]))])
        return np.asarray(sum(padded[self.hands.child[:, v]] for v in range(self.hands.child.shape[1])))

    def at_once(self, conceal: float = 0.0) -> Floats:
        """Gain, times weight, of a seen draw to each hand that ends there: +1 at 21, a bust's price above, 0 below."""
        price = 1.0 + conceal * (self.terms.hidden - 1.0)
        gain = np.where(self.hands.total == GOAL, 1.0, np.where(self.hands.bust, -price, 0.0))
        return np.asarray(gain[:, None] * self.base)

    def value(self, punter: Punter, stop_values: Floats) -> Floats:
        """The punter's expected gain given the banker's first card; shape (cards,)."""
        act, hands = punter.act, self.hands
        reach = orders(hands, act[DRAW], any_first(hands))
        gain = act[STOP] * stop_values + act[BLIND] * self.children(stop_values)
        gain = gain + act[DRAW] * self.children(self.at_once(punter.conceal))
        return np.asarray((reach * gain).sum(axis=0) / self.card)

    def mean_values(self, punter: Punter, stop: Floats) -> Floats:
        """The punter's expected gain whatever the banker's card.

        Parameters
        ----------
        punter : Punter
            A policy that does not look at the banker's card.
        stop : ndarray of float64, shape (hands, bankers)
            `stop_values` of each banker, summed over his cards.

        Returns
        -------
        ndarray of float64, shape (bankers,)
        """
        stops, draws, blinds = punter.act[:, :, 0]
        reach = orders(self.hands, draws[:, None], any_first(self.hands))[:, 0]
        at_once = self.children(self.at_once(punter.conceal)).sum(axis=1)
        return np.asarray((reach * stops) @ stop + (reach * blinds) @ self.children(stop) + (reach * draws) @ at_once)

    def edge(self, punter: Punter, banker: Floats) -> float:
        """The banker's expected gain per unit staked."""
        value = self.value(punter, self.stop_values(self.finals(banker)))
        return -float(value @ self.card)


def terms_of(rules: Mapping[str, Setting]) -> Terms:
    """The terms that a table's rules set."""
    return Terms(
        tie=0.0 if rules["tie"] == "push" else -1.0,
        both_bust=0.0 if rules["both_bust"] == "push" else -1.0,
        hidden=int(rules["hidden_bust"]),
        blind=rules["blind"] == "yes",
    )


def duel_of(rules: Mapping[str, Setting], marker: int | None = None) -> Duel:
    """The duel of a table's rules."""
    values = values_of(int(rules["deck"]), str(rules["ace"]), str(rules["two_aces"]))
    return Duel(all_hands(values), terms_of(rules), marker)


def totals(duel: Duel, punter: Punter) -> Floats:
    """Distribution of a punter's final total, given the banker's first card.

    Returns
    -------
    ndarray of float64, shape (GOAL + 2, cards)
        Row ``t`` for a final total ``t``, the last row for a bust, seen or blind. A row sums 21 seen and 21 drawn blind.
    """
    hands, act = duel.hands, punter.act
    reach = orders(hands, act[DRAW], any_first(hands))
    ends = _ends(duel, reach, act)
    out = np.zeros((GOAL + 2, duel.base.shape[1]))
    np.add.at(out, np.minimum(hands.total, GOAL + 1), ends * duel.base)
    return np.asarray(out / duel.card)


def _ends(duel: Duel, reach: Floats, act: Floats) -> Floats:
    """Orders in which a punter's hand ends on each hand; shape (hands, columns)."""
    hands = duel.hands
    over = (hands.total >= GOAL)[:, None]
    ends = reach * np.where(over, 1.0, act[STOP])
    out = np.zeros((len(hands) + 1, ends.shape[1]))
    out[:-1] = ends
    for v in range(hands.child.shape[1]):
        np.add.at(out, hands.child[:, v], reach * act[BLIND])
    return out[:-1]
