"""Which cards cover which, and the legal moves of a hand: singles, quads and runs, as masks and counts.

An action is (mask of the cards laid, card that ends on top). `need` is 0, or the mask of one card that the move must use.
"""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import highest, lowest, nth_bit, nth_card, popcount
from simcore.games.bank.layout import COVER, ONE_CARD, RULE, VALUE
from simcore.games.bank.rules import PACK
from simcore.games.bank.state import ALL, EIGHTS, LOWEST_SUIT, NIBBLE, POINTS, SEATS, SIXES, code
from simcore.jit import bare

_OWN, _ONE, _TWO, _RANKED = (code("trumps", w) for w in ("own", "one", "two", "ranked"))
_ANY_LOWER = code("cover", "any_lower")
_SAME_SUIT = code("run_suits", "same")
_DIAMONDS, _SPADES = 1, 3


@bare
def level(trumps, suit):
    """Standing of a suit that is a trump for all: 2 senior, 1 trump, 0 not."""
    if suit == _SPADES and trumps == _RANKED:
        return 2
    if suit == _SPADES and (trumps in (_ONE, _TWO)):
        return 1
    if suit == _DIAMONDS and (trumps in (_TWO, _RANKED)):
        return 1
    return 0


@bare
def own_trump(seat):
    """Suit of a seat's own trump: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""
    return _SPADES - seat


@bare
def beats(trumps, seat, suit, top_suit):
    """Whether a suit beats another one in the hand of `seat`, as a trump."""
    if trumps == _OWN:
        return suit == own_trump(seat) and top_suit != suit
    return level(trumps, suit) > level(trumps, top_suit)


@bare
def is_trump(trumps, seat, suit):
    """Whether `suit` is a trump suit for `seat`."""
    return suit == own_trump(seat) if trumps == _OWN else level(trumps, suit) > 0


@bare
def covers(s, seat, top):
    """Mask of the cards that cover `top` in the hand of `seat`: the five cases of RULES.md."""
    suit = LOWEST_SUIT << (top % 4)
    mask = EIGHTS | rank_cards(ALL, top & ~3) | (suit & SIXES)
    lower = suit & ((1 << top) - 1)
    mask |= lower if s[RULE.cover] == _ANY_LOWER else lower & (1 << top >> 4)
    for other in range(4):
        if beats(s[RULE.trumps], seat, other, top % 4):
            mask |= LOWEST_SUIT << other
    return mask & ~(1 << top)


@bare
def fill_tables(s):
    """Fill the table of covering cards, and that of what cards add to a bank."""
    for top in range(PACK):
        s[VALUE + top] = POINTS[top] + ONE_CARD
        for seat in range(SEATS):
            s[COVER + SEATS * top + seat] = covers(s, seat, top)


@bare
def quads_in(hand):
    """Mask with the club's bit of each rank of which all four cards are in hand."""
    pairs = hand & (hand >> 1)
    return pairs & (pairs >> 2) & LOWEST_SUIT


@bare
def run_starts(hand):
    """Mask with the club's bit of each rank that begins four consecutive ranks in hand."""
    ranks = (hand | (hand >> 1) | (hand >> 2) | (hand >> 3)) & LOWEST_SUIT
    pairs = ranks & (ranks >> 4)
    return pairs & (pairs >> 8)


@bare
def may_run(hand, first):
    """Whether a card of `first` has the lowest or highest rank of four consecutive ones in hand, as a run's first card must."""
    starts = run_starts(hand)
    return starts != 0 and first & ((starts | starts << 12) * NIBBLE) != 0


@bare
def rank_cards(mask, at):
    """The four bits of the rank whose club is bit `at`."""
    return mask & (NIBBLE << at)


@bare
def narrowed(hand, need):
    """The cards that may go into a run: of the needed card's rank only that card, as a run has one card a rank."""
    return hand & ~(NIBBLE << (lowest(need) & ~3)) | need if need else hand


