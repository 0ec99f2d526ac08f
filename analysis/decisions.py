"""Verdicts on claims, valid whenever one stops: supported, refuted, or not decided yet.

A claim about theta and its denial are two hypotheses. Evidence against the denial supports the claim,
evidence against the claim refutes it; each errs with probability at most alpha however long the games go on.

Sources
-------
Berger, R. (1982). Multiparameter hypothesis testing and acceptance sampling. *Technometrics* 24, 295-300
    (intersection-union tests: why "within" needs no correction).
Vovk, V. and Wang, R. (2021). E-values: calibration, combination, and applications. *Ann. Statist.* 49,
    1736-1754 (averages of e values: the correction for "beyond").
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.anytime import Evidence, evidence_from
from analysis.bernoulli import TUNED_FOR_GAMES, bernoulli_evidence
from analysis.estimate import check_level
from analysis.running import Running
from analysis.sequences import TUNED_FOR, t_evidence

# claim: its meaning
CLAIMS = {
    "greater": "theta > margin",
    "less": "theta < margin",
    "within": "|theta| < margin",
    "beyond": "|theta| > margin",
}
Tester = Callable[[float, str], Evidence]


@dataclass(frozen=True, eq=False, slots=True)
class Decision:
    """A verdict and what it rests on.

    Attributes
    ----------
    verdict : {"supported", "refuted", "undecided"}
        What was decided first.
    shards, games : int
        When it was decided; all that were looked at if it is undecided.
    support, refute : Evidence
        Against the claim's denial and against the claim, after every shard.
    alpha : float
        Error rate of a false support and, separately, of a false refutation.
    claim : str
        The claim in a formula, as "theta > 0.01".
    """

    verdict: str
    shards: int
    games: int
    support: Evidence
    refute: Evidence
    alpha: float
    claim: str


def t_tester(run: Running, alpha: float = 0.05, tuned_for: float = TUNED_FOR) -> Tester:
    """Return the test that `decide` needs for any metric, by `analysis.sequences.t_evidence`."""
    return lambda null, alternative: t_evidence(run, null, alternative, alpha, tuned_for)


def bernoulli_tester(
    successes: ArrayLike, games: ArrayLike, alpha: float = 0.05, tuned_for: float = TUNED_FOR_GAMES
) -> Tester:
    """Return the test that `decide` needs for a share of games, by `analysis.bernoulli`."""
    return lambda null, alternative: bernoulli_evidence(successes, games, null, alternative, alpha, tuned_for)


def decide(tester: Tester, games: NDArray[np.int64], claim: str, margin: float, alpha: float = 0.05) -> Decision:
    """Return the verdict on a claim from games looked at after every shard.

    Parameters
    ----------
    tester : callable
        Evidence from a null value and an alternative: `t_tester` or `bernoulli_tester`.
    games : ndarray of int64, shape (shards,)
        Games so far after each shard.
    claim : {"greater", "less", "within", "beyond"}
        See `CLAIMS`.
    margin : float
        In the metric's unit; above 0 for "within" and "beyond".
    alpha : float
        Error rate.

    Returns
    -------
    Decision

    Raises
    ------
    ValueError
        If the claim or its margin is not allowed.
    """
    check_level(1 - alpha)
    support, refute = _both_sides(tester, claim, margin)
    times = {"supported": support.first_rejection(alpha), "refuted": refute.first_rejection(alpha)}
    reached = {verdict: t for verdict, t in times.items() if t is not None}
    verdict = min(reached, key=reached.__getitem__) if reached else "undecided"
    shards = reached.get(verdict, len(games))
    played = int(games[shards - 1]) if shards else 0
    text = CLAIMS[claim].replace("margin", f"{margin:g}")
    return Decision(verdict, shards, played, support, refute, alpha, text)


def _both_sides(tester: Tester, claim: str, margin: float) -> tuple[Evidence, Evidence]:
    if claim not in CLAIMS:
        raise ValueError(f"claim {claim!r} is not allowed: {', '.join(CLAIMS)}")
    if claim in ("greater", "less"):
        return tester(margin, claim), tester(margin, "less" if claim == "greater" else "greater")
    if not (margin > 0 and math.isfinite(margin)):
        raise ValueError(f"margin {margin!r} is not allowed for {claim!r}: give a number above 0")
    inside = _all_of(tester(-margin, "greater"), tester(margin, "less"), f"|theta| >= {margin:g}")
    outside = _any_of(tester(margin, "greater"), tester(-margin, "less"), f"|theta| <= {margin:g}")
    return (inside, outside) if claim == "within" else (outside, inside)


def _all_of(a: Evidence, b: Evidence, hypothesis: str) -> Evidence:
    """Return evidence against a union of hypotheses: both must fall (Berger 1982)."""
    p_values = np.maximum(a.p_values, b.p_values)
    return Evidence(np.minimum(a.log_e, b.log_e), p_values, hypothesis, a.method)


def _any_of(a: Evidence, b: Evidence, hypothesis: str) -> Evidence:
    """Return evidence against an intersection: the mean of e values is one (Vovk and Wang 2021)."""
    return evidence_from(np.logaddexp(a.log_e, b.log_e) - math.log(2), hypothesis, a.method)
