"""A claim in all its universes: which there are, what flips it, and going on after an interruption."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from claims_cases import SHORT, claim_text, claims_file, one_claim
from conftest import Kozyr, refused

from analysis.claim import Claim
from analysis.claims import find_claims, sweep
from analysis.multiverse import Multiverse, run_multiverse
from analysis.universes import plan_universes, universes
from simcore.errors import InputError

SHORT_GAMES = SHORT.partition("= ")[2]


@pytest.fixture
def small(tmp_path: Path) -> Claim:
    """A claim about short games, with two rulings to sweep and two tables of bots."""
    rulings = '{ cover = "all", final_bank = "all" }'
    bots = '["greedy", "random"]'
    return one_claim(
        tmp_path, set=SHORT_GAMES, rulings=rulings, bots=bots, max_games="1_000", direction='"within"', margin="3"
    )


# --- which universes there are ----------------------------------------------------------------------------------------


def test_one_at_a_time_every_other_value_of_every_ruling_is_a_universe(small: Claim) -> None:
    found, left_out = universes(small, crossed=False)
    assert left_out == []
    texts = [(u.bots, u.text) for u in found]
    settings = ["", "cover=any_lower", "final_bank=last_cover"]
    assert texts == [(bots, text) for bots in ("greedy", "random") for text in settings]


def test_crossed_every_combination_is_a_universe(small: Claim) -> None:
    found, _ = universes(small, crossed=True)
    assert len(found) == 2 * 2 * 2
    assert {u.text for u in found} == {
        "",
        "cover=any_lower",
        "final_bank=last_cover",
        "cover=any_lower, final_bank=last_cover",
    }


def test_universes_in_which_a_ruling_has_no_effect_are_one(small: Claim) -> None:
    swept = sweep(small, {"penalty": ("hand", "none"), "penalty_on": ("holders", "loser")})
    found, left_out = universes(replace(swept, more_bots=()), crossed=True)
    assert left_out == []
    assert [u.text for u in found] == ["", "penalty_on=loser", "penalty=none"]
    assert found[2].same == ("penalty=none, penalty_on=loser",), "without a penalty nobody pays it"


def test_universes_that_cannot_be_played_are_left_out_with_the_reason(tmp_path: Path) -> None:
    claim = one_claim(
        tmp_path,
        variant='{ penalty_on = "loser" }',
        baseline='{ penalty_on = "holders" }',
        rulings='{ penalty = ["hand", "none", "fixed"] }',
    )
    found, left_out = universes(claim, crossed=False)
    assert [u.text for u in found] == ["", "penalty=fixed"]
    assert left_out == ["greedy; penalty=none: the variant and the baseline play the same games (penalty=none)"]
    with pytest.raises(InputError, match=r"no universe of this claim can be played: greedy; .*play the same games"):
        plan_universes(replace(claim, set={"penalty": "none"}, rulings={}), 10**6, None)


def test_the_rulings_are_crossed_if_the_budget_allows_it(small: Claim) -> None:
    wide = replace(small, max_games=20_000)
    crossed, single = plan_universes(wide, 80_000, None), plan_universes(wide, 79_999, None)
    assert (crossed.crossed, len(crossed.universes), crossed.games) == (True, 8, 5_000)
    assert (single.crossed, len(single.universes), single.games) == (False, 6, 79_999 // 12)
    assert plan_universes(wide, 10**9, None).games == 20_000, "no more than the claim's own limit"
    assert not plan_universes(wide, 10**9, False).crossed


def test_a_budget_that_is_too_small_is_refused_and_says_what_would_do(small: Claim) -> None:
    wide = replace(small, max_games=20_000)
    with pytest.raises(InputError, match=r"8 universes, which need --budget 80000 or more; 79999 is given .*--ruling"):
        plan_universes(wide, 79_999, True)
    with pytest.raises(InputError, match=r"6 universes need --budget 60000 or more; 100 is given"):
        plan_universes(wide, 100, None)
    every = {o.name: o.all_values() for o in small.game.rules if o.kind == "ruling" and hasattr(o, "words")}
    many = sweep(wide, every | {"target": (1, 2, 3, 4, 5, 6, 7, 8), "penalty_fixed": (15, 23, 31, 40, 48, 56)})
    with pytest.raises(InputError, match="at most 20000"):
        plan_universes(many, 10**12, True)


# --- what they say ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Multiverse:
    """Whether a variant with long games has more than three rounds hangs on the target alone."""
    path = tmp_path_factory.mktemp("multiverse") / "long.toml"
    text = claim_text(
        "long",
        set='{ players = 2, hand_size = 2, penalty = "none" }',
        rulings='{ target = [20, 200], final_bank = "all" }',
        bots='["greedy", "random"]',
        variant='{ seven = "nothing", max_rounds = 30 }',
        baseline="",
        direction='"greater"',
        margin="4",
        max_games="2_000",
    ).replace("players = 2,", "players = 2, target = 200,")
    claim = find_claims(str(claims_file(path, text)))[0]
    return run_multiverse(claim, budget=100_000, threads=2)


def test_what_flips_a_verdict_is_named_with_how_much_it_moves(found: Multiverse) -> None:
    assert found.crossed
    assert len(found.frame) == 8
    assert found.base["verdict"] == "supported"
    assert found.counts() == {"supported": 4, "refuted": 4, "undecided": 0}
    assert set(found.flips()["settings"]) == {"target=20", "target=20, final_bank=last_cover"}
    worst = found.flipping().iloc[0]
    assert (worst["choice"], worst["universes"], worst["flipped"], worst["share"]) == ("target=20", 4, 4, 1.0)
    numbers = found.frame.assign(short=found.frame["settings"].str.contains("target=20")).groupby("short")["estimate"]
    assert worst["mean_shift"] == pytest.approx(numbers.mean()[True] - numbers.mean()[False])
    assert found.frame["shift"][0] == 0
    assert list(found.frame["changed"][:4]) == [0, 1, 1, 2]


def test_choices_are_the_columns_of_the_specification_curve(found: Multiverse) -> None:
    choices = found.choices()
    assert list(choices) == ["bots greedy", "bots random", "target=20", "final_bank=last_cover"]
    for name, held in choices.items():
        assert sum(held) == 4
        key, _, value = name.partition(" ")
        if key == "bots":
            assert held == [bots == value for bots in found.frame["bots"]]


def test_universes_do_not_depend_on_threads(found: Multiverse) -> None:
    again = run_multiverse(found.claim, budget=100_000, threads=1)
    pd.testing.assert_frame_equal(found.frame, again.frame)


# --- interruption -----------------------------------------------------------------------------------------------------


def test_a_multiverse_goes_on_where_it_stopped(small: Claim, tmp_path: Path) -> None:
    seen = []
    whole = run_multiverse(small, budget=10**6, crossed=False, threads=1)

    def stop(done: int, total: int) -> None:
        seen.append((done, total))
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(Exception, match=r"2 of 6 universes are kept in .*the same command goes on") as caught:
        run_multiverse(small, budget=10**6, crossed=False, threads=1, out=tmp_path / "kept", progress=stop)
    assert getattr(caught.value, "exit_code", None) == 130
    assert seen == [(1, 6), (2, 6)]
    kept = json.loads((tmp_path / "kept" / "a.multiverse.json").read_text())
    assert len(kept["rows"]) == 2
    resumed = run_multiverse(small, budget=10**6, crossed=False, threads=1, out=tmp_path / "kept")
    pd.testing.assert_frame_equal(resumed.frame, whole.frame)


def test_another_multiverse_or_a_damaged_one_in_the_folder_is_refused(small: Claim, tmp_path: Path) -> None:
    run_multiverse(small, budget=10**6, crossed=False, threads=1, out=tmp_path)
    path = tmp_path / "a.multiverse.json"
    before = path.read_text()
    for other in (replace(small, margin=2.0), replace(small, seed=5), replace(small, max_games=900)):
        with pytest.raises(InputError, match="holds another multiverse"):
            run_multiverse(other, budget=10**6, crossed=False, threads=1, out=tmp_path)
    assert path.read_text() == before, "and is left alone"
    for damage in (
        before[:-40],
        "[]",
        "{}",
        before.replace('"supported"', '"maybe"'),
        before.replace('"games": ', '"game": '),
    ):
        if damage == before:
            continue
        path.write_text(damage)
        with pytest.raises(InputError, match="damaged, or not a multiverse"):
            run_multiverse(small, budget=10**6, crossed=False, threads=1, out=tmp_path)
        assert path.read_text() == damage


SLOW = """
import sys
from pathlib import Path
import analysis.multiverse as module
from cli import app
real = module.check_claim

