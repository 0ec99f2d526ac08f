"""Ochko, put together."""

from __future__ import annotations

from simcore.games.base import Game
from simcore.games.ochko.bots import BOTS
from simcore.games.ochko.exact.tables import exact_tables
from simcore.games.ochko.kernel import play_logged, play_shard
from simcore.games.ochko.metrics import COUNTS, HEADLINE, HISTOGRAMS, METRICS, sizes
from simcore.games.ochko.plan import plan
from simcore.games.ochko.replay import decode, describe
from simcore.games.ochko.rules import RULES

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
    exact=exact_tables,
    min_shard=200,
)
