"""Looking after every shard: error rates over 2,000 null streams, and the formulas against plain integrals."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate, special, stats

from analysis.anytime import ConfidenceSequence
from analysis.bernoulli import bernoulli_evidence, bernoulli_sequence
from analysis.decisions import bernoulli_tester, decide, t_tester
from analysis.ratios import combine, influence, point
from analysis.running import Running, running
from analysis.sequences import mixture_variance, radius_factor, t_evidence, t_sequence
from analysis.shards import ShardSums

STREAMS = 2000
ALPHA = 0.05
AT_MOST = ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / STREAMS)  # binomial error: 6.46 %


def clustered_share(rng: np.random.Generator, shards: int) -> ShardSums:
    """Shards of about 300 rounds in 50 games; the true share is 0.3, less itself 0."""
    rounds = 50 + rng.poisson(250, shards)
    chance = np.clip(rng.normal(0.3, 0.05, shards), 0, 1)
    return ShardSums(rng.binomial(rounds, chance), rounds, np.full(shards, 50), shift=-0.3)


def fixed_size_rejects(run: Running) -> bool:
    """Whether the usual 95 % t interval, drawn after every shard, ever leaves out 0."""
    df = np.arange(1, run.shards)
    se = np.sqrt(run.sse[1:] / df / (df + 1))
    return bool(np.any(np.abs(run.value[1:]) > special.stdtrit(df, 0.975) * se))


@pytest.mark.parametrize("shards", [200, 1000])
def test_null_streams_looked_at_after_every_shard(shards: int) -> None:
    """The sequential test errs in at most 5 %; the usual interval, peeked at, in more than 35 %."""
    rng = np.random.default_rng(shards)
    runs = [running(clustered_share(rng, shards)) for _ in range(STREAMS)]
    two_sided = sum(t_evidence(r).first_rejection(ALPHA) is not None for r in runs) / STREAMS
    above = sum(t_evidence(r, 0, "greater").first_rejection(ALPHA) is not None for r in runs) / STREAMS
    below = sum(t_evidence(r, 0, "less").first_rejection(ALPHA) is not None for r in runs) / STREAMS
    usual = sum(map(fixed_size_rejects, runs)) / STREAMS
    rates = f"anytime-valid {two_sided:.1%} ({above:.1%} above, {below:.1%} below), usual {usual:.1%}"
    print(f"rejections over {STREAMS} null streams of {shards} shards: {rates}")
    assert max(two_sided, above, below) <= AT_MOST
    assert min(two_sided, above, below) > 0.005  # neither is it empty caution
    assert usual > 0.35


@pytest.mark.parametrize("tuned_for", [10, 100, 1000])
def test_sequences_hold_the_truth_all_along(tuned_for: float) -> None:
    """Intervals and tests are one construction: what is outside the intervals is what is rejected."""
    rng = np.random.default_rng(7)
    missed = {False: 0, True: 0}
    for _ in range(STREAMS // 2):
        run = running(clustered_share(rng, 200))
        both, low = t_sequence(run, 0.95, tuned_for), t_sequence(run, 0.95, tuned_for, one_sided=True)
        out = np.any((both.low > 0) | (both.high < 0))
        missed[False] += out
        missed[True] += np.any(low.low > 0)
        assert out == (t_evidence(run, 0, "two-sided", ALPHA, tuned_for).first_rejection(ALPHA) is not None)
        ev = t_evidence(run, 0, "greater", ALPHA, tuned_for)
        assert np.any(low.low > 0) == (ev.first_rejection(ALPHA) is not None)
    assert max(missed.values()) / (STREAMS // 2) <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / (STREAMS // 2))


def test_e_values_have_mean_one_under_the_null() -> None:
    """Normal shard means with unknown variance: the mixture is a martingale, so its mean stays 1."""
    rng = np.random.default_rng(3)
    x = rng.normal(0, 7, (40_000, 8))
    d, sse = x.mean(axis=1), x.var(axis=1) * 8
    run = Running(d, np.full(len(d), 8.0), sse, np.full(len(d), True), np.arange(len(d)))
    from analysis.sequences import _log_mixture, _log_side

    n = np.full(len(d), 8.0)
    m = np.exp(_log_mixture(n, run.information, sse, d, 0.2))
    plus = m * np.exp(_log_side(n, run.information, sse, d, 0.2))
    assert m.mean() == pytest.approx(1, abs=0.03)
    assert plus.mean() == pytest.approx(1, abs=0.03)


def test_e_value_against_direct_integration() -> None:
    """M and M+ are integrals over sigma (Haar) and effect size (normal, half-normal), here by quadrature."""
    x = np.array([0.9, -0.2, 1.4, 0.7, 0.3])
    g, n = 0.5, len(x)

    def marginal(low: float) -> float:
        def inner(log_sigma: float) -> float:
            sigma = math.exp(log_sigma)
            deltas = np.linspace(low, 12, 4001)
            likelihood = np.exp(-0.5 * ((x[:, None] / sigma - deltas) ** 2).sum(axis=0)) * sigma**-n
            prior = stats.norm.pdf(deltas, 0, math.sqrt(g)) * (2 if low == 0 else 1)
            return float(integrate.trapezoid(likelihood * prior, deltas))

        return integrate.quad(inner, -4, 6, epsabs=1e-14, epsrel=1e-8)[0]

    def null(log_sigma: float) -> float:
        return math.exp(-0.5 * float(x @ x) * math.exp(-2 * log_sigma) - n * log_sigma)

    bottom = integrate.quad(null, -4, 6, epsabs=1e-14, epsrel=1e-10)[0]
    games = np.full(n, 10)
    run = replace(running(ShardSums(x * 10, games, games)), ready=np.full(n, True))
    tuned = mixture_variance(ALPHA, 1) / g  # the number of shards that gives this g
    for low, alternative in ((-12.0, "two-sided"), (0.0, "greater")):
        got = math.exp(t_evidence(run, 0.0, alternative, ALPHA, tuned).log_e[-1])
        assert got == pytest.approx(marginal(low) / bottom, rel=1e-5)


def test_running_state_is_that_of_every_prefix() -> None:
    rng = np.random.default_rng(11)
    games = np.full(60, 100)
    games[-1] = 37
    rounds, turns = rng.poisson(games * 5), rng.poisson(games * 3)
    sums = ShardSums(
        np.column_stack((rng.binomial(rounds, 0.3), rng.binomial(turns, 0.2))),
        np.column_stack((rounds, turns)),
        games,
        [1.0, -0.5],
        0.1,
    )
    run = running(sums)
    for t in (1, 2, 17, 59, 60):
        part = sums.first(t)
        info = part.games.sum() / 100
        residual = influence(part) * info / t
        assert run.value[t - 1] == pytest.approx(point(part), rel=1e-12)
        assert run.information[t - 1] == pytest.approx(info)
        assert run.sse[t - 1] == pytest.approx(float((residual**2 / (part.games / 100)).sum()), rel=1e-9)
        again = running(part)
        assert np.array_equal(again.sse, run.sse[:t])
        assert np.array_equal(again.ready, run.ready[:t])
    assert run.sigma2[-1] == pytest.approx(run.sse[-1] / 59)


def test_a_short_last_shard_keeps_the_error_rate() -> None:
    rng = np.random.default_rng(12)
    games = np.array([100] * 39 + [7])
    x = rng.normal(size=(STREAMS, 40)) * np.sqrt(games)
    wrong = 0
    for row in x:
        seq = t_sequence(running(ShardSums(row, games, games)), tuned_for=20)
        wrong += not seq.low[-1] <= 0 <= seq.high[-1]
    assert wrong / STREAMS <= AT_MOST


def test_rare_events_wait_until_they_have_happened() -> None:
    """An event of one shard in twenty has no measured variance at first, and would be "proved" rarer."""
    rng = np.random.default_rng(13)
    games = np.full(300, 100)
    guarded = unguarded = 0
    for _ in range(STREAMS // 2):
        run = running(ShardSums(rng.poisson(0.05, 300), games, games))
        reckless = replace(run, ready=np.full(300, True))
        guarded += t_evidence(run, 0.0005, "less").first_rejection(ALPHA) is not None
        unguarded += t_evidence(reckless, 0.0005, "less").first_rejection(ALPHA) is not None
    assert guarded / (STREAMS // 2) <= AT_MOST
    assert unguarded / (STREAMS // 2) > 0.08


def test_skewed_counts() -> None:
    """A Poisson count with mean one half a shard: normal theory is held back until it is nearly right."""
    rng = np.random.default_rng(14)
    games = np.full(1000, 100)
    runs = [running(ShardSums(rng.poisson(0.5, 1000), games, games)) for _ in range(STREAMS)]
    reckless = [replace(r, ready=np.full(1000, True)) for r in runs]
    held, free = (
        sum(t_evidence(r, 0.005, "less").first_rejection(ALPHA) is not None for r in some) / STREAMS
        for some in (runs, reckless)
    )
    print(f"rejections over {STREAMS} streams of 1000 shards with half an event each: {held:.1%}, unguarded {free:.1%}")
    assert held <= AT_MOST < free


def test_price_of_looking_at_any_time() -> None:
    """Half width over that of the usual interval at the same number of shards; sharpest where it is tuned."""
    n = np.arange(1, 1001, dtype=float)
    with np.errstate(invalid="ignore"):
        price = radius_factor(n, ALPHA, 100) * np.sqrt(n - 1) / special.stdtrit(np.maximum(n - 1, 1), 0.975)
    shown = {k: round(float(price[k - 1]), 2) for k in (30, 100, 200, 1000)}
    print(f"times as wide as the usual interval, tuned for 100 shards: {shown}")
    assert price[99] == pytest.approx(1.56, abs=0.005)
    assert price[29:].max() < 1.72
    assert 50 < np.argmin(price[29:]) + 30 < 200


def test_what_never_varies_is_never_decided() -> None:
    games = np.full(100, 10)
    same = ShardSums(games // 2, games, games)
    run = running(combine([(1, same), (-1, same)]))
    assert not run.sse.any()
    assert np.all(np.isinf(t_sequence(run).high))
    assert decide(t_tester(run), run.games, "within", 0.1).verdict == "undecided"


def test_late_denominators_are_undefined_until_then() -> None:
    games = np.full(60, 10)
    d = np.where(np.arange(60) < 3, 0, 10)
    run = running(ShardSums(np.random.default_rng(0).binomial(d, 0.5), d, games))
    seq = t_sequence(run)
    assert np.isnan(seq.value[:3]).all()
    assert "no case" in seq.at(2).note
    assert 0 < seq.at(60).low < seq.at(60).value < seq.at(60).high < 1
    assert np.all(t_evidence(run, 0.5).p_values[:3] == 1.0)
    assert running(ShardSums([], [], [])).shards == 0


def binomial_stream(p: float, shards: int, seed: int, games: int = 400) -> tuple[ShardSums, np.ndarray]:
    size = np.full(shards, games)
    return ShardSums(np.random.default_rng(seed).binomial(games, p, shards), size, size), size


@pytest.mark.parametrize(
    ("claim", "margin", "share", "verdict"),
    [
        ("greater", 0.50, 0.53, "supported"),
        ("greater", 0.56, 0.53, "refuted"),
        ("greater", 0.5299, 0.53, "undecided"),
        ("less", 0.56, 0.53, "supported"),
        ("less", 0.50, 0.53, "refuted"),
    ],
)
def test_verdicts_on_a_share(claim: str, margin: float, share: float, verdict: str) -> None:
    sums, size = binomial_stream(share, 150, 21)
    run = running(sums)
    got = decide(t_tester(run), run.games, claim, margin)
    exact = decide(bernoulli_tester(sums.numerators[:, 0], size), run.games, claim, margin)
    assert got.verdict == exact.verdict == verdict
    assert got.games == got.shards * 400
    assert (got.shards == 150) == (verdict == "undecided")
    assert got.claim.startswith("theta > " if claim == "greater" else "theta < ")


@pytest.mark.parametrize(
    ("claim", "margin", "verdict"),
    [
        ("within", 0.05, "supported"),
        ("within", 0.01, "refuted"),
        ("beyond", 0.01, "supported"),
        ("beyond", 0.05, "refuted"),
        ("within", 0.0301, "undecided"),
    ],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_verdicts_on_the_size_of_a_difference(claim: str, margin: float, verdict: str, sign: int) -> None:
    sums, _ = binomial_stream(0.53, 150, 22)
    run = running(combine([(sign, sums)], shift=-0.5 * sign))
    got = decide(t_tester(run), run.games, claim, margin)
    assert got.verdict == verdict
    if verdict == "supported":
        assert got.support.p_values[-1] <= ALPHA < got.refute.p_values[-1]


@pytest.mark.parametrize("claim", ["greater", "within", "beyond"])
def test_false_verdicts_at_the_margin(claim: str) -> None:
    """theta equal to the margin makes every claim as hard as it can be: each false verdict in at most 5 %."""
    rng = np.random.default_rng(23)
    games = np.full(200, 400)
    false = {"support": 0, "refute": 0}
    for _ in range(STREAMS // 2):
        run = running(ShardSums(rng.binomial(400, 0.52, 200), games, games, shift=-0.5))
        got = decide(t_tester(run), run.games, claim, 0.02)
        false["support"] += got.support.first_rejection(ALPHA) is not None
        false["refute"] += got.refute.first_rejection(ALPHA) is not None
    assert max(false.values()) / (STREAMS // 2) <= ALPHA + 3 * math.sqrt(ALPHA * (1 - ALPHA) / (STREAMS // 2))


@pytest.mark.parametrize("p", [0.0005, 0.02, 0.5])
def test_bernoulli_null_streams(p: float) -> None:
    """Exact at any chance: an event that most shards of 100 games never see, and a coin."""
    rng = np.random.default_rng(31)
    games = np.full(60, 100)
    k = rng.binomial(100, p, (STREAMS, 60))
    for alternative in ("two-sided", "greater", "less"):
        errs = sum(
            bernoulli_evidence(row, games, p, alternative, tuned_for=2000).first_rejection() is not None for row in k
        )
        assert errs / STREAMS <= AT_MOST


def test_bernoulli_e_value_against_direct_integration() -> None:
    k, n, p, c = 13, 40, 0.25, 20.0
    tuned = (c + 1) * mixture_variance(ALPHA, 1)
    prior = stats.beta(c * p, c * (1 - p))

    def ratio(q: float) -> float:
        return (q / p) ** k * ((1 - q) / (1 - p)) ** (n - k) * prior.pdf(q)

    for low, alternative in ((0.0, "two-sided"), (p, "greater")):
        want = integrate.quad(ratio, low, 1, points=[0.3])[0] / prior.sf(low)
        got = bernoulli_evidence([k], [n], p, alternative, ALPHA, tuned)
        assert math.exp(got.log_e[0]) == pytest.approx(want, rel=1e-8)


@settings(max_examples=40)
@given(st.lists(st.integers(0, 50), min_size=1, max_size=8), st.booleans())
def test_bernoulli_limits_are_where_the_test_turns(successes: list[int], one_sided: bool) -> None:
    games = [50] * len(successes)
    seq = bernoulli_sequence(successes, games, tuned_for=500, one_sided=one_sided)
    assert np.all((seq.low >= 0) & (seq.low <= seq.value) & (seq.value <= seq.high) & (seq.high <= 1))
    for limit, side in ((seq.low[-1], "greater"), (seq.high[-1], "less")):
        if 0 < limit < 1:
            kind = side if one_sided else "two-sided"
            ev = bernoulli_evidence(successes, games, float(limit), kind, tuned_for=500)
            assert ev.log_e[-1] == pytest.approx(math.log(20), rel=1e-6)


def test_stopping_at_a_width() -> None:
    sums, _ = binomial_stream(0.5, 400, 41)
    run = running(sums)
    seq = t_sequence(run)
    t = seq.first_within(0.005)
    assert t is not None
    assert seq.at(t).half_width <= 0.005 < seq.at(t - 1).half_width
    assert seq.at(t).n == 400 * t
    assert seq.first_within(1e-6) is None
    with pytest.raises(ValueError, match="number above 0"):
        seq.first_within(0)


def test_running_intersection_never_widens() -> None:
    seq = t_sequence(running(binomial_stream(0.5, 100, 42)[0]))
    got = seq.intersected()
    assert np.all(np.diff(got.low[40:]) >= 0)
    assert np.all(np.diff(got.high[40:]) <= 0)
    assert np.all(got.low >= seq.low)
    assert isinstance(got, ConfidenceSequence)


def test_refusals() -> None:
    sums, size = binomial_stream(0.5, 40, 43)
    run = running(sums)
    with pytest.raises(ValueError, match="greater, less, within, beyond"):
        decide(t_tester(run), run.games, "equal", 0.1)
    with pytest.raises(ValueError, match=r"margin -0\.1 is not allowed for 'within'"):
        decide(t_tester(run), run.games, "within", -0.1)
    with pytest.raises(ValueError, match="two-sided, greater, less"):
        t_evidence(run, 0, "up")
    with pytest.raises(ValueError, match="tuned_for 0"):
        t_sequence(run, tuned_for=0)
    with pytest.raises(ValueError, match="as a hypothesis"):
        bernoulli_evidence([1], [2], 0.0)
    with pytest.raises(ValueError, match="as many successes as games"):
        bernoulli_sequence([3], [2])
    with pytest.raises(ValueError, match="one number for each shard"):
        bernoulli_sequence([[1]], size)
