"""Whole games of Ochko: every replay passes the judge of the rules page, every count agrees with it, every option matters."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest

from simcore import replay, simulate
from simcore.batch import Run
from simcore.errors import InputError
from simcore.games import find_game
from simcore.games.ochko.exact.compare import compare
from simcore.games.ochko.exact.study import Study
from simcore.games.ochko.metrics import HISTOGRAMS, METRICS
from simcore.games.ochko.rules import RULES
from simcore.games.ochko.state import WHYS
from simcore.replay import Replay
from tests.reference.ochko import RandomBot, ThresholdBot, play
from tests.reference.ochko_check import Report, check, count_points
from tests.test_ochko_reference import DEFAULTS, SPACE

GAME = find_game("ochko")


def a_bot(rng: random.Random, basic: bool) -> str:
    """Any bot with any parameters."""
    kind = rng.random()
    if kind < 0.35:
        return "random"
    if basic and kind < 0.75:
        return f"basic(stake={rng.choice(['best', 'half'])})"
    parts = {
        "stand": rng.randint(2, 21),
        "bank_stand": rng.randint(2, 21),
        "stake": rng.choice(["min", "half", "all", "flat:3"]),
        "blind_from": rng.choice(["never", 12, 15]),
        "conceal": rng.choice(["0", "0.5", "1"]),
    }
    return f"threshold({','.join(f'{name}={value}' for name, value in parts.items())})"


def a_replay(rng: random.Random, index: int, basic: bool = False) -> Replay:
    """A game of any rules with any bots, seats rotated."""
    rules = {name: rng.choice(values) for name, values in SPACE.items()}
    if basic:
        rules["deck"] = 32
    bots = ",".join(a_bot(rng, basic) for _ in range(rules["players"]))
    return replay("ochko", 11, index, rules, bots, rotate_seats=rng.random() < 0.5)


def counted(report: Report, events: list[dict[str, Any]]) -> dict[str, int]:
    """The row of counts of a game, from the judge's report and the events alone."""
    kinds = report.counts
    draws = Counter((e["role"], e["blind"]) for e in events if e["event"] == "draw")
    played = [h["banker"] for h in report.hands if h["banker"] is not None]
    found = {f"ends.{i}": kinds["why:" + why] for i, why in enumerate(WHYS[:-1])}
    found |= {"ends.9": 0}
    found |= {name: kinds[name] for name in ("sessions", "circles", "hands", "reshuffles")}
    return found | {
        "games": 1,
        "capped": int(report.capped),
        "capped_sessions": kinds["end:capped"],
        "broken": kinds["end:broken"],
        "stuk": kinds["end:stuk"],
        "session_gain": sum(s["gain"] for s in report.sessions),
        "losses": sum(s["gain"] < 0 for s in report.sessions),
        "left_out": sum(s["left"] for s in report.sessions),
        "overdrawn": 0,
        "staked": sum(e["stake"] for e in events if e["event"] == "stake"),
        "gain": sum(h["gain"] for h in report.hands),
        "tie_staked": sum(h["stake"] for h in report.hands if h["why"] == "tie"),
        "blind_draws": draws["punter", True],
        "draws": draws["punter", True] + draws["punter", False],
        "bank_draws": draws["banker", False],
        "played": len(played),
    }


def by_position(report: Report, players: int, key: str) -> list[int]:
    """A quantity of settled hands by position left of the banker."""
    sums = [0] * (players - 1)
    for hand in report.hands:
        sums[hand["position"] - 1] += hand[key]
    return sums


