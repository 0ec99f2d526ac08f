"""A slow, plain game of Ochko: the independent reference for the simulator.

Lists and dicts only.  ``play`` deals a whole game by the rules page and returns
its event stream; ``check`` (in :mod:`ochko_check`) judges any such stream from
the page alone.  Neither shares code with the simulator, nor with the other.
"""

from __future__ import annotations

import random
from typing import Any

from .ochko_check import RuleViolation, check

Event = dict[str, Any]
Rules = dict[str, Any]

__all__ = ["RandomBot", "RuleViolation", "ThresholdBot", "check", "play"]

RANKS = {32: "789TJQKA", 36: "6789TJQKA", 52: "23456789TJQKA"}
FULL = 10**9  # a bank of this size caps the session


def whole_pack(deck: int) -> list[str]:
    return [rank + suit for rank in RANKS[deck] for suit in "cdhs"]


def hand_total(cards: list[str], rules: Rules) -> int:
    """Total of a hand; two aces first are 21 where the table plays it so."""
    if rules["two_aces"] == "twenty_one" and [c[0] for c in cards] == ["A", "A"]:
        return 21
    total = 0
    for card in cards:
        rank = card[0]
        if rank == "A":
            total += 11 if rules["ace"] == "eleven" else 1
        else:
            total += {"J": 2, "Q": 3, "K": 4, "T": 10}.get(rank) or int(rank)
    if rules["ace"] == "either" and total <= 11 and any(c[0] == "A" for c in cards):
        total += 10
    return total


class RandomBot:
    """Uniform over whatever is allowed; never conceals a bust."""

    name = "random"

    def stake(self, view: dict[str, Any], rng: random.Random) -> int:
        return rng.randint(1, view["bank"])

    def punter(self, view: dict[str, Any], rng: random.Random) -> str:
        return str(rng.choice(view["actions"]))

    def banker(self, view: dict[str, Any], rng: random.Random) -> str:
        return str(rng.choice(view["actions"]))

    def conceals(self, view: dict[str, Any], rng: random.Random) -> bool:
        return False


