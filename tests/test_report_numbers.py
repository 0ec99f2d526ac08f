"""Numbers for people: as many digits as the interval supports, true minus signs, narrow spaces."""

from __future__ import annotations

import math

import pytest

from reports import numbers

NARROW = numbers.NARROW


@pytest.mark.parametrize(
    ("value", "places", "text"),
    [
        (1234567.0, 0, f"1{NARROW}234{NARROW}567"),
        (-0.04, 1, "0.0"),
        (-0.06, 1, "−0.1"),
        (12.345, 2, "12.35"),
        (math.nan, 2, "–"),
        (None, 2, "–"),
        (math.inf, 2, "∞"),
        (-math.inf, 2, "−∞"),
    ],
)
def test_a_plain_number(value: float | None, places: int, text: str) -> None:
    assert numbers.plain(value, places) == text


def test_signs_are_given_where_asked_and_never_to_zero() -> None:
    assert numbers.plain(2.0, 1, signed=True) == "+2.0"
    assert numbers.plain(0.0, 1, signed=True) == "0.0"
    assert numbers.plain(-0.001, 1, signed=True) == "0.0"


@pytest.mark.parametrize(
    ("half_width", "places"), [(40.0, 0), (3.0, 0), (2.0, 1), (0.5, 1), (0.2, 2), (0.03, 2), (0.0000001, 4), (0.0, 2)]
)
def test_decimals_follow_the_interval(half_width: float, places: int) -> None:
    assert numbers.decimals(half_width) == places


def test_shares_are_per_cent_and_their_differences_percentage_points() -> None:
    places = numbers.places_for("share", 0.337, 0.341)
    assert numbers.amount(0.339, "share", places) == f"33.90{NARROW}%"
    assert numbers.interval(0.337, 0.341, "share", places) == "33.70 to 34.10"
    assert numbers.amount(-0.006, "share difference", 1) == f"−0.6{NARROW}pp"
    assert numbers.difference_unit("share") == "share difference"
    assert numbers.difference_unit("points") == "points"


def test_intervals_with_open_ends_are_told_in_words() -> None:
    assert numbers.interval(-math.inf, 4.0, "rounds", 0) == "at most 4"
    assert numbers.interval(0.25, math.inf, "share", 1) == "at least 25.0"
    assert numbers.interval(-math.inf, math.inf, "rounds", 0) == "no interval yet"


def test_an_exact_whole_value_has_no_decimals() -> None:
    assert numbers.places_for("rounds", 200.0, 200.0) == 0
    assert numbers.places_for("rounds", 2.5, 2.5) == 2


def test_small_p_values_are_bounded() -> None:
    assert numbers.p_value(0.00001) == "< 0.001"
    assert numbers.p_value(0.0421) == "0.042"
    assert numbers.p_value(math.nan) == "–"
