"""Arguments and options that several commands share, and how they are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
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


Checked = Callable[[typer.Context, Any], Any]


def _one_of(kind: type[StrEnum]) -> Checked:
    """Refuses what is no word of `kind`."""

    def check(context: typer.Context, value: str) -> str:
        from simcore.errors import InputError

        if value not in list(kind) and not context.resilient_parsing:
            raise InputError(f"--format {value!r} is not allowed; allowed: {', '.join(kind)}")
        return value

    return check


def own_folder(what: str) -> Checked:
    """Refuses what is no folder of this machine, nor can become one, before anything is computed for it."""
    check_filled = filled(what)

    def check(context: typer.Context, value: str | None) -> str | None:
        from simcore.places import check_folder

        check_filled(context, value)
        if value is not None and not context.resilient_parsing:
            check_folder(value, what)
        return value

    return check


def filled(what: str) -> Checked:
    """Refuses an empty text, which would mean the present folder; `what` is given so."""

    def check(context: typer.Context, value: str | Sequence[str] | None) -> str | Sequence[str] | None:
        from simcore.errors import InputError

        given = [value] if isinstance(value, str) else value or ()
        if any(not text.strip() for text in given) and not context.resilient_parsing:
            raise InputError(f"{what} '' is not allowed; allowed: a name; the present folder is .")
        return value

    return check


def _words_of(kind: type[StrEnum]) -> Callable[[str], list[str]]:
    return lambda incomplete: [word for word in kind if word.startswith(incomplete)]


def _format_option(kind: type[StrEnum], meaning: str) -> Any:
    return typer.Option(
        "--format", metavar="|".join(kind), help=meaning, callback=_one_of(kind), autocompletion=_words_of(kind)
    )


GameArg = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="Name of the game; `kozyr games` lists them.",
        show_default=False,
        autocompletion=completion.games,
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
        "--bots",
        metavar="BOT[,BOT…]",
        help="One bot for all seats, or one a seat, separated by commas.",
        autocompletion=completion.bots,
    ),
]
VaryBotsOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--vary-bots",
        metavar="BOT[,BOT…]",
        help="Compare tables of bots; give it once a table.",
        autocompletion=completion.bots,
    ),
]
SeedOpt = Annotated[str | None, typer.Option("--seed", metavar="NUMBER", help="Seed of all random streams.")]
ThreadsOpt = Annotated[
    str | None, typer.Option("--threads", metavar="NUMBER", help="Threads, 1 to 1024; all cores by default.")
]
OutOpt = Annotated[
    str | None,
    typer.Option(
        "--out",
        metavar="FOLDER",
        help="Folder to keep the run in, or a URL (s3://…).",
        show_default=False,
        callback=filled("--out"),
    ),
]
ResumeOpt = Annotated[bool, typer.Option("--resume", help="Finish an interrupted run in --out.")]
KeepOpt = Annotated[bool, typer.Option("--keep-games", help="Keep a row of counts for every game.")]
RotateOpt = Annotated[bool, typer.Option("--rotate-seats", help="Play every seating of the bots evenly.")]
RunArg = Annotated[
    str,
    typer.Argument(
        metavar="RUN",
        help="Folder of a run (simulate --out), or its URL.",
        show_default=False,
        callback=filled("RUN"),
    ),
]
MetricsOpt = Annotated[
    list[str] | None,
    typer.Option(
        "--metric",
        metavar="METRIC",
        help="Show this metric; give it once a metric.",
        show_default=False,
        autocompletion=completion.metrics,
    ),
]
AllOpt = Annotated[bool, typer.Option("--all", help="Show all metrics, not only the game's headline ones.")]
LevelOpt = Annotated[str, typer.Option("--level", metavar="LEVEL", help="Confidence level of the intervals.")]
PngOpt = Annotated[bool, typer.Option("--png", help="Bitmaps (PNG) beside the report's SVG files, too.")]
FormatOpt = Annotated[str, _format_option(Format, "How results are printed.")]
ReplayFormatOpt = Annotated[str, _format_option(ReplayFormat, "For people or for programs.")]


def seed_of(text: str | None) -> int:
    """Read ``--seed``; 0 if it is not given."""
    from simcore.numbers import parse_count
    from simcore.replay import MAX_SEED

    return parse_count(text, "--seed", MAX_SEED, lowest=0) if text is not None else 0


def threads_of(text: str | None) -> int | None:
    """Read ``--threads``; None if it is not given."""
    from simcore.batch import MAX_THREADS
    from simcore.numbers import parse_count

    return parse_count(text, "--threads", MAX_THREADS) if text is not None else None


def level_of(text: str) -> float:
    """Read ``--level``."""
    from simcore.errors import InputError

    try:
        level = float(text)
    except ValueError:
        level = 0.0
    if not 0 < level < 1:
        raise InputError(f"--level {text!r} is not allowed; allowed: a number between 0 and 1, such as 0.95")
    return level


def bots_of(bots: str, vary_bots: Sequence[str] | None) -> str | Sequence[str]:
    """Read ``--bots`` and ``--vary-bots``, of which only one may be given."""
    from simcore.errors import InputError

    if bots and vary_bots:
        raise InputError("--bots and --vary-bots are both given; name every table of bots with --vary-bots")
    return vary_bots or bots


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
