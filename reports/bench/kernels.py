"""Kozyr's own games on one thread, and what a turn, a hand or a round of them costs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from reports.bench.measure import thread_seconds
from simcore.bots import parse_table
from simcore.games import find_game
from simcore.games.base import Game
from simcore.options import Setting
from simcore.shards import Variant, empty_tally, make_job
from simcore.tally import Job

SEED = 20
MILLION, NANO = 1e6, 1e-9


@dataclass
class Play:
    """A game with its rules and bots, ready to be played on this thread.

    Attributes
    ----------
    name : str
    bots : str
        As for ``--bots``.
    settings : mapping
        Options that differ from the defaults.
    """

    name: str
    bots: str = "random"
    settings: Mapping[str, Setting] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.game: Game = find_game(self.name)
        rules = self.game.rules.rules(self.settings)
        table = parse_table(self.name, self.game.bots, self.bots, rules.players)
        self.job: Job = make_job(self.game, Variant("", rules, table), SEED, False)
        self.counts(0)

    def counts(self, games: int, kernel: Callable[..., None] | None = None) -> Mapping[str, int]:
        """Play games 0 … `games` - 1; returns the sums of all counts."""
        tally = empty_tally(self.game)
        (kernel or self.game.play_shard)(self.job, 0, games, tally)
        return self.game.row_of(tally.sums)

    def seconds(self, games: int, kernel: Callable[..., None] | None = None) -> float:
        """CPU seconds of playing them."""
        return thread_seconds(lambda: self.counts(games, kernel))

    def cost(self, games: int, of: float) -> Callable[[], float]:
        """Work that plays `games`, and returns the nanoseconds that each of `of` things in them took."""
        return lambda: self.seconds(games) / of / NANO
