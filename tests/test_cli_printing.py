"""What commands print for people: no line beyond 80 columns, no broken name, shares in per cent, letters that can be shown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from conftest import Kozyr, process_env
from typer.testing import CliRunner, Result

import cli
from analysis.tables import compare, summary
from reports import console, terminal
from reports.letters import has_suits, with_suits
from simcore import GAMES, find_game, open_run, simulate

LONG = {"end_cost": [0, 1], "gifts": ["yes", "no"]}


def invoke(*arguments: Any, columns: int = 80) -> Result:
    """Run a command as in a pipe, with a width told by COLUMNS."""
    environment = {"COLUMNS": str(columns), "NO_COLOR": "1"}
    return CliRunner().invoke(cli.app, [str(argument) for argument in arguments], env=environment)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A run with short names of variants, with capped games; and one with long ones."""
    folder = tmp_path_factory.mktemp("runs")
    simulate("bank", 400, vary={"trumps": ["own", "none"]}, bots="random", seed=2, out=folder / "short")
    tables = ["builder(end_from=6),builder(end_from=5)", "greedy"]
    simulate("square", 60, vary=LONG, bots=tables, seed=2, out=folder / "long")
    return {"short": folder / "short", "long": folder / "long"}


PRINTED = [
    "summary {short}",
    "summary {short} --all",
    "summary {long}",
    "compare {short} --margin rounds=0.5 --margin comebacks=3pp",
    "compare {long} --all",
    "fairness {short}",
    "fairness {long}",
    "find {long} --top 3",
    "find bank --games 200 --top 2 --where 'turns > 300'",
    "games",
    "rules bank",
    "rules square",
    "rules ochko",
    "sensitivity bank --metric blocked --set target=40 --bots greedy --vary trumps --vary seven --games 50",
    "check bank --claim seven-3 --max-games 300 --bots greedy",
    "check bank --claim seven-3 --multiverse --ruling cover --ruling run_suits --max-games 200 --budget 20000 --out {out}",
]


@pytest.mark.parametrize("command", PRINTED)
def test_what_is_printed_fits_80_columns_and_breaks_no_name(
    runs: dict[str, Path], tmp_path: Path, command: str
) -> None:
    import shlex

    words = shlex.split(command.format(**runs, out=tmp_path / "out"))
    done = invoke(*words)
    assert done.exit_code in (0, 1), done.output
    lines = done.stdout.splitlines()
    assert len(lines) > 2
    assert [line for line in lines if len(line) > 80 and not line.startswith("replay the first: ")] == []
    assert not any(line != line.rstrip() for line in lines)
    wide = invoke(*words, columns=400)
    names = set(re.findall(r"[a-z]+_[a-z_.0-9]+", wide.stdout))
    assert names <= set(re.findall(r"[a-z]+_[a-z_.0-9]+", done.stdout))
    assert "\x1b" not in done.stdout


def _row(text: str, *starts: str) -> str:
    return next(line for line in text.splitlines() if all(word in line for word in starts))


def test_shares_are_told_in_per_cent_and_numbers_to_the_digits_that_their_intervals_support(
    runs: dict[str, Path],
) -> None:
    frame = summary(open_run(runs["short"]), ["blocked"])
    value = float(frame["value"].iloc[0])
    shown = _row(invoke("summary", runs["short"]).stdout, "blocked")
    found = re.search(r"([\d.]+) %", shown)
    assert found
    assert float(found[1]) == pytest.approx(100 * value, abs=0.5)
    apart = compare(open_run(runs["short"]), metrics=["blocked"])["difference"].iloc[0]
    shown = _row(invoke("compare", runs["short"]).stdout, "blocked")
    found = re.search(r"([+−][\d.]+) pp", shown)
    assert found
    assert float(found[1].replace("−", "-")) == pytest.approx(100 * apart, abs=0.5)


@pytest.mark.parametrize("command", ["summary {short}", "compare {short}", "fairness {short}", "find {short}", "games"])
def test_formats_for_programs_hold_the_same_rows(runs: dict[str, Path], command: str) -> None:
    words = command.format(**runs).split()
    rows = json.loads(invoke(*words, "--format", "json").stdout)
    frame = pd.read_csv(StringIO(invoke(*words, "--format", "csv").stdout))
    assert len(rows) == len(frame) > 1
    assert list(rows[0]) == list(frame.columns)
    table = [line for line in invoke(*words, "--format", "md").stdout.splitlines() if line.startswith("|")]
    assert len(table) > 2
    assert len({len(re.findall(r"(?<!\\)\|", line)) for line in table[:3]}) == 1


def test_declarations_come_as_records(tmp_path: Path) -> None:
    for name in GAMES:
        rows = json.loads(invoke("rules", name, "--format", "json").stdout)
        game = find_game(name)
        for option in game.rules:
            (row,) = [row for row in rows if row["name"] == option.name and row["what"] == option.kind]
            assert row["default"] == str(option.default)
            assert option.meaning in row["meaning"]
        assert sum(row["what"] == "metric" for row in rows) == len(game.metrics)
        assert f"| `{next(iter(game.rules)).name}` |" in invoke("rules", name, "--format", "md").stdout


def test_commands_that_write_say_what_they_wrote_to_programs_too(tmp_path: Path) -> None:
    out = tmp_path / "run"
    rows = json.loads(invoke("simulate", "bank", "--games", "60", "--out", out, "--format", "json").stdout)
    assert [row["folder"] for row in rows] == [str(out)]
    assert rows[0]["digest"] == open_run(out).manifest.digest
    rows = json.loads(invoke("report", out, "--png", "--format", "json").stdout)
    assert [Path(row["file"]).is_file() for row in rows] == [True, True]
    svg, png = (sorted(p.stem for p in (out / "report" / "files").glob(f"*.{kind}")) for kind in ("svg", "png"))
    assert svg == png != []
    study = tmp_path / "s.toml"
    study.write_text('[study]\ntitle = "T"\ngame = "bank"\ngames = 50\n\n[[run]]\nid = "a"\ntitle = "A"\n')
    rows = json.loads(invoke("run", study, "--out", tmp_path / "s", "--format", "json").stdout)
    assert [row["document"] for row in rows] == ["page", "Markdown"]


