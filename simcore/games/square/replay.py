"""Square's event log as the events of a replay, and those as text in which the squares are drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simcore.games.base import Event
from simcore.games.square import events as ev
from simcore.games.square.scoring import UNDECIDED
from simcore.games.square.state import CARDS, GRIDS, NOBODY, OTHER, OWN, RANKS
from simcore.metrics import Ints
from simcore.options import Rules


def cards_of(mask: int) -> list[str]:
    """The cards of a mask, from the lowest."""
    return [name for card, name in enumerate(CARDS) if mask >> card & 1]


def _deal(rules: Rules, record: Sequence[int], lines: Iterator[list[int]]) -> Event:
    _, number, dealer, starter = record
    hands = [cards_of(next(lines)[2]) for _ in range(rules.players)]
    pack = [CARDS[next(lines)[1]] for _ in range(len(CARDS) - sum(map(len, hands)))]
    return {"event": "deal", "deal": number, "dealer": dealer, "first": starter, "hands": hands, "pack": pack}


def _play(seat: int, card: int, target: int) -> Event:
    event = {"event": "play", "seat": seat, "card": CARDS[card]}
    if target >= OTHER:
        return {**event, "to": "other", "place": RANKS[target - OTHER]}
    if target >= OWN:
        return {**event, "to": "own", "place": RANKS[target - OWN]}
    return {**event, "to": "discard", "place": None}


def _deal_end(ender: int, lines: Iterator[list[int]]) -> Event:
    sides = [next(lines)[1:] for _ in range(2)]
    worth, score, total = (list(column) for column in zip(*sides, strict=True))
    why = "pack" if ender == NOBODY else "ended"
    return {"event": "deal_end", "why": why, "worth": worth, "score": score, "total": total}


def decode(records: Ints, rules: Rules) -> Iterator[Event]:
    """The events of a match, from the first deal to ``game_end``."""
    lines = iter(records.tolist())
    total: list[int] = []
    for record in lines:
        code, a, b, c = record
        if code == ev.DEAL:
            yield _deal(rules, record, lines)
        elif code == ev.ASK:
            yield {"event": "ask", "seat": a, "answer": bool(b)}
        elif code == ev.DRAW:
            yield {"event": "draw", "seat": a, "card": CARDS[b]}
        elif code == ev.PLAY:
            yield _play(a, b, c)
        elif code == ev.END:
            yield {"event": "end", "seat": a}
        elif code == ev.DEAL_END:
            end = _deal_end(a, lines)
            total = end["total"]
            yield end
        else:
            yield {
                "event": "game_end",
                "winner": a if a >= 0 else None,
                "capped": a == UNDECIDED,
                "total": total,
            }


EMPTY, CLOSED = " .", "##"


class _Table:
    """The two squares as a person sees them, and the lines of text that tell a match."""

    def __init__(self) -> None:
        self.layout = "natural"
        self.tops: list[dict[str, str]] = [{}, {}]

    def lines(self, event: Event) -> Iterator[str]:
        yield from getattr(self, f"_{event['event']}")(event)

    def draw_squares(self) -> Iterator[str]:
        """The two squares side by side: the top card of each place, `##` where it lies closed, a dot where none lies."""
        for row in GRIDS[self.layout]:
            sides = ["  ".join(tops.get(place, EMPTY) for place in row) for tops in self.tops]
            yield f"        {sides[0]}      {sides[1]}"

    def _game(self, e: Event) -> Iterator[str]:
        self.layout = e["rules"]["layout"]
        yield f"square, seed {e['seed']}, game {e['index']}; bots: {', '.join(e['bots'])}"
        yield "rules: " + ", ".join(f"{name}={value}" for name, value in e["rules"].items())
        yield f"squares: side 0 on the left, side 1 on the right; '{CLOSED}' a closed card, '{EMPTY.strip()}' an empty place"
        yield f"places: {' / '.join(' '.join(row) for row in GRIDS[self.layout])}"

    def _deal(self, e: Event) -> Iterator[str]:
        self.tops = [{}, {}]
        yield ""
        yield f"Deal {e['deal']}: dealer {e['dealer']}, seat {e['first']} begins"
        for seat, hand in enumerate(e["hands"]):
            yield f"  seat {seat} holds {' '.join(hand)}"
        yield f"  pack: {' '.join(e['pack'])}"

    def _ask(self, e: Event) -> Iterator[str]:
        yield f"  {e['seat']} asks to end; the partner {'agrees' if e['answer'] else 'refuses'}"

    def _draw(self, e: Event) -> Iterator[str]:
        yield f"  {e['seat']} draws {e['card']}"

    def _play(self, e: Event) -> Iterator[str]:
        if e["to"] == "discard":
            yield f"  {e['seat']} discards {e['card']}"
            return
        side = e["seat"] % 2 if e["to"] == "own" else 1 - e["seat"] % 2
        closed = e["card"][0] in "JQ"
        self.tops[side][e["place"]] = CLOSED if closed else e["card"]
        whose = "own" if e["to"] == "own" else "opponents'"
        yield f"  {e['seat']} lays {e['card']} {'closed ' if closed else ''}on place {e['place']} of the {whose} square"
        yield from self.draw_squares()

    def _end(self, e: Event) -> Iterator[str]:
        yield f"  {e['seat']} ends the deal"

    def _deal_end(self, e: Event) -> Iterator[str]:
        yield "  the deal was ended:" if e["why"] == "ended" else "  the pack ran out:"
        yield from self.draw_squares()
        for side in range(2):
            yield f"    side {side}: worth {e['worth'][side]}, score {e['score'][side]}, total {e['total'][side]}"

    def _game_end(self, e: Event) -> Iterator[str]:
        yield ""
        if e["capped"]:
            yield "Stopped undecided: no winner"
        else:
            yield "A draw" if e["winner"] is None else f"Side {e['winner']} wins"


def describe(events: Sequence[Event]) -> Iterator[str]:
    """The events of a match as lines for people."""
    table = _Table()
    for event in events:
        yield from table.lines(event)
