"""Numbers as people read them: as many digits as the interval supports, true minus signs, narrow spaces in thousands."""

from __future__ import annotations

import math
import re

MINUS = "−"
NARROW = "\N{NARROW NO-BREAK SPACE}"
_THOUSANDS = re.compile(rf"(?<=\d){NARROW}(?=\d{{3}})")
NOTHING = "–"
UNBOUNDED = "no interval yet"
SHARES = ("share", "share difference")
MAX_DECIMALS = 4


def is_share(unit: str) -> bool:
    """Whether a unit is shown in per cent."""
    return unit in SHARES


def decimals(half_width: float) -> int:
    """Decimals that show an interval's half width to one digit, or to two where the first is 1 or 2; at most `MAX_DECIMALS`."""
    if not 0 < half_width < math.inf:
        return 2
    exponent = math.floor(math.log10(half_width))
    fine = half_width < 3 * 10.0**exponent
    return max(0, min(MAX_DECIMALS, fine - exponent))


def plain(value: float | None, places: int, signed: bool = False) -> str:
    """A number with `places` decimals; `NOTHING` where there is none."""
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else f"{MINUS}∞"
    text = f"{abs(value):,.{places}f}".replace(",", NARROW)
    negative = value < 0 and float(f"{value:.{places}f}") != 0
    return (MINUS if negative else "+" if signed and float(f"{value:.{places}f}") != 0 else "") + text


def count(value: int) -> str:
    """A whole number."""
    return plain(value, 0)


def _scaled(value: float | None, unit: str) -> float | None:
    return value * 100 if value is not None and is_share(unit) else value


def places_for(unit: str, low: float, high: float) -> int:
    """Decimals for a value with this interval, in its unit (per cent for shares)."""
    scale = 100 if is_share(unit) else 1
    width = (high - low) * scale
    if width == 0 and float(low * scale).is_integer():
        return 0
    # One end unknown, the other a whole number that was seen: an order statistic.
    if math.isinf(width) and any(end and float(end).is_integer() for end in (low, high)):
        return 0
    return min(decimals(width / 2), 2 if is_share(unit) else MAX_DECIMALS)


def amount(value: float | None, unit: str, places: int, signed: bool = False) -> str:
    """A value in its unit: per cent for shares, percentage points for their differences, else a bare number."""
    text = plain(_scaled(value, unit), places, signed or unit == "share difference")
    if text == NOTHING or not is_share(unit):
        return text
    return f"{text}{NARROW}%" if unit == "share" else f"{text}{NARROW}pp"


def interval(low: float, high: float, unit: str, places: int, signed: bool = False) -> str:
    """An interval in words: ``33.7 to 34.1``; ``at most 4``, ``at least 4`` where one end is open, `UNBOUNDED` if both are."""
    sign = signed or unit == "share difference"
    texts = [plain(_scaled(end, unit), places, sign) for end in (low, high)]
    if math.isinf(low) and math.isinf(high):
        return UNBOUNDED
    if math.isinf(low) or math.isinf(high):
        return f"at most {texts[1]}" if math.isinf(low) else f"at least {texts[0]}"
    return " to ".join(texts)


def unit_name(unit: str) -> str:
    """The unit as a heading shows it."""
    return {"share": "%", "share difference": "percentage points"}.get(unit, unit)


def difference_unit(unit: str) -> str:
    """The unit of a difference of two values."""
    return "share difference" if unit == "share" else unit


def p_value(p: float | None) -> str:
    """A p value: three digits, or how small it is."""
    if p is None or math.isnan(p):
        return NOTHING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def in_plain_blanks(text: str) -> str:
    """A text for a terminal: commas in thousands, and an ordinary blank before a unit."""
    return _THOUSANDS.sub(",", text).replace(NARROW, " ")
