"""What a report of Ochko adds: strategy charts, and simulated values beside exact ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.charts import exact_table, strategy_charts
from reports.figures import style
from reports.view import View
from simcore import simulate
from simcore.batch import Run
from simcore.games.ochko.exact.tables import strategy_chart


@pytest.fixture(scope="module")
def run() -> Run:
    return simulate(
        "ochko",
        1500,
        {"deck": 32},
        {"ace": ["one", "eleven"]},
        bots=["threshold", "basic", "basic,random,random,basic"],
    )


def test_a_chart_for_each_ace(run: Run) -> None:
    picture = strategy_charts(View(run, "1", ()))
    assert picture is not None
    assert set(picture.frame["rules"]) == {"deck=32, ace=one", "deck=32"}
    assert "ace=one, against a banker who stands on 17" in picture.caption
    with style.styled():
        svg = style.raw_svg(picture.panels[0].draw())
    assert svg.count("<svg") == 1
    assert "by the banker's card: A 14-16 and 18-20, " in picture.panels[0].alt
    assert "T 15 and 18-20" in picture.panels[0].alt


def test_the_chart_drawn_is_the_chart_computed(run: Run) -> None:
    picture = strategy_charts(View(run, "1", ()))
    assert picture is not None
    chart = strategy_chart(run.manifest.variants[0].rules)
    drawn = picture.frame[picture.frame["rules"] == "deck=32, ace=one"].set_index("total")
    assert (drawn.loc[chart.index, list(chart.columns)] == chart).all(axis=None)


def test_no_chart_where_all_variants_share_one() -> None:
    assert strategy_charts(View(simulate("ochko", 100, {"deck": 32}, {"stuk": [2, 3]}), "1", ())) is None
    assert strategy_charts(View(simulate("bank", 60), "1", ())) is None


def test_simulated_beside_exact(run: Run) -> None:
    """Only tables of one bot are compared; every cell lies within five standard errors."""
    table = exact_table(View(run, "1", ()))
    assert table is not None
    assert {row[0].raw for row in table.rows} == {
        f"ace={ace}; {bot}" for ace in ("one", "eleven") for bot in ("threshold", "basic")
    }
    assert len(table.rows) == 12
    assert table.frame["z"].abs().max() < 5
    assert exact_table(View(simulate("bank", 60), "1", ())) is None


def test_a_whole_report(run: Run, tmp_path: Path) -> None:
    from reports.document import write_report
    from reports.items import RunItem

    written = write_report("Ochko", "", [RunItem(None, run, "1", ())], tmp_path)
    page = written[0].read_text()
    assert "The best response, as a chart" in page
    assert "Simulated against exact" in page
    assert "What ends a session" in page
