"""What a game counts and what is computed from it, each declared once.

A kernel fills one *row* of integers a game: the `Count`s. A `Metric` is a weighted sum of ratios of summed counts. A `Histogram`
is an exact tally of one integer. Everything else (tables, reports, docs, claims) reads these declarations.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simcore.errors import unknown

Ints = NDArray[np.int64]
SIGNED_UNITS = ("points", "money", "units")
"""Units of what can be lost as well as won."""


@dataclass(frozen=True)
class Count:
    """One integer, or a short vector of them, that a kernel adds up in every game.

    Parameters
    ----------
    name, meaning : str
    by : str
        What the entries of a vector stand for (``"place"``: seats counted from the first mover; ``"entrant"``: position in
        ``--bots``; …); empty for a single integer.
    size : int
        Number of entries.
    """

    name: str
    meaning: str
    by: str = ""
    size: int = 1

    @property
    def columns(self) -> list[str]:
        """Column names: ``name``, or ``name.0``, ``name.1`` …"""
        return [self.name] if not self.by else [f"{self.name}.{k}" for k in range(self.size)]


@dataclass(frozen=True)
class Counts:
    """All counts of one game, laid out in one row."""

    counts: tuple[Count, ...]

    @cached_property
    def columns(self) -> list[str]:
        """Names of the row's entries, in order."""
        return [column for count in self.counts for column in count.columns]

    @cached_property
    def position(self) -> dict[str, int]:
        """Column name -> index in the row."""
        return {column: i for i, column in enumerate(self.columns)}

    @cached_property
    def index(self) -> Any:
        """Named tuple of the first index of each count; numba reads its fields as constants."""
        names = [count.name for count in self.counts]
        starts = np.cumsum([0] + [count.size for count in self.counts[:-1]]).tolist()
        return namedtuple("Index", names)(*starts)

    def __getitem__(self, column: str) -> Count:
        name = column.partition(".")[0]
        for count in self.counts:
            if count.name == name and column in count.columns:
                return count
        raise unknown("count", column, self.columns)

    def __iter__(self) -> Iterator[Count]:
        return iter(self.counts)

    def __len__(self) -> int:
        return len(self.columns)


@dataclass(frozen=True)
class Histogram:
    """An exact tally of one integer: a bin for each value in `low` … `high`, and one beyond each end.

    Parameters
    ----------
    name, meaning, level, unit : str
    low, high : int
        Both included. What lies outside is counted as underflow or overflow, and told.
    count : str
        The column of the row whose value, once a game, is tallied; empty if the kernel fills the bins itself.
    drawn : bool
        Is it a distribution to look at? (Else its values are codes, for what a game computes from them.)
    """

    name: str
    meaning: str
    level: str
    unit: str
    low: int
    high: int
    count: str = ""
    drawn: bool = True

    @property
    def is_score(self) -> bool:
        """Whether it tells what was won and lost, not how long it took."""
        return self.unit in SIGNED_UNITS or self.low < 0

    @property
    def bins(self) -> int:
        return self.high - self.low + 3

    def values(self) -> Ints:
        """The value of each bin; the first and last stand for everything beyond."""
        return np.arange(self.low - 1, self.high + 2, dtype=np.int64)


@dataclass(frozen=True)
class Histograms:
    """All histograms of one game, laid out in one array."""

    histograms: tuple[Histogram, ...]

    @cached_property
    def offset(self) -> Any:
        """Named tuple of the index of each histogram's first bin, for kernels."""
        sizes = [h.bins for h in self.histograms]
        starts = np.cumsum([0, *sizes[:-1]]).tolist()
        return namedtuple("Offset", [h.name for h in self.histograms])(*starts)

    @property
    def size(self) -> int:
        return sum(h.bins for h in self.histograms)

    def slice_of(self, name: str) -> slice:
        """Where a histogram's bins lie in the array."""
        start = getattr(self.offset, self[name].name)
        return slice(start, start + self[name].bins)

    def per_game(self, counts: Counts) -> Ints:
        """Table for `tally_game`: a line (column, first bin, low, high) for each histogram of a count; shape (k, 4)."""
        lines = [
            (counts.position[h.count], getattr(self.offset, h.name), h.low, h.high) for h in self.histograms if h.count
        ]
        return np.array(lines, dtype=np.int64).reshape(-1, 4)

    def __getitem__(self, name: str) -> Histogram:
        for histogram in self.histograms:
            if histogram.name == name:
                return histogram
        raise unknown("histogram", name, [h.name for h in self.histograms])

    def __iter__(self) -> Iterator[Histogram]:
        return iter(self.histograms)


