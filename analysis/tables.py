"""Summary and comparison of a run as pandas frames, one row a number; every other output is made from these."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.estimate import check_level
from analysis.multiplicity import adjust
from analysis.paired import paired_difference
from analysis.results import capped_bracket, estimate, metric_sums, shared_metrics, variant_index
from simcore.batch import Run
from simcore.errors import InputError
from simcore.metrics import Metric

SUMMARY_COLUMNS = (
    "variant",
    "metric",
    "level",
    "unit",
    "value",
    "low",
    "high",
    "fair",
    "capped_low",
    "capped_high",
    "games",
    "method",
    "note",
)


def headline(run: Run) -> list[str]:
    """Names of the metrics that the game shows first."""
    return list(run.game.headline)


def checked_level(level: float) -> float:
    """Return `level`; raise `InputError` if it is no confidence level."""
    try:
        return check_level(level)
    except ValueError as error:
        raise InputError(str(error)) from None


def summary(run: Run, metrics: Sequence[str] | None = None, level: float = 0.95) -> pd.DataFrame:
    """Every metric of every variant with its interval.

    Parameters
    ----------
    run : Run
    metrics : sequence of str, optional
        Names; all if not given.
    level : float
        Confidence level of the intervals, each by itself.

    Returns
    -------
    DataFrame
        Columns `SUMMARY_COLUMNS`. ``fair`` is what a symmetric game must give; ``capped_low`` and ``capped_high`` are the
        value with capped games counted as lost and as won, where they matter.

    Raises
    ------
    InputError
        For an unknown metric or an impossible level.
    """
    checked_level(level)
    chosen = shared_metrics(run, list(metrics) if metrics else None)
    rows = [
        _summary_row(run, metric, variant, level) for variant in range(len(run.manifest.variants)) for metric in chosen
    ]
    return pd.DataFrame(rows, columns=list(SUMMARY_COLUMNS))


def _summary_row(run: Run, metric: Metric, variant: int, level: float) -> dict[str, object]:
    found = estimate(run, metric, variant, level)
    capped = capped_bracket(run, metric, variant, level)
    rules = run.manifest.variants[variant].rules
    return {
        "variant": run.manifest.variants[variant].label,
        "metric": metric.name,
        "level": metric.level,
        "unit": metric.unit,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "fair": metric.target(rules.players),
        "capped_low": capped.as_lost.value if capped else None,
        "capped_high": capped.as_won.value if capped else None,
        "games": found.n,
        "method": found.method,
        "note": found.note,
    }


COMPARE_COLUMNS = (
    "variant",
    "baseline",
    "metric",
    "level",
    "unit",
    "value",
    "baseline_value",
    "difference",
    "low",
    "high",
    "p_value",
    "p_adjusted",
    "effect_size",
    "correlation",
    "gain",
    "gain_low",
    "gain_high",
    "unpaired_low",
    "unpaired_high",
    "games",
    "method",
    "adjustment",
    "note",
)


def compare(
    run: Run,
    baseline: str = "1",
    metrics: Sequence[str] | None = None,
    level: float = 0.95,
    adjustment: str = "holm",
) -> pd.DataFrame:
    """Paired differences of every variant to the baseline.

    Parameters
    ----------
    run : Run
    baseline : str
        Label of the baseline variant, or its number from 1.
    metrics : sequence of str, optional
        Names; all if not given. All of them together are the family for which p values are adjusted.
    level : float
        Confidence level of the intervals, each by itself.
    adjustment : {"holm", "bonferroni", "benjamini-hochberg"}

    Returns
    -------
    DataFrame
        Columns `COMPARE_COLUMNS`. ``gain`` is how many unpaired games one paired game was worth.

    Raises
    ------
    InputError
        For an unknown metric or variant, an impossible level or adjustment, or a run of one variant.
    """
    checked_level(level)
    if len(run.manifest.variants) < 2:
        raise InputError("this run has one variant; there is nothing to compare (use summary, or run it with --vary)")
    base = variant_index(run, baseline)
    chosen = shared_metrics(run, list(metrics) if metrics else None)
    others = [i for i in range(len(run.manifest.variants)) if i != base]
    rows = [_compare_row(run, metric, variant, base, level) for variant in others for metric in chosen]
    frame = pd.DataFrame(rows, columns=list(COMPARE_COLUMNS))
    try:
        adjusted = adjust([float(p) for p in frame["p_value"]], adjustment, 1 - level)
    except ValueError as error:
        raise InputError(str(error)) from None
    return frame.assign(p_adjusted=adjusted.p_values, adjustment=adjusted.method)


def _compare_row(run: Run, metric: Metric, variant: int, base: int, level: float) -> dict[str, object]:
    labels = [v.label for v in run.manifest.variants]
    found = paired_difference(metric_sums(run, metric, variant), metric_sums(run, metric, base), level)
    return {
        "variant": labels[variant],
        "baseline": labels[base],
        "metric": metric.name,
        "level": metric.level,
        "unit": metric.unit,
        "value": found.variant.value,
        "baseline_value": found.baseline.value,
        "difference": found.difference.value,
        "low": found.difference.low,
        "high": found.difference.high,
        "p_value": found.p_value,
        "effect_size": found.effect_size,
        "correlation": found.correlation,
        "gain": found.gain,
        "gain_low": found.gain_low,
        "gain_high": found.gain_high,
        "unpaired_low": found.unpaired.low,
        "unpaired_high": found.unpaired.high,
        "games": found.difference.n,
        "method": found.difference.method,
        "note": found.difference.note,
    }
