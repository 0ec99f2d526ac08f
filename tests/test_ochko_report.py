"""What a report of Ochko adds: strategy charts, and simulated values beside exact ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.charts import ACTIONS, LETTERS, exact_table, strategy_charts
from reports.figures import style
from reports.pictures import scores
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
    assert set(picture.frame["rules"]) == {"ace=one", "ace=eleven"}
    assert "S stop, D draw." in picture.caption
    assert [panel.title for panel in picture.panels] == [
        "ace=one, against a banker who stands on 17",
        "ace=eleven, against a banker who stands on 16",
    ]
    with style.styled():
        svg = style.raw_svg(picture.panels[0].draw())
    assert svg.count("<svg") == 1
    assert "by the banker's card: A 14-16 and 18-20, " in picture.panels[0].alt
    assert "T 15 and 18-20" in picture.panels[0].alt


def test_the_chart_drawn_is_the_chart_computed(run: Run) -> None:
    """The frame beside the picture, and the letters in the picture itself, cell by cell."""
    picture = strategy_charts(View(run, "1", ()))
    assert picture is not None
    chart = strategy_chart(run.manifest.variants[0].rules)
    part = picture.frame[picture.frame["rules"] == "ace=one"].set_index("total")
    assert (part.loc[chart.index, list(chart.columns)] == chart).all(axis=None)
    with style.styled():
        axes = picture.panels[0].draw().axes[0]
    told = {text.get_position(): text.get_text() for text in axes.texts}
    rows = {round(y - 0.53): text for (x, y), text in told.items() if text.isdigit() and x < 0}
    columns = {round(x - 0.5): text for (x, y), text in told.items() if x > 0.4 and y < 0}
    letters = {(rows[round(y - 0.53)], columns[round(x - 0.5)]): t for (x, y), t in told.items() if x > 0 and y > 0}
    assert len(letters) == len(rows) * len(chart.columns) > 40
    assert all(LETTERS[ACTIONS.index(chart.loc[row, card])] == letter for (row, card), letter in letters.items())


def test_charts_are_named_by_what_sets_them_apart() -> None:
    """An option that changes no chart is not in their names; rules that share a chart share its name."""
    run = simulate("ochko", 50, {"blind": "no"}, {"stuk": [2, 3], "deck": [32, 36], "both_bust": ["banker"]})
    picture = strategy_charts(View(run, "1", ()))
    assert picture is not None
    assert list(dict.fromkeys(picture.frame["rules"])) == ["deck=32", "deck=36"]
    alone = strategy_charts(View(simulate("ochko", 50, {"deck": 32, "banker_card": "closed"}), "1", ()))
    assert alone is not None
    assert alone.panels[0].title == "deck=32, banker_card=closed, against a banker who stands on 16"


def test_a_session_s_gains_are_drawn_as_steps(run: Run) -> None:
    """From nothing to the share of the tally at each number of stakes; those who lose all are the first step."""
    picture = scores(View(run, "1", ()))
    assert picture is not None
    assert [panel.title for panel in picture.panels] == ["banker's net gain of a session"]
    tallies = run.tallies.variants[0]
    counts = tallies.hist[run.game.histograms.slice_of("session_gain")]
    part = picture.frame[picture.frame["variant"] == run.manifest.variants[0].label].set_index("value")["share"]
    assert part.iloc[0] == 0
    assert part.loc[-1.0] == counts[1] / counts.sum() > 0.3
    assert part.loc[2.0] == counts[: 1 + 31].sum() / counts.sum()
    assert part.iloc[-1] >= 0.99
    with style.styled():
        lines = [line for line in picture.panels[0].draw().axes[0].get_lines() if line.get_gid() == "curve"]
    assert list(lines[0].get_xdata()) == list(part.index)
    assert list(lines[0].get_ydata()) == list(100 * part)


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
