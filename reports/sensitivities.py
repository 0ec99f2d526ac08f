"""Sensitivity from the command line: tables and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from analysis.sensitivity import Sensitivity, sensitivity
from analysis.tables import checked_level
from reports import console
from simcore.games import find_game


def analyse(game: str, metric: str, level: float, **arguments: Any) -> Sensitivity:
    """Run the analysis; arguments as in `analysis.sensitivity.sensitivity`."""
    return sensitivity(find_game(game), metric, level=checked_level(level), **arguments)


def show(found: Sensitivity, form: str, out: Path | None) -> None:
    """Print what was found, and keep it in `out` if given."""
    tornado = found.tornado.assign(interval=console.interval_column(found.tornado))
    shares = found.shares.assign(interval=console.interval_column(found.shares))
    if form in ("csv", "json"):
        console.print_frame(_together(found), form, [])
    else:
        title = f"{found.metric.name}: {found.metric.meaning} [{found.metric.unit}]; {found.games} games a variant"
        columns = ["option", "value", "kind", "metric_value", "difference", "interval", "reach"]
        console.print_frame(tornado, form, columns, title)
        if len(shares):
            console.print_frame(
                shares,
                form,
                ["term", "share", "interval"],
                f"variance between combinations of {', '.join(found.crossed)}",
            )
    for note in found.notes:
        console.tell(f"note: {note}")
    if out:
        console.save_frame(found.tornado, out / "tornado.csv")
        console.save_frame(found.shares, out / "variance-shares.csv")


def _together(found: Sensitivity) -> pd.DataFrame:
    """Both tables in one frame, for programs."""
    alone = found.tornado.assign(table="one at a time")
    return pd.concat([alone, found.shares.assign(table="crossed")], ignore_index=True)
