"""Bots as declarations, and how one is named: ``random``, ``threshold(stand=16, stake=half)``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from simcore.errors import InputError, unknown
from simcore.metrics import Ints
from simcore.options import Option, Setting, parse_assignment

_EXPRESSION = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)\s*(?:\((.*)\))?\Z", re.DOTALL)


@dataclass(frozen=True)
class Bot:
    """One bot of a game: a name, one line of meaning, and its parameters, declared like options."""

    name: str
    meaning: str
    params: tuple[Option, ...] = ()


@dataclass(frozen=True)
class Player:
    """A bot with a value for each parameter."""

    code: int
    bot: Bot
    values: tuple[Setting, ...]

    def __str__(self) -> str:
        given = [
            f"{param.name}={value}"
            for param, value in zip(self.bot.params, self.values, strict=True)
            if value != param.default
        ]
        return f"{self.bot.name}({','.join(given)})" if given else self.bot.name

    def encode(self, width: int) -> list[int]:
        """The kernel's integers: the bot's code, its parameters, zeros up to `width`."""
        line = [self.code, *(p.encode(v) for p, v in zip(self.bot.params, self.values, strict=True))]
        return line + [0] * (width - len(line))


def parse_player(game: str, bots: Sequence[Bot], text: str) -> Player:
    """Read one bot expression; raise `InputError` for an unknown bot or parameter, or a value out of range."""
    match = _EXPRESSION.match(text.strip())
    if not match:
        raise InputError(f"{text!r} is not a bot; write name or name(parameter=value,…); {_names(game, bots)}")
    names = [bot.name for bot in bots]
    if match[1] not in names:
        raise unknown(f"bot of {game}", match[1], names)
    code = names.index(match[1])
    bot = bots[code]
    given: dict[str, str] = {}
    for part in match[2].split(",") if (match[2] or "").strip() else ():
        name, value = _parameter(bot, part)
        if name in given:
            raise InputError(f"parameter {name!r} of bot {bot.name!r} is given twice in {text.strip()!r}")
        given[name] = value
    values = tuple(p.parse(given[p.name]) if p.name in given else p.default for p in bot.params)
    return Player(code, bot, values)


def _parameter(bot: Bot, text: str) -> tuple[str, str]:
    name, value = parse_assignment(text)
    if not bot.params:
        raise InputError(f"bot {bot.name!r} takes no parameters; got {text.strip()!r}")
    names = [p.name for p in bot.params]
    if name not in names:
        raise unknown(f"parameter of bot {bot.name!r}", name, names)
    return name, value


def _names(game: str, bots: Sequence[Bot]) -> str:
    return f"bots of {game}: {', '.join(bot.name for bot in bots)}"


def split_players(text: str) -> list[str]:
    """Split a ``--bots`` list at the commas that stand outside parentheses."""
    parts, depth, start = [], 0, 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    return [*parts, text[start:]]


def parse_table(game: str, bots: Sequence[Bot], text: str, players: int) -> tuple[Player, ...]:
    """Read ``--bots``: one bot for all seats, or one a seat."""
    table = tuple(parse_player(game, bots, part) for part in split_players(text))
    if len(table) == 1:
        return table * players
    if len(table) != players:
        raise InputError(f"--bots {text!r} names {len(table)} bots for {players} players; name one, or one a seat")
    return table


def width(bots: Sequence[Bot]) -> int:
    """Integers that encode any of the bots."""
    return 1 + max(len(bot.params) for bot in bots)


def encode_table(table: Sequence[Player], bots: Sequence[Bot]) -> Ints:
    """The kernel's view of a table; int64, shape (entrants, width)."""
    return np.array([player.encode(width(bots)) for player in table], dtype=np.int64)
