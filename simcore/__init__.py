"""Kozyr's simulator: rules, kernels, batches of games, replays."""

from simcore.batch import Run, open_run, simulate
from simcore.errors import InputError, KozyrError, RunError
from simcore.games import GAMES, find_game
from simcore.replay import Replay, replay

__all__ = [
    "GAMES",
    "InputError",
    "KozyrError",
    "Replay",
    "Run",
    "RunError",
    "find_game",
    "open_run",
    "replay",
    "simulate",
]
