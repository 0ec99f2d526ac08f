"""Means, proportions and quantiles from histograms: textbook answers, other libraries, and properties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.proportion import proportion_confint

from analysis.estimate import (
    Estimate,
    critical_value,
    student_quantile,
    student_quantiles,
    t_p_value,
    undefined,
)
from analysis.intervals import (
    clustered_wilson,
    mean_from_histogram,
    mean_from_sums,
    quantile_from_histogram,
    wilson,
    wilson_limits,
)

SAMPLE = np.array([3, 5, 5, 5, 7, 8, 8, 12, 12, 20])  # n = 10, mean 8.5, Σx² = 949
counts_lists = st.lists(st.integers(0, 40), min_size=1, max_size=12).filter(any)


def histogram(sample: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return np.unique(sample, return_counts=True)


def test_mean_by_hand() -> None:
    got = mean_from_histogram(*histogram(SAMPLE))
    # variance (949 - 10 * 72.25) / 9 = 25.1666..., t(9) at 97.5 % is 2.262157
    assert got.value == 8.5
    assert got.se == pytest.approx(math.sqrt(226.5 / 9 / 10), rel=1e-14)
    assert got.low == pytest.approx(8.5 - 2.2621571628 * 1.58640054, abs=1e-7)
    assert (got.n, got.df, got.shards) == (10, 9, 0)


def test_mean_agrees_with_scipy() -> None:
    got = mean_from_histogram(*histogram(SAMPLE), level=0.9)
    want = stats.ttest_1samp(SAMPLE, 0).confidence_interval(0.9)
    assert (got.low, got.high) == pytest.approx((want.low, want.high), rel=1e-12)


def test_variance_does_not_cancel() -> None:
    """Values 10^9 + {0, 1, 2}: a sum of squares in floating point would lose the variance altogether."""
    base = 10**9
    got = mean_from_histogram([base, base + 1, base + 2], [10**8, 10**8, 10**8])
    n = 3 * 10**8
    assert got.se == pytest.approx(math.sqrt(2 / 3 * n / (n - 1) / n), rel=1e-14)


@pytest.mark.parametrize(
    ("counts", "note"), [([0, 0], "no game"), ([0, 1], "one game"), ([0, 9], "every game gave this value")]
)
def test_mean_without_spread_says_so(counts: list[int], note: str) -> None:
    got = mean_from_histogram([4, 5], counts)
    assert note in got.note
    assert math.isnan(got.value) if sum(counts) == 0 else got.low <= got.value == 5 <= got.high
    assert math.isinf(got.high) == (sum(counts) == 1)


@given(counts_lists, counts_lists)
def test_merging_histograms_is_adding_counts(a: list[int], b: list[int]) -> None:
    size = max(len(a), len(b))
    a, b = a + [0] * (size - len(a)), b + [0] * (size - len(b))
    values = np.arange(size) - 3
    merged = mean_from_histogram(values, np.add(a, b))
    sample = np.concatenate((np.repeat(values, a), np.repeat(values, b)))
    if len(sample) > 1:
        want = mean_from_sums(len(sample), int(sample.sum()), int((sample**2).sum()))
        assert merged == want
        assert merged.se == pytest.approx(stats.sem(sample), rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("level", [0.8, 0.95, 0.999])
@pytest.mark.parametrize(("k", "n"), [(0, 7), (1, 50), (13, 50), (25, 50), (50, 50), (20_000, 1_000_000)])
def test_wilson_agrees_with_statsmodels(k: int, n: int, level: float) -> None:
    got = wilson(k, n, level)
    want = proportion_confint(k, n, alpha=1 - level, method="wilson")
    assert (got.low, got.high) == pytest.approx(want, abs=1e-12)


def test_wilson_published_example() -> None:
    """Newcombe (1998), Statistics in Medicine 17, table I: 81 of 263 gives 0.2553 to 0.3662."""
    got = wilson(81, 263)
    assert (round(got.low, 4), round(got.high, 4)) == (0.2553, 0.3662)


@given(st.floats(0, 1), st.floats(1e-3, 1e12), st.floats(0, 50))
def test_wilson_stays_in_range_and_holds_the_estimate(p: float, n: float, c: float) -> None:
    low, high = wilson_limits(p, n, c)
    assert 0 <= low <= p <= high <= 1


@given(st.floats(0.001, 0.999), st.integers(2, 10**6), st.floats(1, 10))
def test_wilson_limits_solve_the_score_equation(p: float, n: int, c: float) -> None:
    for q in wilson_limits(p, n, c):
        assert (p - q) ** 2 == pytest.approx(c * c * q * (1 - q) / n, rel=1e-6, abs=1e-13)


def proportion(p: float, se: float, shards: int = 20, games: int = 400) -> Estimate:
    return Estimate(p, math.nan, math.nan, se, 0.95, "", games, shards, shards - 1)


def test_clustered_wilson_without_clustering_is_wilson() -> None:
    """The binomial standard error means an effective sample size of n; only the quantile is Student's."""
    p, n = 0.3, 400
    got = clustered_wilson(proportion(p, math.sqrt(p * (1 - p) / n)), critical=critical_value(0.95, math.inf))
    want = wilson(120, 400)
    assert (got.low, got.high) == pytest.approx((want.low, want.high), rel=1e-12)


