"""The scores of a deal, and what decides a match."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from simcore.games.square.state import NOBODY, code
from simcore.jit import part

_DOUBLE = code("excess", "double")
_EXHAUST_DOUBLE = code("exhaust_excess", "yes")
_BY_DEALS = code("match", "deals")
UNDECIDED, DRAWN = -2, -1


@part
def ending_score(opt, worth):
    """Score of the side that ends the deal."""
    excess = worth - opt.end_at if opt.excess == _DOUBLE and worth > opt.end_at else 0
    return worth + excess - opt.end_cost


@part
def exhausted_score(opt, worth):
    """Score of a side when the pack ran out."""
    excess = worth - opt.end_at if opt.exhaust_excess == _EXHAUST_DOUBLE and worth > opt.end_at else 0
    return worth + excess


@part
def score_of(opt, worth, side, ender):
    """Score of a side in a deal that `ender` ended, or nobody."""
    if ender == NOBODY:
        return exhausted_score(opt, worth)
    return ending_score(opt, worth) if side == ender else worth


@part
def decided(opt, total0, total1, deals):
    """The side that has won after so many deals, `DRAWN`, or `UNDECIDED`."""
    leader = DRAWN if total0 == total1 else (0 if total0 > total1 else 1)
    if opt.match == _BY_DEALS:
        return leader if deals == opt.deals else UNDECIDED
    return leader if leader != DRAWN and max(total0, total1) >= opt.target else UNDECIDED
