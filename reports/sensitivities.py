"""Sensitivity from the command line: tables and files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd

from analysis.estimate import counted
from analysis.sensitivity import Sensitivity, sensitivity
from analysis.tables import checked_level
from reports import console, numbers, printing
from reports.claim_parts import estimate_text
from reports.figures import tornado
from reports.saving import save_panel
from reports.sensitivity_items import SensitivityItem, luck_title, shares_panel, tornado_panel
from simcore.games import find_game


def analyse(game: str, metric: str, level: float, **arguments: Any) -> Sensitivity:
    """Run the analysis; arguments as in `analysis.sensitivity.sensitivity`."""
    return sensitivity(find_game(game), metric, level=checked_level(level), **arguments)


def show(found: Sensitivity, form: str) -> None:
    """Print what was found."""
    if form in ("csv", "json"):
        console.print_frame(_together(found), form, [])
    else:
        _print_tornado(found, form)
        if len(found.shares):
            title = f"variance between combinations of {', '.join(found.crossed)}"
            _print_shares(found.shares, form, title, ["term", "share", "interval"])
        for one in found.luck:
            title = f"variance of {luck_title(one)} ({one.deals} deals, each with {one.dice} dice)"
            _print_shares(one.shares, form, title, ["term", "share", "interval", "sd", "meaning"])
    for note in (*found.notes, *(f"{one.outcome.name}: {one.note}" for one in found.luck if one.note)):
        console.tell(f"note: {note}")


def _print_tornado(found: Sensitivity, form: str) -> None:
    title = (
        f"{found.metric.name}: {found.metric.meaning} [{found.metric.unit}]; {counted(found.games, 'game')} a variant"
    )
    columns = ["option", "value", "kind", found.metric.name, "difference", "interval", "reach"]
    console.print_frame(_readable(found), form, columns, title, right=columns[3:])
    if form == "table":
        printing.tell_methods(found.tornado)


def _readable(found: Sensitivity) -> pd.DataFrame:
    """The changes in the units that people read."""
    frame, unit = found.tornado, found.metric.unit
    apart = numbers.difference_unit(unit)
    rows = list(frame[["metric_value", "difference", "low", "high", "reach"]].itertuples(index=False, name=None))
    texts = [estimate_text(difference, low, high, apart) for _, difference, low, high, _ in rows]
    return frame.assign(
        **{
            found.metric.name: [estimate_text(value, low, high, unit)[0] for value, _, low, high, _ in rows],
            "difference": [difference for difference, _ in texts],
            "interval": [limits for _, limits in texts],
            "reach": [estimate_text(reach, low, high, apart)[0].lstrip("+") for *_, low, high, reach in rows],
        }
    )


def _print_shares(frame: pd.DataFrame, form: str, title: str, columns: list[str]) -> None:
    print()
    parts = [
        tornado.figures(tornado.Share("", *row))
        for row in zip(frame["share"], frame["low"], frame["high"], strict=True)
    ]
    shares, limits = zip(*(part.rstrip(")").split(" (") for part in parts), strict=True)
    console.print_frame(frame.assign(share=shares, interval=limits), form, columns, title, right=("share", "interval"))


def save(found: Sensitivity, out: Path, vary: dict[str, Any]) -> None:
    """Keep tables, pictures and a report in a folder."""
    from reports.document import write_report

    console.save_frame(found.tornado, out / "tornado.csv")
    save_panel(tornado_panel(found), out / "tornado.svg")
    if len(found.shares):
        console.save_frame(found.shares, out / "variance-shares.csv")
        save_panel(shares_panel(found.shares, "Variance between combinations"), out / "variance-shares.svg")
    for one in found.luck:
        console.save_frame(one.shares, out / f"luck-{one.outcome.name}.csv")
        save_panel(shares_panel(one.shares, luck_title(one)), out / f"luck-{one.outcome.name}.svg")
    title = f"{found.game.title}: {found.metric.name}"
    for path in write_report(title, "", [SensitivityItem(found, vary)], out):
        console.tell(str(path))


def _together(found: Sensitivity) -> pd.DataFrame:
    """All tables in one frame, for programs."""
    frames = [found.tornado.assign(table="one at a time"), found.shares.assign(table="crossed")]
    frames += [one.shares.assign(table=f"luck of {one.outcome.name}") for one in found.luck]
    return pd.concat([frame for frame in frames if len(frame)], ignore_index=True)
