"""Which bot of Bank is the stronger, and by how much: ``python benchmarks/bots.py --games 2e4``.

Each line is a table of two sorts of bots, all seatings played evenly. It tells what the first sort wins, a seat of it, beside
the fair share of a seat, with 95 % intervals over independent shards of games. With ``--vary OPTION`` a line for each value.
With ``--speed``: what a turn of each bot costs, on one thread, as a ratio to `random` in the same run.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections.abc import Iterator

from analysis.estimate import Estimate
from analysis.ratios import bounded_estimate, delta_estimate
from analysis.results import metric_sums
from analysis.shards import ShardSums, combine
from simcore import Run, find_game, simulate
from simcore.errors import KozyrError
from simcore.manifest import MAX_GAMES
from simcore.numbers import parse_count
from simcore.options import parse_assignment

SPEED = ("players", "bots", "ns a turn", "ratio to random", "free choices a turn", "ns a free choice above random")
LADDER = [("thrifty", "greedy"), ("greedy", "random")]
COLUMNS = ("players", "rules", "bots", "rounds won", "games won", "fair", "points a round above the mean", "capped")


def tables(stronger: str, weaker: str, players: int) -> Iterator[tuple[str, int]]:
    """Tables of the two, from one of the stronger to one of the weaker: (bots, how many of the stronger)."""
    for copies in range(1, players):
        yield ",".join([stronger] * copies + [weaker] * (players - copies)), copies


def a_seat(run: Run, variant: int, name: str, copies: int) -> ShardSums:
    """Mean of a metric by entrant over the first `copies` entrants."""
    parts = [(1 / copies, metric_sums(run, run.game.find_metric(f"{name}.{k}", 4), variant)) for k in range(copies)]
    return combine(parts)


def told(estimate: Estimate, digits: int) -> str:
    """The estimate and its interval."""
    return f"{estimate.value:.{digits}f} [{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"


def line(run: Run, variant: int, table: str, copies: int) -> list[str]:
    """One line of the ladder."""
    tallies = run.tallies.variants[variant].sums.sum(axis=0)
    capped = tallies[run.game.counts.position["capped"]] / run.manifest.games
    rounds, games = (
        bounded_estimate(a_seat(run, variant, name, copies), 0.95, 0.0, 1.0)
        for name in ("entrant_round_win_share", "entrant_win_share")
    )
    points = delta_estimate(a_seat(run, variant, "entrant_score", copies), 0.95)
    rules = run.manifest.variants[variant].rules
    changed = ", ".join(part for part in rules.label().split(", ") if not part.startswith("players="))
    shares = [told(rounds, 4), told(games, 4), f"{1 / rules.players:.4f}"]
    return [str(rules.players), changed or "default", table, *shares, told(points, 2), f"{capped:.3f}"]


def ladder(given: argparse.Namespace) -> Iterator[list[str]]:
    """The lines of all tables asked for."""
    games = parse_count(given.games, "--games", MAX_GAMES)
    settings = dict(parse_assignment(text) for text in given.set)
    for players in given.players:
        for stronger, weaker in given.pairs or LADDER:
            for bots, copies in tables(stronger, weaker, players):
                run = simulate(
                    "bank",
                    games,
                    {**settings, "players": players},
                    dict.fromkeys(given.vary),
                    bots=bots,
                    seed=given.seed,
                    one_at_a_time=True,
                    rotate_seats=True,
                )
                for variant in range(len(run.manifest.variants)):
                    yield line(run, variant, bots, copies)


def speed(given: argparse.Namespace) -> Iterator[list[str]]:
    """A line a bot: all seats play it; the best of five batches, the bots in turn."""
    games = parse_count(given.games, "--games", MAX_GAMES)
    bots = [bot.name for bot in find_game("bank").bots]
    for players in given.players:
        best = dict.fromkeys(bots, math.inf)
        free = dict.fromkeys(bots, 0.0)
        for _ in range(5):
            for bot in bots:
                simulate("bank", 1, {"players": players}, bots=bot)
                start = time.process_time()
                frame = simulate("bank", games, {"players": players}, bots=bot, seed=given.seed, threads=1).frame()
                spent = (time.process_time() - start) / frame["turns"].sum()
                best[bot] = min(best[bot], spent)
                free[bot] = (frame["decisions"] - frame["forced"]).sum() / frame["turns"].sum()
        for bot in bots:
            extra = (best[bot] - best["random"]) / free[bot]
            cells = (
                f"{best[bot] * 1e9:.0f}",
                f"{best[bot] / best['random']:.2f}",
                f"{free[bot]:.3f}",
                f"{extra * 1e9:.0f}",
            )
            yield [str(players), bot, *cells]


def sizes(text: str) -> list[int]:
    """``2,3,4`` as numbers."""
    return [int(part) for part in text.split(",")]


def pair(text: str) -> tuple[str, str]:
    """``stronger:weaker`` as two names."""
    stronger, colon, weaker = text.partition(":")
    if not colon or ":" in weaker:
        raise argparse.ArgumentTypeError(f"{text!r} is not two bots, such as thrifty:greedy")
    return stronger, weaker


def parsed() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default="20000", help="games for each line (20000)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--players", type=sizes, default="2,3,4", help="table sizes (2,3,4)")
    parser.add_argument("--set", action="append", default=[], metavar="OPTION=VALUE")
    parser.add_argument("--vary", action="append", default=[], metavar="OPTION", help="all values of it, one at a time")
    parser.add_argument("--speed", action="store_true", help="measure speed instead of strength")
    parser.add_argument(
        "pairs", nargs="*", type=pair, metavar="BOT:BOT", help="two bots (thrifty:greedy, then greedy:random)"
    )
    return parser.parse_args()


def main() -> None:
    """Print a Markdown table, each line as it is played."""
    given = parsed()
    columns, lines = (SPEED, speed) if given.speed else (COLUMNS, ladder)
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|", flush=True)
    try:
        for cells in lines(given):
            print(f"| {' | '.join(cells)} |", flush=True)
    except KozyrError as error:
        print(f"bots.py: {error}", file=sys.stderr)
        sys.exit(error.exit_code)


if __name__ == "__main__":
    main()
