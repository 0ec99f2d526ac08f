"""The pictures of a run: each from a frame that is written beside it, so that the two can be compared."""

from __future__ import annotations

from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.results import Distribution, distribution
from reports import numbers
from reports.charts import strategy_charts
from reports.figures import curves, dots, forest, style
from reports.games import Endings, Profile, Steps
from reports.maps import place_map
from reports.parts import Panel, Picture
from reports.view import View, seat_name, title_of
from simcore.metrics import Histogram, Metric

Floats = NDArray[np.float64]
MOST = 0.99
"""Gains drawn as steps end where each variant has so large a share of them."""


def pictures(view: View) -> list[Picture]:
    """All pictures of a run."""
    made: list[Picture | None] = [differences(view)]
    made += [seats(view)]
    made += [scores(view), lengths(view)]
    made += [profile(view, declared) for declared in view.words.profiles]
    made += [endings(view, declared) for declared in view.words.endings]
    made += [place_map(view, declared) for declared in view.words.grids]
    made += [strategy_charts(view)]
    return [picture for picture in made if picture is not None and picture.panels]


# --- differences ------------------------------------------------------------------------------------------------------


def differences(view: View) -> Picture | None:
    """Forest plots of the headline differences, a panel a metric."""
    frame = view.differences
    if frame is None:
        return None
    drawn = frame[frame["variant"].isin([view.labels[i] for i in view.drawn])]
    panels = tuple(_forest_panel(view, drawn[drawn["metric"] == metric.name], metric) for metric in view.metrics)
    caption = (
        f"Each variant less {view.baseline} on the same deals, with its 95 % interval. Filled: differs also after"
        f" adjustment ({frame['adjustment'].iloc[0]}); hollow: not shown to differ."
        f"{_capped_caution(view)}{view.omitted}"
    )
    command = view.compare_command(*view.names)
    return Picture("forest", f"Differences to {view.baseline}", caption, panels, drawn, command)


def _capped_caution(view: View) -> str:
    """Which of these differences come with games that have no winner, if those are many."""
    wide = view.headline[view.headline["capped_high"].astype(float) - view.headline["capped_low"].astype(float) > 0.01]
    names = ", ".join(title_of(str(name)) for name in wide["metric"].unique())
    return f" Capped games count as lost in {names}, and some variants have many of them." if names else ""


def _forest_panel(view: View, frame: pd.DataFrame, metric: Metric) -> Panel:
    unit = numbers.difference_unit(metric.unit)
    rows = [
        forest.Row(
            str(r["variant"]), float(r["difference"]), float(r["low"]), float(r["high"]), bool(r["p_adjusted"] < 0.05)
        )
        for _, r in frame.iterrows()
    ]
    said = [f"{row.label} {_said(row, unit)}" for row in rows]
    alt = f"{metric.meaning}, difference to {view.baseline}: {'; '.join(said)}"
    return Panel(title_of(metric.name), alt, partial(forest.forest, rows, unit, numbers.unit_name(unit)), metric.name)


def _said(row: forest.Row, unit: str) -> str:
    if row.value != row.value:
        return "no case"
    places = numbers.places_for(unit, row.low, row.high)
    limits = numbers.interval(row.low, row.high, unit, places, signed=True)
    return f"{numbers.amount(row.value, unit, places, signed=True)} ({limits})"


# --- seats ------------------------------------------------------------------------------------------------------------


def seats(view: View) -> Picture | None:
    """Win shares by seat against the fair line, with simultaneous intervals."""
    frames, panels = [], []
    for name, title in view.seat_metrics.items():
        frame = seat_frame(view, name)
        if len(frame):
            frames.append(frame)
            panels.append(_seat_panel(view, frame, name, title))
    if not panels:
        return None
    whole = pd.concat(frames, ignore_index=True)
    caption = (
        "The line is a fair share. Intervals hold for all seats of a variant at once (95 %); where a seat's interval"
        f" leaves the line, that seat is better or worse off than the others. {_equality(whole, view.baseline)}{view.omitted}"
    )
    command = view.summary_command(*view.seat_metrics)
    return Picture("seats", "What the first move is worth", caption, tuple(panels), whole, command)


