"""Study files: a TOML file that says which runs to play, what to compare in them, and which claims to check."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from analysis.claims import Claim, chosen, find_claims
from analysis.results import shared_metrics, variant_index
from analysis.tomlfile import BadKey, TomlFile, checked, read_toml
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
    """A study file.

    Attributes
    ----------
    title, text, game : str
    sections : tuple of Section
    claims, multiverse : tuple of Claim
        To be checked; to be checked in all their universes.
    claims_source : str
        The game or file that they come from.
    multiverse_budget : int
        Games in all for each claim's multiverse.
    sensitivity : tuple of str
        Metrics to be explained, under the rules that the first run sets and with its bots.
    sensitivity_games : int
        For each variant.
    """

    title: str
    text: str
    game: str
    sections: tuple[Section, ...]
    claims: tuple[Claim, ...] = ()
    multiverse: tuple[Claim, ...] = ()
    claims_source: str = ""
    multiverse_budget: int = 500_000
    sensitivity: tuple[str, ...] = ()
    sensitivity_games: int = 500


TAKEN_NAMES = ("files", "multiverse")
"""What lies beside the runs in a study's folder: the files of the report, and the multiverses."""

_STUDY_KEYS = {
    "title": str,
    "text": str,
    "game": str,
    "games": int,
    "seed": int,
    "claims": (str, list),
    "claims_file": str,
    "multiverse": (str, list),
    "multiverse_budget": int,
    "sensitivity": list,
    "sensitivity_games": int,
}
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
    file = read_toml(path, "study")
    checked(file.data, {"study": dict, "run": list}, str(path))
    for key in ("study", "run"):
        if key not in file.data:
            raise InputError(f"{path}: needs a [study] table and at least one [[run]]; {key!r} is missing")
    head = file.data["study"]
    try:
        checks = _head(head, path)
    except KozyrError as error:
        raise InputError(f"{file.place('study', 1, _key_of(error))}: [study]: {error}") from None
    sections = tuple(_read_section(file, run, head, i) for i, run in enumerate(file.data["run"], 1))
    names = [section.id for section in sections]
    doubled = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if doubled is not None:
        raise InputError(f"{path}: two runs have the id {doubled!r}")
    return Study(head["title"], head.get("text", ""), head["game"], sections, **checks)


def _key_of(error: KozyrError) -> str:
    return error.key if isinstance(error, BadKey) else ""


def _head(head: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """Check the [study] table; returns what it says of claims and sensitivity."""
    checked(head, _STUDY_KEYS)
    for key in ("title", "game"):
        if key not in head:
            raise InputError(f"key {key!r} is missing")
    game = find_game(head["game"])
    found: dict[str, Any] = _claims(head, path) | {"sensitivity": _words(head, "sensitivity")}
    for name in found["sensitivity"]:
        try:
            game.find_metric(name, game.rules.rules().players)
        except InputError as error:
            raise BadKey("sensitivity", f"key 'sensitivity': {error}") from None
    for key in ("multiverse_budget", "sensitivity_games"):
        if key in head:
            found[key] = _games(head, key)
    return found


def _claims(head: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """The claims to be checked: by default those shipped for the game."""
    if "claims" not in head and "multiverse" not in head:
        return {}
    source = str(path.parent / head["claims_file"]) if "claims_file" in head else head["game"]
    every = find_claims(source)
    if every[0].game.name != head["game"]:
        raise BadKey("claims_file", f"key 'claims_file': its claims are about {every[0].game.name}, not {head['game']}")
    return {
        "claims_source": head.get("claims_file", head["game"]),
        "claims": tuple(_chosen(every, head, "claims", alone=False)),
        "multiverse": tuple(_chosen(every, head, "multiverse", alone=True)),
    }


def _chosen(every: Sequence[Claim], head: Mapping[str, Any], key: str, alone: bool) -> Sequence[Claim]:
    if head.get(key) == "all":
        return every
    names = _words(head, key)
    try:
        return chosen(every, names, alone) if names else ()
    except InputError as error:
        raise BadKey(key, f"key {key!r}: {error}") from None


def _games(table: Mapping[str, Any], key: str, default: int = 0) -> int:
    games: int = table.get(key, default)
    if not 1 <= games <= MAX_GAMES:
        raise BadKey(key, f"{key} = {games} is not allowed; allowed: 1 … {MAX_GAMES}")
    return games


def _words(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    values = table.get(key, [])
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise BadKey(key, f"key {key!r} must be a list of texts")
    return tuple(values)


def _read_section(file: TomlFile, run: Any, head: Mapping[str, Any], number: int) -> Section:
    name = f"[[run]] {number}"
    if not isinstance(run, dict):
        raise InputError(f"{file.path}: {name}: must be a table")
    try:
        checked(run, _RUN_KEYS)
        section = _section(run, head, number)
        name += f" ({section.id})"
        _try_out(section)
        return section
    except KozyrError as error:
        raise InputError(f"{file.place('run', number, _key_of(error))}: {name}: {error}") from None


def _section(run: Mapping[str, Any], head: Mapping[str, Any], number: int) -> Section:
    name: str = run.get("id", f"run-{number}")
    if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii() or len(name) > 64:
        raise BadKey("id", f"id {name!r} is not allowed; allowed: letters, digits, - and _")
    if name.lower() in TAKEN_NAMES:
        raise BadKey("id", f"id {name!r} is not allowed: the study's folder has something else of that name")
    bots = run.get("bots", [])
    return Section(
        id=name,
        title=run.get("title", name),
        text=run.get("text", ""),
        game=head["game"],
        games=_games(run if "games" in run else head, "games", 10_000),
        seed=run.get("seed", head.get("seed", 0)),
        set=run.get("set", {}),
        vary={key: _varied(value, key) for key, value in run.get("vary", {}).items()},
        bots=(bots,) if isinstance(bots, str) else _words(run, "bots"),
        baseline=run.get("baseline", "1"),
        metrics=_words(run, "metrics"),
        **{key: run.get(key, False) for key in ("one_at_a_time", "rotate_seats", "keep_games")},
    )


def _varied(value: Any, key: str) -> list[str | int] | None:
    if value == "all":
        return None
    if not isinstance(value, list) or not all(isinstance(v, str | int) and not isinstance(v, bool) for v in value):
        raise BadKey("vary", f'vary.{key} must be "all" or a list of values')
    return value


def _try_out(section: Section) -> None:
    """Find out whatever is wrong with a section before anything is played."""
    from simcore.batch import planned_run

    run = planned_run(**_arguments(section))
    variant_index(run, section.baseline)
    shared_metrics(run, list(section.metrics) or None)


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
