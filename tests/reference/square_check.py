"""Judge of an event stream of Square: re-derives every fact from the rules page alone.

Shares nothing with the simulator. `check` raises `RuleViolation` at the first event that the page does
not allow, that is out of place, or that tells something untrue.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from .square_table import (
    OPTIONS,
    PACK,
    Action,
    Square,
    deal_scores,
    empty_square,
    lay,
    legal_actions,
    outcome,
    worth,
)


class RuleViolation(AssertionError):
    """An event that the rules page does not allow: its number in the stream, and what the page says."""

    def __init__(self, number: int, event: Mapping[str, Any] | None, page: str) -> None:
        super().__init__(f"event {number} {event}: {page}")
        self.number = number
        self.page = page


@dataclass
class DealReport:
    """What happened in one deal, counted by the checker from the events alone.

    `uses` counts plays by (class of card, where to), the class being `number`, `T`, `J`, `Q` or `K`; `gift_cost` is by
    giving side the sum of the worth that its gifts took from the other side at the moment of laying (negative where a
    gift added worth), `jack_cost` the part of the jacks; `squares` are the two squares as they lay at the end.
    """

    first: int
    dealer: int
    turns: int = 0
    why: str = ""
    ender: int | None = None
    worth: list[int] = field(default_factory=list)
    score: list[int] = field(default_factory=list)
    total: list[int] = field(default_factory=list)
    asks: int = 0
    vetoes: int = 0
    uses: Counter[tuple[str, str]] = field(default_factory=Counter)
    gifts: list[int] = field(default_factory=lambda: [0, 0])
    gift_cost: list[int] = field(default_factory=lambda: [0, 0])
    jack_cost: int = 0
    actions: int = 0
    squares: list[Square] = field(default_factory=list)


@dataclass
class Report:
    """Facts of a checked match."""

    rules: dict[str, Any] = field(default_factory=dict)
    deals: list[DealReport] = field(default_factory=list)
    winner: int | None = None
    capped: bool = False
    total: list[int] = field(default_factory=list)
    events: int = 0


def check(events: Iterable[Mapping[str, Any]]) -> Report:
    """Judge one match's stream by the rules page.

    Returns
    -------
    Report
        The match in numbers, for comparison with a batch's own.

    Raises
    ------
    RuleViolation
        At the first event that breaks a rule, is out of place, or tells something untrue.
    """
    judge = _Judge()
    for event in events:
        judge.hear(event)
    return judge.close()


class _Judge:
    """Follows a stream; `stage` says what the page allows next.

    Stages: `game`, `deal`, `turn` (a seat is about to move), `consented` (its partner agreed, so it
    must end), `play`, `draw` (after the play), `deal_end`, `closed`.
    """

    KEYS: Mapping[str, frozenset[str]] = {
        "game": frozenset({"game", "seed", "index", "rules", "bots"}),
        "deal": frozenset({"deal", "dealer", "first", "hands", "pack"}),
        "ask": frozenset({"seat", "answer"}),
        "draw": frozenset({"seat", "card"}),
        "play": frozenset({"seat", "card", "to", "place"}),
        "end": frozenset({"seat"}),
        "deal_end": frozenset({"why", "worth", "score", "total"}),
        "game_end": frozenset({"winner", "capped", "total"}),
    }

    def __init__(self) -> None:
        self.report = Report()
        self.stage = "game"
        self.number = -1
        self.event: Mapping[str, Any] | None = None
        self.rules: dict[str, Any] = {}
        self.totals = [0, 0]
        self.dealer: int | None = None

    # -- the frame ------------------------------------------------------------------------------

    def fail(self, page: str) -> NoReturn:
        raise RuleViolation(self.number, self.event, page)

    def require(self, holds: bool, page: str) -> None:
        if not holds:
            self.fail(page)

    def at(self, *stages: str) -> None:
        self.require(self.stage in stages, f"out of order: the page expects '{self.stage}' here")

    def hear(self, event: Mapping[str, Any]) -> None:
        self.number += 1
        self.event = event
        name = event.get("event")
        self.require(name in self.KEYS, f"unknown event {name!r}")
        missing = self.KEYS[str(name)] - event.keys()
        self.require(not missing, f"keys missing: {sorted(missing)}")
        getattr(self, f"on_{name}")(event)

    def close(self) -> Report:
        self.event = None
        self.require(self.stage == "closed", f"the stream stops where '{self.stage}' should come")
        self.report.events = self.number + 1
        return self.report

    # -- the match ------------------------------------------------------------------------------

    def on_game(self, event: Mapping[str, Any]) -> None:
        self.at("game")
        self.require(event["game"] == "square", "this is a game of square")
        rules = dict(event["rules"])
        self.require(set(rules) == set(OPTIONS), "`rules` names every option of the page, no other")
        for name, value in rules.items():
            allowed = OPTIONS[name][0]
            known = value in allowed and not isinstance(value, bool)
            self.require(known, f"{name}={value!r} is no value of the page")
        self.require(len(event["bots"]) == rules["players"], "one bot a seat")
        for name in ("seed", "index"):
            self.require(_is_count(event[name]), f"{name} is a whole number from 0")
        self.rules = self.report.rules = rules
        self.stage = "deal"

    def on_game_end(self, event: Mapping[str, Any]) -> None:
        self.at("game_end")
        _, winner, capped = outcome(self.totals, len(self.report.deals), self.rules)
        self.require(_same(event["winner"], winner), f"the winner is {winner}")
        self.require(event["capped"] is capped, f"capped is {capped}")
        self.require(list(event["total"]) == self.totals, f"the totals are {self.totals}")
        self.report.winner, self.report.capped, self.report.total = winner, capped, self.totals
        self.stage = "closed"

    # -- the deal -------------------------------------------------------------------------------

    def on_deal(self, event: Mapping[str, Any]) -> None:
        self.at("deal")
        seats = self.rules["players"]
        number = len(self.report.deals) + 1
        self.require(_same(event["deal"], number), f"this is deal {number}")
        if self.dealer is None:
            self.require(event["dealer"] in range(seats), f"a dealer is a seat below {seats}")
            self.dealer = event["dealer"]
        else:
            self.dealer = (self.dealer + 1) % seats
        self.require(_same(event["dealer"], self.dealer), f"the dealer is seat {self.dealer}")
        first = self.dealer if self.rules["first"] == "dealer" else (self.dealer + 1) % seats
        self.require(_same(event["first"], first), f"seat {first} begins")
        self.hands = [list(hand) for hand in event["hands"]]
        self.pack = list(event["pack"])
        sizes = [len(hand) for hand in self.hands]
        self.require(sizes == [self.rules["hand_size"]] * seats, "everyone gets hand_size cards")
        cards = [card for hand in self.hands for card in hand] + self.pack
        self.require(sorted(cards) == sorted(PACK), "hands and pack are the 52 cards, each once")
        self.squares = [empty_square(), empty_square()]
        self.discards: list[str] = []
        self.refused: set[int] = set()
        self.seat = first
        self.drawn = False
        self.report.deals.append(DealReport(first=first, dealer=self.dealer))
        self.stage = "turn"

    def on_deal_end(self, event: Mapping[str, Any]) -> None:
        self.at("deal_end")
        deal = self.report.deals[-1]
        why = "pack" if deal.ender is None else "ended"
        worths = [worth(square, self.rules) for square in self.squares]
        scores = deal_scores(worths, deal.ender, self.rules)
        self.totals = [total + score for total, score in zip(self.totals, scores, strict=True)]
        self.require(event["why"] == why, f"the deal came to its end by '{why}'")
        for name, value in (("worth", worths), ("score", scores), ("total", self.totals)):
            self.require(list(event[name]) == value, f"{name} is {value}")
        deal.squares = self.squares
        deal.why, deal.worth, deal.score, deal.total = why, worths, scores, self.totals
        over, _, _ = outcome(self.totals, len(self.report.deals), self.rules)
        self.stage = "game_end" if over else "deal"

    # -- the turn -------------------------------------------------------------------------------

    def at_seat(self, event: Mapping[str, Any]) -> None:
        self.require(_same(event["seat"], self.seat), f"it is seat {self.seat}'s turn")

    def may_end(self) -> bool:
        points_needed: int = self.rules["end_at"]
        return worth(self.squares[self.seat % 2], self.rules) >= points_needed

    def must_ask(self) -> bool:
        return bool(self.rules["players"] == 4 and self.rules["consult"] == "veto")

    def on_ask(self, event: Mapping[str, Any]) -> None:
        self.at("turn")
        self.at_seat(event)
        self.require(self.must_ask(), "only a player with a partner asks, and only with consult=veto")
        self.require(self.may_end(), "ending needs an own square worth end_at")
        self.require(self.seat not in self.refused, "once refused, one cannot ask again in a deal")
        self.require(isinstance(event["answer"], bool), "an answer is true or false")
        self.report.deals[-1].asks += 1
        if event["answer"]:
            self.stage = "consented"
        else:
            self.report.deals[-1].vetoes += 1
            self.refused.add(self.seat)

    def on_end(self, event: Mapping[str, Any]) -> None:
        self.at("turn", "consented")
        self.at_seat(event)
        self.require(self.may_end(), "ending needs an own square worth end_at")
        self.require(self.stage == "consented" or not self.must_ask(), "ending needs consent")
        self.report.deals[-1].ender = self.seat % 2
        self.stage = "deal_end"

    def on_draw(self, event: Mapping[str, Any]) -> None:
        before = self.rules["draw"] == "before"
        self.at("turn" if before else "draw")
        self.at_seat(event)
        self.require(not self.drawn, "one card is drawn a turn")
        self.require(event["card"] == self.pack[0], f"the first card of the pack is {self.pack[0]}")
        self.hands[self.seat].append(self.pack.pop(0))
        self.drawn = True
        if before:
            self.stage = "play"
        else:
            self.finish_turn()

    def on_play(self, event: Mapping[str, Any]) -> None:
        self.at("turn" if self.rules["draw"] == "after" else "play")
        self.at_seat(event)
        own, other = self.squares[self.seat % 2], self.squares[1 - self.seat % 2]
        hand = self.hands[self.seat]
        self.require(event["card"] in hand, "a card is played from the hand")
        legal = legal_actions(hand, own, other, self.rules)
        action = Action(event["card"], event["to"], event["place"])
        self.require(action in legal, "the page does not let this card go there")
        deal = self.report.deals[-1]
        deal.turns += 1
        deal.actions += len(legal)
        deal.uses[(action.card[0] if action.card[0] in "TJQK" else "number", action.to)] += 1
        before = worth(other, self.rules)
        hand.remove(action.card)
        lay(action, own, other, self.discards)
        if action.to == "other":
            deal.gifts[self.seat % 2] += 1
            deal.gift_cost[self.seat % 2] += before - worth(other, self.rules)
            if action.card[0] == "J":
                deal.jack_cost += before - worth(other, self.rules)
        if self.rules["draw"] == "after":
            self.stage = "draw"
        else:
            self.finish_turn()

    def finish_turn(self) -> None:
        self.drawn = False
        self.seat = (self.seat + 1) % self.rules["players"]
        self.stage = "turn" if self.pack else "deal_end"


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _same(value: object, expected: int | None) -> bool:
    """Compare without letting True pass for 1, or 0 for False."""
    return type(value) is type(expected) and value == expected
