"""Single pictures as files, beside the tables that a command keeps."""

from __future__ import annotations

from pathlib import Path

from reports import console
from reports.figures import style
from reports.parts import Panel
from simcore.errors import RunError
from simcore.runfolder import write_aside


def save_panel(panel: Panel, path: Path) -> None:
    """Draw a panel into an SVG file, aside and renamed, and say so; raise `RunError` if it cannot be written."""
    with style.styled():
        svg = style.raw_svg(panel.draw())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RunError(f"{path.parent}: cannot be made: {error.strerror or error}") from error
    write_aside(path, style.file_svg(svg, panel.alt).encode())
    console.tell(str(path))
