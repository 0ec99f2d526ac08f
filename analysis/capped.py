"""Games that hit a cap have no winner: a win rate with them counted as lost, and as won.

Sources
-------
Manski, C. F. (2003). *Partial Identification of Probability Distributions*, chapter 1. Springer.
Imbens, G. and Manski, C. (2004). Confidence intervals for partially identified parameters.
    *Econometrica* 72, 1845-1857 (intervals for the set and for the parameter).
"""

from __future__ import annotations

from dataclasses import dataclass

from analysis.estimate import Estimate
from analysis.ratios import bounded_estimate, delta_estimate
from analysis.shards import ShardSums, combine


@dataclass(frozen=True, slots=True)
class Bracket:
    """A rate between two readings of the capped games.

    Attributes
    ----------
    as_lost, as_won : Estimate
        The rate with capped games counted either way; the first is never the larger.
    low, high : float
        Lower limit of `as_lost` and upper limit of `as_won`: holds both rates, and so whatever the
        uncapped games would have given, with at least the level.
    width : float
        `as_won` less `as_lost`: what the cap leaves open however many games are played.
    note : str
        Set when the two agree.
    """

    as_lost: Estimate
    as_won: Estimate
    low: float
    high: float
    width: float
    note: str


def bracket(
    as_lost: ShardSums,
    as_won: ShardSums,
    level: float = 0.95,
    bounds: tuple[float, float] | None = (0.0, 1.0),
) -> Bracket:
    """Return a rate with capped games counted as lost and as won, and the interval of the pair.

    Each of the two limits that matter errs with probability (1 - level) / 2, so the whole interval holds the
    pair with at least `level` (the interval for the set, the wider of the two in Imbens and Manski 2004).

    Parameters
    ----------
    as_lost : ShardSums
        The rate with every capped game counted as lost.
    as_won : ShardSums
        The same with every capped game counted as won.
    level : float
        Confidence level.
    bounds : tuple of float, optional
        Range of the metric; None if it has none.

    Raises
    ------
    ValueError
        If the first is above the second, or the two are over different shards.
    """
    width = delta_estimate(combine([(1.0, as_won), (-1.0, as_lost)]), level).value
    if width < 0:
        raise ValueError(f"capped games counted as won give {-width:g} less than counted as lost: swap the two")
    low, high = (
        delta_estimate(sums, level) if bounds is None else bounded_estimate(sums, level, *bounds)
        for sums in (as_lost, as_won)
    )
    note = "no capped game matters" if width == 0 else ""
    return Bracket(low, high, low.low, high.high, width, note)
