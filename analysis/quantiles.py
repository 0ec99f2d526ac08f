"""Quantiles of what has a histogram, as rows of a summary: ``rounds.q50`` is the median of rounds a game."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from analysis.estimate import Estimate, undefined
from analysis.intervals import quantile_from_histogram
from analysis.results import distribution
from simcore.batch import Run
from simcore.errors import InputError, unknown
from simcore.metrics import Histogram

USUAL = (0.05, 0.5, 0.95)
"""The quantiles of a summary of everything."""
_NAME = re.compile(r"(.+)\.q([0-9][0-9.]*)\Z", re.ASCII)
_PERCENT = re.compile(r"[0-9]{1,2}(?:\.[0-9]{1,6})?\Z", re.ASCII)


def quantile_name(histogram: str, q: float) -> str:
    """``rounds.q05`` for the 5 % quantile of the histogram ``rounds``."""
    whole, dot, rest = f"{100 * q:.6f}".rstrip("0").partition(".")
    return f"{histogram}.q{whole.zfill(2)}{dot if rest else ''}{rest}"


def parse_quantile(run: Run, name: str) -> tuple[Histogram, float] | None:
    """The histogram and the share that a name such as ``rounds.q50`` means; None if it is no such name.

    Raises
    ------
    InputError
        If the game has no such histogram, or the share is not above 0 and below 100 %.
    """
    match = _NAME.match(name)
    if not match:
        return None
    drawn = [h.name for h in run.game.histograms if h.drawn]
    if match[1] not in drawn:
        raise unknown(f"histogram of {run.game.name}", match[1], drawn)
    q = float(match[2]) / 100 if _PERCENT.match(match[2]) else 0.0
    if not 0 < q < 1:
        raise InputError(
            f"quantile {name!r} is not allowed; allowed: {match[1]}.q01 … {match[1]}.q99, such as {match[1]}.q05 for the 5 %"
            f" quantile, {match[1]}.q50 for the median and {match[1]}.q97.5"
        )
    return run.game.histograms[match[1]], q


def quantile_names(run: Run, quantiles: Sequence[float] = USUAL) -> list[str]:
    """Names of the quantiles of all histograms that are distributions."""
    return [quantile_name(h.name, q) for h in run.game.histograms if h.drawn for q in quantiles]


def quantile(run: Run, histogram: Histogram, variant: int, q: float, level: float = 0.95) -> Estimate:
    """A quantile with an interval between two order statistics.

    For one value a game the interval is exact. Rounds and players of one game depend on each other in a way that no histogram
    shows; they count for no more than if all values of a game were the same: (Σm)² / Σm² independent values for games of m values
    each (Kish 1965), so that the interval errs on the safe side.
    """
    found = distribution(run, histogram.name, variant)
    in_all = int(found.counts.sum()) + found.below + found.above
    if histogram.level == "game":
        return quantile_from_histogram(found.values, found.counts, q, level, found.below, found.above)
    worth = independent_values(run, histogram, variant)
    if not in_all:
        return undefined("no case to take a quantile of", level, 0)
    return quantile_from_histogram(found.values, found.counts, q, level, found.below, found.above, worth=worth)


def independent_values(run: Run, histogram: Histogram, variant: int) -> int:
    """How many independent values the histogram is worth at least, from the spread of a shard's number of values."""
    found = distribution(run, histogram.name, variant)
    in_all = int(found.counts.sum()) + found.below + found.above
    if histogram.level == "game":
        return in_all
    tallies = run.tallies.variants[variant]
    position = run.game.counts.position
    games = tallies.sums[tallies.done, position["games"]].astype(np.float64)
    column = _counted_by(run, histogram)
    if not column or not in_all:
        return max(1, len(games))
    values = tallies.sums[tallies.done, position[column]].astype(np.float64)
    mean = values.sum() / games.sum()
    spread = ((values - mean * games) ** 2 / games).sum() / max(1, len(games) - 1)
    return max(1, int(games.sum() / (1 + spread / mean**2)))


def _counted_by(run: Run, histogram: Histogram) -> str:
    """The column that counts the histogram's values: that of its metric, or of a metric with another one of its level."""
    own = [m.terms[0].den for m in run.game.metrics if m.histogram == histogram.name]
    levels = {h.name: h.level for h in run.game.histograms}
    alike = [m.terms[0].den for m in run.game.metrics if levels.get(m.histogram) == histogram.level]
    return next(iter(own + alike), "")
