"""What a report says first, in a terminal as well: who runs a study reads the answer before she opens the page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from reports import console
from reports.parts import Item, words

_KINDS = {".html": "page", ".md": "Markdown"}


def print_documents(paths: Sequence[Path], form: str, items: Sequence[Item]) -> None:
    """What was found about the items, in a few sentences each, and the files that were written; as data the files only."""
    if form == "table":
        for item in items:
            _print_answer(item)
        for path in paths:
            print(path)
        return
    import pandas as pd

    records = [{"document": _KINDS.get(path.suffix, path.suffix), "file": str(path)} for path in paths]
    console.print_frame(pd.DataFrame(records), form, ["document", "file"])


def _print_answer(item: Item) -> None:
    from rich.text import Text

    said = " ".join(words(sentence) for sentence in item.sentences())
    if said:
        console.out(Text(item.title, style="bold"))
        console.out(f"  {said}")
