"""Yardsticks of speed: that all are measured and told, not how fast anything is."""

from __future__ import annotations

import json
import math
import random
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from conftest import Kozyr, refused
from typer.testing import CliRunner

from cli import app
from reports.bench import bank_in_c, machine, others, table, waiting
from reports.bench.lines import Line, NotMeasured, at_least, at_most
from reports.bench.measure import Costs, Effort, in_turn, rough

TINY = Effort(repeats=2, share=0.001, compile_too=False)
OPTIONAL = {"openspiel": "open_spiel", "rlcard": "rlcard"}
NEEDS_COMPILER = pytest.mark.skipif(not machine.compiler(), reason="there is no C compiler (cc)")


def installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


# --- all of them ------------------------------------------------------------------------------------------------------

NOT_QUICK = {"tally", "cold"}


@pytest.mark.parametrize("name", [n for n in table.YARDSTICKS if n not in (*NOT_QUICK, *OPTIONAL, "c")])
def test_a_yardstick_is_measured(name: str) -> None:
    lines = list(table.measured(table.chosen([name]), TINY))
    assert lines
    for line in lines:
        assert line.yardstick == name
        assert line.measured is not None, line.note
        assert math.isfinite(line.measured)
        assert line.measured > 0


@pytest.mark.parametrize("name", sorted(NOT_QUICK))
def test_what_needs_a_compilation_is_left_out_when_quick(name: str) -> None:
    (line,) = table.measured(table.chosen([name]), TINY)
    assert (line.measured, line.met) == (None, None)
    assert "--quick" in line.note


@pytest.mark.nightly
@pytest.mark.parametrize("name", sorted(NOT_QUICK))
def test_what_needs_a_compilation_is_measured(name: str) -> None:
    for line in table.measured(table.chosen([name]), Effort(repeats=1, share=0.05)):
        assert line.measured is not None, line.note
        assert math.isfinite(line.measured)


@pytest.mark.parametrize("name", sorted(OPTIONAL))
def test_other_libraries_are_measured_or_it_is_said_how_to_install_them(name: str) -> None:
    lines = list(table.measured(table.chosen([name]), TINY))
    if installed(OPTIONAL[name]):
        assert len(lines) >= 2
        assert all(line.measured for line in lines)
    else:
        (line,) = lines
        assert f"pip install {OPTIONAL[name]}" in line.note


# --- C ----------------------------------------------------------------------------------------------------------------


@NEEDS_COMPILER
def test_kernel_and_c_play_the_same_game() -> None:
    lines = list(table.measured(table.chosen(["c"]), Effort(repeats=1, share=0.05)))
    speeds = [line for line in lines if "kernel against C" in line.name]
    means = [line for line in lines if line.check]
    assert len(speeds) == len(means) == len(bank_in_c.SIZES)
    assert all(line.measured and line.unit == "x" for line in speeds)
    assert all(line.met for line in means), [line.record() for line in means]


@NEEDS_COMPILER
def test_another_game_is_told_by_the_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bank_in_c, "MEANS", {**bank_in_c.MEANS, "laid_per_round": "draws"})
    done = CliRunner().invoke(app, ["bench", "--quick", "--only", "c", "--format", "json"])
    assert done.exit_code == 1, done.output
    wrong = [line for line in json.loads(done.stdout)["lines"] if line["met"] is False and line["check"]]
    assert len(wrong) == len(bank_in_c.SIZES)
    assert all(line["note"].endswith("draws") for line in wrong)


def test_without_a_compiler_it_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    (line,) = table.measured(table.chosen(["c"]), TINY)
    assert "no C compiler" in line.note


