"""From a run's tallies to the statistics: which sums make a metric, and which estimator it takes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.capped import Bracket, bracket
from analysis.estimate import Estimate
from analysis.intervals import mean_from_histogram, wilson
from analysis.ratios import bounded_estimate, delta_estimate
from analysis.shards import ShardSums
from simcore import given
from simcore.batch import Run
from simcore.errors import InputError, unknown
from simcore.metrics import Ints, Metric


@dataclass(frozen=True)
class Distribution:
    """An exact histogram of one variant.

    Attributes
    ----------
    values, counts : ndarray of int64, shape (bins,)
        The values inside the histogram's range, and how often each came.
    below, above : int
        How often the value lay outside the range, on either side.
    """

    values: Ints
    counts: Ints
    below: int
    above: int


def variant_index(run: Run, label: str) -> int:
    """Position of the variant called `label`, which may be its full label, or its number from 1.

    Raises
    ------
    InputError
        If there is none.
    """
    labels = [variant.label for variant in run.manifest.variants]
    label = given.text(str(label) if isinstance(label, int) else label, "the variant")
    if label in labels:
        return labels.index(label)
    if label.isdigit() and 1 <= int(label) <= len(labels):
        return int(label) - 1
    wanted = {part.strip() for part in label.split(",")}
    fitting = [i for i, text in enumerate(labels) if wanted <= set(_parts(text))]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise InputError(f"{label!r} fits {len(fitting)} variants: {'; '.join(labels[i] for i in fitting)}")
    raise unknown("variant", label, labels)


def _parts(label: str) -> list[str]:
    return [part.strip() for piece in label.split(";") for part in piece.split(",")]


def metric_sums(run: Run, metric: Metric, variant: int, bracketed: bool = False) -> ShardSums:
    """The shard sums of a metric in one variant.

    Parameters
    ----------
    run : Run
    metric : Metric
    variant : int
    bracketed : bool
        Count the games of the metric's bracket (capped ones) as won.
    """
    tallies = run.tallies.variants[variant]
    position = run.game.counts.position
    sums = tallies.sums[tallies.done]
    top = np.column_stack([sums[:, position[term.num]] for term in metric.terms])
    if bracketed and metric.bracket:
        top = top + sums[:, [position[metric.bracket]]]
    bottom = np.column_stack([sums[:, position[term.den]] for term in metric.terms])
    players = run.manifest.variants[variant].rules.players
    weights = [term.weight for term in metric.terms]
    return ShardSums(top, bottom, sums[:, position["games"]], weights, metric.shift(players))


def distribution(run: Run, histogram: str, variant: int) -> Distribution:
    """A histogram of one variant; raise `InputError` if the game has none of that name."""
    declared = run.game.histograms[histogram]
    bins = run.tallies.variants[variant].hist[run.game.histograms.slice_of(histogram)]
    return Distribution(declared.values()[1:-1], bins[1:-1], int(bins[0]), int(bins[-1]))


def metric_limits(metric: Metric, players: int) -> tuple[float, float] | None:
    """The range that an interval of the metric must not leave, or None."""
    if metric.unit == "share":
        return (0.0, 1.0)
    if metric.unit == "share difference" and metric.less_fair:
        shift = metric.shift(players)
        return (shift, 1.0 + shift)
    return None


def estimate(run: Run, metric: Metric, variant: int, level: float = 0.95) -> Estimate:
    """A metric in one variant, with the interval that fits its kind.

    Shares of games: Wilson's interval. Game-level means with an exact histogram: Student's interval from it. Anything else:
    the delta method over shards, which are independent whatever depends on what inside a game; shares are kept in [0, 1].
    """
    sums = metric_sums(run, metric, variant)
    if metric.counts_games:
        return wilson(int(sums.numerators.sum()), int(sums.denominators.sum()), level)
    if metric.histogram and metric.level == "game":
        found = distribution(run, metric.histogram, variant)
        if found.below == found.above == 0:
            return mean_from_histogram(found.values, found.counts, level)
    limits = metric_limits(metric, run.manifest.variants[variant].rules.players)
    if limits is None:
        return delta_estimate(sums, level)
    return bounded_estimate(sums, level, *limits)


def capped_bracket(run: Run, metric: Metric, variant: int, level: float = 0.95) -> Bracket | None:
    """The metric with capped games counted as lost and as won; None for a metric that they do not touch."""
    if not metric.bracket:
        return None
    as_lost, as_won = metric_sums(run, metric, variant), metric_sums(run, metric, variant, bracketed=True)
    return bracket(as_lost, as_won, level, metric_limits(metric, run.manifest.variants[variant].rules.players))


def shared_metrics(run: Run, names: list[str] | None = None) -> list[Metric]:
    """The metrics that all variants have, or those of them that are named.

    Names of vector metrics may be given whole (``round_score``) or by entry (``round_score.0``).

    Raises
    ------
    InputError
        For a metric that the game lacks.
    """
    fewest = min(variant.rules.players for variant in run.manifest.variants)
    metrics = run.game.metrics_for(fewest)
    if names is None:
        return metrics
    chosen = []
    for name in names:
        fitting = [m for m in metrics if name in (m.name, m.name.partition(".")[0])]
        if not fitting:
            raise unknown(f"metric of {run.game.name}", name, [m.name for m in metrics])
        chosen += fitting
    return list({metric.name: metric for metric in chosen}.values())
