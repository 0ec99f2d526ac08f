"""Games played shard by shard for as long as an analysis asks for them, and kept for the next analysis that wants the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field

import numpy as np

from analysis.shards import ShardSums
from simcore.batch import Progress, default_threads, drain, make_manifest, tasks
from simcore.bots import parse_table
from simcore.games.base import Game
from simcore.metrics import Ints, Metric
from simcore.options import Rules, Setting
from simcore.shards import ShardResult, Variant, make_job, warm_up
from simcore.variants import Plan


def variant_of(game: Game, settings: Mapping[str, Setting] | Rules, bots: str) -> Variant:
    """The variant with these settings and this table of bots; settings without effect are set to their defaults."""
    rules = game.rules.rules(settings).effective()
    return Variant(rules.label(), rules, parse_table(game.name, game.bots, bots, rules.players))


@dataclass
class Stream:
    """The shards of one variant, in order.

    Attributes
    ----------
    variant : Variant
    sums : ndarray of int64, shape (shards, columns)
        Of the shards played so far; shard i holds the same games whenever it was played.
    """

    variant: Variant
    sums: Ints

    def metric(self, metric: Metric, counts_position: Mapping[str, int], bracketed: bool = False) -> ShardSums:
        """The shard sums of a metric; `bracketed`: capped games counted as won."""
        top = np.column_stack([self.sums[:, counts_position[t.num]] for t in metric.terms])
        if bracketed and metric.bracket:
            top = top + self.sums[:, [counts_position[metric.bracket]]]
        bottom = np.column_stack([self.sums[:, counts_position[t.den]] for t in metric.terms])
        weights = [t.weight for t in metric.terms]
        shift = metric.shift(self.variant.rules.players)
        return ShardSums(top, bottom, self.sums[:, counts_position["games"]], weights, shift)


@dataclass
class Playground:
    """Plays shards of any variant of a game on demand, all from one seed, so that variants share their deals.

    Attributes
    ----------
    game : Game
    seed, shard_games : int
    executor : Executor
        Borrowed.
    rotate_seats : bool
    window : int
        Shards kept in flight.
    progress : callable, optional
        Called with games played and games foreseen.
    """

    game: Game
    seed: int
    shard_games: int
    executor: Executor
    rotate_seats: bool = True
    window: int = field(default_factory=lambda: 2 * default_threads() + 1)
    progress: Progress | None = None
    foreseen: int = 0
    played: int = 0
    _streams: dict[Variant, Stream] = field(default_factory=dict)

    def stream(self, variant: Variant) -> Stream:
        """The stream of a variant, as far as it has been played."""
        if not self._streams:
            warm_up(self.game, make_job(self.game, variant, self.seed, self.rotate_seats))
        if variant not in self._streams:
            nothing = np.zeros((0, len(self.game.counts)), dtype=np.int64)
            self._streams[variant] = Stream(variant, nothing)
        return self._streams[variant]

    def extend(self, variants: Sequence[Variant], shards: int) -> None:
        """Play on until every one of `variants` has `shards` shards."""
        streams = [self.stream(variant) for variant in dict.fromkeys(variants)]
        wanted = [(i, s) for i, stream in enumerate(streams) for s in range(len(stream.sums), shards)]
        if not wanted:
            return
        planned = Plan(tuple(stream.variant for stream in streams), ())
        manifest = make_manifest(
            self.game, planned, games=shards * self.shard_games, seed=self.seed, rotate_seats=self.rotate_seats
        )
        manifest = manifest.with_shard_games(self.shard_games)
        found: dict[tuple[int, int], Ints] = {}

        def take(result: ShardResult) -> None:
            found[result.variant, result.shard] = result.sums
            self.played += result.games
            if self.progress:
                self.progress(self.played, max(self.foreseen, self.played))

        drain(self.executor, tasks(manifest, wanted), self.window, take)
        for i, stream in enumerate(streams):
            new = [found[i, s] for s in range(len(stream.sums), shards)]
            stream.sums = np.vstack([stream.sums, *new])

    def forget(self, variants: Sequence[Variant]) -> None:
        """Drop streams that are not needed any more."""
        for variant in variants:
            self._streams.pop(variant, None)


def looks(first: int, last: int) -> Iterator[int]:
    """After how many shards to look: `first`, then a fifth more each time, to `last`."""
    shards = min(first, last)
    while shards < last:
        yield shards
        shards = min(last, max(shards + 1, shards * 6 // 5))
    yield last