@bare
def runs_from(cards, at, cover, need):
    """Numbers of runs of the `narrowed` cards on the four ranks from bit `at` up: (upwards, downwards)."""
    if need and need & cards & (0xFFFF << at) == 0:
        return 0, 0
    first, last = rank_cards(cards, at), rank_cards(cards, at + 12)
    middle = popcount(rank_cards(cards, at + 4)) * popcount(rank_cards(cards, at + 8))
    return popcount(first & cover) * middle * popcount(last), popcount(last & cover) * middle * popcount(first)


@bare
def count_runs(hand, cover, need, run_suits):
    """Number of actions that are runs."""
    cards, starts, total = narrowed(hand, need), run_starts(hand), 0
    while starts:
        at = lowest(starts)
        if run_suits == _SAME_SUIT:
            for suit in range(4):
                up, down = runs_from(cards & (LOWEST_SUIT << suit), at, cover, need)
                total += up + down
        else:
            up, down = runs_from(cards, at, cover, need)
            total += up + down
        starts &= starts - 1
    return total


@bare
def legal(hand, cover, need, run_suits):
    """The legal moves: (mask of singles, mask of quad ranks, number of runs).

    `cover` is the mask of the cards that cover the top card.
    """
    singles = hand & cover
    quads = quads_in(hand)
    if need:
        singles &= need
        quads &= LOWEST_SUIT & ((need >> 3) | (need >> 2) | (need >> 1) | need)
    runs = count_runs(hand, cover, need, run_suits) if may_run(hand, hand & cover) else 0
    return singles, quads, runs


@bare
def count(singles, quads, runs):
    """Number of actions; a quad gives four, one for each card on top."""
    return popcount(singles) + 4 * popcount(quads) + runs


@bare
def _run_of(cards, at, cover, k, upwards):
    """The `k`-th run in one direction on the four ranks from bit `at`: mixed radix over the four ranks."""
    mask = top = 0
    for step in range(4):
        choices = rank_cards(cards, at + (4 * step if upwards else 12 - 4 * step))
        if step == 0:
            choices &= cover
        n = popcount(choices)
        top = nth_card(choices, k % n)
        mask |= top
        k //= n
    return mask, lowest(top)


@bare
def nth_run(hand, cover, need, run_suits, k):
    """The `k`-th run in the order of `count_runs`, upwards ones first: (mask, card on top)."""
    narrow, starts = narrowed(hand, need), run_starts(hand)
    while True:
        at = lowest(starts)
        for suit in range(4 if run_suits == _SAME_SUIT else 1):
            cards = narrow & (LOWEST_SUIT << suit) if run_suits == _SAME_SUIT else narrow
            up, down = runs_from(cards, at, cover, need)
            if k < up + down:
                return _run_of(cards, at, cover, k if k < up else k - up, k < up)
            k -= up + down
        starts &= starts - 1


@bare
def nth_action(hand, cover, need, run_suits, singles, quads, k):
    """The `k`-th action: singles from the lowest card, quads from the lowest rank, runs: (mask, card on top)."""
    n_singles = popcount(singles)
    if k < n_singles:
        top = nth_bit(singles, k)
        return 1 << top, top
    k -= n_singles
    n_quads = popcount(quads)
    if k < 4 * n_quads:
        at = nth_bit(quads, k >> 2)
        return NIBBLE << at, at + (k & 3)
    return nth_run(hand, cover, need, run_suits, k - 4 * n_quads)


@bare
def is_single(mask):
    return mask & (mask - 1) == 0


@bare
def is_quad(mask):
    """Whether a mask of four cards is a quad (a run has no two cards of a rank)."""
    return mask & (mask >> 1) & LOWEST_SUIT != 0


@bare
def is_one_suit(mask):
    """Whether a run's four cards share a suit."""
    step = lowest(mask)
    return mask == (1 << step) * 0x1111


@bare
def goes_up(mask, top):
    """Whether a run with `top` on top was laid upwards."""
    return highest(mask) == top