def agrees(game: Replay) -> Report:
    """Judge a replay, and count it again."""
    events = list(game.events)
    report = check(events)
    rules, row = events[0]["rules"], game.counts
    mine = counted(report, events)
    played = mine.pop("played")
    assert {name: row[name] for name in mine} == mine
    if rules["duel"] == "each":
        assert row["bank_hands"] == played
    players = rules["players"]
    assert [row[f"seat_net.{seat}"] for seat in range(players)] == report.net
    first = next(e["banker"] for e in events if e["event"] == "session")
    assert [row[f"place_net.{k}"] for k in range(players)] == [
        report.net[(first + k) % players] for k in range(players)
    ]
    entrants = events[0]["entrants"]
    assert [row[f"entrant_net.{e}"] for e in entrants] == report.net
    assert [row[f"at_gain.{k}"] for k in range(players - 1)] == by_position(report, players, "gain")
    stakes = Counter[int]()
    banker = None
    for e in events:
        if e["event"] == "session":
            banker = e["banker"]
        if e["event"] == "stake":
            stakes[(e["seat"] - banker - 1) % players] += e["stake"]
    assert [row[f"at_staked.{k}"] for k in range(players - 1)] == [stakes[k] for k in range(players - 1)]
    return report


def over_all_options(games: int, seed: int, basic: bool = False) -> Counter[str]:
    rng = random.Random(seed)
    seen: Counter[str] = Counter()
    for index in range(games):
        seen += agrees(a_replay(rng, index, basic)).counts
    return seen


ALL_KINDS = {
    "end:broken",
    "end:stuk",
    "end:capped",
    "reshuffles",
    *(f"why:{why}" for why in WHYS[:-1]),
}


def test_replays_pass_the_judge_over_all_options() -> None:
    seen = over_all_options(500, 1)
    assert {kind for kind in ALL_KINDS if not seen[kind]} == set()


def test_replays_of_basic_pass_the_judge() -> None:
    assert over_all_options(5, 2, basic=True)["hands"] > 100


@pytest.mark.nightly
def test_thousands_of_replays_pass_the_judge_over_all_options() -> None:
    seen = over_all_options(6000, 3) + over_all_options(150, 4, basic=True)
    assert {kind for kind in ALL_KINDS if not seen[kind]} == set()


# -- the declarations ---------------------------------------------------------------------------------------------


def test_options_are_those_of_the_page() -> None:
    assert {option.name: option.default for option in RULES} == DEFAULTS
    for name, values in SPACE.items():
        assert [RULES[name].parse(value) for value in values] == values


BAD_RULES = [
    ({"players": 11}, "2 … 10"),
    ({"players": 1}, "2 … 10"),
    ({"deck": 40}, "32, 36, 52"),
    ({"ace": "two"}, "one"),
    ({"ace": "elven"}, "eleven"),
    ({"stuk": 1}, "0, 2"),
    ({"bank": 0}, "1 … 1000"),
    ({"hidden_bust": 5}, "1 … 4"),
    ({"max_circles": 0}, "1 … 10000"),
    ({"jokers": "yes"}, "jokers"),
]


