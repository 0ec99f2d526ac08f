"""The command line of Kozyr: parses, calls, prints. Everything heavy is imported when a command needs it."""

from __future__ import annotations

import reports.early  # noqa: F401

# isort: split
import shlex
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reports.arguments import (
    AllOpt,
    BotsOpt,
    Format,
    FormatOpt,
    GameArg,
    KeepOpt,
    LevelOpt,
    MetricsOpt,
    OutOpt,
    PngOpt,
    ReplayFormat,
    ReplayFormatOpt,
    ResumeOpt,
    RotateOpt,
    RunArg,
    SeedOpt,
    SetOpt,
    ThreadsOpt,
    VaryBotsOpt,
    VaryOpt,
    bots_of,
    filled,
    level_of,
    own_folder,
    report_formats,
    seed_of,
    settings_of,
    threads_of,
    until_of,
    varied_of,
)
from reports.shell import App, Group

if TYPE_CHECKING:
    from simcore.batch import Run


BUDGET = "4e6"
"""Games in all for the multiverse of a claim, if nothing else is said."""

app = App(
    cls=Group,
    help="What does a rule do? Plays millions of bot games for each variant of a card game's rules, and compares.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _note(text: str) -> None:
    typer.echo(text, err=True)


@app.command(
    help="Play a batch of games for each variant of the rules.\n\nExample: kozyr simulate bank --vary trumps --games 1e4"
)
def simulate(
    game: GameArg,
    set_: SetOpt = None,
    vary: VaryOpt = None,
    one_at_a_time: Annotated[
        bool, typer.Option("--one-at-a-time", help="Vary one option at a time instead of crossing them.")
    ] = False,
    games: Annotated[
        str, typer.Option("--games", metavar="NUMBER", help="Games for each variant: 100000, 1e5 …")
    ] = "10000",
    seed: SeedOpt = "0",
    bots: BotsOpt = "",
    vary_bots: VaryBotsOpt = None,
    rotate_seats: RotateOpt = False,
    threads: ThreadsOpt = None,
    out: OutOpt = None,
    keep_games: KeepOpt = False,
    resume: ResumeOpt = False,
    until: Annotated[
        str,
        typer.Option(
            "--until",
            metavar="CONDITION",
            help="Stop when this is known: 'METRIC ± HALF-WIDTH'. --games is then the limit.",
        ),
    ] = "",
    scheduler: Annotated[
        str,
        typer.Option(
            "--scheduler", metavar="ADDRESS", help="Play on a dask cluster: tcp://HOST:PORT, or local:N to start one."
        ),
    ] = "",
    format_: FormatOpt = Format.table.value,
) -> None:
    from reports import console
    from simcore import batch, manifest
    from simcore.numbers import parse_count

    settings = settings_of(set_)
    condition = until_of(until, game, settings) if until else None
    with console.progress("playing") as progress:
        run = batch.simulate(
            game,
            parse_count(games, "--games", manifest.MAX_GAMES),
            settings,
            varied_of(game, vary),
            bots=bots_of(bots, vary_bots),
            seed=seed_of(seed),
            one_at_a_time=one_at_a_time,
            rotate_seats=rotate_seats,
            out=out,
            keep_games=keep_games,
            resume=resume,
            threads=threads_of(threads),
            progress=progress,
            until=condition,
            scheduler=scheduler,
            command=command_line(),
        )
    for note in run.notes:
        _note(f"note: {note}")
    console.print_run(run, format_)


def command_line() -> str:
    """The present command, to be noted in a manifest."""
    return shlex.join(["kozyr", *sys.argv[1:]])


@app.command(
    help="Print the very game that a batch plays at an index.\n\nExample: kozyr replay bank --seed 7 --index 0"
)
def replay(
    game: GameArg,
    seed: SeedOpt = "0",
    index: Annotated[
        str, typer.Option("--index", metavar="NUMBER[..NUMBER]", help="A game index, or a range such as 0..99.")
    ] = "0",
    set_: SetOpt = None,
    bots: BotsOpt = "",
    rotate_seats: RotateOpt = False,
    format_: ReplayFormatOpt = ReplayFormat.text.value,
) -> None:
    from reports.finding import refuse_a_run
    from reports.letters import has_suits, with_suits
    from simcore import replay as play_again
    from simcore.numbers import parse_indices
    from simcore.replay import MAX_INDEX

    refuse_a_run(game)
    plain = format_ == ReplayFormat.jsonl or not has_suits(sys.stdout.encoding)
    for one in parse_indices(index, MAX_INDEX):
        played = play_again(game, seed_of(seed), one, settings_of(set_), bots, rotate_seats)
        for line in played.jsonl() if format_ == ReplayFormat.jsonl else played.text():
            sys.stdout.write((line if plain else with_suits(line)) + "\n")


def _shown_metrics(run: Run, metrics: list[str] | None, all_: bool, form: str) -> list[str] | None:
    """Those asked for; else all in files for programs, and the headline ones for people."""
    if metrics or all_ or form in (Format.csv, Format.json):
        return metrics
    return list(run.game.headline)


def _complete(run: Run) -> Run:
    if not run.tallies.complete:
        _note("note: this run is not complete; numbers are of the games played so far (finish it with --resume)")
    return run


@app.command(
    help="Show every metric of every variant of a run, with its interval.\n\nExample: kozyr summary runs/sevens --format csv"
)
def summary(
    run: RunArg,
    metric: MetricsOpt = None,
    all_: AllOpt = False,
    level: LevelOpt = "0.95",
    format_: FormatOpt = Format.table.value,
) -> None:
    from analysis.tables import summary as make
    from reports import printing
    from simcore import open_run

    confidence = level_of(level)
    opened = _complete(open_run(run))
    shown = _shown_metrics(opened, metric, all_, format_)
    printing.show_summary(make(opened, shown, confidence, True), confidence, format_)


@app.command(
    help="Compare the variants of a run with a baseline, on the same deals.\n\n"
    "Example: kozyr compare runs/sevens --baseline seven=skip"
)
def compare(
    run: RunArg,
    baseline: Annotated[
        str,
        typer.Option("--baseline", metavar="VARIANT", help="Variant to compare with: its label, or its number."),
    ] = "1",
    metric: MetricsOpt = None,
    all_: AllOpt = False,
    level: LevelOpt = "0.95",
    adjust: Annotated[
        str,
        typer.Option(
            "--adjust", metavar="METHOD", help="For many comparisons: holm, bonferroni or benjamini-hochberg."
        ),
    ] = "holm",
    margin: Annotated[
        list[str] | None,
        typer.Option(
            "--margin",
            metavar="METRIC=SIZE",
            help="Test that a metric differs by less than SIZE: rounds=0.5, first_mover_edge=1pp; give it once a metric.",
        ),
    ] = None,
    format_: FormatOpt = Format.table.value,
) -> None:
    from analysis.tables import compare as make
    from reports import printing
    from reports.arguments import margins_of
    from simcore import open_run

    margins, confidence = margins_of(margin), level_of(level)
    opened = _complete(open_run(run))
    shown = _shown_metrics(opened, metric or list(margins), all_, format_)
    printing.show_compare(make(opened, baseline, shown, confidence, adjust, margins), confidence, format_)


@app.command(
    help="Show what each seat wins and scores, whether seats are equal, and the largest advantage.\n\n"
    "Example: kozyr fairness runs/sevens --metric game_win_share"
)
def fairness(
    run: RunArg,
    metric: MetricsOpt = None,
    level: LevelOpt = "0.95",
    format_: FormatOpt = Format.table.value,
) -> None:
    from analysis.seats import fairness_frames
    from reports import printing
    from simcore import open_run

    confidence = level_of(level)
    seats, equality = fairness_frames(_complete(open_run(run)), metric or (), confidence)
    printing.show_fairness(seats, equality, confidence, format_)


@app.command(name="games", help="List the games.\n\nExample: kozyr games --format json")
def list_games(format_: FormatOpt = Format.table.value) -> None:
    from reports import listing

    listing.show_games(format_)


@app.command(help="Show the options, bots and metrics of a game.\n\nExample: kozyr rules bank")
def rules(game: GameArg, format_: FormatOpt = Format.table.value) -> None:
    from reports import listing

    listing.show_rules(game, format_)


@app.command(
    help="Write the report of one run or several: HTML and Markdown.\n\nExample: kozyr report runs/sevens --out report"
)
def report(
    runs: Annotated[
        list[str],
        typer.Argument(metavar="RUN…", help="Run folders, or their URLs.", show_default=False, callback=filled("RUN")),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Folder for the report; the run's own by default.",
            callback=own_folder("--out"),
        ),
    ] = None,
    baseline: Annotated[
        str,
        typer.Option("--baseline", metavar="VARIANT", help="Variant to compare with: its label, or its number."),
    ] = "1",
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="Title of the report.")] = "",
    png: PngOpt = False,
    format_: FormatOpt = Format.table.value,
) -> None:
    from reports import answers, console
    from reports.document import write_report
    from reports.items import RunItem
    from simcore import open_run

    opened = [_complete(open_run(path)) for path in runs]
    items = [RunItem(None, run, baseline, ()) for run in opened]
    heading = title or f"{opened[0].game.title}: {', '.join(Path(path).name for path in runs)}"
    folder = Path(out) if out else console.report_folder(runs[0])
    answers.print_documents(write_report(heading, "", items, folder, report_formats(png)), format_, items)


