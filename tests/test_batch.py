"""Batches: how shards are handed out and gathered, what the results are, and what is refused."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simcore import Run, find_game, open_run, replay, simulate
from simcore.batch import drain, make_manifest, planned_run, play_run, tasks
from simcore.errors import InputError, RunError
from simcore.manifest import MAX_GAMES
from simcore.playing import Interrupted
from simcore.shards import ShardResult, ShardTask, play, shard_games
from simcore.tallies import Tallies
from simcore.variants import plan

BANK = find_game("bank")


@pytest.fixture(scope="module", autouse=True)
def shards_of_fifty() -> Iterator[None]:
    """A few shards of 50 games, which the tests count, where small runs would have many of a few games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simcore.shards.LEAST_SHARDS", 1)
        yield


def tiny(**more: Any) -> Run:
    """A run of 330 games in seven shards a variant."""
    return simulate("bank", **{"games": 330, "seed": 3, "threads": 2, **more})


@pytest.fixture(scope="module")
def usual() -> Run:
    return tiny(vary={"seven": ["skip", "nothing"]})


class Inline(Executor):
    """Plays each shard at once in the thread that submits it; `before` may raise instead."""

    def __init__(self, before: Callable[[ShardTask], None] = lambda task: None) -> None:
        self.before = before
        self.played: list[tuple[int, int]] = []

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        (task,) = args
        try:
            self.before(task)
            future.set_result(fn(task, **kwargs))
            self.played.append((task.variant, task.shard))
        except Exception as error:  # noqa: BLE001 - as every executor does
            future.set_exception(error)
        return future


# --- results ----------------------------------------------------------------------------------------------------------


def test_a_run_has_a_row_for_each_shard_of_each_variant(usual: Run) -> None:
    frame = usual.frame()
    assert frame.index.names == ["variant", "shard"]
    assert frame.index.tolist() == [(label, s) for label in ("seven=skip", "seven=nothing") for s in range(7)]
    assert frame["games"].tolist() == [50, 50, 50, 50, 50, 50, 30] * 2
    assert list(frame.columns) == BANK.counts.columns
    assert frame.loc["seven=nothing", "skips"].sum() == 0 < frame.loc["seven=skip", "skips"].sum()
    assert usual.manifest.state == "complete"
    assert usual.tallies.complete
    assert usual.manifest.digest == usual.tallies.digest()


def test_the_digest_hangs_on_everything_that_is_played(usual: Run) -> None:
    other = [
        {"games": 331},
        {"seed": 4},
        {"vary": {"seven": ["nothing", "skip"]}},
        {"set": {"target": 247}},
        {"bots": "random,random,greedy"},
    ]
    digests = {tiny(**{"vary": {"seven": ["skip", "nothing"]}, **change}).manifest.digest for change in other}
    assert len(digests | {usual.manifest.digest}) == len(other) + 1


def test_a_borrowed_executor_gives_the_same_and_is_left_open(usual: Run) -> None:
    with ThreadPoolExecutor(3) as pool:
        run = tiny(vary={"seven": ["skip", "nothing"]}, executor=pool)
        assert pool.submit(int, "7").result() == 7
    inline = Inline()
    again = tiny(vary={"seven": ["skip", "nothing"]}, executor=inline)
    assert run.manifest.digest == again.manifest.digest == usual.manifest.digest
    assert sorted(inline.played) == [(v, s) for v in range(2) for s in range(7)]


def test_progress_goes_up_to_all_games(usual: Run) -> None:
    seen: list[tuple[int, int]] = []
    tiny(vary={"seven": ["skip", "nothing"]}, progress=lambda done, in_all: seen.append((done, in_all)))
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert seen[-1] == (660, 660)
    assert {in_all for _, in_all in seen} == {660}


