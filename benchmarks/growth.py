"""How memory, time and the run folder grow with the number of games: ``python benchmarks/growth.py --game ochko 1e5 1e6 1e7``.

Each run is a process of its own, so that its peak memory is its own; the kernel is compiled before anything is measured.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from simcore.numbers import parse_count


def measure(game: str, games: int) -> tuple[float, float, float, int]:
    """Play a batch; returns (seconds, CPU seconds, peak memory in MB, folder size in bytes)."""
    with tempfile.TemporaryDirectory() as folder:
        command = f"import resource, simcore; simcore.simulate({game!r}, {games}, out={folder + '/run'!r});"
        command += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        finished = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True, check=True)
        seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        size = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        return seconds, cpu, int(finished.stdout) / 1024, size


def main() -> None:
    """Print a Markdown table, a line a number of games."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="ochko")
    parser.add_argument("games", nargs="+", help="numbers of games, such as 1e5 1e6 1e7")
    given = parser.parse_args()
    sizes = [parse_count(text, "games", 10**12) for text in given.games]
    measure(given.game, 100)
    print(f"| games of {given.game} | seconds | CPU µs a game | peak memory, MB | run folder, kB |")
    print("|---:|---:|---:|---:|---:|")
    for games in sizes:
        seconds, cpu, memory, size = measure(given.game, games)
        print(
            f"| {games:.0e} | {seconds:.1f} | {cpu / games * 1e6:.2f} | {memory:.0f} | {size / 1000:.0f} |", flush=True
        )


if __name__ == "__main__":
    main()