@dataclass(frozen=True)
class Term:
    """``weight · (sum of num) / (sum of den)``; the two are columns of the row."""

    num: str
    den: str
    weight: float = 1.0

    def __str__(self) -> str:
        divisor = round(1 / self.weight) if 0 < abs(self.weight) < 1 else 0
        if divisor and np.isclose(self.weight * divisor, 1):
            return f"{self.num} / ({divisor} · {self.den})" if divisor != 1 else f"{self.num} / {self.den}"
        factor = "" if self.weight == 1 else f"{self.weight:g} · "
        return f"{factor}{self.num} / {self.den}"


Fair = Callable[[int], float]


def even_share(players: int) -> float:
    """What each of `players` gets where all are alike: 1 / players."""
    return 1 / players


def nought(players: int) -> float:
    """What a difference between seats is where all are alike: 0."""
    return 0.0


@dataclass(frozen=True)
class Metric:
    """A number of interest: a sum of ratios of counts.

    Parameters
    ----------
    name, meaning : str
    level : str
        What one unit of the denominator is: ``game``, ``round``, ``player-round``, ``decision`` …
    unit : str
        ``share`` for proportions (between 0 and 1), ``share difference`` for differences of shares, else a noun.
    terms : tuple of Term
    fair : callable, optional
        Number of players -> what a game in which all seats are alike gives.
    less_fair : bool
        Subtract `fair`: the metric is an advantage over a fair share.
    bracket : str
        Column of games without a winner (capped): counted as lost in the value, as won in its upper bracket.
    histogram : str
        The histogram that holds the metric's distribution; its mean is the metric.
    by : str
        Expanded over the entries of its vector counts, as in `Count`.
    """

    name: str
    meaning: str
    level: str
    unit: str
    terms: tuple[Term, ...]
    fair: Fair | None = None
    less_fair: bool = False
    bracket: str = ""
    histogram: str = ""
    by: str = ""

    @property
    def range(self) -> tuple[float, float]:
        """Least and greatest possible value."""
        if self.unit == "share":
            return (0.0, 1.0)
        if self.unit == "share difference":
            return (-1.0, 1.0)
        return (-np.inf, np.inf) if self.unit in SIGNED_UNITS else (0.0, np.inf)

    @property
    def formula(self) -> str:
        """The formula in terms of the counts, such as ``starter_wins / (12 · rounds) − 1/players``."""
        text = " + ".join(str(term) for term in self.terms).replace("+ -", "− ")
        if self.less_fair:
            text += " − 1/players" if self.fair is even_share else " − fair value"
        return text

    def shift(self, players: int) -> float:
        """The constant added to the sum of ratios."""
        return -self.fair(players) if self.less_fair and self.fair else 0.0

    def target(self, players: int) -> float | None:
        """The value of a symmetric game, if the metric has one."""
        if self.fair is None:
            return None
        return 0.0 if self.less_fair else self.fair(players)

    @property
    def counts_games(self) -> bool:
        """Whether it is the share of games with some property (so that games are independent trials).

        Not so where a game can count in parts, as a win that is shared.
        """
        return (
            self.unit == "share" and len(self.terms) == 1 and (self.terms[0].den, self.terms[0].weight) == ("games", 1)
        )


def expand(metrics: Sequence[Metric], counts: Counts, sizes: dict[str, int]) -> list[Metric]:
    """Replace each metric with a `by` by one metric an entry (``score.0`` …).

    Parameters
    ----------
    metrics : sequence of Metric
    counts : Counts
        To tell vector counts from single ones.
    sizes : dict
        What `by` names -> how many entries are in use (``{"place": 3}``).
    """
    return [one for metric in metrics for one in _members(metric, counts, sizes)]


def _members(metric: Metric, counts: Counts, sizes: dict[str, int]) -> list[Metric]:
    if not metric.by:
        return [metric]

    def column(name: str, k: int) -> str:
        vector = name in (c.name for c in counts if c.by)
        return f"{name}.{k}" if vector else name

    return [
        replace(
            metric,
            name=f"{metric.name}.{k}",
            meaning=f"{metric.meaning}: {metric.by} {k}",
            terms=tuple(Term(column(t.num, k), column(t.den, k), t.weight) for t in metric.terms),
        )
        for k in range(sizes[metric.by])
    ]
