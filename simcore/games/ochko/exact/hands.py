"""Every hand of Ochko that can be held, by the values of its cards, and the weights of drawing it without replacement.

Suits do not count, so a hand is a *composition*: how many cards it holds of each value. An ordered draw of cards with
composition ``m`` from a pack with ``n_v`` cards of value ``v``, ``N`` in all, has the probability

    Π_v n_v (n_v - 1) … (n_v - m_v + 1)  /  N (N - 1) … (N - |m| + 1)

whoever takes which card, and when. A hand's own probability is this weight times the number of orders in which a policy can
come to it, so the weight of two hands together needs no knowledge of the policies (`Weights.joint`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

GOAL = 21
_PICTURES = {"T": 10, "J": 2, "Q": 3, "K": 4}
_RANKS = {32: "789TJQKA", 36: "6789TJQKA", 52: "23456789TJQKA"}


@dataclass(frozen=True)
class Values:
    """The values of a pack's cards: the ace first, then the others from low to high.

    Attributes
    ----------
    labels : tuple of str
        The ranks of each value, such as ``"2/J"``.
    points : tuple of int
        What a card of each value counts; the ace 1 unless it always counts 11.
    counts : tuple of int
        Cards of each value in the pack.
    ace_free : bool
        May an ace count 11 instead of 1?
    pair_wins : bool
        Are two aces, as the first two cards, 21?
    """

    labels: tuple[str, ...]
    points: tuple[int, ...]
    counts: tuple[int, ...]
    ace_free: bool = False
    pair_wins: bool = False

    def index(self, rank: str) -> int:
        """Which value a rank has."""
        return next(i for i, label in enumerate(self.labels) if rank in label.split("/"))

    def has(self, rank: str) -> bool:
        """Does the pack hold this rank?"""
        return any(rank in label.split("/") for label in self.labels)

    def without(self, value: int) -> Values:
        """The same pack with one card of a value taken out (the marker)."""
        counts = tuple(n - (i == value) for i, n in enumerate(self.counts))
        return Values(self.labels, self.points, counts, self.ace_free, self.pair_wins)


def values_of(deck: int, ace: str, two_aces: str = "sum") -> Values:
    """The values of a pack of 32, 36 or 52 cards, with the ace as ``one``, ``eleven`` or ``either``."""
    ranks: dict[int, list[str]] = {}
    for rank in _RANKS[deck][:-1]:
        ranks.setdefault(_PICTURES.get(rank) or int(rank), []).append(rank)
    rest = sorted(ranks)
    return Values(
        ("A", *("/".join(ranks[points]) for points in rest)),
        (11 if ace == "eleven" else 1, *rest),
        (4, *(4 * len(ranks[points]) for points in rest)),
        ace == "either",
        two_aces == "twenty_one",
    )


def total_of(values: Values, hand: tuple[int, ...]) -> tuple[int, bool]:
    """Best total of a composition, and whether an ace counts 11 in it that could count 1 (a *soft* total)."""
    if values.pair_wins and hand[0] == 2 and sum(hand) == 2:
        return GOAL, False
    total = sum(k * p for k, p in zip(hand, values.points, strict=True))
    soft = values.ace_free and hand[0] > 0 and total + 10 <= GOAL
    return total + 10 * soft, soft


@dataclass(frozen=True)
class Hands:
    """All hands that drawing can lead to, busts included, a hand before those that grow from it.

    Attributes
    ----------
    values : Values
    cards : ndarray of int64, shape (hands, values)
        The compositions.
    size, total : ndarray of int64, shape (hands,)
        Number of cards; best total, above 21 when bust.
    soft : ndarray of bool, shape (hands,)
    child : ndarray of int64, shape (hands, values)
        The hand with one more card; `hands` (one past the end) where no such card is left or the hand is over.
    live : ndarray of int64
        The hands that are not bust, in order.
    """

    values: Values
    cards: Ints
    size: Ints
    total: Ints
    soft: NDArray[np.bool_]
    child: Ints
    live: Ints

    def __len__(self) -> int:
        return len(self.total)

    @property
    def bust(self) -> NDArray[np.bool_]:
        return self.total > GOAL


def _grow(values: Values) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []
    level = {_one(values, v) for v in range(len(values.points)) if values.counts[v]}
    while level:
        found += sorted(level)
        level = {
            _plus(hand, v)
            for hand in level
            if total_of(values, hand)[0] < GOAL
            for v, n in enumerate(values.counts)
            if hand[v] < n
        }
    return found


def _one(values: Values, v: int) -> tuple[int, ...]:
    return tuple(int(i == v) for i in range(len(values.points)))


def _plus(hand: tuple[int, ...], v: int) -> tuple[int, ...]:
    return (*hand[:v], hand[v] + 1, *hand[v + 1 :])


@lru_cache(maxsize=64)
def all_hands(values: Values) -> Hands:
    """Enumerate the hands of a pack."""
    found = _grow(values)
    index = {hand: i for i, hand in enumerate(found)}
    totals = [total_of(values, hand) for hand in found]
    past = len(found)
    child = [
        [index.get(_plus(hand, v), past) if total < GOAL else past for v in range(len(hand))]
        for hand, (total, _) in zip(found, totals, strict=True)
    ]
    cards, total = np.array(found), np.array([t for t, _ in totals])
    return Hands(
        values,
        cards,
        cards.sum(axis=1),
        total,
        np.array([s for _, s in totals]),
        np.array(child),
        np.flatnonzero(total <= GOAL),
    )


class Weights:
    """Weights of hands, drawn without replacement from a pack.

    Parameters
    ----------
    hands : Hands
    marker : int, optional
        Value of a card known to be out of play. Without it a marker is one more unseen card, and changes nothing.
    """

    def __init__(self, hands: Hands, marker: int | None = None) -> None:
        self.hands = hands
        counts = np.array(hands.values.counts)
        if marker is not None:
            counts[marker] -= 1
        most = 2 * int(hands.size.max()) + 2
        self._of_value = [_falling(int(n), most) for n in counts]
        # Where the pack does not suffice the weight is 0 by its numerator; 1 keeps the division defined.
        self._of_all = np.maximum(_falling(int(counts.sum()), most), 1.0)

    def alone(self) -> Floats:
        """Weight of each hand; shape (hands,)."""
        return self.joint(np.zeros((1, len(self._of_value)), dtype=np.int64))[:, 0]

    def beside(self) -> Floats:
        """Weight of each hand together with one more card of each value; shape (hands, values)."""
        return self.joint(np.eye(len(self._of_value), dtype=np.int64))

    def cards(self) -> Floats:
        """Probability of each value for one card; shape (values,)."""
        chances: Floats = np.array([falling[1] for falling in self._of_value]) / self._of_all[1]
        return chances

    def joint(self, others: Ints, rows: Ints | None = None) -> Floats:
        """Weight of each hand (of `rows`) together with each composition of `others`; shape (rows, others)."""
        cards = self.hands.cards if rows is None else self.hands.cards[rows]
        sizes, all_sizes = cards.sum(axis=1), others.sum(axis=1)
        # Factors by how many cards of a value a hand holds: whole rows are picked, which is much faster than single entries.
        held = np.arange(int(sizes.max(initial=0)) + 1)[:, None]
        product: Floats = np.ones((len(cards), len(others)))
        for v, falling in enumerate(self._of_value):
            product *= falling[held + others[:, v]][cards[:, v]]
        product /= self._of_all[held + all_sizes][sizes]
        return product


def _falling(n: int, most: int) -> Floats:
    """The product n (n - 1) … of 0 … `most` factors; 0 for an impossible choice."""
    factors = [float(max(n - k, 0)) for k in range(most)]
    return np.asarray(np.concatenate([[1.0], np.cumprod(factors)]))
