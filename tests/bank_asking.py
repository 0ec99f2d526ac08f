"""Asking a bot of Bank what it does, with a view made from the reference's rules."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import numba
import numpy as np
from reference.bank_rules import Action, covers, legal_moves

from simcore.games.bank import bots as bank_bots
from simcore.games.bank.bots import GREEDY, THRIFTY, View
from simcore.games.bank.state import CARDS, Options
from simcore.options import Rules

CODES = {"greedy": GREEDY, "thrifty": THRIFTY}
Choice = tuple[list[str], str] | None
"""The cards laid, from the lowest, and the one on top; None for declining."""

compiled_decide = bank_bots.decide
ask = numba.njit(lambda opt, view, table, rng, bot: compiled_decide(opt, view, table, rng, bot))
"""Parts of a kernel need not be callable from Python; this is."""


def mask_of(cards: Iterable[str]) -> int:
    """``["6c", "8h"]`` as a mask."""
    return sum(1 << CARDS.index(card) for card in cards)


@cache
def cover_table(trumps: str, cover: str) -> Any:
    """The kernel's table of covers, from the reference."""
    rules = {"trumps": trumps, "cover": cover}
    table = np.zeros(4 * len(CARDS), dtype=np.int64)
    for top_at, top in enumerate(CARDS):
        for seat in range(4):
            fitting = [card for card in CARDS if card != top and covers(rules, seat, card, top)]
            table[4 * top_at + seat] = mask_of(fitting)
    return table


def moves_of(rules: Rules, seat: int, hand: Iterable[str], top: str, drawn: str | None) -> list[Action]:
    """The legal moves, by the reference."""
    moves = legal_moves(dict(rules), seat, sorted(hand), top)
    return [move for move in moves if drawn is None or drawn in move.cards]


def answer(bot: int, rules: Rules, hand: Iterable[str], top: str, drawn: str | None, rng: int, **known: int) -> Choice:
    """What a bot does; `known` are the fields of the view that do not follow from the rest."""
    seat, cards = known["seat"], list(hand)
    moves = moves_of(rules, seat, cards, top, drawn)
    table = cover_table(str(rules["trumps"]), str(rules["cover"]))
    view = View(
        hand=mask_of(cards),
        cover=int(table[4 * CARDS.index(top) + seat]),
        need=mask_of([drawn] if drawn else []),
        singles=mask_of(move.cards[0] for move in moves if move.kind == "single"),
        quads=mask_of({f"{move.cards[0][0]}c" for move in moves if move.kind == "quad"}),
        actions=len(moves),
        may_decline=rules["must_play"] == "no",
        top=CARDS.index(top),
        **known,
    )
    opt = Options(*map(int, rules.codes))  # type: ignore[call-arg]
    _, mask, last = ask(opt, view, table, np.uint64(rng), bot)
    if mask == 0:
        return None
    laid = [card for at, card in enumerate(CARDS) if mask >> at & 1]
    assert any(sorted(move.cards) == sorted(laid) and move.cards[-1] == CARDS[last] for move in moves)
    return laid, CARDS[last]
