"""Tables and progress in a terminal; plain text in a pipe."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from reports import numbers, terminal
from simcore.batch import Progress, Run
from simcore.errors import InputError, RunError
from simcore.places import is_url, write_aside

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console
    from rich.text import Text


def _error_console() -> Console:
    from rich.console import Console

    return Console(file=sys.stderr)


@contextmanager
def progress(title: str, unit: str = "games") -> Iterator[Progress]:
    """A progress bar on standard error with rate and time left; nothing where that is not a terminal."""
    console = _error_console()
    if not console.is_terminal:
        yield lambda done, total: None
        return
    from rich.progress import BarColumn, MofNCompleteColumn, TaskProgressColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TaskProgressColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bars(*columns, console=console, transient=True) as bars:
        task = bars.add_task(title, total=None, rate="")

        def update(done: int, total: int) -> None:
            speed = bars.tasks[0].speed
            bars.update(task, completed=done, total=total, rate=f"{speed:,.0f} {unit}/s" if speed else "")

        yield update


@contextmanager
def busy(title: str) -> Iterator[None]:
    """A sign on standard error that something is being computed; nothing where that is not a terminal."""
    with _error_console().status(f"{title} …"):
        yield


def tell(text: str) -> None:
    """Say something that is not a result."""
    print(terminal.wrapped(numbers.in_plain_blanks(text), "  "), file=sys.stderr, flush=True)


def out(text: str | Text, wrap: bool = True) -> None:
    """Print lines of results, coloured in a terminal, plain in a pipe; folded at the terminal's width unless it is a command."""
    from rich.console import Console
    from rich.text import Text

    made = Text(numbers.in_plain_blanks(text)) if isinstance(text, str) else text
    console = Console(width=10_000, highlight=False, soft_wrap=True)
    for whole in made.split("\n", allow_blank=True):
        indent = " " * (len(whole.plain) - len(whole.plain.lstrip()) + 2)
        folded = terminal.wrapped(whole.plain, indent) if wrap else whole.plain
        for line in _folded(whole, folded, indent):
            console.print(line)


def _folded(whole: Text, folded: str, indent: str) -> Iterator[Text]:
    """A styled text in the lines of `folded`, which is the same text with line breaks."""
    from rich.text import Text

    at = 0
    for k, line in enumerate(folded.split("\n")):
        words = line[len(indent) :] if k else line
        start = whole.plain.index(words, at)
        at = start + len(words)
        yield Text(indent if k else "") + whole[start:at]


def save_frame(frame: pd.DataFrame, path: Path) -> None:
    """Write a frame as CSV, aside and renamed, and say so."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{path.parent}: cannot be made: {error.strerror or error}") from error
    write_aside(path, frame.to_csv(index=False, lineterminator="\n").encode())
    tell(str(path))


def report_folder(run: str) -> Path:
    """Where a run's report goes if nothing else is said: into its folder, which must be on this machine."""
    if is_url(run):
        raise InputError(f"{run} is not a folder of this machine; say with --out where the report shall go")
    return Path(run) / "report"


def print_run(run: Run, form: str = "table") -> None:
    """What a batch ends with: what was played and where it lies."""
    m = run.manifest
    if form != "table":
        _print_variants(run, form)
        return
    size = " × ".join(
        f"{n} {what}{'s' if n > 1 else ''}" for n, what in ((len(m.variants), "variant"), (m.games, "game"))
    )
    print(f"{m.game.name}: {size}, seed {m.seed}")
    if m.limit:
        print(f"stopped before {m.limit} games, as {m.until} was reached")
    elif m.until:
        print(f"all games were played before {m.until} was reached")
    print(f"digest {m.digest}")
    if run.folder is not None:
        print(f"kept in {run.folder.path}; next: kozyr summary {run.folder.path}")


def _print_variants(run: Run, form: str) -> None:
    """What was played, a row a variant, for programs."""
    import pandas as pd

    m, folder = run.manifest, str(run.folder.path) if run.folder is not None else ""
    rows = [
        {
            "game": m.game.name,
            "variant": v.label,
            "games": m.games,
            "seed": m.seed,
            "digest": m.digest,
            "folder": folder,
        }
        for v in m.variants
    ]
    print_frame(pd.DataFrame(rows), form, list(rows[0]))


def number(value: object, digits: int = 4) -> str:
    """A number as people read it: so many significant digits, an empty string for what is missing."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, float):
        if math.isinf(value):
            return "∞" if value > 0 else "-∞"
        text = f"{value:.{digits}g}"
        return f"{value:.0f}" if "e" in text and abs(value) >= 1 else text
    return str(value)


def print_frame(
    frame: pd.DataFrame,
    form: str,
    columns: Sequence[str],
    title: str = "",
    right: Sequence[str] = (),
    spare: Sequence[str] = (),
) -> None:
    """Print a frame: all of it as CSV or JSON, the `columns` of it as a table or Markdown.

    Parameters
    ----------
    frame : DataFrame
    form : {"table", "csv", "json", "md"}
    columns : sequence of str
        The columns that people want to read.
    title : str
        Printed above a table.
    right : sequence of str
        Columns of text that are set flush right, as numbers are.
    spare : sequence of str
        Last columns that a narrow terminal is not shown.
    """
    if form == "csv":
        sys.stdout.write(frame.to_csv(index=False, lineterminator="\n"))
    elif form == "json":
        sys.stdout.write(frame.to_json(orient="records", double_precision=15, indent=1, force_ascii=False) + "\n")
    elif form == "md":
        sys.stdout.write(markdown(frame, columns))
    else:
        _print_table(frame, columns, title, right, spare)


def markdown(frame: pd.DataFrame, columns: Sequence[str]) -> str:
    """A frame as a Markdown table."""
    lines = ["| " + " | ".join(map(str, columns)) + " |", "|" + "---|" * len(columns)]
    rows = frame[list(columns)].itertuples(index=False)
    lines += [
        "| " + " | ".join(number(value).replace("|", "\\|").replace("\n", "; ") for value in row) + " |" for row in rows
    ]
    return "\n".join(lines) + "\n"


def _print_table(
    frame: pd.DataFrame, columns: Sequence[str], title: str, right: Sequence[str], spare: Sequence[str]
) -> None:
    from rich.console import Console
    from rich.text import Text

    if title:
        out(title)
    flush = frozenset(k for k, name in enumerate(columns) if name in right or frame[name].dtype.kind in "fiu")
    rows = tuple(tuple(map(_cell, row)) for row in frame[list(columns)].itertuples(index=False))
    grid = terminal.Grid(tuple(map(str, columns)), rows, flush, spare=frozenset(spare))
    grid = terminal.fitted(grid, terminal.width())
    console = Console(width=10_000, highlight=False, soft_wrap=True)
    for line, kind in terminal.lines(grid, terminal.width()):
        console.print(Text(line, {"head": "bold", "group": "bold cyan"}.get(kind, "")))


def _cell(value: object) -> str:
    """A cell of a table in a terminal, where blanks are blanks."""
    return numbers.in_plain_blanks(number(value))
