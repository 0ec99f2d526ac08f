"""Reading numbers that people type."""

from __future__ import annotations

import operator
import re
from typing import SupportsIndex

from simcore.errors import InputError

_COUNT = re.compile(r"([0-9][0-9_]{0,29})(?:\.([0-9]{1,30}))?(?:[eE]\+?([0-9]{1,2}))?\Z")


def power_of_ten(value: int) -> str:
    """A round number as people type it: ``1e15``; one that is not a power of ten with all its digits."""
    digits = str(value)
    return f"1e{len(digits) - 1}" if value >= 10_000 and digits.rstrip("0") == "1" else digits


def whole(value: SupportsIndex, what: str) -> int:
    """Return a whole number of any integer type as an int; raise `InputError` naming `what` for anything else."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise InputError(f"{what} = {value!r} is not allowed; allowed: a whole number") from None


def _written(text: str) -> int | None:
    """The whole number that a text means, ``100000``, ``1e5``, ``2.5e5`` or ``100_000``; None if it means none."""
    match = _COUNT.match(text.strip())
    if not match:
        return None
    fraction, power = (match[2] or "").rstrip("0"), int(match[3] or 0)
    if len(fraction) > power:
        return None
    value: int = int(match[1].replace("_", "") + fraction) * 10 ** (power - len(fraction))
    return value


def parse_count(text: str, what: str, highest: int, lowest: int = 1) -> int:
    """Read a whole number from `lowest` to `highest`, written ``100000``, ``1e5``, ``2.5e5`` or ``100_000``.

    Raises
    ------
    InputError
        Naming `what` was given.
    """
    value = _written(text)
    if value is None or not lowest <= value <= highest:
        example = ", such as 100000 or 1e5" if highest >= 100_000 else ""
        raise InputError(
            f"{what} {text!r} is not allowed; allowed: a whole number from {lowest} to {power_of_ten(highest)}{example}"
        )
    return value


def parse_indices(text: str, highest: int) -> range:
    """Read game indices: ``7``, or ``0..99`` with both ends included; raise `InputError` for anything else."""
    first, dots, last = text.partition("..")
    start, end = _written(first), _written(last if dots else first)
    if start is None or end is None or end < start or end > highest:
        raise InputError(
            f"--index {text!r} is not allowed; allowed: a number from 0 to {power_of_ten(highest)}, or a range such as 0..99"
        )
    return range(start, end + 1)
