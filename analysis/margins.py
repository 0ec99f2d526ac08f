"""Margins as people write them: a number in the metric's unit, or a text with the unit."""

from __future__ import annotations

import math
import re

from simcore.errors import InputError
from simcore.metrics import Metric

_AMOUNT = re.compile(r"\s*([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)\s*(.*?)\s*\Z")
_SHARES = {"%": 0.01, "pp": 0.01, "percentage points": 0.01, "share": 1.0, "share difference": 1.0}


def parse_margin(metric: Metric, given: float | str) -> float:
    """A margin in the metric's unit.

    Parameters
    ----------
    metric : Metric
    given : float or str
        A number; or a text such as ``"0.5"``, ``"0.5 rounds"``, ``"1 pp"`` or ``"1 %"``.

    Raises
    ------
    InputError
        If it is no number, or its unit is not the metric's.
    """
    if not isinstance(given, str):
        return float(given)
    is_share = metric.unit in ("share", "share difference")
    units = {"": 1.0, **(_SHARES if is_share else {metric.unit: 1.0})}
    match = _AMOUNT.match(given)
    try:
        amount = float(match[1]) if match else math.nan
    except ValueError:
        amount = math.nan
    if match is None or math.isnan(amount) or match[2] not in units:
        example = "'1 pp', '1 %' or 0.01" if is_share else f"'1 {metric.unit}' or 1"
        raise InputError(
            f"{given!r} is not allowed for {metric.name} (unit: {metric.unit}); allowed: such as {example}"
        )
    return amount * units[match[2]]
