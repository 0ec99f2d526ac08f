"""Bank's kernel compiled once more with nothing in the place of its tallying."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from collections.abc import Callable, Collection

from reports.bench.kernels import Play
from reports.bench.lines import NotMeasured
from simcore.games.bank import kernel
from simcore.jit import bare, compiled, rebound

COUNTING = ("count_round", "count_game")
ADDING = "tally_game"
FLOW = ("skips", "captures", "lead_changes")
"""Counts that are kept while cards are played; the same in both kernels if both play the same games."""


@bare
def _nothing(*arguments):
    """Stand for a function that only counts."""


def _users(names: Collection[str]) -> list[str]:
    """Functions of the kernel's module that call any of `names`, directly or not; callers last."""
    found: list[str] = []
    plain = {name: getattr(f, "py_func", f) for name, f in vars(kernel).items() if callable(f)}
    codes = {name: f.__code__.co_names for name, f in plain.items() if getattr(f, "__module__", "") == kernel.__name__}
    while more := [
        name for name, called in codes.items() if name not in (*found, *names) and {*found, *names} & {*called}
    ]:
        found += more
    return found


def _compiled_without(names: Collection[str]) -> Callable[..., None]:
    """The kernel with `_nothing` for the functions `names`; compiled by its first call, and kept nowhere."""
    space = {**vars(kernel), **dict.fromkeys(names, _nothing)}
    for name in _users(names):
        if name != "play_shard":
            space[name] = rebound(getattr(kernel, name), space)
    play_games = compiled(space["play_games"])
    return lambda job, first, games, tally: play_games(job, first, games, tally, kernel.NO_LOG)


def without(bank: Play) -> Callable[..., None]:
    """The kernel without tallying.

    Raises
    ------
    NotMeasured
        If functions of these names are not there, or the games come out otherwise without them.
    """
    missing = [name for name in (*COUNTING, ADDING, "play_games") if not hasattr(kernel, name)]
    if missing:
        raise NotMeasured(f"the kernel of bank has no function {', '.join(missing)}")
    whole, uncounted = bank.counts(200), bank.counts(200, _compiled_without(COUNTING))
    if any(whole[name] != uncounted[name] for name in FLOW):
        raise NotMeasured("the kernel of bank plays other games without its tallying")
    bare_kernel = _compiled_without((*COUNTING, ADDING))
    bank.counts(1, bare_kernel)
    return bare_kernel
