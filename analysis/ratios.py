"""Metrics that are sums of ratios, over shards of games: estimate, spread, covariance.

A shard is a batch of consecutive games, independent of every other shard. Whatever depends on what inside
a game (its rounds, its players) stays inside a shard, so the spread between shards is an honest measure of
the error whatever the metric's level.

Sources
-------
Cochran, W. G. (1977). *Sampling Techniques*, 3rd ed., sections 2.11 and 6.3 (ratios, linearisation). Wiley.
Wolter, K. M. (2007). *Introduction to Variance Estimation*, 2nd ed., chapters 4 and 6. Springer.
Busing, F., Meijer, E. and van der Leeden, R. (1999). Delete-m jackknife for unequal m.
    *Statistics and Computing* 9, 3-8.
Kish, L. (1965). *Survey Sampling*, section 8.2 (effective number of unequal clusters). Wiley.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.estimate import Estimate, FloatArray, check_level, critical_value, undefined
from analysis.intervals import clustered_wilson

_ONE_SHARD = "one shard: no spread to measure"
_CONSTANT = "no variation between shards"
# what a difference of equal sums may leave: variants that never differ must differ by 0, not by 1e-17
_ROUNDING = 1e-14


@dataclass(frozen=True, eq=False, slots=True)
class ShardSums:
    """What the shards of a run hold of one metric, theta = Σ_i w_i ΣN_i / ΣD_i + shift.

    Parameters
    ----------
    numerators : array_like, shape (shards, terms) or (shards,)
        N_i summed over the games of each shard. A vector is a metric of one term.
    denominators : array_like, shape (shards, terms) or (shards,)
        D_i likewise, 0 or more; a vector serves every term.
    games : array_like of int, shape (shards,)
        Games in each shard; the last may be shorter.
    weights : array_like, shape (terms,), optional
        w_i; 1 for every term by default.
    shift : float
        Added to the sum: -1/n turns a win share into an advantage.

    Raises
    ------
    ValueError
        If the shapes do not fit, a value is not finite, a denominator is negative, or a shard has no game.
    """

    numerators: NDArray[np.generic]
    denominators: NDArray[np.generic]
    games: NDArray[np.generic]
    weights: FloatArray
    shift: float = 0.0

    def __init__(
        self,
        numerators: ArrayLike,
        denominators: ArrayLike,
        games: ArrayLike,
        weights: ArrayLike | None = None,
        shift: float = 0.0,
    ) -> None:
        top, size = np.asarray(numerators), np.asarray(games)
        top = top[:, np.newaxis] if top.ndim == 1 else top
        bottom = np.asarray(denominators)
        bottom = np.broadcast_to(bottom[:, np.newaxis], top.shape) if bottom.ndim == 1 else bottom
        w = np.ones(top.shape[-1]) if weights is None else np.asarray(weights, dtype=np.float64)
        _check_shapes(top, bottom, size, w)
        for name, value in zip(self.__slots__, (top, bottom, size, w, float(shift)), strict=True):
            object.__setattr__(self, name, value)

    @property
    def shards(self) -> int:
        """Number of shards."""
        return len(self.games)

    @property
    def total_games(self) -> int:
        """Number of games in all shards."""
        return int(self.games.sum())

    def first(self, shards: int) -> ShardSums:
        """Return the same metric over the first so many shards."""
        cut = slice(0, shards)
        return ShardSums(
            self.numerators[cut], self.denominators[cut], self.games[cut], self.weights, self.shift
        )


def _check_shapes(top: np.ndarray, bottom: np.ndarray, games: np.ndarray, weights: np.ndarray) -> None:
    if top.ndim != 2 or top.shape != bottom.shape or games.shape != top.shape[:1]:
        raise ValueError(
            f"numerators {top.shape}, denominators {bottom.shape} and games {games.shape} "
            "must be (shards, terms), (shards, terms) and (shards,)"
        )
    if weights.shape != top.shape[1:]:
        raise ValueError(f"weights {weights.shape} must be one for each of the {top.shape[1]} terms")
    if not all(np.all(np.isfinite(a)) for a in (top, bottom, weights)):
        raise ValueError("numerators, denominators and weights must be finite")
    if np.any(bottom < 0) or np.any(games <= 0):
        raise ValueError("denominators must be 0 or more, and every shard must hold a game")


def combine(parts: Sequence[tuple[float, ShardSums]], shift: float = 0.0) -> ShardSums:
    """Return the linear combination Σ c_j theta_j + `shift` of metrics over the same shards.

    Parameters
    ----------
    parts : sequence of (float, ShardSums)
        Coefficients and metrics: ``[(1, a), (-1, b)]`` is the paired difference a - b.
    shift : float
        Added to the combination.

    Raises
    ------
    ValueError
        If the metrics do not share their shards.
    """
    first = parts[0][1]
    if any(not np.array_equal(first.games, part.games) for _, part in parts):
        raise ValueError("metrics over different shards cannot be combined: give the same games to each")
    return ShardSums(
        np.concatenate([part.numerators for _, part in parts], axis=1),
        np.concatenate([part.denominators for _, part in parts], axis=1),
        first.games,
        np.concatenate([c * part.weights for c, part in parts]),
        shift + sum(c * part.shift for c, part in parts),
    )


def empty_reason(sums: ShardSums) -> str:
    """Return why the metric has no value, or "" when it has one."""
    if sums.shards == 0:
        return "no game to estimate from"
    empty = np.flatnonzero(sums.denominators.sum(axis=0) == 0)
    if empty.size == 0:
        return ""
    which = "" if sums.weights.size == 1 else f" in term {empty[0] + 1}"
    return f"no case to average{which}: the denominator is 0 in every shard"


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


def effective_shards(games: ArrayLike) -> float:
    """Return the number of equal shards that unequal ones are worth, (Σm)² / Σm² (Kish 1965).

    A shard's variance grows with its games m, so Σpsi² has the relative variance of a chi-square with
    about this many degrees of freedom. It is the number of shards when they are equal.
    """
    m = np.asarray(games, dtype=np.float64)
    return float(m.sum() ** 2 / (m @ m)) if m.size else 0.0


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
    method = f"{name} over {shards} shards, t"
    df = effective_shards(sums.games) - 1
    if shards < 2:
        return Estimate(
            value, -math.inf, math.inf, math.nan, level, method, n, shards, df=0.0, note=_ONE_SHARD
        )
    half = 0.0 if se == 0 else critical_value(level, df) * se
    note = _CONSTANT if se == 0 else ""
    return Estimate(value, value - half, value + half, se, level, method, n, shards, df, note)
