"""Claims, their multiverses and sensitivities as tables and pictures of a report."""

from __future__ import annotations

import math
import shlex
from collections.abc import Sequence
from functools import partial

import numpy as np
import pandas as pd

from analysis.check import FIRST_LOOK
from analysis.claim import Claim
from analysis.multiverse import Multiverse
from analysis.samplesize import Needed
from analysis.verdicts import Verdict, verdict_frame
from reports import numbers
from reports.figures import curve, sequence
from reports.parts import Cell, Column, Panel, Picture, Table

MARKS = {"supported": "●", "refuted": "✕", "undecided": "○"}
"""The signs of the verdicts, in tables and in the specification curve."""
MOST_PANELS = 24
"""So many claims' sequences are drawn."""


def unit_of(claim: Claim) -> str:
    """The unit of the claim's number."""
    unit = claim.metric.unit
    return unit if claim.baseline is None else numbers.difference_unit(unit)


def asked(claim: Claim) -> curve.Asked:
    """The claim as a picture needs it."""
    m, far = claim.margin, math.inf
    holds = {
        "greater": ((m, far),),
        "less": ((-far, m),),
        "within": ((-m, m),),
        "beyond": ((-far, -m), (m, far)),
    }
    return curve.Asked(unit_of(claim), numbers.unit_name(unit_of(claim)), holds[claim.direction])


def claimed(claim: Claim) -> str:
    """What is claimed of the number: ``< −1 pp``, ``within ± 1 pp``."""
    unit = unit_of(claim)
    scaled = claim.margin * (100 if numbers.is_share(unit) else 1)
    places = next((p for p in range(5) if math.isclose(round(scaled, p), scaled, abs_tol=1e-9)), 4)
    margin = numbers.amount(claim.margin, unit, places).lstrip("+")
    words = {"greater": "> {}", "less": "< {}", "within": "within ± {}", "beyond": "beyond ± {}"}
    return words[claim.direction].format(margin)


def estimate_text(value: float, low: float, high: float, unit: str) -> tuple[str, str]:
    """A number and its interval as people read them."""
    if value != value:
        return numbers.NOTHING, ""
    if math.isinf(low) or math.isinf(high):
        places = numbers.places_for(unit, value - abs(value) / 20, value + abs(value) / 20)
    else:
        places = numbers.places_for(unit, low, high)
    return numbers.amount(value, unit, places), numbers.interval(low, high, unit, places)


def verdict_cell(verdict: str, more: str = "") -> Cell:
    """A verdict with its sign."""
    return Cell(f"{MARKS[verdict]} {verdict}", verdict, more)


def more_games(v: Verdict) -> str:
    """How many more games an undecided claim needs, in words."""
    need = v.needed
    if need is None:
        return ""
    if math.isinf(v.estimate.low) and math.isinf(v.estimate.high):
        return _first_interval(v)
    if need.more_games is None:
        return "at the noise and estimate so far no number of games would decide it: the estimate lies at the margin"
    if need.more_games == 0:
        return (
            "far enough from its margin, but games are too few or too uneven yet for the test to speak: play more games"
        )
    return (
        f"at the noise and estimate so far, about {_rough(need.more_games)} more games would decide it{_reach_of(need)}"
    )


def _reach_of(need: Needed) -> str:
    """How sure a forecast is: what it would be, were the true value one standard error nearer to the margin, or farther."""
    if need.optimistic is None or need.optimistic == need.pessimistic:
        return ""
    least = f"from about {_rough(need.optimistic)}" if need.optimistic else "perhaps a few"
    if need.pessimistic is None:
        return f" ({least}; no number would be enough if the true value is at the margin)"
    return f" ({least} to {_rough(need.pessimistic)}, as the estimate is itself uncertain)"


def _rough(games: int) -> str:
    """A forecast's number to the two digits that it is worth at most."""
    return f"{round(games, 2 - len(str(games))) if games > 99 else games:,}"


def _first_interval(v: Verdict) -> str:
    """What an undecided claim lacks that has no interval at all."""
    shard, played = int(v.sequence.games[0]), len(v.sequence.games)
    if played < FIRST_LOOK:
        return f"no interval yet: about {(FIRST_LOOK - played) * shard:,} more games until the first look; raise --max-games"
    return "no interval yet: shards are too few or too uneven for one; play more games, and it says how many decide it"


