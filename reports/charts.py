"""What arithmetic says beside what was played: strategy charts, and simulated values against exact ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd

from reports import numbers
from reports.figures import chart as drawing
from reports.parts import Cell, Column, Panel, Picture, Table
from reports.tables import MOST_ROWS
from reports.view import View
from simcore.options import Rules

ACTIONS = ("stop", "draw", "draw blind")
LETTERS = ("S", "D", "B")
NAMES = {"p_21": "reaches 21 with seen cards", "p_bust": "busts with seen cards", "edge": "banker's gain a unit staked"}


def strategy_charts(view: View) -> Picture | None:
    """The chart of each variant's rules, where they have more than one between them, or the run has but one variant."""
    if view.words.chart is None:
        return None
    found: dict[str, tuple[pd.DataFrame, list[Rules]]] = {}
    for i in view.drawn:
        rules = view.run.manifest.variants[i].rules
        frame = view.words.chart(rules)
        found.setdefault(frame.to_csv() + frame.attrs["against"], (frame, []))[1].append(rules)
    if len(found) < 2 <= len(view.labels):
        return None
    names = _names([rules for _, rules in found.values()])
    frames = [frame for frame, _ in found.values()]
    panels = tuple(_panel(frame, name) for frame, name in zip(frames, names, strict=True))
    said = [f"{letter} {action}" for letter, action in zip(LETTERS, ACTIONS, strict=True) if _has(frames, action)]
    caption = f"What to do, by own total (rows) and the banker's card (columns): {', '.join(said)}. "
    caption += "Totals below the rows shown: draw. The banker stands on the total that leaves such a punter least."
    whole = pd.concat([f.reset_index().assign(rules=name) for f, name in zip(frames, names, strict=True)])
    return Picture(
        "strategy",
        "The best response, as a chart",
        caption,
        panels,
        whole.reset_index(drop=True),
        _command(view),
    )


def _panel(frame: pd.DataFrame, name: str) -> Panel:
    drawn = _chart(frame)
    title = f"{name}, against {frame.attrs['against']}"
    return Panel(
        title, f"Strategy chart with {title}: {_said(drawn)}", partial(drawing.strategy, drawn, ACTIONS, LETTERS)
    )


def _has(frames: Sequence[pd.DataFrame], action: str) -> bool:
    return any((frame == action).any(axis=None) for frame in frames)


def _names(groups: Sequence[Sequence[Rules]]) -> list[str]:
    """What sets each group of rules apart from the others: the values of options that not every group has alike."""
    every = [rules for group in groups for rules in group]
    if len(groups) == 1:
        changed = every[0].changes()
        return [", ".join(f"{name}={value}" for name, value in changed.items()) or "default rules"]
    values = {name: [[r[name] for r in group] for group in groups] for name in every[0]}
    apart = {name: held for name, held in values.items() if any(set(one) != set(held[0]) for one in held)}
    return [
        ", ".join(f"{name}={' or '.join(map(str, dict.fromkeys(held[k])))}" for name, held in apart.items())
        for k in range(len(groups))
    ]


def _command(view: View) -> str:
    changes = view.run.manifest.variants[view.base].rules.changes()
    return " ".join(
        [f"kozyr exact {view.run.game.name}", *(f"--set {name}={value}" for name, value in changes.items())]
    )


def _chart(frame: pd.DataFrame) -> drawing.StrategyChart:
    """The chart without its lowest rows, in which everybody draws; high totals first."""
    rows: list[tuple[str, tuple[str, ...]]] = []
    for soft in (False, True):
        part = frame[frame.index.str.startswith("soft") == soft]
        told = (part != "draw").any(axis=1)
        first = max(int(told.to_numpy().argmax()) - 1, 0) if told.any() else len(part)
        kept = part.iloc[first:][::-1]
        rows += [(str(name), tuple(line)) for name, line in zip(kept.index, kept.to_numpy().tolist(), strict=True)]
    names, cells = zip(*rows, strict=True)
    return drawing.StrategyChart(names, tuple(map(str, frame.columns)), cells)


def _said(chart: drawing.StrategyChart) -> str:
    """A chart in words: for each card the totals, soft ones apart, at which one stops."""
    lines = dict(zip(chart.rows, chart.cells, strict=True))
    hard = sorted(int(name) for name in chart.rows if not name.startswith("soft"))
    stops = [[t for t in hard if lines[str(t)][k] == "stop"] for k in range(len(chart.columns))]
    said = [f"{column} {_ranges(found) or 'never'}" for column, found in zip(chart.columns, stops, strict=True)]
    return f"totals at which to stop, by the banker's card: {', '.join(said)}"


def _ranges(numbers_: list[int]) -> str:
    """14, 16, 17, 18 as ``14 and 16-18``."""
    runs: list[list[int]] = []
    for n in numbers_:
        if runs and n == runs[-1][-1] + 1:
            runs[-1].append(n)
        else:
            runs.append([n])
    return " and ".join(f"{run[0]}-{run[-1]}" if len(run) > 1 else str(run[0]) for run in runs)


def exact_table(view: View) -> Table | None:
    """Simulated against exact, for every variant with one bot at all seats."""
    if view.words.compare is None:
        return None
    frames = []
    for variant, tallies in zip(view.run.manifest.variants, view.run.tallies.variants, strict=True):
        if len(set(variant.table)) == 1:
            found = view.words.compare(variant.rules, variant.table, tallies.hist)
            frames.append(found.assign(variant=variant.label))
    if not frames:
        return None
    frame = pd.concat(frames, ignore_index=True)
    whole = frame[frame["seen"] == "any"].head(MOST_ROWS)
    rows = [_exact_row(row, frame) for _, row in whole.iterrows()]
    columns = (
        Column("variant", numeric=False),
        Column("a first hand", numeric=False),
        Column("hands"),
        Column("simulated"),
        Column("exact"),
        Column("z"),
        Column("largest |z|"),
    )
    note = (
        "First hands of circles, which arithmetic can follow exactly. z: the difference in standard errors. Largest |z|: over"
        " the same quantity given each card of the banker, and each marker; the CSV has them all."
    )
    return Table("exact", "Simulated against exact", columns, tuple(rows), frame, _command(view), note, folded=True)


def _exact_row(row: pd.Series, frame: pd.DataFrame) -> tuple[Cell, ...]:
    same = frame[(frame["variant"] == row["variant"]) & (frame["quantity"] == row["quantity"])]
    largest = float(same["z"].abs().max())
    return (
        Cell(str(row["variant"]), code=True),
        Cell(NAMES[str(row["quantity"])], str(row["quantity"])),
        Cell(numbers.count(int(row["hands"])), int(row["hands"])),
        *(Cell(f"{float(row[key]):.5f}".replace("-", "−"), float(row[key])) for key in ("simulated", "exact")),
        Cell(f"{float(row['z']):+.2f}".replace("-", "−"), float(row["z"])),
        Cell(f"{largest:.2f} of {len(same)}", largest),
    )
