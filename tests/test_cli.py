"""The command line: exit codes, what goes to which stream, and what is said when something is wrong."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Kozyr, process_env, refused
from typer.testing import CliRunner, Result

import cli
from simcore import GAMES, open_run, simulate

COMMANDS = sorted(command.name or command.callback.__name__ for command in cli.app.registered_commands)  # type: ignore[union-attr]


def invoke(*arguments: Any) -> Result:
    """Run a command in this process."""
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments], env={"COLUMNS": "150"})


def line_of(result: Result, code: int = 2) -> str:
    """The one line on standard error of a command that ended with `code`, and printed nothing else."""
    assert result.exit_code == code, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("kozyr: ")
    return line.removeprefix("kozyr: ")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of two variants."""
    folder = tmp_path_factory.mktemp("cli") / "run"
    simulate("bank", 300, vary={"seven": ["skip", "nothing"]}, seed=2, out=folder)
    return folder


# --- help -------------------------------------------------------------------------------------------------------------


def test_help_is_a_result() -> None:
    for arguments in (["--help"], ["-h"], *([command, "--help"] for command in COMMANDS)):
        result = invoke(*arguments)
        assert result.exit_code == 0
        assert result.stderr == ""
        assert "Usage" in result.stdout
    for command in COMMANDS:
        assert command in invoke("--help").stdout
        assert "Example: kozyr" in invoke(command, "--help").stdout


def test_help_imports_nothing_heavy() -> None:
    heavy = ("numba", "numpy", "pandas", "scipy", "matplotlib", "rich")
    script = f"import sys, cli; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], env=process_env(), capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_without_a_command_the_help_is_shown() -> None:
    result = invoke()
    assert result.exit_code in (0, 2)
    assert "simulate" in result.output


def test_games_are_listed_and_their_rules_shown() -> None:
    listed = invoke("games")
    assert listed.exit_code == 0
    for name in GAMES:
        assert name in listed.stdout
        shown = invoke("rules", name)
        assert shown.exit_code == 0
        assert shown.stderr == ""
        assert "players" in shown.stdout


# --- wrong input ------------------------------------------------------------------------------------------------------

