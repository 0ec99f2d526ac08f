"""Claims files: what they may hold, and what is said of what they may not."""

from __future__ import annotations

from pathlib import Path

import pytest
from claims_cases import HEAD, claim_text, claims_file, one_claim

from analysis.claims import chosen, find_claims, further_readings, load_claims, sweep
from simcore.errors import InputError
from simcore.games import GAMES

ROWS_OF_THE_PAGE = ("seven-3", "seven-4", "seven-1", "trumps-1", "penalty-31", "first-move")


@pytest.mark.parametrize("game", GAMES)
def test_shipped_claims_can_be_read_and_say_where_they_come_from(game: str) -> None:
    claims = find_claims(game)
    assert claims
    for claim in claims:
        assert claim.game.name == game
        assert claim.sentence.strip()
        assert claim.source.strip()
        assert claim.reading.strip()
        assert len(claim.variants()) == (1 if claim.baseline is None else 2)


def test_every_row_of_the_page_of_bank_is_read() -> None:
    ids = [claim.id for claim in find_claims("bank")]
    for row in ROWS_OF_THE_PAGE:
        assert row in ids
        assert [name for name in ids if name.startswith(f"{row}-")], f"{row} has one reading only"


def test_few_chances_to_win_is_read_in_three_ways_or_more_on_different_metrics() -> None:
    claims = chosen(find_claims("bank"), ["seven-3"])
    assert len({claim.sentence for claim in claims}) == 1
    assert {"hit_effect", "more_hit_effect", "behind_hit_effect"} <= {claim.metric.name for claim in claims}
    for claim in claims:
        assert claim.baseline is not None, "the page warns of the plain share of those hit"
        assert claim.caveat


@pytest.mark.parametrize(
    ("changes", "line", "parts"),
    [
        ({"metric": '"round"'}, 9, ["key 'metric'", "unknown metric of bank 'round'", "game_turns", "'rounds'?"]),
        (
            {"variant": '{ sevn = "nothing" }'},
            10,
            ["key 'variant'", "unknown option of bank 'sevn'", "did you mean 'seven'?"],
        ),
        ({"variant": '{ seven = "nothin" }'}, 10, ["key 'variant'", "draw_play", "did you mean 'nothing'?"]),
        ({"variant": "{ seven = true }"}, 10, ["key 'variant'", "'True'"]),
        ({"variant": "{ seven = 1.5 }"}, 10, ["key 'variant'", "a word or a whole number"]),
        ({"variant": '{ seven = "skip" }'}, 11, ["the variant and the baseline play the same games"]),
        ({"direction": '"fewer"'}, 12, ["key 'direction'", "greater, less, within, beyond"]),
        ({"margin": '"0.5 points"'}, 13, ["key 'margin'", "'0.5 points'", "unit: rounds", "'1 rounds'"]),
        ({"margin": '"half a round"'}, 13, ["key 'margin'", "'half a round'"]),
        ({"margin": '"1.2.3"'}, 13, ["key 'margin'", "'1.2.3'"]),
        ({"margin": "nan"}, 13, ["key 'margin'", "not a finite number"]),
        ({"margin": "[1]"}, 13, ["key 'margin'", "a number or a text in quotes, not a list"]),
        ({"margin": "true"}, 13, ["key 'margin'", "not true or false"]),
        (
            {"direction": '"within"', "margin": "-1.0"},
            13,
            ["key 'margin'", "-1 is not allowed for 'within'", "above 0"],
        ),
        ({"metric": '"hit_effect"', "margin": "5"}, 13, ["key 'margin'", "between -2 and 2", "0.01, not 1"]),
        ({"metric": '"blocked"', "baseline": "", "margin": "1.0"}, 12, ["key 'margin'", "between 0 and 1"]),
        ({"metric": '"rounds"', "baseline": "", "margin": "0"}, 12, ["key 'margin'", "between 0 and inf"]),
        ({"sentence": '""'}, 8, ["key 'sentence' is empty"]),
        ({"sentence": '"  "'}, 8, ["key 'sentence' is empty"]),
        ({"sentence": "3"}, 8, ["key 'sentence' must be a text in quotes, not a whole number"]),
        ({"metric": ""}, 6, ["key 'metric' is missing", "`kozyr rules` lists them"]),
        ({"margin": ""}, 6, ["key 'margin' is missing", "0.0 claims any difference"]),
        ({"markgin": "1"}, 14, ["unknown key 'markgin'", "did you mean 'margin'?"]),
        ({"error_rate": "0.7"}, 14, ["key 'error_rate'", "at most 0.5"]),
        ({"error_rate": "0"}, 14, ["key 'error_rate'", "above 0"]),
        ({"bots": '"gredy"'}, 14, ["key 'bots'", "did you mean 'greedy'?"]),
        ({"bots": '["greedy", 2]'}, 14, ["key 'bots'"]),
        ({"bots": '"greedy,greedy"'}, 14, ["key 'bots'"]),
        ({"max_games": "0"}, 14, ["key 'max_games'", "1 …"]),
        ({"max_games": "2.5"}, 14, ["key 'max_games' must be a whole number, not a number"]),
        ({"seed": "-1"}, 14, ["key 'seed'"]),
        ({"rulings": '["covr"]'}, 14, ["key 'rulings'", "did you mean 'cover'?"]),
        ({"rulings": '{ cover = "some" }'}, 14, ["key 'rulings'", '"all" or a list']),
        ({"rulings": '{ cover = ["upper"] }'}, 14, ["key 'rulings'", "any_lower"]),
        ({"set": "{ players = 7 }"}, 14, ["key 'set'", "2, 3, 4"]),
        ({"set": "{ players = 4, hand_size = 9 }"}, 14, ["key 'set'"]),
        ({"metric": '"round_win_share.2"', "set": "{ players = 2 }"}, 9, ["key 'metric'", "round_win_share.0"]),
    ],
)
def test_what_is_wrong_in_a_claim_is_told_with_file_line_key_and_what_is_allowed(
    tmp_path: Path, changes: dict[str, str], line: int, parts: list[str]
) -> None:
    path = claims_file(tmp_path / "bad.toml", claim_text(**changes))
    with pytest.raises(InputError) as caught:
        load_claims(path)
    message = str(caught.value)
    assert message.startswith(f"{path}:{line}: [[claim]] 1 (a): "), message
    for part in parts:
        assert part in message
    assert "\n" not in message


