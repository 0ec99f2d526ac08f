"""The awkward places of Bank, played and checked by hand-written deals."""

from __future__ import annotations

import random
from typing import Any

import pytest
from reference.bank import DEFAULT_RULES, Dealer
from reference.bank_scenario import Script, scenario, tell
from reference.bank_state import State

SEVEN: dict[str, Any] = {
    "hands": ["7h", "Ah", "As"],
    "opening": "8h",
    "stock": "9c 6h Kd Qc 6c Jd",
    "dealer": 2,
}


@pytest.mark.parametrize(
    ("rule", "after"),
    [
        (
            "skip",
            ["1 skips", "2 draws 9c turn", "2 fails", "0 takes 8h 7h failed", "1 draws 6h turn", "1 lays 6h"],
        ),
        ("draw_skip", ["1 draws 9c seven", "1 skips", "2 draws 6h turn", "2 lays 6h"]),
        ("draw_play", ["1 draws 9c seven", "1 draws 6h turn", "1 lays 6h", "2 draws Kd turn", "2 fails"]),
        ("nothing", ["1 draws 9c turn", "1 fails", "0 takes 8h 7h failed", "2 draws 6h turn", "2 lays 6h"]),
    ],
)
def test_a_seven_acts_once_on_whoever_moves_next_and_a_player_out_captures(rule: str, after: list[str]) -> None:
    told = scenario(**SEVEN, seven=rule)
    assert told[:3] == ["0 starts", "0 lays 7h", "0 out 1: 20 0 0 0"]
    assert told[3 : 3 + len(after)] == after


def test_a_bank_of_one_own_card_stays() -> None:
    told = scenario(**SEVEN)
    start = told.index("1 lays 6h")
    assert told[start : start + 9] == [
        "1 lays 6h",
        "2 draws Kd turn",
        "2 fails",
        "1 draws Qc turn",
        "1 fails",
        "2 draws 6c turn",
        "2 lays 6c",
        "1 draws Jd turn",
        "1 fails",
    ]
    assert told[start + 9] == "2 takes 6h 6c failed"


def test_the_opening_card_belongs_to_the_dealer_and_its_seven_does_not_act() -> None:
    told = scenario(["Ah", "Ac"], "7s", "9d 9c 7d 6d")
    assert told[:9] == [
        "1 starts",
        "1 draws 9d turn",
        "1 fails",
        "0 takes 7s failed",
        "0 draws 9c turn",
        "0 fails",
        "1 draws 7d turn",
        "1 lays 7d",
        "0 skips",
    ]


def test_the_opening_card_may_belong_to_nobody() -> None:
    told = scenario(["Ah", "Ac"], "7s", "9d 9c 7d 6d", opening_card="nobody")
    assert told[1:6] == ["1 draws 9d turn", "1 fails", "0 draws 9c turn", "0 fails", "1 draws 7d turn"]
    assert next(line for line in told if "takes" in line).startswith("0 takes 7s 7d")


def test_a_dealer_who_fails_on_his_own_opening_card_takes_nothing() -> None:
    told = scenario(["Ac", "9s"], "7s", "Kd Kh", dealer=1)
    assert told[:6] == [
        "1 starts",
        "1 draws Kd turn",
        "1 fails",
        "0 draws Kh turn",
        "0 fails",
        "1 takes 7s failed",
    ]


def test_a_seven_inside_a_run_does_not_act_and_one_on_top_does() -> None:
    hands = ["6h 7h 8h 9h Ac", "Td Ad Qd Kd Js"]
    up = scenario(hands, "Jh", "Kc Kh", moves=["6h 7h 8h 9h"])
    assert up[:4] == ["0 starts", "0 run 6h 7h 8h 9h", "1 draws Kc turn", "1 fails"]
    hands = ["7h 8h 9h Jh Ac", "Td Ad 7c Kd Js"]
    down = scenario(hands, "Qh", "Kc Kh", moves=["Jh 9h 8h 7h"])
    assert down[:3] == ["0 starts", "0 run Jh 9h 8h 7h", "1 skips"]


KINGS = ["Kc Kd Kh Ks Qs 6d", "Qh Jh 9c 9d 6c 7c"]
LAYING_KINGS = ["0 starts", "0 quad Kc Kd Kh Ks"]


