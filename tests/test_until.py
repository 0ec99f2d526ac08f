"""simulate --until: stops when it knows enough, at the same game whatever the threads, and after a death in the middle."""

from __future__ import annotations

import json
import re
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Kozyr, refused

from analysis.playing import looks
from analysis.results import metric_sums
from analysis.until import parse_until, sequence_of
from simcore import open_run, simulate
from simcore.errors import InputError
from simcore.games import find_game

BANK = find_game("bank")
SETTINGS = {"players": 2, "target": 20, "hand_size": 2}
ARGUMENTS = ["simulate", "bank", "--set", "players=2", "--set", "target=20", "--set", "hand_size=2", "--bots", "greedy"]
ARGUMENTS += ["--vary", "seven=skip,nothing", "--seed", "4", "--games", "20000", "--until", "rounds ± 0.03"]


def _digest(text: str) -> str:
    found = re.search(r"^digest (\w+)$", text, re.MULTILINE)
    assert found, text
    return found[1]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("rounds ± 0.1", 0.1),
        ("rounds+-0.1", 0.1),
        (" first_mover_edge +/- 1e-3 ", 0.001),
        ("first_mover_edge ± 0.1%", 0.001),
        ("round_win_share.1 ± .5", 0.5),
    ],
)
def test_conditions_can_be_written_in_several_ways(text: str, width: float) -> None:
    until = parse_until(text, BANK, 3)
    assert until.text == text
    assert width in until.enough.args  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", ["rounds", "± 0.1", "rounds < 1", "rounds ± 0.1 x", "rounds ±", ""])
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="is not of the form METRIC ± HALF-WIDTH"):
        parse_until(text, BANK, 3)


@pytest.mark.parametrize("width", ["0", "-1", "x", "1.2.3", "nan", "inf", "1e999", "0.0"])
def test_a_width_that_is_no_number_above_0_is_refused(width: str) -> None:
    with pytest.raises(InputError, match=f"the half-width '{width}' is not allowed; allowed: a number above 0"):
        parse_until(f"rounds ± {width}", BANK, 3)


def test_a_metric_that_the_game_lacks_is_refused(kozyr: Kozyr) -> None:
    line = refused(kozyr("simulate", "bank", "--until", "round ± 0.1"))
    assert "unknown metric of bank 'round'" in line


def test_it_stops_as_soon_as_every_variant_is_known_well_enough() -> None:
    until = parse_until("rounds ± 0.03", BANK, 2)
    run = simulate("bank", 20_000, SETTINGS, {"seven": ["skip", "nothing"]}, bots="greedy", seed=4, until=until)
    shards = run.manifest.shards
    assert 30 <= shards < 400
    assert run.manifest.limit == 20_000
    metric = BANK.find_metric("rounds", 2)
    for variant in range(2):
        found = sequence_of(metric, metric_sums(run, metric, variant), 0.95)
        assert (found.high[-1] - found.low[-1]) / 2 <= 0.03
    last_look = max(look for look in looks(30, 400) if look < shards)
    sequences = [sequence_of(metric, metric_sums(run, metric, variant), 0.95) for variant in range(2)]
    assert max((s.high - s.low)[last_look - 1] / 2 for s in sequences) > 0.03, "the look before was too early"


def test_the_first_games_are_those_of_a_run_of_that_length() -> None:
    until = parse_until("rounds ± 0.03", BANK, 2)
    stopped = simulate("bank", 20_000, SETTINGS, bots="greedy", seed=4, until=until)
    whole = simulate("bank", 20_000, SETTINGS, bots="greedy", seed=4)
    shards = stopped.manifest.shards
    assert (stopped.tallies.variants[0].sums == whole.tallies.variants[0].sums[:shards]).all()


def test_the_digest_hangs_neither_on_threads_nor_on_a_folder(kozyr: Kozyr, tmp_path: Path) -> None:
    digests = set()
    for threads in (1, 2):
        done = kozyr(*ARGUMENTS, "--threads", threads, "--out", tmp_path / f"t{threads}")
        assert done.returncode == 0, done.stderr
        assert "stopped before 20000 games, as rounds ± 0.03 was reached" in done.stdout
        digests.add(_digest(done.stdout))
    digests.add(_digest(kozyr(*ARGUMENTS).stdout))
    assert len(digests) == 1
    first, second = (open_run(tmp_path / f"t{threads}") for threads in (1, 2))
    assert first.manifest.games == second.manifest.games < 20_000


SLOW = """
import sys, time
import simcore.playing as playing
from cli import app
real = playing.play
def slow(task):
    time.sleep(0.03)
    return real(task)
playing.play = slow
playing.FLUSH_SECONDS = 0.05
sys.argv = ["kozyr", *sys.argv[1:]]
app()
"""


def test_killed_in_the_middle_and_resumed_it_is_the_same_run(
    start: Callable[..., subprocess.Popen[str]], kozyr: Kozyr, tmp_path: Path
) -> None:
    whole = kozyr(*ARGUMENTS, "--threads", 1, "--out", tmp_path / "whole")
    folder = tmp_path / "killed"
    process = start(SLOW, *ARGUMENTS, "--threads", "2", "--out", folder)
    parts = folder / "parts"
    deadline = time.monotonic() + 120
    while not (parts.is_dir() and len(list(parts.glob("*.parquet"))) >= 3):
        assert process.poll() is None, process.communicate()[1]
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.kill()
    process.wait()
    assert json.loads((folder / "manifest.json").read_text())["state"] == "running"
    resumed = kozyr(*ARGUMENTS, "--threads", 2, "--out", folder, "--resume")
    assert resumed.returncode == 0, resumed.stderr
    assert _digest(resumed.stdout) == _digest(whole.stdout)
    assert open_run(folder).manifest.games == open_run(tmp_path / "whole").manifest.games


def test_all_games_are_played_if_it_is_never_known_well_enough(kozyr: Kozyr) -> None:
    arguments = [*ARGUMENTS[:-1], "rounds ± 0.000001"]
    arguments[arguments.index("20000")] = "2000"
    done = kozyr(*arguments)
    assert done.returncode == 0
    assert "all games were played before rounds ± 0.000001 was reached" in done.stdout
