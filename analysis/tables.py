"""Summary and comparison of a run as pandas frames, one row a number; every other output is made from these."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import pandas as pd

from analysis.estimate import Estimate, check_level
from analysis.margins import parse_margin
from analysis.multiplicity import adjust
from analysis.paired import equivalence_test, paired_difference
from analysis.quantiles import parse_quantile, quantile, quantile_name, quantile_names
from analysis.ratios import point
from analysis.results import capped_bracket, estimate, metric_sums, shared_metrics, variant_index
from analysis.spread import Spread, parse_spread, spread
from simcore import given
from simcore.batch import Run
from simcore.errors import InputError, unknown
from simcore.metrics import Histogram, Metric

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


def summary(
    run: Run, metrics: Sequence[str] | None = None, level: float = 0.95, quantiles: bool = False
) -> pd.DataFrame:
    """Every metric of every variant with its interval.

    Parameters
    ----------
    run : Run
    metrics : sequence of str, optional
        Names; all if not given. ``rounds.q50`` names a quantile of a histogram, here the median; ``rounds.sd``,
        ``rounds.min`` and ``rounds.max`` its standard deviation and the smallest and largest value seen.
    level : float
        Confidence level of the intervals, each by itself.
    quantiles : bool
        Where no names are given: also the 5 % quantile, the median, and the 95 % quantile of each histogram.

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
    chosen: list[Metric | Spread | tuple[Histogram, float]] = []
    for name in given.texts(metrics or (), "metrics") or (m.name for m in shared_metrics(run)):
        found = parse_quantile(run, name) or parse_spread(run, name)
        chosen += [found] if found else shared_metrics(run, [name])
    if quantiles and not metrics:
        chosen += [found for name in quantile_names(run) if (found := parse_quantile(run, name))]
    once = list({_name(one): one for one in chosen}.values())
    rows = [_row(run, one, variant, level) for variant in range(len(run.manifest.variants)) for one in once]
    return pd.DataFrame(rows, columns=list(SUMMARY_COLUMNS))


def _name(one: Metric | Spread | tuple[Histogram, float]) -> str:
    return quantile_name(one[0].name, one[1]) if isinstance(one, tuple) else one.name


def _row(run: Run, one: Metric | Spread | tuple[Histogram, float], variant: int, level: float) -> dict[str, object]:
    if isinstance(one, Metric):
        return _summary_row(run, one, variant, level)
    if isinstance(one, Spread):
        return _histogram_row(run, one.histogram, one.name, variant, spread(run, one, variant, level))
    histogram, q = one
    return _histogram_row(
        run, histogram, quantile_name(histogram.name, q), variant, quantile(run, histogram, variant, q, level)
    )


