"""Adding one game's row to a shard's tallies; shared by all kernels."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simcore.jit import inlined, part
from simcore.metrics import Ints


class Job(NamedTuple):
    """What a kernel needs to play any game of one variant.

    Attributes
    ----------
    seed : uint64
    rules : ndarray of int64, shape (options,)
        `Rules.codes`.
    bots : ndarray of int64, shape (entrants, width)
        A line an entrant: the bot's code, then its parameters.
    seatings : ndarray of int64, shape (k, players)
        Game g seats entrant ``seatings[g % k, s]`` at seat s.
    tables : ndarray of int64, shape (any,)
        What the game computes beforehand from rules and bots; may be empty.
    dice : uint64
        Which dice the bots throw: with another number the same cards fall, and bots that leave something to chance choose
        anew (see `simcore.streams.game_keys`).
    """

    seed: object
    rules: Ints
    bots: Ints
    seatings: Ints
    tables: Ints
    dice: object = np.uint64(0)


class Tally(NamedTuple):
    """Where a kernel leaves a shard's results.

    Attributes
    ----------
    sums : ndarray of int64, shape (columns,)
        The rows of all games, added up.
    hist : ndarray of int64, shape (bins,)
    rows : ndarray of int64, shape (games or 0, columns)
        One row a game, if wanted.
    """

    sums: Ints
    hist: Ints
    rows: Ints


@inlined
def bin_of(value, first, low, high):
    """Index of the bin for `value` in a histogram of `low` … `high` whose first bin (the underflow) is `first`."""
    if value < low:
        return first
    if value > high:
        return first + high - low + 2
    return first + value - low + 1


@part
def tally_game(row, nth, per_game, tally):
    """Add the row of the shard's `nth` game to the tallies, tally its histograms, and keep it if rows are wanted."""
    for i in range(len(row)):
        tally.sums[i] += row[i]
    for line in per_game:
        tally.hist[bin_of(row[line[0]], line[1], line[2], line[3])] += 1
    if len(tally.rows) > 0:
        for i in range(len(row)):
            tally.rows[nth, i] = row[i]
