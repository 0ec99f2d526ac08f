"""How far a distribution reaches, as rows of a summary: ``rounds.sd`` (standard deviation), ``rounds.min``, ``rounds.max``."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from analysis.estimate import Estimate, critical_value, undefined
from analysis.quantiles import independent_values
from analysis.results import Distribution, distribution
from simcore.batch import Run
from simcore.errors import unknown
from simcore.metrics import Histogram

KINDS = ("sd", "min", "max")


@dataclass(frozen=True)
class Spread:
    """The standard deviation, the smallest or the largest value of a histogram."""

    histogram: Histogram
    kind: str

    @property
    def name(self) -> str:
        return f"{self.histogram.name}.{self.kind}"


def parse_spread(run: Run, name: str) -> Spread | None:
    """What a name such as ``rounds.sd`` means; None if it is no such name.

    Raises
    ------
    InputError
        If the game has no such histogram.
    """
    histogram, dot, kind = name.rpartition(".")
    if not dot or kind not in KINDS:
        return None
    drawn = [h.name for h in run.game.histograms if h.drawn]
    if histogram not in drawn:
        raise unknown(f"histogram of {run.game.name}", histogram, drawn)
    return Spread(run.game.histograms[histogram], kind)


def spread_names(run: Run, kinds: Sequence[str] = KINDS) -> list[str]:
    """Names of the spread of all histograms that are distributions."""
    return [Spread(h, kind).name for h in run.game.histograms if h.drawn for kind in kinds]


def spread(run: Run, wanted: Spread, variant: int, level: float = 0.95) -> Estimate:
    """A standard deviation with a large-sample interval, or an end of what was seen.

    The interval of a standard deviation *s* is that of its logarithm, whose variance is (m₄ − s⁴) / (4 n s⁴) for n independent
    values with fourth central moment m₄ (Stuart & Ord, *Kendall's Advanced Theory of Statistics* I, 10.9). Values of one game
    count as for quantiles. The ends are those of the values seen: the true ones lie there or beyond.
    """
    found = distribution(run, wanted.histogram.name, variant)
    in_all = int(found.counts.sum()) + found.below + found.above
    if not in_all:
        return undefined("no case", level, 0)
    if wanted.kind == "sd":
        return _sd(found, level, in_all, independent_values(run, wanted.histogram, variant))
    outside = found.below if wanted.kind == "min" else found.above
    if outside:
        return undefined(f"{outside} of {in_all} values lie beyond the histogram", level, in_all)
    hit = found.values[found.counts > 0]
    if wanted.kind == "min":
        return Estimate(float(hit[0]), -math.inf, float(hit[0]), math.nan, level, "the smallest seen", in_all)
    return Estimate(float(hit[-1]), float(hit[-1]), math.inf, math.nan, level, "the largest seen", in_all)


def _sd(found: Distribution, level: float, in_all: int, worth: int) -> Estimate:
    if found.below or found.above:
        return undefined(f"{found.below + found.above} of {in_all} values lie outside the histogram", level, in_all)
    if in_all < 2 or worth < 2:
        return undefined("a spread needs two values", level, in_all)
    weights = found.counts / in_all
    away = found.values - float(weights @ found.values)
    second, fourth = float(weights @ away**2), float(weights @ away**4)
    value = math.sqrt(second * in_all / (in_all - 1))
    if value == 0:
        return Estimate(0.0, 0.0, math.inf, math.nan, level, "no variation", in_all, note="every value was the same")
    relative = math.sqrt(max(fourth - second**2, 0.0) / worth) / (2 * second)
    factor = float(np.exp(critical_value(level, math.inf) * relative))
    method = "log standard deviation, normal, fourth moment"
    return Estimate(value, value / factor, value * factor, value * relative, level, method, in_all)
