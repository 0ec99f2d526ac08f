"""Playing a run: shards through an executor, into memory and, if wanted, a run folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.errors import InputError, KozyrError
from simcore.games import find_game
from simcore.games.base import Game
from simcore.jit import code_hash
from simcore.manifest import MAX_GAMES, Manifest
from simcore.options import Setting
from simcore.replay import check_seed
from simcore.runfolder import RunFolder
from simcore.shards import ShardResult, ShardTask, make_job, play, shard_games, warm_up
from simcore.tallies import Tallies
from simcore.variants import Plan, plan

if TYPE_CHECKING:
    import pandas as pd

FLUSH_SECONDS = 1.0
MAX_THREADS = 1024

Progress = Callable[[int, int], None]
"""Called with (games finished, games in all)."""


class Interrupted(KozyrError):
    """The run was interrupted; what was finished is kept."""

    exit_code = 130


@dataclass
class Run:
    """A run: what it plays, its tallies, and its folder if it has one."""

    manifest: Manifest
    tallies: Tallies
    folder: RunFolder | None = None
    notes: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        return self.manifest.game

    def frame(self) -> pd.DataFrame:
        """The sums of all shards: a row a (variant, shard), a column a count."""
        import pandas as pd

        frames = {
            variant.label: pd.DataFrame(tallies.sums[tallies.done], columns=self.game.counts.columns)
            for variant, tallies in zip(self.manifest.variants, self.tallies.variants, strict=True)
        }
        return pd.concat(frames, names=["variant", "shard"])

    def games_frame(self) -> pd.DataFrame:
        """The rows of all kept games; raise `InputError` if the run kept none."""
        if self.folder is None:
            raise InputError("only a run with a folder keeps its games; give out= and keep_games=True")
        frame: pd.DataFrame = self.folder.read_games(self.manifest).to_pandas()
        labels = [variant.label for variant in self.manifest.variants]
        frame.insert(0, "label", frame["variant"].map(dict(enumerate(labels))))
        return frame


def kozyr_version() -> str:
    """Version of the installed package."""
    try:
        return version("kozyr")
    except PackageNotFoundError:
        return "unknown"


def default_threads() -> int:
    """Threads used if nothing else is said: the cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def check_games(games: int) -> int:
    """Return `games`; raise `InputError` if it cannot be a number of games."""
    if not 1 <= games <= MAX_GAMES:
        raise InputError(f"games = {games} is not allowed; allowed: 1 … {MAX_GAMES:.0e}".replace("e+", "e"))
    return games


def make_manifest(
    game: Game,
    planned: Plan,
    *,
    games: int,
    seed: int,
    rotate_seats: bool = False,
    keep_games: bool = False,
    command: str = "",
) -> Manifest:
    """The manifest of a run that is about to be played."""
    return Manifest(
        game=game,
        variants=planned.variants,
        seed=check_seed(seed),
        games=check_games(games),
        shard_games=shard_games(game, games),
        rotate_seats=rotate_seats,
        keep_games=keep_games,
        kozyr=kozyr_version(),
        code=code_hash(),
        command=command,
    )


def tasks(manifest: Manifest, wanted: Iterable[tuple[int, int]]) -> Iterator[ShardTask]:
    """The tasks for (variant, shard) pairs."""
    jobs = [make_job(manifest.game, v, manifest.seed, manifest.rotate_seats) for v in manifest.variants]
    for variant, shard in wanted:
        yield ShardTask(
            code=manifest.code,
            game=manifest.game.name,
            job=jobs[variant],
            variant=variant,
            shard=shard,
            first=shard * manifest.shard_games,
            games=manifest.shard_size(shard),
            keep_games=manifest.keep_games,
        )


