"""The tables of a run: headline, variants, and everything."""

from __future__ import annotations

import math
from collections.abc import Mapping

import pandas as pd

from reports import numbers
from reports.commands import table_text
from reports.parts import Cell, Column, Table
from reports.view import View, title_of
from simcore.metrics import Metric
from simcore.options import Rules, Setting

MOST_ROWS = 1200
"""A page with more rows than that is slow to open; CSV files have all."""


def value_cell(row: pd.Series, unit: str) -> Cell:
    """A value with its interval."""
    value, low, high = (float(row[key]) for key in ("value", "low", "high"))
    if value != value:
        return Cell(numbers.NOTHING, "")
    places = numbers.places_for(unit, low, high)
    limits = numbers.interval(low, high, unit, places)
    lost, won = (math.nan if row[key] is None else float(row[key]) for key in ("capped_low", "capped_high"))
    if lost < won:
        limits += f"; capped either way: {numbers.interval(lost, won, unit, places)}"
    return Cell(numbers.amount(value, unit, places), value, limits)


def headline_table(view: View) -> Table:
    """Variants down, headline metrics across."""
    columns = [Column("variant", numeric=False), *(_column(metric) for metric in view.metrics)]
    n = len(view.metrics)
    rows = [
        (
            Cell(label, label, code=True, interval="baseline" if i == view.base and len(view.labels) > 1 else ""),
            *(value_cell(view.headline.iloc[i * n + j], metric.unit) for j, metric in enumerate(view.metrics)),
        )
        for i, label in enumerate(view.labels[:MOST_ROWS])
    ]
    return Table(
        "headline",
        "The numbers in short",
        tuple(columns),
        tuple(rows),
        view.headline,
        view.summary_command(*view.names),
        note="Small: 95 % intervals, each by itself. pp: percentage points.",
    )


def _column(metric: Metric) -> Column:
    title, unit = title_of(metric.name), {"share difference": "pp"}.get(metric.unit, numbers.unit_name(metric.unit))
    return Column(title, gloss=metric.name, unit="" if unit == title else unit)


def variants_table(view: View) -> Table:
    """How each variant differs from the default rules, in words; what all share is told once, below."""
    variants = view.run.manifest.variants
    shared = set.intersection(*(set(v.rules.changes().items()) for v in variants))
    alike = len({table_text(variant) for variant in variants}) == 1
    rows, records = [], []
    for variant in variants[:MOST_ROWS]:
        changes = variant.rules.changes()
        own = {name: value for name, value in changes.items() if (name, value) not in shared}
        nothing = "nothing else" if shared else "nothing: these are the default rules"
        bots = table_text(variant).replace(",", ", ")
        told = Cell(_told(variant.rules, own) or nothing)
        rows.append((Cell(variant.label, code=True), told, *(() if alike else (Cell(bots),))))
        records.append({"variant": variant.label, "differs": _told(variant.rules, changes), "bots": bots})
    titles = ("variant", "differs from the default rules in", *(() if alike else ("bots",)))
    note = [f"All have {_told(variants[0].rules, dict(sorted(shared)))}."] if shared else []
    note += [f"All are played by the same bots: {records[0]['bots']}."] if alike else []
    return Table(
        "variants",
        "What was compared",
        tuple(Column(title, numeric=False) for title in titles),
        tuple(rows),
        pd.DataFrame(records),
        f"kozyr rules {view.run.game.name}",
        note=" ".join(note),
    )


def _told(rules: Rules, settings: Mapping[str, Setting]) -> str:
    """Settings with their meanings: ``trumps=none: there are no trumps``."""
    return "; ".join(
        f"{name}={value}: {rules.ruleset[name].meaning_of(value) or rules.ruleset[name].meaning}"
        for name, value in settings.items()
    )


