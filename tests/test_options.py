"""Options, bots, numbers and variants: what is taken, what is refused, and what a refusal says."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from toys import BOTS, COLOUR, FINE, GOAL, RULES, SIZE

from simcore.bots import Player, encode_table, parse_player, parse_table, split_players
from simcore.errors import InputError
from simcore.games import GAMES, find_game
from simcore.games.base import Game
from simcore.numbers import parse_count, parse_indices, whole
from simcore.options import Setting, parse_assignment
from simcore.replay import check_seed
from simcore.shards import LARGEST_SHARD, MOST_SHARDS, seatings, shard_games
from simcore.variants import MAX_VARIANTS, Plan, plan

BANK = find_game("bank")
TOY = replace(BANK, name="toy", rules=RULES, bots=BOTS)


def says(error: pytest.ExceptionInfo[InputError], *parts: str) -> None:
    """The message is one line and holds all parts."""
    text = str(error.value)
    assert "\n" not in text
    for part in parts:
        assert part in text, f"{part!r} is not in {text!r}"


# --- values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"), [("red", "red"), ("1", "red"), (" 2a ", "black"), (1, "red"), ("none", "none")]
)
def test_a_word_is_known_by_itself_and_by_its_number_in_the_source(text: Setting, value: str) -> None:
    assert COLOUR.parse(text) == value


@pytest.mark.parametrize("text", ["blakc", "Red", "", "2", "3", "red,black", "red ", "None", 3])
def test_a_wrong_word_is_refused_with_what_is_allowed(text: Setting) -> None:
    if str(text).strip() == "red":
        assert COLOUR.parse(text) == "red"
        return
    with pytest.raises(InputError) as error:
        COLOUR.parse(text)
    says(error, "'colour'", repr(str(text)), "allowed: red, black, none", "1 = red, 2a = black")


def test_the_nearest_name_is_offered_where_one_is_near() -> None:
    with pytest.raises(InputError) as error:
        COLOUR.parse("blakc")
    says(error, "did you mean 'black'?")
    with pytest.raises(InputError) as error:
        COLOUR.parse("xyz")
    assert "did you mean" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "value"), [("1", 1), ("12", 12), ("+7", 7), ("007", 7), (5, 5), (" 3 ", 3), (np.int64(4), 4)]
)
def test_a_number_in_its_range_is_taken(text: Any, value: int) -> None:
    assert SIZE.parse(text) == value


@pytest.mark.parametrize(
    "text", ["0", "13", "-1", "", "four", "4.0", "1e1", "4_0", "४", True, False, 4.0, "9" * 30, "--1"]
)
def test_a_number_out_of_its_range_or_none_at_all_is_refused_with_the_range(text: Any) -> None:
    with pytest.raises(InputError) as error:
        SIZE.parse(text)
    says(error, "'size'", repr(str(text)), "allowed: 1 … 12")


@pytest.mark.parametrize("text", ["6", "0", "-5", "15"])
def test_a_number_that_is_not_in_the_list_is_refused_with_the_list(text: str) -> None:
    with pytest.raises(InputError) as error:
        FINE.parse(text)
    says(error, "'fine'", repr(text), "allowed: 5, 10, 20")


def test_every_word_and_number_of_every_game_is_read_as_itself(game: Game) -> None:
    for option in game.rules:
        codes = set()
        values = option.all_values() if "…" not in option.allowed else ()
        for value in values:
            assert option.parse(value) == option.parse(f" {value} ") == value
            codes.add(option.encode(value))
        assert len(codes) == len(values)
        assert option.parse(option.default) == option.default
        assert option.meaning
        assert option.kind in ("variant", "ruling")
        for word in getattr(option, "words", ()):
            assert word.meaning
            if word.seed_no:
                assert option.parse(word.seed_no) == word.word
                assert f"{word.word} ({word.seed_no})" in option.allowed
        seed_numbers = [word.seed_no for word in getattr(option, "words", ()) if word.seed_no]
        assert len(set(seed_numbers)) == len(seed_numbers)


# --- rules ------------------------------------------------------------------------------------------------------------


def test_rules_complete_what_is_given_and_say_what_differs() -> None:
    rules = RULES.rules({"colour": "2a", "size": "7"})
    assert dict(rules) == {"players": 2, "colour": "black", "size": 7, "fine": 10, "goal": 100}
    assert rules.label() == "colour=black, size=7"
    assert rules.changes() == {"colour": "black", "size": 7}
    assert RULES.rules().label() == RULES.rules({"colour": 1}).label() == "default"
    assert rules.codes.tolist() == [2, 1, 7, 10, 100]
    assert rules == RULES.rules({"size": 7, "colour": "black"})
    assert hash(rules) == hash(RULES.rules({"size": 7, "colour": "black"}))
    assert rules.with_({"size": 4, "colour": "red"}) == RULES.rules()
    assert rules.players == 2


def test_an_unknown_option_is_refused_with_the_nearest() -> None:
    with pytest.raises(InputError) as error:
        RULES.rules({"color": "red"})
    says(error, "unknown option of toy 'color'", "allowed: players, colour, size, fine, goal", "did you mean 'colour'?")
    with pytest.raises(InputError):
        RULES.rules()["color"]


def test_an_impossible_combination_is_refused_with_its_reason() -> None:
    with pytest.raises(InputError) as error:
        RULES.rules({"players": 6, "size": 7})
    says(error, "toy", "impossible combination", "players · size is 42", "36 cards")
    assert RULES.rules({"players": 6, "size": 6}).players == 6


def test_bank_deals_fit_the_pack_at_their_largest() -> None:
    assert BANK.rules.rules({"players": 4, "hand_size": 8}).players * 8 + 1 <= 36
    message = BANK.rules.conflicts({"players": 4, "hand_size": 9})
    assert message is not None
    assert "needs 37 cards" in message


def test_options_without_effect_go_back_to_their_defaults() -> None:
    rules = RULES.rules({"colour": "none", "fine": 20, "size": 5})
    assert rules.effective() == RULES.rules({"colour": "none", "size": 5})
    assert rules["fine"] == 20
    active = RULES.rules({"fine": 20})
    assert active.effective() == active


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("colour", None, ("red", "black", "none")),
        ("colour", "none,1", ("none", "red")),
        ("fine", None, (5, 10, 20)),
        ("fine", "20, 5", (20, 5)),
        ("size", "1..4", (1, 2, 3, 4)),
        ("size", "1..12..5,2", (1, 6, 11, 2)),
        ("size", None, tuple(range(1, 13))),
        ("goal", "1..1000..333", (1, 334, 667, 1000)),
    ],
)
def test_values_to_vary(name: str, text: str | None, values: tuple[Setting, ...]) -> None:
    assert RULES.parse_values(name, text) == values


@pytest.mark.parametrize(
    ("name", "text", "part"),
    [
        ("color", None, "did you mean 'colour'?"),
        ("colour", "", "unknown value"),
        ("colour", "red,,black", "unknown value"),
        ("colour", "red,black,1", "'red' is named twice"),
        ("size", "3,1..4", "'3' is named twice"),
        ("size", "4..1", "'4..1' is empty"),
        ("size", "1..4..0", "is empty"),
        ("size", "0..4", "allowed: 1 … 12"),
        ("size", "1..13", "allowed: 1 … 12"),
        ("fine", "5..10", "allowed: 5, 10, 20"),
        ("goal", None, "has 1000 values; name some"),
        ("goal", "1..", "allowed: 1 … 1000"),
        ("colour", "red..none", "unknown value"),
    ],
)
def test_values_to_vary_that_are_refused(name: str, text: str | None, part: str) -> None:
    with pytest.raises(InputError) as error:
        RULES.parse_values(name, text)
    says(error, part)


def test_a_range_of_too_many_values_is_refused_before_it_is_made() -> None:
    wide = replace(GOAL, high=10**9)
    with pytest.raises(InputError) as error:
        replace(RULES, options=(wide,)).parse_values("goal", "1..999999999")
    says(error, "more than 10000 values")


@pytest.mark.parametrize("text", ["seven", "=skip", "seven=", "", "=", " = "])
def test_an_assignment_needs_a_name_and_a_value(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_assignment(text)
    says(error, repr(text), "option=value")
    assert parse_assignment(" a = b=c ") == ("a", "b=c")


# --- bots -------------------------------------------------------------------------------------------------------------


def names(table: tuple[Player, ...]) -> list[str]:
    return [str(player) for player in table]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("random", "random"),
        (" stand ( at = 3 ) ", "stand(at=3)"),
        ("stand(stake=2,at=20)", "stand(at=20,stake=all)"),
        ("stand(at=16)", "stand"),
        ("stand()", "stand"),
        ("stand", "stand"),
    ],
)
def test_a_bot_is_named_with_the_parameters_that_differ(text: str, expected: str) -> None:
    player = parse_player("toy", BOTS, text)
    assert str(player) == expected
    assert parse_player("toy", BOTS, str(player)) == player


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("randon", ["unknown bot of toy 'randon'", "allowed: random, stand", "did you mean 'random'?"]),
        ("", ["'' is not a bot", "bots of toy: random, stand"]),
        ("stand(at=3", ["is not a bot", "name(parameter=value"]),
        ("stand at=3", ["is not a bot"]),
        ("stand(at=0)", ["'at'", "'0'", "allowed: 1 … 21"]),
        ("stand(at=)", ["'at=' is not of the form"]),
        ("stand(3)", ["'3' is not of the form"]),
        ("stand(ta=3)", ["unknown parameter of bot 'stand' 'ta'", "allowed: at, stake"]),
        ("stand(stake=al)", ["'stake'", "allowed: half, all", "did you mean 'all'?"]),
        ("stand(at=3,at=4)", ["parameter 'at' of bot 'stand' is given twice"]),
        ("random(at=3)", ["bot 'random' takes no parameters", "'at=3'"]),
    ],
)
def test_a_bot_that_is_refused(text: str, parts: list[str]) -> None:
    with pytest.raises(InputError) as error:
        parse_player("toy", BOTS, text)
    says(error, *parts)


def test_tables_of_bots() -> None:
    assert names(parse_table("toy", BOTS, "stand(at=3,stake=all)", 3)) == ["stand(at=3,stake=all)"] * 3
    assert names(parse_table("toy", BOTS, "random,stand(at=3,stake=all), random", 3))[1] == "stand(at=3,stake=all)"
    assert split_players("a(b,c),d") == ["a(b,c)", "d"]
    lines = encode_table(parse_table("toy", BOTS, "random,stand(at=3)", 2), BOTS)
    assert lines.tolist() == [[0, 0, 0], [1, 3, 0]]


@pytest.mark.parametrize("text", ["random,random", "random,random,random,random", "random,"])
def test_a_table_of_another_length_is_refused(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_table("toy", BOTS, text, 3)
    assert "3 players" in str(error.value) or "is not a bot" in str(error.value)


def test_every_bot_of_every_game_is_declared_whole(game: Game) -> None:
    assert game.bots[0].name == "random"
    assert len({bot.name for bot in game.bots}) == len(game.bots)
    for bot in game.bots:
        assert bot.meaning
        assert str(parse_player(game.name, game.bots, bot.name)) == bot.name
        for param in bot.params:
            assert param.parse(param.default) == param.default


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1", 1),
        ("100000", 10**5),
        ("1e6", 10**6),
        ("2.5e5", 250_000),
        ("100_000", 10**5),
        ("1E3", 1000),
        ("1.50e2", 150),
        (" 7 ", 7),
        ("1e+3", 1000),
        ("1.0", 1),
        ("1e15", 10**15),
    ],
)
def test_counts(text: str, value: int) -> None:
    assert parse_count(text, "--games", 10**15) == value


@pytest.mark.parametrize(
    "text",
    [
        *("0", "-5", "1e6.5", "1e99", "1e999", "", "many", "1.5", "1e-3", "0e5", "inf", "nan", "1,000", "0x10", "1e"),
        *("e5", "٣", "9" * 31, "1000000000000001"),
    ],
)
def test_counts_that_are_refused(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_count(text, "--games", 10**15)
    says(error, f"--games {text!r} is not allowed", "a whole number from 1 to 1e15")


def test_indices() -> None:
    assert parse_indices("7", 99) == range(7, 8)
    assert parse_indices("0..99", 99) == range(100)
    assert parse_indices(" 5..5 ", 99) == range(5, 6)


@pytest.mark.parametrize(
    "text", ["5..3", "-1", "", "1..", "..3", "0..100", "100", "1...3", "a..b", "1..2..3", "1.5", "9" * 40]
)
def test_indices_that_are_refused(text: str) -> None:
    with pytest.raises(InputError) as error:
        parse_indices(text, 99)
    says(error, f"--index {text!r} is not allowed", "0..99")


def test_whole_numbers_of_any_type_become_int() -> None:
    assert type(whole(np.int64(5), "games")) is int
    assert check_seed(np.uint64(2**63 - 1)) == 2**63 - 1  # type: ignore[arg-type]
    for wrong in (1e5, "5", None, [5]):
        with pytest.raises(InputError) as error:
            whole(wrong, "games")  # type: ignore[arg-type]
        says(error, f"games = {wrong!r} is not allowed", "a whole number")
    for seed in (-1, 2**63):
        with pytest.raises(InputError) as error:
            check_seed(seed)
        says(error, f"seed {seed} is not allowed")


@pytest.mark.parametrize(
    ("name", "near"),
    [("banc", "bank"), ("Bank", "bank"), ("", None), ("__init__", None), ("../bank", "bank"), ("bank.game", "bank")],
)
def test_an_unknown_game_is_refused_with_the_nearest(name: str, near: str | None) -> None:
    with pytest.raises(InputError) as error:
        find_game(name)
    says(error, f"unknown game {name!r}", *GAMES, *([f"did you mean {near!r}?"] if near else []))


# --- variants ---------------------------------------------------------------------------------------------------------


def planned(
    base: Mapping[str, Setting] | None = None,
    vary: Mapping[str, list[Setting]] | None = None,
    tables: tuple[str, ...] = ("random",),
    one_at_a_time: bool = False,
) -> Plan:
    return plan(TOY, base or {}, vary or {}, tables, one_at_a_time)


def labels(of: Plan) -> list[str]:
    return [variant.label for variant in of.variants]


def test_one_variant_is_the_default() -> None:
    assert labels(planned()) == ["default"]
    assert labels(planned({"size": 5})) == ["size=5"]


def test_varied_options_are_crossed() -> None:
    found = planned({"goal": 50}, {"colour": ["red", "black"], "size": [3, 4]})
    assert labels(found) == ["colour=red, size=3", "colour=red, size=4", "colour=black, size=3", "colour=black, size=4"]
    assert {variant.rules["goal"] for variant in found.variants} == {50}
    assert found.notes == ()


def test_one_at_a_time_starts_from_the_base_and_plays_no_variant_twice() -> None:
    found = planned({}, {"colour": ["red", "black"], "size": [3, 4]}, one_at_a_time=True)
    assert [dict(variant.rules)["size"] for variant in found.variants] == [4, 4, 3]
    assert labels(found) == ["default", "colour=black", "size=3"]


def test_values_without_effect_are_played_once_and_a_note_says_why() -> None:
    found = planned({"colour": "none"}, {"fine": [5, 10, 20]})
    assert labels(found) == ["fine=10"]
    assert found.notes == ("fine has no effect: colour=none has no fines; its values are run once",)
    crossed = planned({}, {"colour": ["red", "none"], "fine": [5, 20]})
    assert labels(crossed) == ["colour=red, fine=5", "colour=red, fine=20", "colour=none, fine=10"]
    assert len(crossed.notes) == 1
    assert planned({"colour": "none", "fine": 5}).notes == ("fine has no effect: colour=none has no fines",)


def test_impossible_combinations_are_left_out_of_a_cross_with_a_note() -> None:
    found = planned({}, {"players": [2, 6], "size": [6, 7]})
    assert labels(found) == ["players=2, size=6", "players=2, size=7", "players=6, size=6"]
    (note,) = found.notes
    assert note.startswith("left out: toy: impossible combination: players · size is 42")


def test_where_nothing_possible_is_left_it_is_refused() -> None:
    with pytest.raises(InputError) as error:
        planned({"players": 6}, {"size": [7, 8], "colour": ["red"]})
    says(error, "impossible combination")
    with pytest.raises(InputError) as error:
        planned({"players": 6}, {"size": [6, 7]})
    says(error, "impossible combination", "42")


def test_several_tables_are_played_under_all_rules() -> None:
    found = planned({}, {"size": [3, 4]}, ("random", "random,stand(at=3)"))
    assert labels(found) == [
        "size=3; random",
        "size=3; random/stand(at=3)",
        "size=4; random",
        "size=4; random/stand(at=3)",
    ]
    assert labels(planned({}, {}, ("random", "random,random", "stand"))) == ["random", "stand"]


def test_labels_differ_as_variants_do() -> None:
    found = planned(
        {}, {"colour": ["red", "none"], "fine": [5, 20], "players": [2, 3]}, ("random", "stand"), one_at_a_time=True
    )
    assert len(set(labels(found))) == len(found.variants) == len({(v.rules, v.table) for v in found.variants})


@pytest.mark.parametrize(
    ("base", "vary", "tables", "part"),
    [
        ({"size": 3}, {"size": [3, 4]}, ("random",), "both set and varied"),
        ({}, {"size": []}, ("random",), "nothing to play"),
        ({}, {}, (), "nothing to play"),
        ({}, {"goal": list(range(1, 1001)), "size": list(range(1, 12))}, ("random",), f"at most {MAX_VARIANTS}"),
        ({}, {"players": [2, 3]}, ("random,random",), "2 bots for 3 players"),
    ],
)
def test_plans_that_are_refused(
    base: dict[str, Setting], vary: dict[str, list[Setting]], tables: tuple[str, ...], part: str
) -> None:
    with pytest.raises(InputError) as error:
        planned(base, vary, tables)
    says(error, part)


# --- seats and shards -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "orders"), [(2, 2), (3, 6), (4, 24), (5, 5), (6, 6)])
def test_rotated_seats_are_even(players: int, orders: int) -> None:
    table = parse_table("toy", BOTS, "random", players)
    assert seatings(table, False).tolist() == [list(range(players))]
    seats = seatings(table, True)
    assert seats.shape == (orders, players)
    assert len({tuple(line) for line in seats.tolist()}) == orders
    for seat in range(players):
        assert (np.bincount(seats[:, seat]) == orders // players).all()


def test_partners_stay_opposite_each_other() -> None:
    seats = seatings(parse_table("toy", BOTS, "random", 4), True, partners=True)
    assert seats.shape == (4, 4)
    assert {frozenset((line[0], line[2])) for line in seats.tolist()} == {frozenset((0, 2)), frozenset((1, 3))}


def test_shards_are_enough_for_the_statistics_and_not_too_many() -> None:
    assert shard_games(BANK, 1000) == BANK.min_shard == 50
    assert shard_games(BANK, 10**6) == 2500
    assert shard_games(BANK, 10**9) == LARGEST_SHARD
    for games in (10**10, 10**12, 10**15):
        assert -(-games // shard_games(BANK, games)) <= MOST_SHARDS


@pytest.mark.parametrize("name", GAMES)
def test_small_runs_have_shards_enough_to_measure_an_error(name: str) -> None:
    game = find_game(name)
    for games in (*range(1, 300), 999, 3_999, 20_000):
        size = shard_games(game, games)
        assert 1 <= size <= max(game.min_shard, -(-games // 400))
        assert -(-games // size) >= min(games, 20)
