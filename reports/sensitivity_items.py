"""A sensitivity analysis as an item of a report: tornado, shares of variance, and how much is luck."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import pandas as pd

from analysis.luck import Luck
from analysis.sensitivity import Sensitivity
from reports import numbers
from reports.claim_items import made_by
from reports.claim_parts import estimate_text
from reports.figures import tornado
from reports.parts import Cell, Code, Column, Fact, Gloss, Item, Panel, Picture, Sentence, Table
from reports.view import gloss, title_of
from simcore.options import Setting

TELLING = 0.01
"""Shares of the variance below that are named nowhere but in the table."""


def sensitivity_command(found: Sensitivity, vary: Mapping[str, Sequence[Setting]]) -> str:
    """The command that plays the analysis again."""
    words = ["kozyr", "sensitivity", found.game.name, "--metric", found.metric.name]
    for name, value in found.base.rules.changes().items():
        words += ["--set", f"{name}={value}"]
    for name, values in vary.items():
        words += ["--vary", f"{name}={','.join(map(str, values))}"]
    table = [str(player) for player in found.base.table]
    words += ["--bots", table[0] if len(set(table)) == 1 else ",".join(table)]
    words += ["--games", str(found.games), "--seed", str(found.seed)]
    return shlex.join(words)


def tornado_panel(found: Sensitivity) -> Panel:
    """What each option does by itself."""
    unit = numbers.difference_unit(found.metric.unit)
    bars = [
        tornado.Bar(
            str(option),
            tuple(
                tornado.Change(str(r["value"]), float(r["difference"]), float(r["low"]), float(r["high"]))
                for _, r in rows.iterrows()
            ),
        )
        for option, rows in found.tornado.groupby("option", sort=False)
    ]
    said = [
        f"{bar.option}={c.value} {estimate_text(c.difference, c.low, c.high, unit)[0]}"
        for bar in bars
        for c in bar.changes
    ]
    alt = f"{found.metric.meaning}: difference that each option makes by itself. {'; '.join(said)}"
    axis = f"change of {title_of(found.metric.name)} ({numbers.unit_name(unit)})"
    return Panel(title_of(found.metric.name), alt, partial(tornado.tornado, bars, unit, axis), found.metric.name)


def shares_panel(frame: pd.DataFrame, title: str, metric: str = "") -> Panel:
    """Parts of a variance."""
    parts = [
        tornado.Share(str(r["term"]), float(r["share"]), float(r["low"]), float(r["high"])) for _, r in frame.iterrows()
    ]
    alt = f"{title}: " + "; ".join(f"{part.name} {tornado.figures(part)}" for part in parts)
    return Panel(title, alt, partial(tornado.shares, parts), metric)


def luck_title(one: Luck) -> str:
    """Heading of the parts of an outcome's variance."""
    by = " of a player" if len(one.outcome.metrics) > 1 else ""
    return f"{title_of(one.outcome.name)}{by} in one game"


@dataclass(frozen=True)
class SensitivityItem(Item):
    """A sensitivity analysis.

    Parameters
    ----------
    found : Sensitivity
    vary : mapping
        Options that were asked for, with their values; empty for all.
    """

    found: Sensitivity
    vary: Mapping[str, Sequence[Setting]]

    @property
    def id(self) -> str:
        return f"sensitivity-{self.found.metric.name}"

    @property
    def title(self) -> str:
        return f"What “{self.found.metric.meaning}” hangs on"

    @property
    def command(self) -> str:
        return sensitivity_command(self.found, self.vary)

    def sentences(self) -> Sequence[Sentence]:
        made: list[Sentence] = []
        if len(self.found.tornado):
            made.append(_most(self.found))
        if len(self.found.shares):
            first = self.found.shares.iloc[0]
            part = tornado.Share("", float(first["share"]), float(first["low"]), float(first["high"]))
            crossed = ", ".join(self.found.crossed)
            made.append(
                (
                    f"Of the variance between all combinations of {crossed}, ",
                    Code(str(first["term"])),
                    f" accounts for {tornado.figures(part)}.",
                )
            )
        return [*made, *(_lucky(one) for one in self.found.luck)]

    def tables(self) -> Sequence[Table]:
        made = [_tornado_table(self.found, self.command)]
        if len(self.found.shares):
            title = "Shares of the variance between combinations"
            made.append(_shares_table("variance-shares", title, self.found.shares, self.command))
        for k, one in enumerate(self.found.luck, 1):
            made.append(_shares_table(f"luck-{k}", f"What is luck: {luck_title(one)}", one.shares, self.command))
        return made

    def figures(self) -> Sequence[Picture]:
        made = []
        if len(self.found.tornado):
            caption = (
                "Each option changed by itself, on the same deals: bars reach over all values, dots are the values with their"
                f" {100 * self.found.level:g} % intervals, hollow where the interval holds 0. At the right, the values at"
                " the ends of the bar."
            )
            panel = (tornado_panel(self.found),)
            title = "What each option does"
            made.append(Picture("tornado", title, caption, panel, self.found.tornado, self.command, columns=2))
        panels = [shares_panel(one.shares, luck_title(one), one.outcome.metrics[0].name) for one in self.found.luck]
        frames = [one.shares.assign(outcome=one.outcome.name) for one in self.found.luck]
        if len(self.found.shares):
            panels.insert(
                0, shares_panel(self.found.shares, f"between combinations of {len(self.found.crossed)} options")
            )
            frames.insert(0, self.found.shares.assign(outcome="between combinations"))
        if panels:
            caption = (
                "First, of the variance between all combinations of the most influential options; then, under the base rules, of"
                " the variance between games. Deal: the same cards fall again; dice: what the bots leave to chance."
            )
            whole = pd.concat(frames, ignore_index=True)
            made.append(Picture("shares", "Shares of the variance", caption, tuple(panels), whole, self.command))
        return made

    def glosses(self) -> Sequence[Gloss]:
        metrics = [self.found.metric, *(m for one in self.found.luck for m in one.outcome.metrics)]
        return [gloss(metric) for metric in metrics]

    def method(self) -> Sequence[Fact]:
        found = self.found
        facts = [
            made_by(found.game.name),
            Fact("Play it again", self.command, code=True),
            Fact("Base rules", found.base.label, code=True),
            Fact("Games", f"{numbers.count(found.games)} of each variant, the same deals in all"),
            Fact("One at a time", "paired differences over shards, each interval by itself."),
            Fact(
                "Combinations",
                "analysis of variance (least squares, statsmodels) of the metric over all combinations of the options that reach"
                f" furthest: {', '.join(found.crossed) or 'none'}; less what chance adds; intervals by bootstrap over shards. A"
                " share says how much an option matters among these values, each as likely as the others.",
            ),
        ]
        if found.luck:
            one = found.luck[0]
            facts.append(
                Fact(
                    "Luck",
                    f"{numbers.count(one.deals)} deals, each played {one.dice} times with other dice for the bots: nested"
                    " analysis of variance with random deals (Searle, Casella and McCulloch 1992); intervals by bootstrap over"
                    " deals.",
                )
            )
        return [*facts, *(Fact("Note", note) for note in found.notes)]


