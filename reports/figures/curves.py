"""Distributions and courses: cumulative shares, ridgelines, lines over steps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reports.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

RIDGE, NAME, LONG = 0.5, 0.27, 22
"""Inches: a ridge, and a name above it, where one has more than so many letters."""


@dataclass(frozen=True)
class Curve:
    """A named line: x and y of one length, the look of the nth series; for a share with intervals also the limits of y."""

    label: str
    x: NDArray[Any]
    y: NDArray[Any]
    nth: int = 0
    low: NDArray[Any] | None = None
    high: NDArray[Any] | None = None


def lines(
    curves: Sequence[Curve], reference: int, x_axis: str, y_axis: str, steps: bool = False, whole: bool = False
) -> Figure:
    """Lines in one drawing, or, where they are many, each with the reference behind it.

    Parameters
    ----------
    curves : sequence of Curve
    reference : int
        Index of the baseline.
    x_axis, y_axis : str
    steps : bool
        Draw as steps (for cumulative shares of whole numbers).
    whole : bool
        The scale is that of all shares, 0 to 100 %.
    """
    figure = (
        _overlaid(curves, x_axis, y_axis, steps)
        if len(curves) <= style.OVERLAY
        else _multiples(curves, reference, x_axis, y_axis, steps)
    )
    if whole:
        figure.axes[0].set_ylim(0, 104)
    return figure


def _overlaid(curves: Sequence[Curve], x_axis: str, y_axis: str, steps: bool) -> Figure:
    head = 0.21 * len(curves) + 0.12
    figure, axes = style.blank(2.5 + head, left=0.68, bottom=0.54, top=head)
    for curve in curves:
        look = style.series(curve.nth)
        _line(axes, curve, look.colour, look.dashes, steps)
        if not steps:
            axes.plot(curve.x, curve.y, look.marker, color=look.colour, markersize=4.5)
    style.legend(axes)
    axes.set_xlabel(x_axis)
    axes.set_ylabel(y_axis)
    return figure


def _multiples(curves: Sequence[Curve], reference: int, x_axis: str, y_axis: str, steps: bool) -> Figure:
    figure, cells = style.grid_of(len(curves), titles=[curve.label for curve in curves])
    for i, (axes, curve) in enumerate(zip(cells, curves, strict=True)):
        if i != reference:
            _line(axes, Curve("", curves[reference].x, curves[reference].y), style.FAINT, (), steps, "reference")
        _line(axes, curve, style.SERIES[0], (), steps)
        axes.tick_params(labelsize=9.5, labelbottom=i >= len(curves) - 2, labelleft=i % 2 == 0)
        axes.locator_params(nbins=4)
    figure.text(0.5, 0.01, f"across: {x_axis}; up: {y_axis}", ha="center", va="bottom", fontsize=10)
    return figure


def _line(axes: Axes, curve: Curve, colour: str, dashes: tuple[float, ...], steps: bool, gid: str = "curve") -> None:
    (line,) = axes.plot(curve.x, curve.y, color=colour, label=style.shorten(curve.label), gid=gid)
    if dashes:
        line.set_dashes(dashes)
    if steps:
        line.set_drawstyle("steps-post")
    if curve.low is not None and curve.high is not None:
        axes.fill_between(curve.x, curve.low, curve.high, color=colour, alpha=0.15, linewidth=0)


def ridgelines(curves: Sequence[Curve], reference: int, x_axis: str) -> Figure:
    """Densities one above the other, the baseline's outline behind each; peaks above `ridge_top` are cut."""
    long = any(len(curve.label) > LONG for curve in curves)  # then names stand above the ridges, not beside them
    pitch = RIDGE + NAME * long
    figure, axes = style.blank(pitch * len(curves) + 0.88, bottom=0.54, top=0.3)
    top, height = ridge_top(curves), 1.1 * RIDGE / pitch
    base = curves[reference]
    side = _emptier_side(curves)
    for i, curve in enumerate(curves):
        y = -i + np.minimum(curve.y / top, 1) * height
        axes.fill_between(curve.x, -i, y, color=style.SERIES[0], alpha=0.35, linewidth=0, zorder=2 * i)
        (line,) = axes.plot(curve.x, y, color=style.SERIES[0], linewidth=1.1, gid="curve", zorder=2 * i + 1)
        line.set_label(curve.label)
        if i != reference:
            outline = -i + np.minimum(base.y / top, 1) * height
            axes.plot(
                base.x, outline, color=style.INK, linewidth=0.7, dashes=(2, 1.5), zorder=2 * i + 1, gid="reference"
            )
        if long:
            style.name(axes, 0, -i + height, style.shorten(curve.label, 46))
        else:
            style.name(axes, side, -i + 0.12, curve.label, "left" if side == 0 else "right")
    axes.set_yticks([])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(x_axis)
    axes.set_ylim(-len(curves) + 0.85, 1.3)
    return figure


def ridge_top(curves: Sequence[Curve]) -> float:
    """The density at which ridges are cut, so that one spike flattens neither the other ridges nor the rest of its own."""
    peaks = [float(curve.y.max(initial=0)) for curve in curves]
    means = [float(curve.y.mean()) for curve in curves]
    return min(max(peaks), 2.5 * float(np.median(peaks)), 10 * float(np.median(means))) or 1.0


def _emptier_side(curves: Sequence[Curve]) -> int:
    """0 if the left third of the drawing has less in it than the right third, else 1."""
    low, high = min(c.x.min() for c in curves), max(c.x.max() for c in curves)
    third = (high - low) / 3
    left = sum(float(c.y[c.x < low + third].sum()) for c in curves)
    return 0 if left < sum(float(c.y[c.x > high - third].sum()) for c in curves) else 1


def rebinned(values: NDArray[Any], counts: NDArray[Any], most: int = 90) -> tuple[NDArray[Any], NDArray[Any], int]:
    """Histogram bins joined so that about `most` remain between the outermost hits; centres, shares, width of a bin."""
    hit = np.flatnonzero(counts)
    if not hit.size:
        return values[:0], np.zeros(0), 1
    first, last = int(hit[0]), int(hit[-1]) + 1
    width = max(1, -(-(last - first) // most))
    kept = np.pad(counts[first:last], (0, -(last - first) % width))
    sums = kept.reshape(-1, width).sum(axis=1)
    centres = values[first] + width * np.arange(len(sums)) + (width - 1) / 2
    return centres, sums / counts.sum(), width
