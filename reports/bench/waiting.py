"""How long a user waits: for help, for a small batch, and for the first compilation of a game."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from reports.bench.lines import Line, NotMeasured, at_most
from reports.bench.machine import ROOT
from reports.bench.measure import Effort, wall_seconds
from simcore.games import GAMES

HELP = ("--help",)
SMALL = ("simulate", "bank", "--games", "1000")
HELP_GOAL, SMALL_GOAL, COLD_GOAL = 0.3, 2.5, 30.0


def command(*words: str) -> list[str]:
    """``kozyr WORDS`` of this very installation."""
    script = Path(sys.executable).with_name("kozyr")
    return [str(script), *words] if script.is_file() else [sys.executable, str(ROOT / "cli.py"), *words]


def _by_hyperfine(tool: str, words: list[str], runs: int) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        told = Path(folder) / "times.json"
        options = ["--shell=none", "--style=none", "--warmup=1", f"--runs={max(2, runs)}", f"--export-json={told}"]
        _run([tool, *options, shlex.join(words)])
        times: list[float] = json.loads(told.read_text())["results"][0]["times"]
        return times


def _run(words: list[str], environment: Mapping[str, str] | None = None) -> None:
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        said = (done.stderr.splitlines() or ["nothing was said"])[-1]
        raise NotMeasured(f"{shlex.join(words)} ended with exit code {done.returncode}: {said}")


def times(words: list[str], runs: int) -> tuple[list[float], str]:
    """Seconds of each of `runs` runs of a command after one that is not counted, and how they were measured."""
    tool, before = shutil.which("hyperfine"), _children_seconds()
    if tool:
        found = _by_hyperfine(tool, words, runs)
    else:
        _run(words)
        found = [wall_seconds(lambda: _run(words)) for _ in range(runs)]
    cpu = (_children_seconds() - before) / (len(found) + 1)
    by = "hyperfine" if tool else "a clock (hyperfine is not installed)"
    return found, f"least of {len(found)} by {by}; median {median(found):.3f}; CPU {cpu:.3f}"


def _children_seconds() -> float:
    """CPU time of all processes that this one has started and seen end."""
    spent = os.times()
    return spent.children_user + spent.children_system


def waiting(effort: Effort) -> Iterator[Line]:
    """Commands with everything compiled."""
    for words, goal in ((HELP, HELP_GOAL), (SMALL, SMALL_GOAL)):
        found, note = times(command(*words), 2 * effort.repeats)
        yield Line(f"kozyr {' '.join(words)}", min(found), "s", at_most(goal), note)


def cold_seconds(words: tuple[str, ...], folder: str) -> tuple[float, float]:
    """Seconds, and CPU seconds, of a command with `folder` as the place of machine code."""
    environment, before = {**os.environ, "KOZYR_CACHE_DIR": folder}, _children_seconds()
    seconds = wall_seconds(lambda: _run(command(*words), environment))
    return seconds, _children_seconds() - before


def cold(effort: Effort) -> Iterator[Line]:
    """A first game, its kernel compiled for it: once for each game, into an empty cache."""
    if not effort.compile_too:
        raise NotMeasured("not with --quick, as every game must be compiled for it")
    for name in GAMES:
        words = ("simulate", name, "--games", "1")
        with tempfile.TemporaryDirectory() as folder:
            first, cpu = cold_seconds(words, folder)
            second, _ = cold_seconds(words, folder)
        note = f"CPU {cpu:.1f}; the same command again: {second:.2f}"
        yield Line(f"kozyr simulate {name} --games 1, nothing compiled before", first, "s", at_most(COLD_GOAL), note)
