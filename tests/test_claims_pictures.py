"""The pictures of claims and sensitivity: what is drawn is what was found, in words too, and can be told in grey."""

from __future__ import annotations

import math

import numpy as np
import pytest
from matplotlib.figure import Figure

from reports.figures import curve, sequence, style, tornado

INF = math.inf
LESS = curve.Asked("share difference", "percentage points", ((-INF, -0.01),))


def universes(n: int, seed: int = 1) -> list[curve.Universe]:
    rng = np.random.default_rng(seed)
    verdicts = ("supported", "refuted", "undecided")
    return [
        curve.Universe(float(v), float(v) - 0.01, float(v) + 0.01, verdicts[i % 3], i == 0)
        for i, v in enumerate(rng.normal(0, 0.02, n))
    ]


def drawn(figure: Figure, gid: str) -> list[tuple[float, float]]:
    """The points of all lines with this gid."""
    lines = [line for axes in figure.axes for line in axes.get_lines() if line.get_gid() == gid]
    return [(float(x), float(y)) for line in lines for x, y in zip(*line.get_data(), strict=True)]


def test_the_curve_sorts_all_universes_and_draws_each_once() -> None:
    made = universes(20)
    with style.styled():
        figure = curve.specification_curve(made, {"bots a": [i % 2 == 0 for i in range(20)]}, LESS)
    points = [point for verdict in curve.LOOKS for point in drawn(figure, verdict)]
    expected = np.array(list(enumerate(sorted(100 * u.value for u in made))), dtype=float)
    assert np.array(sorted(points)) == pytest.approx(expected)
    for verdict in curve.LOOKS:
        assert sorted(y for _, y in drawn(figure, verdict)) == pytest.approx(
            sorted(100 * u.value for u in made if u.verdict == verdict)
        )
    order = np.argsort([u.value for u in made])
    assert {int(x) for x, _ in drawn(figure, "choice")} == {k for k, i in enumerate(order) if i % 2 == 0}


def test_margins_and_the_region_where_the_claim_holds_are_drawn() -> None:
    both = curve.Asked("rounds", "rounds", ((-INF, -2.0), (2.0, INF)))
    assert both.margins == [-2.0, 2.0]
    for asked, margins in ((LESS, [-1.0]), (both, [-2.0, 2.0])):
        with style.styled():
            figure = curve.specification_curve(universes(5), {}, asked)
        assert sorted({y for _, y in drawn(figure, "margin")}) == margins
        patches = [patch for axes in figure.axes for patch in axes.patches if patch.get_gid() == "holds"]
        assert len(patches) == len(asked.holds)


def test_verdicts_differ_by_more_than_colour() -> None:
    looks = list(curve.LOOKS.values())
    assert len({(look.marker, look.filled) for look in looks}) == len(looks)
    grey = [0.299 * r + 0.587 * g + 0.114 * b for r, g, b in (_rgb(look.colour) for look in looks)]
    assert (
        min(abs(a - b) for i, a in enumerate(grey) for b in grey[:i]) > 0.02 or len({look.marker for look in looks}) > 1
    )


def _rgb(colour: str) -> tuple[float, float, float]:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return r, g, b


def test_a_curve_of_thousands_stays_small() -> None:
    made = universes(2_400)
    choices = {f"ruling{k}=other": [(i >> k) & 1 == 1 for i in range(2_400)] for k in range(11)}
    with style.styled():
        svg = style.raw_svg(curve.specification_curve(made, choices, LESS))
    assert len(svg) < 2_000_000


def test_universes_without_a_number_or_a_limit_do_no_harm() -> None:
    odd = [
        *universes(4),
        curve.Universe(math.nan, math.nan, math.nan, "undecided", False),
        curve.Universe(0.0, -INF, INF, "undecided", False),
    ]
    with style.styled():
        figure = curve.specification_curve(odd, {"a=b": [True] * 6}, LESS)
        svg = style.raw_svg(figure)
    assert len([point for verdict in curve.LOOKS for point in drawn(figure, verdict)]) == 5
    assert "nan" not in svg.lower()
    low, high = figure.axes[1].get_ylim()
    assert -10 < low < high < 10, "an interval without limits does not set the scale"


def course(decided: int | None = 4_000, n: int = 200) -> sequence.Course:
    games = np.arange(1, n + 1) * 50
    value = 0.02 + np.zeros(n)
    half = 0.3 / np.sqrt(np.arange(1, n + 1))
    low, high = value - 1.6 * half, value + 1.6 * half
    low[:30], high[:30] = -INF, INF
    return sequence.Course(games, value, low, high, value - half, value + half, decided, "supported")


def test_the_sequence_shows_both_intervals_and_the_moment_of_decision() -> None:
    asked = curve.Asked("share difference", "percentage points", ((0.0, INF),))
    with style.styled():
        figure = sequence.sequence(course(), asked)
    assert {x for x, _ in drawn(figure, "decided")} == {4_000.0}
    usual, limits = drawn(figure, "usual"), drawn(figure, "limit")
    at_end = [sorted(y for x, y in points if x == 10_000) for points in (usual, limits)]
    assert at_end[1][0] < at_end[0][0] < at_end[0][1] < at_end[1][1], "looking at will costs width"
    assert {round(y, 9) for _, y in drawn(figure, "value")} == {2.0}


def test_moments_are_thinned_but_never_the_first_last_or_decisive_ones() -> None:
    thin = sequence.thinned(course(decided=3_450, n=400))
    assert len(thin.games) <= sequence.POINTS + 1
    assert thin.games[-1] == 20_000
    assert 3_450 in thin.games
    assert (np.diff(thin.games) > 0).all()
    again = sequence.thinned(thin)
    assert again.games[-1] == 20_000


@pytest.mark.parametrize("n", [1, 2, 30])
def test_short_courses_can_be_drawn(n: int) -> None:
    with style.styled():
        assert style.raw_svg(sequence.sequence(course(decided=None, n=n), LESS)).startswith("<svg")


def test_the_tornado_draws_every_value_of_every_option() -> None:
    bars = [
        tornado.Bar("trumps", (tornado.Change("none", 5.0, 4.0, 6.0), tornado.Change("one", -2.0, -3.0, -1.0))),
        tornado.Bar(
            "cover", (tornado.Change("any_lower", 0.1, -1.0, 1.2), tornado.Change("x", math.nan, math.nan, math.nan))
        ),
    ]
    with style.styled():
        figure = tornado.tornado(bars, "rounds", "change")
    assert sorted(x for x, _ in drawn(figure, "value")) == [-2.0, 0.1, 5.0]
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert "one / none" in texts, "the values at both ends are named"
    assert "any_lower" in texts
    widths = [bar.get_width() for bar in figure.axes[0].patches if bar.get_gid() == "bar"]
    assert widths == pytest.approx([7.0, 0.1])


def test_shares_of_a_variance_are_told_in_words_too() -> None:
    parts = [tornado.Share("deal", 0.614, 0.58, 0.65), tornado.Share("dice", 0.386, 0.35, 0.42)]
    with style.styled():
        figure = tornado.shares(parts)
    texts = [text.get_text().replace("\u202f", " ") for text in figure.axes[0].texts]
    assert texts == ["deal", "61 % (58 to 65)", "dice", "39 % (35 to 42)"]
    widths = [bar.get_width() for bar in figure.axes[0].patches if bar.get_gid() == "bar"]
    assert widths == pytest.approx([61.4, 38.6])
