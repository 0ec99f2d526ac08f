"""What the shards of a run hold of a metric.

A shard is a batch of consecutive games, independent of every other shard. Whatever depends on what inside
a game (its rounds, its players) stays inside a shard, so the spread between shards is an honest measure of
the error whatever the metric's level.

Sources
-------
Kish, L. (1965). *Survey Sampling*, section 8.2 (unequal clusters). Wiley.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.estimate import FloatArray


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

    numerators: NDArray[Any]
    denominators: NDArray[Any]
    games: NDArray[Any]
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
        return ShardSums(self.numerators[cut], self.denominators[cut], self.games[cut], self.weights, self.shift)


def _check_shapes(top: NDArray[Any], bottom: NDArray[Any], games: NDArray[Any], weights: FloatArray) -> None:
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


def effective_shards(games: ArrayLike) -> float:
    """Return the number of equal shards that unequal ones are worth, (Σm)² / Σm² (Kish 1965).

    A shard's variance grows with its games m, so Σpsi² has the relative variance of a chi-square with
    about this many degrees of freedom. It is the number of shards when they are equal.
    """
    m = np.asarray(games, dtype=np.float64)
    return float(m.sum() ** 2 / (m @ m)) if m.size else 0.0
