"""Which options matter for a metric, one at a time and together, and how much of an outcome is luck of the deal.

One at a time: the paired difference of each value to the base rules (a tornado). Together: all combinations of the most
influential options are played on the same deals, and an analysis of variance says how much of the spread between them each
option, and each pair of options, accounts for (Saltelli, A. and others (2008), *Global Sensitivity Analysis: The Primer*,
chapters 1 and 4). The fit is statsmodels'; intervals come from the bootstrap over shards (Efron, B. & Tibshirani, R. (1993),
*An Introduction to the Bootstrap*, chapter 13).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from math import prod

import numpy as np
import pandas as pd

from analysis.check import playground
from analysis.paired import paired_difference
from analysis.playing import Playground, variant_of
from analysis.shards import ShardSums
from simcore.batch import Progress
from simcore.errors import InputError
from simcore.games.base import Game
from simcore.metrics import Metric
from simcore.options import IntOption, Option, Rules, Setting
from simcore.shards import Variant

MAX_CELLS = 64
REPLICATES = 200
_BOOTSTRAP_SEED = 20_260_401


@dataclass(frozen=True)
class Sensitivity:
    """What options do to a metric.

    Attributes
    ----------
    game : Game
    metric : Metric
    base : Variant
    tornado : DataFrame
        A row a value of an option: ``option, value, kind, metric_value, difference, low, high, reach``, the options with
        the largest ``reach`` (greatest less least metric value over their values, the base one included) first.
    shares : DataFrame
        ``term, share, low, high``: share of the variance between combinations; empty if fewer than two options matter.
    crossed : tuple of str
        The options that were crossed.
    games : int
        For each variant.
    notes : tuple of str
    """

    game: Game
    metric: Metric
    base: Variant
    tornado: pd.DataFrame
    shares: pd.DataFrame
    crossed: tuple[str, ...]
    games: int
    notes: tuple[str, ...]


def swept_options(game: Game, base: Rules, vary: Mapping[str, Sequence[Setting]]) -> dict[str, list[Setting]]:
    """The options to look at and their values: those asked for, or all with a list of values, but not the players."""
    if vary:
        return {name: list(values) for name, values in vary.items()}
    return {
        option.name: list(option.all_values()) for option in game.rules if _listed(option) and option.name != "players"
    }


def _listed(option: Option) -> bool:
    return not isinstance(option, IntOption) or bool(option.choices)


def sensitivity(
    game: Game,
    metric_name: str,
    *,
    settings: Mapping[str, Setting] | None = None,
    vary: Mapping[str, Sequence[Setting]] | None = None,
    bots: str = "",
    games: int = 4000,
    seed: int = 0,
    level: float = 0.95,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Sensitivity:
    """Play all single changes, then the crossed design of those that matter most.

    Parameters
    ----------
    game : Game
    metric_name : str
    settings, vary : mapping, optional
        Base rules; options to look at with their values (all options with a list of values, if empty).
    bots : str
    games : int
        For each variant.
    seed : int
    level : float
    threads : int, optional
    progress : callable, optional

    Raises
    ------
    InputError
        For an unknown metric, option or bot, or if no option has another value to try.
    """
    table = bots or game.bots[0].name
    base = variant_of(game, settings or {}, table)
    metric = game.find_metric(metric_name, base.rules.players)
    swept = swept_options(game, base.rules, vary or {})
    with playground(game, seed, games, threads=threads, progress=progress) as ground:
        shards = max(1, -(-games // ground.shard_games))
        tornado, notes = _one_at_a_time(ground, metric, base, swept, table, shards, level)
        crossed = _to_cross(tornado, swept, base.rules)
        shares = _variance_shares(ground, metric, base, crossed, table, shards, level)
    return Sensitivity(game, metric, base, tornado, shares, tuple(crossed), shards * ground.shard_games, tuple(notes))


def _sums(ground: Playground, metric: Metric, variant: Variant) -> ShardSums:
    return ground.stream(variant).metric(metric, ground.game.counts.position)


def _one_at_a_time(
    ground: Playground,
    metric: Metric,
    base: Variant,
    swept: Mapping[str, Sequence[Setting]],
    table: str,
    shards: int,
    level: float,
) -> tuple[pd.DataFrame, list[str]]:
    changes, notes = _changes(ground.game, base, swept, table)
    if not changes:
        raise InputError("no option has another value to try" + (f": {notes[0]}" if notes else ""))
    ground.foreseen = shards * ground.shard_games * (len(changes) + 1)
    ground.extend([base, *(variant for _, _, variant in changes)], shards)
    rows = []
    for name, value, variant in changes:
        found = paired_difference(_sums(ground, metric, variant), _sums(ground, metric, base), level)
        rows.append(
            {
                "option": name,
                "value": str(value),
                "kind": ground.game.rules[name].kind,
                "metric_value": found.variant.value,
                "base_value": found.baseline.value,
                "difference": found.difference.value,
                "low": found.difference.low,
                "high": found.difference.high,
            }
        )
    return _with_reach(pd.DataFrame(rows)), notes


def _changes(
    game: Game, base: Variant, swept: Mapping[str, Sequence[Setting]], table: str
) -> tuple[list[tuple[str, Setting, Variant]], list[str]]:
    """Every single change that plays other games than the base, and why the others do not."""
    found: list[tuple[str, Setting, Variant]] = []
    notes = []
    for name, values in swept.items():
        for value in values:
            if value == base.rules[name]:
                continue
            rules = base.rules.with_({name: value})
            inert = game.rules.inert(rules.values_)
            if name in inert:
                notes.append(f"{name} has no effect: {inert[name]}")
            else:
                found.append((name, value, variant_of(game, rules.values_, table)))
    return found, list(dict.fromkeys(notes))


def _with_reach(frame: pd.DataFrame) -> pd.DataFrame:
    grouped = frame.groupby("option")["difference"]
    reach = grouped.max().clip(lower=0) - grouped.min().clip(upper=0)
    frame = frame.assign(reach=frame["option"].map(dict(reach)))
    return frame.sort_values(["reach", "option", "difference"], ascending=[False, True, True], ignore_index=True)


def _to_cross(tornado: pd.DataFrame, swept: Mapping[str, Sequence[Setting]], base: Rules) -> dict[str, list[Setting]]:
    """The options with the largest reach, as many as make at most `MAX_CELLS` combinations, with all their values."""
    crossed: dict[str, list[Setting]] = {}
    for name in dict.fromkeys(tornado["option"]):
        values = list(dict.fromkeys([base[name], *swept[name]]))
        if (
            prod(map(len, crossed.values())) * len(values) <= MAX_CELLS
            and tornado.set_index("option")["reach"][name].max() > 0
        ):
            crossed[name] = values
    return crossed


def _variance_shares(
    ground: Playground,
    metric: Metric,
    base: Variant,
    crossed: Mapping[str, Sequence[Setting]],
    table: str,
    shards: int,
    level: float,
) -> pd.DataFrame:
    """Analysis of variance of the crossed design, with the bootstrap over shards."""
    columns = ["term", "share", "low", "high"]
    if len(crossed) < 2:
        return pd.DataFrame(columns=columns)
    settings = [dict(zip(crossed, values, strict=True)) for values in product(*crossed.values())]
    possible = [s for s in settings if not ground.game.rules.conflicts(base.rules.values_ | s)]
    variants = [variant_of(ground.game, {**base.rules.values_, **s}, table) for s in possible]
    ground.foreseen = ground.played + shards * ground.shard_games * len(set(variants))
    ground.extend(variants, shards)
    sums = [_sums(ground, metric, variant) for variant in variants]
    design = pd.DataFrame(possible).astype(str)
    whole = _shares(design, np.array([_value(s, None) for s in sums]))
    draws = _bootstrap(design, sums, shards)
    tail = 50 * (1 - level)
    low, high = np.nanpercentile(draws, [tail, 100 - tail], axis=0)
    frame = pd.DataFrame(
        {"term": list(whole), "share": list(whole.values()), "low": low, "high": high}, columns=columns
    )
    return frame.sort_values("share", ascending=False, ignore_index=True)


def _value(sums: ShardSums, picked: np.ndarray | None) -> float:
    """The metric over all shards, or over a bootstrap sample of them."""
    top = sums.numerators if picked is None else sums.numerators[picked]
    bottom = sums.denominators if picked is None else sums.denominators[picked]
    with np.errstate(invalid="ignore", divide="ignore"):
        return float((top.sum(axis=0) / bottom.sum(axis=0)) @ sums.weights + sums.shift)


def _bootstrap(design: pd.DataFrame, sums: Sequence[ShardSums], shards: int) -> np.ndarray:
    """Shares in `REPLICATES` bootstrap samples; the same shards are drawn for all variants, as they share their deals."""
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    draws = []
    for _ in range(REPLICATES):
        picked = rng.integers(0, shards, shards)
        draws.append(list(_shares(design, np.array([_value(s, picked) for s in sums])).values()))
    return np.array(draws)


def _shares(design: pd.DataFrame, values: np.ndarray) -> dict[str, float]:
    """Share of the variance of `values` that each option, each pair of options, and the rest account for."""
    from statsmodels.regression.linear_model import OLS

    total = float(((values - values.mean()) ** 2).sum())
    dummies = {name: pd.get_dummies(design[name], drop_first=True, dtype=float).to_numpy() for name in design.columns}
    dummies = {name: columns - columns.mean(axis=0) for name, columns in dummies.items()}
    blocks: dict[str, np.ndarray] = dict(dummies)
    for a, b in combinations(design.columns, 2):
        pair = dummies[a][:, :, None] * dummies[b][:, None, :]
        blocks[f"{a} × {b}"] = pair.reshape(len(values), -1)
    shares: dict[str, float] = {}
    columns = np.ones((len(values), 1))
    unexplained = total
    for name, block in blocks.items():
        columns = np.hstack([columns, block])
        left = min(unexplained, float(OLS(values, columns).fit().ssr))
        shares[name] = (unexplained - left) / total if total > 0 else np.nan
        unexplained = left
    shares["three options and more, and noise"] = unexplained / total if total > 0 else np.nan
    return shares
