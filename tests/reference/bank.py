"""A whole game of Bank, played slowly in plain Python from the rules page alone.

`play` deals, asks a bot for every choice and tells the game as the event stream of a replay. It is the
yardstick for the compiled kernel's statistics; its counterpart `check` judges a stream from any source.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from .bank_check import check
from .bank_report import Report, RuleViolation
from .bank_rules import (
    DEFAULT_RULES,
    PASS,
    Action,
    RoundResult,
    Rules,
    is_own_trump,
    next_dealer,
    out_bonus,
    owes_extra,
    penalties,
    points,
)
from .bank_state import Deal, State, legal_actions, open_round, shuffled_deal

__all__ = ["DEFAULT_RULES", "Deal", "Report", "RuleViolation", "check", "play", "random_bot"]

Event = dict[str, Any]


Chooser = Callable[[random.Random, State, Sequence[Action]], Action]


def random_bot(rng: random.Random, state: State, actions: Sequence[Action]) -> Action:
    """Uniform over the legal actions."""
    return rng.choice(actions)


class Dealer:
    """Runs rounds by the page, asking a bot a seat and noting every event."""

    def __init__(self, rules: Rules, bots: Sequence[Chooser], rng: random.Random) -> None:
        self.rules, self.bots, self.rng = rules, bots, rng
        self.events: list[Event] = []

    def note(self, event: str, **keys: object) -> None:
        """Add an event to the stream."""
        self.events.append({"event": event, **keys})

    def choose(self, state: State, seat: int, actions: Sequence[Action]) -> Action:
        """Ask the seat's bot; without a legal move it passes unasked."""
        return self.bots[seat](self.rng, state, actions) if actions else PASS

    def draw(self, state: State, seat: int, why: str, **more: object) -> str | None:
        """The seat draws one card if the stock has one."""
        if not state.stock:
            return None
        card = state.stock.pop(0)
        state.hands[seat].append(card)
        self.note("draw", seat=seat, card=card, why=why, **more)
        return card

    def turn(self, state: State, seat: int) -> None:
        """Steps 1 to 4 of a turn."""
        if state.seven_waits:
            state.seven_waits = False
            rule = self.rules["seven"]
            if rule in ("draw_play", "draw_skip"):
                self.draw(state, seat, "seven")
            if rule in ("skip", "draw_skip"):
                self.note("skip", seat=seat)
                return
        move = self.first_move(state, seat)
        if move == PASS:
            self.fail(state, seat)
            return
        self.lay(state, seat, move, extra=False)
        while state.hands[seat] and owes_extra(move.kind, state.top):
            move = self.extra_move(state, seat)
            if move == PASS:
                break
            self.lay(state, seat, move, extra=True)
        state.seven_waits = state.top[0] == "7"

    def first_move(self, state: State, seat: int) -> Action:
        """Steps 2 and 3: a move from the hand, or else with a drawn card."""
        actions = legal_actions(state, seat)
        move = self.choose(state, seat, actions)
        if move != PASS:
            return move
        by_choice: dict[str, bool] = {"choice": True} if actions else {}
        card = self.draw(state, seat, "turn", **by_choice)
        if card is None:
            if by_choice:
                self.note("decline", seat=seat)
            return PASS
        return self.accept(state, seat, legal_actions(state, seat, card))

    def extra_move(self, state: State, seat: int) -> Action:
        """The move that is owed after an eight, a quad or a run ending in an eight."""
        actions = legal_actions(state, seat)
        if not actions and self.rules["extra_move"] == "draw":
            card = self.draw(state, seat, "extra")
            actions = legal_actions(state, seat, card) if card else []
        return self.accept(state, seat, actions)

    def accept(self, state: State, seat: int, actions: Sequence[Action]) -> Action:
        """Choose, and note when a move that could be made is given up."""
        move = self.choose(state, seat, actions)
        if actions and move == PASS:
            self.note("decline", seat=seat)
        return move

    def lay(self, state: State, seat: int, move: Action, *, extra: bool) -> None:
        """Lay the move on the bank, with all that follows from it."""
        self.note("lay", seat=seat, kind=move.kind, cards=list(move.cards), extra=extra)
        for card in move.cards:
            state.hands[seat].remove(card)
        state.bank += move.cards
        state.top, state.owner, state.failures = move.cards[-1], seat, 0
        if state.kings_layer is not None:
            if self.rules["kings_cover"] == "anyone" or state.kings_layer != seat:
                self.capture(state, seat, "kings")
            state.kings_layer = None
        if move.kind == "quad" and state.top[0] == "K":
            state.kings_layer = seat
        if not state.hands[seat]:
            self.go_out(state, seat, move)

    def go_out(self, state: State, seat: int, move: Action) -> None:
        """The hand is empty: bonus by place, and the bank for a trump king."""
        state.out.append(seat)
        place = len(state.out)
        bonus = out_bonus(place, move.kind, move.cards)
        state.bonus[seat] += sum(bonus.values())
        self.note("out", seat=seat, place=place, bonus=bonus)
        if state.top[0] == "K" and is_own_trump(self.rules, seat, state.top):
            self.capture(state, seat, "trump_king")

    def capture(self, state: State, seat: int, why: str) -> None:
        """The seat takes the whole bank."""
        if not state.bank:
            return
        self.note("capture", seat=seat, cards=list(state.bank), why=why)
        state.captured[seat] += state.bank
        state.bank, state.kings_layer = [], None

    def fail(self, state: State, seat: int) -> None:
        """Step 4."""
        self.note("fail", seat=seat)
        worth_taking = len(state.bank) >= 2 or state.bank == [state.opening]
        if state.owner is not None and state.owner != seat and worth_taking:
            self.capture(state, state.owner, "failed")
        if not state.stock:
            state.failures += 1

    def round(self, number: int, dealer: int, deal: Deal, total: list[int]) -> int:
        """Play one round, add its scores to `total`, and return the next dealer."""
        state = open_round(self.rules, dealer, deal)
        hands = [list(hand) for hand in deal.hands]
        cards = {"hands": hands, "opening": deal.opening, "stock": list(deal.stock)}
        self.note("round", round=number, dealer=dealer, **cards, starter=state.starter)
        seat = state.starter
        while True:
            self.turn(state, seat)
            if state.over():
                break
            seat = state.after(seat)
        return self.settle(state, total)

    def settle(self, state: State, total: list[int]) -> int:
        """End the round: the last bank, penalties, scores, the next dealer."""
        if self.rules["final_bank"] == "last_cover" and state.owner is not None:
            self.capture(state, state.owner, "final")
        captured = [points(pile) for pile in state.captured]
        penalty = penalties(self.rules, state.hands, state.dealer)
        score = [c + b - p for c, b, p in zip(captured, state.bonus, penalty, strict=True)]
        total[:] = [t + s for t, s in zip(total, score, strict=True)]
        lists = {
            "captured": captured,
            "bonus": state.bonus,
            "penalty": penalty,
            "score": score,
            "total": list(total),
        }
        self.note("round_end", why=state.over(), **lists)
        return next_dealer(self.rules, RoundResult(state.dealer, state.starter, state.hands, score, total))


