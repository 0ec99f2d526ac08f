"""Exact arithmetic of Ochko against enumerations that share nothing with it: every order of every card, one at a time."""

from __future__ import annotations

import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from reports.exactly import show
from simcore.games.ochko.exact.duel import Duel, Terms, totals
from simcore.games.ochko.exact.hands import Values, all_hands, total_of, values_of
from simcore.games.ochko.exact.policies import (
    Punter,
    random_banker,
    random_punter,
    threshold_banker,
    threshold_punter,
)
from simcore.games.ochko.exact.responses import (
    STANDS,
    banker_best_by_cards,
    best_by_cards,
    best_chart,
    equilibrium,
    showdown,
    states,
    threshold_edges,
)
from simcore.games.ochko.exact.tables import cells, exact_tables, strategy_chart
from tests.reference.ochko import hand_total

RULES: dict[str, Any] = {
    "players": 4,
    "deck": 36,
    "ace": "eleven",
    "stuk": 3,
    "blind": "yes",
    "bank": 10,
    "duel": "each",
    "banker_card": "open",
    "marker": "yes",
    "tie": "banker",
    "both_bust": "banker",
    "hidden_bust": 2,
    "two_aces": "sum",
    "orbits": 1,
    "max_circles": 200,
}
TINY = Values(("A", "4", "7", "9"), (1, 4, 7, 9), (2, 2, 3, 2), ace_free=True)
TINIEST = Values(("A", "6", "8"), (1, 6, 8), (2, 3, 3), ace_free=True)


def points(values: Values, cards: list[int]) -> int:
    """A total, counted card by card."""
    aces = sum(card == 0 for card in cards)
    if values.pair_wins and len(cards) == aces == 2:
        return 21
    total = sum(values.points[card] for card in cards)
    return total + 10 if values.ace_free and aces and total + 10 <= 21 else total


