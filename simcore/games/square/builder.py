"""The `builder` at play: for the lines that can still be made, and against the opponents'. `ending.py` tells when it ends.

A square has a *prospect*: the sum over its lines of their points times the chance that the three places will show one suit,
or one colour. The chance of a suit on a place is 1 where it lies open. On a free place it is that of the right card coming to
be laid there: the card of the place's rank, or a ten or king of the suit, whether in the own hand or, less surely, among the
cards not seen that the side will yet draw. A card that is gone counts nothing, so a line dies with its last card.

All values are integers, so that a game is the same on every machine and with the compiler off: chances in 256ths (`ONE`),
prospects in 2⁻²⁴ points (`POINT`, three chances multiplied). The weights were found by self-play.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import lowest, popcount
from simcore.games.square.moves import laid_at, open_places, targets
from simcore.games.square.state import (
    JACK,
    KING,
    LINES,
    NOBODY,
    OTHER,
    OTHER_CHANCE,
    OWN,
    OWN_CHANCE,
    PLACES,
    QUEEN,
    TEN,
)
from simcore.jit import inlined, part

ONE = 1 << 8
POINT = 1 << 24

# Chances, in 256ths: of a number card, king or ten in hand being laid on a place; the share of its chance of being drawn that
# an unseen card keeps; an unseen ten's share of that; most of all four suits together, on a place still free.
HELD, HELD_KING, HELD_TEN = 80, 50, 45
UNSEEN, UNSEEN_TEN, MOST = 140, 50, 220
HORIZON = 6
"""How many draws of a side are looked ahead."""

OPPONENTS = 105
"""Weight of the opponents' prospect, in 256ths."""
KEEP_TEN, KEEP_JACK, KEEP_QUEEN, KEEP_KING = 75, 110, 15, 130
"""What a card in hand is worth for later, in 256ths of a point; less when fewer than `KEEP_WHILE` cards are left to draw."""
KEEP_WHILE = 16


@inlined
def _either(a, b):
    """Chance of at least one of two independent chances."""
    return a + b - (a * b >> 8)


