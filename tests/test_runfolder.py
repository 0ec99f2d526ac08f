"""A run folder: what is read back, and every way in which it can be damaged, foreign or in use."""

from __future__ import annotations

import dataclasses
import json
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from simcore import Run, find_game, open_run, simulate
from simcore.errors import InputError, KozyrError, RunError
from simcore.manifest import Manifest, parse_manifest
from simcore.parts import games_table, shards_table, to_parquet
from simcore.runfolder import RunFolder, write_aside
from simcore.shards import ShardResult

BANK = find_game("bank")
VARY = {"seven": ["skip", "nothing"]}


@pytest.fixture(scope="module", autouse=True)
def shards_of_fifty() -> Iterator[None]:
    """A few shards of 50 games, which the tests count, where small runs would have many of a few games."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("simcore.shards.LEAST_SHARDS", 1)
        yield


def simulated(out: Path, **more: Any) -> Run:
    """Two variants of 200 games in four shards each, every shard in a part of its own."""
    return simulate(
        "bank", **{"games": 200, "seed": 5, "vary": VARY, "keep_games": True, "out": out, "threads": 1, **more}
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete run of several parts, not to be changed."""
    patch = pytest.MonkeyPatch()
    patch.setattr("simcore.playing.FLUSH_SECONDS", 0.0)
    patch.setattr("simcore.playing.FLUSH_SHARE", 0.0)
    folder = tmp_path_factory.mktemp("made") / "run"
    simulated(folder)
    patch.undo()
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return Path(shutil.copytree(made, tmp_path / "run"))


def files(folder: Path, kind: str) -> list[Path]:
    return sorted((folder / kind).glob("*.parquet"))


def refusal(folder: Path, *parts: str) -> str:
    """Opening the run is refused in one line that holds all parts."""
    with pytest.raises(InputError) as error:
        open_run(folder)
    text = str(error.value)
    assert "\n" not in text
    for part in parts:
        assert part in text, f"{part!r} is not in {text!r}"
    return text


# --- as it should be --------------------------------------------------------------------------------------------------


def test_a_run_is_read_back_as_it_was_played(made: Path, tmp_path: Path) -> None:
    run = open_run(made)
    again = simulated(tmp_path / "again", threads=2)
    assert len(files(made, "parts")) == len(files(made, "games")) == 8
    assert run.manifest.to_json() == again.manifest.to_json()
    assert run.manifest.digest == run.tallies.digest() == again.tallies.digest()
    assert run.frame().equals(again.frame())
    assert run.games_frame().equals(again.games_frame())
    assert run.games_frame()["index"].tolist() == list(range(200)) * 2
    for mine, theirs in zip(run.tallies.variants, again.tallies.variants, strict=True):
        assert (mine.hist == theirs.hist).all()


def test_the_manifest_says_what_was_played(made: Path) -> None:
    data = json.loads((made / "manifest.json").read_text())
    assert data["game"] == "bank"
    assert data["state"] == "complete"
    assert [variant["label"] for variant in data["variants"]] == ["seven=skip", "seven=nothing"]
    assert data["variants"][1]["rules"]["seven"] == "nothing"
    assert data["variants"][0]["bots"] == ["random"] * 3
    assert data["columns"] == BANK.counts.columns
    assert len(data["digest"]) == 64


def test_nothing_but_the_run_is_left_in_its_folder(made: Path) -> None:
    assert {path.name for path in made.iterdir()} - {".lock"} == {"manifest.json", "parts", "games"}
    assert not list(made.rglob("*.tmp"))


def test_a_part_is_what_its_name_says(made: Path) -> None:
    for nth, path in enumerate(files(made, "parts"), 1):
        assert path.name.startswith(f"{nth:06d}-")


def test_the_number_of_a_part_may_grow_long(folder: Path, tmp_path: Path) -> None:
    for kind in ("parts", "games"):
        first = files(folder, kind)[0]
        if kind == "parts":
            first.rename(first.with_name("12345678" + first.name[6:]))
    assert open_run(folder).tallies.complete


