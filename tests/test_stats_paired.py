"""Paired differences, what pairing gains, equivalence, adjusted p values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.weightstats import DescrStatsW

from analysis.multiplicity import adjust, simultaneous_level
from analysis.paired import equivalence_test, paired_difference, pairing_gain, unpaired_difference
from analysis.ratios import delta_estimate
from analysis.shards import ShardSums

GAMES = np.full(40, 100)


def two_variants(rho: float, seed: int = 0, shift: float = 0.0, shards: int = 40) -> tuple[ShardSums, ShardSums]:
    rng = np.random.default_rng(seed)
    noise = rng.multivariate_normal([0, 0], [[1, rho], [rho, 1]], shards) * 10
    games = np.full(shards, 100)
    return ShardSums(noise[:, 0] + 100 * shift, games, games), ShardSums(noise[:, 1], games, games)


def test_paired_t_test_agrees_with_scipy() -> None:
    a, b = two_variants(0.8, shift=0.02)
    got = paired_difference(a, b)
    x, y = a.numerators[:, 0] / 100, b.numerators[:, 0] / 100
    want = stats.ttest_rel(x, y)
    ends = want.confidence_interval(0.95)
    assert (got.difference.low, got.difference.high) == pytest.approx((ends.low, ends.high), rel=1e-10)
    assert got.p_value == pytest.approx(want.pvalue, rel=1e-9)
    assert got.correlation == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert got.gain == pytest.approx((x.var() + y.var()) / (x - y).var())
    assert got.gain_low < got.gain < got.gain_high
    assert got.difference.method == "paired delta method over 40 shards, t"


def test_unpaired_is_welch() -> None:
    a, b = two_variants(0.0, shift=0.05)
    got = unpaired_difference(a, b.first(25))
    x, y = a.numerators[:, 0] / 100, b.numerators[:25, 0] / 100
    want = stats.ttest_ind(x, y, equal_var=False).confidence_interval(0.95)
    assert (got.low, got.high) == pytest.approx((want.low, want.high), rel=1e-10)
    assert got.n == 6500


def test_effect_size_is_per_game() -> None:
    """Shard sums of 100 games with variance 100: one game has standard deviation 1."""
    a, b = two_variants(0.5, shift=0.3, shards=4000)
    assert paired_difference(a, b).effect_size == pytest.approx(0.3, abs=0.01)


def test_gain_interval_covers() -> None:
    """With correlation 0.9 a paired game is worth ten unpaired ones; unequal variances are allowed."""
    rng = np.random.default_rng(4)
    noise = rng.multivariate_normal([0, 0], [[1, 1.26], [1.26, 4]], (2000, 40))
    true = (1 + 4) / (1 + 4 - 2 * 1.26)
    hits = 0
    for x in noise:
        _, low, high = pairing_gain(ShardSums(x[:, 0], GAMES, GAMES), ShardSums(x[:, 1], GAMES, GAMES))
        hits += low <= true <= high
    assert 0.935 <= hits / 2000 <= 0.965


def test_identical_variants() -> None:
    a, _ = two_variants(0.5)
    got = paired_difference(a, a)
    assert (got.difference.value, got.difference.se, got.difference.low, got.difference.high) == (0, 0, 0, 0)
    assert got.difference.note == "the same in every shard: with 95% confidence, fewer than 1 game in 1,335 differs"
    assert (got.gain, got.gain_low, got.correlation, got.p_value) == (
        math.inf,
        math.inf,
        pytest.approx(1),
        1.0,
    )
    assert got.unpaired.se == pytest.approx(math.sqrt(2) * got.baseline.se)


def test_nothing_varies() -> None:
    flat = ShardSums(GAMES * 0, GAMES, GAMES)
    got = paired_difference(flat, flat)
    assert math.isnan(got.correlation)
    assert math.isnan(got.gain)
    assert math.isnan(got.effect_size)
    assert got.unpaired.half_width == 0


def test_undefined_in_one_variant() -> None:
    a, _ = two_variants(0.5)
    got = paired_difference(a, ShardSums(GAMES * 0, GAMES * 0, GAMES))
    assert math.isnan(got.difference.value)
    assert "no case to average" in got.difference.note
    assert math.isnan(got.unpaired.value)
    assert math.isnan(got.p_value)
    assert not equivalence_test(got.difference, 1.0).equivalent


def test_one_shard_tells_nothing() -> None:
    one = ShardSums([3], [5], [9])
    got = paired_difference(one, one)
    assert math.isinf(got.difference.high)
    assert math.isinf(got.unpaired.high)
    assert math.isnan(got.gain)


def test_variants_of_different_shards_are_refused() -> None:
    a, b = two_variants(0.5)
    with pytest.raises(ValueError, match="different shards"):
        paired_difference(a, b.first(30))


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.2])
def test_equivalence_agrees_with_statsmodels(margin: float) -> None:
    a, b = two_variants(0.9, shift=0.01)
    difference = paired_difference(a, b).difference
    got = equivalence_test(difference, margin)
    x = (a.numerators - b.numerators)[:, 0] / 100
    want = DescrStatsW(x).ttost_mean(-margin, margin)[0]
    assert got.p_value == pytest.approx(want, rel=1e-8)
    ends = stats.ttest_1samp(x, 0).confidence_interval(0.9)
    assert (got.low, got.high) == pytest.approx((ends.low, ends.high), rel=1e-10)
    assert got.equivalent == (want <= 0.05) == (-margin < got.low and got.high < margin)


def test_equivalence_holds_its_error_at_the_margin() -> None:
    """True difference equal to the margin: declared equivalent in 5 % of 2,000 data sets."""
    rng = np.random.default_rng(8)
    x = rng.normal(1, 1, (2000, 50)) * 10
    games = np.full(50, 100)
    hits = sum(equivalence_test(delta_estimate(ShardSums(r, games, games)), 0.1).equivalent for r in x)
    assert 0.035 <= hits / 2000 <= 0.065


@pytest.mark.parametrize("margin", [0.0, -1.0, math.inf, math.nan])
def test_bad_margins_are_refused(margin: float) -> None:
    a, b = two_variants(0.5)
    with pytest.raises(ValueError, match="number above 0"):
        equivalence_test(paired_difference(a, b).difference, margin)


def test_holm_by_hand() -> None:
    """Holm (1979): sorted p times 4, 3, 2, 1, made monotone."""
    got = adjust([0.01, 0.04, 0.03, 0.005])
    assert got.p_values == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert got.rejected == (True, False, False, True)
    assert got.method == "holm over 4 comparisons, chance of any false rejection at most 0.05"


def test_benjamini_hochberg_published_example() -> None:
    """The fifteen p values of Benjamini and Hochberg (1995), section 4: four are rejected at 0.05."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719]
    p += [0.6528, 0.7590, 1.0]
    assert sum(adjust(p, "benjamini-hochberg").rejected) == 4
    assert sum(adjust(p, "bonferroni").rejected) == 3


def test_missing_p_values_leave_the_family() -> None:
    got = adjust([0.02, math.nan, 0.5], "bonferroni")
    assert got.family == 2
    assert got.p_values[0] == pytest.approx(0.04)
    assert math.isnan(got.p_values[1])
    assert got.rejected == (True, False, False)
    assert adjust([]).family == adjust([math.nan]).family == 0


def test_adjustment_refusals() -> None:
    with pytest.raises(ValueError, match="holm, bonferroni, benjamini-hochberg"):
        adjust([0.1], "sidak")
    with pytest.raises(ValueError, match="between 0 and 1"):
        adjust([1.5])
    with pytest.raises(ValueError, match="family of 0"):
        simultaneous_level(0.95, 0)


def test_simultaneous_level() -> None:
    assert simultaneous_level(0.95, 10) == pytest.approx(0.995)
