"""Claims for tests, and a playground whose games are drawn from distributions that are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from analysis.claim import Claim
from analysis.claims import load_claims
from analysis.playing import Playground
from simcore.games import find_game
from simcore.metrics import Ints
from simcore.shards import Variant

BANK = find_game("bank")

HEAD = """[claims]
game = "bank"
bots = "greedy"
max_games = 20_000
"""

SHORT = "set = { players = 2, target = 20, hand_size = 2 }"
"""Games of a few microseconds."""


def claims_file(path: Path, *claims: str, head: str = HEAD) -> Path:
    """Write a claims file; each claim is the text below ``[[claim]]``."""
    path.write_text("\n".join([head, *(f"[[claim]]\n{claim}" for claim in claims)]), encoding="utf-8")
    return path


def claim_text(name: str = "a", **more: str) -> str:
    """The text of a claim about rounds; values as TOML has them."""
    keys = {"sentence": '"Seven rule 4 makes games short."', "metric": '"rounds"', "variant": '{ seven = "nothing" }'}
    keys |= {"baseline": '{ seven = "skip" }', "direction": '"less"', "margin": "0.0", **more}
    return "\n".join([f'id = "{name}"', *(f"{key} = {value}" for key, value in keys.items() if value), ""])


def one_claim(tmp_path: Path, **more: str) -> Claim:
    """A claim, read from a file."""
    return load_claims(claims_file(tmp_path / "one.toml", claim_text(**more)))[0]


Draw = Callable[[np.random.Generator, Variant, int], dict[str, Any]]


class KnownGround(Playground):
    """A playground in which `draw` gives the counts of a variant's games: column -> ndarray of shape (games,).

    Variants share nothing: their games are independent.
    """

    def __init__(self, draw: Draw, seed: int = 0, shard_games: int = 50) -> None:
        super().__init__(BANK, 0, shard_games, ThreadPoolExecutor(1))
        self.draw = draw
        self.random = np.random.default_rng(seed)

    def stream(self, variant: Variant) -> Any:
        if variant not in self._streams:
            from analysis.playing import Stream

            self._streams[variant] = Stream(variant, np.zeros((0, len(BANK.counts)), dtype=np.int64))
        return self._streams[variant]

    def extend(self, variants: Sequence[Variant], shards: int) -> None:
        for variant in variants:
            stream = self.stream(variant)
            new = [self.shard(variant) for _ in range(len(stream.sums), shards)]
            stream.sums = np.vstack([stream.sums, *new])

    def shard(self, variant: Variant) -> Ints:
        """The sums of one shard."""
        counts = {"games": np.ones(self.shard_games, dtype=np.int64)}
        counts |= self.draw(self.random, variant, self.shard_games)
        sums = np.zeros(len(BANK.counts), dtype=np.int64)
        for column, values in counts.items():
            sums[BANK.counts.position[column]] = np.asarray(values).sum()
        return sums


def is_variant(variant: Variant) -> bool:
    """Whether it is the variant of `claim_text`, not its baseline."""
    return variant.rules["seven"] == "nothing"


def rounds_with(mean: float, baseline: float) -> Draw:
    """Rounds a game are Poisson, with these means in the variant and the baseline."""
    return lambda rng, variant, games: {"rounds": rng.poisson(mean if is_variant(variant) else baseline, games)}


def limited(claim: Claim, max_games: int, **more: Any) -> Claim:
    """The claim with another limit."""
    return replace(claim, max_games=max_games, **more)
