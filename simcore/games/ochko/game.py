"""Ochko, put together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from simcore.games.base import Game
from simcore.games.ochko.bots import BOTS
from simcore.games.ochko.kernel import play_logged, play_shard
from simcore.games.ochko.metrics import COUNTS, HEADLINE, HISTOGRAMS, METRICS, sizes
from simcore.games.ochko.plan import plan
from simcore.games.ochko.replay import decode, describe
from simcore.games.ochko.rules import RULES
from simcore.options import Rules

if TYPE_CHECKING:
    import pandas as pd


def exact(rules: Rules) -> Mapping[str, pd.DataFrame]:
    """What arithmetic alone says of these rules; its tables are imported when they are asked for."""
    from simcore.games.ochko.exact.tables import exact_tables

    return exact_tables(rules)


GAME = Game(
    name="ochko",
    title="Ochko (Twenty-one)",
    summary="2-10 players, 32, 36 or 52 cards: each in turn plays for the banker's bank, to 21",
    rules=RULES,
    bots=BOTS,
    counts=COUNTS,
    histograms=HISTOGRAMS,
    metrics=METRICS,
    headline=HEADLINE,
    sizes=sizes,
    play_shard=play_shard,
    play_logged=play_logged,
    decode=decode,
    describe=describe,
    tables=plan,
    exact=exact,
    min_shard=200,
)
