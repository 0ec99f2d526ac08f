"""Bank's kernel plays most turns by a shortcut; playing every turn by the rules in full gives the same games to the bit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simcore import bits
from simcore.bots import parse_table
from simcore.errors import InputError
from simcore.games.bank.deal import deal
from simcore.games.bank.game import GAME
from simcore.games.bank.kernel import NO_LOG, new_state, play_games, seat_bots
from simcore.games.bank.layout import ASKED, BY_RULES, COUNT, EVERY_SEAT, TURNS
from simcore.games.bank.rules import RULES
from simcore.games.bank.singles import play_singles
from simcore.games.bank.state import OVER
from simcore.jit import compiled, part
from simcore.log import new_log
from simcore.options import Setting
from simcore.shards import Variant, empty_tally, make_job
from simcore.streams import game_keys
from simcore.tally import Job, Tally

SEATS = (2, 3, 4)
FEWER = 50 if numba.config.DISABLE_JIT else 1
"""With the compiler off everything takes longer, and little is enough."""


def job_of(rules: dict[str, Setting], bots: str, seed: int = 1, dice: int = 0) -> Job:
    """Return the kernel's view of a table; raise `InputError` if there is no such one."""
    found = RULES.rules(rules)
    table = parse_table("bank", GAME.bots, bots, found.players)
    return make_job(GAME, Variant("", found, table), seed, True)._replace(dice=np.uint64(dice))


def tally_of(job: Job, games: int, log: Any) -> Tally:
    """Play `games` games, and keep their rows."""
    tally = empty_tally(GAME, games)
    play_games(job, 0, games, tally, log)
    return tally


def assert_same_on_both_paths(job: Job, games: int) -> None:
    """With a log, even one with no room, every turn is played by the rules in full."""
    short, full = tally_of(job, games, NO_LOG), tally_of(job, games, new_log(0))
    np.testing.assert_array_equal(short.rows, full.rows)
    np.testing.assert_array_equal(short.hist, full.hist)
    np.testing.assert_array_equal(short.sums, full.sums)


@pytest.mark.parametrize("players", SEATS)
def test_default_rules_are_played_alike_on_both_paths(players: int) -> None:
    """Ten thousand rounds or so for each number of players."""
    assert_same_on_both_paths(job_of({"players": players}, "random"), 1000 // FEWER)


def option_values() -> st.SearchStrategy[dict[str, Setting]]:
    """Any rules, with games short enough for many of them; impossible ones among them."""
    few: dict[str, list[Setting]] = {"target": [1, 30, 248], "max_rounds": [1, 4, 20]}
    values = {option.name: st.sampled_from(few.get(option.name) or option.all_values()) for option in RULES}
    return st.fixed_dictionaries({"players": values.pop("players")}, optional=values)


@settings(max_examples=150 // FEWER, deadline=None)
@given(option_values(), st.data())
def test_any_rules_and_bots_are_played_alike_on_both_paths(rules: dict[str, Setting], data: st.DataObject) -> None:
    """Bots that are asked take the shortcut too, up to where they have a choice."""
    bots = data.draw(st.lists(st.sampled_from(["random", "greedy", "thrifty"]), min_size=4, max_size=4))
    seed, dice = data.draw(st.integers(0, 2**64 - 1)), data.draw(st.integers(0, 2**64 - 1))
    try:
        job = job_of(rules, ",".join(bots[: int(rules["players"])]), seed, dice)
    except InputError:
        return
    assert_same_on_both_paths(job, 10)


@dataclass
class Table:
    """A state of the kernel with its bots seated."""

    job: Job
    s: Any


@part
def _deal_and_play(s, job, rounds):  # type: ignore[no-untyped-def]
    """How many turns the shortcut plays at the start of `rounds` rounds, and how many of these it plays to their end."""
    turns = over = 0
    for round_no in range(rounds):
        deal(s, 0, game_keys(job.seed, 0, job.dice), round_no)
        over += play_singles(s) == OVER
        turns += s[TURNS]
    return turns, over


deal_and_play = compiled(_deal_and_play)
make_state, seat = compiled(new_state), compiled(seat_bots)


def table_of(rules: dict[str, Setting], bots: str, log: Any = NO_LOG) -> Table:
    """A table before its first round."""
    job = job_of(rules, bots)
    s = make_state(job.rules, log)
    seat(s, job.bots, job.seatings[0])
    return Table(job, s)


@pytest.mark.parametrize("players", SEATS)
def test_the_shortcut_is_taken(players: int) -> None:
    """Or else the tests above would compare the rules with themselves."""
    table = table_of({"players": players}, "random")
    turns, over = deal_and_play(table.s, table.job, 500)
    assert turns > 500 * 5
    assert over > 0
    assert table.s[COUNT.fails] > 500


@pytest.mark.parametrize("players", SEATS)
def test_with_a_log_or_with_leave_to_decline_it_is_not(players: int) -> None:
    """It stops in the first turn of every round."""
    for table in (
        table_of({"players": players}, "random", new_log(0)),
        table_of({"players": players, "must_play": "no"}, "random"),
    ):
        assert table.s[BY_RULES] == EVERY_SEAT
        assert tuple(deal_and_play(table.s, table.job, 200)) == (200, 0)


def test_only_other_bots_than_random_are_asked() -> None:
    """A bit for each seat of one."""
    assert table_of({"players": 4}, "random,greedy,random,thrifty").s[ASKED] == 0b1010


MASKS = st.integers(1, 2**52 - 1)


@settings(deadline=None)
@given(MASKS, st.data())
def test_machine_code_for_sets_of_cards_does_what_their_python_says(mask: int, data: st.DataObject) -> None:
    """With and without the instruction that scatters bits."""
    cards = [card for card in range(52) if mask >> card & 1]
    k = data.draw(st.integers(0, len(cards) - 1))
    expected = (len(cards), cards[0], cards[-1], 1 << cards[k], cards[k])
    assert tuple(int(value) for value in five(mask, k)) == expected
    assert five_in_python(mask, k) == expected
    assert by_loop(mask, k) == 1 << cards[k]


def five_in_python(mask: int, k: int) -> tuple[int, int, int, int, int]:
    """What the functions of `simcore.bits` say of a mask."""
    return bits.popcount(mask), bits.lowest(mask), bits.highest(mask), bits.nth_card(mask, k), bits.nth_bit(mask, k)


five, by_loop = compiled(part(five_in_python)), compiled(part(bits._nth_by_loop))
