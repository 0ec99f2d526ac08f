"""Is a run's game fair: every metric by seat as a frame, with the test of equality and the largest advantage."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from analysis.estimate import check_level
from analysis.fairness import Fairness, fairness
from analysis.multiplicity import adjust
from analysis.results import capped_bracket, metric_limits, metric_sums
from simcore.batch import Run
from simcore.errors import InputError, unknown
from simcore.games.base import Game
from simcore.metrics import SIGNED_UNITS, Metric

SEAT_WORDS = ("place", "seat")
PLACES = ("first to move", "second", "third", "fourth")

FAIRNESS_COLUMNS = (
    "variant",
    "metric",
    "unit",
    "seat",
    "name",
    "value",
    "low",
    "high",
    "fair",
    "advantage",
    "advantage_low",
    "advantage_high",
    "capped_low",
    "capped_high",
    "games",
    "method",
)

EQUALITY_COLUMNS = (
    "variant",
    "metric",
    "unit",
    "p_equal",
    "p_adjusted",
    "adjustment",
    "best",
    "largest_advantage",
    "largest_low",
    "largest_high",
    "spread",
    "spread_low",
    "spread_high",
    "method",
    "note",
)


def seat_name(by: str, k: int) -> str:
    """What the k-th entry of a vector by `by` is called."""
    if by == "place":
        return PLACES[k] if k < len(PLACES) else f"{k + 1}th"
    return f"{by} {k}"


def seat_metrics(game: Game) -> list[str]:
    """Vector metrics that say what each seat gets: shares of wins, and scores."""
    return [
        m.name
        for m in game.metrics
        if m.by in SEAT_WORDS and ((m.fair and m.unit == "share") or m.unit in SIGNED_UNITS)
    ]


def chosen_metrics(game: Game, names: Sequence[str]) -> list[str]:
    """The named vector metrics by seat, all of `seat_metrics` if none is named; raise `InputError` for another name."""
    allowed = seat_metrics(game)
    for name in names:
        if name not in allowed:
            raise unknown(f"metric by seat of {game.name}", name, allowed)
    if not allowed:
        raise InputError(f"{game.name} has no metric by seat")
    return list(dict.fromkeys(names)) or allowed


def _members(run: Run, name: str, variant: int) -> list[Metric]:
    players = run.manifest.variants[variant].rules.players
    return [m for m in run.game.metrics_for(players) if m.name.partition(".")[0] == name]


def fairness_frames(
    run: Run, metrics: Sequence[str] = (), level: float = 0.95, adjustment: str = "holm"
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """What each seat gets in each variant, and whether seats are equal.

    Parameters
    ----------
    run : Run
    metrics : sequence of str
        Vector metrics by seat; all of `seat_metrics` if empty.
    level : float
        Simultaneous over the seats of one metric in one variant.
    adjustment : {"holm", "bonferroni", "benjamini-hochberg"}
        For the tests of equality, all together.

    Returns
    -------
    seats : DataFrame
        Columns `FAIRNESS_COLUMNS`, a row a seat. ``advantage`` is the seat less the mean of all; ``capped_low`` and
        ``capped_high`` the value with capped games counted as lost and as won, where they matter.
    equality : DataFrame
        Columns `EQUALITY_COLUMNS`, a row a metric and variant. ``spread`` is the best seat less the worst.

    Raises
    ------
    InputError
        For an unknown metric, level or adjustment.
    """
    names = chosen_metrics(run.game, metrics)
    try:
        check_level(level)
    except ValueError as error:
        raise InputError(str(error)) from None
    seats: list[dict[str, object]] = []
    tests: list[dict[str, object]] = []
    for i in range(len(run.manifest.variants)):
        for name in names:
            members = _members(run, name, i)
            if len(members) < 2:
                continue
            limits = metric_limits(members[0], run.manifest.variants[i].rules.players)
            found = fairness([metric_sums(run, member, i) for member in members], level, limits)
            seats += [_seat_row(run, i, member, k, found, level) for k, member in enumerate(members)]
            tests.append(_test_row(run, i, members[0], found))
    frame = pd.DataFrame(tests, columns=list(EQUALITY_COLUMNS))
    try:
        adjusted = adjust([float(p) for p in frame["p_equal"]], adjustment, 1 - level)
    except ValueError as error:
        raise InputError(str(error)) from None
    frame = frame.assign(p_adjusted=adjusted.p_values, adjustment=adjusted.method)
    return pd.DataFrame(seats, columns=list(FAIRNESS_COLUMNS)), frame


def _seat_row(run: Run, variant: int, metric: Metric, k: int, found: Fairness, level: float) -> dict[str, object]:
    seat, apart = found.seats[k], found.deviations[k]
    capped = capped_bracket(run, metric, variant, level)
    matters = capped is not None and capped.width > 0
    return {
        "variant": run.manifest.variants[variant].label,
        "metric": metric.name.partition(".")[0],
        "unit": metric.unit,
        "seat": k,
        "name": seat_name(metric.by, k),
        "value": seat.value,
        "low": seat.low,
        "high": seat.high,
        "fair": metric.target(run.manifest.variants[variant].rules.players),
        "advantage": apart.value,
        "advantage_low": apart.low,
        "advantage_high": apart.high,
        "capped_low": capped.as_lost.value if capped and matters else None,
        "capped_high": capped.as_won.value if capped and matters else None,
        "games": seat.n,
        "method": seat.method,
    }


def _test_row(run: Run, variant: int, metric: Metric, found: Fairness) -> dict[str, object]:
    test, largest, spread = found.equality, found.advantage, found.spread
    return {
        "variant": run.manifest.variants[variant].label,
        "metric": metric.name.partition(".")[0],
        "unit": metric.unit,
        "p_equal": test.p_value,
        "best": seat_name(metric.by, found.best),
        "largest_advantage": largest.value,
        "largest_low": largest.low,
        "largest_high": largest.high,
        "spread": spread.value,
        "spread_low": spread.low,
        "spread_high": spread.high,
        "method": test.method,
        "note": test.note,
    }