def test_a_folder_that_is_not_complete_can_be_read(tmp_path: Path) -> None:
    def stop(done: int, in_all: int) -> None:
        if done >= 150:
            raise KeyboardInterrupt

    with pytest.raises(KozyrError):
        simulated(tmp_path / "run", progress=stop)
    run = open_run(tmp_path / "run")
    assert run.manifest.state == "running"
    assert run.manifest.digest == ""
    assert 3 <= len(run.frame()) < 8
    assert len(run.games_frame()) == 50 * len(run.frame())


# --- making a folder --------------------------------------------------------------------------------------------------


def test_a_run_is_not_overwritten(made: Path) -> None:
    before = (made / "manifest.json").read_bytes()
    with pytest.raises(InputError, match="there is a run already; add --resume"):
        simulated(made)
    assert (made / "manifest.json").read_bytes() == before


@pytest.mark.parametrize("name", ["notes.txt", "parts/000001-0123456789abcdef.parquet", "games/x", "parts/.hidden"])
def test_a_folder_with_other_things_in_it_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "run" / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    for resume in (False, True):
        with pytest.raises(InputError, match="is not an empty folder"):
            simulated(tmp_path / "run", resume=resume)
    assert path.read_text() == "mine"
    assert not (tmp_path / "run" / "manifest.json").exists()


def test_what_a_process_left_that_died_at_once_is_no_hindrance(tmp_path: Path) -> None:
    (tmp_path / "run" / "parts").mkdir(parents=True)
    (tmp_path / "run" / ".lock").touch()
    (tmp_path / "run" / ".manifest.json.123.tmp").write_text("{")
    assert simulated(tmp_path / "run").manifest.state == "complete"


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(InputError, match="is not an empty folder"):
        simulated(tmp_path / "file")
    with pytest.raises(RunError, match="cannot be made: Not a directory"):
        simulated(tmp_path / "file" / "run")
    assert (tmp_path / "file").read_text() == "mine"


def test_a_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    for use in (simulated, open_run):
        with pytest.raises(RunError, match="File name too long"):
            use(tmp_path / ("x" * 300))


