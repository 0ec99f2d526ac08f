"""One claim under every bot and every reading of the rules: which of them flip the verdict.

Steegen, S., Tuerlinckx, F., Gelman, A. & Vanpaemel, W. (2016), "Increasing transparency through a multiverse analysis",
Perspectives on Psychological Science 11; Simonsohn, U., Simmons, J. P. & Nelson, L. D. (2020), "Specification curve analysis",
Nature Human Behaviour 4.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.check import check_claim, playground
from analysis.claim import Claim
from analysis.verdicts import VERDICT_COLUMNS, verdict_frame
from simcore.batch import Progress
from simcore.errors import InputError, RunError
from simcore.options import Setting
from simcore.runfolder import write_aside
from simcore.sources import code_hash

DEFAULT_BUDGET = 4_000_000
LEAST_GAMES = 5_000
"""A universe gets at least so many games for each variant; crossing all rulings must leave each so many."""


@dataclass(frozen=True)
class Universe:
    """One table of bots, and the rulings that differ from the claim's own."""

    bots: str
    settings: tuple[tuple[str, Setting], ...]

    @property
    def text(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.settings)


@dataclass(frozen=True)
class Multiverse:
    """A claim in all its universes.

    Attributes
    ----------
    claim : Claim
    frame : DataFrame
        A row a universe, columns of `VERDICT_COLUMNS` and ``changed`` (number of rulings changed), ``is_base``, ``flips``
        (another verdict than the base universe's, undecided ones apart) and ``shift`` (estimate less the base one).
    crossed : bool
        Whether the rulings were crossed; else they were changed one at a time.
    games : int
        Limit for each variant in each universe.
    left_out : tuple of str
        Universes that cannot be played, and why.
    """

    claim: Claim
    frame: pd.DataFrame
    crossed: bool
    games: int
    left_out: tuple[str, ...]

    @property
    def base(self) -> pd.Series[Any]:
        """The row of the claim as it stands."""
        return self.frame[self.frame["is_base"]].iloc[0]

    def flips(self) -> pd.DataFrame:
        """The universes with the opposite verdict."""
        return self.frame[self.frame["flips"]]


def universes(claim: Claim, crossed: bool) -> list[Universe]:
    """All universes, the claim's own first."""
    common = claim.game.rules.rules(claim.set)
    tables = dict.fromkeys((claim.bots, *claim.more_bots))
    if crossed:
        names = list(claim.rulings)
        choices = [_own_first(claim.rulings[name], common[name]) for name in names]
        settings = [
            tuple((n, v) for n, v in zip(names, values, strict=True) if v != common[n]) for values in product(*choices)
        ]
    else:
        settings = [(), *(((n, v),) for n, values in claim.rulings.items() for v in values if v != common[n])]
    return [Universe(table, setting) for table in tables for setting in settings]


def _own_first(values: Sequence[Setting], own: Setting) -> list[Setting]:
    return [own, *(value for value in values if value != own)]