# --- letters ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437"])
def test_where_letters_are_lacking_their_steads_are_printed(kozyr: Kozyr, runs: dict[str, Path], encoding: str) -> None:
    for command in (["compare", runs["short"]], ["replay", "bank", "--index", "1"], ["games"]):
        done = kozyr(*command, env=process_env(PYTHONIOENCODING=encoding), text=False)
        assert done.returncode == 0, done.stderr
        text = done.stdout.decode(encoding)
        assert "\\u" not in text
        assert "\\x" not in text
    done = kozyr("compare", runs["short"], env=process_env(PYTHONIOENCODING="ascii"))
    assert re.search(r"-\d.*pp", done.stdout)


def test_suits_are_signs_where_they_can_be_shown(kozyr: Kozyr) -> None:
    shown = kozyr("replay", "bank", "--index", "1", env=process_env(PYTHONIOENCODING="utf-8"))
    plain = kozyr("replay", "bank", "--index", "1", env=process_env(PYTHONIOENCODING="ascii"))
    assert "♠" in shown.stdout
    assert plain.stdout.isascii()
    signs = str.maketrans({"♣": "c", "♦": "d", "♥": "h", "♠": "s"})
    assert re.sub(r"\b10(?=[cdhs]\b)", "T", shown.stdout.translate(signs)) == plain.stdout
    assert has_suits("utf-8")
    assert not has_suits("latin-1")
    assert not has_suits(None)


def test_text_of_several_lines_is_printed_whole_and_folded_line_by_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    console.out("  one two three four five\n\nsix")
    assert capsys.readouterr().out == "  one two three four\n    five\n\nsix\n"


def test_columns_of_cards_stay_columns() -> None:
    assert with_suits("  0 draws Th") == "  0 draws 10♥"
    assert with_suits("         .  Ts   .") == "         . 10♠   ."
    assert with_suits("  0 discards 3d, not Ace") == "  0 discards 3♦, not Ace"


# --- tables -----------------------------------------------------------------------------------------------------------


def _grid(rows: list[tuple[str, ...]], heads: tuple[str, ...], right: set[int]) -> terminal.Grid:
    return terminal.Grid(heads, tuple(rows), frozenset(right))


def _lines(grid: terminal.Grid, room: int) -> list[str]:
    return [line for line, _ in terminal.lines(terminal.fitted(grid, room), room)]


def test_a_table_that_fits_keeps_its_columns_and_says_a_repeated_name_once() -> None:
    grid = _grid([("a=1", "x", "1.5"), ("a=1", "yy", "10.0")], ("variant", "metric", "value"), {2})
    assert _lines(grid, 40) == ["variant  metric  value", "a=1      x         1.5", "         yy       10.0"]


def test_a_table_that_is_too_wide_makes_headings_of_what_repeats() -> None:
    grid = _grid([("a=1", "x", "1.5"), ("a=1", "yy", "10.0")], ("variant", "metric", "value"), {2})
    assert _lines(grid, 20) == ["  metric  value", "a=1", "  x         1.5", "  yy       10.0"]


def test_long_texts_are_folded_at_blanks_and_names_never() -> None:
    text = "what the bots leave to chance alike for all seats"
    grid = _grid([("dice", "1", text), ("x" * 30, "2", "short")], ("term", "share", "meaning"), {1})
    lines = _lines(grid, 60)
    assert max(map(len, lines)) <= 60
    assert "x" * 30 in " ".join(lines)
    assert " ".join("".join(line[39:] + " " for line in lines[1:-1]).split()) == text


@pytest.mark.parametrize("room", [1, 20, 200])
def test_any_table_can_be_laid_out(room: int) -> None:
    rows = [("", "", ""), ("a", "b c d e f g h i j k l m n o p q", "1")]
    assert len(_lines(_grid(rows, ("one", "two words here", "n"), {2}), room)) >= 3
    assert _lines(_grid([], ("one",), set()), room) == ["one"]


# --- completion -------------------------------------------------------------------------------------------------------


@pytest.fixture
def completed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], set[str]]:
    """What bash is offered for the last word of a line."""

    def offered(line: str) -> set[str]:
        words = line.split(" ")
        environment = {"_KOZYR_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
        monkeypatch.setenv("COMP_WORDS", line)
        done = CliRunner().invoke(cli.app, [], prog_name="kozyr", env=environment)
        assert done.exit_code == 0, done.output
        return set(done.stdout.split())

    return offered


def test_the_shell_is_offered_games_options_values_bots_and_metrics(
    completed: Callable[[str], set[str]], runs: dict[str, Path]
) -> None:
    assert completed("kozyr rules ") == set(GAMES)
    assert completed("kozyr rules o") == {"ochko"}
    assert completed("kozyr simulate bank --set sev") == {"seven="}
    assert completed("kozyr simulate bank --vary seven=d") == {"seven=draw_play", "seven=draw_skip"}
    assert completed("kozyr simulate bank --bots greedy,t") == {"greedy,thrifty"}
    assert "rounds" in completed(f"kozyr summary {runs['short']} --metric ro")
    assert completed("kozyr summary nowhere --metric ro") == set()
    assert completed("kozyr simulate --set sev") == set()
