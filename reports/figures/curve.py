"""The specification curve: a claim's number in every universe, sorted, and below it which choices make each universe.

Simonsohn, U., Simmons, J. P. & Nelson, L. D. (2020), "Specification curve analysis", Nature Human Behaviour 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from reports import numbers
from reports.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW, CURVE, LABELS = 0.245, 2.3, 1.98
"""Inches: the height of a row of choices, of the curve, and the room for the choices' names."""
FEW = 60
"""So many universes are drawn with a marker each and single dots; more as lines."""


@dataclass(frozen=True)
class Look:
    """How a verdict is drawn: a colour, a marker and whether it is filled, so that it can be told in grey too."""

    colour: str
    marker: str
    filled: bool

    @property
    def edge(self) -> float:
        """Width of the outline: none around a filled marker, whose notches it would close."""
        return 0.0 if self.filled else 1.0


LOOKS = {
    "supported": Look(style.SERIES[0], "o", True),
    "refuted": Look(style.SERIES[1], "X", True),
    "undecided": Look(style.FAINT, "o", False),
}


@dataclass(frozen=True)
class Universe:
    """A universe: its number with its interval, the verdict there, and whether it is the claim as it stands."""

    value: float
    low: float
    high: float
    verdict: str
    is_base: bool


@dataclass(frozen=True)
class Asked:
    """What a claim asks of a number: the unit, the axis' text, and where it holds (pairs of limits)."""

    unit: str
    axis: str
    holds: tuple[tuple[float, float], ...]

    @property
    def scale(self) -> float:
        return 100.0 if numbers.is_share(self.unit) else 1.0

    @property
    def margins(self) -> list[float]:
        """The finite limits."""
        return sorted({limit for pair in self.holds for limit in pair if abs(limit) < float("inf")})


def specification_curve(universes: Sequence[Universe], choices: Mapping[str, Sequence[bool]], asked: Asked) -> Figure:
    """Draw the curve.

    Parameters
    ----------
    universes : sequence of Universe
        In any order; one without a value is left out.
    choices : mapping of str to sequence of bool
        Name of a choice (a table of bots, a changed ruling) -> for each universe whether it is made there.
    asked : Asked
    """
    order = [
        i for i in np.argsort([u.value for u in universes], kind="stable") if universes[i].value == universes[i].value
    ]
    drawn = [universes[i] for i in order]
    rows = {name: [held[i] for i in order] for name, held in choices.items()}
    below = ROW * max(1, len(rows)) + 0.1
    figure, matrix = style.blank(CURVE + below + 0.5, left=LABELS, bottom=0.08, top=CURVE + 0.42)
    height = figure.get_size_inches()[1]
    span = (style.WIDTH - LABELS - 0.12) / style.WIDTH
    axes = figure.add_axes((LABELS / style.WIDTH, (below + 0.12) / height, span, (CURVE - 0.06) / height))
    _curve(axes, drawn, asked)
    _matrix(matrix, rows, [u.verdict for u in drawn])
    axes.set_xlim(-0.8, len(drawn) - 0.2)
    matrix.set_xlim(-0.8, len(drawn) - 0.2)
    _legend(axes, drawn)
    return figure


def _curve(axes: Axes, drawn: Sequence[Universe], asked: Asked) -> None:
    limits = _limits(drawn, asked)
    axes.set_ylim(*limits)
    for low, high in asked.holds:
        ends = [min(max(end * asked.scale, limits[0]), limits[1]) for end in (low, high)]
        axes.axhspan(*ends, color=style.GRID, alpha=0.55, linewidth=0, zorder=0, gid="holds")
    for margin in asked.margins:
        axes.axhline(margin * asked.scale, color=style.INK, linewidth=1.1, dashes=(4, 2), zorder=1, gid="margin")
    for verdict, look in LOOKS.items():
        at = [i for i, u in enumerate(drawn) if u.verdict == verdict]
        _intervals(axes, at, drawn, asked.scale, look.colour, limits)
        face = look.colour if look.filled else style.PAPER
        size = 5.5 if len(drawn) <= FEW else 2.6
        y = [drawn[i].value * asked.scale for i in at]
        (dots,) = axes.plot(at, y, look.marker, color=look.colour, markersize=size, zorder=3, gid=verdict)
        dots.set_markerfacecolor(face)
        dots.set_markeredgewidth(look.edge)
    for i, u in enumerate(drawn):
        if u.is_base:
            axes.plot(
                [i], [u.value * asked.scale], "o", color=style.INK, markerfacecolor="none", markersize=11, zorder=4
            )
    axes.set_xticks([])
    axes.set_ylabel(asked.axis)
    axes.grid(visible=False, axis="x")


