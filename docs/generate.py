"""Fills in what the documents take from the program: tables of declarations, and what their own commands print.

    python docs/generate.py            write the documents anew; or only those that are named
    python docs/generate.py --check    only name those that are stale; exit code 1 if there are any

A table stands between ``<!-- generated: options bank -->`` and ``<!-- end of generated -->``; ``metrics`` and ``bots`` likewise.
A block of text after ``<!-- printed -->`` is what the block of commands, or of Python, before it prints.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from cli import app
from reports.declared import bot_table, metric_table, option_table
from simcore import find_game
from simcore.games.base import Game

ROOT = Path(__file__).resolve().parent.parent
TABLES: dict[str, Callable[[Game], str]] = {"options": option_table, "metrics": metric_table, "bots": bot_table}
WIDTH = "100"
_TABLE = re.compile(r"(<!-- generated: (\w+) (\w+) -->\n).*?(\n?<!-- end of generated -->)", re.DOTALL)
_BLOCK = re.compile(r"^(<!-- printed -->\n\n?)?```([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_TITLE = re.compile(r'title="([\w./-]+)"')
_HEAD = re.compile(r"\s*\|\s*head\s+-n?\s*([0-9]+)\s*(?:#.*)?\Z")
_NOT_OURS = ("python ", "python3 ", "pip ", ".venv/", ". .venv/", "ruff ", "mypy", "mkdocs ", "git ", "dask ")


def pages() -> list[Path]:
    """The README and all pages of `docs/`."""
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


@dataclass(frozen=True)
class Block:
    """A fenced block of a page.

    Attributes
    ----------
    language, title, text : str
        Of the info string, and what is inside.
    printed : bool
        Whether it is what the block before it prints.
    start, end : int
        Where `text` stands in the page.
    """

    language: str
    title: str
    text: str
    printed: bool
    start: int
    end: int


def blocks(page: str) -> Iterator[Block]:
    """The fenced blocks of a page, in order."""
    for match in _BLOCK.finditer(page):
        language, _, rest = match[2].partition(" ")
        title = _TITLE.search(rest)
        yield Block(language, title[1] if title else "", match[3], bool(match[1]), match.start(3), match.end(3))


def with_tables(page: str) -> str:
    """The page with its tables made anew."""
    return _TABLE.sub(lambda m: m[1] + TABLES[m[2]](find_game(m[3])).rstrip("\n") + "\n<!-- end of generated -->", page)


class Failed(Exception):
    """A command or a piece of Python of a page did not end as it should."""


@contextlib.contextmanager
def _as_typed(arguments: list[str]) -> Iterator[None]:
    """The process looks as if these arguments had been typed."""
    before, width = sys.argv, os.environ.get("COLUMNS")
    sys.argv, os.environ["COLUMNS"] = ["kozyr", *arguments], WIDTH
    try:
        yield
    finally:
        sys.argv = before
        if width is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = width


@dataclass
class Shell:
    """Does what the reader of one page does, in the folder that is the present one.

    Attributes
    ----------
    most_games : int
        No command plays more games than this for a variant; 0: as many as the page says.
    """

    most_games: int = 0
    names: dict[str, Any] = field(default_factory=dict)

    def do(self, block: Block) -> str:
        """Run a block, or save it as the file that its title names; returns what it prints on standard output."""
        if block.title:
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            return "".join(self.command(line) for line in block.text.splitlines() if line.strip())
        elif block.language == "python":
            return self.python(block.text)
        return ""

    def command(self, line: str) -> str:
        """Run one line; ``| head -N`` is understood, and lines that are not Kozyr's are left alone."""
        cut = _HEAD.search(line)
        words = shlex.split(line[: cut.start()] if cut else line, comments=True)
        if not words:
            return ""
        if words[0] != "kozyr":
            if not line.startswith(_NOT_OURS):
                raise Failed(f"{line!r}: not a command that a page may have")
            return ""
        arguments = self._smaller(words[1:])
        with _as_typed(arguments):
            result = CliRunner().invoke(app, arguments)
        good = (0, 1) if arguments[0] == "check" else (0,)
        if result.exit_code not in good or (result.exception and not isinstance(result.exception, SystemExit)):
            raise Failed(f"{line!r}: exit code {result.exit_code}: {result.output} {result.exception or ''}")
        lines = result.stdout.splitlines(keepends=True)
        return "".join(lines[: int(cut[1])] if cut else lines)

    def _smaller(self, arguments: list[str]) -> list[str]:
        if not self.most_games:
            return arguments
        for i, word in enumerate(arguments[:-1]):
            if word in ("--games", "--max-games") and float(arguments[i + 1]) > self.most_games:
                arguments[i + 1] = str(self.most_games)
        if arguments[0] == "run" and "--games" not in arguments:
            arguments += ["--games", str(self.most_games)]
        return arguments

    def python(self, text: str) -> str:
        """Run Python in the names that earlier blocks of the page have made."""
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            try:
                exec(compile(text, "page", "exec"), self.names)  # noqa: S102 - it is our own page
            except Exception as error:
                raise Failed(f"{text}\n{type(error).__name__}: {error}") from error
        return printed.getvalue()


@contextlib.contextmanager
def reader_folder() -> Iterator[Path]:
    """A new folder, made the present one, that holds what a clone holds and the pages use."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        (Path(name) / "studies").symlink_to(ROOT / "studies")
        yield Path(name)


def with_printed(page: str) -> str:
    """The page with everything done that it says, and all that is printed made anew."""
    shell, out, at, before = Shell(), [], 0, ""
    with reader_folder():
        for block in blocks(page):
            if block.printed:
                trimmed = "\n".join(line.rstrip() for line in before.rstrip().splitlines())
                out += [page[at : block.start], trimmed + "\n"]
                at = block.end
            else:
                before = shell.do(block)
    return "".join([*out, page[at:]])


def prints(page: str) -> bool:
    """Whether the page shows what its commands print."""
    return any(block.printed for block in blocks(page))


def fresh(page: str) -> str:
    """The page as it should be."""
    page = with_tables(page)
    return with_printed(page) if prints(page) else page


def main(arguments: list[str]) -> int:
    """Make pages anew, or name the stale ones; returns the exit code."""
    warnings.simplefilter("error")
    named = [Path(name).resolve() for name in arguments if name != "--check"]
    stale = 0
    for path in named or pages():
        old = path.read_text(encoding="utf-8")
        new = fresh(old)
        if new == old:
            continue
        stale += 1
        print(path.relative_to(ROOT))
        if "--check" not in arguments:
            path.write_text(new, encoding="utf-8")
    return int(bool(stale and "--check" in arguments))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
