"""What `basic` plays: charts and thresholds computed for the very table it sits at, laid out for the kernel.

Against each entrant, as the banker, a punter has a block of `PLAN_SIZE` integers:

- at `OWN_STAND` the threshold of that entrant as the banker, if it is `basic` itself;
- from `CHART` on, for each rank of the banker's card, each softness and each total: 0 stop, 1 draw, 2 draw blind;
- from `FIRST_CARDS` on, for each rank of the banker's card and of the own first card: 1 where the chart promises a gain.

The chart is the best response to that banker's policy (see `exact`). A banker's threshold is the one that brings him the
most from all the others, each counted alike, when those who are `basic` answer it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simcore.bots import Player
from simcore.games.ochko.bots import BASIC, CERTAIN, NEVER, RANDOM
from simcore.games.ochko.exact.hands import Floats, Hands
from simcore.games.ochko.exact.policies import (
    Punter,
    random_banker,
    random_punter,
    threshold_banker,
    threshold_punter,
)
from simcore.games.ochko.exact.responses import STANDS, Chart, best_chart, showdown, states
from simcore.games.ochko.exact.study import Study, study_of
from simcore.games.ochko.state import GOAL, N_RANKS, RANKS
from simcore.metrics import Ints
from simcore.options import Rules

OWN_STAND = 0
CHART = 1
CHART_ROW = GOAL + 1
FIRST_CARDS = CHART + N_RANKS * 2 * CHART_ROW
PLAN_SIZE = FIRST_CARDS + N_RANKS * N_RANKS


def punter_of(hands: Hands, player: Player, blind: bool) -> Punter:
    """The policy of a `random` or `threshold` player as a punter."""
    if player.code == RANDOM:
        return random_punter(hands, blind)
    _, stand, _, _, blind_from, conceal = player.encode(6)
    return threshold_punter(hands, stand, blind_from if blind else NEVER, conceal / CERTAIN)


def banker_of(hands: Hands, player: Player) -> Floats:
    """The policy of a `random` or `threshold` player as the banker."""
    if player.code == RANDOM:
        return random_banker(hands)
    return threshold_banker(hands, bank_stand_of(player))


def bank_stand_of(player: Player) -> int:
    """The threshold of a `threshold` player as the banker."""
    return player.encode(6)[2]


def best_bank_stand(study: Study, others: Sequence[Player]) -> int:
    """The threshold with which a banker gains most from `others`, those who are `basic` answering it."""
    edges = np.zeros(len(STANDS))
    for player in others:
        if player.code == BASIC:
            edges -= study.chart_values
        else:
            punter = punter_of(study.duel.hands, player, study.duel.terms.blind)
            edges -= study.duel.mean_values(punter, study.closed_stop)
    return STANDS[int(edges.argmax())]


def _block(study: Study, chart: Chart, own_stand: int) -> Ints:
    """The block of one entrant as the banker."""
    hands, values = study.duel.hands, study.duel.hands.values
    block = np.zeros(PLAN_SIZE, dtype=np.int64)
    block[OWN_STAND] = own_stand
    known = [(rank, values.index(name)) for rank, name in enumerate(RANKS) if values.has(name)]
    for rank, value in known:
        column = 0 if study.closed else value
        for group in states(hands):
            row = CHART + (2 * rank + int(hands.soft[group[0]])) * CHART_ROW
            block[row + hands.total[group[0]]] = chart.choice[group[0], column]
        for first, own_value in known:
            block[FIRST_CARDS + rank * N_RANKS + first] = chart.first[own_value, column] > 0
    return block


def _plan_for(study: Study, table: Sequence[Player], at: int) -> Ints:
    player = table[at]
    if player.code == RANDOM:
        chart = best_chart(showdown(study.duel, [random_banker(study.duel.hands)], study.closed))
        return _block(study, chart, 0)
    others = [other for i, other in enumerate(table) if i != at]
    own = best_bank_stand(study, others) if player.code == BASIC else 0
    stand = own or bank_stand_of(player)
    return _block(study, study.chart.against(study.columns(stand)), own)


def plan(rules: Rules, table: Sequence[Player]) -> Ints:
    """What the kernel needs for `basic`: a block an entrant, or nothing where nobody plays it.

    Returns
    -------
    ndarray of int64, shape (entrants · PLAN_SIZE,) or (0,)
    """
    if all(player.code != BASIC for player in table):
        return np.zeros(0, dtype=np.int64)
    study = study_of(rules)
    blocks: dict[tuple[object, ...], Ints] = {}
    found = []
    for at, player in enumerate(table):
        others = sorted(str(other) for i, other in enumerate(table) if i != at) if player.code == BASIC else []
        key = (str(player), *others)
        if key not in blocks:
            blocks[key] = _plan_for(study, table, at)
        found.append(blocks[key])
    return np.concatenate(found)
