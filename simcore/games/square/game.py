"""Square, put together."""

from __future__ import annotations

from simcore.games.base import Game
from simcore.games.square.bots import BOTS
from simcore.games.square.kernel import play_logged, play_shard
from simcore.games.square.metrics import COUNTS, HEADLINE, HISTOGRAMS, METRICS, sizes
from simcore.games.square.replay import decode, describe
from simcore.games.square.rules import RULES

GAME = Game(
    name="square",
    title="Square",
    summary="2 players, or 2 against 2, 52 cards: fill a square of nine places, and score its lines of one colour or suit",
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
    partners=True,
)