@app.command(
    help="Play a study file and write its report.\n\nExample: kozyr run studies/bank.toml --games 2000 --out runs/quick"
)
def run(
    study: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="A TOML file; docs/files.md says what it may hold.",
            show_default=False,
            callback=filled("FILE"),
        ),
    ],
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            help="Folder for runs and report; runs/<name of the study> by default.",
            callback=own_folder("--out"),
        ),
    ] = None,
    games: Annotated[
        str, typer.Option("--games", metavar="NUMBER", help="Games for each variant, instead of the study's own.")
    ] = "",
    threads: ThreadsOpt = None,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Play all again instead of finishing what --out holds.")
    ] = False,
    png: PngOpt = False,
    format_: FormatOpt = Format.table.value,
) -> None:
    from analysis.study import load_study
    from reports import answers, studies
    from simcore.manifest import MAX_GAMES
    from simcore.numbers import parse_count

    wanted = parse_count(games, "--games", MAX_GAMES) if games else None
    file = Path(study)
    folder = Path(out) if out else Path("runs") / file.stem
    items, written = studies.run_study(
        load_study(file), folder, wanted, threads_of(threads), fresh, report_formats(png)
    )
    answers.print_documents(written, format_, items)


@app.command(
    help="Check claims about a game: supported, refuted or undecided.\n\nExit code 0 if all are supported, 1 if not.\n\n"
    "Example: kozyr check bank --claim seven-3 --max-games 2e4"
)
def check(
    claims: Annotated[
        str,
        typer.Argument(
            metavar="FILE|GAME",
            help="A claims file, or a game that ships with one.",
            callback=filled("FILE|GAME"),
        ),
    ],
    claim: Annotated[
        list[str] | None,
        typer.Option(
            "--claim",
            metavar="CLAIM",
            help="Check this claim with its further readings (with --multiverse: itself alone), or all claims whose names"
            " begin so; give it once a claim.",
        ),
    ] = None,
    max_games: Annotated[
        str, typer.Option("--max-games", metavar="NUMBER", help="Games for each variant, at most.")
    ] = "",
    bots: Annotated[
        str, typer.Option("--bots", metavar="BOT[,BOT…]", help="Table of bots, instead of the claim's own.")
    ] = "",
    multiverse: Annotated[
        bool, typer.Option("--multiverse", help="Check under every bot and every reading of the rules.")
    ] = False,
    ruling: Annotated[
        list[str] | None,
        typer.Option(
            "--ruling", metavar="OPTION[=A,B…]", help="Sweep this option in the multiverse, instead of the claim's."
        ),
    ] = None,
    crossed: Annotated[
        bool | None,
        typer.Option("--crossed/--one-at-a-time", help="Cross the rulings; by default if --budget allows it."),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            "--budget", metavar="NUMBER", help=f"Games in all for each claim's multiverse; {BUDGET} by default."
        ),
    ] = None,
    threads: ThreadsOpt = None,
    out: Annotated[
        str | None,
        typer.Option(
            "--out",
            metavar="FOLDER",
            callback=own_folder("--out"),
            help="Folder for tables, pictures and a report. A multiverse is kept there and resumed; by default in runs/.",
        ),
    ] = None,
    format_: FormatOpt = Format.table.value,
) -> None:
    from analysis.claims import chosen, find_claims, further_readings, sweep
    from reports import verdicts
    from simcore.manifest import MAX_GAMES
    from simcore.numbers import parse_count

    if not multiverse:
        _refuse_without_multiverse(
            {"--budget": budget, "--ruling": ruling, "--crossed": crossed, "--one-at-a-time": crossed is False or None}
        )
    found = find_claims(claims)
    wanted = chosen(found, claim or [], alone=multiverse)
    limit = parse_count(max_games, "--max-games", MAX_GAMES) if max_games else None
    asked = verdicts.Request(claims, bots, limit, threads_of(threads), Path(out) if out else None, format_)
    if not multiverse:
        raise typer.Exit(0 if verdicts.show_verdicts(wanted, asked, named=bool(claim)) else 1)
    total = parse_count(budget or BUDGET, "--budget", MAX_GAMES)
    swept = [sweep(one, varied_of(one.game.name, ruling)) for one in wanted] if ruling else wanted
    for one in wanted if claim else []:
        others = [other.id for other in further_readings(found, one) if other not in wanted]
        if others:
            _note(f"{one.id} has further readings: {', '.join(others)}")
    asked = replace(asked, out=asked.out or Path("runs") / f"{Path(claims).stem}-multiverse")
    held = verdicts.show_multiverses(swept, asked, total, crossed, ruling or ())
    raise typer.Exit(0 if held else 1)


