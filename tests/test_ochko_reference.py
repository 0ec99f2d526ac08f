"""The plain-Python Ochko: its games pass its own checker, and the checker refuses what it must."""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest

from tests.reference.ochko import RandomBot, ThresholdBot, hand_total, play
from tests.reference.ochko_check import RuleViolation, check, count_points

DEFAULTS: dict[str, Any] = {
    "players": 4,
    "deck": 36,
    "ace": "eleven",
    "stuk": 3,
    "blind": "yes",
    "bank": 10,
    "duel": "each",
    "banker_card": "open",
    "marker": "yes",
    "tie": "banker",
    "both_bust": "banker",
    "hidden_bust": 2,
    "two_aces": "sum",
    "orbits": 1,
    "max_circles": 200,
}
SPACE: dict[str, list[Any]] = {
    "players": list(range(2, 11)),
    "deck": [32, 36, 52],
    "ace": ["one", "eleven", "either"],
    "stuk": [0, 2, 3, 10],
    "blind": ["no", "yes"],
    "bank": [1, 2, 10, 50],
    "duel": ["each", "common"],
    "banker_card": ["open", "closed"],
    "marker": ["yes", "no"],
    "tie": ["banker", "push"],
    "both_bust": ["banker", "push"],
    "hidden_bust": [1, 2, 4],
    "two_aces": ["sum", "twenty_one"],
    "orbits": [1, 2],
    "max_circles": [1, 3, 30],
}


def any_rules(rng: random.Random) -> dict[str, Any]:
    return {name: rng.choice(values) for name, values in SPACE.items()}


def any_bot(rng: random.Random) -> RandomBot:
    if rng.random() < 0.4:
        return RandomBot()
    stake = rng.choice(["min", "half", "all", "flat:3"])
    return ThresholdBot(rng.randint(12, 21), rng.randint(2, 21), stake, rng.choice([14, 17, 99]), rng.choice([0, 0.5]))


def any_game(rng: random.Random) -> list[dict[str, Any]]:
    rules = any_rules(rng)
    return play(rules, [any_bot(rng) for _ in range(rules["players"])], rng)


def test_games_over_all_options_pass_the_checker() -> None:
    rng = random.Random(4)
    seen: Counter[str] = Counter()
    for _ in range(400):
        seen += check(any_game(rng)).counts
    for key in ("end:broken", "end:stuk", "end:capped", "reshuffles", "why:twenty_one", "why:bust"):
        assert seen[key] > 0, key
    for why in ("hidden_bust", "blind_bust", "both_bust", "banker_bust", "higher", "lower", "tie"):
        assert seen["why:" + why] > 0, why


def test_the_two_counts_of_a_hand_agree() -> None:
    rng = random.Random(5)
    for _ in range(3000):
        rules = any_rules(rng)
        ranks = {32: "789TJQKA", 36: "6789TJQKA", 52: "23456789TJQKA"}[rules["deck"]]
        cards = [rng.choice(ranks + "AA") + rng.choice("cdhs") for _ in range(rng.randint(1, 6))]
        assert hand_total(cards, rules) == count_points(cards, rules)


@pytest.mark.parametrize(
    ("cards", "ace", "two_aces", "total"),
    [
        ("Ac Ad", "eleven", "sum", 22),
        ("Ac Ad", "one", "sum", 2),
        ("Ac Ad", "either", "sum", 12),
        ("Ac Ad", "one", "twenty_one", 21),
        ("7c Ac Ad", "one", "twenty_one", 9),
        ("Ac 4d 6d", "either", "sum", 21),
        ("Ac 4d 7d", "either", "sum", 12),
        ("Kc Qd Jd Th", "eleven", "sum", 19),
    ],
)
def test_totals(cards: str, ace: str, two_aces: str, total: int) -> None:
    rules = DEFAULTS | {"ace": ace, "two_aces": two_aces}
    assert hand_total(cards.split(), rules) == count_points(cards.split(), rules) == total


