"""Claims files: TOML that holds sentences about a game, each made exact. `docs/claims.md` says what they may hold."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from analysis.claim import Claim
from analysis.decisions import CLAIMS
from analysis.margins import parse_margin
from analysis.tomlfile import BadKey, TomlFile, checked, read_toml
from simcore.bots import parse_table
from simcore.errors import InputError, KozyrError, unknown
from simcore.games import GAMES, find_game
from simcore.games.base import Game
from simcore.manifest import MAX_GAMES
from simcore.options import Setting, WordOption
from simcore.replay import check_seed

__all__ = ["Claim", "chosen", "find_claims", "further_readings", "load_claims", "sweep"]

SHIPPED = files("analysis") / "claims_data"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}\Z")

_SHARED = {
    "bots": (str, list),
    "error_rate": float,
    "max_games": int,
    "seed": int,
    "set": dict,
    "rulings": (list, dict),
}
_HEAD = {"game": str, **_SHARED}
_CLAIM = {
    "id": str,
    "sentence": str,
    "source": str,
    "reading": str,
    "caveat": str,
    "metric": str,
    "variant": dict,
    "baseline": dict,
    "direction": str,
    "margin": (float, str),
    "part": bool,
    **_SHARED,
}
_NEEDED = {
    "id": "a short name",
    "sentence": "what is claimed, in words",
    "metric": "the number that it is about; `kozyr rules` lists them",
    "direction": f"one of {', '.join(CLAIMS)}",
    "margin": "0.0 claims any difference, 0.5 or '1 pp' one that is larger",
}
"""Keys that every claim has, and what for."""
_MAY_BE_EMPTY = ("baseline", "variant", "rulings")


def find_claims(text: str) -> list[Claim]:
    """The claims of a file, or those shipped for a game.

    Raises
    ------
    InputError
        Naming the file, the line, the claim and the key that is wrong, and what is allowed.
    """
    path = Path(text)
    if text in GAMES and not path.is_file():
        shipped = Path(str(SHIPPED / f"{text}.toml"))
        if not shipped.is_file():
            raise InputError(f"no file of claims ships for {text}; give one (docs/claims.md says what it may hold)")
        return load_claims(shipped)
    if not path.is_file() and "/" not in text and path.suffix != ".toml":
        raise InputError(f"{unknown('game', text, GAMES)}; or give a claims file (TOML)")
    return load_claims(path)


def load_claims(path: Path) -> list[Claim]:
    """Read a claims file; raise `InputError` as `find_claims`."""
    file = read_toml(path, "claims file")
    checked(file.data, {"claims": dict, "claim": list}, str(path))
    for key in ("claims", "claim"):
        if key not in file.data:
            raise InputError(f"{path}: needs a [claims] table and at least one [[claim]]; {key!r} is missing")
    head = file.data["claims"]
    try:
        game = _head(head)
    except KozyrError as error:
        raise InputError(f"{file.place('claims', 1, _key_of(error))}: [claims]: {error}") from None
    found = [_claim(file, game, head, table, i) for i, table in enumerate(file.data["claim"], 1)]
    names = [claim.id for claim in found]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise InputError(f"{file.place('claim', i + 1, 'id')}: [[claim]] {i + 1}: id {name!r} is taken already")
    return found


def _key_of(error: KozyrError) -> str:
    return error.key if isinstance(error, BadKey) else ""


def _head(head: Mapping[str, Any]) -> Game:
    checked({k: v for k, v in head.items() if k not in _MAY_BE_EMPTY or v}, _HEAD)
    if "game" not in head:
        raise InputError(f"key 'game' is missing; allowed: {', '.join(GAMES)}")
    game: Game = _keyed("game", find_game, head["game"])
    _common(game, head)
    return game


def _claim(file: TomlFile, game: Game, head: Mapping[str, Any], table: Any, number: int) -> Claim:
    name = f"[[claim]] {number}"
    if not isinstance(table, dict):
        raise InputError(f"{file.path}: {name}: must be a table")
    name += f" ({table['id']})" if isinstance(table.get("id"), str) and table["id"].isprintable() else ""
    try:
        checked({k: v for k, v in table.items() if k not in _MAY_BE_EMPTY or v}, _CLAIM)
        missing = next((key for key in _NEEDED if key not in table), None)
        if missing:
            raise InputError(f"key {missing!r} is missing ({_NEEDED[missing]})")
        return _tried(_build(game, {**head, **table}, {**head.get("set", {}), **table.get("set", {})}))
    except KozyrError as error:
        key = _key_of(error)
        of_head = key in head and key not in table
        place = file.place("claims", 1, key) if of_head else file.place("claim", number, key)
        raise InputError(f"{place}: {name}: {error}") from None


def _keyed(key: str, read: Any, *given: Any) -> Any:
    """What `read` makes of the value of a key; its `InputError` then names the key."""
    try:
        return read(*given)
    except KozyrError as error:
        raise BadKey(key, f"key {key!r}: {error}") from None


def _common(game: Game, data: Mapping[str, Any]) -> dict[str, Any]:
    """The keys that a claim may take from the file's head."""
    bots = data.get("bots", game.bots[0].name)
    tables = [bots] if isinstance(bots, str) else list(bots)
    if not all(isinstance(table, str) for table in tables):
        raise BadKey("bots", "key 'bots' must be a text, or a list of texts")
    return {
        "bots": tables[0],
        "more_bots": tuple(tables[1:]),
        "error_rate": _error_rate(data.get("error_rate", 0.05)),
        "max_games": _games(data.get("max_games", 100_000)),
        "seed": _keyed("seed", check_seed, data.get("seed", 1)),
        "rulings": _keyed("rulings", _rulings, game, data.get("rulings")),
    }


