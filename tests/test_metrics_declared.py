"""Counts, histograms and metrics as declared: every name leads somewhere, every text says what is computed."""

from __future__ import annotations

import keyword
import math
import re

import numpy as np
import pytest

from simcore.errors import InputError
from simcore.games.base import Game
from simcore.metrics import (
    Count,
    Counts,
    Histogram,
    Histograms,
    Metric,
    Term,
    even_share,
    expand,
    nought,
)
from simcore.tally import bin_of

NAME = re.compile(r"[a-z][a-z0-9_]*\Z")
COUNTS = Counts((Count("games", "games"), Count("wins", "wins", "seat", 3), Count("odd", "odd")))


# --- every game -------------------------------------------------------------------------------------------------------


def players_of(game: Game) -> list[int]:
    return [int(n) for n in game.rules["players"].all_values()]


def test_counts_have_one_name_each_and_a_meaning(game: Game) -> None:
    assert len(set(game.counts.columns)) == len(game.counts.columns) == len(game.counts)
    assert game.counts.columns[0] == "games"
    for count in game.counts:
        assert NAME.match(count.name)
        assert not keyword.iskeyword(count.name)
        assert count.meaning
        assert (count.size == 1) or count.by
        assert len(count.columns) == count.size


def test_every_sort_of_vector_has_a_size_for_every_number_of_players(game: Game) -> None:
    for players in players_of(game):
        sizes = game.sizes(players)
        for count in game.counts:
            if count.by:
                assert 1 <= sizes.get(count.by, count.size) <= count.size, count.name


def test_histograms_are_of_counts_that_exist(game: Game) -> None:
    names = [h.name for h in game.histograms]
    assert len(set(names)) == len(names)
    for h in game.histograms:
        assert NAME.match(h.name)
        assert h.meaning
        assert h.level
        assert h.unit
        assert h.low < h.high
        assert not h.count or h.count in game.counts.position
        assert len(h.values()) == h.bins


def test_metrics_are_made_of_counts_that_exist(game: Game) -> None:
    assert len(set(game.metric_names)) == len(game.metric_names)
    for players in players_of(game):
        metrics = game.metrics_for(players)
        assert len({metric.name for metric in metrics}) == len(metrics)
        for metric in metrics:
            assert metric.meaning
            assert metric.level
            assert metric.unit
            assert metric.terms
            for term in metric.terms:
                assert term.num in game.counts.position, f"{metric.name}: {term.num}"
                assert term.den in game.counts.position, f"{metric.name}: {term.den}"
                assert term.weight != 0
            assert not metric.bracket or metric.bracket in game.counts.position
            assert not metric.histogram or game.histograms[metric.histogram].level
            assert game.find_metric(metric.name, players) == metric


def test_headline_metrics_exist(game: Game) -> None:
    for players in players_of(game):
        known = {metric.name for metric in game.metrics_for(players)}
        for name in game.headline:
            assert name in known or f"{name}.0" in known, name


def test_what_symmetry_demands_adds_up(game: Game) -> None:
    for players in players_of(game):
        for metric in game.metrics:
            if metric.fair is None:
                continue
            low, high = metric.range
            target = metric.target(players)
            assert target is not None
            assert low <= target <= high
            if metric.less_fair:
                assert target == 0
                assert metric.shift(players) == -metric.fair(players)
            if metric.unit == "share" and metric.by:
                sizes = game.sizes(players)[metric.by]
                assert metric.fair(players) * sizes == pytest.approx(1) or metric.by == "entrant", metric.name


def test_formulas_name_their_counts(game: Game) -> None:
    for metric in game.metrics_for(players_of(game)[-1]):
        for term in metric.terms:
            assert term.num in metric.formula
            assert term.den in metric.formula
        assert "+ -" not in metric.formula


def test_an_unknown_metric_is_refused_with_the_nearest(game: Game) -> None:
    name = game.headline[0]
    with pytest.raises(InputError) as error:
        game.find_metric(name[:-1] + "x", players_of(game)[0])
    assert f"metric of {game.name}" in str(error.value)
    assert "did you mean" in str(error.value)


