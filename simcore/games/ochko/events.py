"""Codes of Ochko's event log; `replay.py` turns the records into the events of a replay."""

from __future__ import annotations

(
    SESSION,
    CIRCLE,
    DEAL,
    CARD,
    STAKE,
    DRAW,
    FIRST,
    STOP,
    RESHUFFLE,
    SETTLE,
    PAID,
    SESSION_END,
    NET,
    GAME_END,
) = range(14)

AS_PUNTER, AS_BANKER = range(2)
ROLES = ("punter", "banker")

BROKEN, STUK, CAPPED = range(3)
ENDS = ("broken", "stuk", "capped")
