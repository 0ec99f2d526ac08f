"""Planning a run from what the user asks for, and playing it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from simcore import given
from simcore.errors import InputError
from simcore.games import find_game
from simcore.games.base import Game
from simcore.manifest import MAX_GAMES, Manifest
from simcore.numbers import power_of_ten, whole
from simcore.options import Setting
from simcore.playing import Interrupted, Progress, Until, default_threads, drain, play_run, tasks
from simcore.replay import check_seed
from simcore.run import Run, open_run, start_run
from simcore.shards import shard_games
from simcore.sources import code_hash
from simcore.tallies import Tallies
from simcore.variants import Plan, plan

__all__ = [
    "Interrupted",
    "Progress",
    "Run",
    "Until",
    "check_games",
    "default_threads",
    "drain",
    "kozyr_version",
    "make_manifest",
    "open_run",
    "planned_run",
    "play_run",
    "simulate",
    "tasks",
]

MAX_THREADS = 1024


def kozyr_version() -> str:
    """Version of the installed package."""
    try:
        return version("kozyr")
    except PackageNotFoundError:
        return "unknown"


def check_games(games: int) -> int:
    """Return `games` as an int; raise `InputError` if it cannot be a number of games."""
    games = whole(games, "games")
    if not 1 <= games <= MAX_GAMES:
        raise InputError(f"games = {games} is not allowed; allowed: 1 … {power_of_ten(MAX_GAMES)}")
    return games


def make_manifest(
    game: Game,
    planned: Plan,
    *,
    games: int,
    seed: int,
    rotate_seats: bool = False,
    keep_games: bool = False,
    until: str = "",
    command: str = "",
) -> Manifest:
    """The manifest of a run that is about to be played."""
    return Manifest(
        game=game,
        variants=planned.variants,
        seed=check_seed(seed),
        games=check_games(games),
        shard_games=shard_games(game, check_games(games)),
        rotate_seats=rotate_seats,
        keep_games=keep_games,
        kozyr=kozyr_version(),
        code=code_hash(game.name),
        command=command,
        until=until,
    )


def simulate(
    game: str,
    games: int = 10_000,
    set: Mapping[str, Setting] | None = None,
    vary: Mapping[str, Sequence[Setting] | Setting | None] | None = None,
    *,
    bots: str | Sequence[str] = "",
    seed: int = 0,
    one_at_a_time: bool = False,
    rotate_seats: bool = False,
    out: str | Path | None = None,
    keep_games: bool = False,
    resume: bool = False,
    threads: int | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
    until: Until | None = None,
    scheduler: str = "",
    command: str = "",
) -> Run:
    """Play a batch of bot games for each variant of the rules.

    Parameters
    ----------
    game : str
        Name of the game.
    games : int
        Games for each variant.
    set, vary : mapping, optional
        Options that differ from the defaults; options to vary, each with its values (None: all; a text as in ``--vary``).
    bots : str or sequence of str
        A table of bots, or several to be compared; the game's first bot if empty.
    seed : int
        The deals of game i depend on (seed, i) alone, so variants play the same deals.
    one_at_a_time, rotate_seats, keep_games, resume : bool
        As on the command line.
    out : path, optional
        Run folder to write.
    threads, executor, progress, until
        As in `play_run`.
    scheduler : str
        Address of a dask scheduler (``tcp://…``), or ``local:N`` to start one; instead of `executor` and `threads`.
    command : str
        Noted in the manifest.

    Returns
    -------
    Run

    Raises
    ------
    InputError
        For unknown names, impossible values, or a folder that holds another run.
    RunError
        If the folder cannot be written.
    Interrupted
        On Ctrl-C.

    Examples
    --------
    >>> run = simulate("bank", 1000, vary={"trumps": ["own", "none"]})
    >>> run.frame()["rounds"].sum() > 0
    True
    """
    if threads is not None and not 1 <= whole(threads, "threads") <= MAX_THREADS:
        raise InputError(f"threads = {threads} is not allowed; allowed: 1 … {MAX_THREADS}")
    if keep_games and out is None:
        raise InputError("--keep-games needs a folder to keep them in: --out FOLDER")
    if scheduler:
        from simcore.cluster import check_scheduler

        check_scheduler(scheduler)
    planned = planned_run(
        game,
        games,
        set,
        vary,
        bots=bots,
        seed=seed,
        one_at_a_time=one_at_a_time,
        rotate_seats=rotate_seats,
        keep_games=keep_games,
        until=until.text if until else "",
        command=command,
    )
    run = start_run(planned.manifest, None if out is None else given.path(out, "out"), resume)
    run.notes = planned.notes
    if not scheduler:
        return play_run(run, executor, threads, progress, until)
    from simcore.cluster import SHARDS_PER_THREAD, cluster

    with closing_folder(run), cluster(scheduler, run.game.name) as workers:
        window = SHARDS_PER_THREAD * workers.threads
        return play_run(run, workers.executor, None, progress, until, window)


@contextmanager
def closing_folder(run: Run) -> Iterator[None]:
    """Let go of the run's folder, whatever happens before it is played."""
    try:
        yield
    finally:
        if run.folder is not None:
            run.folder.unlock()


def _values(game: Game, name: str, some: Sequence[Setting] | Setting | None) -> Sequence[Setting]:
    """The values of a varied option: all (None), those that a text names as in ``--vary``, or a sequence."""
    if some is None or isinstance(some, str | int):
        return game.rules.parse_values(name, None if some is None else str(some))
    if not isinstance(some, Sequence):
        raise given.refuse(f"vary[{name!r}]", some, "a list of values, a text as in --vary, or None for all")
    return [game.rules[name].parse(value) for value in some]


def planned_run(
    game: str,
    games: int = 10_000,
    set: Mapping[str, Setting] | None = None,
    vary: Mapping[str, Sequence[Setting] | Setting | None] | None = None,
    *,
    bots: str | Sequence[str] = "",
    seed: int = 0,
    one_at_a_time: bool = False,
    rotate_seats: bool = False,
    keep_games: bool = False,
    until: str = "",
    command: str = "",
) -> Run:
    """The run that `simulate` would play with these arguments, with nothing played yet."""
    found = find_game(game)
    base = given.mapping(set, "set", '{"players": 2}')
    wanted = given.mapping(vary, "vary", '{"trumps": ["own", "none"]}')
    values = {name: _values(found, name, some) for name, some in wanted.items()}
    tables = given.texts(bots, "bots")
    planned = plan(found, base, values, [t or found.bots[0].name for t in tables], one_at_a_time)
    manifest = make_manifest(
        found,
        planned,
        games=games,
        seed=seed,
        rotate_seats=rotate_seats,
        keep_games=keep_games,
        until=until,
        command=command,
    )
    return Run(manifest, Tallies(manifest), notes=planned.notes)
