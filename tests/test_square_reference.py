"""The slow Square of the tests is itself put to the test: worked example, scorer, and spoilt streams."""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from itertools import combinations
from typing import Any

import pytest

from tests.reference.square import BOTS, RuleViolation, check, play
from tests.reference.square_table import (
    COLOUR,
    DEFAULTS,
    GRIDS,
    OPTIONS,
    PACK,
    PLACES,
    Laid,
    Square,
    empty_square,
    lines_of,
    worth,
)

Events = list[dict[str, Any]]


def random_rules(rng: random.Random, **fixed: Any) -> dict[str, Any]:
    """Draw a value for every option, keeping matches short."""
    rules = {name: rng.choice(list(values)) for name, (values, _) in OPTIONS.items()}
    rules |= {
        "deals": rng.randint(1, 4),
        "target": rng.randint(1, 40),
        "end_at": rng.randint(1, 6),
        "max_deals": rng.randint(1, 8),
    }
    return {**rules, **fixed}


# ---------------------------------------------------------------------------------------------
# The worked example: 14 to 4
# ---------------------------------------------------------------------------------------------

ENDER = [
    "Ad",
    "2h",
    "3h",
    "Kh",
    "5d",
    "6h",
    "7d",
    "8d",
    "9d",
]  # the king is on the four's place
OTHER = ["Ah", "2s", "3c", "4h", "5s", "6c", "7h", "8s", "9c"]  # a queen then closes the nine's place


def worked_example() -> Events:
    """Return the match of one deal whose squares are those of the text's example."""
    rules = {**DEFAULTS, "match": "deals", "deals": 1}
    needed = [[*ENDER, "2c"], [*OTHER, "Qc"]]
    rest = [card for card in PACK if card not in needed[0] + needed[1]]
    draws = [needed[seat][8 + turn] for turn in range(2) for seat in range(2)]
    pack = draws + rest
    events: Events = [
        {"event": "game", "game": "square", "seed": 0, "index": 0, "rules": rules, "bots": ["a", "b"]},
        {"event": "deal", "deal": 1, "dealer": 1, "first": 0, "hands": [n[:8] for n in needed], "pack": pack},
    ]
    for turn in range(10):
        for seat in range(2):
            card = needed[seat][turn]
            place = {"Kh": "4", "Qc": "9", "2c": None}.get(card, card[0])
            to = "discard" if place is None else "own"
            events.append({"event": "draw", "seat": seat, "card": pack[2 * turn + seat]})
            events.append({"event": "play", "seat": seat, "card": card, "to": to, "place": place})
    result = {"worth": [10, 4], "score": [14, 4], "total": [14, 4]}
    events.append({"event": "end", "seat": 0})
    events.append({"event": "deal_end", "why": "ended", **result})
    events.append({"event": "game_end", "winner": 0, "capped": False, "total": [14, 4]})
    return events


def test_worked_example_of_the_page_is_14_to_4() -> None:
    report = check(worked_example())
    assert report.deals[0].worth == [10, 4]
    assert report.total == [14, 4]
    assert report.winner == 0


# ---------------------------------------------------------------------------------------------
# The scorer
# ---------------------------------------------------------------------------------------------


def random_square(rng: random.Random) -> Square:
    square = empty_square()
    for place in PLACES:
        if rng.random() < 0.85:
            square[place].append(Laid(rng.choice(PACK), rng.random() < 0.9))
    return square


def brute_worth(square: Square, layout: str, colour_points: int, suit_points: int) -> int:
    """Score a square from geometry: three places are a line when no triangle can be drawn through them."""
    where = {rank: (x, y) for y, row in enumerate(GRIDS[layout]) for x, rank in enumerate(row)}
    total = 0
    for a, b, c in combinations(PLACES, 3):
        (ax, ay), (bx, by), (cx, cy) = where[a], where[b], where[c]
        if (bx - ax) * (cy - ay) != (cx - ax) * (by - ay):
            continue
        tops = [square[place][-1] if square[place] else None for place in (a, b, c)]
        suits = "".join(top.card[1] if top and top.is_open else "?" for top in tops)
        if suits in ("ccc", "ddd", "hhh", "sss"):
            total += suit_points
        elif set(suits) <= set("cs") or set(suits) <= set("dh"):
            total += colour_points
    return total