def mutations(events: list[dict[str, Any]], rng: random.Random) -> tuple[str, list[dict[str, Any]]]:
    """One small lie, told at a random place."""
    bad = copy.deepcopy(events)
    at = rng.randrange(1, len(bad))
    event = bad[at]
    kind = rng.choice(["value", "drop", "double", "swap"])
    if kind == "drop":
        del bad[at]
    elif kind == "double":
        bad.insert(at, copy.deepcopy(event))
    elif kind == "swap":
        other = at - 1 if at > 1 else at + 1
        bad[at], bad[other] = bad[other], bad[at]
    else:
        key = rng.choice([k for k in event if k != "event"])
        event[key] = another(event[key])
        kind = f"{event['event']}.{key}"
    return kind, bad


def another(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, list):
        return value[1:] if value else [0]
    if value is None:
        return 1
    return {"Ah": "As", "punter": "banker", "banker": "punter"}.get(value, "Ah")


def test_a_lie_is_found() -> None:
    """Any change of one fact, event or order is refused, but for what the stream need not say."""
    rng = random.Random(6)
    tried: Counter[str] = Counter()
    for _ in range(250):
        events = any_game(rng)
        for _ in range(6):
            kind, bad = mutations(events, rng)
            if bad == events or is_allowed(events, bad, kind):
                continue
            tried[kind] += 1
            with pytest.raises(RuleViolation) as caught:
                check(bad)
            assert f"event {caught.value.number}" in str(caught.value)
    assert len(tried) > 25, tried


def is_allowed(events: list[dict[str, Any]], bad: list[dict[str, Any]], kind: str) -> bool:
    """What may change and leave a game that the page allows: a stake that never comes to be settled, whether
    the last card was seen, and a stop where no card is left."""
    if kind == "drop":
        gone = next(a for a, b in zip(events, [*bad, None], strict=True) if a != b)
        return gone["event"] == "stop" and not gone["conceals"] and no_card_left(events, gone)
    return kind in ("stake.stake", "draw.blind")


def no_card_left(events: list[dict[str, Any]], stop: dict[str, Any]) -> bool:
    """Was there no card at this stop, neither in the pack nor among the played?"""
    upto = next(i for i, e in enumerate(events) if e is stop)
    start = max(i for i in range(upto) if events[i]["event"] == "circle")
    circle, banker = events[start], events[start]["deal"][-1][0]
    hands, pack = {seat: 1 for seat, _ in circle["deal"]}, len(circle["pack"])
    played = 0
    for event in events[start + 1 : upto]:
        if event["event"] == "reshuffle":
            pack, played = len(event["pack"]), 0
        elif event["event"] in ("draw", "first"):
            pack -= 1
            seat = event.get("seat", banker)
            hands[seat] = hands.get(seat, 0) + 1
        elif event["event"] == "settle":
            played += hands.pop(event["seat"])
            if event["banker"] is not None and events[0]["rules"]["duel"] == "each":
                played += hands.pop(banker)
    return pack == played == 0


def circle_of(rules: dict[str, Any], deal: str, pack: str) -> list[dict[str, Any]]:
    """The head of a two- or three-player game whose first circle has these cards."""
    cards = deal.split()
    n = len(cards)
    order = [*range(1, n), 0]
    left = [r + s for r in "6789TJQKA" for s in "cdhs" if r + s not in cards + pack.split()]
    return [
        {"event": "game", "game": "ochko", "seed": 0, "index": 0, "rules": rules, "bots": ["random"] * n},
        {"event": "session", "banker": 0, "bank": 10},
        {
            "event": "circle",
            "circle": 1,
            "stuk": False,
            "deal": [list(pair) for pair in zip(order, cards, strict=True)],
            "marker": left[0],
            "pack": pack.split() + left[1:],
        },
        {"event": "stake", "seat": 1, "stake": 4, "bank": 10},
    ]


def draw(seat: int, card: str, role: str = "punter", blind: bool = False) -> dict[str, Any]:
    return {"event": "draw", "seat": seat, "card": card, "role": role, "blind": blind}


def stop(seat: int, role: str = "punter", conceals: bool = False) -> dict[str, Any]:
    return {"event": "stop", "seat": seat, "role": role, "conceals": conceals}


def settle(seat: int, punter: int, banker: int | None, why: str, gain: int, bank: int) -> dict[str, Any]:
    keys = ("seat", "punter", "banker", "why", "gain", "bank")
    return {"event": "settle"} | dict(zip(keys, (seat, punter, banker, why, gain, bank), strict=True))


