"""What each option does to a metric (a tornado), and shares of a variance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports import numbers
from reports.figures import style

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROW = 0.52


@dataclass(frozen=True)
class Change:
    """An option's other value: the difference that it makes, with its interval."""

    value: str
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Bar:
    """An option with all its changes."""

    option: str
    changes: tuple[Change, ...]


def tornado(bars: Sequence[Bar], unit: str, axis: str) -> Figure:
    """Options from top to bottom, each with the differences that its values make.

    Parameters
    ----------
    bars : sequence of Bar
        The one that matters most first.
    unit, axis : str
        Of the differences; shares are drawn in percentage points.
    """
    scale = 100 if numbers.is_share(unit) else 1
    figure, axes = style.blank(ROW * len(bars) + 0.66, bottom=0.54, top=0.12)
    axes.axvline(0, color=style.INK, linewidth=0.9, zorder=1)
    for i, bar in enumerate(bars):
        _bar(axes, bar, -i, scale)
    ends = [
        scale * v for bar in bars for c in bar.changes for v in (c.difference, c.low, c.high) if abs(v) < float("inf")
    ]
    axes.set_xlim(*style.spread([0.0, *ends], 0.05))
    axes.set_ylim(-len(bars) + 0.62, 0.72)
    axes.set_yticks([])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel(axis)
    axes.locator_params(axis="x", nbins=5)
    return figure


def _bar(axes: Axes, bar: Bar, y: float, scale: float) -> None:
    known = [c for c in bar.changes if c.difference == c.difference]
    style.name(axes, 0, y + 0.1, style.shorten(bar.option, 20))
    if not known:
        return
    least, most = min(known, key=lambda c: c.difference), max(known, key=lambda c: c.difference)
    left, right = min(0.0, least.difference) * scale, max(0.0, most.difference) * scale
    axes.barh(
        y - 0.08, right - left, left=left, height=0.2, color=style.GRID, edgecolor=style.FAINT, linewidth=0.6, gid="bar"
    )
    for c in known:
        shown = c.low > 0 or c.high < 0
        axes.plot([c.low * scale, c.high * scale], [y - 0.08] * 2, color=style.SERIES[0], linewidth=1.4, zorder=3)
        face = style.SERIES[0] if shown else style.PAPER
        axes.plot(
            [c.difference * scale],
            [y - 0.08],
            "o",
            color=style.SERIES[0],
            markerfacecolor=face,
            markersize=5,
            zorder=4,
            gid="value",
        )
    ends = dict.fromkeys(c.value for c in ((least, most) if least.difference < 0 < most.difference else (_far(known),)))
    style.name(axes, 1, y + 0.1, " / ".join(style.shorten(end, 14) for end in ends), "right")


def _far(known: Sequence[Change]) -> Change:
    return max(known, key=lambda c: abs(c.difference))


@dataclass(frozen=True)
class Share:
    """A part of a variance with its interval."""

    name: str
    share: float
    low: float
    high: float


def shares(parts: Sequence[Share]) -> Figure:
    """Parts of a variance from top to bottom, in per cent, with intervals."""
    figure, axes = style.blank(0.5 * len(parts) + 0.66, bottom=0.54, top=0.12)
    for i, part in enumerate(parts):
        axes.barh(-i - 0.1, 100 * part.share, height=0.26, color=style.SERIES[0], alpha=0.55, linewidth=0, gid="bar")
        axes.plot([100 * part.low, 100 * part.high], [-i - 0.1] * 2, color=style.INK, linewidth=1.6, zorder=3)
        style.name(axes, 0, -i + 0.08, style.shorten(part.name, 34))
        style.name(axes, 1, -i + 0.08, figures(part), "right")
    top = max((100 * part.high for part in parts), default=1.0)
    axes.set_xlim(0, max(5.0, min(101.0, top * 1.04)))
    axes.set_ylim(-len(parts) + 0.62, 0.72)
    axes.set_yticks([])
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("% of the variance")
    return figure


def figures(part: Share) -> str:
    """A share in words: ``61 % (58 to 64)``."""
    places = min(1, numbers.places_for("share", part.low, part.high))
    text = numbers.amount(part.share, "share", places)
    return f"{text} ({numbers.interval(part.low, part.high, 'share', places)})"
