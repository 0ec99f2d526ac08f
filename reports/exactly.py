"""Exact tables on the command line."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from reports import console
from simcore.errors import InputError
from simcore.games import GAMES, find_game
from simcore.options import Setting


def show(game: str, settings: Mapping[str, Setting], form: str) -> None:
    """Print a game's exact tables for some rules."""
    found = find_game(game)
    if found.exact is None:
        those = ", ".join(name for name in GAMES if find_game(name).exact is not None)
        raise InputError(f"{game} has no exact tables; games that have some: {those or 'none'}")
    tables = {name: _with_index(frame) for name, frame in found.exact(found.rules.rules(settings)).items()}
    if form in ("csv", "json"):
        console.print_frame(pd.concat(tables, names=["table", "row"]).reset_index("table"), form, [])
        return
    for name, frame in tables.items():
        console.print_frame(frame, form, list(frame.columns), str(frame.attrs.get("title", name)))
        if frame.attrs.get("note"):
            console.out(f"  {frame.attrs['note']}")
        console.out("")


def _with_index(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with its index, if that says something, as columns."""
    named = any(name is not None for name in frame.index.names)
    shown = frame.reset_index() if named else frame
    shown.attrs = frame.attrs
    return shown
