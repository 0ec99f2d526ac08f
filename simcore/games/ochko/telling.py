"""Writing what takes several records to the event log."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.games.ochko import events
from simcore.games.ochko.state import CARD_BITS, DECK, NET, code
from simcore.jit import part
from simcore.log import emit

NOTHING = -1
_MARKED = code("marker", "yes")


@part
def log_circle(opt, s, banker, circle, stuk, end, log):
    """Write a circle's deal and pack to the log."""
    marker = s[DECK + opt.deck - 1] & CARD_BITS if opt.marker == _MARKED else NOTHING
    emit(log, events.CIRCLE, circle, stuk, marker)
    for i in range(opt.players):
        emit(log, events.DEAL, (banker + 1 + i) % opt.players, s[DECK + i] & CARD_BITS, 0)
    for i in range(opt.players, end):
        emit(log, events.CARD, s[DECK + i] & CARD_BITS, 0, 0)


@part
def log_settle(seat, total, his, why, gain, bank, log):
    """Write a settlement to the log; `bank` after it."""
    emit(log, events.SETTLE, seat, total, his)
    emit(log, events.PAID, why, gain, bank)


@part
def log_end(opt, s, why, bank, log):
    """Write the end of a session to the log."""
    emit(log, events.SESSION_END, why, bank, 0)
    for seat in range(opt.players):
        emit(log, events.NET, seat, s[NET + seat], 0)
