"""The tables of `kozyr exact ochko`: what arithmetic says about a table's rules.

Exact for the first hand of a circle, without replacement, to about 1e-12. Approximated, and said so in each table's
note: later hands of a circle are played from a pack that earlier hands have changed, and the policies here do not count those
cards; with one banker's hand against all (`duel=common`) the bank may not suffice to pay; and a stake is judged by this
hand alone, not by what it does to the bank that later hands are played for.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from simcore.games.ochko.exact.duel import Duel, duel_of, totals
from simcore.games.ochko.exact.hands import GOAL
from simcore.games.ochko.exact.policies import ACTIONS, BLIND, threshold_banker, threshold_punter
from simcore.games.ochko.exact.responses import STANDS, banker_best_by_cards, best_by_cards, states
from simcore.games.ochko.exact.study import Study, study_of
from simcore.options import Setting

SHOWN = tuple(range(12, GOAL))
"""The thresholds that people are shown; the tables hold all of `STANDS`."""
ANY = "any"
_HAND = (
    "Exact for the first hand of a circle; later hands are approximated by it (cards of earlier hands are not counted)."
)
_STAKE = "A stake is judged by this hand alone, not by what it does to the bank for later hands: an approximation."
_SHORT = {"draw blind": "blind"}


def _table(frame: pd.DataFrame, title: str, *notes: str, **shown: object) -> pd.DataFrame:
    """The frame with a title, notes, and how people are shown it (see `reports.exactly.show`)."""
    frame.attrs.update(title=title, notes=(_HAND, *notes), **shown)
    return frame


def strategy_chart(rules: Mapping[str, Setting], banker_stand: int | None = None) -> pd.DataFrame:
    """What to do, by own total and banker's card: ``stop``, ``draw`` or ``draw blind``.

    Parameters
    ----------
    rules : mapping
        All options of the game.
    banker_stand : int, optional
        Threshold of the banker; by default his best one against this chart.

    Returns
    -------
    DataFrame
        A row for each total (``soft 17``: an ace in it counts 11 and could count 1), a column for each banker's card.
    """
    study = study_of(rules)
    return _chart(study, study.banker_stand if banker_stand is None else banker_stand)


def _chart(study: Study, banker_stand: int) -> pd.DataFrame:
    hands, choice = study.duel.hands, study.chart.choice[:, study.columns(banker_stand)]
    rows = {}
    for group in reversed(states(hands)):
        name = f"{'soft ' if hands.soft[group[0]] else ''}{hands.total[group[0]]}"
        rows[name] = [ACTIONS[a] for a in choice[group[0]]]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=study.card_labels)
    frame = frame.loc[sorted(frame.index, key=lambda name: (name.startswith("soft"), int(name.split()[-1])))]
    frame.index.name = "total"
    title = f"Strategy chart against a banker who stands on {banker_stand}: own total by banker's card"
    frame.attrs["against"] = f"a banker who stands on {banker_stand}"
    return _table(frame, title, "The best chart that looks at no more than these two.", words=_SHORT)


def first_cards(study: Study) -> pd.DataFrame:
    """Expected gain per unit staked, by first card and banker's card, with the chart."""
    labels = study.duel.hands.values.labels
    frame = pd.DataFrame(
        study.chart.first[:, study.columns(study.banker_stand)],
        index=pd.Index(labels, name="own"),
        columns=study.card_labels,
    )
    title = "A punter's expectation in % of his stake, by his first card and the banker's: stake all where it is above 0, else 1"
    return _table(frame, title, _STAKE, percent=study.card_labels)


def totals_table(study: Study) -> pd.DataFrame:
    """Distribution of a punter's final total for each threshold."""
    rows = {}
    for stand in STANDS:
        shares = totals(study.duel, threshold_punter(study.duel.hands, stand)) @ study.duel.card
        rows[stand] = shares[STANDS[0] :]
    columns = [*map(str, range(STANDS[0], GOAL + 1)), "bust"]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=columns)
    frame.index.name = "stand"
    shown = columns[SHOWN[0] - STANDS[0] :]
    title = "Distribution of a punter's final total in %, by his threshold"
    return _table(frame, title, percent=columns, rows=SHOWN, columns=shown)


def cells(rules: Mapping[str, Setting], stand: int, banker_stand: int) -> pd.DataFrame:
    """What the marker and the banker's card tell about one pair of thresholds.

    Returns
    -------
    DataFrame
        A row for each marker (``any``: not looked at) and banker's card (``any``: not seen), with the columns ``p``
        (probability of the cell among those of its marker), ``p_21``, ``p_bust``, ``p_stop`` and ``edge``, the banker's
        expectation per unit staked.
    """
    seen = {**rules, "blind": "no"}  # thresholds that never draw blind need less arithmetic
    found = {ANY: duel_of(seen)}
    if rules["marker"] == "yes":
        labels = found[ANY].hands.values.labels
        found |= {label: duel_of(seen, marker=i) for i, label in enumerate(labels)}
    frames = [_cells_of(duel, marker, stand, banker_stand) for marker, duel in found.items()]
    frame = pd.concat(frames, ignore_index=True)
    title = f"A punter who stands on {stand} against a banker who stands on {banker_stand}, by marker and banker's card"
    return _table(frame, title, percent=["p", "p_21", "p_bust", "p_stop"])


