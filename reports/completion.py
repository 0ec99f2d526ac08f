"""What a shell offers when Tab is pressed: games, options with their values, bots, metrics."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from simcore.games.base import Game

MOST_VALUES = 40
"""An option with more values than that is offered by its name alone."""


def games(incomplete: str) -> list[str]:
    """Games whose names begin so."""
    from simcore.games import GAMES

    return [name for name in GAMES if name.startswith(incomplete)]


def settings(incomplete: str) -> list[tuple[str, str]]:
    """``OPTION=`` with its meaning, or after the sign ``OPTION=VALUE``, of the game that stands in the command."""
    return [] if (game := _game()) is None else list(_settings(game, incomplete))


def _settings(game: Game, incomplete: str) -> Iterator[tuple[str, str]]:
    name, equals, value = incomplete.partition("=")
    for option in game.rules:
        if not equals and option.name.startswith(name):
            yield f"{option.name}=", option.meaning
        elif equals and option.name == name:
            values = [str(one) for one in option.all_values()][:MOST_VALUES]
            yield from ((f"{name}={one}", option.meaning_of(one)) for one in values if one.startswith(value))


def bots(incomplete: str) -> list[tuple[str, str]]:
    """Bots of the game that stands in the command; after a comma, of the next seat."""
    before, comma, last = incomplete.rpartition(",")
    found = () if (game := _game()) is None else game.bots
    return [(f"{before}{comma}{bot.name}", bot.meaning) for bot in found if bot.name.startswith(last)]


def metrics(incomplete: str) -> list[tuple[str, str]]:
    """Metrics of the game, or of the run's game, that stands in the command."""
    found = () if (game := _game()) is None else game.metrics
    return [(metric.name, metric.meaning) for metric in found if metric.name.startswith(incomplete)]


def _game() -> Game | None:
    """The game that the command so far names, or whose run it names; None if there is none yet, or it cannot be found."""
    from simcore import open_run
    from simcore.errors import KozyrError
    from simcore.games import GAMES, find_game

    words = _words()
    for word in words:
        if word in GAMES:
            return find_game(word)
    try:
        return open_run(words[0]).game if words else None
    except (KozyrError, OSError):
        return None


def _words() -> list[str]:
    """What was typed after the command's name, as the shells tell it."""
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS") or ""
    try:
        return shlex.split(typed)[2:]
    except ValueError:  # a quotation mark is still open
        return typed.split()[2:]