def _build(game: Game, data: Mapping[str, Any], common: Mapping[str, Setting]) -> Claim:
    if not _NAME.match(data["id"]):
        raise BadKey("id", f"key 'id': {data['id']!r} is not allowed; allowed: letters, digits, - and _, at most 64")
    for key, settings in (("set", common), ("variant", data.get("variant")), ("baseline", data.get("baseline"))):
        _keyed(key, _settings, game, settings or {})
    sides = [data.get("variant", {}), data.get("baseline") or {}]
    players = min(_keyed("variant", game.rules.rules, {**common, **side}).players for side in sides)
    metric = _keyed("metric", game.find_metric, data["metric"], players)
    return Claim(
        id=data["id"],
        sentence=data["sentence"],
        source=data.get("source", ""),
        reading=data.get("reading", ""),
        caveat=data.get("caveat", ""),
        game=game,
        metric=metric,
        direction=_direction(data["direction"]),
        margin=_keyed("margin", parse_margin, metric, data["margin"]),
        set=common,
        variant=data.get("variant", {}),
        baseline=data.get("baseline"),
        part=data.get("part", False),
        **_common(game, data),
    )


def _settings(game: Game, given: Mapping[str, Any]) -> None:
    for name, value in given.items():
        if not isinstance(value, str | int):
            raise InputError(f"option {name!r} must be a word or a whole number, not {value!r}")
        game.rules[name].parse(value)


def _direction(text: str) -> str:
    if text not in CLAIMS:
        raise BadKey("direction", f"key 'direction': {unknown('direction', text, CLAIMS)}")
    return text


def _error_rate(value: float) -> float:
    if not 0 < value <= 0.5:
        raise BadKey("error_rate", f"key 'error_rate': {value} is not allowed; allowed: above 0, at most 0.5")
    return float(value)


def _games(value: int) -> int:
    if not 1 <= value <= MAX_GAMES:
        raise BadKey("max_games", f"key 'max_games': {value} is not allowed; allowed: 1 … {MAX_GAMES}")
    return value


