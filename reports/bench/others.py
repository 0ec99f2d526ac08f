"""What a user would pick instead: random playouts of games of like size in OpenSpiel and RLCard.

A *move* is a time that a player is to act, forced or not: the other libraries ask also who can only draw or pass, so turns
are counted as such here too (those taken away by a seven are not). Dealing is part of ours, and not of OpenSpiel's in C++.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import import_module
from importlib.metadata import version
from typing import Any

from reports.bench.kernels import NANO, Play
from reports.bench.lines import Goal, Line, NotMeasured, at_least
from reports.bench.measure import Costs, Effort, Work, in_turn, rough, thread_seconds

INSTALL = "needs the package {0}, which is not installed: pip install {0}"
DEALS, ROLLOUTS, LOOPS, EPISODES = 20, 400, 200, 20
CPP_GOAL, LOOP_GOAL = at_least(10), at_least(100)


def _module(name: str, package: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise NotMeasured(INSTALL.format(package)) from None


# --- ours -------------------------------------------------------------------------------------------------------------


def bank_moves(counts: Mapping[str, int]) -> int:
    """Moves in games of Bank."""
    return counts["turns"] - counts["skips"] + counts["extra_moves"]


def ochko_moves(counts: Mapping[str, int]) -> int:
    """Moves in games of Ochko, no more than there are: cards drawn by punters and bankers (stakes and stops not counted)."""
    return counts["draws"] + counts["bank_draws"]


def ours(name: str, effort: Effort) -> Callable[[], float]:
    """Work that plays one of our games, and returns the nanoseconds of a move."""
    moves, usual = {"bank": (bank_moves, 5000), "ochko": (ochko_moves, 50_000)}[name]
    play, games = Play(name), effort.size(usual)
    return play.cost(games, moves(play.counts(games)))


# --- OpenSpiel --------------------------------------------------------------------------------------------------------


def _chance(state: Any, rng: random.Random) -> None:
    actions, shares = zip(*state.chance_outcomes(), strict=True)
    state.apply_action(rng.choices(actions, shares)[0])


def _dealt(game: Any, rng: random.Random) -> Any:
    """A state after the deal."""
    state = game.new_initial_state()
    while state.is_chance_node():
        _chance(state, rng)
    return state


def _finish(state: Any, rng: random.Random) -> int:
    """Play a game to its end by random moves; returns how many."""
    moves = 0
    while not state.is_terminal():
        if state.is_chance_node():
            _chance(state, rng)
        else:
            state.apply_action(rng.choice(state.legal_actions()))
            moves += 1
    return moves


def _loop(game: Any, games: int, rng: random.Random) -> float:
    """OpenSpiel's usual loop in Python; returns nanoseconds a move."""
    moves: list[int] = []
    seconds = thread_seconds(lambda: moves.extend(_finish(game.new_initial_state(), rng) for _ in range(games)))
    return seconds / sum(moves) / NANO


def _rollouts(spiel: Any, game: Any, states: list[Any], times: int) -> float:
    """Rollouts in C++, those of its tree search: one visit of the root, with `times` rollouts; returns nanoseconds each."""
    evaluator = spiel.RandomRolloutEvaluator(times, 1)
    search = spiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, 1, False)
    return thread_seconds(lambda: [search.mcts_search(state) for state in states]) / len(states) / times / NANO


def openspiel(effort: Effort) -> Iterator[Line]:
    """Our games against OpenSpiel's, its rollouts in C++ and its loop in Python."""
    spiel = _module("pyspiel", "open_spiel")
    for name, theirs in (("bank", "crazy_eights(players=3)"), ("ochko", "blackjack")):
        yield from _against_openspiel(spiel, name, theirs, effort)


def _against_openspiel(spiel: Any, name: str, theirs: str, effort: Effort) -> Iterator[Line]:
    game, rng = spiel.load_game(theirs), random.Random(1)
    states = [_dealt(game, rng) for _ in range(max(2, effort.size(DEALS)))]
    rollouts, loops = max(10, effort.size(ROLLOUTS)), effort.size(LOOPS * (1 if name == "bank" else 10))
    per_state = max(10, effort.size(100))
    moves = sum(_finish(state.clone(), rng) for state in states for _ in range(per_state)) / len(states) / per_state
    works: dict[str, Work] = {
        "ours": ours(name, effort),
        "C++": lambda: _rollouts(spiel, game, states, rollouts) / moves,
        "loop": lambda: _loop(game, loops, rng),
    }
    costs = in_turn(works, effort.repeats)
    for what, told, goal in (("C++", "rollouts in C++", CPP_GOAL), ("loop", "loop in Python", LOOP_GOAL)):
        yield _line(
            name, f"OpenSpiel {version('open_spiel')} {theirs}, {told}", costs.ratio(what, "ours"), goal, costs, what
        )


def _line(name: str, against: str, ratio: float, goal: Goal | None, costs: Costs, what: str) -> Line:
    ours_rate, theirs_rate = (1 / costs.least(key) / NANO for key in ("ours", what))
    note = f"{rough(ours_rate)} and {rough(theirs_rate)} moves a second"
    return Line(f"{name} against {against}", ratio, "x faster", goal, note)


# --- RLCard -----------------------------------------------------------------------------------------------------------


def _episodes(env: Any, games: int) -> float:
    """RLCard's usual loop with its random agents; returns nanoseconds a move."""
    told: list[Any] = []
    seconds = thread_seconds(lambda: told.extend(env.run(is_training=False)[0] for _ in range(games)))
    return seconds / sum(len(trajectory) // 2 for game in told for trajectory in game) / NANO


def rlcard(effort: Effort) -> Iterator[Line]:
    """Our games against RLCard's, which are in Python."""
    module = _module("rlcard", "rlcard")
    agents = import_module("rlcard.agents")
    for name, theirs, scale in (("bank", "uno", 1), ("ochko", "blackjack", 20)):
        env = module.make(theirs, config={"seed": 1})
        env.set_agents([agents.RandomAgent(num_actions=env.num_actions) for _ in range(env.num_players)])
        works: dict[str, Work] = {
            "ours": ours(name, effort),
            "loop": partial(_episodes, env, effort.size(EPISODES * scale)),
        }
        costs = in_turn(works, effort.repeats)
        told = f"RLCard {version('rlcard')} {theirs}, loop in Python"
        yield _line(name, told, costs.ratio("loop", "ours"), None, costs, "loop")
