"""Finding games by their numbers: a condition (`analysis.where`), an order, and the indices to replay."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

import numpy as np
import pandas as pd

from analysis.estimate import FloatArray
from analysis.where import Columns, Expression, parse
from simcore.batch import Progress, default_threads, drain, tasks
from simcore.errors import InputError, unknown
from simcore.games.base import Game
from simcore.metrics import Ints, Metric
from simcore.run import Run
from simcore.shards import ShardResult, Variant, make_job, warm_up
from simcore.sources import code_hash

MOST_SEARCHED = 100_000
"""Games of each variant that are searched if nothing else is said."""
MOST_FOUND = 10_000
SHARD = 250


@dataclass(frozen=True)
class Interest:
    """What makes a game of some game worth a look, as expressions over its counts.

    Attributes
    ----------
    longest, turned : str
        What the longest and the most turned-about game have most of.
    drama : str
        The order that ``--by drama`` names.
    typical : tuple of str
        The typical game is nearest to the mean in these, each in standard deviations.
    """

    longest: str
    turned: str
    drama: str
    typical: tuple[str, ...]


_LEADS = "lead_changes + 5 * comebacks + 5 * (decided - winner_led.8) + 50 * decided / (10 + margin)"
"""Lead changes; five more for a winner who was last at half time; five for one who did not lead alone with a tenth to go;
up to five for a narrow margin."""

INTERESTS: Mapping[str, Interest] = {
    "bank": Interest("turns", "lead_changes", _LEADS, ("rounds", "turns", "lead_changes", "margin", "blocked")),
    "square": Interest("turns", "lead_changes", _LEADS, ("deals", "turns", "lead_changes", "margin", "exhausted")),
    "ochko": Interest(
        "hands",
        "abs(session_gain) / session_staked",
        "5 * broken + 5 * stuk + 10 * abs(session_gain) / session_staked",
        ("hands", "circles", "broken", "stuk", "session_gain"),
    ),
}


def interest_of(game: Game) -> Interest:
    """What is worth a look in a game; for one that declares nothing, its first counts."""
    if game.name in INTERESTS:
        return INTERESTS[game.name]
    names = [c for c in game.counts.columns if c not in ("games", "decided", "capped")]
    return Interest(names[0], names[-1], names[0], tuple(names[:3]))


def replay_command(game: Game, variant: Variant, seed: int, index: int, rotate_seats: bool) -> str:
    """The ``kozyr replay`` that plays this game again."""
    words = ["kozyr", "replay", game.name, "--seed", str(seed), "--index", str(index)]
    for name, value in variant.rules.changes().items():
        words += ["--set", f"{name}={value}"]
    names = [str(player) for player in variant.table]
    words += ["--bots", names[0] if len(set(names)) == 1 else ",".join(names)]
    return shlex.join([*words, "--rotate-seats"] if rotate_seats else words)


# --- numbers of games by name -----------------------------------------------------------------------------------------


def columns_for(game: Game, players: int, names: Sequence[str], rows: Ints, index: Ints) -> Columns:
    """Numbers of games by name: counts, metrics computed from each game alone, ``index``, ``drama``.

    Parameters
    ----------
    game : Game
    players : int
    names : sequence of str
        Where a count and a metric share a name, the count is meant.
    rows : ndarray of int64, shape (games, columns)
    index : ndarray of int64, shape (games,)

    Raises
    ------
    InputError
        For an unknown name.
    """
    metrics = {metric.name: metric for metric in game.metrics_for(players)}
    return {name: _column(game, players, metrics, name, rows, index) for name in names}


def _column(game: Game, players: int, metrics: Mapping[str, Metric], name: str, rows: Ints, index: Ints) -> FloatArray:
    if name == "index":
        return index.astype(np.float64)
    if name == "drama":
        formula = _drama(game)
        return formula.evaluate(columns_for(game, players, formula.names, rows, index))
    position = game.counts.position
    if name in position:
        return rows[:, position[name]].astype(np.float64)
    if name not in metrics:
        raise _unknown(game, name, metrics)
    return _metric(metrics[name], players, position, rows)


def other_meanings(run: Run, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Names that mean a count here, and something else as metrics: what they mean here, and there.

    ``turns`` is the number of turns of a game here, and turns a round in `analysis.tables.summary`; ``rounds`` is rounds of a
    game in both.
    """
    game = run.game
    metrics = {m.name: m for v in run.manifest.variants for m in game.metrics_for(v.rules.players)}
    found = {}
    for name in names:
        metric = metrics.get(name)
        if metric is None or name not in game.counts.position:
            continue
        if [(term.num, term.den, term.weight) for term in metric.terms] != [(name, "games", 1.0)]:
            found[name] = (game.counts[name].meaning, metric.meaning)
    return found


