"""Intervals for means, proportions and quantiles, from exact integer histograms of independent games.

Sources
-------
Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference.
    *J. Amer. Statist. Assoc.* 22, 209-212.
Korn, E. L. and Graubard, B. I. (1998). Confidence intervals for proportions with small expected number
    of positive counts estimated from survey data. *Survey Methodology* 24, 193-201.
Dean, N. and Pagano, M. (2015). Evaluating confidence interval methods for binomial proportions in
    clustered surveys. *J. Survey Statist. Methodol.* 3, 484-503.
Hahn, G. J. and Meeker, W. Q. (1991). *Statistical Intervals*, section 5.2 (quantiles). Wiley.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from analysis.estimate import Estimate, check_level, counted, critical_value, undefined

_NO_GAMES = "no game to estimate from"


def mean_from_histogram(values: ArrayLike, counts: ArrayLike, level: float = 0.95) -> Estimate:
    """Return the mean of a game-level metric, and its t interval, from an exact histogram.

    Parameters
    ----------
    values : array_like of int, shape (bins,)
        The value of each bin.
    counts : array_like of int, shape (bins,)
        Games with that value.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        As of `mean_from_sums`.

    Raises
    ------
    ValueError
        If the two arrays do not make a histogram.
    """
    v, c = _histogram(values, counts)
    # Python integers: a sum of squares over 10^9 games may pass 2^63, and the variance must not cancel
    pairs = [(int(x), int(k)) for x, k in zip(v[c > 0], c[c > 0], strict=True)]
    return mean_from_sums(
        sum(k for _, k in pairs),
        sum(x * k for x, k in pairs),
        sum(x * x * k for x, k in pairs),
        level,
    )


def mean_from_sums(n: int, total: int, total_of_squares: int, level: float = 0.95) -> Estimate:
    """Return a mean and its t interval from exact sums over `n` independent games.

    The sample variance is the exact rational (n Σx² - (Σx)²) / (n (n - 1)), rounded once. The interval
    is mean ± t se with n - 1 degrees of freedom: exact for normal values, and by the central limit
    theorem for any others as n grows.

    Parameters
    ----------
    n : int
        Games.
    total, total_of_squares : int
        Σx and Σx² over the games.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        nan with a note for n = 0; infinite limits for n = 1.
    """
    check_level(level)
    if n == 0:
        return undefined(_NO_GAMES, level, 0)
    mean, method = total / n, "t interval over games"
    if n == 1:
        return Estimate(
            mean, -math.inf, math.inf, math.nan, level, method, 1, df=0, note="one game: no spread to measure"
        )
    se = math.sqrt((n * total_of_squares - total * total) / (n * (n - 1)) / n)
    half = critical_value(level, n - 1) * se
    note = "" if se > 0 else "every game gave this value"
    return Estimate(mean, mean - half, mean + half, se, level, method, n, df=n - 1, note=note)


def wilson_limits(p: float, n: float, critical: float) -> tuple[float, float]:
    """Return Wilson's limits for a proportion.

    The solutions q of (p - q)² = c² q (1 - q) / n.

    Parameters
    ----------
    p : float
        Observed proportion, in [0, 1].
    n : float
        Independent trials, or the effective number of them; above 0, may be inf.
    critical : float
        c, the quantile of the normal or of Student's t.

    Returns
    -------
    tuple of float
        Limits with 0 <= low <= p <= high <= 1.
    """
    if math.isinf(critical):
        return 0.0, 1.0
    k = critical * critical / n
    centre = (p + k / 2) / (1 + k)
    half = math.sqrt(k * p * (1 - p) + k * k / 4) / (1 + k)
    # p itself is a limit at 0 and 1; rounding must not push it outside
    low = 0.0 if p == 0 else max(0.0, min(p, centre - half))
    high = 1.0 if p == 1 else min(1.0, max(p, centre + half))
    return low, high


def wilson(successes: float, trials: int, level: float = 0.95) -> Estimate:
    """Return a proportion of independent games and its Wilson (score) interval.

    Parameters
    ----------
    successes : float
        Games that count; a shared win may count in part.
    trials : int
        Games.
    level : float
        Confidence level.

    Returns
    -------
    Estimate
        Limits inside [0, 1], and of positive length even at 0 and 1.

    Raises
    ------
    ValueError
        If `successes` is not in 0 ... `trials`.
    """
    check_level(level)
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} successes of {trials} trials is not allowed: give 0 to {trials}")
    if trials == 0:
        return undefined(_NO_GAMES, level, 0)
    p = successes / trials
    low, high = wilson_limits(p, trials, critical_value(level, math.inf))
    return Estimate(p, low, high, math.sqrt(p * (1 - p) / trials), level, "Wilson", trials)


def clustered_wilson(spread: Estimate, critical: float | None = None) -> Estimate:
    """Return the Wilson interval of a clustered proportion, from its estimate and standard error.

    The number of trials is the effective one, p (1 - p) / se², which holds the clustering; the normal
    quantile gives way to Student's t of the variance estimate (Korn and Graubard 1998 for the idea, Dean
    and Pagano 2015 for Wilson's interval in this place). Where every case agrees (p of 0 or 1) the spread
    says nothing about clustering, and each game counts as one trial however many cases it held.

    Parameters
    ----------
    spread : Estimate
        Proportion with `se`, `df`, `n` (games) and `shards`, as from the delta method.
    critical : float, optional
        Replaces the t quantile of `spread.level`: for simultaneous intervals.

    Returns
    -------
    Estimate
        The same value and standard error, limits inside [0, 1].

    Raises
    ------
    ValueError
        If the value is not a proportion.
    """
    if not spread.defined:
        return spread
    p = min(1.0, max(0.0, spread.value))
    if not spread.se > 0 and abs(p - round(p)) < 1e-9:
        p = float(round(p))  # 0 or 1 but for the rounding of a sum
    if abs(p - spread.value) > 1e-9:
        raise ValueError(f"{spread.value} is not a proportion: Wilson's interval needs a value in [0, 1]")
    c = critical_value(spread.level, spread.df) if critical is None else critical
    n_effective, note = _effective_trials(p, spread)
    low, high = wilson_limits(p, n_effective, c)
    method = f"Wilson, effective sample size over {counted(spread.shards, 'shard')}, t"
    return Estimate(
        p, low, high, spread.se, spread.level, method, spread.n, spread.shards, spread.df, note or spread.note
    )


def _effective_trials(p: float, spread: Estimate) -> tuple[float, str]:
    """Return the number of independent trials that a standard error is worth, and a note."""
    if p in (0.0, 1.0):
        return float(spread.n), "all cases agree: each game counted as one trial"
    if math.isnan(spread.se):
        return 1.0, spread.note
    if spread.se == 0:
        return math.inf, "no variation between shards"
    return p * (1 - p) / spread.se**2, ""


def quantile_from_histogram(
    values: ArrayLike,
    counts: ArrayLike,
    q: float,
    level: float = 0.95,
    below: int = 0,
    above: int = 0,
    worth: int | None = None,
) -> Estimate:
    """Return a quantile of a game-level metric with an exact interval between two order statistics.

    The estimate is the smallest value with at least a share `q` of the games at or under it. The limits
    are the order statistics X(l) and X(u): l the largest rank with P(B <= l - 1) <= α/2 and u the
    smallest with P(B >= u) <= α/2 for B binomial(n, q). No distribution is assumed; coverage is at
    least `level`, and above it when values tie, as integers do (Hahn and Meeker 1991).

    Parameters
    ----------
    values, counts : array_like of int, shape (bins,)
        Histogram; `values` ascending.
    q : float
        Which quantile, strictly between 0 and 1; 0.5 is the median.
    level : float
        Confidence level.
    below, above : int
        Games under the first and over the last bin (overflow).
    worth : int, optional
        Independent values that the counts are worth, where they depend on each other: the ranks are those for so many,
        as shares of all. By default all are independent.

    Returns
    -------
    Estimate
        `se` is nan. A limit is infinite where n is too small for it or where it falls into the overflow.

    Raises
    ------
    ValueError
        If `q` is out of range or the arrays do not make a histogram.
    """
    check_level(level)
    if not 0.0 < q < 1.0:
        raise ValueError(f"quantile {q!r} is not allowed: give a number between 0 and 1, as 0.5")
    v, c = _histogram(values, counts)
    cumulative = np.cumsum(np.concatenate(([below], c, [above])))
    scale = np.concatenate(([-math.inf], v.astype(np.float64), [math.inf]))
    n = int(cumulative[-1])
    if n == 0:
        return undefined(_NO_GAMES, level, 0)
    ranks = (max(1, _ceil(n * q)), *_ranks(n, q, 1 - level, n if worth is None else min(worth, n)))
    value, low, high = (_order_statistic(scale, cumulative, r) for r in ranks)
    note = f"{below + above} games off the scale" if below + above else ""
    if not note and (ranks[1] < 1 or ranks[2] > n):
        note = "too few games for a finite limit"
    method = f"order statistics {ranks[1]} and {ranks[2]}, binomial"
    if worth is not None and worth < n:
        method += f"; the values counted as {worth} independent ones"
    return Estimate(value, low, high, math.nan, level, method, n, note=note)


def _ranks(n: int, q: float, alpha: float, worth: int) -> tuple[int, int]:
    """Return the ranks of the limits among n values that are worth so many independent ones; 0 and n + 1 are infinite."""
    lower, upper = _lower_rank(worth, q, alpha), _upper_rank(worth, q, alpha)
    if worth == n:
        return lower, upper
    return (
        0 if lower < 1 else max(1, math.floor((lower - 1) * n / worth)),
        n + 1 if upper > worth else min(n, math.ceil(upper * n / worth)),
    )


def _ceil(x: float) -> int:
    """Return the ceiling, forgiving the rounding of n * q (0.07 * 100 is 7.000000000000001)."""
    nearest = round(x)
    return nearest if abs(x - nearest) <= 1e-9 * max(1.0, abs(x)) else math.ceil(x)


def _order_statistic(scale: np.ndarray, cumulative: np.ndarray, rank: int) -> float:
    if rank < 1:
        return -math.inf
    if rank > cumulative[-1]:
        return math.inf
    return float(scale[np.searchsorted(cumulative, rank)])


def _binomial_cdf(k: int, n: int, q: float) -> float:
    """Return P(B <= k), by the incomplete beta function: n may be large."""
    from scipy import special

    if k < 0:
        return 0.0
    return 1.0 if k >= n else float(special.betainc(n - k, k + 1, 1 - q))


def _lower_rank(n: int, q: float, alpha: float) -> int:
    """Return the largest l with P(B <= l - 1) <= α/2; 0 when there is none."""
    low, high = 0, n  # invariant: low satisfies the condition, high + 1 does not
    while low < high:
        middle = (low + high + 1) // 2
        if _binomial_cdf(middle - 1, n, q) <= alpha / 2:
            low = middle
        else:
            high = middle - 1
    return low


def _upper_rank(n: int, q: float, alpha: float) -> int:
    """Return the smallest u with P(B >= u) <= α/2; n + 1 when there is none among 1 ... n."""
    # B >= u exactly when n - B <= n - u, and n - B is binomial(n, 1 - q)
    return n + 1 - _lower_rank(n, 1 - q, alpha)


def _histogram(values: ArrayLike, counts: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    v, c = np.asarray(values), np.asarray(counts)
    if v.ndim != 1 or v.shape != c.shape:
        raise ValueError(f"values {v.shape} and counts {c.shape} must be one-dimensional and of one length")
    if not (np.issubdtype(v.dtype, np.integer) and np.issubdtype(c.dtype, np.integer)):
        raise ValueError(f"values ({v.dtype}) and counts ({c.dtype}) of a histogram must be integers")
    if np.any(c < 0) or np.any(np.diff(v) <= 0):
        raise ValueError("a histogram needs ascending values and counts of 0 or more")
    return v, c
