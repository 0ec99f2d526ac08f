"""The kernel of Ochko: a game, a shard of games. `RULES.md` is the text that it follows."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.games.ochko import events
from simcore.games.ochko.bots import BASIC, NEVER
from simcore.games.ochko.metrics import COUNTS, HISTOGRAMS
from simcore.games.ochko.pack import lay_fresh
from simcore.games.ochko.plan import OWN_STAND, PLAN_SIZE
from simcore.games.ochko.session import play_session
from simcore.games.ochko.state import (
    BANK_STAND,
    BLIND_FROM,
    BOT,
    CONCEAL,
    ENTRANT,
    NET,
    STAKES,
    STAND,
    STATE_SIZE,
    Options,
    code,
)
from simcore.jit import fixed_tuple, kernel, part
from simcore.log import emit
from simcore.streams import LOT, below, game_keys, stream
from simcore.tally import tally_game

IX = COUNTS.index
PER_GAME = HISTOGRAMS.per_game(COUNTS)
N_OPTIONS = len(Options._fields)

_MAY_BLIND = code("blind", "yes")


@part
def seat_bots(opt, s, plan, bots, seating):
    """Write what the session needs of each seat's bot into the state."""
    for seat in range(opt.players):
        line = bots[seating[seat]]
        s[ENTRANT + seat], s[BOT + seat] = seating[seat], line[0]
        s[STAND + seat], s[BANK_STAND + seat] = line[1], line[2]
        s[STAKES + seat], s[BLIND_FROM + seat], s[CONCEAL + seat] = line[3], line[4], line[5]
        if line[0] == BASIC:
            s[STAKES + seat], s[CONCEAL + seat] = line[1], 0
            s[BANK_STAND + seat] = plan[seating[seat] * PLAN_SIZE + OWN_STAND]
        if opt.blind != _MAY_BLIND:
            s[BLIND_FROM + seat] = NEVER


@part
def count_game(opt, s, first, seating, capped, row):
    """Tally the end of a game."""
    players = opt.players
    row[IX.games] = 1
    row[IX.capped] = capped
    for seat in range(players):
        net = s[NET + seat]
        row[IX.seat_net + seat] = net
        row[IX.place_net + (seat - first + players) % players] = net
        row[IX.entrant_games + seating[seat]] += 1
        row[IX.entrant_net + seating[seat]] += net


@part
def play_game(opt, s, plan, seating, key, row, hist, log):
    """Play one game and fill its row."""
    players = opt.players
    _, first = below(stream(key.chance, 0, LOT), players)
    row[:] = 0
    for seat in range(players):
        s[NET + seat] = 0
    capped = False
    banker = first
    for session in range(players * opt.orbits):
        why = play_session(opt, s, plan, key, session, banker, row, hist, log)
        capped = capped or why == events.CAPPED
        banker = banker + 1 if banker + 1 < players else 0
    count_game(opt, s, first, seating, capped, row)
    if log is not None:
        emit(log, events.GAME_END, capped, 0, 0)


@part
def options_of(rules):
    """The codes of all options as a named tuple of integers, which the compiler can keep in registers."""
    return Options(*fixed_tuple(rules, N_OPTIONS))  # type: ignore[call-arg]


@part
def play_games(job, first, games, tally, log):
    """Play games first … first + games - 1, each with its seating."""
    opt = options_of(job.rules)
    s = np.zeros(STATE_SIZE, dtype=np.int64)
    lay_fresh(opt, s)
    row = np.zeros(len(tally.sums), dtype=np.int64)
    for nth in range(games):
        seating = job.seatings[(first + nth) % len(job.seatings)]
        if nth == 0 or len(job.seatings) > 1:
            seat_bots(opt, s, job.tables, job.bots, seating)
        key = game_keys(job.seed, first + nth, job.dice)
        play_game(opt, s, job.tables, seating, key, row, tally.hist, log)
        tally_game(row, nth, PER_GAME, tally)


@kernel
def play_shard(job, first, games, tally):
    """Play the games with indices first … first + games - 1 and add them to `tally`."""
    play_games(job, first, games, tally, None)


@kernel
def play_logged(job, game, tally, log):
    """Play one game with the event log on."""
    play_games(job, game, 1, tally, log)
