"""How many games are needed: for an interval of a given width, for a test's power, for an open verdict.

All of them take the spread, and where it matters the estimate, to be what was measured so far: forecasts,
not promises.

Sources
-------
Cochran, W. G. (1977). *Sampling Techniques*, 3rd ed., chapter 4. Wiley.
Lachin, J. M. (1981). Introduction to sample size determination and power analysis for clinical trials.
    *Controlled Clinical Trials* 2, 93-113.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from analysis.decisions import CLAIMS
from analysis.estimate import Estimate, FloatArray, check_level, student_quantiles
from analysis.running import Running
from analysis.sequences import TUNED_FOR, radius_factor

LIMIT = 10**9  # more units than this count as "never"
_MIN_SHARDS = 30  # about when normal shards let a sequential test speak; see `analysis.running.Running`


@dataclass(frozen=True, slots=True)
class Needed:
    """A forecast of games.

    Attributes
    ----------
    games, more_games : int or None
        In all, and besides those played; None when no number up to `LIMIT` units would do.
    optimistic, pessimistic : int or None
        More games if the true distance from the margin is one standard error larger, or smaller, than the
        estimated one; equal to `more_games` where no such distance is involved.
    toward : str
        What they are needed for.
    """

    games: int | None
    more_games: int | None
    optimistic: int | None
    pessimistic: int | None
    toward: str


def for_half_width(estimate: Estimate, half_width: float) -> Needed:
    """Return the games after which a fixed-size interval is no wider than ± `half_width`.

    Smallest k with t(k - 1) s / sqrt(k) <= half width, s the standard deviation of one unit (a shard, or a
    game where games are the units) measured so far.

    Parameters
    ----------
    estimate : Estimate
        Its standard error, level, games and shards are used.
    half_width : float
        Above 0, in the metric's unit.

    Raises
    ------
    ValueError
        If `half_width` is not above 0.
    """
    _check_positive("half width", half_width)
    units = estimate.shards or estimate.n
    sd = estimate.se * math.sqrt(units)
    p = 0.5 + check_level(estimate.level) / 2
    k = _smallest(lambda x: student_quantiles(p, x - 1) * sd / np.sqrt(x) <= half_width, 2)
    return _plain(estimate, k, f"half width {half_width:g} at {estimate.level:.0%}")


def for_power(estimate: Estimate, null: float = 0.0, power: float = 0.9, alternative: str = "two-sided") -> Needed:
    """Return the games with which a fixed-size t test would find the estimated effect.

    Smallest k with (t(1 - alpha', k - 1) + t(power, k - 1)) s / sqrt(k) <= |estimate - null|, the usual
    approximation to the noncentral t; alpha' is alpha or, two-sided, alpha / 2.

    Parameters
    ----------
    estimate : Estimate
        The effect, its standard error, and the test's level.
    null : float
        The margin tested against.
    power : float
        Wanted chance of a rejection, between 0 and 1.
    alternative : {"two-sided", "one-sided"}
        Kind of test.

    Raises
    ------
    ValueError
        If `power` or `alternative` is not allowed.
    """
    if not 0.0 < power < 1.0:
        raise ValueError(f"power {power!r} is not allowed: give a number between 0 and 1, as 0.9")
    if alternative not in ("two-sided", "one-sided"):
        raise ValueError(f"alternative {alternative!r} is not allowed: two-sided or one-sided")
    units = estimate.shards or estimate.n
    sd, distance = estimate.se * math.sqrt(units), abs(estimate.value - null)
    p = 1 - (1 - check_level(estimate.level)) / (2 if alternative == "two-sided" else 1)

    def enough(gap: float, k: FloatArray) -> np.ndarray:
        quantiles = student_quantiles(p, k - 1) + student_quantiles(power, k - 1)
        return np.asarray(quantiles * sd / np.sqrt(k) <= gap)

    gaps = (distance, distance + estimate.se, distance - estimate.se)
    per_unit = estimate.n / units if units else math.nan
    found = [_smallest(partial(enough, gap), 2) if gap > 0 else None for gap in gaps]
    return _needed(found, units, per_unit, estimate.n, f"power {power:.0%}")


def sequential_for_half_width(
    run: Running, half_width: float, level: float = 0.95, tuned_for: float = TUNED_FOR
) -> Needed:
    """Return the games after which a confidence sequence is no wider than ± `half_width`.

    Raises
    ------
    ValueError
        If `half_width` is not above 0.
    """
    _check_positive("half width", half_width)
    found = _sequential(run, half_width, 1 - check_level(level), tuned_for, one_sided=False)
    return _forecast(run, [found] * 3, f"half width {half_width:g}, anytime-valid at {level:.0%}")


def sequential_for_decision(
    run: Running, claim: str, margin: float, alpha: float = 0.05, tuned_for: float = TUNED_FOR
) -> Needed:
    """Return the games after which `analysis.decisions.decide` would reach a verdict.

    At the current estimate and spread, whichever verdict lies on the estimate's side. A forecast for an open
    claim is uncertain by nature: `optimistic` and `pessimistic` say how much.

    Parameters
    ----------
    run : Running
        The metric's running state so far.
    claim : {"greater", "less", "within", "beyond"}
        As for `decide`.
    margin : float
        In the metric's unit.
    alpha : float
        Error rate.
    tuned_for : float
        As for the test itself.

    Raises
    ------
    ValueError
        If the claim is not allowed.
    """
    if claim not in CLAIMS:
        raise ValueError(f"claim {claim!r} is not allowed: {', '.join(CLAIMS)}")
    if not run.shards or math.isnan(run.sigma2[-1]):
        return Needed(None, None, None, None, "no spread measured yet")
    value, se = float(run.value[-1]), math.sqrt(run.sigma2[-1] / run.information[-1])
    two_margins = claim in ("within", "beyond")
    distance = abs(abs(value) - margin) if two_margins else abs(value - margin)
    over = abs(value) > margin if two_margins else value > margin
    supported = over == (claim in ("greater", "beyond"))
    # showing |theta| > margin splits its error over two sides
    error = alpha / 2 if two_margins and over else alpha
    gaps = (distance, distance + se, distance - se)
    found = [_sequential(run, gap, error, tuned_for, one_sided=True) if gap > 0 else None for gap in gaps]
    return _forecast(run, found, "supported" if supported else "refuted")


def _sequential(run: Running, gap: float, alpha: float, tuned_for: float, one_sided: bool) -> int | None:
    """Return the shards in all after which the radius is at most `gap`, at the spread so far."""
    if not run.shards or math.isnan(run.sigma2[-1]):
        return None
    sigma2 = float(run.sigma2[-1])
    behind = run.shards - float(run.information[-1])

    def enough(n: FloatArray) -> np.ndarray:
        info = n - behind
        factor = radius_factor(info, alpha, tuned_for, one_sided, n)
        return np.asarray(factor * np.sqrt(sigma2 * (n - 1) / info) <= gap)

    return _smallest(enough, max(run.shards, _MIN_SHARDS))


def _smallest(enough: Callable[[FloatArray], np.ndarray], start: int) -> int | None:
    """Return the smallest whole number from `start` to `LIMIT` that is enough, for a test that stays true."""
    low, high = start, LIMIT
    while low < high:
        grid = np.unique(np.geomspace(low, high, 64).round())
        good = enough(grid)
        if not good.any():
            return None
        i = int(np.argmax(good))
        if i == 0:
            return low
        low, high = int(grid[i - 1]) + 1, int(grid[i])
    return low


def _plain(estimate: Estimate, units: int | None, toward: str) -> Needed:
    now = estimate.shards or estimate.n
    return _needed([units] * 3, now, estimate.n / now if now else math.nan, estimate.n, toward)


def _forecast(run: Running, found: list[int | None], toward: str) -> Needed:
    played = int(run.games[-1]) if run.shards else 0
    full = played / float(run.information[-1]) if run.shards else math.nan
    return _needed(found, run.shards, full, played, toward)


def _needed(found: list[int | None], units: int, per_unit: float, played: int, toward: str) -> Needed:
    """Turn numbers of units in all (estimate, optimistic, pessimistic) into games."""
    more = [None if k is None else max(0, math.ceil((k - units) * per_unit)) for k in found]
    total = None if more[0] is None else played + more[0]
    return Needed(total, more[0], more[1], more[2], toward)


def _check_positive(name: str, value: float) -> None:
    if not (value > 0 and math.isfinite(value)):
        raise ValueError(f"{name} {value!r} is not allowed: give a number above 0")
