"""The results of a run in memory: for each variant the sums of each shard, and the merged histograms."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from simcore.errors import RunError
from simcore.manifest import Manifest
from simcore.metrics import Ints
from simcore.shards import ShardResult


@dataclass
class VariantTallies:
    """Tallies of one variant.

    Attributes
    ----------
    sums : ndarray of int64, shape (shards, columns)
        The summed rows of each shard's games.
    hist : ndarray of int64, shape (bins,)
        Of all shards together.
    done : ndarray of bool, shape (shards,)
    """

    sums: Ints
    hist: Ints
    done: NDArray[np.bool_]


@dataclass
class Tallies:
    """Tallies of all variants of a run, filled shard by shard in any order."""

    manifest: Manifest
    variants: list[VariantTallies] = field(init=False)

    def __post_init__(self) -> None:
        try:
            self.variants = [self._empty() for _ in self.manifest.variants]
        except MemoryError:
            raise RunError(
                f"{len(self.manifest.variants)} variants of {self.manifest.shards} shards do not fit into memory;"
                " play fewer variants in one run"
            ) from None

    def _empty(self) -> VariantTallies:
        shards, game = self.manifest.shards, self.manifest.game
        return VariantTallies(
            np.zeros((shards, len(game.counts)), dtype=np.int64),
            np.zeros(game.histograms.size, dtype=np.int64),
            np.zeros(shards, dtype=np.bool_),
        )

    def add(self, result: ShardResult) -> None:
        """Add a shard; raise `RunError` if it is there already, or is not of this run."""
        m = self.manifest
        if not (0 <= result.variant < len(self.variants) and 0 <= result.shard < m.shards):
            raise RunError(f"shard {result.variant}/{result.shard} is not of this run")
        if result.games != m.shard_size(result.shard) or result.first != result.shard * m.shard_games:
            raise RunError(f"shard {result.variant}/{result.shard} holds other games than it should")
        tallies = self.variants[result.variant]
        if tallies.done[result.shard]:
            raise RunError(f"shard {result.variant}/{result.shard} came twice")
        tallies.sums[result.shard] = result.sums
        tallies.hist += result.hist
        tallies.done[result.shard] = True

    def missing(self) -> list[tuple[int, int]]:
        """(variant, shard) of all that is still to be played, all variants of a shard together."""
        done = np.array([tallies.done for tallies in self.variants])
        return [(int(v), int(s)) for s, v in zip(*np.nonzero(~done.T), strict=True)]

    def stopped(self, shards: int) -> Tallies:
        """The tallies of the first `shards` shards, when no later one has been added."""
        cut = Tallies(self.manifest.stopped(shards))
        for new, old in zip(cut.variants, self.variants, strict=True):
            new.sums, new.done, new.hist = old.sums[:shards], old.done[:shards], old.hist
        return cut

    @property
    def complete(self) -> bool:
        return all(tallies.done.all() for tallies in self.variants)

    def digest(self) -> str:
        """SHA-256 over all tallies in order of variant and shard; the same for the same games, however they were run."""
        digest = hashlib.sha256()
        for tallies in self.variants:
            digest.update(np.ascontiguousarray(tallies.sums).astype("<i8").tobytes())
            digest.update(tallies.hist.astype("<i8").tobytes())
        return digest.hexdigest()