@pytest.mark.parametrize(
    ("head", "text", "parts"),
    [
        ("[claims]\ngame = 'bnk'", None, [":2: [claims]:", "key 'game'", "did you mean 'bank'?"]),
        ("[claims]\ngme = 'bank'", None, [":2: [claims]:", "unknown key 'gme'"]),
        ("[claims]\nseed = 1", None, [":1: [claims]:", "key 'game' is missing"]),
        ("[claims]\ngame = ''", None, [":2: [claims]:", "key 'game' is empty"]),
        ("[claims]\ngame = 'bank'\nbots = 'gredy'", None, [":3: [[claim]] 1 (a):", "key 'bots'"]),
        ("[claims]\ngame = 'bank'\nmax_games = 0", None, [":3: [claims]:", "key 'max_games'"]),
        ("[claim", None, ["not TOML", "line 1"]),
        ("[claims]\ngame = 'bank'", "", ["'claim' is missing"]),
        ("", None, ["'claims' is missing"]),
        ("claims = 3", None, ["key 'claims' must be a table, not a whole number"]),
    ],
)
def test_what_is_wrong_in_the_head_is_told(tmp_path: Path, head: str, text: str | None, parts: list[str]) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(head + "\n" + (f"[[claim]]\n{claim_text()}" if text is None else text), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_claims(path)
    for part in (str(path), *parts):
        assert part in str(caught.value)


def test_lines_are_found_in_tables_of_their_own_and_after_texts_of_many_lines(tmp_path: Path) -> None:
    text = claim_text(variant="", baseline="") + '[claim.variant]\n# nothing yet\nsevn = "nothing"\n'
    reading = 'reading = """\nmetric = "not this one"\n"""\n'
    path = claims_file(tmp_path / "bad.toml", claim_text("first"), reading + text)
    with pytest.raises(InputError, match=r":24: \[\[claim\]\] 2 \(a\): key 'variant'"):
        load_claims(path)


def test_two_claims_of_one_name_are_refused(tmp_path: Path) -> None:
    path = claims_file(tmp_path / "bad.toml", claim_text("a"), claim_text("a"))
    with pytest.raises(InputError, match=r":16: \[\[claim\]\] 2: id 'a' is taken"):
        load_claims(path)


@pytest.mark.parametrize("name", ["a b", "ä", "-a", "a/b", "x" * 65])
def test_names_that_are_no_file_names_are_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="key 'id'"):
        load_claims(claims_file(tmp_path / "bad.toml", claim_text(name)))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        load_claims(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes("# é".encode("latin-1"))
    with pytest.raises(InputError, match="not text in UTF-8"):
        load_claims(tmp_path / "latin.toml")
    with pytest.raises(InputError, match=r"unknown game 'bnak'.*did you mean 'bank'"):
        find_claims("bnak")


@pytest.mark.parametrize(
    ("metric", "margin", "value"),
    [
        ('"hit_effect"', '"-1 pp"', -0.01),
        ('"hit_effect"', '"-1 %"', -0.01),
        ('"hit_effect"', '"-0.5 percentage points"', -0.005),
        ('"hit_effect"', "-0.01", -0.01),
        ('"rounds"', '"0.5 rounds"', 0.5),
        ('"rounds"', '"0.5"', 0.5),
        ('"rounds"', "3", 3.0),
    ],
)
def test_margins_may_carry_their_unit(tmp_path: Path, metric: str, margin: str, value: float) -> None:
    assert one_claim(tmp_path, metric=metric, margin=margin).margin == pytest.approx(value, rel=1e-12)


def test_claims_take_from_the_head_what_they_do_not_say_themselves(tmp_path: Path) -> None:
    head = HEAD + "error_rate = 0.01\nseed = 7\n[claims.set]\nplayers = 2\n"
    own = claim_text("b", error_rate="0.1", bots='"random"', set="{ target = 50 }")
    first, second = load_claims(claims_file(tmp_path / "two.toml", claim_text("a"), own, head=head))
    assert (first.error_rate, first.seed, first.bots, first.max_games) == (0.01, 7, "greedy", 20_000)
    assert (second.error_rate, second.seed, second.bots) == (0.1, 7, "random")
    assert first.set == {"players": 2}
    assert second.set == {"players": 2, "target": 50}


def test_a_name_chooses_a_claim_with_its_further_readings(tmp_path: Path) -> None:
    other = claim_text("seven-4x", sentence='"Another."')
    names = ("seven", "seven-3", "seven-3-game", "first")
    claims = load_claims(claims_file(tmp_path / "many.toml", *(claim_text(name) for name in names), other))

    def ids(*wanted: str, alone: bool = False) -> list[str]:
        return [claim.id for claim in chosen(claims, wanted, alone)]

    assert ids("seven-3") == ["seven-3", "seven-3-game"]
    assert ids("seven-3", alone=True) == ["seven-3"]
    assert ids("seven-3-game") == ["seven-3-game"]
    assert ids("seven") == ["seven", "seven-3", "seven-3-game"], "another sentence is no reading of this one"
    assert ids("first", "seven-3-game", "first") == ["first", "seven-3-game"]
    assert ids() == [claim.id for claim in claims]
    assert [c.id for c in further_readings(claims, claims[1])] == ["seven-3-game"]
    with pytest.raises(InputError, match="unknown claim 'sevn'"):
        ids("sevn")


def test_rulings_are_swept_but_for_those_that_the_claim_is_about(tmp_path: Path) -> None:
    usual = one_claim(tmp_path)
    assert "cover" in usual.rulings
    assert "seven" not in usual.rulings, "a variant is no ruling"
    assert one_claim(tmp_path, rulings="[]").rulings == {}
    some = one_claim(tmp_path, rulings='{ cover = "all", seven = "all", max_rounds = [50, 100] }')
    assert some.rulings == {"cover": ("one_lower", "any_lower"), "max_rounds": (50, 100)}
    assert sweep(usual, {"seven": ("skip",), "players": (2, 3)}).rulings == {"players": (2, 3)}


def test_a_claim_is_a_formula(tmp_path: Path) -> None:
    assert one_claim(tmp_path).formula == "rounds(seven=nothing) - rounds(seven=skip) < 0"
    two_sided = one_claim(tmp_path, direction='"beyond"', margin="2", baseline="{}")
    assert two_sided.formula == "|rounds(seven=nothing) - rounds(default)| > 2"
    assert one_claim(tmp_path, baseline="", margin="3").formula == "rounds(seven=nothing) < 3"
