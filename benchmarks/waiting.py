"""What importing late and keeping machine code save a user who waits: ``python benchmarks/waiting.py``.

Each command is timed as it is, and as it would be without: with everything that Kozyr may import imported at the beginning,
and with nothing compiled beforehand. Uses hyperfine where it is installed. Takes about two minutes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile

from reports.bench.machine import describe
from reports.bench.waiting import COLD_GOAL, HELP, HELP_GOAL, SMALL, SMALL_GOAL, cold_seconds, command, times
from simcore.games import GAMES

COLUMNS = ("command", "without", "as it is", "ratio", "goal", "without what")
EAGER = """
import sys
import analysis.study, analysis.tables, pandas, pyarrow.parquet, matplotlib.pyplot, reports.document, scipy.stats, statsmodels.api
from cli import app
app(sys.argv[1:], prog_name="kozyr")
"""


def line(words: tuple[str, ...], without: float, now: float, goal: str, what: str) -> None:
    """Print a line of the table."""
    cells = f"`kozyr {' '.join(words)}`", f"{without:.2f} s", f"{now:.2f} s", f"{without / now:.1f}", goal, what
    print(f"| {' | '.join(cells)} |", flush=True)


def main() -> None:
    """Print a Markdown table, a line a command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=10, help="runs of each command; the least is told (10)")
    given = parser.parse_args()
    print("; ".join(f"{name}: {value}" for name, value in describe().items()))
    print(f"\n| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}", flush=True)
    for words, goal in ((HELP, HELP_GOAL), (SMALL, SMALL_GOAL)):
        eager, _ = times([sys.executable, "-c", EAGER, *words], given.runs)
        now, _ = times(command(*words), given.runs)
        line(words, min(eager), min(now), f"≤ {goal:g} s", "importing late")
    for game in GAMES:
        words = ("simulate", game, "--games", "1000")
        with tempfile.TemporaryDirectory() as folder:
            first, _ = cold_seconds(words, folder)
        now, _ = times(command(*words), given.runs)
        line(words, first, min(now), f"≤ {COLD_GOAL:g} s the first time", "machine code on disk")


if __name__ == "__main__":
    main()
