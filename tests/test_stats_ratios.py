"""Sums of ratios over shards: hand-made cases, the jackknife and the bootstrap as judges, properties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis.ratios import (
    bounded_estimate,
    combine,
    covariance,
    delta_estimate,
    influence,
    jackknife_estimate,
    point,
)
from analysis.shards import ShardSums, effective_shards

N = np.array([30, 42, 25, 38, 51])
D = np.array([100, 120, 90, 110, 130])
GAMES = np.full(5, 20)


def clustered(seed: int, shards: int, games: int = 200, last: int | None = None) -> ShardSums:
    rng = np.random.default_rng(seed)
    size = np.full(shards, games)
    size[-1] = last or games
    rounds = rng.poisson(size * 6)
    return ShardSums(rng.binomial(rounds, 0.3), rounds, size)


def test_ratio_by_hand() -> None:
    """Cochran's ratio: R = 186/550, residuals N - R D, variance S/(S-1) Σe² / (ΣD)²."""
    sums = ShardSums(N, D, GAMES)
    r = 186 / 550
    e = N - r * D
    got = delta_estimate(sums)
    assert got.value == r
    assert got.se == pytest.approx(math.sqrt(5 / 4 * float(e @ e)) / 550, rel=1e-12)
    assert got.df == pytest.approx(4)
    assert got.high - got.value == pytest.approx(stats.t.ppf(0.975, 4) * got.se)
    assert influence(sums) == pytest.approx(e * 5 / 550)


def test_constant_denominator_is_the_mean_of_shards() -> None:
    got = delta_estimate(ShardSums(N, np.full(5, 200), GAMES, [2.0], -0.5))
    x = 2 * N / 200 - 0.5
    want = stats.ttest_1samp(x, 0).confidence_interval(0.95)
    assert (got.value, got.low, got.high) == pytest.approx((x.mean(), want.low, want.high), rel=1e-12)


def test_sum_of_ratios_by_finite_differences() -> None:
    """A shard's influence is the derivative of theta by that shard's weight, whatever the formula."""
    rng = np.random.default_rng(5)
    top, bottom = rng.integers(1, 50, (8, 3)), rng.integers(50, 90, (8, 3))
    weights = np.array([1.0, -2.0, 0.5])
    sums = ShardSums(top, bottom, np.full(8, 10), weights, 3.0)

    def theta(w: np.ndarray) -> float:
        return float(weights @ ((w @ top) / (w @ bottom)) + 3.0)

    h = 1e-6
    derivative = [(theta(1 + h * np.eye(8)[s]) - theta(1 - h * np.eye(8)[s])) / (2 * h) for s in range(8)]
    assert influence(sums) == pytest.approx(8 * np.array(derivative), rel=1e-5, abs=1e-8)
    assert point(sums) == pytest.approx(theta(np.ones(8)))


@pytest.mark.parametrize("last", [None, 73])
def test_jackknife_and_delta_agree(last: int | None) -> None:
    sums = clustered(1, 100, last=last)
    assert jackknife_estimate(sums).se == pytest.approx(delta_estimate(sums).se, rel=0.01)


def test_jackknife_of_equal_shards_by_hand() -> None:
    sums = ShardSums(N, D, GAMES)
    left_out = (N.sum() - N) / (D.sum() - D)
    want = math.sqrt(4 / 5 * float(((left_out - left_out.mean()) ** 2).sum()))
    assert jackknife_estimate(sums).se == pytest.approx(want, rel=1e-12)


def test_bootstrap_agrees() -> None:
    sums = clustered(2, 60)
    n, d = sums.numerators[:, 0], sums.denominators[:, 0]
    boot = stats.bootstrap(
        (n, d),
        lambda a, b, axis=-1: a.sum(axis) / b.sum(axis),
        paired=True,
        vectorized=True,
        n_resamples=4000,
        method="BCa",
        rng=np.random.default_rng(0),
    )
    got = delta_estimate(sums)
    assert got.se == pytest.approx(boot.standard_error, rel=0.05)
    assert got.low == pytest.approx(boot.confidence_interval.low, abs=0.2 * got.se)
    assert got.high == pytest.approx(boot.confidence_interval.high, abs=0.2 * got.se)


def test_covariance_of_estimates() -> None:
    a, b = ShardSums(N, D, GAMES), ShardSums(D, N, GAMES)
    cov = covariance([a, b])
    assert cov == pytest.approx(np.cov(influence(a), influence(b)) / 5)
    difference = delta_estimate(combine([(1, a), (-3, b)], shift=2.0))
    assert difference.value == pytest.approx(point(a) - 3 * point(b) + 2)
    assert difference.se**2 == pytest.approx(cov[0, 0] + 9 * cov[1, 1] - 6 * cov[0, 1])


def test_a_short_last_shard_counts_by_its_games() -> None:
    assert effective_shards([100] * 7) == pytest.approx(7)
    assert effective_shards([100] * 7 + [1]) == pytest.approx(701**2 / 70001)
    got = delta_estimate(clustered(3, 11, games=1000, last=1))
    assert got.df == pytest.approx(9, abs=0.03)
    assert delta_estimate(clustered(3, 2, games=1000, last=1)).half_width > 1e3


