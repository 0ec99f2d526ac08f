"""What a page holds packed: replays, as rows of small numbers that point into tables of keys and values, and long tables."""

from __future__ import annotations

import json
import zlib
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

Events = Sequence[Mapping[str, Any]]


def encode(games: Mapping[str, Events]) -> dict[str, Any]:
    """Games by id as ``{"keys": …, "values": …, "games": {id: [row, …]}}``.

    A row is ``[k, v, v, …]``: the event has the keys ``keys[k]``, and their values are ``values[v]``. The most frequent values
    have the smallest numbers.
    """
    keys: dict[tuple[str, ...], int] = {}
    found = {
        name: [
            (keys.setdefault(tuple(event), len(keys)), [_text(value) for value in event.values()]) for event in events
        ]
        for name, events in games.items()
    }
    often = Counter(text for rows in found.values() for _, texts in rows for text in texts).most_common()
    order = {text: i for i, (text, _) in enumerate(often)}
    rows = {name: [[k, *map(order.__getitem__, texts)] for k, texts in rows] for name, rows in found.items()}
    return {"keys": [list(key) for key in keys], "values": [json.loads(text) for text in order], "games": rows}


_write = json.JSONEncoder(separators=(",", ":")).encode


def _text(value: Any) -> str:
    return f"{value}" if type(value) is int else _write(value)


def decode(data: Mapping[str, Any], name: str) -> Iterable[dict[str, Any]]:
    """The inverse of `encode` for one game; the page's script does the same."""
    for k, *found in data["games"][name]:
        yield {key: data["values"][v] for key, v in zip(data["keys"][k], found, strict=True)}


def pack(text: str) -> str:
    """Text packed without loss (RFC 1950, then base 64): nothing in it can end an element, or be read as mark-up."""
    return b64encode(zlib.compress(text.encode(), 9)).decode("ascii")


def unpack(packed: str) -> str:
    """The inverse of `pack`; the page's script does the same."""
    return zlib.decompress(b64decode(packed)).decode()


def packed_json(data: Any) -> str:
    """A JSON document, packed."""
    return pack(json.dumps(data, separators=(",", ":"), ensure_ascii=True))