@pytest.mark.parametrize("layout", GRIDS)
def test_worth_agrees_with_a_scorer_from_geometry(layout: str) -> None:
    rng = random.Random(5)
    worths = set()
    for _ in range(10_000):
        square = random_square(rng)
        colour, suit = rng.randint(0, 10), rng.randint(0, 10)
        rules = {"layout": layout, "colour_points": colour, "suit_points": suit}
        worths.add(worth(square, rules))
        assert worth(square, rules) == brute_worth(square, layout, colour, suit)
    assert len(worths) > 20


@pytest.mark.parametrize("layout", GRIDS)
def test_each_line_alone_is_scored_in_every_suit_and_colour(layout: str) -> None:
    rules = {**DEFAULTS, "layout": layout}
    for line in lines_of(layout):
        for suits in ("ccc", "ddd", "hhh", "sss", "ccs", "scs", "dhh", "hdh", "cdc", "hhs"):
            square = empty_square()
            for place, suit in zip(line, suits, strict=True):
                square[place].append(Laid(place + suit, is_open=True))
            colours = {COLOUR[suit] for suit in suits}
            expected = 2 if len(set(suits)) == 1 else int(len(colours) == 1)
            assert worth(square, rules) == expected
            square[line[1]].append(Laid("Js", is_open=False))
            assert worth(square, rules) == 0


# ---------------------------------------------------------------------------------------------
# Valid streams pass
# ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("players", [2, 4])
def test_reference_games_pass_the_judge_over_all_options(bot: str, players: int) -> None:
    rng = random.Random(f"{bot}{players}")
    whys = set()
    for _ in range(25):
        rules = random_rules(rng, players=players)
        report = check(play(rules, [bot], rng))
        whys |= {deal.why for deal in report.deals}
        for deal in report.deals:
            assert sum(deal.uses.values()) == deal.turns
            pack = 52 - players * rules["hand_size"]
            assert deal.turns == pack if deal.why == "pack" else deal.turns < pack
    assert whys == {"ended", "pack"}


# ---------------------------------------------------------------------------------------------
# Spoilt streams are caught
# ---------------------------------------------------------------------------------------------

Spoiler = Callable[[Events, random.Random], bool]
SPOILERS: dict[str, Spoiler] = {}


def spoiler(function: Spoiler) -> Spoiler:
    """Register a function that spoils a valid stream in place, or returns False where it cannot."""
    SPOILERS[function.__name__] = function
    return function


def _pick(events: Events, rng: random.Random, name: str, **having: Any) -> int | None:
    """Return the index of a random event of this name and content, if there is one."""
    found = [
        at
        for at, event in enumerate(events)
        if event["event"] == name and all(event[key] == value for key, value in having.items())
    ]
    return rng.choice(found) if found else None


def _spoil(name: str, change: Callable[[dict[str, Any], random.Random], None], **having: Any) -> Spoiler:
    def spoil(events: Events, rng: random.Random) -> bool:
        at = _pick(events, rng, name, **having)
        if at is None:
            return False
        before = copy.deepcopy(events[at])
        change(events[at], rng)
        return events[at] != before

    return spoil


def _other_card(event: dict[str, Any], rng: random.Random) -> None:
    event["card"] = rng.choice([card for card in PACK if card != event["card"]])


def _swap_pack(event: dict[str, Any], rng: random.Random) -> None:
    event["pack"][0], event["pack"][1] = event["pack"][1], event["pack"][0]


def _double_card(event: dict[str, Any], rng: random.Random) -> None:
    event["pack"][-1] = event["hands"][0][0]


