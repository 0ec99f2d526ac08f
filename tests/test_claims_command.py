"""kozyr check: exit codes, formats, files and messages; claims in the report of a study."""

from __future__ import annotations

import io
import json
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pandas as pd
import pytest
from claims_cases import SHORT, claim_text, claims_file
from conftest import Kozyr, refused

from analysis.samplesize import Needed
from analysis.study import load_study
from analysis.verdicts import Verdict
from reports.claim_parts import more_games
from simcore.errors import InputError

GAMES = SHORT.partition("= ")[2]
TRUE = claim_text("holds", metric='"skips"', margin="-0.05", set=GAMES, max_games="3_000")
FALSE = claim_text("fails", metric='"skips"', direction='"greater"', margin="-0.05", set=GAMES, max_games="3_000")
OPEN = claim_text("open", metric='"rounds"', direction='"greater"', margin="0.0", set=GAMES, max_games="200")


@pytest.mark.parametrize(
    ("texts", "code", "last"),
    [
        ((TRUE,), 0, "1 supported, 0 refuted, 0 undecided"),
        ((TRUE, FALSE), 1, "1 supported, 1 refuted, 0 undecided"),
        ((TRUE, OPEN), 1, "1 supported, 0 refuted, 1 undecided"),
    ],
)
def test_exit_codes(kozyr: Kozyr, tmp_path: Path, texts: tuple[str, ...], code: int, last: str) -> None:
    done = kozyr("check", claims_file(tmp_path / "c.toml", *texts))
    assert done.returncode == code, done.stderr
    assert done.stdout.splitlines()[-1] == last


def test_what_is_wrong_is_told_in_one_line_with_exit_code_2(kozyr: Kozyr, tmp_path: Path) -> None:
    path = claims_file(tmp_path / "c.toml", claim_text("a", margin='"1 pp"'))
    assert f"{path}:13: [[claim]] 1 (a): key 'margin'" in refused(kozyr("check", path))
    assert "unknown claim 'b'; allowed: holds" in refused(kozyr("check", claims_file(path, TRUE), "--claim", "b"))
    assert "unknown game 'bnak'" in refused(kozyr("check", "bnak"))
    assert "cannot be read" in refused(kozyr("check", tmp_path / "none.toml"))
    assert "--max-games '0' is not allowed" in refused(kozyr("check", path, "--max-games", "0"))
    assert "unknown bot of bank 'gredy'" in refused(kozyr("check", path, "--bots", "gredy"))


def test_a_claim_without_an_interval_says_how_far_the_first_look_is(kozyr: Kozyr, tmp_path: Path) -> None:
    done = kozyr("check", claims_file(tmp_path / "c.toml", OPEN), "--max-games", "20")
    assert "rounds (no interval yet); 20 games a variant" in done.stdout
    assert "  no interval yet: about 10 more games until the first look; raise --max-games" in done.stdout.splitlines()


@pytest.mark.parametrize(
    ("more", "optimistic", "pessimistic", "text"),
    [
        (
            287_400,
            4_600,
            None,
            "about 290,000 more games would decide it (from about 4,600; no number would be enough if",
        ),
        (1_040, 96, 5_020, "about 1,000 more games would decide it (from about 96 to 5,000, as the estimate is"),
        (7_800, 0, 54_800, "about 7,800 more games would decide it (perhaps a few to 55,000, as the estimate is"),
        (10, 10, 10, "at the noise and estimate so far, about 10 more games would decide it"),
        (None, 400, None, "no number of games would decide it"),
    ],
)
def test_forecasts_say_what_they_rest_on(more: int | None, optimistic: int, pessimistic: int | None, text: str) -> None:
    needed = Needed(more, more, optimistic, pessimistic, "supported")
    verdict = SimpleNamespace(needed=needed, estimate=SimpleNamespace(low=-1.0, high=1.0))
    assert text in more_games(cast(Verdict, verdict))


def test_verdicts_for_people_say_how_the_claim_was_read_and_what_it_would_take(kozyr: Kozyr, tmp_path: Path) -> None:
    reading = claim_text(
        "open-x", set=GAMES, max_games="200", reading='"As turns."', caveat='"Games differ."', metric='"game_turns"'
    )
    done = kozyr("check", claims_file(tmp_path / "c.toml", OPEN, reading), "--claim", "open")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("open  undecided  Seven rule 4")
    assert "  rounds(seven=nothing) - rounds(seven=skip): claimed > 0" in lines
    assert "  read as: As turns." in lines
    assert "  mind: Games differ." in lines
    assert any("more games" in line for line in lines)
    assert "agreement on “Seven rule 4 makes games short.”" in lines


def test_formats_hold_the_same(kozyr: Kozyr, tmp_path: Path) -> None:
    path = claims_file(tmp_path / "c.toml", TRUE, FALSE)
    as_json = pd.DataFrame(json.loads(kozyr("check", path, "--format", "json").stdout))
    as_csv = pd.read_csv(io.StringIO(kozyr("check", path, "--format", "csv", "--threads", "1").stdout))
    assert list(as_json["claim"]) == list(as_csv["claim"]) == ["holds", "fails"]
    assert list(as_json["verdict"]) == ["supported", "refuted"]
    assert as_json["estimate"].to_numpy() == pytest.approx(as_csv["estimate"].to_numpy())
    markdown = kozyr("check", path, "--format", "md").stdout
    assert markdown.startswith("| claim | verdict |")


