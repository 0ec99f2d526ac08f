"""Small runs that the tests of reports share, each played once in a process."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from analysis.check import check_claims
from analysis.claims import find_claims
from analysis.multiverse import run_multiverse
from analysis.sensitivity import sensitivity
from analysis.study import Section
from reports.claim_items import ClaimsItem, MultiverseItem
from reports.document import write_report
from reports.items import RunItem
from reports.sensitivity_items import SensitivityItem
from simcore import Run, find_game, simulate

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


def write_square(out: Path) -> Path:
    """The page of a small run of Square whose variants have long names."""
    tables = ["builder,builder(end_from=5)", "greedy,random"]
    run = simulate("square", 50, vary={"layout": ["natural", "magic"], "gifts": None}, bots=tables, seed=5)
    return write_report("Square", "", [RunItem(None, run, "1", ())], out, ("html",))[0]


def write_ochko(out: Path) -> Path:
    """The page of a small run of Ochko whose variants have long names, and two strategy charts."""
    tables = ["threshold", "threshold(stand=18,blind_from=17)"]
    run = simulate("ochko", 100, {"deck": 32}, {"ace": ["one", "eleven"], "both_bust": None}, bots=tables, seed=5)
    return write_report("Ochko", "", [RunItem(None, run, "1", ())], out, ("html",))[0]


@cache
def claims_items() -> tuple[ClaimsItem, MultiverseItem, SensitivityItem]:
    """Verdicts, the multiverse of a claim, and a sensitivity analysis, of few games each."""
    claims = [claim for claim in find_claims("bank") if claim.id in ("seven-3", "seven-3-level")]
    few = [replace(claim, bots="greedy", more_bots=("random",), max_games=600) for claim in claims]
    found = sensitivity(find_game("bank"), "rounds", settings={"target": 60}, bots="greedy", games=60)
    verdicts = check_claims(few)
    universes = run_multiverse(few[0], budget=50_000, crossed=False)
    return ClaimsItem(verdicts, "kozyr check bank"), MultiverseItem(universes, "bank"), SensitivityItem(found, {})


def write_claims(out: Path) -> Path:
    """The page of `claims_items`."""
    return write_report("Claims", "", claims_items(), out, ("html",))[0]
