"""Replays inside a page: events as rows of small numbers that point into tables of keys and values."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Events = Sequence[Mapping[str, Any]]


def encode(games: Mapping[str, Events]) -> dict[str, Any]:
    """Games by id as ``{"keys": …, "values": …, "games": {id: [row, …]}}``.

    A row is ``[k, v, v, …]``: the event has the keys ``keys[k]``, and their values are ``values[v]``. The most frequent values
    have the smallest numbers.
    """
    values = Counter(_text(value) for events in games.values() for event in events for value in event.values())
    order = {text: i for i, (text, _) in enumerate(values.most_common())}
    keys: dict[tuple[str, ...], int] = {}
    rows = {
        name: [
            [keys.setdefault(tuple(event), len(keys)), *(order[_text(value)] for value in event.values())]
            for event in events
        ]
        for name, events in games.items()
    }
    return {"keys": [list(key) for key in keys], "values": [json.loads(text) for text in order], "games": rows}


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def decode(data: Mapping[str, Any], name: str) -> Iterable[dict[str, Any]]:
    """The inverse of `encode` for one game; the page's script does the same."""
    for k, *found in data["games"][name]:
        yield {key: data["values"][v] for key, v in zip(data["keys"][k], found, strict=True)}


def script_json(data: Any) -> str:
    """JSON that may stand inside a script element: nothing in it can end the element, or be read as mark-up."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=True)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
