"""Pictures say the same as the tables: the values drawn are taken from the drawings and compared with the frames."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest
from report_cases import single, trumps

from analysis.tables import compare, summary
from reports import numbers
from reports.figures import slim, style
from reports.parts import Picture
from reports.pictures import pictures
from reports.view import View


def view() -> View:
    return View(trumps(), "trumps=own", ())


def picture(name: str) -> Picture:
    return next(one for one in pictures(view()) if one.id == name)


def drawn(one: Picture, panel: int) -> Any:
    with style.styled():
        return one.panels[panel].draw()


def points(figure: Any, gid: str) -> list[tuple[float, float]]:
    """x and y of all single points with this mark, from top to bottom."""
    lines = [line for line in figure.axes[0].lines if line.get_gid() == gid]
    return sorted(((float(x.get_xdata()[0]), float(x.get_ydata()[0])) for x in lines), key=lambda p: -p[1])


def test_forest_plots_draw_the_compared_differences() -> None:
    one, frame = picture("forest"), compare(trumps(), "trumps=own")
    assert len(one.panels) == len(view().metrics)
    for k, metric in enumerate(view().metrics):
        rows = frame[frame["metric"] == metric.name]
        rows = rows[rows["difference"].notna()]
        scale = 100 if numbers.is_share(metric.unit) else 1
        figure = drawn(one, k)
        values = [x for x, _ in points(figure, "value")]
        assert values == pytest.approx((rows["difference"] * scale).tolist())
        intervals = [line.get_xdata() for line in figure.axes[0].lines if line.get_linewidth() == 2.2]
        assert np.array(intervals).reshape(-1, 2) == pytest.approx((rows[["low", "high"]] * scale).to_numpy())


def test_filled_marks_are_those_that_differ_after_adjustment() -> None:
    one, frame = picture("forest"), view().differences
    assert frame is not None
    for k, metric in enumerate(view().metrics):
        rows = frame[(frame["metric"] == metric.name) & frame["difference"].notna()]
        marks = [line for line in drawn(one, k).axes[0].lines if line.get_gid() == "value"]
        filled = [mark.get_markerfacecolor() != style.PAPER for mark in marks]
        assert filled == (rows["p_adjusted"] < 0.05).tolist()


def test_seats_draw_the_summarised_shares_and_the_fair_line() -> None:
    one, frame = picture("seats"), summary(trumps())
    for k, name in enumerate(view().seat_metrics):
        rows = frame[frame["metric"].str.startswith(f"{name}.")]
        kept = rows.groupby("variant", sort=False).filter(lambda part: part["value"].sum() > 0)
        figure = drawn(one, k)
        assert [x for x, _ in points(figure, "value")] == pytest.approx((100 * kept["value"]).tolist())
        assert {round(x, 9) for x, _ in points(figure, "fair")} == {round(100 / 3, 9)}


def test_seat_intervals_are_simultaneous_and_so_wider_than_single_ones() -> None:
    one, frame = picture("seats").frame, summary(trumps())
    both = one.merge(frame, on=["variant", "metric"], suffixes=("", "_single"))
    # shares of games have single intervals that need no estimate of the error, which may come out narrow or wide
    both = both[[long.startswith(short) for long, short in zip(both["method"], both["method_single"], strict=True)]]
    both = both[(both["value"] > 0) & (both["method_single"] != "Wilson")]
    assert len(both) >= 9
    assert (both["high"] - both["low"] >= both["high_single"] - both["low_single"]).all()


def test_cumulative_shares_are_those_of_the_histograms() -> None:
    one, run = picture("lengths"), trumps()
    rounds = next(k for k, panel in enumerate(one.panels) if panel.title == "rounds a game")
    curves = [line for line in drawn(one, rounds).axes[0].lines if line.get_gid() == "curve"]
    for variant, curve in enumerate(curves):
        bins = run.tallies.variants[variant].hist[run.game.histograms.slice_of("rounds")]
        expected = 100 * np.cumsum(bins)[1 : 1 + len(curve.get_xdata())] / 800
        assert curve.get_ydata() == pytest.approx(expected)
        assert curve.get_ydata()[-1] == pytest.approx(100)


def test_ridgelines_hold_every_value_once() -> None:
    frame = picture("scores").frame
    shares = frame.groupby(["histogram", "variant"])["share"].sum()
    assert shares.to_numpy() == pytest.approx(np.ones(len(shares)), abs=1e-3)
    run = trumps()
    for (histogram, label), part in frame.groupby(["histogram", "variant"]):
        variant = [v.label for v in run.manifest.variants].index(label)
        bins = run.tallies.variants[variant].hist[run.game.histograms.slice_of(histogram)]
        values = run.game.histograms[histogram].values()
        mean = float((bins[1:-1] * values[1:-1]).sum() / bins[1:-1].sum())
        assert float((part["share"] * part["value"]).sum()) == pytest.approx(mean, abs=1.5)


def test_profiles_draw_the_summarised_shares() -> None:
    one, frame = picture("winner_led"), summary(trumps(), ["winner_led"])
    curves = [line for line in drawn(one, 0).axes[0].lines if line.get_gid() == "curve"]
    held = [part["value"] for _, part in frame.groupby("variant", sort=False) if part["value"].notna().all()]
    assert len(curves) == len(held)
    for curve, values in zip(curves, held, strict=True):
        assert curve.get_ydata() == pytest.approx((100 * values).tolist())


def test_what_ends_rounds_adds_up_and_is_the_blocked_share() -> None:
    one, frame = picture("ends"), summary(trumps(), ["blocked"])
    bars = [patch for patch in drawn(one, 0).axes[0].patches if patch.get_gid() == "part"]
    widths = np.array([bar.get_width() for bar in bars]).reshape(-1, 2)
    assert widths.sum(axis=1) == pytest.approx([100, 100, 100])
    assert widths[:, 0] == pytest.approx((100 * frame["value"]).tolist())


def test_every_panel_says_in_words_what_it_shows() -> None:
    for one in pictures(view()):
        for panel in one.panels:
            assert all(label in panel.alt for label in ("trumps=own", "trumps=ranked")) or one.id == "forest"
            assert len(panel.alt) > 40
        assert isinstance(one.frame, pd.DataFrame)
        assert len(one.frame)
        assert one.command.startswith("kozyr ")


def test_a_run_of_one_variant_has_pictures_but_no_differences() -> None:
    ids = [one.id for one in pictures(View(single(), "1", ()))]
    assert "forest" not in ids
    assert {"seats", "scores", "lengths", "ends"} <= set(ids)


def test_many_variants_become_small_multiples_with_the_baseline_behind() -> None:
    from simcore import simulate

    run = simulate("bank", 60, vary={"penalty_fixed": None}, set={"penalty": "fixed"}, bots="random", seed=1)
    one = next(p for p in pictures(View(run, "1", ())) if p.id == "lengths")
    figure = drawn(one, 0)
    assert len(figure.axes) == 6
    references = [line for axes in figure.axes for line in axes.lines if line.get_gid() == "reference"]
    assert len(references) == 5


def test_svg_has_its_own_ids_and_the_colours_of_the_page() -> None:
    figure = drawn(picture("seats"), 0)
    with style.styled():
        raw = style.raw_svg(figure)
    made = style.inline_svg(raw, "a", 'says "this" & <that>')
    assert 'aria-label="says &quot;this&quot; &amp; &lt;that&gt;"' in made
    assert 'id="a-' in made
    assert ' id="figure_1"' not in made
    assert "var(--ink)" in made
    assert style.INK not in made
    assert "<text" in made


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("M 1 2 \nL 3 2 \nL 3 5 \nz\n", "M1 2H3V5z"),
        ("M 0 3 \nC 0.79 3 1.55 2.68 2.12 2.12 \nL 2.12 7 \n", "M0 3C0.79 3 1.55 2.68 2.12 2.12V7"),
        ("M 1 2 \nL 1 2 \nz \nL 1 5", "M1 2H1zL1 5"),
    ],
)
def test_paths_are_written_shorter_and_lead_the_same_way(long: str, short: str) -> None:
    assert slim.short_path(long) == short


def test_a_slim_drawing_keeps_all_that_is_seen() -> None:
    """Words, and paths and markers that have a colour: as many as matplotlib wrote, in the same order."""
    from io import StringIO

    with style.styled():
        figure = drawn(picture("forest"), 0)
        buffer = StringIO()
        figure.savefig(buffer, format="svg")
        raw = style.raw_svg(figure)
    whole = buffer.getvalue()
    assert len(raw) < 0.8 * len(whole)
    for pattern in (r"<text[^>]*>([^<]+)<", r"<use[^>]* x=\"([0-9]+)", r"(stroke): ?#"):
        assert re.findall(pattern, raw) == re.findall(pattern, whole)
    assert ElementTree.fromstring(raw).tag.endswith("svg")  # noqa: S314


def test_long_names_are_folded_where_they_part_and_stay_apart() -> None:
    labels = [f"end_cost={cost}; builder(end_from={bar})/builder(end_from=5)" for cost in (0, 1) for bar in (6, 7)]
    assert style.folded(labels[0]).split("\n") == ["end_cost=0;", "builder(end_from=6)/", "builder(end_from=5)"]
    for lines, width in ((3, 24), (2, 30)):
        found = {style.folded(label, width, lines) for label in labels}
        assert len(found) == len(labels)
        assert all(len(line) <= width + 2 for text in found for line in text.split("\n"))
        assert all(text.count("\n") < lines for text in found)
    assert style.folded("trumps=own") == "trumps=own"
    assert style.folded("x" * 80) == "x" * 25 + "…"
