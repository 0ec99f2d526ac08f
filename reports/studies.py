"""Running a study: its runs, one after the other, and one report of them all."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from analysis.study import Section, Study, play_section
from reports import console
from reports.items import RunItem
from simcore.batch import Run
from simcore.errors import InputError


def run_study(study: Study, out: Path, games: int | None, threads: int | None, fresh: bool) -> list[Path]:
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

    Returns
    -------
    list of Path
        The files of the report.
    """
    from reports.document import write_report

    if fresh and out.exists() and any(out.iterdir()):
        raise InputError(f"{out}: is not empty, and --fresh was given; name another --out")
    items = []
    for section in study.sections:
        wanted = replace(section, games=games or section.games)
        items.append(RunItem(wanted, _play(wanted, out, threads), wanted.baseline, wanted.metrics))
    return write_report(study.title, study.text, items, out)


def _play(section: Section, out: Path, threads: int | None) -> Run:
    with console.progress(section.title) as progress:
        run = play_section(
            section,
            out / section.id,
            threads=threads,
            resume=True,
            progress=progress,
            command=shlex.join(section_command(section)),
        )
    console.tell(f"{section.title}: {len(run.manifest.variants)} variants × {run.manifest.games} games")
    for note in run.notes:
        console.tell(f"note: {note}")
    return run


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