# --- the declarations themselves --------------------------------------------------------------------------------------


def test_columns_of_vectors_are_numbered() -> None:
    assert COUNTS.columns == ["games", "wins.0", "wins.1", "wins.2", "odd"]
    assert COUNTS.position["odd"] == 4
    assert COUNTS.index._asdict() == {"games": 0, "wins": 1, "odd": 4}
    assert COUNTS["wins.2"].name == "wins"
    for wrong in ("wins", "wins.3", "win", "games.0"):
        with pytest.raises(InputError):
            COUNTS[wrong]


def test_histograms_lie_one_behind_the_other() -> None:
    both = Histograms(
        (
            Histogram("a", "a", "game", "x", 0, 2, "games"),
            Histogram("b", "b", "game", "x", -3, -1),
            Histogram("c", "c", "game", "x", 5, 5, "odd"),
        )
    )
    assert both.size == 5 + 5 + 3
    assert both.offset == (0, 5, 10)
    assert both.slice_of("b") == slice(5, 10)
    assert both["b"].values().tolist() == [-4, -3, -2, -1, 0]
    assert both.per_game(COUNTS).tolist() == [[0, 0, 0, 2], [4, 10, 5, 5]]
    with pytest.raises(InputError):
        both["d"]
    assert Histograms(()).per_game(COUNTS).shape == (0, 4)


@pytest.mark.parametrize("value", [-(2**40), -5, -4, -3, -1, 0, 1, 7, 2**40])
def test_what_lies_outside_a_histogram_goes_into_its_end_bins(value: int) -> None:
    h = Histogram("b", "b", "game", "x", -3, 4)
    place = bin_of(value, 10, h.low, h.high) - 10
    assert 0 <= place < h.bins
    assert h.values()[place] == np.clip(value, h.low - 1, h.high + 1)


@pytest.mark.parametrize(
    ("term", "text"),
    [
        (Term("wins", "games"), "wins / games"),
        (Term("wins", "rounds", 1 / 12), "wins / (12 · rounds)"),
        (Term("wins", "rounds", 2.5), "2.5 · wins / rounds"),
        (Term("wins", "rounds", -1.0), "-1 · wins / rounds"),
    ],
)
def test_terms_as_text(term: Term, text: str) -> None:
    assert str(term) == text


def test_metrics_know_their_range_and_their_fair_value() -> None:
    share = Metric("a", "a", "game", "share", (Term("odd", "games"),), fair=even_share)
    assert share.range == (0, 1)
    assert share.counts_games
    assert share.target(4) == 0.25
    assert share.shift(4) == 0
    edge = Metric("b", "b", "round", "share difference", (Term("odd", "games", 0.5),), fair=even_share, less_fair=True)
    assert edge.range == (-1, 1)
    assert edge.target(4) == 0
    assert edge.shift(4) == -0.25
    assert edge.formula.endswith("− 1/players")
    assert not edge.counts_games
    points = Metric("c", "c", "round", "points", (Term("odd", "games"), Term("wins.0", "games", -1.0)), fair=nought)
    assert points.range == (-math.inf, math.inf)
    assert points.target(3) == 0
    assert "− " in points.formula
    assert Metric("d", "d", "game", "rounds", (Term("odd", "games"),)).range == (0, math.inf)
    assert Metric("d", "d", "game", "rounds", (Term("odd", "games"),)).target(2) is None


def test_vector_metrics_are_expanded_over_the_entries_in_use() -> None:
    metric = Metric("win", "games won", "game", "share", (Term("wins", "games"), Term("odd", "games", -1.0)), by="seat")
    two = expand([metric], COUNTS, {"seat": 2})
    assert [one.name for one in two] == ["win.0", "win.1"]
    assert two[1].terms == (Term("wins.1", "games"), Term("odd", "games", -1.0))
    assert two[1].meaning == "games won: seat 1"
    single = Metric("odd", "odd", "game", "games", (Term("odd", "games"),))
    assert expand([single], COUNTS, {}) == [single]