SIMULATE = ["simulate", "bank", "--games", "100"]
WRONG: list[tuple[list[str], list[str]]] = [
    (["simulate", "banc"], ["unknown game 'banc'", "allowed: bank, square, ochko", "did you mean 'bank'?"]),
    (["replay", "banc"], ["unknown game 'banc'", "did you mean 'bank'?"]),
    (["rules", "sqare"], ["unknown game 'sqare'", "did you mean 'square'?"]),
    ([*SIMULATE, "--set", "sevens=skip"], ["unknown option of bank 'sevens'", "did you mean 'seven'?"]),
    (
        [*SIMULATE, "--set", "seven=skp"],
        ["unknown value of option 'seven'", "'skp'", "did you mean 'skip'?", "1 = skip"],
    ),
    ([*SIMULATE, "--set", "seven=5"], ["unknown value of option 'seven'", "'5'", "4 = nothing"]),
    ([*SIMULATE, "--set", "players=5"], ["'players'", "'5' is not allowed", "allowed: 2, 3, 4"]),
    ([*SIMULATE, "--set", "target=0"], ["'target'", "'0' is not allowed", "allowed: 1 … 1000"]),
    ([*SIMULATE, "--set", "target"], ["'target' is not of the form option=value"]),
    ([*SIMULATE, "--set", "seven=1", "--set", "seven=2"], ["--set seven is given twice"]),
    ([*SIMULATE, "--vary", "sevn"], ["unknown option of bank 'sevn'", "did you mean 'seven'?"]),
    ([*SIMULATE, "--vary", "seven=skip,skp"], ["unknown value", "did you mean 'skip'?"]),
    ([*SIMULATE, "--vary", "seven=skip,1"], ["'skip' is named twice"]),
    ([*SIMULATE, "--vary", "seven", "--vary", "seven=skip"], ["--vary seven is given twice"]),
    ([*SIMULATE, "--vary", "target"], ["'target' has 1000 values; name some"]),
    ([*SIMULATE, "--vary", "target=9..1"], ["the range '9..1' is empty"]),
    ([*SIMULATE, "--vary", "seven", "--set", "seven=skip"], ["both set and varied"]),
    ([*SIMULATE, "--bots", "rndom"], ["unknown bot of bank 'rndom'", "did you mean 'random'?"]),
    ([*SIMULATE, "--bots", "random,random"], ["--bots 'random,random' names 2 bots for 3 players"]),
    ([*SIMULATE, "--bots", "random(x=1)"], ["bot 'random' takes no parameters"]),
    ([*SIMULATE, "--vary-bots", "random", "--vary-bots", "greed"], ["did you mean 'greedy'?"]),
    (["simulate", "bank", "--games", "0"], ["--games '0' is not allowed", "a whole number from 1 to 1e15"]),
    (["simulate", "bank", "--games", "-5"], ["--games '-5' is not allowed"]),
    (["simulate", "bank", "--games", "1e6.5"], ["--games '1e6.5' is not allowed"]),
    (["simulate", "bank", "--games", "1e99"], ["--games '1e99' is not allowed"]),
    (["simulate", "bank", "--games", ""], ["--games '' is not allowed"]),
    (
        [*SIMULATE, "--seed", "-1"],
        ["--seed '-1' is not allowed", "allowed: a whole number from 0 to 9223372036854775807"],
    ),
    ([*SIMULATE, "--seed", str(2**70)], ["is not allowed"]),
    ([*SIMULATE, "--keep-games"], ["--keep-games needs a folder", "--out"]),
    ([*SIMULATE, "--resume"], ["--resume needs the folder", "--out"]),
    ([*SIMULATE, "--until", "turns"], ["--until 'turns' is not of the form METRIC ± HALF-WIDTH"]),
    ([*SIMULATE, "--until", "turn ± 1"], ["unknown metric of bank 'turn'", "did you mean 'turns'?"]),
    (["replay", "bank", "--index", "5..3"], ["--index '5..3' is not allowed", "0..99"]),
    (["replay", "bank", "--index", "-1"], ["--index '-1' is not allowed"]),
    (["replay", "bank", "--index", "1.5e0"], ["--index '1.5e0' is not allowed"]),
    (["replay", "bank", "--index", str(10**17)], ["is not allowed", "a number from 0 to 9007199254740992"]),
    (["replay", "bank", "--bots", "random,random"], ["2 bots for 3 players"]),
    (["replay", "bank", "--set", "seven=never"], ["unknown value of option 'seven'"]),
    (["replay", "bank", "--seed", "-7"], ["--seed '-7' is not allowed"]),
    (["summary", "nowhere"], ["nowhere: is not the folder of a run"]),
    (["compare", "nowhere"], ["nowhere: is not the folder of a run"]),
    (["report", "nowhere"], ["nowhere: is not the folder of a run"]),
    ([*SIMULATE, "--seed", "x"], ["--seed 'x' is not allowed", "a whole number from 0"]),
    ([*SIMULATE, "--threads", "0"], ["--threads '0' is not allowed", "a whole number from 1 to 1024"]),
    ([*SIMULATE, "--threads", "2000"], ["--threads '2000' is not allowed"]),
    ([*SIMULATE, "--bots", "random", "--vary-bots", "greedy"], ["--bots and --vary-bots are both given"]),
    ([*SIMULATE, "--out", ""], ["--out '' is not allowed"]),
    ([*SIMULATE, "--until", "rounds ± 0"], ["--until 'rounds ± 0'", "'0' is not allowed", "a number above 0"]),
    ([*SIMULATE, "--until", "rounds±nan"], ["'nan' is not allowed", "a number above 0"]),
    ([*SIMULATE, "--until", "rounds +- -1"], ["'-1' is not allowed", "a number above 0"]),
    (["replay", "bank", "--format", "xml"], ["--format 'xml' is not allowed; allowed: jsonl, text"]),
    (["rules", "bank", "--format", "xml"], ["--format 'xml' is not allowed; allowed: table, csv, json, md"]),
    (["summary", "run", "--level", "much"], ["--level 'much' is not allowed", "between 0 and 1"]),
    (["summary", ""], ["RUN '' is not allowed"]),
    (["report", "run", ""], ["RUN '' is not allowed"]),
    (["run", " "], ["FILE '' is not allowed"]),
    (["check", ""], ["'' is not allowed"]),
    (["run", "studies/bank.toml", "--out", ""], ["--out '' is not allowed"]),
    (["run", "studies/bank.toml", "--out", "s3://bucket/x"], ["--out s3://bucket/x is not a folder of this machine"]),
    (["report", "run", "--out", __file__], ["is a file, not a folder; name another --out"]),
    (["check", "bank", "--out", f"{__file__}/x"], ["is a file, not a folder; name another --out"]),
    (["find", "bnak"], ["unknown game 'bnak'", "did you mean 'bank'?", "nor is there a folder"]),
    (["find", "bank", "--top", "0"], ["--top '0' is not allowed", "a whole number from 1 to 1e4"]),
    (["find", "bank", "--seed", "-1"], ["--seed '-1' is not allowed"]),
    (["check", "bank", "--budget", "5"], ["--budget is of the multiverse; add --multiverse"]),
    (["check", "bank", "--crossed"], ["--crossed is of the multiverse; add --multiverse"]),
    (["check", "bank", "--one-at-a-time"], ["--one-at-a-time is of the multiverse"]),
    (["check", "bank", "--ruling", "seven"], ["--ruling is of the multiverse; add --multiverse"]),
    (["run", "nowhere.toml"], ["nowhere.toml"]),
    (["check", "nowhere.toml"], ["nowhere.toml"]),
]


