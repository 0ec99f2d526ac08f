"""A run on disk: ``manifest.json`` and the parts, Parquet files of finished shards.

Every file is written aside and renamed. A part's name carries a checksum of its contents, so a part that is damaged, or that
was cut short, is known by its name alone. A lock file keeps a second process out; the system frees it when its holder dies.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import filelock
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from simcore.errors import InputError, RunError
from simcore.games.base import Game
from simcore.manifest import Manifest, parse_manifest
from simcore.metrics import Ints
from simcore.shards import ShardResult

MANIFEST = "manifest.json"
PARTS, GAMES = "parts", "games"
_PART = re.compile(r"[0-9]{6}-([0-9a-f]{16})\.parquet\Z")
_RUN_ID, _GAMES = b"kozyr.run_id", b"kozyr.games"


def _checksum(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def write_aside(path: Path, data: bytes) -> None:
    """Write `data` to a file beside `path`, flush it to the disk, and rename it to `path`.

    Raises
    ------
    RunError
        If the disk is full, the folder read-only, or the like; nothing is left behind.
    """
    aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with aside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        aside.replace(path)
    except OSError as error:
        with suppress(OSError):
            aside.unlink(missing_ok=True)
        raise RunError(f"{path}: cannot be written: {error.strerror or error}") from error


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: cannot be read: {error.strerror or error}") from error


class RunFolder:
    """A folder that holds one run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = filelock.FileLock(str(path / ".lock"), thread_local=False)

    # --- making and locking -------------------------------------------------------------------------------------------

    def create(self, manifest: Manifest) -> None:
        """Make the folder and write the manifest; it must not exist, or be empty."""
        if (self.path / MANIFEST).exists():
            raise InputError(f"{self.path}: there is a run already; add --resume to finish it, or name another --out")
        if self.path.exists() and (not self.path.is_dir() or self._others()):
            raise InputError(f"{self.path}: is not an empty folder; name another --out")
        try:
            (self.path / PARTS).mkdir(parents=True, exist_ok=True)
            if manifest.keep_games:
                (self.path / GAMES).mkdir(exist_ok=True)
        except OSError as error:
            raise RunError(f"{self.path}: cannot be made: {error.strerror or error}") from error
        self.lock()
        self.write_manifest(manifest)

    def _others(self) -> list[Path]:
        ours = {".lock", PARTS, GAMES}
        return [p for p in self.path.iterdir() if p.name not in ours and not p.name.endswith(".tmp")]

    def lock(self) -> None:
        """Keep other processes out until `unlock`, or until this process ends."""
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            raise InputError(f"{self.path}: another process is writing this run; wait for it, or stop it") from None
        except OSError as error:
            raise RunError(f"{self.path}: cannot be locked: {error.strerror or error}") from error

    def unlock(self) -> None:
        self._lock.release()

    # --- manifest -----------------------------------------------------------------------------------------------------

    def write_manifest(self, manifest: Manifest) -> None:
        write_aside(self.path / MANIFEST, manifest.to_json().encode())

    def read_manifest(self) -> Manifest:
        """Read the manifest; raise `InputError` if there is none, or it is damaged or of another version."""
        path = self.path / MANIFEST
        if not self.path.is_dir() or not path.is_file():
            raise InputError(f"{self.path}: is not the folder of a run (no {MANIFEST} in it)")
        try:
            text = _read_bytes(path).decode()
        except UnicodeDecodeError:
            raise InputError(f"{path}: damaged: not text") from None
        return parse_manifest(text, str(path))

    # --- parts --------------------------------------------------------------------------------------------------------

    def write_part(self, manifest: Manifest, results: Sequence[ShardResult]) -> None:
        """Write finished shards as a new part; if the run keeps its games, first those, in a file that the part names."""
        games = b""
        if manifest.keep_games:
            games = self._write(GAMES, games_table(manifest.game, results), {_RUN_ID: manifest.run_id.encode()})
        self._write(PARTS, shards_table(manifest.game, results), {_RUN_ID: manifest.run_id.encode(), _GAMES: games})

    def _write(self, kind: str, table: pa.Table, metadata: dict[bytes, bytes]) -> bytes:
        sink = pa.BufferOutputStream()
        pq.write_table(table.replace_schema_metadata(metadata), sink, compression="zstd")
        data = sink.getvalue().to_pybytes()
        number = 1 + max((int(p.name[:6]) for p in self._files(kind)), default=0)
        name = f"{number:06d}-{_checksum(data)}.parquet"
        write_aside(self.path / kind / name, data)
        return name.encode()

    def _files(self, kind: str) -> list[Path]:
        folder = self.path / kind
        files = sorted(folder.glob("*.parquet")) if folder.is_dir() else []
        for path in files:
            if not _PART.match(path.name):
                raise InputError(f"{path}: is not a part of a run; take it away")
        return files

    def _table(self, manifest: Manifest, path: Path) -> pa.Table:
        if not path.is_file():
            raise InputError(f"{path}: is missing; delete the part that names it, and run again with --resume")
        data = _read_bytes(path)
        match = _PART.match(path.name)
        if match is None or match[1] != _checksum(data):
            raise InputError(
                f"{path}: damaged (its checksum is {_checksum(data)}); delete it and run again with --resume"
                " to play its games again"
            )
        try:
            table = pq.read_table(pa.BufferReader(data))
        except pa.ArrowException as error:
            raise InputError(f"{path}: damaged: {error}") from None
        if (table.schema.metadata or {}).get(_RUN_ID) != manifest.run_id.encode():
            raise InputError(f"{path}: belongs to another run than {MANIFEST}")
        return table

    def read_parts(self, manifest: Manifest) -> Iterator[ShardResult]:
        """All finished shards; raise `InputError` naming the part that is damaged or does not belong here."""
        for path in self._files(PARTS):
            table = self._table(manifest, path)
            try:
                yield from results_of(manifest.game, table)
            except (KeyError, ValueError, pa.ArrowException) as error:
                raise InputError(f"{path}: damaged: {error}") from None

    def _games_files(self, manifest: Manifest) -> list[Path]:
        """The files of games that parts name; another was left by a process that died before it wrote the part."""
        named = [self._table(manifest, path).schema.metadata.get(_GAMES, b"").decode() for path in self._files(PARTS)]
        wrong = next((name for name in named if not _PART.match(name)), None)
        if wrong is not None:
            raise InputError(f"{self.path}: damaged: a part names no file of games")
        return [self.path / GAMES / name for name in named]

    def read_games(self, manifest: Manifest) -> pa.Table:
        """The rows of a run that kept its games: variant, game index, and all counts."""
        if not manifest.keep_games:
            raise InputError(f"{self.path}: this run did not keep its games; run it again with --keep-games")
        tables = [self._table(manifest, path) for path in self._games_files(manifest)]
        whole = pa.concat_tables(tables) if tables else games_table(manifest.game, [])
        return whole.sort_by([("variant", "ascending"), ("index", "ascending")])

    def clean(self, manifest: Manifest) -> None:
        """Take away what a process that died was writing."""
        stale = [path for folder in (".", PARTS, GAMES) for path in (self.path / folder).glob(".*.tmp")]
        if manifest.keep_games:
            named = self._games_files(manifest)
            stale += [path for path in self._files(GAMES) if path not in named]
        for path in stale:
            with suppress(OSError):
                path.unlink()


