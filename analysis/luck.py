"""How much of an outcome is the deal, the seat, and the bots' dice: the same deals played again with other dice.

For each of n deals the game is played r times; the cards stay, the bots choose anew. With y the outcome of each of p seats
(places after the first mover; p = 1 for an outcome of the whole table), a vector for deal i and throw k is

    y_ik = mu + A_i + B_ik,   cov A_i = S_A between deals,  cov B_ik = S_B between throws of one deal,

which is the nested random-effects model with crossed seats. S_B is the mean square within deals, S_A the mean square between
deals less S_B, over r. Both are split into what all seats share, 1'S1 / p², and the rest, tr S / p less that; the seat's own part
is the variance of the p entries of mu, less what chance gives it. The five parts add up to the variance of a player's outcome,
the seat drawn by lot. In this balanced design the estimators are the analysis of variance's, which are also those of restricted
maximum likelihood as long as none is negative; a negative one is set to 0. Intervals are bootstrap percentiles over deals.

Sources
-------
Searle, S. R., Casella, G. and McCulloch, C. E. (1992). *Variance Components*, chapters 3 and 4. Wiley.
Davison, A. C. and Hinkley, D. V. (1997). *Bootstrap Methods and their Application*, section 3.8 (nested data). Cambridge.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from analysis.estimate import FloatArray
from simcore.batch import Progress, drain, make_manifest, tasks
from simcore.errors import InputError, unknown
from simcore.games.base import Game
from simcore.metrics import SIGNED_UNITS, Ints, Metric
from simcore.shards import ShardResult, ShardTask, Variant
from simcore.variants import Plan

DICE = 4
"""How often each deal is played."""
REPLICATES = 400
_BOOTSTRAP_SEED = 20_260_402
_SEAT_WORDS = ("place", "seat")

WHOLE = ("deal", "dice")
BY_SEAT = ("seat", "deal", "deal × seat", "dice", "dice × seat")
MEANING = {
    "seat": "the place after the first mover",
    "deal": "the cards, alike for all seats",
    "deal × seat": "the cards that one gets oneself",
    "dice": "what the bots leave to chance, alike for all seats",
    "dice × seat": "what the bots leave to chance, for oneself",
}


@dataclass(frozen=True)
class Outcome:
    """What is explained: one metric of the whole table, or one an entry of a seat's vector.

    Attributes
    ----------
    name, meaning, unit : str
    metrics : tuple of Metric
    """

    name: str
    meaning: str
    unit: str
    metrics: tuple[Metric, ...]


@dataclass(frozen=True)
class Luck:
    """Parts of the variance of an outcome.

    Attributes
    ----------
    outcome : Outcome
    shares : DataFrame
        Columns ``term, meaning, share, low, high, sd``; ``sd`` is the square root of the part, in the outcome's unit.
    sd : float
        Standard deviation of the outcome of one game.
    deals, dice : int
        Deals, and how often each was played.
    note : str
    """

    outcome: Outcome
    shares: pd.DataFrame
    sd: float
    deals: int
    dice: int
    note: str


def outcome_of(game: Game, name: str, players: int) -> Outcome:
    """The outcome called `name`: a metric, or a vector metric by place or seat.

    Raises
    ------
    InputError
        If there is none.
    """
    metrics = game.metrics_for(players)
    vector = [m for m in metrics if m.by in _SEAT_WORDS and name in (m.name, m.name.partition(".")[0])]
    if vector:
        base = vector[0].name.partition(".")[0]
        members = tuple(m for m in metrics if m.name.partition(".")[0] == base)
        declared = next(m for m in game.metrics if m.name == base)
        return Outcome(base, declared.meaning, declared.unit, members)
    if name not in [m.name for m in metrics]:
        raise unknown(f"metric of {game.name}", name, [*dict.fromkeys(m.name.partition(".")[0] for m in metrics)])
    one = game.find_metric(name, players)
    return Outcome(one.name, one.meaning, one.unit, (one,))


def seat_outcome(game: Game, players: int) -> str:
    """The name of what a whole game brings to each seat: points rather than wins, places rather than seats; may be empty."""
    fitting = [
        m for m in game.metrics if m.by in _SEAT_WORDS and all(term.den == "games" for term in m.terms) and players > 1
    ]
    ranked = sorted(fitting, key=lambda m: (m.by != "place", m.unit not in SIGNED_UNITS))
    return ranked[0].name if ranked else ""


def luck(
    game: Game,
    variant: Variant,
    outcome: Outcome,
    executor: Executor,
    *,
    deals: int,
    dice: int = DICE,
    seed: int = 0,
    level: float = 0.95,
    window: int = 5,
    progress: Progress | None = None,
) -> Luck:
    """Play the same deals with several dice, and split the variance of an outcome.

    Parameters
    ----------
    game : Game
    variant : Variant
    outcome : Outcome
    executor : Executor
        Borrowed; `window` shards are kept in it.
    deals, dice : int
        Both two or more.
    seed : int
    level : float
    progress : callable, optional
        Called with the games played and all games.

    Raises
    ------
    InputError
        If there are fewer than two deals or dice, or the outcome has no case.
    """
    if deals < 2 or dice < 2:
        raise InputError(f"{deals} deals with {dice} dice are not allowed; allowed: two or more of each")
    top, bottom = _play(game, variant, outcome, executor, deals, dice, seed, window, progress)
    with np.errstate(invalid="ignore", divide="ignore"):
        y = contributions(outcome.metrics, top, bottom, variant.rules.players)
    if not np.isfinite(y).all():
        raise InputError(f"{outcome.name} has no case in these games")
    parts, draws = components(y), bootstrap(y, level)
    frame = _shares(parts, draws, level)
    note = "" if _within(y).any() else "the same deals gave the same: these bots leave nothing to chance"
    return Luck(outcome, frame, float(np.sqrt(sum(max(v, 0.0) for v in parts.values()))), deals, dice, note)


def _play(
    game: Game,
    variant: Variant,
    outcome: Outcome,
    executor: Executor,
    deals: int,
    dice: int,
    seed: int,
    window: int,
    progress: Progress | None,
) -> tuple[Ints, Ints]:
    """Numerators and denominators of every game; both int64, shape (deals, dice, seats, terms)."""
    position = game.counts.position
    shape = (deals, dice, len(outcome.metrics), len(outcome.metrics[0].terms))
    top, bottom = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    nums = [[position[t.num] for t in m.terms] for m in outcome.metrics]
    dens = [[position[t.den] for t in m.terms] for m in outcome.metrics]
    played = 0

    def take(result: ShardResult) -> None:
        nonlocal played
        here = slice(result.first, result.first + result.games)
        top[here, result.variant] = result.rows[:, nums]
        bottom[here, result.variant] = result.rows[:, dens]
        played += result.games
        if progress:
            progress(played, deals * dice)

    manifest = make_manifest(game, Plan((variant,), ()), games=deals, seed=seed, keep_games=True)
    drain(executor, _throws(list(tasks(manifest, [(0, s) for s in range(manifest.shards)])), dice), window, take)
    return top, bottom


def _throws(once: Sequence[ShardTask], dice: int) -> Iterator[ShardTask]:
    """The shards with each of the dice, which takes the variant's place in the results."""
    for throw in range(dice):
        for task in once:
            yield replace(task, job=task.job._replace(dice=np.uint64(throw)), variant=throw)


