"""What bounds a run on a cluster, measured, and what follows for a great number of games: ``python benchmarks/scale.py``.

Measured: playing on one thread; the messages of a shard, and how many shards a second go through the scheduler of a local
cluster; a shard's room in the run folder and in memory; writing and reading parts. From these the table of the plan is
computed. Needs the extra ``kozyr[dask]``, and about a minute.
"""

from __future__ import annotations

import argparse
import math
import os
import pickle
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from simcore.batch import planned_run
from simcore.cluster import SHARDS_PER_THREAD, cluster
from simcore.errors import InputError
from simcore.games.base import Game
from simcore.manifest import MAX_GAMES, Manifest
from simcore.metrics import Ints
from simcore.numbers import parse_count
from simcore.playing import FLUSH_SECONDS, FLUSH_SHARE, drain, tasks
from simcore.run import Run, open_run, start_run
from simcore.shards import ShardResult, play, shard_games

DAY = 86_400
SAMPLE, COPIES = 40, 250
"""Shards that are really played, and how often each is copied (with other numbers) to fill a folder."""


@dataclass(frozen=True)
class Constants:
    """What was measured, in CPU seconds and bytes.

    Attributes
    ----------
    game : float
        Seconds of a core for a game.
    task, result : int
        Bytes of a shard's messages.
    rate : float
        Shards a second through the scheduler.
    row, memory : float
        Bytes of a shard in the folder, and in the memory of the process that collects.
    write : float
        Seconds to write a part.
    read_part, read_shard : float
        Seconds to read a part, besides those for each shard in it.
    """

    game: float
    task: int
    result: int
    rate: float
    row: float
    memory: float
    write: float
    read_part: float
    read_shard: float


def manifest_of(game: str, shards: int, size: int) -> Manifest:
    """A manifest of so many shards of `size` games."""
    return replace(planned_run(game, shards * size).manifest, shard_games=size)


def game_seconds(game: str) -> float:
    """CPU seconds of a game, the least of five batches of about a fifth of a second."""
    task = next(tasks(manifest_of(game, 1, 100), [(0, 0)]))
    play(task)
    start = time.thread_time()
    play(task)
    games = max(100, int(0.2 / max(time.thread_time() - start, 1e-6) * 100))
    best = math.inf
    for _ in range(5):
        start = time.thread_time()
        play(replace(task, games=games))
        best = min(best, (time.thread_time() - start) / games)
    return best


def scheduler_rate(game: str, shards: int, workers: int) -> float:
    """Shards of a single game a second through scheduler and client, which share a core; the workers are other processes.

    As CPU time, so that the workers, which want cores of their own, do not count.
    """
    run = Run((manifest := manifest_of(game, shards, 1)), planned_run(game, 1).tallies)
    with cluster(f"local:{workers}", run.game.name) as found:
        window = SHARDS_PER_THREAD * found.threads
        drain(found.executor, tasks(manifest, ((0, s) for s in range(20))), window, lambda result: None)
        start = time.process_time()
        drain(found.executor, tasks(manifest, ((0, s) for s in range(shards))), window, lambda result: None)
        return shards / (time.process_time() - start)


