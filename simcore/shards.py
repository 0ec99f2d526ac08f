"""A shard: a fixed range of games of one variant, the unit of parallel work, of resuming, and of the statistics."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, permutations
from math import factorial

import numpy as np

from simcore.bots import Player, encode_table
from simcore.errors import RunError
from simcore.games import find_game
from simcore.games.base import Game
from simcore.jit import is_compiled
from simcore.metrics import Ints
from simcore.options import Rules
from simcore.sources import code_hash
from simcore.tally import Job, Tally

_LOG = logging.getLogger("kozyr")

SHARDS_WANTED = 400
LEAST_SHARDS = 20
"""Small runs are cut into shards of fewer games than a game asks for, until there are so many: errors are measured by shards."""
LARGEST_SHARD = 100_000
MOST_SHARDS = 100_000
"""Of one variant: the sums of all shards are held in memory, so shards grow where there would be more."""
MAX_SEATINGS = 24


def shard_games(game: Game, games: int) -> int:
    """Games in a shard: enough shards for the statistics, each long enough to be worth sending, and not too many to hold."""
    return max(cut_games(game, games, SHARDS_WANTED, LEAST_SHARDS), -(-games // MOST_SHARDS))


def cut_games(game: Game, games: int, wanted: int, least: int) -> int:
    """Games in a shard when games are cut into about `wanted` shards, and into at least `least` where there are games enough."""
    worth_sending = min(game.min_shard, max(1, games // least))
    return min(LARGEST_SHARD, max(worth_sending, -(-games // wanted)))


def seatings(table: Sequence[Player], rotate: bool, partners: bool = False) -> Ints:
    """Which entrant sits where, for game ``g % k``; int64, shape (k, players).

    With `rotate`: every distinct seating, or every rotation, where seatings are more than 24 or where entrants opposite
    each other are `partners`, whom only a rotation keeps together.
    """
    n = len(table)
    if not rotate:
        return np.arange(n, dtype=np.int64).reshape(1, n)
    if factorial(n) <= MAX_SEATINGS and not partners:
        orders = list(permutations(range(n)))
    else:
        orders = [tuple((seat + turn) % n for seat in range(n)) for turn in range(n)]
    return np.array(list(islice(orders, MAX_SEATINGS)), dtype=np.int64)


@dataclass(frozen=True)
class Variant:
    """One set of rules with one table of bots.

    Attributes
    ----------
    label : str
        How it differs from the defaults, and from the other variants.
    rules : Rules
    table : tuple of Player
        One entrant a seat.
    """

    label: str
    rules: Rules
    table: tuple[Player, ...]


@dataclass(frozen=True)
class ShardTask:
    """Everything that a worker, in this process or elsewhere, needs to play a shard."""

    code: str
    game: str
    job: Job
    variant: int
    shard: int
    first: int
    games: int
    keep_games: bool


@dataclass(frozen=True)
class ShardResult:
    """The tallies of a shard: `sums` (columns,), `hist` (bins,), `rows` (games or 0, columns), all int64."""

    variant: int
    shard: int
    first: int
    games: int
    sums: Ints
    hist: Ints
    rows: Ints


def make_job(game: Game, variant: Variant, seed: int, rotate_seats: bool) -> Job:
    """The kernel's view of a variant."""
    return Job(
        np.uint64(seed),
        variant.rules.codes,
        encode_table(variant.table, game.bots),
        seatings(variant.table, rotate_seats, game.partners),
        game.tables(variant.rules, variant.table),
    )


def empty_tally(game: Game, rows: int = 0) -> Tally:
    """Tallies of no games, with room for `rows` rows."""
    columns = len(game.counts)
    return Tally(
        np.zeros(columns, dtype=np.int64),
        np.zeros(game.histograms.size, dtype=np.int64),
        np.zeros((rows, columns), dtype=np.int64),
    )


def play(task: ShardTask) -> ShardResult:
    """Play a shard.

    Raises
    ------
    RunError
        If this process runs other code than the one that made the task.
    """
    if task.code != code_hash(task.game):
        raise RunError(
            f"a worker runs other code than this process ({code_hash(task.game)} is not {task.code}); update it"
        )
    game = find_game(task.game)
    tally = empty_tally(game, task.games if task.keep_games else 0)
    game.play_shard(task.job, task.first, task.games, tally)
    return ShardResult(task.variant, task.shard, task.first, task.games, *tally)


def warm_up(game: Game, job: Job) -> None:
    """Compile the kernel, or load it from the cache; says so in the log ``kozyr`` if it must be compiled."""
    if not is_compiled(game.play_shard):
        _LOG.info("compiling the kernel of %s; this is done once and takes up to half a minute", game.name)
    game.play_shard(job, 0, 0, empty_tally(game))
