"""Strategy charts: what to do, by one's own total and the card that is seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW, LEFT, HEAD = 0.27, 0.86, 0.56
"""Inches: the height of a row, the room for its name, and for the names of the columns."""
FEW = 6
"""Columns are no wider than if there were so many."""
OPACITY = 0.32


@dataclass(frozen=True)
class StrategyChart:
    """A chart: `cells` has a row for each of `rows` and an action for each of `columns`."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]


def strategy(chart: StrategyChart, actions: Sequence[str], letters: Sequence[str]) -> Figure:
    """The chart as a grid: a colour and a letter an action.

    Parameters
    ----------
    chart : StrategyChart
    actions, letters : sequence of str
        Every action, and the letter that stands for it.
    """
    figure, axes = style.blank(ROW * len(chart.rows) + HEAD + 0.08, left=LEFT, bottom=0.08, top=HEAD)
    axes.set_xlim(0, max(len(chart.columns), FEW))
    axes.set_ylim(len(chart.rows), 0)
    axes.set_axis_off()
    for x, column in enumerate(chart.columns):
        axes.text(x + 0.5, -0.16, column, va="bottom", ha="center", color=style.INK)
    axes.text(0, -1.2, "the banker's card", va="bottom", ha="left", fontsize=11, color=style.INK)
    axes.text(-0.15, -0.16, "total", va="bottom", ha="right", fontsize=11, color=style.INK)
    for y, (row, line) in enumerate(zip(chart.rows, chart.cells, strict=True)):
        axes.text(-0.15, y + 0.53, row, va="center", ha="right", color=style.INK)
        for x, action in enumerate(line):
            _cell(axes, x, y, list(actions).index(action), letters)
    return figure


def _cell(axes: Axes, x: int, y: int, action: int, letters: Sequence[str]) -> None:
    axes.fill(
        [x, x + 1, x + 1, x], [y, y, y + 1, y + 1], color=style.SERIES[action], alpha=OPACITY, linewidth=0.6, gid="cell"
    )
    axes.text(x + 0.5, y + 0.53, letters[action], va="center", ha="center", color=style.INK)
