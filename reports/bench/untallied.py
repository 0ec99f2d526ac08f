"""Bank's kernel compiled once more with nothing in the place of its tallying."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from collections.abc import Callable, Collection
from types import FunctionType
from typing import Any

import numba

from reports.bench.kernels import Play
from reports.bench.lines import NotMeasured
from simcore.games.bank import kernel

COUNTING = ("count_round", "count_game")
ADDING = "tally_game"
FLOW = ("laid", "draws", "skips", "captures")
"""Counts that are kept while playing; the same in both kernels if both play the same games."""


def _nothing(*arguments: Any) -> None:
    """Stands for a function that only counts."""


def _users(names: Collection[str]) -> list[str]:
    """Compiled functions of the kernel's module that call any of `names`, directly or not; callers last."""
    compiled = {n: f for n, f in vars(kernel).items() if getattr(f, "py_func", None)}
    found: list[str] = []
    while more := [
        n
        for n, f in compiled.items()
        if n not in (*found, *names) and {*found, *names} & set(f.py_func.__code__.co_names)
    ]:
        found += more
    return found


def _compiled_without(names: Collection[str]) -> Callable[..., None]:
    """The kernel with `_nothing` for the functions `names`, compiled by its first call and not kept."""
    space = {**vars(kernel), **dict.fromkeys(names, numba.njit(nogil=True)(_nothing))}
    for name in _users(names):
        old = getattr(kernel, name)
        options = {key: value for key, value in old.targetoptions.items() if key in ("nogil", "forceinline", "_nrt")}
        code = FunctionType(old.py_func.__code__, space, name, old.py_func.__defaults__, old.py_func.__closure__)
        space[name] = numba.njit(**options)(code)
    found: Callable[..., None] = space["play_shard"]
    return found


def without(bank: Play) -> Callable[..., None]:
    """The kernel without tallying.

    Raises
    ------
    NotMeasured
        If functions of these names are not there, or the games come out otherwise without them.
    """
    missing = [name for name in (*COUNTING, ADDING) if not hasattr(kernel, name)]
    if missing or not hasattr(kernel.play_shard, "py_func"):
        raise NotMeasured(f"the kernel of bank has no compiled function {', '.join(missing) or 'play_shard'}")
    whole, uncounted = bank.counts(200), bank.counts(200, _compiled_without(COUNTING))
    if any(whole[name] != uncounted[name] for name in FLOW):
        raise NotMeasured("the kernel of bank plays other games without its tallying")
    bare = _compiled_without((*COUNTING, ADDING))
    bank.counts(1, bare)
    return bare
