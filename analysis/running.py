"""A metric's estimate and spread after every shard, as a sequential test needs them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.estimate import FloatArray
from analysis.shards import ShardSums

# When normality of the shards' mean may be relied on; see `Running.ready`
_CARRIERS = 10.0
_PER_SKEWNESS = 80.0
_ROUNDING = 1e-13  # what equal sums may leave of a sum of squares that is 0


@dataclass(frozen=True, eq=False, slots=True)
class Running:
    """State of a metric after each shard; entry t depends on the shards 0 ... t alone.

    Attributes
    ----------
    value : ndarray of float64, shape (shards,)
        theta from the sums so far; nan while a denominator is empty.
    information : ndarray of float64, shape (shards,)
        Games so far, in units of the first shard's: t + 1 while shards are of one size.
    sse : ndarray of float64, shape (shards,)
        Sum of squares of the shards' linearised values about `value`, each divided by its size: sigma²
        times a chi-square with t degrees of freedom when shard sums are normal, sigma² being the variance
        of one shard of the first one's size.
    ready : ndarray of bool, shape (shards,)
        Whether there are shards enough for normal theory: on one-step-ahead residuals u, ten shards carry
        the variance, (Σu²)² / Σu⁴ >= 10, and there are 80 for each unit of squared skewness,
        (Σu²)³ >= 80 (Σu³)². Normal shards get there after about 30, a rare event after about 80 occurrences.
        Without it a rare event's variance would pass for 0 until it has happened a few times, and a
        test reject.
    games : ndarray of int64, shape (shards,)
        Games so far.
    """

    value: FloatArray
    information: FloatArray
    sse: FloatArray
    ready: np.ndarray
    games: np.ndarray

    @property
    def shards(self) -> int:
        """Number of shards."""
        return len(self.games)

    @property
    def sigma2(self) -> FloatArray:
        """Variance of one full shard's linearised value; nan after the first shard, shape (shards,)."""
        df = np.arange(self.shards, dtype=np.float64)
        unknown: FloatArray = np.full(self.shards, np.nan)
        np.divide(self.sse, df, out=unknown, where=df > 0)
        return unknown


def running(sums: ShardSums) -> Running:
    """Return a metric's estimate and spread after each shard, in time linear in the number of shards.

    The linearised values change whenever the ratios do, so the sum of their squares is kept as a quadratic
    form in the running second moments of numerators and denominators.

    Parameters
    ----------
    sums : ShardSums
        The metric, shards in the order in which they were played.
    """
    if sums.shards == 0:
        none = np.empty(0)
        return Running(none, none, none, np.empty(0, bool), np.empty(0, np.int64))
    games = sums.games.astype(np.float64)
    size = games / games[0]
    top = np.cumsum(sums.numerators.astype(np.float64), axis=0)
    bottom = np.cumsum(sums.denominators.astype(np.float64), axis=0)
    defined = np.all(bottom > 0, axis=1)
    ratios = np.divide(top, bottom, out=np.full(top.shape, np.nan), where=bottom > 0)
    information = np.cumsum(size)
    # weight of a unit of residual, so that theta's error is the sum of residuals over the information
    scale = sums.weights * information[:, np.newaxis] / np.where(bottom > 0, bottom, np.nan)
    return Running(
        ratios @ sums.weights + sums.shift,
        information,
        np.where(defined, _sum_of_squares(sums, ratios, scale, size), np.nan),
        _ready(sums, ratios, scale, size),
        np.cumsum(sums.games.astype(np.int64)),
    )


def _sum_of_squares(sums: ShardSums, ratios: FloatArray, scale: FloatArray, size: FloatArray) -> FloatArray:
    """Return Σ_s (residual of shard s at the ratios of time t)² / size_s for every t."""
    # residuals about a first guess, from the shard where each denominator starts, lose no digits
    start = np.argmax(sums.denominators > 0, axis=0)
    terms = np.arange(len(start))
    first = sums.denominators[start, terms]
    guess = np.where(first > 0, sums.numerators[start, terms] / np.maximum(first, 1e-300), 0.0)
    root = np.sqrt(size)[:, np.newaxis]
    parts = np.hstack(((sums.numerators - guess * sums.denominators) / root, sums.denominators / root))
    factors = np.hstack((scale, -scale * (ratios - guess)))
    total, magnitude = np.zeros(len(size)), np.zeros(len(size))
    for i in range(parts.shape[1]):
        for j in range(i, parts.shape[1]):
            moment = np.cumsum(parts[:, i] * parts[:, j])
            piece = (1 if i == j else 2) * factors[:, i] * factors[:, j] * moment
            total += piece
            magnitude += np.abs(piece)
    return np.where(total > _ROUNDING * magnitude, total, 0.0)


def _ready(sums: ShardSums, ratios: FloatArray, scale: FloatArray, size: FloatArray) -> np.ndarray:
    """Return where kurtosis and skewness so far allow normal theory."""
    # the terms' weights against each other; their common size only settles down while cases are few
    known = np.nan_to_num(scale[:-1])
    share = known / np.maximum(np.abs(known).max(axis=1, keepdims=True, initial=0.0), 1e-300)
    ahead = np.nan_to_num(sums.numerators[1:] - ratios[:-1] * sums.denominators[1:]) * share
    u = np.concatenate(([0.0], ahead.sum(axis=1))) / np.sqrt(size)
    u = np.ldexp(u, -int(np.frexp(np.abs(u).max())[1]))  # exact; sixth powers must not overflow
    second, third, fourth = (np.cumsum(u**k) for k in (2, 3, 4))
    carried = (fourth > 0) & (second**2 >= _CARRIERS * fourth)
    return np.asarray(carried & (second**3 >= _PER_SKEWNESS * third**2))