def _rulings(game: Game, given: Any) -> dict[str, tuple[Setting, ...]]:
    """The options to sweep: those named, with all their values or those listed; by default all rulings that are words."""
    if given is None:
        return {o.name: o.all_values() for o in game.rules if o.kind == "ruling" and isinstance(o, WordOption)}
    if isinstance(given, list):
        return {str(name): game.rules.parse_values(str(name), None) for name in given}
    swept = {}
    for name, values in given.items():
        if values != "all" and not (isinstance(values, list) and values):
            raise InputError(f'{name} must be "all" or a list of values')
        option = game.rules[name]
        swept[name] = option.all_values() if values == "all" else tuple(option.parse(value) for value in values)
    return swept


def _tried(claim: Claim) -> Claim:
    """The claim, if its parts fit together."""
    claim = sweep(claim, claim.rulings)
    for table in (claim.bots, *claim.more_bots):
        _keyed("bots", _table, claim, table)
    try:
        claim.variants()
    except InputError as error:
        raise BadKey("baseline" if claim.baseline is not None else "variant", str(error)) from None
    _check_margin(claim)
    return claim


def _table(claim: Claim, table: str) -> None:
    for side in (claim.variant, claim.baseline or {}):
        players = claim.game.rules.rules({**claim.set, **side}).players
        parse_table(claim.game.name, claim.game.bots, table, players)


def _check_margin(claim: Claim) -> None:
    """Refuse a margin with which the claim would be true, or false, whatever is played."""
    metric, margin = claim.metric, claim.margin
    low, high = metric.range
    if claim.baseline is not None:
        low, high = low - high, high - low
    if not math.isfinite(margin):
        raise BadKey("margin", f"key 'margin': {margin} is not a finite number")
    if claim.two_sided and margin <= 0:
        allowed = "above 0, as the size of a number is compared with it"
        raise BadKey("margin", f"key 'margin': {margin:g} is not allowed for {claim.direction!r}; allowed: {allowed}")
    if not low < margin < high:
        hint = "; shares are written 0.01, not 1, or with their unit: '1 pp'" if math.isfinite(high) else ""
        said = f"{margin:g} is not between {low:g} and {high:g}, where {claim.theta} (unit: {metric.unit}) lies"
        raise BadKey("margin", f"key 'margin': {said}{hint}")


def sweep(claim: Claim, rulings: Mapping[str, tuple[Setting, ...]]) -> Claim:
    """The claim with other options to sweep, but for those that it is about itself."""
    own = {**claim.variant, **(claim.baseline or {})}
    return replace(claim, rulings={name: values for name, values in rulings.items() if name not in own})


def chosen(claims: Sequence[Claim], ids: Sequence[str], alone: bool = False) -> list[Claim]:
    """The claims that are named.

    Parameters
    ----------
    claims : sequence of Claim
    ids : sequence of str
        Names; all claims if empty. A name stands for the claim with that id and its further readings (`further_readings`); else
        for all claims whose ids begin with it and a dash.
    alone : bool
        A name that is an id stands for that claim alone.

    Raises
    ------
    InputError
        For a name that fits no claim.
    """
    if not ids:
        return list(claims)
    found: dict[str, Claim] = {}
    for name in ids:
        exact = [claim for claim in claims if claim.id == name]
        fitting = exact or [claim for claim in claims if claim.id.startswith(f"{name}-")]
        if not fitting:
            raise unknown("claim", name, [claim.id for claim in claims])
        if exact and not alone:
            fitting += further_readings(claims, exact[0])
        found |= {claim.id: claim for claim in fitting}
    return list(found.values())


def further_readings(claims: Sequence[Claim], claim: Claim) -> list[Claim]:
    """Other readings of a claim's sentence: those whose ids begin with the claim's and a dash."""
    return [c for c in claims if c.sentence == claim.sentence and c.id.startswith(f"{claim.id}-")]
