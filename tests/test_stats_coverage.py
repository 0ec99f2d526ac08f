"""Coverage by simulation: nominal 95 % intervals hold the truth in 93.5 to 96.5 % of 2,000 data sets.

The bounds are three binomial standard errors around 95 %. The clustered data are games with a random number
of rounds; the rounds of a game share their chance of success, and that chance depends on how many they are,
so that neither the mean of games' shares nor an interval that took rounds for independent would be right.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from analysis.capped import bracket
from analysis.estimate import Estimate
from analysis.fairness import fairness
from analysis.intervals import mean_from_histogram, quantile_from_histogram, wilson
from analysis.paired import paired_difference
from analysis.ratios import bounded_estimate, delta_estimate, jackknife_estimate
from analysis.shards import ShardSums

SETS = 2000
LOW, HIGH = 0.935, 0.965
GAMES = 10  # in a shard: few, so that the shards' sums are as far from normal as they will ever be
CONCENTRATION = 4.0  # of a game's chance: correlation 1 / (1 + 4) between its rounds


def within(what: str, estimates: list[Estimate], truth: float) -> float:
    """Share of intervals that hold the truth; printed, for `pytest -s` to show."""
    coverage = sum(e.low <= truth <= e.high for e in estimates) / len(estimates)
    print(f"{what}: {coverage:.1%}")
    return coverage


def chance(base: float, rounds: np.ndarray) -> np.ndarray:
    return base * 12 / (6 + rounds)


def true_ratio(base: float) -> float:
    rounds = np.arange(1, 60)
    weight = stats.poisson.pmf(rounds - 1, 5) * rounds
    return float((weight @ chance(base, rounds)) / weight.sum())


def clustered(seed: int, base: float, shards: int) -> tuple[np.ndarray, np.ndarray]:
    """Successes and rounds, each (sets, shards)."""
    rng = np.random.default_rng(seed)
    shape = (SETS, shards, GAMES)
    rounds = 1 + rng.poisson(5.0, shape)
    p = chance(base, rounds)
    successes = rng.binomial(rounds, rng.beta(CONCENTRATION * p, CONCENTRATION * (1 - p)))
    return successes.sum(axis=2), rounds.sum(axis=2)


def sums(n: np.ndarray, d: np.ndarray) -> ShardSums:
    return ShardSums(n, d, np.full(len(n), GAMES))


@pytest.mark.parametrize("shards", [50, 200])
@pytest.mark.parametrize("base", [0.02, 0.5])
def test_clustered_share(base: float, shards: int) -> None:
    n, d = clustered(1, base, shards)
    data = [sums(*pair) for pair in zip(n, d, strict=True)]
    truth = true_ratio(base)
    about = f"clustered share {truth:.3f}, {shards} shards"
    assert LOW <= within(f"Wilson, {about}", [bounded_estimate(x) for x in data], truth) <= HIGH
    if base == 0.5:  # near 0 the plain interval is too short, which is why shares do not use it
        assert LOW <= within(f"delta method, {about}", [delta_estimate(x) for x in data], truth) <= HIGH
        assert LOW <= within(f"jackknife, {about}", [jackknife_estimate(x) for x in data], truth) <= HIGH
    # what the clustering is worth: rounds taken for independent trials cover far too seldom
    naive = [wilson(int(a.sum()), int(b.sum())) for a, b in zip(n, d, strict=True)]
    assert within(f"Wilson with rounds as trials, {about}", naive, truth) < 0.87


@pytest.mark.parametrize("shards", [50, 200])
def test_clustered_ratio_that_is_no_share(shards: int) -> None:
    """Points a round: skewed values, summed over games of random length, the last shard a half."""
    rng = np.random.default_rng(2)
    games = np.full(shards, GAMES)
    games[-1] = GAMES // 2
    played = np.arange(GAMES) < games[:, np.newaxis]
    rounds = (1 + rng.poisson(5.0, (SETS, shards, GAMES))) * played
    points = rng.poisson(rounds * rng.gamma(2.0, 1.5, rounds.shape))
    data = zip(points.sum(axis=2), rounds.sum(axis=2), strict=True)
    assert (
        LOW
        <= within(
            f"delta method, points a round, {shards} shards", [delta_estimate(ShardSums(*x, games)) for x in data], 3.0
        )
        <= HIGH
    )


@pytest.mark.parametrize("shards", [50, 200])
def test_paired_difference(shards: int) -> None:
    """Two variants of a clustered share on common rounds; the second turns a tenth of failures round."""
    n, d = clustered(3, 0.4, shards)
    more = n + np.random.default_rng(4).binomial(d - n, 0.1)
    truth = 0.1 * (1 - true_ratio(0.4))
    found = [paired_difference(sums(b, r), sums(a, r)) for a, b, r in zip(n, more, d, strict=True)]
    assert LOW <= within(f"paired difference, {shards} shards", [f.difference for f in found], truth) <= HIGH
    assert (
        within(f"the same unpaired, {shards} shards", [f.unpaired for f in found], truth) > 0.99
    )  # pairing is worth having
    assert np.median([f.gain for f in found]) > 3


@pytest.mark.parametrize("games", [500, 2000])
@pytest.mark.parametrize("p", [0.02, 0.5])
def test_wilson(p: float, games: int) -> None:
    counts = np.random.default_rng(5).binomial(games, p, SETS)
    assert LOW <= within(f"Wilson, share {p}, {games} games", [wilson(int(k), games) for k in counts], p) <= HIGH


@pytest.mark.parametrize("games", [500, 2000])
def test_mean_from_histogram(games: int) -> None:
    data = np.random.default_rng(6).negative_binomial(3, 0.2, (SETS, games))  # mean 12, skewed
    found = [mean_from_histogram(np.arange(len(c)), c) for c in map(np.bincount, data)]
    assert LOW <= within(f"mean from histogram, {games} games", found, 12.0) <= HIGH


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_quantile(q: float) -> None:
    """The limits are ranks, so 95 % cannot be met exactly: coverage is the binomial's own, at or above it."""
    data = np.random.default_rng(7).integers(0, 10**6, (SETS, 500))
    found = [quantile_from_histogram(*np.unique(row, return_counts=True), q) for row in data]
    ranks = [int(word) for word in found[0].method.replace(",", "").split() if word.isdigit()]
    exact = stats.binom.cdf(ranks[1] - 1, 500, q) - stats.binom.cdf(ranks[0] - 1, 500, q)
    assert exact >= 0.95
    assert abs(within(f"quantile {q}, {exact:.1%} exactly", found, q * 10**6 - 1) - exact) < 0.015


