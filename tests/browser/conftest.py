"""A report on disk, and pages of a headless Chromium that tell what they log, throw and ask the network for."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from report_cases import write_claims, write_ochko, write_square, write_trumps

CHROMIUM = os.environ.get("KOZYR_CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-dev-shm-usage"]
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a small run."""
    return write_trumps(tmp_path_factory.mktemp("browser"))


@pytest.fixture(scope="session")
def pages(report: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A page for each game, and one of claims."""
    folder = tmp_path_factory.mktemp("pages")
    more = {"square": write_square, "ochko": write_ochko, "claims": write_claims}
    return {"bank": report, **{name: write(folder / name) for name, write in more.items()}}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """The browser."""
    if not CHROMIUM:
        pytest.skip("no Chromium here; install it, or name it in KOZYR_CHROMIUM")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any, report: Path) -> Iterator[Callable[..., Any]]:
    """Open a page: ``visit("phone", "dark")``. After the test nothing may have gone wrong in any of them."""
    troubles: list[str] = []
    contexts = []

    def noted(page: Any) -> None:
        page.on("console", lambda m: troubles.append(f"console: {m.text}") if m.type in ("error", "warning") else None)
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("request", lambda r: None if r.url.startswith("file:") else troubles.append(f"request: {r.url}"))

    def opened(size: str = "desktop", scheme: str = "light", which: Path = report, **options: Any) -> Any:
        context = chromium.new_context(viewport=SIZES[size], color_scheme=scheme, **options)
        contexts.append(context)
        page = context.new_page()
        noted(page)
        page.goto(which.as_uri())
        return page

    yield opened
    for context in contexts:
        context.close()
    assert troubles == []
