"""What all pictures share: colours, line styles, sizes, and the way from a matplotlib figure to SVG or PNG.

Colours are from Okabe and Ito (2008), safe for colour-blind readers; each series also has a dash and a marker of its own, so
that a page printed in grey can be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from html import escape
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from reports.figures.slim import slim

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WIDTH = 4.8
"""Inches; a panel's text is then legible at the width of a phone."""

INK, FAINT, GRID, PAPER = "#1f2328", "#8a9199", "#d5d9de", "#fefefe"
SERIES = ("#0072b2", "#d55e00", "#009e73", "#aa4499", "#b8860b", "#4a90c2", "#6b4c9a", "#5c6670")
DASHES: tuple[tuple[float, ...], ...] = ((), (5, 1.6), (1.6, 1.4), (6, 1.5, 1.5, 1.5), (9, 2), (3, 1, 1, 1, 1, 1))
MARKERS = ("o", "^", "s", "D", "v", "P", "X", "p")
LINE = 0.165
"""Inches from line to line of a folded title."""
OVERLAY = 5
"""So many variants share one drawing; more get small multiples."""
DRAWN = 24
"""So many variants are drawn at most; tables have all."""

_VARIABLES = {INK: "ink", FAINT: "faint", GRID: "grid", PAPER: "paper"} | {
    colour: f"c{i}" for i, colour in enumerate(SERIES)
}
_STYLE = Path(__file__).with_name("kozyr.mplstyle")
_TAG = re.compile(r"<[^>]+>")
_COLOUR = re.compile("|".join(_VARIABLES))
_HEAD = re.compile(r"<svg\b[^>]*>")
_VIEW = re.compile(r'viewBox="[0-9. ]+"')
_METADATA = re.compile(r"<metadata>.*?</metadata>\s*", re.DOTALL)
_GROUP = re.compile(r'<g id="[^"]*"')
_DIGITS = re.compile(r"(\d\.\d{2})\d+")
_COMMENT = re.compile(r"<!--.*?-->\s*", re.DOTALL)


@dataclass(frozen=True)
class Series:
    """How one of several variants is drawn."""

    colour: str
    dashes: tuple[float, ...]
    marker: str


def series(i: int) -> Series:
    """The look of the i-th of several."""
    return Series(SERIES[i % len(SERIES)], DASHES[i % len(DASHES)], MARKERS[i % len(MARKERS)])


@contextmanager
def styled() -> Iterator[None]:
    """Matplotlib with the shared style, and nothing of the user's own."""
    import matplotlib as mpl

    with mpl.rc_context(), mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(mpl.rc_params_from_file(str(_STYLE), use_default_template=False))
        yield


def blank(height: float, left: float = 0.12, bottom: float = 0.5, top: float = 0.1) -> tuple[Figure, Axes]:
    """A figure of the shared width with one pair of axes; margins in inches. Use inside `styled`."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(WIDTH, height))
    axes = figure.add_axes((left / WIDTH, bottom / height, (WIDTH - left - 0.12) / WIDTH, 1 - (bottom + top) / height))
    return figure, axes


def grid_of(
    n: int, row_height: float = 1.25, titles: Sequence[str] = (), foot: float = 0.45
) -> tuple[Figure, list[Axes]]:
    """A figure with n small axes in two columns, sharing both scales, with their titles folded; `foot` inches below all."""
    from matplotlib.figure import Figure

    rows = -(-n // 2)
    told = [folded(title) for title in titles]
    head = 0.42 + LINE * max((title.count("\n") for title in told), default=0)
    row_height += head - 0.42
    height = rows * row_height + foot
    figure = Figure(figsize=(WIDTH, height))
    made: list[Axes] = []
    for i in range(n):
        left = 0.09 + 0.48 * (i % 2)
        bottom = 1 - ((i // 2 + 1) * row_height - 0.1) / height
        first = made[0] if made else None
        made.append(figure.add_axes((left, bottom, 0.41, (row_height - head) / height), sharex=first, sharey=first))
    for axes, title in zip(made, told, strict=False):
        axes.set_title(title, loc="left", pad=3, fontsize=10, linespacing=1.1)
    return figure, made


def shorten(label: str, length: int = 34) -> str:
    """A label that fits into a drawing; the whole one stands in the tables."""
    return label if len(label) <= length else label[: length - 1] + "…"


def folded(label: str, width: int = 24, lines: int = 3) -> str:
    """A label in lines of `width` letters, broken after what parts a variant's name; what is too long for them is cut."""
    made = [""]
    for piece in re.split(r"(?<=[;,/]) ?", label):
        joint = "" if made[-1].endswith("/") or not made[-1] else " "
        if made[-1] and len(made[-1]) + len(joint) + len(piece) > width and len(made) < lines:
            made.append(piece)
        else:
            made[-1] += joint + piece
    return "\n".join(shorten(line, width + 2) for line in made)


