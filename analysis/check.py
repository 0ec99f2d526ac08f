"""Checking a claim: games are played until they decide it, or until its limit."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass

import pandas as pd

from analysis.anytime import ConfidenceSequence
from analysis.bernoulli import bernoulli_sequence
from analysis.claims import Claim
from analysis.decisions import Decision, bernoulli_tester, decide, t_tester
from analysis.estimate import Estimate
from analysis.playing import Playground, looks
from analysis.running import running
from analysis.samplesize import Needed, sequential_for_decision
from analysis.sequences import t_sequence
from analysis.shards import ShardSums, combine
from simcore.batch import Progress, default_threads
from simcore.games.base import Game
from simcore.options import Setting
from simcore.shards import LARGEST_SHARD, Variant

FIRST_LOOK = 30
SHARDS = 400
"""A claim's limit is cut into about so many shards, and looked at from the thirtieth on."""


@dataclass(frozen=True)
class Verdict:
    """What the games said of a claim.

    Attributes
    ----------
    claim : Claim
    bots : str
    settings : mapping
        Rulings that differ from the claim's own, in a multiverse.
    verdict : {"supported", "refuted", "undecided"}
    decision : Decision
    estimate : Estimate
        Theta with its interval of the confidence sequence (level 1 - error rate) when the games stopped.
    sequence : ConfidenceSequence
        All intervals up to then.
    games : int
        For each variant.
    needed : Needed or None
        Forecast for an undecided claim.
    note : str
        What a reader must know besides, such as capped games.
    """

    claim: Claim
    bots: str
    settings: Mapping[str, Setting]
    verdict: str
    decision: Decision
    estimate: Estimate
    sequence: ConfidenceSequence
    games: int
    needed: Needed | None
    note: str


def shard_games_for(game: Game, max_games: int) -> int:
    """Games in a shard of a claim's stream."""
    return min(LARGEST_SHARD, max(game.min_shard, -(-max_games // SHARDS)))


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


def theta(ground: Playground, claim: Claim, variants: Sequence[Variant], shards: int) -> list[ShardSums]:
    """The claim's number over the first `shards` shards.

    Returns
    -------
    list of ShardSums
        One; or, where capped games matter, two: the lowest and the highest that counting them either way can give.
    """
    position = ground.game.counts.position
    streams = [ground.stream(variant) for variant in variants]

    def part(i: int, bracketed: bool) -> ShardSums:
        return streams[i].metric(claim.metric, position, bracketed).first(shards)

    capped = bool(claim.metric.bracket) and any(
        stream.sums[:shards, position[claim.metric.bracket]].any() for stream in streams
    )
    ends = (False, True) if capped else (False,)
    if len(variants) == 1:
        return [part(0, bracketed) for bracketed in ends]
    return [combine([(1.0, part(0, bracketed)), (-1.0, part(1, capped and not bracketed))]) for bracketed in ends]


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
    decisions: list[Decision] = []
    ends: list[ShardSums] = []
    for shards in looks(FIRST_LOOK, last):
        ground.extend(variants, shards)
        ends = theta(ground, claim, variants, shards)
        decisions = [_decide(claim, sums) for sums in ends]
        if len({d.verdict for d in decisions}) == 1 and decisions[0].verdict != "undecided":
            break
    return _verdict(claim, bots or claim.bots, settings or {}, decisions, ends)


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


def _verdict(
    claim: Claim, bots: str, settings: Mapping[str, Setting], decisions: list[Decision], ends: list[ShardSums]
) -> Verdict:
    agree = len({d.verdict for d in decisions}) == 1
    verdict = decisions[0].verdict if agree else "undecided"
    stop = max(d.shards for d in decisions) if verdict != "undecided" else ends[0].shards
    cut = [sums.first(stop) for sums in ends]
    sequences = [_sequence(claim, sums) for sums in cut]
    run = running(cut[0])
    needed = (
        sequential_for_decision(run, claim.direction, claim.margin, claim.error_rate)
        if verdict == "undecided"
        else None
    )
    notes = []
    if len(ends) == 2:
        low, high = sequences[0].value[-1], sequences[1].value[-1]
        notes.append(f"capped games leave {low:.4g} … {high:.4g} open")
        if not agree:
            notes.append("the verdict hangs on how capped games are counted")
    estimate = sequences[0].at(stop) if stop else Estimate(*(math.nan,) * 4, 1 - claim.error_rate, "none", 0)
    if not estimate.defined:
        notes.append(estimate.note)
    return Verdict(
        claim,
        bots,
        settings,
        verdict,
        decisions[0],
        estimate,
        sequences[0],
        int(run.games[-1]),
        needed,
        "; ".join(notes),
    )


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
    """Check claims one after the other; games that several of them want are played once."""
    found = []
    grounds: dict[tuple[str, int, int], Playground] = {}
    with ThreadPoolExecutor(threads or default_threads()) as pool:
        for claim in claims:
            limit = max_games or claim.max_games
            key = (claim.game.name, claim.seed, limit)
            if key not in grounds:
                grounds[key] = Playground(
                    claim.game, claim.seed, shard_games_for(claim.game, limit), pool, progress=progress
                )
            verdict = check_claim(grounds[key], claim, bots=bots, max_games=limit)
            found.append(verdict)
            if notify:
                notify(verdict)
    return found


VERDICT_COLUMNS = (
    "claim",
    "verdict",
    "sentence",
    "reading",
    "formula",
    "estimate",
    "low",
    "high",
    "unit",
    "error_rate",
    "bots",
    "settings",
    "games",
    "more_games",
    "more_games_optimistic",
    "more_games_pessimistic",
    "method",
    "source",
    "note",
)


def verdict_frame(verdicts: Sequence[Verdict]) -> pd.DataFrame:
    """Verdicts as a frame with the columns `VERDICT_COLUMNS`."""
    rows = [
        {
            "claim": v.claim.id,
            "verdict": v.verdict,
            "sentence": v.claim.sentence,
            "reading": v.claim.reading,
            "formula": v.claim.formula,
            "estimate": v.estimate.value,
            "low": v.estimate.low,
            "high": v.estimate.high,
            "unit": v.claim.metric.unit,
            "error_rate": v.claim.error_rate,
            "bots": v.bots,
            "settings": ", ".join(f"{name}={value}" for name, value in v.settings.items()),
            "games": v.games,
            "more_games": v.needed.more_games if v.needed else None,
            "more_games_optimistic": v.needed.optimistic if v.needed else None,
            "more_games_pessimistic": v.needed.pessimistic if v.needed else None,
            "method": v.estimate.method,
            "source": v.claim.source,
            "note": v.note,
        }
        for v in verdicts
    ]
    return pd.DataFrame(rows, columns=list(VERDICT_COLUMNS))
