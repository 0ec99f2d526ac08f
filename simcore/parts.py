"""The tables of a run folder: shards and games as Parquet, and back.

A file from a stranger is held to the schema and to the numbers of rows and values that the manifest allows before it is decoded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from simcore.errors import InputError
from simcore.games.base import Game
from simcore.manifest import Manifest
from simcore.metrics import Ints
from simcore.shards import ShardResult


def to_parquet(table: pa.Table, metadata: dict[bytes, bytes]) -> bytes:
    """The bytes of a Parquet file."""
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(metadata), sink, compression="zstd", write_statistics=False)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def from_parquet(data: bytes, expected: pa.Schema, most_rows: int, most_values: int) -> pa.Table:
    """Read a table.

    Parameters
    ----------
    data : bytes
    expected : pyarrow.Schema
        Names and types that the columns must have.
    most_rows, most_values : int
        Rows of the table, and values of one column, that can be.

    Raises
    ------
    InputError
        If it is not such a table.
    """
    try:
        # no threads of Arrow's: one that still cleans up when the process ends can abort it
        file = pq.ParquetFile(pa.BufferReader(data), pre_buffer=False)
        if not file.schema_arrow.remove_metadata().equals(expected):
            raise InputError("its columns are not those of this game")
        if file.metadata.num_rows > most_rows or _values(file.metadata) > most_values:
            raise InputError("it holds more rows than the run has")
        table = file.read(use_threads=False)
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        raise InputError(" ".join(str(error).split())) from None
    if any(column.null_count for column in table.columns):
        raise InputError("it holds empty cells")
    return table


def _values(metadata: pq.FileMetaData) -> int:
    """Values of the longest column."""
    groups = [metadata.row_group(i) for i in range(metadata.num_row_groups)]
    return max(
        (sum(group.column(c).num_values for group in groups) for c in range(metadata.num_columns)),
        default=0,
    )


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


def read_shards(manifest: Manifest, data: bytes) -> tuple[list[ShardResult], dict[bytes, bytes]]:
    """The shards of a part, and the metadata beside them; raise `InputError` if they cannot be of this run."""
    game = manifest.game
    rows = manifest.shards * len(manifest.variants)
    bins = max((h.bins for h in game.histograms), default=1)
    table = from_parquet(data, shards_table(game, []).schema, rows, rows * bins)
    return list(results_of(game, table)), dict(table.schema.metadata or {})


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
    whole = column.combine_chunks()
    if not (np.diff(whole.offsets.to_numpy()) == bins).all():
        raise InputError("a histogram has another number of bins than this game's")
    flat: Ints = whole.flatten().to_numpy()
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


def read_games(manifest: Manifest, data: bytes) -> tuple[pa.Table, dict[bytes, bytes]]:
    """The rows of a file of games, and the metadata beside them; raise `InputError` if they cannot be of this run."""
    rows = manifest.games * len(manifest.variants)
    table = from_parquet(data, games_table(manifest.game, []).schema, rows, rows)
    return table.replace_schema_metadata(None), dict(table.schema.metadata or {})
