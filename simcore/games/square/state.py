"""Cards, constants and arrays of Square's kernel.

A card is ``4 · rank + suit``: ranks A 2 … 9 T J Q K are 0 … 12, suits c d h s are 0 … 3. A set of cards is an int64 mask.
The nine places of a square bear the numbers of their ranks, 0 … 8; a set of places is a mask of nine bits.

A *square* is one int64: bit ``9 · suit + place`` is set where an open card of that suit lies on top. A place with none of
its four bits is free. What lies beneath the top, and whether a free place is empty or closed, never matters to the play.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from simcore.games.square.rules import PACK, RULES

RANKS = "A23456789TJQK"
SUITS = "cdhs"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)

SEATS, SIDES, PLACES = 4, 2, 9
TEN, JACK, QUEEN, KING = 9, 10, 11, 12
ALL_PLACES = (1 << PLACES) - 1
ALL_CARDS = (1 << PACK) - 1
IN_ALL_SUITS = 1 | 1 << PLACES | 1 << 2 * PLACES | 1 << 3 * PLACES
"""The first place's bits of a square, in all four suits."""

DISCARD, OWN, OTHER = 0, 1, 1 + PLACES
"""Targets of a play: 0 the discards, 1 … 9 the places of the own square, 10 … 18 those of the opponents' square."""

NOBODY = -1
WIN_PARTS = 2
"""A win is counted in halves, so that a draw is shared in whole numbers."""

Options = namedtuple("Options", [option.name for option in RULES])  # type: ignore[misc]
"""The codes of all options as plain integers, so that kernels read ``opt.players``."""


def code(option: str, word: str) -> int:
    """The kernel's integer for a word of an option."""
    return RULES[option].encode(word)


GRIDS = {"natural": ("A23", "456", "789"), "magic": ("492", "357", "8A6")}
"""The layouts, as rows of ranks."""


def lines_of(layout: str) -> list[list[int]]:
    """The eight lines of a layout as lists of three places: rows, columns, diagonals."""
    grid = [[RANKS.index(rank) for rank in row] for row in GRIDS[layout]]
    columns = [list(column) for column in zip(*grid, strict=True)]
    diagonals = [[grid[k][k] for k in range(3)], [grid[2 - k][k] for k in range(3)]]
    return [*grid, *columns, *diagonals]


_LAYOUTS = [lines_of(str(layout)) for layout in RULES["layout"].all_values()]

LINES = np.array(_LAYOUTS, dtype=np.int64)
"""The three places of each line, by code of the layout; shape (2, 8, 3)."""

LINE_COUNTS = np.array(
    [
        sum(all(places >> place & 1 for place in line) for line in lines)
        for lines in _LAYOUTS
        for places in range(ALL_PLACES + 1)
    ],
    dtype=np.int64,
)
"""How many lines lie wholly in a set of places; shape (2 · 512,), index ``512 · layout + places``."""

CARDS_OF = np.array(
    [sum(0b1111 << 4 * place for place in range(PLACES) if places >> place & 1) for places in range(ALL_PLACES + 1)],
    dtype=np.int64,
)
"""Mask of the number cards that belong to a set of places; shape (512,)."""

# The state of a deal and a match is one flat int64 array: the blocks below, then the pack, then the scratch of the `builder`.
# One array, since each array that is passed to a compiled function costs reference counts.
HAND, STREAM, BOT, END_FROM = range(0, 4 * SEATS, SEATS)
"""Blocks of four, one entry a seat: mask of the hand; state of the bot's random stream; the bot's code and parameter."""
SQUARE, WORTH, SCORE, TOTAL = range(4 * SEATS, 4 * SEATS + 4 * SIDES, SIDES)
"""Blocks of two, one entry a side (seat modulo 2): the square and its worth; score of the deal; total of the match."""
DECK = 4 * SEATS + 4 * SIDES
"""Where the 52 cards of the pack begin, in dealing order."""
OWN_CHANCE = DECK + PACK
OTHER_CHANCE = OWN_CHANCE + 4 * PLACES
"""Chance of each suit on each place of the two squares, index ``4 · place + suit``."""
FACTORS = 6
OWN_FACTOR = OTHER_CHANCE + 4 * PLACES
OTHER_FACTOR = OWN_FACTOR + FACTORS * PLACES
"""What a unit of chance of each suit, and of black and red, on each place adds to a square's prospect."""
SWING = OTHER_FACTOR + FACTORS * PLACES
SWINGS = 128
"""Numbers of unseen cards by what they can gain, 0 … 127 points."""
STATE_SIZE = SWING + SWINGS