def test_another_process_that_was_faster_keeps_its_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look into the empty folder and the lock, somebody else makes a whole run there."""
    real = RunFolder.lock

    def slow(self: RunFolder) -> None:
        monkeypatch.setattr(RunFolder, "lock", real)
        simulated(tmp_path / "run", seed=6)
        real(self)

    monkeypatch.setattr(RunFolder, "lock", slow)
    with pytest.raises(InputError, match="there is a run already"):
        simulated(tmp_path / "run")
    assert open_run(tmp_path / "run").manifest.seed == 6


def test_writing_aside_leaves_the_old_file_or_the_new_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "file"
    write_aside(path, b"old")

    def broken(*args: Any) -> None:
        raise failure

    for failure in (OSError(28, "No space left on device"), KeyboardInterrupt()):
        for name in ("fsync", "replace"):
            monkeypatch.setattr(*((os, "fsync") if name == "fsync" else (Path, "replace")), broken)
            with pytest.raises((RunError, KeyboardInterrupt)) as error:
                write_aside(path, b"new")
            monkeypatch.undo()
            if isinstance(failure, OSError):
                assert str(error.value) == f"{path}: cannot be written: No space left on device"
            assert path.read_bytes() == b"old"
            assert os.listdir(tmp_path) == ["file"]
    write_aside(path, b"new")
    assert path.read_bytes() == b"new"


# --- damage -----------------------------------------------------------------------------------------------------------


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 4
    path.write_bytes(data)


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def empty(path: Path) -> None:
    path.write_bytes(b"")


DAMAGES: list[Callable[[Path], None]] = [flip, cut, empty]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_part_is_named_and_played_again_only_when_asked(folder: Path, damage: Callable[[Path], None]) -> None:
    whole = open_run(folder)
    part = files(folder, "parts")[3]
    damage(part)
    for kept in (None, part.read_bytes()):
        refusal(folder, str(part), "damaged (its checksum is ", "delete it, and run again with --resume")
        with pytest.raises(InputError, match="damaged"):
            simulated(folder, resume=True)
        assert kept is None or part.read_bytes() == kept
    part.unlink()
    refusal(folder, "1 of its shards are missing", "--resume", "kozyr" if whole.manifest.command else "")
    again = simulated(folder, resume=True)
    assert again.manifest.digest == whole.manifest.digest
    assert again.games_frame().equals(whole.games_frame())
    assert len(files(folder, "games")) == 8
    assert open_run(folder).frame().equals(whole.frame())


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_games_are_named_and_played_again_only_when_asked(folder: Path, damage: Callable[[Path], None]) -> None:
    whole = open_run(folder)
    frame = whole.games_frame()
    games, part = files(folder, "games")[5], files(folder, "parts")[5]
    damage(games)
    with pytest.raises(InputError) as error:
        open_run(folder).games_frame()
    for piece in (str(games), "damaged", f"delete it and {part}", "--resume"):
        assert piece in str(error.value)
    games.unlink()
    part.unlink()
    assert simulated(folder, resume=True).games_frame().equals(frame)


def test_missing_games_are_named(folder: Path) -> None:
    games, part = files(folder, "games")[2], files(folder, "parts")[2]
    games.unlink()
    refusal(folder, f"{games}: is missing; delete {part}, which names it")
    with pytest.raises(InputError, match="is missing"):
        simulated(folder, resume=True)


def test_games_of_another_part_are_refused(folder: Path) -> None:
    """Two files of games whose contents have changed places, names and checksums in order."""
    one, other = files(folder, "games")[0], files(folder, "games")[1]
    one.write_bytes(other.read_bytes())
    with pytest.raises(InputError, match="damaged"):
        open_run(folder).games_frame()


def test_a_doubled_part_is_named(folder: Path) -> None:
    part = files(folder, "parts")[1]
    copy = part.with_name("000099" + part.name[6:])
    shutil.copy(part, copy)
    refusal(folder, str(copy), "came twice", "take the file away")
    copy.unlink()
    assert open_run(folder).tallies.complete


def test_a_part_of_another_run_is_named(folder: Path, tmp_path: Path) -> None:
    simulated(tmp_path / "other", seed=6)
    (foreign,) = files(tmp_path / "other", "parts")
    shutil.copy(foreign, folder / "parts" / ("000050" + foreign.name[6:]))
    refusal(folder, "000050", "belongs to another run than manifest.json")


@pytest.mark.parametrize(
    "name", ["notes.parquet", "000001.parquet", "1-0123456789abcdef.parquet", "000001-XYZ.parquet"]
)
def test_a_file_that_is_no_part_is_named(folder: Path, name: str) -> None:
    (folder / "parts" / name).write_bytes(b"x")
    refusal(folder, name, "is not a part of a run")


def test_a_lost_part_of_a_complete_run_is_told(folder: Path) -> None:
    for part in files(folder, "parts")[2:5]:
        part.unlink()
    refusal(folder, "damaged: 3 of its shards are missing")


def test_results_that_do_not_have_their_digest_are_told(folder: Path) -> None:
    """A part made anew with another number in it, its checksum right."""
    part = files(folder, "parts")[0]
    forge(folder, part, lambda result: result.sums.__setitem__(3, 10**6))
    refusal(folder, "do not have the digest")


# --- forged parts: the checksum is right, the contents are not --------------------------------------------------------


def put(folder: Path, data: bytes, kind: str = "parts") -> Path:
    """Write a part with a name that fits its contents."""
    from simcore.runfolder import _checksum

    path = folder / kind / f"000077-{_checksum(data)}.parquet"
    path.write_bytes(data)
    return path


def metadata_of(folder: Path) -> dict[bytes, bytes]:
    run_id = json.loads((folder / "manifest.json").read_text())["run_id"]
    return {b"kozyr.run_id": run_id.encode(), b"kozyr.games": files(folder, "games")[0].name.encode()}


def some_result(**more: Any) -> ShardResult:
    counts = np.zeros(len(BANK.counts), dtype=np.int64)
    hist = np.zeros(BANK.histograms.size, dtype=np.int64)
    rows = np.zeros((0, len(BANK.counts)), dtype=np.int64)
    return dataclasses.replace(ShardResult(0, 0, 0, 50, counts, hist, rows), **more)


def forge(folder: Path, part: Path, change: Callable[[ShardResult], Any]) -> None:
    """Replace a part by one with changed results."""
    manifest = open_run(folder).manifest
    results, games = RunFolder(folder)._part(manifest, part)
    assert games is not None
    for result in results:
        result.sums.setflags(write=True)
        change(result)
    part.unlink()
    put(folder, to_parquet(shards_table(BANK, results), {**metadata_of(folder), b"kozyr.games": games.name.encode()}))


def test_contents_that_are_no_table_are_refused(folder: Path) -> None:
    for data in (b"", b"PAR1", b"PAR1" + b"\0" * 100 + b"PAR1", os.urandom(500)):
        path = put(folder, data)
        assert "\n" not in refusal(folder, str(path), "damaged: ")
        path.unlink()


def forged_table(kind: str) -> pa.Table:
    table = shards_table(BANK, [some_result()])
    at = table.schema.get_field_index("rounds")
    match kind:
        case "column missing":
            return table.drop_columns(["rounds"])
        case "column more":
            return table.append_column("more", pa.array([1]))
        case "text":
            return table.set_column(at, "rounds", pa.array(["many"]))
        case "float":
            return table.set_column(at, "rounds", pa.array([1.5]))
        case "empty cell":
            return table.set_column(at, "rounds", pa.array([None], pa.int64()))
        case "short histogram":
            return table.set_column(
                table.num_columns - 1, table.column_names[-1], pa.array([[1, 2]], pa.list_(pa.int64()))
            )
        case "too many rows":
            return pa.concat_tables([table] * 9)
        case "no rows":
            return table.slice(0, 0)
    raise AssertionError(kind)


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("column missing", "its columns are not those of this game"),
        ("column more", "its columns are not those of this game"),
        ("text", "its columns are not those of this game"),
        ("float", "its columns are not those of this game"),
        ("empty cell", "it holds empty cells"),
        ("short histogram", "another number of bins"),
        ("too many rows", "it holds more rows than the run has"),
    ],
)
def test_tables_of_another_shape_are_refused(folder: Path, kind: str, part: str) -> None:
    path = put(folder, to_parquet(forged_table(kind), metadata_of(folder)))
    refusal(folder, str(path), part)


def test_a_part_without_rows_is_read(folder: Path) -> None:
    put(folder, to_parquet(forged_table("no rows"), metadata_of(folder)))
    assert open_run(folder).tallies.complete


def test_a_small_file_that_unpacks_to_a_great_table_is_refused_before(folder: Path) -> None:
    """Zeros without end, packed into little: refused by the numbers of rows and values in the file's footer."""
    table = pa.concat_tables([shards_table(BANK, [some_result()])] * 2_000)
    data = to_parquet(table, metadata_of(folder))
    assert len(data) < 10**6
    refusal(folder, str(put(folder, data)), "it holds more rows than the run has")
    long = forged_table("short histogram").set_column(
        table.num_columns - 1,
        table.column_names[-1],
        pa.array([np.zeros(10**6, dtype=np.int64)], pa.list_(pa.int64())),
    )
    for path in (folder / "parts").glob("000077*"):
        path.unlink()
    refusal(folder, str(put(folder, to_parquet(long, metadata_of(folder)))), "more rows than the run has")


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"shard": 9}, "is not of this run"),
        ({"shard": -1}, "is not of this run"),
        ({"variant": 2}, "is not of this run"),
        ({"games": 51}, "holds other games than it should"),
        ({"first": 50}, "holds other games than it should"),
        ({}, "came twice"),
    ],
)
def test_shards_that_cannot_be_are_refused(folder: Path, change: dict[str, int], part: str) -> None:
    path = put(folder, to_parquet(shards_table(BANK, [some_result(**change)]), metadata_of(folder)))
    refusal(folder, str(path), part)


