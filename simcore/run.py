"""A run: what it plays, its tallies, and the folder that it may be kept in."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simcore import given
from simcore.errors import InputError
from simcore.games.base import Game
from simcore.manifest import Manifest
from simcore.places import place
from simcore.runfolder import RunFolder
from simcore.tallies import Tallies

if TYPE_CHECKING:
    import pandas as pd


@dataclass
class Run:
    """A run: what it plays, its tallies, and its folder if it has one."""

    manifest: Manifest
    tallies: Tallies
    folder: RunFolder | None = None
    notes: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        return self.manifest.game

    def frame(self) -> pd.DataFrame:
        """The sums of all shards: a row a (variant, shard), a column a count."""
        import pandas as pd

        frames = {
            variant.label: pd.DataFrame(
                tallies.sums[tallies.done],
                index=tallies.done.nonzero()[0],
                columns=self.game.counts.columns,
            )
            for variant, tallies in zip(self.manifest.variants, self.tallies.variants, strict=True)
        }
        return pd.concat(frames, names=["variant", "shard"])

    def games_frame(self) -> pd.DataFrame:
        """The rows of all kept games; raise `InputError` if the run kept none."""
        if self.folder is None:
            raise InputError("only a run with a folder keeps its games; give out= and keep_games=True")
        frame: pd.DataFrame = self.folder.read_games(self.manifest).to_pandas(use_threads=False)
        labels = [variant.label for variant in self.manifest.variants]
        frame.insert(0, "label", frame["variant"].map(dict(enumerate(labels))))
        return frame


def open_run(path: str | Path) -> Run:
    """Read a run folder, complete or not.

    Raises
    ------
    InputError
        If it is not a run folder, or anything in it is damaged, missing, from another run, or of another version.
    RunError
        If it cannot be read.
    """
    run = _read(RunFolder(place(given.path(path, "the run"))))
    if run.manifest.state == "complete":
        check_complete(run)
    return run


def _read(folder: RunFolder) -> Run:
    manifest = folder.read_manifest()
    return Run(manifest, folder.read_tallies(manifest), folder)


def check_complete(run: Run) -> None:
    """Raise `InputError` if the results of a run are not those that its manifest names."""
    assert run.folder is not None  # noqa: S101
    missing = len(run.tallies.missing())
    if missing:
        raise InputError(
            f"{run.folder.path}: damaged: {missing} of its shards are missing; play them again with --resume and the"
            f" command that made it: {run.manifest.command}"
        )
    if run.tallies.digest() != run.manifest.digest:
        raise InputError(f"{run.folder.path}: damaged: its results do not have the digest that its manifest names")


def start_run(manifest: Manifest, out: str | Path | None, resume: bool = False) -> Run:
    """A run that is ready to be played: new in memory, or new or resumed in a folder, which is then locked."""
    if out is None:
        if resume:
            raise InputError("--resume needs the folder of the run: --out FOLDER")
        return Run(manifest, Tallies(manifest))
    folder = RunFolder(place(out))
    if resume and folder.holds_run():
        return _resume(manifest, folder)
    folder.create(manifest)
    return Run(manifest, Tallies(manifest), folder)


def _resume(manifest: Manifest, folder: RunFolder) -> Run:
    found = folder.read_manifest()
    if found.run_id != manifest.run_id:
        raise InputError(f"{folder.path}: {_another(found, manifest)}")
    folder.lock()
    try:
        folder.clean(found)
        return _read(folder)
    except BaseException:
        folder.unlock()
        raise


def _another(found: Manifest, wanted: Manifest) -> str:
    """Why a run cannot be resumed as another."""
    here, there = wanted.identity, found.identity
    differing = [key for key in here if here[key] != there[key]]
    if differing == ["code"]:
        return (
            f"was made by other code (Kozyr {found.kozyr}, code {found.code}; this is Kozyr {wanted.kozyr}, code"
            f" {wanted.code}), so its games cannot be added to; finish it with that version, or name another --out"
        )
    return f"holds another run than this command (other: {', '.join(differing)}); it was made by: {found.command}"
