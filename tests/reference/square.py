"""A second game of Square, in plain Python: `play` makes an event stream, `check` judges one.

Written from the rules page and sharing nothing with the simulator, slow and plain on purpose.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .square_check import DealReport, Report, RuleViolation, check
from .square_table import (
    DEFAULTS,
    PACK,
    Action,
    Event,
    Rules,
    Square,
    deal_scores,
    empty_square,
    lay,
    legal_actions,
    outcome,
    worth,
)

__all__ = ["BOTS", "DealReport", "Report", "RuleViolation", "check", "play"]


@dataclass
class View:
    """What a player sees: the own hand, the table, and sizes; nobody else's cards."""

    seat: int
    hand: list[str]
    own: Square
    other: Square
    discards: list[str]
    hand_sizes: list[int]
    pack_size: int
    rules: Rules


@dataclass
class Bot:
    """Three decisions: end the deal?, consent to the partner's end?, which action?"""

    end: Callable[[View, random.Random], bool]
    consent: Callable[[View, random.Random], bool]
    move: Callable[[View, list[Action], random.Random], Action]


def _coin(view: View, rng: random.Random) -> bool:
    return rng.random() < 0.5


def _any_action(view: View, actions: list[Action], rng: random.Random) -> Action:
    return rng.choice(actions)


def _filling_action(view: View, actions: list[Action], rng: random.Random) -> Action:
    """Prefer what adds to the own worth, then any card into the own square, to reach high worths."""

    def gain(action: Action) -> tuple[int, bool]:
        own = {place: list(pile) for place, pile in view.own.items()}
        other = {place: list(pile) for place, pile in view.other.items()}
        before = worth(own, view.rules) - worth(other, view.rules)
        lay(action, own, other, [])
        after = worth(own, view.rules) - worth(other, view.rules)
        return after - before, action.to == "own" and action.card[0] not in "JQ"

    gains = [gain(action) for action in actions]
    best = max(gains)
    return rng.choice([action for action, had in zip(actions, gains, strict=True) if had == best])


def _seldom(view: View, rng: random.Random) -> bool:
    return rng.random() < 0.1


BOTS: dict[str, Bot] = {
    "random": Bot(end=_coin, consent=_coin, move=_any_action),
    "filler": Bot(end=_seldom, consent=_coin, move=_filling_action),
    "ender": Bot(end=_coin, consent=_coin, move=_filling_action),
}


def play(rules: Mapping[str, Any], bots: Sequence[str], rng: random.Random) -> list[Event]:
    """Play one match and return its event stream.

    Parameters
    ----------
    rules : mapping
        Options that differ from their defaults.
    bots : sequence of str
        A name of `BOTS` for each seat, or one for all.
    rng : random.Random
        Source of the deals and of the bots' dice.
    """
    full = {**DEFAULTS, **rules}
    seats = full["players"]
    names = list(bots) * seats if len(bots) == 1 else list(bots)
    events: list[Event] = [
        {
            "event": "game",
            "game": "square",
            "seed": 0,
            "index": 0,
            "rules": full,
            "bots": names,
        }
    ]
    totals = [0, 0]
    dealer = rng.randrange(seats)
    deals = 0
    over, winner, capped = False, None, False
    while not over:
        deals += 1
        scores = _Deal(full, names, rng, events).run(deals, dealer, totals)
        totals = [total + score for total, score in zip(totals, scores, strict=True)]
        over, winner, capped = outcome(totals, deals, full)
        dealer = (dealer + 1) % seats
    events.append({"event": "game_end", "winner": winner, "capped": capped, "total": totals})
    return events


class _Deal:
    """One deal being played."""

    def __init__(self, rules: Rules, bots: list[str], rng: random.Random, events: list[Event]) -> None:
        self.rules = rules
        self.bots = [BOTS[name] for name in bots]
        self.rng = rng
        self.events = events
        self.squares = [empty_square(), empty_square()]
        self.discards: list[str] = []
        self.refused: set[int] = set()
        cards = rng.sample(PACK, len(PACK))
        size = rules["hand_size"]
        self.hands = [cards[seat * size : (seat + 1) * size] for seat in range(rules["players"])]
        self.pack = cards[rules["players"] * size :]

    def run(self, number: int, dealer: int, totals: list[int]) -> list[int]:
        seats = self.rules["players"]
        seat = dealer if self.rules["first"] == "dealer" else (dealer + 1) % seats
        self.events.append(
            {
                "event": "deal",
                "deal": number,
                "dealer": dealer,
                "first": seat,
                "hands": [list(hand) for hand in self.hands],
                "pack": list(self.pack),
            }
        )
        ender = None
        while self.pack:
            if self.wants_end(seat):
                ender = seat % 2
                self.events.append({"event": "end", "seat": seat})
                break
            self.take_turn(seat)
            seat = (seat + 1) % seats
        worths = [worth(square, self.rules) for square in self.squares]
        scores = deal_scores(worths, ender, self.rules)
        self.events.append(
            {
                "event": "deal_end",
                "why": "pack" if ender is None else "ended",
                "worth": worths,
                "score": scores,
                "total": [total + score for total, score in zip(totals, scores, strict=True)],
            }
        )
        return scores

    def view(self, seat: int) -> View:
        return View(
            seat,
            self.hands[seat],
            self.squares[seat % 2],
            self.squares[1 - seat % 2],
            self.discards,
            [len(hand) for hand in self.hands],
            len(self.pack),
            self.rules,
        )

    def wants_end(self, seat: int) -> bool:
        if worth(self.squares[seat % 2], self.rules) < self.rules["end_at"]:
            return False
        if seat in self.refused or not self.bots[seat].end(self.view(seat), self.rng):
            return False
        if self.rules["players"] == 2 or self.rules["consult"] == "free":
            return True
        partner = (seat + 2) % 4
        answer = self.bots[partner].consent(self.view(partner), self.rng)
        self.events.append({"event": "ask", "seat": seat, "answer": answer})
        if not answer:
            self.refused.add(seat)
        return answer

    def take_turn(self, seat: int) -> None:
        if self.rules["draw"] == "before":
            self.draw(seat)
        own, other = self.squares[seat % 2], self.squares[1 - seat % 2]
        actions = legal_actions(self.hands[seat], own, other, self.rules)
        action = self.bots[seat].move(self.view(seat), actions, self.rng)
        self.hands[seat].remove(action.card)
        lay(action, own, other, self.discards)
        self.events.append({"event": "play", "seat": seat, **action._asdict()})
        if self.rules["draw"] == "after":
            self.draw(seat)

    def draw(self, seat: int) -> None:
        card = self.pack.pop(0)
        self.hands[seat].append(card)
        self.events.append({"event": "draw", "seat": seat, "card": card})
