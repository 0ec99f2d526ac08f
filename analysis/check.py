"""Checking a claim: games are played until they decide it, or until its limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace

import numpy as np

from analysis.anytime import ConfidenceSequence
from analysis.bernoulli import bernoulli_sequence
from analysis.claim import Claim
from analysis.decisions import Decision, bernoulli_tester, decide, t_tester
from analysis.estimate import Estimate, FloatArray, counted, student_quantiles
from analysis.playing import Playground, looks
from analysis.running import Running, running
from analysis.samplesize import sequential_for_decision
from analysis.sequences import t_sequence
from analysis.shards import ShardSums, combine
from analysis.verdicts import Verdict
from simcore.batch import Progress, default_threads
from simcore.games.base import Game
from simcore.options import Setting
from simcore.shards import Variant, cut_games

FIRST_LOOK = 30
SHARDS = 400
"""A claim's limit is cut into about so many shards, and looked at from the thirtieth on."""
LEAST_SHARDS = 50
"""So many of fewer games where the limit is low: the first look must lie within it."""


def shard_games_for(game: Game, max_games: int) -> int:
    """Games in a shard of a claim's stream."""
    return cut_games(game, max_games, SHARDS, LEAST_SHARDS)


@contextmanager
def playground(
    game: Game,
    seed: int,
    max_games: int,
    *,
    threads: int | None,
    progress: Progress | None,
    executor: Executor | None = None,
) -> Iterator[Playground]:
    """A playground on the executor, or on a thread pool of its own."""
    workers = threads or default_threads()
    pool = executor or ThreadPoolExecutor(workers)
    try:
        yield Playground(game, seed, shard_games_for(game, max_games), pool, window=2 * workers + 1, progress=progress)
    finally:
        if executor is None:
            pool.shutdown(cancel_futures=True)


@dataclass(frozen=True)
class Theta:
    """A claim's number over some shards.

    Attributes
    ----------
    sums : ShardSums
        With capped games counted as lost.
    ends : tuple of ShardSums
        The lowest and the highest that counting capped games either way can give; one, the same, where there are none.
    alike : bool
        Whether variant and baseline gave the same in every shard.
    """

    sums: ShardSums
    ends: tuple[ShardSums, ...]
    alike: bool


def theta(ground: Playground, claim: Claim, variants: Sequence[Variant], shards: int) -> Theta:
    """The claim's number over the first `shards` shards."""
    position = ground.game.counts.position
    streams = [ground.stream(variant) for variant in variants]

    def part(i: int, bracketed: bool) -> ShardSums:
        return streams[i].metric(claim.metric, position, bracketed).first(shards)

    def whole(first: bool, second: bool) -> ShardSums:
        return part(0, first) if len(streams) == 1 else combine([(1.0, part(0, first)), (-1.0, part(1, second))])

    capped = bool(claim.metric.bracket) and any(
        stream.sums[:shards, position[claim.metric.bracket]].any() for stream in streams
    )
    sums = whole(False, False)
    ends = (whole(False, True), whole(True, False)) if capped else (sums,)
    return Theta(sums, ends, len(streams) == 2 and _same(part(0, False), part(1, False)))


def _same(a: ShardSums, b: ShardSums) -> bool:
    equal = np.array_equal(a.numerators, b.numerators) and np.array_equal(a.denominators, b.denominators)
    return equal and a.shift == b.shift