def plan_universes(claim: Claim, budget: int, crossed: bool | None) -> tuple[list[Universe], bool, int]:
    """Choose the universes that fit a budget of games: (universes, whether crossed, games for each variant in each).

    Raises
    ------
    InputError
        If the budget leaves a universe fewer than `LEAST_GAMES` games.
    """
    variants = 1 if claim.baseline is None else 2
    count = len(dict.fromkeys((claim.bots, *claim.more_bots)))
    for ruling in claim.rulings.values():
        count *= len(ruling)
    fits = count * variants * LEAST_GAMES <= budget
    if crossed and not fits:
        raise InputError(
            f"{claim.id}: crossing all rulings makes {count} universes, which need --budget {count * variants * LEAST_GAMES}"
            f" or more; {budget} is given (leave out --crossed to change one ruling at a time)"
        )
    chosen = universes(claim, fits if crossed is None else crossed)
    games = min(claim.max_games, budget // (len(chosen) * variants))
    if games < LEAST_GAMES and games < claim.max_games:
        raise InputError(
            f"{claim.id}: {len(chosen)} universes need --budget {len(chosen) * variants * LEAST_GAMES} or more; {budget} is given"
        )
    return chosen, fits if crossed is None else crossed, games


class _Store:
    """Finished universes in a file, so that an interrupted multiverse goes on where it stopped."""

    def __init__(self, folder: Path | None, claim: Claim, games: int, max_games: int) -> None:
        self.path = folder / f"{claim.id}.multiverse.json" if folder else None
        identity = repr(
            (code_hash(claim.game.name), claim.formula, claim.set, claim.error_rate, claim.seed, games, max_games)
        )
        self.identity = hashlib.sha256(identity.encode()).hexdigest()[:16]
        self.rows: dict[str, Mapping[str, Any]] = {}
        if self.path is not None and self.path.exists():
            self._load(self.path)

    def _load(self, path: Path) -> None:
        try:
            data = json.loads(path.read_text())
            found, rows = data["identity"], data["rows"]
        except (ValueError, KeyError, TypeError, OSError) as error:
            raise InputError(f"{path}: damaged, or not a multiverse: {error}") from None
        if found != self.identity:
            raise InputError(
                f"{path}: holds another multiverse (other code, claim, seed or budget); name another --out"
            )
        if not isinstance(rows, dict):
            raise InputError(f"{path}: damaged: 'rows' is not an object")
        self.rows = rows

    def add(self, key: str, row: Mapping[str, Any]) -> None:
        self.rows[key] = row
        if self.path is None:
            return
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RunError(f"{self.path.parent}: cannot be made: {error.strerror or error}") from error
        write_aside(self.path, json.dumps({"identity": self.identity, "rows": self.rows}).encode())


def run_multiverse(
    claim: Claim,
    *,
    budget: int = DEFAULT_BUDGET,
    crossed: bool | None = None,
    threads: int | None = None,
    out: Path | None = None,
    progress: Progress | None = None,
    notify: Callable[[str], None] | None = None,
) -> Multiverse:
    """Check a claim in every universe.

    Parameters
    ----------
    claim : Claim
    budget : int
        Games in all.
    crossed : bool, optional
        Cross the rulings, or change them one at a time; by default they are crossed if the budget allows it.
    threads : int, optional
    out : Path, optional
        Folder in which finished universes are kept; the same call goes on from there.
    progress : callable, optional
        Called with universes finished and universes in all.
    notify : callable, optional
        Told a line for each universe that cannot be played.

    Raises
    ------
    InputError
        If the budget is too small, or the folder holds another multiverse.
    """
    chosen, is_crossed, games = plan_universes(claim, budget, crossed)
    store = _Store(out, claim, games, claim.max_games)
    left_out = []
    with playground(claim.game, claim.seed, games, threads=threads, progress=None) as ground:
        for done, universe in enumerate(chosen, 1):
            key = f"{universe.bots}|{universe.text}"
            try:
                variants = claim.variants(dict(universe.settings), universe.bots)
                if key not in store.rows:
                    row = verdict_frame(
                        [
                            check_claim(
                                ground, claim, bots=universe.bots, settings=dict(universe.settings), max_games=games
                            )
                        ]
                    )
                    store.add(key, json.loads(row.to_json(orient="records", double_precision=15))[0])
                ground.forget(variants)
            except InputError as error:
                left_out.append(f"{universe.bots}; {universe.text}: {error}")
                if notify:
                    notify(f"left out: {left_out[-1]}")
            if progress:
                progress(done, len(chosen))
    keys = [(f"{u.bots}|{u.text}", u) for u in chosen]
    rows = [{**store.rows[key], "changed": len(u.settings)} for key, u in keys if key in store.rows]
    return Multiverse(claim, _with_flips(pd.DataFrame(rows), claim), is_crossed, games, tuple(left_out))


def _with_flips(frame: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    if frame.empty:
        raise InputError(f"{claim.id}: no universe of this claim can be played")
    is_base = (frame["bots"] == claim.bots) & (frame["changed"] == 0)
    base = frame[is_base].iloc[0] if is_base.any() else frame.iloc[0]
    opposite = {"supported": "refuted", "refuted": "supported"}.get(str(base["verdict"]), "")
    numbers = frame["estimate"].astype(float)
    return frame[[*VERDICT_COLUMNS, "changed"]].assign(
        is_base=is_base,
        flips=frame["verdict"] == opposite,
        shift=numbers - float(base["estimate"]),
    )
