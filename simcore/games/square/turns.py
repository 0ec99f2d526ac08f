"""The turns of a deal of Square: to end or not to end, the draw, the play.

The loop reads and writes the arrays itself and gives only numbers to the functions that it calls for each turn, since passing
an array costs more than the work done with it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.games.square import events
from simcore.games.square.bots import GREEDY, RANDOM, View, ends_greedily, greedy_play
from simcore.games.square.builder import builder_play
from simcore.games.square.ending import builder_ends
from simcore.games.square.metrics import COUNTS
from simcore.games.square.moves import after_play, count_plays, nth_play, open_places, worth_of
from simcore.games.square.rules import PACK
from simcore.games.square.state import (
    ALL_CARDS,
    BOT,
    DECK,
    DISCARD,
    END_FROM,
    HAND,
    JACK,
    NOBODY,
    OTHER,
    SQUARE,
    STREAM,
    TEN,
    TOTAL,
    WORTH,
    code,
)
from simcore.jit import inlined, part
from simcore.log import emit
from simcore.streams import below

IX = COUNTS.index
_BEFORE = code("draw", "before")
_VETO = code("consult", "veto")


@inlined
def view_of(s, seat, seen, left, deal):
    """What the player at `seat` sees."""
    side = seat & 1
    hand = s[HAND + seat]
    return View(
        hand,
        s[SQUARE + side],
        s[SQUARE + 1 - side],
        s[WORTH + side],
        s[WORTH + 1 - side],
        ALL_CARDS & ~seen & ~hand,
        left,
        s[TOTAL + side],
        s[TOTAL + 1 - side],
        deal,
    )


@part
def wants_end(opt, s, seat, seen, left, deal):
    """Whether the player at `seat` would end the deal now, or lets the partner end it."""
    bot = s[BOT + seat]
    if bot == RANDOM:
        rng, yes = below(np.uint64(s[STREAM + seat]), 2)
        s[STREAM + seat] = np.int64(rng)
        return yes == 1
    view = view_of(s, seat, seen, left, deal)
    if bot == GREEDY:
        return ends_greedily(opt, view)
    return builder_ends(opt, view, s, s[END_FROM + seat])


@part
def ends(opt, s, seat, seen, left, deal, row, log):
    """Whether a player who may end does so: (ended, refused by the partner)."""
    if not wants_end(opt, s, seat, seen, left, deal):
        return False, False
    if opt.players == 4 and opt.consult == _VETO:
        answer = wants_end(opt, s, seat ^ 2, seen, left, deal)
        row[IX.asks] += 1
        if log is not None:
            emit(log, events.ASK, seat, answer, 0)
        if not answer:
            row[IX.vetoes] += 1
            return False, True
    if log is not None:
        emit(log, events.END, seat, 0, 0)
    return True, False


@part
def choose(opt, s, seat, seen, left, deal):
    """The play of a bot other than `random`: (card, target)."""
    view = view_of(s, seat, seen, left, deal)
    if s[BOT + seat] == GREEDY:
        rng, card, target = greedy_play(opt, view, np.uint64(s[STREAM + seat]))
        s[STREAM + seat] = np.int64(rng)
        return card, target
    return builder_play(opt, view, s)


@part
def count_play(card, target, cost, row):
    """Tally a play: its card by use, and what a gift took from the opponents' worth."""
    rank = card >> 2
    kind = 0 if rank < TEN else rank - TEN + 1
    if target == DISCARD:
        row[IX.discarded + kind] += 1
    elif target < OTHER:
        row[IX.laid_own + kind] += 1
    elif rank == JACK:
        row[IX.gift_jacks] += 1
        row[IX.jack_cost] += cost
    else:
        row[IX.gift_numbers] += 1
        row[IX.number_cost] += cost


@part
def play_cards(opt, s, seat, deal, row, log):
    """Play the turns of a deal until somebody ends it or the pack runs out.

    Parameters
    ----------
    opt : Options
    s, row : ndarray of int64
        State and the game's row.
    seat, deal : int
        Who begins; number of the deal.
    log : ndarray of int64, or None

    Returns
    -------
    ender : int
        The side that ended, or `NOBODY`.
    turns : int
        Cards played.
    """
    players = opt.players
    at = DECK + players * opt.hand_size
    end = DECK + PACK
    seen = refused = turns = choices = 0
    while at < end:
        side = seat & 1
        if s[WORTH + side] >= opt.end_at and not refused >> seat & 1:
            ended, vetoed = ends(opt, s, seat, seen, end - at, deal, row, log)
            if ended:
                row[IX.turns] += turns
                row[IX.choices] += choices
                return side, turns
            if vetoed:
                refused |= 1 << seat
        if opt.draw == _BEFORE:
            s[HAND + seat] |= 1 << s[at]
            if log is not None:
                emit(log, events.DRAW, seat, s[at], 0)
            at += 1
        hand, own, other = s[HAND + seat], s[SQUARE + side], s[SQUARE + 1 - side]
        open_own, open_other = open_places(own), open_places(other)
        plays = count_plays(hand, open_own, open_other, opt.gifts)
        choices += plays
        if s[BOT + seat] == RANDOM:
            rng, k = below(np.uint64(s[STREAM + seat]), plays)
            s[STREAM + seat] = np.int64(rng)
            card, target = nth_play(hand, open_own, open_other, opt.gifts, k)
        else:
            card, target = choose(opt, s, seat, seen, end - at, deal)
        if log is not None:
            emit(log, events.PLAY, seat, card, target)
        s[HAND + seat] = hand & ~(1 << card)
        seen |= 1 << card
        turns += 1
        cost = 0
        if target != DISCARD:
            own, other = after_play(own, other, card, target)
            if target < OTHER:
                s[SQUARE + side] = own
                s[WORTH + side] = worth_of(opt, own)
            else:
                s[SQUARE + 1 - side] = other
                worth = worth_of(opt, other)
                cost = s[WORTH + 1 - side] - worth
                s[WORTH + 1 - side] = worth
        count_play(card, target, cost, row)
        if opt.draw != _BEFORE:
            s[HAND + seat] |= 1 << s[at]
            if log is not None:
                emit(log, events.DRAW, seat, s[at], 0)
            at += 1
        seat = seat + 1 if seat + 1 < players else 0
    row[IX.turns] += turns
    row[IX.choices] += choices
    return NOBODY, turns