@pytest.mark.parametrize("name", [b"", b"../../secret.parquet", b"/etc/passwd", b"\xff\xfe", b"games.parquet"])
def test_a_part_cannot_name_games_outside_the_folder(folder: Path, name: bytes) -> None:
    metadata = {**metadata_of(folder), b"kozyr.games": name}
    path = put(folder, to_parquet(shards_table(BANK, [some_result()]).slice(0, 0), metadata))
    refusal(folder, str(path), "it names no file of games")


@pytest.mark.parametrize(
    ("kind", "part"),
    [
        ("column missing", "its columns are not those of this game"),
        ("rows missing", "its games are not those of"),
        ("too many rows", "it holds more rows than the run has"),
    ],
)
def test_forged_games_are_refused(folder: Path, kind: str, part: str) -> None:
    table = games_table(BANK, [some_result(rows=np.zeros((50, len(BANK.counts)), dtype=np.int64))])
    if kind == "column missing":
        table = table.drop_columns(["rounds"])
    else:
        table = table.slice(0, 10) if kind == "rows missing" else pa.concat_tables([table] * 9)
    games = put(folder, to_parquet(table, metadata_of(folder)), "games")
    first = files(folder, "parts")[0]
    results, _ = RunFolder(folder)._part(open_run(folder).manifest, first)
    first.unlink()
    put(folder, to_parquet(shards_table(BANK, results), {**metadata_of(folder), b"kozyr.games": games.name.encode()}))
    with pytest.raises(InputError) as error:
        open_run(folder).games_frame()
    assert str(games) in str(error.value)
    assert part in str(error.value)