@part
def drawn_chance(opt, cards, unseen):
    """Chance that an unseen card is among `cards` of the unseen ones and serves."""
    return min(ONE, cards * ONE // max(1, popcount(unseen))) * UNSEEN >> 8


@part
def _card_chance(hand, unseen, card, chance):
    if hand >> card & 1:
        return HELD
    return chance if unseen >> card & 1 else 0


@part
def set_place(s, at, place, square, hand, unseen, chance):
    """Set the chances of the four suits on one place of the square whose table begins at `at`."""
    lies_open = open_places(square) >> place & 1
    total = 0
    for suit in range(4):
        king = HELD_KING if hand >> (4 * KING + suit) & 1 else 0
        if lies_open:
            value = ONE if square >> (PLACES * suit + place) & 1 else king
        else:
            ten = 4 * TEN + suit
            wild = HELD_TEN if hand >> ten & 1 else (chance * UNSEEN_TEN >> 8 if unseen >> ten & 1 else 0)
            number = _card_chance(hand, unseen, 4 * place + suit, chance)
            value = _either(_either(number, king), wild)
        s[at + 4 * place + suit] = value
        total += value
    if not lies_open and total > MOST:
        for suit in range(4):
            s[at + 4 * place + suit] = s[at + 4 * place + suit] * MOST // total


@part
def set_places(s, at, square, hand, unseen, chance):
    """Set the chances of all places."""
    for place in range(PLACES):
        set_place(s, at, place, square, hand, unseen, chance)


@part
def prospect(opt, s, at, through):
    """Prospect of a square; only of the lines through one place, if `through` is one (and not `NOBODY`)."""
    suits, colours = 0, 0
    for line in range(8):
        x, y, z = LINES[opt.layout, line, 0], LINES[opt.layout, line, 1], LINES[opt.layout, line, 2]
        if through not in (NOBODY, x, y, z):
            continue
        x, y, z = at + 4 * x, at + 4 * y, at + 4 * z
        for suit in range(4):
            suits += s[x + suit] * s[y + suit] * s[z + suit]
        colours += min(ONE, s[x] + s[x + 3]) * min(ONE, s[y] + s[y + 3]) * min(ONE, s[z] + s[z + 3])
        colours += min(ONE, s[x + 1] + s[x + 2]) * min(ONE, s[y + 1] + s[y + 2]) * min(ONE, s[z + 1] + s[z + 2])
    return opt.colour_points * colours + (opt.suit_points - opt.colour_points) * suits


@part
def change(opt, s, at, place, square, hand, unseen, chance):
    """How the prospect changes when `square` or `hand` becomes another at one place; the table stays as it was."""
    base = at + 4 * place
    a, b, c, d = s[base], s[base + 1], s[base + 2], s[base + 3]
    before = prospect(opt, s, at, place)
    set_place(s, at, place, square, hand, unseen, chance)
    after = prospect(opt, s, at, place)
    s[base], s[base + 1], s[base + 2], s[base + 3] = a, b, c, d
    return after - before


@inlined
def keep_value(rank, left):
    """What a card of `rank` is worth in hand for later, in the unit of a prospect."""
    value = 0
    if rank == TEN:
        value = KEEP_TEN
    elif rank == JACK:
        value = KEEP_JACK
    elif rank == QUEEN:
        value = KEEP_QUEEN
    elif rank == KING:
        value = KEEP_KING
    return (value * min(left, KEEP_WHILE) // KEEP_WHILE) << 16


@part
def own_draws(opt, view):
    """Cards that may yet come to the own side, besides the own hand: draws ahead, and the partner's hand."""
    return min(view.left // 2, HORIZON) + (opt.players // 2 - 1) * opt.hand_size


@part
def other_draws(opt, view):
    """Cards that the opponents hold, and will draw."""
    return min((view.left + 1) // 2, HORIZON) + opt.players // 2 * opt.hand_size


@part
def builder_play(opt, view, s):
    """The play after which own prospect, opponents' prospect and cards kept in hand are worth most: (card, target)."""
    own_chance = drawn_chance(opt, own_draws(opt, view), view.unseen)
    other_chance = drawn_chance(opt, other_draws(opt, view), view.unseen)
    open_own, open_other = open_places(view.own), open_places(view.other)
    set_places(s, OWN_CHANCE, view.own, view.hand, view.unseen, own_chance)
    set_places(s, OTHER_CHANCE, view.other, 0, view.unseen, other_chance)
    best, best_card, best_target = -(1 << 60), 0, 0
    cards = view.hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        rank, rest = card >> 2, view.hand & ~(1 << card)
        held = 0
        wild = rank == TEN or rank == KING
        if rank < TEN:
            held = change(opt, s, OWN_CHANCE, rank, view.own, rest, view.unseen, own_chance)
        elif wild:
            held = -prospect(opt, s, OWN_CHANCE, NOBODY)
            set_places(s, OWN_CHANCE, view.own, rest, view.unseen, own_chance)
            held += prospect(opt, s, OWN_CHANCE, NOBODY)
        keep = keep_value(rank, view.left)
        reach = targets(card, open_own, open_other, opt.gifts)
        while reach:
            target = lowest(reach)
            reach &= reach - 1
            value = held
            if target >= OTHER:
                place = target - OTHER
                other = laid_at(view.other, place, card)
                theirs = change(opt, s, OTHER_CHANCE, place, other, 0, view.unseen, other_chance)
                value -= theirs * OPPONENTS >> 8
            elif target >= OWN:
                place = target - OWN
                own = laid_at(view.own, place, card)
                gain = change(opt, s, OWN_CHANCE, place, own, rest, view.unseen, own_chance)
                value = gain + held if wild else gain
            if value - keep > best:
                best, best_card, best_target = value - keep, card, target
        if wild:
            set_places(s, OWN_CHANCE, view.own, view.hand, view.unseen, own_chance)
    return best_card, best_target
