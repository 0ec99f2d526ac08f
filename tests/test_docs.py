"""The documents say what is true: their tables, commands, Python, printed outputs, links, notebook and site."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
import unicodedata
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from cli import app
from simcore import GAMES, find_game

ROOT = Path(__file__).resolve().parent.parent
FEW_GAMES = 300
NOTEBOOK = ROOT / "docs" / "analysis.ipynb"
LANGUAGES = {"sh", "python", "toml", "text", "json", "diff"}


@cache
def generate() -> ModuleType:
    """`docs/generate.py` as a module."""
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs" / "generate.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["generate"] = module
    spec.loader.exec_module(module)
    return module


PAGES = generate().pages()
NAMES = [str(path.relative_to(ROOT)) for path in PAGES]
each_page = pytest.mark.parametrize("path", PAGES, ids=NAMES)


# --- pages ------------------------------------------------------------------------------------------------------------


@each_page
def test_generated_tables_are_fresh(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    assert generate().with_tables(page) == page, "stale; run: python docs/generate.py"


@pytest.mark.parametrize("game", GAMES)
def test_each_game_has_rules_and_a_page_with_its_tables(game: str) -> None:
    assert (ROOT / "simcore" / "games" / game / "RULES.md").is_file()
    page = (ROOT / "docs" / "games" / f"{game}.md").read_text(encoding="utf-8")
    tables = re.findall(r"<!-- generated: (\w+) (\w+) -->", page)
    assert sorted(tables) == sorted((what, game) for what in ("bots", "metrics", "options"))
    declared = find_game(game)
    names = [*(o.name for o in declared.rules), *(b.name for b in declared.bots), *declared.metric_names]
    assert [name for name in names if f"| `{name}`" not in page and f"| `{name}." not in page] == []


@each_page
def test_a_page_does_what_it_says(path: Path) -> None:
    """All commands and Python of a page run, in order, in one folder; what it shows as printed is what is printed.

    Pages that show nothing printed are run with fewer games.
    """
    tool, page = generate(), path.read_text(encoding="utf-8")
    if path.name == "extending.md":
        return  # tests/test_docs_extending.py
    if tool.prints(page):
        assert tool.with_printed(page) == page, "stale; run: python docs/generate.py"
        return
    shell = tool.Shell(most_games=FEW_GAMES)
    with tool.reader_folder():
        for block in tool.blocks(page):
            shell.do(block)


@each_page
def test_blocks_say_what_they_are(path: Path) -> None:
    page = path.read_text(encoding="utf-8")
    found = list(generate().blocks(page))
    assert len(re.findall(r"^```", page, re.MULTILINE)) == 2 * len(found)
    for block in found:
        assert block.language in LANGUAGES, block.text
        assert not block.printed or block.language == "text"
        if block.language in ("toml", "diff"):
            assert block.title, f"no file is named for: {block.text}"


def test_the_readme_begins_with_the_two_commands() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    first = next(generate().blocks(text)).text.splitlines()
    assert text.startswith("# Kozyr\n\n```sh\n")
    assert len(first) == 2
    assert first[0].endswith(".venv/bin/kozyr run studies/bank.toml")
    assert first[1].endswith(".venv/bin/pytest -n auto")


def test_a_wrong_command_is_found_out() -> None:
    """The checks above can fail."""
    tool = generate()
    with tool.reader_folder():
        for wrong in ("kozyr rules banc", "kozyr summary nowhere", "kozyrr games", "kozyr simulate bank --vary"):
            with pytest.raises(tool.Failed):
                tool.Shell().command(wrong)
        with pytest.raises(tool.Failed):
            tool.Shell().python("1 / 0")
    page = "```sh\nkozyr games\n```\n\n<!-- printed -->\n```text\nbank: a game\n```\n"
    assert tool.with_printed(page) != page
    assert tool.with_printed(page).startswith("```sh\nkozyr games\n```\n\n<!-- printed -->\n```text\nbank: 2-4 players")
    assert tool.with_tables("<!-- generated: bots bank -->\nold\n<!-- end of generated -->").count("`thrifty`") == 1


# --- links ------------------------------------------------------------------------------------------------------------


def anchors(path: Path) -> set[str]:
    """The anchors of a Markdown page's headings, as the site makes them."""
    headings = re.findall(r"^#{1,6} (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    found = set()
    for heading in headings:
        plain = unicodedata.normalize("NFKD", re.sub(r"[`*]", "", heading)).encode("ascii", "ignore").decode()
        found.add(re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower()))
    return found


