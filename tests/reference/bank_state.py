"""One round of Bank in progress: the deal, where everything lies, and what a seat may do."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from .bank_rules import DECK, PASS, Action, Rules, legal_moves, starter


class Deal(NamedTuple):
    """The cards of one round: a hand a seat, the opening card, the stock (drawn first in front)."""

    hands: Sequence[Sequence[str]]
    opening: str
    stock: Sequence[str]


def shuffled_deal(rules: Rules, rng: random.Random) -> Deal:
    """Shuffle the pack and deal it."""
    pack = list(DECK)
    rng.shuffle(pack)
    size, dealt = rules["hand_size"], rules["players"] * rules["hand_size"]
    return Deal([pack[at : at + size] for at in range(0, dealt, size)], pack[dealt], pack[dealt + 1 :])


@dataclass
class State:
    """One round in progress."""

    rules: Rules
    dealer: int
    starter: int
    hands: list[list[str]]
    stock: list[str]
    opening: str
    bank: list[str]
    top: str
    owner: int | None
    captured: list[list[str]]
    bonus: list[int]
    out: list[int] = field(default_factory=list)
    seven_waits: bool = False
    """A player has just left a seven on top at the end of the turn, and it has acted on nobody yet."""
    kings_layer: int | None = None
    """Who laid the four kings that nobody has covered yet."""
    failures: int = 0
    """Failed turns with the stock empty at their end, since a card was last laid."""

    @property
    def still_in(self) -> list[int]:
        """The seats that have not gone out."""
        return [seat for seat in range(len(self.hands)) if seat not in self.out]

    def after(self, seat: int) -> int:
        """The next seat still in, clockwise."""
        players = len(self.hands)
        return next(s for s in ((seat + step) % players for step in range(1, players + 1)) if s in self.still_in)

    def over(self) -> str | None:
        """Why the round is over, or None while it goes on."""
        if len(self.still_in) == 1:
            return "one_left"
        return "blocked" if self.failures >= len(self.still_in) else None


def open_round(rules: Rules, dealer: int, deal: Deal) -> State:
    """Lay the opening card and find the starter."""
    players = rules["players"]
    return State(
        rules=rules,
        dealer=dealer,
        starter=starter(rules, deal.hands, deal.opening, dealer),
        hands=[list(hand) for hand in deal.hands],
        stock=list(deal.stock),
        opening=deal.opening,
        bank=[deal.opening],
        top=deal.opening,
        owner=dealer if rules["opening_card"] == "dealer" else None,
        captured=[[] for _ in range(players)],
        bonus=[0] * players,
    )


def legal_actions(state: State, seat: int, drawn: str | None = None) -> list[Action]:
    """What the seat may choose from now: its moves, and passing where it is allowed.

    After a draw at step 3, `drawn` leaves the moves that use the drawn card. An empty list means that there
    is no move, and so nothing to choose.
    """
    moves = legal_moves(state.rules, seat, state.hands[seat], state.top)
    if drawn is not None:
        moves = [move for move in moves if drawn in move.cards]
    return [*moves, PASS] if moves and state.rules["must_play"] == "no" else moves
