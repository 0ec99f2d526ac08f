"""Bank's kernel against the reference: every event, score and count of thousands of games over all options."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
import pytest
from reference.bank import Report, RuleViolation, check
from reference.bank_counts import expected_row

from simcore import find_game
from simcore.bots import parse_table
from simcore.options import IntOption, Option, Setting
from simcore.replay import replay_variant
from simcore.shards import Variant, empty_tally, make_job
from simcore.tally import Tally

GAME = find_game("bank")
PLAYERS = GAME.rules["players"].all_values()
COMPANIONS = ({"penalty": "fixed"}, {"penalty": "per_card"})
LIMITS: dict[str, tuple[int, ...]] = {"target": (1, 20, 60, 120, 248), "max_rounds": (1, 3, 8, 15)}


def some_values(option: Option) -> tuple[Setting, ...]:
    """All values of an option; of a long range its ends, the default, and some between."""
    if isinstance(option, IntOption) and option.high - option.low > 20:
        between = [option.low + 1, (option.low + option.high) // 7, option.high - 1]
        return tuple(sorted({option.low, int(option.default), option.high, *between}))
    return option.all_values()


def alone() -> Iterator[tuple[str, dict[str, Setting]]]:
    """Each value of each option by itself, at each number of players, where it has an effect."""
    for option in GAME.rules:
        for value in some_values(option):
            for players in PLAYERS:
                settings: dict[str, Setting] = {"max_rounds": 30, "players": players, option.name: value}
                for companion in ({}, *COMPANIONS):
                    if option.name not in GAME.rules.inert(GAME.rules.rules({**settings, **companion})):
                        yield option.name, {**settings, **companion}
                        break
                else:
                    raise AssertionError(f"{option.name} has no effect in any company")


def combination(rng: random.Random) -> dict[str, Setting]:
    """A random value of every option, with limits that keep games short."""
    values = {o.name: rng.choice(LIMITS.get(o.name, some_values(o))) for o in GAME.rules}
    return dict(GAME.rules.rules(values))


def some_bots(players: int, rng: random.Random) -> str:
    """Random bots at two tables of three, any bots at the others."""
    if rng.random() < 2 / 3:
        return "random"
    return ",".join(rng.choice(GAME.bots).name for _ in range(players))


def variant_of(settings: Mapping[str, Setting], bots: str) -> Variant:
    """Rules with bots at the table."""
    rules = GAME.rules.rules(settings)
    return Variant(rules.label(), rules, parse_table(GAME.name, GAME.bots, bots, rules.players))


def play_shard(variant: Variant, seed: int, games: int) -> Tally:
    """Play games 0, 1 … as a batch does, and keep their rows."""
    tally = empty_tally(GAME, games)
    GAME.play_shard(make_job(GAME, variant, seed, False), 0, games, tally)
    return tally


def replay_and_check(variant: Variant, seed: int, index: int, row: Mapping[str, int]) -> Report:
    """Replay a game of a batch: the page allows it, and the batch counted what the checker counts."""
    bots = ",".join(str(player) for player in variant.table)
    where = f"replay bank --seed {seed} --index {index} --bots {bots}: {variant.label}"
    game = replay_variant(GAME, variant, seed, index)
    try:
        report = check(game.events)
    except RuleViolation as violation:
        pytest.fail(f"{where}: {violation}")
    assert dict(game.counts) == dict(row), where
    wanted = expected_row(report)
    differ = {name: (number, wanted[name]) for name, number in row.items() if number != wanted[name]}
    assert not differ, f"{where}: counted and expected {differ}"
    assert set(wanted) <= set(row)
    return report


def play_and_check(settings: Mapping[str, Setting], bots: str, seed: int, games: int) -> list[Report]:
    """Play a shard, check each of its games, and compare its tallies with what the checker found."""
    variant = variant_of(settings, bots)
    tally = play_shard(variant, seed, games)
    reports = [replay_and_check(variant, seed, index, GAME.row_of(row)) for index, row in enumerate(tally.rows)]
    assert tally.sums.tolist() == tally.rows.sum(axis=0).tolist()
    wanted = expected_hist(reports)
    for h in GAME.histograms:
        assert tally.hist[GAME.histograms.slice_of(h.name)].tolist() == wanted[h.name], h.name
    return reports


def expected_hist(reports: list[Report]) -> dict[str, list[int]]:
    """The histograms that the checked games give."""
    rounds = [one for report in reports for one in report.rounds]
    found: dict[str, list[int]] = {
        "rounds": [len(report.rounds) for report in reports],
        "lead_changes": [expected_row(report)["lead_changes"] for report in reports],
        "margin": [expected_row(report)["margin"] for report in reports],
        "round_turns": [one.turns for one in rounds],
        "round_laid": [one.cards_laid for one in rounds],
        "round_score": [score for one in rounds for score in one.score],
    }
    bins = {}
    for h in GAME.histograms:
        places = [min(max(value, h.low - 1), h.high + 1) - h.low + 1 for value in found[h.name]]
        bins[h.name] = np.bincount(places, minlength=h.bins).tolist()
    return bins


@pytest.mark.parametrize("name", [option.name for option in GAME.rules])
def test_each_value_of_an_option_alone(name: str) -> None:
    for number, (option, settings) in enumerate(alone()):
        if option == name:
            assert len(play_and_check(settings, "random", seed=1000 + number, games=3)) == 3


@pytest.mark.parametrize("chunk", range(8))
def test_random_combinations_of_all_options(chunk: int) -> None:
    rng = random.Random(chunk)
    seen: Counter[str] = Counter()
    for number in range(25):
        settings = combination(rng)
        bots = some_bots(int(settings["players"]), rng)
        for report in play_and_check(settings, bots, seed=100 * chunk + number, games=10):
            seen["games"] += 1
            seen.update({f"capture {why}": n for why, n in report.by("captures").items()})
            seen.update({f"draw {why}": n for why, n in report.by("draws").items()})
            seen.update({f"out {place}": n for place, n in report.outs.items()})
            seen.update({f"out with {what}": n for what, n in report.out_with.items()})
            for name in ("captures_when_out", "choice_draws", "declines", "skips", "fails", "hits"):
                seen[name] += report.sum(name)
            seen["capped"] += report.capped
            seen["blocked"] += report.blocked
    wanted = {f"capture {why}" for why in ("failed", "final", "trump_king")}
    wanted |= {f"draw {why}" for why in ("turn", "seven", "extra")}
    wanted |= {"out 1", "out 2", "out 3", "out with king", "capped", "blocked"}
    wanted |= {"captures_when_out", "choice_draws", "declines", "skips"}
    assert seen["games"] == 250
    assert {name for name in wanted if not seen[name]} == set()


RARE = [column for column in GAME.counts.columns if column.startswith(("outs_", "kings_", "trump_king_"))]


@pytest.mark.parametrize("column", RARE)
def test_games_with_a_rare_event(column: str) -> None:
    """The batch's counts say where the event is; the games in which it is are replayed and checked."""
    rng = random.Random(column)
    found = seed = 0
    while found < 12:
        seed += 1
        variant = variant_of(combination(rng), "random")
        rows = play_shard(variant, seed, 400).rows
        for index in np.flatnonzero(rows[:, GAME.counts.position[column]])[:3].tolist():
            replay_and_check(variant, seed, index, GAME.row_of(rows[index]))
            found += 1