def contributions(metrics: Sequence[Metric], top: Ints, bottom: Ints, players: int) -> FloatArray:
    """What each game says of a metric: its value, for metrics with one value a game; else its linearised value.

    theta + Σ_t w_t (N_t - R_t D_t) / mean D_t, whose mean is theta = Σ_t w_t R_t + shift and whose variance over the games is
    that of the estimate (Cochran 1977, section 6.3).

    Parameters
    ----------
    metrics : sequence of Metric
        One a seat.
    top, bottom : ndarray of int64, shape (deals, dice, seats, terms)
    players : int

    Returns
    -------
    ndarray of float64, shape (deals, dice, seats)
    """
    weights = np.array([[t.weight for t in m.terms] for m in metrics])
    shift = np.array([m.shift(players) for m in metrics])
    ratio = top.sum(axis=(0, 1)) / bottom.sum(axis=(0, 1))
    linear = (top - ratio * bottom) * (weights / bottom.mean(axis=(0, 1)))
    return np.asarray(linear.sum(axis=-1) + (ratio * weights).sum(axis=-1) + shift)


def _within(y: FloatArray) -> FloatArray:
    """Sum of products about the deal's mean, a matrix a deal; shape (deals, seats, seats)."""
    apart = y - y.mean(axis=1, keepdims=True)
    return np.asarray(np.einsum("iks,ikt->ist", apart, apart))