@pytest.mark.parametrize(
    "path", [*PAGES, *sorted(ROOT.glob("simcore/games/*/RULES.md")), ROOT / "CHANGELOG.md"], ids=lambda p: str(p.name)
)
def test_links_lead_somewhere(path: Path) -> None:
    text = re.sub(r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        parts = urlsplit(target)
        if parts.scheme:
            continue
        there = path.parent / unquote(parts.path) if parts.path else path
        assert there.exists(), f"{path.name}: {target}"
        if parts.fragment and there.suffix == ".md":
            assert parts.fragment in anchors(there), f"{path.name}: {target}"


@each_page
def test_files_named_in_the_text_exist(path: Path) -> None:
    """Paths in code spans that begin with a folder of the repository, without placeholders."""
    for name in re.findall(
        r"`((?:simcore|analysis|reports|tests|docs|studies|benchmarks)/[\w./-]*)`", path.read_text()
    ):
        assert "NAME" in name or (ROOT / name).exists(), f"{path.name}: {name}"


# --- the command line's own examples ----------------------------------------------------------------------------------

COMMANDS: dict[str, Any] = dict(get_command(app).commands)  # type: ignore[attr-defined]


def example(name: str) -> str:
    """The example in a command's help."""
    found = re.search(r"Example: (kozyr .+?)\s*\Z", COMMANDS[name].help or "", re.DOTALL)
    assert found, f"kozyr {name} --help has no example"
    return found[1]


def readme_command(part: str) -> str:
    """The command of the README that holds this text."""
    (found,) = [line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if part in line]
    assert found.startswith("kozyr ")
    return found


@pytest.mark.parametrize("name", sorted(COMMANDS))
def test_help_shows_its_example_and_the_example_works(name: str) -> None:
    shown = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert shown.exit_code == 0
    assert " ".join(example(name).split()) in " ".join(shown.stdout.split())
    assert shlex.split(example(name))[1] == name
    tool = generate()
    with tool.reader_folder():
        shell = tool.Shell(most_games=FEW_GAMES)
        if " runs/sevens" in example(name):
            shell.command(readme_command("--out runs/sevens"))
        assert shell.command(example(name)).strip()


# --- notebook ---------------------------------------------------------------------------------------------------------


def notebook(path: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return loaded


def test_the_notebook_is_kept_without_outputs() -> None:
    cells = [cell for cell in notebook(NOTEBOOK)["cells"] if cell["cell_type"] == "code"]
    assert len(cells) >= 5
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


def test_the_notebook_runs(tmp_path: Path) -> None:
    """In a kernel of its own: every cell, with tables, pictures and a verdict among the outputs."""
    done = tmp_path / "done.ipynb"
    program = "from nbclient.cli import main; main()"
    command = [sys.executable, "-c", program, str(NOTEBOOK), f"--output={done}"]
    paths = {"PYTHONPATH": str(ROOT), "IPYTHONDIR": str(tmp_path), "JUPYTER_DATA_DIR": str(tmp_path)}
    found = subprocess.run(
        command, capture_output=True, text=True, cwd=tmp_path, env={**os.environ, **paths}, timeout=600
    )
    assert found.returncode == 0, found.stderr
    outputs = [o for c in notebook(done)["cells"] if c["cell_type"] == "code" for o in c["outputs"]]
    kinds = [kind for output in outputs for kind in output.get("data", {})]
    assert kinds.count("image/png") == 2
    assert kinds.count("text/html") >= 4
    assert [o for o in outputs if o["output_type"] == "stream"] == [], "a warning, or something left over"
    assert "supported" in json.dumps(outputs[-1])


# --- the site ---------------------------------------------------------------------------------------------------------


class Fetched(HTMLParser):
    """Collects what a page makes a browser fetch."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev"):
            self.found.append(given.get("href", ""))
        if tag in ("script", "img", "iframe", "source"):
            self.found.append(given.get("src", ""))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with warnings as errors."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    found = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=environment, timeout=300)
    assert found.returncode == 0, found.stdout + found.stderr
    return folder


def test_the_site_has_every_page_and_fetches_nothing(site: Path) -> None:
    for path in (ROOT / "docs").rglob("*.md"):
        assert (site / path.relative_to(ROOT / "docs")).with_suffix(".html").is_file(), path
    for page in site.rglob("*.html"):
        parser = Fetched()
        parser.feed(page.read_text(encoding="utf-8"))
        assert [address for address in parser.found if urlsplit(address).netloc] == [], page
    assert not list(site.rglob("*.py"))


def test_the_api_page_shows_the_docstrings(site: Path) -> None:
    page = (site / "api.html").read_text(encoding="utf-8")
    wanted = re.findall(r"^::: ([\w.]+)$", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(wanted) > 20
    assert [name for name in wanted if f'id="{name}"' not in page] == []
    assert "Play a batch of bot games for each variant of the rules." in page
    assert "Parameters:" in page
    assert ":::" not in page