@dataclass
class _Sink:
    """Where finished shards go: the tallies at once, the folder every second or so."""

    run: Run
    waiting: list[ShardResult] = field(default_factory=list)
    flushed: float = field(default_factory=time.monotonic)

    def take(self, result: ShardResult) -> None:
        self.run.tallies.add(result)
        if self.run.folder is None:
            return
        self.waiting.append(result)
        if time.monotonic() - self.flushed >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        if self.run.folder is not None and self.waiting:
            self.run.folder.write_part(self.run.manifest, self.waiting)
            self.waiting = []
        self.flushed = time.monotonic()


def drain(
    executor: Executor, todo: Iterator[ShardTask], window: int, take: Callable[[ShardResult], bool | None]
) -> None:
    """Keep `window` shards in the executor, and hand each result to `take` as it comes, until `take` returns True.

    On an exception (Ctrl-C too) shards not yet begun are cancelled, and those in flight are waited for and taken.
    """
    pending: set[Future[ShardResult]] = {executor.submit(play, task) for task in islice(todo, window)}
    try:
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            while done:
                if take(done.pop().result()):
                    return
                pending |= {executor.submit(play, task) for task in islice(todo, 1)}
    finally:
        running = {future for future in pending if not future.cancel()}
        for future in wait(running, timeout=60).done:
            if not future.cancelled() and future.exception() is None:
                take(future.result())


def play_run(
    run: Run, executor: Executor | None = None, threads: int | None = None, progress: Progress | None = None
) -> Run:
    """Play what a run still misses.

    Parameters
    ----------
    run : Run
    executor : concurrent.futures.Executor, optional
        Borrowed, not shut down; a thread pool of `threads` if not given.
    threads : int, optional
        Of the thread pool, and how many shards are kept in flight.
    progress : callable, optional

    Raises
    ------
    Interrupted
        On Ctrl-C; finished shards are kept.
    RunError
        If the folder cannot be written.
    """
    manifest, sink = run.manifest, _Sink(run)
    workers = threads or default_threads()
    missing = run.tallies.missing()
    finished = manifest.games * len(manifest.variants) - sum(manifest.shard_size(s) for _, s in missing)

    def take(result: ShardResult) -> None:
        nonlocal finished
        sink.take(result)
        finished += result.games
        if progress:
            progress(finished, manifest.games * len(manifest.variants))

    pool = executor or ThreadPoolExecutor(workers)
    try:
        drain(pool, tasks(manifest, missing), 2 * workers + 1, take)
    except KeyboardInterrupt:
        raise Interrupted(_interrupted(run)) from None
    finally:
        sink.flush()
        if executor is None:
            pool.shutdown(cancel_futures=True)
    return _finish(run)


def _interrupted(run: Run) -> str:
    if run.folder is None:
        return "interrupted; nothing was kept, as the run has no folder (--out)"
    return f"interrupted; finished shards are kept in {run.folder.path}; add --resume to the same command to go on"


def _finish(run: Run) -> Run:
    run.manifest = run.manifest.completed(run.tallies.digest())
    run.tallies.manifest = run.manifest
    if run.folder is not None:
        run.folder.write_manifest(run.manifest)
        run.folder.unlock()
    return run


def open_run(path: str | Path) -> Run:
    """Read a run folder, complete or not.

    Raises
    ------
    InputError
        If it is not a run folder, or anything in it is damaged, from another run, or of another version.
    """
    folder = RunFolder(Path(path))
    manifest = folder.read_manifest()
    tallies = Tallies(manifest)
    for result in folder.read_parts(manifest):
        tallies.add(result)
    if manifest.state == "complete" and tallies.complete and tallies.digest() != manifest.digest:
        raise InputError(f"{path}: damaged: its results do not have the digest that its manifest names")
    return Run(manifest, tallies, folder)


def _resume(manifest: Manifest, folder: RunFolder) -> Run:
    found = folder.read_manifest()
    if found.run_id != manifest.run_id:
        raise InputError(f"{folder.path}: holds another run than this command; it was made by: {found.command}")
    folder.lock()
    folder.clean(found)
    return open_run(folder.path)