def _cells_of(duel: Duel, marker: str, stand: int, banker_stand: int) -> pd.DataFrame:
    hands = duel.hands
    punter = threshold_punter(hands, stand)
    shares = totals(duel, punter)
    value = duel.value(punter, duel.stop_values(duel.finals(threshold_banker(hands, banker_stand))))
    frame = pd.DataFrame(
        {
            "marker": marker,
            "card": hands.values.labels,
            "p": duel.card,
            "p_21": shares[GOAL],
            "p_bust": shares[GOAL + 1],
            "p_stop": shares[:GOAL].sum(axis=0),
            "edge": -value,
        }
    )
    numbers = ["p_21", "p_bust", "p_stop", "edge"]
    whole = pd.DataFrame(
        [{"marker": marker, "card": ANY, "p": 1.0} | dict(zip(numbers, frame["p"] @ frame[numbers], strict=True))]
    )
    return pd.concat([whole, frame], ignore_index=True)


def edges_table(study: Study) -> pd.DataFrame:
    """The banker's edge for each pair of thresholds."""
    frame = pd.DataFrame(study.edges, index=STANDS, columns=list(map(str, STANDS)))
    frame.index.name, frame.columns.name = "punter", "banker"
    title = "The banker's edge per unit staked: punter's threshold (rows) by banker's threshold (columns)"
    return _table(frame, title, places=3, rows=SHOWN, columns=list(map(str, SHOWN)))


def equilibrium_table(study: Study) -> pd.DataFrame:
    """Thresholds that answer each other."""
    found = study.equilibrium
    rows = [("punter", stand, share) for stand, share in found.punter.items()]
    rows += [("banker", stand, share) for stand, share in found.banker.items()]
    frame = pd.DataFrame(rows, columns=["role", "stand", "share"]).assign(edge=found.edge)
    kind = "one pair of thresholds" if found.pure else "no pair does; thresholds mixed in these shares"
    return _table(frame, f"Thresholds that answer each other ({kind}), and the banker's edge", percent=["share"])


def punter_table(study: Study) -> pd.DataFrame:
    """A punter's best answers to each banker's threshold."""
    view, singles = study.view, np.flatnonzero(study.duel.hands.size == 1)
    by_cards = study.over_cards(best_by_cards(view)[singles].sum(axis=0) / view.base[singles].sum(axis=0))
    frame = pd.DataFrame(
        {
            "best_stand": [STANDS[i] for i in study.edges.argmin(axis=0)],
            "by_threshold": -study.edges.min(axis=0),
            "by_chart": study.chart_values,
            "by_all_cards": by_cards,
        },
        index=pd.Index(STANDS, name="banker"),
    )
    title = "A punter's best expectation per unit staked against each banker's threshold"
    note = "by_all_cards minds every card of one's own hand, not only their sum."
    return _table(frame, title, note, rows=SHOWN)


def banker_table(study: Study) -> pd.DataFrame:
    """A banker's best answers to each punter's threshold, and to the chart."""
    duel = study.duel
    rows: dict[str, tuple[float, ...]] = {}
    for i, stand in enumerate(STANDS):
        if stand in SHOWN:
            by_cards = float(banker_best_by_cards(duel, threshold_punter(duel.hands, stand)) @ duel.card)
            rows[str(stand)] = (STANDS[int(study.edges[i].argmax())], float(study.edges[i].max()), by_cards)
    own = study.chart_values.min()
    rows["chart"] = (study.banker_stand, -float(own), np.nan)
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=["best_stand", "by_threshold", "by_all_cards"])
    frame.index.name = "punter"
    title = "The banker's best expectation per unit staked against each punter's threshold, and against a chart that answers his"
    return _table(frame, title, "For the banker it minds every card of his hand and how many the punter holds.")


def choices_table(study: Study) -> pd.DataFrame:
    """What stopping, drawing and drawing blind are worth at each total, where the chart comes to it."""
    columns = study.columns(study.banker_stand)
    worth = study.chart.worth[:, :, columns]
    reach = study.chart.reach[:, columns]
    rows = {}
    hands = study.duel.hands
    for group, options, seen in zip(states(hands), worth, reach, strict=True):
        name = f"{'soft ' if hands.soft[group[0]] else ''}{hands.total[group[0]]}"
        rows[name] = [*(options.sum(axis=1) / seen.sum()), seen.sum()]
    frame = pd.DataFrame.from_dict(rows, orient="index", columns=[*ACTIONS, "weight"])
    if not study.duel.terms.blind:
        frame = frame.drop(columns=ACTIONS[BLIND])
    frame = frame.loc[sorted(frame.index, key=lambda name: (name.startswith("soft"), int(name.split()[-1])))]
    frame.index.name = "total"
    return _table(frame, "Worth of each action per unit staked, by own total, whatever the banker's card")


def exact_tables(rules: Mapping[str, Setting]) -> dict[str, pd.DataFrame]:
    """Every table, by name; each carries a ``title`` and a ``note`` in its ``attrs``.

    Parameters
    ----------
    rules : mapping
        All options of the game (`simcore.options.Rules`).
    """
    study = study_of(rules)
    main = max(study.equilibrium.punter, key=lambda s: study.equilibrium.punter[s])
    other = max(study.equilibrium.banker, key=lambda s: study.equilibrium.banker[s])
    return {
        "totals": totals_table(study),
        "edges": edges_table(study),
        "equilibrium": equilibrium_table(study),
        "punter": punter_table(study),
        "banker": banker_table(study),
        "chart": _chart(study, study.banker_stand),
        "choices": choices_table(study),
        "first_cards": first_cards(study),
        "cells": cells(rules, main, other),
    }