def check_claim(
    ground: Playground,
    claim: Claim,
    *,
    bots: str = "",
    settings: Mapping[str, Setting] | None = None,
    max_games: int | None = None,
) -> Verdict:
    """Play until the claim is decided or the limit is reached.

    Parameters
    ----------
    ground : Playground
        Of the claim's game and seed; what it has played already is used.
    claim : Claim
    bots : str
        Instead of the claim's own table.
    settings : mapping, optional
        Rulings of the universe.
    max_games : int, optional
        For each variant, instead of the claim's own limit.

    Raises
    ------
    InputError
        If the settings are impossible, or make variant and baseline the same.
    """
    variants = claim.variants(settings, bots)
    last = max(1, (max_games or claim.max_games) // ground.shard_games)
    for shards in looks(FIRST_LOOK, last):
        ground.extend(variants, shards)
        found = theta(ground, claim, variants, shards)
        decisions = [_decide(claim, sums) for sums in found.ends]
        if len({d.verdict for d in decisions}) == 1 and decisions[0].verdict != "undecided":
            break
    return _verdict(claim, bots or claim.bots, settings or {}, decisions, found)


def _is_share_of_games(claim: Claim) -> bool:
    """Whether theta itself is a share of independent games, for which an exact test exists, also where none has occurred."""
    return claim.baseline is None and claim.metric.counts_games and 0 < claim.margin < 1


def _decide(claim: Claim, sums: ShardSums) -> Decision:
    run = running(sums)
    tester = t_tester(run, claim.error_rate)
    if _is_share_of_games(claim):
        tester = bernoulli_tester(sums.numerators[:, 0], sums.games, claim.error_rate)
    return decide(tester, run.games, claim.direction, claim.margin, claim.error_rate)


def _sequence(claim: Claim, sums: ShardSums) -> ConfidenceSequence:
    """The intervals that belong to the claim's tests: each limit with an error rate of its own, but for "beyond"."""
    one_sided = claim.direction != "beyond"
    if _is_share_of_games(claim):
        return bernoulli_sequence(sums.numerators[:, 0], sums.games, 1 - claim.error_rate, one_sided=one_sided)
    return t_sequence(running(sums), 1 - claim.error_rate, one_sided=one_sided)


def _bracketed_sequence(claim: Claim, found: Theta) -> ConfidenceSequence:
    """The intervals; where capped games matter, from the lower limit of the lowest to the upper limit of the highest."""
    low, high = (_sequence(claim, found.ends[i]) for i in (0, -1))
    value = running(found.sums).value
    return replace(low, value=value, high=high.high)


def _verdict(
    claim: Claim, bots: str, settings: Mapping[str, Setting], decisions: list[Decision], found: Theta
) -> Verdict:
    said = {d.verdict for d in decisions}
    verdict = said.pop() if len(said) == 1 else "undecided"
    weakest = next((d for d in decisions if d.verdict == "undecided"), max(decisions, key=lambda d: d.shards))
    shards = found.sums.shards if verdict == "undecided" else _shown_shards(verdict, decisions)
    cut = Theta(found.sums.first(shards), tuple(sums.first(shards) for sums in found.ends), found.alike)
    sequence, run = _bracketed_sequence(claim, cut), running(cut.sums)
    needed = None
    if weakest.verdict == "undecided" and not found.alike:
        open_end = running(cut.ends[decisions.index(weakest)])
        needed = sequential_for_decision(open_end, claim.direction, claim.margin, claim.error_rate)
    estimate = sequence.at(shards)
    return Verdict(
        claim,
        bots,
        settings,
        verdict,
        weakest,
        estimate,
        sequence,
        usual_limits(run, 1 - claim.error_rate),
        int(run.games[-1]),
        needed,
        "; ".join(_notes(claim, cut, decisions, estimate)),
    )


def _shown_shards(verdict: str, decisions: Sequence[Decision]) -> int:
    """All shards played, if the verdict holds with all of them; else those with which it was reached.

    Either is allowed, since the intervals hold at all times at once.
    """
    sides = [d.support if verdict == "supported" else d.refute for d in decisions]
    if all(side.log_e[-1] >= -math.log(d.alpha) for side, d in zip(sides, decisions, strict=True)):
        return len(sides[0].log_e)
    return max(d.shards for d in decisions)


def usual_limits(run: Running, level: float) -> FloatArray:
    """Limits of the usual t interval after every shard; shape (2, shards). Right for one look fixed beforehand."""
    df = np.maximum(np.arange(len(run.games), dtype=np.float64), 1.0)
    spread = np.where(np.isfinite(run.sigma2), run.sigma2, np.inf)
    half = student_quantiles(0.5 + level / 2, df) * np.sqrt(spread / run.information)
    return np.array([run.value - half, run.value + half])


def _notes(claim: Claim, found: Theta, decisions: Sequence[Decision], estimate: Estimate) -> Iterator[str]:
    if found.alike:
        least = max(1, int(found.sums.total_games / -math.log(claim.error_rate)))
        yield (
            f"variant and baseline gave the same in each of {counted(found.sums.shards, 'shard')}; with"
            f" {1 - claim.error_rate:.4g} confidence fewer than 1 game in {least:,} tells them apart, so there is no"
            " difference to test"
        )
    if len(found.ends) == 2:
        low, high = (running(sums).value[-1] for sums in found.ends)
        yield f"capped games counted either way: {low:.4g} … {high:.4g}"
        if {d.verdict for d in decisions} == {"supported", "refuted"}:
            yield "the verdict hangs on how capped games are counted; more games will not settle it, a higher cap may"
    if not estimate.defined:
        yield estimate.note


Notify = Callable[[Verdict], None]


def check_claims(
    claims: Sequence[Claim],
    *,
    bots: str = "",
    max_games: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    notify: Notify | None = None,
) -> list[Verdict]:
    """Check claims one after the other; games that several of them want are played once.

    Parameters
    ----------
    claims : sequence of Claim
    bots : str
        Table of bots, instead of the claims' own.
    max_games : int, optional
        For each variant, instead of the claims' own limits.
    threads : int, optional
    progress : callable, optional
        Called with the games played and the most that may still be played, those included.
    notify : callable, optional
        Told each verdict as it falls.
    """
    found: list[Verdict] = []
    grounds: dict[tuple[str, int, int], Playground] = {}
    limits = [max_games or claim.max_games for claim in claims]
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        for i, (claim, limit) in enumerate(zip(claims, limits, strict=True)):
            key = (claim.game.name, claim.seed, limit)
            if key not in grounds:
                grounds[key] = Playground(claim.game, claim.seed, shard_games_for(claim.game, limit), pool)
            before = sum(ground.played for ground in grounds.values()) - grounds[key].played
            rest = sum(games * _sides(one) for one, games in zip(claims[i:], limits[i:], strict=True))
            grounds[key].progress = _meter(progress, before, before + grounds[key].played + rest)
            found.append(check_claim(grounds[key], claim, bots=bots, max_games=limit))
            if notify:
                notify(found[-1])
    return found


def _sides(claim: Claim) -> int:
    return 1 if claim.baseline is None else 2


def _meter(progress: Progress | None, before: int, most: int) -> Progress | None:
    """A ground's own progress as a part of the whole."""
    if progress is None:
        return None
    return lambda played, _: progress(before + played, max(most, before + played))
