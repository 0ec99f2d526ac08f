"""Commands that make a report's numbers again, composed from the run itself and checked against it."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath

from simcore.batch import Run, planned_run
from simcore.errors import KozyrError
from simcore.manifest import Manifest
from simcore.options import Setting
from simcore.shards import Variant


def table_text(variant: Variant) -> str:
    """A variant's bots as ``--bots`` takes them."""
    names = [str(player) for player in variant.table]
    return names[0] if len(set(names)) == 1 else ",".join(names)


def run_name(run: Run, name: str = "") -> str:
    """The name of the run's folder, without the folders above it, which are nobody else's business."""
    return name or (run.folder.path.resolve().name if run.folder else "") or run.game.name


def play_command(run: Run, name: str = "") -> str:
    """The ``kozyr simulate`` that plays this run; the run's own command where no simpler one plays the same."""
    m = run.manifest
    for arguments in _guesses(m):
        if _same(m, *arguments):
            return _simulate(m, *arguments, name=run_name(run, name))
    return m.command


_Arguments = tuple[dict[str, Setting], dict[str, list[Setting]], list[str], bool]


def _guesses(m: Manifest) -> Iterator[_Arguments]:
    """Options set, options varied, tables of bots, one at a time or not: crossed first."""
    values: dict[str, list[Setting]] = {}
    for variant in m.variants:
        for name, value in variant.rules.items():
            if value not in values.setdefault(name, []):
                values[name].append(value)
    varied = {name: found for name, found in values.items() if len(found) > 1}
    common = {name: v for name, v in m.variants[0].rules.changes().items() if name not in varied}
    tables = list(dict.fromkeys(table_text(variant) for variant in m.variants))
    yield common, varied, tables, False
    alone = {name: [v for v in found if v != m.variants[0].rules[name]] or found for name, found in varied.items()}
    yield common, alone, tables, True
    yield common, varied, tables, True


def _same(
    m: Manifest, set_: Mapping[str, Setting], vary: Mapping[str, Sequence[Setting]], bots: list[str], alone: bool
) -> bool:
    try:
        planned = planned_run(m.game.name, m.games, set_, vary, bots=bots, seed=m.seed, one_at_a_time=alone)
    except KozyrError:
        return False
    found = [(v.rules, v.table) for v in planned.manifest.variants]
    return found == [(v.rules, v.table) for v in m.variants]


def _simulate(
    m: Manifest,
    set_: Mapping[str, Setting],
    vary: Mapping[str, Sequence[Setting]],
    bots: list[str],
    alone: bool,
    *,
    name: str,
) -> str:
    words = ["kozyr", "simulate", m.game.name]
    for option, value in set_.items():
        words += ["--set", f"{option}={value}"]
    for option, values in vary.items():
        words += ["--vary", f"{option}={','.join(map(str, values))}"]
    words += ["--one-at-a-time"] if alone else []
    words += ["--bots", bots[0]] if len(bots) == 1 else [w for t in bots for w in ("--vary-bots", t)]
    words += ["--games", str(m.games), "--seed", str(m.seed)]
    words += ["--rotate-seats"] if m.rotate_seats else []
    words += ["--keep-games"] if m.keep_games else []
    return shlex.join([*words, "--out", name])


def summary_command(run: Run, metrics: Sequence[str] = (), name: str = "") -> str:
    """The ``kozyr summary`` that prints some metrics of the run, or all."""
    chosen = [word for metric in metrics for word in ("--metric", metric)] or ["--all"]
    return shlex.join(["kozyr", "summary", run_name(run, name), *chosen])


def compare_command(run: Run, baseline: str, metrics: Sequence[str] = (), name: str = "") -> str:
    """The ``kozyr compare`` that prints differences to the baseline."""
    chosen = [word for metric in metrics for word in ("--metric", metric)] or ["--all"]
    return shlex.join(["kozyr", "compare", run_name(run, name), "--baseline", baseline, *chosen])


def shown_command(command: str) -> str:
    """A command as it was typed, with folders shortened to their names."""
    try:
        parts = shlex.split(command)
    except ValueError:
        return command
    return shlex.join([PurePath(part).name if PurePath(part).is_absolute() else part for part in parts])