def _move_card(event: dict[str, Any], rng: random.Random) -> None:
    event["hands"][0].append(event["hands"][1].pop())


def _bump(key: str, side: int | None = None) -> Callable[[dict[str, Any], random.Random], None]:
    def change(event: dict[str, Any], rng: random.Random) -> None:
        if side is None:
            event[key] += 1
        else:
            event[key][side] += rng.choice([-1, 1])

    return change


def _set(key: str, value: Any) -> Callable[[dict[str, Any], random.Random], None]:
    def change(event: dict[str, Any], rng: random.Random) -> None:
        event[key] = value

    return change


def _rule(name: str, value: Any) -> Callable[[dict[str, Any], random.Random], None]:
    def change(event: dict[str, Any], rng: random.Random) -> None:
        event["rules"] = {**event["rules"], name: value}

    return change


def _forget_rule(event: dict[str, Any], rng: random.Random) -> None:
    del event["rules"]["gifts"]


def _flip_why(event: dict[str, Any], rng: random.Random) -> None:
    event["why"] = {"ended": "pack", "pack": "ended"}[event["why"]]


def _flip_winner(event: dict[str, Any], rng: random.Random) -> None:
    event["winner"] = 1 - event["winner"] if event["winner"] is not None else 0


def _wrong_place(event: dict[str, Any], rng: random.Random) -> None:
    if event["card"][0] in PLACES and event["place"]:
        event["place"] = rng.choice([place for place in PLACES if place != event["place"]])


def _place_of_discard(event: dict[str, Any], rng: random.Random) -> None:
    event["place"] = "5"


def _to_own_wrongly(event: dict[str, Any], rng: random.Random) -> None:
    event["to"] = "own"


SPOILERS |= {
    "drawn card is another": _spoil("draw", _other_card),
    "drawer is another": _spoil("draw", _bump("seat")),
    "player is another": _spoil("play", _bump("seat")),
    "number card on another place": _spoil("play", _wrong_place),
    "discard has a place": _spoil("play", _place_of_discard, to="discard"),
    "discard without place called own": _spoil("play", _to_own_wrongly, to="discard"),
    "pack in another order": _spoil("deal", _swap_pack),
    "a card twice in the deal": _spoil("deal", _double_card),
    "hands of unequal size": _spoil("deal", _move_card),
    "dealer is another": _spoil("deal", _bump("dealer")),
    "first is another": _spoil("deal", _bump("first")),
    "deal has another number": _spoil("deal", _bump("deal")),
    "worth of side 0": _spoil("deal_end", _bump("worth", 0)),
    "worth of side 1": _spoil("deal_end", _bump("worth", 1)),
    "score of side 0": _spoil("deal_end", _bump("score", 0)),
    "score of side 1": _spoil("deal_end", _bump("score", 1)),
    "total of side 0": _spoil("deal_end", _bump("total", 0)),
    "total of side 1": _spoil("deal_end", _bump("total", 1)),
    "why is the other": _spoil("deal_end", _flip_why),
    "final total": _spoil("game_end", _bump("total", 0)),
    "winner is the other": _spoil("game_end", _flip_winner),
    "winner is true": _spoil("game_end", _set("winner", True)),
    "capped is the other": _spoil("game_end", lambda event, rng: event.update(capped=not event["capped"])),
    "an option is missing": _spoil("game", _forget_rule),
    "an option has no such value": _spoil("game", _rule("layout", "spiral")),
    "an unknown option": _spoil("game", _rule("jokers", 2)),
    "other number of players": _spoil("game", _rule("players", 3)),
    "another game": _spoil("game", _set("game", "bank")),
    "a bot too few": _spoil("game", lambda event, rng: event.update(bots=event["bots"][1:])),
    "no such event": _spoil("play", _set("event", "plays")),
    "ender is another": _spoil("end", _bump("seat")),
    "asker is another": _spoil("ask", _bump("seat")),
    "refusal told as consent": _spoil("ask", _set("answer", True), answer=False),
    "consent told as refusal": _spoil("ask", _set("answer", False), answer=True),
}