def seat_frame(view: View, metric: str) -> pd.DataFrame:
    """A vector metric by seat: variant, seat, value, low, high, fair, and the test that all seats are equal."""
    declared = next(m for m in view.run.game.metrics if m.name == metric)
    records = []
    for i in view.drawn:
        found = view.seats(metric, i)
        fair = declared.target(view.run.manifest.variants[i].rules.players)
        for k, seat in enumerate(found.seats if found else ()):
            records.append(
                {
                    "variant": view.labels[i],
                    "metric": f"{metric}.{k}",
                    "seat": seat_name(declared.by, k),
                    "value": seat.value,
                    "low": seat.low,
                    "high": seat.high,
                    "fair": fair,
                    "p_equal": found.equality.p_value if found else None,
                    "method": seat.method,
                }
            )
    return pd.DataFrame(records)


def _equality(frame: pd.DataFrame, baseline: str) -> str:
    """What the test that all seats are equal says of the baseline."""
    rows = frame[(frame["variant"] == baseline) & frame["p_equal"].notna()].drop_duplicates("p_equal")
    found = [f"{numbers.p_value(float(r['p_equal']))} ({title_of(str(r['metric'])[:-2])})" for _, r in rows.iterrows()]
    return f"That all seats are equal with {baseline}: p {', '.join(found)}." if found else ""


def _seat_panel(view: View, frame: pd.DataFrame, name: str, title: str) -> Panel:
    rows = []
    for label, part in frame.groupby("variant", sort=False):
        made = tuple(
            dots.Seat(str(r["seat"]), float(r["value"]), float(r["low"]), float(r["high"])) for _, r in part.iterrows()
        )
        rows.append(dots.SeatRow(str(label), made, float(part["fair"].iloc[0])))
    said = [
        f"{row.label}: " + ", ".join(f"{seat.name} {numbers.plain(100 * seat.value, 1)} %" for seat in row.seats)
        for row in rows
    ]
    apart = frame["fair"].nunique() > 1
    return Panel(title, f"{title}. {'; '.join(said)}", partial(dots.seats, rows, apart), f"{name}.0")


# --- distributions ----------------------------------------------------------------------------------------------------


def scores(view: View) -> Picture | None:
    """Ridgelines of all histograms of points and gains; cumulative shares of those that are declared as steps."""
    found = [h for h in view.run.game.histograms if h.drawn and h.is_score]
    steps = view.words.steps
    made = [_steps_panel(view, h, steps[h.name]) if h.name in steps else _ridge_panel(view, h) for h in found]
    kept = [(panel, frame) for panel, frame in made if panel is not None]
    if not kept:
        return None
    frame = pd.concat([frame for _, frame in kept], ignore_index=True)
    caption = " ".join(filter(None, (_ridge_caption(view, found), _steps_caption(view, found), _overflow(view, found))))
    caption += view.omitted
    panels = tuple(panel for panel, _ in kept)
    return Picture("scores", "How scores spread", caption, panels, frame, view.play_command)


def _ridge_caption(view: View, found: list[Histogram]) -> str:
    if all(h.name in view.words.steps for h in found):
        return ""
    return (f"Dashed: {view.baseline}. " if len(view.labels) > 1 else "") + "Spikes higher than their row are cut."


def _steps_caption(view: View, found: list[Histogram]) -> str:
    if not any(h.name in view.words.steps for h in found):
        return ""
    grey = f" Grey: {view.baseline}." if len(view.drawn) > style.OVERLAY else ""
    return f"Steps: how many of all gain no more than the number below; the largest in a hundred are left out.{grey}"


