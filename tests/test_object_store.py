"""Runs at URLs: in memory, and in a real local object store (moto's server speaking S3)."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis.tables import summary
from simcore import InputError, RunError, open_run, places, simulate
from simcore.places import Lease, place, told

ROOT = Path(__file__).parent.parent
GAMES = 3000
VARY = {"seven": ["skip", "nothing"]}


@pytest.fixture(scope="module")
def store() -> Iterator[str]:
    """URL of a bucket in a running object store, whose address and keys are in the environment."""
    server_module = pytest.importorskip("moto.server", reason="needs: pip install 's3fs' 'moto[server]'; .ci/run does")
    pytest.importorskip("s3fs")
    ThreadedMotoServer = server_module.ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    server.start()
    host, port = server.get_host_and_port()
    settings = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in settings.items():
            patch.setenv(name, value)
        import boto3

        boto3.client("s3").create_bucket(Bucket="kozyr")
        yield "s3://kozyr"
    server.stop()


@pytest.fixture
def brisk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leases that are renewed, and given up, sooner."""
    monkeypatch.setattr(places, "RENEWED_SECONDS", 0.2)
    monkeypatch.setattr(places, "ABANDONED_SECONDS", 1.0)


@pytest.mark.usefixtures("brisk")
def test_a_run_at_a_url_is_that_of_a_folder(tmp_path: Path) -> None:
    url = f"memory://kozyr/{tmp_path.name}/run"
    there = simulate("bank", GAMES, vary=VARY, out=url, keep_games=True)
    here = simulate("bank", GAMES, vary=VARY, out=tmp_path / "run", keep_games=True)
    assert there.manifest.digest == here.manifest.digest
    assert open_run(url).games_frame().equals(here.games_frame())
    with pytest.raises(InputError, match="there is a run already"):
        simulate("bank", GAMES, vary=VARY, out=url)


@pytest.mark.usefixtures("brisk")
def test_a_run_in_an_object_store_is_that_of_a_folder(store: str, tmp_path: Path) -> None:
    there = simulate("bank", GAMES, vary=VARY, out=f"{store}/whole", keep_games=True)
    here = simulate("bank", GAMES, vary=VARY, out=tmp_path / "whole", keep_games=True)
    assert there.manifest.digest == here.manifest.digest
    read = open_run(f"{store}/whole")
    assert read.tallies.digest() == here.manifest.digest
    assert summary(read).equals(summary(here))
    assert read.games_frame().equals(here.games_frame())


@pytest.mark.usefixtures("brisk")
def test_a_run_there_is_not_overwritten_and_damage_is_named(store: str) -> None:
    url = f"{store}/kept"
    simulate("bank", 500, out=url)
    with pytest.raises(InputError, match="there is a run already"):
        simulate("bank", 500, out=url)
    part = next(iter((place(url) / "parts").glob("*.parquet")))
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 1
    part.write_bytes(bytes(data))
    with pytest.raises(InputError, match=f"{part.name}: damaged"):
        open_run(url)


def start(url: str, *more: str) -> subprocess.Popen[bytes]:
    words = ["simulate", "bank", "--games", "50000000", "--threads", "1", "--out", url, *more]
    return subprocess.Popen([sys.executable, str(ROOT / "cli.py"), *words], stderr=subprocess.PIPE, env=os.environ)


@pytest.mark.usefixtures("brisk")
def test_a_second_process_is_refused_and_takes_over_a_dead_ones_run(store: str) -> None:
    url = f"{store}/shared"
    first = start(url)
    try:
        end = time.monotonic() + 120
        while not any((place(url) / "parts").glob("*.parquet")):
            assert first.poll() is None, "the first process ended by itself"
            assert time.monotonic() < end, "no part was written"
            time.sleep(0.1)
        lease = Lease(place(url))
        # the process renews its lease every five seconds; watch it for longer than that
        places.ABANDONED_SECONDS = 12.0
        assert not lease.acquire()
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate()
    kept = open_run(url)
    assert any(tallies.done.any() for tallies in kept.tallies.variants)
    assert lease.acquire()
    lease.release()
    assert not (place(url) / ".lock").exists()


def test_what_cannot_be_reached_is_told(store: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="is not the folder of a run"):
        open_run(f"{store}/nothing")
    with pytest.raises(RunError, match="nobucket"):
        simulate("bank", 100, out="s3://nobucket/run")
    with pytest.raises(InputError, match="nonsense"):
        simulate("bank", 100, out="nonsense://bucket/run")


@pytest.mark.parametrize("url", ["ftp://bucket/x", "memory://bucket/x"])
def test_a_url_that_fails_is_told_with_its_host(url: str) -> None:
    pytest.importorskip("upath", reason="needs: pip install 'kozyr[remote]'")
    path = place(url)
    with pytest.raises(RunError, match=rf"^{url}: cannot be read: no$"), told(path, "cannot be read"):
        raise OSError("no")


def test_an_empty_name_is_no_folder() -> None:
    with pytest.raises(InputError, match=r"'' is no folder; the present one is \."):
        simulate("bank", 10, out="")
    with pytest.raises(InputError, match="is no folder"):
        open_run(" ")