def test_four_kings_are_taken_by_their_layer_only_where_the_rules_let_him() -> None:
    moves = ["Kc Kd Kh Ks", "Qs", "Qh"]
    told = scenario(KINGS, "As", moves=moves)
    assert told[:5] == [*LAYING_KINGS, "0 lays Qs extra", "0 takes As Kc Kd Kh Ks Qs kings", "1 lays Qh"]
    told = scenario(KINGS, "As", moves=moves, kings_cover="opponent")
    assert told[:4] == [*LAYING_KINGS, "0 lays Qs extra", "1 lays Qh"]  # his cover ends the chance
    assert not any("kings" in line for line in told)


@pytest.mark.parametrize("kings_cover", ["anyone", "opponent"])
def test_four_kings_are_taken_by_the_opponent_who_covers_them(kings_cover: str) -> None:
    hands = ["Kc Kd Kh Ks 6d 7d", "Qs Jh 9c 9d 6c 7c"]
    told = scenario(hands, "As", moves=["Kc Kd Kh Ks", "Qs"], kings_cover=kings_cover)
    assert told[:4] == [*LAYING_KINGS, "1 lays Qs", "1 takes As Kc Kd Kh Ks Qs kings"]


def test_four_kings_taken_after_a_failure_offer_no_chance_any_more() -> None:
    hands = ["Kc Kd Kh Ks 6d 7d", "9h Jh 9c 9d 6c 7c"]
    told = scenario(hands, "As", "Td Qs 6h", moves=["Kc Kd Kh Ks"])
    failed = ["1 draws Td turn", "1 fails", "0 takes As Kc Kd Kh Ks failed", "0 draws Qs turn", "0 lays Qs"]
    assert told[:8] == [*LAYING_KINGS, *failed, "1 draws 6h turn"]


def test_going_out_with_a_trump_king_takes_the_bank_also_as_the_round_ends() -> None:
    told = scenario(["Ks", "9d"], "Ac", dealer=1, trumps="own")
    assert told == [
        "0 starts",
        "0 lays Ks",
        "0 out 1: 20 30 0 0",
        "0 takes Ac Ks trump_king",
        "one_left 67 0",
        "winner None",
    ]


@pytest.mark.parametrize(
    ("trumps", "king", "takes"),
    [
        ("none", "Ks", False),
        ("one", "Ks", True),
        ("one", "Kd", False),
        ("two", "Kd", True),
        ("two", "Kh", False),
        ("ranked", "Kd", True),
        ("ranked", "Ks", True),
        ("own", "Kh", False),
    ],
)
def test_which_kings_are_trumps(trumps: str, king: str, takes: bool) -> None:
    ten = "T" + king[1]
    told = scenario([king, "9c"], ten, dealer=1, trumps=trumps)
    assert (f"0 takes {ten} {king} trump_king" in told) is takes
    assert told[-2] == ("one_left 65 0" if takes else "one_left 50 0")


def test_going_out_with_four_kings_a_trump_on_top_takes_them_at_once() -> None:
    hands = ["Kc Kd Kh Ks", "9h Jh 9c 9d", "Qs 9s Jc Jd"]
    told = scenario(hands, "As", dealer=2, moves=["Kc Kd Kh Ks", "Qs"], trumps="one", first_move="dealer_left")
    assert told[1:4] == ["0 quad Kc Kd Kh Ks", "0 out 1: 20 30 0 0", "0 takes As Kc Kd Kh Ks trump_king"]
    assert not any("kings" in line for line in told)


def test_four_kings_of_a_player_who_went_out_can_be_covered() -> None:
    hands = ["Kc Kd Kh Ks", "Qs 9h 9c 9d", "Js 9s Jc Jd"]
    told = scenario(hands, "As", dealer=2, moves=["Kc Kd Kh Ks", "Qs"])
    assert told[1:5] == [
        "0 quad Kc Kd Kh Ks",
        "0 out 1: 20 30 0 0",
        "1 lays Qs",
        "1 takes As Kc Kd Kh Ks Qs kings",
    ]


def test_the_last_bank_goes_to_the_owner_of_the_top_card_if_the_rules_say_so() -> None:
    told = scenario(["Kh", "9c"], "Th", dealer=1, final_bank="last_cover")
    assert told[-3:] == ["0 takes Th Kh final", "one_left 65 0", "winner None"]


EIGHTS: dict[str, Any] = {"hands": ["8c 8d 9h", "Jc Qc Ac"], "opening": "9c", "dealer": 1}


