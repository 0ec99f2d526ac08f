"""What a sequential analysis returns: intervals and evidence after every shard, valid all at once.

Sources
-------
Ramdas, A., Grünwald, P., Vovk, V. and Shafer, G. (2023). Game-theoretic statistics and safe anytime-valid
    inference. *Statist. Sci.* 38, 576-601 (e values, p values valid at any time, confidence sequences).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from analysis.estimate import Estimate, FloatArray, check_level, undefined

ALTERNATIVES = ("two-sided", "greater", "less")


@dataclass(frozen=True, eq=False, slots=True)
class ConfidenceSequence:
    """Intervals after every shard that hold the truth all at once with probability `level`.

    Attributes
    ----------
    value, low, high : ndarray of float64, shape (shards,)
        Estimate and limits after each shard; limits are infinite (or the range's ends) until data suffice.
    games : ndarray of int64, shape (shards,)
        Games so far.
    level : float
        Simultaneous coverage; of each limit by itself when `one_sided`.
    method : str
        Name of the construction.
    one_sided : bool
        Whether each limit alone has the level: what the one-sided tests of claims exclude.
    """

    value: FloatArray
    low: FloatArray
    high: FloatArray
    games: np.ndarray
    level: float
    method: str
    one_sided: bool = False

    def first_within(self, half_width: float) -> int | None:
        """Return after how many shards the interval was first no wider than ± `half_width`; None if never.

        Raises
        ------
        ValueError
            If `half_width` is not above 0.
        """
        if not half_width > 0:
            raise ValueError(f"half width {half_width!r} is not allowed: give a number above 0")
        return first_true((self.high - self.low) / 2 <= half_width)

    def at(self, shards: int) -> Estimate:
        """Return the interval after so many shards (1 or more) as an estimate; `se` is nan."""
        i = shards - 1
        n = int(self.games[i])
        if math.isnan(self.value[i]):
            return undefined("no case to average yet", self.level, n, shards)
        limits = float(self.low[i]), float(self.high[i])
        return Estimate(float(self.value[i]), *limits, math.nan, self.level, self.method, n, shards)

    def intersected(self) -> ConfidenceSequence:
        """Return the running intersection: as valid, never widening, possibly without the estimate."""
        low, high = np.fmax.accumulate(self.low), np.fmin.accumulate(self.high)
        return ConfidenceSequence(
            self.value,
            low,
            high,
            self.games,
            self.level,
            f"{self.method}, running intersection",
            self.one_sided,
        )


@dataclass(frozen=True, eq=False, slots=True)
class Evidence:
    """Evidence against a hypothesis after every shard.

    Attributes
    ----------
    log_e : ndarray of float64, shape (shards,)
        Natural logarithm of the e value: how many times over a bet against the hypothesis has won its stake.
    p_values : ndarray of float64, shape (shards,)
        1 / the largest e value so far: at most alpha at any time with probability at most alpha.
    hypothesis : str
        What the evidence speaks against, as "theta <= 0.01".
    method : str
        Name of the construction.
    """

    log_e: FloatArray
    p_values: FloatArray
    hypothesis: str
    method: str

    def first_rejection(self, alpha: float = 0.05) -> int | None:
        """Return after how many shards the hypothesis was first rejected at `alpha`; None if never."""
        check_level(1 - alpha)
        return first_true(self.p_values <= alpha)


def first_true(where: np.ndarray) -> int | None:
    """Return how many entries there are up to and with the first true one; None if there is none."""
    return int(np.argmax(where)) + 1 if np.any(where) else None


def evidence_from(log_e: FloatArray, hypothesis: str, method: str) -> Evidence:
    """Return evidence with its running p values from the logarithms of e values."""
    peak = np.maximum(np.maximum.accumulate(log_e), 0.0) if log_e.size else log_e
    return Evidence(log_e, np.exp(-peak), hypothesis, method)


def hypothesis_text(null: float, alternative: str) -> str:
    """Return what a test with this alternative tests, as "theta <= 0.01".

    Raises
    ------
    ValueError
        If the alternative is none of `ALTERNATIVES`.
    """
    if alternative not in ALTERNATIVES:
        raise ValueError(f"alternative {alternative!r} is not allowed: {', '.join(ALTERNATIVES)}")
    sign = {"two-sided": "=", "greater": "<=", "less": ">="}[alternative]
    return f"theta {sign} {null:g}"
