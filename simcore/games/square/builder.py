"""The `builder` at play: for the lines that can still be made, and against the opponents'. `ending.py` tells when it ends.

A square has a *prospect*: the sum over its lines of their points times the chance that the three places will show one suit,
or one colour. The chance of a suit on a place is 1 where it lies open. On a free place it is that of the right card coming to
be laid there: the card of the place's rank, or a ten or king of the suit, whether in the own hand or, less surely, among the
cards not seen that the side will yet draw. A card that is gone counts nothing, so a line dies with its last card.

All values are integers, so that a game is the same on every machine and with the compiler off: chances in 256ths (`ONE`),
prospects in 2⁻²⁴ points (three chances multiplied). The weights were found by self-play.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import lowest, popcount
from simcore.games.square.moves import laid_at, open_places, targets
from simcore.games.square.state import (
    FACTORS,
    JACK,
    KING,
    LINES,
    OTHER,
    OTHER_CHANCE,
    OTHER_FACTOR,
    OWN,
    OWN_CHANCE,
    OWN_FACTOR,
    PLACES,
    QUEEN,
    TEN,
)
from simcore.jit import inlined, part

ONE = 1 << 8

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
def drawn_chance(cards, unseen):
    """Chance that an unseen card is among `cards` of the unseen ones and serves."""
    return min(ONE, cards * ONE // max(1, popcount(unseen))) * UNSEEN >> 8


@part
def suit_chances(place, square, hand, unseen, chance):
    """Chances of the four suits on one place of a square."""
    if open_places(square) >> place & 1:
        return (
            _open_chance(place, 0, square, hand),
            _open_chance(place, 1, square, hand),
            _open_chance(place, 2, square, hand),
            _open_chance(place, 3, square, hand),
        )
    a = _free_chance(place, 0, hand, unseen, chance)
    b = _free_chance(place, 1, hand, unseen, chance)
    c = _free_chance(place, 2, hand, unseen, chance)
    d = _free_chance(place, 3, hand, unseen, chance)
    total = a + b + c + d
    if total > MOST:
        return a * MOST // total, b * MOST // total, c * MOST // total, d * MOST // total
    return a, b, c, d


@inlined
def _open_chance(place, suit, square, hand):
    """Chance of a suit where a card lies open: it is the card's, or a king in hand may bring it."""
    if square >> (PLACES * suit + place) & 1:
        return ONE
    return HELD_KING if hand >> (4 * KING + suit) & 1 else 0


@part
def _free_chance(place, suit, hand, unseen, chance):
    """Chance of a suit on a free place: by the card of the rank, a king, or a ten."""
    card, ten = 4 * place + suit, 4 * TEN + suit
    number = HELD if hand >> card & 1 else (chance if unseen >> card & 1 else 0)
    king = HELD_KING if hand >> (4 * KING + suit) & 1 else 0
    wild = HELD_TEN if hand >> ten & 1 else (chance * UNSEEN_TEN >> 8 if unseen >> ten & 1 else 0)
    return _either(_either(number, king), wild)


@part
def set_places(s, at, square, hand, unseen, chance):
    """Fill the table of chances that begins at `at`."""
    for place in range(PLACES):
        a, b, c, d = suit_chances(place, square, hand, unseen, chance)
        base = at + 4 * place
        s[base], s[base + 1], s[base + 2], s[base + 3] = a, b, c, d


@inlined
def _black(s, base):
    return min(ONE, s[base] + s[base + 3])


@inlined
def _red(s, base):
    return min(ONE, s[base + 1] + s[base + 2])


@part
def prospect(opt, s, at):
    """Prospect of the square whose table of chances begins at `at`."""
    suits, colours = 0, 0
    for line in range(LINES.shape[1]):
        x = at + 4 * LINES[opt.layout, line, 0]
        y = at + 4 * LINES[opt.layout, line, 1]
        z = at + 4 * LINES[opt.layout, line, 2]
        for suit in range(4):
            suits += s[x + suit] * s[y + suit] * s[z + suit]
        colours += _black(s, x) * _black(s, y) * _black(s, z) + _red(s, x) * _red(s, y) * _red(s, z)
    return opt.colour_points * colours + (opt.suit_points - opt.colour_points) * suits


