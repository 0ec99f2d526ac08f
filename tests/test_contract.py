"""The contract that every game passes: any rules, any number of players, random play.

What a game's own page of rules demands (which moves are legal, where each card is) is checked by its reference.
"""

from __future__ import annotations

import json
import pickle
import random
import subprocess
import sys
from collections.abc import Callable, Mapping

import numpy as np
import pytest
from conftest import any_rules, process_env, some_values, variant

from simcore.batch import planned_run, simulate, tasks
from simcore.errors import InputError
from simcore.games.base import Event, Game
from simcore.metrics import Ints
from simcore.options import Rules
from simcore.replay import Replay, replay_variant
from simcore.shards import Variant, empty_tally, make_job, play
from simcore.tallies import Tallies
from simcore.tally import Tally

SEED = 7
GAMES_EACH = 16
MIXTURES = 60

Row = Mapping[str, int]


# --- what the last event of a replay says, in counts of the row -------------------------------------------------------


def _bank_end(end: Event, row: Row) -> None:
    seats = range(len(end["total"]))
    assert end["total"] == [row[f"seat_total.{seat}"] for seat in seats]
    assert [row[f"seat_wins.{seat}"] for seat in seats] == [int(end["winner"] == seat) for seat in seats]
    assert end["capped"] == (row["capped"] == 1) == (row["decided"] == 0)


def _square_end(end: Event, row: Row) -> None:
    first, second = end["total"]
    assert first + second == row["score"]
    assert (end["winner"] is not None) == (row["decided"] == 1)
    assert end["capped"] == (row["capped"] == 1)
    if end["winner"] is not None:
        assert end["total"][end["winner"]] - end["total"][1 - end["winner"]] == row["margin"] > 0


def _ochko_end(end: Event, row: Row) -> None:
    assert end["total"] == [row[f"seat_net.{seat}"] for seat in range(len(end["total"]))]
    assert sum(end["total"]) == 0
    assert end["winner"] is None
    assert end["capped"] == (row["capped"] == 1) == (row["capped_sessions"] > 0)


END_AGREES: dict[str, Callable[[Event, Row], None]] = {"bank": _bank_end, "square": _square_end, "ochko": _ochko_end}
"""For each game, by the names of its own counts: does ``game_end`` say the same as the row?"""


# --- playing ----------------------------------------------------------------------------------------------------------


def rules_to_try(game: Game) -> dict[str, Rules]:
    """Every value of every option by itself and for every number of players, and mixtures of all options."""
    rng = random.Random(2024)
    tried: dict[str, Rules] = {}
    players = game.rules["players"].all_values() if "players" in game.rules.by_name else (None,)
    for number in players:
        base = {} if number is None else {"players": number}
        for option in game.rules:
            for value in some_values(option):
                try:
                    rules = game.rules.rules({**base, option.name: value})
                except InputError as error:
                    assert "impossible combination" in str(error)  # noqa: PT017
                    continue
                tried[rules.label()] = rules
    for _ in range(MIXTURES):
        rules = any_rules(game, rng)
        tried[rules.label()] = rules
    return tried


def play_rows(game: Game, one: Variant, games: int, first: int = 0) -> Tally:
    """The tallies and rows of a few games."""
    tally = empty_tally(game, games)
    game.play_shard(make_job(game, one, SEED, False), first, games, tally)
    return tally


def histogram_of(game: Game, name: str, values: Ints) -> Ints:
    """The bins of a histogram of values, by NumPy."""
    h = game.histograms[name]
    return np.bincount(np.clip(values - h.low + 1, 0, h.bins - 1), minlength=h.bins)


