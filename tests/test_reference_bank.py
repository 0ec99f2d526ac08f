"""The reference game of Bank against itself: play and check agree, and spoiled streams are refused."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from reference import bank_judge as judge
from reference import bank_rules as page
from reference.bank import DEFAULT_RULES, RuleViolation, check, play, random_bot
from reference.bank_mutations import MUTATIONS, Events
from reference.bank_state import State

SMALL = {"target": (1, 30, 60), "max_rounds": (1, 4, 8)}


def random_rules(rng: random.Random) -> dict[str, Any]:
    """Any value of every option, but short games."""
    words = {name: rng.choice(sorted(values)) for name, values in judge.WORD_OPTIONS.items()}
    numbers = {name: rng.choice(SMALL.get(name, tuple(values))) for name, values in judge.NUMBER_OPTIONS.items()}
    return {**DEFAULT_RULES, **words, **numbers}


def default_rules(**changes: Any) -> dict[str, Any]:
    """The defaults with some options changed."""
    return {**DEFAULT_RULES, **changes}


# Play and check


@pytest.mark.parametrize("seed", range(6))
def test_random_games_over_all_options_pass_the_check(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(100):
        rules = random_rules(rng)
        events = play(rules, rng)
        report = check(events)
        kinds = Counter(event["event"] for event in events)
        assert len(report.rounds) == kinds["round"]
        assert report.sum("draws") == kinds["draw"]
        assert report.sum("captures") == kinds["capture"]
        assert report.sum("skips") == kinds["skip"]
        assert report.sum("places") >= sum(report.outs.values()) == kinds["out"]
        laid = sum(len(event["cards"]) for event in events if event["event"] == "lay")
        assert report.sum("cards_laid") == laid
        first_lays = sum(event["event"] == "lay" and not event["extra"] for event in events)
        assert report.sum("turns") == first_lays + kinds["fail"] + kinds["skip"]
        assert sum(report.wins, Fraction(0)) == len(report.rounds)


def test_decisions_are_counted_as_the_bots_are_asked() -> None:
    rng = random.Random(11)
    for _ in range(60):
        rules = random_rules(rng)
        asked: list[int] = []

        def bot(rng: random.Random, state: State, actions: Any, asked: list[int] = asked) -> page.Action:
            asked.append(len(actions))
            return random_bot(rng, state, actions)

        report = check(play(rules, rng, [bot] * rules["players"]))
        assert report.sum("decisions") == len(asked)
        assert report.sum("actions") == sum(asked)
        assert report.sum("forced") == asked.count(1)


def test_every_option_value_changes_some_game() -> None:
    """No option is dead: each value but the default tells another story of the same seed."""
    spaces: dict[str, Any] = {**judge.WORD_OPTIONS, **judge.NUMBER_OPTIONS}
    spaces |= {"target": (1, 60, 1000), "hand_size": range(1, 9), "max_rounds": (1, 3, 10)}
    with_it = {"penalty_fixed": {"penalty": "fixed"}, "penalty_card": {"penalty": "per_card"}}
    for name, values in spaces.items():
        base = default_rules(**{"max_rounds": 10, "hand_size": 6, **with_it.get(name, {})})
        for value in values:
            if value != base[name]:
                assert any(
                    play({**base, name: value}, random.Random(seed))[1:] != play(base, random.Random(seed))[1:]
                    for seed in range(150)
                ), f"{name}={value}"


@pytest.mark.parametrize(
    ("players", "games", "known"),
    [
        (2, 100, {"rounds": 14.88, "blocked": 0.684}),
        (3, 100, {"rounds": 19.73, "turns": 41.08, "cards": 24.06, "blocked": 0.914, "starter": 0.336}),
        (4, 40, {"rounds": 31.05, "blocked": 0.980}),
    ],
)
def test_means_of_random_bots_are_those_known(players: int, games: int, known: dict[str, float]) -> None:
    """Means of a large independent run, within four standard errors of this one (games are the clusters)."""
    rng = random.Random(players)
    reports = [check(play(default_rules(players=players), rng)) for _ in range(games)]
    rounds = [len(report.rounds) for report in reports]
    sums: dict[str, list[Any]] = {
        "turns": [report.sum("turns") for report in reports],
        "cards": [report.sum("cards_laid") for report in reports],
        "blocked": [report.blocked for report in reports],
        "starter": [float(report.starter_wins) for report in reports],
    }
    for name, expected in known.items():
        if name == "rounds":
            mean = sum(rounds) / games
            spread = [r - mean for r in rounds]
            error = (sum(s * s for s in spread) / (games - 1) / games) ** 0.5
        else:
            mean = sum(sums[name]) / sum(rounds)
            spread = [x - mean * r for x, r in zip(sums[name], rounds, strict=True)]
            error = (sum(s * s for s in spread) * games / (games - 1)) ** 0.5 / sum(rounds)
        assert abs(mean - expected) < 4 * error, (name, mean, error)


# Spoiled streams


@pytest.fixture(scope="module")
def streams() -> list[Events]:
    """Valid streams over all options, some with the rare captures."""
    rng = random.Random(5)
    found = [play(random_rules(rng), rng) for _ in range(40)]
    lacking = {"kings": 3, "trump_king": 3}
    seed = 0
    while any(number > 0 for number in lacking.values()):
        seed += 1
        events = play(default_rules(players=2, hand_size=8, max_rounds=5, must_play="no"), random.Random(seed))
        rare = {event["why"] for event in events if event["event"] == "capture"}
        if any(why in rare and lacking[why] > 0 for why in lacking):
            found.append(events)
            lacking = {why: number - (why in rare) for why, number in lacking.items()}
    for events in found:
        check(events)
    return found


@pytest.mark.parametrize("name", sorted(MUTATIONS))
def test_a_spoiled_stream_is_refused(name: str, streams: list[Events]) -> None:
    rng = random.Random(name)
    applied = 0
    for events in streams:
        spoiled = list(events)
        if not MUTATIONS[name](spoiled, rng):
            continue
        applied += 1
        with pytest.raises(RuleViolation) as caught:
            check(spoiled)
        assert caught.value.says
    assert applied >= 3


def test_a_violation_names_the_event() -> None:
    events = play(default_rules(max_rounds=1), random.Random(1))
    fail = next(at for at, event in enumerate(events) if event["event"] == "fail")
    del events[fail]
    with pytest.raises(RuleViolation, match="'fail' must follow here") as caught:
        check(events)
    assert caught.value.number == fail
    assert caught.value.event == events[fail]


def test_a_stream_that_ends_early_is_refused() -> None:
    events = play(default_rules(max_rounds=2), random.Random(1))
    for length in range(len(events)):
        with pytest.raises(RuleViolation, match=r"event [0-9]+ None"):
            check(events[:length])


# The end of the game


def test_a_tie_at_the_target_is_played_off() -> None:
    """While the highest total is shared the game goes on, and no longer, wherever the totals stand then."""
    ties = below = 0
    for changes, seeds in (
        ({"players": 4, "hand_size": 1}, range(120)),
        ({"players": 3, "hand_size": 2, "penalty": "fixed", "penalty_fixed": 15}, range(120)),
        ({"players": 2, "hand_size": 2, "penalty": "per_card"}, range(90, 95)),  # 92 ends below the target
        ({"players": 3, "hand_size": 2}, range(464, 469)),  # so does 466
    ):
        for seed in seeds:
            events = play(default_rules(target=1, max_rounds=60, **changes), random.Random(seed))
            check(events)
            totals = [event["total"] for event in events if event["event"] == "round_end"]
            reached = [max(total) >= 1 for total in totals]
            shared = [total.count(max(total)) > 1 for total in totals]
            ends = [any(reached[: at + 1]) and not shared[at] for at in range(len(totals))]
            assert not any(ends[:-1])
            if ends[-1]:
                assert events[-1]["winner"] == totals[-1].index(max(totals[-1]))
                ties += any(r and s for r, s in zip(reached, shared, strict=True))
                below += max(totals[-1]) < 1
    assert ties >= 3
    assert below >= 2


def test_an_undecided_game_is_capped() -> None:
    events = play(default_rules(target=1000, max_rounds=2), random.Random(0))
    assert (events[-1]["winner"], events[-1]["capped"]) == (None, True)
    assert len(check(events).rounds) == 2
