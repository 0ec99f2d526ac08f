"""Confidence sequence for a share of games, exact for any number of games and any chance, however small.

For independent games with a value in [0, 1] (won, lost, or a win shared), the beta-binomial mixture

    M(p) = B(a + k, b + n - k) / B(a, b) / (p^k (1 - p)^(n - k)),    a = c p, b = c (1 - p),

with k the sum of the values over n games, is a nonnegative martingale (for values between 0 and 1 a
supermartingale, the likelihood ratio being linear there and the exponential convex) when the mean is p. No
normality is used and no variance estimated, so a share with no case yet has honest limits. It needs the games
themselves to be the independent units: for shares of rounds or players use `analysis.sequences`.

Sources
-------
Robbins, H. (1970). Statistical methods related to the law of the iterated logarithm.
    *Ann. Math. Statist.* 41, 1397-1409.
Howard, S., Ramdas, A., McAuliffe, J. and Sekhon, J. (2021). Time-uniform, nonparametric, nonasymptotic
    confidence sequences. *Ann. Statist.* 49, 1055-1080 (sub-Bernoulli case, beta-binomial mixture).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from analysis.anytime import ConfidenceSequence, Evidence, evidence_from, hypothesis_text
from analysis.estimate import FloatArray, check_level
from analysis.sequences import mixture_variance

TUNED_FOR_GAMES = 10_000


def bernoulli_evidence(
    successes: ArrayLike,
    games: ArrayLike,
    null: float,
    alternative: str = "two-sided",
    alpha: float = 0.05,
    tuned_for: float = TUNED_FOR_GAMES,
) -> Evidence:
    """Return the evidence against a hypothesis about a share of games after every shard.

    Parameters
    ----------
    successes : array_like, shape (shards,)
        Sum of the games' values in each shard; each game's value lies in [0, 1].
    games : array_like of int, shape (shards,)
        Games in each shard.
    null : float
        Hypothetical share, strictly between 0 and 1.
    alternative : {"two-sided", "greater", "less"}
        The evidence is for a share other than, above, or below `null`.
    alpha : float
        Error rate for which the mixture is tuned; the evidence is valid at every other.
    tuned_for : float
        Games after which the test shall be sharpest; fixed beforehand.

    Raises
    ------
    ValueError
        If `null` or the sums are out of range.
    """
    text = hypothesis_text(null, alternative).replace("theta", "share")
    if not 0.0 < null < 1.0:
        raise ValueError(f"share {null!r} is not allowed as a hypothesis: give a number between 0 and 1")
    k, n = _cumulated(successes, games)
    c = _prior_games(alpha, tuned_for)
    return evidence_from(_log_mixture(k, n, null, c, alternative), text, _name(tuned_for))


def bernoulli_sequence(
    successes: ArrayLike,
    games: ArrayLike,
    level: float = 0.95,
    tuned_for: float = TUNED_FOR_GAMES,
    one_sided: bool = False,
) -> ConfidenceSequence:
    """Return the confidence sequence of a share of games: the shares that M has not rejected.

    log M(p) is convex in p, so these make an interval, and it is found by bisection.

    Parameters
    ----------
    successes, games : array_like, shape (shards,)
        As for `bernoulli_evidence`.
    level : float
        Probability that every interval holds the share; with `one_sided`, of each limit by itself.
    tuned_for : float
        Games after which the intervals shall be shortest; fixed beforehand.
    one_sided : bool
        Whether each limit has its own error 1 - `level`.
    """
    alpha = 1 - check_level(level)
    k, n = _cumulated(successes, games)
    c = _prior_games(alpha, tuned_for)
    kinds = ("greater", "less") if one_sided else ("two-sided", "two-sided")
    low = _limit(k, n, c, alpha, 0.0, kinds[0])
    high = _limit(k, n, c, alpha, 1.0, kinds[1])
    method = _name(tuned_for) + (", one-sided limits" if one_sided else "")
    return ConfidenceSequence(k / n, low, high, n.astype(np.int64), level, method, one_sided)


def _limit(k: FloatArray, n: FloatArray, c: float, alpha: float, end: float, alternative: str) -> FloatArray:
    """Bisect between `end` (0 or 1), rejected, and k / n, not rejected."""
    inside, outside = k / n, np.full(len(n), end)
    at_end = inside == end
    for _ in range(60):
        middle = np.clip((inside + outside) / 2, 1e-300, 1 - 1e-16)
        rejected = _log_mixture(k, n, middle, c, alternative) >= -math.log(alpha)
        inside, outside = np.where(rejected, inside, middle), np.where(rejected, middle, outside)
    return np.where(at_end, end, outside)


def _log_mixture(k: FloatArray, n: FloatArray, p: FloatArray | float, c: float, alternative: str) -> FloatArray:
    """Return log M(p), its prior cut to shares above (below) p for a one-sided alternative."""
    from scipy import special

    if alternative == "less":
        return _log_mixture(n - k, n, 1 - p, c, "greater")
    a, b = c * p, c * (1 - p)
    log_m = special.betaln(a + k, b + n - k) - special.betaln(a, b)
    log_m -= special.xlogy(k, p) + special.xlog1py(n - k, -p)
    if alternative == "greater":
        above = special.betaincc(a + k, b + n - k, p) / special.betaincc(a, b, p)
        log_m += np.log(np.maximum(above, 1e-300))
    return np.asarray(log_m)


def _prior_games(alpha: float, tuned_for: float) -> float:
    """Return c, the games that the mixture's prior is worth: its variance is p (1 - p) / (c + 1)."""
    return max(1.0, 1 / mixture_variance(alpha, tuned_for) - 1)


def _cumulated(successes: ArrayLike, games: ArrayLike) -> tuple[FloatArray, FloatArray]:
    k, n = np.asarray(successes, dtype=np.float64), np.asarray(games, dtype=np.float64)
    if k.ndim != 1 or k.shape != n.shape:
        raise ValueError(f"successes {k.shape} and games {n.shape} must be one number for each shard")
    if np.any(n < 1) or np.any((k < 0) | (k > n)):
        raise ValueError("every shard needs a game, and from 0 to as many successes as games")
    return np.cumsum(k), np.cumsum(n)


def _name(tuned_for: float) -> str:
    return f"beta-binomial mixture over games, tuned for {tuned_for:g} games"