@pytest.mark.parametrize(("arguments", "parts"), WRONG, ids=[" ".join(arguments) for arguments, _ in WRONG])
def test_wrong_input_is_told_in_one_line(arguments: list[str], parts: Sequence[str]) -> None:
    line = line_of(invoke(*arguments))
    for part in parts:
        assert part in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["simulat", "bank"],
        ["simulate"],
        ["simulate", "bank", "--game", "7"],
        ["find"],
    ],
)
def test_wrong_usage_is_told_with_the_usage(arguments: list[str]) -> None:
    result = invoke(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("arguments", "parts"),
    [
        (["summary", "--metric", "turn"], ["unknown metric", "did you mean 'turns'?"]),
        (["summary", "--level", "2"], ["2"]),
        (["summary", "--level", "nan"], ["nan"]),
        (["compare", "--baseline", "seven=skp"], ["seven=skp", "did you mean 'seven=skip'?"]),
        (["compare", "--baseline", "3"], ["3"]),
        (["compare", "--metric", ""], ["unknown metric"]),
        (["compare", "--adjust", "bonferoni"], ["bonferoni", "holm, bonferroni"]),
    ],
)
def test_what_a_run_does_not_have_is_told(run: Path, arguments: list[str], parts: Sequence[str]) -> None:
    line = line_of(invoke(arguments[0], run, *arguments[1:]))
    for part in parts:
        assert part in line


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (["--seed", "7"], "leave out --seed"),
        (["--seed", "0"], "leave out --seed"),
        (["--set", "seven=skip", "--bots", "greedy"], "leave out --set, --bots"),
    ],
)
def test_a_run_that_is_searched_has_its_own_seed_rules_and_bots(run: Path, given: list[str], named: str) -> None:
    line = line_of(invoke("find", run, *given))
    assert "has its own seed, rules and bots" in line
    assert named in line


def test_names_that_mean_something_else_in_summary_are_told(run: Path) -> None:
    result = invoke("find", run, "--where", "blocked > 0.5 and rounds > 2", "--by", "turns", "--top", "1")
    assert result.exit_code == 0
    notes = [" ".join(note.split()) for note in result.stderr.split("note: ")[1:]]
    assert notes == [
        "turns is of a whole game here: turns, skipped ones included; in `kozyr summary` it is: turns a round",
        "blocked is of a whole game here: rounds that ended because nobody left could lay a card; in `kozyr summary` it is:"
        " share of rounds that are blocked",
    ]
    assert "note" not in invoke("find", run, "--where", "rounds > 2", "--by", "lead_changes").stderr
    assert "counts of the whole game" in " ".join(invoke("find", "--help").stdout.replace("│", " ").split())


def test_a_folder_of_runs_is_told_from_a_run(run: Path, tmp_path: Path) -> None:
    for command in ("summary", "compare", "fairness", "report", "find"):
        line = line_of(invoke(command, run.parent))
        assert f"{run.parent}: is not the folder of a run" in line
        assert f"runs inside it: {run}" in line
    assert "there is nothing of that name" in line_of(invoke("summary", tmp_path / "none"))
    assert "no manifest.json in it)" in line_of(invoke("summary", tmp_path))
    (tmp_path / "manifest.json").mkdir()
    assert "its manifest.json is a folder" in line_of(invoke("summary", tmp_path))
    assert "it is a file" in line_of(invoke("summary", run / "manifest.json"))


# --- results ----------------------------------------------------------------------------------------------------------


def test_simulate_prints_what_was_played(tmp_path: Path) -> None:
    result = invoke(
        "simulate", "bank", "--games", "1e2", "--seed", "3", "--vary", "seven=1,4", "--out", tmp_path / "run"
    )
    assert result.exit_code == 0
    assert result.stderr == ""
    digest = simulate("bank", 100, vary={"seven": ["skip", "nothing"]}, seed=3).manifest.digest
    assert "2 variants × 100 games, seed 3" in result.stdout
    assert digest in result.stdout
    assert str(tmp_path / "run") in result.stdout
    assert open_run(tmp_path / "run").manifest.digest == digest