def test_a_replay_is_the_game_of_the_batch(tmp_path: Path) -> None:
    settings = {"bots": "random,random,greedy", "rotate_seats": True}
    run = tiny(out=tmp_path / "run", keep_games=True, set={"trumps": "3"}, **settings)
    frame = run.games_frame()
    assert frame["index"].tolist() == list(range(330))
    assert set(frame["label"]) == {"trumps=one"}
    for index in (0, 1, 5, 49, 50, 329):
        played = replay("bank", 3, index, {"trumps": "one"}, **settings)  # type: ignore[arg-type]
        assert played.counts == frame.loc[index, BANK.counts.columns].to_dict()
    seats = [replay("bank", 3, i, {"trumps": "one"}, **settings).events[0]["entrants"] for i in range(6)]  # type: ignore[arg-type]
    assert len({tuple(line) for line in seats}) == 6


def test_the_sums_of_kept_games_are_those_of_the_shards(tmp_path: Path) -> None:
    run = tiny(out=tmp_path / "run", keep_games=True, vary={"seven": None})
    by_variant = run.games_frame().groupby("variant")[BANK.counts.columns].sum()
    shards = run.frame().groupby("variant", sort=False).sum()
    assert (by_variant.to_numpy() == shards.to_numpy()).all()
    assert len(by_variant) == 4


def test_values_to_vary_may_be_given_as_on_the_command_line() -> None:
    for given in ("skip,4", ["1", "nothing"], ("skip", 4)):
        run = planned_run("bank", vary={"seven": given})  # type: ignore[dict-item]
        assert [v.label for v in run.manifest.variants] == ["seven=skip", "seven=nothing"]
    assert len(planned_run("bank", vary={"players": None}).manifest.variants) == 3
    assert [v.label for v in planned_run("bank", vary={"players": 2}).manifest.variants] == ["players=2"]


def test_numbers_of_other_integer_types_are_taken(usual: Run) -> None:
    run = tiny(games=np.int64(330), seed=np.uint8(3), vary={"seven": ["skip", "nothing"]})
    assert run.manifest.digest == usual.manifest.digest
    assert run.manifest.to_json() == usual.manifest.to_json()


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"games": 0}, "games = 0 is not allowed; allowed: 1 … 1e15"),
        ({"games": -5}, "games = -5"),
        ({"games": MAX_GAMES + 1}, "allowed: 1 … 1e15"),
        ({"games": 1e5}, "games = 100000.0 is not allowed"),
        ({"games": "1e5"}, "games = '1e5' is not allowed"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 0.5}, "seed = 0.5"),
        ({"threads": 0}, "threads = 0 is not allowed; allowed: 1 … 1024"),
        ({"threads": 1025}, "threads = 1025"),
        ({"threads": 1.5}, "threads = 1.5"),
        ({"keep_games": True}, "--out"),
        ({"resume": True}, "--out"),
        ({"vary": {"seven": []}}, "nothing to play"),
        ({"bots": []}, "nothing to play"),
        ({"bots": "random,random"}, "2 bots for 3 players"),
        ({"vary": {"seven": 9}}, "unknown value of option 'seven'"),
        ({"set": {"sevens": 1}}, "did you mean 'seven'?"),
    ],
)
def test_what_is_refused(change: dict[str, Any], part: str) -> None:
    with pytest.raises(InputError) as error:
        tiny(**change)
    assert part in str(error.value)


def test_a_run_in_memory_keeps_no_games(usual: Run) -> None:
    with pytest.raises(InputError, match="keeps its games"):
        usual.games_frame()


# --- handing out shards -----------------------------------------------------------------------------------------------


def manifest_of(games: int) -> Any:
    return make_manifest(BANK, plan(BANK, {}, {}, ["random"]), games=games, seed=3)


def test_only_a_window_of_shards_is_in_flight() -> None:
    manifest = manifest_of(1000)
    taken: list[int] = []
    handed = 0

    def counted() -> Any:
        nonlocal handed
        for task in tasks(manifest, Tallies(manifest).missing()):
            handed += 1
            assert handed - len(taken) <= 4
            yield task

    with ThreadPoolExecutor(2) as pool:
        drain(pool, counted(), 4, lambda result: taken.append(result.shard))
    assert sorted(taken) == list(range(20))


