"""Errors that are told to the user in one line.

`InputError` is the user's to mend (exit code 2); `RunError` is the world's (exit code 1): a disk, a folder, a worker.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class KozyrError(Exception):
    """Base of all errors that end a command with a message instead of a traceback."""

    exit_code = 1


class InputError(KozyrError):
    """What was given cannot be used: says what was given, what is allowed, and the nearest name."""

    exit_code = 2


class RunError(KozyrError):
    """A run could not be read, written or finished for a reason outside the input."""


def printable(text: str) -> str:
    """The text with every character that a terminal or a UTF-8 file could not take written as an escape."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def one_line(error: Exception, most: int = 2000) -> str:
    """The message of an error as one printable line; of a very long one, its beginning and end."""
    text = printable(str(error))
    return text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"


def unknown(what: str, given: str, allowed: Iterable[str]) -> InputError:
    """Build the error for a name that does not exist.

    Parameters
    ----------
    what : str
        The sort of name, such as ``"option of bank"``.
    given : str
        What the user wrote.
    allowed : iterable of str
        All names that exist.
    """
    names = list(allowed)
    near = difflib.get_close_matches(given, names, n=1, cutoff=0.5)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    return InputError(f"unknown {what} {given!r}{hint}; allowed: {', '.join(_folded(names))}")


def _folded(names: Iterable[str]) -> list[str]:
    """The names once each, with the entries of a vector (``score.0``, ``score.1`` …) told as one (``score.0…1``)."""
    last: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        stem, dot, entry = name.rpartition(".")
        if dot and entry.isdigit():
            last.setdefault(stem + dot, []).append(entry)
        else:
            last.setdefault(name, [])
    return [stem + (f"{e[0]}…{e[-1]}" if len(e) > 1 else "".join(e)) for stem, e in last.items()]
