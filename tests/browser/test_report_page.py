"""What a reader does with a report: looks, sorts, unfolds, copies, asks for a formula, steps through a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from report_cases import trumps

from reports.samples import sample_games
from reports.view import View

pytestmark = pytest.mark.browser

Visit = Callable[..., Any]
LOOKS = [(size, scheme) for size in ("desktop", "phone") for scheme in ("light", "dark")]


def test_tables_sort_by_their_numbers(visit: Visit) -> None:
    page = visit()
    table = page.locator("#case-headline table")
    column = table.locator("thead th").nth(1)

    def shown() -> list[float]:
        return [
            float(v)
            for v in table.locator("tbody td:nth-child(2)").evaluate_all(
                "all => all.map(c => c.dataset.value ?? c.textContent.trim())"
            )
        ]

    first = shown()
    column.locator(".sort").click()
    assert column.get_attribute("aria-sort") == "descending"
    assert shown() == sorted(first, reverse=True)
    column.locator(".sort").click()
    assert column.get_attribute("aria-sort") == "ascending"
    assert shown() == sorted(first)
    table.locator("thead th").nth(0).locator(".sort").click()
    names = table.locator("tbody th").evaluate_all("all => all.map(c => c.dataset.value ?? c.textContent.trim())")
    assert names == sorted(names)
    assert column.get_attribute("aria-sort") is None


def test_rows_without_a_number_come_last_either_way(visit: Visit) -> None:
    page = visit()
    table = page.locator("#case-headline table")
    heads = table.locator("thead th").evaluate_all("all => all.map(h => h.innerText)")
    at = next(i for i, head in enumerate(heads) if head.startswith("comebacks"))
    for _ in range(2):
        table.locator("thead th").nth(at).locator(".sort").click()
        last = table.locator("tbody tr").last.locator(f"> *:nth-child({at + 1})").get_attribute("data-value")
        assert last == ""


def test_tables_copy_as_plain_numbers(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.locator("#case-headline .copy-table").click()
    page.locator("#case-headline .copy-table", has_text="Copied").wait_for()
    lines = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert len(lines) == 1 + len(trumps().manifest.variants)
    assert lines[0].startswith("variant\trounds")
    frame = View(trumps(), "1", ()).headline
    assert float(lines[1].split("\t")[1]) == frame["value"].iloc[0]
    assert "\u202f" not in "".join(lines[1:])


def test_commands_copy_as_they_stand(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    how = page.locator("#case-headline .how")
    assert not how.locator("pre").is_visible()
    how.locator("summary").click()
    assert how.locator("pre").is_visible()
    how.locator(".copy").click()
    how.locator(".copy", has_text="Copied").wait_for()
    first, second = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert first.startswith("kozyr simulate bank --vary trumps=own,none,ranked")
    assert second.startswith("kozyr summary case --metric rounds")


def test_a_metric_tells_its_formula_on_hover_and_focus(visit: Visit) -> None:
    page = visit()
    link, tip = page.locator("#case-headline a[href='#metric-first_mover_edge']"), page.locator("#tip")
    assert not tip.is_visible()
    link.hover()
    assert "round_wins.0 / (12 · rounds) − 1/players" in tip.inner_text()
    assert link.get_attribute("aria-describedby") == "tip"
    page.mouse.move(0, 0)
    assert not tip.is_visible()
    link.focus()
    assert tip.is_visible()
    page.keyboard.press("Escape")
    assert not tip.is_visible()


def test_a_metric_tells_its_formula_on_a_tap(visit: Visit) -> None:
    page = visit("phone", has_touch=True, is_mobile=True)
    page.locator("#case-headline a[href='#metric-rounds']").tap()
    tip = page.locator("#tip")
    assert "rounds / games" in tip.inner_text()
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


def test_folded_tables_open(visit: Visit) -> None:
    page = visit()
    table = page.locator("#case-all table")
    assert not table.is_visible()
    page.get_by_role("heading", name="Every number").click()
    assert table.is_visible()
    table.locator("tbody tr").last.wait_for()
    assert table.locator("tbody tr").count() == len(View(trumps(), "1", ()).everything)


@pytest.mark.parametrize(("size", "scheme"), LOOKS)
def test_a_game_can_be_stepped_through(visit: Visit, size: str, scheme: str) -> None:
    page = visit(size, scheme)
    box = page.locator("details.game").first
    box.locator("summary").click()
    viewer = box.locator(".viewer")
    said, count = viewer.locator(".said"), viewer.locator("output")
    assert said.inner_text().startswith("Round 1: seat ")
    viewer.get_by_label("Step", exact=True).first.click()
    second = said.inner_text()
    assert count.inner_text().startswith("2 / ")
    viewer.focus()
    page.keyboard.press("ArrowRight")
    assert said.inner_text() != second or count.inner_text().startswith("3 / ")
    page.keyboard.press("ArrowLeft")
    assert said.inner_text() == second
    page.keyboard.press("ArrowDown")
    assert said.inner_text().startswith("Round 2: ")
    page.keyboard.press("ArrowUp")
    assert said.inner_text().startswith("Round 1: ")
    page.keyboard.press("Home")
    assert said.inner_text().startswith("Game ")
    page.keyboard.press("End")
    assert re.match(r"Seat \d wins with \d+ points|Stopped undecided", said.inner_text())


def test_the_board_agrees_with_the_events_at_every_step(visit: Visit) -> None:
    """Hands, bank and points as the viewer shows them, against the same game followed in Python."""
    game = min(sample_games(View(trumps(), "1", ())), key=lambda one: len(one.events))
    page = visit()
    box = page.locator("details.game", has_text=game.numbers)
    box.locator("summary").click()
    viewer = box.locator(".viewer")
    viewer.focus()
    hands: list[list[str]] = []
    bank: list[str] = []
    for at, event in enumerate(game.events[:250]):
        kind = event["event"]
        if kind == "round":
            hands, bank = [list(hand) for hand in event["hands"]], [event["opening"]]
        elif kind == "draw":
            hands[event["seat"]].append(event["card"])
        elif kind == "lay":
            hands[event["seat"]] = [card for card in hands[event["seat"]] if card not in event["cards"]]
            bank += event["cards"]
        elif kind == "capture":
            bank = []
        if at == 0:
            page.keyboard.press("Home")
        else:
            page.keyboard.press("ArrowRight")
        assert viewer.locator("output").inner_text() == f"{at} / {len(game.events) - 1}"
        if hands:
            read = """all => all.map(e => [...e.querySelectorAll('.card')].map(c => c.innerText.replace(/\\s/g, '')))"""
            shown = viewer.locator(".seat").evaluate_all(read)
            assert [set(hand) for hand in shown] == [{_face(card) for card in hand} for hand in hands]
            if bank:
                assert viewer.locator(".bank").evaluate_all(read)[0] == [_face(card) for card in bank]
        if kind == "lay":
            assert viewer.locator(".said .rule").inner_text() != ""
        if kind == "round_end":
            totals = viewer.locator(".seat .sums b").all_inner_texts()
            assert totals == [f"total {total}" for total in event["total"]]


def _face(card: str) -> str:
    return card[0].replace("T", "10") + {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}[card[1]]


def test_printing_shows_the_formulas_and_fits_the_paper(visit: Visit) -> None:
    page = visit("desktop", "dark")
    page.set_viewport_size({"width": 720, "height": 1000})  # A4 less its margins, at 96 dots an inch
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator(".glossary").is_visible()
    assert not page.locator("#case-all table").is_visible()
    assert not page.locator(".sort").first.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 720
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator(".glossary").is_visible()


def test_the_page_reads_without_scripts(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    assert page.locator("#case-headline table").is_visible()
    assert page.locator(".panel svg").first.is_visible()
    assert not page.locator(".copy-table").first.is_visible()
