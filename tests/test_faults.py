"""What really happens to long runs: processes killed and interrupted, full disks, folders that cannot be written, two at once.

Every fault is made in a process of its own; what follows must be the result of a run that nothing disturbed.
"""

from __future__ import annotations

import json
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from conftest import Kozyr, process_env, refused

from simcore import Run, open_run, simulate

GAMES = 4000
ARGUMENTS = ["simulate", "bank", "--games", str(GAMES), "--seed", "9", "--vary", "seven=skip,nothing", "--keep-games"]

SCRIPT = """
import sys
import simcore.playing
simcore.playing.FLUSH_SECONDS = simcore.playing.FLUSH_SHARE = 0.0  # every shard at once into a part of its own
import cli
cli.app(sys.argv[1:], prog_name="kozyr")
"""

Start = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The run that nothing happens to."""
    return simulate(
        "bank",
        GAMES,
        vary={"seven": ["skip", "nothing"]},
        seed=9,
        keep_games=True,
        out=tmp_path_factory.mktemp("undisturbed") / "run",
    )


def same(folder: Path, undisturbed: Run) -> None:
    """The run in `folder` is complete, has the digest of the undisturbed one, and its games, each once."""
    run = open_run(folder)
    assert run.manifest.state == "complete"
    assert run.manifest.digest == undisturbed.manifest.digest
    frame = run.games_frame()
    assert frame["index"].tolist() == list(range(GAMES)) * 2
    assert frame.equals(undisturbed.games_frame())
    assert not list(folder.rglob("*.tmp"))


def parts(folder: Path) -> int:
    return len(list((folder / "parts").glob("*.parquet")))


def wait_for(condition: Callable[[], Any], process: subprocess.Popen[str], seconds: float = 120) -> None:
    """Wait until something holds; fail if the process ends before."""
    end = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.002)


# --- killed -----------------------------------------------------------------------------------------------------------


def kill_and_resume(start: Start, folder: Path, undisturbed: Run, kills: int, seed: int) -> None:
    """Kill the run again and again, each time a little further on, at a random moment; then let it finish."""
    rng = random.Random(seed)
    most = 2 * GAMES // 50
    killed = 0
    while killed < kills:
        before = parts(folder)
        process = start(SCRIPT, *ARGUMENTS, "--out", folder, "--resume")
        step = rng.choice([0, 0, 1, 2, rng.randrange(1 + most // kills)])
        if before + step < most:
            wait_for(lambda: (folder / ".lock").exists() and parts(folder) >= before + step, process)  # noqa: B023
            time.sleep(rng.choice([0, rng.random() * 0.02]))
        process.kill()
        process.communicate()
        killed += 1
        if (folder / "manifest.json").exists():
            partial = open_run(folder)
            assert partial.manifest.state == "running" or partial.tallies.complete
            assert len(partial.games_frame()) == sum(
                partial.manifest.shard_size(s) for v in partial.tallies.variants for s in v.done.nonzero()[0]
            )
    process = start(SCRIPT, *ARGUMENTS, "--out", folder, "--resume")
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert undisturbed.manifest.digest in out
    same(folder, undisturbed)


def test_a_run_that_is_killed_again_and_again_ends_as_one_that_is_not(
    start: Start, tmp_path: Path, undisturbed: Run
) -> None:
    kill_and_resume(start, tmp_path / "run", undisturbed, kills=5, seed=1)


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(5))
def test_a_run_that_is_killed_ten_times_ends_as_one_that_is_not(
    start: Start, tmp_path: Path, undisturbed: Run, seed: int
) -> None:
    kill_and_resume(start, tmp_path / "run", undisturbed, kills=10, seed=100 + seed)


def test_a_run_that_stops_when_enough_is_known_stops_there_after_a_kill_too(
    start: Start, kozyr: Kozyr, tmp_path: Path
) -> None:
    asked = ["simulate", "bank", "--games", "20000", "--seed", "9", "--until", "turns ± 0.1"]
    usual = kozyr(*asked, "--out", tmp_path / "usual")
    assert usual.returncode == 0, usual.stderr
    stopped = open_run(tmp_path / "usual")
    assert 0 < stopped.manifest.games < 20000
    process = start(SCRIPT, *asked, "--out", tmp_path / "run")
    wait_for(lambda: parts(tmp_path / "run") >= 3, process)
    process.kill()
    process.communicate()
    done = kozyr(*asked, "--out", tmp_path / "run", "--resume")
    assert done.returncode == 0, done.stderr
    assert open_run(tmp_path / "run").manifest.games == stopped.manifest.games
    assert open_run(tmp_path / "run").manifest.digest == stopped.manifest.digest


# --- interrupted ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("presses", [1, 2])
def test_an_interrupt_says_how_to_go_on(
    start: Start, kozyr: Kozyr, tmp_path: Path, undisturbed: Run, presses: int
) -> None:
    folder = tmp_path / "run"
    process = start(SCRIPT, *ARGUMENTS, "--out", folder)
    wait_for(lambda: parts(folder) >= 20, process)
    for _ in range(presses):
        process.send_signal(signal.SIGINT)
        time.sleep(0.01)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert out == ""
    assert "Traceback" not in err
    if presses == 1:
        (line,) = err.splitlines()
        assert line == (
            f"kozyr: interrupted; finished shards are kept in {folder}; add --resume to the same command to go on"
        )
    partial = open_run(folder)
    assert partial.manifest.state == "running"
    assert 20 <= partial.frame().shape[0] < 160
    done = kozyr(*ARGUMENTS, "--out", folder, "--resume")
    assert done.returncode == 0, done.stderr
    assert undisturbed.manifest.digest in done.stdout
    same(folder, undisturbed)


PLAYING = """
real = simcore.playing.drain
def drain(*arguments):
    print("playing", flush=True)
    real(*arguments)
