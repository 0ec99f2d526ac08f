"""Games worth a look: of each variant the longest, the most turned-about and the most typical one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.estimate import FloatArray
from analysis.find import Interest, columns_for, each_game, interest_of, replay_command
from analysis.where import parse
from reports import numbers
from reports.parts import SampleGame
from reports.view import View, title_of
from simcore.games.base import Event
from simcore.metrics import Ints
from simcore.replay import replay_variant
from simcore.sources import code_hash

SEARCHED = 2_000
"""Games of each variant among which they are looked for."""
MOST_VARIANTS = 12
MOST_EVENTS = 60_000
"""Events in all of a report's section; at some fifteen bytes each a page stays well below five megabytes."""
LONGEST = 2_500
BEGINNINGS = ("round", "circle", "deal", "session")
"""Events that begin a part of a game that can be left out."""


@dataclass(frozen=True)
class _Chosen:
    index: int
    why: str
    numbers: str


def can_be_played(view: View) -> bool:
    """Whether this simulator plays the run's games as they were played."""
    return view.run.manifest.code == code_hash(view.run.game.name)


def games_note(view: View) -> str:
    """Among which games they were looked for, or why there are none."""
    if not can_be_played(view):
        return "No games are shown, as the run was played by another version of the simulator than wrote this report."
    searched = numbers.count(min(SEARCHED, view.run.manifest.games))
    cut = f" (variants 1 to {MOST_VARIANTS})" if len(view.drawn) > MOST_VARIANTS else ""
    which = "the longest, the most turned-about, the most typical one; the numbers are counts of that whole game"
    return f"Among the first {searched} games of each variant{cut}: {which}."


def sample_games(view: View) -> list[SampleGame]:
    """The games, in order of variant; none where the run's games cannot be played again."""
    if not can_be_played(view):
        return []
    shown = view.drawn[:MOST_VARIANTS]
    found = _rows(view)
    chosen = [(variant, one) for variant in shown for one in _choose(view, variant, *found[variant])]
    room = min(LONGEST, MOST_EVENTS // max(len(chosen), 1))
    return [_sample(view, variant, one, room) for variant, one in chosen]


def _rows(view: View) -> dict[int, tuple[Ints, Ints]]:
    """Variant -> indices and rows of the games searched, in order of index."""
    parts: dict[int, list[tuple[Ints, Ints]]] = {}
    each_game(view.run, SEARCHED, lambda variant, index, rows: parts.setdefault(variant, []).append((index, rows)))
    joined = {}
    for variant, found in parts.items():
        index, rows = np.concatenate([i for i, _ in found]), np.vstack([r for _, r in found])
        order = np.argsort(index)
        joined[variant] = (index[order], rows[order])
    return joined


def _choose(view: View, variant: int, index: Ints, rows: Ints) -> list[_Chosen]:
    """Up to three games; one that is chosen twice is told once."""
    interest = interest_of(view.run.game)
    orders = {
        "longest": _values(view, variant, interest.longest, index, rows),
        "most turned about": _values(view, variant, interest.turned, index, rows),
        "most typical": -_distance(view, variant, interest, index, rows),
    }
    picked: dict[int, list[str]] = {}
    for why, values in orders.items():
        picked.setdefault(int(np.argmax(np.where(np.isnan(values), -np.inf, values))), []).append(why)
    return [
        _Chosen(
            int(index[at]),
            " and ".join(whys),
            _in_words(view, variant, interest, index[at : at + 1], rows[at : at + 1]),
        )
        for at, whys in picked.items()
    ]


def _values(view: View, variant: int, text: str, index: Ints, rows: Ints) -> FloatArray:
    expression = parse(text, "interest", "number")
    players = view.run.manifest.variants[variant].rules.players
    return expression.evaluate(columns_for(view.run.game, players, expression.names, rows, index))


def _distance(view: View, variant: int, interest: Interest, index: Ints, rows: Ints) -> FloatArray:
    """Distance of each game to the mean, in standard deviations of each number, squared and added."""
    total = np.zeros(len(index))
    for name in interest.typical:
        values = _values(view, variant, name, index, rows)
        sd = float(np.nanstd(values))
        if sd > 0:
            total += ((values - np.nanmean(values)) / sd) ** 2
    return total


def _in_words(view: View, variant: int, interest: Interest, index: Ints, row: Ints) -> str:
    names = [name for text in (interest.longest, interest.turned) for name in parse(text, "interest", "number").names]
    told = dict.fromkeys([*names, *interest.typical])
    values = {name: float(_values(view, variant, name, index, row)[0]) for name in told}
    return ", ".join(f"{title_of(name)} {numbers.plain(value, 0)}" for name, value in values.items() if value == value)


def _sample(view: View, variant: int, chosen: _Chosen, room: int) -> SampleGame:
    m = view.run.manifest
    played = m.variants[variant]
    replay = replay_variant(m.game, played, m.seed, chosen.index, m.rotate_seats)
    return SampleGame(
        f"{variant}-{chosen.index}",
        played.label,
        chosen.why,
        f"game {numbers.count(chosen.index)}: {chosen.numbers}",
        replay_command(m.game, played, m.seed, chosen.index, m.rotate_seats),
        m.game.name,
        shortened(list(replay.events), room),
    )


def shortened(events: list[Event], room: int) -> list[Event]:
    """The events, or the first and the last whole parts of them with a ``gap`` between, about `room` in all."""
    if len(events) <= room:
        return events
    begins = [i for i, event in enumerate(events) if event["event"] in BEGINNINGS]
    first = max((i for i in begins if i <= room // 2), default=0)
    last = min((i for i in begins if i >= len(events) - room // 2 and i > first), default=len(events) - room // 2)
    if first <= 1:
        first = min((i for i in begins if i > 1), default=room // 2)
    if last <= first:
        return events[:room]
    left_out = events[first:last]
    gap: Event = {"event": "gap", "left_out": len(left_out)}
    told = next((event for event in reversed(left_out) if "total" in event), {})
    return [*events[:first], gap | {key: told[key] for key in ("total", "round") if key in told}, *events[last:]]