def _steps_panel(view: View, histogram: Histogram, declared: Steps) -> tuple[Panel | None, pd.DataFrame]:
    """Cumulative shares from nothing up to where each variant has reached a share of `MOST`."""
    found, shares = _cumulative(view, histogram)
    end = max(int(np.searchsorted(y, min(MOST, float(y[-1])))) + 1 for y in shares)
    made, said, records = [], [], []
    for i, d, y in zip(view.drawn, found, shares, strict=True):
        x = np.array([d.values[0] - 1, *d.values[:end]]) / declared.per
        share = np.array([d.below / _whole(d), *y[:end]])
        made.append(curves.Curve(view.labels[i], x, 100 * share, i))
        low, median, high = (numbers.plain(_quantile(d, q) / declared.per, 1) for q in (0.1, 0.5, 0.9))
        said.append(f"{view.labels[i]}: median {median}, eight tenths between {low} and {high}")
        data = {"variant": view.labels[i], "histogram": histogram.name, "value": x, "share": share}
        records.append(pd.DataFrame(data))
    if all(_whole(d) == 0 for d in found):
        return None, pd.DataFrame()
    draw = partial(
        curves.lines, made, view.drawn.index(view.base), declared.axis, "% with no more", steps=True, whole=True
    )
    return Panel(declared.title, f"{declared.title}, {declared.axis}. {'; '.join(said)}", draw), pd.concat(records)


def _ridge_panel(view: View, histogram: Histogram) -> tuple[Panel | None, pd.DataFrame]:
    records, made, said = [], [], []
    for i in view.drawn:
        found = distribution(view.run, histogram.name, i)
        x, y, width = curves.rebinned(found.values, found.counts)
        if not x.size:
            continue
        made.append(curves.Curve(view.labels[i], x, y / width, i))
        said.append(f"{view.labels[i]}: half of all between {_quantile(found, 0.25)} and {_quantile(found, 0.75)}")
        records.append(pd.DataFrame({"variant": view.labels[i], "histogram": histogram.name, "value": x, "share": y}))
    if not made:
        return None, pd.DataFrame()
    reference = next((k for k, curve in enumerate(made) if curve.label == view.baseline), 0)
    alt = f"Distribution of {histogram.meaning}. {'; '.join(said)}"
    draw = partial(curves.ridgelines, made, reference, histogram.unit)
    return Panel(histogram.meaning, alt, draw), pd.concat(records, ignore_index=True)


def _quantile(found: Distribution, share: float) -> int:
    whole = np.cumsum([found.below, *found.counts])
    at = int(np.searchsorted(whole, share * (whole[-1] + found.above)))
    return int(found.values[min(max(at - 1, 0), len(found.values) - 1)])


def _overflow(view: View, histograms: list[Histogram]) -> str:
    """Tell how many values lie outside the histograms."""
    outside = []
    for h in histograms:
        found = [distribution(view.run, h.name, i) for i in view.drawn]
        beyond = sum(d.below + d.above for d in found)
        if beyond:
            outside.append(f"{numbers.count(beyond)} values of “{h.meaning}” outside {h.low} … {h.high}")
    return f"Not drawn: {'; '.join(outside)}." if outside else "No value lies outside the drawn range."


def lengths(view: View) -> Picture | None:
    """Cumulative shares of everything that is counted and is no score: rounds, turns, cards, changes."""
    found = [h for h in view.run.game.histograms if h.drawn and not h.is_score]
    made = [_ecdf_panel(view, h) for h in found]
    if not made:
        return None
    frame = pd.concat([frame for _, frame in made], ignore_index=True)
    caption = f"How many of all are no larger than the number below. {_overflow(view, found)}{view.omitted}"
    return Picture("lengths", "How long it takes", caption, tuple(p for p, _ in made), frame, view.play_command)


def _whole(found: Distribution) -> int:
    return found.below + int(found.counts.sum()) + found.above


def _cumulative(view: View, histogram: Histogram) -> tuple[list[Distribution], list[Floats]]:
    """Each drawn variant's distribution, and its shares of all that are no larger than each value."""
    found = [distribution(view.run, histogram.name, i) for i in view.drawn]
    return found, [(d.below + np.cumsum(d.counts)) / max(_whole(d), 1) for d in found]


