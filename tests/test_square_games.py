"""Whole games of Square: every replay passes the judge of the rules page, every count agrees with it, every option matters."""

from __future__ import annotations

import os
import random
import re
import subprocess
import sys
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

from simcore import replay, simulate
from simcore.games import find_game
from simcore.games.square.metrics import COUNTS, KINDS
from simcore.games.square.rules import RULES
from simcore.options import WordOption
from simcore.replay import Replay
from simcore.shards import seatings
from tests.reference.square import Report, check
from tests.reference.square_check import DealReport
from tests.reference.square_table import DEFAULTS, OPTIONS, PLACES, is_free, line_points, lines_of

BOTS = ("random", "greedy", "builder", "builder(end_from=7)")


def random_rules(rng: random.Random, players: int) -> dict[str, Any]:
    """Draw a value for every option; matches are kept short."""
    rules = {name: rng.choice(list(values)) for name, (values, _) in OPTIONS.items()}
    short = {"deals": rng.randint(1, 5), "target": rng.randint(1, 40), "max_deals": rng.randint(1, 8)}
    return {**rules, **short, "end_at": rng.choice([*range(1, 7), rng.randint(1, 16)]), "players": players}


def random_bots(rng: random.Random, players: int) -> str:
    if rng.random() < 0.4:
        return rng.choice(BOTS)
    return ",".join(rng.choice(BOTS) for _ in range(players))


# -- the declarations -------------------------------------------------------------------------------------------------------


def test_options_are_those_of_the_page() -> None:
    assert {option.name: option.default for option in RULES} == DEFAULTS
    for option in RULES:
        allowed = list(OPTIONS[option.name][0])
        if isinstance(option, WordOption):
            assert sorted(map(str, option.all_values())) == sorted(allowed)
            continue
        for value in allowed:
            assert option.parse(value) == value
        for value in (min(allowed) - 1, max(allowed) + 1):
            with pytest.raises(Exception, match=re.escape(option.allowed)):
                option.parse(value)


# -- counts, counted again from the events ----------------------------------------------------------------------------------


def _halves(mine: int, theirs: int) -> int:
    return 1 if mine == theirs else 2 * (mine > theirs)


def deal_counts(deal: DealReport, before: list[int], rules: dict[str, Any]) -> Counter[str]:
    """Return the counts of one deal."""
    found: Counter[str] = Counter(
        deals=1,
        side_deals=2,
        turns=deal.turns,
        choices=deal.actions,
        asks=deal.asks,
        vetoes=deal.vetoes,
        worth=sum(deal.worth),
        score=sum(deal.score),
        deal_margin=abs(deal.score[0] - deal.score[1]),
        gift_numbers=deal.uses["number", "other"],
        gift_jacks=deal.uses["J", "other"],
        jack_cost=deal.jack_cost,
        number_cost=sum(deal.gift_cost) - deal.jack_cost,
    )
    for k, kind in enumerate(("number", "T", "J", "Q", "K")):
        found[f"laid_own.{k}"] = deal.uses[kind, "own"]
        found[f"discarded.{k}"] = deal.uses[kind, "discard"]
    for side in range(2):
        wins = _halves(deal.score[side], deal.score[1 - side])
        place = (side - deal.first) % 2
        found[f"deal_wins.{place}"] += wins
        found[f"deal_score.{place}"] += deal.score[side]
        if before[side] < before[1 - side]:
            found["behind_deals"] += 1
            found["behind_wins"] += wins
        for k, rank in enumerate(PLACES):
            square = deal.squares[side]
            found[f"open_places.{k}"] += not is_free(square, rank)
            through = [line for line in lines_of(rules["layout"]) if rank in line]
            found[f"place_points.{k}"] += sum(line_points(square, line, rules) for line in through)
    if deal.ender is None:
        found["exhausted"] = 1
        return found
    mine, theirs = deal.score[deal.ender], deal.score[1 - deal.ender]
    worth = deal.worth[deal.ender]
    found["ended"], found["ender_worth"], found["ender_wins"] = 1, worth, _halves(mine, theirs)
    found["excess"] = worth - rules["end_at"]
    found["ender_score"], found["other_score"] = mine, theirs
    return found