class ThresholdBot(RandomBot):
    """Draws below a total; blind from another; a fixed stake policy."""

    def __init__(
        self,
        stand: int = 17,
        banker_stand: int = 17,
        stake: str = "min",
        blind_from: int = 99,
        conceal: float = 0.0,
    ) -> None:
        self.stand, self.banker_stand = stand, banker_stand
        self.stakes, self.blind_from, self.conceal = stake, blind_from, conceal
        self.name = f"threshold(stand={stand})"

    def stake(self, view: dict[str, Any], rng: random.Random) -> int:
        bank = int(view["bank"])
        if self.stakes == "min":
            return 1
        if self.stakes == "half":
            return max(1, bank // 2)
        if self.stakes == "all":
            return bank
        return min(bank, int(self.stakes.split(":")[1]))

    def punter(self, view: dict[str, Any], rng: random.Random) -> str:
        if view["total"] >= self.stand:
            return "stop"
        if view["total"] >= self.blind_from and "blind" in view["actions"]:
            return "blind"
        return "draw"

    def banker(self, view: dict[str, Any], rng: random.Random) -> str:
        return "stop" if view["total"] >= self.banker_stand else "draw"

    def conceals(self, view: dict[str, Any], rng: random.Random) -> bool:
        return rng.random() < self.conceal


class Game:
    """One game in progress; every step writes its events to ``self.events``."""

    def __init__(self, rules: Rules, bots: list[Any], rng: random.Random) -> None:
        self.rules, self.bots, self.rng = rules, bots, rng
        self.events: list[Event] = []
        self.net = [0] * rules["players"]
        self.capped = False

    def tell(self, event: str, **keys: Any) -> None:
        self.events.append({"event": event, **keys})

    # -- the game, a session, a circle ------------------------------------

    def run(self) -> list[Event]:
        rules, n = self.rules, self.rules["players"]
        names = [bot.name for bot in self.bots]
        self.tell("game", game="ochko", seed=0, index=0, rules=dict(rules), bots=names)
        first = self.rng.randrange(n)
        for i in range(n * rules["orbits"]):
            self.session((first + i) % n)
        self.tell("game_end", winner=None, capped=self.capped, total=list(self.net))
        return self.events

    def session(self, banker: int) -> None:
        rules = self.rules
        self.banker, self.bank = banker, rules["bank"]
        self.net[banker] -= self.bank
        self.tell("session", banker=banker, bank=self.bank)
        stuk, circle, why = False, 1, None
        while why is None:
            self.circle(circle, stuk)
            if self.bank == 0:
                why = "broken"
            elif stuk:
                why = "stuk"
            elif circle == rules["max_circles"] or self.bank >= FULL:
                why, self.capped = "capped", True
            else:
                stuk = rules["stuk"] > 0 and self.bank >= rules["stuk"] * rules["bank"]
                circle += 1
        self.net[banker] += self.bank
        self.tell("session_end", why=why, bank=self.bank, net=list(self.net))

    def circle(self, number: int, stuk: bool) -> None:
        n = self.rules["players"]
        self.pack = whole_pack(self.rules["deck"])
        self.rng.shuffle(self.pack)
        self.played: list[str] = []
        order = [(self.banker + i) % n for i in range(1, n + 1)]
        self.hands = {seat: [self.pack.pop(0)] for seat in order}
        deal = [[seat, self.hands[seat][0]] for seat in order]
        self.marker = self.pack.pop() if self.rules["marker"] == "yes" else None
        self.tell(
            "circle",
            circle=number,
            stuk=stuk,
            deal=deal,
            marker=self.marker,
            pack=list(self.pack),
        )
        punters = order[:-1]
        if self.rules["duel"] == "each":
            self.each(punters)
        else:
            self.common(punters)

    def each(self, punters: list[int]) -> None:
        for i, seat in enumerate(punters):
            met = self.punter_hand(seat)
            if met:
                self.banker_hand(len(self.hands[seat]))
                self.showdown(seat)
                self.discard(self.banker)
            self.discard(seat)
            if self.bank == 0:
                return
            if met and i + 1 < len(punters):
                card = self.take()
                assert card is not None
                self.hands[self.banker] = [card]
                self.tell("first", card=card)

    def common(self, punters: list[int]) -> None:
        standing = []
        for seat in punters:
            if self.punter_hand(seat):
                standing.append(seat)
                continue
            self.discard(seat)
            if self.bank == 0:
                return
        if standing:
            self.banker_hand(max(len(self.hands[seat]) for seat in standing))
        for seat in standing:
            self.showdown(seat)
            if self.bank == 0:
                return

    # -- one hand ----------------------------------------------------------

    def punter_hand(self, seat: int) -> bool:
        """Play a punter's own part; is he still in when it comes to the banker?"""
        bot, hand = self.bots[seat], self.hands[seat]
        self.stakes = getattr(self, "stakes", {})
        self.state = getattr(self, "state", {})
        stake = bot.stake(self.view(seat, []), self.rng)
        self.tell("stake", seat=seat, stake=stake, bank=self.bank)
        self.stakes[seat], self.state[seat] = stake, "stands"
        blind = False
        while True:
            card = self.take()
            if card is None:
                self.tell("stop", seat=seat, role="punter", conceals=False)
                return True
            hand.append(card)
            self.tell("draw", seat=seat, card=card, role="punter", blind=blind)
            total = hand_total(hand, self.rules)
            if blind:
                self.state[seat] = "blind_bust" if total > 21 else "stands"
                return True
            if total == 21:
                self.settle(seat, None, "twenty_one", stake)
                return False
            if total > 21:
                return self.seen_bust(seat)
            actions = ["stop"]
            if self.pack or self.played:
                actions.append("draw")
                if self.rules["blind"] == "yes":
                    actions.append("blind")
            choice = bot.punter(self.view(seat, actions), self.rng)
            if choice == "stop" or len(actions) == 1:
                self.tell("stop", seat=seat, role="punter", conceals=False)
                return True
            blind = choice == "blind"

    def seen_bust(self, seat: int) -> bool:
        if self.bots[seat].conceals(self.view(seat, []), self.rng):
            self.state[seat] = "hidden_bust"
            self.tell("stop", seat=seat, role="punter", conceals=True)
            return True
        self.settle(seat, None, "bust", -self.stakes[seat])
        return False

    def banker_hand(self, seen: int) -> None:
        bot, hand = self.bots[self.banker], self.hands[self.banker]
        while hand_total(hand, self.rules) < 21:
            more = bool(self.pack or self.played)
            actions = ["stop", "draw"] if more else ["stop"]
            view = self.view(self.banker, actions) | {"punter_cards": seen}
            if len(actions) == 1 or bot.banker(view, self.rng) == "stop":
                self.tell("stop", seat=self.banker, role="banker", conceals=False)
                return
            card = self.take()
            assert card is not None
            hand.append(card)
            self.tell("draw", seat=self.banker, card=card, role="banker", blind=False)

    def showdown(self, seat: int) -> None:
        rules, stake, state = self.rules, self.stakes[seat], self.state[seat]
        mine = hand_total(self.hands[seat], rules)
        his = hand_total(self.hands[self.banker], rules)
        if state == "hidden_bust":
            why, gain = state, -rules["hidden_bust"] * stake
        elif state == "blind_bust":
            push = his > 21 and rules["both_bust"] == "push"
            why = "both_bust" if his > 21 else "blind_bust"
            gain = 0 if push else -stake
        elif his > 21:
            why, gain = "banker_bust", stake
        elif mine == his:
            why, gain = "tie", 0 if rules["tie"] == "push" else -stake
        else:
            why = "higher" if mine > his else "lower"
            gain = stake if mine > his else -stake
        self.settle(seat, his, why, gain)

    def settle(self, seat: int, his: int | None, why: str, gain: int) -> None:
        gain = min(gain, self.bank)
        self.bank -= gain
        self.net[seat] += gain
        mine = hand_total(self.hands[seat], self.rules)
        self.tell(
            "settle",
            seat=seat,
            punter=mine,
            banker=his,
            why=why,
            gain=gain,
            bank=self.bank,
        )

    # -- cards ---------------------------------------------------------------

    def view(self, seat: int, actions: list[str]) -> dict[str, Any]:
        """What a seat may know when it decides."""
        shown = self.rules["banker_card"] == "open" or seat == self.banker
        return {
            "cards": list(self.hands[seat]),
            "total": hand_total(self.hands[seat], self.rules),
            "bank": self.bank,
            "marker": self.marker,
            "banker_card": self.hands[self.banker][0] if shown else None,
            "actions": actions,
        }

    def take(self) -> str | None:
        if not self.pack and self.played:
            self.pack, self.played = self.played, []
            self.rng.shuffle(self.pack)
            self.tell("reshuffle", pack=list(self.pack))
        return self.pack.pop(0) if self.pack else None

    def discard(self, seat: int) -> None:
        self.played += self.hands[seat]
        self.hands[seat] = []


def play(rules: Rules, bots: list[Any], rng: random.Random) -> list[Event]:
    """Play one game; ``bots`` holds one bot a seat.  Returns its event stream."""
    return Game(rules, bots, rng).run()
