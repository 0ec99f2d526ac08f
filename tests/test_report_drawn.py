"""Pictures say the same as their tables, also those of claims, sensitivity and places: values drawn against frames."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from report_cases import claims_items, trumps

from reports.figures import curve, curves, heat, style
from reports.games import words_of
from reports.maps import place_map
from reports.parts import Picture
from reports.pictures import scores
from reports.view import View
from simcore import simulate


def drawn(picture: Picture, panel: int = 0) -> Any:
    with style.styled():
        return picture.panels[panel].draw()


def points(figure: Any, gid: str) -> list[tuple[float, float]]:
    """All points of lines with this mark."""
    lines = [line for axes in figure.axes for line in axes.get_lines() if line.get_gid() == gid]
    return [(float(x), float(y)) for line in lines for x, y in zip(*line.get_data(), strict=True)]


def picture_of(item: int, name: str) -> Picture:
    return next(one for one in claims_items()[item].figures() if one.id == name)


def numbers_in(text: str) -> list[float]:
    return [float(found.replace("−", "-")) for found in re.findall(r"[−+]?\d+(?:\.\d+)?", text)]


def test_ridges_are_the_shares_of_the_frame_up_to_where_they_are_cut() -> None:
    picture = scores(View(trumps(), "trumps=own", ()))
    assert picture is not None
    for k, histogram in enumerate(picture.frame["histogram"].unique()):
        parts = [
            part for _, part in picture.frame[picture.frame["histogram"] == histogram].groupby("variant", sort=False)
        ]
        lines = [line for line in drawn(picture, k).axes[0].get_lines() if line.get_gid() == "curve"]
        assert [line.get_label() for line in lines] == [part["variant"].iloc[0] for part in parts]
        widths = [float(np.diff(part["value"]).min()) if len(part) > 1 else 1.0 for part in parts]
        densities = [part["share"].to_numpy() / width for part, width in zip(parts, widths, strict=True)]
        top = curves.ridge_top([curves.Curve("", np.arange(len(y)), y) for y in densities])
        for i, (line, part, density) in enumerate(zip(lines, parts, densities, strict=True)):
            assert line.get_xdata() == pytest.approx(part["value"].to_numpy())
            assert line.get_ydata() + i == pytest.approx(1.1 * np.minimum(density / top, 1))


def test_maps_write_their_values_and_colour_the_greatest_strongest() -> None:
    run = simulate("square", 120, vary={"layout": ["natural", "magic"]}, bots="greedy", seed=3)
    for declared in words_of("square").grids:
        picture = place_map(View(run, "1", ()), declared)
        assert picture is not None
        figure = drawn(picture)
        values = picture.frame["value"].to_numpy()
        for axes, (_, part) in zip(figure.axes, picture.frame.groupby("variant", sort=False), strict=True):
            written = {
                text.get_position()[0] // 1 - 3 * (text.get_position()[1] // 1): text.get_text() for text in axes.texts
            }
            shown = sorted(number for text in written.values() if len(text) > 1 for number in numbers_in(text))
            scale = 100 if "%" in "".join(written.values()) else 1
            expected = np.round(np.sort(part["value"].to_numpy()) * scale, 0 if scale == 100 else 2)
            assert shown == pytest.approx(expected, abs=1.01 if scale == 100 else 0.011)
            alphas = [patch.get_alpha() for patch in axes.patches if patch.get_gid() == "place"]
            shares = (part["value"].to_numpy() - values.min()) / (values.max() - values.min())
            assert sorted(alphas) == pytest.approx(sorted(heat.PALEST + (heat.DARKEST - heat.PALEST) * shares))


def test_the_specification_curve_draws_every_universe_of_its_table() -> None:
    picture = picture_of(1, "curve")
    figure = drawn(picture)
    frame = picture.frame
    known = frame[frame["estimate"].notna()]
    for verdict in curve.LOOKS:
        expected = sorted(100 * known[known["verdict"] == verdict]["estimate"])
        assert sorted(y for _, y in points(figure, verdict)) == pytest.approx(expected)
    assert sum(len(points(figure, verdict)) for verdict in curve.LOOKS) == len(known) > 10
    counts = re.findall(
        r"(\w+) \((\d+)\)", " ".join(text.get_text() for text in figure.axes[1].get_legend().get_texts())
    )
    assert {name: int(count) for name, count in counts} == {
        name: int((frame["verdict"] == name).sum()) for name in curve.LOOKS
    }


def test_sequences_draw_their_estimates_and_intervals() -> None:
    picture = picture_of(0, "sequences")
    for k, (_, part) in enumerate(picture.frame.groupby("claim", sort=False)):
        figure = drawn(picture, k)
        axes = figure.axes[0]
        value = points(figure, "value")
        assert [x for x, _ in value] == pytest.approx(part["games"].tolist())
        assert [y for _, y in value] == pytest.approx((100 * part["value"]).tolist())
        usual = [line.get_ydata() for line in axes.get_lines() if line.get_gid() == "usual"]
        assert pytest.approx(100 * part[["usual_low", "usual_high"]].to_numpy()) == np.array(usual).T
        low, high = (line.get_ydata() for line in axes.get_lines() if line.get_gid() == "limit")
        bottom, top = axes.get_ylim()
        for line, column in ((low, "low"), (high, "high")):
            there = np.isfinite(part["low"].to_numpy()) | np.isfinite(part["high"].to_numpy())
            assert (np.isnan(line) == ~there).all()
            inside = there & (100 * part[column] > bottom).to_numpy() & (100 * part[column] < top).to_numpy()
            assert line[inside] == pytest.approx(100 * part[column].to_numpy()[inside])


def test_the_tornado_draws_every_change_of_its_table() -> None:
    picture = picture_of(2, "tornado")
    figure = drawn(picture)
    assert sorted(x for x, _ in points(figure, "value")) == pytest.approx(sorted(picture.frame["difference"].dropna()))
    bars = [patch for patch in figure.axes[0].patches if patch.get_gid() == "bar"]
    reached = {
        option: (min(0.0, part["difference"].min()), max(0.0, part["difference"].max()))
        for option, part in picture.frame.groupby("option", sort=False)
        if part["difference"].notna().any()
    }
    ends = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in bars]
    assert np.array(ends) == pytest.approx(np.array(list(reached.values())))


def test_shares_of_a_variance_are_drawn_as_their_table_has_them() -> None:
    picture = picture_of(2, "shares")
    for k, (_, part) in enumerate(picture.frame.groupby("outcome", sort=False)):
        axes = drawn(picture, k).axes[0]
        widths = [patch.get_width() for patch in axes.patches if patch.get_gid() == "bar"]
        assert widths == pytest.approx((100 * part["share"]).tolist())
        intervals = [line.get_xdata() for line in axes.get_lines()]
        assert np.array(intervals) == pytest.approx(100 * part[["low", "high"]].to_numpy())
        assert isinstance(part, pd.DataFrame)
