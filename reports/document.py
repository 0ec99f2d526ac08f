"""Writing a report: the items drawn once, then as HTML, Markdown, and the files that Markdown shows."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from reports import render
from reports.figures import style
from reports.parts import Fact, Gloss, Item, Picture, SampleGame, Sentence, Table
from simcore.errors import InputError, RunError

FORMATS = ("html", "md", "png")
FILES = "files"


@dataclass(frozen=True)
class DrawnPanel:
    """A panel as the page has it, and as files."""

    title: str
    alt: str
    gloss: str
    name: str
    inline: str
    svg: str
    png: bytes


@dataclass(frozen=True)
class DrawnPicture:
    """A picture with its panels drawn."""

    picture: Picture
    panels: tuple[DrawnPanel, ...]


@dataclass(frozen=True)
class Chapter:
    """An item with everything computed; `id` is its own in this document."""

    id: str
    title: str
    text: str
    sentences: tuple[Sentence, ...]
    tables: tuple[Table, ...]
    pictures: tuple[DrawnPicture, ...]
    games: tuple[SampleGame, ...]
    games_note: str
    glosses: tuple[Gloss, ...]
    method: tuple[Fact, ...]


def slug(text: str) -> str:
    """Letters, digits and hyphens of a text, for addresses and file names."""
    kept = "".join(c if c.isascii() and c.isalnum() else "-" for c in text.lower()).strip("-")
    return "-".join(filter(None, kept.split("-")))[:48] or "part"


def write_report(
    title: str, text: str, items: Sequence[Item], out: Path, formats: Sequence[str] = ("html", "md")
) -> list[Path]:
    """Write a report.

    Parameters
    ----------
    title, text : str
        Heading, and what is asked.
    items : sequence of Item
        In order.
    out : path
        Folder to write into: ``report.html``, ``report.md``, and ``files/`` with SVG and CSV for the latter.
    formats : sequence of {"html", "md", "png"}
        ``png`` adds bitmaps beside the SVG files.

    Returns
    -------
    list of Path
        The documents written, the page first.

    Raises
    ------
    InputError
        For an unknown format, or no item.
    RunError
        If a file cannot be written.
    """
    unknown = [name for name in formats if name not in FORMATS]
    if unknown or not formats:
        raise InputError(f"report format {', '.join(unknown)!r} is not allowed; allowed: {', '.join(FORMATS)}")
    if not items:
        raise InputError("a report needs at least one run")
    chapters = _chapters(items, bitmaps="png" in formats)
    written: list[Path] = []
    if "html" in formats:
        written.append(_write(out / "report.html", render.html(title, text, chapters).encode()))
    if "md" in formats or "png" in formats:
        _write_files(chapters, out / FILES)
        written.append(_write(out / "report.md", render.markdown(title, text, chapters, FILES).encode()))
    return written


def _chapters(items: Sequence[Item], bitmaps: bool) -> list[Chapter]:
    taken: set[str] = set()
    return [_chapter(item, _free(slug(item.id), taken), bitmaps) for item in items]


def _free(name: str, taken: set[str]) -> str:
    """`name`, or with a number if it is taken."""
    found, n = name, 1
    while found in taken:
        n += 1
        found = f"{name}-{n}"
    taken.add(found)
    return found


def _chapter(item: Item, name: str, bitmaps: bool) -> Chapter:
    return Chapter(
        name,
        item.title,
        item.text,
        tuple(item.sentences()),
        tuple(item.tables()),
        tuple(_drawn(picture, name, bitmaps) for picture in item.figures()),
        tuple(item.games()),
        item.games_note(),
        tuple(item.glosses()),
        tuple(item.method()),
    )


def _drawn(picture: Picture, chapter: str, bitmaps: bool) -> DrawnPicture:
    panels = []
    for k, panel in enumerate(picture.panels, 1):
        name = f"{chapter}-{slug(picture.id)}-{k}"
        with style.styled():
            figure = panel.draw()
            svg = style.raw_svg(figure)
            image = style.png(figure) if bitmaps else b""
        inline = style.inline_svg(svg, name, panel.alt)
        panels.append(
            DrawnPanel(panel.title, panel.alt, panel.gloss, name, inline, style.file_svg(svg, panel.alt), image)
        )
    return DrawnPicture(picture, tuple(panels))


def _write_files(chapters: Sequence[Chapter], folder: Path) -> None:
    for chapter in chapters:
        for drawn in chapter.pictures:
            for panel in drawn.panels:
                _write(folder / f"{panel.name}.svg", panel.svg.encode())
                if panel.png:
                    _write(folder / f"{panel.name}.png", panel.png)
            _write(folder / render.csv_name(chapter.id, drawn.picture.id), _csv(drawn.picture.frame))
        for table in chapter.tables:
            _write(folder / render.csv_name(chapter.id, table.id), _csv(table.frame))


def _csv(frame: pd.DataFrame) -> bytes:
    text: str = frame.to_csv(index=False, lineterminator="\n")
    return text.encode()


def _write(path: Path, data: bytes) -> Path:
    """Write a file aside, then put it in its place."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=".", suffix=".tmp", delete=False) as file:
            aside = Path(file.name)
            file.write(data)
        aside.chmod(0o666 & ~_umask())
        aside.replace(path)
    except OSError as error:
        raise RunError(f"{path}: cannot be written: {error.strerror or error}") from error
    return path


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
