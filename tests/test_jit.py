"""How kernels are compiled: parts, entry points, and what the compiler is told beside the code."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from numba.core.errors import TypingError

from simcore.hints import out_of_line, rarely
from simcore.jit import bare, compiled, entry, fixed_tuple, inlined, is_compiled, part, rebound

needs_compiler = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="the compiler is off")


def twice(x):
    """Twice `x`."""
    return 2 * x


doubled = part(twice)


@pytest.mark.parametrize("decorator", [part, bare, inlined])
def test_parts_are_plain_in_python_and_machine_code_in_kernels(decorator) -> None:
    """And give the same."""

    def triple(x):
        return doubled(x) + x

    made = decorator(triple)
    assert made is triple
    assert made(7) == compiled(made)(7) == 21


def test_a_part_can_be_bound_to_other_names() -> None:
    """It looks them up there, and the first one is as it was."""
    again = rebound(calls_doubled, {**globals(), "doubled": part(lambda x: -x)})
    assert compiled(again)(5) == again(5) == -5
    assert compiled(calls_doubled)(5) == calls_doubled(5) == 10


@inlined
def calls_doubled(x):
    """Twice `x`, by another part."""
    return doubled(x)


@needs_compiler
def test_an_entry_is_compiled_when_what_it_calls_is() -> None:
    """Several entries share one machine code."""
    shared = numba.njit(twice)
    other = entry(shared)(lambda x: shared(x))
    assert not is_compiled(other)
    assert other(2) == 4
    assert is_compiled(other)


@bare
def _classify(x, limit):
    out_of_line()
    if rarely(x > limit):
        return 1
    return 0


def test_what_happens_rarely_happens_all_the_same() -> None:
    """The hint changes speed, not results."""
    classify = compiled(_classify)
    assert [classify(x, 3) for x in range(6)] == [_classify(x, 3) for x in range(6)] == [0, 0, 0, 0, 1, 1]


@part
def _first_three(array):
    return fixed_tuple(array, 3)


def test_fixed_tuple_reads_the_first_entries() -> None:
    """Of contiguous arrays."""
    assert tuple(compiled(_first_three)(np.arange(5))) == (0, 1, 2)


@needs_compiler
def test_fixed_tuple_refuses_arrays_with_gaps() -> None:
    """It would read what lies between."""
    with pytest.raises(TypingError):
        compiled(_first_three)(np.arange(10)[::2])


BOUNDS = """
import numpy as np
from simcore.jit import bare, compiled, inlined, part

for decorator in (part, bare, inlined):
    try:
        compiled(decorator(lambda array, at: array[at]))(np.zeros(3), 5)
    except IndexError:
        print("IndexError")
"""


def test_bounds_are_checked_in_all_parts_when_asked() -> None:
    """Or else a run with NUMBA_BOUNDSCHECK=1 would find nothing."""
    environment = os.environ | {"NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(Path(__file__).parents[1])}
    run = subprocess.run([sys.executable, "-c", BOUNDS], env=environment, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["IndexError"] * 3
