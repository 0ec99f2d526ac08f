"""The universes of a claim: its tables of bots, and the readings of the rules, changed one at a time or crossed."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from analysis.claim import Claim
from analysis.verdicts import settings_text
from simcore.errors import InputError
from simcore.options import Setting
from simcore.shards import Variant

LEAST_GAMES = 5_000
"""A universe gets at least so many games for each variant; crossing all rulings must leave each so many."""
MOST_UNIVERSES = 20_000


@dataclass(frozen=True)
class Universe:
    """One table of bots, and the rulings that differ from the claim's own.

    Attributes
    ----------
    bots : str
    settings : tuple of (str, Setting)
    variants : tuple of Variant
        What is played.
    same : tuple of str
        Other rulings that, beside these, have no effect, so that they play the same games.
    """

    bots: str
    settings: tuple[tuple[str, Setting], ...]
    variants: tuple[Variant, ...]
    same: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return settings_text(dict(self.settings))

    @property
    def key(self) -> str:
        """Its name in the folder of a multiverse."""
        return f"{self.bots}|{self.text}"


def all_settings(claim: Claim, crossed: bool) -> list[tuple[tuple[str, Setting], ...]]:
    """The changes of rulings to be looked at, none at all first."""
    common = claim.game.rules.rules(claim.set)
    if not crossed:
        return [(), *(((n, v),) for n, values in claim.rulings.items() for v in values if v != common[n])]
    names = list(claim.rulings)
    choices = [list(dict.fromkeys([common[name], *claim.rulings[name]])) for name in names]
    return [tuple((n, v) for n, v in zip(names, values, strict=True) if v != common[n]) for values in product(*choices)]


def universes(claim: Claim, crossed: bool) -> tuple[list[Universe], list[str]]:
    """All universes, the claim's own first, and those that cannot be played with the reason.

    Universes that play the same games, since a ruling has no effect beside the others, are one.
    """
    found: dict[tuple[Any, ...], Universe] = {}
    left_out = []
    for table in dict.fromkeys((claim.bots, *claim.more_bots)):
        for settings in all_settings(claim, crossed):
            try:
                variants = claim.variants(dict(settings), table)
            except InputError as error:
                left_out.append(f"{table}; {settings_text(dict(settings)) or 'as it stands'}: {error}")
                continue
            played = tuple((variant.rules, variant.table) for variant in variants)
            first = found.get(played)
            if first is None:
                found[played] = Universe(table, settings, variants)
            else:
                same = (*first.same, settings_text(dict(settings)))
                found[played] = Universe(first.bots, first.settings, first.variants, same)
    return list(found.values()), left_out


@dataclass(frozen=True)
class Planned:
    """The universes that fit a budget: see `plan_universes`."""

    universes: list[Universe]
    left_out: list[str]
    crossed: bool
    games: int


def plan_universes(claim: Claim, budget: int, crossed: bool | None) -> Planned:
    """Choose the universes that fit a budget of games.

    Raises
    ------
    InputError
        If the budget leaves a universe fewer than `LEAST_GAMES` games (or than the claim's own limit).
    """
    sides = 1 if claim.baseline is None else 2
    least = min(LEAST_GAMES, claim.max_games)
    count = len(dict.fromkeys((claim.bots, *claim.more_bots)))
    for values in claim.rulings.values():
        count *= len(values)
    may_cross = count <= MOST_UNIVERSES and count * sides * least <= budget
    if crossed and not may_cross:
        raise InputError(_too_many(claim, count, count * sides * least, budget))
    cross = may_cross if crossed is None else crossed
    found, left_out = universes(claim, cross)
    if not found:
        raise InputError(f"{claim.id}: no universe of this claim can be played: {left_out[0]}")
    games = min(claim.max_games, budget // (len(found) * sides))
    if games < least:
        need = len(found) * sides * least
        raise InputError(f"{claim.id}: {len(found)} universes need --budget {need} or more; {budget} is given")
    return Planned(found, left_out, cross, games)


def _too_many(claim: Claim, count: int, need: int, budget: int) -> str:
    ways = "leave out --crossed to change one ruling at a time, or name fewer with --ruling"
    if count > MOST_UNIVERSES:
        return f"{claim.id}: crossing all rulings makes {count} universes; at most {MOST_UNIVERSES} ({ways})"
    return (
        f"{claim.id}: crossing all rulings makes {count} universes, which need --budget {need} or more; {budget} is given"
        f" ({ways})"
    )