def _limits(drawn: Sequence[Universe], asked: Asked) -> tuple[float, float]:
    """Limits that hold all values, the margins, and most intervals; wide ones are cut."""
    reach = [abs(u.high - u.low) for u in drawn if abs(u.high - u.low) < float("inf")]
    usual = 2 * float(np.median(reach)) if reach else 0.0
    ends = [
        min(max(end, u.value - usual), u.value + usual)
        for u in drawn
        for end in (u.low, u.high, u.value)
        if abs(end) < float("inf")
    ]
    return style.spread([asked.scale * v for v in (*ends, *asked.margins)], 0.05)


def _intervals(
    axes: Axes, at: Sequence[int], drawn: Sequence[Universe], scale: float, colour: str, limits: tuple[float, float]
) -> None:
    """All intervals of a verdict as one path, which keeps the file small."""
    x = [v for i in at for v in (i, i, np.nan)]
    ends = [v for i in at for v in (drawn[i].low, drawn[i].high, np.nan)]
    width = 1.6 if len(drawn) <= FEW else 0.5
    axes.plot(x, np.clip(np.array(ends) * scale, *limits), color=colour, linewidth=width, alpha=0.75, zorder=2)


def _matrix(axes: Axes, rows: Mapping[str, Sequence[bool]], verdicts: Sequence[str]) -> None:
    few = len(verdicts) <= FEW
    axes.set_ylim(-len(rows) + 0.4, 0.6)
    for k, (name, held) in enumerate(rows.items()):
        if k % 2 == 0:
            axes.axhspan(-k - 0.5, -k + 0.5, color=style.GRID, alpha=0.3, linewidth=0, zorder=0)
        axes.text(
            -0.02,
            -k,
            style.shorten(name, 23),
            transform=axes.get_yaxis_transform(),
            ha="right",
            va="center",
            fontsize=11,
        )
        for verdict, look in LOOKS.items():
            at = [i for i, made in enumerate(held) if made and verdicts[i] == verdict]
            if few:
                face = look.colour if look.filled else style.PAPER
                axes.plot(
                    at,
                    [-k] * len(at),
                    look.marker,
                    color=look.colour,
                    markerfacecolor=face,
                    markersize=4.8,
                    markeredgewidth=look.edge,
                    gid="choice",
                )
            else:
                x = [v for i in at for v in (i, i, np.nan)]
                y = [v for _ in at for v in (-k - 0.32, -k + 0.32, np.nan)]
                axes.plot(x, y, color=look.colour, linewidth=0.7, gid="choice")
    axes.set_axis_off()


def _legend(axes: Axes, drawn: Sequence[Universe]) -> None:
    """Verdicts with their numbers, and the ring around the claim as it stands."""
    for verdict, look in LOOKS.items():
        count = sum(u.verdict == verdict for u in drawn)
        face = look.colour if look.filled else style.PAPER
        axes.plot(
            [],
            [],
            look.marker,
            color=look.colour,
            markerfacecolor=face,
            markeredgewidth=look.edge,
            label=f"{verdict} ({count})",
        )
    if any(u.is_base for u in drawn):
        axes.plot([], [], "o", color=style.INK, markerfacecolor="none", markersize=10, label="as it stands")
    axes.legend(
        loc="lower right",
        bbox_to_anchor=(1.02, 1.0),
        ncols=2,
        borderaxespad=0.1,
        handlelength=1,
        columnspacing=1.0,
        labelcolor=style.INK,
        fontsize=10,
    )