# --- manifests --------------------------------------------------------------------------------------------------------


def signed(folder: Path, **changes: Any) -> str:
    """The manifest with changes, and with the run_id that then fits, as a forger would write it."""
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest.update(changes)
    known = open_run(folder).manifest

    class Forged(Manifest):
        @property
        def identity(self) -> dict[str, Any]:
            return {key: manifest.get(key) for key in known.identity}

    fields = {field.name: getattr(known, field.name) for field in dataclasses.fields(known)}
    return json.dumps({**manifest, "run_id": Forged(**fields).run_id})


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"format": 99}, "it has format 99, and this Kozyr reads format 1"),
        ({"format": "1"}, "it has format '1'"),
        ({"format": True}, "it has format True"),
        ({"format": None}, "it has format None"),
        ({"game": "banc"}, "did you mean 'bank'?"),
        ({"game": 7}, "key 'game' must be str, not int"),
        ({"seed": "7"}, "key 'seed' must be int, not str"),
        ({"seed": -1}, "seed -1 is not allowed"),
        ({"seed": 2**64}, "is not allowed"),
        ({"games": 0}, "out of range"),
        ({"games": 10**4000}, "out of range"),
        ({"games": 200.0}, "key 'games' must be int, not float"),
        ({"games": True}, "key 'games' must be int, not bool"),
        ({"shard_games": 0}, "out of range"),
        ({"games": 10**15, "shard_games": 1}, "out of range"),
        ({"rotate_seats": 1}, "key 'rotate_seats' must be bool"),
        ({"keep_games": "yes"}, "key 'keep_games' must be bool"),
        ({"variants": {}}, "key 'variants' must be list"),
        ({"variants": []}, "it has 0 variants"),
        ({"variants": [7]}, "must be an object"),
        ({"variants": [{}]}, "key 'rules' is missing"),
        ({"columns": ["games"]}, "it counts other things than this Kozyr"),
        ({"columns": "games"}, "key 'columns' must be list"),
        ({"state": "done"}, "impossible state 'done'"),
        ({"code": "x\x1b[31m"}, "key 'code' holds characters that cannot be printed"),
        ({"command": "kozyr\nrm -rf"}, "key 'command' holds characters that cannot be printed"),
        ({"digest": 0}, "key 'digest' must be str"),
        ({"kozyr": None}, "key 'kozyr' must be str"),
    ],
)  # fmt: skip
def test_manifests_that_are_refused(folder: Path, changes: dict[str, Any], part: str) -> None:
    text = signed(folder, **changes)
    (folder / "manifest.json").write_text(text)
    refusal(folder, str(folder / "manifest.json"), part)


