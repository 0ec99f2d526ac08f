"""Strategy charts: what to do, by one's own total and the card that is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.17
"""Inches a row."""
OPACITY = 0.32


@dataclass(frozen=True)
class StrategyChart:
    """A chart: `cells` has a row for each of `rows` and an action for each of `columns`."""

    label: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]


def strategy(charts: Sequence[StrategyChart], actions: Sequence[str], letters: Sequence[str]) -> Figure:
    """Each chart as a grid: a colour and a letter an action; two charts side by side.

    Parameters
    ----------
    charts : sequence of StrategyChart
    actions, letters : sequence of str
        Every action, and the letter that stands for it.
    """
    deep = max(len(one.rows) for one in charts)
    figure, cells = style.grid_of(len(charts), ROW * (deep + 1.6) + 0.5)
    for axes, one in zip(cells, charts, strict=True):
        axes.set_title(style.shorten(one.label, 32), loc="left", fontsize="small", pad=4)
        _grid(axes, one, actions, letters)
        axes.set_xlim(-2.6, max(len(one.columns) for one in charts))
        axes.set_ylim(-deep - 1.0, 0.6)
        axes.set_axis_off()
    return figure


def _grid(axes: Axes, chart: StrategyChart, actions: Sequence[str], letters: Sequence[str]) -> None:
    for x, column in enumerate(chart.columns):
        said = column.replace("/", "\n")
        axes.text(x + 0.5, -0.9, said, va="bottom", ha="center", fontsize="xx-small", linespacing=0.9, color=style.INK)
    for y, (row, line) in enumerate(zip(chart.rows, chart.cells, strict=True), 1):
        axes.text(-0.2, -y - 0.5, row, va="center", ha="right", fontsize="x-small", color=style.INK)
        for x, action in enumerate(line):
            k = list(actions).index(action)
            axes.fill(
                [x, x + 1, x + 1, x],
                [-y, -y, -y - 1, -y - 1],
                color=style.SERIES[k],
                alpha=OPACITY,
                linewidth=0.4,
                gid="cell",
            )
            axes.text(x + 0.5, -y - 0.53, letters[k], va="center", ha="center", fontsize="x-small", color=style.INK)
