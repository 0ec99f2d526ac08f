"""Where everything stands in the state of Bank's kernel, one flat int64 array `s`: rules, tables and counts included.

One array, since each array and each option that is passed to a compiled function costs registers. Where all players are gone
through, ``for seat in range(SEATS)`` leaves at `players`: for ``range(players)`` the compiler makes vector code that is ready for
thousands of them.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import Any

import numpy as np

from simcore.games.bank.metrics import COUNTS
from simcore.games.bank.rules import PACK
from simcore.games.bank.state import SEATS, Options
from simcore.jit import bare, fixed_tuple, inlined
from simcore.streams import GOLDEN, mix64

HAND, CAPTURED, BONUS, PENALTY, SCORE, TOTAL, HITS, GAME_HITS, WINS, STREAM, WORD, BOT = range(0, 12 * SEATS, SEATS)
"""Blocks of four entries, one a seat: mask of the hand; points captured, of bonuses, of penalties; score of the round; total of
the game; sevens that acted on him in the round, and in the game; twelfths of rounds won in the game; state of his bot's random
stream, and the word that it gives next; code of his bot."""

_ROUND = 12 * SEATS
TURN, TOP, OWNER, BANK, GONE, DEAD, SEVEN_WAITS, KINGS_BY, IN, AFTER, BLOCKED, TURNS = range(_ROUND, _ROUND + 12)
"""Of the round: seat whose turn it is; top card and its owner; what lies in the bank (below); cards gone from the pack; turns
failed in a row with the stock empty; whether a seven waits for the next turn; who laid four kings that are not yet covered, or
`NOBODY`; players still in; for each seat a byte, the next seat still in; whether the round ended blocked; its turns."""

QUADS, BY_RULES, ASKED = range(TURNS + 1, TURNS + 4)
"""For each seat a bit: whether he holds a quad; whether all his turns go by the rules in full; whether he is asked where there is
a choice, since his bot is not `random`."""
EVERY_SEAT = (1 << SEATS) - 1

_N_OPTIONS = len(Options._fields)
RULE: Any = Options(*range(ASKED + 1, ASKED + 1 + _N_OPTIONS))
"""Where the code of each option stands: ``s[RULE.players]``."""
COUNT: Any = type(COUNTS.index)(*(RULE[-1] + 1 + i for i in COUNTS.index))
"""Where each count of the game stands: from ``COUNT.games`` on, the row that is tallied."""
COVER = COUNT.games + len(COUNTS)
"""For top card t and seat p, at 4·t + p: mask of the cards that cover it."""
VALUE = COVER + SEATS * PACK
"""What each card adds to the bank."""
DECK = VALUE + PACK
"""The pack in dealing order, a card a mask. It goes on with empty masks, so that drawing need not ask whether there is a stock:
on each card laid follow at most four turns that fail."""
STATE_SIZE = DECK + PACK + SEATS * (PACK + 1)

# A bank is one number: points + ONE_CARD · cards, and FIRST_CARD while the opening card lies there and somebody owns it. So
# whoever owns the top card can capture a bank of TWO_CARDS or more: two cards, or the opening card alone.
ONE_CARD = 1 << 8
TWO_CARDS = 2 * ONE_CARD
FIRST_CARD = 1 << 16
BANK_POINTS = ONE_CARD - 1


@inlined
def rules_of(s):
    """The codes of all options as `Options`."""
    return Options(*fixed_tuple(s[RULE.players :], _N_OPTIONS))  # type: ignore[call-arg]


@bare
def set_stream(s, seat, rng):
    """Note the state of the random stream of a seat's bot, and the word that it gives next."""
    s[np.uint64(STREAM + seat)], s[np.uint64(WORD + seat)] = np.int64(rng), np.int64(mix64(rng + GOLDEN))


_BYTE = 255


@bare
def following(order, seat):
    """The next seat clockwise that is still in, by the `order` that stands at `AFTER`."""
    return order >> (8 * seat) & _BYTE


@bare
def without(order, seat):
    """The order when `seat` has gone out."""
    before = seat
    while following(order, before) != seat:
        before = following(order, before)
    return order & ~(_BYTE << (8 * before)) | following(order, seat) << (8 * before)
