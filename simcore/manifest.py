"""The manifest of a run: what was played, in one JSON file that also says how to do it again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from simcore.bots import parse_player
from simcore.errors import InputError, KozyrError, printable
from simcore.games import find_game
from simcore.games.base import Game
from simcore.replay import check_seed
from simcore.shards import MOST_SHARDS, Variant
from simcore.sources import code_hash
from simcore.variants import MAX_VARIANTS

FORMAT = 1
MAX_GAMES = 10**15


@dataclass(frozen=True)
class Manifest:
    """What a run plays.

    Attributes
    ----------
    game : Game
    variants : tuple of Variant
    seed, games, shard_games : int
        Games are counted per variant.
    rotate_seats, keep_games : bool
    kozyr, code : str
        Version, and hash of the simulator's sources.
    command : str
        A command line that makes the run again.
    state : str
        ``running`` or ``complete``.
    digest : str
        SHA-256 of the results, once complete.
    until : str
        What the run plays for, if it may stop before all games are played.
    limit : int
        Once it has stopped early: the games that it might have played; `games` are those that it did play.
    """

    game: Game
    variants: tuple[Variant, ...]
    seed: int
    games: int
    shard_games: int
    rotate_seats: bool
    keep_games: bool
    kozyr: str
    code: str
    command: str
    state: str = "running"
    digest: str = ""
    until: str = ""
    limit: int = 0

    @property
    def shards(self) -> int:
        """Shards of each variant."""
        return -(-self.games // self.shard_games)

    def shard_size(self, shard: int) -> int:
        """Games in a shard; the last one may be shorter."""
        return min(self.shard_games, self.games - shard * self.shard_games)

    @property
    def identity(self) -> dict[str, Any]:
        """All that the results depend on."""
        return {
            "format": FORMAT,
            "code": self.code,
            "game": self.game.name,
            "seed": self.seed,
            "games": self.limit or self.games,
            "until": self.until,
            "shard_games": self.shard_games,
            "rotate_seats": self.rotate_seats,
            "keep_games": self.keep_games,
            "variants": [
                {"label": v.label, "rules": dict(v.rules), "bots": [str(player) for player in v.table]}
                for v in self.variants
            ],
        }

    @property
    def run_id(self) -> str:
        """Hash of the identity (16 hexadecimal digits); every data file of the run names it."""
        text = json.dumps(self.identity, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_json(self) -> str:
        extra = {
            "run_id": self.run_id,
            "kozyr": self.kozyr,
            "command": printable(self.command),
            "state": self.state,
            "digest": self.digest,
            "played": self.games,
            "columns": self.game.counts.columns,
            "histograms": [
                {"name": h.name, "low": h.low, "high": h.high, "unit": h.unit} for h in self.game.histograms
            ],
        }
        return json.dumps({**self.identity, **extra}, indent=1, ensure_ascii=False) + "\n"

    def with_shard_games(self, shard_games: int) -> Manifest:
        """The same games cut into other shards."""
        return replace(self, shard_games=shard_games)

    def stopped(self, shards: int) -> Manifest:
        """The manifest of a run that stopped after so many shards."""
        return replace(self, games=min(self.games, shards * self.shard_games), limit=self.limit or self.games)

    def completed(self, digest: str) -> Manifest:
        """The manifest of the finished run."""
        return replace(self, state="complete", digest=digest)


def _need(data: Mapping[str, Any], key: str, kind: type) -> Any:
    if key not in data:
        raise InputError(f"key {key!r} is missing")
    value = data[key]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise InputError(f"key {key!r} must be {kind.__name__}, not {type(value).__name__}")
    if isinstance(value, str) and not value.isprintable():
        raise InputError(f"key {key!r} holds characters that cannot be printed")
    return value


def _variant(game: Game, data: Any) -> Variant:
    if not isinstance(data, dict):
        raise InputError("each of 'variants' must be an object")
    given = _need(data, "rules", dict)
    if not all(isinstance(value, str | int) and not isinstance(value, bool) for value in given.values()):
        raise InputError("values of 'rules' must be words or whole numbers")
    rules = game.rules.rules(given)
    bots = _need(data, "bots", list)
    if len(bots) != rules.players:
        raise InputError(f"{len(bots)} bots for {rules.players} players")
    table = tuple(parse_player(game.name, game.bots, str(bot)) for bot in bots)
    return Variant(str(_need(data, "label", str)), rules, table)


def _variants(game: Game, data: list[Any]) -> tuple[Variant, ...]:
    if not 1 <= len(data) <= MAX_VARIANTS:
        raise InputError(f"it has {len(data)} variants; allowed: 1 … {MAX_VARIANTS}")
    variants = tuple(_variant(game, variant) for variant in data)
    if len({variant.label for variant in variants}) < len(variants):
        raise InputError("two of its variants have the same label")
    return variants


def parse_manifest(text: str, where: str) -> Manifest:
    """Read a manifest; `where` names the file in messages.

    Raises
    ------
    InputError
        If it is not JSON, of another format, or names what this Kozyr does not know.
    """
    try:
        data = json.loads(text)
        if not isinstance(data, dict) or "format" not in data:
            raise InputError("it is not the manifest of a run")
        if data["format"] is True or data["format"] != FORMAT:
            raise InputError(f"it has format {data['format']!r}, and this Kozyr reads format {FORMAT}")
        return _manifest(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{where}: damaged: not JSON ({error})") from None
    except KozyrError as error:
        raise InputError(f"{where}: {error}") from None


def _manifest(data: Mapping[str, Any]) -> Manifest:
    game = find_game(_need(data, "game", str))
    columns = _need(data, "columns", list)
    if columns != game.counts.columns:
        raise InputError("it counts other things than this Kozyr; read it with the version that made it")
    games, shard_games = _need(data, "games", int), _need(data, "shard_games", int)
    if not (1 <= games <= MAX_GAMES and 1 <= shard_games <= MAX_GAMES and games <= shard_games * MOST_SHARDS):
        raise InputError(f"games = {games}, shard_games = {shard_games} are out of range")
    manifest = Manifest(
        game=game,
        variants=_variants(game, _need(data, "variants", list)),
        seed=check_seed(_need(data, "seed", int)),
        games=games,
        shard_games=shard_games,
        rotate_seats=_need(data, "rotate_seats", bool),
        keep_games=_need(data, "keep_games", bool),
        kozyr=_need(data, "kozyr", str),
        code=_need(data, "code", str),
        command=_need(data, "command", str),
        state=_need(data, "state", str),
        digest=_need(data, "digest", str),
        until=_need(data, "until", str),
    )
    played = _need(data, "played", int)
    if not 1 <= played <= games or (played < games and not manifest.until):
        raise InputError(f"damaged: played = {played} of {games} games")
    if played < games:
        manifest = replace(manifest, games=played, limit=games)
    if data.get("run_id") != manifest.run_id:
        if manifest.code != code_hash(game.name):
            raise InputError(
                f"damaged, or made by a Kozyr with other options or bots (it says Kozyr {manifest.kozyr}, code"
                f" {manifest.code}); read it with the version that made it"
            )
        raise InputError("damaged: its run_id does not fit its contents")
    if manifest.state not in ("running", "complete"):
        raise InputError(f"damaged: impossible state {manifest.state!r}")
    return manifest
