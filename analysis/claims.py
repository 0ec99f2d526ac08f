"""Claims files: sentences about a game, each made exact enough to be checked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from typing import Any

from analysis.decisions import CLAIMS
from analysis.playing import variant_of
from analysis.study import checked, load_toml
from simcore.errors import InputError, KozyrError, unknown
from simcore.games import GAMES, find_game
from simcore.games.base import Game
from simcore.manifest import MAX_GAMES
from simcore.metrics import Metric
from simcore.options import Setting, WordOption
from simcore.shards import Variant

SHIPPED = files("analysis") / "claims_data"


@dataclass(frozen=True)
class Claim:
    """A sentence about a game, and how it is checked.

    Attributes
    ----------
    id, sentence, source, reading : str
        Name; what is claimed; where it stands; how it is read here.
    game : Game
    metric : Metric
    set : mapping
        Options set for the variant and the baseline alike.
    variant : mapping
        Options of the variant.
    baseline : mapping or None
        Options of the baseline: the claim is about the difference variant less baseline on the same deals. None: it is
        about the variant's own value.
    direction : {"greater", "less", "within", "beyond"}
        theta > margin, theta < margin, |theta| < margin, |theta| > margin.
    margin : float
        In the metric's unit.
    error_rate : float
        Of a false verdict, on either side.
    bots : str
        Table of bots of the main verdict.
    more_bots : tuple of str
        Further tables for the multiverse.
    rulings : mapping
        Options to sweep in the multiverse, each with its values.
    max_games, seed : int
        Games for each variant, at most.
    """

    id: str
    sentence: str
    source: str
    reading: str
    game: Game
    metric: Metric
    direction: str
    margin: float
    set: Mapping[str, Setting] = field(default_factory=dict)
    variant: Mapping[str, Setting] = field(default_factory=dict)
    baseline: Mapping[str, Setting] | None = None
    error_rate: float = 0.05
    bots: str = ""
    more_bots: tuple[str, ...] = ()
    rulings: Mapping[str, tuple[Setting, ...]] = field(default_factory=dict)
    max_games: int = 100_000
    seed: int = 1

    def variants(self, settings: Mapping[str, Setting] | None = None, bots: str = "") -> tuple[Variant, ...]:
        """The variant and, if there is one, the baseline, in a universe of other rulings and bots.

        Raises
        ------
        InputError
            If the two play the same games, or a combination is impossible.
        """
        common = {**self.set, **(settings or {})}
        table = bots or self.bots
        first = variant_of(self.game, {**common, **self.variant}, table)
        if self.baseline is None:
            return (first,)
        second = variant_of(self.game, {**common, **self.baseline}, table)
        if first == second:
            raise InputError(f"the variant and the baseline play the same games ({first.label})")
        return first, second

    @property
    def formula(self) -> str:
        """The claim as a formula, such as ``rounds(trumps=none) - rounds(default) > 1``."""
        first = f"{self.metric.name}({_text(self.variant)})"
        theta = first if self.baseline is None else f"{first} - {self.metric.name}({_text(self.baseline)})"
        signs = {"greater": f"{theta} > {self.margin:g}", "less": f"{theta} < {self.margin:g}"}
        signs |= {"within": f"|{theta}| < {self.margin:g}", "beyond": f"|{theta}| > {self.margin:g}"}
        return signs[self.direction]


def _text(settings: Mapping[str, Setting]) -> str:
    return ", ".join(f"{name}={value}" for name, value in settings.items()) or "default"


_HEAD = {
    "game": str,
    "bots": (str, list),
    "error_rate": float,
    "max_games": int,
    "seed": int,
    "set": dict,
    "rulings": dict,
}
_CLAIM = {
    "id": str,
    "sentence": str,
    "source": str,
    "reading": str,
    "metric": str,
    "set": dict,
    "variant": dict,
    "baseline": dict,
    "direction": str,
    "margin": (int, float),
    "error_rate": float,
    "bots": (str, list),
    "rulings": (list, dict),
    "max_games": int,
    "seed": int,
}
_NEEDED = ("id", "sentence", "metric", "direction", "margin")
_MAY_BE_EMPTY = ("baseline", "variant")


def find_claims(text: str) -> list[Claim]:
    """The claims of a file, or those shipped for a game.

    Raises
    ------
    InputError
        Naming the file, the claim and the key that is wrong, and what is allowed.
    """
    path = Path(text)
    if text in GAMES and not path.is_file():
        return load_claims(Path(str(SHIPPED / f"{text}.toml")))
    if not path.is_file() and "/" not in text and path.suffix != ".toml":
        raise InputError(f"{unknown('game', text, GAMES)}; or give a claims file (TOML)")
    return load_claims(path)


def load_claims(path: Path) -> list[Claim]:
    """Read a claims file; raise `InputError` as `find_claims`."""
    data = load_toml(path, "claims file")
    checked(data, {"claims": dict, "claim": list}, str(path))
    for key in ("claims", "claim"):
        if key not in data:
            raise InputError(f"{path}: needs a [claims] table and at least one [[claim]]; {key!r} is missing")
    head = checked(data["claims"], _HEAD, f"{path}: [claims]")
    if "game" not in head:
        raise InputError(f"{path}: [claims]: key 'game' is missing; allowed: {', '.join(GAMES)}")
    try:
        game = find_game(head["game"])
    except KozyrError as error:
        raise InputError(f"{path}: [claims]: key 'game': {error}") from None
    found = [_claim(game, head, table, f"{path}: [[claim]] {i}") for i, table in enumerate(data["claim"], 1)]
    names = [claim.id for claim in found]
    doubled = next((name for i, name in enumerate(names) if name in names[:i]), None)
    if doubled is not None:
        raise InputError(f"{path}: two claims have the id {doubled!r}")
    return found


def _claim(game: Game, head: Mapping[str, Any], table: Any, where: str) -> Claim:
    if not isinstance(table, dict):
        raise InputError(f"{where}: must be a table")
    where += f" ({table['id']})" if isinstance(table.get("id"), str) else ""
    checked({k: v for k, v in table.items() if k not in _MAY_BE_EMPTY or v}, _CLAIM, where)
    missing = next((key for key in _NEEDED if key not in table), None)
    if missing:
        raise InputError(f"{where}: key {missing!r} is missing")
    try:
        claim = _build(game, {**head, **table}, {**head.get("set", {}), **table.get("set", {})})
        return _tried(claim)
    except KozyrError as error:
        raise InputError(f"{where}: {error}") from None


def _build(game: Game, data: Mapping[str, Any], common: Mapping[str, Setting]) -> Claim:
    bots = data.get("bots", game.bots[0].name)
    tables = [bots] if isinstance(bots, str) else list(bots)
    if not all(isinstance(table, str) for table in tables):
        raise InputError("key 'bots' must be a string, or a list of strings")
    players = game.rules.rules(common).players
    return Claim(
        id=data["id"],
        sentence=data["sentence"],
        source=data.get("source", ""),
        reading=data.get("reading", ""),
        game=game,
        metric=_metric(game, data["metric"], players),
        direction=_direction(data["direction"]),
        margin=float(data["margin"]),
        set=common,
        variant=data.get("variant", {}),
        baseline=data.get("baseline"),
        error_rate=_error_rate(data.get("error_rate", 0.05)),
        bots=tables[0],
        more_bots=tuple(tables[1:]),
        rulings=_rulings(game, data.get("rulings")),
        max_games=_games(data.get("max_games", 100_000)),
        seed=data.get("seed", 1),
    )


def _metric(game: Game, name: str, players: int) -> Metric:
    try:
        return game.find_metric(name, players)
    except InputError as error:
        raise InputError(f"key 'metric': {error}") from None


def _direction(text: str) -> str:
    if text not in CLAIMS:
        raise InputError(f"key 'direction': {unknown('direction', text, CLAIMS)}")
    return text


def _error_rate(value: float) -> float:
    if not 0 < value <= 0.5:
        raise InputError(f"key 'error_rate': {value} is not allowed; allowed: above 0, at most 0.5")
    return value


def _games(value: int) -> int:
    if not 1 <= value <= MAX_GAMES:
        raise InputError(f"key 'max_games': {value} is not allowed; allowed: 1 … {MAX_GAMES}")
    return value


def _rulings(game: Game, given: Any) -> dict[str, tuple[Setting, ...]]:
    """The options to sweep: those named, with all their values or those listed; by default all rulings that are words."""
    if given is None:
        return {o.name: o.all_values() for o in game.rules if o.kind == "ruling" and isinstance(o, WordOption)}
    if isinstance(given, list):
        return {str(name): game.rules.parse_values(str(name), None) for name in given}
    swept = {}
    for name, values in given.items():
        if values != "all" and not isinstance(values, list):
            raise InputError(f"key 'rulings': {name} must be \"all\" or a list of values")
        option = game.rules[name]
        swept[name] = option.all_values() if values == "all" else tuple(option.parse(value) for value in values)
    return swept


def _tried(claim: Claim) -> Claim:
    """The claim, if its parts fit together."""
    overlap = [name for name in claim.rulings if name in claim.variant or name in (claim.baseline or {})]
    claim = replace(claim, rulings={k: v for k, v in claim.rulings.items() if k not in overlap})
    for table in (claim.bots, *claim.more_bots):
        claim.variants(bots=table)
    _check_margin(claim)
    return claim


def _check_margin(claim: Claim) -> None:
    low, high = claim.metric.range
    span = high - low
    if not math.isfinite(claim.margin):
        raise InputError(f"key 'margin': {claim.margin} is not a finite number")
    if claim.direction in ("within", "beyond") and claim.margin <= 0:
        raise InputError(f"key 'margin': {claim.margin:g} is not allowed for {claim.direction!r}; allowed: above 0")
    lowest, highest = (-span, span) if claim.baseline is not None else (low, high)
    if not lowest <= claim.margin <= highest:
        raise InputError(
            f"key 'margin': {claim.margin:g} is outside what {claim.metric.name} (unit: {claim.metric.unit}) can be:"
            f" {lowest:g} … {highest:g}" + ("; shares are written 0.01, not 1" if span <= 2 else "")
        )


def chosen(claims: Sequence[Claim], ids: Sequence[str]) -> list[Claim]:
    """The claims with these ids, or whose ids begin with one of them and a dash; raise `InputError` for an unknown one."""
    if not ids:
        return list(claims)
    found = []
    for name in ids:
        fitting = [c for c in claims if c.id == name] or [c for c in claims if c.id.startswith(f"{name}-")]
        if not fitting:
            raise unknown("claim", name, [c.id for c in claims])
        found += [c for c in fitting if c not in found]
    return found
