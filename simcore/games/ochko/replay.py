"""Ochko's event log as the events of a replay, and those as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcore.games.base import Event
from simcore.games.ochko import events as ev
from simcore.games.ochko.state import CARDS, WHYS
from simcore.metrics import Ints
from simcore.options import Rules

Lines = Iterator[list[int]]


class _Decoder:
    """Turns records into events; keeps the net gains."""

    def __init__(self, rules: Rules) -> None:
        self.players = rules.players
        self.in_pack = int(rules["deck"]) - self.players - (rules["marker"] == "yes")
        self.net: list[int] = []

    def events(self, records: Ints) -> Iterator[Event]:
        lines: Lines = iter(records.tolist())
        for code, a, b, c in lines:
            if code == ev.CIRCLE:
                yield self._circle(a, b, c, lines)
            elif code == ev.RESHUFFLE:
                yield {"event": "reshuffle", "pack": _cards(a, lines)}
            elif code == ev.SETTLE:
                yield _settle(a, b, c, next(lines))
            elif code == ev.SESSION_END:
                yield self._session_end(a, b, lines)
            elif code == ev.GAME_END:
                yield {"event": "game_end", "winner": None, "capped": bool(a), "total": self.net}
            else:
                yield _action(code, a, b, c)

    def _circle(self, circle: int, stuk: int, marker: int, lines: Lines) -> Event:
        deal = [next(lines) for _ in range(self.players)]
        return {
            "event": "circle",
            "circle": circle,
            "stuk": bool(stuk),
            "deal": [[seat, CARDS[card]] for _, seat, card, _ in deal],
            "marker": None if marker < 0 else CARDS[marker],
            "pack": _cards(self.in_pack, lines),
        }

    def _session_end(self, why: int, bank: int, lines: Lines) -> Event:
        self.net = [next(lines)[2] for _ in range(self.players)]
        return {"event": "session_end", "why": ev.ENDS[why], "bank": bank, "net": self.net}


def _cards(n: int, lines: Lines) -> list[str]:
    return [CARDS[next(lines)[1]] for _ in range(n)]


def _settle(seat: int, punter: int, banker: int, paid: list[int]) -> Event:
    return {
        "event": "settle",
        "seat": seat,
        "punter": punter,
        "banker": None if banker < 0 else banker,
        "why": WHYS[paid[1]],
        "gain": paid[2],
        "bank": paid[3],
    }


def _action(code: int, a: int, b: int, c: int) -> Event:
    if code == ev.SESSION:
        return {"event": "session", "banker": a, "bank": b}
    if code == ev.STAKE:
        return {"event": "stake", "seat": a, "stake": b, "bank": c}
    if code == ev.FIRST:
        return {"event": "first", "card": CARDS[a]}
    if code == ev.STOP:
        return {"event": "stop", "seat": a, "role": ev.ROLES[b], "conceals": bool(c)}
    return {"event": "draw", "seat": a, "card": CARDS[b], "role": ev.ROLES[c & 1], "blind": bool(c >> 1)}


def decode(records: Ints, rules: Rules) -> Iterator[Event]:
    """The events of a game, from the first session to ``game_end``."""
    return _Decoder(rules).events(records)


_WHY = {
    "twenty_one": "21",
    "bust": "bust",
    "hidden_bust": "a concealed bust, found out",
    "blind_bust": "bust by the blind card",
    "both_bust": "both bust",
    "banker_bust": "the banker is bust",
    "higher": "the higher total",
    "lower": "the lower total",
    "tie": "equal totals",
}
_END = {
    "broken": "the bank is broken",
    "stuk": "the stuk circle is over",
    "capped": "stopped at the cap",
}


def describe(events: Sequence[Event]) -> Iterator[str]:
    """The events of a game as lines for people."""
    for event in events:
        yield from _LINES[event["event"]](event)


def _game(e: Event) -> Iterator[str]:
    yield f"ochko, seed {e['seed']}, game {e['index']}; bots: {', '.join(e['bots'])}"
    yield "rules: " + ", ".join(f"{name}={value}" for name, value in e["rules"].items())


def _session_line(e: Event) -> Iterator[str]:
    yield ""
    yield f"Seat {e['banker']} banks with {e['bank']}"


def _circle_line(e: Event) -> Iterator[str]:
    marker = f", marker {e['marker']}" if e["marker"] else ""
    yield f" Circle {e['circle']}{' (stuk)' if e['stuk'] else ''}{marker}"
    yield "  dealt: " + ", ".join(f"{seat} {card}" for seat, card in e["deal"])
    yield f"  pack: {' '.join(e['pack'])}"


def _stake(e: Event) -> Iterator[str]:
    yield f"  {e['seat']} goes for {e['stake']} of {e['bank']}"


def _draw(e: Event) -> Iterator[str]:
    indent = "      banker" if e["role"] == "banker" else "   "
    yield f"{indent} {e['seat']} draws {e['card']}" + (" unseen" if e["blind"] else "")


def _stop(e: Event) -> Iterator[str]:
    indent = "      banker" if e["role"] == "banker" else "   "
    yield f"{indent} {e['seat']} " + ("stands, and conceals a bust" if e["conceals"] else "stops")


def _settle_line(e: Event) -> Iterator[str]:
    totals = str(e["punter"]) if e["banker"] is None else f"{e['punter']} against {e['banker']}"
    what = "gains" if e["gain"] > 0 else "pays" if e["gain"] < 0 else "is even"
    amount = f" {abs(e['gain'])}" if e["gain"] else ""
    yield f"    {e['seat']} {what}{amount} with {totals}: {_WHY[e['why']]}; bank {e['bank']}"


def _session_end_line(e: Event) -> Iterator[str]:
    yield f" End: {_END[e['why']]}; the banker takes {e['bank']}. Net gains: {' '.join(map(str, e['net']))}"


def _game_end(e: Event) -> Iterator[str]:
    yield ""
    yield f"Net gains: {' '.join(map(str, e['total']))}" + (" (a session was capped)" if e["capped"] else "")


_LINES = {
    "game": _game,
    "session": _session_line,
    "circle": _circle_line,
    "stake": _stake,
    "draw": _draw,
    "first": lambda e: iter((f"   the banker's new first card is {e['card']}",)),
    "stop": _stop,
    "reshuffle": lambda e: iter((f"   the played cards are shuffled: {' '.join(e['pack'])}",)),
    "settle": _settle_line,
    "session_end": _session_end_line,
    "game_end": _game_end,
}