def _ecdf_panel(view: View, histogram: Histogram) -> tuple[Panel, pd.DataFrame]:
    records, made, said = [], [], []
    for i, found, y in zip(view.drawn, *_cumulative(view, histogram), strict=True):
        kept = slice(0, int(np.searchsorted(y, y[-1] if len(y) else 1.0)) + 1)
        made.append(curves.Curve(view.labels[i], found.values[kept], 100 * y[kept], i))
        said.append(f"{view.labels[i]}: median {_quantile(found, 0.5)}, nine tenths within {_quantile(found, 0.9)}")
        data = {"variant": view.labels[i], "histogram": histogram.name, "value": found.values[kept], "share": y[kept]}
        records.append(pd.DataFrame(data))
    reference = view.drawn.index(view.base)
    draw = partial(curves.lines, made, reference, histogram.meaning, "% with no more", steps=True)
    return Panel(histogram.meaning, f"{histogram.meaning}. {'; '.join(said)}", draw), pd.concat(records)


# --- course and ends --------------------------------------------------------------------------------------------------


def profile(view: View, declared: Profile) -> Picture | None:
    """A vector metric over its entries."""
    names = [name for name in view.every_metric if name.partition(".")[0] == declared.metric]
    records, made, said = [], [], []
    for i in view.drawn:
        part = pd.DataFrame([view.row(name, i) for name in names])
        if part.empty or part["value"].isna().all():
            continue
        x = np.arange(1, len(names) + 1)
        value, low, high = (100 * part[key].to_numpy(dtype=float) for key in ("value", "low", "high"))
        made.append(curves.Curve(view.labels[i], x, value, i, low, high))
        said.append(f"{view.labels[i]}: {value[0]:.0f} % at first, {value[len(x) // 2]:.0f} % after half")
        records.append(part.assign(step=x))
    if not made:
        return None
    reference = next((k for k, curve in enumerate(made) if curve.label == view.baseline), 0)
    panel = Panel(
        title_of(declared.metric),
        f"{declared.axis}, by {declared.steps}. {'; '.join(said)}",
        partial(curves.lines, made, reference, declared.steps, "%"),
        names[0],
    )
    caption = f"{declared.axis[0].upper()}{declared.axis[1:]}, with 95 % intervals.{view.omitted}"
    command = view.summary_command(declared.metric)
    return Picture(declared.metric, declared.title, caption, (panel,), pd.concat(records, ignore_index=True), command)


def endings(view: View, declared: Endings) -> Picture | None:
    """Parts of a whole, straight from the counts."""
    position = view.run.game.counts.position
    shares, labels, records = [], [], []
    for i in view.drawn:
        tallies = view.run.tallies.variants[i]
        sums = tallies.sums[tallies.done].sum(axis=0)
        whole = int(sums[position[declared.whole]])
        if not whole:
            continue
        known = [int(sums[position[part.count]]) / whole if part.count else 0.0 for part in declared.parts]
        row = [share if part.count else 1 - sum(known) for part, share in zip(declared.parts, known, strict=True)]
        labels.append(view.labels[i])
        shares.append(row)
        for part, share in zip(declared.parts, row, strict=True):
            records.append({"variant": view.labels[i], "part": part.name, "share": share, "of": whole})
    if not labels:
        return None
    names = [part.name for part in declared.parts]
    said = [
        f"{label}: " + ", ".join(f"{name} {100 * share:.1f} %" for name, share in zip(names, row, strict=True))
        for label, row in zip(labels, shares, strict=True)
    ]
    panel = Panel("", f"{declared.title}. {'; '.join(said)}", partial(dots.parts, labels, names, shares))
    caption = f"Shares of all {declared.whole}.{view.omitted}"
    return Picture(declared.id, declared.title, caption, (panel,), pd.DataFrame(records), view.play_command)
