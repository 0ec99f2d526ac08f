"""A confidence sequence closing in on a claim's number while the games are played."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reports import numbers
from reports.figures import style
from reports.figures.curve import Asked

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS = 90
"""So many moments are drawn."""


@dataclass(frozen=True)
class Course:
    """Estimate and limits after each of several numbers of games.

    Attributes
    ----------
    games, value, low, high, usual_low, usual_high : ndarray, shape (moments,)
        ``low`` and ``high`` of the confidence sequence, ``usual_*`` of the interval for one fixed number of games.
    decided : int or None
        Games at which the verdict fell.
    verdict : str
    """

    games: NDArray[Any]
    value: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]
    usual_low: NDArray[Any]
    usual_high: NDArray[Any]
    decided: int | None
    verdict: str


def thinned(course: Course) -> Course:
    """The course with about `POINTS` moments, evenly apart on a logarithmic scale, and the moment of decision."""
    known = np.flatnonzero(np.isfinite(course.value) & np.isfinite(course.usual_low))
    first, last = (int(known[0]) if known.size else 0), len(course.games) - 1
    first = min(max(first, 4), last)  # the first few spreads are wild
    at = np.geomspace(first + 1, last + 1, POINTS).round().astype(int) - 1
    if course.decided is not None:
        at = np.append(at, np.flatnonzero(course.games == course.decided))
    at = np.unique(at)
    return replace(
        course,
        games=course.games[at],
        value=course.value[at],
        low=course.low[at],
        high=course.high[at],
        usual_low=course.usual_low[at],
        usual_high=course.usual_high[at],
    )


def sequence(course: Course, asked: Asked) -> Figure:
    """Draw the sequence.

    Parameters
    ----------
    course : Course
        Every moment of it is drawn; `thinned` makes them few.
    asked : Asked
        The region where the claim holds is shaded, its margins are dashed.
    """
    figure, axes = style.blank(2.75, left=0.72, bottom=0.54, top=0.55)
    x, y, width, height = axes.get_position().bounds
    axes.set_position((x, y, width - 0.2 / style.WIDTH, height))  # room for the last number below
    limits = _limits(course, asked)
    axes.set_ylim(*limits)
    for low, high in asked.holds:
        ends = [min(max(end * asked.scale, limits[0]), limits[1]) for end in (low, high)]
        axes.axhspan(*ends, color=style.GRID, alpha=0.55, linewidth=0, zorder=0, gid="holds")
    for margin in asked.margins:
        axes.axhline(margin * asked.scale, color=style.INK, linewidth=1.1, dashes=(4, 2), zorder=1, gid="margin")
    _lines(axes, course, asked.scale, limits)
    if course.decided is not None:
        axes.axvline(course.decided, color=style.INK, linewidth=0.9, zorder=1, gid="decided")
        _say_decided(axes, course)
    if course.games[-1] > 8 * course.games[0]:
        axes.set_xscale("log")
        _plain_log(axes)
    else:
        _plain_ticks(axes)
    axes.set_xlabel("games of each variant")
    axes.set_ylabel(asked.axis)
    style.legend(axes)
    return figure


def _limits(course: Course, asked: Asked) -> tuple[float, float]:
    """Limits that hold the later usual intervals, the last ones, the values and the margins; wider intervals are cut."""
    later = slice(len(course.games) // 3, None)
    ends = [v for side in (course.usual_low, course.usual_high) for v in side[later] if np.isfinite(v)]
    ends += [float(side[-1]) for side in (course.low, course.high) if np.isfinite(side[-1])]
    return style.spread([asked.scale * v for v in (*ends, *course.value[later], *asked.margins)], 0.06)


def _lines(axes: Axes, course: Course, scale: float, limits: tuple[float, float]) -> None:
    """The band, from where it has a limit; the usual interval; the estimate."""
    room = 0.1 * (limits[1] - limits[0])
    known = np.isfinite(course.low) | np.isfinite(course.high)
    low, high = (
        np.where(known, np.clip(side * scale, limits[0] - room, limits[1] + room), np.nan)
        for side in (course.low, course.high)
    )
    colour, other = style.SERIES[0], style.SERIES[1]
    axes.fill_between(course.games, low, high, color=colour, alpha=0.22, linewidth=0, zorder=1.5, gid="sequence")
    labels = ("interval that holds whenever one looks", None)
    for line, label in zip((low, high), labels, strict=True):
        axes.plot(course.games, line, color=colour, linewidth=1.3, label=label, gid="limit")
    if known[-1]:  # where the band begins at the last moment, it would have no width
        axes.plot([course.games[-1]] * 2, [low[-1], high[-1]], color=colour, linewidth=2.4, zorder=2.5, gid="last")
    labels = ("usual interval, good for one look", None)
    for line, label in zip((course.usual_low, course.usual_high), labels, strict=True):
        axes.plot(course.games, line * scale, ":", color=other, linewidth=1.3, label=label, gid="usual")
    axes.plot(course.games, course.value * scale, color=style.INK, linewidth=1.6, gid="value")


def _say_decided(axes: Axes, course: Course) -> None:
    """The verdict beside its moment, on the side that has room."""
    assert course.decided is not None  # noqa: S101
    right = course.decided < (course.games[0] * course.games[-1]) ** 0.5
    text = f" {course.verdict} " if course.games[0] < course.games[-1] else ""
    axes.annotate(
        text,
        (course.decided, 1),
        xycoords=("data", "axes fraction"),
        ha="left" if right else "right",
        va="top",
        fontsize=10.5,
        bbox={"facecolor": style.PAPER, "edgecolor": "none", "alpha": 0.85, "pad": 0.6},
        zorder=5,
    )


def _plain_ticks(axes: Axes) -> None:
    """Whole numbers on a linear axis, few enough to be read."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: numbers.count(round(x))))


def _plain_log(axes: Axes) -> None:
    """Whole numbers on a logarithmic axis, few enough to be read."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

    low, high = axes.get_xlim()
    decades = np.log10(high / low)
    subs = (1, 2, 5) if decades < 1.6 else (1, 3) if decades < 2.5 else (1,)
    ticks = [sub * 10**k for k in range(int(np.log10(low)), int(np.log10(high)) + 1) for sub in subs]
    axes.xaxis.set_major_locator(FixedLocator([tick for tick in ticks if low <= tick <= high]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: numbers.count(round(x))))
