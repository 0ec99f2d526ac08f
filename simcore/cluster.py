"""Shards on a `dask.distributed` cluster; needs the extra ``kozyr[dask]``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simcore.errors import InputError, RunError
from simcore.sources import code_hash

if TYPE_CHECKING:
    from distributed import Client

_LOCAL = re.compile(r"local:([1-9][0-9]{0,2})\Z")
_REMOTE = re.compile(r"(tcp|tls|ucx|ws|wss)://\S+\Z")
CONNECT_SECONDS = 10
WORKER_SECONDS = 30
SHARDS_PER_THREAD = 3
"""Shards kept in flight for each thread of the cluster, so that none waits for the network."""


@dataclass(frozen=True)
class Cluster:
    """An executor, and how many threads stand behind it."""

    executor: Executor
    threads: int


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise InputError("--scheduler needs dask.distributed: pip install 'kozyr[dask]'") from None
    return distributed


def check_scheduler(text: str) -> str:
    """Return `text` if it names a scheduler; raise `InputError` if not."""
    if _LOCAL.match(text) or _REMOTE.match(text):
        return text
    raise InputError(f"--scheduler {text!r} is not allowed; allowed: local:N (1 … 999 workers), or tcp://HOST:PORT")


@contextmanager
def cluster(scheduler: str, game: str) -> Iterator[Cluster]:
    """Connect to a scheduler, or start one with ``local:N``, to play `game` on its workers.

    Yields
    ------
    Cluster
        Its executor plays a shard again if the worker that had it dies.

    Raises
    ------
    InputError
        If `scheduler` is none, or dask.distributed is not installed.
    RunError
        If no scheduler answers, it has no workers, or a worker runs other code than this process.
    """
    check_scheduler(scheduler)
    distributed = _distributed()
    local = _LOCAL.match(scheduler)
    if local:
        with (
            distributed.LocalCluster(
                n_workers=int(local[1]),
                threads_per_worker=1,
                processes=True,
                silence_logs=50,
                # on any free port, or two clusters on one machine would quarrel
                scheduler_kwargs={"dashboard": False, "dashboard_address": ":0"},
            ) as own,
            distributed.Client(own) as client,
        ):
            yield _ready(client, scheduler, game)
        return
    try:
        client = distributed.Client(scheduler, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise RunError(f"no scheduler answers at {scheduler}: {error or 'timed out'}") from None
    with client:
        yield _ready(client, scheduler, game)


def _ready(client: Client, scheduler: str, game: str) -> Cluster:
    try:
        client.wait_for_workers(1, timeout=WORKER_SECONDS)
    except TimeoutError:
        raise RunError(f"the scheduler at {scheduler} has no workers; start some: dask worker {scheduler}") from None
    _check_code(client, game)
    threads = sum(worker["nthreads"] for worker in client.scheduler_info(n_workers=-1)["workers"].values())
    executor: Executor = client.get_executor(pure=False, retries=3)  # type: ignore[no-untyped-call]
    return Cluster(executor, threads)


def _check_code(client: Client, game: str) -> None:
    """Find out at once which worker lacks Kozyr or has another one."""
    for worker, found in client.run(_worker_code, game, on_error="return").items():
        if found == code_hash(game):
            continue
        what = f"runs other code ({found})" if isinstance(found, str) else f"cannot run Kozyr ({found})"
        raise RunError(f"worker {worker} {what}; this process has code {code_hash(game)}: install the same Kozyr there")


def _worker_code(game: str) -> str:
    """Runs on the worker, from its own installation."""
    from simcore.sources import code_hash as here

    return here(game)
