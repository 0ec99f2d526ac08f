"""Judge a stream of Ochko events from the rules page alone.

``check`` follows the stream with its own count of every card and coin.  It never
plays: whatever the stream says is compared with what the page says must be, and
the first difference is raised as :class:`RuleViolation`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, NoReturn

Event = dict[str, Any]

LOWEST = {32: 7, 36: 6, 52: 2}
PICTURES = {"T": 10, "J": 2, "Q": 3, "K": 4}
BANK_LIMIT = 1_000_000_000


class RuleViolation(Exception):
    """An event that the page does not allow."""

    def __init__(self, number: int, event: Event, says: str) -> None:
        super().__init__(f"event {number}: {says}; got {event}")
        self.number, self.event, self.says = number, event, says


@dataclass
class Report:
    """What a checked game held.

    Attributes
    ----------
    net : list of int
        Net gain by seat.
    capped : bool
        Did any session reach the cap?
    counts : Counter
        How often each kind of thing happened: ``sessions``, ``circles``, ``hands``,
        ``reshuffles``, one ``end:WHY`` a session and one ``why:WHY`` a hand.
    hands : list of dict
        One a settled hand: seat, banker, position, first, second card, stake, and all that ``settle`` says.
    sessions : list of dict
        One a session: banker, why, circles, hands, his ``gain``, punters ``left`` without a hand.
    """

    net: list[int] = field(default_factory=list)
    capped: bool = False
    counts: Counter[str] = field(default_factory=Counter)
    hands: list[dict[str, Any]] = field(default_factory=list)
    sessions: list[dict[str, Any]] = field(default_factory=list)


def pack_of(deck: int) -> set[str]:
    low = [str(n) for n in range(LOWEST[deck], 10)]
    return {r + s for r in [*low, "T", "J", "Q", "K", "A"] for s in "cdhs"}


def count_points(cards: list[str], rules: dict[str, Any]) -> int:
    aces = sum(1 for card in cards if card.startswith("A"))
    rest = sum(PICTURES[c[0]] if c[0] in PICTURES else int(c[0]) for c in cards if c[0] != "A")
    if len(cards) == aces == 2 and rules["two_aces"] == "twenty_one":
        return 21
    if rules["ace"] == "either":
        fits = [rest + aces + 10 * k for k in range(aces + 1) if rest + aces + 10 * k <= 21]
        return max(fits, default=rest + aces)
    return rest + aces * (11 if rules["ace"] == "eleven" else 1)


class Checker:
    """A reader of one game's events, one rule at a time."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.events = list(events)
        self.at = 0
        self.report = Report()

    # -- reading -------------------------------------------------------------

    def peek(self) -> str:
        if self.at >= len(self.events):
            return "(nothing)"
        return str(self.events[self.at].get("event"))

    def fail(self, says: str) -> NoReturn:
        number = min(self.at, len(self.events) - 1)
        raise RuleViolation(number, self.events[number] if self.events else {}, says)

    def require(self, holds: bool, says: str) -> None:
        if not holds:
            self.at -= 1
            self.fail(says)

    def next(self, kind: str, says: str, *keys: str) -> Event:
        if self.peek() != kind:
            self.fail(f"{says}: '{kind}' must follow here")
        event = self.events[self.at]
        missing = [key for key in keys if key not in event]
        if missing:
            self.fail(f"'{kind}' must have the keys {missing}")
        self.at += 1
        return event

    # -- game, session, circle -----------------------------------------------

    def run(self) -> Report:
        head = self.next("game", "a stream begins with its game", "seed", "index", "rules", "bots")
        self.require(head.get("game") == "ochko", "the game is ochko")
        self.rules = head["rules"]
        self.n = self.rules["players"]
        self.require(len(head["bots"]) == self.n, "one bot a seat")
        self.report.net = [0] * self.n
        banker = None
        for _ in range(self.n * self.rules["orbits"]):
            banker = self.session(banker)
        last = self.next("game_end", "every seat has banked", "winner", "capped", "total")
        self.require(last["winner"] is None, "ochko has no winner")
        self.require(last["capped"] is self.report.capped, "a game is capped if a session was")
        self.require(last["total"] == self.report.net, f"net gains are {self.report.net}")
        self.require(self.at == len(self.events), "nothing follows the end of the game")
        return self.report

    def session(self, previous: int | None) -> int:
        event = self.next("session", "the bank passes to the next seat", "banker", "bank")
        self.banker, self.bank = event["banker"], event["bank"]
        self.require(self.banker in range(self.n), "the banker is a seat")
        if previous is not None:
            self.require(self.banker == (previous + 1) % self.n, "the next banker is the next seat to the left")
        self.require(self.bank == self.rules["bank"], "the banker puts `bank` units into the bank")
        self.report.net[self.banker] -= self.bank
        before, hands = self.report.net[self.banker], self.report.counts["hands"]
        circles, stuk, why = 0, False, None
        while why is None:
            circles += 1
            self.circle(circles, stuk)
            full = circles == self.rules["max_circles"] or self.bank >= BANK_LIMIT
            if self.bank == 0:
                why = "broken"
            elif stuk:
                why = "stuk"
            elif full:
                why = "capped"
            knock = self.rules["stuk"] * self.rules["bank"]
            stuk = knock > 0 and self.bank >= knock
        self.end_session(why)
        gain = self.report.net[self.banker] - before - self.rules["bank"]
        if gain < -self.rules["bank"]:
            self.fail("the banker never loses more than his stake")
        self.report.sessions.append(
            {
                "banker": self.banker,
                "why": why,
                "circles": circles,
                "hands": self.report.counts["hands"] - hands,
                "gain": gain,
                "left": len(self.waiting) if why == "broken" else 0,
            }
        )
        return int(self.banker)

    def end_session(self, why: str) -> None:
        event = self.next("session_end", f"the session is {why}", "why", "bank", "net")
        self.require(event["why"] == why, f"the session is {why}")
        self.require(event["bank"] == self.bank, f"the banker takes what is in the bank, {self.bank}")
        self.report.net[self.banker] += self.bank
        self.require(event["net"] == self.report.net, f"net gains are {self.report.net}")
        self.require(sum(self.report.net) == 0, "what one gains the others lose")
        self.report.capped |= why == "capped"
        self.report.counts["sessions"] += 1
        self.report.counts["end:" + why] += 1

    def circle(self, number: int, stuk: bool) -> None:
        event = self.next("circle", "a circle begins", "circle", "stuk", "deal", "marker", "pack")
        self.report.counts["circles"] += 1
        self.require(event["circle"] == number, f"this is circle {number}")
        self.require(event["stuk"] is stuk, f"whether this is the stuk circle: {stuk}")
        order = [(self.banker + i) % self.n for i in range(1, self.n + 1)]
        self.require([d[0] for d in event["deal"]] == order, f"cards are dealt in the order {order}")
        self.hold = {seat: [card] for seat, card in event["deal"]}
        self.pack, self.played = list(event["pack"]), list[str]()
        marker = event["marker"]
        self.require((marker is not None) == (self.rules["marker"] == "yes"), "a marker by the option")
        seen = [d[1] for d in event["deal"]] + self.pack + ([marker] if marker else [])
        whole = pack_of(self.rules["deck"])
        self.require(len(seen) == len(whole) and set(seen) == whole, "deal, marker and pack are the whole pack")
        self.waiting = order[:-1]
        self.position = 0
        self.stakes: dict[int, int] = {}
        self.fate: dict[int, str] = {}
        self.shown = self.hold[self.banker][0]
        if self.rules["duel"] == "each":
            self.duels()
        else:
            self.common()

    def duels(self) -> None:
        while self.waiting and self.bank:
            seat = self.waiting.pop(0)
            played = self.punter(seat)
            if played:
                self.banker_plays()
                self.settle(seat)
                self.lay_down(self.banker)
            self.lay_down(seat)
            if played and self.waiting and self.bank:
                self.new_first()

    def new_first(self) -> None:
        self.maybe_reshuffle("first")
        event = self.next("first", "the banker takes a new first card", "card")
        self.require(event["card"] == self.pack[0], "cards come from the front of the pack")
        self.hold[self.banker] = [self.pack.pop(0)]
        self.shown = event["card"]

    def common(self) -> None:
        standing = []
        while self.waiting and self.bank:
            seat = self.waiting.pop(0)
            if self.punter(seat):
                standing.append(seat)
            else:
                self.lay_down(seat)
        if standing and self.bank:
            self.banker_plays()
        while standing and self.bank:
            self.settle(standing.pop(0))

    # -- a hand ----------------------------------------------------------------

    def punter(self, seat: int) -> bool:
        """Follow a punter's own part; True when it comes to the banker."""
        event = self.next("stake", f"seat {seat} must play", "seat", "stake", "bank")
        self.report.counts["hands"] += 1
        self.position += 1
        self.require(event["seat"] == seat, f"seat {seat} plays next")
        self.require(event["bank"] == self.bank, f"the bank holds {self.bank}")
        stake = event["stake"]
        self.require(type(stake) is int and 1 <= stake <= self.bank, "a stake is 1 ... the bank")
        self.stakes[seat], self.fate[seat] = stake, "stands"
        while True:
            if not self.can_draw():
                self.optional_stop(seat, "punter")
                return True
            drawn = len(self.hold[seat]) - 1
            if drawn and self.peek() == "stop":
                self.stop(seat, "punter", conceals=False)
                return True
            blind = self.draw(seat, "punter", "a punter must take at least one card" if not drawn else "draw or stop")
            total = self.total(seat)
            if blind:
                self.require(drawn > 0, "the first card drawn is seen")
                self.require(self.rules["blind"] == "yes", "blind draws are not allowed")
                self.fate[seat] = "blind_bust" if total > 21 else "stands"
                self.optional_stop(seat, "punter")
                return True
            if total >= 21:
                return self.reached(seat, total)

    def reached(self, seat: int, total: int) -> bool:
        """21 or a bust with seen cards: settled on the spot, unless concealed."""
        if total == 21:
            self.optional_stop(seat, "punter")
            self.expect_settle(seat, None, "twenty_one", self.stakes[seat])
            return False
        if self.peek() == "stop" and self.events[self.at].get("conceals"):
            self.stop(seat, "punter", conceals=True)
            self.fate[seat] = "hidden_bust"
            return True
        self.optional_stop(seat, "punter")
        self.expect_settle(seat, None, "bust", -self.stakes[seat])
        return False

    def banker_plays(self) -> None:
        seat = self.banker
        while self.total(seat) < 21 and self.can_draw():
            if self.peek() == "stop":
                self.stop(seat, "banker", conceals=False)
                return
            blind = self.draw(seat, "banker", "the banker draws or stops")
            self.require(not blind, "the banker sees what he draws")
        self.optional_stop(seat, "banker")

    def settle(self, seat: int) -> None:
        stake, mine, his = self.stakes[seat], self.total(seat), self.total(self.banker)
        fate = self.fate[seat]
        if fate == "hidden_bust":
            why, gain = fate, -stake * self.rules["hidden_bust"]
        elif fate == "blind_bust" and his > 21:
            why, gain = "both_bust", {"push": 0, "banker": -stake}[self.rules["both_bust"]]
        elif fate == "blind_bust":
            why, gain = "blind_bust", -stake
        elif his > 21:
            why, gain = "banker_bust", stake
        elif mine > his:
            why, gain = "higher", stake
        elif mine < his:
            why, gain = "lower", -stake
        else:
            why, gain = "tie", {"push": 0, "banker": -stake}[self.rules["tie"]]
        self.expect_settle(seat, his, why, gain)

    def expect_settle(self, seat: int, his: int | None, why: str, gain: int) -> None:
        event = self.next("settle", f"seat {seat} settles ({why})", "seat", "punter", "banker", "why", "gain", "bank")
        if gain > self.bank:
            gain = self.bank
        self.bank -= gain
        self.report.net[seat] += gain
        self.require(event["seat"] == seat, f"seat {seat} settles")
        self.require(event["punter"] == self.total(seat), f"the punter's total is {self.total(seat)}")
        self.require(event["banker"] == his, f"the banker's total is {his}")
        self.require(event["why"] == why, f"the reason is {why}")
        self.require(event["gain"] == gain, f"the punter's gain is {gain}")
        self.require(event["bank"] == self.bank, f"the bank then holds {self.bank}")
        self.report.counts["why:" + why] += 1
        first, second = (self.hold[seat] + [""])[:2]
        order = (seat - self.banker) % self.n
        self.report.hands.append(
            dict(event, stake=self.stakes[seat], position=order, first=first, second=second, shown=self.shown)
        )

    # -- cards -----------------------------------------------------------------

    def total(self, seat: int) -> int:
        return count_points(self.hold[seat], self.rules)

    def can_draw(self) -> bool:
        return bool(self.pack or self.played)

    def lay_down(self, seat: int) -> None:
        self.played += self.hold.pop(seat)

    def draw(self, seat: int, role: str, says: str) -> bool:
        self.maybe_reshuffle("draw")
        event = self.next("draw", f"seat {seat}: {says}", "seat", "card", "role", "blind")
        self.require(event["seat"] == seat and event["role"] == role, f"seat {seat} draws as {role}")
        self.require(event["card"] == self.pack[0], "cards come from the front of the pack")
        self.hold[seat].append(self.pack.pop(0))
        return bool(event["blind"])

    def maybe_reshuffle(self, then: str) -> None:
        if self.pack:
            return
        event = self.next("reshuffle", f"the pack is empty and a card is needed ({then})", "pack")
        fair = Counter(event["pack"]) == Counter(self.played)
        self.require(fair, f"the played cards, and no others, become the pack: {sorted(self.played)}")
        self.pack, self.played = list(event["pack"]), []
        self.report.counts["reshuffles"] += 1

    def stop(self, seat: int, role: str, conceals: bool) -> None:
        event = self.next("stop", f"seat {seat} stops", "seat", "role", "conceals")
        self.require(event["seat"] == seat and event["role"] == role, f"seat {seat} stops as {role}")
        self.require(event["conceals"] is conceals, f"conceals must be {conceals} here")

    def optional_stop(self, seat: int, role: str) -> None:
        here = self.events[self.at] if self.at < len(self.events) else {}
        if self.peek() == "stop" and (here.get("seat"), here.get("role")) == (seat, role):
            self.stop(seat, role, conceals=False)


def check(events: Iterable[Event]) -> Report:
    """Judge one game's events.

    Raises
    ------
    RuleViolation
        At the first event that the page does not allow.
    """
    return Checker(events).run()
