"""Measuring: CPU time of this thread, in turns, so that what else the machine does falls on all alike."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from statistics import median

Work = Callable[[], float]
"""Does something, and returns what one unit of it cost."""


@dataclass(frozen=True)
class Effort:
    """How thoroughly to measure.

    Attributes
    ----------
    repeats : int
        How often each thing is measured.
    share : float
        Size of a measurement, as a share of the usual one.
    compile_too : bool
        Whether yardsticks are measured that have to compile a game first.
    """

    repeats: int = 9
    share: float = 1.0
    compile_too: bool = True

    def size(self, usual: float) -> int:
        """The size of a measurement that usually has size `usual`."""
        return max(1, round(usual * self.share))


FULL = Effort()
QUICK = Effort(repeats=3, share=0.1, compile_too=False)


@dataclass(frozen=True)
class Costs:
    """What was measured: name -> cost of each repeat, in the order of measuring."""

    all: Mapping[str, list[float]]

    def least(self, name: str) -> float:
        """The least cost: what the work itself takes, with the least of other things in it."""
        return min(self.all[name])

    def ratio(self, name: str, other: str) -> float:
        """The ratio of two least costs."""
        return self.least(name) / self.least(other)

    def median_ratio(self, name: str, other: str) -> float:
        """The median, over repeats, of the ratio of two costs measured one after the other."""
        return median(a / b for a, b in zip(self.all[name], self.all[other], strict=True))


def in_turn(works: Mapping[str, Work], repeats: int) -> Costs:
    """Measure each of `works`, one after the other, `repeats` times."""
    costs: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(repeats):
        for name, work in works.items():
            costs[name].append(work())
    return Costs(costs)


def thread_seconds(work: Callable[[], object]) -> float:
    """CPU time of this thread that `work` takes, in seconds."""
    start = time.thread_time()
    work()
    return time.thread_time() - start


def wall_seconds(work: Callable[[], object]) -> float:
    """Time that passes while `work` is done, in seconds."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def rough(value: float) -> str:
    """A number for a note: three significant digits, thousands as such."""
    if not math.isfinite(value) or value == 0:
        return str(value)
    digits = 2 - math.floor(math.log10(abs(value)))
    return f"{round(value, digits):,.{max(0, digits)}f}"
