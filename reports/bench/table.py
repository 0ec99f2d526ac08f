"""All yardsticks in one table."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from reports.bench import bank_in_c, others, own, waiting
from reports.bench.lines import Line, NotMeasured
from reports.bench.machine import describe, load
from reports.bench.measure import Effort, rough
from reports.console import markdown, out, print_frame, tell
from simcore.errors import unknown

Yardstick = Callable[[Effort], Iterator[Line]]

YARDSTICKS: Mapping[str, Yardstick] = {
    "floor": own.floor,
    "c": bank_in_c.c,
    "python": bank_in_c.python,
    "openspiel": others.openspiel,
    "rlcard": others.rlcard,
    "threads": own.threads,
    "tally": own.tallying,
    "waiting": waiting.waiting,
    "cold": waiting.cold,
    "capacity": own.capacity,
    "bots": own.bots,
}
COLUMNS = ("yardstick", "name", "measured", "unit", "goal", "met", "note")


def chosen(names: Sequence[str]) -> dict[str, Yardstick]:
    """The yardsticks with these names, all if there are none; raise `InputError` for a name that is unknown."""
    for name in names:
        if name not in YARDSTICKS:
            raise unknown("yardstick", name, YARDSTICKS)
    return {name: measure for name, measure in YARDSTICKS.items() if not names or name in names}


def measured(yardsticks: Mapping[str, Yardstick], effort: Effort) -> Iterator[Line]:
    """Measure one yardstick after the other; what cannot be measured gives a line that says why."""
    for name, measure in yardsticks.items():
        tell(f"measuring {name}: {' '.join((measure.__doc__ or '').split()).rstrip('.')}")
        try:
            for line in measure(effort):
                yield replace(line, yardstick=name)
        except NotMeasured as reason:
            yield Line("not measured", None, note=str(reason), yardstick=name)


def _words(line: Line) -> dict[str, object]:
    """The line as people read it."""
    number = "" if line.measured is None else rough(line.measured)
    met = {True: "yes", False: "no", None: ""}[line.met]
    return {**line.record(), "measured": number, "goal": str(line.goal or ""), "met": met}


def show(lines: Sequence[Line], machine: Mapping[str, str], form: str) -> None:
    """Print the table, and what machine it is of."""
    import pandas as pd

    if form == "json":
        told = {"machine": machine, "lines": [line.record() for line in lines]}
        sys.stdout.write(json.dumps(told, indent=1, ensure_ascii=False) + "\n")
        return
    if form == "csv":
        print_frame(pd.DataFrame([line.record() for line in lines]), form, [])
        return
    frame = pd.DataFrame([_words(line) for line in lines], columns=[*COLUMNS, "check"])
    about = "; ".join(f"{name}: {value}" for name, value in machine.items())
    if form == "md":
        sys.stdout.write(f"{about}\n\n{markdown(frame, COLUMNS)}")
        return
    print_frame(frame, form, COLUMNS)
    out(about)


def bench(names: Sequence[str], effort: Effort, form: str) -> bool:
    """Measure and print; returns whether all checks of correctness hold."""
    yardsticks, machine = chosen(names), describe()
    lines = list(measured(yardsticks, effort))
    show(lines, {**machine, "load at the end": load()}, form)
    return all(line.met is not False for line in lines if line.check)