def _metric(metric: Metric, players: int, position: Mapping[str, int], rows: Ints) -> FloatArray:
    value = np.full(len(rows), metric.shift(players))
    with np.errstate(divide="ignore", invalid="ignore"):
        for term in metric.terms:
            value += term.weight * rows[:, position[term.num]] / rows[:, position[term.den]]
    return value


def _unknown(game: Game, name: str, metrics: Mapping[str, Metric]) -> InputError:
    entries = [known for known in (*game.counts.columns, *metrics) if known.partition(".")[0] == name]
    if entries:
        return InputError(f"{name!r} has an entry a {game.counts[entries[0]].by}; name one: {', '.join(entries)}")
    return unknown(f"number of a game of {game.name}", name, ["drama", "index", *game.counts.columns, *metrics])


def _drama(game: Game) -> Expression:
    return parse(interest_of(game).drama, "drama", "number")


def check_names(run: Run, expressions: Sequence[Expression]) -> None:
    """Raise `InputError` if a name in one of them is no number of a game of this run."""
    rows, index = np.zeros((1, len(run.game.counts)), dtype=np.int64), np.zeros(1, dtype=np.int64)
    for variant in run.manifest.variants:
        for expression in expressions:
            columns_for(run.game, variant.rules.players, expression.names, rows, index)


# --- games of a run ---------------------------------------------------------------------------------------------------

Take = Callable[[int, Ints, Ints], None]
"""Called with a variant, game indices (n,), and their rows of counts (n, columns)."""


def each_game(run: Run, games: int, take: Take, threads: int | None = None, progress: Progress | None = None) -> None:
    """Hand the first `games` games of every variant to `take`: kept ones are read, others are played again.

    Raises
    ------
    InputError
        If they must be played again, and the run is by other code than this.
    """
    games = min(games, run.manifest.games)
    if run.manifest.keep_games and run.folder is not None:
        _read(run, games, take)
    else:
        _play(run, games, take, threads, progress)


def _read(run: Run, games: int, take: Take) -> None:
    frame = run.games_frame()
    frame = frame[frame["index"] < games]
    for variant, part in frame.groupby("variant"):
        rows = part[run.game.counts.columns].to_numpy(dtype=np.int64)
        take(int(str(variant)), part["index"].to_numpy(dtype=np.int64), rows)


def _play(run: Run, games: int, take: Take, threads: int | None, progress: Progress | None) -> None:
    if run.manifest.code != code_hash(run.game.name):
        raise InputError(
            f"this run was played by other code ({run.manifest.code}, not {code_hash(run.game.name)}), so its games cannot be"
            " played again; make the run again, or keep its games (--keep-games)"
        )
    m = replace(run.manifest, games=games, shard_games=SHARD, keep_games=True, state="running", digest="")
    workers = threads or default_threads()
    total, done = games * len(m.variants), 0

    def hand_on(result: ShardResult) -> None:
        nonlocal done
        take(result.variant, np.arange(result.first, result.first + result.games), result.rows)
        done += result.games
        if progress:
            progress(done, total)

    warm_up(m.game, make_job(m.game, m.variants[0], m.seed, m.rotate_seats))
    wanted = ((variant, shard) for shard in range(m.shards) for variant in range(len(m.variants)))
    with ThreadPoolExecutor(workers) as pool:
        drain(pool, tasks(m, wanted), 2 * workers + 1, hand_on)


# --- the best of them -------------------------------------------------------------------------------------------------