def match_counts(report: Report, entrants: list[int]) -> Counter[str]:
    """Return every count of a match, from what the judge of the events saw."""
    found: Counter[str] = Counter(games=1, decided=report.winner is not None, capped=report.capped)
    found["drawn"] = report.winner is None and not report.capped
    before = [0, 0]
    leaders: list[int] = []
    for deal in report.deals:
        for column, value in deal_counts(deal, before, report.rules).items():
            found[column] += value
        for seat, entrant in enumerate(entrants):
            found[f"entrant_deal_wins.{entrant}"] += _halves(deal.score[seat % 2], deal.score[1 - seat % 2])
            found[f"entrant_score.{entrant}"] += deal.score[seat % 2]
        before = deal.total
        if before[0] != before[1]:
            leaders.append(int(before[1] > before[0]))
    found["lead_changes"] = sum(a != b for a, b in pairwise(leaders))
    for seat, entrant in enumerate(entrants):
        found[f"entrant_games.{entrant}"] += 1
        if not report.capped:
            found[f"entrant_wins.{entrant}"] += _halves(report.total[seat % 2], report.total[1 - seat % 2])
    if not report.capped:
        for side in range(2):
            place = (side - report.deals[0].first) % 2
            found[f"match_wins.{place}"] = _halves(report.total[side], report.total[1 - side])
    if report.winner is not None:
        found.update(_winner_counts(report, report.winner))  # `+=` would drop what is negative
    return found


