"""The method box: how the numbers of a run came about, for a reader who wants to doubt them."""

from __future__ import annotations

import numpy as np

from analysis.estimate import counted
from analysis.paired import EFFECT_SIZE
from reports import numbers
from reports.commands import shown_command
from reports.parts import Fact
from reports.view import LEVEL, View


def method(view: View) -> list[Fact]:
    """All that is needed to make the numbers again and to judge them."""
    m = view.run.manifest
    facts = [
        Fact("Made by", f"Kozyr {m.kozyr}, simulator code {m.code}"),
        Fact("Play it again", view.play_command, code=True),
        Fact("Command as it was given", shown_command(m.command) or "none (from Python)", code=bool(m.command)),
        Fact("Seed", str(m.seed)),
        Fact("Games", _games(view)),
        Fact("Digest of the results", m.digest or "none: the run is not complete", code=bool(m.digest)),
        Fact("Intervals", _intervals(view)),
        Fact("Fairness", _fairness(view)),
    ]
    if view.differences is not None:
        facts += [
            Fact("Differences", _pairing(view)),
            Fact("Effect size", EFFECT_SIZE),
            Fact("Many comparisons", _adjustment(view)),
        ]
    return [*facts, Fact("Capped games", _capped(view)), Fact("Seats", _seating(view))]


def _games(view: View) -> str:
    m = view.run.manifest
    each = f"each of {len(m.variants)} variants" if len(m.variants) > 1 else "the one variant"
    played = f"{numbers.count(view.games)} for {each}"
    shards = int(view.run.tallies.variants[view.base].done.sum())
    text = f"{played}, in {counted(shards, 'shard')} of {numbers.count(m.shard_games)}"
    return text if view.whole.tallies.complete else f"{text}; the run is not complete ({numbers.count(m.games)} wanted)"


def _intervals(view: View) -> str:
    methods = sorted({str(method) for method in view.everything["method"] if method != "none"})
    return (
        f"{LEVEL:.0%} each by itself; by kind of number: {'; '.join(methods)}. Shards are independent whatever depends"
        " on what inside a game, so rounds and players are counted as clusters of their game."
    ).replace("%", " %")


def _fairness(view: View) -> str:
    for metric in view.seat_metrics:
        found = view.seats(metric, view.base)
        if found:
            return f"{found.seats[0].method}; equality of all seats by {found.equality.method}."
    return "this game has no metric by seat with a fair value."


def _pairing(view: View) -> str:
    frame = view.differences
    if frame is None:
        return ""
    gains = frame["gain"].to_numpy(dtype=float)
    gains = gains[np.isfinite(gains)]
    text = "variants play the same deals (common random numbers); a paired difference is a difference per shard"
    if not gains.size:
        return f"{text}."
    low, middle, high = (numbers.plain(float(np.quantile(gains, q)), 2) for q in (0, 0.5, 1))
    return (
        f"{text}. Measured gain: one paired game was worth {middle} unpaired games in the median over the headline"
        f" differences ({low} to {high})."
    )


def _adjustment(view: View) -> str:
    frame = view.differences
    if frame is None:
        return ""
    return (
        f"p values of the headline: {frame['adjustment'].iloc[0]}. Intervals are not adjusted. The table of every"
        " difference is a family of its own."
    )


def _capped(view: View) -> str:
    frame = view.everything
    bracketed = frame[frame["capped_low"].notna()]
    if bracketed.empty:
        return "no number here depends on how capped games are counted."
    widest = float((bracketed["capped_high"].astype(float) - bracketed["capped_low"].astype(float)).max())
    return (
        "never dropped: counted as lost in the value; the table of every number shows them counted as lost and as won"
        f" (the two are at most {numbers.plain(100 * widest, 2)} percentage points apart)."
    )


def _seating(view: View) -> str:
    if view.run.manifest.rotate_seats:
        return "every seating of the bots is played evenly (--rotate-seats)."
    return "the bots keep the seats of --bots in all games."
