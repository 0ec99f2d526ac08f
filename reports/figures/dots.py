"""Shares by seat against the fair line, and parts of a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.figures import style

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Seat:
    """A seat's share with its interval."""

    name: str
    value: float
    low: float
    high: float


@dataclass(frozen=True)
class SeatRow:
    """One variant's seats and its fair share."""

    label: str
    seats: tuple[Seat, ...]
    fair: float


def seats(rows: Sequence[SeatRow], apart: bool) -> Figure:
    """Each variant's seats as dots with intervals, in per cent.

    Parameters
    ----------
    rows : sequence of SeatRow
    apart : bool
        Draw shares less the fair share, as variants of different numbers of players need.
    """
    names = max((row.seats for row in rows), key=len)
    gap = 0.19
    heights = [0.4 + gap * len(row.seats) for row in rows]
    total = sum(heights) + 1.04
    figure, axes = style.blank(total, bottom=0.54, top=0.4)
    span, y = sum(heights), 0.0
    for row, height in zip(rows, heights, strict=True):
        shift = row.fair if apart else 0.0
        style.name(axes, 0, y - 0.25, style.shorten(row.label, 44))
        axes.plot(
            [100 * (row.fair - shift)] * 2, [y - 0.27, y - height + 0.06], color=style.INK, linewidth=1.2, gid="fair"
        )
        if not any(seat.value for seat in row.seats):
            style.name(axes, 1, y - 0.25, "no winner in any game", "right")
            y -= height
            continue
        for k, seat in enumerate(row.seats):
            look, at = style.series(k), y - 0.38 - gap * k
            axes.plot([100 * (seat.low - shift), 100 * (seat.high - shift)], [at, at], color=look.colour, linewidth=1.6)
            axes.plot([100 * (seat.value - shift)], [at], look.marker, color=look.colour, gid="value", markersize=5.5)
        y -= height
    for k, seat in enumerate(names):
        look = style.series(k)
        axes.plot([], [], look.marker, color=look.colour, label=seat.name)
    axes.legend(
        loc="lower left",
        bbox_to_anchor=(-0.02, 1.0),
        ncols=4,
        borderaxespad=0.2,
        handlelength=1,
        columnspacing=1.1,
        labelcolor=style.INK,
    )
    axes.set_ylim(-span, 0.05)
    axes.set_yticks([])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("percentage points above a fair share" if apart else "% (line: a fair share)")
    return figure


def parts(labels: Sequence[str], names: Sequence[str], shares: Sequence[Sequence[float]]) -> Figure:
    """Parts of a whole, a bar a variant.

    Parameters
    ----------
    labels : sequence of str
        Variants.
    names : sequence of str
        Parts.
    shares : sequence of sequence of float
        For each variant the parts' shares, which add up to 1.
    """
    plain = [style.SERIES[i] for i in (0, 4, 2, 3, 5, 1, 6, 7)]
    looks = [(colour, hatch) for hatch in ("", "///") for colour in plain]
    head = 0.235 * len(names) + 0.1
    figure, axes = style.blank(0.48 * len(labels) + 0.55 + head, bottom=0.5, top=head)
    for i, (label, row) in enumerate(zip(labels, shares, strict=True)):
        left = 0.0
        axes.text(0, -i + 0.22, style.shorten(label, 46), va="bottom", ha="left")
        for k, share in enumerate(row):
            colour, hatch = looks[k % len(looks)]
            axes.barh(
                -i,
                100 * share,
                left=left,
                height=0.34,
                color=colour,
                hatch=hatch,
                edgecolor=style.PAPER,
                linewidth=0.6,
                label=names[k] if i == 0 else None,
                gid="part",
            )
            left += 100 * share
    axes.set_xlim(0, 100)
    axes.set_ylim(-len(labels) + 0.6, 0.68)
    axes.set_yticks([])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("%")
    style.legend(axes)
    return figure
