"""Exact tables on the command line."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence

import pandas as pd

from reports import console
from simcore.errors import InputError
from simcore.games import GAMES, find_game
from simcore.options import Setting

WIDE = 100
"""Text is wrapped at the width of the terminal, and never later than here."""


def show(game: str, settings: Mapping[str, Setting], form: str) -> None:
    """Print a game's exact tables for some rules: rounded for people, unrounded as CSV and JSON.

    A game's tables are frames; their `attrs` may hold a ``title``, ``notes`` (sentences, each told once), ``places``
    (decimals of its fractions), ``percent`` (columns that are told in per cent), ``words`` (short for long entries), and
    ``rows`` (by their first entry) and ``columns``, if people are not shown all.
    """
    found = find_game(game)
    if found.exact is None:
        those = ", ".join(name for name in GAMES if find_game(name).exact is not None)
        raise InputError(f"{game} has no exact tables; games that have some: {those or 'none'}")
    rules = found.rules.rules(settings)
    with console.busy(f"exact tables of {game} (some ten seconds)"):
        tables = {name: _with_index(frame) for name, frame in found.exact(rules).items()}
    if form == "csv":
        console.print_frame(pd.concat(tables, names=["table", "row"]).reset_index("table"), form, [])
    elif form == "json":
        sys.stdout.write(json.dumps({name: _as_json(frame) for name, frame in tables.items()}, indent=1) + "\n")
    else:
        _for_people(tables, form)


def _with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its index, if that says something, as columns."""
    named = any(name is not None for name in frame.index.names)
    shown = frame.reset_index() if named else frame
    shown.attrs = frame.attrs
    return shown


def _as_json(frame: pd.DataFrame) -> dict[str, object]:
    named = frame.rename(columns=str).to_json(orient="records", double_precision=15)
    return {"title": frame.attrs.get("title", ""), "notes": frame.attrs.get("notes", ()), "rows": json.loads(named)}


def _for_people(tables: Mapping[str, pd.DataFrame], form: str) -> None:
    told: set[str] = set()
    for name, frame in tables.items():
        title, shown = str(frame.attrs.get("title", name)), rounded(_selected(frame))
        if form == "md":
            sys.stdout.write(f"**{title}**\n\n{console.markdown(shown, list(shown.columns))}")
        else:
            _say(title)
            _print_table(shown, [column for column in frame if frame[column].dtype.kind in "fiu"])
        new = [note for note in frame.attrs.get("notes", ()) if note not in told]
        told.update(new)
        if new and form == "md":
            sys.stdout.write(f"\n{' '.join(new)}\n")
        elif new:
            _say(" ".join(new), "  ")
        sys.stdout.write("\n")


def _selected(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows and columns that people are shown."""
    first, columns = frame.columns[0], frame.attrs.get("columns")
    rows = frame[frame[first].isin(frame.attrs.get("rows", frame[first]))]
    shown = rows if columns is None else rows[[first, *columns]]
    shown.attrs = frame.attrs
    return shown


def rounded(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame as text, with the decimals and the short words that its `attrs` ask for."""
    shown, percent = pd.DataFrame(index=frame.index), set(frame.attrs.get("percent", ())) & set(frame.columns)
    for column in frame:
        share = column in percent
        places = 1 if share else frame.attrs.get("places", 4)
        texts = [_text(value, places, share) for value in frame[column]]
        shown[f"{column}, %" if share and len(percent) < frame.shape[1] - 1 else str(column)] = texts
    return shown.replace(frame.attrs.get("words", {}))


def _text(value: object, places: int, share: bool) -> str:
    if not isinstance(value, float):
        return str(value)
    return "" if value != value else f"{100 * value if share else value:.{places}f}"


def _width() -> int:
    """Of the terminal; of text in a pipe 80, or ``$COLUMNS``."""
    if sys.stdout.isatty():
        return shutil.get_terminal_size().columns
    given = os.environ.get("COLUMNS", "")
    return int(given) if given.isdecimal() and int(given) else 80


def _say(text: str, indent: str = "") -> None:
    """Print a text in lines that fit."""
    width = max(min(_width(), WIDE), 20)
    for line in textwrap.wrap(text, width, initial_indent=indent, subsequent_indent=indent):
        sys.stdout.write(line + "\n")


def _print_table(shown: pd.DataFrame, numeric: Sequence[object]) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    right = [str(column) for column in numeric]
    for column in shown.columns:
        side = "right" if column.removesuffix(", %") in right else "left"
        table.add_column(column, justify=side, overflow="fold")  # type: ignore[arg-type]
    first = shown.iloc[:, 0]
    shown = shown.assign(**{shown.columns[0]: first.where(first != first.shift(), "")})
    for row in shown.itertuples(index=False):
        table.add_row(*row)
    # In a pipe a table is as wide as it must be.
    Console(width=None if sys.stdout.isatty() else max(_width(), 160)).print(table)
