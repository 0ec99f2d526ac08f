"""Which variants a run compares: options set, options varied (crossed, or one at a time), tables of bots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from simcore.bots import Player, parse_table
from simcore.errors import InputError
from simcore.games.base import Game
from simcore.options import Rules, Setting
from simcore.shards import Variant

MAX_VARIANTS = 10_000


@dataclass(frozen=True)
class Plan:
    """The variants of a run, and remarks for the user on what was left out and why."""

    variants: tuple[Variant, ...]
    notes: tuple[str, ...]


def _settings(
    base: Mapping[str, Setting], vary: Mapping[str, Sequence[Setting]], one_at_a_time: bool
) -> list[dict[str, Setting]]:
    """All settings to run: the cross product, or the base and each value by itself."""
    if one_at_a_time:
        alone = [{**base, name: value} for name, values in vary.items() for value in values]
        return [dict(base), *alone]
    size = 1
    for values in vary.values():
        size *= len(values)
    if size > MAX_VARIANTS:
        raise InputError(f"--vary asks for {size} variants; at most {MAX_VARIANTS} (try --one-at-a-time)")
    return [{**base, **dict(zip(vary, values, strict=True))} for values in product(*vary.values())]


def _label(rules: Rules, varied: Iterable[str], table: Sequence[Player], several_tables: bool) -> str:
    """What tells a variant from the others: the options that vary, the bots where they vary; else what is not the default."""
    shown = {name: rules[name] for name in varied}
    text = ", ".join(f"{name}={value}" for name, value in shown.items()) or rules.label()
    if not several_tables:
        return text
    names = [str(player) for player in table]
    bots = names[0] if len(set(names)) == 1 else "/".join(names)
    return f"{text}; {bots}" if shown else bots


def plan(
    game: Game,
    base: Mapping[str, Setting],
    vary: Mapping[str, Sequence[Setting]],
    tables: Sequence[str],
    one_at_a_time: bool = False,
) -> Plan:
    """Work out the variants.

    Parameters
    ----------
    game : Game
    base : mapping
        Options set for all variants.
    vary : mapping
        Options varied, each with its values.
    tables : sequence of str
        Bot lists as in ``--bots``; each is played under all rules.
    one_at_a_time : bool
        Vary one option at a time from the base, instead of crossing them.

    Returns
    -------
    Plan
        Variants that would play the same games as an earlier one are left out, and the notes say why.

    Raises
    ------
    InputError
        For unknown names, impossible values, or combinations of which every one is impossible.
    """
    doubled = next((name for name in vary if name in base), None)
    if doubled:
        raise InputError(f"option {doubled!r} is both set and varied; give it once")
    if not tables or not all(vary.values()):
        raise InputError("there is nothing to play: a list of bots, or of values to vary, is empty")
    found: dict[tuple[Rules, tuple[Player, ...]], Variant] = {}
    notes: list[str] = []
    problems: list[str] = []
    for settings in _settings(base, vary, one_at_a_time):
        shown = [name for name in vary if name in settings]
        try:
            rules = game.rules.rules(settings)
        except InputError as error:
            if len(vary) < 2 and not one_at_a_time:
                raise
            problems.append(str(error))
            continue
        notes += _inert_notes(rules, base, vary)
        for table in _tables(game, tables, rules.players, notes):
            label = _label(rules.effective(), shown, table, len(tables) > 1)
            found.setdefault((rules.effective(), table), Variant(label, rules.effective(), table))
    if not found:
        raise InputError(problems[0])
    notes += [f"left out: {problem}" for problem in problems]
    return Plan(tuple(found.values()), tuple(dict.fromkeys(notes)))


def _tables(game: Game, texts: Sequence[str], players: int, notes: list[str]) -> Iterator[tuple[Player, ...]]:
    """The tables of bots, each once; a note tells of those that are given again."""
    found: set[tuple[Player, ...]] = set()
    for text in texts:
        table = parse_table(game.name, game.bots, text, players)
        if table in found:
            notes.append(f"the bots {text!r} are given twice; they are played once")
        else:
            found.add(table)
            yield table


def _inert_notes(rules: Rules, base: Mapping[str, Setting], vary: Mapping[str, Sequence[Setting]]) -> list[str]:
    inert = rules.ruleset.inert(rules.values_)
    return [
        f"{name} has no effect: {reason}" + ("; its values are run once" if name in vary else "")
        for name, reason in inert.items()
        if name in base or name in vary
    ]
