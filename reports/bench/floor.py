"""Shuffling alone, compiled as the games' kernels are."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from reports.bench.measure import thread_seconds
from simcore.jit import kernel
from simcore.streams import DEAL, game_key, shuffle, stream

PACK = 36


@kernel
def shuffle_packs(seed, times, pack):
    """Shuffle a pack anew `times` times, each from a stream of its own; returns what keeps the work from being left out."""
    key = game_key(seed, 0)
    total = 0
    for i in range(times):
        for card in range(len(pack)):
            pack[card] = card
        shuffle(stream(key, i, DEAL), pack)
        total += pack[i % len(pack)]
    return total


def shuffle_seconds(times: int) -> float:
    """CPU seconds of so many shuffles of 36 cards."""
    pack = np.zeros(PACK, dtype=np.int64)
    return thread_seconds(lambda: shuffle_packs(20, times, pack))
