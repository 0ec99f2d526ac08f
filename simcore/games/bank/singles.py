"""Turns in which nothing but single cards is laid, and nothing is chosen but by chance: most turns, and most of the time.

This is a shortcut, not the rules: those stand in `turns.py`, and playing every turn by them gives the same games to the bit (a
replay does so). It is written for the processor: state in local variables and nothing called, so that all of it stays in
registers; and since half of its time goes on branches that cannot be predicted, no more work than what decides them:

- A run begins with a card that covers, so a hand is searched for runs only when some single card covers the top card; for a
  quad only when it drew.
- A random number is needed only where there is a choice (one turn in ten), and the next one is always ready.
- The pack goes on with empty masks, so drawing does not ask whether there is a stock.
- Positions are cast to uint64, or else each is tested for counting from the end.

`benchmarks/c` has the same loop in C, and what other ways cost.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import numpy as np

from simcore.bits import lowest, nth_card, popcount
from simcore.games.bank.layout import (
    AFTER,
    ASKED,
    BANK,
    BANK_POINTS,
    BLOCKED,
    BY_RULES,
    CAPTURED,
    COUNT,
    COVER,
    DEAD,
    DECK,
    EVERY_SEAT,
    GONE,
    HAND,
    HITS,
    IN,
    KINGS_BY,
    OWNER,
    QUADS,
    RULE,
    SEVEN_WAITS,
    STREAM,
    TOP,
    TURN,
    TURNS,
    TWO_CARDS,
    VALUE,
    WORD,
    following,
    set_stream,
)
from simcore.games.bank.moves import may_run, quads_in
from simcore.games.bank.rules import PACK
from simcore.games.bank.state import DRAWN, EIGHTS, EXTRA, MOVE, NOBODY, OVER, SEATS, SEVENS, START, code
from simcore.hints import out_of_line, rarely
from simcore.jit import bare, inlined
from simcore.streams import GOLDEN, S32, settle

_SKIP, _NOTHING = code("seven", "skip"), code("seven", "nothing")
_DRAW = code("extra_move", "draw")
_GO_ON = -3
U = np.uint64


@inlined
def pick(s, seat, cards):
    """One of several cards, by the dice of the bot at `seat`; as `turns.choose` does it."""
    n = popcount(cards)
    rng, k = settle(U(s[U(STREAM + seat)]) + GOLDEN, U(s[U(WORD + seat)]) >> S32, U(n))
    set_stream(s, seat, rng)
    s[COUNT.choices] += n - 1
    s[COUNT.forced] -= 1
    return nth_card(cards, k)


@bare
def play_singles(s):
    """Play turns until one needs `turns.play_turn`, or the round is over; returns the phase of that turn, or `OVER`."""
    out_of_line()
    seat, top, owner, bank, drawn, dead = s[TURN], s[TOP], s[OWNER], s[BANK], s[GONE], s[DEAD]
    order = s[AFTER]
    by_rules = EVERY_SEAT if s[KINGS_BY] != NOBODY else s[QUADS] | s[BY_RULES]
    stop = _GO_ON
    while True:
        s[TURNS] += 1
        if rarely(by_rules >> seat & 1 != 0):
            stop = MOVE
            break
        hand = s[U(HAND + seat)]
        can = hand & s[U(COVER + SEATS * top + seat)]
        if can == 0:
            card = s[U(DECK + drawn)]
            drawn += 1
            hand |= card
            s[U(HAND + seat)] = hand
            if rarely(quads_in(hand) != 0):
                stop = DRAWN
                break
            can = card & s[U(COVER + SEATS * top + seat)]
            if can == 0:  # he fails
                s[COUNT.fails] += 1
                if (owner ^ seat) * (bank // TWO_CARDS):  # owner != seat and bank >= TWO_CARDS, as one branch
                    s[U(CAPTURED + owner)] += bank & BANK_POINTS
                    s[COUNT.captures] += 1
                    bank = 0
                dead += drawn >= PACK
                if rarely(dead == s[IN]):
                    stop = OVER
                    break
                seat = following(order, seat)
                continue
            if rarely(may_run(hand, can)):
                stop = DRAWN
                break
        elif rarely(may_run(hand, can)):
            stop = MOVE
            break
        extra = 0
        while True:
            laid = can
            if can & (can - 1):
                if rarely(s[ASKED] >> seat & 1 != 0):
                    stop = EXTRA if extra else MOVE
                    break
                laid = pick(s, seat, can)
            if rarely(laid == hand):  # he would go out
                stop = EXTRA if extra else MOVE
                break
            hand ^= laid
            s[U(HAND + seat)] = hand
            top, owner, dead = lowest(laid), seat, 0
            bank += s[U(VALUE + top)]
            s[COUNT.decisions] += 1
            s[COUNT.extra_moves] += extra
            if laid & EIGHTS == 0:
                break
            extra = 1
            can = hand & s[U(COVER + SEATS * top + seat)]
            if can == 0:
                if rarely(s[RULE.extra_move] == _DRAW):
                    stop = EXTRA
                break
            if rarely(may_run(hand, can)):
                stop = EXTRA
                break
        if rarely(stop != _GO_ON):
            break
        seat = following(order, seat)
        if laid & SEVENS:
            if rarely(s[RULE.seven] != _SKIP and s[RULE.seven] != _NOTHING):
                s[SEVEN_WAITS], stop = 1, START
                break
            s[U(HITS + seat)] += 1
            if s[RULE.seven] == _SKIP:
                s[TURNS] += 1
                s[COUNT.skips] += 1
                seat = following(order, seat)
    s[TURN], s[TOP], s[OWNER], s[BANK], s[DEAD] = seat, top, owner, bank, dead
    s[GONE] = min(drawn, PACK)
    s[BLOCKED] = stop == OVER
    return stop