def check_tally(game: Game, rules: Rules, tally: Tally) -> None:
    """Sums, rows and histograms tell the same; conventions of the counts hold."""
    column = {name: tally.rows[:, i] for name, i in game.counts.position.items()}
    assert (tally.rows.sum(axis=0) == tally.sums).all()
    assert (column["games"] == 1).all()
    for histogram in game.histograms:
        if histogram.count:
            expected = histogram_of(game, histogram.name, column[histogram.count])
            assert (tally.hist[game.histograms.slice_of(histogram.name)] == expected).all(), histogram.name
    sizes = game.sizes(rules.players)
    for count in game.counts:
        unused = count.columns[sizes[count.by] :] if count.by in sizes else []
        assert not any(column[name].any() for name in unused), count.name
    for metric in game.metrics_for(rules.players):
        for name in {metric.bracket, metric.terms[0].num if metric.counts_games else ""} - {""}:
            assert set(column[name]) <= {0, 1}, f"{name} of {metric.name} is not 0 or 1"


def check_metrics(game: Game, rules: Rules, tally: Tally) -> None:
    """Every metric lies in its range, and has the total that its histogram has."""
    sums = game.row_of(tally.sums)
    for metric in game.metrics_for(rules.players):
        if all(sums[term.den] for term in metric.terms):
            value = sum(term.weight * sums[term.num] / sums[term.den] for term in metric.terms)
            low, high = metric.range
            assert low - 1e-9 <= value + metric.shift(rules.players) <= high + 1e-9, metric.name
        if metric.histogram:
            histogram = game.histograms[metric.histogram]
            bins = tally.hist[game.histograms.slice_of(metric.histogram)]
            if bins[0] == bins[-1] == 0 and histogram.unit == metric.unit:
                total = float(bins @ histogram.values())
                assert total == pytest.approx(metric.terms[0].weight * sums[metric.terms[0].num]), metric.name


def check_replay(game: Game, rules: Rules, played: Replay) -> None:
    """A replay has a first and a last event, says what the row says, and can be printed."""
    first, last = played.events[0], played.events[-1]
    assert (first["event"], last["event"]) == ("game", "game_end")
    assert first["rules"] == dict(rules)
    assert len(first["bots"]) == rules.players
    assert [event["event"] for event in played.events].count("game_end") == 1
    END_AGREES[game.name](last, played.counts)
    assert [json.loads(line) for line in played.jsonl()] == list(played.events)
    lines = list(played.text())
    assert len(lines) > 2
    assert all(isinstance(line, str) and "\n" not in line for line in lines)


def test_any_rules_lead_to_an_end_and_every_number_agrees_with_every_other(game: Game) -> None:
    tried = rules_to_try(game)
    assert len(tried) > sum(len(some_values(option)) - 1 for option in game.rules) + MIXTURES // 2
    for label, rules in tried.items():
        one = variant(game, rules)
        tally = play_rows(game, one, GAMES_EACH)
        try:
            check_tally(game, rules, tally)
            check_metrics(game, rules, tally)
            played = replay_variant(game, one, SEED, GAMES_EACH - 1)
            assert played.counts == game.row_of(tally.rows[-1])
            check_replay(game, rules, played)
        except AssertionError as error:
            raise AssertionError(f"{game.name} with {label}: {error}") from error


def test_every_bot_at_every_seat_keeps_the_contract(game: Game) -> None:
    rng = random.Random(3)
    for bot in game.bots:
        for _ in range(4):
            rules = any_rules(game, rng)
            table = ["random"] * rules.players
            table[rng.randrange(rules.players)] = bot.name
            one = variant(game, rules, ",".join(table))
            tally = play_rows(game, one, 4)
            check_tally(game, rules, tally)
            played = replay_variant(game, one, SEED, 2)
            assert played.counts == game.row_of(tally.rows[2])
            check_replay(game, rules, played)


def test_games_depend_on_seed_and_index_alone(game: Game) -> None:
    one = variant(game, game.rules.rules())
    whole = play_rows(game, one, 40)
    for first in (0, 7, 39):
        assert (play_rows(game, one, 1, first).rows[0] == whole.rows[first]).all()
    assert len(np.unique(whole.rows, axis=0)) > 30
    other = empty_tally(game, 40)
    game.play_shard(make_job(game, one, SEED + 1, False), 0, 40, other)
    assert (other.rows != whole.rows).any(axis=1).sum() > 30


