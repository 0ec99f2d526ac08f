"""Cards, numbers and codes of Bank's kernel; `layout.py` says where in its array everything stands.

A card is ``4 · rank + suit``: ranks 6 7 8 9 J Q K T A are 0 … 8, suits c d h s are 0 … 3. A set of cards is an int64 mask.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from collections import namedtuple

import numpy as np

from simcore.games.bank.rules import PACK, RULES

RANKS = "6789JQKTA"
SUITS = "cdhs"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)

SEATS = 4
SIX, SEVEN, EIGHT, JACK, QUEEN, KING, TEN, ACE = 0, 1, 2, 4, 5, 6, 7, 8
POINTS = np.array([{ACE: 12, TEN: 10, KING: 5, QUEEN: 3, JACK: 1}.get(c // 4, 0) for c in range(PACK)])
ALL = (1 << PACK) - 1
NIBBLE = 0b1111
LOWEST_SUIT = sum(1 << (4 * rank) for rank in range(9))  # one bit a rank: all clubs
KINGS = NIBBLE << (4 * KING)
EIGHTS = NIBBLE << (4 * EIGHT)
SEVENS = NIBBLE << (4 * SEVEN)
SIXES = NIBBLE << (4 * SIX)
WIN_PARTS = 12
"""A round's win is counted in twelfths, so that two, three or four winners share it in whole numbers."""

GOING_OUT = np.array([20, 10, 10])
KING_LAST = np.array([30, 20, 10])
QUAD_LAST = np.array([75, 75, 75])
RUN_LAST = np.array([30, 25, 20])

Options = namedtuple("Options", [option.name for option in RULES])  # type: ignore[misc]
"""The codes of all options as plain integers, so that kernels read ``opt.players``."""


def code(option: str, word: str) -> int:
    """The kernel's integer for a word of an option."""
    return RULES[option].encode(word)


NOBODY = -1

MOVE, DRAWN, EXTRA, EXTRA_DRAWN = range(4)
"""Where in a turn a player is: step 2; step 3 with the drawn card; owing an extra move; the same after drawing for it."""
START, OVER = -1, -2
"""Before step 1 of a turn; after the end of the round."""
