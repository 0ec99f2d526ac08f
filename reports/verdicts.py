"""Checking claims from the command line: progress, tables, and the files that are asked for."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePath

import pandas as pd

from analysis.check import Notify, check_claims
from analysis.claim import Claim
from analysis.estimate import counted
from analysis.multiverse import Multiverse, run_multiverse
from analysis.verdicts import VERDICTS, Verdict, agreements, verdict_frame
from reports import console, numbers
from reports.claim_items import ClaimsItem, MultiverseItem
from reports.claim_parts import claimed, estimate_text, more_games, unit_of
from reports.parts import Item
from reports.saving import save_panel
from simcore.games import GAMES, find_game

_STYLE = {"supported": "green", "refuted": "red", "undecided": "yellow"}


@dataclass(frozen=True)
class Request:
    """What ``kozyr check`` was asked for, besides the claims.

    Attributes
    ----------
    source : str
        The game or the file.
    bots : str
        Instead of the claims' own tables; may be empty.
    max_games, threads : int or None
    out : Path or None
        Folder for tables, pictures and the report.
    form : str
        ``table``, ``json``, ``md`` or ``csv``.
    """

    source: str
    bots: str = ""
    max_games: int | None = None
    threads: int | None = None
    out: Path | None = None
    form: str = "table"

    @property
    def shown_source(self) -> str:
        """The source as a command shows it: without the folders above a file."""
        return PurePath(self.source).name if PurePath(self.source).is_absolute() else self.source


def check_command(claims: Sequence[Claim], asked: Request, named: bool = True) -> str:
    """The command that checks the claims again; `named`: not simply all of the source."""
    words = ["kozyr", "check", asked.shown_source]
    words += [word for claim in claims for word in ("--claim", claim.id)] if named else []
    words += ["--max-games", str(asked.max_games)] if asked.max_games else []
    words += ["--bots", asked.bots] if asked.bots else []
    return shlex.join(words)


def show_verdicts(claims: Sequence[Claim], asked: Request, named: bool = True) -> bool:
    """Check claims and print the verdicts; returns whether all are supported."""
    found = play_claims(claims, asked, _print_verdict if asked.form == "table" else None)
    frame = verdict_frame(found)
    if asked.form == "table":
        _print_summary(frame)
    else:
        shown = frame.assign(**_columns_of(found)) if asked.form == "md" else frame
        columns = ["claim", "verdict", "number", "claimed", "found", "interval", "games", "bots"]
        console.print_frame(shown, asked.form, columns)
    if asked.out:
        console.save_frame(frame, asked.out / "verdicts.csv")
        _report([ClaimsItem(tuple(found), check_command(claims, asked, named))], asked, "claims")
    return bool((frame["verdict"] == "supported").all())


def _columns_of(found: Sequence[Verdict]) -> dict[str, list[str]]:
    """What people read of verdicts, in their units."""
    texts = [estimate_text(v.estimate.value, v.estimate.low, v.estimate.high, unit_of(v.claim)) for v in found]
    return {
        "number": [v.claim.theta for v in found],
        "claimed": [claimed(v.claim) for v in found],
        "found": [value for value, _ in texts],
        "interval": [limits for _, limits in texts],
    }


def play_claims(claims: Sequence[Claim], asked: Request, notify: Notify | None = None) -> list[Verdict]:
    """Check claims with a progress bar."""
    with console.progress("checking") as progress:
        return check_claims(
            claims,
            bots=asked.bots,
            max_games=asked.max_games,
            threads=asked.threads,
            progress=progress,
            notify=notify,
        )


def _print_verdict(v: Verdict) -> None:
    from rich.text import Text

    console.out(Text.assemble((v.claim.id, "bold"), "  ", (v.verdict, _STYLE[v.verdict]), f"  {v.claim.sentence}"))
    if v.claim.reading:
        console.out(f"  read as: {v.claim.reading}")
    console.out(f"  {v.claim.theta}: claimed {claimed(v.claim)}")
    value, limits = estimate_text(v.estimate.value, v.estimate.low, v.estimate.high, unit_of(v.claim))
    unit = "" if numbers.is_share(unit_of(v.claim)) else f" {v.claim.metric.unit}"
    aside = f"({numbers.UNBOUNDED if limits == numbers.UNBOUNDED else f'{100 * v.estimate.level:g} %: {limits}'})"
    found = f"{value}{unit} {aside}" if limits else "no case"
    console.out(f"  found {found}; {counted(v.games, 'game')} a variant, bots {v.bots}")
    if v.needed is not None:
        console.out(f"  {more_games(v)}")
    for name, text in (("mind", v.claim.caveat), ("note", v.note)):
        if text:
            console.out(f"  {name}: {text}")


def _print_summary(frame: pd.DataFrame) -> None:
    """How the readings of a sentence agree, and how many claims came out how."""
    for agreement in agreements(frame):
        console.out(f"agreement on “{agreement.sentence}”")
        console.out(f"  {agreement.text}")
    counts = frame["verdict"].value_counts()
    console.out(", ".join(f"{counts.get(name, 0)} {name}" for name in VERDICTS))


def multiverse_options(
    asked: Request, budget: int, crossed: bool | None = None, rulings: Sequence[str] = ()
) -> tuple[str, ...]:
    """The options of ``kozyr check`` that ask for a multiverse in this way."""
    words = [word for ruling in rulings for word in ("--ruling", ruling)]
    words += [] if crossed is None else ["--crossed" if crossed else "--one-at-a-time"]
    words += ["--max-games", str(asked.max_games)] if asked.max_games else []
    words += ["--bots", asked.bots] if asked.bots else []
    return (*words, "--budget", str(budget))


def show_multiverses(
    claims: Sequence[Claim], asked: Request, budget: int, crossed: bool | None, rulings: Sequence[str] = ()
) -> bool:
    """Check claims in every universe and print what flips them; returns whether all universes support all claims."""
    held = True
    items: list[Item] = []
    for claim in claims:
        wanted = replace(
            claim,
            bots=asked.bots or claim.bots,
            more_bots=() if asked.bots else claim.more_bots,
            max_games=asked.max_games or claim.max_games,
        )
        found = play_multiverse(wanted, budget, crossed, asked.threads, asked.out)
        held = held and found.counts()["supported"] == len(found.frame)
        _show(found, asked.form)
        options = multiverse_options(asked, budget, crossed, rulings)
        items.append(MultiverseItem(found, asked.shown_source, options))
        if asked.out:
            console.save_frame(found.frame, asked.out / f"{claim.id}.multiverse.csv")
            save_panel(items[-1].figures()[0].panels[0], asked.out / f"{claim.id}.multiverse.svg")
    if asked.out:
        _report(items, asked, ", ".join(claim.id for claim in claims[:3]) + (" …" if len(claims) > 3 else ""))
    return held


def play_multiverse(
    claim: Claim, budget: int, crossed: bool | None, threads: int | None, out: Path | None
) -> Multiverse:
    """Run a multiverse with a progress bar."""
    with console.progress(f"universes of {claim.id}", "universes") as progress:
        return run_multiverse(
            claim, budget=budget, crossed=crossed, threads=threads, out=out, progress=progress, notify=console.tell
        )


def _show(found: Multiverse, form: str) -> None:
    if form in ("csv", "json"):
        console.print_frame(found.frame, form, [])
        return
    columns = ["bots", "settings", "verdict", "estimate", "interval", "games", "shift"]
    if form == "md":
        console.print_frame(_readable(found), form, columns)
        return
    console.out(f"{found.claim.id}: {found.claim.sentence}")
    console.out(f"  {found.claim.theta}: claimed {claimed(found.claim)}")
    console.print_frame(_readable(found), form, columns, right=("estimate", "interval", "shift"))
    how = "rulings crossed" if found.crossed else "one ruling at a time"
    summary = ", ".join(f"{count} {name}" for name, count in found.counts().items())
    console.out(f"  {len(found.frame)} universes ({how}, at most {found.games:,} games a variant): {summary}")
    _show_flips(found)


def _readable(found: Multiverse) -> pd.DataFrame:
    """The universes with their numbers in the units that people read."""
    frame, unit = found.frame, unit_of(found.claim)
    rows = zip(frame["estimate"], frame["low"], frame["high"], strict=True)
    texts = [estimate_text(value, low, high, unit) for value, low, high in rows]
    return frame.assign(
        settings=frame["settings"].replace("", "(as it stands)"),
        estimate=[value for value, _ in texts],
        interval=[limits for _, limits in texts],
        shift=[_shift(value, found) for value in frame["shift"]],
    )


def _shift(value: float, found: Multiverse) -> str:
    """How far a choice moves the number, to the digits that the claim's own interval supports."""
    unit = unit_of(found.claim)
    places = numbers.places_for(unit, *found.frame[["low", "high"]].median())
    return numbers.amount(value, numbers.difference_unit(unit), places, signed=True)


def _show_flips(found: Multiverse) -> None:
    if found.frame["is_base"].any():
        console.out(f"  as it stands (bots {found.base['bots']}): {found.base['verdict']}")
    flipping = found.flipping()
    if flipping.empty:
        console.out("  no choice of bots or rulings gives the opposite verdict")
    for _, row in flipping.iterrows():
        console.out(
            f"  flipped with {row['choice']}: {row['flipped']} of {row['universes']} universes;"
            f" it moves the number by {_shift(row['mean_shift'], found)}"
        )


def _report(items: Sequence[Item], asked: Request, what: str) -> None:
    from reports.document import write_report

    assert asked.out is not None  # noqa: S101
    title = find_game(asked.source).title if asked.source in GAMES else asked.shown_source
    for path in write_report(f"{title}: {what}", "", items, asked.out):
        console.tell(str(path))
