"""A line of the table of yardsticks, and the goals that lines are held against."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class NotMeasured(Exception):
    """A yardstick cannot be measured here; the text says what is missing and how to get it."""


@dataclass(frozen=True)
class Goal:
    """A limit on a measured number.

    Attributes
    ----------
    limit : float
    at_most : bool
        Whether the number must not be greater; otherwise it must not be less.
    """

    limit: float
    at_most: bool = True

    def met(self, value: float) -> bool:
        """Whether `value` is within the limit."""
        return value <= self.limit if self.at_most else value >= self.limit

    def __str__(self) -> str:
        return f"{'≤' if self.at_most else '≥'} {self.limit:,g}"


def at_most(limit: float) -> Goal:
    """A goal that small numbers meet."""
    return Goal(limit)


def at_least(limit: float) -> Goal:
    """A goal that great numbers meet."""
    return Goal(limit, at_most=False)


@dataclass(frozen=True)
class Line:
    """One measured number.

    Attributes
    ----------
    name : str
        What is measured.
    measured : float or None
        None where it could not be measured; `note` then says why.
    unit : str
        ``x`` for ratios.
    goal : Goal or None
    note : str
        From what the number was computed.
    check : bool
        Whether it is a check of correctness, which decides the exit code; all else is speed.
    yardstick : str
        The group that the line belongs to.
    """

    name: str
    measured: float | None
    unit: str = ""
    goal: Goal | None = None
    note: str = ""
    check: bool = False
    yardstick: str = field(default="", kw_only=True)

    @property
    def met(self) -> bool | None:
        """Whether the goal is met; None without a goal or a measured number."""
        return None if self.goal is None or self.measured is None else self.goal.met(self.measured)

    def record(self) -> dict[str, Any]:
        """The line as JSON holds it."""
        return {
            "yardstick": self.yardstick,
            "name": self.name,
            "measured": self.measured,
            "unit": self.unit,
            "goal": str(self.goal) if self.goal else None,
            "met": self.met,
            "check": self.check,
            "note": self.note,
        }