simcore.playing.drain = drain
"""


def test_an_interrupt_without_a_folder_says_that_nothing_is_kept(start: Start, tmp_path: Path) -> None:
    script = SCRIPT.replace("import cli", PLAYING + "import cli")
    process = start(script, "simulate", "bank", "--games", "1e8", "--threads", "2")
    assert process.stdout is not None
    assert process.stdout.readline() == "playing\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130, err
    assert out == ""
    assert err == "kozyr: interrupted; nothing was kept, as the run has no folder (--out)\n"


# --- disks ------------------------------------------------------------------------------------------------------------


def limited(size: int) -> Callable[[], None]:
    """In a child: no file may grow beyond `size` bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def test_a_file_that_cannot_grow_is_told_and_nothing_is_lost(kozyr: Kozyr, tmp_path: Path, undisturbed: Run) -> None:
    folder = tmp_path / "run"
    line = refused(kozyr(*ARGUMENTS, "--out", folder, preexec_fn=limited(100_000)), code=1)
    assert str(folder) in line
    assert "cannot be written: File too large" in line
    assert open_run(folder).manifest.state == "running"
    assert not list(folder.rglob("*.tmp"))
    done = kozyr(*ARGUMENTS, "--out", folder, "--resume")
    assert done.returncode == 0, done.stderr
    same(folder, undisturbed)


def in_namespace(script: str, *arguments: Any) -> list[str]:
    """A command that runs a shell script where it may mount file systems, without touching those of this machine."""
    return ["unshare", "--mount", "--map-root-user", "--user", "sh", "-ec", script, "sh", *map(str, arguments)]


