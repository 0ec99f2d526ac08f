"""One claim under every bot and every reading of the rules: which of them flip the verdict.

Steegen, S., Tuerlinckx, F., Gelman, A. & Vanpaemel, W. (2016), "Increasing transparency through a multiverse analysis",
Perspectives on Psychological Science 11; Simonsohn, U., Simmons, J. P. & Nelson, L. D. (2020), "Specification curve analysis",
Nature Human Behaviour 4.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from analysis.check import check_claim, playground
from analysis.claim import Claim
from analysis.multiverse_store import Store
from analysis.playing import Playground
from analysis.universes import Planned, Universe, plan_universes
from analysis.verdicts import VERDICT_COLUMNS, VERDICTS, settings_text, verdict_row
from simcore.batch import Interrupted, Progress

DEFAULT_BUDGET = 4_000_000


@dataclass(frozen=True)
class Multiverse:
    """A claim in all its universes.

    Attributes
    ----------
    claim : Claim
    frame : DataFrame
        A row a universe, columns of `VERDICT_COLUMNS` and ``changed`` (number of rulings changed), ``same`` (other rulings that
        play the same games), ``is_base``, ``flips`` (the opposite verdict of the base universe's; of two opposite verdicts
        the rarer, where the base is undecided) and ``shift`` (estimate less the base one).
    universes : tuple of Universe
        One a row.
    crossed : bool
        Whether the rulings were crossed; else they were changed one at a time.
    games : int
        Limit for each variant in each universe.
    left_out : tuple of str
        Universes that cannot be played, and why.
    """

    claim: Claim
    frame: pd.DataFrame
    universes: tuple[Universe, ...]
    crossed: bool
    games: int
    left_out: tuple[str, ...]

    @property
    def base(self) -> pd.Series[Any]:
        """The row of the claim as it stands."""
        return self.frame[self.frame["is_base"]].iloc[0]

    def counts(self) -> dict[str, int]:
        """Verdict -> number of universes."""
        found = self.frame["verdict"].value_counts()
        return {name: int(found.get(name, 0)) for name in VERDICTS}

    def flips(self) -> pd.DataFrame:
        """The universes with the opposite verdict."""
        return self.frame[self.frame["flips"]]

    def flipping(self) -> pd.DataFrame:
        """What flips the verdict: for each table of bots and each ruling, in how many of its universes.

        Returns
        -------
        DataFrame
            Columns ``choice, universes, flipped, share, mean_shift``; choices that flip most often first, and none that never
            does. ``mean_shift`` is the mean estimate of its universes less that of all others.
        """
        rows = []
        for choice, held in self.choices().items():
            inside, outside = self.frame[held], self.frame[[not h for h in held]]
            flipped = int(inside["flips"].sum())
            if flipped and len(outside):
                shift = inside["estimate"].astype(float).mean() - outside["estimate"].astype(float).mean()
                rows.append((choice, len(inside), flipped, flipped / len(inside), shift))
        frame = pd.DataFrame(rows, columns=["choice", "universes", "flipped", "share", "mean_shift"])
        return frame.sort_values(["share", "flipped"], ascending=False, ignore_index=True)

    def choices(self) -> dict[str, list[bool]]:
        """Every table of bots, and every changed ruling -> for each universe whether it has it."""
        found: dict[str, list[bool]] = {}
        tables = dict.fromkeys(u.bots for u in self.universes)
        if len(tables) > 1:
            found |= {f"bots {table}": [u.bots == table for u in self.universes] for table in tables}
        changed = dict.fromkeys(pair for u in self.universes for pair in u.settings)
        order = list(self.claim.rulings)
        for pair in sorted(changed, key=lambda p: order.index(p[0])):
            found[settings_text(dict([pair]))] = [pair in u.settings for u in self.universes]
        return found


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
    Interrupted
        On Ctrl-C; finished universes are kept if there is a folder.
    """
    planned = plan_universes(claim, budget, crossed)
    for reason in planned.left_out:
        if notify:
            notify(f"left out: {reason}")
    store = Store(out, claim, planned.games)
    try:
        with playground(claim.game, claim.seed, planned.games, threads=threads, progress=None) as ground:
            for done, universe in enumerate(planned.universes, 1):
                if universe.key not in store.rows:
                    store.add(universe.key, _row(ground, claim, universe, planned.games))
                if progress:
                    progress(done, len(planned.universes))
    except KeyboardInterrupt:
        raise Interrupted(_interrupted(store, planned)) from None
    finally:
        store.flush()
    rows = [{**store.rows[u.key], "changed": len(u.settings), "same": "; ".join(u.same)} for u in planned.universes]
    frame = _with_flips(pd.DataFrame(rows), claim)
    return Multiverse(claim, frame, tuple(planned.universes), planned.crossed, planned.games, tuple(planned.left_out))


def _row(ground: Playground, claim: Claim, universe: Universe, games: int) -> Mapping[str, Any]:
    verdict = check_claim(ground, claim, bots=universe.bots, settings=dict(universe.settings), max_games=games)
    ground.forget(universe.variants)
    return verdict_row(verdict)


def _interrupted(store: Store, planned: Planned) -> str:
    kept = sum(universe.key in store.rows for universe in planned.universes)
    if store.path is None:
        return "interrupted; nothing was kept, as no folder was given (--out)"
    return (
        f"interrupted; {kept} of {len(planned.universes)} universes are kept in {store.path}; the same command goes on"
        " from there"
    )


def _with_flips(frame: pd.DataFrame, claim: Claim) -> pd.DataFrame:
    is_base = (frame["bots"] == claim.bots) & (frame["changed"] == 0)
    if not is_base.any():
        is_base = pd.Series(range(len(frame))) == 0
    base = frame[is_base].iloc[0]
    opposite = {"supported": "refuted", "refuted": "supported"}.get(str(base["verdict"]), _rarer(frame["verdict"]))
    numbers = frame["estimate"].astype(float)
    return frame[[*VERDICT_COLUMNS, "changed", "same"]].assign(
        is_base=is_base, flips=frame["verdict"] == opposite, shift=numbers - float(base["estimate"])
    )


def _rarer(verdicts: pd.Series[Any]) -> str:
    """Of "supported" and "refuted" the rarer one, if there are both."""
    supported, refuted = (int((verdicts == name).sum()) for name in ("supported", "refuted"))
    if not supported or not refuted:
        return ""
    return "supported" if supported < refuted else "refuted"
