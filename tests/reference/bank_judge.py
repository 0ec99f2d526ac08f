"""Bank's rules derived a second time, in other ways than ``bank_rules``, lest the checker inherit its slips.

Where ``bank_rules`` enumerates, this module judges: it is given one move, one starter, one score, and says
what is wrong with it. The two are compared in the tests and in every game checked.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from .bank_rules import Rules

ORDER = ["6", "7", "8", "9", "J", "Q", "K", "T", "A"]
WORTH = {"6": 0, "7": 0, "8": 0, "9": 0, "J": 1, "Q": 3, "K": 5, "T": 10, "A": 12}
TRUMPS_OF_SEAT = [{"s"}, {"h"}, {"d"}, {"c"}]
TRUMPS_OF_ALL: dict[str, list[set[str]]] = {
    # groups of equal standing, the senior first
    "none": [],
    "one": [{"s"}],
    "two": [{"s", "d"}],
    "ranked": [{"s"}, {"d"}],
}

WORD_OPTIONS: dict[str, set[str]] = {
    "trumps": {"own", "none", "one", "two", "ranked"},
    "seven": {"skip", "draw_play", "draw_skip", "nothing"},
    "penalty": {"none", "hand", "hand_fixed", "hand_per_card", "fixed", "per_card"},
    "next_dealer": {"loser", "last_out", "starter", "leader", "trailer"},
    "cover": {"one_lower", "any_lower"},
    "run_suits": {"any", "same"},
    "extra_move": {"if_able", "draw"},
    "kings_cover": {"anyone", "opponent"},
    "opening_card": {"dealer", "nobody"},
    "first_move": {"nearest", "left", "dealer_left"},
    "penalty_on": {"holders", "loser"},
    "must_play": {"yes", "no"},
    "final_bank": {"nobody", "last_cover"},
}
NUMBER_OPTIONS: dict[str, tuple[int, ...] | range] = {
    "players": (2, 3, 4),
    "penalty_fixed": (15, 23, 31, 40, 48, 56),
    "penalty_card": (3, 6),
    "target": range(1, 1001),
    "hand_size": range(1, 9),
    "max_rounds": range(1, 10001),
}


def wrong_rules(rules: object) -> str | None:
    """What is wrong with a game's table of options, if anything."""
    if not isinstance(rules, dict):
        return "the rules are a table from option to value"
    known = set(WORD_OPTIONS) | set(NUMBER_OPTIONS)
    if set(rules) != known:
        return f"options missing {sorted(known - set(rules))}, unknown {sorted(set(rules) - known)}"
    for name, value in rules.items():
        allowed = WORD_OPTIONS.get(name) or NUMBER_OPTIONS[name]
        kind = str if name in WORD_OPTIONS else int
        if type(value) is not kind or value not in allowed:
            return f"{name}={value!r} is not a value of the option"
    return None


def worth(cards: Sequence[str]) -> int:
    """Points of the cards."""
    total = 0
    for card in cards:
        total += WORTH[card[0]]
    return total


@cache
def cards_covering(top: str, seat: int, trumps: str, cover: str) -> frozenset[str]:
    """Every card of the pack that covers `top` out of the hand of `seat`, collected rule by rule."""
    rank, suit = top[0], top[1]
    found = {"8" + s for s in "cdhs"}  # rule 1
    found |= {rank + s for s in "cdhs"}  # rule 2
    lower = ORDER[: ORDER.index(rank)]
    found |= {r + suit for r in (lower[-1:] if cover == "one_lower" else lower)}  # rule 3
    found.add("6" + suit)  # rule 4
    if trumps == "own":  # rule 5
        senior = TRUMPS_OF_SEAT[seat] - {suit}
        if suit in TRUMPS_OF_SEAT[seat]:
            senior = set()
    else:
        senior = set()
        for group in TRUMPS_OF_ALL[trumps]:
            if suit in group:
                break
            senior |= group
    found |= {r + s for r in ORDER for s in senior}
    return frozenset(found - {top})


