"""Tables and progress in a terminal; plain text in a pipe."""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from simcore.batch import Progress, Run
from simcore.errors import InputError, RunError
from simcore.places import is_url, write_aside

if TYPE_CHECKING:
    import pandas as pd
    from rich.console import Console


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


def tell(text: str) -> None:
    """Say something that is not a result."""
    print(text, file=sys.stderr, flush=True)


def out(text: object) -> None:
    """Print a line of results: coloured in a terminal, plain in a pipe."""
    from rich.console import Console

    Console(width=None if sys.stdout.isatty() else 10_000, highlight=False, soft_wrap=True).print(text, markup=False)


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


def print_run(run: Run) -> None:
    """What a batch ends with: what was played and where it lies."""
    m = run.manifest
    plural = "s" if len(m.variants) > 1 else ""
    print(f"{m.game.name}: {len(m.variants)} variant{plural} × {m.games} games, seed {m.seed}")
    if m.limit:
        print(f"stopped before {m.limit} games, as {m.until} was reached")
    elif m.until:
        print(f"all games were played before {m.until} was reached")
    print(f"digest {m.digest}")
    if run.folder is not None:
        print(f"kept in {run.folder.path}; next: kozyr summary {run.folder.path}")


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


def print_frame(frame: pd.DataFrame, form: str, columns: Sequence[str], title: str = "") -> None:
    """Print a frame: all of it as CSV or JSON, the `columns` of it as a table or Markdown.

    Parameters
    ----------
    frame : DataFrame
    form : {"table", "csv", "json", "md"}
    columns : sequence of str
        The columns that people want to read.
    title : str
        Printed above a table.
    """
    if form == "csv":
        sys.stdout.write(frame.to_csv(index=False, lineterminator="\n"))
    elif form == "json":
        sys.stdout.write(frame.to_json(orient="records", double_precision=15, indent=1, force_ascii=False) + "\n")
    elif form == "md":
        sys.stdout.write(markdown(frame, columns))
    else:
        _print_table(frame, columns, title)


def markdown(frame: pd.DataFrame, columns: Sequence[str]) -> str:
    """A frame as a Markdown table."""
    lines = ["| " + " | ".join(map(str, columns)) + " |", "|" + "---|" * len(columns)]
    rows = frame[list(columns)].itertuples(index=False)
    lines += ["| " + " | ".join(number(value).replace("|", "\\|") for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def _print_table(frame: pd.DataFrame, columns: Sequence[str], title: str) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else _piped_width())
    if title:
        out(title)
    table = Table(box=None, pad_edge=False, header_style="bold")
    shown = _blank_repeats(frame, columns)
    for column in columns:
        numeric = frame[column].dtype.kind in "fiu"
        table.add_column(str(column), justify="right" if numeric else "left", overflow="fold")
    for row in shown:
        table.add_row(*row)
    console.print(table)


def _piped_width() -> int:
    return int(os.environ.get("COLUMNS", "0") or 0) or 160


def _blank_repeats(frame: pd.DataFrame, columns: Sequence[str]) -> list[list[str]]:
    """Rows as text; a variant's label stands only where it changes."""
    rows: list[list[str]] = []
    last = ""
    for row in frame[list(columns)].itertuples(index=False):
        cells = [number(value) for value in row]
        first, cells[0] = cells[0], "" if cells[0] == last else cells[0]
        last = first
        rows.append(cells)
    return rows


def interval_column(frame: pd.DataFrame) -> pd.Series[str]:
    """``low … high`` as one readable column."""
    import pandas as pd

    pairs = zip(frame["low"], frame["high"], strict=True)
    return pd.Series([f"{number(low)} … {number(high)}" for low, high in pairs], index=frame.index, dtype="object")
