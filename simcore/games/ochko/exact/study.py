"""All arithmetic about one set of rules, each part computed when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from simcore.games.ochko.exact.duel import Duel, duel_of
from simcore.games.ochko.exact.hands import Floats
from simcore.games.ochko.exact.policies import threshold_banker
from simcore.games.ochko.exact.responses import (
    STANDS,
    Chart,
    Equilibrium,
    Showdown,
    best_chart,
    equilibrium,
    showdown,
    threshold_edges,
)
from simcore.options import Setting


@dataclass(frozen=True)
class Study:
    """Everything about one set of rules, computed when first asked for."""

    rules: Mapping[str, Setting]

    @cached_property
    def duel(self) -> Duel:
        return duel_of(self.rules)

    @property
    def closed(self) -> bool:
        return self.rules["banker_card"] == "closed"

    @cached_property
    def bankers(self) -> list[Floats]:
        return [threshold_banker(self.duel.hands, stand) for stand in STANDS]

    @cached_property
    def edges(self) -> Floats:
        return threshold_edges(self.duel)

    @cached_property
    def equilibrium(self) -> Equilibrium:
        return equilibrium(self.edges)

    @cached_property
    def view(self) -> Showdown:
        return showdown(self.duel, self.bankers, self.closed)

    @cached_property
    def closed_stop(self) -> Floats:
        """Worth of each hand at the showdown against every banker's threshold, whatever his card; shape (hands, bankers)."""
        stop = self.view.stop
        return np.asarray(stop.reshape(len(stop), len(self.bankers), -1).sum(axis=2))

    @cached_property
    def chart(self) -> Chart:
        """Best charts against every banker's threshold."""
        return best_chart(self.view)

    def over_cards(self, by_column: Floats) -> Floats:
        """Mean over the banker's cards of something with a column for each (of each banker); one value a banker."""
        if self.closed:
            return by_column
        return np.asarray(by_column.reshape(len(self.bankers), -1) @ self.duel.card)

    @cached_property
    def chart_values(self) -> Floats:
        """A punter's expectation with the best chart against each of `STANDS`."""
        return self.over_cards(self.chart.value)

    @cached_property
    def banker_stand(self) -> int:
        """The banker's best threshold against a punter who answers it best."""
        return STANDS[int(self.chart_values.argmin())]

    def columns(self, banker_stand: int) -> slice:
        """The columns of one banker in `view` and `chart`."""
        each = 1 if self.closed else len(self.duel.card)
        at = STANDS.index(banker_stand) * each
        return slice(at, at + each)

    @property
    def card_labels(self) -> list[str]:
        return ["closed"] if self.closed else list(self.duel.hands.values.labels)


@lru_cache(maxsize=4)
def _study(rules: tuple[tuple[str, Setting], ...]) -> Study:
    return Study(dict(rules))


def study_of(rules: Mapping[str, Setting]) -> Study:
    """The arithmetic of a table's rules; kept, as it takes seconds, for rules that ask for the same."""
    names = ("deck", "ace", "two_aces", "tie", "both_bust", "hidden_bust", "blind", "banker_card")
    return _study(tuple((name, rules[name]) for name in names))
