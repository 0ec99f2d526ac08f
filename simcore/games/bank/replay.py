"""Bank's event log as the events of a replay, and those as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcore.games.bank import events as ev
from simcore.games.bank.state import CARDS
from simcore.games.base import Event
from simcore.metrics import Ints
from simcore.options import Rules


def cards_of(mask: int) -> list[str]:
    """The cards of a mask, from the lowest."""
    return [name for card, name in enumerate(CARDS) if mask >> card & 1]


def _in_order(mask: int, top: int, upwards: bool) -> list[str]:
    """The cards of a move in the order laid."""
    cards = cards_of(mask)
    if len({card[0] for card in cards}) > 1:
        return cards if upwards else cards[::-1]
    return [*(card for card in cards if card != CARDS[top]), CARDS[top]]


def _kind(cards: Sequence[str]) -> str:
    if len(cards) == 1:
        return "single"
    return "quad" if cards[0][0] == cards[1][0] else "run"


class _Decoder:
    """Turns records into events; keeps the cards that lie in the bank, and the number of the round."""

    def __init__(self, rules: Rules) -> None:
        self.players = rules.players
        self.round = 0
        self.bank: list[str] = []

    def events(self, records: Ints) -> Iterator[Event]:
        lines = iter(records.tolist())
        for code, a, b, c in lines:
            if code == ev.ROUND:
                yield self._round(a, b, c, lines)
            elif code == ev.ROUND_END:
                yield self._round_end(a, lines)
            elif code == ev.GAME_END:
                yield {
                    "event": "game_end",
                    "winner": None if b else a,
                    "capped": bool(b),
                    "total": self.total,
                }
            else:
                yield self._action(code, a, b, c)

    def _round(self, dealer: int, opening: int, starter: int, lines: Iterator[list[int]]) -> Event:
        self.round += 1
        self.bank = [CARDS[opening]]
        hands = [cards_of(next(lines)[2]) for _ in range(self.players)]
        in_stock = len(CARDS) - 1 - sum(map(len, hands))
        stock = [CARDS[next(lines)[1]] for _ in range(in_stock)]
        return {
            "event": "round",
            "round": self.round,
            "dealer": dealer,
            "hands": hands,
            "opening": CARDS[opening],
            "stock": stock,
            "starter": starter,
        }

    def _action(self, code: int, a: int, b: int, c: int) -> Event:
        if code == ev.SKIP:
            return {"event": "skip", "seat": a}
        if code == ev.DRAW:
            drawn = {"event": "draw", "seat": a, "card": CARDS[b], "why": ev.DRAWN_FOR[c]}
            return {**drawn, "choice": True} if c == ev.BY_CHOICE else drawn
        if code == ev.LAY:
            return self._lay(a, b, c)
        if code == ev.CAPTURE:
            taken, self.bank = self.bank, []
            return {"event": "capture", "seat": a, "cards": taken, "why": ev.CAPTURED_BY[b]}
        if code == ev.OUT:
            names = ("out", "king", "quad", "run")
            bonus = {name: c >> (8 * i) & 0xFF for i, name in enumerate(names)}
            return {"event": "out", "seat": a, "place": b, "bonus": bonus}
        return {"event": "decline" if code == ev.DECLINE else "fail", "seat": a}

    def _lay(self, seat: int, mask: int, detail: int) -> Event:
        cards = _in_order(mask, detail & 0xFF, bool(detail >> 9 & 1))
        self.bank += cards
        return {
            "event": "lay",
            "seat": seat,
            "kind": _kind(cards),
            "cards": cards,
            "extra": bool(detail >> 8 & 1),
        }

    def _round_end(self, blocked: int, lines: Iterator[list[int]]) -> Event:
        seats = [(next(lines), next(lines)) for _ in range(self.players)]
        self.total = [second[3] for _, second in seats]
        return {
            "event": "round_end",
            "why": "blocked" if blocked else "one_left",
            "captured": [first[2] for first, _ in seats],
            "bonus": [first[3] for first, _ in seats],
            "penalty": [second[1] for _, second in seats],
            "score": [second[2] for _, second in seats],
            "total": self.total,
        }


def decode(records: Ints, rules: Rules) -> Iterator[Event]:
    """The events of a game, from the first round to ``game_end``."""
    return _Decoder(rules).events(records)


_DRAW_WHY = {"seven": "for the seven", "turn": "having no move", "extra": "for the extra move"}
_CAPTURE_WHY = {
    "failed": "as the next player failed",
    "kings": "for covering four kings",
    "trump_king": "for ending on a trump king",
    "final": "as the owner of the last card",
}


def describe(events: Sequence[Event]) -> Iterator[str]:
    """The events of a game as lines for people."""
    for event in events:
        yield from _LINES[event["event"]](event)


def _game(e: Event) -> Iterator[str]:
    yield f"bank, seed {e['seed']}, game {e['index']}; bots: {', '.join(e['bots'])}"
    yield "rules: " + ", ".join(f"{name}={value}" for name, value in e["rules"].items())


def _round_line(e: Event) -> Iterator[str]:
    yield ""
    yield f"Round {e['round']}: dealer {e['dealer']}, opening card {e['opening']}, seat {e['starter']} begins"
    for seat, hand in enumerate(e["hands"]):
        yield f"  seat {seat} holds {' '.join(hand)}"
    yield f"  stock: {' '.join(e['stock'])}"


def _draw(e: Event) -> Iterator[str]:
    why = "by choice" if e.get("choice") else _DRAW_WHY[e["why"]]
    yield f"  {e['seat']} draws {e['card']} {why}"


def _lay_line(e: Event) -> Iterator[str]:
    kind = "" if e["kind"] == "single" else f" ({e['kind']})"
    yield f"  {e['seat']} lays {' '.join(e['cards'])}{kind}" + (", an extra move" if e["extra"] else "")


def _capture(e: Event) -> Iterator[str]:
    yield f"  {e['seat']} takes the bank {_CAPTURE_WHY[e['why']]}: {' '.join(e['cards'])}"


def _out(e: Event) -> Iterator[str]:
    parts = ", ".join(f"{name} {points}" for name, points in e["bonus"].items() if points)
    yield f"  {e['seat']} is out, number {e['place']}: {parts}"


def _round_end_line(e: Event) -> Iterator[str]:
    yield "  end: " + ("nobody left can lay a card" if e["why"] == "blocked" else "one player is left")
    for seat, score in enumerate(e["score"]):
        yield (
            f"    seat {seat}: captured {e['captured'][seat]} + bonus {e['bonus'][seat]}"
            f" - penalty {e['penalty'][seat]} = {score}; total {e['total'][seat]}"
        )


def _game_end(e: Event) -> Iterator[str]:
    yield ""
    yield "Stopped undecided: no winner" if e["capped"] else f"Seat {e['winner']} wins"


_LINES = {
    "game": _game,
    "round": _round_line,
    "skip": lambda e: iter((f"  {e['seat']} loses the turn to the seven",)),
    "draw": _draw,
    "lay": _lay_line,
    "decline": lambda e: iter((f"  {e['seat']} declines",)),
    "fail": lambda e: iter((f"  {e['seat']} fails",)),
    "capture": _capture,
    "out": _out,
    "round_end": _round_end_line,
    "game_end": _game_end,
}
