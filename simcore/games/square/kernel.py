"""The kernel of Square: a deal, a match, a shard of matches. `RULES.md` is the text that it follows."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.games.square import events
from simcore.games.square.metrics import COUNTS, HISTOGRAMS, TENTHS
from simcore.games.square.moves import open_places, worth_of
from simcore.games.square.rules import PACK
from simcore.games.square.scoring import DRAWN, UNDECIDED, decided, score_of
from simcore.games.square.state import (
    BOT,
    DECK,
    END_FROM,
    HAND,
    IN_ALL_SUITS,
    LINES,
    NOBODY,
    PLACES,
    SCORE,
    SIDES,
    SQUARE,
    STATE_SIZE,
    STREAM,
    TOTAL,
    WIN_PARTS,
    WORTH,
    Options,
    code,
)
from simcore.games.square.turns import play_cards
from simcore.jit import fixed_tuple, kernel, part
from simcore.log import emit
from simcore.streams import DEAL, LOT, SEAT, below, game_keys, shuffle, stream
from simcore.tally import bin_of, tally_game

IX = COUNTS.index
BINS = HISTOGRAMS.offset
PER_GAME = HISTOGRAMS.per_game(COUNTS)
TURNS_LOW, TURNS_HIGH = HISTOGRAMS["deal_turns"].low, HISTOGRAMS["deal_turns"].high
END_LOW, END_HIGH = HISTOGRAMS["end_worth"].low, HISTOGRAMS["end_worth"].high
SCORE_LOW, SCORE_HIGH = HISTOGRAMS["deal_score"].low, HISTOGRAMS["deal_score"].high

_DEALER_FIRST = code("first", "dealer")
N_OPTIONS = len(Options._fields)


@part
def open_deal(opt, s, dealer, key, deal, log):
    """Shuffle and deal; returns the seat that begins."""
    for i in range(PACK):
        s[DECK + i] = i
    shuffle(stream(key.chance, deal, DEAL), s[DECK : DECK + PACK])
    at = DECK
    for seat in range(opt.players):
        hand = 0
        for _ in range(opt.hand_size):
            hand |= 1 << s[at]
            at += 1
        s[HAND + seat] = hand
        s[STREAM + seat] = np.int64(stream(key.bots, deal, SEAT + seat))
    for side in range(SIDES):
        s[SQUARE + side] = s[WORTH + side] = 0
    starter = dealer if opt.first == _DEALER_FIRST else (dealer + 1) % opt.players
    if log is not None:
        emit(log, events.DEAL, deal, dealer, starter)
        for seat in range(opt.players):
            emit(log, events.HAND, seat, s[HAND + seat], 0)
        for i in range(at, DECK + PACK):
            emit(log, events.PACK, s[i], 0, 0)
    return starter


@part
def score_deal(opt, s, ender, log):
    """Fill in the scores and add them to the totals."""
    for side in range(SIDES):
        s[SCORE + side] = score_of(opt, s[WORTH + side], side, ender)
        s[TOTAL + side] += s[SCORE + side]
    if log is not None:
        emit(log, events.DEAL_END, ender, 0, 0)
        for side in range(SIDES):
            emit(log, events.DEAL_END, s[WORTH + side], s[SCORE + side], s[TOTAL + side])


@part
def halves(mine, theirs):
    """What a side wins with `mine` against `theirs`, in parts of `WIN_PARTS`; a draw is shared."""
    if mine == theirs:
        return WIN_PARTS // 2
    return WIN_PARTS if mine > theirs else 0


@part
def count_deal(opt, s, seating, starter, ender, turns, row, hist):
    """Tally the deal that has just been scored."""
    first, second = s[SCORE], s[SCORE + 1]
    row[IX.deals] += 1
    row[IX.side_deals] += SIDES
    row[IX.deal_margin] += abs(first - second)
    hist[bin_of(turns, BINS.deal_turns, TURNS_LOW, TURNS_HIGH)] += 1
    before = s[TOTAL] - first, s[TOTAL + 1] - second
    for side in range(SIDES):
        score = s[SCORE + side]
        win = halves(score, s[SCORE + 1 - side])
        place = (side - starter) & 1
        row[IX.worth] += s[WORTH + side]
        count_places(opt, s[SQUARE + side], row)
        row[IX.score] += score
        row[IX.deal_wins + place] += win
        row[IX.deal_score + place] += score
        hist[bin_of(score, BINS.deal_score, SCORE_LOW, SCORE_HIGH)] += 1
        if before[side] < before[1 - side]:
            row[IX.behind_deals] += 1
            row[IX.behind_wins] += win
        for seat in range(side, opt.players, SIDES):
            row[IX.entrant_deal_wins + seating[seat]] += win
            row[IX.entrant_score + seating[seat]] += score
    if ender == NOBODY:
        row[IX.exhausted] += 1
        return
    worth = s[WORTH + ender]
    row[IX.ended] += 1
    row[IX.ender_worth] += worth
    row[IX.ender_score] += s[SCORE + ender]
    row[IX.ender_wins] += halves(s[SCORE + ender], s[SCORE + 1 - ender])
    row[IX.other_score] += s[SCORE + 1 - ender]
    row[IX.excess] += worth - opt.end_at
    hist[bin_of(worth, BINS.end_worth, END_LOW, END_HIGH)] += 1


@part
def count_places(opt, square, row):
    """Tally which places of a square show an open card, and the points of the lines through each."""
    shown = open_places(square)
    for place in range(PLACES):
        row[IX.open_places + place] += shown >> place & 1
    for line in range(LINES.shape[1]):
        kept = 0
        for k in range(3):
            kept |= IN_ALL_SUITS << LINES[opt.layout, line, k]
        points = worth_of(opt, square & kept)
        if points != 0:
            for k in range(3):
                row[IX.place_points + LINES[opt.layout, line, k]] += points


@part
def play_deal(opt, s, seating, dealer, key, deal, row, hist, log):
    """Play and score one deal; returns the seat that began."""
    starter = open_deal(opt, s, dealer, key, deal, log)
    ender, turns = play_cards(opt, s, starter, deal, row, log)
    score_deal(opt, s, ender, log)
    count_deal(opt, s, seating, starter, ender, turns, row, hist)
    return starter


@part
def count_match(opt, s, totals, seating, starter, winner, deals, row):
    """Tally the end of a match; `winner` is a side, `DRAWN`, or `UNDECIDED` for a capped one."""
    row[IX.games] = 1
    row[IX.capped] = winner == UNDECIDED
    row[IX.drawn] = winner == DRAWN
    row[IX.decided] = winner >= 0
    for seat in range(opt.players):
        row[IX.entrant_games + seating[seat]] += 1
    if winner == UNDECIDED:
        count_leads(totals, deals, winner, row)
        return
    for side in range(SIDES):
        win = WIN_PARTS // 2 if winner == DRAWN else (WIN_PARTS if winner == side else 0)
        row[IX.match_wins + ((side - starter) & 1)] = win
        for seat in range(side, opt.players, SIDES):
            row[IX.entrant_wins + seating[seat]] += win
    if winner >= 0:
        row[IX.margin] = abs(s[TOTAL] - s[TOTAL + 1])
        half = SIDES * (deals // 2 - 1)
        row[IX.comebacks] = half >= 0 and totals[half + winner] < totals[half + 1 - winner]
    count_leads(totals, deals, winner, row)


@part
def count_leads(totals, deals, winner, row):
    """Count changes of the leader, and at which tenths of the match the later winner led."""
    leader = NOBODY
    tenth = 0
    for after in range(1, deals + 1):
        first, second = totals[SIDES * (after - 1)], totals[SIDES * (after - 1) + 1]
        ahead = NOBODY if first == second else (0 if first > second else 1)
        if ahead != NOBODY and ahead != leader:
            row[IX.lead_changes] += leader != NOBODY
            leader = ahead
        while tenth < TENTHS and after * TENTHS >= (tenth + 1) * deals:
            row[IX.winner_led + tenth] = winner >= 0 and ahead == winner
            tenth += 1


@part
def play_match(opt, s, totals, seating, key, row, hist, log):
    """Play one match and fill its row."""
    _, dealer = below(stream(key.chance, 0, LOT), opt.players)
    row[:] = 0
    s[TOTAL] = s[TOTAL + 1] = 0
    winner, first_starter, deal = UNDECIDED, NOBODY, 0
    while winner == UNDECIDED and deal < opt.max_deals:
        deal += 1
        starter = play_deal(opt, s, seating, dealer, key, deal, row, hist, log)
        if first_starter == NOBODY:
            first_starter = starter
        totals[SIDES * (deal - 1)] = s[TOTAL]
        totals[SIDES * (deal - 1) + 1] = s[TOTAL + 1]
        dealer = (dealer + 1) % opt.players
        winner = decided(opt, s[TOTAL], s[TOTAL + 1], deal)
    count_match(opt, s, totals, seating, first_starter, winner, deal, row)
    if log is not None:
        emit(log, events.GAME_END, winner, winner == UNDECIDED, 0)


@part
def options_of(rules):
    """The codes of all options as a named tuple of integers, which the compiler can keep in registers."""
    return Options(*fixed_tuple(rules, N_OPTIONS))  # type: ignore[call-arg]


@part
def play_games(job, first, games, tally, log):
    """Play matches first … first + games - 1, each with its seating."""
    opt = options_of(job.rules)
    s = np.zeros(STATE_SIZE, dtype=np.int64)
    totals = np.zeros(SIDES * opt.max_deals, dtype=np.int64)
    row = np.zeros(len(tally.sums), dtype=np.int64)
    for nth in range(games):
        seating = job.seatings[(first + nth) % len(job.seatings)]
        for seat in range(opt.players):
            s[BOT + seat] = job.bots[seating[seat], 0]
            s[END_FROM + seat] = job.bots[seating[seat], 1]
        key = game_keys(job.seed, first + nth, job.dice)
        play_match(opt, s, totals, seating, key, row, tally.hist, log)
        tally_game(row, nth, PER_GAME, tally)


@kernel
def play_shard(job, first, games, tally):
    """Play the matches with indices first … first + games - 1 and add them to `tally`."""
    play_games(job, first, games, tally, None)


@kernel
def play_logged(job, game, tally, log):
    """Play one match with the event log on."""
    play_games(job, game, 1, tally, log)