def _refuse_without_multiverse(given: Mapping[str, object]) -> None:
    """These options say nothing of a claim that is checked by itself."""
    from simcore.errors import InputError

    for name, value in given.items():
        if value is not None and value is not False:
            raise InputError(f"{name} is of the multiverse; add --multiverse, or leave {name} out")


@app.command(
    help="Show which options matter most for a metric, alone and together, and how much is luck.\n\n"
    "Example: kozyr sensitivity bank --metric rounds --vary trumps --vary seven --games 1000"
)
def sensitivity(
    game: GameArg,
    metric: Annotated[str, typer.Option("--metric", metavar="METRIC", help="Metric to explain.")],
    set_: SetOpt = None,
    vary: VaryOpt = None,
    bots: BotsOpt = "",
    outcome: Annotated[
        str,
        typer.Option(
            "--outcome",
            metavar="METRIC",
            help="What a game brings to each seat, to be split into deal, seat and dice.",
        ),
    ] = "",
    games: Annotated[
        str,
        typer.Option("--games", metavar="NUMBER", help="Games for each variant; and deals played with several dice."),
    ] = "1000",
    seed: SeedOpt = "0",
    threads: ThreadsOpt = None,
    level: LevelOpt = "0.95",
    out: Annotated[
        str | None,
        typer.Option(
            "--out", metavar="FOLDER", help="Folder for tables, pictures and a report.", callback=own_folder("--out")
        ),
    ] = None,
    format_: FormatOpt = Format.table.value,
) -> None:
    from reports import console, sensitivities
    from simcore.manifest import MAX_GAMES
    from simcore.numbers import parse_count

    varied = varied_of(game, vary)
    with console.progress("playing") as progress:
        found = sensitivities.analyse(
            game,
            metric,
            settings=settings_of(set_),
            vary=varied,
            bots=bots,
            outcome=outcome,
            games=parse_count(games, "--games", MAX_GAMES),
            seed=seed_of(seed),
            threads=threads_of(threads),
            level=level_of(level),
            progress=progress,
        )
    sensitivities.show(found, format_)
    if out:
        sensitivities.save(found, Path(out), varied)