def test_bots_and_games_can_be_given(kozyr: Kozyr, tmp_path: Path) -> None:
    path = claims_file(tmp_path / "c.toml", OPEN)
    done = kozyr("check", path, "--bots", "random", "--max-games", "1e3", "--format", "json")
    (row,) = json.loads(done.stdout)
    assert row["bots"] == "random"
    assert 200 < row["games"] <= 1000


def test_the_folder_holds_verdicts_and_a_report_with_tables_and_pictures(kozyr: Kozyr, tmp_path: Path) -> None:
    hostile = claim_text(
        "hostile", sentence="'<b>bold</b> & \"said\"'", set=GAMES, max_games="3_000", metric='"skips"', margin="-0.05"
    )
    out = tmp_path / "out"
    done = kozyr("check", claims_file(tmp_path / "c.toml", TRUE, hostile), "--out", out)
    assert done.returncode == 0, done.stderr
    assert list(pd.read_csv(out / "verdicts.csv")["verdict"]) == ["supported", "supported"]
    page = (out / "report.html").read_text(encoding="utf-8")
    assert "<b>bold</b>" not in page
    assert "&lt;b&gt;bold&lt;/b&gt;" in page
    markdown = (out / "report.md").read_text(encoding="utf-8")
    for part in (
        "## What is claimed, and does it hold?",
        "### Closing in",
        "● supported",
        "**Verdicts**",
        "**Many claims**",
    ):
        assert part in markdown
    course = pd.read_csv(out / "files" / "claims-sequences.csv")
    verdicts = pd.read_csv(out / "verdicts.csv").set_index("claim")
    for name, part in course.groupby("claim"):
        last = part.iloc[-1]
        assert last["games"] == verdicts.loc[name, "games"]
        assert last["value"] == pytest.approx(verdicts.loc[name, "estimate"])
        assert last["low"] == pytest.approx(verdicts.loc[name, "low"])
    panel = (out / "files" / "claims-sequences-1.svg").read_text(encoding="utf-8")
    assert "<title>skips(seven=nothing) - skips(seven=skip), claimed &lt; −0.05: supported after" in panel


# --- in studies -------------------------------------------------------------------------------------------------------

STUDY = """[study]
title = "A study"
game = "bank"
games = 200
claims_file = "c.toml"
claims = "all"
multiverse = ["holds"]
multiverse_budget = 30_000
sensitivity = ["rounds"]
sensitivity_games = 50

[[run]]
id = "sevens"
vary = { seven = ["skip", "nothing"] }
set = { players = 2, target = 20, hand_size = 2 }
bots = "greedy"
"""


def test_a_study_reports_claims_multiverses_and_sensitivities(kozyr: Kozyr, tmp_path: Path) -> None:
    claims_file(tmp_path / "c.toml", TRUE + 'rulings = ["cover"]\n', FALSE)
    study = tmp_path / "s.toml"
    study.write_text(STUDY)
    done = kozyr("run", study, "--out", tmp_path / "out")
    assert done.returncode == 0, done.stderr
    report = (tmp_path / "out" / "report.md").read_text(encoding="utf-8")
    for heading in (
        "sevens",
        "What is claimed, and does it hold?",
        "Does holds hang on bots or rulings?",
        "What “rounds a game” hangs on",
    ):
        assert f"## {heading}" in report
    for part in ("Specification curve", "Closing in", "What each option does", "Shares of the variance"):
        assert f"### {part}" in report
    assert (tmp_path / "out" / "multiverse" / "holds.multiverse.json").is_file()
    again = kozyr("run", study, "--out", tmp_path / "out")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "out" / "report.md").read_text(encoding="utf-8") == report


@pytest.mark.parametrize(
    ("old", "new", "line", "part"),
    [
        ('claims = "all"', 'claims = ["hold"]', 6, "key 'claims': unknown claim 'hold'"),
        ('claims = "all"', "claims = [1]", 6, "key 'claims' must be a list of texts"),
        ('claims_file = "c.toml"', 'claims_file = "d.toml"', 1, "cannot be read"),
        ('game = "bank"', 'game = "square"', 5, "its claims are about bank, not square"),
        ('multiverse = ["holds"]', 'multiverse = ["hold"]', 7, "key 'multiverse': unknown claim 'hold'"),
        ("multiverse_budget = 30_000", "multiverse_budget = 0", 8, "multiverse_budget = 0 is not allowed"),
        ('sensitivity = ["rounds"]', 'sensitivity = ["round"]', 9, "key 'sensitivity': unknown metric"),
        ("sensitivity_games = 50", "sensitivity_game = 50", 10, "unknown key 'sensitivity_game'"),
        ("vary = { seven", "vary = { sevn", 12, "unknown option of bank 'sevn'"),
        ('id = "sevens"', 'id = "se vens"', 13, "id 'se vens' is not allowed"),
    ],
)
def test_what_is_wrong_in_a_study_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, line: int, part: str
) -> None:
    claims_file(tmp_path / "c.toml", TRUE, FALSE)
    path = tmp_path / "s.toml"
    assert old in STUDY
    path.write_text(STUDY.replace(old, new))
    with pytest.raises(InputError) as caught:
        load_study(path)
    assert str(caught.value).startswith(f"{path}:{line}: "), str(caught.value)
    assert part in str(caught.value)
