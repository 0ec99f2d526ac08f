"""Seats: simultaneous intervals, the test of equality, the largest advantage; capped games either way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.multivariate import test_mvmean as hotelling_one_sample

from analysis.capped import bracket
from analysis.estimate import critical_value
from analysis.fairness import equality_test, fairness, max_t_critical
from analysis.ratios import bounded_estimate, delta_estimate
from analysis.shards import ShardSums


def shares(seed: int, p: list[float], shards: int = 100, games: int = 1000) -> list[ShardSums]:
    size = np.full(shards, games)
    wins = np.random.default_rng(seed).multinomial(games, p, shards)
    return [ShardSums(wins[:, i], size, size) for i in range(len(p))]


def scores(seed: int, means: list[float], shards: int = 100) -> list[ShardSums]:
    """Scores with a part that all seats share: their sum is not fixed."""
    rng = np.random.default_rng(seed)
    size = np.full(shards, 50)
    common = rng.normal(0, 30, (shards, 1))
    x = 50 * np.array(means) + common + rng.normal(0, 20, (shards, len(means)))
    return [ShardSums(x[:, i], size, size) for i in range(len(means))]


@pytest.mark.parametrize(("k", "df"), [(3, 20), (4, 60), (6, 199)])
def test_pairwise_critical_value_is_tukeys(k: int, df: int) -> None:
    """All pairwise differences of independent means: the studentised range, by scipy, over root two."""
    pairs = np.array([np.eye(k)[i] - np.eye(k)[j] for i in range(k) for j in range(i)])
    got, name = max_t_critical(pairs @ pairs.T, df)
    assert stats.studentized_range.cdf(got * math.sqrt(2), k, df) == pytest.approx(0.95, abs=2e-4)
    assert name == "max-t"


def test_critical_values_at_the_ends() -> None:
    """One number, or two that mirror each other, need Student's t; independent ones Šidák's, for the normal."""
    assert max_t_critical(np.array([[2.0]]), 30)[0] == pytest.approx(critical_value(0.95, 30))
    mirrored = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert max_t_critical(mirrored, 30)[0] == pytest.approx(critical_value(0.95, 30), rel=1e-3)
    got = max_t_critical(np.eye(5), 1e6)[0]
    assert got == pytest.approx(stats.norm.ppf(0.5 + 0.95**0.2 / 2), rel=0.003)


def test_unknown_covariance_falls_back_to_sidak() -> None:
    cov = np.full((3, 3), math.nan)
    assert max_t_critical(cov, 20) == (pytest.approx(stats.t.ppf(0.5 + 0.95 / 2, 20)), "Šidák")


def test_hotelling_agrees_with_statsmodels() -> None:
    seats = shares(1, [0.26, 0.25, 0.25, 0.24])
    x = np.column_stack([s.numerators[:, 0] / 1000 for s in seats])
    want = hotelling_one_sample(np.diff(x, axis=1))
    got = equality_test(seats)
    assert (got.statistic, got.p_value) == pytest.approx((want.statistic, want.pvalue), rel=1e-8)
    assert (got.df1, got.df2) == (3, pytest.approx(97))


def test_two_seats_are_the_paired_t_test() -> None:
    seats = scores(2, [1.0, 1.2])
    a, b = (s.numerators[:, 0] for s in seats)
    want = stats.ttest_rel(a, b)
    got = equality_test(seats)
    assert got.statistic == pytest.approx(want.statistic**2)
    assert got.p_value == pytest.approx(want.pvalue)


def test_equality_holds_its_error() -> None:
    """Four equal seats, 20 shards of 30 games: rejected in 5 % of 2,000 data sets, within binomial error."""
    wins = np.random.default_rng(3).multinomial(30, [0.25] * 4, (2000, 20))
    games = np.full(20, 30)
    p = [equality_test([ShardSums(w[:, i], games, games) for i in range(4)]).p_value for w in wins]
    assert 0.035 <= np.mean(np.array(p) <= 0.05) <= 0.065


def test_an_unfair_game() -> None:
    got = fairness(shares(14, [0.30, 0.25, 0.24, 0.21]), bounds=(0, 1))
    assert got.best == 0
    assert got.equality.p_value < 1e-12
    assert got.advantage.low <= 0.05 <= got.advantage.high
    assert got.spread.low <= 0.09 <= got.spread.high
    assert got.advantage.low > 0.03
    for seat, share in zip(got.seats, (0.30, 0.25, 0.24, 0.21), strict=True):
        alone = bounded_estimate(shares(14, [0.30, 0.25, 0.24, 0.21])[0])
        assert seat.low <= share <= seat.high
        assert seat.half_width > alone.half_width * 0.9
    assert sum(d.value for d in got.deviations) == pytest.approx(0, abs=1e-12)
    assert got.seats[0].method.endswith("simultaneous over 4 (max-t)")


def test_a_fair_game_shows_no_advantage() -> None:
    got = fairness(shares(5, [1 / 3] * 3), bounds=(0, 1))
    assert got.advantage.low <= 0 <= got.advantage.value
    assert got.spread.low == 0.0


def test_scores_by_seat() -> None:
    got = fairness(scores(6, [5.0, 4.0, 4.5]))
    assert got.best == 0
    assert got.advantage.low <= 0.5 <= got.advantage.high
    # the part that the seats share cancels from deviations, not from the seats' own values
    assert got.deviations[0].half_width < 0.7 * got.seats[0].half_width
    assert got.spread.value == pytest.approx(max(s.value for s in got.seats) - min(s.value for s in got.seats))


def test_seats_never_winning_and_always_winning() -> None:
    games = np.full(10, 20)
    got = fairness([ShardSums(games, games, games), ShardSums(games * 0, games, games)], bounds=(0, 1))
    assert (got.seats[0].high, got.seats[1].low) == (1.0, 0.0)
    assert 0.9 < got.seats[0].low < 1.0
    assert got.equality.p_value == 2.0**-9
    assert got.equality.note == "a difference that never varies"


def test_equal_by_construction() -> None:
    games = np.full(10, 20)
    got = fairness([ShardSums(games // 2, games, games)] * 2, bounds=(0, 1))
    assert got.equality.p_value == 1.0
    assert got.spread.high == 0.0


def test_too_little_data() -> None:
    games = np.full(3, 20)
    wins = np.random.default_rng(7).multinomial(20, [0.2] * 5, 3)
    few = fairness([ShardSums(wins[:, i], games, games) for i in range(5)], bounds=(0, 1))
    assert "fewer shards than seats" in few.equality.note
    assert all(0 <= e.low <= e.value <= e.high <= 1 for e in few.seats)
    one = fairness([ShardSums([5], [20], [20]), ShardSums([15], [20], [20])], bounds=(0, 1))
    assert (one.seats[0].low, one.seats[0].high) == (0, 1)
    assert "nothing to measure the error with" in one.equality.note
    empty = fairness([ShardSums([0, 0], [0, 0], [20, 20])] * 2)
    assert math.isnan(empty.advantage.value)
    with pytest.raises(ValueError, match="two seats or more"):
        fairness(shares(8, [1.0]))


def test_bracket_by_hand() -> None:
    games = np.full(4, 100)
    won, capped = np.array([40, 45, 38, 42]), np.array([5, 0, 7, 2])
    got = bracket(ShardSums(won, games, games), ShardSums(won + capped, games, games))
    assert (got.as_lost.value, got.as_won.value) == (165 / 400, 179 / 400)
    assert got.width == pytest.approx(14 / 400)
    assert (got.low, got.high) == (got.as_lost.low, got.as_won.high)
    assert got.low < got.as_won.low
    assert got.note == ""


def test_bracket_without_capped_games_is_a_plain_interval() -> None:
    games = np.full(4, 100)
    won = ShardSums([40, 45, 38, 42], games, games)
    got = bracket(won, won)
    assert (got.low, got.high, got.width) == (got.as_won.low, got.as_won.high, 0.0)
    assert got.note == "no capped game matters"
    unbounded = bracket(won, won, bounds=None)
    assert unbounded.low == delta_estimate(won).low


def test_bracket_the_wrong_way_round_is_refused() -> None:
    games = np.full(2, 10)
    with pytest.raises(ValueError, match="swap the two"):
        bracket(ShardSums([5, 6], games, games), ShardSums([4, 6], games, games))