@spoiler
def played_card_is_not_in_hand(events: Events, rng: random.Random) -> bool:
    """Play a card again that has been played in the same deal."""
    start = rng.choice([at for at, event in enumerate(events) if event["event"] == "deal"])
    ends = (at for at in range(start, len(events)) if events[at]["event"] == "deal_end")
    plays = [event for event in events[start : next(ends)] if event["event"] == "play"]
    if len(plays) < 2:
        return False
    earlier, later = sorted(rng.sample(range(len(plays)), 2))
    plays[later]["card"] = plays[earlier]["card"]
    return True


@spoiler
def the_excess_is_counted_single(events: Events, rng: random.Random) -> bool:
    """Keep the scores of the doubled excess under rules that count it once."""
    end_at = events[0]["rules"]["end_at"]
    ends = [at for at, event in enumerate(events) if event["event"] == "end"]
    if all(events[at + 1]["worth"][events[at]["seat"] % 2] == end_at for at in ends):
        return False
    events[0]["rules"]["excess"] = "single"
    return True


@spoiler
def an_event_is_lost(events: Events, rng: random.Random) -> bool:
    del events[rng.randrange(len(events))]
    return True


@spoiler
def an_event_comes_twice(events: Events, rng: random.Random) -> bool:
    at = rng.randrange(len(events))
    if events[at]["event"] == "ask":
        return False  # may be heard twice only where refused: see below
    events.insert(at, dict(events[at]))
    return True


@spoiler
def two_events_change_places(events: Events, rng: random.Random) -> bool:
    at = rng.randrange(len(events) - 1)
    events[at], events[at + 1] = events[at + 1], events[at]
    return True


@spoiler
def a_key_is_lost(events: Events, rng: random.Random) -> bool:
    event = rng.choice(events)
    del event[rng.choice(list(event))]
    return True


@spoiler
def asks_again_after_a_refusal(events: Events, rng: random.Random) -> bool:
    at = _pick(events, rng, "ask", answer=False)
    if at is None:
        return False
    events.insert(at, dict(events[at]))
    return True


@spoiler
def ends_without_asking(events: Events, rng: random.Random) -> bool:
    at = _pick(events, rng, "ask", answer=True)
    if at is None:
        return False
    del events[at]
    return True


@spoiler
def ends_below_end_at(events: Events, rng: random.Random) -> bool:
    """End the first deal in its very first turn, when both squares are empty."""
    at = _pick(events, rng, "deal", deal=1)
    if at is None:
        return False
    events.insert(at + 1, {"event": "end", "seat": events[at]["first"]})
    return True


def valid_streams() -> list[Events]:
    """Return streams that hold every kind of event."""
    rng = random.Random(11)
    streams = []
    for players, draw, first in [(2, "before", "left"), (4, "after", "dealer"), (4, "before", "left")]:
        for bot in BOTS:
            rules = {"players": players, "draw": draw, "first": first, "end_at": 2, "max_deals": 9}
            streams.append(play({**rules, "suit_points": 4, "target": 80}, [bot], rng))
    return streams


STREAMS = valid_streams()


@pytest.mark.parametrize("name", SPOILERS)
def test_a_spoilt_stream_is_caught(name: str) -> None:
    rng = random.Random(name)
    spoilt = 0
    for stream in STREAMS * 5:
        events = copy.deepcopy(stream)
        if not SPOILERS[name](events, rng):
            continue
        if events == stream:
            continue
        spoilt += 1
        with pytest.raises(RuleViolation):
            check(events)
    assert spoilt >= 5


def test_a_violation_names_the_event_and_the_page() -> None:
    events = worked_example()
    events[2]["card"] = "Ks"
    with pytest.raises(RuleViolation, match=r"event 2 .*the first card of the pack is 9d") as caught:
        check(events)
    assert caught.value.number == 2