def test_a_taker_may_stop_early() -> None:
    manifest = manifest_of(1000)
    taken: list[int] = []

    def take(result: ShardResult) -> bool:
        taken.append(result.shard)
        return len(taken) == 5

    inline = Inline()
    drain(inline, tasks(manifest, Tallies(manifest).missing()), 3, take)
    assert len(taken) >= 5
    assert sorted(taken) == sorted(shard for _, shard in inline.played)


def test_a_shard_that_fails_stops_the_run_and_the_others_are_kept(tmp_path: Path) -> None:
    def before(task: ShardTask) -> None:
        if task.shard == 4:
            raise RunError("worker 4 is gone")

    with pytest.raises(RunError, match="worker 4 is gone"):
        tiny(out=tmp_path / "run", executor=Inline(before))
    partial = open_run(tmp_path / "run")
    assert partial.manifest.state == "running"
    assert partial.tallies.missing()[0] == (0, 4)
    assert 4 <= partial.tallies.variants[0].done.sum() < 7
    inline = Inline()
    whole = tiny(out=tmp_path / "run", executor=inline, resume=True)
    assert whole.manifest.digest == tiny().manifest.digest
    assert sorted(inline.played) == partial.tallies.missing()


def test_a_worker_with_other_code_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    manifest = manifest_of(50)
    (task,) = tasks(manifest, [(0, 0)])
    assert play(task).games == 50
    monkeypatch.setattr("simcore.shards.code_hash", lambda game: "0123456789abcdef")
    with pytest.raises(RunError, match="a worker runs other code"):
        play(task)


@pytest.mark.parametrize("after", [0, 1, 4])
def test_an_interrupt_keeps_what_was_finished(tmp_path: Path, after: int) -> None:
    def progress(done: int, in_all: int) -> None:
        if done > after * 50:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as error:
        tiny(out=tmp_path / "run", progress=progress, threads=1)
    assert error.value.exit_code == 130
    assert "--resume" in str(error.value)
    assert str(tmp_path / "run") in str(error.value)
    assert open_run(tmp_path / "run").tallies.variants[0].done.sum() > after
    assert tiny(out=tmp_path / "run", resume=True).manifest.digest == tiny().manifest.digest


