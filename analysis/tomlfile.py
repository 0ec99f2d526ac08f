"""Reading the TOML files that users write: what is wrong is told with file, line and key, and what is allowed."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simcore.errors import InputError, unknown

MAX_BYTES = 1_000_000
_HEADER = re.compile(r"\s*(\[\[?)([^\]]+)\]")
_KEY = re.compile(r"""\s*["']?([A-Za-z0-9_-]+)["']?\s*(?:\.|=)""")
_TRIPLE = re.compile(r'"""|' + "'''")


class BadKey(InputError):
    """A key of a table is wrong.

    Attributes
    ----------
    key, detail : str
        Which, and the message without the place.
    """

    def __init__(self, key: str, detail: str, where: str = "") -> None:
        super().__init__(f"{where}: {detail}" if where else detail)
        self.key = key
        self.detail = detail


@dataclass(frozen=True)
class TomlFile:
    """A TOML file with its text, so that what is wrong in it can be found again."""

    path: Path
    text: str
    data: dict[str, Any]

    def place(self, table: str, number: int = 1, key: str = "") -> str:
        """``file:line`` of a key in the `number`-th table of that name; of the table's head if the key is not there."""
        line = self.line_of(table, number, key)
        return f"{self.path}:{line}" if line else str(self.path)

    def line_of(self, table: str, number: int = 1, key: str = "") -> int | None:
        """Line (from 1) of a key, or of a table inside the table; None if not even the table's head is found."""
        head = None
        for line, header, nth, name in self._lines():
            inside = header.partition(".")[0] == table and nth == number
            if not inside:
                continue
            head = head or line
            if key and key in (name, header.partition(".")[2].partition(".")[0]):
                return line
        return head

    def _lines(self) -> Iterator[tuple[int, str, int, str]]:
        """Line, the table it stands in, which of its name that is, and the key that begins there."""
        header, counts, in_text = "", {"": 1}, False
        for line, text in enumerate(self.text.split("\n"), 1):
            outside = not in_text
            in_text ^= len(_TRIPLE.findall(text)) % 2 == 1
            if not outside:
                continue
            match = _HEADER.match(text)
            if match:
                header = ".".join(part.strip().strip("\"'") for part in match[2].split("."))
                if match[1] == "[[" or header not in counts:
                    counts[header] = counts.get(header, 0) + 1
            key = None if match else _KEY.match(text)
            yield line, header, counts.get(header.partition(".")[0], 1), key[1] if key else ""


def read_toml(path: Path, what: str) -> TomlFile:
    """Read a TOML file; raise `InputError` naming the file, and the line where it is not TOML."""
    try:
        data = path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: of a name that no file can have
        raise InputError(f"{path}: this {what} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(data) > MAX_BYTES:
        raise InputError(f"{path}: {len(data)} bytes are too many for a {what}; at most {MAX_BYTES}")
    try:
        text = data.decode("utf-8-sig")  # some editors begin a file with a mark that is no part of TOML
        return TomlFile(path, text, tomllib.loads(text, parse_float=_number))
    except UnicodeDecodeError:
        raise InputError(f"{path}: not text in UTF-8") from None
    except RecursionError:
        raise InputError(f"{path}: nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path}: not TOML: {error}") from None


def _number(text: str) -> int | float:
    """A number with a point or a power of ten; ``1e5`` is a whole number, as on the command line."""
    value = float(text)
    return int(value) if "e" in text.lower() and value.is_integer() and abs(value) <= 2**53 else value


def load_toml(path: Path, what: str) -> dict[str, Any]:
    """The data of a TOML file; errors as of `read_toml`."""
    return read_toml(path, what).data


def checked(table: Mapping[str, Any], allowed: Mapping[str, Any], where: str = "") -> Mapping[str, Any]:
    """Return `table` if its keys and types are allowed; raise `BadKey` naming the key."""
    for key, value in table.items():
        if key not in allowed:
            raise BadKey(key, str(unknown("key", key, allowed)), where)
        kinds = allowed[key] if isinstance(allowed[key], tuple) else (allowed[key],)
        numeric = (int,) if float in kinds else ()
        if not isinstance(value, kinds + numeric) or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join(_TYPES.get(kind, kind.__name__) for kind in kinds)
            raise BadKey(
                key, f"key {key!r} must be {names}, not {_TYPES.get(type(value), type(value).__name__)}", where
            )
        if value in ("", [], {}) or (isinstance(value, str) and not value.strip()):
            raise BadKey(key, f"key {key!r} is empty", where)
    return table


_TYPES: dict[type, str] = {
    str: "a text in quotes",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
