"""Two variants on the same deals: paired difference, what the pairing gained, equivalence.

Sources
-------
Glasserman, P. (2004). *Monte Carlo Methods in Financial Engineering*, section 4.2 and 7.1 (common random
    numbers). Springer.
Welch, B. L. (1947). The generalization of 'Student's' problem when several different population variances
    are involved. *Biometrika* 34, 28-35.
Pitman, E. J. G. (1939). A note on normal correlation. *Biometrika* 31, 9-12, and Morgan, W. A. (1939), the
    same volume, 13-19 (ratio of two correlated variances).
Schuirmann, D. J. (1987). A comparison of the two one-sided tests procedure and the power approach for
    assessing the equivalence of average bioavailability. *J. Pharmacokin. Biopharm.* 15, 657-680.
Cumming, G. (2012). *Understanding the New Statistics*, chapter 11 (d with the average standard deviation).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from analysis.estimate import Estimate, check_level, critical_value, student_quantile, t_p_value
from analysis.ratios import covariance, delta_estimate, influence
from analysis.shards import ShardSums, combine, effective_shards

EFFECT_SIZE = "d: difference / root mean square of the two variants' standard deviations of one game"


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The difference of a metric between a variant and its baseline on the same shards.

    Attributes
    ----------
    difference : Estimate
        Variant less baseline, paired.
    unpaired : Estimate
        The same difference as if the two had played different deals (Welch).
    variant, baseline : Estimate
        The two on their own (delta method).
    correlation : float
        Of the two variants' shard influence values; nan when one of them does not vary.
    gain, gain_low, gain_high : float
        Unpaired games that one paired game was worth: unpaired variance / paired variance, with its
        interval. inf when the difference does not vary.
    effect_size : float
        Standardised difference, `EFFECT_SIZE`; nan without variation.
    p_value : float
        Two-sided t test of no difference, not adjusted.
    """

    difference: Estimate
    unpaired: Estimate
    variant: Estimate
    baseline: Estimate
    correlation: float
    gain: float
    gain_low: float
    gain_high: float
    effect_size: float
    p_value: float


def paired_difference(variant: ShardSums, baseline: ShardSums, level: float = 0.95) -> PairedDifference:
    """Return the paired difference of a metric between two variants that played the same shards.

    The shard influence values of the difference are the differences of the influence values, so its variance
    is V_a + V_b - 2 C_ab: what common random numbers gain is the covariance.

    Parameters
    ----------
    variant, baseline : ShardSums
        The metric in each, over the same shards with the same seeds.
    level : float
        Confidence level of all intervals.

    Returns
    -------
    PairedDifference

    Raises
    ------
    ValueError
        If the two do not share their shards.
    """
    difference = _difference(variant, baseline, level)
    cov = covariance([variant, baseline])
    gain, gain_low, gain_high = pairing_gain(variant, baseline, level)
    return PairedDifference(
        difference,
        unpaired_difference(variant, baseline, level),
        delta_estimate(variant, level),
        delta_estimate(baseline, level),
        _correlation(cov),
        gain,
        gain_low,
        gain_high,
        _effect_size(difference, cov),
        t_p_value(difference),
    )


def _difference(variant: ShardSums, baseline: ShardSums, level: float) -> Estimate:
    plain = delta_estimate(combine([(1.0, variant), (-1.0, baseline)]), level)
    note = plain.note
    if plain.se == 0 and plain.value == 0:
        # the rule of three: (1 - p)^n = 1 - level at the largest p that could have stayed hidden
        games = int(plain.n / -math.log(1 - level))
        note = f"the same in every shard: with {level:.0%} confidence, fewer than 1 game in {games:,} differs"
    return replace(plain, method=f"paired {plain.method}", note=note)


def unpaired_difference(variant: ShardSums, baseline: ShardSums, level: float = 0.95) -> Estimate:
    """Return the difference of a metric between two variants that played independent deals.

    Standard errors add in squares; degrees of freedom are those of Welch (1947).

    Parameters
    ----------
    variant, baseline : ShardSums
        The metric in each; their shards may differ in number and size.
    level : float
        Confidence level.
    """
    a, b = delta_estimate(variant, level), delta_estimate(baseline, level)
    n, shards = a.n + b.n, min(a.shards, b.shards)
    value, se = a.value - b.value, math.hypot(a.se, b.se)
    method = f"unpaired delta method over {a.shards} and {b.shards} shards, Welch t"
    note = a.note or b.note
    if math.isnan(value):
        return Estimate(value, value, value, value, level, method, n, shards, math.nan, note)
    if not se > 0:
        reach = 0.0 if se == 0 else math.inf
        return Estimate(value, value - reach, value + reach, se, level, method, n, shards, 0.0, note)
    df = se**4 / (a.se**4 / a.df + b.se**4 / b.df)
    half = critical_value(level, df) * se
    return Estimate(value, value - half, value + half, se, level, method, n, shards, df)


