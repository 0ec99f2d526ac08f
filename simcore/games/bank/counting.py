"""What a round and a game of Bank add to the counts and the histograms."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.bits import popcount
from simcore.games.bank.layout import (
    BLOCKED,
    CAPTURED,
    COUNT,
    GAME_HITS,
    GONE,
    HAND,
    HITS,
    RULE,
    SCORE,
    TOTAL,
    TURNS,
    WINS,
)
from simcore.games.bank.metrics import HISTOGRAMS, TENTHS
from simcore.games.bank.scoring import standing
from simcore.games.bank.state import NOBODY, SEATS, WIN_PARTS
from simcore.jit import bare, inlined
from simcore.tally import bin_of

BINS = HISTOGRAMS.offset
TURNS_LOW, TURNS_HIGH = HISTOGRAMS["round_turns"].low, HISTOGRAMS["round_turns"].high
LAID_LOW, LAID_HIGH = HISTOGRAMS["round_laid"].low, HISTOGRAMS["round_laid"].high
SCORE_LOW, SCORE_HIGH = HISTOGRAMS["round_score"].low, HISTOGRAMS["round_score"].high

U = np.uint64
LINE = SEATS + 1
"""A round's entries in a game's history: the totals after it, and who led alone (or `NOBODY`)."""


@inlined
def count_round(s, hist, starter, leader, best_total):
    """Count the round that has just been scored; before it `leader` had the greatest total, `best_total`.

    What follows from other counts waits for the end of the game. Players hit by a seven are added up without branches, since
    nobody can predict who was hit.
    """
    players = s[RULE.players]
    best, ties, first, second = standing(s, SCORE, players)
    gain = s[SCORE + leader]
    laid, captured = s[GONE] - 1, 0
    hit_rounds = hit_score = behind_hit = behind_unhit = hit_gains = unhit_gains = 0
    place = players - starter if starter else 0
    for seat in range(SEATS):
        if seat == players:
            break
        laid -= popcount(s[HAND + seat])
        captured += s[CAPTURED + seat]
        score, hit = s[SCORE + seat], 1 if s[HITS + seat] else 0
        behind = 1 if s[TOTAL + seat] - score < best_total else 0
        gained = behind if score > gain else 0
        s[GAME_HITS + seat] += s[HITS + seat]
        s[U(COUNT.round_score + place)] += score
        hist[U(bin_of(score, BINS.round_score, SCORE_LOW, SCORE_HIGH))] += 1
        hit_rounds += hit
        hit_score += score if hit else 0
        behind_hit += behind & hit
        hit_gains += gained & hit
        behind_unhit += behind & ~hit
        unhit_gains += gained & ~hit
        place = place + 1 if place + 1 < players else 0
    s[COUNT.rounds] += 1
    s[COUNT.blocked] += s[BLOCKED]
    s[COUNT.turns] += s[TURNS]
    s[COUNT.laid] += laid
    s[COUNT.draws] += s[GONE]
    s[COUNT.captured_points] += captured
    s[COUNT.round_margin] += first - second
    s[COUNT.hit_rounds] += hit_rounds
    s[COUNT.hit_score] += hit_score
    s[COUNT.behind_hit] += behind_hit
    s[COUNT.behind_unhit] += behind_unhit
    s[COUNT.behind_hit_gains] += hit_gains
    s[COUNT.behind_unhit_gains] += unhit_gains
    hist[U(bin_of(s[TURNS], BINS.round_turns, TURNS_LOW, TURNS_HIGH))] += 1
    hist[U(bin_of(laid, BINS.round_laid, LAID_LOW, LAID_HIGH))] += 1
    if ties == 1:
        count_win(s, best, starter, WIN_PARTS)
    else:
        for seat in range(SEATS):
            if seat == players:
                break
            if s[SCORE + seat] == first:
                count_win(s, seat, starter, WIN_PARTS // ties)


@inlined
def count_win(s, seat, starter, share):
    """Count a round won by `seat`, which shares it if `share` is less than `WIN_PARTS`."""
    place = seat - starter
    place += s[RULE.players] if place < 0 else 0
    s[U(WINS + seat)] += share
    s[U(COUNT.round_wins + place)] += share
    s[COUNT.hit_wins] += share if s[U(HITS + seat)] else 0


@bare
def count_game(s, history, seating, first_starter, winner):
    """Count the end of a game, and what follows from other counts; `winner` is `NOBODY` for a capped one."""
    players, rounds = s[RULE.players], s[COUNT.rounds]
    s[COUNT.games] = 1
    s[COUNT.capped] = winner == NOBODY
    s[COUNT.decided] = winner != NOBODY
    for seat in range(SEATS):
        if seat == players:
            break
        s[COUNT.score] += s[TOTAL + seat]
        s[COUNT.hits] += s[GAME_HITS + seat]
    for seat in range(SEATS):
        if seat == players:
            break
        count_player(s, seat, seating[seat], first_starter, seat == winner)
    s[COUNT.draws] -= rounds * (players * s[RULE.hand_size] + 1)  # until here, all cards gone from the pack
    s[COUNT.choices] += s[COUNT.decisions]  # until here, only what there was beyond one
    s[COUNT.forced] += s[COUNT.decisions]  # until here, less the free ones
    s[COUNT.penalty] = s[COUNT.captured_points] + s[COUNT.bonus] - s[COUNT.score]
    s[COUNT.player_rounds] = players * rounds
    s[COUNT.unhit_rounds] = players * rounds - s[COUNT.hit_rounds]
    s[COUNT.unhit_wins] = WIN_PARTS * rounds - s[COUNT.hit_wins]
    s[COUNT.unhit_score] = s[COUNT.score] - s[COUNT.hit_score]
    if winner != NOBODY:
        _, _, first, second = standing(s, TOTAL, players)
        s[COUNT.margin] = first - second
        s[COUNT.comebacks] = was_last(history, rounds // 2, winner, players)
    for tenth in range(TENTHS):
        after = ((tenth + 1) * rounds + TENTHS - 1) // TENTHS
        s[COUNT.winner_led + tenth] = winner != NOBODY and history[LINE * after - 1] == winner


@bare
def count_player(s, seat, entrant, first_starter, won):
    """Count one player's game."""
    players = s[RULE.players]
    place = seat - first_starter
    place += players if place < 0 else 0
    s[COUNT.seat_total + seat] = s[COUNT.place_total + place] = s[TOTAL + seat]
    s[COUNT.seat_wins + seat] = s[COUNT.game_wins + place] = won
    s[COUNT.entrant_games + entrant] += 1
    s[COUNT.entrant_wins + entrant] += won
    s[COUNT.entrant_round_wins + entrant] += s[WINS + seat]
    s[COUNT.entrant_score + entrant] += s[TOTAL + seat]
    if s[GAME_HITS + seat] * players > s[COUNT.hits]:
        s[COUNT.more_hit_seats] += 1
        s[COUNT.more_hit_wins] += won
    else:
        s[COUNT.less_hit_seats] += 1
        s[COUNT.less_hit_wins] += won


@bare
def was_last(history, after, seat, players):
    """Whether `seat` had the lowest total (alone or not) after so many rounds, and somebody a higher one."""
    if after == 0:
        return False
    base = LINE * (after - 1)
    some_higher = False
    for other in range(SEATS):
        if other == players:
            break
        if history[base + other] < history[base + seat]:
            return False
        some_higher = some_higher or history[base + other] > history[base + seat]
    return some_higher