def components(y: FloatArray) -> dict[str, float]:
    """The parts of the variance, which may come out negative; for an outcome of shape (deals, dice, seats)."""
    weights = np.ones((1, y.shape[0]))
    return {name: float(values[0]) for name, values in _components(y, weights).items()}


def _components(y: FloatArray, weights: FloatArray) -> dict[str, NDArray[np.float64]]:
    """The parts with deal i counted ``weights[:, i]`` times; an entry a row of weights."""
    n, r, p = y.shape
    means = y.mean(axis=1)
    origin = means.mean(axis=0)  # sums of squares about it do not cancel
    squares = np.einsum("is,it->ist", means - origin, means - origin).reshape(n, p * p)
    mean = weights @ (means - origin) / n
    within = (weights @ _within(y).reshape(n, p * p)).reshape(-1, p, p) / (n * (r - 1))
    between = (weights @ squares).reshape(-1, p, p) - n * np.einsum("bs,bt->bst", mean, mean)
    between *= r / (n - 1)
    deal = (between - within) / r
    common, own = _split(deal)
    dice_common, dice_own = _split(within)
    if p == 1:
        return {"deal": common, "dice": dice_common}
    seat = (mean + origin).var(axis=1) - _split(between / (n * r))[1]
    return dict(zip(BY_SEAT, (seat, common, own, dice_common, dice_own), strict=True))


def _split(matrices: FloatArray) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Of covariance matrices of the seats: the variance that all seats share, and the mean of what each has for itself."""
    p = matrices.shape[-1]
    common = matrices.sum(axis=(1, 2)) / p**2
    return common, np.trace(matrices, axis1=1, axis2=2) / p - common


def bootstrap(y: FloatArray, level: float) -> dict[str, NDArray[np.float64]]:
    """The parts in `REPLICATES` samples of the deals, drawn with replacement."""
    n = y.shape[0]
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    weights = rng.multinomial(n, np.full(n, 1 / n), size=REPLICATES).astype(np.float64)
    draws = _components(y, weights)
    if "seat" in draws:
        # a sample of the sample adds the chance of the means once more
        draws["seat"] = draws["seat"] - (float(y.mean(axis=(0, 1)).var()) - components(y)["seat"])
    return draws


def _shares(parts: dict[str, float], draws: dict[str, NDArray[np.float64]], level: float) -> pd.DataFrame:
    names = list(parts)
    kept = np.maximum([parts[name] for name in names], 0.0)
    spread = np.maximum([draws[name] for name in names], 0.0)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares, sampled = kept / kept.sum(), spread / spread.sum(axis=0)
    tail = 50 * (1 - level)
    low, high = np.percentile(sampled, [tail, 100 - tail], axis=1)
    rows: dict[str, Any] = {
        "term": names,
        "meaning": [MEANING[name] if len(names) > 2 else MEANING[name].partition(",")[0] for name in names],
        "share": shares,
        "low": np.minimum(low, shares),
        "high": np.maximum(high, shares),
        "sd": np.sqrt(kept),
    }
    return pd.DataFrame(rows).sort_values("share", ascending=False, ignore_index=True, kind="stable")