def name(axes: Axes, x: float, y: float, text: str, align: Literal["left", "right"] = "left") -> None:
    """Text at a row's height and a share of the width, on a patch of paper, so that lines do not run through it."""
    box = {"facecolor": PAPER, "edgecolor": "none", "alpha": 0.85, "pad": 1.0}
    across = axes.get_yaxis_transform()
    axes.text(x, y, text, transform=across, va="bottom", ha=align, clip_on=False, bbox=box, zorder=200)


def legend(axes: Axes, columns: int = 1) -> None:
    """The legend above the axes."""
    axes.legend(loc="lower left", bbox_to_anchor=(-0.02, 1.0), ncols=columns, borderaxespad=0, labelcolor=INK)


def spread(values: Sequence[float], room: float = 0.06) -> tuple[float, float]:
    """Limits that hold all finite values, with some room."""
    finite = [v for v in values if abs(v) < float("inf")]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    extra = (high - low) * room or abs(high) * room or 1.0
    return low - extra, high + extra


def raw_svg(figure: Figure) -> str:
    """The figure as matplotlib writes it, without date, comments, ids of groups, and digits that nobody sees."""
    buffer = StringIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    text = buffer.getvalue()
    text = _COMMENT.sub("", _METADATA.sub("", text[text.index("<svg") :]))
    text = _TAG.sub(lambda tag: _DIGITS.sub(r"\1", tag[0]), _GROUP.sub("<g", text))
    return slim(text, "system-ui, sans-serif")


def inline_svg(svg: str, prefix: str, alt: str) -> str:
    """A `raw_svg` for a page: its colours are the page's, its ids its own, and it scales with the page."""
    head = _HEAD.search(svg)
    view = _VIEW.search(svg)
    if head is None or view is None:
        raise ValueError("matplotlib wrote no svg element")
    opening = (
        f'<svg {view[0]} role="img" aria-label="{escape(alt)}" xmlns="http://www.w3.org/2000/svg"'
        ' xmlns:xlink="http://www.w3.org/1999/xlink">'
    )

    def adapt(match: re.Match[str]) -> str:
        tag = re.sub(r'\bid="', f'id="{prefix}-', match[0])
        tag = tag.replace('href="#', f'href="#{prefix}-').replace("url(#", f"url(#{prefix}-")
        return _COLOUR.sub(lambda m: f"var(--{_VARIABLES[m[0]]})", tag)

    return opening + _TAG.sub(adapt, svg[head.end() :])


def file_svg(svg: str, alt: str) -> str:
    """A `raw_svg` as a file of its own, on white."""
    end = svg.index(">") + 1
    paper = '<rect width="100%" height="100%" fill="#ffffff"/>'
    return f"{svg[:end]}<title>{escape(alt)}</title>{paper}{svg[end:]}"


def png(figure: Figure) -> bytes:
    """The figure as a bitmap on white."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", facecolor="white", transparent=False)
    return buffer.getvalue()
