"""Verdicts on claims: what the games said, as a table, and how the readings of one sentence agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from analysis.anytime import ConfidenceSequence
from analysis.claim import Claim
from analysis.decisions import Decision
from analysis.estimate import Estimate, FloatArray
from analysis.samplesize import Needed
from simcore.options import Setting

VERDICTS = ("supported", "refuted", "undecided")


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
        Where capped games are counted either way: the one that is still open, or that came later.
    estimate : Estimate
        Theta with its interval of the confidence sequence (level 1 - error rate) when the games stopped; where capped games
        matter, the interval holds both ways of counting them.
    sequence : ConfidenceSequence
        All intervals up to then.
    usual : ndarray of float64, shape (2, shards)
        Lower and upper limits of the usual interval for a fixed number of games, which one may look at only once.
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
    usual: FloatArray
    games: int
    needed: Needed | None
    note: str


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
    "p_supported",
    "p_refuted",
    "bots",
    "settings",
    "games",
    "more_games",
    "more_games_optimistic",
    "more_games_pessimistic",
    "method",
    "source",
    "caveat",
    "part",
    "note",
)


def verdict_frame(verdicts: Sequence[Verdict]) -> pd.DataFrame:
    """Verdicts as a frame with the columns `VERDICT_COLUMNS`.

    ``p_supported`` and ``p_refuted`` are p values, valid at any time, of the claim's denial and of the claim.
    """
    return pd.DataFrame([verdict_row(v) for v in verdicts], columns=list(VERDICT_COLUMNS))


def verdict_row(v: Verdict) -> dict[str, Any]:
    """A row of a `verdict_frame`."""
    return {
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
        "p_supported": float(v.decision.support.p_values[-1]),
        "p_refuted": float(v.decision.refute.p_values[-1]),
        "bots": v.bots,
        "settings": settings_text(v.settings),
        "games": v.games,
        "more_games": v.needed.more_games if v.needed else None,
        "more_games_optimistic": v.needed.optimistic if v.needed else None,
        "more_games_pessimistic": v.needed.pessimistic if v.needed else None,
        "method": v.estimate.method,
        "source": v.claim.source,
        "caveat": v.claim.caveat,
        "part": v.claim.part,
        "note": v.note,
    }


def settings_text(settings: Mapping[str, Setting]) -> str:
    """Settings as ``name=value, name=value``."""
    return ", ".join(f"{name}={value}" for name, value in settings.items())


@dataclass(frozen=True)
class Agreement:
    """How the claims of one sentence agree.

    Attributes
    ----------
    sentence : str
    by_verdict : mapping
        Verdict -> ids of the claims with it.
    parts : bool
        Whether the claims are parts of the sentence, which must all hold; else each reads all of it.
    """

    sentence: str
    by_verdict: Mapping[str, tuple[str, ...]]
    parts: bool = False

    @property
    def count(self) -> int:
        """Number of claims."""
        return sum(map(len, self.by_verdict.values()))

    @property
    def verdict(self) -> str:
        """Of parts: ``supported``, ``refuted`` or ``undecided``.

        Of readings: ``agree``, ``disagree``, or ``open`` while none contradicts another but some are undecided.
        """
        some = {name for name, ids in self.by_verdict.items() if ids}
        if self.parts:
            return next(name for name in ("refuted", "undecided", "supported") if name in some)
        if {"supported", "refuted"} <= some:
            return "disagree"
        return "open" if "undecided" in some else "agree"

    @property
    def text(self) -> str:
        """The agreement in words."""
        parts = [f"{name}: {', '.join(ids)}" for name, ids in self.by_verdict.items() if ids]
        said = "; ".join(parts)
        if self.parts:
            return self._of_parts(said)
        if self.verdict == "agree":
            return f"all {self.count} readings agree: {next(name for name, ids in self.by_verdict.items() if ids)}"
        if self.verdict == "disagree":
            return f"the {self.count} readings do not agree, so the answer hangs on what the sentence means ({said})"
        if len(parts) == 1:
            return f"all {self.count} readings are undecided"
        return f"no reading contradicts another, but not all {self.count} are decided ({said})"

    def _of_parts(self, said: str) -> str:
        if self.verdict == "supported":
            return f"supported: all {self.count} parts hold"
        if self.verdict == "refuted":
            return f"refuted, as all {self.count} parts would have to hold ({said})"
        return f"undecided: no part is refuted, but not all {self.count} are decided ({said})"


def agreements(frame: pd.DataFrame) -> list[Agreement]:
    """The agreement of every sentence with several claims in a `verdict_frame`: of its readings, and of its parts."""
    found = []
    for sentence, whole in frame.groupby("sentence", sort=False):
        for part in (False, True):
            rows = whole[whole["part"].astype(bool) == part]
            if len(rows) > 1:
                ids = {name: tuple(rows.loc[rows["verdict"] == name, "claim"]) for name in VERDICTS}
                found.append(Agreement(str(sentence), ids, part))
    return found
