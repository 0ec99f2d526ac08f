"""The one place that sets how kernels are compiled and where their machine code is kept."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar, cast

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, register_jitable
from numba.np.arrayobj import make_array

from simcore.sources import sources_hash

F = TypeVar("F", bound=Callable[..., Any])
_LOG = logging.getLogger("kozyr")
_njit: Any = numba.njit  # which takes more options than its types say
_jitable: Any = register_jitable
_array_struct: Any = make_array
_types: Any = types


def _config(name: str) -> Any:
    """A setting of numba, from its environment variable; most are not in the typed part of `numba.config`."""
    return getattr(numba.config, name)


def cache_root() -> Path:
    """Folder of all compile caches: ``$KOZYR_CACHE_DIR``, or ``kozyr`` in the user's cache folder."""
    given = os.environ.get("KOZYR_CACHE_DIR")
    if given:
        return Path(given)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "kozyr"


def cache_dir(module: str) -> Path:
    """Folder of the machine code of a module: of exactly its sources and this numba, with or without bounds checks.

    numba itself watches only the file that a cached function stands in; an edit in an imported file would give stale results.
    """
    bounds = "-bounds" if _config("BOUNDSCHECK") else ""
    return cache_root() / f"numba-{numba.__version__}-{sources_hash(module)}{bounds}"


def _writable(path: Path) -> bool:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(path, os.W_OK)


def kernel(function: F) -> F:
    """Compile an entry point of a kernel: without the interpreter lock, kept on disk where that can be written."""
    if _config("DISABLE_JIT"):
        return _wrapping(function)
    folder = cache_dir(function.__module__)
    cached = _writable(folder)
    if cached:
        setattr(numba.config, "CACHE_DIR", str(folder))  # noqa: B010 - it is not in the typed part of numba.config
    dispatcher = _njit(nogil=True, cache=cached, error_model="numpy", no_cfunc_wrapper=True)(function)
    _excuse(getattr(dispatcher, "_cache", None))
    return cast(F, dispatcher)


def _wrapping(function: F) -> F:
    """Plain Python in place of machine code: numpy warns where that wraps around, as streams of random numbers want it."""
    return np.errstate(over="ignore")(function)


def _excuse(cache: Any) -> None:
    """Let a cache that cannot be written (a full disk), or read (a file cut short by a crash), cost time and nothing else."""
    if not hasattr(cache, "load_overload") or not hasattr(cache, "save_overload"):
        return
    load, save = cache.load_overload, cache.save_overload

    def load_overload(*arguments: Any) -> Any:
        try:
            return load(*arguments)
        except Exception as error:  # noqa: BLE001 - what a damaged pickle raises can be anything
            _LOG.info("machine code in %s cannot be read (%r) and is compiled again", cache.cache_path, error)
            with suppress(OSError):
                cache.flush()
            return None

    def save_overload(*arguments: Any) -> None:
        try:
            save(*arguments)
        except OSError as error:
            _LOG.info("machine code cannot be kept in %s: %s", cache.cache_path, error.strerror or error)

    cache.load_overload, cache.save_overload = load_overload, save_overload


# What is not said here is taken over from the function whose compilation calls for this one: a function that happens to be
# called first by an inlined one would be inlined everywhere. From Python, parts are plain Python: compiled functions that Python
# can call too take twice as long to compile.
_PARTS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}


def part(function: F) -> F:
    """Compile a function that kernels call; it is kept inside its callers' machine code."""
    return cast(F, _marked(_jitable(**_PARTS, forceinline=False, _nrt=True)(function), part))


def bare(function: F) -> F:
    """Compile a part that makes no arrays: without counting references to those it is given, which can cost more than it does."""
    return cast(F, _marked(_jitable(**_PARTS, forceinline=False, _nrt=False)(function), bare))


def inlined(function: F) -> F:
    """Compile a `bare` part that the machine-code optimiser always puts into its callers: a small one, or one called once."""
    return cast(F, _marked(_jitable(**_PARTS, forceinline=True, _nrt=False)(function), inlined))


def _marked(function: Any, decorator: Callable[..., Any]) -> Any:
    function.decorator = decorator
    return function


def rebound(function: Callable[..., Any], names: dict[str, Any]) -> Callable[..., Any]:
    """A part (of an entry point: a part that does the same) that looks up what it calls in `names`, not in its module."""
    plain: Any = getattr(function, "py_func", function)
    again = FunctionType(plain.__code__, names, plain.__name__, plain.__defaults__, plain.__closure__)
    return cast(Callable[..., Any], getattr(plain, "decorator", part)(again))


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """A part as a function that Python can call and that runs as machine code, as tests want it."""
    if _config("DISABLE_JIT"):
        return _wrapping(function)
    return cast(Callable[..., Any], _njit(lambda *args: function(*args)))


def entry(compiled: Callable[..., None]) -> Callable[[F], F]:
    """Mark a plain function that only calls the kernel `compiled`, so that several entries share its machine code."""

    def mark(function: F) -> F:
        setattr(function, "compiled", compiled)  # noqa: B010 - functions have no such attribute in their type
        return function

    return mark


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether machine code for an entry point is at hand, in this process or on disk (True with the compiler off)."""
    function = getattr(function, "compiled", function)
    signatures = getattr(function, "signatures", None)
    if signatures is None:
        return True
    return bool(signatures) or any(cache_dir(function.__module__).rglob(f"*.{function.__name__}-*.nbi"))


def _read_tuple(array: Any, n: int) -> tuple[Any, ...]:
    return tuple(array[:n].tolist())


@intrinsic(prefer_literal=True)
def _load_tuple(typing_context: Any, array: Any, n: Any) -> Any:
    if not (isinstance(array, types.Array) and array.layout == "C" and isinstance(n, types.IntegerLiteral)):
        return None  # which the compiler reports as an error
    size = n.literal_value

    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        data = _array_struct(signature.args[0])(context, builder, args[0]).data
        entries = [builder.load(builder.gep(data, [ir.Constant(ir.IntType(64), i)])) for i in range(size)]
        return context.make_tuple(builder, signature.return_type, entries)

    return _types.UniTuple(array.dtype, size)(array, n), generate


fixed_tuple = _read_tuple if _config("DISABLE_JIT") else _load_tuple
"""The first `n` (a constant) entries of a contiguous array, which must have as many, as a tuple."""
