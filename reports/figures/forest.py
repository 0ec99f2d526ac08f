"""Paired differences to a baseline with their intervals, a row a variant."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports import numbers
from reports.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.5
LONG = 17
"""Labels longer than that get a line of their own."""


@dataclass(frozen=True)
class Row:
    """One line: a value with its interval in the metric's unit, and whether it is shown to differ from `null`."""

    label: str
    value: float
    low: float
    high: float
    shown: bool


def forest(rows: Sequence[Row], unit: str, axis: str, null: float = 0.0) -> Figure:
    """Draw the rows from top to bottom.

    Parameters
    ----------
    rows : sequence of Row
        Rows without a value (nan) keep their place and say so.
    unit : str
        Of the values; shares are drawn in per cent.
    axis : str
        What the axis says.
    null : float
        Where the line stands that says "no difference".
    """
    long = any(len(row.label) > LONG for row in rows)
    pitch = ROW + 0.22 * long
    figure, axes = style.blank(pitch * len(rows) + 0.66, bottom=0.54, top=0.12)
    scale = 100 if numbers.is_share(unit) else 1
    axes.axvline(null * scale, color=style.INK, linewidth=0.9, zorder=1)
    for i, row in enumerate(rows):
        _row(axes, row, -i, scale, unit)
        up = 0.08 / pitch
        style.name(axes, 0, -i + up + 0.22 * long / pitch, style.shorten(row.label, 42 if long else LONG))
        style.name(axes, 1, -i + up, _figures(row, unit), "right")
    finite = [scale * v for row in rows for v in (row.low, row.high, row.value) if v == v]
    axes.set_xlim(*style.spread([null * scale, *finite], 0.04))
    axes.set_ylim(-len(rows) + 1 - 0.12 / pitch, 1 - 0.1 / pitch)
    axes.set_yticks([])
    axes.set_xlabel(axis)
    axes.locator_params(axis="x", nbins=5)
    return figure


def _row(axes: Axes, row: Row, y: float, scale: float, unit: str) -> None:
    if row.value != row.value:
        return
    colour = style.SERIES[0] if row.shown else style.FAINT
    axes.plot([row.low * scale, row.high * scale], [y, y], color=colour, linewidth=2.2, solid_capstyle="butt")
    face = colour if row.shown else style.PAPER
    axes.plot([row.value * scale], [y], "o", color=colour, markerfacecolor=face, gid="value", zorder=3)


def _figures(row: Row, unit: str) -> str:
    if row.value != row.value:
        return "no case"
    places = numbers.places_for(unit, row.low, row.high)
    value = numbers.plain(row.value * (100 if numbers.is_share(unit) else 1), places, signed=True)
    return f"{value} ({numbers.interval(row.low, row.high, unit, places, signed=True)})"
