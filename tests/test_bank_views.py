"""The bots of Bank choose by what a player at the table can see, and by nothing else."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from bank_asking import CODES, Choice, answer, mask_of, moves_of
from conftest import any_rules, variant
from reference.bank_rules import points

from simcore import find_game
from simcore.games.bank.state import CARDS, DRAWN, EXTRA, EXTRA_DRAWN, MOVE, NOBODY
from simcore.games.base import Event
from simcore.options import Rules
from simcore.replay import replay_variant

GAME = find_game("bank")


class PublicRecord:
    """What anybody at the table could write down of a game, and each player's own hand."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def deal(self, event: Event) -> None:
        self.hands = [set(hand) for hand in event["hands"]]
        self.stock = len(event["stock"])
        self.top = event["opening"]
        self.owner = event["dealer"] if self.rules["opening_card"] == "dealer" else NOBODY
        self.bank, self.laid = [self.top], {self.top}
        self.kings = NOBODY

    def phase_of(self, event: Event) -> tuple[int, str | None]:
        """Where in his turn the player stands who acts in `event`, and the card that his move must use."""
        last, same = self.last, self.last.get("seat") == event["seat"]
        if same and last["event"] == "draw" and last["why"] != "seven":
            return (DRAWN if last["why"] == "turn" else EXTRA_DRAWN), last["card"]
        extra = event.get("extra", False) or (event["event"] == "decline" and last["event"] == "lay")
        return (EXTRA, None) if same and extra else (MOVE, None)

    def after(self, seat: int) -> int:
        """The next seat still in."""
        others = [(seat + step) % self.rules.players for step in range(1, self.rules.players + 1)]
        return next(other for other in others if self.hands[other])

    def known(self, seat: int) -> dict[str, int]:
        """The fields of the view of `seat`."""
        follower = self.after(seat)
        after = self.after(follower)
        return {
            "seat": seat,
            "owner": self.owner,
            "cards": len(self.bank),
            "worth": points(self.bank),
            "kings": self.kings,
            "unseen": mask_of(set(CARDS) - self.laid - self.hands[seat]),
            "stock": self.stock,
            "follower": follower,
            "follower_cards": len(self.hands[follower]),
            "after": after,
            "after_cards": len(self.hands[after]),
            "still_in": sum(map(bool, self.hands)),
        }

    def take_down(self, event: Event) -> None:
        """What has become known."""
        kind = event["event"]
        if kind == "round":
            self.deal(event)
        elif kind == "draw":
            self.stock -= 1
            self.hands[event["seat"]].add(event["card"])
        elif kind == "lay":
            self.lay(event)
        elif kind == "capture":
            self.bank, self.kings = [], NOBODY
        if kind != "capture":
            self.last = event

    def lay(self, event: Event) -> None:
        cards = event["cards"]
        self.hands[event["seat"]] -= set(cards)
        self.laid |= set(cards)
        self.bank = self.bank + cards
        self.top, self.owner = cards[-1], event["seat"]
        self.kings = event["seat"] if event["kind"] == "quad" and self.top[0] == "K" else NOBODY


def choices(rules: Rules, events: Sequence[Event]) -> Iterator[tuple[int, dict[str, Any], Choice]]:
    """Each choice of a game: whose, all that `answer` wants to know, from the public record, and what was chosen."""
    record = PublicRecord(rules)
    for event in events[1:-1]:
        kind = event["event"]
        if kind in ("lay", "decline") or event.get("choice"):
            seat = event["seat"]
            phase, drawn = record.phase_of(event)
            asked = {
                "hand": record.hands[seat],
                "top": record.top,
                "drawn": drawn,
                "phase": phase,
                **record.known(seat),
            }
            cards = event.get("cards", [])
            yield seat, asked, (sorted(cards, key=CARDS.index), cards[-1]) if kind == "lay" else None
        record.take_down(event)


@pytest.mark.parametrize("seed", range(6))
def test_a_choice_follows_from_what_the_player_can_see(seed: int) -> None:
    """The public record of a game and the own hand are enough to tell every choice of a bot."""
    rng = random.Random(seed)
    asked = at_once = 0
    for number in range(8):
        rules = any_rules(GAME, rng, {"max_rounds": 5, "must_play": rng.choice(["yes", "no"])})
        bots = ",".join(rng.choice(list(CODES)) for _ in range(rules.players))
        events = replay_variant(GAME, variant(GAME, rules, bots), seed, number).events
        for seat, known, chosen in choices(rules, events):
            bot = CODES[events[0]["bots"][seat]]
            moves = moves_of(rules, seat, known["hand"], known["top"], known["drawn"])
            if len(moves) + (rules["must_play"] == "no") > 1:
                tries = next((n for n in range(64) if answer(bot, rules, rng=n, **known) == chosen), None)
                assert tries is not None, (rules.label(), bots, seat, known, chosen)
                asked += 1
                at_once += tries == 0
    assert asked > 100
    assert at_once > 0.7 * asked  # the others are draws between equals
