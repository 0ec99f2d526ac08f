"""Which source files a result, or a piece of machine code, depends on, and their hash."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parent.parent
_IMPORT = re.compile(r"^\s*(?:from (simcore[\w.]*) import (\([^)]*\)|[^\n]*)|import (simcore[\w.]*))", re.MULTILINE)


def _file_of(module: str) -> Path | None:
    """The source file of a module of this package, or None if there is no such module."""
    path = _ROOT.joinpath(*module.split("."))
    for candidate in (path.with_suffix(".py"), path / "__init__.py"):
        if candidate.is_file():
            return candidate
    return None


def _imports(path: Path) -> list[str]:
    found = []
    for package, names, plain in _IMPORT.findall(path.read_text(encoding="utf-8")):
        found.append(package or plain)
        found += [f"{package}.{name}" for name in re.findall(r"\w+", names)]
    return found


@cache
def closure(module: str) -> tuple[Path, ...]:
    """The files of `module` and of all modules of `simcore` that it imports, directly or not."""
    seen: dict[str, Path] = {}
    todo = [module]
    while todo:
        name = todo.pop()
        path = _file_of(name)
        if name not in seen and path is not None:
            seen[name] = path
            todo += _imports(path)
    return tuple(sorted(set(seen.values())))


@cache
def sources_hash(*modules: str) -> str:
    """Hash of the files that `modules` depend on, in hexadecimal (16 digits)."""
    digest = hashlib.sha256()
    for path in sorted({path for module in modules for path in closure(module)}):
        digest.update(path.relative_to(_ROOT).as_posix().encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:16]


def code_hash(game: str) -> str:
    """Hash of all the code that the results of a game depend on: runs with the same hash come from the same code."""
    return sources_hash(f"simcore.games.{game}.game", "simcore.shards")
