"""What the page on extending says is done: its changes are made in a copy of Kozyr, and the result is played and checked."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "extending.md"
_BLOCK = re.compile(r'^```(\w+) title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
COPIED = ("simcore", "analysis", "reports", "cli.py", "tests/reference")


def copy_of_kozyr(folder: Path) -> Path:
    """A copy of the sources."""
    for name in COPIED:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return folder


def apply(change: str, path: Path) -> None:
    """Make a change: lines that begin with a space are there, those with + come in, those with - go."""
    lines = change.splitlines()
    assert all(line[:1] in (" ", "+", "-") for line in lines), change
    before = "\n".join(line[1:] for line in lines if line[0] != "+") + "\n"
    after = "\n".join(line[1:] for line in lines if line[0] != "-") + "\n"
    text = path.read_text(encoding="utf-8")
    assert text.count(before) == 1, f"{path.name}: not there once:\n{before}"
    path.write_text(text.replace(before, after), encoding="utf-8")


def python(folder: Path, code: str, *, compiled: bool) -> str:
    """What a piece of Python prints that uses the copy."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(folder / "tests")))}
    environment |= {"NUMBA_DISABLE_JIT": str(int(not compiled)), "KOZYR_CACHE_DIR": str(folder / "cache")}
    # integers of the random streams wrap round, which NumPy remarks on where no compiler stands between
    command = [sys.executable, "-W", "error", "-W", "ignore:overflow encountered:RuntimeWarning", "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment, timeout=600)
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.fixture(scope="module")
def extended(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with everything done that the page says."""
    folder = copy_of_kozyr(tmp_path_factory.mktemp("copy"))
    blocks = _BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    assert {language for language, _, _ in blocks} == {"diff", "python"}
    for language, title, text in blocks:
        if language == "diff":
            apply(text, folder / title)
        else:
            (folder / title).parent.mkdir(exist_ok=True)
            (folder / title).write_text(text, encoding="utf-8")
    (folder / "simcore/games/highcard/__init__.py").touch()
    games = folder / "simcore/games/__init__.py"
    games.write_text(games.read_text().replace('GAMES = ("bank"', 'GAMES = ("highcard", "bank"'))
    return folder


PLAY = """
import json
from pathlib import Path
import simcore
from simcore import find_game, replay, simulate
from reference.bank import check

assert Path(simcore.__file__).is_relative_to(Path.cwd()), simcore.__file__
game = find_game("bank")
settings = {"max_rounds": 4, "players": 3}
run = simulate("bank", GAMES, settings, {"mercy": None, "penalty": ["hand", "fixed", "none"]}, seed=3, threads=1)
frame = run.frame().groupby("variant", sort=False).sum()
alone = {}
for mercy in ("no", "yes"):
    alone[mercy] = simulate("bank", GAMES, {**settings, "mercy": mercy}, seed=3, threads=1).manifest.digest
spared = 0
for index in range(CHECKED):
    for penalty in ("hand", "fixed"):
        rules = {**settings, "mercy": "yes", "penalty": penalty, "penalty_on": ("holders", "loser")[index % 2]}
        played = replay("bank", 3, index, rules)
        assert check(played.events).total == played.events[-1]["total"]
        spared += played.events != replay("bank", 3, index, {**rules, "mercy": "no"}).events
print(json.dumps({"penalty": frame["penalty"].to_dict(), "digests": alone, "notes": run.notes, "spared": spared,
                  "allowed": game.rules["mercy"].allowed}))
"""


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.nightly)])
def test_an_option_added_as_the_page_says(extended: Path, compiled: bool) -> None:
    games = "400" if compiled else "6"
    out = python(extended, PLAY.replace("GAMES", games).replace("CHECKED", "4"), compiled=compiled)
    found = json.loads(out)
    assert found["allowed"] == "no, yes"
    assert found["digests"]["no"] != found["digests"]["yes"]
    assert found["spared"] > 0
    penalty = found["penalty"]
    assert list(penalty) == [
        "mercy=no, penalty=hand",
        "mercy=no, penalty=fixed",
        "mercy=no, penalty=none",
        "mercy=yes, penalty=hand",
        "mercy=yes, penalty=fixed",
    ]
    assert penalty["mercy=yes, penalty=hand"] < penalty["mercy=no, penalty=hand"]
    assert penalty["mercy=yes, penalty=fixed"] < penalty["mercy=no, penalty=fixed"]
    assert any(note.startswith("mercy has no effect") for note in found["notes"])


def test_a_change_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "file.py"
    path.write_text("a\nb\n")
    apply(" a\n-b\n+c\n", path)
    assert path.read_text() == "a\nc\n"
    with pytest.raises(AssertionError, match="not there once"):
        apply(" b\n+c\n", path)


def test_the_reference_knows_if_a_branch_is_missing(extended: Path, tmp_path: Path) -> None:
    """Without the kernel's branch the checker refuses the game."""
    folder = tmp_path / "copy"
    shutil.copytree(extended, folder, ignore=shutil.ignore_patterns("cache", "__pycache__"))
    scoring = folder / "simcore/games/bank/scoring.py"
    branch = "    if opt.mercy == _MERCY and popcount(hand) == 1:\n        return 0\n"
    assert branch in scoring.read_text()
    scoring.write_text(scoring.read_text().replace(branch, ""))
    code = """
from reference.bank import RuleViolation, check
from simcore import replay
refused = 0
for index in range(4):
    try:
        check(replay("bank", 3, index, {"mercy": "yes", "max_rounds": 8}).events)
    except RuleViolation as violation:
        assert "penalty" in str(violation)
        refused += 1
print(refused)
"""
    assert int(python(folder, code, compiled=False)) > 0


HIGHCARD = """
import json
from simcore import replay, simulate
from simcore.games import find_game
from analysis.tables import compare, summary
from reports.declared import describe

assert "High card" in describe(find_game("highcard"))
run = simulate("highcard", 20_000, vary={"ace": None}, bots=["random", "random,keen(below=7)"], seed=1, threads=1)
again = simulate("highcard", 20_000, vary={"ace": None}, bots=["random", "random,keen(below=7)"], seed=1, threads=2)
assert run.manifest.digest == again.manifest.digest
assert len(compare(run)) == 3 * 3
table = summary(run, ["win_share"]).set_index(["variant", "metric"])["value"]
keen = "ace=high; random/keen(below=7)"
assert abs(table["ace=high; random", "win_share.0"] - 0.5) < 0.02
assert table[keen, "win_share.1"] > table[keen, "win_share.0"] + 0.05
for low in ("high", "low"):
    order = ("A" if low == "low" else "") + "23456789TJQK" + ("A" if low == "high" else "")
    for index in range(50):
        played = replay("highcard", 1, index, {"ace": low, "players": 3})
        held = {e["seat"]: e["card"] for e in played.events if e["event"] in ("deal", "exchange")}
        best = max(order.index(card[0]) for card in held.values())
        winners = [seat for seat, card in held.items() if order.index(card[0]) == best]
        assert [played.counts[f"wins.{s}"] for s in range(3)] == [12 // len(winners) * (s in winners) for s in range(3)]
        assert played.events[-1]["winner"] == (winners[0] if len(winners) == 1 else None)
        assert played.counts["exchanges"] == sum(e["event"] == "exchange" for e in played.events)
        assert len(list(played.text())) == len(played.events) - 1
print("played")
"""


def test_a_game_added_as_the_page_says(extended: Path) -> None:
    assert python(extended, HIGHCARD, compiled=True) == "played\n"
