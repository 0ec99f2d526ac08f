"""Bank, put together."""

from __future__ import annotations

from simcore.games.bank.bots import BOTS
from simcore.games.bank.kernel import play_logged, play_shard
from simcore.games.bank.metrics import COUNTS, HEADLINE, HISTOGRAMS, METRICS, sizes
from simcore.games.bank.replay import decode, describe
from simcore.games.bank.rules import RULES
from simcore.games.base import Game

GAME = Game(
    name="bank",
    title="Bank",
    summary="2-4 players, 36 cards: cover the top card of the bank; who cannot, leaves it to the one before",
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
)