@pytest.mark.parametrize(("name", "missing"), [("c", "bank.c"), ("python", "plain-Python game")])
def test_what_a_wheel_lacks_is_said(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, missing: str) -> None:
    monkeypatch.setattr(bank_in_c, "ROOT", tmp_path)
    (line,) = table.measured(table.chosen([name]), TINY)
    assert missing in line.note
    assert "in a clone" in line.note


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_prints_lines_and_machine_as_json(kozyr: Kozyr) -> None:
    done = kozyr("bench", "--quick", "--only", "floor", "--only", "tally", "--format", "json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert {"processor", "cores", "Python", "numba", "LLVM", "C compiler", "Kozyr"} <= set(told["machine"])
    assert [line["yardstick"] for line in told["lines"]] == ["floor", "floor", "tally"]
    assert all(set(line) == set(Line("", None).record()) for line in told["lines"])
    assert "measuring floor" in done.stderr


@pytest.mark.parametrize("form", ["table", "md"])
def test_the_command_prints_every_line_for_people(form: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [
        Line("a thing", 1234.5, "x", at_most(2), "so it is", yardstick="one"),
        Line("another", 3.21, "s", at_least(3), yardstick="one"),
        Line("not measured", None, note="why", yardstick="two"),
    ]
    table.show(lines, {"processor": "P"}, form)
    printed = capsys.readouterr().out
    for part in ("a thing", "1,230", "≤ 2", "no", "so it is", "another", "3.21", "≥ 3", "yes", "why", "processor: P"):
        assert part in printed
    if form == "md":
        assert printed.count("\n|") == 2 + len(lines)


def test_an_unknown_yardstick_is_refused(kozyr: Kozyr) -> None:
    line = refused(kozyr("bench", "--only", "flor"))
    assert "unknown yardstick 'flor'" in line
    assert "did you mean 'floor'" in line


def test_a_command_that_fails_is_not_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "HELP", ("--no-such-option",))
    (line,) = table.measured({"waiting": waiting.waiting}, TINY)
    assert line.measured is None
    assert "--no-such-option" in line.note


# --- parts ------------------------------------------------------------------------------------------------------------


def test_goals_are_met_at_their_limit() -> None:
    assert at_most(2).met(2)
    assert not at_most(2).met(2.001)
    assert at_least(2).met(2)
    assert not at_least(2).met(1.999)
    assert Line("", 5.0).met is None
    assert Line("", None, goal=at_most(1)).met is None


def test_works_are_measured_in_turn() -> None:
    order: list[str] = []

    def work(name: str) -> float:
        order.append(name)
        return float(len(order))

    costs = in_turn({"a": lambda: work("a"), "b": lambda: work("b")}, 3)
    assert order == ["a", "b"] * 3
    assert costs.least("b") == 2
    assert costs.ratio("b", "a") == 2
    assert Costs({"a": [1, 2, 4], "b": [1, 1, 1]}).median_ratio("a", "b") == 2


def test_rough_numbers() -> None:
    assert [rough(v) for v in (0.0, 0.01234, 1.234, 123.4, 1234567.0, math.inf)] == [
        "0.0",
        "0.0123",
        "1.23",
        "123",
        "1,230,000",
        "inf",
    ]


def test_moves_and_turns_are_counted() -> None:
    assert others.bank_moves({"turns": 10, "skips": 2, "extra_moves": 1}) == 9
    play = bank_in_c.reference_game()
    events = play(random.Random(3))
    counted = sum(
        (event["event"] == "lay" and not event["extra"]) or event["event"] in ("fail", "skip") for event in events
    )
    assert bank_in_c.turns_of(events) == counted > 0


# --- other libraries, in their place -----------------------------------------------------------------------------------


class Coin:
    """A game in the manner of OpenSpiel: a coin is thrown, then two moves are made."""

    def __init__(self, moves: tuple[int, ...] = ()) -> None:
        self.moves = moves

    def new_initial_state(self) -> Coin:
        return Coin()

    def clone(self) -> Coin:
        return Coin(self.moves)

    def is_chance_node(self) -> bool:
        return not self.moves

    def is_terminal(self) -> bool:
        return len(self.moves) == 3

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(1, 0.5), (2, 0.5)]

    def legal_actions(self) -> list[int]:
        return [3, 4]

    def apply_action(self, action: int) -> None:
        assert action in ((1, 2) if not self.moves else (3, 4))
        self.moves = (*self.moves, action)


class Search:
    """A search in the manner of OpenSpiel, which plays nothing."""

    def __init__(self, *arguments: Any) -> None:
        pass

    def mcts_search(self, state: Coin) -> None:
        assert len(state.moves) == 1


def test_openspiel_is_asked_as_it_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    spiel = ModuleType("pyspiel")
    spiel.__dict__.update(load_game=lambda name: Coin(), RandomRolloutEvaluator=lambda *a: None, MCTSBot=Search)
    monkeypatch.setitem(sys.modules, "pyspiel", spiel)
    monkeypatch.setattr(others, "version", lambda name: "9.9")
    lines = list(others.openspiel(TINY))
    assert [line.goal for line in lines] == [others.CPP_GOAL, others.LOOP_GOAL] * 2
    assert all(line.measured and "OpenSpiel 9.9" in line.name for line in lines)


class Table:
    """An environment in the manner of RLCard: two players, three moves a game."""

    num_players, num_actions = 2, 4

    def set_agents(self, agents: list[Any]) -> None:
        assert len(agents) == self.num_players

    def run(self, is_training: bool) -> tuple[list[list[int]], list[float]]:
        assert not is_training
        return [[0, 1, 0, 1, 0], [0, 1, 0]], [1.0, -1.0]


def test_rlcard_is_asked_as_it_wants(monkeypatch: pytest.MonkeyPatch) -> None:
    module, agents = ModuleType("rlcard"), ModuleType("rlcard.agents")
    module.__dict__.update(make=lambda name, config: Table())
    agents.__dict__.update(RandomAgent=lambda num_actions: None)
    monkeypatch.setitem(sys.modules, "rlcard", module)
    monkeypatch.setitem(sys.modules, "rlcard.agents", agents)
    monkeypatch.setattr(others, "version", lambda name: "9.9")
    lines = list(others.rlcard(TINY))
    assert len(lines) == 2
    assert all(line.measured and "RLCard 9.9" in line.name for line in lines)


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(NotMeasured, match="pip install open_spiel"):
        list(others.openspiel(TINY))
