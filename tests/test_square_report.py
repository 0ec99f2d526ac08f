"""Square in reports: the maps of the places say what the tallies say, and lie as the layout bids."""

from __future__ import annotations

import re

import pytest

from reports.figures import style
from reports.games import words_of
from reports.maps import place_map
from reports.pictures import seat_frame
from reports.view import View
from simcore import simulate
from simcore.batch import Run

ROWS = {"layout=natural": ["A23", "456", "789"], "layout=magic": ["492", "357", "8A6"]}


@pytest.fixture(scope="module")
def run() -> Run:
    return simulate("square", 120, vary={"layout": ["natural", "magic"]}, bots="greedy", seed=3)


@pytest.mark.parametrize("number", [0, 1])
def test_a_map_of_places_holds_the_tallies(run: Run, number: int) -> None:
    declared = words_of("square").grids[number]
    picture = place_map(View(run, "1", ()), declared)
    assert picture is not None
    count = {"open_share": "open_places", "place_points": "place_points"}[declared.metric]
    sums = run.frame().groupby("variant").sum()
    for _, row in picture.frame.iterrows():
        k = "A23456789".index(row["place"])
        assert row["value"] == pytest.approx(
            sums.loc[row["variant"], f"{count}.{k}"] / sums.loc[row["variant"], "side_deals"]
        )
    assert len(picture.frame) == 18


def test_points_of_places_are_three_times_the_worth(run: Run) -> None:
    sums = run.frame().sum()
    assert sum(sums[f"place_points.{k}"] for k in range(9)) == 3 * sums["worth"]


def test_a_map_is_drawn_with_places_where_the_layout_has_them(run: Run) -> None:
    picture = place_map(View(run, "1", ()), words_of("square").grids[0])
    assert picture is not None
    with style.styled():
        figure = picture.panels[0].draw()
    drawn = {axes.get_title(loc="left"): axes for axes in figure.axes}
    assert set(drawn) == set(ROWS)
    for label, axes in drawn.items():
        at = {t.get_text(): t.get_position() for t in axes.texts if len(t.get_text()) == 1}
        for y, row in enumerate(ROWS[label]):
            for x, place in enumerate(row):
                assert (int(at[place][0]), int(-at[place][1])) == (x, y)
    assert not re.search("nan", picture.panels[0].alt)


def test_two_sides_share_evenly_with_four_players_too() -> None:
    run = simulate("square", 60, {"players": 4}, bots="greedy", seed=3)
    frame = seat_frame(View(run, "1", ()), "deal_win_share")
    assert len(frame) == 2
    assert (frame["fair"] == 0.5).all()