@part
def set_factors(opt, s, at, to):
    """For each place and each suit (0 … 3) and colour (4 black, 5 red): what a unit of chance there adds to the prospect.

    The prospect is linear in the chances of one place, so a play that changes one place costs six products, not a new sum.
    """
    for i in range(to, to + FACTORS * PLACES):
        s[i] = 0
    for line in range(LINES.shape[1]):
        for k in range(3):
            place = LINES[opt.layout, line, k]
            y = at + 4 * LINES[opt.layout, line, (k + 1) % 3]
            z = at + 4 * LINES[opt.layout, line, (k + 2) % 3]
            base = to + FACTORS * place
            for suit in range(4):
                s[base + suit] += (opt.suit_points - opt.colour_points) * s[y + suit] * s[z + suit]
            s[base + 4] += opt.colour_points * _black(s, y) * _black(s, z)
            s[base + 5] += opt.colour_points * _red(s, y) * _red(s, z)


@part
def change(s, at, factors, place, square, hand, unseen, chance):
    """How the prospect changes when `square` or `hand` becomes another at one place; the tables stay as they are."""
    base, f = at + 4 * place, factors + FACTORS * place
    a, b, c, d = suit_chances(place, square, hand, unseen, chance)
    gain = s[f] * (a - s[base]) + s[f + 1] * (b - s[base + 1])
    gain += s[f + 2] * (c - s[base + 2]) + s[f + 3] * (d - s[base + 3])
    gain += s[f + 4] * (min(ONE, a + d) - _black(s, base)) + s[f + 5] * (min(ONE, b + c) - _red(s, base))
    return gain


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
def set_own(opt, view, s, hand, chance):
    """Fill the tables of the own square, as it would be with `hand`; returns its prospect."""
    set_places(s, OWN_CHANCE, view.own, hand, view.unseen, chance)
    set_factors(opt, s, OWN_CHANCE, OWN_FACTOR)
    return prospect(opt, s, OWN_CHANCE)


@part
def builder_play(opt, view, s):
    """The play after which own prospect, opponents' prospect and cards kept in hand are worth most: (card, target)."""
    own_chance = drawn_chance(own_draws(opt, view), view.unseen)
    other_chance = drawn_chance(other_draws(opt, view), view.unseen)
    open_own, open_other = open_places(view.own), open_places(view.other)
    now = set_own(opt, view, s, view.hand, own_chance)
    set_places(s, OTHER_CHANCE, view.other, 0, view.unseen, other_chance)
    set_factors(opt, s, OTHER_CHANCE, OTHER_FACTOR)
    best, best_card, best_target = -(1 << 60), 0, 0
    cards = view.hand
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        rank, rest = card >> 2, view.hand & ~(1 << card)
        lost = 0
        wild = rank in (TEN, KING)
        if wild:
            lost = set_own(opt, view, s, rest, own_chance) - now
        elif rank < TEN:
            lost = change(s, OWN_CHANCE, OWN_FACTOR, rank, view.own, rest, view.unseen, own_chance)
        keep = keep_value(rank, view.left)
        reach = targets(card, open_own, open_other, opt.gifts)
        while reach:
            target = lowest(reach)
            reach &= reach - 1
            value = lost - keep
            if target >= OTHER:
                place = target - OTHER
                other = laid_at(view.other, place, card)
                theirs = change(s, OTHER_CHANCE, OTHER_FACTOR, place, other, 0, view.unseen, other_chance)
                value -= theirs * OPPONENTS >> 8
            elif target >= OWN:
                place = target - OWN
                own = laid_at(view.own, place, card)
                gain = change(s, OWN_CHANCE, OWN_FACTOR, place, own, rest, view.unseen, own_chance)
                value = gain - keep + (lost if wild else 0)
            if value > best:
                best, best_card, best_target = value, card, target
        if wild:
            set_own(opt, view, s, view.hand, own_chance)
    return best_card, best_target
