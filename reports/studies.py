"""Running a study: its runs, one after the other, and one report of them all."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from analysis.study import Section, Study, play_section
from reports import console
from reports.items import RunItem
from reports.parts import Item
from simcore.batch import Interrupted, Run
from simcore.errors import InputError


def run_study(
    study: Study,
    out: Path,
    games: int | None,
    threads: int | None,
    fresh: bool,
    formats: Sequence[str] = ("html", "md"),
) -> tuple[list[Item], list[Path]]:
    """Play what the folder `out` does not hold yet, and write the report.

    Parameters
    ----------
    study : Study
    out : Path
        Holds a run folder for each section, and the report.
    games : int, optional
        Games for each variant, instead of the study's own numbers.
    threads : int, optional
    fresh : bool
        Refuse to use what is there already.
    formats : sequence of str
        Of the report, as in `write_report`.

    Returns
    -------
    items : list of Item
        What the report is about, in its order.
    written : list of Path
        The files of the report.
    """
    from reports.document import write_report

    if fresh and out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: is not empty, and --fresh was given; name another --out")
    items: list[Item] = []
    for section in study.sections:
        wanted = replace(section, games=games or section.games)
        items.append(RunItem(wanted, _play(wanted, out, threads), wanted.baseline, wanted.metrics))
    verdicts = claims_items(study, out, games, threads)
    items = [*verdicts, *items, *sensitivity_items(study, games, threads)]  # what holds is read before what was seen
    return items, write_report(study.title, study.text, items, out, formats)


def claims_items(study: Study, out: Path, games: int | None, threads: int | None) -> list[Item]:
    """The study's claims, checked, and the multiverses of some; with at most so many games of each variant."""
    from reports import verdicts
    from reports.claim_items import ClaimsItem, MultiverseItem

    items: list[Item] = []
    fewer = games if games and any(games < claim.max_games for claim in study.claims) else None
    asked = verdicts.Request(study.claims_source, max_games=fewer, threads=threads)
    if study.claims:
        found = verdicts.play_claims(study.claims, asked)
        console.tell(f"claims: {len(found)} checked")
        items.append(ClaimsItem(tuple(found), verdicts.check_command(study.claims, asked)))
    for claim in study.multiverse:
        wanted = replace(claim, max_games=min(games or claim.max_games, claim.max_games))
        universes = verdicts.play_multiverse(wanted, study.multiverse_budget, None, threads, out / "multiverse")
        console.tell(f"multiverse of {claim.id}: {len(universes.frame)} universes")
        limited = replace(asked, max_games=wanted.max_games)
        options = verdicts.multiverse_options(limited, study.multiverse_budget)
        items.append(MultiverseItem(universes, study.claims_source, options))
    return items


def sensitivity_items(study: Study, games: int | None, threads: int | None) -> list[Item]:
    """What the study's metrics hang on, under the rules that its first run sets and with its bots."""
    from reports.sensitivities import analyse
    from reports.sensitivity_items import SensitivityItem

    items: list[Item] = []
    first = study.sections[0]
    bots = first.bots[0] if first.bots else ""
    played = min(games or study.sensitivity_games, study.sensitivity_games)
    for metric in study.sensitivity:
        with console.progress(f"what {metric} hangs on") as progress:
            found = analyse(
                study.game,
                metric,
                0.95,
                settings=first.set,
                bots=bots,
                games=played,
                threads=threads,
                progress=progress,
            )
        console.tell(f"sensitivity of {metric}: {len(found.tornado)} changes")
        items.append(SensitivityItem(found, {}))
    return items


def _play(section: Section, out: Path, threads: int | None) -> Run:
    with console.progress(section.title) as progress:
        try:
            run = play_section(
                section,
                out / section.id,
                threads=threads,
                resume=True,
                progress=progress,
                command=shlex.join(section_command(section)),
            )
        except Interrupted:
            raise Interrupted(
                f"interrupted; finished shards are kept in {out / section.id}; give the same command again to go on"
            ) from None
    console.tell(
        f"{section.title}: {_many(len(run.manifest.variants), 'variant')} × {_many(run.manifest.games, 'game')}"
    )
    for note in run.notes:
        console.tell(f"note: {note}")
    return run


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def section_command(section: Section) -> Sequence[str]:
    """The command that plays a section by itself."""
    words = ["kozyr", "simulate", section.game, "--games", str(section.games), "--seed", str(section.seed)]
    for name, value in section.set.items():
        words += ["--set", f"{name}={value}"]
    for name, values in section.vary.items():
        words += ["--vary", name if values is None else f"{name}={','.join(map(str, values))}"]
    if len(section.bots) == 1:
        words += ["--bots", section.bots[0]]
    elif section.bots:
        words += [word for bots in section.bots for word in ("--vary-bots", bots)]
    flags = ("one_at_a_time", "rotate_seats", "keep_games")
    words += ["--" + flag.replace("_", "-") for flag in flags if getattr(section, flag)]
    return [*words, "--out", f"runs/{section.id}"]
