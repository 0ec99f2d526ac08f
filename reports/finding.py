"""Finding games from the command line."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from analysis.find import MOST_SEARCHED, find_games
from reports import console
from simcore.batch import planned_run
from simcore.errors import InputError, unknown
from simcore.games import GAMES
from simcore.manifest import MAX_GAMES
from simcore.numbers import parse_count
from simcore.options import Setting
from simcore.places import is_url
from simcore.run import Run, open_run


def games_of(
    source: str, games: str, settings: Mapping[str, Setting], bots: str, seed: int | None
) -> tuple[Run, int | None]:
    """The run to be searched, of a folder or planned anew, and how many games of each variant if that was said."""
    searched = parse_count(games, "--games", MAX_GAMES) if games else None
    if source in GAMES and not Path(source).is_dir():
        return planned_run(source, searched or MOST_SEARCHED, settings, bots=bots, seed=seed or 0), searched
    if not Path(source).exists() and not is_url(source) and Path(source).name == source:
        raise InputError(f"{unknown('game', source, GAMES)}; nor is there a folder of a run of that name")
    run = open_run(source)
    given = [
        name
        for name, value in (("--seed", seed), ("--set", settings or None), ("--bots", bots or None))
        if value is not None
    ]
    if given:
        raise InputError(f"{source} is a run, which has its own seed, rules and bots; leave out {', '.join(given)}")
    return run, searched


def show(run: Run, where: str, by: str, top: int, searched: int | None, threads: int | None, form: str) -> None:
    """Print the games that fit, each with the command that replays it."""
    with console.progress("searching") as progress:
        frame = find_games(run, where, by, top, games=searched, threads=threads, progress=progress)
    console.tell(f"{frame.attrs['fitting']:,} of {frame.attrs['searched']:,} games fit")
    for name, (here, there) in frame.attrs["other_meanings"].items():
        console.tell(f"note: {name} is of a whole game here: {here}; in `kozyr summary` it is: {there}")
    shown = [name for name in frame.columns if name != "replay" or form == "md"]
    console.print_frame(frame, form, shown if len(run.manifest.variants) > 1 else shown[1:])
    if form == "table" and len(frame):
        console.out(f"replay the first: {frame['replay'].iloc[0]}", wrap=False)


def refuse_a_run(game: str) -> None:
    """Tell who gives a run's folder in place of a game how its games are replayed."""
    if game not in GAMES and Path(game).is_dir():
        raise InputError(
            f"{game} is a folder, no game; `kozyr find {game}` lists games of a run and how to replay them"
        )
