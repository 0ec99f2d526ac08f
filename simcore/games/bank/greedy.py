"""The bot `greedy`: it lays as many cards as it can, now."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.bits import popcount
from simcore.games.bank.moves import is_quad, is_single, legal, nth_action
from simcore.games.bank.rules import PACK
from simcore.games.bank.scoring import points
from simcore.games.bank.state import EIGHT, SEATS
from simcore.jit import bare
from simcore.streams import below

MORE_THAN_A_PACK = 128
"""More than the points of all cards."""


@bare
def action(opt, view, k):
    """The `k`-th legal action: (mask of the cards, card on top)."""
    return nth_action(view.hand, view.cover, view.need, opt.run_suits, view.singles, view.quads, k)


@bare
def owes_extra(mask, top):
    """Whether an extra move follows on a move."""
    return top // 4 == EIGHT or (not is_single(mask) and is_quad(mask))


@bare
def even_pick(rng, ties):
    """Whether the last of `ties` equally good actions takes the place of those before it, so that each is as likely."""
    if ties == 1:
        return rng, True
    rng, k = below(rng, ties)
    return rng, k == 0


@bare
def extra_cards(opt, hand, cover):
    """Most cards that one extra move lays."""
    singles, quads, runs = legal(hand, cover, 0, opt.run_suits)
    if quads or runs:
        return 4
    return 1 if singles else 0


@bare
def greed(opt, view, covers, mask, top):
    """How good a move is: by cards laid, then by cards of the rest that could follow on it, then by points laid."""
    rest = view.hand & ~mask
    cover = covers[SEATS * top + view.seat]
    laid = popcount(mask)
    if rest and owes_extra(mask, top):
        laid += extra_cards(opt, rest, cover)
    return (PACK * laid + popcount(rest & cover)) * MORE_THAN_A_PACK + points(mask)


@bare
def greedy(opt, view, covers, rng):
    """The action that sheds most, an extra move included; it never declines. Of equals any, evenly."""
    best, ties, mask, top = -1, 0, 0, 0
    for k in range(view.actions):
        cards, last = action(opt, view, k)
        value = greed(opt, view, covers, cards, last)
        if value > best:
            best, ties = value, 0
        if value == best:
            ties += 1
            rng, taken = even_pick(rng, ties)
            if taken:
                mask, top = cards, last
    return rng, mask, top
