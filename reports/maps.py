"""Pictures of a vector metric whose entries are places on the table."""

from __future__ import annotations

from functools import partial

import pandas as pd

from reports import numbers
from reports.figures import heat
from reports.games import Grid
from reports.parts import Panel, Picture
from reports.view import View


def place_map(view: View, declared: Grid) -> Picture | None:
    """A heat map of the places for each variant drawn, with one scale for all."""
    frame = _values(view, declared)
    if frame.empty:
        return None
    low, high = float(frame["value"].min()), float(frame["value"].max())
    unit = str(frame["unit"].iloc[0])
    maps, said = [], []
    for label, part in frame.groupby("variant", sort=False):
        made = {
            str(r["place"]): heat.Place(
                str(r["place"]), _written(float(r["value"]), unit), (float(r["value"]) - low) / ((high - low) or 1)
            )
            for _, r in part.iterrows()
        }
        rows = declared.shapes[str(part["layout"].iloc[0])]
        maps.append(heat.Map(str(label), tuple(tuple(made[name] for name in row) for row in rows)))
        said.append(f"{label}: " + ", ".join(f"{place.name} {place.text}" for place in made.values()))
    panel = Panel("", f"{declared.title}. {'; '.join(said)}", partial(heat.heat, maps), f"{declared.metric}.0")
    caption = f"{declared.caption} The stronger the colour, the more.{view.omitted}"
    command = view.summary_command(declared.metric)
    return Picture(declared.metric, declared.title, caption, (panel,), frame, command)


def _values(view: View, declared: Grid) -> pd.DataFrame:
    """Variant, layout, place, and the metric's row; without variants that have no value."""
    records = []
    for i in view.drawn:
        layout = str(view.run.manifest.variants[i].rules[declared.option])
        rows = [dict(view.row(f"{declared.metric}.{k}", i)) for k in range(len(declared.names))]
        if all(row["value"] == row["value"] for row in rows):
            records += [
                {"layout": layout, "place": name, **row} for name, row in zip(declared.names, rows, strict=True)
            ]
    return pd.DataFrame(records)


def _written(value: float, unit: str) -> str:
    return numbers.amount(value, unit, 0 if numbers.is_share(unit) else 2)