def play(
    rules: Rules,
    rng: random.Random,
    bots: Sequence[Chooser] | None = None,
    *,
    deals: Iterable[Deal] = (),
    dealer: int | None = None,
) -> list[Event]:
    """Play a whole game.

    Parameters
    ----------
    rules
        Every option of the page and its value.
    rng
        Draws the first dealer, shuffles, and serves the bots.
    bots
        One chooser a seat; by default all seats are `random_bot`.
    deals
        The deals of the first rounds, where they are not to be shuffled.
    dealer
        The first dealer, where it is not to be drawn by lot.

    Returns
    -------
    list of dict
        The event stream of the game.
    """
    players = rules["players"]
    table = Dealer(rules, bots or [random_bot] * players, rng)
    table.note("game", game="bank", seed=0, index=0, rules=dict(rules), bots=["random"] * players)
    dealer = rng.randrange(players) if dealer is None else dealer
    prepared, total = iter(deals), [0] * players
    reached, winner = False, None
    for number in range(1, rules["max_rounds"] + 1):
        deal = next(prepared, None) or shuffled_deal(rules, rng)
        dealer = table.round(number, dealer, deal, total)
        reached = reached or max(total) >= rules["target"]
        if reached and total.count(max(total)) == 1:
            winner = total.index(max(total))
            break
    table.note("game_end", winner=winner, capped=winner is None, total=list(total))
    return table.events
