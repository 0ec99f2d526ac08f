"""Study files: a TOML file that says which runs to play, what to compare in them, and which claims to check."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.results import shared_metrics, variant_index
from analysis.tomlfile import checked, load_toml
from simcore.batch import Progress, Run, simulate
from simcore.errors import InputError, KozyrError
from simcore.games import find_game
from simcore.manifest import MAX_GAMES
from simcore.options import Setting


@dataclass(frozen=True)
class Section:
    """One run of a study: what to play, and what to make of it.

    Attributes
    ----------
    id : str
        Name of its run folder.
    title, text : str
        Heading, and what is asked, for the report.
    game : str
    games, seed : int
    set, vary : mapping
        As in `simcore.simulate`.
    bots : tuple of str
        Tables of bots to compare.
    baseline : str
        Label or number of the variant that the others are compared to.
    metrics : tuple of str
        What the report shows first; the game's headline metrics if empty.
    one_at_a_time, rotate_seats, keep_games : bool
    """

    id: str
    title: str
    text: str
    game: str
    games: int
    seed: int
    set: Mapping[str, Setting] = field(default_factory=dict)
    vary: Mapping[str, list[str | int] | None] = field(default_factory=dict)
    bots: tuple[str, ...] = ()
    baseline: str = "1"
    metrics: tuple[str, ...] = ()
    one_at_a_time: bool = False
    rotate_seats: bool = False
    keep_games: bool = False


@dataclass(frozen=True)
class Study:
    """A study file."""

    title: str
    text: str
    game: str
    sections: tuple[Section, ...]
    claims: tuple[str, ...] = ()


_STUDY_KEYS = {"title": str, "text": str, "game": str, "games": int, "seed": int, "claims": list}
_RUN_KEYS = {
    "id": str,
    "title": str,
    "text": str,
    "games": int,
    "seed": int,
    "set": dict,
    "vary": dict,
    "bots": (str, list),
    "baseline": str,
    "metrics": list,
    "one_at_a_time": bool,
    "rotate_seats": bool,
    "keep_games": bool,
}


def load_study(path: Path) -> Study:
    """Read a study file.

    Raises
    ------
    InputError
        Naming the file, the section and the key that is wrong, and what is allowed.
    """
    data = load_toml(path, "study")
    checked(data, {"study": dict, "run": list}, str(path))
    for key in ("study", "run"):
        if key not in data:
            raise InputError(f"{path}: needs a [study] table and at least one [[run]]; {key!r} is missing")
    head = checked(data["study"], _STUDY_KEYS, f"{path}: [study]")
    for key in ("title", "game"):
        if key not in head:
            raise InputError(f"{path}: [study]: key {key!r} is missing")
    try:
        find_game(head["game"])
    except KozyrError as error:
        raise InputError(f"{path}: [study]: {error}") from None
    sections = tuple(_section(run, head, i, path) for i, run in enumerate(data["run"], 1))
    names = [section.id for section in sections]
    doubled = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if doubled is not None:
        raise InputError(f"{path}: two runs have the id {doubled!r}")
    return Study(
        head["title"], head.get("text", ""), head["game"], sections, _words(head.get("claims", []), path, "claims")
    )


def _words(values: list[Any], path: Path, key: str) -> tuple[str, ...]:
    if not all(isinstance(value, str) for value in values):
        raise InputError(f"{path}: key {key!r} must be a list of strings")
    return tuple(values)


def _section(run: Any, head: Mapping[str, Any], number: int, path: Path) -> Section:
    where = f"{path}: [[run]] {number}"
    if not isinstance(run, dict):
        raise InputError(f"{where}: must be a table")
    checked(run, _RUN_KEYS, where)
    name: str = run.get("id", f"run-{number}")
    if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii() or len(name) > 64:
        raise InputError(f"{where}: id {name!r} is not allowed; allowed: letters, digits, - and _")
    games, seed = run.get("games", head.get("games", 10_000)), run.get("seed", head.get("seed", 0))
    if not 1 <= games <= MAX_GAMES:
        raise InputError(f"{where}: games = {games} is not allowed; allowed: 1 … {MAX_GAMES}")
    bots = run.get("bots", [])
    section = Section(
        id=name,
        title=run.get("title", name),
        text=run.get("text", ""),
        game=head["game"],
        games=games,
        seed=seed,
        set=run.get("set", {}),
        vary={key: _varied(value, where, key) for key, value in run.get("vary", {}).items()},
        bots=(bots,) if isinstance(bots, str) else _words(bots, path, "bots"),
        baseline=run.get("baseline", "1"),
        metrics=_words(run.get("metrics", []), path, "metrics"),
        **{key: run.get(key, False) for key in ("one_at_a_time", "rotate_seats", "keep_games")},
    )
    _try_out(section, where)
    return section


def _varied(value: Any, where: str, key: str) -> list[str | int] | None:
    if value == "all":
        return None
    if not isinstance(value, list) or not all(isinstance(v, str | int) and not isinstance(v, bool) for v in value):
        raise InputError(f'{where}: vary.{key} must be "all" or a list of values')
    return value


def _try_out(section: Section, where: str) -> None:
    """Find out whatever is wrong with a section before anything is played."""
    from simcore.batch import planned_run

    try:
        run = planned_run(**_arguments(section))
        variant_index(run, section.baseline)
        shared_metrics(run, list(section.metrics) or None)
    except KozyrError as error:
        raise InputError(f"{where} ({section.id}): {error}") from None


def _arguments(section: Section) -> dict[str, Any]:
    return {
        "game": section.game,
        "games": section.games,
        "set": section.set,
        "vary": section.vary,
        "bots": section.bots or "",
        "seed": section.seed,
        "one_at_a_time": section.one_at_a_time,
        "rotate_seats": section.rotate_seats,
    }


def play_section(
    section: Section, out: Path | None, *, threads: int | None, resume: bool, progress: Progress | None, command: str
) -> Run:
    """Play a section's run, in the folder `out` if given."""
    return simulate(
        **_arguments(section),
        keep_games=section.keep_games,
        out=out,
        resume=resume,
        threads=threads,
        progress=progress,
        command=command,
    )
