"""Whole commands, given anything in the place of one argument: they do it, or refuse it with exit code 2 and say why.

The short version runs always, and always the same; the long one is nightly. What reads an argument is tried far more often
in `test_parsers`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from test_parsers import ANYTHING, NEAR, changed
from typer.testing import CliRunner

from cli import app
from simcore import simulate

SHORT, LONG = 25, 600
ONE = ("simulate", "bank", "--games", "1")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The folder of a small run of two variants."""
    folder = tmp_path_factory.mktemp("run") / "run"
    simulate("bank", 300, vary={"seven": ["skip", "nothing"]}, out=folder)
    return str(folder)


Words = Callable[[str, str], list[str]]

PLACES: dict[str, tuple[str, Words]] = {
    "simulate GAME": ("bank", lambda text, run: ["simulate", text, "--games", "1"]),
    "simulate --set": ("seven=skip", lambda text, run: [*ONE, "--set", text]),
    "simulate --vary": ("seven=skip,4", lambda text, run: [*ONE, "--vary", text]),
    "simulate --bots": ("random,greedy,random", lambda text, run: [*ONE, "--bots", text]),
    "simulate --vary-bots": ("greedy", lambda text, run: [*ONE, "--vary-bots", text]),
    "simulate --seed": ("12", lambda text, run: [*ONE, "--seed", text]),
    "simulate --until": ("turns ± 5", lambda text, run: ["simulate", "bank", "--games", "60", "--until", text]),
    "replay --seed": ("12", lambda text, run: ["replay", "bank", "--seed", text]),
    "rules GAME": ("square", lambda text, run: ["rules", text]),
    "exact --set": ("ace=eleven", lambda text, run: ["exact", "square", "--set", text]),
    "find --where": (
        "turns > 900 and lead_changes >= 5",
        lambda t, run: ["find", "bank", "--games", "9", "--where", t],
    ),
    "find --by": ("-drama", lambda text, run: ["find", "bank", "--games", "9", "--by", text]),
    "summary RUN": ("runs/bank", lambda text, run: ["summary", text]),
    "summary --metric": ("rounds", lambda text, run: ["summary", run, "--metric", text]),
    "summary --level": ("0.9", lambda text, run: ["summary", run, "--level", text]),
    "compare --baseline": ("seven=skip", lambda text, run: ["compare", run, "--baseline", text]),
    "compare --margin": ("rounds=0.5", lambda text, run: ["compare", run, "--margin", text]),
    "compare --adjust": ("holm", lambda text, run: ["compare", run, "--adjust", text]),
    "check FILE": (
        "claims",
        lambda text, run: ["check", f"{text}.toml"],
    ),  # or it could be a game, whose claims take time
    "run FILE": ("study.toml", lambda text, run: ["run", text]),
    "bench --only": ("rlcard", lambda text, run: ["bench", "--quick", "--only", text, "--only", "nothing"]),
}


def done_or_refused(words: list[str]) -> int:
    """The command ends by itself, with exit code 0 or 2; if 2, it prints nothing but why. Returns the code."""
    done = CliRunner().invoke(app, words)
    assert done.exception is None or isinstance(done.exception, SystemExit), (words, done.exception)
    assert done.exit_code in (0, 2), (words, done.exit_code, done.output)
    if done.exit_code == 2:
        assert done.stdout == "", words
        assert done.stderr.strip(), words
        assert "Traceback" not in done.stderr
    return done.exit_code


def fuzz(place: str, run: str, **how: Any) -> None:
    valid, words_with = PLACES[place]

    @settings(deadline=None, database=None, suppress_health_check=list(HealthCheck), **how)
    @given(st.one_of(NEAR, changed(valid), ANYTHING))
    def invoke(text: str) -> None:
        assume("://" not in text and not text.startswith("-"))  # of the network, and of other options, not of this one
        done_or_refused(words_with(text, run))

    invoke()


@pytest.mark.parametrize("place", PLACES)
def test_a_command_is_done_or_refused(place: str, run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    fuzz(place, run, max_examples=SHORT, derandomize=True)
    assert not list(tmp_path.iterdir()), "it left something where it was called"


@pytest.mark.nightly
@pytest.mark.parametrize("place", PLACES)
def test_a_command_is_done_or_refused_whatever_is_given(
    place: str, run: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fuzz(place, run, max_examples=LONG)


@pytest.mark.parametrize("place", [p for p in PLACES if p.split()[1] not in ("RUN", "FILE", "--only")])
def test_the_valid_argument_of_this_test_is_valid(place: str, run: str) -> None:
    """Otherwise what is changed would be wrong from the beginning."""
    valid, words_with = PLACES[place]
    if place != "exact --set":  # square has no exact numbers, so that what is valid costs nothing
        assert done_or_refused(words_with(valid, run)) == 0
