"""Is the game fair: the same metric for each seat, intervals that hold together, a test of equality.

Sources
-------
Hothorn, T., Bretz, F. and Westfall, P. (2008). Simultaneous inference in general parametric models.
    *Biometrical J.* 50, 346-363 (max-t intervals).
Genz, A. and Bretz, F. (2009). *Computation of Multivariate Normal and t Probabilities*, section 4.1
    (integration over directions). Springer.
Šidák, Z. (1967). Rectangular confidence regions for the means of multivariate normal distributions.
    *J. Amer. Statist. Assoc.* 62, 626-633.
Hotelling, H. (1931). The generalization of Student's ratio. *Ann. Math. Statist.* 2, 360-378.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, pairwise

import numpy as np

from analysis.estimate import Estimate, FloatArray, check_level, critical_value
from analysis.ratios import bounded_estimate, covariance, delta_estimate
from analysis.shards import ShardSums, combine, effective_shards

_DIRECTIONS = 2**13
_SINGULAR = 1e-10  # eigenvalues below this share of the largest are rounding


@dataclass(frozen=True, slots=True)
class EqualityTest:
    """Hotelling's test that all seats have the same value.

    Attributes
    ----------
    statistic : float
        F; nan when it cannot be computed.
    df1, df2 : float
        Its degrees of freedom.
    p_value : float
        Of equality.
    method, note : str
        Name of the test, and why there is no statistic.
    """

    statistic: float
    df1: int
    df2: float
    p_value: float
    method: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Fairness:
    """A metric by seat.

    Attributes
    ----------
    seats : tuple of Estimate
        One for each seat, simultaneous intervals.
    deviations : tuple of Estimate
        Each seat less the mean over seats, simultaneous intervals.
    equality : EqualityTest
        Test that all seats are equal.
    best : int
        Seat with the largest value.
    advantage : Estimate
        Of the best seat over the mean. The interval is for the largest true advantage, whichever seat has
        it; the value is a maximum, so it leans upward while seats are nearly equal.
    spread : Estimate
        Best less worst seat, in the same sense.
    """

    seats: tuple[Estimate, ...]
    deviations: tuple[Estimate, ...]
    equality: EqualityTest
    best: int
    advantage: Estimate
    spread: Estimate


def fairness(seats: Sequence[ShardSums], level: float = 0.95, bounds: tuple[float, float] | None = None) -> Fairness:
    """Return a metric by seat with simultaneous intervals, a test of equality and the largest advantage.

    Parameters
    ----------
    seats : sequence of ShardSums
        The metric for each seat over the same shards, two seats or more.
    level : float
        Simultaneous confidence level of each family: seats, deviations from their mean, pairs.
    bounds : tuple of float, optional
        (0, 1) for win shares: intervals then never leave it. None for scores.

    Raises
    ------
    ValueError
        If there are fewer than two seats or their shards differ.
    """
    check_level(level)
    if len(seats) < 2:
        raise ValueError(f"{len(seats)} seat is not allowed: fairness needs two seats or more")
    k = len(seats)
    each = _simultaneous(seats, level, bounds)
    mean = float(np.mean([e.value for e in each]))
    deviations = [combine([(float(i == j) - 1 / k, s) for j, s in enumerate(seats)]) for i in range(k)]
    moved = None if bounds is None or math.isnan(mean) else (bounds[0] - mean, bounds[1] - mean)
    apart = _simultaneous(deviations, level, moved)
    best = int(np.argmax([e.value for e in apart]))
    return Fairness(each, apart, equality_test(seats), best, _largest(apart), _spread(seats, level))


def equality_test(seats: Sequence[ShardSums]) -> EqualityTest:
    """Test that a metric is the same for all seats, from the spread between shards (Hotelling 1931).

    T² = (C theta)' (C V C')⁻¹ (C theta) for contrasts C of neighbouring seats; with r the rank of C V C' and
    nu = shards - 1, F = T² (nu - r + 1) / (nu r) has r and nu - r + 1 degrees of freedom. Shares that sum
    to 1 make V singular, but not C V C'.
    """
    name = "Hotelling's T² on contrasts between seats"
    contrasts = [combine([(1.0, a), (-1.0, b)]) for a, b in pairwise(seats)]
    values = np.array([delta_estimate(c).value for c in contrasts])
    cov = covariance(contrasts)
    if not (np.all(np.isfinite(values)) and np.all(np.isfinite(cov))):
        return EqualityTest(
            math.nan, 0, 0.0, math.nan, name, "one shard, or no case: nothing to measure the error with"
        )
    from scipy import special

    nu = effective_shards(seats[0].games) - 1
    if nu < len(contrasts):
        return EqualityTest(math.nan, 0, nu, math.nan, name, "fewer shards than seats: play more games")
    t2, rank, outside = _quadratic_form(values, cov)
    if outside:
        # every shard shows the very same difference, as likely as a sign test says
        sign_test = 2.0 ** (1 - len(seats[0].games))
        return EqualityTest(math.inf, rank, nu, sign_test, "sign test over shards", "a difference that never varies")
    if rank == 0:
        return EqualityTest(math.nan, 0, nu, 1.0, name, "every shard gave equal seats")
    df2 = nu - rank + 1
    statistic = t2 * df2 / (nu * rank)
    return EqualityTest(statistic, rank, df2, float(special.fdtrc(rank, df2, statistic)), name)


def _quadratic_form(x: FloatArray, cov: FloatArray) -> tuple[float, int, bool]:
    """Return x' cov⁺ x, the rank of cov, and whether x leaves the space that cov spans."""
    eigenvalues, vectors = np.linalg.eigh(cov)
    kept = eigenvalues > _SINGULAR * max(float(eigenvalues[-1]), 0.0)
    kept &= eigenvalues > 0
    along = vectors.T @ x
    outside = bool(np.any(np.abs(along[~kept]) > 1e-9 * max(1.0, float(np.abs(x).max()))))
    return float(np.sum(along[kept] ** 2 / eigenvalues[kept])), int(kept.sum()), outside


