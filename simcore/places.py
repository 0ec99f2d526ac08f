"""Where a run may lie: a folder of this machine, or one at a URL that fsspec knows (``s3://bucket/run``, ``gs://…``).

On a disk every file is written aside and renamed, and a lock that the system frees keeps other processes out. An object store
has no renaming, but writes an object whole or not at all; there a lease keeps others out, which its holder renews while it
lives.
"""

from __future__ import annotations

import os
import re
import secrets
import threading
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Protocol, cast

import filelock

from simcore.errors import InputError, RunError, printable

_URL = re.compile(r"[a-z][a-z0-9+.-]+://")  # a single letter is a drive of Windows
RENEWED_SECONDS = 5.0
ABANDONED_SECONDS = 20.0
"""A lease is renewed every few seconds; one that has not changed for so long has lost its holder. No clocks are compared."""


def is_url(path: object) -> bool:
    """Whether a path is a URL, and not one of this machine's."""
    return bool(_URL.match(str(path)))


def place(text: str | Path) -> Path:
    """The path that `text` names; a URL gives an object of `universal_pathlib`, which is used like a `Path`.

    Raises
    ------
    InputError
        If it is a URL and the packages for it are not installed, or its protocol is unknown.
    """
    if not str(text).strip():
        raise InputError(f"{str(text)!r} is no folder; the present one is .")
    if not is_url(text):
        return Path(text)
    try:
        from upath import UPath

        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)  # of a protocol that universal_pathlib does not know well
            return cast(Path, UPath(str(text), use_listings_cache=False))
    except ImportError as error:
        raise InputError(
            f"{printable(str(text))}: needs more packages: pip install 'kozyr[remote]' ({error})"
        ) from None
    except (ValueError, UserWarning) as error:
        raise InputError(printable(f"{text}: {error}")) from None


def check_folder(text: str | Path, what: str) -> None:
    """Raise `InputError` naming `what` if `text` is neither a folder of this machine, nor the name of one to be made."""
    if is_url(text):
        raise InputError(f"{what} {printable(str(text))} is not a folder of this machine; name one")
    path = Path(text)
    with told(path, "cannot be read"):
        taken = next((place for place in (path, *path.parents) if place.exists()), None)
        if taken is not None and not taken.is_dir():
            raise InputError(f"{what} {text}: {taken} is a file, not a folder; name another {what}")


def shown(path: Path) -> str:
    """A path as people write it; a URL with its host, which some kinds of store keep elsewhere."""
    text = str(path)
    host = getattr(path, "storage_options", {}).get("host", "") if is_url(path) else ""
    return text if not host or f"://{host}" in text else text.replace("://", f"://{host}", 1)


@contextmanager
def told(path: Path, trouble: str) -> Iterator[None]:
    """Turn what the system or the store refuses into a `RunError` that names the path."""
    try:
        yield
    except (OSError, NotImplementedError) as error:
        raise RunError(f"{shown(path)}: {trouble}: {getattr(error, 'strerror', None) or error}") from error
    except (InputError, RunError):
        raise
    except Exception as error:
        if not is_url(path):
            raise
        raise RunError(f"{shown(path)}: {trouble}: {error}") from error


def _sync(folder: Path) -> None:
    """Flush the names in a folder to the disk, where the system can; a file is safe only when its name is."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def write_aside(path: Path, data: bytes) -> None:
    """Write `data` to a file beside `path`, flush it to the disk, and rename it to `path`; in a store, put the object.

    Raises
    ------
    RunError
        If the disk is full, the folder read-only, or the like; nothing is left behind.
    """
    with told(path, "cannot be written"):
        if is_url(path):
            path.write_bytes(data)
            return
        aside = path.with_name(f".{path.name}.{os.getpid()}.tmp")
        try:
            with aside.open("wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            aside.replace(path)
        except BaseException:
            with suppress(OSError):
                aside.unlink(missing_ok=True)
            raise
    _sync(path.parent)


class Lock(Protocol):
    """Keeps other processes out of a folder."""

    def acquire(self) -> bool:
        """Take the lock; False if another process has it."""

    def release(self) -> None:
        """Give it back; does nothing if it is not held."""


class FileLock:
    """A lock of this machine's file system, freed by the system when its process dies."""

    def __init__(self, folder: Path) -> None:
        self._lock = filelock.FileLock(str(folder / ".lock"), thread_local=False)

    def acquire(self) -> bool:
        try:
            self._lock.acquire(timeout=0)
        except filelock.Timeout:
            return False
        return True

    def release(self) -> None:
        self._lock.release(force=True)


class Lease:
    """A lock in an object store: an object that its holder rewrites again and again.

    Who finds one watches it for `ABANDONED_SECONDS`; if it does not change, its holder is gone.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / ".lock"
        self._token = ""
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def _read(self) -> bytes | None:
        try:
            return self._path.read_bytes()
        except FileNotFoundError:
            return None

    def acquire(self) -> bool:
        found = self._read()
        if found is not None:
            time.sleep(ABANDONED_SECONDS)
            if self._read() not in (None, found):
                return False
        self._token = secrets.token_hex(8)
        self._path.write_bytes(f"{self._token} 0".encode())
        time.sleep(min(1.0, RENEWED_SECONDS))
        if not (self._read() or b"").startswith(self._token.encode()):
            return False  # another process took it at the same moment, and wrote last
        self._stop.clear()
        self._thread = threading.Thread(target=self._renew, daemon=True)
        self._thread.start()
        return True

    def _renew(self) -> None:
        count = 0
        while not self._stop.wait(RENEWED_SECONDS):
            count += 1
            with suppress(Exception):
                self._path.write_bytes(f"{self._token} {count}".encode())

    def release(self) -> None:
        if self._thread is None:
            return
        self._stop.set()
        self._thread.join()
        self._thread = None
        with suppress(Exception):
            if (self._read() or b"").startswith(self._token.encode()):
                self._path.unlink()


def lock_for(folder: Path) -> Lock:
    """The lock that fits a folder."""
    return Lease(folder) if is_url(folder) else FileLock(folder)
