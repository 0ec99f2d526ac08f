"""Ways to spoil a valid event stream of Bank, each of which the checker must notice.

A mutation changes a list of events in place and returns whether it found a place to do so. It picks among all
places with the given random generator.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from .bank_rules import DECK, covers

Event = dict[str, Any]
Events = list[Event]
Mutation = Callable[[Events, random.Random], bool]

MUTATIONS: dict[str, Mutation] = {}


def mutation(change: Mutation) -> Mutation:
    """Enter a mutation in the list under its name."""
    MUTATIONS[change.__name__] = change
    return change


def places(events: Events, of: str, /, **keys: object) -> list[int]:
    """Where events of a kind with these values stand."""
    return [
        at
        for at, event in enumerate(events)
        if event["event"] == of and all(event.get(key) == value for key, value in keys.items())
    ]


def any_of(events: Events, rng: random.Random, of: str, /, **keys: object) -> int | None:
    """A random place of an event of this kind."""
    found = places(events, of, **keys)
    return rng.choice(found) if found else None


def register_drop(name: str, of: str, /, **keys: object) -> None:
    """Leave an event out."""

    def change(events: Events, rng: random.Random) -> bool:
        at = any_of(events, rng, of, **keys)
        if at is None:
            return False
        del events[at]
        return True

    MUTATIONS[f"drop_{name}"] = change


def register_set(name: str, kind: str, key: str, new: Callable[[Any, Events, random.Random], Any]) -> None:
    """Change one value of an event; an unchanged value is no mutation."""

    def change(events: Events, rng: random.Random) -> bool:
        at = any_of(events, rng, kind)
        if at is None:
            return False
        value = new(events[at][key], events, rng)
        if value == events[at][key] and type(value) is type(events[at][key]):
            return False
        events[at] = {**events[at], key: value}
        return True

    MUTATIONS[f"set_{name}"] = change


def register_insert(name: str, after: str, make: Callable[[Event, Events], Event]) -> None:
    """Put a superfluous event after one of the kind `after` that is not followed by one of the same kind."""

    def change(events: Events, rng: random.Random) -> bool:
        found = []
        for at in places(events, after):
            new = make(events[at], events)
            follower = events[at + 1]["event"] if at + 1 < len(events) else ""
            if follower != new["event"]:
                found.append((at, new))
        if not found:
            return False
        at, new = rng.choice(found)
        events.insert(at + 1, new)
        return True

    MUTATIONS[f"insert_{name}"] = change


def other_seat(seat: Any, events: Events, rng: random.Random) -> Any:
    """Another seat (seat 0 for none)."""
    return 0 if seat is None else (seat + 1) % events[0]["rules"]["players"]


def one_more(values: Any, events: Events, rng: random.Random) -> Any:
    """A list with one entry raised by one."""
    at = rng.randrange(len(values))
    return [value + (place == at) for place, value in enumerate(values)]


def other_card(card: Any, events: Events, rng: random.Random) -> Any:
    """Any other card."""
    return rng.choice([c for c in DECK if c != card])


def opening_of(events: Events, at: int) -> str:
    """The opening card of the round in which this event stands."""
    return str(events[max(place for place in places(events, "round") if place < at)]["opening"])


for _why in ("failed", "kings", "trump_king", "final"):
    register_drop(f"capture_{_why}", "capture", why=_why)
for _why in ("turn", "seven", "extra"):
    register_drop(f"draw_{_why}", "draw", why=_why)
register_drop("choice_draw", "draw", choice=True)
for _kind in ("game", "round", "skip", "lay", "decline", "fail", "out", "round_end", "game_end"):
    register_drop(_kind, _kind)
register_drop("extra_lay", "lay", extra=True)

register_set("starter", "round", "starter", other_seat)
register_set("round_number", "round", "round", lambda number, events, rng: number + 1)
register_set("opening", "round", "opening", other_card)
register_set("stock_order", "round", "stock", lambda stock, events, rng: stock[1:] + stock[:1])
register_set("stock_short", "round", "stock", lambda stock, events, rng: stock[:-1])
for _kind in ("skip", "draw", "lay", "decline", "fail", "capture", "out"):
    register_set(f"{_kind}_seat", _kind, "seat", other_seat)
    register_set(f"{_kind}_seat_type", _kind, "seat", lambda seat, events, rng: float(seat))
register_set("draw_card", "draw", "card", other_card)
register_set("draw_why", "draw", "why", lambda why, events, rng: "extra" if why == "turn" else "turn")
register_set("lay_kind", "lay", "kind", lambda kind, events, rng: "quad" if kind != "quad" else "run")
register_set("lay_extra", "lay", "extra", lambda extra, events, rng: not extra)
register_set("capture_one_less", "capture", "cards", lambda cards, events, rng: cards[:-1])
register_set("capture_order", "capture", "cards", lambda cards, events, rng: cards[::-1])
register_set("capture_why", "capture", "why", lambda why, events, rng: "kings" if why != "kings" else "failed")
register_set("place", "out", "place", lambda place, events, rng: place % 3 + 1)
for _name in ("out", "king", "quad", "run"):
    register_set(
        f"bonus_{_name}",
        "out",
        "bonus",
        lambda bonus, events, rng, name=_name: {**bonus, name: bonus[name] + 10},  # type: ignore[misc]
    )
register_set("bonus_keys", "out", "bonus", lambda bonus, events, rng: {"out": bonus["out"]})
for _name in ("captured", "bonus", "penalty", "score", "total"):
    register_set(f"round_end_{_name}", "round_end", _name, one_more)
register_set("why", "round_end", "why", lambda why, events, rng: "one_left" if why == "blocked" else "blocked")
register_set("winner", "game_end", "winner", other_seat)
register_set("no_winner", "game_end", "winner", lambda winner, events, rng: None)
register_set("capped", "game_end", "capped", lambda capped, events, rng: not capped)
register_set("final_total", "game_end", "total", one_more)
register_set("bots", "game", "bots", lambda bots, events, rng: bots[1:])

register_insert("skip", "lay", lambda event, events: {"event": "skip", "seat": event["seat"]})
register_insert(
    "draw",
    "fail",
    lambda event, events: {"event": "draw", "seat": event["seat"], "card": "Ts", "why": "turn"},
)
register_insert("fail", "lay", lambda event, events: {"event": "fail", "seat": event["seat"]})
register_insert("second_fail", "fail", lambda event, events: dict(event))
register_insert("decline", "fail", lambda event, events: {"event": "decline", "seat": event["seat"]})
register_insert(
    "capture",
    "lay",
    lambda event, events: {
        "event": "capture",
        "seat": event["seat"],
        "cards": event["cards"],
        "why": "kings",
    },
)
register_insert(
    "failed_capture",
    "fail",
    lambda event, events: {"event": "capture", "seat": event["seat"], "cards": ["Ts", "9s"], "why": "failed"},
)
register_insert(
    "out",
    "lay",
    lambda event, events: {
        "event": "out",
        "seat": event["seat"],
        "place": 1,
        "bonus": {"out": 20, "king": 0, "quad": 0, "run": 0},
    },
)
register_insert("after_the_end", "game_end", lambda event, events: {"event": "note"})


@mutation
def next_dealer(events: Events, rng: random.Random) -> bool:
    """Another dealer than the round before names."""
    later = places(events, "round")[1:]
    if not later:
        return False
    at = rng.choice(later)
    events[at] = {**events[at], "dealer": other_seat(events[at]["dealer"], events, rng)}
    return True


@mutation
def hand_with_a_double(events: Events, rng: random.Random) -> bool:
    """A card that is dealt twice."""
    at = rng.choice(places(events, "round"))
    hands = [list(hand) for hand in events[at]["hands"]]
    hands[0][0] = hands[1][0]
    events[at] = {**events[at], "hands": hands}
    return True


@mutation
def hand_of_another_size(events: Events, rng: random.Random) -> bool:
    """One card more for seat 0, taken from the stock."""
    at = rng.choice(places(events, "round"))
    deal = events[at]
    hands = [[*deal["hands"][0], deal["stock"][-1]], *deal["hands"][1:]]
    events[at] = {**deal, "hands": hands, "stock": deal["stock"][:-1]}
    return True


@mutation
def lay_a_card_not_held(events: Events, rng: random.Random) -> bool:
    """A single of the opening card, which nobody can hold."""
    at = any_of(events, rng, "lay", kind="single")
    if at is None:
        return False
    events[at] = {**events[at], "cards": [opening_of(events, at)]}
    return True


@mutation
def lay_a_card_that_does_not_cover(events: Events, rng: random.Random) -> bool:
    """The starter lays another card of his hand, one that does not cover the opening card."""
    for at in places(events, "round"):
        deal, lay = events[at], events[at + 1]
        seat, rules = deal["starter"], events[0]["rules"]
        wrong = [card for card in deal["hands"][seat] if not covers(rules, seat, card, deal["opening"])]
        if lay["event"] == "lay" and wrong:
            events[at + 1] = {**lay, "kind": "single", "cards": [rng.choice(wrong)]}
            return True
    return False


@mutation
def fail_with_a_move_in_hand(events: Events, rng: random.Random) -> bool:
    """The starter, who lays at once, fails in place of it."""
    found = [at + 1 for at in places(events, "round") if events[at + 1]["event"] == "lay"]
    if not found:
        return False
    at = rng.choice(found)
    events[at] = {"event": "fail", "seat": events[at]["seat"]}
    return True


@mutation
def choice_without_a_choice(events: Events, rng: random.Random) -> bool:
    """A forced draw that claims to be by choice, or the other way round."""
    at = any_of(events, rng, "draw")
    if at is None:
        return False
    events[at] = {**events[at], "choice": not events[at].get("choice", False)}
    return True


@mutation
def run_with_a_gap(events: Events, rng: random.Random) -> bool:
    """The two middle cards of a run change places."""
    at = any_of(events, rng, "lay", kind="run")
    if at is None:
        return False
    first, second, third, last = events[at]["cards"]
    events[at] = {**events[at], "cards": [first, third, second, last]}
    return True


@mutation
def quad_of_three(events: Events, rng: random.Random) -> bool:
    """A quad that lays three cards."""
    at = any_of(events, rng, "lay", kind="quad")
    if at is None:
        return False
    events[at] = {**events[at], "cards": events[at]["cards"][1:]}
    return True


def swap(events: Events, rng: random.Random, first: str, second: str) -> bool:
    """Two neighbouring events in the wrong order."""
    found = [at for at in places(events, first) if events[at + 1]["event"] == second]
    if not found:
        return False
    at = rng.choice(found)
    events[at], events[at + 1] = events[at + 1], events[at]
    return True


for _first, _second in (
    ("fail", "capture"),
    ("lay", "out"),
    ("draw", "lay"),
    ("draw", "skip"),
    ("out", "capture"),
):
    MUTATIONS[f"swap_{_first}_{_second}"] = lambda events, rng, one=_first, two=_second: swap(  # type: ignore[misc]
        events, rng, one, two
    )


@mutation
def blocked_one_failure_early(events: Events, rng: random.Random) -> bool:
    """A blocked round without its last failure."""
    found = places(events, "round_end", why="blocked")
    if not found:
        return False
    at = rng.choice(found)
    start = max(place for place in places(events, "fail") if place < at)
    del events[start:at]
    return True


@mutation
def last_round_missing(events: Events, rng: random.Random) -> bool:
    """The game ends a round too early, with the totals it had then."""
    rounds = places(events, "round")
    if len(rounds) < 2:
        return False
    total = events[rounds[-1] - 1]["total"]
    end = {**events[-1], "total": total, "winner": total.index(max(total)), "capped": False}
    events[rounds[-1] :] = [end]
    return True


@mutation
def one_round_more(events: Events, rng: random.Random) -> bool:
    """Another round after the game is decided."""
    rounds = places(events, "round")
    copy = [dict(event) for event in events[rounds[-1] : -1]]
    copy[0]["round"] += 1
    events[-1:-1] = copy
    return True


@mutation
def another_seven_rule(events: Events, rng: random.Random) -> bool:
    """The rules say that a seven does nothing, yet turns are skipped."""
    if not places(events, "skip"):
        return False
    events[0] = {**events[0], "rules": {**events[0]["rules"], "seven": "nothing"}}
    return True


@mutation
def rules_incomplete(events: Events, rng: random.Random) -> bool:
    """An option without a value."""
    rules = dict(events[0]["rules"])
    del rules[rng.choice(sorted(rules))]
    events[0] = {**events[0], "rules": rules}
    return True


@mutation
def rules_unknown_word(events: Events, rng: random.Random) -> bool:
    """A value that is none of the option's."""
    events[0] = {**events[0], "rules": {**events[0]["rules"], "trumps": "three"}}
    return True


@mutation
def key_missing(events: Events, rng: random.Random) -> bool:
    """An event that lacks one of its keys."""
    at = rng.randrange(len(events))
    event = {key: value for key, value in events[at].items() if key != "choice"}
    del event[rng.choice(sorted(event))]
    events[at] = event
    return True