@app.command(
    help="Find games by their numbers, in a run or in a batch that is played for it.\n\n"
    "Example: kozyr find bank --where 'turns > 900 and lead_changes >= 5' --games 2000"
)
def find(
    where_from: Annotated[
        str,
        typer.Argument(metavar="GAME|RUN", help="A game, or the folder of a run.", callback=filled("GAME|RUN")),
    ],
    where: Annotated[
        str,
        typer.Option(
            "--where",
            metavar="CONDITION",
            help="A condition on the numbers of a game, with and, or, not. Names that `kozyr rules` lists as shares or means"
            " a round, such as turns and blocked, are here counts of the whole game.",
        ),
    ] = "",
    by: Annotated[
        str,
        typer.Option("--by", metavar="NUMBER", help="Show those with most of this first (a leading - turns it round)."),
    ] = "drama",
    top: Annotated[str, typer.Option("--top", metavar="NUMBER", help="How many to show.")] = "10",
    games: Annotated[
        str, typer.Option("--games", metavar="NUMBER", help="How many games of each variant to search.")
    ] = "",
    set_: SetOpt = None,
    bots: BotsOpt = "",
    seed: SeedOpt = None,
    threads: ThreadsOpt = None,
    format_: FormatOpt = Format.table.value,
) -> None:
    from analysis.find import MOST_FOUND
    from reports import finding
    from simcore.numbers import parse_count

    run, searched = finding.games_of(
        where_from, games, settings_of(set_), bots, None if seed is None else seed_of(seed)
    )
    most = parse_count(top, "--top", MOST_FOUND)
    finding.show(run, where, by, most, searched, threads_of(threads), format_)


@app.command(
    help="Print what arithmetic alone says about a game's rules.\n\nExample: kozyr exact ochko --set ace=eleven"
)
def exact(game: GameArg, set_: SetOpt = None, format_: FormatOpt = Format.table.value) -> None:
    from reports import exactly

    exactly.show(game, settings_of(set_), format_)


@app.command(
    help="Measure Kozyr on this machine: against C, plain Python, OpenSpiel, RLCard, and against itself.\n\n"
    "Without --quick it takes some ten minutes. Exit code 0 whatever the speed, as that depends on what else the machine"
    " does; 1 only if the kernel and the C program do not play the same game.\n\n"
    "Example: kozyr bench --quick --only floor"
)
def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Fewer and shorter measurements; no compilations.")] = False,
    only: Annotated[
        list[str] | None,
        typer.Option("--only", metavar="NAME", help="Measure this yardstick; give it once a yardstick."),
    ] = None,
    format_: FormatOpt = Format.table.value,
) -> None:
    from reports.bench import measure, table

    held = table.bench(only or [], measure.QUICK if quick else measure.FULL, format_)
    raise typer.Exit(0 if held else 1)


if __name__ == "__main__":
    app()
