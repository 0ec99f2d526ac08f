"""How a table fits a terminal: repeated first columns become headings, long headings and texts are folded, names never broken."""

from __future__ import annotations

import os
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

GAP = 2
"""Blanks between columns."""
LEAST = 14
"""No text is folded to less than so many letters."""
PIPED = 160
"""Width where no terminal tells one."""


def told_width() -> int | None:
    """The width of the terminal, or what COLUMNS says; None where neither tells one."""
    told = os.environ.get("COLUMNS", "")
    if told.isdecimal() and int(told) > 0:
        return int(told)
    if not sys.stdout.isatty():
        return None
    from rich.console import Console

    return Console().width


def width() -> int:
    """The width that a table may have."""
    return told_width() or PIPED


def wrapped(text: str, indent: str = "") -> str:
    """Text in lines no longer than the terminal, the further ones indented; as it is where no width is told."""
    room = told_width()
    if room is None:
        return text
    lines = textwrap.wrap(
        text, max(room, LEAST), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )
    return "\n".join(lines)


@dataclass(frozen=True)
class Grid:
    """A table as text.

    Attributes
    ----------
    heads : tuple of str
    rows : tuple of tuple of str
    right : frozenset of int
        Columns that are set flush right.
    groups : int
        So many first columns stand as a heading above their rows.
    spare : frozenset of str
        Last columns that are left out where there is no room.
    """

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    groups: int = 0
    spare: frozenset[str] = frozenset()

    @property
    def indent(self) -> int:
        return GAP if self.groups else 0

    def widths(self) -> list[int]:
        """The width of each column that is not a heading."""
        columns = range(self.groups, len(self.heads))
        return [max(_longest(self.heads[k]), *(_longest(row[k]) for row in self.rows), 0) for k in columns]

    def natural(self) -> int:
        widths = self.widths()
        return self.indent + sum(widths) + GAP * (len(widths) - 1)


def _longest(text: str) -> int:
    return max(map(len, text.split("\n")))


def fitted(grid: Grid, room: int) -> Grid:
    """The table so that it fits: headings folded, first columns taken out, long texts folded, last columns left out."""
    if grid.natural() <= room or not grid.rows:
        return grid
    cells = [max(_longest(row[k]) for row in grid.rows) for k in range(len(grid.heads))]
    grid = replace(grid, heads=tuple(_fold(head, cell) for head, cell in zip(grid.heads, cells, strict=True)))
    grid = _grouped(grid, room, only_repeats=True)
    while (over := grid.natural() - room) > 0:
        shorter = _shorter(grid, over)
        if shorter is None:
            break
        grid = shorter
    while grid.natural() > room and grid.spare and grid.heads[-1] in grid.spare:
        grid = replace(grid, heads=grid.heads[:-1], rows=tuple(row[:-1] for row in grid.rows))
    return _grouped(grid, room, only_repeats=False)


def _grouped(grid: Grid, room: int, only_repeats: bool) -> Grid:
    """The table with as many first columns as headings as it takes to fit, or only those that repeat."""
    while grid.natural() > room and grid.groups < len(grid.heads) - 2 and (_repeats(grid) or not only_repeats):
        grid = replace(grid, groups=grid.groups + 1)
    return grid


def _fold(text: str, room: int) -> str:
    """A text in lines of `room` letters, or of its longest word."""
    longest = max((len(word) for word in text.split()), default=0)
    return "\n".join(textwrap.wrap(text, max(room, longest, 1), break_long_words=False, break_on_hyphens=False))


def _repeats(grid: Grid) -> bool:
    """Whether what would become headings stays the same from row to row often enough."""
    keys = [row[: grid.groups + 1] for row in grid.rows]
    return len(set(keys)) < len(keys)


def _shorter(grid: Grid, over: int) -> Grid | None:
    """The table with its widest text folded more; None if there is none."""
    foldable = []
    for k in range(grid.groups, len(grid.heads)):
        longest = max(_longest(row[k]) for row in grid.rows)
        if k not in grid.right and longest > LEAST and any(" " in row[k] for row in grid.rows):
            foldable.append((longest, k))
    for longest, k in sorted(foldable, reverse=True):
        target = max(LEAST, longest - over)
        rows = tuple((*row[:k], _fold(row[k].replace("\n", " "), target), *row[k + 1 :]) for row in grid.rows)
        made = replace(grid, rows=rows)
        if made.natural() < grid.natural():
            return made
    return None


def lines(grid: Grid, room: int) -> Iterator[tuple[str, str]]:
    """The lines of a table, each with what it is: ``head``, ``group`` or ``row``."""
    widths = grid.widths()
    for line in _lines_of(grid, grid.heads, widths):
        yield line, "head"
    last: tuple[str, ...] = ()
    for row in grid.rows:
        if grid.groups and row[: grid.groups] != last:
            for line in _fold(", ".join(filter(None, row[: grid.groups])), room).split("\n"):
                yield line, "group"
        shown = _without_repeat(grid, row, last)
        last = row[: max(grid.groups, 1)]
        for line in _lines_of(grid, shown, widths):
            yield line, "row"


def _without_repeat(grid: Grid, row: tuple[str, ...], last: tuple[str, ...]) -> tuple[str, ...]:
    """Without a first column that says the same as in the row before."""
    return ("", *row[1:]) if not grid.groups and row[:1] == last else row


def _lines_of(grid: Grid, row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
    cells = [text.split("\n") for text in row[grid.groups :]]
    for k in range(max(map(len, cells))):
        parts = [
            (cell[k] if k < len(cell) else "").rjust(size)
            if j + grid.groups in grid.right
            else (cell[k] if k < len(cell) else "").ljust(size)
            for j, (cell, size) in enumerate(zip(cells, widths, strict=True))
        ]
        yield (" " * grid.indent + (" " * GAP).join(parts)).rstrip()
