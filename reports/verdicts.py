"""Checking claims from the command line: progress, tables, and the files that are asked for."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from analysis.check import check_claims
from analysis.claim import Claim
from analysis.multiverse import Multiverse, run_multiverse
from analysis.verdicts import Verdict, verdict_frame
from reports import console

_STYLE = {"supported": "green", "refuted": "red", "undecided": "yellow"}


def show_verdicts(
    claims: Sequence[Claim], bots: str, max_games: int | None, threads: int | None, out: Path | None, form: str
) -> bool:
    """Check claims and print the verdicts; returns whether all are supported."""
    with console.progress("checking") as progress:
        found = check_claims(claims, bots=bots, max_games=max_games, threads=threads, progress=progress)
    frame = verdict_frame(found)
    if form == "table":
        for verdict in found:
            _print_verdict(verdict)
        _print_count(frame)
    else:
        console.print_frame(frame, form, ["claim", "verdict", "formula", "estimate", "low", "high", "games", "bots"])
    if out:
        console.save_frame(frame, out / "verdicts.csv")
    return bool((frame["verdict"] == "supported").all())


def _print_verdict(v: Verdict) -> None:
    from rich.text import Text

    console.out(Text.assemble((v.claim.id, "bold"), "  ", (v.verdict, _STYLE[v.verdict]), f"  {v.claim.sentence}"))
    if v.claim.reading:
        console.out(f"  read as: {v.claim.reading}")
    n = console.number
    console.out(f"  {v.claim.formula}")
    limits = f"{n(v.estimate.low)} … {n(v.estimate.high)}"
    console.out(f"  {n(v.estimate.value)} ({v.estimate.level:.0%}: {limits}), {v.games:,} games a variant, {v.bots}")
    if v.needed is not None:
        console.out(f"  {more_games(v)}")
    if v.note:
        console.out(f"  note: {v.note}")


def more_games(v: Verdict) -> str:
    """How many more games an undecided claim needs, in words."""
    need = v.needed
    if need is None:
        return ""
    if need.more_games is None:
        return "more games would not decide it at the present estimate"
    span = [
        f"{x:,}" if x is not None and math.isfinite(x) else "no number" for x in (need.optimistic, need.pessimistic)
    ]
    return f"about {need.more_games:,} more games would decide it ({span[0]} to {span[1]} within one standard error)"


def _print_count(frame: pd.DataFrame) -> None:
    counts = frame["verdict"].value_counts()
    console.out(", ".join(f"{counts.get(name, 0)} {name}" for name in _STYLE))


def show_multiverses(
    claims: Sequence[Claim],
    bots: str,
    max_games: int | None,
    budget: int,
    crossed: bool | None,
    threads: int | None,
    out: Path | None,
    form: str,
) -> bool:
    """Check claims in every universe and print what flips them; returns whether all universes support all claims."""
    held = True
    for claim in claims:
        asked = replace(
            claim,
            bots=bots or claim.bots,
            more_bots=() if bots else claim.more_bots,
            max_games=max_games or claim.max_games,
        )
        with console.progress(f"universes of {claim.id}", "universes") as progress:
            found = run_multiverse(
                asked, budget=budget, crossed=crossed, threads=threads, out=out, progress=progress, notify=console.tell
            )
        held = held and bool((found.frame["verdict"] == "supported").all())
        _show(found, form)
        if out:
            console.save_frame(found.frame, out / f"{claim.id}.multiverse.csv")
            _save_picture(found, out / f"{claim.id}.multiverse.svg")
    return held


def _show(found: Multiverse, form: str) -> None:
    columns = ["bots", "settings", "verdict", "estimate", "low", "high", "games", "shift"]
    if form != "table":
        console.print_frame(found.frame, form, columns)
        return
    base = found.base
    console.out(f"{found.claim.id}: {found.claim.sentence}")
    console.out(f"  {found.claim.formula}; as it stands ({base['bots']}): {base['verdict']}")
    console.print_frame(
        found.frame.assign(settings=found.frame["settings"].replace("", "(as it stands)")), form, columns
    )
    how = "rulings crossed" if found.crossed else "one ruling at a time"
    counts = found.frame["verdict"].value_counts()
    summary = ", ".join(f"{counts.get(name, 0)} {name}" for name in _STYLE)
    console.out(f"  {len(found.frame)} universes ({how}, at most {found.games:,} games a variant): {summary}")
    for _, row in found.flips().iterrows():
        console.out(
            f"  flipped by {row['bots']}{', ' if row['settings'] else ''}{row['settings']}:"
            f" {console.number(row['estimate'])}, {console.number(row['shift'])} from the base"
        )


def _save_picture(found: Multiverse, path: Path) -> None:
    try:
        from reports.figures.curve import save_specification_curve
    except ImportError:
        return
    save_specification_curve(found, path)
    print(path, file=sys.stderr)