@pytest.mark.parametrize(("rules", "says"), BAD_RULES)
def test_impossible_rules_are_refused(rules: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        RULES.rules(rules)


BAD_BOTS = [
    ("thresold", "threshold"),
    ("threshold(stnd=16)", "stand"),
    ("threshold(stand=22)", "2 … 21"),
    ("threshold(stand=x)", "2 … 21"),
    ("threshold(bank_stand=1)", "2 … 21"),
    ("threshold(stake=double)", "flat:N"),
    ("threshold(stake=flat:0)", "flat:N"),
    ("threshold(stake=flat:1000000001)", "1000000000"),
    ("threshold(stake=flat:)", "flat:N"),
    ("threshold(blind_from=30)", "never"),
    ("threshold(conceal=1.5)", "0 … 1"),
    ("threshold(conceal=-1)", "0 … 1"),
    ("threshold(conceal=nan)", "0 … 1"),
    ("random(stand=3)", "no parameters"),
    ("basic(stake=most)", "best"),
    ("random,random", "4 players"),
]


@pytest.mark.parametrize(("bots", "says"), BAD_BOTS)
def test_impossible_bots_are_refused(bots: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        replay("ochko", 1, 0, bots=bots)


def test_inert_options_are_told_and_run_once() -> None:
    run = simulate("ochko", 10, {"blind": "no"}, {"both_bust": None})
    assert len(run.manifest.variants) == 1
    assert any("both_bust" in note for note in run.notes)
    run = simulate("ochko", 10, {"players": 2}, {"duel": None})
    assert len(run.manifest.variants) == 1


# -- every option is live --------------------------------------------------------------------------------------------


BUSY = "threshold(stand=17,stake=half,blind_from=14,conceal=0.5)"
SETTING: dict[str, tuple[dict[str, Any], str]] = {
    "banker_card": ({"deck": 32}, "basic"),
    "marker": ({"players": 10, "deck": 32, "ace": "one"}, BUSY),
    "max_circles": ({}, "threshold(stake=min)"),
    "two_aces": ({"players": 10}, BUSY),
}


def telling(rules: dict[str, Any], bots: str) -> list[list[dict[str, Any]]]:
    """Ten games without their heads, which name the rules."""
    return [list(replay("ochko", 5, index, rules, bots).events[1:]) for index in range(10)]


@pytest.mark.parametrize("option", [option.name for option in RULES])
def test_each_value_of_an_option_changes_some_game(option: str) -> None:
    base, bots = SETTING.get(option, ({}, BUSY))
    values = [v for v in SPACE[option] if v != base.get(option, DEFAULTS[option])]
    if option == "max_circles":
        values = [1, 3, 30]
    before = telling(base, bots)
    for value in values:
        if option == "players" and value == 4:
            continue
        assert telling({**base, option: value}, bots) != before, f"{option}={value}"


PARAMETERS = [
    "threshold(stand=15)",
    "threshold(bank_stand=16)",
    "threshold(stake=min)",
    "threshold(stake=all)",
    "threshold(stake=flat:2)",
    "threshold(blind_from=12)",
    "threshold(conceal=0.5)",
    "random",
    "basic",
]


def test_each_parameter_of_a_bot_changes_some_game() -> None:
    games = [telling({"deck": 32}, bots) for bots in ("threshold", *PARAMETERS)]
    for i, one in enumerate(games):
        assert all(one != other for other in games[:i])


# -- what the rules promise -----------------------------------------------------------------------------------------


def column(run: Run, name: str, variant: int = 0) -> int:
    return int(run.tallies.variants[variant].sums[:, run.game.counts.position[name]].sum())


@pytest.mark.parametrize("duel", ["each", "common"])
@pytest.mark.parametrize("bots", ["random", "threshold(stake=all,conceal=0.7)", "threshold(stake=half)"])
def test_a_banker_never_loses_more_than_his_stake(duel: str, bots: str) -> None:
    run = simulate("ochko", 4000, {"duel": duel, "hidden_bust": 4}, {"stuk": None}, bots=bots)
    bins = HISTOGRAMS.slice_of("session_gain")
    for i, variant in enumerate(run.tallies.variants):
        assert column(run, "overdrawn", i) == 0
        assert variant.hist[bins][0] == 0, "no session lies below a loss of the whole stake"
        assert variant.hist[bins][1] == column(run, "broken", i), "a broken bank is the whole stake lost"
        assert column(run, "session_gain", i) == -column(run, "gain", i)


def test_ten_players_with_32_cards_reshuffle() -> None:
    """Nine punters cannot be served by 21 cards: the played ones come back, those in hand and the marker do not."""
    rules = {"players": 10, "deck": 32, "ace": "one", "stuk": 0, "bank": 50, "max_circles": 3}
    for duel in ("each", "common"):
        dry = 0
        for index in range(40):
            game = replay("ochko", 3, index, rules | {"duel": duel}, "threshold(stand=15,bank_stand=20,stake=min)")
            assert agrees(game).counts["reshuffles"] > 0
            dry += no_card_left(game)
        assert (dry > 0) == (duel == "common")


def no_card_left(game: Replay) -> int:
    """Stops of a bot that draws below 15, below 15: there was no card."""
    hands: dict[int, list[str]] = {}
    stops = 0
    for event in game.events:
        if event["event"] == "circle":
            hands = {seat: [card] for seat, card in event["deal"]}
        elif event["event"] == "draw":
            hands[event["seat"]].append(event["card"])
        elif event["event"] == "stop" and event["role"] == "punter":
            stops += count_points(hands[event["seat"]], dict(game.events[0]["rules"])) < 15
    return stops


def test_riches_are_capped() -> None:
    """Doubling banks pass 10^9 long before 10000 circles, and the sums stay whole."""
    rules = {"stuk": 0, "hidden_bust": 4, "max_circles": 10_000, "bank": 1000, "players": 10}
    bots = "threshold(stand=21,bank_stand=2,stake=all,conceal=1)"
    run = simulate("ochko", 30, rules, bots=bots)
    assert column(run, "capped_sessions") > 0
    assert column(run, "circles") / column(run, "sessions") < 100
    assert column(run, "session_gain") == -column(run, "gain") > 10**9
    agrees(replay("ochko", 0, 1, rules, bots))


def test_net_gains_of_a_game_sum_to_nothing() -> None:
    run = simulate("ochko", 500, bots="random", seed=9)
    frame = run.frame()
    assert (frame[[f"seat_net.{s}" for s in range(4)]].sum(axis=1) == 0).all()
    assert (frame[[f"place_net.{s}" for s in range(4)]].sum(axis=1) == 0).all()


def test_basic_beats_every_sensible_threshold() -> None:
    """Seats rotated, against each of three thresholds: what `basic` gains a game is above nothing by ten standard errors."""
    for stand in (15, 16, 17):
        run = simulate(
            "ochko", 40_000, bots=f"basic,{','.join([f'threshold(stand={stand})'] * 3)}", rotate_seats=True, seed=2
        )
        frame = run.frame()
        gains = frame["entrant_net.0"] / frame["entrant_games.0"]
        assert gains.mean() > 10 * gains.std() / np.sqrt(len(gains))


# -- simulated against exact ----------------------------------------------------------------------------------------


def within_errors(run: Run, variant: int = 0) -> None:
    played = run.manifest.variants[variant]
    found = compare(played.rules, played.table, run.tallies.variants[variant].hist)
    assert set(found["quantity"]) >= {"p_21", "p_bust"}
    assert found.loc[0, "hands"] > 0
    assert found["z"].abs().max() < 4, found.loc[found["z"].abs().idxmax()]


BUSY_BLIND = "threshold(stand=18,bank_stand=17,blind_from=15,conceal=0.3)"


@pytest.mark.parametrize(
    ("rules", "bots"),
    [
        ({}, "threshold"),
        ({"marker": "no", "deck": 32, "ace": "one"}, "random"),
        ({"deck": 32, "ace": "either", "two_aces": "twenty_one", "tie": "push", "both_bust": "push"}, BUSY_BLIND),
        ({"duel": "common", "players": 10}, "threshold(stand=14)"),
        ({"banker_card": "closed", "deck": 32}, "basic"),
        ({"deck": 52, "ace": "eleven", "both_bust": "push"}, "basic"),
    ],
)
def test_simulated_first_hands_agree_with_arithmetic(rules: dict[str, Any], bots: str) -> None:
    run = simulate("ochko", 6000, rules, bots=bots, seed=4)
    within_errors(run)


@pytest.mark.nightly
@pytest.mark.parametrize("marker", ["yes", "no"])
@pytest.mark.parametrize("ace", ["one", "eleven", "either"])
@pytest.mark.parametrize("deck", [32, 36, 52])
@pytest.mark.parametrize("bots", ["threshold", "random", BUSY_BLIND])
def test_a_million_first_hands_agree_with_arithmetic(deck: int, ace: str, marker: str, bots: str) -> None:
    rules = {"deck": deck, "ace": ace, "marker": marker, "both_bust": "push"}
    games = {"threshold": 50_000, "random": 130_000}.get(bots, 100_000)
    run = simulate("ochko", games, rules, bots=bots, seed=6)
    assert column(run, "circles") > 1_000_000
    within_errors(run)


@pytest.mark.nightly
@pytest.mark.parametrize("banker_card", ["open", "closed"])
@pytest.mark.parametrize("ace", ["one", "eleven", "either"])
@pytest.mark.parametrize("deck", [32, 36, 52])
def test_a_million_first_hands_of_the_best_response_agree_with_arithmetic(
    deck: int, ace: str, banker_card: str
) -> None:
    rules = {"deck": deck, "ace": ace, "banker_card": banker_card, "marker": "no"}
    run = simulate("ochko", 140_000, rules, bots="basic", seed=7)
    assert column(run, "circles") > 1_000_000
    within_errors(run)


def test_the_edge_of_a_hand_is_the_exact_one() -> None:
    """All hands of a session, not the first ones alone, for stakes that do not change what is played."""
    run = simulate("ochko", 20_000, bots="threshold(stake=flat:1)", seed=8)
    frame = run.frame()
    shares = -frame["at_gain.0"] / frame["at_staked.0"]
    study = Study(RULES.rules())
    exact = study.edges[14, 15]
    assert abs(shares.mean() - exact) < 4 * shares.std() / np.sqrt(len(shares))


# -- an independent game ---------------------------------------------------------------------------------------------

LIKE = [
    ({}, "random", RandomBot()),
    (
        {"ace": "either", "deck": 52, "duel": "common", "tie": "push", "both_bust": "push", "players": 6},
        "threshold(stand=17,bank_stand=16,stake=all,blind_from=15,conceal=0.25)",
        ThresholdBot(17, 16, "all", 15, 0.25),
    ),
    (
        {"deck": 32, "ace": "one", "players": 10, "stuk": 2, "marker": "no", "two_aces": "twenty_one"},
        "threshold(stand=16,bank_stand=16,stake=half)",
        ThresholdBot(16, 16, "half"),
    ),
]


@pytest.mark.parametrize(("rules", "bots", "bot"), LIKE)
def test_means_are_those_of_an_independent_program(rules: dict[str, Any], bots: str, bot: RandomBot) -> None:
    """The plain-Python game with its own random numbers: five standard errors at most between any two means."""
    rng = random.Random(21)
    whole = DEFAULTS | rules
    reports = [check(play(whole, [bot] * whole["players"], rng)) for _ in range(250)]
    run = simulate("ochko", 4000, rules, bots=bots, seed=22)
    frame = run.frame()
    names = ["circles", "hands", "reshuffles", "broken", "stuk", "gain", "ends.0", "ends.1", "ends.7", "left_out"]
    for name in names:
        mine = np.array([slow_count(report, name) for report in reports], dtype=float)
        size = frame["games"].to_numpy()
        theirs = frame[name].to_numpy() / size
        error = np.hypot(mine.std() / np.sqrt(len(mine)), theirs.std() / np.sqrt(len(theirs)))
        assert abs(mine.mean() - theirs.mean()) <= 5 * max(error, 1e-3), name


def slow_count(report: Report, name: str) -> int:
    if name.startswith("ends."):
        return report.counts["why:" + WHYS[int(name[5:])]]
    if name == "gain":
        return sum(hand["gain"] for hand in report.hands)
    if name == "left_out":
        return sum(session["left"] for session in report.sessions)
    return report.counts["end:" + name] if name in ("broken", "stuk") else report.counts[name]


def test_text_of_a_replay_tells_every_event() -> None:
    game = replay("ochko", 1, 2, {"players": 10, "deck": 32}, BUSY)
    text = "\n".join(game.text())
    for word in ("banks with", "Circle 1", "goes for", "draws", "unseen", "conceals a bust", "found out", "Net gains"):
        assert word in text, word


def test_every_metric_can_be_computed() -> None:
    run = simulate("ochko", 200, bots="threshold")
    columns = set(run.game.counts.columns)
    for metric in run.game.metrics_for(4):
        assert {t.num for t in metric.terms} | {t.den for t in metric.terms} <= columns
    assert set(run.game.headline) <= {metric.name for metric in METRICS}