@pytest.mark.parametrize(
    ("change", "part"),
    [
        ({"label": "a\x00b"}, "cannot be printed"),
        ({"label": "\ud800"}, "cannot be printed"),
        ({"label": "seven=skip"}, "two of its variants have the same label"),
        ({"rules": []}, "key 'rules' must be dict"),
        ({"rules": {"sevens": 1}}, "did you mean 'seven'?"),
        ({"rules": {"seven": "maybe"}}, "unknown value"),
        ({"rules": {"seven": ["skip"]}}, "must be words or whole numbers"),
        ({"rules": {"players": True}}, "must be words or whole numbers"),
        ({"rules": {"target": 10**4000}}, "is not allowed"),
        ({"bots": "random"}, "key 'bots' must be list"),
        ({"bots": ["random"]}, "1 bots for 3 players"),
        ({"bots": ["random", "random", "rendom"]}, "did you mean 'random'?"),
        ({"bots": ["random", "random", 7]}, "is not a bot"),
    ],
)
def test_variants_that_are_refused(folder: Path, change: dict[str, Any], part: str) -> None:
    data = json.loads((folder / "manifest.json").read_text())
    variants = [data["variants"][0], {**data["variants"][1], **change}]
    text = signed(folder, variants=variants)
    (folder / "manifest.json").write_text(text)
    refusal(folder, str(folder / "manifest.json"), part)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "7",
        "null",
        "[" * 100_000,
        '{"format": 1',
        '{"a": ' + "9" * 5000 + "}",
        "NaN",
        '"' + "\\u0000" * 10 + '"',
    ],
)
def test_what_is_no_manifest_is_refused(folder: Path, text: str) -> None:
    (folder / "manifest.json").write_text(text)
    refusal(folder, str(folder / "manifest.json"))


def test_bytes_that_are_no_text_are_refused(folder: Path) -> None:
    (folder / "manifest.json").write_bytes(b'{"format": 1, "game": "\xff"}')
    refusal(folder, "damaged: not text")


@pytest.mark.parametrize("key", ["seed", "games", "variants", "run_id", "until", "played", "code", "game"])
def test_a_key_that_is_missing_is_named(folder: Path, key: str) -> None:
    data = json.loads((folder / "manifest.json").read_text())
    del data[key]
    (folder / "manifest.json").write_text(json.dumps(data))
    refusal(folder, key)


@pytest.mark.parametrize(
    ("key", "value"),
    [("seed", 6), ("games", 150), ("code", "0" * 16), ("rotate_seats", True), ("keep_games", False)],
)
def test_a_changed_manifest_does_not_fit_its_run_id(folder: Path, key: str, value: Any) -> None:
    data = json.loads((folder / "manifest.json").read_text())
    data[key] = value
    data["played"] = data["games"]
    (folder / "manifest.json").write_text(json.dumps(data))
    refusal(folder, "made by a Kozyr with other options" if key == "code" else "its run_id does not fit its contents")


def test_a_manifest_is_written_as_it_is_read(made: Path) -> None:
    text = (made / "manifest.json").read_text()
    assert parse_manifest(text, "here").to_json() == text


def test_characters_that_cannot_be_printed_are_escaped_in_a_manifest(tmp_path: Path) -> None:
    command = "kozyr simulate bank --out 'a\udcff\n\x1b[31m'"
    simulated(tmp_path / "run", command=command)
    assert open_run(tmp_path / "run").manifest.command == "kozyr simulate bank --out 'a\\udcff\\n\\x1b[31m'"
    assert simulated(tmp_path / "run", command=command, resume=True).manifest.state == "complete"


@pytest.mark.parametrize("make", ["nothing", "empty folder", "file", "folder for a manifest"])
def test_what_is_no_run_folder_is_refused(tmp_path: Path, make: str) -> None:
    path = tmp_path / "run"
    if make == "file":
        path.write_text("x")
    elif make != "nothing":
        path.mkdir()
    if make == "folder for a manifest":
        (path / "manifest.json").mkdir()
    refusal(path, "is not the folder of a run")


