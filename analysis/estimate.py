"""The result that every estimator returns, and the few quantiles that all of them need."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

_NORMAL_DF = 1e8  # beyond this many degrees of freedom Student's t is the normal to double precision


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number with its interval, and how both were come by.

    Two rules hold for all of them. A finite `value` always lies in [`low`, `high`]; limits that the
    data cannot give are infinite (or the ends of the metric's range), never invented. A `value` that
    does not exist (no case to average) is nan, as are its limits, and `note` says why.

    Attributes
    ----------
    value : float
        The point estimate, in the metric's unit.
    low, high : float
        Limits of the two-sided interval.
    se : float
        Standard error; nan where there is none (one shard) or where it has no use (quantiles).
    level : float
        Nominal coverage of the interval, 0.95 for instance.
    method : str
        The interval's method in a short phrase.
    n : int
        Games used.
    shards : int
        Independent shards used; 0 when the games themselves are the independent units.
    df : float
        Degrees of freedom of the variance estimate; inf when none was estimated.
    note : str
        What a reader must know besides: an undefined value, no variation, values off the scale.
    """

    value: float
    low: float
    high: float
    se: float
    level: float
    method: str
    n: int
    shards: int = 0
    df: float = math.inf
    note: str = ""

    @property
    def half_width(self) -> float:
        """Half the length of the interval."""
        return (self.high - self.low) / 2

    @property
    def defined(self) -> bool:
        """Whether there was anything to estimate from."""
        return not math.isnan(self.value)

    def rescaled(self, scale: float, shift: float = 0.0) -> Estimate:
        """Return the estimate of ``scale * theta + shift``: a share in percentage points, for instance."""
        ends = sorted((scale * self.low + shift, scale * self.high + shift))
        return replace(
            self,
            value=scale * self.value + shift,
            low=ends[0],
            high=ends[1],
            se=abs(scale) * self.se,
        )


def undefined(reason: str, level: float, n: int, shards: int = 0) -> Estimate:
    """Return the estimate of something that the data hold no case of."""
    nan = math.nan
    return Estimate(nan, nan, nan, nan, level, "none", n, shards, nan, reason)


def counted(number: int, noun: str) -> str:
    """Return ``1 shard``, ``2 shards``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def check_level(level: float) -> float:
    """Return `level` if it is a confidence level.

    Raises
    ------
    ValueError
        If it does not lie strictly between 0 and 1.
    """
    if not 0.0 < level < 1.0:
        raise ValueError(f"confidence level {level!r} is not allowed: give a number between 0 and 1, as 0.95")
    return level


def student_quantile(p: float, df: float) -> float:
    """Return the `p` quantile of Student's t with `df` degrees of freedom (the normal's for inf)."""
    from scipy import special

    if df > _NORMAL_DF:
        return float(special.ndtri(p))
    return float(special.stdtrit(df, p)) if df > 0 else math.copysign(math.inf, p - 0.5)


def student_quantiles(p: float, df: FloatArray) -> FloatArray:
    """Return the `p` quantile of Student's t for an array of degrees of freedom above 0."""
    from scipy import special

    return np.asarray(np.where(df > _NORMAL_DF, special.ndtri(p), special.stdtrit(df, p)))


def critical_value(level: float, df: float) -> float:
    """Return c with P(|T| <= c) = `level` for Student's t with `df` degrees of freedom."""
    return student_quantile(0.5 + check_level(level) / 2, df)


def student_tail(t: float, df: float) -> float:
    """Return P(T > `t`) for Student's t with `df` degrees of freedom."""
    from scipy import special

    return float(special.ndtr(-t)) if df > _NORMAL_DF else float(special.stdtr(df, -t))


def t_p_value(estimate: Estimate, null: float = 0.0, alternative: str = "two-sided") -> float:
    """Return the p value of the t test of theta = `null` that belongs to an estimate.

    Parameters
    ----------
    estimate : Estimate
        Value, standard error and degrees of freedom are used, not the interval.
    null : float
        The hypothetical value.
    alternative : {"two-sided", "greater", "less"}
        What the test looks for: theta different from, above, or below `null`.

    Returns
    -------
    float
        nan when there is no standard error. With a standard error of exactly 0 the answer is
        0, or 1 when the estimate does not lie on the side of the alternative.

    Raises
    ------
    ValueError
        If `alternative` is none of the three.
    """
    if alternative not in ("two-sided", "greater", "less"):
        raise ValueError(f"alternative {alternative!r} is not allowed: two-sided, greater or less")
    distance = estimate.value - null
    if not estimate.defined or math.isnan(estimate.se):
        return math.nan
    distance = {"two-sided": abs(distance), "greater": distance, "less": -distance}[alternative]
    if estimate.se == 0:
        return 0.0 if distance > 0 else 1.0
    tail = student_tail(distance / estimate.se, estimate.df)
    return min(1.0, 2 * tail) if alternative == "two-sided" else tail