def claims_table(verdicts: Sequence[Verdict], command: str) -> Table:
    """Every claim with its verdict."""
    columns = (
        Column("claim", numeric=False),
        Column("verdict", numeric=False),
        Column("found"),
        Column("claimed", numeric=False),
        Column("games"),
        Column("bots", numeric=False),
        Column("what else is to be said", numeric=False),
    )
    note = (
        "Small: the interval, which holds at all times; each limit errs with the error rate given under Method. An undecided"
        " claim needs more games, or lies too near its margin."
    )
    rows = tuple(_claim_row(v) for v in verdicts)
    return Table("verdicts", "Claims and verdicts", columns, rows, verdict_frame(verdicts), command, note)


def _claim_row(v: Verdict) -> tuple[Cell, ...]:
    value, limits = estimate_text(v.estimate.value, v.estimate.low, v.estimate.high, unit_of(v.claim))
    return (
        Cell(v.claim.id, code=True),
        verdict_cell(v.verdict),
        Cell(value, "" if math.isnan(v.estimate.value) else v.estimate.value, limits),
        Cell(claimed(v.claim), v.claim.margin),
        Cell(numbers.count(v.games), float(v.games)),
        Cell(v.bots),
        Cell("; ".join(filter(None, (more_games(v), v.note))) or numbers.NOTHING),
    )


def readings_table(verdicts: Sequence[Verdict], command: str) -> Table:
    """What the text says, and how each claim reads it."""
    columns = tuple(
        Column(title, numeric=False) for title in ("claim", "the text says", "read as", "mind", "number", "source")
    )
    rows = tuple(
        (
            Cell(v.claim.id, code=True),
            Cell(v.claim.sentence),
            Cell(v.claim.reading or numbers.NOTHING),
            Cell(v.claim.caveat or numbers.NOTHING),
            Cell(v.claim.theta, code=True, gloss=v.claim.metric.name),
            Cell(v.claim.source or numbers.NOTHING),
        )
        for v in verdicts
    )
    columns_ = ["claim", "sentence", "reading", "caveat", "formula", "source"]
    return Table(
        "readings", "How the sentences are read", columns, rows, verdict_frame(verdicts)[columns_], command, folded=True
    )


def sequences_picture(verdicts: Sequence[Verdict], command: str) -> Picture | None:
    """The confidence sequences of the claims, closing in."""
    drawn = [v for v in verdicts if np.isfinite(v.sequence.value).any()][:MOST_PANELS]
    if not drawn:
        return None
    courses = [course(v) for v in drawn]
    panels = tuple(_sequence_panel(v, c) for v, c in zip(drawn, courses, strict=True))
    frames = [_course_frame(v, c) for v, c in zip(drawn, courses, strict=True)]
    caption = (
        "The estimate and its interval while the games are played. The blue band may be looked at whenever one likes; where it"
        " is not drawn, shards are too few yet for an interval. The dotted one is for a number of games fixed beforehand:"
        " whoever waits until that leaves the margin goes wrong far more often than it says. Grey: where the claim holds; dashed:"
        " its margin. The upright line is the moment at which the verdict fell; what follows was played until the next look."
    )
    if len(verdicts) > len(drawn):
        caption += f" {len(drawn)} of {len(verdicts)} claims are drawn."
    title = "Closing in"
    return Picture("sequences", title, caption, panels, pd.concat(frames, ignore_index=True), command)


def course(v: Verdict) -> sequence.Course:
    """The moments of a claim's sequence that are drawn."""
    s = v.sequence
    decided = v.decision.games if v.verdict != "undecided" else None
    whole = sequence.Course(s.games, s.value, s.low, s.high, v.usual[0], v.usual[1], decided, v.verdict)
    return sequence.thinned(whole)


def _course_frame(v: Verdict, c: sequence.Course) -> pd.DataFrame:
    columns = {"games": c.games, "value": c.value, "low": c.low, "high": c.high}
    columns |= {"usual_low": c.usual_low, "usual_high": c.usual_high}
    return pd.DataFrame({"claim": v.claim.id, **columns})


def _sequence_panel(v: Verdict, c: sequence.Course) -> Panel:
    value, limits = estimate_text(v.estimate.value, v.estimate.low, v.estimate.high, unit_of(v.claim))
    when = f"{v.verdict} after {c.decided:,} games" if c.decided is not None else f"undecided after {v.games:,} games"
    alt = f"{v.claim.theta}, claimed {claimed(v.claim)}: {when}; estimate {value} ({limits})"
    title = f"{v.claim.id}: {claimed(v.claim)}"
    return Panel(title, alt, partial(sequence.sequence, c, asked(v.claim)), v.claim.metric.name)


# --- multiverse -------------------------------------------------------------------------------------------------------