def test_high_indices_and_seeds_are_games_like_others(game: Game) -> None:
    one = variant(game, game.rules.rules())
    for seed, index in ((2**63 - 1, 0), (0, 2**53), (2**63 - 1, 2**53)):
        check_replay(game, one.rules, replay_variant(game, one, seed, index))


# --- the same result, however it is played ----------------------------------------------------------------------------


def test_threads_order_and_cut_of_shards_do_not_matter(game: Game) -> None:
    rng = random.Random(5)
    words = next(option for option in game.rules if option.name != "players" and len(some_values(option)) > 1)
    values = some_values(words)[:2]
    settings = {"games": 20 * game.min_shard + 3, "vary": {words.name: values}, "seed": SEED, "rotate_seats": True}
    one = simulate(game.name, threads=1, **settings)  # type: ignore[arg-type]
    two = simulate(game.name, threads=2, **settings)  # type: ignore[arg-type]
    assert one.manifest.digest == two.manifest.digest != ""
    assert len(one.manifest.variants) == len(values)

    manifest = planned_run(game.name, **settings).manifest  # type: ignore[arg-type]
    assert manifest.shards == 21
    shuffled = Tallies(manifest)
    todo = list(tasks(manifest, shuffled.missing()))
    rng.shuffle(todo)
    for task in todo:
        shuffled.add(play(pickle.loads(pickle.dumps(task))))  # noqa: S301 - as a worker elsewhere would get it
    assert shuffled.digest() == one.manifest.digest

    cut = manifest.with_shard_games(3 * game.min_shard + 1)
    recut = Tallies(cut)
    for task in tasks(cut, recut.missing()):
        recut.add(play(task))
    for mine, theirs in zip(recut.variants, one.tallies.variants, strict=True):
        assert (mine.sums.sum(axis=0) == theirs.sums.sum(axis=0)).all()
        assert (mine.hist == theirs.hist).all()


SCRIPT = """
import random, sys
import numba, numpy as np
from conftest import any_rules, variant
from simcore.games import find_game
from simcore.replay import replay_variant
from simcore.shards import empty_tally, make_job
name, mixtures, games, logged = sys.argv[1], *map(int, sys.argv[2:])
print(int(numba.config.DISABLE_JIT), int(numba.config.BOUNDSCHECK or 0))
game, rng = find_game(name), random.Random(11)
short = {option.name: 30 for option in game.rules if option.name.startswith("max_")}
with np.errstate(over="ignore"):  # random streams count modulo 2**64, by design; plain NumPy scalars warn of it
    for nth in range(mixtures):
        bots = game.bots[nth % len(game.bots)].name
        one = variant(game, any_rules(game, rng, short), bots)
        tally = empty_tally(game, games)
        game.play_shard(make_job(game, one, nth, False), nth, games, tally)
        print(*tally.rows.ravel().tolist())
        print(*tally.hist.tolist())
        if logged:
            played = replay_variant(game, one, nth, nth)
            print(*played.counts.values(), *played.jsonl(), sep=" ; ")
"""


def run_script(name: str, *numbers: int, **more: str) -> list[str]:
    """Play mixtures of rules in another process, and return what it prints."""
    environment = process_env(**more)
    environment["PYTHONPATH"] += f":{__file__.rpartition('/')[0]}"
    command = [sys.executable, "-W", "error", "-c", SCRIPT, name, *map(str, numbers)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_compiler_does_not_change_a_number(game: Game, compiled: None) -> None:
    plain = run_script(game.name, 14, 2, 1, NUMBA_DISABLE_JIT="1")
    usual = run_script(game.name, 14, 2, 1)
    assert (plain[0], usual[0]) == ("1 0", "0 0")
    assert plain[1:] == usual[1:]
    assert len(plain) == 1 + 3 * 14


def test_no_access_is_out_of_bounds(game: Game, compiled: None) -> None:
    checked = run_script(game.name, 250, 20, 0, NUMBA_BOUNDSCHECK="1")
    usual = run_script(game.name, 250, 20, 0)
    assert (checked[0], usual[0]) == ("0 1", "0 0")
    assert checked[1:] == usual[1:]
    assert len(checked) == 1 + 2 * 250
