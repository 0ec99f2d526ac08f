"""Confidence sequences and sequential tests that stay valid however often, and whenever, one looks.

The construction is the anytime-valid t test with a normal mixture: the likelihood ratio of the part of the
data that scale does not touch (right Haar prior on sigma), mixed over effect sizes (theta - m) / sigma ~
N(0, g). Under theta = m it is a test martingale for every sigma, so by Ville's inequality it ever reaches
1/alpha with probability at most alpha. Nothing is asymptotic in the number of shards; the sums of a shard
are taken to be normal, by the central limit theorem over the games inside it. With d = estimate - m,
information I (shards so far), n shards and sum of squares SSE,

    M = (1 + I g)^(-1/2) [ (SSE + I d²) / (SSE + I d² / (1 + I g)) ]^(n/2)

and with the effect size's prior cut to d > 0 the one-sided M+ = 2 M F_n(t), F_n Student's cdf with n degrees
of freedom at t = I d sqrt(g / (1 + I g)) / sqrt((SSE + I d² / (1 + I g)) / n). M+ depends on the data through
a t statistic that falls when every value falls, so it holds its error for every theta <= m.

Sources
-------
Robbins, H. (1970). Statistical methods related to the law of the iterated logarithm.
    *Ann. Math. Statist.* 41, 1397-1409 (mixtures).
Lai, T. L. (1976). On confidence sequences. *Ann. Statist.* 4, 265-280 (t statistics, invariance).
Gönen, M. and others (2005). The Bayesian two-sample t test. *Amer. Statist.* 59, 252-257 (closed form of M).
Wang, H. and Ramdas, A. (2025). Anytime-valid t-tests and confidence sequences for Gaussian means with unknown
    variance. *Sequential Analysis* 44; arXiv:2310.03722 (this martingale, and the reduced filtration).
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

from analysis.anytime import ConfidenceSequence, Evidence, evidence_from, hypothesis_text
from analysis.estimate import FloatArray, check_level
from analysis.running import Running

TUNED_FOR = 100


def mixture_variance(alpha: float, tuned_for: float) -> float:
    """Return the g that makes intervals of error `alpha` nearly shortest after `tuned_for` shards.

    g = (c + log c + 1) / tuned_for with c = -2 log alpha: the optimum for known sigma, to first order. It
    must be fixed before the data are seen; any value is valid.
    """
    check_level(1 - alpha)
    if not tuned_for > 0:
        raise ValueError(f"tuned_for {tuned_for!r} is not allowed: give a number of shards above 0")
    c = -2 * math.log(alpha)
    return max(c + math.log(c) + 1, 1.0) / tuned_for


def t_evidence(
    run: Running,
    null: float = 0.0,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    tuned_for: float = TUNED_FOR,
) -> Evidence:
    """Return the evidence against a hypothesis about a metric after every shard.

    Parameters
    ----------
    run : Running
        The metric's running state.
    null : float
        m, in the metric's unit.
    alternative : {"two-sided", "greater", "less"}
        The evidence is for theta != m, > m or < m, so against theta = m, <= m or >= m.
    alpha : float
        Error rate for which the mixture is tuned; the evidence is valid at every other.
    tuned_for : float
        Shards after which the test shall be sharpest; fixed beforehand.
    """
    text = hypothesis_text(null, alternative)
    g = mixture_variance(alpha, tuned_for)
    n = np.arange(1, run.shards + 1, dtype=np.float64)
    usable = run.ready & (run.sse > 0)
    d = np.where(usable, run.value - null, 0.0) * (-1 if alternative == "less" else 1)
    sse = np.where(usable, run.sse, 1.0)
    log_e = _log_mixture(n, run.information, sse, d, g)
    if alternative != "two-sided":
        log_e += _log_side(n, run.information, sse, d, g)
    return evidence_from(np.where(usable, log_e, 0.0), text, _name(tuned_for))


def t_sequence(
    run: Running, level: float = 0.95, tuned_for: float = TUNED_FOR, one_sided: bool = False
) -> ConfidenceSequence:
    """Return the confidence sequence of a metric: the values that `t_evidence` has not rejected.

    Parameters
    ----------
    run : Running
        The metric's running state.
    level : float
        Probability that every interval holds theta; with `one_sided`, that every lower limit is at most
        theta, and likewise for the upper ones.
    tuned_for : float
        Shards after which the intervals shall be shortest; fixed beforehand.
    one_sided : bool
        Whether each limit has its own error 1 - `level`.
    """
    alpha = 1 - check_level(level)
    reach = radius_factor(run.information, alpha, tuned_for, one_sided)
    usable = run.ready & (run.sse > 0)
    radius = np.full(run.shards, math.inf)
    radius[usable] = reach[usable] * np.sqrt(run.sse[usable] / run.information[usable])
    method = _name(tuned_for) + (", one-sided limits" if one_sided else "")
    return ConfidenceSequence(run.value, run.value - radius, run.value + radius, run.games, level, method, one_sided)


def radius_factor(
    information: FloatArray,
    alpha: float,
    tuned_for: float,
    one_sided: bool = False,
    n: FloatArray | None = None,
) -> FloatArray:
    """Return sqrt(I d² / SSE) at which the test just rejects; inf where no data could.

    Parameters
    ----------
    information : ndarray of float64, shape (k,)
        I, games in units of a full shard.
    alpha : float
        Error rate.
    tuned_for : float
        Shards that the mixture is tuned for.
    one_sided : bool
        Whether for M+ instead of M.
    n : ndarray of float64, shape (k,), optional
        Shards; 1, 2, 3 ... by default.
    """
    count = np.arange(1, len(information) + 1, dtype=np.float64) if n is None else n
    return np.frombuffer(_cached_factor(count.tobytes(), information.tobytes(), alpha, tuned_for, one_sided))


@lru_cache(maxsize=64)
def _cached_factor(n: bytes, information: bytes, alpha: float, tuned_for: float, one_sided: bool) -> bytes:
    """`radius_factor`, remembered: it depends on the design alone, and many metrics share one."""
    count, info = np.frombuffer(n), np.frombuffer(information)
    g = mixture_variance(alpha, tuned_for)
    two_sided = _two_sided_factor(count, info, alpha, g)
    if not one_sided:
        return two_sided.tobytes()
    return _one_sided_factor(count, info, alpha, g, two_sided).tobytes()


def _two_sided_factor(n: FloatArray, info: FloatArray, alpha: float, g: float) -> FloatArray:
    # (1 + y) / (1 + y / (1 + I g)) = A solved for y = I d² / SSE; no solution when A >= 1 + I g
    log_a = (np.log1p(info * g) - 2 * math.log(alpha)) / n
    room = 1 - np.exp(np.minimum(log_a - np.log1p(info * g), 0.0))
    y = np.full(len(n), math.inf)
    some = room > 0
    y[some] = np.expm1(log_a[some]) / room[some]
    return np.asarray(np.sqrt(y))


def _one_sided_factor(n: FloatArray, info: FloatArray, alpha: float, g: float, two_sided: FloatArray) -> FloatArray:
    """Bisect for M+ = 1/alpha; M <= M+ <= 2 M puts it at or under the two-sided factor."""
    low, high = np.zeros(len(n)), np.where(np.isfinite(two_sided), two_sided, 1e6)
    one = np.ones(len(n))

    def log_excess(root_y: FloatArray) -> FloatArray:
        d = root_y / np.sqrt(info)
        return _log_mixture(n, info, one, d, g) + _log_side(n, info, one, d, g) + math.log(alpha)

    reachable = log_excess(high) >= 0
    for _ in range(60):
        middle = (low + high) / 2
        above = log_excess(middle) >= 0
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return np.where(reachable, high, math.inf)


def _log_mixture(n: FloatArray, info: FloatArray, sse: FloatArray, d: FloatArray, g: float) -> FloatArray:
    """Return log M."""
    ig, square = info * g, info * d * d
    ratio = square * (ig / (1 + ig)) / (sse + square / (1 + ig))
    return np.asarray(-0.5 * np.log1p(ig) + n / 2 * np.log1p(ratio))


def _log_side(n: FloatArray, info: FloatArray, sse: FloatArray, d: FloatArray, g: float) -> FloatArray:
    """Return log(M+ / M) = log(2 F_n(t))."""
    from scipy import special

    ig = info * g
    t = info * d * np.sqrt(g / (1 + ig)) / np.sqrt((sse + info * d * d / (1 + ig)) / n)
    return np.asarray(np.log(2 * np.maximum(special.stdtr(n, t), 1e-300)))


def _name(tuned_for: float) -> str:
    return f"anytime-valid t, normal mixture tuned for {tuned_for:g} shards"
