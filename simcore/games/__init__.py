"""The list of games."""

from __future__ import annotations

from importlib import import_module

from simcore.errors import unknown
from simcore.games.base import Game
from simcore.given import text

GAMES = ("bank", "square", "ochko")
"""Each is a package of this folder with a `GAME` in its ``game.py``."""


def find_game(name: str) -> Game:
    """Return a game by name.

    Raises
    ------
    InputError
        If there is no such game.
    """
    if text(name, "the game") not in GAMES:
        raise unknown("game", name, GAMES)
    game = import_module(f"simcore.games.{name}.game").GAME
    assert isinstance(game, Game)  # noqa: S101
    return game
