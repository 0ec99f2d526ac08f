"""A run as its report sees it: the frames that tables, pictures and sentences are all made from, each computed once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from analysis.fairness import Fairness, fairness
from analysis.results import metric_limits, metric_sums, shared_metrics, variant_index
from analysis.tables import compare, summary
from reports import commands
from reports.games import GameWords, words_of
from reports.parts import Gloss
from simcore.batch import Run
from simcore.metrics import Metric
from simcore.tallies import Tallies

LEVEL = 0.95


def common_shards(run: Run) -> Run:
    """The run with only those shards that all variants have finished, so that differences can be paired."""
    if run.tallies.complete:
        return run
    done = np.logical_and.reduce([tallies.done for tallies in run.tallies.variants])
    trimmed = Tallies(run.manifest)
    trimmed.variants = [replace(tallies, done=done) for tallies in run.tallies.variants]
    return replace(run, tallies=trimmed)


def title_of(name: str) -> str:
    """A metric's name as a heading: ``game_win_share.0`` becomes ``game win share 0``."""
    return name.replace("_", " ").replace(".", " ")


@dataclass(frozen=True)
class View:
    """A run, its baseline, and the metrics shown first.

    Attributes
    ----------
    whole : Run
    against : str
        Label or number of the baseline.
    wanted : tuple of str
        Metrics shown first; the game's headline if empty.
    name : str
        What the run's folder is called in commands.
    """

    whole: Run
    against: str
    wanted: tuple[str, ...]
    name: str = ""

    @cached_property
    def run(self) -> Run:
        return common_shards(self.whole)

    @cached_property
    def words(self) -> GameWords:
        return words_of(self.run.game.name)

    @cached_property
    def labels(self) -> list[str]:
        return [variant.label for variant in self.run.manifest.variants]

    @cached_property
    def base(self) -> int:
        return variant_index(self.run, self.against)

    @property
    def baseline(self) -> str:
        return self.labels[self.base]

    @cached_property
    def games(self) -> int:
        """Games of each variant that the numbers rest on."""
        position = self.run.game.counts.position["games"]
        tallies = self.run.tallies.variants[self.base]
        return int(tallies.sums[tallies.done, position].sum())

    @cached_property
    def every_metric(self) -> dict[str, Metric]:
        return {metric.name: metric for metric in shared_metrics(self.run)}

    @cached_property
    def metrics(self) -> list[Metric]:
        """Those shown first."""
        return shared_metrics(self.run, list(self.wanted or self.run.game.headline))

    @property
    def names(self) -> list[str]:
        return [metric.name for metric in self.metrics]

    @cached_property
    def headline(self) -> pd.DataFrame:
        return summary(self.run, self.names, LEVEL)

    @cached_property
    def everything(self) -> pd.DataFrame:
        return summary(self.run, None, LEVEL)

    @cached_property
    def differences(self) -> pd.DataFrame | None:
        """Headline differences to the baseline; None for a run of one variant."""
        return compare(self.run, self.baseline_number, self.names, LEVEL) if len(self.labels) > 1 else None

    @cached_property
    def all_differences(self) -> pd.DataFrame | None:
        return compare(self.run, self.baseline_number, None, LEVEL) if len(self.labels) > 1 else None

    @property
    def baseline_number(self) -> str:
        return str(self.base + 1)

    def row(self, metric: str, variant: int) -> pd.Series:
        """The summary of one metric of one variant."""
        names = list(self.every_metric)
        return self.everything.iloc[variant * len(names) + names.index(metric)]

    def seats(self, metric: str, variant: int) -> Fairness | None:
        """A vector metric by seat with simultaneous intervals; None where the variant has but one."""
        players = self.run.manifest.variants[variant].rules.players
        members = [m for m in self.run.game.metrics_for(players) if m.name.partition(".")[0] == metric]
        if len(members) < 2:
            return None
        sums = [metric_sums(self.run, member, variant) for member in members]
        return fairness(sums, LEVEL, metric_limits(members[0], players))

    @cached_property
    def seat_metrics(self) -> dict[str, str]:
        """Vector metrics by seat with a fair share -> title of their picture."""
        declared = {m.name: m for m in self.run.game.metrics}
        if self.words.seats:
            return {name: title for name, title in self.words.seats.items() if name in declared}
        fitting = [m for m in declared.values() if m.by in ("place", "seat") and m.fair and m.unit == "share"]
        return {m.name: m.meaning.capitalize() for m in fitting}

    @cached_property
    def drawn(self) -> list[int]:
        """The variants that pictures show: all, or the baseline and the first others."""
        from reports.figures.style import DRAWN

        others = [i for i in range(len(self.labels)) if i != self.base]
        return sorted([self.base, *others[: DRAWN - 1]])

    @property
    def omitted(self) -> str:
        """What a caption says where pictures show some variants only."""
        missing = len(self.labels) - len(self.drawn)
        return f" The first {len(self.drawn)} of {len(self.labels)} variants are drawn." if missing else ""

    def glosses(self) -> list[Gloss]:
        return [gloss(metric) for metric in self.every_metric.values()]

    def summary_command(self, *metrics: str) -> str:
        return commands.summary_command(self.whole, metrics, self.name)

    def compare_command(self, *metrics: str) -> str:
        return commands.compare_command(self.whole, self.baseline, metrics, self.name)

    @cached_property
    def play_command(self) -> str:
        return commands.play_command(self.whole, self.name)


def seat_name(by: str, k: int) -> str:
    """What the k-th entry of a vector by `by` is called."""
    places = ("first to move", "second", "third", "fourth")
    return f"{by} {k}" if by != "place" else places[k] if k < len(places) else f"place {k + 1}"


def gloss(metric: Metric) -> Gloss:
    """What hovering a metric's name tells."""
    return Gloss(metric.name, title_of(metric.name), metric.meaning, metric.formula, metric.unit, metric.level)