def max_t_critical(cov: FloatArray, df: float, level: float = 0.95) -> tuple[float, str]:
    """Return c with P(max |T_i| <= c) = `level` for a multivariate t with this covariance.

    In polar coordinates the radius is integrated exactly (an F distribution) and the direction by an
    average over 8,192 fixed directions, so that the answer is always the same; its error in the level is
    below 0.001. A singular covariance is no obstacle. Šidák's bound caps it, and stands in for it when the
    covariance is unknown.

    Parameters
    ----------
    cov : ndarray of float64, shape (k, k)
        Covariance of the estimates.
    df : float
        Degrees of freedom of the variance estimates.
    level : float
        Simultaneous level.

    Returns
    -------
    tuple of float and str
        The critical value and the name of the method.
    """
    sd = np.sqrt(np.maximum(np.diag(cov), 0.0))
    varying = sd > 0
    k = int(varying.sum())
    sidak = critical_value(level ** (1 / max(k, 1)), df)
    if k == 0 or not np.all(np.isfinite(cov)) or df <= 0 or math.isinf(sidak):
        return sidak, "Šidák"
    if k == 1:
        return sidak, "t"
    correlation = cov[np.ix_(varying, varying)] / np.outer(sd[varying], sd[varying])
    eigenvalues, vectors = np.linalg.eigh(correlation)
    kept = eigenvalues > _SINGULAR * eigenvalues[-1]
    root = vectors[:, kept] * np.sqrt(eigenvalues[kept])
    reach = _largest_projection(root)
    return min(sidak, _solve_level(reach, root.shape[1], df, level, sidak)), "max-t"


@lru_cache(maxsize=16)
def _directions(rank: int) -> FloatArray:
    """Return fixed directions spread evenly over the sphere, shape (directions, rank)."""
    normals = np.random.default_rng(20240229).standard_normal((_DIRECTIONS, rank))
    return np.asarray(normals / np.linalg.norm(normals, axis=1, keepdims=True))


def _largest_projection(root: FloatArray) -> FloatArray:
    """Return max_i |row_i . u| over the directions, as means of 64 equal slices of its distribution."""
    reach = np.sort(np.abs(_directions(root.shape[1]) @ root.T).max(axis=1))
    return np.asarray(reach.reshape(64, -1).mean(axis=1))


def _solve_level(reach: FloatArray, rank: int, df: float, level: float, top: float) -> float:
    from scipy import special

    # the top is a bound but for the directions' error, so let the bracket have some room
    low, high = critical_value(level, df), top * 1.05
    for _ in range(16):
        c = (low + high) / 2
        if float(np.mean(special.fdtr(rank, df, (c / reach) ** 2 / rank))) < level:
            low = c
        else:
            high = c
    return high


def _simultaneous(
    metrics: Sequence[ShardSums], level: float, bounds: tuple[float, float] | None
) -> tuple[Estimate, ...]:
    """Return the metrics' estimates with intervals that all hold at once with `level`."""
    plain = [delta_estimate(m, level) for m in metrics]
    df = effective_shards(metrics[0].games) - 1
    critical, name = max_t_critical(covariance(metrics), df, level)
    phrase = f", simultaneous over {len(metrics)} ({name})"
    if bounds is not None:
        closed = [bounded_estimate(m, level, *bounds, critical=critical) for m in metrics]
        return tuple(replace(e, method=e.method + phrase) for e in closed)
    return tuple(replace(_widened(e, critical), method=e.method + phrase) for e in plain)


def _widened(estimate: Estimate, critical: float) -> Estimate:
    if not estimate.se >= 0:
        return estimate
    half = critical * estimate.se if estimate.se > 0 else 0.0
    return replace(estimate, low=estimate.value - half, high=estimate.value + half)


def _largest(estimates: Sequence[Estimate]) -> Estimate:
    """Return the largest of simultaneous estimates; the true maximum lies between the largest limits."""
    first = max(estimates, key=lambda e: e.value)
    return replace(
        first,
        low=max(e.low for e in estimates),
        high=max(e.high for e in estimates),
        se=math.nan,
        method=f"largest of {first.method}",
    )


def _spread(seats: Sequence[ShardSums], level: float) -> Estimate:
    pairs = [combine([(1.0, a), (-1.0, b)]) for a, b in combinations(seats, 2)]
    return _largest([_absolute(e) for e in _simultaneous(pairs, level, None)])


def _absolute(e: Estimate) -> Estimate:
    low = 0.0 if e.low <= 0 <= e.high else min(abs(e.low), abs(e.high))
    return replace(e, value=abs(e.value), low=low, high=max(abs(e.low), abs(e.high)))
