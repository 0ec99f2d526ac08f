"""Makes matplotlib's SVG smaller without changing what is seen: a report holds hundreds of drawings."""

from __future__ import annotations

import re

_TAG = re.compile(r"<[^>]+>")
_PATH = re.compile(r'(?<=\bd=")[^"]*(?=")')
_STEP = re.compile(r"([A-Za-z])([^A-Za-z]*)")
_INVISIBLE = re.compile(r'<path d="[^"]*" style="fill: none"/>\s*')
_UNTURNED = re.compile(r' transform="rotate\(-?0(?: [-0-9.]+ [-0-9.]+)?\)"')
_TAGS_OF_GROUPS = re.compile(r"<g>|<g[ /][^>]*>|</g>")
_FAMILY = re.compile(r"font-family: [^;\"]+; ")
_STYLE = re.compile(r'(?<=style=")[^"]*(?=")')
_BETWEEN = re.compile(r">\s+<")


def slim(svg: str, family: str) -> str:
    """An SVG document without what nobody sees: unseen paths, groups that say nothing, blanks, turns by nothing.

    Parameters
    ----------
    svg : str
    family : str
        Fonts of all lettering, told once.
    """
    text = _UNTURNED.sub("", _INVISIBLE.sub("", svg))
    text = _TAG.sub(lambda tag: _without_family(_short_path(tag[0])), text)
    text = text.replace("<svg", f'<svg font-family="{family}"', 1)
    return _BETWEEN.sub("><", _without_bare_groups(text))


def _without_family(tag: str) -> str:
    if tag.startswith("<text"):
        tag = _FAMILY.sub("", tag)
    return _STYLE.sub(lambda style: style[0].replace(": ", ":").replace("; ", ";"), tag)


def _short_path(tag: str) -> str:
    return _PATH.sub(lambda found: short_path(found[0]), tag) if tag.startswith("<path") else tag


def short_path(path: str) -> str:
    """The same path with ``H`` and ``V`` for what runs along or up, and without blanks that part nothing.

    >>> short_path("M 1 2 L 3 2 L 3 5 z")
    'M1 2H3V5z'
    """
    made, at = [], ("", "")
    for command, numbers in _STEP.findall(path):
        found = numbers.split()
        if command == "L" and len(found) == 2 and found[1] == at[1]:
            made.append(f"H{found[0]}")
        elif command == "L" and len(found) == 2 and found[0] == at[0]:
            made.append(f"V{found[1]}")
        else:
            made.append(command + " ".join(found))
        at = (found[-2], found[-1]) if len(found) > 1 else ("", "")
    return "".join(made)


def _without_bare_groups(svg: str) -> str:
    """Without groups that have no attribute, whose content stays, and without empty ones."""
    kept: list[bool] = []

    def judge(tag: re.Match[str]) -> str:
        if tag[0].startswith("</"):
            return tag[0] if kept.pop() else ""
        bare = tag[0] in ("<g>", "<g/>")
        if not tag[0].endswith("/>"):
            kept.append(not bare)
        return "" if bare else tag[0]

    return _TAGS_OF_GROUPS.sub(judge, svg)
