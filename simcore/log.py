"""The event log of one game: an int64 array of records of four, whose first entry is the length in use.

Kernels take the log as an argument; where it is None the compiler removes every line that writes to it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.jit import part
from simcore.metrics import Ints

WIDTH = 4


@part
def emit(log, code, a, b, c):
    """Append a record; past the end only the length grows, so that the caller can try again with more room."""
    at = log[0]
    if at + WIDTH <= len(log):
        log[at] = code
        log[at + 1] = a
        log[at + 2] = b
        log[at + 3] = c
    log[0] = at + WIDTH


def new_log(records: int) -> Ints:
    """An empty log with room for `records` records."""
    log = np.zeros(1 + WIDTH * records, dtype=np.int64)
    log[0] = 1
    return log


def fits(log: Ints) -> bool:
    """Whether everything emitted found room."""
    return bool(log[0] <= len(log))


def records(log: Ints) -> Ints:
    """The records, shape (n, 4)."""
    return log[1 : log[0]].reshape(-1, WIDTH)
