"""Reading numbers that people type."""

from __future__ import annotations

import operator
import re
from typing import SupportsIndex

from simcore.errors import InputError

_COUNT = re.compile(r"([0-9][0-9_]{0,29})(?:\.([0-9]{1,30}))?(?:[eE]\+?([0-9]{1,2}))?\Z")
_INDICES = re.compile(r"([0-9]{1,18})(?:\.\.([0-9]{1,18}))?\Z")


def power_of_ten(value: int) -> str:
    """A round number as people type it: ``1e15``."""
    return f"{value:.0e}".replace("e+", "e")


def whole(value: SupportsIndex, what: str) -> int:
    """Return a whole number of any integer type as an int; raise `InputError` naming `what` for anything else."""
    try:
        if isinstance(value, bool):
            raise TypeError
        return operator.index(value)
    except TypeError:
        raise InputError(f"{what} = {value!r} is not allowed; allowed: a whole number") from None


def parse_count(text: str, what: str, highest: int) -> int:
    """Read a whole number from 1 to `highest`, written ``100000``, ``1e5``, ``2.5e5`` or ``100_000``.

    Raises
    ------
    InputError
        Naming `what` was given.
    """
    refusal = InputError(
        f"{what} {text!r} is not allowed; allowed: a whole number from 1 to {power_of_ten(highest)}, such as 100000 or 1e5"
    )
    match = _COUNT.match(text.strip())
    if not match:
        raise refusal
    fraction, power = (match[2] or "").rstrip("0"), int(match[3] or 0)
    if len(fraction) > power:
        raise refusal
    value: int = int(match[1].replace("_", "") + fraction) * 10 ** (power - len(fraction))
    if not 1 <= value <= highest:
        raise refusal
    return value


def parse_indices(text: str, highest: int) -> range:
    """Read game indices: ``7``, or ``0..99`` with both ends included; raise `InputError` for anything else."""
    match = _INDICES.match(text.strip())
    first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
    if not match or last < first or last > highest:
        raise InputError(f"--index {text!r} is not allowed; allowed: a number from 0, or a range such as 0..99")
    return range(first, last + 1)