def test_an_interrupt_of_a_run_without_folder_says_so() -> None:
    def progress(done: int, in_all: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(Interrupted, match="nothing was kept"):
        tiny(progress=progress)


@pytest.mark.parametrize("moment", ["before", "between", "after"])
def test_an_interrupt_while_a_part_is_written_doubles_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    """Ctrl-C just before a part is written, between its two files, and just after."""
    from simcore import playing, runfolder

    written = 0
    real = runfolder.write_aside

    def interrupted(path: Path, data: bytes) -> None:
        nonlocal written
        stop = path.parent.name == ("parts" if moment == "between" else "games" if moment == "before" else "parts")
        written += stop
        if stop and written == 3 and moment != "after":
            raise KeyboardInterrupt
        real(path, data)
        if stop and written == 3 and moment == "after":
            raise KeyboardInterrupt

    monkeypatch.setattr(runfolder, "write_aside", interrupted)
    monkeypatch.setattr(playing, "FLUSH_SECONDS", 0.0)
    monkeypatch.setattr(playing, "FLUSH_SHARE", 0.0)
    with pytest.raises(Interrupted):
        tiny(out=tmp_path / "run", keep_games=True)
    monkeypatch.undo()
    run = tiny(out=tmp_path / "run", keep_games=True, resume=True)
    assert run.manifest.digest == tiny().manifest.digest
    assert run.games_frame()["index"].tolist() == list(range(330))


def test_long_runs_write_fewer_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a clock of our own: a part a second at first, later one for every two-hundredth of the time played."""
    from simcore import playing
    from simcore.playing import _Sink

    now = 0.0
    monkeypatch.setattr(playing.time, "monotonic", lambda: now)
    run = planned_run("bank", 10**6, seed=3)
    written: list[float] = []
    run.folder = type("Folder", (), {"write_part": lambda self, manifest, results: written.append(now)})()  # type: ignore[assignment]
    monkeypatch.setattr(Tallies, "add", lambda self, result: None)
    sink = _Sink(run, began=now, flushed=now)
    result = play(next(tasks(run.manifest, [(0, 0)])))
    for step in range(50_000):
        now = step / 10
        sink.take(result)
    assert 0.9 < written[1] - written[0] < 1.2
    assert 20 < written[-1] - written[-2] < 26
    assert len(written) < 1000


def test_the_lock_is_freed_whatever_happens(tmp_path: Path) -> None:
    """In one process, as in a notebook that still holds the traceback of a run that failed."""
    kept = []
    for nth in range(3):
        with pytest.raises(Interrupted) as error:
            tiny(out=tmp_path / "run", resume=True, progress=_raise_at(50 * (nth + 1)), threads=1)
        kept.append(error)
    assert tiny(out=tmp_path / "run", resume=True).manifest.state == "complete"
    assert tiny(out=tmp_path / "run", resume=True).manifest.state == "complete"
    with pytest.raises(InputError, match="there is a run already"):
        tiny(out=tmp_path / "run")


def _raise_at(games: int) -> Callable[[int, int], None]:
    def progress(done: int, in_all: int) -> None:
        if done >= games:
            raise KeyboardInterrupt

    return progress


def test_two_threads_of_one_process_may_play_at_once(usual: Run) -> None:
    digests: list[str] = []

    def one() -> None:
        digests.append(tiny(vary={"seven": ["skip", "nothing"]}, threads=1).manifest.digest)

    threads = [threading.Thread(target=one) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert digests == [usual.manifest.digest] * 3


# --- tallies ----------------------------------------------------------------------------------------------------------


def test_tallies_take_each_shard_of_their_run_once() -> None:
    manifest = manifest_of(120)
    results = [play(task) for task in tasks(manifest, [(0, 0), (0, 1), (0, 2)])]
    tallies = Tallies(manifest)
    assert tallies.missing() == [(0, 0), (0, 1), (0, 2)]
    tallies.add(results[1])
    assert tallies.missing() == [(0, 0), (0, 2)]
    assert not tallies.complete
    with pytest.raises(RunError, match="came twice"):
        tallies.add(results[1])
    other = manifest_of(100)
    with pytest.raises(RunError, match="is not of this run"):
        Tallies(other).add(results[2])
    with pytest.raises(RunError, match="holds other games"):
        Tallies(manifest.with_shard_games(40)).add(results[1])
    tallies.add(results[2])
    tallies.add(results[0])
    assert tallies.complete
    assert tallies.digest() == simulate("bank", 120, seed=3).manifest.digest


def test_a_run_too_large_for_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*args: Any, **kwargs: Any) -> Any:
        raise MemoryError

    manifest = manifest_of(10**9)
    monkeypatch.setattr("simcore.tallies.np.zeros", full)
    with pytest.raises(RunError, match="do not fit into memory"):
        Tallies(manifest)


def test_the_largest_run_can_be_planned() -> None:
    run = planned_run("bank", MAX_GAMES)
    assert run.manifest.shards <= 100_000
    assert run.manifest.shard_size(run.manifest.shards - 1) > 0
    assert sum(run.manifest.shard_size(s) for s in range(run.manifest.shards)) == MAX_GAMES
    assert shard_games(BANK, MAX_GAMES) == run.manifest.shard_games


def test_a_run_is_played_on_from_memory() -> None:
    run = planned_run("bank", 330, seed=3)
    first = play(next(tasks(run.manifest, [(0, 2)])))
    run.tallies.add(first)
    inline = Inline()
    play_run(run, inline)
    assert (0, 2) not in inline.played
    assert run.manifest.digest == tiny().manifest.digest
