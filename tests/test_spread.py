"""Standard deviations and ends of distributions, against numpy on the games themselves."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

from analysis.results import Distribution
from analysis.spread import _sd, parse_spread, spread, spread_names
from analysis.tables import summary
from reports.more_tables import quantiles_table
from reports.printing import show_summary
from reports.view import View
from simcore import Run, simulate
from simcore.errors import InputError


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out = tmp_path_factory.mktemp("spread") / "run"
    return simulate("ochko", 3000, {"deck": 32}, {"stuk": [0, 3]}, bots="threshold", seed=5, keep_games=True, out=out)


def test_spread_is_that_of_the_games(run: Run) -> None:
    frame = summary(run, ["game_hands.sd", "game_hands.min", "game_hands.max"])
    games = run.games_frame()
    for label in ("stuk=0", "stuk=3"):
        values = games[games["label"] == label]["hands"].to_numpy()
        row = frame[frame["variant"] == label].set_index("metric")["value"]
        assert len(values) == 3000
        assert row["game_hands.min"] == values.min()
        if label == "stuk=0":
            assert values.max() > 600
            assert np.isnan(row["game_hands.max"])
        else:
            assert row["game_hands.max"] == values.max()
            assert row["game_hands.sd"] == pytest.approx(values.std(ddof=1), rel=1e-12)


def test_the_banker_s_largest_loss_is_his_stake(run: Run) -> None:
    row = summary(run, ["session_gain.min"]).set_index("variant").loc["stuk=3"]
    assert row["value"] == row["high"] == -10
    assert row["low"] == -np.inf


def test_values_beyond_the_histogram_leave_it_undefined(run: Run) -> None:
    """Without a stuk a bank grows beyond what is tallied."""
    for kind in ("sd", "max"):
        found = spread(run, parse_spread(run, f"session_gain.{kind}"), 0)  # type: ignore[arg-type]
        assert np.isnan(found.value)
        assert "values lie" in found.note
    assert spread(run, parse_spread(run, "session_gain.min"), 0).value == -10  # type: ignore[arg-type]


def test_intervals_of_a_standard_deviation_cover_it() -> None:
    """Skewed whole numbers, a thousand samples of 5000: some nineteen in twenty intervals hold the true value."""
    rng = np.random.default_rng(3)
    p = 0.2
    true = np.sqrt(1 - p) / p
    held = 0
    for _ in range(1000):
        counts = np.bincount(rng.geometric(p, 5000), minlength=100)
        found = _sd(Distribution(np.arange(len(counts)), counts, 0, 0), 0.95, 5000, 5000)
        assert found.low <= found.value <= found.high
        held += bool(found.low <= true <= found.high)
    assert 930 <= held <= 970


def test_values_of_one_game_count_for_less(run: Run) -> None:
    """Four sessions a game: the interval is as wide as if there were one."""
    whole = spread(run, parse_spread(run, "session_circles.sd"), 1)  # type: ignore[arg-type]
    counts = run.tallies.variants[1].hist[run.game.histograms.slice_of("session_circles")][1:-1]
    alone = _sd(Distribution(np.arange(1, 201), counts, 0, 0), 0.95, int(counts.sum()), 3000)
    assert counts.sum() == 12_000
    assert (whole.value, whole.low, whole.high) == pytest.approx((alone.value, alone.low, alone.high), rel=1e-12)


def test_nothing_varies() -> None:
    found = _sd(Distribution(np.array([4, 5]), np.array([0, 9]), 0, 0), 0.95, 9, 9)
    assert (found.value, found.low, found.high) == (0.0, 0.0, np.inf)
    assert np.isnan(_sd(Distribution(np.array([4]), np.array([1]), 0, 0), 0.95, 1, 1).value)


def test_unknown_names_are_refused(run: Run) -> None:
    assert parse_spread(run, "edge") is None
    assert parse_spread(run, "hand_gain.0") is None
    with pytest.raises(InputError, match="unknown histogram of ochko 'hand'"):
        parse_spread(run, "hand.sd")
    assert len(spread_names(run)) == 9


def test_the_report_tells_them(run: Run) -> None:
    table = quantiles_table(View(run, "2", ()))
    assert table is not None
    assert [column.title for column in table.columns][5:8] == ["standard deviation", "smallest seen", "largest seen"]
    told = {(row[0].raw, row[1].raw): row for row in table.rows}
    gain = next(row for (variant, of), row in told.items() if variant == "stuk=3" and "net gain" in str(of))
    values = table.frame[table.frame["variant"] == "stuk=3"].set_index("metric")["value"]
    assert [cell.raw for cell in gain[2:8]] == [
        values[f"session_gain.{kind}"] for kind in ("q05", "q50", "q95", "sd", "min", "max")
    ]
    assert isinstance(table.frame, pd.DataFrame)


def test_ends_are_printed_as_the_whole_numbers_that_they_are(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    frame = summary(run, ["session_gain.min", "session_circles.max"])
    show_summary(frame[frame["variant"] == "stuk=3"], 0.95, "table")
    printed = capsys.readouterr().out
    largest = int(frame[(frame["variant"] == "stuk=3") & (frame["metric"] == "session_circles.max")]["value"].iloc[0])
    assert re.search(r"session_gain\.min +−10 +at most −10 ", printed)
    assert re.search(rf"session_circles\.max +{largest} +at least {largest} ", printed)
