"""Imported first: who presses Ctrl-C while the commands are still being read is told in a line, as later on."""

from __future__ import annotations

import sys
from types import TracebackType

_otherwise = sys.excepthook


def _tell(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.stderr.write("kozyr: interrupted\n")
    else:
        _otherwise(kind, error, trace)


sys.excepthook = _tell