def every_deal(values: Values) -> Iterator[tuple[int, ...]]:
    """Every order of the pack's values, each as likely as the next."""
    pack = [v for v, n in enumerate(values.counts) for _ in range(n)]

    def orders(left: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        if not any(left):
            yield ()
        for v, n in enumerate(left):
            if n:
                for rest in orders((*left[:v], n - 1, *left[v + 1 :])):
                    yield (v, *rest)

    assert len(pack) == sum(values.counts)
    yield from orders(values.counts)


def play_out(values: Values, terms: Terms, deal: tuple[int, ...], stand: int, blind_from: int, his_stand: int) -> float:
    """The punter's gain when a pack in this order is played by thresholds: his card, the banker's, then as drawn."""
    mine, his, rest = [deal[0]], [deal[1]], list(deal[2:])
    blind = False
    while not blind and (len(mine) == 1 or points(values, mine) < stand):
        blind = len(mine) > 1 and points(values, mine) >= blind_from
        mine.append(rest.pop(0))
        total = points(values, mine)
        if not blind and total == 21:
            return 1
        if not blind and total > 21:
            return -1
    while points(values, his) < min(his_stand, 21):
        his.append(rest.pop(0))
    own, other = points(values, mine), points(values, his)
    if own > 21:
        return terms.both_bust if other > 21 else -1
    if other > 21 or own > other:
        return 1
    return -1 if own < other else terms.tie


@pytest.mark.parametrize("values", [TINY, Values(TINY.labels, (11, 4, 7, 9), TINY.counts, pair_wins=True)])
@pytest.mark.parametrize("terms", [Terms(), Terms(tie=0.0, both_bust=0.0)])
def test_a_duel_is_the_mean_over_every_order_of_a_small_pack(values: Values, terms: Terms) -> None:
    duel = Duel(all_hands(values), terms)
    pairs = [(12, 21, 14), (16, 13, 15), (18, 11, 16), (21, 17, 12)]
    sums = np.zeros((len(pairs), len(values.counts)))
    count = np.zeros(len(values.counts))
    for deal in every_deal(values):
        count[deal[1]] += 1
        for i, (stand, blind_from, his) in enumerate(pairs):
            sums[i, deal[1]] += play_out(values, terms, deal, stand, blind_from, his)
    for i, (stand, blind_from, his) in enumerate(pairs):
        banker = threshold_banker(duel.hands, his)
        value = duel.value(threshold_punter(duel.hands, stand, blind_from), duel.stop_values(duel.finals(banker)))
        np.testing.assert_allclose(value, sums[i] / count, rtol=0, atol=1e-12)
        assert duel.edge(threshold_punter(duel.hands, stand, blind_from), banker) == pytest.approx(
            -sums[i].sum() / count.sum(), abs=1e-12
        )


def ranks_of(deck: int) -> list[str]:
    return list({32: "789TJQKA", 36: "6789TJQKA", 52: "23456789TJQKA"}[deck])


def enumerate_totals(deck: int, ace: str, stand: int) -> Counter[int]:
    """Final totals of a threshold punter by rank after rank, in exact fractions; 22 for a bust."""
    rules = {"two_aces": "sum", "ace": ace}
    left = Counter(dict.fromkeys(ranks_of(deck), 4))
    found: Counter[int] = Counter()

    def walk(hand: list[str], p: Fraction) -> None:
        total = hand_total([rank + "c" for rank in hand], rules)
        if len(hand) > 1 and total >= stand:
            found[min(total, 22)] += p  # type: ignore[assignment]
            return
        size = sum(left.values())
        for rank in list(left):
            n = left[rank]
            if n:
                left[rank] -= 1
                walk([*hand, rank], p * Fraction(n, size))
                left[rank] += 1

    walk([], Fraction(1))
    return found


@pytest.mark.parametrize(("deck", "ace", "stand"), [(52, "either", 16), (36, "eleven", 17), (32, "one", 15)])
def test_totals_agree_with_an_enumeration_by_ranks(deck: int, ace: str, stand: int) -> None:
    duel = Duel(all_hands(values_of(deck, ace)), Terms())
    found = totals(duel, threshold_punter(duel.hands, stand)) @ duel.card
    want = enumerate_totals(deck, ace, stand)
    assert sum(want.values()) == 1
    for total, share in want.items():
        assert found[total] == pytest.approx(float(share), abs=1e-13)
    assert found.sum() == pytest.approx(1.0, abs=1e-12)


def test_a_duel_with_32_cards_agrees_with_an_enumeration_in_fractions() -> None:
    """Punter stands on 18, banker on 17, aces eleven: rank by rank, in fractions, the banker's part remembered."""
    rules = {"two_aces": "sum", "ace": "eleven"}
    ranks = ranks_of(32)

    def count(hand: tuple[str, ...]) -> int:
        return hand_total([rank + "c" for rank in hand], rules)

    def draws(gone: tuple[str, ...]) -> Iterator[tuple[str, Fraction]]:
        used = Counter(gone)
        for rank in ranks:
            if used[rank] < 4:
                yield rank, Fraction(4 - used[rank], 32 - len(gone))

    @cache
    def banker(hand: tuple[str, ...], gone: tuple[str, ...], mine: int) -> Fraction:
        his = count(hand)
        if his >= 17:
            return Fraction(1) if his > 21 or mine > his else Fraction(-1)
        return sum((p * banker((*hand, r), tuple(sorted((*gone, r))), mine) for r, p in draws(gone)), Fraction(0))

    def punter(hand: tuple[str, ...]) -> Fraction:
        total = count(hand)
        if total >= 21:
            return Fraction(1 if total == 21 else -1)
        gone = tuple(sorted(hand))
        if len(hand) > 1 and total >= 18:
            return banker((), gone, total)
        return sum((p * punter((*hand, r)) for r, p in draws(gone)), Fraction(0))

    duel = Duel(all_hands(values_of(32, "eleven")), Terms())
    edge = duel.edge(threshold_punter(duel.hands, 18), threshold_banker(duel.hands, 17))
    assert edge == pytest.approx(-float(punter(())), abs=1e-12)


@pytest.mark.parametrize("deck", [32, 36, 52])
@pytest.mark.parametrize("ace", ["one", "eleven", "either"])
@pytest.mark.parametrize("two_aces", ["sum", "twenty_one"])
def test_probabilities_sum_to_one(deck: int, ace: str, two_aces: str) -> None:
    duel = Duel(all_hands(values_of(deck, ace, two_aces)), Terms())
    for punter in (threshold_punter(duel.hands, 17, 15), random_punter(duel.hands, True)):
        np.testing.assert_allclose(totals(duel, punter).sum(axis=0), 1.0, rtol=0, atol=1e-12)
    busts = 1.0 - duel.finals(random_banker(duel.hands)).T @ duel.base[duel.hands.live] / duel.card
    assert ((busts > 0) & (busts < 1)).any()


def test_an_unseen_marker_changes_nothing() -> None:
    """The mean over the marker's values is what it is without a marker."""
    hands = all_hands(values_of(36, "either"))
    punter, banker = threshold_punter(hands, 17, 15), threshold_banker(hands, 17)
    plain = Duel(hands, Terms())
    seen = [Duel(hands, Terms(), marker=i).edge(punter, banker) for i in range(len(plain.card))]
    assert float(np.array(seen) @ plain.card) == pytest.approx(plain.edge(punter, banker), abs=1e-12)
    assert np.ptp(seen) > 1e-4


@pytest.mark.parametrize("marker", [0, 2])
def test_a_seen_marker_is_a_smaller_pack(marker: int) -> None:
    hands = all_hands(TINY)
    small = Duel(all_hands(TINY.without(marker)), Terms())
    known = Duel(hands, Terms(), marker=marker)
    edges = [d.edge(threshold_punter(d.hands, 16, 14), threshold_banker(d.hands, 15)) for d in (small, known)]
    assert edges[0] == pytest.approx(edges[1], abs=1e-12)


def test_a_symmetric_duel_is_even() -> None:
    """Where both take exactly two cards, and can neither bust nor win at once, the banker's edge is the share of ties."""
    values = Values(("A", "6", "7", "8"), (5, 6, 7, 8), (2, 2, 2, 2))
    hands = all_hands(values)
    punter, banker = threshold_punter(hands, 10), threshold_banker(hands, 10)
    assert Duel(hands, Terms(tie=0.0)).edge(punter, banker) == pytest.approx(0.0, abs=1e-14)
    ties = Duel(hands, Terms()).edge(punter, banker)
    deals = [d[:4] for d in every_deal(values)]
    want = sum(values.points[a] + values.points[c] == values.points[b] + values.points[d] for a, b, c, d in deals)
    assert ties == pytest.approx(want / len(deals), abs=1e-12)


def expectimax(values: Values, terms: Terms, his_stand: int, shown: int) -> float:
    """A punter's best gain against a threshold when he minds every card: all deals that agree with what he has seen."""
    deals = [d for d in every_deal(values) if d[1] == shown]

    def finish(deal: tuple[int, ...], n: int, blind: bool) -> float:
        mine, at, his = [deal[0], *deal[2 : n + 1]], n + 1, [deal[1]]
        if blind:
            mine.append(deal[at])
            at += 1
        while points(values, his) < his_stand:
            his.append(deal[at])
            at += 1
        own, other = points(values, mine), points(values, his)
        if own > 21:
            return terms.both_bust if other > 21 else -1
        return 1 if other > 21 or own > other else (-1 if own < other else terms.tie)

    def best(group: list[tuple[int, ...]], n: int) -> float:
        """Sum of gains over deals that look alike with n own cards."""
        mine = [group[0][0], *group[0][2 : n + 1]]
        total = points(values, mine)
        if n > 1 and total >= 21:
            return len(group) * (1.0 if total == 21 else -1.0)
        parts: dict[int, list[tuple[int, ...]]] = {}
        for deal in group:
            parts.setdefault(deal[n + 1], []).append(deal)
        more = sum(best(part, n + 1) for part in parts.values())
        if n == 1:
            return more
        stop, blind = (sum(finish(deal, n, b) for deal in group) for b in (False, True))
        return max(more, stop, blind if terms.blind else -np.inf)

    firsts: dict[int, list[tuple[int, ...]]] = {}
    for deal in deals:
        firsts.setdefault(deal[0], []).append(deal)
    return sum(best(group, 1) for group in firsts.values()) / len(deals)


@pytest.mark.parametrize("terms", [Terms(), Terms(tie=0.0, both_bust=0.0), Terms(blind=False)])
def test_the_best_punter_is_the_best_by_search(terms: Terms) -> None:
    duel = Duel(all_hands(TINIEST), terms)
    view = showdown(duel, [threshold_banker(duel.hands, 15)])
    singles = duel.hands.size == 1
    found = best_by_cards(view)[singles].sum(axis=0) / duel.card
    want = [expectimax(TINIEST, terms, 15, shown) for shown in range(3)]
    np.testing.assert_allclose(found, want, rtol=0, atol=1e-12)


@pytest.mark.parametrize("terms", [Terms(), Terms(tie=0.0, both_bust=0.0)])
@pytest.mark.parametrize(
    "values",
    [Values(("A", "7", "9"), (5, 7, 9), (3, 3, 3)), Values(("A", "8"), (1, 8), (3, 4), ace_free=True)],
)
def test_the_best_chart_is_the_best_of_all_charts(values: Values, terms: Terms) -> None:
    """Every assignment of actions to the totals of a small pack, tried one by one."""
    duel = Duel(all_hands(values), terms)
    hands = duel.hands
    banker = threshold_banker(hands, 15)
    chart = best_chart(showdown(duel, [banker]))
    stop = duel.stop_values(duel.finals(banker))
    groups = states(hands)
    assert len(groups) >= 6
    best = np.full(len(values.points), -np.inf)
    for actions in product(range(3), repeat=len(groups)):
        act = np.zeros((3, len(hands), 1))
        act[1, hands.size == 1] = 1.0
        for group, action in zip(groups, actions, strict=True):
            act[action, group] = 1.0
        best = np.maximum(best, duel.value(Punter(act), stop))
    np.testing.assert_allclose(chart.value, best, rtol=0, atol=1e-12)
    np.testing.assert_allclose(duel.value(chart.punter, stop), best, rtol=0, atol=1e-12)


def banker_search(values: Values, terms: Terms, stand: int, blind_from: int, shown: int) -> float:
    """The banker's best gain against a threshold when he minds his cards and the number of the punter's."""
    groups: dict[tuple[int, ...], list[tuple[list[int], tuple[int, ...]]]] = {}
    deals = [d for d in every_deal(values) if d[1] == shown]
    total = 0.0
    for deal in deals:
        mine, rest, blind = [deal[0]], list(deal[2:]), False
        while not blind and (len(mine) == 1 or points(values, mine) < stand):
            blind = len(mine) > 1 and points(values, mine) >= blind_from
            mine.append(rest.pop(0))
            if not blind and points(values, mine) >= 21:
                break
        if not blind and points(values, mine) >= 21:
            total += 1.0 if points(values, mine) > 21 else -1.0
        else:
            groups.setdefault((len(mine),), []).append((mine, tuple(rest)))

    def best(group: list[tuple[list[int], tuple[int, ...]]], his: list[int]) -> float:
        his_total = points(values, his)
        stop = 0.0
        for mine, _ in group:
            own = points(values, mine)
            if own > 21:
                stop -= terms.both_bust if his_total > 21 else -1
            elif his_total > 21 or own > his_total:
                stop -= 1
            else:
                stop += 1 if own < his_total else -terms.tie
        if his_total >= 21:
            return stop
        parts: dict[int, list[tuple[list[int], tuple[int, ...]]]] = {}
        for mine, rest in group:
            parts.setdefault(rest[0], []).append((mine, rest[1:]))
        return max(stop, sum(best(part, [*his, card]) for card, part in parts.items()))

    return (total + sum(best(group, [shown]) for group in groups.values())) / len(deals)


@pytest.mark.parametrize("terms", [Terms(), Terms(tie=0.0, both_bust=0.0)])
@pytest.mark.parametrize(("stand", "blind_from"), [(15, 21), (16, 12)])
def test_the_best_banker_is_the_best_by_search(terms: Terms, stand: int, blind_from: int) -> None:
    duel = Duel(all_hands(TINIEST), terms)
    found = banker_best_by_cards(duel, threshold_punter(duel.hands, stand, blind_from))
    want = [banker_search(TINIEST, terms, stand, blind_from, shown) for shown in range(3)]
    np.testing.assert_allclose(found, want, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("deck", "ace"), [(32, "eleven"), (36, "eleven"), (52, "eleven")])
def test_equilibrium_thresholds_answer_each_other(deck: int, ace: str) -> None:
    duel = Duel(all_hands(values_of(deck, ace)), Terms())
    edges = threshold_edges(duel)
    found = equilibrium(edges)
    punter, banker = (np.array([m.get(s, 0.0) for s in STANDS]) for m in (found.punter, found.banker))
    assert punter.sum() == pytest.approx(1.0)
    assert (punter @ edges).max() == pytest.approx(found.edge, abs=1e-9)
    assert (edges @ banker).min() == pytest.approx(found.edge, abs=1e-9)
    i, j = STANDS.index(16), STANDS.index(17)
    one = duel.edge(threshold_punter(duel.hands, 16), threshold_banker(duel.hands, 17))
    assert edges[i, j] == pytest.approx(one, abs=1e-12)


def test_a_chart_is_no_worse_than_any_threshold_and_no_better_than_minding_every_card() -> None:
    table = exact_tables(RULES)["punter"]
    assert (table["by_chart"] >= table["by_threshold"] - 1e-12).all()
    assert (table["by_all_cards"] >= table["by_chart"] - 1e-12).all()


def test_tables_are_whole() -> None:
    tables = exact_tables(RULES | {"ace": "either", "deck": 32})
    assert set(tables) == {
        "totals",
        "edges",
        "equilibrium",
        "punter",
        "banker",
        "chart",
        "choices",
        "first_cards",
        "cells",
    }
    for table in tables.values():
        assert table.attrs["title"]
        assert "Exact for the first hand" in table.attrs["notes"][0]
    np.testing.assert_allclose(tables["totals"].sum(axis=1), 1.0, rtol=0, atol=1e-12)
    assert {"17", "soft 17"} <= set(tables["chart"].index)
    shares = tables["cells"].query("card != 'any'").groupby("marker")["p"].sum()
    np.testing.assert_allclose(shares, 1.0, rtol=0, atol=1e-12)
    assert len(shares) == 9


@pytest.mark.parametrize("settings", [{}, {"deck": 32, "ace": "either"}, {"deck": 32, "banker_card": "closed"}])
def test_printed_tables_fit_a_terminal(settings: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    show("ochko", settings, "table")
    printed = capsys.readouterr().out
    tables = exact_tables(RULES | settings)
    assert max(map(len, printed.splitlines())) <= 80
    flat = " ".join(printed.split())
    for table in tables.values():
        assert table.attrs["title"] in flat
        assert all(flat.count(note) == 1 for note in table.attrs["notes"])
    edge = tables["edges"].loc[16, "17"]
    assert re.search(rf"^ +16( +-?0\.\d{{3}}){{5}} +{edge:.3f} ", printed, re.MULTILINE)
    chart = tables["chart"].loc["16"].replace("draw blind", "blind")
    assert re.search(rf"^16 +{' +'.join(chart)} *$", printed, re.MULTILINE)


def test_exact_tables_as_json_and_csv_are_whole(capsys: pytest.CaptureFixture[str]) -> None:
    show("ochko", {"deck": 32}, "json")
    data = json.loads(capsys.readouterr().out)
    tables = exact_tables(RULES | {"deck": 32})
    assert list(data) == list(tables)
    assert [len(part["rows"]) for part in data.values()] == [len(table) for table in tables.values()]
    edges = {row["punter"]: row for row in data["edges"]["rows"]}
    assert edges[2]["21"] == pytest.approx(tables["edges"].loc[2, "21"], abs=1e-15)
    show("ochko", {"deck": 32}, "csv")
    frame = pd.read_csv(io.StringIO(capsys.readouterr().out), dtype={"total": str})
    assert frame["table"].value_counts().to_dict() == {name: len(table) for name, table in tables.items()}
    assert frame[frame["table"] == "cells"]["edge"].to_numpy() == pytest.approx(tables["cells"]["edge"], abs=1e-14)


def test_exact_tables_in_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    show("ochko", {"deck": 32}, "md")
    lines = capsys.readouterr().out.splitlines()
    assert "| stand | 12 | 13 | 14 | 15 | 16 | 17 | 18 | 19 | 20 | 21 | bust |" in lines
    assert sum(line.startswith("**") for line in lines) == 9


def test_cells_average_to_the_whole() -> None:
    table = cells(RULES, 16, 17).set_index(["marker", "card"])
    weights = table.loc["any"]["p"].drop("any")
    whole = table.xs("any", level="card").drop("any")
    for column in ("p_21", "p_bust", "edge"):
        assert float(whole[column] @ weights) == pytest.approx(float(table.loc[("any", "any"), column]), abs=1e-12)


def test_chart_of_closed_cards_has_one_column() -> None:
    chart = strategy_chart(RULES | {"banker_card": "closed"}, 17)
    assert list(chart.columns) == ["closed"]
    assert set(chart["closed"]) <= {"stop", "draw", "draw blind"}
    assert chart.loc["20", "closed"] == "stop"


def test_hands_know_their_totals() -> None:
    hands = all_hands(values_of(52, "either", "twenty_one"))
    for i in range(0, len(hands), 97):
        total, soft = total_of(hands.values, tuple(hands.cards[i].tolist()))
        assert (total, soft) == (hands.total[i], hands.soft[i])
        assert (total > 21) == bool(hands.bust[i])
