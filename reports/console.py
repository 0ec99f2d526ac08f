"""Tables and progress in a terminal; plain text in a pipe."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from simcore.batch import Progress, Run


@contextmanager
def progress(title: str) -> Iterator[Progress]:
    """A progress bar on standard error with rate and time left; nothing where that is not a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(file=sys.stderr)
    if not console.is_terminal:
        yield lambda done, total: None
        return
    rate = TextColumn("{task.fields[rate]}")
    columns = (TextColumn(title), BarColumn(), MofNCompleteColumn(), rate, TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(title, total=None, rate="")

        def update(done: int, total: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=done, total=total, rate=f"{speed:,.0f} games/s" if speed else "")

        yield update


def print_run(run: Run) -> None:
    """What a batch ends with: what was played and where it lies."""
    m = run.manifest
    print(f"{m.game.name}: {len(m.variants)} variants × {m.games} games, seed {m.seed}; digest {m.digest[:16]}")
    if run.folder is not None:
        print(f"kept in {run.folder.path}")
