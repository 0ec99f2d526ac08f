"""Stopping a run when a metric is known well enough: ``first_mover_edge ± 0.001``."""

from __future__ import annotations

import re
from functools import partial

from analysis.anytime import ConfidenceSequence
from analysis.bernoulli import bernoulli_sequence
from analysis.playing import looks
from analysis.results import metric_sums
from analysis.running import running
from analysis.sequences import t_sequence
from analysis.shards import ShardSums
from simcore.errors import InputError
from simcore.games.base import Game
from simcore.metrics import Metric
from simcore.playing import Until
from simcore.run import Run

FIRST_LOOK = 30
_CONDITION = re.compile(r"\s*([A-Za-z_][\w.]*)\s*(?:±|\+/?-)\s*([-+\w.]+)\s*(%?)\s*\Z", re.ASCII)
_WIDTH = re.compile(r"[0-9.]+(?:[eE][+-]?[0-9]+)?\Z")


def sequence_of(metric: Metric, sums: ShardSums, level: float) -> ConfidenceSequence:
    """The confidence sequence of a metric in one variant: exact for shares of games, the t mixture for all else."""
    if metric.counts_games:
        return bernoulli_sequence(sums.numerators[:, 0], sums.games, level)
    return t_sequence(running(sums), level)


def parse_until(text: str, game: Game, players: int, level: float = 0.95) -> Until:
    """Read ``METRIC ± HALF-WIDTH`` (``+-`` will do; a width may be in %).

    The run stops once the confidence sequence of the metric is no wider in every variant. That holds at any time, so stopping
    by it does not spoil the interval.

    Raises
    ------
    InputError
        If it is not of that form, the metric is unknown, or the width is not above 0.
    """
    match = _CONDITION.match(text)
    if not match:
        raise InputError(f"--until {text!r} is not of the form METRIC ± HALF-WIDTH, such as 'first_mover_edge ± 0.001'")
    width = _width(match[2]) / (100 if match[3] else 1)
    if not 0 < width < float("inf"):
        raise InputError(f"--until {text!r}: the half-width {match[2]!r} is not allowed; allowed: a number above 0")
    metric = game.find_metric(match[1], players)
    return Until(text, partial(_enough, metric, width, level))


def _width(text: str) -> float:
    """The number that a text is; 0 if it is none."""
    try:
        return float(text) if _WIDTH.match(text) else 0.0
    except ValueError:
        return 0.0


def _enough(metric: Metric, width: float, level: float, run: Run, shards: int) -> bool:
    if shards not in set(looks(FIRST_LOOK, run.manifest.shards)):
        return False
    for variant in range(len(run.manifest.variants)):
        found = sequence_of(metric, metric_sums(run, metric, variant).first(shards), level)
        if not (found.high[-1] - found.low[-1]) / 2 <= width:
            return False
    return True