def multiverse_command(found: Multiverse, source: str, options: Sequence[str] = ()) -> str:
    """The command that plays the multiverse again; `options` are those that it was asked for with."""
    words = ["kozyr", "check", source, "--claim", found.claim.id, "--multiverse", *options]
    return shlex.join([*words, "--out", f"runs/{found.claim.id}"])


def curve_picture(found: Multiverse, command: str) -> Picture:
    """The specification curve."""
    universes = [
        curve.Universe(*_numbers(row), str(row["verdict"]), bool(row["is_base"])) for _, row in found.frame.iterrows()
    ]
    draw = partial(curve.specification_curve, universes, found.choices(), asked(found.claim))
    how = "all combinations of rulings" if found.crossed else "one ruling changed at a time"
    caption = (
        f"Every universe of the claim, {how}, under each table of bots, in order of its number; below, what makes it. Grey: where"
        " the claim holds; dashed: its margin. Very wide intervals are cut."
    )
    panel = Panel(
        f"{found.claim.theta}: claimed {claimed(found.claim)}", curve_words(found), draw, found.claim.metric.name
    )
    return Picture("curve", "Specification curve", caption, (panel,), found.frame, command, columns=2)


def _numbers(row: pd.Series) -> tuple[float, float, float]:
    return float(row["estimate"]), float(row["low"]), float(row["high"])


def curve_words(found: Multiverse) -> str:
    """What the specification curve says."""
    unit, numbers_ = unit_of(found.claim), found.frame["estimate"].astype(float)
    least, most = (estimate_text(v, v, v, unit)[0] for v in (_rounded(numbers_.min()), _rounded(numbers_.max())))
    counts = ", ".join(f"{count} {name}" for name, count in found.counts().items())
    base = f"as it stands (bots {found.base['bots']}): {found.base['verdict']}" if found.frame["is_base"].any() else ""
    return f"{found.claim.theta} in {len(found.frame)} universes, from {least} to {most}: {counts}; {base}"


def _rounded(value: float) -> float:
    """Three significant digits: enough for a description."""
    return float(f"{value:.3g}") if math.isfinite(value) else value


def universes_table(found: Multiverse, command: str) -> Table:
    """Every universe with its verdict."""
    unit = unit_of(found.claim)
    columns = (
        Column("bots", numeric=False),
        Column("rulings changed", numeric=False),
        Column("verdict", numeric=False),
        Column("found"),
        Column("against the claim as it stands"),
        Column("games"),
    )
    rows = []
    for _, row in found.frame.iterrows():
        value, limits = estimate_text(*_numbers(row), unit)
        shift = estimate_text(float(row["shift"]), float(row["low"]), float(row["high"]), unit)[0]
        same = f"plays the same as {row['same']}" if row["same"] else ""
        rows.append(
            (
                Cell(str(row["bots"])),
                Cell(str(row["settings"]) or "none: as it stands", code=bool(row["settings"]), interval=same),
                verdict_cell(str(row["verdict"]), "flips" if row["flips"] else ""),
                Cell(value, "" if value == numbers.NOTHING else float(row["estimate"]), limits),
                Cell(shift, "" if shift == numbers.NOTHING else float(row["shift"])),
                Cell(numbers.count(int(row["games"])), float(row["games"])),
            )
        )
    note = f"At most {numbers.count(found.games)} games of each variant in a universe."
    if found.left_out:
        note += f" Left out: {'; '.join(found.left_out)}."
    return Table("universes", "All universes", columns, tuple(rows), found.frame, command, note, folded=True)


def flipping_table(found: Multiverse, command: str) -> Table | None:
    """Which bots and rulings flip the verdict."""
    frame = found.flipping()
    if frame.empty:
        return None
    unit = unit_of(found.claim)
    columns = (
        Column("choice", numeric=False),
        Column("universes with it"),
        Column("of these flipped"),
        Column("its mean shift of the number"),
    )
    rows = tuple(
        (
            Cell(str(row["choice"]), code=True),
            Cell(numbers.count(int(row["universes"])), float(row["universes"])),
            Cell(f"{row['flipped']} ({100 * row['share']:.0f}{numbers.NARROW}%)", float(row["share"])),
            Cell(estimate_text(row["mean_shift"], -1e-3, 1e-3, unit)[0], float(row["mean_shift"])),
        )
        for _, row in frame.iterrows()
    )
    note = "Mean shift: the mean number of the universes with this choice less that of all others."
    return Table("flipping", "What flips the verdict", columns, rows, frame, command, note)
