"""The kernel of Bank: a round, a game, a shard of games. `RULES.md` is the text that it follows."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.games.bank import events
from simcore.games.bank.bots import CODE
from simcore.games.bank.deal import deal, starter_of
from simcore.games.bank.metrics import COUNTS, HISTOGRAMS, TENTHS
from simcore.games.bank.moves import cover_table
from simcore.games.bank.rules import PACK
from simcore.games.bank.scoring import next_dealer, score_round, top_two
from simcore.games.bank.state import (
    BONUS,
    CAPTURED,
    DECK,
    GAME_HITS,
    HAND,
    HITS,
    NOBODY,
    PENALTY,
    SCORE,
    SEATS,
    STATE_SIZE,
    TOTAL,
    WIN_PARTS,
    Options,
    code,
)
from simcore.games.bank.turns import play_cards
from simcore.jit import fixed_tuple, inlined, kernel, part
from simcore.log import emit
from simcore.streams import LOT, below, game_keys, stream
from simcore.tally import bin_of, tally_game

IX = COUNTS.index
BINS = HISTOGRAMS.offset
PER_GAME = HISTOGRAMS.per_game(COUNTS)
TURNS_LOW, TURNS_HIGH = HISTOGRAMS["round_turns"].low, HISTOGRAMS["round_turns"].high
LAID_LOW, LAID_HIGH = HISTOGRAMS["round_laid"].low, HISTOGRAMS["round_laid"].high
SCORE_LOW, SCORE_HIGH = HISTOGRAMS["round_score"].low, HISTOGRAMS["round_score"].high

_DEALER_OWNS = code("opening_card", "dealer")
_LAST_COVER = code("final_bank", "last_cover")
N_OPTIONS = len(Options._fields)


@part
def open_round(opt, s, dealer, key, round_no, log):
    """Deal; returns the opening card, its owner, and the starter."""
    at = DECK + deal(opt, s, key, round_no)
    opening = s[at]
    starter = starter_of(opt, s, dealer, opening)
    owner = dealer if opt.opening_card == _DEALER_OWNS else NOBODY
    if log is not None:
        emit(log, events.ROUND, dealer, opening, starter)
        for seat in range(opt.players):
            emit(log, events.HAND, seat, s[HAND + seat], 0)
        for i in range(at + 1, DECK + PACK):
            emit(log, events.STOCK, s[i], 0, 0)
    return opening, owner, starter


@part
def close_round(opt, s, owner, cards, worth, row, log):
    """What becomes of a bank that is left over."""
    if opt.final_bank == _LAST_COVER and owner != NOBODY and cards > 0:
        s[CAPTURED + owner] += worth
        row[IX.captures] += 1
        row[IX.captured_points] += worth
        if log is not None:
            emit(log, events.CAPTURE, owner, events.BY_FINAL, 0)


@part
def count_round(opt, s, seating, starter, leader_total, turns, laid, row, hist):
    """Tally the round that has just been scored; `leader_total` is the greatest total before it."""
    players = opt.players
    _, ties, first, second = top_two(s, SCORE, players)
    row[IX.rounds] += 1
    row[IX.turns] += turns
    row[IX.player_rounds] += players
    row[IX.round_margin] += first - second
    hist[bin_of(turns, BINS.round_turns, TURNS_LOW, TURNS_HIGH)] += 1
    hist[bin_of(laid, BINS.round_laid, LAID_LOW, LAID_HIGH)] += 1
    gain = leader_gain(s, players, leader_total)
    place = players - starter if starter else 0
    for seat in range(players):
        score = s[SCORE + seat]
        win = WIN_PARTS // ties if score == first else 0
        row[IX.score] += score
        row[IX.bonus] += s[BONUS + seat]
        row[IX.penalty] += s[PENALTY + seat]
        row[IX.round_wins + place] += win
        row[IX.round_score + place] += score
        row[IX.entrant_round_wins + seating[seat]] += win
        row[IX.entrant_score + seating[seat]] += score
        hist[bin_of(score, BINS.round_score, SCORE_LOW, SCORE_HIGH)] += 1
        behind = s[TOTAL + seat] - score < leader_total
        if s[HITS + seat] > 0:
            s[GAME_HITS + seat] += s[HITS + seat]
            row[IX.hit_rounds] += 1
            row[IX.hit_wins] += win
            row[IX.hit_score] += score
            row[IX.behind_hit] += behind
            row[IX.behind_hit_gains] += behind and score > gain
        else:
            row[IX.unhit_rounds] += 1
            row[IX.unhit_wins] += win
            row[IX.unhit_score] += score
            row[IX.behind_unhit] += behind
            row[IX.behind_unhit_gains] += behind and score > gain
        place = place + 1 if place + 1 < players else 0


@inlined
def leader_gain(s, players, leader_total):
    """Round score of the player who led before the round (of several the one in the lowest seat)."""
    for seat in range(players):
        if s[TOTAL + seat] - s[SCORE + seat] == leader_total:
            return s[SCORE + seat]
    return 0


@part
def log_round(opt, s, blocked, log):
    """Write the end of a round to the log."""
    if log is not None:
        emit(log, events.ROUND_END, blocked, 0, 0)
        for seat in range(opt.players):
            emit(log, events.SCORE, seat, s[CAPTURED + seat], s[BONUS + seat])
            emit(log, events.TOTAL, s[PENALTY + seat], s[SCORE + seat], s[TOTAL + seat])


@part
def play_round(opt, s, covers, bots, seating, dealer, key, round_no, row, hist, log):
    """Play and score one round; returns the starter."""
    opening, owner, starter = open_round(opt, s, dealer, key, round_no, log)
    laid = row[IX.laid]
    owner, cards, worth, turns, blocked = play_cards(opt, s, covers, bots, opening, owner, starter, row, log)
    close_round(opt, s, owner, cards, worth, row, log)
    row[IX.blocked] += blocked
    _, _, leader_total, _ = top_two(s, TOTAL, opt.players)
    score_round(opt, s, dealer)
    log_round(opt, s, blocked, log)
    count_round(opt, s, seating, starter, leader_total, turns, row[IX.laid] - laid, row, hist)
    return starter


@part
def count_game(opt, s, totals, seating, first_starter, winner, rounds, row):
    """Tally the end of a game; `winner` is `NOBODY` for a capped one."""
    players = opt.players
    row[IX.games] = 1
    row[IX.capped] = winner == NOBODY
    row[IX.decided] = winner != NOBODY
    hits = 0
    for seat in range(players):
        hits += s[GAME_HITS + seat]
    for seat in range(players):
        won = seat == winner
        place = (seat - first_starter + players) % players
        row[IX.seat_total + seat] = row[IX.place_total + place] = s[TOTAL + seat]
        row[IX.seat_wins + seat] = row[IX.game_wins + place] = won
        row[IX.entrant_games + seating[seat]] += 1
        row[IX.entrant_wins + seating[seat]] += won
        if s[GAME_HITS + seat] * players > hits:
            row[IX.more_hit_seats] += 1
            row[IX.more_hit_wins] += won
        else:
            row[IX.less_hit_seats] += 1
            row[IX.less_hit_wins] += won
    if winner != NOBODY:
        _, _, first, second = top_two(s, TOTAL, players)
        row[IX.margin] = first - second
        row[IX.comebacks] = was_last(totals, rounds // 2, winner, players)
    count_leads(totals, rounds, winner, players, row)


@part
def was_last(totals, after, seat, players):
    """Whether `seat` had the lowest total (alone or not) after so many rounds, and somebody a higher one."""
    if after == 0:
        return False
    base = SEATS * (after - 1)
    some_higher = False
    for other in range(players):
        if totals[base + other] < totals[base + seat]:
            return False
        some_higher = some_higher or totals[base + other] > totals[base + seat]
    return some_higher


@part
def count_leads(totals, rounds, winner, players, row):
    """Count changes of the sole leader, and at which tenths of the game the winner led alone."""
    leader = NOBODY
    tenth = 0
    for after in range(1, rounds + 1):
        best, ties, _, _ = top_two(totals, SEATS * (after - 1), players)
        if ties == 1 and best != leader:
            row[IX.lead_changes] += leader != NOBODY
            leader = best
        while tenth < TENTHS and after * TENTHS >= (tenth + 1) * rounds:
            row[IX.winner_led + tenth] = winner != NOBODY and ties == 1 and best == winner
            tenth += 1


@part
def play_game(opt, s, covers, totals, bots, seating, key, row, hist, log):
    """Play one game and fill its row."""
    players = opt.players
    _, dealer = below(stream(key.chance, 0, LOT), players)
    row[:] = 0
    for seat in range(players):
        s[TOTAL + seat] = s[GAME_HITS + seat] = 0
    winner, due, first_starter, round_no = NOBODY, False, NOBODY, 0
    while winner == NOBODY and round_no < opt.max_rounds:
        round_no += 1
        starter = play_round(opt, s, covers, bots, seating, dealer, key, round_no, row, hist, log)
        if first_starter == NOBODY:
            first_starter = starter
        for seat in range(players):
            totals[SEATS * (round_no - 1) + seat] = s[TOTAL + seat]
        dealer = next_dealer(opt, s, dealer, starter)
        best, ties, first, _ = top_two(s, TOTAL, players)
        due = due or first >= opt.target
        if due and ties == 1:
            winner = best
    count_game(opt, s, totals, seating, first_starter, winner, round_no, row)
    if log is not None:
        emit(log, events.GAME_END, winner, winner == NOBODY, 0)


@part
def options_of(rules):
    """The codes of all options as a named tuple of integers, which the compiler can keep in registers."""
    return Options(*fixed_tuple(rules, N_OPTIONS))  # type: ignore[call-arg]


@part
def play_games(job, first, games, tally, log):
    """Play games first … first + games - 1, each with its seating."""
    opt = options_of(job.rules)
    covers = cover_table(opt)
    s = np.zeros(STATE_SIZE, dtype=np.int64)
    totals = np.zeros(SEATS * opt.max_rounds, dtype=np.int64)
    bots = np.zeros(opt.players, dtype=np.int64)
    row = np.zeros(len(tally.sums), dtype=np.int64)
    for nth in range(games):
        seating = job.seatings[(first + nth) % len(job.seatings)]
        for seat in range(opt.players):
            bots[seat] = job.bots[seating[seat], CODE]
        key = game_keys(job.seed, first + nth, job.dice)
        play_game(opt, s, covers, totals, bots, seating, key, row, tally.hist, log)
        tally_game(row, nth, PER_GAME, tally)


@kernel
def play_shard(job, first, games, tally):
    """Play the games with indices first … first + games - 1 and add them to `tally`."""
    play_games(job, first, games, tally, None)


@kernel
def play_logged(job, game, tally, log):
    """Play one game with the event log on."""
    play_games(job, game, 1, tally, log)
