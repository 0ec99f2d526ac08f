"""How the command line meets the world: errors as one line and an exit code, Ctrl-C, streams that are closed, full or narrow."""

from __future__ import annotations

import io
import logging
import os
import sys
from pathlib import Path
from typing import Any, TextIO

import typer
from typer.core import TyperGroup

INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


class Group(TyperGroup):
    """Turns errors that are meant for the user into a line on standard error and an exit code."""

    told = False

    def main(self, *args: Any, **kwargs: Any) -> Any:
        self.told = False
        try:
            try:
                return super().main(*args, **kwargs)
            finally:
                if sys.stdout is not None:
                    sys.stdout.flush()
        except SystemExit as end:
            if end.code == INTERRUPTED and not self.told:  # between the places where it is caught below
                typer.echo("kozyr: interrupted", err=True)
            raise
        except BrokenPipeError:
            sys.stdout = _nowhere()
            sys.exit(1)
        except OSError as error:  # of the help, which is printed before a command is invoked
            _tell_of_the_system(error)
            sys.exit(1)

    def invoke(self, ctx: Any) -> Any:
        from simcore.errors import KozyrError, one_line

        _log_to_stderr()
        _print_anything()
        try:
            try:
                return super().invoke(ctx)
            finally:
                sys.stdout.flush()
        except KozyrError as error:
            self.told = True
            typer.echo(f"kozyr: {one_line(error)}", err=True)
            raise typer.Exit(error.exit_code) from None
        except KeyboardInterrupt:
            raise typer.Exit(INTERRUPTED) from None
        except BrokenPipeError:
            raise  # who read the results has seen enough: typer ends the command without a word
        except OSError as error:
            _tell_of_the_system(error)
            raise typer.Exit(1) from None


class App(typer.Typer):
    """Ctrl-C is told in a line from the beginning, also while the commands are being set up."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().__call__(*args, **kwargs)
        except KeyboardInterrupt:
            typer.echo("kozyr: interrupted", err=True)
            sys.exit(INTERRUPTED)


def _tell_of_the_system(error: OSError) -> None:
    typer.echo(f"kozyr: {error.filename or 'standard output'}: {error.strerror or error}", err=True)
    sys.stdout = _nowhere()  # or Python would try, and fail, once more


def _nowhere() -> TextIO:
    return Path(os.devnull).open("w", encoding="utf-8")


def _print_anything() -> None:
    """Print in ASCII what the encoding of the terminal or file cannot show; where a stream is closed, print nowhere."""
    from reports.letters import FALLBACK

    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.errors in ("strict", "surrogateescape", "backslashreplace"):
            stream.reconfigure(errors=FALLBACK)


def _log_to_stderr() -> None:
    """What the simulator has to say of its progress, as lines on standard error."""
    logger = logging.getLogger("kozyr")
    logger.setLevel(logging.INFO)
    if not logger.handlers:
        logger.addHandler(logging.StreamHandler())
