"""Worth of a square, and the legal plays of a hand.

A play is (card, target); the targets of a card are a mask of 19 bits (see `state.DISCARD`, `OWN`, `OTHER`).
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import nth_bit, popcount
from simcore.games.square.state import (
    ALL_PLACES,
    CARDS_OF,
    DISCARD,
    IN_ALL_SUITS,
    JACK,
    KING,
    LINE_COUNTS,
    OTHER,
    OWN,
    PLACES,
    QUEEN,
    TEN,
    code,
)
from simcore.jit import inlined, part

_GIFTS = code("gifts", "yes")


@inlined
def open_places(square):
    """Mask of the places whose top card is open."""
    return (square | square >> PLACES | square >> 2 * PLACES | square >> 3 * PLACES) & ALL_PLACES


@part
def worth_of(opt, square):
    """Points of a square: each line of one suit, and each of one colour but not of one suit."""
    base = opt.layout * (ALL_PLACES + 1)
    clubs, diamonds = square & ALL_PLACES, square >> PLACES & ALL_PLACES
    hearts, spades = square >> 2 * PLACES & ALL_PLACES, square >> 3 * PLACES
    suited = LINE_COUNTS[base + clubs] + LINE_COUNTS[base + diamonds]
    suited += LINE_COUNTS[base + hearts] + LINE_COUNTS[base + spades]
    coloured = LINE_COUNTS[base + (clubs | spades)] + LINE_COUNTS[base + (diamonds | hearts)]
    return opt.suit_points * suited + opt.colour_points * (coloured - suited)


@inlined
def laid_at(square, place, card):
    """The square after `card` was laid on `place`: open, or face down if it is a jack or queen."""
    square &= ~(IN_ALL_SUITS << place)
    rank = card >> 2
    if rank != JACK and rank != QUEEN:
        square |= 1 << (PLACES * (card & 3) + place)
    return square


@part
def targets(card, open_own, open_other, gifts):
    """Mask of the targets that a card may be played to, by the open places of the two squares."""
    rank = card >> 2
    in_own, in_other = 0, 0
    if rank < TEN:
        in_own, in_other = 1 << rank & ~open_own, 1 << rank & ~open_other
    elif rank == TEN:
        in_own = ALL_PLACES & ~open_own
    elif rank == JACK:
        in_own, in_other = open_own, open_other
    elif rank == QUEEN:
        in_own = open_own
    elif rank == KING:
        in_own = ALL_PLACES
    if gifts != _GIFTS:
        in_other = 0
    return 1 | in_own << OWN | in_other << OTHER


@inlined
def of_rank(hand, rank):
    """The cards of one rank, as a mask of four bits by suit."""
    return hand >> 4 * rank & 0b1111


@part
def count_plays(hand, open_own, open_other, gifts):
    """Number of distinct plays of a hand."""
    free_own, free_other = ALL_PLACES & ~open_own, ALL_PLACES & ~open_other
    if gifts != _GIFTS:
        open_other = free_other = 0
    covers = popcount(open_own)
    return (
        popcount(hand)
        + popcount(hand & CARDS_OF[free_own])
        + popcount(hand & CARDS_OF[free_other])
        + popcount(of_rank(hand, TEN)) * (PLACES - covers)
        + popcount(of_rank(hand, JACK)) * (covers + popcount(open_other))
        + popcount(of_rank(hand, QUEEN)) * covers
        + popcount(of_rank(hand, KING)) * PLACES
    )


@inlined
def _pair(rank, cards, places, k):
    """The `k`-th (card of `rank`, place) of a set of suits and a set of places."""
    n = popcount(places)
    return 4 * rank + nth_bit(cards, k // n), nth_bit(places, k % n)


@part
def nth_play(hand, open_own, open_other, gifts, k):
    """The `k`-th play, in the order in which `count_plays` adds them up: (card, target)."""
    free_own, free_other = ALL_PLACES & ~open_own, ALL_PLACES & ~open_other
    if gifts != _GIFTS:
        open_other = free_other = 0
    n = popcount(hand)
    if k < n:
        return nth_bit(hand, k), DISCARD
    k -= n
    numbers = hand & CARDS_OF[free_own]
    n = popcount(numbers)
    if k < n:
        card = nth_bit(numbers, k)
        return card, OWN + (card >> 2)
    k -= n
    numbers = hand & CARDS_OF[free_other]
    n = popcount(numbers)
    if k < n:
        card = nth_bit(numbers, k)
        return card, OTHER + (card >> 2)
    return _nth_special(hand, free_own, open_own, open_other, k - n)


@part
def _nth_special(hand, free_own, open_own, open_other, k):
    """The `k`-th play of a ten, jack, queen or king: (card, target)."""
    covers = popcount(open_own)
    cards = of_rank(hand, TEN)
    n = popcount(cards) * (PLACES - covers)
    if k < n:
        card, place = _pair(TEN, cards, free_own, k)
        return card, OWN + place
    k -= n
    cards = of_rank(hand, JACK)
    n = popcount(cards) * covers
    if k < n:
        card, place = _pair(JACK, cards, open_own, k)
        return card, OWN + place
    k -= n
    n = popcount(cards) * popcount(open_other)
    if k < n:
        card, place = _pair(JACK, cards, open_other, k)
        return card, OTHER + place
    k -= n
    cards = of_rank(hand, QUEEN)
    n = popcount(cards) * covers
    if k < n:
        card, place = _pair(QUEEN, cards, open_own, k)
        return card, OWN + place
    card, place = _pair(KING, of_rank(hand, KING), ALL_PLACES, k - n)
    return card, OWN + place


@inlined
def after_play(own, other, card, target):
    """The two squares after a play: (own, other)."""
    if target >= OTHER:
        return own, laid_at(other, target - OTHER, card)
    if target >= OWN:
        return laid_at(own, target - OWN, card), other
    return own, other
