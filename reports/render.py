"""Chapters as HTML (by a Jinja template that escapes) and as Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from reports.embed import Events, encode, pack, packed_json
from reports.parts import Cell, Code, Gloss, Sentence, Table

if TYPE_CHECKING:
    from jinja2 import Environment

    from reports.document import Chapter, DrawnPicture

_TEMPLATES = Path(__file__).parent / "templates"
LONG = 60
"""Rows from which on a folded table is kept packed until it is opened, and is left out on paper."""
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|#~$])")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.tests["code"] = lambda part: isinstance(part, Code)
    environment.tests["long"] = lambda table: table.folded and len(table.rows) >= LONG
    environment.filters["raw_value"] = raw_value
    environment.filters["pack"] = pack
    return environment


def raw_value(cell: Cell) -> str:
    """What a cell sorts and copies by: the shortest decimal that is the same number."""
    return f"{cell.raw!r}" if isinstance(cell.raw, float) else str(cell.raw)


def html(title: str, text: str, chapters: Sequence[Chapter]) -> str:
    """The page."""
    template = _environment().get_template("report.html.j2")
    return template.render(
        title=title,
        text=text,
        chapters=chapters,
        glosses=_glosses(chapters),
        css=_asset("report.css"),
        games=packed_json(encode(_games_by_id(chapters))) if any(c.games for c in chapters) else "",
        scripts=_scripts(chapters),
    )


def _scripts(chapters: Sequence[Chapter]) -> list[str]:
    """The page's scripts: boards only where there are games, and each game's own if it has one."""
    kinds = dict.fromkeys(game.game for chapter in chapters for game in chapter.games)
    boards = [f"boards/{kind}.js" for kind in kinds if (_TEMPLATES / f"boards/{kind}.js").is_file()]
    return [_asset(name) for name in ("report.js", *(("cards.js", *boards, "viewer.js") if kinds else ()))]


def _games_by_id(chapters: Sequence[Chapter]) -> dict[str, Events]:
    return {f"{chapter.id}-{game.id}": game.events for chapter in chapters for game in chapter.games}


def _asset(name: str) -> str:
    return (_TEMPLATES / name).read_text(encoding="utf-8")


def _glosses(chapters: Sequence[Chapter]) -> dict[str, Gloss]:
    return {gloss.name: gloss for chapter in chapters for gloss in chapter.glosses}


# --- Markdown ---------------------------------------------------------------------------------------------------------


def csv_name(chapter: str, part: str) -> str:
    """Name of the CSV file of a table or picture."""
    return f"{chapter}-{part}.csv"


def escaped(text: str) -> str:
    """Text with everything that Markdown would read as mark-up made harmless, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(str(text).split()))


def _code(text: str) -> str:
    """Code in backticks; a text with backticks of its own gets more of them."""
    runs = [len(run) for run in re.findall("`+", text)]
    fence = "`" * (max(runs, default=0) + 1)
    inner = " ".join(text.split())
    return f"{fence} {inner} {fence}" if runs else f"{fence}{inner}{fence}"


def _sentence(sentence: Sentence) -> str:
    return "".join(_code(part.text) if isinstance(part, Code) else _keep_ends(part) for part in sentence)


def _keep_ends(text: str) -> str:
    head, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    return head + escaped(text) + tail if text.strip() else text


def markdown(title: str, text: str, chapters: Sequence[Chapter], files: str) -> str:
    """The report as Markdown that shows the pictures in the folder `files`."""
    lines = [f"# {escaped(title)}", "", *([escaped(text), ""] if text else [])]
    for chapter in chapters:
        lines += _chapter(chapter, files)
    lines += _glossary(_glosses(chapters))
    return "\n".join(lines).rstrip("\n") + "\n"


def _chapter(chapter: Chapter, files: str) -> list[str]:
    lines = [f"## {escaped(chapter.title)}", ""]
    lines += [escaped(chapter.text), ""] if chapter.text else []
    lines += [" ".join(_sentence(sentence) for sentence in chapter.sentences), ""] if chapter.sentences else []
    shown = [table for table in chapter.tables if not table.folded]
    for table in shown:
        lines += _table(table, chapter.id, files)
    for drawn in chapter.pictures:
        lines += _picture(drawn, chapter.id, files)
    lines += _games(chapter)
    lines += _folded([table for table in chapter.tables if table.folded], chapter.id, files)
    if chapter.method:
        lines += ["### Method", ""]
        lines += [
            f"- **{escaped(fact.name)}**: {_code(fact.text) if fact.code else escaped(fact.text)}"
            for fact in chapter.method
        ]
        lines.append("")
    return lines


def _cell(cell: Cell) -> str:
    text = _code(cell.text).replace("|", "\\|") if cell.code else escaped(cell.text)
    return f"{text} ({escaped(cell.interval)})" if cell.interval else text


def _table(table: Table, chapter: str, files: str) -> list[str]:
    heads = [escaped(c.title) + (f" ({escaped(c.unit)})" if c.unit else "") for c in table.columns]
    rule = ["---:" if column.numeric else "---" for column in table.columns]
    rows = ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in table.rows]
    note = [escaped(table.note), ""] if table.note else []
    return [
        f"### {escaped(table.title)}",
        "",
        "| " + " | ".join(heads) + " |",
        "| " + " | ".join(rule) + " |",
        *rows,
        "",
        *note,
        f"[CSV]({files}/{csv_name(chapter, table.id)}) · {_code(table.command)}",
        "",
    ]


def _picture(drawn: DrawnPicture, chapter: str, files: str) -> list[str]:
    picture = drawn.picture
    lines = [f"### {escaped(picture.title)}", "", escaped(picture.caption), ""]
    for panel in drawn.panels:
        title = [f"**{escaped(panel.title)}**", ""] if panel.title else []
        lines += [*title, f"![{escaped(panel.alt)}]({files}/{panel.name}.svg)", ""]
    return [*lines, f"[CSV]({files}/{csv_name(chapter, picture.id)}) · {_code(picture.command)}", ""]


def _games(chapter: Chapter) -> list[str]:
    if not chapter.games:
        return [escaped(chapter.games_note), ""] if chapter.games_note else []
    rows = [
        f"| {_code(game.variant)} | {escaped(game.why)} | {escaped(game.numbers)} | {_code(game.command)} |"
        for game in chapter.games
    ]
    head = ["| variant | game | its numbers | replay |", "| --- | --- | --- | --- |"]
    return ["### Games worth a look", "", escaped(chapter.games_note), "", *head, *rows, ""]


def _folded(tables: Sequence[Table], chapter: str, files: str) -> list[str]:
    if not tables:
        return []
    lines = ["### Full tables", ""]
    for table in tables:
        where = f"[{escaped(table.title)}]({files}/{csv_name(chapter, table.id)})"
        lines.append(f"- {where}: {escaped(table.note)} {_code(table.command)}")
    return [*lines, ""]


def _glossary(glosses: dict[str, Gloss]) -> list[str]:
    if not glosses:
        return []
    rows = [
        f"| {_code(g.name)} | {escaped(g.meaning)} | {_code(g.formula)} | {escaped(g.unit)} | {escaped(g.level)} |"
        for g in glosses.values()
    ]
    return [
        "## Metrics",
        "",
        "| metric | meaning | formula | unit | of each |",
        "| --- | --- | --- | --- | --- |",
        *rows,
    ]
