"""The deal of a round, and who moves first."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import highest, lowest
from simcore.games.bank.layout import (
    AFTER,
    BANK,
    BLOCKED,
    BONUS,
    CAPTURED,
    DEAD,
    DECK,
    FIRST_CARD,
    GONE,
    HAND,
    HITS,
    IN,
    KINGS_BY,
    OWNER,
    QUADS,
    RULE,
    SEVEN_WAITS,
    TOP,
    TURN,
    TURNS,
    VALUE,
    set_stream,
)
from simcore.games.bank.moves import quads_in
from simcore.games.bank.rules import PACK, RULES
from simcore.games.bank.scoring import left_of
from simcore.games.bank.state import LOWEST_SUIT, NOBODY, SEATS, code
from simcore.jit import inlined
from simcore.streams import DEAL, SEAT, shuffle_part, stream

_NEAREST, _DEALER_LEFT = code("first_move", "nearest"), code("first_move", "dealer_left")
_DEALER_OWNS = code("opening_card", "dealer")

MOST_CARDS = max(int(size) for size in RULES["hand_size"].all_values())


@inlined
def deal(s, dealer, key, round_no):
    """Shuffle, deal the hands, turn up the opening card, and set up the state of the round."""
    players, size = s[RULE.players], s[RULE.hand_size]
    for card in range(PACK):
        s[DECK + card] = 1 << card
    shuffle_part(stream(key.chance, round_no, DEAL), s, DECK, PACK)
    quads = order = at = 0
    for seat in range(SEATS):
        if seat == players:
            break
        hand = 0
        for card in range(MOST_CARDS):
            if card == size:
                break
            hand |= s[DECK + at]
            at += 1
        s[HAND + seat] = hand
        set_stream(s, seat, stream(key.bots, round_no, SEAT + seat))
        quads |= (quads_in(hand) != 0) << seat
        order |= left_of(seat, players) << (8 * seat)
    for seat in range(SEATS):
        s[CAPTURED + seat] = s[BONUS + seat] = s[HITS + seat] = 0
    s[QUADS], s[AFTER], s[GONE], s[IN] = quads, order, at + 1, players
    s[DEAD] = s[SEVEN_WAITS] = s[BLOCKED] = s[TURNS] = 0
    s[KINGS_BY] = NOBODY
    opening = lowest(s[DECK + at])
    s[TOP], s[OWNER], s[BANK] = opening, NOBODY, s[VALUE + opening]
    if s[RULE.opening_card] == _DEALER_OWNS:
        s[OWNER] = dealer
        s[BANK] += FIRST_CARD
    s[TURN] = starter_of(s, dealer, opening)


@inlined
def starter_of(s, dealer, opening):
    """The seat that moves first."""
    players = s[RULE.players]
    held = 0
    for seat in range(SEATS):
        if seat == players:
            break
        held |= s[HAND + seat]
    held &= LOWEST_SUIT << (opening % 4)
    left = left_of(dealer, players)
    if s[RULE.first_move] == _DEALER_LEFT or held == 0:
        return left
    lower = held & ((1 << opening) - 1)
    if s[RULE.first_move] == _NEAREST:
        nearest = 1 << (highest(lower) if lower else lowest(held))
        holder = 0
        for seat in range(SEATS):  # added up, since nobody can predict who it is
            if seat == players:
                break
            holder += seat if s[HAND + seat] & nearest else 0
        return holder
    wanted = lower if lower else held
    while s[HAND + left] & wanted == 0:
        left = left_of(left, players)
    return left
