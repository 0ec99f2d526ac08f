"""The kernel of Bank: a round, a game, a shard of games. `RULES.md` is the text that it follows."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.bits import lowest
from simcore.games.bank import events
from simcore.games.bank.bots import CODE, RANDOM
from simcore.games.bank.counting import LINE, count_game, count_round
from simcore.games.bank.deal import deal
from simcore.games.bank.layout import (
    ASKED,
    BANK,
    BLOCKED,
    BONUS,
    BOT,
    BY_RULES,
    CAPTURED,
    COUNT,
    DECK,
    EVERY_SEAT,
    GAME_HITS,
    GONE,
    HAND,
    OWNER,
    PENALTY,
    RULE,
    SCORE,
    SEVEN_WAITS,
    STATE_SIZE,
    TOP,
    TOTAL,
    TURN,
    WINS,
)
from simcore.games.bank.metrics import COUNTS, HISTOGRAMS
from simcore.games.bank.moves import fill_tables
from simcore.games.bank.rules import PACK
from simcore.games.bank.scoring import next_dealer, score_round, standing
from simcore.games.bank.singles import play_singles
from simcore.games.bank.state import NOBODY, OVER, SEATS, START, code
from simcore.games.bank.turns import MUST_NOT, capture, play_turn
from simcore.jit import bare, entry, inlined, kernel, part
from simcore.log import emit
from simcore.streams import LOT, below, game_keys, stream
from simcore.tally import tally_game

PER_GAME = HISTOGRAMS.per_game(COUNTS)
COLUMNS = len(COUNTS)
NO_LOG = np.zeros(0, dtype=np.int64)
_LAST_COVER = code("final_bank", "last_cover")


@bare
def log_deal(s, dealer, log):
    """Write a deal to the log."""
    emit(log, events.ROUND, dealer, s[TOP], s[TURN])
    for seat in range(SEATS):
        if seat == s[RULE.players]:
            break
        emit(log, events.HAND, seat, s[HAND + seat], 0)
    for i in range(s[GONE], PACK):
        emit(log, events.STOCK, lowest(s[DECK + i]), 0, 0)


@bare
def log_scores(s, log):
    """Write the end of a round to the log."""
    emit(log, events.ROUND_END, s[BLOCKED], 0, 0)
    for seat in range(SEATS):
        if seat == s[RULE.players]:
            break
        emit(log, events.SCORE, seat, s[CAPTURED + seat], s[BONUS + seat])
        emit(log, events.TOTAL, s[PENALTY + seat], s[SCORE + seat], s[TOTAL + seat])


@inlined
def play_round(s, dealer, key, round_no, log):
    """Play and score one round; returns the starter."""
    deal(s, dealer, key, round_no)
    starter = s[TURN]
    if len(log):
        log_deal(s, dealer, log)
    phase, going = START, True
    while going:
        phase = START if s[SEVEN_WAITS] else play_singles(s)
        going = phase != OVER and play_turn(s, phase, log)
    if s[RULE.final_bank] == _LAST_COVER and s[OWNER] != NOBODY and s[BANK] > 0:
        capture(s, s[OWNER], events.BY_FINAL, log)
    score_round(s, dealer)
    if len(log):
        log_scores(s, log)
    return starter


@bare
def open_game(s):
    """Clear the totals and counts of a game."""
    for column in range(COLUMNS):
        s[COUNT.games + column] = 0
    for seat in range(SEATS):
        s[TOTAL + seat] = s[GAME_HITS + seat] = s[WINS + seat] = 0


@bare
def play_game(s, history, seating, key, hist, log):
    """Play one game and fill its row."""
    players = s[RULE.players]
    _, dealer = below(stream(key.chance, 0, LOT), players)
    open_game(s)
    winner, due, first_starter, leader, best_total, alone, round_no = NOBODY, False, NOBODY, 0, 0, NOBODY, 0
    while winner == NOBODY and round_no < s[RULE.max_rounds]:
        round_no += 1
        starter = play_round(s, dealer, key, round_no, log)
        count_round(s, hist, starter, leader, best_total)
        dealer = next_dealer(s, dealer, starter)
        leader, ties, best_total, _ = standing(s, TOTAL, players)
        line = LINE * (round_no - 1)
        for seat in range(SEATS):
            if seat == players:
                break
            history[line + seat] = s[TOTAL + seat]
        history[line + SEATS] = leader if ties == 1 else NOBODY
        if ties == 1 and leader != alone:
            s[COUNT.lead_changes] += alone != NOBODY
            alone = leader
        if first_starter == NOBODY:
            first_starter = starter
        due = due or best_total >= s[RULE.target]
        if due and ties == 1:
            winner = leader
    count_game(s, history, seating, first_starter, winner)
    if len(log):
        emit(log, events.GAME_END, winner, winner == NOBODY, 0)


@part
def new_state(rules, log):
    """The state of a table with these rules, before its first game."""
    s = np.zeros(STATE_SIZE, dtype=np.int64)
    for option in range(len(rules)):
        s[RULE.players + option] = rules[option]
    fill_tables(s)
    if len(log) or s[RULE.must_play] == MUST_NOT:
        s[BY_RULES] = EVERY_SEAT
    return s


@bare
def seat_bots(s, bots, seating):
    """Note the bot at each seat, and which seats must be asked where there is a choice."""
    s[ASKED] = 0
    for seat in range(SEATS):
        if seat == s[RULE.players]:
            break
        s[BOT + seat] = bots[seating[seat], CODE]
        s[ASKED] |= (s[BOT + seat] != RANDOM) << seat


@kernel
def play_games(job, first, games, tally, log):
    """Play games first … first + games - 1, each with its seating; an empty `log` stands for none."""
    s = new_state(job.rules, log)
    history = np.zeros(LINE * s[RULE.max_rounds], dtype=np.int64)
    row = s[COUNT.games : COUNT.games + COLUMNS]
    for nth in range(games):
        seating = job.seatings[(first + nth) % len(job.seatings)]
        seat_bots(s, job.bots, seating)
        play_game(s, history, seating, game_keys(job.seed, first + nth, job.dice), tally.hist, log)
        tally_game(row, nth, PER_GAME, tally)


@entry(play_games)
def play_shard(job, first, games, tally):
    """Play the games with indices first … first + games - 1 and add them to `tally`."""
    play_games(job, first, games, tally, NO_LOG)


@entry(play_games)
def play_logged(job, game, tally, log):
    """Play one game with the event log on."""
    play_games(job, game, 1, tally, log)
