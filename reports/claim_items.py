"""Items of a report for claims: verdicts, a multiverse, a sensitivity analysis."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from analysis.claim import Claim
from analysis.decisions import CLAIMS
from analysis.multiverse import Multiverse
from analysis.verdicts import VERDICTS, Verdict, agreements, verdict_frame
from reports import claim_parts, numbers
from reports.parts import Code, Fact, Gloss, Item, Picture, Sentence, Table
from reports.view import gloss
from simcore.batch import kozyr_version
from simcore.sources import code_hash


def made_by(game: str) -> Fact:
    """Version and code."""
    return Fact("Made by", f"Kozyr {kozyr_version()}, simulator code {code_hash(game)}")


@dataclass(frozen=True)
class ClaimsItem(Item):
    """Claims of one game and their verdicts.

    Parameters
    ----------
    verdicts : sequence of Verdict
    command : str
        What checks them again.
    """

    verdicts: Sequence[Verdict]
    command: str

    @property
    def id(self) -> str:
        return "claims"

    @property
    def title(self) -> str:
        return "What is claimed, and does it hold?"

    def sentences(self) -> Sequence[Sentence]:
        frame = verdict_frame(self.verdicts)
        counts = frame["verdict"].value_counts()
        parts = [f"{counts.get(name, 0)} {name}" for name in VERDICTS]
        many = f"{len(frame)} claims were checked" if len(frame) > 1 else "One claim was checked"
        made: list[Sentence] = [(f"{many}: {', '.join(parts)}.",)]
        shared = {(agreement.sentence, agreement.parts): agreement for agreement in agreements(frame)}
        told = set()
        for v in self.verdicts:
            key = (v.claim.sentence, v.claim.part)
            agreement = shared.get(key)
            if agreement is None:
                made.append((f"“{v.claim.sentence}” {v.verdict.capitalize()}: ", *_found(v), "."))
            elif key not in told:
                said = f"“{v.claim.sentence}” {agreement.text[0].upper()}{agreement.text[1:]}; the first: "
                made.append((said, *_found(v), "."))
            told.add(key)
        return made

    def tables(self) -> Sequence[Table]:
        return [
            claim_parts.claims_table(self.verdicts, self.command),
            claim_parts.readings_table(self.verdicts, self.command),
        ]

    def figures(self) -> Sequence[Picture]:
        picture = claim_parts.sequences_picture(self.verdicts, self.command)
        return [picture] if picture else []

    def glosses(self) -> Sequence[Gloss]:
        return [gloss(v.claim.metric) for v in self.verdicts]

    def method(self) -> Sequence[Fact]:
        first = self.verdicts[0].claim
        return [
            made_by(first.game.name),
            Fact("Check them again", self.command, code=True),
            *claim_facts(self.verdicts),
        ]


def _found(v: Verdict) -> Sentence:
    """What was found of a claim's number, and what was claimed."""
    unit = claim_parts.unit_of(v.claim)
    value, limits = claim_parts.estimate_text(v.estimate.value, v.estimate.low, v.estimate.high, unit)
    said = f" is {value}{_unit_word(v.claim)} ({100 * v.estimate.level:g} %: {limits})" if limits else " has no case"
    return (Code(v.claim.theta), f"{said}, claimed {claim_parts.claimed(v.claim)}")


def _unit_word(claim: Claim) -> str:
    """The unit after a number, where the number does not carry it."""
    return "" if numbers.is_share(claim.metric.unit) else f" {claim.metric.unit}"


def claim_facts(verdicts: Sequence[Verdict]) -> list[Fact]:
    """How verdicts come about, for a reader who wants to doubt them."""
    claims = [v.claim for v in verdicts]
    rates = sorted({claim.error_rate for claim in claims})
    methods = sorted({v.estimate.method for v in verdicts if v.estimate.defined})
    rate = " or ".join(f"{100 * r:g} %" for r in rates)
    meanings = "; ".join(f"{name}: {meaning}" for name, meaning in CLAIMS.items())
    return [
        Fact(
            "Verdicts",
            f"A claim is supported when its denial is rejected, refuted when it is itself rejected ({meanings}). Both tests may"
            f" be looked at as often as one likes: a false claim is ever supported, and a true one ever refuted, with"
            f" probability {rate} at most. Undecided is no verdict of equality.",
        ),
        Fact(
            "Many claims",
            f"The error rate is each claim's own. Of {len(claims)} verdicts, at most {sum(c.error_rate for c in claims):.2g}"
            " wrong ones are to be expected.",
        ),
        Fact(
            "Tests and intervals",
            f"{'; '.join(methods)}. Shards of games are the independent units (docs/statistics.md).",
        ),
        Fact(
            "Comparisons",
            "Variant and baseline play the same deals with the same seed and bots, so that a difference is one of pairs. Seats"
            " rotate where bots differ.",
        ),
        Fact("Seeds", ", ".join(sorted({str(claim.seed) for claim in claims}))),
        Fact(
            "Capped games",
            "Where they bear on a metric, they are counted as won and as lost in either variant; a verdict falls only if it is"
            " the same whichever way they count.",
        ),
    ]


