"""Shares of the variance between all combinations of some options: analysis of variance of a crossed design.

The fit is statsmodels'; intervals come from the bootstrap over shards (Efron, B. & Tibshirani, R. (1993), *An Introduction to the
Bootstrap*, chapter 13). Shares of variance as a measure of what matters: Saltelli, A. and others (2008), *Global Sensitivity
Analysis: The Primer*, chapters 1 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product

import numpy as np
import pandas as pd

from analysis.estimate import FloatArray, counted
from analysis.playing import Playground, variant_of
from analysis.ratios import influence, point
from analysis.shards import ShardSums, empty_reason
from simcore.metrics import Metric
from simcore.options import Setting
from simcore.shards import Variant

REPLICATES = 400
FEW_SHARDS = 20
COLUMNS = ("term", "share", "low", "high")
REST = "three options and more"
_SINGULAR = 1e-9
_ROUNDING = 1e-20  # squares of differences that rounding leaves
_BOOTSTRAP_SEED = 20_260_401


def variance_shares(
    ground: Playground,
    metric: Metric,
    base: Variant,
    crossed: Mapping[str, Sequence[Setting]],
    table: str,
    shards: int,
    level: float,
) -> tuple[pd.DataFrame, list[str]]:
    """Analysis of variance of the crossed design, with the bootstrap over shards; and what is to be said of it."""
    nothing = pd.DataFrame(columns=list(COLUMNS))
    if len(crossed) < 2:
        return nothing, ["fewer than two options matter, so there is nothing to cross"]
    settings = [dict(zip(crossed, values, strict=True)) for values in product(*crossed.values())]
    possible = [s for s in settings if not ground.game.rules.conflicts(base.rules.values_ | s)]
    variants = [variant_of(ground.game, {**base.rules.values_, **s}, table) for s in possible]
    ground.foreseen = ground.played + shards * ground.shard_games * len(set(variants))
    ground.extend(variants, shards)
    sums = [ground.stream(variant).metric(metric, ground.game.counts.position) for variant in variants]
    empty = sum(bool(empty_reason(s)) for s in sums)
    if empty:
        return nothing, [
            f"{metric.name} has no case in {empty} of {len(sums)} combinations, so their variance is not split"
        ]
    notes = []
    if len(possible) < len(settings):
        notes.append(
            f"{len(settings) - len(possible)} of {len(settings)} combinations are impossible; shares then hang on the order of"
            " the options, the most influential first"
        )
    if shards < FEW_SHARDS:
        notes.append(
            f"{counted(shards, 'shard')}: few to measure noise by; more --games make the shares of the variance surer"
        )
    shares = split(pd.DataFrame(possible).astype(str), sums, level)
    if shares.empty:
        return nothing, [*notes, "the combinations do not differ beyond what chance brings"]
    return shares.sort_values("share", ascending=False, ignore_index=True), notes


def split(design: pd.DataFrame, sums: Sequence[ShardSums], level: float) -> pd.DataFrame:
    """Shares of the variance of a metric over the rows of a design.

    Parameters
    ----------
    design : DataFrame
        A row a combination, a column an option.
    sums : sequence of ShardSums
        The metric for each row, over the same shards.
    level : float

    Returns
    -------
    DataFrame
        ``term, share, low, high``: each option, each pair, and all that takes three options and more. What chance adds to the
        sums of squares is taken off: its expectation is the trace of the estimates' covariance on a term's space. Empty if
        nothing is left.
    """
    blocks = _blocks(design)
    bases = _bases(blocks)
    values = np.array([point(s) for s in sums])
    noise = _noise(bases, sums)
    parts = np.maximum(sums_of_squares(blocks, values) - noise, 0.0)
    parts[parts < _ROUNDING * float(values @ values)] = 0.0
    # a sample of the sample holds the chance of both
    draws = np.maximum(_squares(bases, _resampled(sums)) - 2 * noise, 0.0)
    draws = draws[draws.sum(axis=1) > 0]
    if not parts.sum() > 0 or not len(draws):
        return pd.DataFrame(columns=list(COLUMNS))
    shares, sampled = parts / parts.sum(), draws / draws.sum(axis=1, keepdims=True)
    tail = 50 * (1 - level)
    low, high = np.percentile(sampled, [tail, 100 - tail], axis=0)
    limits = {"low": np.minimum(low, shares), "high": np.maximum(high, shares)}
    frame = pd.DataFrame({"term": [*blocks, REST], "share": shares, **limits}, columns=list(COLUMNS))
    return frame if bases[-1].shape[1] else frame.iloc[:-1]  # two options leave nothing beyond their pair


def _blocks(design: pd.DataFrame) -> dict[str, FloatArray]:
    """Columns of the linear model for each option and each pair of options."""
    dummies = {name: pd.get_dummies(design[name], drop_first=True, dtype=float).to_numpy() for name in design.columns}
    dummies = {name: columns - columns.mean(axis=0) for name, columns in dummies.items()}
    blocks: dict[str, FloatArray] = dict(dummies)
    for a, b in combinations(design.columns, 2):
        pair = dummies[a][:, :, None] * dummies[b][:, None, :]
        blocks[f"{a} × {b}"] = pair.reshape(len(design), -1)
    return blocks


def sums_of_squares(blocks: Mapping[str, FloatArray], values: FloatArray) -> FloatArray:
    """What each block explains beyond those before it, and last what is left; shape (blocks + 1,)."""
    from statsmodels.regression.linear_model import OLS

    columns = np.ones((len(values), 1))
    left = [float(((values - values.mean()) ** 2).sum())]
    for block in blocks.values():
        columns = np.hstack([columns, block])
        left.append(min(left[-1], float(OLS(values, columns).fit().ssr)))
    return np.append(-np.diff(left), left[-1])


def _bases(blocks: Mapping[str, FloatArray]) -> list[FloatArray]:
    """Orthonormal columns for what each block adds to those before it, and last for the rest."""
    rows = len(next(iter(blocks.values())))
    seen = np.full((rows, 1), rows**-0.5)
    found = []
    for block in (*blocks.values(), np.eye(rows)):
        new = block - seen @ (seen.T @ block)
        vectors, sizes, _ = np.linalg.svd(new, full_matrices=False)
        basis = vectors[:, sizes > _SINGULAR * max(1.0, float(np.abs(block).max()))]
        found.append(basis)
        seen = np.hstack([seen, basis])
    return found


def _squares(bases: Sequence[FloatArray], values: FloatArray) -> FloatArray:
    """Sums of squares of each row of `values` (draws, combinations) on each basis; shape (draws, terms)."""
    return np.stack([((values @ basis) ** 2).sum(axis=1) for basis in bases], axis=1)


def _noise(bases: Sequence[FloatArray], sums: Sequence[ShardSums]) -> FloatArray:
    """What chance alone is expected to add to each sum of squares."""
    psi = np.column_stack([influence(s) for s in sums])
    shards = len(psi)
    if shards < 2:
        return np.zeros(len(bases))
    return np.asarray(_squares(bases, psi).sum(axis=0) / (shards * (shards - 1)))


def _resampled(sums: Sequence[ShardSums]) -> FloatArray:
    """The metric of every combination in `REPLICATES` samples of the shards, the same for all, as they share their deals."""
    shards = sums[0].shards
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    weights = rng.multinomial(shards, np.full(shards, 1 / shards), size=REPLICATES).astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        drawn = [(weights @ s.numerators / (weights @ s.denominators)) @ s.weights + s.shift for s in sums]
    return np.column_stack(drawn)