def test_variance_is_unbiased_with_a_short_shard() -> None:
    """2,000 squared standard errors against the variance of as many estimates; the last shard is a half."""
    rng = np.random.default_rng(9)
    games = np.array([100, 100, 100, 50])
    x = rng.normal(size=(2000, 4)) * np.sqrt(games)
    found = [delta_estimate(ShardSums(row, games, games)) for row in x]
    want = 1 / games.sum()
    assert np.mean([f.se**2 for f in found]) == pytest.approx(want, rel=0.06)
    assert np.var([f.value for f in found]) == pytest.approx(want, rel=0.1)


def test_empty_denominators_have_a_reason_and_no_warning() -> None:
    none = ShardSums(np.zeros((5, 2)), np.column_stack((D, np.zeros(5))), GAMES)
    for got in (delta_estimate(none), jackknife_estimate(none), bounded_estimate(none)):
        assert math.isnan(got.value)
        assert math.isnan(got.low)
        assert got.note == "no case to average in term 2: the denominator is 0 in every shard"
    assert np.all(np.isnan(influence(none)))
    assert "no case to average:" in delta_estimate(ShardSums(N * 0, D * 0, GAMES)).note
    assert "no game" in delta_estimate(ShardSums([], [], [])).note


def test_cases_in_one_shard_only() -> None:
    lonely = ShardSums([3, 0, 0], [5, 0, 0], [9, 9, 9])
    assert delta_estimate(lonely).value == 0.6
    assert "all cases lie in one shard" in jackknife_estimate(lonely).note


def test_one_shard_has_a_value_and_no_limits() -> None:
    one = ShardSums([3], [5], [9])
    for got in (delta_estimate(one), jackknife_estimate(one)):
        assert (got.value, got.low, got.high) == (0.6, -math.inf, math.inf)
        assert "one shard" in got.note
    assert (bounded_estimate(one).low, bounded_estimate(one).high) == (0.0, 1.0)


def test_equal_shards_do_not_vary() -> None:
    """A third in every shard: rounding must not be taken for variance."""
    got = delta_estimate(ShardSums([1, 7, 333], [3, 21, 999], [5, 5, 5]))
    assert (got.se, got.low, got.high) == (0.0, got.value, got.value)
    assert got.note == "no variation between shards"


def test_what_cancels_is_zero() -> None:
    a = clustered(4, 30)
    two = combine([(0.1, a), (0.7, a), (-0.8, a)])
    assert point(two) == 0.0
    assert not influence(two).any()


@pytest.mark.parametrize(("count", "share"), [(0, 0.0), (1, 1.0)])
def test_a_share_of_none_or_all(count: int, share: float) -> None:
    got = bounded_estimate(ShardSums(D * count, D, GAMES, shift=-1 / 3), lower=-1 / 3, upper=2 / 3)
    c2 = stats.t.ppf(0.975, 4) ** 2
    assert got.value == pytest.approx(share - 1 / 3)
    assert got.high - got.low == pytest.approx(c2 / (100 + c2))  # 100 games


@given(
    st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=2, max_size=12),
    st.floats(-2, 2),
)
def test_shares_stay_in_range(pairs: list[tuple[int, int]], lower: float) -> None:
    hits, misses = np.array(pairs).T
    sums = ShardSums(hits, hits + misses, np.full(len(pairs), 7), shift=lower)
    got = bounded_estimate(sums, lower=lower, upper=lower + 1)
    if got.defined:
        assert lower - 1e-12 <= got.low <= got.value <= got.high <= lower + 1 + 1e-12
    else:
        assert hits.sum() + misses.sum() == 0


@given(st.integers(0, 2**32), st.integers(2, 20))
def test_the_order_of_shards_does_not_matter(seed: int, shards: int) -> None:
    sums = clustered(seed, shards)
    order = np.random.default_rng(seed).permutation(shards)
    turned = ShardSums(sums.numerators[order], sums.denominators[order], sums.games[order])
    a, b = delta_estimate(sums), delta_estimate(turned)
    assert (a.value, a.se) == pytest.approx((b.value, b.se), rel=1e-9)
    assert a.low <= a.value <= a.high


def test_first_shards() -> None:
    sums = clustered(6, 20)
    assert point(sums.first(5)) == sums.numerators[:5].sum() / sums.denominators[:5].sum()
    assert (sums.first(5).shards, sums.first(5).total_games) == (5, 1000)


@pytest.mark.parametrize(
    "arguments",
    [
        (N[:4], D, GAMES),
        (N, D, GAMES[:4]),
        (N, D, GAMES, [1.0, 2.0]),
        (N, -D, GAMES),
        (N, D, GAMES * 0),
        (N * math.nan, D, GAMES),
    ],
)
def test_misfits_are_refused(arguments: tuple) -> None:
    with pytest.raises(ValueError, match=r"must|broadcast"):
        ShardSums(*arguments)


def test_different_shards_do_not_mix() -> None:
    a, b = ShardSums(N, D, GAMES), ShardSums(N, D, GAMES + 1)
    with pytest.raises(ValueError, match="different shards"):
        combine([(1, a), (1, b)])
    with pytest.raises(ValueError, match="different shards"):
        covariance([a, b])


def test_bounded_refuses_what_is_out_of_range() -> None:
    with pytest.raises(ValueError, match="not a proportion"):
        bounded_estimate(ShardSums(N * 10, D, GAMES))