@dataclass(frozen=True)
class MultiverseItem(Item):
    """One claim in all its universes.

    Parameters
    ----------
    found : Multiverse
    source : str
        The game or file that the claim comes from, as ``kozyr check`` takes it.
    options : tuple of str
        Of ``kozyr check``, with which the multiverse was asked for.
    """

    found: Multiverse
    source: str
    options: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return f"multiverse-{self.found.claim.id}"

    @property
    def title(self) -> str:
        return f"Does {self.found.claim.id} hang on bots or rulings?"

    @property
    def text(self) -> str:
        return " ".join(filter(None, (self.found.claim.sentence, self.found.claim.reading, self.found.claim.caveat)))

    @property
    def command(self) -> str:
        return claim_parts.multiverse_command(self.found, self.source, self.options)

    def sentences(self) -> Sequence[Sentence]:
        return multiverse_sentences(self.found)

    def tables(self) -> Sequence[Table]:
        made = [
            claim_parts.flipping_table(self.found, self.command),
            claim_parts.universes_table(self.found, self.command),
        ]
        return [table for table in made if table is not None]

    def figures(self) -> Sequence[Picture]:
        return [claim_parts.curve_picture(self.found, self.command)]

    def glosses(self) -> Sequence[Gloss]:
        return [gloss(self.found.claim.metric)]

    def method(self) -> Sequence[Fact]:
        claim, found = self.found.claim, self.found
        how = "fully crossed" if found.crossed else "one at a time"
        swept = shlex.join(claim.rulings) if claim.rulings else "none"
        return [
            made_by(claim.game.name),
            Fact("Check it again", self.command, code=True),
            Fact("Claim", claim.formula, code=True),
            Fact(
                "Universes",
                f"{len(found.frame)}: bots {', '.join((claim.bots, *claim.more_bots))}; rulings {how}: {swept}",
            ),
            Fact(
                "Games",
                f"at most {numbers.count(found.games)} of each variant in a universe; seed {claim.seed}, the same deals in all",
            ),
            Fact(
                "Error rate",
                f"{100 * claim.error_rate:g} % in each universe by itself, not adjusted for their number: the universes are not"
                " a sample, and the share of them that supports a claim is no probability.",
            ),
        ]


def multiverse_sentences(found: Multiverse) -> list[Sentence]:
    """What the universes say."""
    counts, whole = found.counts(), len(found.frame)
    base = found.base if found.frame["is_base"].any() else None
    parts = ", ".join(f"{count} {name}" for name, count in counts.items())
    first = (*_as_it_stands(found, base), f"Of {whole} universes: {parts}{_reach(found)}.")
    flipping = found.flipping()
    if flipping.empty:
        opposite = "No choice of bots or rulings turns the verdict into its opposite."
        return [first, (opposite,)] if base is not None and base["verdict"] != "undecided" else [first]
    named: list[str | Code] = ["It is flipped most often by "]
    for i, (_, row) in enumerate(flipping.head(3).iterrows()):
        named += [", " if i else "", Code(str(row["choice"])), f" ({row['flipped']} of {row['universes']} universes)"]
    return [first, (*named, ".")]


def _as_it_stands(found: Multiverse, base: pd.Series | None) -> Sentence:
    """The verdict and the number of the claim itself."""
    if base is None:
        return ()
    unit = claim_parts.unit_of(found.claim)
    value, limits = claim_parts.estimate_text(float(base["estimate"]), float(base["low"]), float(base["high"]), unit)
    end = f" is {value}{_unit_word(found.claim)} ({limits}), claimed {claim_parts.claimed(found.claim)}. "
    said = f"As it stands, with {base['bots']} bots, the claim is {base['verdict']}: "
    return (said, Code(found.claim.theta), end)


def _reach(found: Multiverse) -> str:
    """Between which numbers the universes lie."""
    values = found.frame["estimate"].astype(float).dropna()
    if values.empty:
        return ""
    unit = claim_parts.unit_of(found.claim)
    least, most = (claim_parts.estimate_text(v, v - 1e-2, v + 1e-2, unit)[0] for v in (values.min(), values.max()))
    return f"; the number lies between {least} and {most}{_unit_word(found.claim)}"
