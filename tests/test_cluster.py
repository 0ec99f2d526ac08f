"""Shards on a real dask scheduler with real workers, some of which are killed."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from simcore import RunError, open_run, simulate

ROOT = Path(__file__).parent.parent
GAMES = 8000
VARY = {"seven": ["skip", "nothing"]}


class Processes:
    """A scheduler and workers as processes of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.all: list[subprocess.Popen[bytes]] = []
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"

    def _start(self, *words: str, source: Path = ROOT) -> subprocess.Popen[bytes]:
        env = {**os.environ, "PYTHONPATH": str(source), "DASK_DISTRIBUTED__WORKER__DAEMON": "false"}
        with (self.folder / f"{len(self.all)}.log").open("wb") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "dask", *words], cwd=self.folder, env=env, stdout=log, stderr=log
            )
        self.all.append(process)
        return process

    def scheduler(self) -> subprocess.Popen[bytes]:
        return self._start("scheduler", "--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")

    def worker(self, source: Path = ROOT) -> subprocess.Popen[bytes]:
        words = ("worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard")
        return self._start(*words, "--local-directory", str(self.folder), source=source)

    def stop(self) -> None:
        for process in self.all:
            process.kill()
            process.wait()


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    (tmp_path / "dask").mkdir()
    found = Processes(tmp_path / "dask")
    yield found
    found.stop()


@pytest.fixture(scope="module")
def undisturbed() -> str:
    """The digest of the same run on threads."""
    return simulate("bank", GAMES, vary=VARY).manifest.digest


def start_cli(address: str, out: Path, *more: str) -> subprocess.Popen[bytes]:
    words = ["simulate", "bank", "--games", str(GAMES), "--vary", "seven=skip,nothing", "--scheduler", address]
    return subprocess.Popen(
        [sys.executable, str(ROOT / "cli.py"), *words, "--out", str(out), *more],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_local_cluster_gives_the_digest_of_threads(undisturbed: str) -> None:
    assert simulate("bank", GAMES, vary=VARY, scheduler="local:2").manifest.digest == undisturbed


def test_a_killed_worker_is_survived(processes: Processes, tmp_path: Path, undisturbed: str) -> None:
    processes.scheduler()
    victim, _ = processes.worker(), processes.worker()
    killed = False

    def kill_half_way(done: int, in_all: int) -> None:
        nonlocal killed
        if not killed and done > in_all // 4:
            killed = True
            victim.send_signal(signal.SIGKILL)

    run = simulate("bank", GAMES, vary=VARY, scheduler=processes.address, out=tmp_path / "run", progress=kill_half_way)
    assert killed
    assert victim.wait() == -signal.SIGKILL
    assert run.manifest.digest == undisturbed
    assert open_run(tmp_path / "run").tallies.digest() == undisturbed


def test_a_lost_scheduler_is_told_and_the_run_goes_on_elsewhere(
    processes: Processes, tmp_path: Path, undisturbed: str
) -> None:
    scheduler = processes.scheduler()
    processes.worker()

    def kill_half_way(done: int, in_all: int) -> None:
        if done > in_all // 4:
            scheduler.send_signal(signal.SIGKILL)

    with pytest.raises(RunError, match=r"went away before the run was finished.*add --resume"):
        simulate("bank", GAMES, vary=VARY, scheduler=processes.address, out=tmp_path / "run", progress=kill_half_way)
    kept = open_run(tmp_path / "run")
    assert any(tallies.done.any() for tallies in kept.tallies.variants)
    assert not kept.tallies.complete
    assert simulate("bank", GAMES, vary=VARY, out=tmp_path / "run", resume=True).manifest.digest == undisturbed


def test_a_worker_with_other_code_is_refused(processes: Processes, tmp_path: Path) -> None:
    other = tmp_path / "other"
    shutil.copytree(ROOT / "simcore", other / "simcore", ignore=shutil.ignore_patterns("__pycache__"))
    with (other / "simcore" / "bits.py").open("a") as file:
        file.write("\n# another version\n")
    processes.scheduler()
    processes.worker(source=other)
    finished = start_cli(processes.address, tmp_path / "run")
    out, err = finished.communicate(timeout=120)
    assert finished.returncode == 1
    assert out == b""
    assert b"runs other code" in err
    assert b"Traceback" not in err


def test_no_scheduler_and_no_workers_are_told(processes: Processes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("simcore.cluster.CONNECT_SECONDS", 1)
    monkeypatch.setattr("simcore.cluster.WORKER_SECONDS", 1)
    with pytest.raises(RunError, match="no scheduler answers"):
        simulate("bank", 100, scheduler=processes.address)
    processes.scheduler()
    monkeypatch.setattr("simcore.cluster.CONNECT_SECONDS", 60)
    with pytest.raises(RunError, match="has no workers"):
        simulate("bank", 100, scheduler=processes.address)
