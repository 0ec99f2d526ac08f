"""Playing what a run still misses: shards through an executor, into memory and, if it has one, the run's folder."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ThreadPoolExecutor,
    wait,
)
from dataclasses import dataclass, field
from itertools import islice

from simcore.errors import KozyrError, RunError
from simcore.manifest import Manifest
from simcore.run import Run
from simcore.shards import ShardResult, ShardTask, make_job, play, warm_up

FLUSH_SECONDS = 1.0
FLUSH_SHARE = 0.005
"""Finished shards are written after a second, and in long runs after this share of the time played, so that a run of weeks
has thousands of parts and not millions."""

Progress = Callable[[int, int], None]
"""Called with (games finished, games in all)."""


@dataclass(frozen=True)
class Until:
    """When a run may stop before all its games are played.

    Attributes
    ----------
    text : str
        As the user wrote it.
    enough : callable
        ``enough(run, shards)``: whether the first `shards` shards of all variants suffice. Asked in their order, so that
        the answer does not hang on threads or on resuming.
    """

    text: str
    enough: Callable[[Run, int], bool]


class Interrupted(KozyrError):
    """The run was interrupted; what was finished is kept."""

    exit_code = 130


def default_threads() -> int:
    """Threads used if nothing else is said: the cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


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
    began: float = field(default_factory=time.monotonic)
    flushed: float = field(default_factory=time.monotonic)

    def take(self, result: ShardResult) -> None:
        self.run.tallies.add(result)
        if self.run.folder is None:
            return
        self.waiting.append(result)
        now = time.monotonic()
        if now - self.flushed >= max(FLUSH_SECONDS, FLUSH_SHARE * (now - self.began)):
            self.flush()

    def flush(self) -> None:
        """Write what waits. It is let go first: an interrupt in between may cost a second's work, but writes nothing twice."""
        waiting, self.waiting = self.waiting, []
        if self.run.folder is not None and waiting:
            self.run.folder.write_part(self.run.manifest, waiting)
        self.flushed = time.monotonic()


def drain(
    executor: Executor, todo: Iterator[ShardTask], window: int, take: Callable[[ShardResult], bool | None]
) -> None:
    """Keep `window` shards in the executor, and hand each result to `take` as it comes, until `take` returns True.

    When it ends early (Ctrl-C too) shards not yet begun are cancelled, and those finished or in flight are taken all the same.
    """
    done: set[Future[ShardResult]] = set()
    pending: set[Future[ShardResult]] = {executor.submit(play, task) for task in islice(todo, window)}
    try:
        while pending:
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            while done:
                if take(done.pop().result()):
                    return
                pending |= {executor.submit(play, task) for task in islice(todo, 1)}
    finally:
        running = done | {future for future in pending if not future.cancel()}
        for future in wait(running, timeout=60).done:
            if not future.cancelled() and future.exception() is None:
                take(future.result())


def play_run(
    run: Run,
    executor: Executor | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    until: Until | None = None,
    window: int = 0,
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
    until : Until, optional
    window : int
        Shards kept in the executor at a time; two a thread and one, if 0.

    Raises
    ------
    Interrupted
        On Ctrl-C; finished shards are kept.
    RunError
        If the folder cannot be written.
    """
    try:
        warm_up(run.game, make_job(run.game, run.manifest.variants[0], run.manifest.seed, False))
        _play_missing(run, executor, threads or default_threads(), progress, until, window)
        return _finish(run)
    except KeyboardInterrupt:
        raise Interrupted(_interrupted(run)) from None
    except (CancelledError, BrokenExecutor) as error:
        kept = f"; finished shards are kept in {run.folder.path}: add --resume to go on" if run.folder else ""
        raise RunError(f"the workers went away before the run was finished ({error or 'cancelled'}){kept}") from None
    finally:
        if run.folder is not None:
            run.folder.unlock()


@dataclass
class _InOrder:
    """Hands shards on in their order, and stops where `until` says so; what was played beyond is dropped."""

    run: Run
    until: Until
    sink: _Sink
    todo: list[tuple[int, int]]
    early: dict[tuple[int, int], ShardResult] = field(default_factory=dict)
    over: bool = False

    def take(self, result: ShardResult) -> None:
        self.early[result.shard, result.variant] = result
        while self.todo and not self.over and (key := self.todo[0]) in self.early:
            self.sink.take(self.early.pop(key))
            self.todo.pop(0)
            if not self.todo or self.todo[0][0] != key[0]:
                self.stop_after(key[0] + 1)

    def is_over_already(self, shards: int) -> bool:
        """Ask again of what a folder held, as its process may have died before it asked."""
        for finished in range(1, self.todo[0][0] + 1 if self.todo else shards + 1):
            if not self.over:
                self.stop_after(finished)
        return self.over

    def stop_after(self, shards: int) -> None:
        if self.until.enough(self.run, shards):
            self.over = True
            self.sink.flush()
            self.run.tallies = self.run.tallies.stopped(shards)
            self.run.manifest = self.run.tallies.manifest


def _play_missing(
    run: Run,
    executor: Executor | None,
    workers: int,
    progress: Progress | None,
    until: Until | None,
    window: int,
) -> None:
    manifest, sink = run.manifest, _Sink(run)
    missing = run.tallies.missing()
    in_all = manifest.games * len(manifest.variants)
    finished = in_all - sum(manifest.shard_size(s) for _, s in missing)
    ordered = _InOrder(run, until, sink, [(s, v) for v, s in missing]) if until else None

    def take(result: ShardResult) -> bool:
        nonlocal finished
        if ordered:
            ordered.take(result)
        else:
            sink.take(result)
        finished += result.games
        if progress:
            progress(finished, in_all)
        return bool(ordered and ordered.over)

    if ordered and ordered.is_over_already(manifest.shards):
        return
    pool = executor or ThreadPoolExecutor(workers)
    try:
        drain(pool, tasks(manifest, missing), window or 2 * workers + 1, take)
    finally:
        try:
            sink.flush()
        finally:
            if executor is None:
                pool.shutdown(cancel_futures=True)


def _interrupted(run: Run) -> str:
    if run.folder is None:
        return "interrupted; nothing was kept, as the run has no folder (--out)"
    return f"interrupted; finished shards are kept in {run.folder.path}; add --resume to the same command to go on"


def _finish(run: Run) -> Run:
    digest = run.tallies.digest()
    if run.manifest.digest not in ("", digest):
        raise RunError(
            f"the games played again have another digest ({digest}) than the run had ({run.manifest.digest})"
        )
    run.manifest = run.manifest.completed(digest)
    run.tallies.manifest = run.manifest
    if run.folder is not None:
        run.folder.write_manifest(run.manifest)
    return run