def start_run(manifest: Manifest, out: str | Path | None, resume: bool = False) -> Run:
    """A run that is ready to be played: new in memory, new in a folder, or resumed."""
    if out is None:
        if resume:
            raise InputError("--resume needs the folder of the run: --out FOLDER")
        return Run(manifest, Tallies(manifest))
    folder = RunFolder(Path(out))
    if resume and (folder.path / "manifest.json").exists():
        run = _resume(manifest, folder)
        run.folder = folder
        return run
    folder.create(manifest)
    return Run(manifest, Tallies(manifest), folder)


def simulate(
    game: str,
    games: int = 10_000,
    set: Mapping[str, Setting] | None = None,
    vary: Mapping[str, Sequence[Setting] | None] | None = None,
    *,
    bots: str | Sequence[str] = "",
    seed: int = 0,
    one_at_a_time: bool = False,
    rotate_seats: bool = False,
    out: str | Path | None = None,
    keep_games: bool = False,
    resume: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    command: str = "",
) -> Run:
    """Play a batch of bot games for each variant of the rules.

    Parameters
    ----------
    game : str
        Name of the game.
    games : int
        Games for each variant.
    set, vary : mapping, optional
        Options that differ from the defaults; options to vary, each with its values (None: all).
    bots : str or sequence of str
        A table of bots, or several to be compared; the game's first bot if empty.
    seed : int
        The deals of game i depend on (seed, i) alone, so variants play the same deals.
    one_at_a_time, rotate_seats, keep_games, resume : bool
        As on the command line.
    out : path, optional
        Run folder to write.
    threads, executor, progress
        As in `play_run`.
    command : str
        Noted in the manifest.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        For unknown names, impossible values, or a folder that holds another run.
    RunError
        If the folder cannot be written.
    Interrupted
        On Ctrl-C.

    Examples
    --------
    >>> run = simulate("bank", 1000, vary={"trumps": ["own", "none"]})
    >>> run.frame()["rounds"].sum() > 0
    True
    """
    if threads is not None and not 1 <= threads <= MAX_THREADS:
        raise InputError(f"threads = {threads} is not allowed; allowed: 1 … {MAX_THREADS}")
    if keep_games and out is None:
        raise InputError("--keep-games needs a folder to keep them in: --out FOLDER")
    planned = planned_run(
        game,
        games,
        set,
        vary,
        bots=bots,
        seed=seed,
        one_at_a_time=one_at_a_time,
        rotate_seats=rotate_seats,
        keep_games=keep_games,
        command=command,
    )
    run = start_run(planned.manifest, out, resume)
    run.notes = planned.notes
    warm_up(run.game, make_job(run.game, run.manifest.variants[0], seed, rotate_seats))
    return play_run(run, executor, threads, progress)


def planned_run(
    game: str,
    games: int = 10_000,
    set: Mapping[str, Setting] | None = None,
    vary: Mapping[str, Sequence[Setting] | None] | None = None,
    *,
    bots: str | Sequence[str] = "",
    seed: int = 0,
    one_at_a_time: bool = False,
    rotate_seats: bool = False,
    keep_games: bool = False,
    command: str = "",
) -> Run:
    """The run that `simulate` would play with these arguments, with nothing played yet."""
    found = find_game(game)
    values = {
        name: found.rules[name].all_values() if v is None else [found.rules[name].parse(x) for x in v]
        for name, v in (vary or {}).items()
    }
    tables = [bots] if isinstance(bots, str) else list(bots)
    planned = plan(found, set or {}, values, [t or found.bots[0].name for t in tables], one_at_a_time)
    manifest = make_manifest(
        found, planned, games=games, seed=seed, rotate_seats=rotate_seats, keep_games=keep_games, command=command
    )
    return Run(manifest, Tallies(manifest), notes=planned.notes)
