"""Bank's kernel against the same game in C, the limit that it chases, and against the plain-Python game of the tests."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from math import hypot
from pathlib import Path
from typing import Any

from analysis.ratios import delta_estimate
from analysis.results import metric_sums
from reports.bench.kernels import NANO, Play
from reports.bench.lines import Line, NotMeasured, at_least, at_most
from reports.bench.machine import ROOT, compiler
from reports.bench.measure import Effort, in_turn, rough, thread_seconds
from simcore import simulate

FLAGS = ("-O3", "-march=native")
RATIO_GOAL, ERRORS_GOAL, PYTHON_GOAL = 1.15, 4.0, 500.0
TIMED, COMPARED, SLOW = 20_000, 200_000, 20
SIZES = (2, 3, 4)
MEANS = {
    "rounds_per_game": "rounds",
    "turns_per_round": "turns",
    "laid_per_round": "laid",
    "blocked_share": "blocked",
    "starter_share": "round_win_share.0",
}
"""What the C program prints, and the metric of the same meaning."""

Program = Callable[[int, int], dict[str, Any]]


@contextmanager
def built() -> Iterator[Program]:
    """The C program, built: (players, games) -> what it prints.

    Raises
    ------
    NotMeasured
        Without its source or a compiler.
    """
    source = ROOT / "benchmarks" / "c" / "bank.c"
    if not source.is_file():
        raise NotMeasured("benchmarks/c/bank.c is not installed with the package: run kozyr bench in a clone")
    if not compiler():
        raise NotMeasured("there is no C compiler (cc): install one, such as gcc, or name it in CC")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "bank"
        command = [compiler(), *FLAGS, "-o", str(program), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
        if done.returncode:
            raise NotMeasured(f"{' '.join(command[:-3])} failed: {(done.stderr.splitlines() or ['?'])[0]}")

        def run(players: int, games: int) -> dict[str, Any]:
            words = [str(program), str(players), str(games), "1"]
            found = subprocess.run(words, capture_output=True, text=True, check=True)  # noqa: S603
            printed: dict[str, Any] = json.loads(found.stdout)
            return printed

        yield run


def c(effort: Effort) -> Iterator[Line]:
    """The kernel against C: time a turn, and agreement of what both find."""
    with built() as program:
        floor = program(3, 1)["ns_shuffle"]
        yield Line("a shuffle of 36 cards alone, in C", floor, "ns", note=f"cc {' '.join(FLAGS)}")
        for players in SIZES:
            yield _speed(program, players, effort)
        for players in SIZES:
            yield _agreement(program, players, effort)


def _speed(program: Program, players: int, effort: Effort) -> Line:
    bank, games = Play("bank", settings={"players": players}), effort.size(TIMED)
    works = {
        "kernel": bank.cost(games, bank.counts(games)["turns"]),
        "C": lambda: float(program(players, games)["ns_per_turn"]),
    }
    costs = in_turn(works, effort.repeats)
    note = f"{costs.least('kernel'):.1f} and {costs.least('C'):.1f} ns a turn; median {costs.median_ratio('kernel', 'C'):.2f}"
    return Line(
        f"bank, {players} players: kernel against C", costs.ratio("kernel", "C"), "x", at_most(RATIO_GOAL), note
    )


def _agreement(program: Program, players: int, effort: Effort) -> Line:
    """The distance of the means that are furthest apart, in standard errors of their difference."""
    games = max(1000, effort.size(COMPARED))
    run, printed = simulate("bank", games, {"players": players}, bots="random", seed=7), program(players, games)
    distances = {}
    for name, metric in MEANS.items():
        mean, error = printed[name]
        ours = delta_estimate(metric_sums(run, run.game.find_metric(metric, players), 0))
        distances[metric] = abs(ours.value - mean) / hypot(ours.se, error)
    furthest = max(distances, key=lambda metric: distances[metric])
    return Line(
        f"bank, {players} players: means of kernel and C, {games:,} games each",
        distances[furthest],
        "standard errors",
        at_most(ERRORS_GOAL),
        f"the furthest apart of {len(MEANS)}: {furthest}",
        check=True,
    )


def reference_game() -> Callable[..., Any]:
    """The tests' game in plain Python: (rules, rng) -> events.

    Raises
    ------
    NotMeasured
        Where there are no tests.
    """
    tests = str(ROOT / "tests")
    if not (ROOT / "tests" / "reference" / "bank.py").is_file():
        raise NotMeasured("the plain-Python game of the tests is not installed with the package: run it in a clone")
    sys.path.insert(0, tests)
    try:
        module = import_module("reference.bank")
    finally:
        sys.path.remove(tests)
    return lambda rng: module.play(dict(module.DEFAULT_RULES), rng)


def turns_of(events: list[dict[str, Any]]) -> int:
    """Turns in the events of a game."""
    kinds = Counter("extra" if event.get("extra") else event["event"] for event in events)
    return kinds["lay"] + kinds["fail"] + kinds["skip"]


def python(effort: Effort) -> Iterator[Line]:
    """The plain-Python game against the kernel, both at 3 players."""
    play, bank = reference_game(), Play("bank")
    games, slow, rng = effort.size(TIMED), effort.size(SLOW), random.Random(1)

    def slowly() -> float:
        told: list[list[dict[str, Any]]] = []
        seconds = thread_seconds(lambda: told.extend(play(rng) for _ in range(slow)))
        return seconds / sum(map(turns_of, told)) / NANO

    works = {"kernel": bank.cost(games, bank.counts(games)["turns"]), "Python": slowly}
    costs = in_turn(works, effort.repeats)
    note = f"{rough(costs.least('Python'))} and {costs.least('kernel'):.1f} ns a turn"
    yield Line(
        "bank in plain Python against the kernel", costs.ratio("Python", "kernel"), "x", at_least(PYTHON_GOAL), note
    )
