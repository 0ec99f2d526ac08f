"""Forecasts of games: against power software, and against what happens when the games are played."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.power import TTestPower

from analysis.decisions import decide, t_tester
from analysis.intervals import mean_from_sums, wilson
from analysis.ratios import delta_estimate
from analysis.running import running
from analysis.samplesize import (
    LIMIT,
    for_half_width,
    for_power,
    sequential_for_decision,
    sequential_for_half_width,
)
from analysis.sequences import t_sequence
from analysis.shards import ShardSums


def stream(share: float, shards: int, seed: int = 0, games: int = 400) -> ShardSums:
    size = np.full(shards, games)
    return ShardSums(np.random.default_rng(seed).binomial(games, share, shards), size, size)


@pytest.mark.parametrize("half_width", [0.5, 0.05, 0.001])
def test_half_width_is_the_smallest_that_will_do(half_width: float) -> None:
    now = mean_from_sums(100, 0, 99)  # standard deviation 1
    got = for_half_width(now, half_width)
    assert got.games is not None
    for k, enough in ((got.games, True), (got.games - 1, False)):
        if k > 100 or enough:
            assert (
                stats.t.ppf(0.975, max(k, 100 if got.more_games == 0 else k) - 1) / math.sqrt(k) <= half_width
            ) == enough
    assert got.more_games == got.games - 100


def test_half_width_textbook() -> None:
    """Cochran: a proportion near one half to ± 3 points at 95 % takes (1.96 / 0.03)² / 4 = 1,067 games."""
    got = for_half_width(wilson(500, 1000), 0.03)
    assert got.games == pytest.approx(1067, abs=4)


def test_half_width_counts_whole_shards() -> None:
    now = delta_estimate(stream(0.5, 50))
    got = for_half_width(now, now.half_width / 2)
    assert got.games is not None
    assert got.games % 400 == 0
    assert got.games / now.n == pytest.approx(4, rel=0.05)
    assert got.toward.startswith("half width")


@pytest.mark.parametrize(("alternative", "name"), [("two-sided", "two-sided"), ("one-sided", "larger")])
def test_power_agrees_with_statsmodels(alternative: str, name: str) -> None:
    now = mean_from_sums(50, 10, 51)  # mean 0.2, standard deviation 1 = effect size 0.2
    want = TTestPower().solve_power(0.2, alpha=0.05, power=0.9, alternative=name)
    got = for_power(now, 0.0, 0.9, alternative)
    assert got.games == pytest.approx(want, rel=0.01)
    assert got.optimistic is not None
    assert got.more_games is not None
    assert got.pessimistic is not None
    assert got.optimistic < got.more_games < got.pessimistic


def test_no_effect_needs_games_without_end() -> None:
    now = mean_from_sums(50, 0, 49)
    got = for_power(now)
    assert (got.games, got.more_games, got.pessimistic) == (None, None, None)
    assert got.optimistic is not None
    assert for_half_width(now, 1e-9).games is None
    assert LIMIT >= 10**9


def test_sequential_half_width_comes_true() -> None:
    full = stream(0.5, 1200)
    early = running(full.first(100))
    got = sequential_for_half_width(early, 0.004, tuned_for=300)
    reached = t_sequence(running(full), tuned_for=300).first_within(0.004)
    assert got.games is not None
    assert reached is not None
    assert got.games == pytest.approx(reached * 400, rel=0.15)
    assert got.more_games == got.games - 40_000


@pytest.mark.parametrize(
    ("claim", "margin", "toward"),
    [
        ("greater", 0.505, "supported"),
        ("less", 0.505, "refuted"),
        ("within", 0.535, "supported"),
        ("beyond", 0.505, "supported"),
    ],
)
def test_sequential_decision_comes_true(claim: str, margin: float, toward: str) -> None:
    """At the estimate of the whole stream, the forecast from its first part is where the decision falls."""
    full = stream(0.52, 3000, seed=2)
    early = running(full.first(60))
    # forecast with the final estimate in place of the early one, which would be far off by chance
    values = np.full(60, delta_estimate(full).value)
    known = type(early)(values, early.information, early.sse, early.ready, early.games)
    got = sequential_for_decision(known, claim, margin)
    run = running(full)
    decided = decide(t_tester(run), run.games, claim, margin)
    assert got.toward == decided.verdict == toward
    assert got.games is not None
    assert 0.3 < decided.games / got.games < 2.0


def test_decided_already() -> None:
    got = sequential_for_decision(running(stream(0.6, 100)), "greater", 0.5)
    assert (got.more_games, got.toward) == (0, "supported")


def test_on_the_margin_there_is_no_end() -> None:
    early = running(stream(0.5, 100))
    got = sequential_for_decision(early, "greater", float(early.value[-1]))
    assert (got.games, got.more_games, got.pessimistic) == (None, None, None)
    assert got.optimistic is not None


def test_nothing_known_yet() -> None:
    one = running(stream(0.5, 1))
    assert sequential_for_decision(one, "greater", 0.4).toward == "no spread measured yet"
    assert sequential_for_half_width(one, 0.1).games is None
    assert sequential_for_half_width(running(ShardSums([], [], [])), 0.1).games is None


def test_refusals() -> None:
    now = wilson(5, 10)
    for call in (lambda: for_half_width(now, 0), lambda: sequential_for_half_width(running(stream(0.5, 40)), -1)):
        with pytest.raises(ValueError, match="number above 0"):
            call()
    with pytest.raises(ValueError, match="power 90"):
        for_power(now, power=90)
    with pytest.raises(ValueError, match="two-sided or one-sided"):
        for_power(now, alternative="greater")
    with pytest.raises(ValueError, match="claim 'equal'"):
        sequential_for_decision(running(stream(0.5, 40)), "equal", 0.1)
