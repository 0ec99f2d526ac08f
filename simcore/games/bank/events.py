"""Codes of Bank's event log; `replay.py` turns the records into the events of a replay."""

from __future__ import annotations

ROUND, HAND, STOCK, SKIP, DRAW, LAY, DECLINE, FAIL, CAPTURE, OUT, ROUND_END, SCORE, TOTAL, GAME_END = range(14)

BY_FAILED, BY_KINGS, BY_TRUMP_KING, BY_FINAL = range(4)
CAPTURED_BY = ("failed", "kings", "trump_king", "final")

FOR_SEVEN, FOR_TURN, FOR_EXTRA, BY_CHOICE = range(4)
DRAWN_FOR = ("seven", "turn", "extra", "turn")
