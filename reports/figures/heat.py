"""Heat maps: numbers where they belong on the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PALEST, DARKEST = 0.04, 0.5
"""Opacity of the least and the greatest value; the writing stays legible on both, on a light page and on a dark one."""


@dataclass(frozen=True)
class Place:
    """A place: its name, its value as text, and how far that is from the least (0) to the greatest (1)."""

    name: str
    text: str
    share: float


@dataclass(frozen=True)
class Map:
    """A variant's places, row by row."""

    label: str
    rows: tuple[tuple[Place, ...], ...]


def heat(maps: Sequence[Map]) -> Figure:
    """Each variant's places as a grid of squares, coloured and written on; variants in two columns."""
    deep = max(len(one.rows) for one in maps)
    wide = max(len(row) for one in maps for row in one.rows)
    figure, cells = style.grid_of(len(maps), 0.42 * deep + 0.5, [one.label for one in maps], foot=0.05)
    for axes, one in zip(cells, maps, strict=True):
        for y, row in enumerate(one.rows):
            for x, place in enumerate(row):
                opacity = PALEST + (DARKEST - PALEST) * place.share
                axes.fill(
                    [x, x + 1, x + 1, x], [-y, -y, -y - 1, -y - 1], color=style.SERIES[0], alpha=opacity, gid="place"
                )
                axes.plot([x, x + 1, x + 1, x, x], [-y, -y, -y - 1, -y - 1, -y], color=style.GRID, linewidth=0.8)
                axes.text(x + 0.06, -y - 0.08, place.name, va="top", ha="left", fontsize=9.5, color=style.INK)
                axes.text(x + 0.5, -y - 0.62, place.text, va="center", ha="center", color=style.INK)
        axes.set_xlim(0, wide)
        axes.set_ylim(-deep, 0)
        axes.set_axis_off()
    return figure