TWO = DEFAULTS | {"players": 2}
THREE = DEFAULTS | {"players": 3}
COMMON = THREE | {"duel": "common"}
GOOD: dict[str, Any] = {
    "21 wins at once": (TWO, "Tc Kd", "Ad", [draw(1, "Ad"), settle(1, 21, None, "twenty_one", 4, 6)]),
    "a bust pays": (
        TWO,
        "Tc Kd",
        "Kc 9d",
        [draw(1, "Kc"), draw(1, "9d"), settle(1, 23, None, "bust", -4, 14)],
    ),
    "a hidden bust pays double, even to a banker who busts": (
        TWO,
        "Tc Td",
        "9c 9d Qd 9s",
        [
            draw(1, "9c"),
            draw(1, "9d"),
            stop(1, conceals=True),
            draw(0, "Qd", "banker"),
            draw(0, "9s", "banker"),
            settle(1, 28, 22, "hidden_bust", -8, 18),
        ],
    ),
    "a blind bust pays once": (
        TWO,
        "Tc Td",
        "7c 9d",
        [
            draw(1, "7c"),
            draw(1, "9d", blind=True),
            stop(0, "banker"),
            settle(1, 26, 10, "blind_bust", -4, 14),
        ],
    ),
    "both bust, and the banker wins": (
        TWO,
        "Tc Td",
        "7c 9d 9c 8c",
        [
            draw(1, "7c"),
            draw(1, "9d", blind=True),
            draw(0, "9c", "banker"),
            draw(0, "8c", "banker"),
            settle(1, 26, 27, "both_bust", -4, 14),
        ],
    ),
    "both bust, a push": (
        TWO | {"both_bust": "push"},
        "Tc Td",
        "7c 9d 9c 8c",
        [
            draw(1, "7c"),
            draw(1, "9d", blind=True),
            draw(0, "9c", "banker"),
            draw(0, "8c", "banker"),
            settle(1, 26, 27, "both_bust", 0, 10),
        ],
    ),
    "a blind 21 is compared, and a tie is the banker's": (
        TWO,
        "Tc Td",
        "7c Kd As",
        [draw(1, "7c"), draw(1, "Kd", blind=True), draw(0, "As", "banker"), settle(1, 21, 21, "tie", -4, 14)],
    ),
    "a tie, pushed": (
        TWO | {"tie": "push"},
        "Tc Td",
        "7c 7d",
        [draw(1, "7c"), stop(1), draw(0, "7d", "banker"), stop(0, "banker"), settle(1, 17, 17, "tie", 0, 10)],
    ),
    "two aces are 22": (TWO, "Ac Td", "Ad", [draw(1, "Ad"), settle(1, 22, None, "bust", -4, 14)]),
    "two aces are 21": (
        TWO | {"two_aces": "twenty_one"},
        "Ac Td",
        "Ad",
        [draw(1, "Ad"), settle(1, 21, None, "twenty_one", 4, 6)],
    ),
    "the banker's two aces are 21": (
        TWO | {"two_aces": "twenty_one"},
        "Tc Ad",
        "Kd As",
        [draw(1, "Kd"), stop(1), draw(0, "As", "banker"), settle(1, 14, 21, "lower", -4, 14)],
    ),
    "the banker keeps his first card after a hand that did not come to him": (
        THREE,
        "Tc 9c Kd",
        "Ad 8d",
        [
            draw(1, "Ad"),
            settle(1, 21, None, "twenty_one", 4, 6),
            {"event": "stake", "seat": 2, "stake": 6, "bank": 6},
            draw(2, "8d"),
            stop(2),
            stop(0, "banker"),
            settle(2, 17, 4, "higher", 6, 0),
            {"event": "session_end", "why": "broken", "bank": 0, "net": [-10, 4, 6]},
        ],
    ),
    "the banker takes a new first card after a hand that did": (
        THREE,
        "Tc 9c Kd",
        "8d 8h 8s",
        [
            draw(1, "8d"),
            stop(1),
            stop(0, "banker"),
            settle(1, 18, 4, "higher", 4, 6),
            {"event": "first", "card": "8h"},
            {"event": "stake", "seat": 2, "stake": 1, "bank": 6},
            draw(2, "8s"),
            stop(2),
            stop(0, "banker"),
            settle(2, 17, 8, "higher", 1, 5),
        ],
    ),
    "one banker's hand against all, paid no more than the bank holds": (
        COMMON,
        "Tc 9c Kd",
        "8d 8h",
        [
            draw(1, "8d"),
            stop(1),
            {"event": "stake", "seat": 2, "stake": 10, "bank": 10},
            draw(2, "8h"),
            stop(2),
            stop(0, "banker"),
            settle(1, 18, 4, "higher", 4, 6),
            settle(2, 17, 4, "higher", 6, 0),
            {"event": "session_end", "why": "broken", "bank": 0, "net": [-10, 4, 6]},
        ],
    ),
    "a bank broken by 21 leaves those who stand unpaid": (
        COMMON,
        "Tc Kc Kd",
        "8d 7h Th",
        [
            draw(1, "8d"),
            stop(1),
            {"event": "stake", "seat": 2, "stake": 10, "bank": 10},
            draw(2, "7h"),
            draw(2, "Th"),
            settle(2, 21, None, "twenty_one", 10, 0),
            {"event": "session_end", "why": "broken", "bank": 0, "net": [-10, 0, 10]},
        ],
    ),
}