def _histogram_row(run: Run, histogram: Histogram, name: str, variant: int, found: Estimate) -> dict[str, object]:
    return {
        "variant": run.manifest.variants[variant].label,
        "metric": name,
        "level": histogram.level,
        "unit": histogram.unit,
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "games": int(run.tallies.variants[variant].sums[:, run.game.counts.position["games"]].sum()),
        "method": found.method,
        "note": found.note,
    }


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
    "capped_low",
    "capped_high",
    "margin",
    "equivalence_low",
    "equivalence_high",
    "p_equivalent",
    "p_equivalent_adjusted",
    "equivalent",
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
    margins: Mapping[str, float | str] | None = None,
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
    margins : mapping, optional
        Metric -> the largest difference that would not matter: tests of equivalence. A number in the metric's unit, or a
        text with the unit, such as ``"1 pp"``.

    Returns
    -------
    DataFrame
        Columns `COMPARE_COLUMNS`. ``gain`` is how many unpaired games one paired game was worth. ``capped_low`` and
        ``capped_high`` are the least and the greatest difference that counting capped games either way can give, where they
        matter. ``equivalent`` says whether the difference is shown to be smaller than ``margin`` (two one-sided tests, p values
        adjusted over all of them); it is shown when the interval ``equivalence_low`` … ``equivalence_high`` lies inside the
        margins, but for the adjustment.

    Raises
    ------
    InputError
        For an unknown metric or variant, an impossible level, adjustment or margin, or a run of one variant.
    """
    checked_level(level)
    if len(run.manifest.variants) < 2:
        raise InputError("this run has one variant; there is nothing to compare (use summary, or run it with --vary)")
    base = variant_index(run, baseline)
    names = given.texts(metrics or (), "metrics")
    _refuse_distribution(run, names)
    chosen = shared_metrics(run, names or None)
    limits = _margins(chosen, margins or {})
    others = [i for i in range(len(run.manifest.variants)) if i != base]
    rows = [
        _compare_row(run, metric, variant, base, level, limits.get(metric.name))
        for variant in others
        for metric in chosen
    ]
    frame = pd.DataFrame(rows, columns=list(COMPARE_COLUMNS))
    try:
        adjusted = adjust([float(p) for p in frame["p_value"]], adjustment, 1 - level)
        alike = adjust([_nan_if_none(p) for p in frame["p_equivalent"]], adjustment, 1 - level)
    except ValueError as error:
        raise InputError(str(error)) from None
    frame = frame.assign(p_adjusted=adjusted.p_values, adjustment=adjusted.method)
    if limits:
        shown = pd.Series(alike.p_values).le(1 - level).where(frame["margin"].notna(), None)
        frame = frame.assign(p_equivalent_adjusted=alike.p_values, equivalent=shown)
    return frame


def _refuse_distribution(run: Run, names: Sequence[str]) -> None:
    """Raise `InputError` for names that a summary has and a comparison lacks."""
    for name in names:
        if parse_quantile(run, name) or parse_spread(run, name):
            raise InputError(
                f"metric {name!r} is not compared: compare has no quantiles, standard deviations and ends of distributions;"
                " summary has them for each variant"
            )


def _nan_if_none(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _margins(metrics: Sequence[Metric], wanted: Mapping[str, float | str]) -> dict[str, float]:
    """The margin of each metric that has one; a name stands for all entries of a vector metric."""
    found = {}
    for name, text in wanted.items():
        fitting = [m for m in metrics if name in (m.name, m.name.partition(".")[0])]
        if not fitting:
            raise unknown("metric in this comparison", name, [m.name for m in metrics])
        for metric in fitting:
            try:
                margin = parse_margin(metric, text)
            except InputError as error:
                raise InputError(f"margin of {name}: {error}") from None
            if not 0 < margin < math.inf:
                raise InputError(f"margin of {name}: {margin:g} is not allowed; allowed: above 0")
            found[metric.name] = margin
    return found


def _compare_row(
    run: Run, metric: Metric, variant: int, base: int, level: float, margin: float | None
) -> dict[str, object]:
    labels = [v.label for v in run.manifest.variants]
    found = paired_difference(metric_sums(run, metric, variant), metric_sums(run, metric, base), level)
    test = equivalence_test(found.difference, margin, level) if margin and found.difference.defined else None
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
        **_capped_differences(run, metric, variant, base),
        "margin": margin,
        "equivalence_low": test.low if test else None,
        "equivalence_high": test.high if test else None,
        "p_equivalent": test.p_value if test else None,
        "unpaired_low": found.unpaired.low,
        "unpaired_high": found.unpaired.high,
        "games": found.difference.n,
        "method": found.difference.method,
        "note": found.difference.note,
    }


def _capped_differences(run: Run, metric: Metric, variant: int, base: int) -> dict[str, float]:
    """The least and the greatest difference, capped games counted as lost in one variant and as won in the other."""
    if not metric.bracket:
        return {}
    (low, high), (base_low, base_high) = (
        (point(metric_sums(run, metric, i)), point(metric_sums(run, metric, i, bracketed=True)))
        for i in (variant, base)
    )
    if (low, base_low) == (high, base_high):
        return {}
    return {"capped_low": low - base_high, "capped_high": high - base_low}
