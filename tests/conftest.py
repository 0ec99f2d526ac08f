"""What the tests of the spine share: the games, any rules of a game, and `kozyr` as a process of its own."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

from simcore.bots import parse_table
from simcore.errors import InputError
from simcore.games import GAMES, find_game
from simcore.games.base import Game
from simcore.jit import cache_root
from simcore.options import IntOption, Option, Rules, Setting
from simcore.shards import Variant, empty_tally, make_job

ROOT = Path(__file__).parent.parent


def pytest_configure(config: pytest.Config) -> None:
    """With the compiler off, numpy warns where machine code wraps around, as streams of random numbers want it."""
    if numba.config.DISABLE_JIT:
        config.addinivalue_line("filterwarnings", "ignore:overflow encountered in scalar:RuntimeWarning")


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Game:
    """Every game in turn."""
    return find_game(request.param)


def variant(game: Game, rules: Rules, bots: str = "random") -> Variant:
    """A variant with these very rules: options without effect stay as they are."""
    return Variant(rules.label(), rules, parse_table(game.name, game.bots, bots, rules.players))


def some_values(option: Option) -> list[Setting]:
    """All words, or all numbers of a short list; of a range the ends, the default and some between."""
    if not isinstance(option, IntOption) or option.choices:
        return list(option.all_values())
    between = [option.low + (option.high - option.low) * part // 100 for part in (3, 20, 60)]
    near = [option.low + 1, option.high - 1]
    return sorted({option.low, int(option.default), option.high, *between, *near})


def any_rules(game: Game, rng: random.Random, fixed: dict[str, Setting] | None = None) -> Rules:
    """Rules drawn from the whole space of options, those of `fixed` as given; combinations that are refused are drawn again."""
    for _ in range(200):
        drawn = {option.name: rng.choice(some_values(option)) for option in game.rules}
        try:
            return game.rules.rules({**drawn, **(fixed or {})})
        except InputError as error:
            assert "impossible combination" in str(error)  # noqa: PT017
    raise AssertionError(f"no possible rules of {game.name} with {fixed}")


@pytest.fixture(scope="session")
def compiled() -> None:
    """Compile the kernels of all games, so that processes started by a test find them in the cache on disk."""
    for name in GAMES:
        game = find_game(name)
        one = variant(game, game.rules.rules())
        game.play_shard(make_job(game, one, 0, False), 0, 0, empty_tally(game))


def process_env(**more: str) -> dict[str, str]:
    """Environment of a process that runs this source tree and shares the compile cache."""
    ours = {"PYTHONPATH": str(ROOT), "KOZYR_CACHE_DIR": str(cache_root()), "COLUMNS": "150", "NO_COLOR": "1"}
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("NUMBA_", "PYTEST_", "FORCE_COLOR"))}
    return {**kept, **ours, **more}


def default_signals() -> None:
    """In a child: Ctrl-C works, also where the tests themselves run in the background and ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


Kozyr = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def kozyr(compiled: None) -> Kozyr:
    """Run ``kozyr ARGUMENTS`` to its end."""

    def run(*arguments: Any, **more: Any) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "cli", *map(str, arguments)]
        options = {"env": process_env(), "timeout": 300, "capture_output": True, "text": True, **more}
        return subprocess.run(command, check=False, **options)

    return run


@pytest.fixture
def start(compiled: None) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Start a Python script as a process; it is killed at the end of the test if it still runs."""
    started: list[subprocess.Popen[str]] = []

    def begin(script: str, *arguments: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-c", script, *map(str, arguments)],
            env=process_env(),
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=default_signals,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


def refused(done: subprocess.CompletedProcess[str], code: int = 2) -> str:
    """The one line on standard error of a command that was refused with `code`, and printed nothing else."""
    assert done.returncode == code, done.stderr
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    (line,) = done.stderr.splitlines()
    assert line.startswith("kozyr: ")
    return line
