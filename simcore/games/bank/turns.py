"""The turns of a round of Bank: the seven, the moves, the draw, the failure, and what the laid cards bring about.

The loop reads and writes the arrays itself and gives only numbers to the functions that it calls for each turn, since passing
an array costs more than the work done with it.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.bits import popcount
from simcore.games.bank import events
from simcore.games.bank.bots import RANDOM, View, decide
from simcore.games.bank.metrics import COUNTS
from simcore.games.bank.moves import (
    count,
    goes_up,
    is_one_suit,
    is_quad,
    is_single,
    legal,
    level,
    nth_action,
    own_trump,
)
from simcore.games.bank.rules import PACK
from simcore.games.bank.scoring import going_out_bonus, points
from simcore.games.bank.state import (
    BONUS,
    CAPTURED,
    DECK,
    EIGHT,
    EXTRA,
    HAND,
    HITS,
    KING,
    KINGS,
    MOVE,
    NOBODY,
    PLACE,
    POINTS,
    SEATS,
    SEVEN,
    STREAM,
    code,
)
from simcore.jit import inlined, part
from simcore.log import emit
from simcore.streams import below

IX = COUNTS.index
ALL = (1 << PACK) - 1

_OWN = code("trumps", "own")
_MUST_NOT = code("must_play", "no")
_EXTRA_DRAW = code("extra_move", "draw")
_OPPONENT = code("kings_cover", "opponent")
_SKIP, _NOTHING, _DRAW_PLAY = (code("seven", w) for w in ("skip", "nothing", "draw_play"))


@inlined
def next_in(s, players, seat):
    """The next seat clockwise that has not gone out."""
    seat = seat + 1 if seat + 1 < players else 0
    while s[PLACE + seat] > 0:
        seat = seat + 1 if seat + 1 < players else 0
    return seat


@inlined
def is_trump(opt, seat, card):
    """Whether `card` is a trump for `seat`."""
    return card % 4 == own_trump(seat) if opt.trumps == _OWN else level(opt.trumps, card % 4) > 0


@part
def go_out(opt, s, seat, mask, top, row, log):
    """A player without cards is out: his place and bonuses; returns whether he takes the bank for a trump king on top."""
    place = 1
    for other in range(opt.players):
        if s[PLACE + other] > 0:
            place += 1
    s[PLACE + seat] = place
    king_on_top = top // 4 == KING
    quad = not is_single(mask) and is_quad(mask)
    run = not is_single(mask) and not quad and is_one_suit(mask)
    out, king, by_quad, by_run = going_out_bonus(place, king_on_top, quad and mask != KINGS, run)
    s[BONUS + seat] = out + king + by_quad + by_run
    row[IX.outs + place - 1] += 1
    row[IX.outs_king + place - 1] += king > 0
    row[IX.outs_quad + place - 1] += by_quad > 0
    row[IX.outs_run + place - 1] += by_run > 0
    if log is not None:
        emit(log, events.OUT, seat, place, out | king << 8 | by_quad << 16 | by_run << 24)
    return king_on_top and is_trump(opt, seat, top)


@part
def play_cards(opt, s, covers, bots, opening, owner, seat, row, log):
    """Play the turns of a round until one player is left or nobody left can lay a card.

    Parameters
    ----------
    opt : Options
    s, covers, bots, row : ndarray of int64
        State, cover table, code of the bot at each seat, the game's row.
    opening, owner, seat : int
        The opening card, its owner (or `NOBODY`), and the starter.
    log : ndarray of int64, or None

    Returns
    -------
    owner, cards, points : int
        Of the bank that is left.
    turns : int
    blocked : bool
    """
    players, may_decline = opt.players, opt.must_play == _MUST_NOT
    at = DECK + players * opt.hand_size + 1
    end = DECK + PACK
    top, cards, worth, seen = opening, 1, POINTS[opening], 1 << opening
    kings, still_in, dead, turns = NOBODY, players, 0, 0
    seven, untouched = False, True
    laid = draws = decisions = choices = forced = extra_moves = skips = fails = hits = captures = captured = 0
    blocked = False
    while True:
        turns += 1
        lost = False
        if seven:
            seven = False
            hits += 1
            s[HITS + seat] += 1
            lost = opt.seven not in (_NOTHING, _DRAW_PLAY)
            if opt.seven not in (_SKIP, _NOTHING) and at < end:
                s[HAND + seat] |= 1 << s[at]
                if log is not None:
                    emit(log, events.DRAW, seat, s[at], events.FOR_SEVEN)
                at += 1
                draws += 1
            if lost:
                skips += 1
                if log is not None:
                    emit(log, events.SKIP, seat, 0, 0)
        phase, need, hand = MOVE, 0, s[HAND + seat]
        while not lost:
            cover = covers[SEATS * top + seat]
            singles, quads, runs = legal(hand, cover, need, opt.run_suits)
            by_choice = False
            if singles | quads or runs:
                n = count(singles, quads, runs)
                decisions += 1
                choices += n + may_decline
                if n + may_decline == 1:
                    forced += 1
                    mask, card = nth_action(hand, cover, need, opt.run_suits, singles, quads, 0)
                else:
                    rng = np.uint64(s[STREAM + seat])
                    if bots[seat] == RANDOM:
                        rng, k = below(rng, n + may_decline)
                        mask = card = 0
                        if k < n:
                            mask, card = nth_action(hand, cover, need, opt.run_suits, singles, quads, k)
                    else:
                        follower = next_in(s, players, seat)
                        after = next_in(s, players, follower)
                        view = View(
                            seat,
                            phase,
                            hand,
                            cover,
                            need,
                            singles,
                            quads,
                            n,
                            may_decline,
                            top,
                            owner,
                            cards,
                            worth,
                            kings,
                            ALL & ~seen & ~hand,
                            end - at,
                            follower,
                            popcount(s[HAND + follower]),
                            after,
                            popcount(s[HAND + after]),
                            still_in,
                        )
                        rng, mask, card = decide(opt, view, covers, rng, bots[seat])
                    s[STREAM + seat] = np.int64(rng)
                if mask:
                    single = is_single(mask)
                    if log is not None:
                        upwards = not single and not is_quad(mask) and goes_up(mask, card)
                        emit(log, events.LAY, seat, mask, card | (phase >= EXTRA) << 8 | upwards << 9)
                    hand ^= mask
                    s[HAND + seat] = hand
                    extra_moves += phase >= EXTRA
                    top, owner = card, seat
                    seen |= mask
                    dead, untouched, seven = 0, False, card // 4 == SEVEN
                    if single:
                        laid += 1
                        cards += 1
                        worth += POINTS[card]
                    else:
                        laid += 4
                        cards += 4
                        worth += points(mask)
                    if kings != NOBODY:
                        if kings != seat or opt.kings_cover != _OPPONENT:
                            row[IX.kings_captures] += 1
                            captures += 1
                            captured += worth
                            s[CAPTURED + seat] += worth
                            cards = worth = 0
                            if log is not None:
                                emit(log, events.CAPTURE, seat, events.BY_KINGS, 0)
                        kings = NOBODY
                    if mask == KINGS:
                        kings = seat
                    if hand == 0:
                        still_in -= 1
                        if go_out(opt, s, seat, mask, top, row, log) and cards > 0:
                            row[IX.trump_king_captures] += 1
                            captures += 1
                            captured += worth
                            s[CAPTURED + seat] += worth
                            cards = worth = 0
                            kings = NOBODY
                            if log is not None:
                                emit(log, events.CAPTURE, seat, events.BY_TRUMP_KING, 0)
                        break
                    if card // 4 == EIGHT or (not single and is_quad(mask)):
                        phase, need = EXTRA, 0
                        continue
                    break
                by_choice = phase == MOVE
                if log is not None and not (by_choice and at < end):
                    emit(log, events.DECLINE, seat, 0, 0)
            if at < end and (by_choice or (need == 0 and singles | quads == 0 and runs == 0)):
                if phase == MOVE or (phase == EXTRA and opt.extra_move == _EXTRA_DRAW):
                    if log is not None:
                        why = events.FOR_EXTRA
                        if phase == MOVE:
                            why = events.BY_CHOICE if by_choice else events.FOR_TURN
                        emit(log, events.DRAW, seat, s[at], why)
                    need = 1 << s[at]
                    hand |= need
                    s[HAND + seat] = hand
                    at += 1
                    draws += 1
                    phase += 1
                    continue
            if phase < EXTRA:
                fails += 1
                if log is not None:
                    emit(log, events.FAIL, seat, 0, 0)
                if owner not in (NOBODY, seat) and (cards >= 2 or (cards == 1 and untouched)):
                    captures += 1
                    captured += worth
                    s[CAPTURED + owner] += worth
                    cards = worth = 0
                    kings = NOBODY
                    if log is not None:
                        emit(log, events.CAPTURE, owner, events.BY_FAILED, 0)
                if at == end:
                    dead += 1
                    blocked = dead == still_in
            break
        if blocked or still_in == 1:
            break
        seat = next_in(s, players, seat)
    row[IX.laid] += laid
    row[IX.draws] += draws
    row[IX.decisions] += decisions
    row[IX.choices] += choices
    row[IX.forced] += forced
    row[IX.extra_moves] += extra_moves
    row[IX.skips] += skips
    row[IX.fails] += fails
    row[IX.hits] += hits
    row[IX.captures] += captures
    row[IX.captured_points] += captured
    return owner, cards, worth, turns, blocked
