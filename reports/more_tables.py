"""Further tables of a run: what each seat gets, and quantiles."""

from __future__ import annotations

import shlex

import pandas as pd

from analysis.quantiles import quantile_names
from analysis.seats import fairness_frames, seat_metrics
from analysis.spread import spread_names
from analysis.tables import summary
from reports import numbers
from reports.commands import run_name
from reports.parts import Cell, Column, Table
from reports.view import LEVEL, View, title_of

MOST_ROWS = 1200


def _cell(value: object, low: float, high: float, unit: str, signed: bool = False) -> Cell:
    if value is None or value != value:
        return Cell(numbers.NOTHING, "")
    number = float(str(value))
    places = numbers.places_for(unit, low, high)
    return Cell(numbers.amount(number, unit, places, signed), number, numbers.interval(low, high, unit, places, signed))


def seats_table(view: View) -> Table | None:
    """What each seat wins and scores, whether seats are equal, and the largest advantage."""
    if not seat_metrics(view.run.game):
        return None
    seats, equality = fairness_frames(view.run, level=LEVEL)
    if seats.empty:
        return None
    tests = {(row["variant"], row["metric"]): row for _, row in equality.iterrows()}
    rows = tuple(_seat_row(row, tests[row["variant"], row["metric"]]) for _, row in seats.head(MOST_ROWS).iterrows())
    columns = (
        Column("variant", numeric=False),
        Column("metric", numeric=False),
        Column("seat", numeric=False),
        Column("value"),
        Column("over the mean of all seats"),
        Column("capped games lost … won"),
        Column("p: all seats equal"),
        Column("largest advantage"),
        Column("unit", numeric=False),
    )
    note = (
        f"Small: {100 * LEVEL:g} % intervals, which hold for all seats of a variant at once. p: {equality['method'].iloc[0]};"
        f" {equality['adjustment'].iloc[0]}. The largest advantage is the best seat's over the mean; its interval holds the"
        " largest true one."
    )
    frame = seats.merge(equality.rename(columns={"method": "test"}), on=["variant", "metric", "unit"], how="left")
    command = shlex.join(["kozyr", "fairness", run_name(view.whole, view.name)])
    return Table("fairness", "What each seat gets", columns, rows, frame, command, note, folded=True)


def _seat_row(row: pd.Series, test: pd.Series) -> tuple[Cell, ...]:
    unit = str(row["unit"])
    apart = numbers.difference_unit(unit)
    low, high = float(row["capped_low"] or "nan"), float(row["capped_high"] or "nan")
    places = numbers.places_for(unit, float(row["low"]), float(row["high"]))
    capped = Cell(numbers.NOTHING, "") if low != low else Cell(numbers.interval(low, high, unit, places), low)
    p = float(test["p_adjusted"])
    return (
        Cell(str(row["variant"]), code=True),
        Cell(title_of(str(row["metric"])), str(row["metric"]), gloss=f"{row['metric']}.{row['seat']}"),
        Cell(str(row["name"]), str(row["seat"])),
        _cell(row["value"], float(row["low"]), float(row["high"]), unit),
        _cell(row["advantage"], float(row["advantage_low"]), float(row["advantage_high"]), apart, signed=True),
        capped,
        Cell(numbers.p_value(p), "" if p != p else p),
        _cell(test["largest_advantage"], float(test["largest_low"]), float(test["largest_high"]), apart, signed=True),
        Cell(numbers.unit_name(unit)),
    )


def quantiles_table(view: View) -> Table | None:
    """The 5 % quantile, the median, the 95 % quantile and the spread of everything that has a distribution."""
    names = [*quantile_names(view.run), *spread_names(view.run)]
    if not names:
        return None
    frame = summary(view.run, names, LEVEL)
    declared = view.run.game.histograms
    shown: dict[tuple[str, str], list[Cell]] = {}
    for _, row in frame.iterrows():
        histogram, _, kind = str(row["metric"]).rpartition(".")
        cells = shown.setdefault((str(row["variant"]), histogram), [])
        if kind in ("min", "max") and row["value"] == row["value"]:
            cells.append(Cell(numbers.amount(float(row["value"]), str(row["unit"]), 0), float(row["value"])))
        else:
            cells.append(_cell(row["value"], float(row["low"]), float(row["high"]), str(row["unit"])))
    columns = (
        Column("variant", numeric=False),
        Column("of", numeric=False),
        *(Column(f"{q} quantile" if q != "50 %" else "median") for q in ("5 %", "50 %", "95 %")),
        *(Column(name) for name in ("standard deviation", "smallest seen", "largest seen")),
        Column("unit", numeric=False),
    )
    rows = tuple(
        (Cell(variant, code=True), Cell(declared[name].meaning), *cells, Cell(declared[name].unit))
        for (variant, name), cells in list(shown.items())[:MOST_ROWS]
    )
    note = (
        "Intervals between two order statistics: exact for one value a game; rounds and players of a game count as if they were"
        " all alike, which errs on the safe side. Values beyond what is tallied leave the standard deviation out."
    )
    command = view.summary_command(*names)
    return Table("quantiles", "Quantiles and spread", columns, rows, frame, command, note, folded=True)
