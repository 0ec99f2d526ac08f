"""Codes of Square's event log; `replay.py` turns the records into the events of a replay."""

from __future__ import annotations

DEAL, HAND, PACK, ASK, DRAW, PLAY, END, DEAL_END, GAME_END = range(9)
