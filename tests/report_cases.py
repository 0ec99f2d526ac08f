"""Small runs that the tests of reports share, each played once in a process."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from analysis.study import Section
from reports.document import write_report
from reports.items import RunItem
from simcore import Run, simulate

HOSTILE = '<script>alert(1)</script> & "quoted" [link](javascript:alert(2)) | `tick` $\\frac$ ]]> </style>'


@cache
def trumps() -> Run:
    """Bank with random bots and three trump modes."""
    return simulate("bank", 800, vary={"trumps": ["own", "none", "ranked"]}, bots="random", seed=11)


@cache
def single() -> Run:
    """One variant only."""
    return simulate("bank", 300, bots="random", seed=3)


def section(title: str, text: str = "", name: str = "case") -> Section:
    """A section of a study with these words."""
    return Section(id=name, title=title, text=text, game="bank", games=800, seed=11)


def write_trumps(out: Path, title: str = "Trumps", text: str = "What do they do?") -> Path:
    """Write the report of `trumps`; returns the page."""
    item = RunItem(section(title, text), trumps(), "trumps=own", ())
    return write_report(title, text, [item], out)[0]