def test_notes_go_to_standard_error() -> None:
    result = invoke("simulate", "bank", "--games", "100", "--vary", "penalty_fixed")
    assert result.exit_code == 0
    assert "penalty_fixed has no effect" in result.stderr
    assert "its values are run once" in result.stderr
    assert "1 variant ×" in result.stdout
    assert "note" not in result.stdout


def test_seed_numbers_and_words_are_the_same(tmp_path: Path) -> None:
    by_word = invoke("replay", "bank", "--set", "seven=draw_skip", "--set", "trumps=none", "--format", "jsonl")
    by_number = invoke("replay", "bank", "--set", "seven=3", "--set", "trumps=2", "--format", "jsonl")
    assert by_word.exit_code == by_number.exit_code == 0
    assert by_word.stdout == by_number.stdout
    assert json.loads(by_word.stdout.splitlines()[0])["rules"]["seven"] == "draw_skip"


@pytest.mark.parametrize("name", GAMES)
def test_a_replay_prints_its_games_and_nothing_else(name: str) -> None:
    result = invoke("replay", name, "--seed", "7", "--index", "3..5", "--bots", "random", "--format", "jsonl")
    assert result.exit_code == 0
    assert result.stderr == ""
    events = [json.loads(line) for line in result.stdout.splitlines()]
    assert [event["index"] for event in events if event["event"] == "game"] == [3, 4, 5]
    assert sum(event["event"] == "game_end" for event in events) == 3
    text = invoke("replay", name, "--seed", "7", "--index", "3")
    assert text.exit_code == 0
    assert "seed 7, game 3" in text.stdout


@pytest.mark.parametrize("command", ["summary", "compare"])
@pytest.mark.parametrize("form", ["table", "csv", "json", "md"])
def test_tables_are_results(run: Path, command: str, form: str) -> None:
    result = invoke(command, run, "--format", form)
    assert result.exit_code == 0
    assert "first_mover_edge" in result.stdout
    if form == "json":
        assert len(json.loads(result.stdout)) > 10
    if form in ("csv", "json"):
        assert result.stderr == ""


def test_the_command_that_a_manifest_names_makes_the_run_again(kozyr: Kozyr, tmp_path: Path) -> None:
    first = kozyr("simulate", "bank", "--games", "100", "--vary", "cover", "--out", "a b", cwd=tmp_path)
    assert first.returncode == 0, first.stderr
    command = open_run(tmp_path / "a b").manifest.command
    assert command == "kozyr simulate bank --games 100 --vary cover --out 'a b'"
    shutil.move(tmp_path / "a b", tmp_path / "old")
    script = command.replace("kozyr", f"{sys.executable} -m cli", 1)
    subprocess.run(["sh", "-c", script], cwd=tmp_path, env=process_env(), check=True, capture_output=True)
    assert open_run(tmp_path / "a b").manifest.digest == open_run(tmp_path / "old").manifest.digest


def test_counts_and_seeds_may_be_written_with_a_power_of_ten() -> None:
    plain, short = (
        invoke("find", "bank", "--seed", seed, "--games", games, "--top", top, "--threads", threads, "--format", "csv")
        for seed, games, top, threads in (("1000", "50", "10", "1"), ("1e3", "5e1", "1e1", "1e0"))
    )
    assert plain.exit_code == short.exit_code == 0
    assert plain.stdout == short.stdout
    shown = invoke("replay", "bank", "--seed", "1e3", "--index", "1e3..1_001", "--format", "jsonl").stdout
    starts = [event for event in map(json.loads, shown.splitlines()) if event["event"] == "game"]
    assert [(event["seed"], event["index"]) for event in starts] == [(1000, 1000), (1000, 1001)]


def test_bots_that_are_named_twice_are_played_once_and_a_note_says_so() -> None:
    result = invoke("simulate", "bank", "--games", "100", "--vary-bots", "greedy", "--vary-bots", "greedy")
    assert result.exit_code == 0
    assert result.stderr == "note: the bots 'greedy' are given twice; they are played once\n"
    assert "1 variant ×" in result.stdout


def test_no_option_shows_its_type_in_place_of_what_it_takes() -> None:
    for command in COMMANDS:
        options = [line for line in invoke(command, "--help").stdout.splitlines() if "--" in line[:10]]
        assert options
        assert not [line for line in options if any(kind in line for kind in ("<list", "<str>", "<int"))]


