"""Letters that a terminal may lack: what is printed in their stead, and suits for those that have them."""

from __future__ import annotations

import codecs
import re

STEADS = {
    "×": "x", "…": "...", "−": "-", "–": "-", "±": "+/-", "∞": "inf", "²": "2", "·": "*", "≤": "<=", "≥": ">=", "→": "->",
    "“": '"', "”": '"', "‘": "'", "’": "'", "\u00a0": " ", "\u202f": " ",
    "♣": "c", "♦": "d", "♥": "h", "♠": "s", "●": "*", "○": "o", "✕": "x", "µ": "u",
}  # fmt: skip
"""Letter -> ASCII."""
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
FALLBACK = "kozyr"
"""Name of the codec's error handler."""
_TEN_IN_COLUMN = re.compile(r"(?<= ) T([cdhs])\b")
_CARD = re.compile(r"\b([2-9TJQKA])([cdhs])\b")


def _in_stead(error: UnicodeError) -> tuple[str | bytes, int]:
    """An error handler of codecs: ASCII in the stead of known letters, an escape for any other."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letter = error.object[error.start]
    stead = STEADS.get(letter) or letter.encode("ascii", "backslashreplace").decode("ascii")
    return stead, error.start + 1


codecs.register_error(FALLBACK, _in_stead)


def with_suits(line: str) -> str:
    """A line of a replay with the suits of its cards as signs: ``Qs Th`` becomes ``Q♠ 10♥``."""
    line = _TEN_IN_COLUMN.sub(lambda card: f"10{SUITS[card[1]]}", line)
    return _CARD.sub(lambda card: card[1].replace("T", "10") + SUITS[card[2]], line)


def has_suits(encoding: str | None) -> bool:
    """Whether an encoding has the signs of the suits."""
    try:
        "".join(SUITS.values()).encode(encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True