def _most(found: Sensitivity) -> Sentence:
    """The option that reaches furthest."""
    first = found.tornado.iloc[0]
    unit = numbers.difference_unit(found.metric.unit)
    rows = found.tornado[found.tornado["option"] == first["option"]]
    far = rows.iloc[int(rows["difference"].abs().to_numpy().argmax())]
    value, limits = estimate_text(float(far["difference"]), float(far["low"]), float(far["high"]), unit)
    setting = Code(f"{far['option']}={far['value']}")
    base = Code(f"{far['option']}={found.base.rules[str(far['option'])]}")
    end = f" ({limits})" if unit == "share difference" else f" {unit} ({limits})"
    what = f"“{found.metric.meaning[0].upper()}{found.metric.meaning[1:]}” hangs most on "
    opening: Sentence = (what, Code(str(first["option"])), ": ", setting, " instead of ", base)
    return (*opening, f" changes it by {value}{end}.")


def _lucky(one: Luck) -> Sentence:
    """Where the variance of an outcome comes from."""
    named = [
        f"{r['term']} {tornado.figures(tornado.Share('', float(r['share']), float(r['low']), float(r['high'])))}"
        for _, r in one.shares.iterrows()
        if r["share"] >= TELLING
    ]
    note = f" ({one.note})" if one.note else ""
    return (f"Of the variance of {luck_title(one)}: {', '.join(named)}{note}.",)


def _tornado_table(found: Sensitivity, command: str) -> Table:
    unit = numbers.difference_unit(found.metric.unit)
    columns = (
        Column("option", numeric=False),
        Column("value", numeric=False),
        Column("kind", numeric=False),
        Column(title_of(found.metric.name), gloss=found.metric.name, unit=numbers.unit_name(found.metric.unit)),
        Column("difference"),
        Column("reach of the option"),
    )
    rows = []
    for _, r in found.tornado.iterrows():
        difference, limits = estimate_text(float(r["difference"]), float(r["low"]), float(r["high"]), unit)
        value = estimate_text(float(r["metric_value"]), float(r["low"]), float(r["high"]), found.metric.unit)[0]
        reach = estimate_text(float(r["reach"]), float(r["low"]), float(r["high"]), unit)[0].lstrip("+")
        rows.append(
            (
                Cell(str(r["option"]), code=True),
                Cell(str(r["value"]), code=True),
                Cell(str(r["kind"])),
                Cell(value, _raw(r["metric_value"])),
                Cell(difference, _raw(r["difference"]), limits),
                Cell(reach, _raw(r["reach"])),
            )
        )
    return Table(
        "tornado", "What each option does by itself", columns, tuple(rows), found.tornado, command, folded=True
    )


def _raw(value: float) -> float | str:
    return float(value) if value == value else ""


def _shares_table(name: str, title: str, frame: pd.DataFrame, command: str) -> Table:
    explained = "meaning" in frame.columns
    columns = [Column("part", numeric=False), Column("share", unit="%")]
    columns += [Column("which is", numeric=False)] if explained else []
    rows = []
    for _, r in frame.iterrows():
        part = tornado.Share("", float(r["share"]), float(r["low"]), float(r["high"]))
        text, _, limits = tornado.figures(part).partition(" (")
        cells = [Cell(str(r["term"])), Cell(text, part.share, limits.rstrip(")"))]
        rows.append((*cells, Cell(str(r["meaning"]))) if explained else tuple(cells))
    return Table(name, title, tuple(columns), tuple(rows), frame, command, folded=True)