def slow(*arguments, **more):
    import time
    found = real(*arguments, **more)
    print("universe", flush=True)
    time.sleep(0.4)
    return found

module.check_claim = slow
sys.argv = ["kozyr", *sys.argv[1:]]
app()
"""


def test_ctrl_c_keeps_the_finished_universes_and_the_same_command_finishes(
    start: Callable[..., subprocess.Popen[str]], kozyr: Kozyr, tmp_path: Path
) -> None:
    text = claim_text(
        "a", set=SHORT_GAMES, rulings='["cover", "final_bank"]', max_games="1_000", direction='"within"', margin="3"
    )
    path = claims_file(tmp_path / "c.toml", text)
    out = tmp_path / "out"
    arguments = ["check", path, "--multiverse", "--budget", "1e6", "--one-at-a-time", "--threads", "2", "--out"]
    process = start(SLOW, *arguments, out)
    assert process.stdout is not None
    assert [process.stdout.readline() for _ in range(2)] == ["universe\n"] * 2, "the second is not done yet"
    time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    assert "interrupted; " in errors
    kept = json.loads((out / "a.multiverse.json").read_text())
    assert 1 <= len(kept["rows"]) < 3

    finished = kozyr(*arguments, out, "--format", "csv")
    assert finished.returncode in (0, 1), finished.stderr
    uninterrupted = kozyr(*arguments, tmp_path / "whole", "--format", "csv")
    assert finished.stdout == uninterrupted.stdout
    assert (out / "a.multiverse.svg").read_bytes() == (tmp_path / "whole" / "a.multiverse.svg").read_bytes()


# --- the command ------------------------------------------------------------------------------------------------------


def test_the_command_prints_flips_and_writes_table_picture_and_report(
    kozyr: Kozyr, found: Multiverse, tmp_path: Path
) -> None:
    text = claim_text("a", set=SHORT_GAMES, max_games="1_000", direction='"within"', margin="3")
    reading = claim_text("a-more", set=SHORT_GAMES, max_games="1_000", direction='"within"', margin="2")
    path = claims_file(tmp_path / "c.toml", text, reading)
    out = tmp_path / "out"
    done = kozyr(
        "check", path, "--multiverse", "--claim", "a", "--ruling", "cover", "--ruling", "max_rounds=3,200", "--out", out
    )
    assert done.returncode in (0, 1), done.stderr
    assert "4 universes (rulings crossed" in done.stdout
    assert "a has further readings: a-more" in done.stderr
    frame = pd.read_csv(out / "a.multiverse.csv")
    assert set(frame["settings"].fillna("")) == {"", "cover=any_lower", "max_rounds=3", "cover=any_lower, max_rounds=3"}
    svg = (out / "a.multiverse.svg").read_text()
    assert "<title>rounds(seven=nothing) - rounds(seven=skip) in 4 universes" in svg
    for part in ("cover=any_lower", "max_rounds=3", "supported", "refuted", "undecided"):
        assert part in svg
    assert "Specification curve" in (out / "report.md").read_text()


def test_a_ruling_that_the_game_lacks_is_refused(kozyr: Kozyr) -> None:
    done = kozyr("check", "bank", "--multiverse", "--claim", "first-move", "--ruling", "covr")
    assert "unknown option of bank 'covr'" in refused(done)
    done = kozyr("check", "bank", "--multiverse", "--claim", "first-move-rule", "--budget", "10")
    assert "need --budget" in refused(done)
