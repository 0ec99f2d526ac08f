"""Yardsticks of Kozyr against itself: shuffling alone, two threads, tallying, throughput, bots."""

# mypy: allow-untyped-calls
from __future__ import annotations

from collections.abc import Iterator, Mapping

from reports.bench.floor import shuffle_seconds
from reports.bench.kernels import MILLION, NANO, Play
from reports.bench.lines import Line, NotMeasured, at_least, at_most
from reports.bench.machine import load
from reports.bench.measure import Effort, in_turn, rough, wall_seconds
from simcore import find_game, simulate
from simcore.batch import default_threads

SHUFFLES, ROUNDS_FOR = 200_000, 20_000
THREAD_GAMES = 1_000_000
CAPACITY = {"ochko": 100_000, "square": 1_000}
HANDS_GOAL = 10.0
TALLY_GOAL = 0.1
THREADS_GOAL = 1.75


def floor(effort: Effort) -> Iterator[Line]:
    """The cost of shuffling alone, in the same process as a round."""
    bank, games, packs = Play("bank"), effort.size(ROUNDS_FOR), effort.size(SHUFFLES)
    rounds = bank.counts(games)["rounds"]
    shuffle_seconds(1)
    costs = in_turn(
        {"shuffle": lambda: shuffle_seconds(packs) / packs / NANO, "round": bank.cost(games, rounds)}, effort.repeats
    )
    yield Line("a shuffle of 36 cards alone", costs.least("shuffle"), "ns", note="keyed stream included")
    yield Line(
        "a round of bank at 3 players, in shuffles",
        costs.ratio("round", "shuffle"),
        "x",
        note=f"{rough(costs.least('round'))} ns a round",
    )


def threads(effort: Effort) -> Iterator[Line]:
    """Two threads against one, from the call to the finished run."""
    if default_threads() < 2:
        raise NotMeasured("this process may use one core only")
    games, before = effort.size(THREAD_GAMES), load()
    simulate("bank", 1000, threads=2)
    works = {
        str(n): lambda n=n: wall_seconds(lambda: simulate("bank", games, threads=n)) / games / NANO for n in (1, 2)
    }
    costs = in_turn(works, min(effort.repeats, 5))
    yield Line(
        f"two threads against one, {games:,} games of bank",
        costs.ratio("1", "2"),
        "x faster",
        at_least(THREADS_GOAL),
        f"{rough(costs.least('1'))} and {rough(costs.least('2'))} ns a game; load {before} before, {load()} after",
    )


def tallying(effort: Effort) -> Iterator[Line]:
    """A kernel that counts no rounds and games, against the kernel itself."""
    if not effort.compile_too:
        raise NotMeasured("not with --quick, as a kernel without tallying must be compiled for it")
    from reports.bench.untallied import without

    bank, games = Play("bank"), effort.size(ROUNDS_FOR)
    bare = without(bank)
    costs = in_turn({"whole": lambda: bank.seconds(games), "bare": lambda: bank.seconds(games, bare)}, effort.repeats)
    share = costs.ratio("whole", "bare") - 1
    yield Line(
        "tallying of bank, as a share of playing",
        share,
        "",
        at_most(TALLY_GOAL),
        f"median {costs.median_ratio('whole', 'bare') - 1:.3f}",
    )


def _a_second(counts: Mapping[str, int], what: str, nanoseconds_a_game: float, games: int) -> float:
    return counts[what] / games / (nanoseconds_a_game * NANO)


def capacity(effort: Effort) -> Iterator[Line]:
    """Hands, games and turns a second on one core."""
    ochko, square = Play("ochko", "threshold"), Play("square")
    sizes = {play.name: effort.size(CAPACITY[play.name]) for play in (ochko, square)}
    counts = {play.name: play.counts(sizes[play.name]) for play in (ochko, square)}
    works = {play.name: play.cost(sizes[play.name], sizes[play.name]) for play in (ochko, square)}
    costs = in_turn(works, effort.repeats)
    rate = {n: {w: _a_second(counts[n], w, costs.least(n), sizes[n]) for w in counts[n]} for n in works}
    yield Line(
        "hands of ochko a second, threshold bots, one core",
        rate["ochko"]["hands"] / MILLION,
        "million",
        at_least(HANDS_GOAL),
        f"{rough(rate['ochko']['games'])} games a second; a hand is one punter's",
    )
    yield Line(
        "turns of square a second, random bots, one core",
        rate["square"]["turns"] / MILLION,
        "million",
        note=f"{rough(rate['square']['games'])} matches and {rough(rate['square']['deals'])} deals a second",
    )


def bots(effort: Effort) -> Iterator[Line]:
    """What a turn (in ochko a hand) of each bot costs, as a ratio to the random one."""
    for name, unit, usual in (("bank", "turns", 5000), ("ochko", "hands", 50_000), ("square", "turns", 200)):
        tables = {bot.name: Play(name, bot.name) for bot in find_game(name).bots}
        games = effort.size(usual)
        works = {bot: play.cost(games, play.counts(games)[unit]) for bot, play in tables.items()}
        costs = in_turn(works, effort.repeats)
        for bot in tables:
            yield Line(
                f"{name}: bot {bot} against random",
                costs.ratio(bot, "random"),
                "x",
                note=f"{rough(costs.least(bot))} ns a {unit[:-1]}, all seats",
            )