@pytest.mark.parametrize("p", [0.0, 1.0])
def test_clustered_wilson_counts_games_where_all_agree(p: float) -> None:
    got = clustered_wilson(proportion(p, 0.0))
    c = stats.t.ppf(0.975, 19)
    assert got.high - got.low == pytest.approx(c * c / (400 + c * c))
    assert "each game counted as one trial" in got.note


def test_clustered_wilson_of_a_constant_share_is_a_point() -> None:
    got = clustered_wilson(proportion(0.25, 0.0))
    assert (got.low, got.high, got.note) == (0.25, 0.25, "no variation between shards")


def test_clustered_wilson_refuses_what_is_no_share_and_passes_what_is_undefined() -> None:
    with pytest.raises(ValueError, match=r"1\.2 is not a proportion"):
        clustered_wilson(proportion(1.2, 0.1))
    nothing = undefined("no case", 0.95, 3)
    assert clustered_wilson(nothing) is nothing


def test_median_by_hand() -> None:
    """n = 10: P(B <= 1) = 0.0107 and P(B <= 2) = 0.0547, so the limits are the 2nd and the 9th value."""
    got = quantile_from_histogram(*histogram(SAMPLE), 0.5)
    assert (got.value, got.low, got.high) == (7, 5, 12)
    assert got.method == "order statistics 2 and 9, binomial"


@settings(max_examples=60)
@given(st.integers(1, 3000), st.floats(0.01, 0.99), st.sampled_from([0.8, 0.95, 0.99]))
def test_quantile_ranks_are_the_binomial_ones(n: int, q: float, level: float) -> None:
    alpha = 1 - level
    got = quantile_from_histogram(np.arange(1, n + 1), np.ones(n, dtype=int), q, level)
    # scipy's binomial as the judge: each limit is allowed, and the next sharper one is not
    low = 0 if math.isinf(got.low) else int(got.low)
    assert low == 0 or stats.binom.cdf(low - 1, n, q) <= alpha / 2 * (1 + 1e-9)
    assert stats.binom.cdf(low, n, q) > alpha / 2 * (1 - 1e-9)
    high = n + 1 if math.isinf(got.high) else int(got.high)
    assert high == n + 1 or stats.binom.sf(high - 1, n, q) <= alpha / 2 * (1 + 1e-9)
    assert stats.binom.sf(high - 2, n, q) > alpha / 2 * (1 - 1e-9)
    assert got.low <= got.value <= got.high