@pytest.fixture(scope="module")
def can_mount(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Skip, and say why, where the system lets nobody mount."""
    folder = tmp_path_factory.mktemp("mount")
    if shutil.which("unshare") is None:
        pytest.skip("the program unshare is missing, so that no full or read-only disk can be made")
    command = in_namespace('mount -t tmpfs -o size=64k tmpfs "$1"', folder)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"this system does not let users mount file systems: {done.stderr.strip()}")


def run_mounted(script: str, *arguments: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        in_namespace(script, *arguments), env=process_env(), capture_output=True, text=True, check=False, timeout=300
    )


FULL = """
mount -t tmpfs -o size=300k tmpfs "$1"; shift
kozyr="$1 -m cli"; folder="$2"; kept="$3"; shift 3
set +e
$kozyr "$@" --out "$folder"; echo "exit $?" >&2
set -e
find "$folder" -name '*.tmp' >&2
mount -o remount,size=64m "$(dirname "$folder")"
$kozyr "$@" --out "$folder" --resume
cp -r "$folder" "$kept"
"""


def test_a_full_disk_is_told_and_nothing_is_lost(
    compiled: None, can_mount: None, tmp_path: Path, undisturbed: Run
) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    folder, kept = disk / "run", tmp_path / "kept"
    done = run_mounted(FULL, disk, sys.executable, folder, kept, *ARGUMENTS)
    assert done.returncode == 0, done.stderr
    line, code = done.stderr.splitlines()
    assert code == "exit 1"
    assert line.startswith(f"kozyr: {folder}")
    assert line.endswith("cannot be written: No space left on device")
    assert undisturbed.manifest.digest in done.stdout
    same(kept, undisturbed)


READ_ONLY = """
mount --bind "$1" "$1"; mount -o remount,ro,bind "$1"; shift
python="$1"; shift
exec "$python" -m cli "$@"
"""


@pytest.mark.parametrize("case", ["new", "resume", "below"])
def test_a_folder_that_cannot_be_written_is_told(
    compiled: None, can_mount: None, tmp_path: Path, undisturbed: Run, case: str
) -> None:
    assert undisturbed.folder is not None
    folder = tmp_path / "run"
    shutil.copytree(undisturbed.folder.path, folder)
    if case == "new":
        shutil.rmtree(folder)
        folder.mkdir()
    out = folder / "new" if case == "below" else folder
    line = refused(run_mounted(READ_ONLY, folder, sys.executable, *ARGUMENTS, "--out", out, "--resume"), code=1)
    assert line.startswith(f"kozyr: {out}")
    assert "Read-only file system" in line or "it cannot be written to" in line


def test_a_run_in_a_folder_that_cannot_be_written_can_be_read(
    compiled: None, can_mount: None, tmp_path: Path, undisturbed: Run
) -> None:
    assert undisturbed.folder is not None
    folder = tmp_path / "run"
    shutil.copytree(undisturbed.folder.path, folder)
    done = run_mounted(READ_ONLY, folder, sys.executable, "summary", folder)
    assert done.returncode == 0, done.stderr
    assert "rounds" in done.stdout


def test_a_folder_below_a_file_is_told(kozyr: Kozyr, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    line = refused(kozyr(*ARGUMENTS, "--out", tmp_path / "file" / "run"), code=1)
    assert "Not a directory" in line
    assert (tmp_path / "file").read_text() == "mine"


NO_CACHE = """
mount -t tmpfs -o size=32k tmpfs "$1"; shift
python="$1"; shift
exec env KOZYR_CACHE_DIR="$1" "$python" -m cli replay square --index 0 --format jsonl
"""


@pytest.mark.nightly
def test_a_full_cache_of_machine_code_does_not_stop_a_run(compiled: None, can_mount: None, tmp_path: Path) -> None:
    done = run_mounted(NO_CACHE, tmp_path, sys.executable, tmp_path / "cache")
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    assert "machine code cannot be kept in" in done.stderr
    assert "No space left on device" in done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["event"] == "game_end"


@pytest.mark.nightly
@pytest.mark.parametrize("damage", ["index", "code", "empty index"])
def test_damaged_machine_code_is_compiled_again(kozyr: Kozyr, tmp_path: Path, damage: str) -> None:
    environment = process_env(KOZYR_CACHE_DIR=str(tmp_path / "cache"))
    command = ["replay", "square", "--index", "0", "--format", "jsonl"]
    first = kozyr(*command, env=environment)
    (path,) = (tmp_path / "cache").rglob("*.nbc" if damage == "code" else "*.nbi")
    data = path.read_bytes()
    path.write_bytes(b"" if damage == "empty index" else data[: len(data) // 2])
    again, after = kozyr(*command, env=environment), kozyr(*command, env=environment)
    assert (again.returncode, after.returncode) == (0, 0), again.stderr
    assert first.stdout == again.stdout == after.stdout
    assert "cannot be read" in again.stderr
    assert "Traceback" not in again.stderr
    assert "machine code" not in after.stderr


# --- two at once ------------------------------------------------------------------------------------------------------

HELD = """
import sys
import simcore.playing
simcore.playing.FLUSH_SECONDS = simcore.playing.FLUSH_SHARE = 0.0
from simcore import simulate

def progress(done, in_all):
    if done >= 1000:
        print("held", flush=True)
        sys.stdin.read()

simulate(
    "bank", int(sys.argv[2]), vary={"seven": ["skip", "nothing"]}, seed=9,
    keep_games=True, out=sys.argv[1], threads=1, progress=progress,
)
"""


def test_a_second_process_is_refused_while_the_first_lives_and_takes_over_after(
    start: Start, kozyr: Kozyr, tmp_path: Path, undisturbed: Run
) -> None:
    folder = tmp_path / "run"
    first = start(HELD, folder, GAMES)
    assert first.stdout is not None
    assert first.stdout.readline() == "held\n"
    for more in (["--resume"], []):
        line = refused(kozyr(*ARGUMENTS, "--out", folder, *more))
        assert str(folder) in line
        assert ("another process is writing this run" if more else "there is a run already") in line
    assert open_run(folder).manifest.state == "running"
    assert kozyr("summary", folder).returncode == 0
    first.kill()
    first.communicate()
    done = kozyr(*ARGUMENTS, "--out", folder, "--resume")
    assert done.returncode == 0, done.stderr
    same(folder, undisturbed)


def test_many_processes_that_begin_at_once_make_one_run(start: Start, tmp_path: Path, undisturbed: Run) -> None:
    folder = tmp_path / "run"
    racers = [start(SCRIPT, *ARGUMENTS, "--out", folder) for _ in range(3)]
    ended = [(racer.communicate(timeout=300), racer.returncode) for racer in racers]
    assert sorted(code for _, code in ended) == [0, 2, 2], ended
    for (_, err), code in ended:
        assert code == 0 or "another process is writing this run" in err or "there is a run already" in err
        assert "Traceback" not in err
    same(folder, undisturbed)


# --- damage, told by the commands -------------------------------------------------------------------------------------


@pytest.fixture
def folder(undisturbed: Run, tmp_path: Path) -> Path:
    """A copy of the undisturbed run, to be damaged."""
    assert undisturbed.folder is not None
    return Path(shutil.copytree(undisturbed.folder.path, tmp_path / "run"))


@pytest.mark.parametrize("kind", ["parts", "games"])
def test_a_flipped_bit_is_found_by_every_command_that_reads_it(kozyr: Kozyr, folder: Path, kind: str) -> None:
    path = next((folder / kind).glob("*.parquet"))
    data = bytearray(path.read_bytes())
    data[len(data) // 3] ^= 1
    path.write_bytes(data)
    if kind == "games":
        with pytest.raises(Exception, match="damaged"):
            open_run(folder).games_frame()
        return
    for command in (["summary", folder], ["compare", folder], [*ARGUMENTS, "--out", folder, "--resume"]):
        line = refused(kozyr(*command))
        assert str(path) in line
        assert "damaged" in line


def test_a_manifest_of_another_version_is_told(kozyr: Kozyr, folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps({**manifest, "format": 2}))
    for command in (["summary", folder], [*ARGUMENTS, "--out", folder, "--resume"]):
        line = refused(kozyr(*command))
        assert line == f"kozyr: {folder / 'manifest.json'}: it has format 2, and this Kozyr reads format 1"


def test_a_run_of_other_code_is_shown_but_not_added_to(
    kozyr: Kozyr, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for place in ("simcore.batch.code_hash", "simcore.shards.code_hash"):
        monkeypatch.setattr(place, lambda game: "feedfacefeedface")
    simulate("bank", 300, seed=9, out=tmp_path / "run")
    monkeypatch.undo()
    shown = kozyr("summary", tmp_path / "run")
    assert shown.returncode == 0, shown.stderr
    assert "rounds" in shown.stdout
    line = refused(kozyr("simulate", "bank", "--games", "300", "--seed", "9", "--out", tmp_path / "run", "--resume"))
    assert "was made by other code" in line


def test_the_clock_may_jump(start: Start, tmp_path: Path, undisturbed: Run) -> None:
    """Days back and forth while a run is played: no time of day has any part in it."""
    script = (
        """
import time
from itertools import count
jump = count()
time.time = lambda: 1e9 + 1e6 * (-1) ** next(jump)
"""
        + SCRIPT
    )
    process = start(script, *ARGUMENTS, "--out", tmp_path / "run")
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    same(tmp_path / "run", undisturbed)