@pytest.mark.parametrize("name", GOOD)
def test_scenarios(name: str) -> None:
    """Each is accepted to its last event, and refused at the earliest when its last settlement is another."""
    rules, deal, pack, moves = GOOD[name]
    events = circle_of(rules, deal, pack) + moves
    with pytest.raises(RuleViolation) as caught:
        check(events)
    assert "must follow" in caught.value.says
    last = max(i for i, e in enumerate(events) if e["event"] == "settle")
    events[last] = events[last] | {"gain": events[last]["gain"] + 1}
    with pytest.raises(RuleViolation, match="gain is") as caught:
        check(events)
    assert caught.value.number == last


BAD: dict[str, Any] = {
    "a stake above the bank": ([], {"stake": 11}, "a stake is 1"),
    "a stake of nothing": ([], {"stake": 0}, "a stake is 1"),
    "no card taken": ([stop(1)], {}, "at least one card"),
    "a blind first card": ([draw(1, "7c", blind=True)], {}, "first card drawn is seen"),
    "a card not in front": ([draw(1, "8c")], {}, "front of the pack"),
    "conceals without a bust": ([draw(1, "7c"), stop(1, conceals=True)], {}, "conceals must be False"),
    "draws after standing": ([draw(1, "7c"), stop(1), draw(1, "7d")], {}, "seat 0"),
}


@pytest.mark.parametrize("name", BAD)
def test_refused(name: str) -> None:
    moves, change, says = BAD[name]
    events = circle_of(TWO, "Tc Td", "7c 7d 7h") + moves
    events[3] = events[3] | change
    with pytest.raises(RuleViolation, match=says):
        check(events)


def test_blind_is_refused_where_the_table_forbids_it() -> None:
    events = circle_of(TWO | {"blind": "no"}, "Tc Td", "7c 7d")
    with pytest.raises(RuleViolation, match="not allowed"):
        check([*events, draw(1, "7c"), draw(1, "7d", blind=True)])


def test_ten_players_with_32_cards_reshuffle_and_run_dry() -> None:
    """Nine hands need more than the 21 cards left: played cards come back, or (`common`) run out."""
    rng = random.Random(7)
    small = DEFAULTS | {"players": 10, "deck": 32, "ace": "one", "stuk": 0, "bank": 100, "max_circles": 5}
    dry = Counter[str]()
    for duel in ("each", "common"):
        for _ in range(20):
            rules = small | {"duel": duel}
            bots = [ThresholdBot(15, 20, "min") for _ in range(10)]
            events = play(rules, bots, rng)
            assert check(events).counts["reshuffles"] > 0
            stops = [e for e in events if e["event"] == "stop"]
            dry[duel] += sum(no_card_left(events, e) for e in stops)
    assert dry["common"] > 0
    assert dry["each"] == 0
