"""Finished universes of a multiverse in a file, so that an interrupted one goes on where it stopped."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from analysis.claim import Claim
from analysis.verdicts import VERDICT_COLUMNS, VERDICTS
from simcore.errors import InputError, RunError
from simcore.runfolder import write_aside
from simcore.sources import code_hash

FLUSH_SECONDS = 1.0
_NUMBERS = ("estimate", "low", "high", "error_rate", "p_supported", "p_refuted", "games")
_COUNTS = ("more_games", "more_games_optimistic", "more_games_pessimistic")


class Store:
    """Finished universes, in memory and, if a folder is given, in ``<claim>.multiverse.json``.

    Attributes
    ----------
    path : Path or None
    rows : dict
        Key of a universe -> its row of a `verdict_frame`.

    Raises
    ------
    InputError
        If the file is damaged, or holds universes of another claim, code, seed or number of games.
    """

    def __init__(self, folder: Path | None, claim: Claim, games: int) -> None:
        self.path = folder / f"{claim.id}.multiverse.json" if folder else None
        self.identity = _identity(claim, games)
        self.rows: dict[str, Mapping[str, Any]] = {}
        self._written = time.monotonic()
        self._dirty = False
        if self.path is not None and self.path.exists():
            self.rows = self._load(self.path)

    def _load(self, path: Path) -> dict[str, Mapping[str, Any]]:
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            found, rows = data["identity"], data["rows"]
            if not isinstance(rows, dict):
                raise TypeError("'rows' is not an object")
            if found == self.identity:
                return {key: _checked(row) for key, row in rows.items()}
        except (ValueError, KeyError, TypeError, OSError, RecursionError) as error:
            raise InputError(
                f"{path}: damaged, or not a multiverse ({error}); remove it, or name another --out"
            ) from None
        raise InputError(f"{path}: holds another multiverse (other code, claim, seed or budget); name another --out")

    def add(self, key: str, row: Mapping[str, Any]) -> None:
        """Keep a finished universe; it is written within a second, or by `flush`."""
        self.rows[key] = row
        self._dirty = True
        if time.monotonic() - self._written >= FLUSH_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what is not written yet."""
        if self.path is None or not self._dirty:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{self.path.parent}: cannot be made: {error.strerror or error}") from error
        rows = {name: {k: _plain(v) for k, v in one.items()} for name, one in self.rows.items()}
        text = json.dumps({"identity": self.identity, "rows": rows}, ensure_ascii=False, allow_nan=False)
        write_aside(self.path, text.encode())
        self._written, self._dirty = time.monotonic(), False


def _identity(claim: Claim, games: int) -> str:
    """Hash of all that a universe's row depends on, besides its bots and rulings."""
    words = (claim.sentence, claim.reading, claim.source, claim.caveat)
    options = (sorted(claim.set.items()), claim.seed, claim.max_games, games)
    text = repr((code_hash(claim.game.name), claim.id, claim.formula, claim.error_rate, words, options))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    """A value as JSON has it: numbers that JSON lacks as text."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value.item() if hasattr(value, "item") else value


def _checked(row: Any) -> dict[str, Any]:
    """A row as it was added; raises ValueError or TypeError if it is none."""
    if not isinstance(row, dict) or set(row) != set(VERDICT_COLUMNS) or row["verdict"] not in VERDICTS:
        raise ValueError("a row is not that of a universe")
    found = dict(row)
    for name in _NUMBERS:
        found[name] = float(row[name])
    found["games"] = int(found["games"])
    for name in _COUNTS:
        found[name] = None if row[name] is None or math.isnan(float(row[name])) else int(row[name])
    if not all(isinstance(found[name], str) for name in set(VERDICT_COLUMNS) - {*_NUMBERS, *_COUNTS, "part"}):
        raise TypeError("a text is missing")
    if not isinstance(found["part"], bool):
        raise TypeError("'part' is neither true nor false")
    return found
