"""A run on disk: ``manifest.json`` and the parts, Parquet files of finished shards.

Every file is written aside and renamed, and a lock keeps a second process out (see `simcore.places`). A part's name carries a
checksum of its contents, so a part that is damaged, or that was cut short, is known by its name alone.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pyarrow as pa

from simcore.errors import InputError, RunError
from simcore.manifest import Manifest, parse_manifest
from simcore.parts import games_table, read_games, read_shards, shards_table, to_parquet
from simcore.places import is_url, lock_for, told
from simcore.places import write_aside as write_aside
from simcore.shards import ShardResult
from simcore.sources import code_hash
from simcore.tallies import Tallies

MANIFEST = "manifest.json"
PARTS, GAMES = "parts", "games"
MOST_NAMED = 10
_PART = re.compile(r"([0-9]{6,15})-([0-9a-f]{16})\.parquet\Z")
_RUN_ID, _GAMES = b"kozyr.run_id", b"kozyr.games"


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


class RunFolder:
    """A folder that holds one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = lock_for(path)
        self._next: dict[str, int] = {}

    # --- making and locking -------------------------------------------------------------------------------------------

    def holds_run(self) -> bool:
        """Whether there is a manifest."""
        with told(self.path, "cannot be read"):
            return (self.path / MANIFEST).is_file()

    def create(self, manifest: Manifest) -> None:
        """Make the folder, lock it and write the manifest; it must not exist, or be empty."""
        self._check_empty()
        if not is_url(self.path):  # a store has no folders, and a bucket that is missing is not ours to make
            with told(self.path, "cannot be made"):
                (self.path / PARTS).mkdir(parents=True, exist_ok=True)
                if manifest.keep_games:
                    (self.path / GAMES).mkdir(exist_ok=True)
        self.lock()
        try:
            self._check_empty()  # again: another process may have made its run between the first look and the lock
            self.write_manifest(manifest)
        except BaseException:
            self.unlock()
            raise

    def _check_empty(self) -> None:
        if self.holds_run():
            raise InputError(f"{self.path}: there is a run already; add --resume to finish it, or name another --out")
        with told(self.path, "cannot be read"):
            if self.path.exists() and (not self.path.is_dir() or self._others()):
                raise InputError(f"{self.path}: is not an empty folder; name another --out")

    def _others(self) -> list[Path]:
        """What lies in the folder, except for what a process leaves that died while it made a run."""
        inside = [p for name in (PARTS, GAMES) if (self.path / name).is_dir() for p in (self.path / name).iterdir()]
        beside = [p for p in self.path.iterdir() if p.name not in (".lock", PARTS, GAMES)]
        return [p for p in beside + inside if not (p.name.startswith(".") and p.name.endswith(".tmp"))]

    def lock(self) -> None:
        """Keep other processes out until `unlock`, or until this process ends."""
        with told(self.path, "cannot be locked"):
            if not is_url(self.path) and not os.access(self.path, os.W_OK):
                raise PermissionError("it cannot be written to")
            if not self._lock.acquire():
                raise InputError(f"{self.path}: another process is writing this run; wait for it, or stop it")

    def unlock(self) -> None:
        """Let others in; does nothing if it is not locked."""
        self._lock.release()

    # --- manifest -----------------------------------------------------------------------------------------------------

    def write_manifest(self, manifest: Manifest) -> None:
        """Write the manifest, in place of an older one."""
        write_aside(self.path / MANIFEST, manifest.to_json().encode())

    def read_manifest(self) -> Manifest:
        """Read the manifest; raise `InputError` if there is none, or it is damaged or of another version."""
        path = self.path / MANIFEST
        if not self.holds_run():
            raise InputError(f"{self.path}: is not the folder of a run ({self._no_run()})")
        try:
            with told(path, "cannot be read"):
                text = path.read_bytes().decode()
        except UnicodeDecodeError:
            raise InputError(f"{path}: damaged: not text") from None
        return parse_manifest(text, str(path))

    def _no_run(self) -> str:
        """Why the folder holds no run, and which folders inside it do, as in that of a study."""
        with told(self.path, "cannot be read"):
            if not is_url(self.path) and not self.path.exists():
                return "there is nothing of that name"
            if not self.path.is_dir():
                return "it is a file" if self.path.is_file() else f"no {MANIFEST} in it"
            if (self.path / MANIFEST).is_dir():
                return f"its {MANIFEST} is a folder"
            inside = sorted(str(place) for place in self.path.iterdir() if (place / MANIFEST).is_file())
        runs = f"; runs inside it: {', '.join(inside[:MOST_NAMED])}{' …' if len(inside) > MOST_NAMED else ''}"
        return f"no {MANIFEST} in it{runs if inside else ''}"

    # --- parts --------------------------------------------------------------------------------------------------------

    def write_part(self, manifest: Manifest, results: Sequence[ShardResult]) -> None:
        """Write finished shards as a new part; if the run keeps its games, first those, in a file that the part names."""
        games = b""
        if manifest.keep_games:
            games = self._write(GAMES, games_table(manifest.game, results), {_RUN_ID: manifest.run_id.encode()})
        self._write(PARTS, shards_table(manifest.game, results), {_RUN_ID: manifest.run_id.encode(), _GAMES: games})

    def _write(self, kind: str, table: pa.Table, metadata: dict[bytes, bytes]) -> bytes:
        data = to_parquet(table, metadata)
        if kind not in self._next:
            self._next[kind] = 1 + max((int(p.name.partition("-")[0]) for p in self._files(kind)), default=0)
        name = f"{self._next[kind]:06d}-{_checksum(data)}.parquet"
        write_aside(self.path / kind / name, data)
        self._next[kind] += 1
        return name.encode()

    def _files(self, kind: str) -> list[Path]:
        folder = self.path / kind
        with told(folder, "cannot be read"):
            files = sorted(folder.glob("*.parquet")) if folder.is_dir() else []
        for path in files:
            if not _PART.match(path.name):
                raise InputError(f"{path}: is not a part of a run; take it away")
        return files

    def _read(self, path: Path, mend: str) -> bytes:
        """The bytes of a part that fit the checksum in its name; `mend` is what the user can do otherwise."""
        with told(path, "cannot be read"):
            data = path.read_bytes()
        match = _PART.match(path.name)
        if match is None or match[2] != _checksum(data):
            raise InputError(f"{path}: damaged (its checksum is {_checksum(data)}); {mend}")
        return data

    def _part(self, manifest: Manifest, path: Path) -> tuple[list[ShardResult], Path | None]:
        """The shards of a part, and the file of its games if the run keeps them."""
        data = self._read(path, "delete it, and run again with --resume to play its games again")
        try:
            results, metadata = read_shards(manifest, data)
            self._check_run(manifest, metadata)
            if not manifest.keep_games:
                return results, None
            name = metadata.get(_GAMES, b"").decode(errors="replace")
            if not _PART.match(name):
                raise InputError("it names no file of games")
        except InputError as error:
            raise InputError(f"{path}: {_fault(manifest, error)}") from None
        return results, self.path / GAMES / name

    def _check_run(self, manifest: Manifest, metadata: dict[bytes, bytes]) -> None:
        if metadata.get(_RUN_ID) != manifest.run_id.encode():
            raise InputError(f"it belongs to another run than {MANIFEST}")

    def _check_there(self, games: Path, part: Path) -> None:
        """The file of games that a part names must exist."""
        if not games.is_file():
            raise InputError(
                f"{games}: is missing; delete {part}, which names it, and run again with --resume to play its games again"
            )

    def read_tallies(self, manifest: Manifest) -> Tallies:
        """The tallies of all finished shards.

        Raises
        ------
        InputError
            Naming the part that is damaged, does not belong here, or whose games are missing.
        """
        tallies = Tallies(manifest)
        for path in self._files(PARTS):
            results, games = self._part(manifest, path)
            if games is not None:
                self._check_there(games, path)
            for result in results:
                try:
                    tallies.add(result)
                except RunError as error:
                    raise InputError(f"{path}: {error}; take the file away") from None
        return tallies

    def read_games(self, manifest: Manifest) -> pa.Table:
        """The rows of a run that kept its games: variant, game index, and all counts."""
        if not manifest.keep_games:
            raise InputError(f"{self.path}: this run did not keep its games; run it again with --keep-games")
        tables = [self._games(manifest, path) for path in self._files(PARTS)]
        whole = pa.concat_tables(tables) if tables else games_table(manifest.game, [])
        return whole.sort_by([("variant", "ascending"), ("index", "ascending")])

    def _games(self, manifest: Manifest, part: Path) -> pa.Table:
        """The games of a part, which must be those of its shards."""
        results, path = self._part(manifest, part)
        assert path is not None  # noqa: S101 - the run keeps its games
        self._check_there(path, part)
        data = self._read(path, _both(part))
        try:
            table, metadata = read_games(manifest, data)
            self._check_run(manifest, metadata)
            if table.num_rows != sum(result.games for result in results):
                raise InputError(f"its games are not those of {part.name}")
        except InputError as error:
            raise InputError(f"{path}: {_fault(manifest, error)}; {_both(part)}") from None
        return table

    def clean(self, manifest: Manifest) -> None:
        """Take away what a process that died was writing: files aside, and games that no part names."""
        stale = [path for folder in (".", PARTS, GAMES) for path in (self.path / folder).glob(".*.tmp")]
        if manifest.keep_games:
            named = [self._part(manifest, path)[1] for path in self._files(PARTS)]
            stale += [path for path in self._files(GAMES) if path not in named]
        for path in stale:
            with suppress(OSError):
                path.unlink()


def _fault(manifest: Manifest, error: InputError) -> str:
    """What is wrong with a file whose checksum is right: this code need not be able to read what other code wrote."""
    if manifest.code == code_hash(manifest.game.name):
        return f"damaged: {error}"
    made = f"made by other code (Kozyr {manifest.kozyr}, code {manifest.code})"
    return f"{made}, which this Kozyr cannot read: {error}; read it with the version that made it"


def _both(part: Path) -> str:
    return f"delete it and {part}, and run again with --resume to play its games again"
