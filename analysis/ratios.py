"""Metrics that are sums of ratios, over shards of games: estimate, spread, covariance.

Sources
-------
Cochran, W. G. (1977). *Sampling Techniques*, 3rd ed., sections 2.11 and 6.3 (ratios, linearisation). Wiley.
Wolter, K. M. (2007). *Introduction to Variance Estimation*, 2nd ed., chapters 4 and 6. Springer.
Busing, F., Meijer, E. and van der Leeden, R. (1999). Delete-m jackknife for unequal m.
    *Statistics and Computing* 9, 3-8.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.estimate import Estimate, FloatArray, check_level, counted, critical_value, undefined
from analysis.intervals import clustered_wilson
from analysis.shards import ShardSums, combine, effective_shards, empty_reason

__all__ = [
    "ShardSums",
    "bounded_estimate",
    "combine",
    "covariance",
    "delta_estimate",
    "influence",
    "jackknife_estimate",
    "point",
]

_ONE_SHARD = "one shard: nothing to measure the error with; play more games"
_CONSTANT = "no variation between shards"
# what a difference of equal sums may leave: variants that never differ must differ by 0, not by 1e-17
_ROUNDING = 1e-14


def point(sums: ShardSums) -> float:
    """Return theta; nan when a denominator is empty."""
    if empty_reason(sums):
        return math.nan
    terms = sums.weights * (sums.numerators.sum(axis=0) / sums.denominators.sum(axis=0))
    value = float(terms.sum() + sums.shift)
    return 0.0 if abs(value) <= _ROUNDING * (float(np.abs(terms).sum()) + abs(sums.shift)) else value


def influence(sums: ShardSums) -> FloatArray:
    """Return the linearised value of each shard.

    psi_s = Σ_i w_i (N_is - R_i D_is) / (D_i / S), with R_i = ΣN_i / ΣD_i: the estimate's error is the mean of
    the psi_s to first order, and they sum to 0 (Cochran 1977; Wolter 2007, chapter 6).

    Returns
    -------
    ndarray of float64, shape (shards,)
        All nan when a denominator is empty.
    """
    if empty_reason(sums):
        return np.full(sums.shards, math.nan)
    top, bottom = sums.numerators.sum(axis=0), sums.denominators.sum(axis=0)
    scale = sums.weights * sums.shards / bottom
    expected = (top / bottom) * sums.denominators
    psi = ((sums.numerators - expected) * scale).sum(axis=1)
    size = ((np.abs(sums.numerators) + np.abs(expected)) * np.abs(scale)).sum(axis=1)
    return np.where(np.abs(psi) <= _ROUNDING * size, 0.0, psi)


def covariance(metrics: Sequence[ShardSums]) -> FloatArray:
    """Return the covariance matrix of the estimates of metrics over the same shards.

    Σ_s psi_s psi_s' / S² times K / (K - 1), K the effective number of shards. The correction makes the
    expectation exact for independent shards whose variance is proportional to their games; for equal shards
    it is the usual S / (S - 1).

    Returns
    -------
    ndarray of float64, shape (metrics, metrics)
        nan in the rows of empty metrics, and everywhere with one shard.

    Raises
    ------
    ValueError
        If the metrics do not share their shards.
    """
    games = metrics[0].games
    if any(not np.array_equal(games, m.games) for m in metrics):
        raise ValueError("metrics over different shards have no covariance here: give the same games to each")
    psi = np.column_stack([influence(m) for m in metrics])
    k = effective_shards(games)
    if len(games) < 2:
        return np.full((len(metrics), len(metrics)), math.nan)
    return np.asarray(psi.T @ psi * (k / (k - 1)) / len(games) ** 2, dtype=np.float64)


def delta_estimate(sums: ShardSums, level: float = 0.95) -> Estimate:
    """Return theta with the delta method's standard error and t interval.

    Parameters
    ----------
    sums : ShardSums
        The metric.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        `df` is the effective number of shards less 1: shards - 1 when they are of one size.
    """
    check_level(level)
    if reason := empty_reason(sums):
        return undefined(reason, level, sums.total_games, sums.shards)
    variance = float(covariance([sums])[0, 0])
    return _student_interval(sums, math.sqrt(variance), level, "delta method")


def jackknife_estimate(sums: ShardSums, level: float = 0.95) -> Estimate:
    """Return theta with the standard error of the jackknife over shards, and its t interval.

    The delete-m jackknife for shards of unequal size (Busing, Meijer and van der Leeden 1999), the plain one
    when they are equal. The value is theta itself; the bias that the jackknife sees is left in, being of a
    smaller order than the standard error.

    Returns
    -------
    Estimate
        nan when leaving out one shard empties a denominator.
    """
    check_level(level)
    if reason := empty_reason(sums):
        return undefined(reason, level, sums.total_games, sums.shards)
    if sums.shards < 2:
        return _student_interval(sums, math.nan, level, "jackknife")
    top = sums.numerators.sum(axis=0) - sums.numerators
    bottom = sums.denominators.sum(axis=0) - sums.denominators
    if np.any(bottom == 0):
        reason = "all cases lie in one shard: the jackknife cannot leave it out"
        return undefined(reason, level, sums.total_games, sums.shards)
    left_out = (top / bottom) @ sums.weights + sums.shift
    h = sums.games.sum() / sums.games
    pseudo = h * point(sums) - (h - 1) * left_out
    corrected = np.sum(pseudo / h)
    se = math.sqrt(float(np.mean((pseudo - corrected) ** 2 / (h - 1))))
    return _student_interval(sums, se, level, "jackknife")


def bounded_estimate(
    sums: ShardSums,
    level: float = 0.95,
    lower: float = 0.0,
    upper: float = 1.0,
    critical: float | None = None,
) -> Estimate:
    """Return theta with an interval that never leaves the metric's range.

    theta is scaled to [0, 1] and given the Wilson interval with effective sample size of
    `analysis.intervals.clustered_wilson`, from the delta method's standard error.

    Parameters
    ----------
    sums : ShardSums
        A metric that cannot leave [`lower`, `upper`].
    level : float
        Confidence level.
    lower, upper : float
        The range: 0 and 1 for a share, -1/n and 1 - 1/n for a share less 1/n.
    critical : float, optional
        Replaces the t quantile, for simultaneous intervals.

    Raises
    ------
    ValueError
        If the estimate lies outside the range.
    """
    plain = delta_estimate(sums, level)
    width = upper - lower
    share = clustered_wilson(plain.rescaled(1 / width, -lower / width), critical).rescaled(width, lower)
    value = plain.value  # to the bit; scaling there and back may round
    return replace(share, value=value, se=plain.se, low=min(share.low, value), high=max(share.high, value))


def _student_interval(sums: ShardSums, se: float, level: float, name: str) -> Estimate:
    value, n, shards = point(sums), sums.total_games, sums.shards
    method = f"{name} over {counted(shards, 'shard')}, t"
    df = effective_shards(sums.games) - 1
    if shards < 2:
        return Estimate(value, -math.inf, math.inf, math.nan, level, method, n, shards, df=0.0, note=_ONE_SHARD)
    half = 0.0 if se == 0 else critical_value(level, df) * se
    note = _CONSTANT if se == 0 else ""
    return Estimate(value, value - half, value + half, se, level, method, n, shards, df, note)
