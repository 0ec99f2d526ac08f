"""Cards, squares and worth of the game Square, in plain Python: the table that the players sit at.

Written from the rules page alone and sharing nothing with the simulator: lists and dicts only, no bit
masks, no tables computed in advance, every rule spelt out the long way.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

Rules = Mapping[str, Any]
Event = dict[str, Any]

RANKS = "A23456789TJQK"
SUITS = "cdhs"
PLACES = "A23456789"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
COLOUR = {"c": "black", "s": "black", "d": "red", "h": "red"}
GRIDS = {
    "natural": ["A23", "456", "789"],
    "magic": ["492", "357", "8A6"],
}

# Every option, the values the page allows, and its default.
OPTIONS: dict[str, tuple[Sequence[Any], Any]] = {
    "players": ([2, 4], 2),
    "match": (["deals", "target"], "target"),
    "deals": (range(1, 101), 8),
    "target": (range(1, 1001), 33),
    "end_at": (range(1, 17), 5),
    "end_cost": (range(17), 1),
    "excess": (["double", "single"], "double"),
    "colour_points": (range(11), 1),
    "suit_points": (range(11), 2),
    "hand_size": (range(4, 13), 8),
    "layout": (["natural", "magic"], "natural"),
    "draw": (["before", "after"], "before"),
    "gifts": (["yes", "no"], "yes"),
    "exhaust_excess": (["no", "yes"], "no"),
    "consult": (["veto", "free"], "veto"),
    "first": (["left", "dealer"], "left"),
    "max_deals": (range(1, 10001), 200),
}

DEFAULTS: dict[str, Any] = {name: default for name, (_, default) in OPTIONS.items()}


class Action(NamedTuple):
    """One way to play one card: where to, and on which place (None for a discard)."""

    card: str
    to: str
    place: str | None


class Laid(NamedTuple):
    """A card lying on a place, face up or not."""

    card: str
    is_open: bool


Square = dict[str, list[Laid]]


def empty_square() -> Square:
    """Return nine empty places."""
    return {place: [] for place in PLACES}


def is_free(square: Square, place: str) -> bool:
    """Tell whether `place` is empty or its top card lies face down."""
    pile = square[place]
    return not pile or not pile[-1].is_open


@cache
def lines_of(layout: str) -> list[list[str]]:
    """Return the eight lines of a layout, each as its three places."""
    grid = GRIDS[layout]
    rows = [list(row) for row in grid]
    columns = [[row[column] for row in grid] for column in range(3)]
    falling = [grid[step][step] for step in range(3)]
    rising = [grid[2 - step][step] for step in range(3)]
    return [*rows, *columns, falling, rising]


def line_points(square: Square, line: Sequence[str], rules: Rules) -> int:
    """Return the points of one line: its three open top cards share a suit, or a colour, or neither."""
    if any(is_free(square, place) for place in line):
        return 0
    suits = {square[place][-1].card[1] for place in line}
    if len(suits) == 1:
        return int(rules["suit_points"])
    if len({COLOUR[suit] for suit in suits}) == 1:
        return int(rules["colour_points"])
    return 0


def worth(square: Square, rules: Rules) -> int:
    """Return the points of all eight lines."""
    return sum(line_points(square, line, rules) for line in lines_of(rules["layout"]))


def legal_actions(hand: Sequence[str], own: Square, other: Square, rules: Rules) -> list[Action]:
    """Return every distinct way to play one card of `hand`, as step 3 of a turn lists them."""
    actions = []
    gifts = rules["gifts"] == "yes"
    for card in hand:
        rank = card[0]
        actions.append(Action(card, "discard", None))
        if rank in PLACES:
            if is_free(own, rank):
                actions.append(Action(card, "own", rank))
            if gifts and is_free(other, rank):
                actions.append(Action(card, "other", rank))
        for place in PLACES:
            if may_take_any_place(rank, is_free(own, place)):
                actions.append(Action(card, "own", place))
            if rank == "J" and gifts and not is_free(other, place):
                actions.append(Action(card, "other", place))
    return actions


def may_take_any_place(rank: str, free: bool) -> bool:
    """Tell whether a card of this rank may go on any own place that is free, or is not."""
    if rank == "T":
        return free
    if rank in "JQ":
        return not free
    return rank == "K"


def lay(action: Action, own: Square, other: Square, discards: list[str]) -> None:
    """Carry out `action` on the table."""
    if action.place is None:
        discards.append(action.card)
        return
    square = own if action.to == "own" else other
    square[action.place].append(Laid(action.card, is_open=action.card[0] not in "JQ"))


def deal_scores(worths: Sequence[int], ender: int | None, rules: Rules) -> list[int]:
    """Return both sides' scores of a deal that `ender` ended (None: the pack ran out)."""
    scores = list(worths)
    above = [max(0, points - rules["end_at"]) for points in worths]
    if ender is not None:
        if rules["excess"] == "double":
            scores[ender] += above[ender]
        scores[ender] -= rules["end_cost"]
    elif rules["exhaust_excess"] == "yes":
        scores = [score + more for score, more in zip(scores, above, strict=True)]
    return scores


def outcome(totals: Sequence[int], deals: int, rules: Rules) -> tuple[bool, int | None, bool]:
    """Return (is the match over, winning side or None, was it capped) after `deals` deals."""
    leader = None if totals[0] == totals[1] else int(totals[1] > totals[0])
    if rules["match"] == "deals":
        if deals == rules["deals"]:
            return True, leader, False
    elif max(totals) >= rules["target"] and leader is not None:
        return True, leader, False
    if deals == rules["max_deals"]:
        return True, None, True
    return False, None, False