def full_table(view: View) -> Table:
    """Every metric of every variant."""
    frame = view.everything
    rows = [_full_row(row) for _, row in frame.head(MOST_ROWS).iterrows()]
    columns = (
        Column("variant", numeric=False),
        Column("metric", numeric=False),
        Column("value"),
        Column("low"),
        Column("high"),
        Column("fair"),
        Column("capped games lost … won"),
        Column("level", numeric=False),
        Column("unit", numeric=False),
        Column("method", numeric=False),
    )
    cut = f" The first {MOST_ROWS} of {len(frame)} rows; the command prints all." if len(frame) > MOST_ROWS else ""
    note = "Each interval has 95 % by itself." + cut
    return Table("all", "Every number", columns, tuple(rows), frame, view.summary_command(), note, folded=True)


def _full_row(row: pd.Series) -> tuple[Cell, ...]:
    unit = str(row["unit"])
    value, low, high = (float(row[key]) for key in ("value", "low", "high"))
    places = numbers.places_for(unit, low, high)
    capped_low, capped_high = row["capped_low"], row["capped_high"]
    between = numbers.NOTHING
    if capped_low is not None and capped_low == capped_low:
        between = numbers.interval(float(capped_low), float(capped_high), unit, places)
    return (
        Cell(str(row["variant"]), code=True),
        Cell(title_of(str(row["metric"])), str(row["metric"]), gloss=str(row["metric"])),
        *(_number(v, unit, places) for v in (value, low, high)),
        _number(row["fair"], unit, places),
        Cell(between, "" if between == numbers.NOTHING else float(capped_low)),
        Cell(str(row["level"])),
        Cell(numbers.unit_name(unit)),
        Cell("; ".join(filter(None, (str(row["method"]), str(row["note"] or ""))))),
    )


def _number(value: float | None, unit: str, places: int, signed: bool = False) -> Cell:
    if value is None or value != value:
        return Cell(numbers.NOTHING, "")
    return Cell(numbers.amount(float(value), unit, places, signed), float(value))


def differences_table(view: View, frame: pd.DataFrame) -> Table:
    """Every paired difference to the baseline."""
    rows = [_difference_row(row) for _, row in frame.head(MOST_ROWS).iterrows()]
    columns = (
        Column("variant", numeric=False),
        Column("metric", numeric=False),
        Column("difference"),
        Column("low"),
        Column("high"),
        Column("p adjusted"),
        Column("effect size d"),
        Column("correlation"),
        Column("gain of pairing"),
        Column("unit", numeric=False),
    )
    adjustment = str(frame["adjustment"].iloc[0])
    note = f"Less {view.baseline}, paired on the same deals; intervals of 95 % each by itself; p values: {adjustment}."
    return Table(
        "differences",
        f"Every difference to {view.baseline}",
        columns,
        tuple(rows),
        frame,
        view.compare_command(),
        note,
        folded=True,
    )


def _difference_row(row: pd.Series) -> tuple[Cell, ...]:
    unit = numbers.difference_unit(str(row["unit"]))
    low, high = float(row["low"]), float(row["high"])
    places = numbers.places_for(unit, low, high)
    gain, correlation = float(row["gain"]), float(row["correlation"])
    return (
        Cell(str(row["variant"]), code=True),
        Cell(title_of(str(row["metric"])), str(row["metric"]), gloss=str(row["metric"])),
        *(_number(float(v), unit, places, signed=True) for v in (row["difference"], low, high)),
        Cell(numbers.p_value(float(row["p_adjusted"])), _or_blank(float(row["p_adjusted"]))),
        Cell(numbers.plain(float(row["effect_size"]), 2, signed=True), _or_blank(float(row["effect_size"]))),
        Cell(numbers.plain(correlation, 2), _or_blank(correlation)),
        Cell(numbers.plain(gain, 2), _or_blank(gain)),
        Cell(numbers.unit_name(unit)),
    )


def _or_blank(value: float) -> float | str:
    return "" if value != value else value