def pairing_gain(variant: ShardSums, baseline: ShardSums, level: float = 0.95) -> tuple[float, float, float]:
    """Return how many unpaired games one paired game was worth, with its interval.

    gain = (V_a + V_b) / (V_a + V_b - 2 C_ab) = (1 + F) / 2, where F is the variance of the sum of the two
    influence values over that of their difference. The interval for F is that of two correlated
    variances (Pitman 1939, Morgan 1939), exact when shard sums are jointly normal.

    Returns
    -------
    tuple of float
        Gain, low, high. (inf, inf, inf) when the difference does not vary but the variants do; nan when
        nothing varies or there are fewer than three shards.
    """
    a, b = influence(variant), influence(baseline)
    plus, minus = a + b, a - b
    top, bottom = float(plus @ plus), float(minus @ minus)
    df = effective_shards(variant.games) - 2
    if not top + bottom > 0 or df <= 0:
        return math.nan, math.nan, math.nan
    if bottom == 0:
        return math.inf, math.inf, math.inf
    ratio = top / bottom
    r2 = float(plus @ minus) ** 2 / (top * bottom) if top > 0 else 0.0
    k = 1 + 2 * max(0.0, 1 - r2) * critical_value(level, df) ** 2 / df
    spread = k + math.sqrt(k * k - 1)
    return (1 + ratio) / 2, (1 + ratio / spread) / 2, (1 + ratio * spread) / 2


def _correlation(cov: NDArray[np.float64]) -> float:
    scale = float(cov[0, 0] * cov[1, 1])
    if not scale > 0:
        return math.nan
    return max(-1.0, min(1.0, float(cov[0, 1]) / math.sqrt(scale)))


def _effect_size(difference: Estimate, cov: NDArray[np.float64]) -> float:
    # the variance of one game's linearised value is n times that of the mean over n games
    sd = math.sqrt(float(cov[0, 0] + cov[1, 1]) / 2 * difference.n) if np.all(np.isfinite(cov)) else math.nan
    return difference.value / sd if sd > 0 else math.nan


@dataclass(frozen=True, slots=True)
class Equivalence:
    """Outcome of two one-sided tests.

    Attributes
    ----------
    equivalent : bool
        Whether |theta| < `margin` is shown: `p_value` <= 1 - `level`.
    margin : float
        The largest difference that would not matter, in the metric's unit.
    p_value : float
        The larger of the two one-sided p values.
    low, high : float
        The interval of coverage 1 - 2α, α = 1 - level; it lies inside the margins exactly when
        `equivalent`.
    level : float
        1 - α.
    method : str
        Name of the test.
    """

    equivalent: bool
    margin: float
    p_value: float
    low: float
    high: float
    level: float
    method: str


def equivalence_test(estimate: Estimate, margin: float, level: float = 0.95) -> Equivalence:
    """Test that a difference is smaller than a margin on either side (TOST, Schuirmann 1987).

    Rejects both theta <= -margin and theta >= margin, each at α = 1 - `level`; that the two must both be
    rejected keeps the error of the whole at α.

    Parameters
    ----------
    estimate : Estimate
        A difference with its standard error and degrees of freedom.
    margin : float
        Above 0, in the metric's unit.
    level : float
        1 - α.

    Returns
    -------
    Equivalence
        Not equivalent, with p of nan, when the difference has no standard error.

    Raises
    ------
    ValueError
        If the margin is not above 0.
    """
    check_level(level)
    if not (margin > 0 and math.isfinite(margin)):
        raise ValueError(f"margin {margin!r} is not allowed: an equivalence margin is a number above 0")
    tests = [t_p_value(estimate, -margin, "greater"), t_p_value(estimate, margin, "less")]
    p = math.nan if any(math.isnan(t) for t in tests) else max(tests)
    half = math.inf if math.isnan(estimate.se) else 0.0
    if estimate.se > 0:
        half = student_quantile(level, estimate.df) * estimate.se
    method = f"two one-sided t tests, {estimate.method}"
    return Equivalence(p <= 1 - level, margin, p, estimate.value - half, estimate.value + half, level, method)
