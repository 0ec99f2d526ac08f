"""Games of every kind can be stepped through in a report, from the first event to the last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reports.document import write_report
from reports.items import RunItem
from reports.samples import sample_games
from simcore import GAMES, simulate

pytestmark = pytest.mark.browser

STEP = """([i, steps]) => {
  const viewer = document.querySelectorAll('details.game .viewer')[i];
  const slider = viewer.querySelector('input');
  return steps.map((at) => {
    slider.value = at;
    slider.dispatchEvent(new Event('input'));
    return [at, viewer.querySelector('.said').textContent, viewer.querySelector('.board').childElementCount];
  });
}"""
"""Goes to some steps of the i-th game; returns each with what is said there and how many boards are shown."""


@pytest.mark.parametrize("game", GAMES)
def test_the_boards_of_a_game_follow_it_to_the_end(chromium: Any, tmp_path: Path, game: str) -> None:
    run = simulate(game, 60, seed=6)
    item = RunItem(None, run, "1", ())
    path = write_report(game, "", [item], tmp_path, ("html",))[0]
    troubles: list[str] = []
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.on("pageerror", lambda error: troubles.append(str(error)))
    page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
    page.goto(path.as_uri())
    events = {one.id: one.events for one in sample_games(item.view)}
    boxes = page.locator("details.game")
    assert boxes.count() == len(events)
    for i, found in enumerate(events.values()):
        boxes.nth(i).locator("summary").click()
        viewer = boxes.nth(i).locator(".viewer")
        viewer.locator("input").wait_for()
        steps = sorted({*range(1, min(len(found), 60)), len(found) // 2, len(found) - 1})
        for at, said, shown in page.evaluate(STEP, [i, steps]):
            assert said.strip(), f"event {at} of {found[at]} says nothing"
            assert "undefined" not in said
            assert "NaN" not in said
            assert shown == 1
        assert viewer.locator("output").inner_text().endswith(f"/ {len(found) - 1}")
        boxes.nth(i).locator("summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert troubles == []
    page.close()


def test_a_game_without_a_board_of_its_own_lists_what_the_events_say(chromium: Any, report: Path) -> None:
    page = chromium.new_page()
    page.goto(report.as_uri())
    page.evaluate("delete window.kozyrBoards.bank")
    box = page.locator("details.game").first
    box.locator("summary").click()
    viewer = box.locator(".viewer")
    assert viewer.locator(".said").inner_text().startswith("round; round 1; dealer ")
    assert "starter" in viewer.locator("dl").inner_text()
    page.close()
