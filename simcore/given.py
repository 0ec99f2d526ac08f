"""Whether what a Python caller gave is of a kind that can be used; what the values mean is seen to elsewhere."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from simcore.errors import InputError


def refuse(what: str, value: object, allowed: str) -> InputError:
    """Build the error for a value of a kind that cannot be used."""
    return InputError(f"{what} = {value!r} is not allowed; allowed: {allowed}")


def text(value: Any, what: str) -> str:
    """Return a text as it is; raise `InputError` naming `what` for anything else."""
    if not isinstance(value, str):
        raise refuse(what, value, "a text")
    return value


def texts(value: Any, what: str) -> list[str]:
    """Return texts as a list, where one may come bare; raise `InputError` for anything else."""
    if isinstance(value, str):
        return [value]
    if not isinstance(value, Sequence) or not all(isinstance(each, str) for each in value):
        raise refuse(what, value, "a text, or a list of texts")
    return list(value)


def mapping(value: Any, what: str, example: str) -> Mapping[str, Any]:
    """Return a mapping as it is, an empty one for None; raise `InputError` for anything else."""
    if value is None:
        return {}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise refuse(what, value, f"a mapping such as {example}")
    return value


def path(value: Any, what: str) -> str | Path:
    """Return a path, or a text that names one or is a URL; raise `InputError` for anything else."""
    if isinstance(value, str):
        return value
    if not isinstance(value, os.PathLike):
        raise refuse(what, value, "a path, or a URL as a text")
    return value if isinstance(value, Path) else Path(value)