def as_if_long(results: list[ShardResult], factor: int, rng: np.random.Generator) -> Iterator[ShardResult]:
    """Results with numbers as great, and as irregular, as those of shards `factor` times as long."""

    def grown(counts: Ints) -> Ints:
        noise = rng.integers(-factor // 4, factor // 4 + 1, counts.shape)
        return np.where(counts == 0, 0, counts * factor + noise)

    shard = 0
    for _ in range(COPIES):
        for result in results:
            yield replace(result, shard=shard, first=shard, games=1, sums=grown(result.sums), hist=grown(result.hist))
            shard += 1


def folder_costs(game: str, games: int, a_part: int) -> tuple[float, float, float]:
    """Write and read a run of shards of `games` games with `a_part` shards a part: (bytes, CPU seconds to write, to read)."""
    played = [play(task) for task in tasks(manifest_of(game, SAMPLE, 1000), ((0, s) for s in range(SAMPLE)))]
    results = list(as_if_long(played, games // 1000, np.random.default_rng(1)))
    manifest = manifest_of(game, len(results), 1)
    with tempfile.TemporaryDirectory() as folder:
        run = start_run(manifest, Path(folder) / "run")
        assert run.folder is not None  # noqa: S101
        start = time.process_time()
        for at in range(0, len(results), a_part):
            run.folder.write_part(manifest, results[at : at + a_part])
        written = time.process_time() - start
        run.folder.unlock()
        open_run(run.folder.path)
        start = time.process_time()
        open_run(run.folder.path)
        read = time.process_time() - start
        size = sum(path.stat().st_size for path in run.folder.path.rglob("*") if path.is_file())
    return size, written, read


def measured(game: str, games: int, shards: int, workers: int) -> Constants:
    """Measure all constants for runs of `games` games."""
    size = shard_games(planned_run(game, 1).game, games)
    task = next(tasks(manifest_of(game, 1, 1), [(0, 0)]))
    count, few, many = SAMPLE * COPIES, 50, 5
    room, write, read_few = folder_costs(game, size, few)
    _, _, read_many = folder_costs(game, size, many)
    each = max(0.0, (read_many - read_few) / (count / many - count / few))
    return Constants(
        game=game_seconds(game),
        task=len(pickle.dumps(task)),
        result=len(pickle.dumps(play(task))),
        rate=scheduler_rate(game, shards, workers),
        row=room / count,
        memory=memory_of_a_shard(planned_run(game, 1).game),
        write=write / (count / few),
        read_part=each,
        read_shard=(read_few - each * count / few) / count,
    )


def memory_of_a_shard(game: Game) -> float:
    """Bytes of a shard's sums; histograms are merged."""
    return 8.0 * len(game.counts) + 1


def parts_of(seconds: float) -> float:
    """Parts of a run of so long: one a second at first, then one each time that the run is half a per cent older."""
    turn = FLUSH_SECONDS / FLUSH_SHARE
    return min(seconds, turn) / FLUSH_SECONDS + max(0.0, math.log(seconds / turn) / math.log1p(FLUSH_SHARE))


def plan(found: Constants, game: Game, games: int, cores: int) -> list[str]:
    """A line of the plan: how long, and what scheduler, network, folder and merge have to bear."""
    size = shard_games(game, games)
    shards = math.ceil(games / size)
    used = min(cores, shards)
    seconds = math.ceil(shards / used) * size * found.game
    load = shards / seconds
    parts = min(shards, parts_of(seconds))
    merge = parts * found.read_part + shards * found.read_shard
    cells = f"{cores:,}", told(seconds), f"{load:,.1f}", f"{load / found.rate:.1%}"
    more = f"{load * (found.task + found.result) / 1e6:.2f}", f"{parts:,.0f}", f"{merge:.0f}"
    return [*cells, *more]


def told(seconds: float) -> str:
    """A time as people tell it."""
    for size, unit in ((365.25 * DAY, "years"), (DAY, "days"), (3600, "hours"), (60, "minutes")):
        if seconds >= 2 * size:
            return f"{seconds / size:,.1f} {unit}"
    return f"{seconds:.0f} seconds"


def table(columns: tuple[str, ...], rows: Iterator[list[str]]) -> None:
    """Print a Markdown table, each line as it is known."""
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)
    for cells in rows:
        print(f"| {' | '.join(cells)} |", flush=True)


def constants(found: Constants, game: Game, games: int) -> Iterator[list[str]]:
    """The measured constants, a line each."""
    size = shard_games(game, games)
    shards = math.ceil(games / size)
    yield ["a game", f"{found.game * 1e6:.2f} µs of a core"]
    yield ["a shard", f"{size:,} games, {told(size * found.game)} of a core; {shards:,} shards"]
    yield ["messages of a shard", f"{found.task / 1000:.1f} kB there, {found.result / 1000:.1f} kB back"]
    yield ["scheduler and client on one core", f"{found.rate:,.0f} shards a second"]
    yield ["a shard in the run folder", f"{found.row / 1000:.2f} kB; {shards * found.row / 1e6:,.0f} MB in all"]
    yield ["a shard in memory", f"{found.memory / 1000:.2f} kB a variant; {shards * found.memory / 1e6:,.0f} MB in all"]
    yield ["writing a part of 50 shards", f"{found.write * 1000:.1f} ms"]
    yield ["reading", f"{found.read_part * 1000:.2f} ms a part and {found.read_shard * 1e6:.0f} µs a shard"]


def main() -> None:
    """Print the constants and the plan."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="bank")
    parser.add_argument("--games", default="1e12", help="games that are planned for (1e12)")
    parser.add_argument("--cores", default="2,64,1000,10000,100000", help="cores that are planned with")
    parser.add_argument(
        "--shards", type=int, default=3000, help="shards sent through the scheduler to measure it (3000)"
    )
    parser.add_argument("--workers", type=int, default=2, help="workers of the local cluster (2)")
    given = parser.parse_args()
    try:
        games = parse_count(given.games, "--games", MAX_GAMES)
        cores = [int(part) for part in given.cores.split(",")]
        game = planned_run(given.game, 1).game
    except (InputError, ValueError) as error:
        parser.error(str(error))
    found = measured(given.game, games, given.shards, given.workers)
    print(f"{game.name}, {games:.0e} games; load average {os.getloadavg()[0]:.1f}\n")
    table(("what", "measured"), constants(found, game, games))
    print()
    columns = ("cores", "time", "shards a second", "of what the scheduler can", "network, MB/s", "parts", "merge, s")
    table(columns, (plan(found, game, games, number) for number in cores))


if __name__ == "__main__":
    main()