@pytest.mark.parametrize("q", [0.1, 0.5, 0.9])
def test_quantile_of_tied_values_over_covers(q: float) -> None:
    """A dozen values: the quantile is one of them, and the interval misses it less often than stated."""
    data = np.random.default_rng(8).integers(0, 12, (SETS, 500))
    found = [quantile_from_histogram(np.arange(12), np.bincount(row, minlength=12), q) for row in data]
    assert within(f"quantile {q} of twelve values", found, np.ceil(q * 12) - 1) >= HIGH


def test_simultaneous_intervals_of_seats() -> None:
    """Win shares of four seats in one vote a game: all four intervals hold at once in 95 %."""
    shares = np.array([0.4, 0.3, 0.2, 0.1])
    wins = np.random.default_rng(8).multinomial(20, shares, (SETS, 50))
    games = np.full(50, 20)
    held = largest = apart = 0
    for w in wins:
        got = fairness([ShardSums(w[:, i], games, games) for i in range(4)], bounds=(0, 1))
        held += all(e.low <= s <= e.high for e, s in zip(got.seats, shares, strict=True))
        largest += got.advantage.low <= 0.15 <= got.advantage.high
        apart += got.spread.low <= 0.3 <= got.spread.high
    print(f"four seats at once: {held / SETS:.1%}, largest {largest / SETS:.1%}, spread {apart / SETS:.1%}")
    assert LOW <= held / SETS <= HIGH
    assert largest / SETS >= LOW
    assert apart / SETS >= LOW


def test_bracket_of_capped_games_holds_both_readings() -> None:
    """True win rates 0.45 (capped games lost) and 0.5 (won): the pair is held at least as often as stated."""
    outcome = np.random.default_rng(9).multinomial(20, [0.45, 0.05, 0.5], (SETS, 50))
    games = np.full(50, 20)
    held = 0
    for won, capped, _ in np.moveaxis(outcome, 2, 1):
        got = bracket(ShardSums(won, games, games), ShardSums(won + capped, games, games))
        held += got.low <= 0.45 and got.high >= 0.5
    print(f"bracket of capped games: {held / SETS:.1%}")
    assert held / SETS >= LOW