# --- resuming ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "other"),
    [
        ({"seed": 6}, "seed"),
        ({"games": 250}, "games"),
        ({"vary": {"seven": ["skip"]}}, "variants"),
        ({"rotate_seats": True}, "rotate_seats"),
        ({"keep_games": False}, "keep_games"),
    ],
)
def test_only_the_same_run_is_resumed(folder: Path, change: dict[str, Any], other: str) -> None:
    with pytest.raises(InputError) as error:
        simulated(folder, resume=True, **change)
    assert f"holds another run than this command (other: {other}" in str(error.value)
    assert open_run(folder).tallies.complete


def test_a_complete_run_is_not_played_again(folder: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")}
    seen: list[int] = []
    run = simulated(folder, resume=True, progress=lambda done, in_all: seen.append(done))
    assert run.tallies.complete
    assert seen == []
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.parquet")} == before


def test_resuming_where_there_is_no_run_yet_begins_one(tmp_path: Path) -> None:
    assert simulated(tmp_path / "run", resume=True).manifest.state == "complete"


def test_resuming_takes_away_what_a_process_left_that_died(folder: Path) -> None:
    games = games_table(BANK, [some_result(rows=np.zeros((50, len(BANK.counts)), dtype=np.int64))])
    orphan = put(folder, to_parquet(games, metadata_of(folder)), "games")
    aside = [folder / ".manifest.json.99.tmp", folder / "parts" / ".000009-x.parquet.99.tmp"]
    for path in aside:
        path.write_bytes(b"half")
    frame = open_run(folder).games_frame()
    assert simulated(folder, resume=True).games_frame().equals(frame)
    assert not any(path.exists() for path in [orphan, *aside])


def test_what_other_code_wrote_otherwise_is_not_called_damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("simcore.batch.code_hash", "simcore.shards.code_hash"):
        monkeypatch.setattr(place, lambda game: "feedfacefeedface")
    folder = tmp_path / "run"
    simulated(folder)
    monkeypatch.undo()
    put(folder, to_parquet(forged_table("short histogram"), metadata_of(folder)))
    refusal(folder, "made by other code", "code feedfacefeedface", "another number of bins", "the version that made it")


def test_a_run_of_other_code_is_read_but_not_added_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for place in ("simcore.batch.code_hash", "simcore.shards.code_hash"):
        monkeypatch.setattr(place, lambda game: "feedfacefeedface")
    made = simulated(tmp_path / "run")
    monkeypatch.undo()
    assert open_run(tmp_path / "run").frame().equals(made.frame())
    with pytest.raises(InputError) as error:
        simulated(tmp_path / "run", resume=True)
    assert "was made by other code (Kozyr " in str(error.value)
    assert "code feedfacefeedface" in str(error.value)


def test_games_that_come_out_otherwise_when_played_again_are_told(folder: Path) -> None:
    """A complete run whose digest is of other games than the code plays: nothing is declared complete again."""
    text = (folder / "manifest.json").read_text()
    digest = json.loads(text)["digest"]
    (folder / "manifest.json").write_text(text.replace(digest, "0" * 64))
    files(folder, "parts")[0].unlink()
    with pytest.raises(RunError, match="have another digest"):
        simulated(folder, resume=True)


# --- the lock ---------------------------------------------------------------------------------------------------------


def test_two_writers_exclude_each_other(folder: Path) -> None:
    first, second = RunFolder(folder), RunFolder(folder)
    first.lock()
    with pytest.raises(InputError, match="another process is writing this run"):
        second.lock()
    with pytest.raises(InputError, match="another process is writing this run"):
        simulated(folder, resume=True)
    assert open_run(folder).tallies.complete
    first.unlock()
    second.lock()
    second.unlock()
    second.unlock()


def test_a_file_system_without_locks_is_told(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> None:
        raise NotImplementedError("FileSystem does not appear to support flock")

    locked = RunFolder(folder)
    monkeypatch.setattr(locked._lock, "acquire", refuse)
    with pytest.raises(RunError, match="cannot be locked: FileSystem does not appear"):
        locked.lock()
