"""Finding games from the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from analysis.find import MOST_SEARCHED, find_games
from reports import console
from simcore.batch import planned_run
from simcore.errors import InputError
from simcore.games import GAMES
from simcore.manifest import MAX_GAMES
from simcore.numbers import parse_count
from simcore.options import Setting
from simcore.run import Run, open_run


def show(
    source: str,
    where: str,
    by: str,
    top: int,
    games: str,
    settings: Mapping[str, Setting],
    bots: str,
    seed: int,
    threads: int | None,
    form: str,
) -> None:
    """Print the games that fit, each with the command that replays it."""
    searched = parse_count(games, "--games", MAX_GAMES) if games else None
    run = _run(source, searched or MOST_SEARCHED, settings, bots, seed)
    with console.progress("searching") as progress:
        frame = find_games(run, where, by, top, games=searched, threads=threads, progress=progress)
    console.tell(f"{frame.attrs['fitting']:,} of {frame.attrs['searched']:,} games fit")
    shown = [name for name in frame.columns if name != "replay" or form == "md"]
    console.print_frame(frame, form, shown if len(run.manifest.variants) > 1 else shown[1:])
    if form == "table" and len(frame):
        console.out(f"replay the first: {frame['replay'].iloc[0]}", wrap=False)


def _run(source: str, games: int, settings: Mapping[str, Setting], bots: str, seed: int) -> Run:
    if source in GAMES and not Path(source).is_dir():
        return planned_run(source, games, settings, bots=bots, seed=seed)
    return open_run(source)


def refuse_a_run(game: str) -> None:
    """Tell who gives a run's folder in place of a game how its games are replayed."""
    if game not in GAMES and Path(game).is_dir():
        raise InputError(
            f"{game} is a folder, no game; `kozyr find {game}` lists games of a run and how to replay them"
        )