@given(counts_lists, st.floats(0.02, 0.98))
def test_quantile_is_the_inverted_cdf(counts: list[int], q: float) -> None:
    values = np.arange(len(counts)) * 2
    got = quantile_from_histogram(values, counts, q)
    want = np.quantile(np.repeat(values, counts), q, method="inverted_cdf")
    assert got.value == want


def test_quantile_in_the_overflow() -> None:
    got = quantile_from_histogram([1, 2], [5, 5], 0.95, below=1, above=100)
    assert (got.value, got.low, got.high) == (math.inf, math.inf, math.inf)
    assert got.note == "101 games off the scale"
    assert quantile_from_histogram([1, 2], [5, 5], 0.01, below=50).value == -math.inf


def test_quantile_of_a_billion_games() -> None:
    got = quantile_from_histogram([0, 1, 2], [4 * 10**8, 2 * 10**8, 4 * 10**8], 0.4)
    ranks = [int(word) for word in got.method.replace(",", "").split() if word.isdigit()]
    sd = math.sqrt(10**9 * 0.24)
    assert ranks == pytest.approx([4e8 - 1.96 * sd, 4e8 + 1.96 * sd], abs=3)
    assert (got.low, got.high) == (0, 1)


def test_too_few_games_for_a_limit() -> None:
    got = quantile_from_histogram([1, 2, 3], [1, 1, 1], 0.9)
    assert math.isinf(got.high)
    assert got.note == "too few games for a finite limit"
    assert "no game" in quantile_from_histogram([1], [0], 0.5).note


@pytest.mark.parametrize(
    ("values", "counts"),
    [([1, 2], [1]), ([2, 1], [1, 1]), ([1, 2], [1, -1]), ([1.5, 2], [1, 1]), ([[1]], [[1]])],
)
def test_what_is_no_histogram_is_refused(values: list[float], counts: list[int]) -> None:
    with pytest.raises(ValueError, match=r"histogram|one-dimensional"):
        mean_from_histogram(values, counts)


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="quantile 1"):
        quantile_from_histogram([1], [1], 1)
    with pytest.raises(ValueError, match="confidence level 95"):
        wilson(1, 2, 95)
    with pytest.raises(ValueError, match="3 successes of 2 trials"):
        wilson(3, 2)
    with pytest.raises(ValueError, match="'more' is not allowed"):
        t_p_value(wilson(1, 2), 0, "more")


def test_student_quantiles_agree_with_scipy() -> None:
    for df in (1, 4.5, 199, 1e6):
        assert student_quantile(0.975, df) == pytest.approx(stats.t.ppf(0.975, df), rel=1e-10)
    assert student_quantile(0.975, math.inf) == pytest.approx(1.959963984540054)
    assert student_quantile(0.975, 0) == math.inf
    assert student_quantiles(0.9, np.array([3.0, 1e9])) == pytest.approx(stats.t.ppf(0.9, [3, 1e9]))


@pytest.mark.parametrize("alternative", ["two-sided", "greater", "less"])
def test_t_p_value_agrees_with_scipy(alternative: str) -> None:
    got = t_p_value(mean_from_histogram(*histogram(SAMPLE)), 5.0, alternative)
    assert got == pytest.approx(stats.ttest_1samp(SAMPLE, 5.0, alternative=alternative).pvalue, rel=1e-10)


def test_t_p_value_without_spread() -> None:
    certain = mean_from_histogram([4, 5], [0, 9])
    assert [t_p_value(certain, 4, a) for a in ("two-sided", "greater", "less")] == [0.0, 0.0, 1.0]
    assert t_p_value(certain, 5) == 1.0
    assert math.isnan(t_p_value(mean_from_histogram([5], [1]), 5))


def test_rescaling_turns_limits_round() -> None:
    got = wilson(30, 100).rescaled(-100, 50)
    assert (got.low, got.value, got.high) == pytest.approx((50 - 39.585, 20, 50 - 21.895), abs=1e-3)
    assert got.half_width == pytest.approx((got.high - got.low) / 2)
    assert got.defined