def wrong_move(rules: Rules, seat: int, hand: set[str], top: str, kind: Any, cards: Any) -> str | None:
    """Why these cards may not be laid as such a move on `top`, or None when they may."""
    if not isinstance(cards, (list, tuple)) or not all(isinstance(card, str) for card in cards):
        return "the cards of a move are a list of cards"
    if len(set(cards)) != len(cards) or not set(cards) <= hand:
        return "a move lays cards from the hand, each once"
    if kind not in ("single", "quad", "run"):
        return "a move is a single, a quad or a run"
    if len(cards) != (1 if kind == "single" else 4):
        return "a single is one card, a quad and a run are four"
    if kind == "quad":
        return None if len({card[0] for card in cards}) == 1 else "a quad is all four cards of one rank"
    if cards[0] not in cards_covering(top, seat, rules["trumps"], rules["cover"]):
        return f"{cards[0]} does not cover {top} for seat {seat}"
    return wrong_run(rules, cards) if kind == "run" else None


def wrong_run(rules: Rules, cards: Sequence[str]) -> str | None:
    """Why four cards are not a run, if they are not."""
    heights = [ORDER.index(card[0]) for card in cards]
    steps = {after - before for before, after in pairwise(heights)}
    if steps not in ({1}, {-1}):
        return "a run is four consecutive ranks, upwards or downwards"
    if rules["run_suits"] == "same" and any(card[1] != cards[0][1] for card in cards):
        return "run_suits=same: a run is of one suit"
    return None


def extra_is_owed(kind: str, top: str) -> bool:
    """A single eight, a quad, and a run that leaves an eight on top."""
    if kind == "quad":
        return True
    return top.startswith("8")


def expected_starter(rules: Rules, hands: Sequence[set[str]], opening: str, dealer: int) -> int:
    """Who moves first, found by walking down and then up from the opening card."""
    players = len(hands)
    left = (dealer + 1) % players
    if rules["first_move"] == "dealer_left":
        return left
    height = ORDER.index(opening[0])
    suit = opening[1]
    downwards = [rank + suit for rank in reversed(ORDER[:height])]
    upwards = [rank + suit for rank in ORDER[height + 1 :]]
    for way in (downwards, upwards):
        holders = [(card, seat) for card in way for seat in range(players) if card in hands[seat]]
        if holders and rules["first_move"] == "nearest":
            return holders[0][1]
        if holders:
            return min((seat for _, seat in holders), key=lambda seat: (seat - left) % players)
    return left


def trump_king(rules: Rules, seat: int, card: str) -> bool:
    """Whether the card is a king of a trump suit of this seat."""
    if rules["trumps"] == "own":
        return card == "K" + "shdc"[seat]
    kings: dict[str, set[str]] = {"none": set(), "one": {"Ks"}, "two": {"Ks", "Kd"}, "ranked": {"Ks", "Kd"}}
    return card in kings[rules["trumps"]]


def expected_bonus(place: int, kind: str, cards: Sequence[str]) -> dict[str, int]:
    """The table of going out."""
    king = cards[-1][0] == "K"
    run = kind == "run" and all(card[1] == cards[0][1] for card in cards)
    return {
        "out": (20, 10, 10)[place - 1],
        "king": (30, 20, 10)[place - 1] if king else 0,
        "quad": 75 if kind == "quad" and not king else 0,
        "run": (30, 25, 20)[place - 1] if run else 0,
    }


def seat_last_out(hands: Sequence[set[str]], dealer: int) -> int:
    """The seat that `next_dealer=last_out` names."""
    left = (dealer + 1) % len(hands)
    rank = {
        seat: (-worth(sorted(hand)), -len(hand), (seat - left) % len(hands)) for seat, hand in enumerate(hands) if hand
    }
    return min(rank, key=lambda seat: rank[seat])


def expected_penalties(rules: Rules, hands: Sequence[set[str]], dealer: int) -> list[int]:
    """The penalty of each seat."""
    payers = {seat for seat, hand in enumerate(hands) if hand}
    if rules["penalty_on"] == "loser":
        payers = {seat_last_out(hands, dealer)}
    fixed, card = rules["penalty_fixed"], rules["penalty_card"]
    scheme: str = rules["penalty"]
    lost = [0] * len(hands)
    for seat in payers:
        in_hand, left = worth(sorted(hands[seat])), card * len(hands[seat])
        lost[seat] = {
            "none": 0,
            "hand": in_hand,
            "hand_fixed": in_hand + fixed,
            "hand_per_card": in_hand + left,
            "fixed": fixed,
            "per_card": left,
        }[scheme]
    return lost


def first_from_left(dealer: int, values: Sequence[int], wanted: int) -> int:
    """The first seat clockwise from the dealer's left that has the wanted value."""
    seat = (dealer + 1) % len(values)
    while values[seat] != wanted:
        seat = (seat + 1) % len(values)
    return seat