@dataclass
class _Best:
    """The games that fit, the first by the order, then by variant and index; memory for `top` and no more."""

    run: Run
    where: Expression | None
    by: Expression
    top: int
    keys: Ints = field(init=False)
    values: FloatArray = field(init=False)
    rows: Ints = field(init=False)
    fitting: int = 0

    def __post_init__(self) -> None:
        self.keys = np.zeros((0, 2), dtype=np.int64)
        self.values = np.zeros(0)
        self.rows = np.zeros((0, len(self.run.game.counts)), dtype=np.int64)

    def take(self, variant: int, index: Ints, rows: Ints) -> None:
        players = self.run.manifest.variants[variant].rules.players
        if self.where is not None:
            kept = self.where.evaluate(columns_for(self.run.game, players, self.where.names, rows, index))
            kept = np.broadcast_to(kept, index.shape)
            index, rows = index[kept], rows[kept]
        self.fitting += len(index)
        values = self.by.evaluate(columns_for(self.run.game, players, self.by.names, rows, index))
        values = np.broadcast_to(values, index.shape) + 0.0  # a plus 0 makes -0.0 a 0
        self.keys = np.vstack([self.keys, np.column_stack([np.full(len(index), variant), index])])
        self.values = np.concatenate([self.values, values])
        self.rows = np.vstack([self.rows, rows])
        self._cut()

    def _cut(self) -> None:
        last = np.where(np.isnan(self.values), np.inf, -self.values)
        order = np.lexsort((self.keys[:, 1], self.keys[:, 0], last))[: self.top]
        self.keys, self.values, self.rows = self.keys[order], self.values[order], self.rows[order]


def find_games(
    run: Run,
    where: str = "",
    by: str = "drama",
    top: int = 10,
    *,
    games: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> pd.DataFrame:
    """Find the games that a condition holds for, those with most of `by` first.

    Parameters
    ----------
    run : Run
        Played, or only planned (`simcore.batch.planned_run`): its games are read if it kept them, else played again.
    where : str
        A condition such as ``turns > 120 and lead_changes >= 5``; empty for all games.
    by : str
        A number such as ``drama`` or ``-rounds``.
    top : int
        How many to return, 1 … 10,000.
    games : int, optional
        How many games of each variant to search, from index 0; `MOST_SEARCHED` or all of the run if fewer.
    threads, progress
        As in `simcore.simulate`.

    Returns
    -------
    DataFrame
        A row a game: ``variant``, ``index``, the value of `by`, the numbers named in `where`, the game's interest, and
        ``replay``, the command that plays it. ``frame.attrs["fitting"]`` and ``["searched"]`` tell how many games fit, and
        of how many; ``["other_meanings"]`` is what `other_meanings` says of the names in `where` and `by`.

    Raises
    ------
    InputError
        For a text that is no condition (naming the place), an unknown name, or an impossible number.
    """
    if not 1 <= top <= MOST_FOUND:
        raise InputError(f"top = {top} is not allowed; allowed: 1 … {MOST_FOUND}")
    if games is not None and games < 1:
        raise InputError(f"games = {games} is not allowed; allowed: 1 or more")
    condition = parse(where, "--where", "condition") if where.strip() else None
    order = parse(by, "--by", "number")
    check_names(run, [order, *([condition] if condition else [])])
    searched = min(games or MOST_SEARCHED, run.manifest.games)
    best = _Best(run, condition, order, top)
    each_game(run, searched, best.take, threads, progress)
    frame = _frame(best)
    named = (*order.names, *(condition.names if condition else ()))
    frame.attrs.update(fitting=best.fitting, searched=searched * len(run.manifest.variants))
    frame.attrs["other_meanings"] = other_meanings(run, list(dict.fromkeys(named)))
    return frame


def _frame(best: _Best) -> pd.DataFrame:
    game, m = best.run.game, best.run.manifest
    interest = interest_of(game)
    extra = [name for text in (interest.longest, interest.turned) for name in parse(text, "", "number").names]
    shown = dict.fromkeys([*best.by.names, *(best.where.names if best.where else ()), *extra])
    records = []
    for (variant, index), value, row in zip(best.keys.tolist(), best.values.tolist(), best.rows, strict=True):
        played = m.variants[variant]
        numbers = columns_for(game, played.rules.players, list(shown), row.reshape(1, -1), np.array([index]))
        command = replay_command(game, played, m.seed, index, m.rotate_seats)
        record = {"variant": played.label, "index": index, best.by.text: value}
        record |= {name: float(column[0]) for name, column in numbers.items() if name != "index"}
        records.append({**record, "replay": command})
    counts = {name: "int64" for name in shown if name in game.counts.position}
    columns = ["variant", "index", best.by.text, *(n for n in shown if n not in ("index", best.by.text)), "replay"]
    return pd.DataFrame(records, columns=list(dict.fromkeys(columns))).astype(counts)
