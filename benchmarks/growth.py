"""How memory, time and the run folder grow with the number of games: ``python benchmarks/growth.py``.

Each run is a process of its own, so that its peak memory is its own; the kernel is compiled before anything is measured.
The usual sizes are 1e5 1e6 1e7 1e8, which take about five minutes on two cores.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from simcore.manifest import MAX_GAMES
from simcore.numbers import parse_count

COLUMNS = ("games", "shards", "seconds", "CPU s", "CPU µs a game", "peak memory, MB", "files", "run folder, kB")
PLAY = """
import json, resource, sys, simcore
game, games, folder = sys.argv[1:]
run = simcore.simulate(game, int(games), out=folder)
used = resource.getrusage(resource.RUSAGE_SELF)
print(json.dumps([run.manifest.shards, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024]))
"""


@dataclass(frozen=True)
class Grown:
    """One run: `games`, `shards`, `seconds` that passed, `cpu` seconds, peak `memory` in MB, `files` and `size` in bytes."""

    games: int
    shards: int
    seconds: float
    cpu: float
    memory: float
    files: int
    size: int

    def cells(self) -> list[str]:
        """The cells of its line."""
        numbers = f"{self.seconds:.1f}", f"{self.cpu:.1f}", f"{self.cpu / self.games * 1e6:.2f}", f"{self.memory:.0f}"
        return [f"{self.games:.0e}", str(self.shards), *numbers, str(self.files), f"{self.size / 1000:.0f}"]


def measure(game: str, games: int) -> Grown:
    """Play a batch into a folder that is then thrown away."""
    with tempfile.TemporaryDirectory() as folder:
        start, place = time.perf_counter(), Path(folder) / "run"
        command = [sys.executable, "-c", PLAY, game, str(games), str(place)]
        finished = subprocess.run(command, capture_output=True, text=True, check=True)
        seconds = time.perf_counter() - start
        shards, cpu, memory = json.loads(finished.stdout)
        sizes = [path.stat().st_size for path in place.rglob("*") if path.is_file()]
        return Grown(games, shards, seconds, cpu, memory, len(sizes), sum(sizes))


def main() -> None:
    """Print a Markdown table, a line a number of games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="ochko", help="game to play (ochko, the quickest)")
    parser.add_argument("games", nargs="*", default=["1e5", "1e6", "1e7", "1e8"], help="numbers of games")
    given = parser.parse_args()
    sizes = [parse_count(text, "games", MAX_GAMES) for text in given.games]
    measure(given.game, 100)
    print(f"| {' | '.join(COLUMNS)} |\n{'|---:' * len(COLUMNS)}|", flush=True)
    for games in sizes:
        print(f"| {' | '.join(measure(given.game, games).cells())} |", flush=True)


if __name__ == "__main__":
    main()
