"""What a game is to the rest of Kozyr."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from simcore.bots import Bot, Player
from simcore.errors import unknown
from simcore.metrics import Counts, Histograms, Ints, Metric, expand
from simcore.options import Rules, RuleSet

if TYPE_CHECKING:
    import pandas as pd

Event = dict[str, Any]


def no_tables(rules: Rules, table: Sequence[Player]) -> Ints:
    """For games that compute nothing before a batch."""
    return np.zeros(0, dtype=np.int64)


@dataclass(frozen=True)
class Game:
    """A game: declarations, kernel and replay, each in its own file of ``simcore/games/<name>/``.

    Parameters
    ----------
    name, title, summary : str
    rules : RuleSet
    bots : tuple of Bot
        The position of a bot is its code in the kernel. The first is the default.
    counts, histograms, metrics, headline
        What is counted, what is computed, and the names of the metrics shown first.
    sizes : callable
        Number of players -> entries in use of each sort of vector count (``{"place": 3, …}``).
    play_shard, play_logged : callable
        The compiled kernel: ``play_shard(job, first, games, tally)``, ``play_logged(job, game, tally, log)``.
    decode : callable
        ``decode(records, rules) -> iterator of events``: the log's records (int64, shape (n, 4)) as the events of a
        replay, without the first (``game``), which is the same for all games.
    describe : callable
        ``describe(events) -> iterator of str``: the events as lines for people.
    partners : bool
        Whether players opposite each other play together (so that rotating the seats must keep them so).
    min_shard : int
        Games in the smallest shard: a millisecond's work or more.
    tables : callable
        ``tables(rules, players) -> ndarray of int64``: what the kernel wants computed beforehand.
    exact : callable, optional
        ``exact(rules) -> {name: DataFrame}``: what arithmetic alone can say; ``attrs`` of a frame: ``title``, ``note``.
    """

    name: str
    title: str
    summary: str
    rules: RuleSet
    bots: tuple[Bot, ...]
    counts: Counts
    histograms: Histograms
    metrics: tuple[Metric, ...]
    headline: tuple[str, ...]
    sizes: Callable[[int], dict[str, int]]
    play_shard: Callable[..., None]
    play_logged: Callable[..., None]
    decode: Callable[[Ints, Rules], Iterator[Event]]
    describe: Callable[[Sequence[Event]], Iterator[str]]
    min_shard: int = 50
    partners: bool = False
    tables: Callable[[Rules, Sequence[Player]], Ints] = field(default=no_tables)
    exact: Callable[[Rules], Mapping[str, pd.DataFrame]] | None = None

    def metrics_for(self, players: int) -> list[Metric]:
        """All metrics of a table of `players`, vector metrics expanded."""
        return expand(self.metrics, self.counts, self.sizes(players))

    def find_metric(self, name: str, players: int) -> Metric:
        """The metric called `name`; raise `InputError` if there is none."""
        known = {metric.name: metric for metric in self.metrics_for(players)}
        if name not in known:
            raise unknown(f"metric of {self.name}", name, known)
        return known[name]

    @cached_property
    def metric_names(self) -> list[str]:
        """Names as declared, vector metrics not expanded."""
        return [metric.name for metric in self.metrics]

    def row_of(self, row: Ints) -> Mapping[str, int]:
        """A row of counts by column name."""
        return {column: int(value) for column, value in zip(self.counts.columns, row, strict=True)}
