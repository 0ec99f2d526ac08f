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
from math import prod

import pandas as pd

from analysis.check import playground
from analysis.crossed import variance_shares
from analysis.luck import Luck, Outcome, luck, outcome_of, seat_outcome
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


@dataclass(frozen=True)
class Sensitivity:
    """What options do to a metric.

    Attributes
    ----------
    game : Game
    metric : Metric
    base : Variant
    tornado : DataFrame
        A row a value of an option: ``option, value, kind, metric_value, difference, low, high, method, reach``, the options with
        the largest ``reach`` (greatest less least metric value over their values, the base one included) first.
    shares : DataFrame
        ``term, share, low, high``: share of the variance between combinations; empty if fewer than two options matter.
    crossed : tuple of str
        The options that were crossed.
    games : int
        For each variant.
    seed : int
    level : float
        Of the intervals.
    luck : tuple of Luck
        Parts of the variance of the metric, and of what a game brings to each seat, under the base rules.
    notes : tuple of str
    """

    game: Game
    metric: Metric
    base: Variant
    tornado: pd.DataFrame
    shares: pd.DataFrame
    crossed: tuple[str, ...]
    games: int
    seed: int
    level: float
    luck: tuple[Luck, ...]
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
    outcome: str = "",
    games: int = 1000,
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
    outcome : str
        What a game brings to each seat, whose variance is split; by default `analysis.luck.seat_outcome`.
    games : int
        For each variant; and the deals that are played with several dice.
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
    players = base.rules.players
    metric = game.find_metric(metric_name, players)
    by_seat = outcome or seat_outcome(game, players)
    outcomes = [outcome_of(game, name, players) for name in dict.fromkeys((metric_name, by_seat)) if name]
    swept = swept_options(game, base.rules, vary or {})
    with playground(game, seed, games, threads=threads, progress=progress) as ground:
        shards = max(1, -(-games // ground.shard_games))
        tornado, notes = _one_at_a_time(ground, metric, base, swept, table, shards, level)
        crossed = _to_cross(tornado, swept, base.rules)
        shares, remark = variance_shares(ground, metric, base, crossed, table, shards, level)
        found = [_luck(ground, base, one, games, level) for one in {o.name: o for o in outcomes}.values()]
    played = shards * ground.shard_games
    notes = [*notes, *remark, *(one for one in found if isinstance(one, str))]
    lucky = tuple(one for one in found if not isinstance(one, str))
    return Sensitivity(game, metric, base, tornado, shares, tuple(crossed), played, seed, level, lucky, tuple(notes))


def _luck(ground: Playground, base: Variant, outcome: Outcome, games: int, level: float) -> Luck | str:
    """The parts of an outcome's variance, or why there are none."""
    try:
        return luck(
            ground.game,
            base,
            outcome,
            ground.executor,
            deals=max(games, 2),
            seed=ground.seed,
            level=level,
            window=ground.window,
            progress=ground.progress,
        )
    except InputError as error:
        return str(error)


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
                "method": found.difference.method,
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
