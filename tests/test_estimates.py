"""Quantiles, margins of equivalence, and fairness, as the commands ask for them."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from conftest import Kozyr, refused

from analysis.intervals import quantile_from_histogram
from analysis.margins import parse_margin
from analysis.quantiles import quantile_name, quantile_names
from analysis.seats import EQUALITY_COLUMNS, FAIRNESS_COLUMNS, fairness_frames, seat_metrics, seat_name
from analysis.tables import compare, summary
from simcore import Run, simulate
from simcore.errors import InputError
from simcore.games import GAMES, find_game

BANK = find_game("bank")
SHORT = {"players": 2, "target": 20, "hand_size": 2}


@pytest.fixture(scope="module")
def run() -> Run:
    return simulate("bank", 2_000, SHORT, {"seven": ["skip", "nothing"]}, bots="greedy", seed=6)


# --- quantiles --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("q", "name"), [(0.05, "x.q05"), (0.5, "x.q50"), (0.95, "x.q95"), (0.975, "x.q97.5")])
def test_quantiles_have_names(q: float, name: str) -> None:
    assert quantile_name("x", q) == name


def test_every_distribution_has_three_quantiles_in_a_summary_of_everything(run: Run) -> None:
    names = quantile_names(run)
    assert len(names) == 3 * sum(h.drawn for h in BANK.histograms)
    frame = summary(run, quantiles=True)
    assert set(names) <= set(frame["metric"])
    assert set(frame["metric"]) - set(names) == set(summary(run)["metric"])
    for histogram in ("rounds", "round_score"):
        rows = frame[frame["metric"].str.startswith(f"{histogram}.q")].groupby("variant")
        for _, part in rows:
            assert list(part["value"]) == sorted(part["value"])
            assert (part["low"] <= part["value"]).all()
            assert (part["value"] <= part["high"]).all()
    assert frame[frame["metric"] == "rounds.q50"]["method"].str.contains("order statistics").all()
    assert frame[frame["metric"] == "round_score.q50"]["method"].str.contains("independent ones").all()


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("rounds.q00", "is not allowed"),
        ("rounds.q100", r"allowed: rounds\.q01 … rounds\.q99"),
        ("round.q50", "did you mean 'rounds'"),
        ("rounds.qxx", "unknown"),
    ],
)
def test_quantiles_that_do_not_exist_are_refused(run: Run, name: str, part: str) -> None:
    with pytest.raises(InputError, match=part):
        summary(run, [name])


def test_quantiles_of_clustered_values_are_covered() -> None:
    """Games of one to nine values that share most of their level; counted as independent, intervals would be far too short."""
    rng = np.random.default_rng(8)
    truth = quantile_truth()
    missed = dict.fromkeys(truth, 0)
    naive = dict.fromkeys(truth, 0)
    for _ in range(400):
        games = 200
        sizes = rng.integers(1, 10, games)
        level = np.repeat(rng.normal(0, 10, games), sizes)
        values = np.rint(level + rng.normal(0, 5, len(level))).astype(int)
        grid, counts = np.unique(values, return_counts=True)
        worth = int(games / (1 + sizes.var() / sizes.mean() ** 2))
        for q, true in truth.items():
            found = quantile_from_histogram(grid, counts, q, worth=worth)
            missed[q] += not found.low <= true <= found.high
            plain = quantile_from_histogram(grid, counts, q)
            naive[q] += not plain.low <= true <= plain.high
    for q in truth:
        assert missed[q] <= 0.05 * 400, "on the safe side"
        assert naive[q] > 0.10 * 400, "as if independent they fail"


def quantile_truth() -> dict[float, float]:
    """Quantiles of the rounded values of the test above."""
    from scipy import stats

    sd = math.hypot(10, 5)
    return {q: float(np.rint(stats.norm.ppf(q, 0, sd))) for q in (0.1, 0.5)}


# --- margins ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("metric", "text", "value"),
    [
        ("rounds", "0.5", 0.5),
        ("rounds", "0.5 rounds", 0.5),
        ("blocked", "1pp", 0.01),
        ("blocked", "2 %", 0.02),
        ("blocked", 0.03, 0.03),
    ],
)
def test_margins_are_read_in_the_metrics_unit(metric: str, text: float | str, value: float) -> None:
    assert parse_margin(BANK.find_metric(metric, 3), text) == pytest.approx(value)


@pytest.mark.parametrize(
    ("metric", "text"),
    [("rounds", "1pp"), ("rounds", "1 points"), ("blocked", "1 rounds"), ("rounds", "x"), ("rounds", "")],
)
def test_margins_of_another_unit_are_refused(metric: str, text: str) -> None:
    with pytest.raises(InputError, match=r"is not allowed for .* \(unit: "):
        parse_margin(BANK.find_metric(metric, 3), text)


def test_equivalence_is_shown_with_a_wide_margin_and_not_with_a_narrow_one(run: Run) -> None:
    frame = compare(run, metrics=["rounds", "blocked"], margins={"rounds": "10 rounds", "blocked": 1e-5}).set_index(
        "metric"
    )
    assert bool(frame.loc["rounds", "equivalent"])
    assert not bool(frame.loc["blocked", "equivalent"])
    assert frame.loc["rounds", "equivalence_low"] > frame.loc["rounds", "low"], "a 90 % interval"
    none = compare(run, metrics=["rounds"])
    assert none["margin"].isna().all()
    assert none["equivalent"].isna().all()


def test_a_margin_stands_for_all_entries_of_a_vector_metric(run: Run) -> None:
    frame = compare(run, metrics=["round_win_share"], margins={"round_win_share": "5 pp"})
    assert list(frame["margin"]) == [0.05, 0.05]
    for margins, part in (({"rounds": 1}, "unknown metric in this comparison"), ({"round_win_share": 0}, "above 0")):
        with pytest.raises(InputError, match=part):
            compare(run, metrics=["round_win_share"], margins=margins)


# --- fairness ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_every_game_tells_what_each_seat_gets(name: str) -> None:
    game = find_game(name)
    names = seat_metrics(game)
    assert names
    units = {m.unit for m in game.metrics if m.name in names}
    assert units - {"share"}, "scores besides shares of wins"
    seats, equality = fairness_frames(simulate(name, 150, bots="random", seed=2))
    assert list(seats.columns) == list(FAIRNESS_COLUMNS)
    assert list(equality.columns) == list(EQUALITY_COLUMNS)
    assert set(equality["metric"]) == set(names)
    for _, part in seats.groupby("metric"):
        assert part["advantage"].sum() == pytest.approx(0, abs=1e-9)
        assert (part["low"] <= part["value"]).all()
        assert (part["value"] <= part["high"]).all()


def test_an_unfair_table_is_found_and_adjusted_for_the_number_of_tests() -> None:
    run = simulate("bank", 1_000, {"trumps": "none"}, bots="greedy", seed=2)
    seats, equality = fairness_frames(run, ["round_win_share", "round_score"])
    assert (equality["p_adjusted"] >= equality["p_equal"]).all()
    row = equality[equality["metric"] == "round_win_share"].iloc[0]
    assert row["p_adjusted"] < 0.01
    best = seats[(seats["metric"] == "round_win_share")].set_index("name")["advantage"].idxmax()
    assert row["best"] == best
    assert row["largest_low"] <= row["largest_advantage"] <= row["largest_high"]


def test_seats_are_named_by_place() -> None:
    assert [seat_name("place", k) for k in (0, 1, 4)] == ["first to move", "second", "5th"]
    assert seat_name("seat", 2) == "seat 2"


def test_the_commands_print_brackets_margins_and_fairness(kozyr: Kozyr, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    simulate("bank", 400, {"max_rounds": 5}, {"seven": ["skip", "nothing"]}, bots="greedy", seed=1, out=folder)
    shown = kozyr("summary", folder, "--metric", "game_win_share", "--metric", "rounds.q50")
    assert "capped: " in shown.stdout
    assert "rounds.q50" in shown.stdout
    assert (
        "intervals, each by itself: of shares of games, from how many games there are (Wilson); of quantiles,"
        in shown.stderr
    )
    compared = kozyr("compare", folder, "--margin", "rounds=2", "--margin", "game_win_share=50 pp")
    assert "equivalent" in compared.stdout
    assert "capped: " in compared.stdout
    assert "two one-sided tests" in compared.stderr
    fair = kozyr("fairness", folder, "--metric", "game_win_share", "--format", "md")
    assert fair.stdout.count("first to move") >= 2
    assert "largest advantage" in fair.stdout
    assert "of the form METRIC=SIZE" in refused(kozyr("compare", folder, "--margin", "rounds"))
    assert "given twice" in refused(kozyr("compare", folder, "--margin", "rounds=1", "--margin", "rounds=2"))
    assert "margin of rounds: '1pp' is not allowed" in refused(kozyr("compare", folder, "--margin", "rounds=1pp"))
    assert "unknown metric by seat of bank 'rounds'" in refused(kozyr("fairness", folder, "--metric", "rounds"))


def test_a_metric_named_twice_counts_once(run: Run) -> None:
    once, twice = compare(run, metrics=["rounds"]), compare(run, metrics=["rounds", "rounds"])
    pd.testing.assert_frame_equal(once, twice)
    names = ["rounds", "rounds.q5", "rounds.q05", "rounds.sd", "rounds", "rounds.sd"]
    assert list(dict.fromkeys(summary(run, names)["metric"])) == ["rounds", "rounds.q05", "rounds.sd"]
    assert len(summary(run, names)) == 3 * len(run.manifest.variants)


@pytest.mark.parametrize("name", ["rounds.q50", "rounds.sd", "rounds.max"])
def test_a_comparison_says_that_it_has_no_quantiles(run: Run, name: str) -> None:
    with pytest.raises(InputError, match=f"metric '{name}' is not compared: compare has no quantiles"):
        compare(run, metrics=[name])


def test_comparisons_that_cannot_be_made_say_why(kozyr: Kozyr, tmp_path: Path) -> None:
    simulate("bank", 1, vary={"seven": ["skip", "nothing"]}, bots="random", out=tmp_path / "one")
    shown = kozyr("compare", tmp_path / "one", "--metric", "rounds")
    assert "no interval yet" in shown.stdout
    assert "none, as no comparison could be made (one shard: nothing to measure the error with" in shown.stderr
    assert "note: one shard gives no interval; play more games" in shown.stderr


def test_a_comparison_names_its_method_and_its_few_shards(kozyr: Kozyr, tmp_path: Path) -> None:
    for games, note in ((5, "note: 5 shards are few, so intervals are wide"), (100, "")):
        folder = tmp_path / str(games)
        simulate("bank", games, vary={"seven": ["skip", "nothing"]}, bots="random", out=folder)
        shown = kozyr("compare", folder, "--metric", "rounds")
        assert f"(paired delta method over {min(games, 20)} shards, t)" in shown.stderr
        assert note in shown.stderr
        assert ("note:" in shown.stderr) == bool(note)
