"""Arguments and options that several commands share, and how they are read."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import typer

from reports import completion


class Format(StrEnum):
    """How a table is printed."""

    table = "table"
    csv = "csv"
    json = "json"
    md = "md"


class ReplayFormat(StrEnum):
    """How a replay is printed."""

    jsonl = "jsonl"
    text = "text"


GameArg = Annotated[
    str,
    typer.Argument(
        help="Name of the game; `kozyr games` lists them.", show_default=False, autocompletion=completion.games
    ),
]
SetOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="OPTION=VALUE",
        help="Set an option (word or number of the source).",
        autocompletion=completion.settings,
    ),
]
VaryOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--vary",
        metavar="OPTION[=A,B…]",
        help="Compare all values of an option, or those named.",
        autocompletion=completion.settings,
    ),
]
BotsOpt = Annotated[
    str,
    typer.Option(
        "--bots", help="One bot for all seats, or one a seat, separated by commas.", autocompletion=completion.bots
    ),
]
SeedOpt = Annotated[int, typer.Option("--seed", help="Seed of all random streams.")]
ThreadsOpt = Annotated[int | None, typer.Option("--threads", min=1, max=1024, help="Threads; all cores by default.")]
OutOpt = Annotated[
    str | None, typer.Option("--out", help="Folder to keep the run in, or a URL (s3://…).", show_default=False)
]
ResumeOpt = Annotated[bool, typer.Option("--resume", help="Finish an interrupted run in --out.")]
KeepOpt = Annotated[bool, typer.Option("--keep-games", help="Keep a row of counts for every game.")]
RotateOpt = Annotated[bool, typer.Option("--rotate-seats", help="Play every seating of the bots evenly.")]
RunArg = Annotated[str, typer.Argument(help="Folder of a run (simulate --out), or its URL.", show_default=False)]
MetricsOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        help="Show this metric; give it once a metric.",
        show_default=False,
        autocompletion=completion.metrics,
    ),
]
AllOpt = Annotated[bool, typer.Option("--all", help="Show all metrics, not only the game's headline ones.")]
LevelOpt = Annotated[float, typer.Option("--level", help="Confidence level of the intervals.")]
PngOpt = Annotated[bool, typer.Option("--png", help="Bitmaps (PNG) beside the report's SVG files, too.")]
FormatOpt = Annotated[Format, typer.Option("--format", help="How results are printed.")]


def report_formats(png: bool) -> tuple[str, ...]:
    """What a report is written as."""
    return ("html", "md", "png") if png else ("html", "md")


def settings_of(given: list[str] | None) -> dict[str, str | int]:
    """Read the ``--set`` options."""
    from simcore.errors import InputError
    from simcore.options import parse_assignment

    settings: dict[str, str | int] = {}
    for text in given or []:
        name, value = parse_assignment(text)
        if name in settings:
            raise InputError(f"--set {name} is given twice")
        settings[name] = value
    return settings


def until_of(text: str, game: str, settings: dict[str, str | int]) -> Any:
    """Read ``--until``."""
    from analysis.until import parse_until
    from simcore.games import find_game

    found = find_game(game)
    return parse_until(text, found, found.rules.rules(settings).players)


def varied_of(game: str, given: list[str] | None) -> dict[str, Any]:
    """Read the ``--vary`` options."""
    from simcore.errors import InputError
    from simcore.games import find_game

    varied: dict[str, Any] = {}
    for text in given or []:
        name, equals, values = text.partition("=")
        if name in varied:
            raise InputError(f"--vary {name} is given twice; name its values in one: --vary {name}=a,b")
        varied[name] = find_game(game).rules.parse_values(name, values if equals else None)
    return varied


def margins_of(given: list[str] | None) -> dict[str, str]:
    """Read the ``--margin`` options."""
    from simcore.errors import InputError

    margins: dict[str, str] = {}
    for text in given or []:
        name, equals, size = text.partition("=")
        if not equals or not name.strip() or not size.strip():
            raise InputError(f"--margin {text!r} is not of the form METRIC=SIZE, such as rounds=0.5")
        if name.strip() in margins:
            raise InputError(f"--margin {name.strip()} is given twice")
        margins[name.strip()] = size.strip()
    return margins
