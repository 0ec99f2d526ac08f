"""Hand-written situations of Bank: a given deal, given moves, and the events as short lines."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from .bank import Event, play
from .bank_check import check
from .bank_rules import DECK, DEFAULT_RULES, PASS, Action
from .bank_state import Deal, State


def tell(event: Event) -> str:
    """One event as a short line."""
    match event["event"]:
        case "round":
            return f"{event['starter']} starts"
        case "draw":
            choice = " by choice" if event.get("choice") else ""
            return f"{event['seat']} draws {event['card']} {event['why']}{choice}"
        case "lay":
            word = {"single": "lays", "quad": "quad", "run": "run"}[event["kind"]]
            extra = " extra" if event["extra"] else ""
            return f"{event['seat']} {word} {' '.join(event['cards'])}{extra}"
        case "capture":
            return f"{event['seat']} takes {' '.join(event['cards'])} {event['why']}"
        case "out":
            bonus = " ".join(str(event["bonus"][why]) for why in ("out", "king", "quad", "run"))
            return f"{event['seat']} out {event['place']}: {bonus}"
        case "round_end":
            return f"{event['why']} {' '.join(map(str, event['score']))}"
        case "game_end":
            return f"winner {event['winner']}"
        case kind:
            return f"{event['seat']} {kind}s" if "seat" in event else str(kind)


class Script:
    """A bot for all seats that follows a list of moves and afterwards takes the first legal action.

    A move is its cards in the order laid, or ``pass``.
    """

    def __init__(self, moves: Sequence[str]) -> None:
        self.moves = list(moves)

    def __call__(self, rng: random.Random, state: State, actions: Sequence[Action]) -> Action:
        """The next move of the script."""
        if not self.moves:
            return actions[0]
        move = self.moves.pop(0)
        wanted = PASS if move == "pass" else None
        for action in actions:
            if action == wanted or " ".join(action.cards) == move:
                return action
        raise AssertionError(f"{move} is not legal on {state.top}: {actions}")


def deal_of(hands: Sequence[str], opening: str, stock: str) -> Deal:
    """A deal from words; what they leave out of the pack lies under the named stock."""
    named = [*" ".join(hands).split(), opening, *stock.split()]
    assert len(set(named)) == len(named)
    rest = [card for card in DECK if card not in named]
    return Deal([hand.split() for hand in hands], opening, [*stock.split(), *rest])


def scenario(
    hands: Sequence[str],
    opening: str,
    stock: str = "",
    moves: Sequence[str] = (),
    dealer: int = 0,
    **rules: Any,
) -> list[str]:
    """Play one round of a given deal, have it checked, and tell it from the starter on."""
    table = {**DEFAULT_RULES, "trumps": "none", "max_rounds": 1, **rules}
    table |= {"players": len(hands), "hand_size": len(hands[0].split())}
    bots = [Script(moves)] * len(hands)
    events = play(table, random.Random(0), bots, deals=[deal_of(hands, opening, stock)], dealer=dealer)
    check(events)
    return [tell(event) for event in events[1:]]
