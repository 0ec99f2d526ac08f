"""What a report is made of: items (a run, claims, …) that give sentences, pictures, tables, games and a method."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Code:
    """A piece of a sentence that is a name: of a variant, a metric, an option."""

    text: str


Sentence = tuple["str | Code", ...]


def words(sentence: Sentence) -> str:
    """A sentence as plain text."""
    return "".join(part.text if isinstance(part, Code) else part for part in sentence)


@dataclass(frozen=True)
class Gloss:
    """What hovering a name tells: a metric's meaning, formula, unit and level."""

    name: str
    title: str
    meaning: str
    formula: str
    unit: str
    level: str


@dataclass(frozen=True)
class Column:
    """A column of a table; `gloss` names the metric that its heading explains."""

    title: str
    numeric: bool = True
    gloss: str = ""
    unit: str = ""


@dataclass(frozen=True)
class Cell:
    """A cell: the text shown, the raw value (sorted and copied by), an interval shown small, a gloss for a metric's name."""

    text: str
    value: float | str | None = None
    interval: str = ""
    gloss: str = ""
    code: bool = False

    @property
    def raw(self) -> float | str:
        """The value to sort and copy by."""
        return self.text if self.value is None else self.value


@dataclass(frozen=True)
class Table:
    """A table for people, and the frame of raw numbers behind it.

    Attributes
    ----------
    id, title, note : str
    columns : tuple of Column
    rows : tuple of tuple of Cell
        The first cell of a row is its heading.
    frame : DataFrame
        All that the table says, unrounded; written as CSV.
    command : str
        What prints these numbers again.
    folded : bool
        Whether it is shown closed at first.
    """

    id: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    frame: pd.DataFrame
    command: str
    note: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Panel:
    """One drawing of a picture, no wider than a phone.

    Attributes
    ----------
    title : str
        Shown above; may be empty.
    alt : str
        What the drawing says, in words.
    draw : callable
        Makes the matplotlib figure.
    gloss : str
        Name of the metric that the title explains.
    """

    title: str
    alt: str
    draw: Callable[[], Figure]
    gloss: str = ""


@dataclass(frozen=True)
class Picture:
    """A picture of one panel or several, with a caption and the frame of the numbers drawn.

    Attributes
    ----------
    id, title, caption : str
    panels : tuple of Panel
    frame : DataFrame
    command : str
        What prints these numbers again.
    columns : int
        So many columns of a wide page, of three, at least.
    """

    id: str
    title: str
    caption: str
    panels: tuple[Panel, ...]
    frame: pd.DataFrame
    command: str
    columns: int = 1


@dataclass(frozen=True)
class SampleGame:
    """A game worth looking at: why, its numbers in words, its replay command, and its events for the board viewer."""

    id: str
    variant: str
    why: str
    numbers: str
    command: str
    game: str
    events: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Fact:
    """A line of a method box."""

    name: str
    text: str
    code: bool = False


class Item(Protocol):
    """A section of a report. Subclasses give what they have; the rest stays empty."""

    @property
    def id(self) -> str:
        """Part of the addresses in the page: letters, digits, hyphens."""
        ...

    @property
    def title(self) -> str: ...

    @property
    def text(self) -> str:
        """What is asked, in the author's words."""
        return ""

    def sentences(self) -> Sequence[Sentence]:
        """The answer, composed from the results."""
        return ()

    def figures(self) -> Sequence[Picture]:
        """Pictures, in order."""
        return ()

    def tables(self) -> Sequence[Table]:
        """Tables, in order; the first is shown before the pictures."""
        return ()

    def games(self) -> Sequence[SampleGame]:
        """Games to step through."""
        return ()

    def games_note(self) -> str:
        """Where the games come from, or why there are none."""
        return ""

    def glosses(self) -> Sequence[Gloss]:
        """The metrics that it speaks of."""
        return ()

    def method(self) -> Sequence[Fact]:
        """How the numbers came about."""
        return ()
