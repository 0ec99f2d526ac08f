"""Reading an event stream with expectations."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from .bank_report import RuleViolation

Event = dict[str, Any]


def same(given: object, expected: object) -> bool:
    """Equality that tells ``1`` from ``True`` and looks into lists and tables."""
    if isinstance(expected, list):
        return (
            isinstance(given, (list, tuple))
            and len(given) == len(expected)
            and all(same(g, e) for g, e in zip(given, expected, strict=True))
        )
    if isinstance(expected, dict):
        return (
            isinstance(given, dict)
            and given.keys() == expected.keys()
            and all(same(given[key], expected[key]) for key in expected)
        )
    return type(given) is type(expected) and given == expected


class Stream:
    """The events of one game, read one by one."""

    def __init__(self, events: Iterable[Event]) -> None:
        self.events = list(events)
        self.number = -1

    @property
    def next_kind(self) -> str | None:
        """The kind of the event to come, or None at the end."""
        at = self.number + 1
        if at >= len(self.events):
            return None
        return str(self.events[at].get("event"))

    def refuse(self, says: str) -> NoReturn:
        """Refuse the event read last."""
        event = self.events[self.number] if 0 <= self.number < len(self.events) else None
        raise RuleViolation(self.number, event, says)

    def refuse_next(self, says: str) -> NoReturn:
        """Refuse the event to come."""
        self.number += 1
        self.refuse(says)

    def key(self, event: Event, name: str) -> Any:
        """A key that must be there."""
        if name not in event:
            self.refuse(f"the event must have the key {name!r}")
        return event[name]

    def expect(self, kind: str, says: str, **keys: object) -> Event:
        """Read the next event, which must be of this kind and have these values."""
        found = self.next_kind
        self.number += 1
        if found is None:
            self.refuse(f"the stream ends where {kind!r} must follow ({says})")
        if found != kind:
            self.refuse(f"{kind!r} must follow here: {says}; expected {keys}")
        event = self.events[self.number]
        for name, expected in keys.items():
            given = self.key(event, name)
            if not same(given, expected):
                self.refuse(f"{name} must be {expected!r}: {says}")
        return event

    def end(self) -> None:
        """Nothing may follow."""
        if self.next_kind is not None:
            self.refuse_next("nothing follows the end of the game")