def shards_table(game: Game, results: Sequence[ShardResult]) -> pa.Table:
    """Shards as a table: a row a shard, a column a count, a list column a histogram."""
    columns: dict[str, pa.Array] = {
        "variant": pa.array([r.variant for r in results], pa.int64()),
        "shard": pa.array([r.shard for r in results], pa.int64()),
        "first": pa.array([r.first for r in results], pa.int64()),
        "shard_games": pa.array([r.games for r in results], pa.int64()),
    }
    for i, name in enumerate(game.counts.columns):
        columns[name] = pa.array([int(r.sums[i]) for r in results], pa.int64())
    for h in game.histograms:
        bins = game.histograms.slice_of(h.name)
        columns[f"hist.{h.name}"] = pa.array([r.hist[bins] for r in results], pa.list_(pa.int64()))
    return pa.table(columns)


def results_of(game: Game, table: pa.Table) -> Iterator[ShardResult]:
    """The inverse of `shards_table`."""
    keys = [table[name].to_numpy() for name in ("variant", "shard", "first", "shard_games")]
    sums = np.column_stack([table[name].to_numpy() for name in game.counts.columns])
    hists = np.hstack([_matrix(table[f"hist.{h.name}"], h.bins) for h in game.histograms])
    nothing = np.zeros((0, len(game.counts)), dtype=np.int64)
    for i in range(table.num_rows):
        variant, shard, first, games = (int(key[i]) for key in keys)
        yield ShardResult(variant, shard, first, games, sums[i], hists[i], nothing)


def _matrix(column: pa.ChunkedArray, bins: int) -> Ints:
    flat: Ints = column.combine_chunks().flatten().to_numpy()
    return flat.reshape(len(column), bins)


def games_table(game: Game, results: Sequence[ShardResult]) -> pa.Table:
    """Kept games as a table: a row a game, a column a count."""
    rows = np.vstack([np.zeros((0, len(game.counts)), dtype=np.int64), *(r.rows for r in results)])
    counts = [len(r.rows) for r in results]
    index = [np.arange(r.first, r.first + len(r.rows)) for r in results]
    columns = {
        "variant": pa.array(np.repeat([r.variant for r in results], counts).astype(np.int64)),
        "index": pa.array(np.concatenate([np.zeros(0, dtype=np.int64), *index])),
    }
    columns |= {name: pa.array(rows[:, i]) for i, name in enumerate(game.counts.columns)}
    return pa.table(columns)