# --- as a process -----------------------------------------------------------------------------------------------------


def test_errors_of_a_process_are_a_line_and_a_code(kozyr: Kozyr) -> None:
    assert "did you mean 'bank'?" in refused(kozyr("simulate", "banc"))
    assert "is not allowed" in refused(kozyr("simulate", "bank", "--games", "0"))


EARLY = {
    "while the module of the commands is read": "import builtins\nreal = builtins.__import__\n"
    "def stop(name, *rest):\n    if name == 'typer':\n        raise KeyboardInterrupt\n    return real(name, *rest)\n"
    "builtins.__import__ = stop\nimport cli",
    "while the commands are set up": "import typer.main, cli\n"
    "def stop(*_, **__):\n    raise KeyboardInterrupt\ntyper.main.get_command = stop\ncli.app()",
    "while the arguments are read": "import cli\n"
    "def stop(*_, **__):\n    raise KeyboardInterrupt\ncli.Group.make_context = stop\ncli.app()",
    "while a command imports": "import sys, cli, reports.shell\nsys.argv = ['kozyr', 'games']\n"
    "def stop():\n    raise KeyboardInterrupt\nreports.shell._print_anything = stop\ncli.app()",
}


@pytest.mark.parametrize("when", EARLY)
def test_an_early_interrupt_is_told_in_one_line(when: str) -> None:
    done = subprocess.run([sys.executable, "-c", EARLY[when]], env=process_env(), capture_output=True, text=True)
    assert done.returncode in (130, -signal.SIGINT)
    assert done.stderr == "kozyr: interrupted\n"
    assert done.stdout == ""


def test_who_replays_a_folder_is_told_how_games_of_a_run_are_found(run: Path) -> None:
    assert f"`kozyr find {run}` lists games" in line_of(invoke("replay", run, "--index", "3"))


def test_the_installed_command_is_this_one() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    assert 'kozyr = "cli:app"' in text


@pytest.mark.parametrize("lines", [0, 1])
def test_a_closed_pipe_ends_a_command_without_a_word(compiled: None, lines: int) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "cli", "replay", "bank", "--index", "0..300"],
        env=process_env(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    for _ in range(lines):
        assert process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(timeout=120) in (0, 1)
    process.stderr.close()
    assert err == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_results_that_cannot_be_written_are_told(kozyr: Kozyr, run: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = kozyr("summary", run, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 1
    assert done.stderr == "kozyr: standard output: No space left on device\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["--help"], ["find", "--help"]])
def test_help_that_cannot_be_written_is_told(kozyr: Kozyr, words: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = kozyr(*words, stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 1
    assert done.stderr == "kozyr: standard output: No space left on device\n"


def test_a_command_whose_output_is_closed_still_works(compiled: None, tmp_path: Path) -> None:
    script = '"$0" -m cli simulate bank --games 100 --out "$1" >&- 2>&-'
    done = subprocess.run(["sh", "-c", script, sys.executable, tmp_path / "run"], env=process_env(), check=False)
    assert done.returncode == 0
    assert open_run(tmp_path / "run").tallies.complete


def test_what_the_encoding_cannot_show_is_escaped(kozyr: Kozyr, tmp_path: Path) -> None:
    done = kozyr("simulate", "bank", "--games", "100", env=process_env(PYTHONIOENCODING="ascii"))
    assert done.returncode == 0, done.stderr
    assert "1 variant x 100 games" in done.stdout
    folder = os.fsdecode(os.fsencode(tmp_path) + b"/a\xffb")
    done = kozyr(
        "simulate", "bank", "--games", "100", "--out", folder, env=process_env(PYTHONIOENCODING="utf-8:strict")
    )
    assert done.returncode == 0, done.stderr
    assert open_run(folder).tallies.complete
    assert "a\\udcffb" in done.stdout
    refused(
        kozyr("simulate", "bank", "--games", "100", "--out", folder, env=process_env(PYTHONIOENCODING="utf-8:strict"))
    )


def test_escapes_of_a_terminal_do_not_reach_it(kozyr: Kozyr) -> None:
    for arguments in (
        ["simulate", "bank\x1b[31m"],
        ["summary", "a\nb\x1b[2J"],
        ["simulate", "bank", "--bots", "\x1b]0;x\x07"],
    ):
        assert "\x1b" not in refused(kozyr(*arguments))


def test_a_very_long_argument_is_told_shortly(kozyr: Kozyr) -> None:
    line = refused(kozyr("simulate", "bank", "--bots", "x" * 100_000))
    assert len(line) < 2500
    assert "allowed: random" in line
