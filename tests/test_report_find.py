"""Conditions on games: a grammar of our own, and the games that it finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from report_cases import trumps

from analysis.find import INTERESTS, columns_for, each_game, find_games, interest_of
from analysis.where import DEEPEST, parse
from simcore import InputError, find_game, replay, simulate
from simcore.batch import planned_run
from simcore.metrics import Ints

COLUMNS = {"turns": np.array([100, 130, 200]), "rounds": np.array([5, 6, 0]), "w.0": np.array([0, 1, 0])}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("turns > 120", [False, True, True]),
        ("turns > 120 and rounds >= 6", [False, True, False]),
        ("turns > 120 and rounds = 0 or w.0 == 0 and rounds = 5", [True, False, True]),
        ("not turns > 120", [True, False, False]),
        ("not (turns > 120 or rounds = 5)", [False, False, False]),
        ("NOT turns > 120 OR rounds = 6 AND ABS(turns) > 5", [True, True, False]),
        ("100 < turns <= 200", [False, True, True]),
        ("turns / rounds > 20", [False, True, True]),
        ("turns / (rounds - rounds) < 0", [False, False, False]),
        ("rounds / rounds = 1", [True, True, False]),
        ("-turns + 2 * 65 - 30 < -29.5e0", [False, True, True]),
        ("abs(turns - 130) < 31", [True, True, False]),
        ("turns - 10 - 20 = 100", [False, True, False]),
    ],
)
def test_conditions_mean_what_they_say(text: str, expected: list[bool]) -> None:
    assert parse(text, "--where", "condition").evaluate(COLUMNS).tolist() == expected


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", 1, "empty"),
        ("turns", 1, "needs a condition"),
        ("turns > > 5", 9, "got '>'"),
        ("turns > 5 and 3", 15, "'and' needs a condition"),
        ("turns > 5 5", 11, "expected the end"),
        ("(turns > 5", 11, "expected ')' for the '(' of column 1"),
        ("turns; import os", 6, "';' is not allowed"),
        ("__import__('os')", 12, "is not allowed"),
        ("turns > (rounds > 2)", 10, "needs a number"),
        ("not 5", 5, "'not' needs a condition"),
        ("turns > 5 or", 13, "got the end"),
        ("and > 2", 1, "got 'and'"),
        ("turns > 1e400", 9, "the number 1e400 is too large"),
    ],
)
def test_what_is_no_condition_is_refused_by_its_place(text: str, place: int, words: str) -> None:
    with pytest.raises(InputError, match=f"column {place}:") as caught:
        parse(text, "--where", "condition")
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["(" * 500 + "1" + ")" * 500, "not " * 400 + "1 > 2", "-" * 900 + "1 > 2"])
def test_deep_nesting_is_refused_and_not_run_out_of_stack(text: str) -> None:
    with pytest.raises(InputError, match=f"nested deeper than {DEEPEST}"):
        parse(text, "--where", "condition")


def test_a_long_text_is_refused() -> None:
    with pytest.raises(InputError, match="too many"):
        parse("1 > 2 or " * 1000 + "1 > 2", "--where", "condition")


def test_every_game_has_an_interest_whose_names_exist() -> None:
    for name in INTERESTS:
        game = find_game(name)
        interest = interest_of(game)
        rows, index = np.ones((2, len(game.counts)), dtype=np.int64), np.arange(2)
        for text in (interest.longest, interest.turned, interest.drama, *interest.typical):
            expression = parse(text, name, "number")
            values = expression.evaluate(columns_for(game, 2, expression.names, rows, index))
            assert np.broadcast_to(values, 2).shape == (2,)


def test_found_games_are_those_of_a_replay() -> None:
    frame = find_games(trumps(), "lead_changes >= 3 and turns > 300", by="lead_changes", top=6, games=200)
    assert len(frame) == 6
    assert frame["lead_changes"].is_monotonic_decreasing
    for _, row in frame.iterrows():
        counts = replay("bank", 11, int(row["index"]), {"trumps": row["variant"][7:]}, "random").counts
        assert counts["lead_changes"] == row["lead_changes"] >= 3
        assert counts["turns"] == row["turns"] > 300
        assert f"--index {row['index']}" in row["replay"]


def test_found_games_are_the_first_of_a_plain_search() -> None:
    run, rows = trumps(), []
    position = run.game.counts.position

    def keep(variant: int, index: Ints, played: Ints) -> None:
        fits = played[:, position["rounds"]] > 8
        rows.extend((-int(played[i, position["turns"]]), variant, int(index[i])) for i in np.flatnonzero(fits))

    each_game(run, 300, keep)
    frame = find_games(run, "rounds > 8", by="turns", top=25, games=300)
    labels = [v.label for v in run.manifest.variants]
    meanings = frame.attrs.pop("other_meanings")
    assert frame.attrs == {"fitting": len(rows), "searched": 900}
    assert meanings == {"turns": ("turns, skipped ones included", "turns a round")}
    expected = [(labels[variant], index) for _, variant, index in sorted(rows)[:25]]
    assert list(frame[["variant", "index"]].itertuples(index=False, name=None)) == expected


def test_kept_games_are_read_and_give_the_same(tmp_path: Path) -> None:
    kept = simulate("bank", 200, bots="random", seed=5, out=tmp_path / "kept", keep_games=True)
    planned = planned_run("bank", 200, bots="random", seed=5)
    for by in ("drama", "-margin"):
        assert find_games(kept, "decided = 1", by).equals(find_games(planned, "decided = 1", by))


def test_metrics_of_one_game_can_be_named() -> None:
    frame = find_games(trumps(), "first_mover_edge > 0 and blocked / rounds < 1", "game_turns", top=3, games=100)
    assert (frame["first_mover_edge"] > 0).all()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"where": "turnz > 3"}, "did you mean 'turns'"),
        ({"where": "round_wins > 3"}, "round_wins.0, round_wins.1"),
        ({"by": "turns > 3"}, "--by needs a number"),
        ({"top": 0}, "top = 0"),
        ({"games": 0}, "games = 0"),
    ],
)
def test_bad_requests_are_refused(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(InputError) as caught:
        find_games(trumps(), **arguments)  # type: ignore[arg-type]
    assert words in str(caught.value)
