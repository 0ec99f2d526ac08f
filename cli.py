"""The command line of Kozyr: parses, calls, prints. Everything heavy is imported when a command needs it."""

from __future__ import annotations

import shlex
import sys
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

if TYPE_CHECKING:
    pass


class _Group(TyperGroup):
    """Turns errors that are meant for the user into a line on standard error and an exit code."""

    def invoke(self, ctx: Any) -> Any:
        from simcore.errors import KozyrError

        try:
            return super().invoke(ctx)
        except KozyrError as error:
            typer.echo(f"kozyr: {error}", err=True)
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            typer.echo("kozyr: interrupted", err=True)
            raise typer.Exit(130) from None


app = typer.Typer(
    cls=_Group,
    help="What does a rule do? Plays millions of bot games for each variant of a card game's rules, and compares.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


class ReplayFormat(StrEnum):
    """How a replay is printed."""

    jsonl = "jsonl"
    text = "text"


GameArg = Annotated[str, typer.Argument(help="Name of the game; `kozyr games` lists them.", show_default=False)]
SetOpt = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="OPTION=VALUE", help="Set an option (word or number of the source)."),
]
VaryOpt = Annotated[
    list[str] | None,
    typer.Option("--vary", metavar="OPTION[=A,B…]", help="Compare all values of an option, or those named."),
]
BotsOpt = Annotated[str, typer.Option("--bots", help="One bot for all seats, or one a seat, separated by commas.")]
SeedOpt = Annotated[int, typer.Option("--seed", help="Seed of all random streams.")]
ThreadsOpt = Annotated[int | None, typer.Option("--threads", min=1, max=1024, help="Threads; all cores by default.")]
OutOpt = Annotated[Path | None, typer.Option("--out", help="Folder to keep the run in.", show_default=False)]
ResumeOpt = Annotated[bool, typer.Option("--resume", help="Finish an interrupted run in --out.")]
KeepOpt = Annotated[bool, typer.Option("--keep-games", help="Keep a row of counts for every game.")]
RotateOpt = Annotated[bool, typer.Option("--rotate-seats", help="Play every seating of the bots evenly.")]


def _settings(given: list[str] | None) -> dict[str, str | int]:
    from simcore.errors import InputError
    from simcore.options import parse_assignment

    settings: dict[str, str | int] = {}
    for text in given or []:
        name, value = parse_assignment(text)
        if name in settings:
            raise InputError(f"--set {name} is given twice")
        settings[name] = value
    return settings


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
    games: Annotated[str, typer.Option("--games", help="Games for each variant: 100000, 1e5 …")] = "10000",
    seed: SeedOpt = 0,
    bots: BotsOpt = "",
    vary_bots: Annotated[
        list[str] | None, typer.Option("--vary-bots", help="Compare tables of bots; give it once a table.")
    ] = None,
    rotate_seats: RotateOpt = False,
    threads: ThreadsOpt = None,
    out: OutOpt = None,
    keep_games: KeepOpt = False,
    resume: ResumeOpt = False,
) -> None:
    from reports import console
    from simcore import batch, manifest
    from simcore.numbers import parse_count

    with console.progress("playing") as progress:
        run = batch.simulate(
            game,
            parse_count(games, "--games", manifest.MAX_GAMES),
            _settings(set_),
            _varied(game, vary),
            bots=vary_bots or bots,
            seed=seed,
            one_at_a_time=one_at_a_time,
            rotate_seats=rotate_seats,
            out=out,
            keep_games=keep_games,
            resume=resume,
            threads=threads,
            progress=progress,
            command=command_line(),
        )
    for note in run.notes:
        _note(f"note: {note}")
    console.print_run(run)


def _varied(game: str, given: list[str] | None) -> dict[str, Any]:
    from simcore.errors import InputError
    from simcore.games import find_game

    varied: dict[str, Any] = {}
    for text in given or []:
        name, equals, values = text.partition("=")
        if name in varied:
            raise InputError(f"--vary {name} is given twice; name its values in one: --vary {name}=a,b")
        varied[name] = find_game(game).rules.parse_values(name, values if equals else None)
    return varied


def command_line() -> str:
    """The present command, to be noted in a manifest."""
    return shlex.join(["kozyr", *sys.argv[1:]])


@app.command(
    help="Print the very game that a batch plays at an index.\n\nExample: kozyr replay bank --seed 7 --index 0"
)
def replay(
    game: GameArg,
    seed: SeedOpt = 0,
    index: Annotated[str, typer.Option("--index", help="A game index, or a range such as 0..99.")] = "0",
    set_: SetOpt = None,
    bots: BotsOpt = "",
    rotate_seats: RotateOpt = False,
    format_: Annotated[ReplayFormat, typer.Option("--format", help="For people or for programs.")] = ReplayFormat.text,
) -> None:
    from simcore import replay as play_again
    from simcore.numbers import parse_indices
    from simcore.replay import MAX_INDEX

    for one in parse_indices(index, MAX_INDEX):
        played = play_again(game, seed, one, _settings(set_), bots, rotate_seats)
        for line in played.jsonl() if format_ is ReplayFormat.jsonl else played.text():
            sys.stdout.write(line + "\n")


if __name__ == "__main__":
    app()
