"""Hands of Ochko a second a core: ``python benchmarks/ochko.py``.

The default game with `threshold` bots at all seats, on one thread, the kernel compiled beforehand; each line is one batch,
from the call of `simulate` to its tallies. Hands are those of the tally. Seconds are CPU time of the process, so that other
work on the machine counts for little; the load average tells how much of it there is.

"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterator

from simcore import simulate
from simcore.errors import KozyrError
from simcore.manifest import MAX_GAMES
from simcore.numbers import parse_count
from simcore.options import parse_assignment

COLUMNS = ("games", "hands", "CPU s", "wall s", "hands a CPU second", "ns a hand", "load average")


def batches(given: argparse.Namespace) -> Iterator[tuple[int, float, float]]:
    """Play the batches one by one: (hands, CPU seconds, seconds)."""
    games = parse_count(given.games, "--games", MAX_GAMES)
    settings = dict(parse_assignment(text) for text in given.set)
    simulate("ochko", 1, settings, bots=given.bots, threads=1)
    for nth in range(given.repeat):
        cpu, wall = time.process_time(), time.perf_counter()
        run = simulate("ochko", games, settings, bots=given.bots, seed=given.seed + nth, threads=1)
        cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
        yield int(run.frame()["hands"].sum()), cpu, wall


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default="1e6", help="games of a batch (1e6, some 85 million hands)")
    parser.add_argument("--repeat", type=int, default=5, help="batches, each with a seed of its own (5)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the first batch (1)")
    parser.add_argument("--bots", default="threshold", help="table of bots (threshold)")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE", help="another rule")
    return parser.parse_args()


def main() -> None:
    """Print a Markdown table, a line a batch, and the speed of all."""
    given = parsed()
    print(f"| {' | '.join(COLUMNS)} |\n{'|---:' * len(COLUMNS)}|", flush=True)
    all_hands, all_cpu = 0, 0.0
    try:
        for hands, cpu, wall in batches(given):
            cells = (
                given.games,
                f"{hands:,}",
                f"{cpu:.2f}",
                f"{wall:.2f}",
                f"{hands / cpu:.3g}",
                f"{cpu / hands * 1e9:.1f}",
            )
            print(f"| {' | '.join(cells)} | {os.getloadavg()[0]:.1f} |", flush=True)
            all_hands, all_cpu = all_hands + hands, all_cpu + cpu
    except KozyrError as error:
        print(f"ochko.py: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    if all_cpu:
        print(f"\n{all_hands / all_cpu / 1e6:.1f} million hands a second a core")


if __name__ == "__main__":
    main()
