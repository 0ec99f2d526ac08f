"""Simulated against exact: the first hands of circles in a run's tallies, beside their probabilities."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from simcore.bots import Player
from simcore.errors import InputError
from simcore.games.ochko.bots import BASIC
from simcore.games.ochko.exact.duel import Duel
from simcore.games.ochko.exact.hands import GOAL, Floats
from simcore.games.ochko.exact.policies import DRAW, Punter, any_first, orders, threshold_banker
from simcore.games.ochko.exact.study import study_of
from simcore.games.ochko.metrics import HISTOGRAMS
from simcore.games.ochko.plan import banker_of, punter_of
from simcore.games.ochko.state import BUST, HIDDEN_BUST, RANKS, TWENTY_ONE, WHYS
from simcore.metrics import Ints
from simcore.options import Rules

ANY = "any"


@dataclass(frozen=True)
class Expected:
    """Probabilities of a first hand, given the banker's card; each of shape (cards,)."""

    p_21: Floats
    p_bust: Floats
    edge: Floats


def policies(rules: Rules, table: Sequence[Player]) -> tuple[Punter, Floats]:
    """How everybody at a table of one bot plays, as a punter and as the banker.

    Raises
    ------
    InputError
        If the table holds different bots: the first hand is then a mixture.
    """
    if len(set(table)) != 1:
        raise InputError("exact values need one bot at all seats; this table has " + ", ".join(map(str, table)))
    study, player = study_of(rules), table[0]
    hands = study.duel.hands
    if player.code != BASIC:
        return punter_of(hands, player, study.duel.terms.blind), banker_of(hands, player)
    stand = study.banker_stand
    return study.chart.against(study.columns(stand)).punter, threshold_banker(hands, stand)


def expected(duel: Duel, punter: Punter, banker: Floats, with_edge: bool = True) -> Expected:
    """What arithmetic says of a first hand; without the edge (not a number) it is much less work."""
    reach = orders(duel.hands, punter.act[DRAW], any_first(duel.hands)) * np.ones((1, len(duel.card)))
    seen = reach * punter.act[DRAW]
    drawn = np.array([duel.children(duel.base * at[:, None]) for at in (duel.hands.total == GOAL, duel.hands.bust)])
    p_21, p_bust = (drawn * seen).sum(axis=1) / duel.card
    if not with_edge:
        return Expected(p_21, p_bust, np.full(len(duel.card), np.nan))
    return Expected(p_21, p_bust, -duel.value(punter, duel.stop_values(duel.finals(banker))))


def units_of(rules: Rules) -> Floats:
    """The punter's gain in stakes at each end of a hand, in the order of `WHYS`."""
    tie = 0.0 if rules["tie"] == "push" else -1.0
    both = 0.0 if rules["both_bust"] == "push" else -1.0
    gains = {
        "twenty_one": 1.0,
        "bust": -1.0,
        "hidden_bust": -float(rules["hidden_bust"]),
        "blind_bust": -1.0,
        "both_bust": both,
        "banker_bust": 1.0,
        "higher": 1.0,
        "lower": -1.0,
        "tie": tie,
        "unsettled": 0.0,
    }
    return np.array([gains[why] for why in WHYS])


def openings(hist: Ints, name: str) -> Ints:
    """First hands of circles by rank and end, from a run's histogram; int64, shape (ranks, ends)."""
    bins = hist[HISTOGRAMS.slice_of(name)][1:-1]
    return np.asarray(bins.reshape(-1, len(WHYS)))


def _cells(
    rules: Rules, table: Sequence[Player], hist: Ints, marker_edges: bool
) -> Iterator[tuple[str, str, Ints, Expected]]:
    """Each cell: seen card, rank, simulated ends, expectation (arrays of one)."""
    punter, banker = policies(rules, table)
    study = study_of(rules)
    whole = expected(study.duel, punter, banker)
    cards, values = openings(hist, "opening_card"), study.duel.hands.values
    yield ANY, ANY, cards.sum(axis=0), _mean(whole, study.duel.card)
    ranks = [(i, values.index(rank)) for i, rank in enumerate(RANKS) if values.has(rank)]
    for i, value in ranks:
        yield "banker", RANKS[i], cards[i], Expected(*(a[[value]] for a in vars(whole).values()))
    if rules["marker"] == "yes":
        markers = openings(hist, "opening_marker")
        found: dict[int, Expected] = {}
        for i, value in ranks:
            if value not in found:
                known = Duel(study.duel.hands, study.duel.terms, marker=value)
                found[value] = _mean(expected(known, punter, banker, marker_edges), known.card)
            yield "marker", RANKS[i], markers[i], found[value]


def _mean(of: Expected, card: Floats) -> Expected:
    return Expected(*(np.array([a @ card]) for a in vars(of).values()))


def compare(rules: Rules, table: Sequence[Player], hist: Ints, marker_edges: bool = True) -> pd.DataFrame:
    """Simulated against exact for every cell of the first hands of circles.

    Parameters
    ----------
    rules : Rules
    table : sequence of Player
        The same bot at all seats.
    hist : ndarray of int64, shape (bins,)
        The variant's histograms (``run.tallies.variants[i].hist``).
    marker_edges : bool
        Also the edge given each marker, which takes seconds with 52 cards.

    Returns
    -------
    DataFrame
        A row for each `seen` card (``any``, ``banker``, ``marker``), its `rank`, and `quantity` (``p_21`` and ``p_bust`` with
        seen cards, ``edge``: the banker's gain per unit staked), with the number of `hands`, `simulated`, `exact`, `se`
        (standard error of the simulated value if the exact one holds; for the edge from the simulated spread), and `z`.
        With `duel=common` and more than two players a hand may be left unsettled, so the edge is left out, and so is
        `p_bust` where busts are concealed.
    """
    units = units_of(rules)
    settled = rules["duel"] == "each" or rules.players == 2
    hides = policies(rules, table)[0].conceal > 0
    rows = []
    for seen, rank, ends, exact in _cells(rules, table, hist, marker_edges):
        hands = int(ends.sum())
        shares = {"p_21": ends[TWENTY_ONE], "p_bust": ends[BUST] + ends[HIDDEN_BUST]}
        if hides and not settled:
            del shares["p_bust"]
        for name, count in shares.items():
            p = float(getattr(exact, name)[0])
            rows.append((seen, rank, name, hands, count / max(hands, 1), p, np.sqrt(p * (1 - p) / max(hands, 1))))
        if settled and not np.isnan(exact.edge[0]):
            mean = float(ends @ units) / max(hands, 1)
            spread = float(ends @ (units - mean) ** 2) / max(hands, 1)
            rows.append((seen, rank, "edge", hands, -mean, float(exact.edge[0]), np.sqrt(spread / max(hands, 1))))
    frame = pd.DataFrame(rows, columns=["seen", "rank", "quantity", "hands", "simulated", "exact", "se"])
    gap = frame["simulated"] - frame["exact"]
    return frame.assign(z=np.where(frame["se"] > 0, gap / frame["se"].where(frame["se"] > 0, 1.0), 0.0))
