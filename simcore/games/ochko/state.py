"""Cards, constants and the state array of Ochko's kernel.

A card is ``4 · rank + suit``: ranks 2 … 9 T J Q K A are 0 … 12, suits c d h s are 0 … 3. In the pack it stands with what
it counts, as ``card | points << POINTS | ace << ACES``, so that the sum of a hand's entries shifted down by `POINTS`
holds its total and its aces.
"""

from __future__ import annotations

from collections import namedtuple

from simcore.games.ochko.rules import RULES

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARDS = tuple(rank + suit for rank in RANKS for suit in SUITS)
N_RANKS = len(RANKS)
ACE_RANK = RANKS.index("A")
VALUES = (2, 3, 4, 5, 6, 7, 8, 9, 10, 2, 3, 4, 1)
"""What each rank counts; the ace 1, or 11 where it always does."""

SEATS = 10
PACK = 52
GOAL = 21
NO_RANK = N_RANKS
"""Stands for the marker's rank where there is no marker."""

POINTS = 8
ACES = 16
ONE_ACE = 1 << (ACES - POINTS)
CARD_BITS = (1 << 6) - 1
TOTAL_BITS = ONE_ACE - 1

FULL_BANK = 10**9
"""A bank of this size at the end of a circle caps the session."""
CIRCLES = 1 << 14
"""Rounds of a random stream are numbered ``CIRCLES · session + circle``."""

Options = namedtuple("Options", [option.name for option in RULES])  # type: ignore[misc]
"""The codes of all options as plain integers, so that kernels read ``opt.players``."""


def code(option: str, word: str) -> int:
    """The kernel's integer for a word of an option."""
    return RULES[option].encode(word)


# The state of a game is one flat int64 array: a block of ten entries (one a seat) for each name below, then two packs. One
# array, since each array that is passed to a compiled function costs reference counts.
NET, ENTRANT, BOT, STAND, BANK_STAND, STAKES, BLIND_FROM, CONCEAL, STAKE, TOTAL, FATE = range(0, 11 * SEATS, SEATS)
"""Blocks: net gain in the game; entrant at the seat; his bot, and its parameters; and, of a punter who stands against a
common banker's hand: his stake, his total, and how he stands."""
FRESH = 11 * SEATS
"""Where the pack lies in its first order."""
DECK = FRESH + PACK
"""Where the cards of the circle lie: first cards, then the pack; room for a reshuffled pack behind the first cards."""
STATE_SIZE = DECK + PACK + SEATS

WHYS = (
    "twenty_one",
    "bust",
    "hidden_bust",
    "blind_bust",
    "both_bust",
    "banker_bust",
    "higher",
    "lower",
    "tie",
    "unsettled",
)
"""How a hand may end; the last only where a common hand's bank was broken before it was settled."""
(
    TWENTY_ONE,
    BUST,
    HIDDEN_BUST,
    BLIND_BUST,
    BOTH_BUST,
    BANKER_BUST,
    HIGHER,
    LOWER,
    TIE,
    UNSETTLED,
) = range(len(WHYS))
