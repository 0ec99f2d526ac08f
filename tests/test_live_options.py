"""No option is dead: each value other than the default changes some game; and what is said to have no effect has none."""

from __future__ import annotations

import hashlib
import random
from itertools import islice
from typing import Any

import numpy as np
from conftest import any_rules, some_values, variant

from simcore.bots import Player
from simcore.errors import InputError
from simcore.games.base import Game
from simcore.options import Option, Rules, Setting
from simcore.shards import Variant, empty_tally, make_job

SEED = 17
CONTEXTS = 60
FEW, MANY = 60, 1500
BOTS = {
    ("ochko", "banker_card"): "basic",
    ("ochko", "hidden_bust"): "threshold(conceal=0.5)",
    ("ochko", "max_circles"): "threshold(stake=min)",
}
"""Where random players never do what an option is about: bots that do."""


def result(game: Game, one: Variant, games: int) -> str:
    """A hash of all that is counted in the first games of a variant."""
    tally = empty_tally(game)
    game.play_shard(make_job(game, one, SEED, False), 0, games, tally)
    return hashlib.sha256(tally.sums.tobytes() + tally.hist.tobytes()).hexdigest()


def differs(game: Game, one: Rules, other: Rules, bots: str = "random") -> bool:
    """Whether two rules play other games, looked for in few games and then in many."""
    pair = [variant(game, rules, bots) for rules in (one, other)]
    return any(len({result(game, each, n) for each in pair}) == 2 for n in (FEW, MANY))


def contexts(game: Game, option: Option, value: Setting) -> Any:
    """Pairs of rules that differ in one option only, default and `value`, where it is not declared without effect."""
    rng = random.Random(f"{option.name}={value}")
    short = {o.name: 40 for o in game.rules if o.name.startswith("max_") and o is not option}
    defaults = {o.name: o.default for o in game.rules}
    for nth in range(CONTEXTS):
        base = defaults if nth == 0 else dict(any_rules(game, rng, short))
        try:
            default = game.rules.rules({**base, option.name: option.default})
            changed = game.rules.rules({**base, option.name: value})
        except InputError:
            continue
        if option.name not in game.rules.inert(changed) and option.name not in game.rules.inert(default):
            yield default, changed


def test_every_value_of_every_option_changes_some_game(game: Game) -> None:
    dead = []
    for option in game.rules:
        for value in some_values(option):
            if value == option.default:
                continue
            tried = list(islice(contexts(game, option, value), CONTEXTS))
            assert tried, f"{option.name}={value} is declared without effect everywhere"
            bots = BOTS.get((game.name, option.name), "random")
            if not any(differs(game, default, changed, bots) for default, changed in tried):
                dead.append(f"{option.name}={value}")
    assert not dead, f"options of {game.name} without any effect on {CONTEXTS} mixtures of rules: {', '.join(dead)}"


def test_what_is_declared_without_effect_has_none(game: Game) -> None:
    rng = random.Random(23)
    found = set()
    short = {o.name: 40 for o in game.rules if o.name.startswith("max_")}
    for nth in range(90):
        rules = any_rules(game, rng, short if nth % 9 else {})
        for name in game.rules.inert(rules):
            for value in some_values(game.rules[name]):
                try:
                    other = rules.with_({name: value})
                except InputError:
                    continue
                if name not in game.rules.inert(other):
                    continue  # the value itself gives the option an effect
                found.add(name)
                one, two = variant(game, rules), variant(game, other)
                assert result(game, one, 12) == result(game, two, 12), f"{name}={value} has an effect in {rules}"
        effective = rules.effective()
        assert effective.effective() == effective
        assert result(game, variant(game, rules), 12) == result(game, variant(game, effective), 12), rules
    probe = [name for _ in range(300) for name in game.rules.inert(any_rules(game, rng))]
    assert found == set(probe)


PARAMETERS = {("ochko", "blind_from"): {"stand": 21}}
"""Parameters that matter only beside others: their values there."""


def test_every_parameter_of_every_bot_changes_some_game(game: Game) -> None:
    dead = []
    for code, bot in enumerate(game.bots):
        for at, param in enumerate(bot.params):
            beside = PARAMETERS.get((game.name, param.name), {})
            defaults = tuple(beside.get(each.name, each.default) for each in bot.params)
            for value in some_values(param):
                changed = (*defaults[:at], value, *defaults[at + 1 :])
                if value != param.default and not _bot_differs(game, code, defaults, changed):
                    dead.append(f"{bot.name}({param.name}={value})")
    assert not dead, f"parameters of bots of {game.name} without any effect: {', '.join(dead)}"


def _bot_differs(game: Game, code: int, one: tuple[Setting, ...], other: tuple[Setting, ...]) -> bool:
    rng = random.Random(5)
    short = {o.name: 40 for o in game.rules if o.name.startswith("max_")}
    for nth in range(12):
        rules = game.rules.rules() if nth == 0 else any_rules(game, rng, short)
        results = []
        for values in (one, other):
            table = (Player(code, game.bots[code], values),) * rules.players
            results.append(result(game, Variant("", rules, table), 100))
        if results[0] != results[1]:
            return True
    return False


def test_every_bot_plays_in_its_own_way(game: Game) -> None:
    rules = game.rules.rules()
    played = {bot.name: result(game, variant(game, rules, bot.name), 300) for bot in game.bots}
    assert len(set(played.values())) == len(game.bots), f"two bots of {game.name} play alike"


def test_the_same_deals_are_played_under_all_rules(game: Game) -> None:
    """The first deal of a game does not depend on options that come into play after it."""
    from simcore.replay import replay_variant

    def first_deal(rules: Rules) -> Any:
        events = replay_variant(game, variant(game, rules), SEED, 3).events
        return next(event for event in events[1:] if "hands" in event or "deal" in event)

    rules = game.rules.rules()
    same = [
        first_deal(rules) == first_deal(rules.with_({option.name: value}))
        for option in game.rules
        if option.name in ("target", "seven", "penalty", "end_at", "excess", "match", "gifts", "duel", "ace")
        for value in some_values(option)
    ]
    assert np.mean(same) == 1.0
    assert len(same) > 2
