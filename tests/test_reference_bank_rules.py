"""The plain rule functions of Bank against the words of the page, and against their second derivation."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

import pytest
from reference import bank_judge as judge
from reference import bank_rules as page
from reference.bank_rules import DEFAULT_RULES, RoundResult


def default_rules(**changes: Any) -> dict[str, Any]:
    """The defaults with some options changed."""
    return {**DEFAULT_RULES, **changes}


def test_covering_is_derived_twice_alike() -> None:
    for trumps in judge.WORD_OPTIONS["trumps"]:
        for cover in judge.WORD_OPTIONS["cover"]:
            rules = default_rules(trumps=trumps, cover=cover)
            for seat in range(4):
                for top in page.DECK:
                    found = {c for c in page.DECK if c != top and page.covers(rules, seat, c, top)}
                    assert found == judge.cards_covering(top, seat, trumps, cover)


@pytest.mark.parametrize(
    ("rules", "seat", "card", "top", "covers"),
    [
        ({}, 0, "8c", "Ah", True),  # an eight on anything
        ({"trumps": "one"}, 0, "8c", "As", True),
        ({"trumps": "none"}, 0, "Kh", "Kd", True),  # same rank
        ({"trumps": "one"}, 0, "Kh", "Ks", True),  # also on a trump
        ({"trumps": "none"}, 0, "Kh", "Th", True),  # the ten is one above the king
        ({"trumps": "none"}, 0, "Th", "Ah", True),
        ({"trumps": "none"}, 0, "Kh", "Ah", False),  # two lower
        ({"trumps": "none", "cover": "any_lower"}, 0, "Kh", "Ah", True),
        ({"trumps": "none", "cover": "any_lower"}, 0, "Ah", "Kh", False),
        ({"trumps": "none"}, 0, "Ah", "6h", False),  # the order does not wrap round
        ({"trumps": "none"}, 0, "9h", "Jh", True),  # no ten between nine and jack
        ({"trumps": "none"}, 0, "6h", "Ah", True),  # a six on all of its suit
        ({"trumps": "none"}, 0, "6h", "Ad", False),
        ({"trumps": "own"}, 0, "9s", "Ah", True),  # own trump, seat 0
        ({"trumps": "own"}, 1, "9s", "Ah", False),
        ({"trumps": "own"}, 1, "9h", "As", True),
        ({"trumps": "own"}, 2, "9d", "As", True),
        ({"trumps": "own"}, 3, "9c", "As", True),
        ({"trumps": "own"}, 0, "9s", "As", False),  # within the trump suit as in any other
        ({"trumps": "one"}, 2, "9s", "Ad", True),
        ({"trumps": "one"}, 2, "9d", "As", False),
        ({"trumps": "two"}, 1, "9d", "As", False),  # equal in standing
        ({"trumps": "two"}, 1, "9s", "Ad", False),
        ({"trumps": "two"}, 1, "9d", "Ac", True),
        ({"trumps": "ranked"}, 1, "9s", "Ad", True),
        ({"trumps": "ranked"}, 1, "9d", "As", False),
        ({"trumps": "ranked"}, 1, "9d", "Ah", True),
        ({"trumps": "ranked"}, 1, "9h", "Ad", False),
    ],
)
def test_covering(rules: dict[str, Any], seat: int, card: str, top: str, covers: bool) -> None:
    assert page.covers(default_rules(**rules), seat, card, top) is covers


def test_moves_are_all_that_judge_allows() -> None:
    """The enumeration against brute force over all ordered choices of one and of four cards."""
    rng = random.Random(3)
    for _ in range(60):
        rules = {**DEFAULT_RULES, **{n: rng.choice(sorted(v)) for n, v in judge.WORD_OPTIONS.items()}}
        seat = rng.randrange(4)
        ranks = rng.sample(page.RANKS, 5)
        pool = [card for card in page.DECK if card[0] in ranks]
        top, *hand = rng.sample(pool, 9)
        found: set[tuple[str, Any, str]] = set()
        for kind, size in (("single", 1), ("quad", 4), ("run", 4)):
            for cards in permutations(hand, size):
                if judge.wrong_move(rules, seat, set(hand), top, kind, cards) is None:
                    found.add((kind, frozenset(cards) if kind == "quad" else cards, cards[-1]))
        listed = [
            (move.kind, frozenset(move.cards) if move.kind == "quad" else move.cards, move.cards[-1])
            for move in page.legal_moves(rules, seat, hand, top)
        ]
        assert len(listed) == len(set(listed))
        assert set(listed) == found


def test_quads_and_runs_are_counted_as_the_page_says() -> None:
    rules = default_rules(trumps="none")
    quads = page.quads(["9c", "9d", "9h", "9s", "Jc"])
    assert sorted(quad.cards[-1] for quad in quads) == ["9c", "9d", "9h", "9s"]
    two_sixes = ["6c", "6h", "7c", "8c", "9c"]
    ways = {move.cards for move in page.runs(rules, 0, two_sixes, "Jc")}
    assert ways == {("6c", "7c", "8c", "9c"), ("9c", "8c", "7c", "6c"), ("9c", "8c", "7c", "6h")}
    same = default_rules(trumps="none", run_suits="same")
    assert len(page.runs(same, 0, two_sixes, "Jc")) == 2
    assert page.runs(rules, 0, ["Tc", "Ac", "6c", "7c"], "Ac") == []
    first_is_an_eight = page.runs(rules, 0, ["8c", "9c", "Jc", "Qc"], "Ah")
    assert [move.cards for move in first_is_an_eight] == [("8c", "9c", "Jc", "Qc")]


@pytest.mark.parametrize(
    ("first_move", "hands", "starter"),
    [
        ("nearest", ["Ah 6c", "9h 6d", "7h 6s"], 1),  # below Jh: 9h is nearer than 7h
        ("nearest", ["Ah 6c", "Qh 6d", "7s 6s"], 1),  # none lower: Qh is nearer than Ah
        ("nearest", ["Ac 6c", "Qc 6d", "7s 6s"], 2),  # nobody: left of the dealer
        ("left", ["Ah 6c", "9h 6d", "7h 6s"], 2),  # first lower from the left of seat 1
        ("left", ["Ah 6c", "Qh 6d", "7s 6s"], 0),  # first higher
        ("left", ["Ac 6c", "9h 6d", "Ah 6s"], 1),  # lower goes before higher, also at the dealer
        ("left", ["Ac 6c", "Qc 6d", "7s 6s"], 2),
        ("dealer_left", ["Ah 6c", "9h 6d", "7s 6s"], 2),
    ],
)
def test_who_moves_first(first_move: str, hands: list[str], starter: int) -> None:
    rules, cards = default_rules(first_move=first_move), [hand.split() for hand in hands]
    assert page.starter(rules, cards, "Jh", 1) == starter
    assert judge.expected_starter(rules, [set(hand) for hand in cards], "Jh", 1) == starter


# Scores and dealers


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ({"penalty": "none"}, [0, 0, 0]),
        ({"penalty": "hand"}, [0, 12, 12]),
        ({"penalty": "fixed", "penalty_fixed": 40}, [0, 40, 40]),
        ({"penalty": "hand_fixed", "penalty_fixed": 15}, [0, 27, 27]),
        ({"penalty": "per_card", "penalty_card": 6}, [0, 6, 12]),
        ({"penalty": "hand_per_card"}, [0, 15, 18]),
        ({"penalty": "hand_per_card", "penalty_on": "loser"}, [0, 0, 18]),
    ],
)
def test_penalties(rules: dict[str, Any], expected: list[int]) -> None:
    hands = [[], ["Ac"], ["Ad", "7d"]]
    assert page.penalties(default_rules(**rules), hands, 0) == expected
    assert judge.expected_penalties(default_rules(**rules), [set(hand) for hand in hands], 0) == expected


@pytest.mark.parametrize(
    ("how", "dealer"), [("loser", 2), ("last_out", 3), ("starter", 1), ("leader", 1), ("trailer", 3)]
)
def test_next_dealer_with_ties_from_the_dealers_left(how: str, dealer: int) -> None:
    hands = [["Ac", "7c"], [], ["Td"], ["Ad", "7d"]]  # 0 and 3 tie in points and in cards
    result = RoundResult(dealer=1, starter=1, hands=hands, score=[-5, 9, -5, 3], total=[2, 30, 30, 2])
    expected = {"leader": 2}.get(how, dealer)
    assert page.next_dealer(default_rules(next_dealer=how), result) == expected


def test_the_dealer_comes_last_in_a_tie() -> None:
    result = RoundResult(dealer=1, starter=0, hands=[["7c"], ["7d"], []], score=[0, 0, 9], total=[0, 0, 0])
    assert page.next_dealer(default_rules(next_dealer="loser"), result) == 0
    assert page.next_dealer(default_rules(next_dealer="trailer"), result) == 2
    assert page.last_out(result.hands, 1) == 0


@pytest.mark.parametrize(
    ("place", "kind", "cards", "bonus"),
    [
        (1, "single", "9c", (20, 0, 0, 0)),
        (1, "single", "Kc", (20, 30, 0, 0)),
        (2, "single", "Kc", (10, 20, 0, 0)),
        (3, "single", "Kc", (10, 10, 0, 0)),
        (2, "quad", "9c 9d 9h 9s", (10, 0, 75, 0)),
        (1, "quad", "Kc Kd Kh Ks", (20, 30, 0, 0)),
        (1, "run", "9c Jc Qc Kc", (20, 30, 0, 30)),
        (2, "run", "9c 8c 7c 6c", (10, 0, 0, 25)),
        (3, "run", "9c 8c 7c 6c", (10, 0, 0, 20)),
        (3, "run", "9c 8c 7c 6d", (10, 0, 0, 0)),
    ],
)
def test_bonuses(place: int, kind: str, cards: str, bonus: tuple[int, ...]) -> None:
    expected = dict(zip(("out", "king", "quad", "run"), bonus, strict=True))
    assert page.out_bonus(place, kind, cards.split()) == expected
    assert judge.expected_bonus(place, kind, cards.split()) == expected