def _winner_counts(report: Report, winner: int) -> Counter[str]:
    found: Counter[str] = Counter(margin=abs(report.total[0] - report.total[1]))
    totals = [deal.total for deal in report.deals]
    half = totals[len(totals) // 2 - 1] if len(totals) > 1 else [0, 0]
    found["comebacks"] = half[winner] < half[1 - winner]
    for tenth in range(10):
        after = -(-(tenth + 1) * len(totals) // 10)  # the first deal by which a tenth is over
        found[f"winner_led.{tenth}"] = totals[after - 1][winner] > totals[after - 1][1 - winner]
    return found


def judge(game: Replay) -> Report:
    """Check a replay's events by the page, and its row of counts by the events."""
    report = check(game.events)
    expected = match_counts(report, game.events[0]["entrants"])
    assert dict(game.counts) == {column: expected[column] for column in COUNTS.columns}
    return report


def judge_many(games: int, players: int, seed: int) -> Counter[str]:
    """Judge games over the whole space of options and bots; return what was met."""
    rng = random.Random(seed)
    met: Counter[str] = Counter()
    for _ in range(games):
        rules = random_rules(rng, players)
        game = replay(
            "square",
            seed=rng.randrange(2**40),
            index=rng.randrange(2**30),
            set=rules,
            bots=random_bots(rng, players),
            rotate_seats=rng.random() < 0.5,
        )
        report = judge(game)
        met += Counter({column: value for column, value in game.counts.items() if value > 0})
        met += Counter(f"{name}={value}" for name, value in report.rules.items())
    return met


@pytest.mark.parametrize("players", [2, 4])
def test_replays_pass_the_judge_over_all_options(players: int) -> None:
    met = judge_many(300, players, seed=players)
    for option in RULES:
        if isinstance(option, WordOption):
            assert all(met[f"{option.name}={value}"] > 50 for value in option.all_values())
    never = {"asks", "vetoes"} if players == 2 else set()
    for column in (
        "ended",
        "exhausted",
        "drawn",
        "capped",
        "comebacks",
        "gift_jacks",
        "gift_numbers",
        "asks",
        "vetoes",
    ):
        assert (met[column] > 0) == (column not in never), column


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(10))
def test_many_replays_pass_the_judge(seed: int) -> None:
    judge_many(600, 2 if seed % 2 else 4, seed=1000 + seed)


def test_a_batch_is_the_sum_of_its_replays() -> None:
    run = simulate("square", 60, set={"players": 4}, bots="greedy", seed=9, rotate_seats=True)
    sums: Counter[str] = Counter()
    for index in range(60):
        game = replay("square", 9, index, set={"players": 4}, bots="greedy", rotate_seats=True)
        judge(game)
        for column, value in game.counts.items():
            sums[column] += value
    frame = run.frame().sum()
    assert {column: int(frame[column]) for column in COUNTS.columns} == {c: sums[c] for c in COUNTS.columns}


# -- every option matters ---------------------------------------------------------------------------------------------------

COMPANIONS: dict[str, dict[str, Any]] = {
    "deals": {"match": "deals"},
    "consult": {"players": 4, "end_at": 2},
    "exhaust_excess": {"end_at": 1, "end_cost": 16},
    "max_deals": {"target": 1000},
    "end_cost": {"end_at": 3},
}


def _values(name: str) -> list[Any]:
    option = RULES[name]
    if isinstance(option, WordOption) or name == "players":
        return [value for value in option.all_values() if value != option.default]
    allowed = list(OPTIONS[name][0])
    return sorted({allowed[0], allowed[len(allowed) // 2], allowed[-1]} - {option.default})


@pytest.mark.parametrize("name", [option.name for option in RULES])
def test_each_value_of_each_option_changes_some_game(name: str) -> None:
    base = COMPANIONS.get(name, {})
    if name == "max_deals":
        base = {**base, "colour_points": 0, "suit_points": 1}
    for value in _values(name):
        changed = False
        for index in range(40):
            bots = ("greedy", "builder", "random")[index % 3]
            default = replay("square", 4, index, set=base, bots=bots).events[1:]
            other = replay("square", 4, index, set={**base, name: value}, bots=bots).events[1:]
            changed = changed or default != other
            if changed:
                break
        assert changed, f"{name}={value} changes nothing"


@pytest.mark.parametrize(
    ("settings", "option"),
    [
        ({"match": "target"}, "deals"),
        ({"match": "deals"}, "target"),
        ({"match": "deals"}, "max_deals"),
        ({"players": 2}, "consult"),
        ({"end_at": 16, "colour_points": 0, "suit_points": 1}, "excess"),
    ],
)
def test_an_option_without_effect_is_named_and_has_none(settings: dict[str, Any], option: str) -> None:
    assert option in RULES.inert(RULES.rules(settings).values_)
    values = [v for v in _values(option) if option != "max_deals" or v > 8]
    for value in values:
        for index in range(6):
            default = replay("square", 4, index, set=settings, bots="greedy").events[1:]
            assert replay("square", 4, index, set={**settings, option: value}, bots="greedy").events[1:] == default


# -- bots -------------------------------------------------------------------------------------------------------------------


def test_rotated_seats_keep_partners_together() -> None:
    game = find_game("square")
    assert game.partners
    seated = seatings([None] * 4, True, True).tolist()  # type: ignore[list-item]
    assert len(seated) == 4
    for seating in seated:
        assert {frozenset(seating[0::2]), frozenset(seating[1::2])} == {frozenset({0, 2}), frozenset({1, 3})}
    assert sorted(seating[0] for seating in seated) == [0, 1, 2, 3]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize(("better", "worse"), [("greedy", "random"), ("builder", "greedy")])
def test_better_bots_win(better: str, worse: str, players: int) -> None:
    """Five standard errors above a half, in matches and in deals, seats rotated."""
    bots = ",".join([better, worse] * (players // 2))
    run = simulate("square", 400, set={"players": players}, bots=bots, seed=21, rotate_seats=True)
    sums = run.frame().sum()
    for wins, units in (("entrant_wins.0", "games"), ("entrant_deal_wins.0", "deals")):
        share = sums[wins] / 2 / sums[units]
        assert share - 5 * (0.25 / sums[units]) ** 0.5 > 0.5, (wins, share)


def test_end_from_is_the_worth_from_which_deals_are_ended() -> None:
    for threshold in (6, 9):
        bots = f"builder(end_from={threshold})"
        sums = simulate("square", 60, bots=bots, seed=2).frame().sum()
        assert sums["ended"] > 0
        assert sums["ender_worth"] >= threshold * sums["ended"]


# -- text -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", ["natural", "magic"])
def test_text_draws_the_squares_as_they_lie(layout: str) -> None:
    game = replay("square", 3, 0, set={"layout": layout}, bots="random")
    report = check(game.events)
    lines = list(game.text())
    ends = [at for at, line in enumerate(lines) if line in ("  the deal was ended:", "  the pack ran out:")]
    assert len(ends) == len(report.deals)
    grid = {"natural": ["A23", "456", "789"], "magic": ["492", "357", "8A6"]}[layout]
    for at, deal in zip(ends, report.deals, strict=True):
        for row, ranks in enumerate(grid):
            shown = lines[at + 1 + row].split()
            for side in range(2):
                for k, rank in enumerate(ranks):
                    pile = deal.squares[side][rank]
                    top = "." if not pile else pile[-1].card if pile[-1].is_open else "##"
                    assert shown[3 * side + k] == top


def test_kinds_name_the_metrics_by_use() -> None:
    names = find_game("square").metric_names
    for kind in KINDS:
        assert {f"{kind}s_own", f"{kind}s_discarded"} <= set(names)


# -- one engine -------------------------------------------------------------------------------------------------------------


def test_threads_do_not_matter() -> None:
    one, two = (
        simulate("square", 230, set={"players": 4}, bots="builder,greedy,random,greedy", seed=8, threads=threads)
        for threads in (1, 2)
    )
    assert one.tallies.digest() == two.tallies.digest()


_REPLAYS = """
import json, warnings
warnings.simplefilter("ignore")  # without the compiler, numpy tells of every product that wraps round
from simcore import replay
for players in (2, 4):
    for bots in ("random", "greedy", "builder"):
        game = replay("square", 5, 1, set={"players": players, "max_deals": 2, "end_at": 3}, bots=bots)
        print(json.dumps([list(game.events), dict(game.counts)]))
"""


def test_games_are_the_same_with_the_compiler_off() -> None:
    printed = [
        subprocess.run(
            [sys.executable, "-c", _REPLAYS], env={**os.environ, **extra}, capture_output=True, text=True, check=True
        ).stdout
        for extra in ({"NUMBA_DISABLE_JIT": "1"}, {})
    ]
    assert printed[0] == printed[1]
    assert len(printed[0].splitlines()) == 6
