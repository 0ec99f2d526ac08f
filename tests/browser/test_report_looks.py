"""How reports look: nothing is cut or overlaps, lettering is legible, and axe-core finds no fault; for each game, and claims."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.browser

Visit = Callable[..., Any]
LOOKS = [(size, scheme) for size in ("desktop", "phone") for scheme in ("light", "dark")]
PAGES = [("bank", *look) for look in LOOKS]
PAGES += [(name, *look) for name in ("square", "ochko", "claims") for look in (LOOKS[0], LOOKS[3])]
OPEN_SOME = """[...document.querySelectorAll('details')]
  .filter((one) => !one.matches('.game') || one.closest('section').querySelector('.game') === one)
  .forEach((one) => { one.open = true; })"""
"""Everything, and of the games, which are alike, the first."""
OPEN_ALL = "document.querySelectorAll('details').forEach((one) => { one.open = true; })"
BEYOND = """() => [...document.querySelectorAll('p, h1, h2, h3, h4, button, figure svg, dd, .viewer, pre, .panel text')]
  .filter((e) => e.tagName === 'text' || ((e.offsetParent !== null || e.ownerSVGElement === null) && !e.closest('.scroll')))
  .map((e) => [e, e.getBoundingClientRect(), e.tagName === 'text' ? e.closest('.panel').getBoundingClientRect() : null])
  .filter(([, box, panel]) => box.width > 0 && (box.right > innerWidth + 0.5 || box.left < -0.5
                              || (panel && (box.right > panel.right + 9 || box.left < panel.left - 9))))
  .map(([e]) => `${e.tagName} ${e.textContent.slice(0, 40)}`)"""
"""Elements that reach over the page's edge, or letters over the edge of their picture."""
LETTERS = """() => [...document.querySelectorAll('.panel svg text')].map((e) => {
  const scale = e.ownerSVGElement.getBoundingClientRect().width / e.ownerSVGElement.viewBox.baseVal.width;
  return [parseFloat(getComputedStyle(e).fontSize) * scale, getComputedStyle(e).fill, e.textContent];
})"""
OVERLAPPING = """() => [...document.querySelectorAll('.panel svg')].flatMap((svg) => {
  const boxes = [...svg.querySelectorAll('text')].map((e) => [e.textContent, e.getBoundingClientRect()]);
  return boxes.flatMap(([name, a], i) => boxes.slice(i + 1)
    .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
                    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 4)
    .map(([other]) => `${svg.getAttribute('aria-label').slice(0, 30)}: ${name} / ${other}`));
})"""


@pytest.mark.parametrize(("name", "size", "scheme"), PAGES)
def test_nothing_is_cut_or_overlaps_and_lettering_is_legible(
    visit: Visit, pages: dict[str, Path], name: str, size: str, scheme: str
) -> None:
    page = visit(size, scheme, pages[name])
    texts = page.evaluate(LETTERS)
    assert len(texts) > 40
    assert [text for height, _, text in texts if height < 9.0] == []
    assert {fill for _, fill, _ in texts} == {page.evaluate("getComputedStyle(document.body).color")}
    assert page.evaluate(OVERLAPPING) == []
    for step in ("", OPEN_ALL):
        if step:
            page.evaluate(step)
        assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
        assert page.evaluate(BEYOND) == []


@pytest.mark.parametrize(("name", "size", "scheme"), PAGES)
def test_axe_finds_no_fault(visit: Visit, pages: dict[str, Path], name: str, size: str, scheme: str) -> None:
    path = os.environ.get("KOZYR_AXE", "")
    if not path:
        pytest.skip("KOZYR_AXE does not name axe-core's axe.min.js (npm install axe-core)")
    page = visit(size, scheme, pages[name], bypass_csp=True)
    page.evaluate(OPEN_SOME)
    if name != "claims":
        page.locator(".board").first.wait_for()
    page.wait_for_function("!document.querySelector('details[open] tbody[data-packed]')")
    page.add_script_tag(path=Path(path))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    assert len(found["passes"]) > 10
    assert [(one["id"], one["impact"], one["nodes"][0]["html"][:200]) for one in found["violations"]] == []


def test_every_picture_has_words_and_a_caption(visit: Visit, pages: dict[str, Path]) -> None:
    for which in pages.values():
        page = visit(which=which)
        pictures = page.locator("figure").evaluate_all(
            """all => all.map((f) => [f.querySelector('figcaption').textContent,
                 [...f.querySelectorAll('svg')].map((s) => [s.getAttribute('role'), s.getAttribute('aria-label')])])"""
        )
        assert len(pictures) >= 4
        for caption, drawings in pictures:
            assert len(caption) > 12
            assert drawings
            assert all(role == "img" and len(label) > 40 and "nan" not in label.split() for role, label in drawings)