def test_extra_moves_chain_and_end_the_turn_where_there_is_none() -> None:
    told = scenario(**EIGHTS, stock="Kd 6s", moves=["8c", "8d"])
    assert told[:4] == ["0 starts", "0 lays 8c", "0 lays 8d extra", "1 draws Kd turn"]


def test_extra_move_draw_draws_one_card_for_each_extra_move_owed() -> None:
    told = scenario(**EIGHTS, stock="8h 7h Kd", moves=["8c", "8d"], extra_move="draw")
    assert told[1:8] == [
        "0 lays 8c",
        "0 lays 8d extra",
        "0 draws 8h extra",
        "0 lays 8h extra",
        "0 draws 7h extra",
        "0 lays 7h extra",
        "1 skips",
    ]
    told = scenario(**EIGHTS, stock="Kd 6s", moves=["8c", "8d"], extra_move="draw")
    assert told[3:5] == ["0 draws Kd extra", "1 draws 6s turn"]


def test_an_empty_hand_owes_no_extra_move() -> None:
    told = scenario(["8h", "Ac"], "9h", dealer=1, extra_move="draw")
    assert told[:4] == ["0 starts", "0 lays 8h", "0 out 1: 20 0 0 0", "one_left 20 -12"]


def test_where_a_move_may_be_declined() -> None:
    hands = ["8h 9h", "Kd 7c"]
    free: dict[str, Any] = {"dealer": 1, "must_play": "no"}
    told = scenario(hands, "Jh", "8c Tc", moves=["pass", "pass"], **free)  # at step 2 and step 3
    assert told[1:4] == ["0 draws 8c turn by choice", "0 declines", "0 fails"]
    assert told[4] == "1 takes Jh failed"
    told = scenario(hands, "Jh", "Ac Tc", moves=["pass"], **free)  # the drawn card lays nothing
    assert told[1:4] == ["0 draws Ac turn by choice", "0 fails", "1 takes Jh failed"]
    told = scenario(hands, "Jh", "7h Tc", moves=["9h", "8h"], dealer=1)
    assert told[1:4] == ["0 lays 9h", "1 draws 7h turn", "1 fails"]
    told = scenario(["8h 8d", "Kd 7c"], "Jh", "7h Tc", moves=["8h", "pass"], **free)  # an extra move
    assert told[1:5] == ["0 lays 8h", "0 declines", "1 draws 7h turn", "1 lays 7h"]


def open_state(hands: list[str], top: str, **changes: Any) -> State:
    """A round in progress with an empty stock, seat 0 to move."""
    players = len(hands)
    return State(
        rules={**DEFAULT_RULES, "players": players, "trumps": "none", **changes},
        dealer=0,
        starter=0,
        hands=[hand.split() for hand in hands],
        stock=[],
        opening="6c",
        bank=[],
        top=top,
        owner=None,
        captured=[[] for _ in hands],
        bonus=[0] * players,
    )


def follow(state: State, moves: list[str]) -> list[str]:
    """Turns from seat 0 until the round is over."""
    table = Dealer(state.rules, [Script(moves)] * len(state.hands), random.Random(0))
    seat = 0
    while state.over() is None:
        table.turn(state, seat)
        seat = state.after(seat)
    return [tell(event) for event in table.events]


def test_a_round_is_blocked_after_a_failure_of_each_player_still_in() -> None:
    state = open_state(["Ac Ad", "Ah Td", "7s 9s"], "Js")
    told = follow(state, [])
    assert told == ["0 fails", "1 fails", "2 lays 9s", "0 fails", "1 fails", "2 fails"]
    assert state.over() == "blocked"


def test_a_skipped_turn_neither_counts_as_a_failure_nor_sets_the_count_back() -> None:
    state = open_state(["7s Ac", "Ah Td", "9h 9d"], "8s")
    assert follow(state, []) == ["0 lays 7s", "1 skips", "2 fails", "0 fails", "1 fails"]
    assert state.over() == "blocked"


def test_declining_with_an_empty_stock_is_told_and_counts_as_a_failure() -> None:
    state = open_state(["9s Ac", "Ah Td"], "Js", must_play="no")
    assert follow(state, ["pass", "pass"]) == ["0 declines", "0 fails", "1 fails"]


def test_a_failure_that_draws_the_last_card_counts() -> None:
    state = open_state(["Ac Ad", "Ah Td"], "9s")
    state.stock = ["Qc"]
    assert follow(state, []) == ["0 draws Qc turn", "0 fails", "1 fails"]
