"""What numbers of speed must be read with: the machine, its load, and the versions of what was measured."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path

from simcore.batch import default_threads, kozyr_version

ROOT = Path(__file__).resolve().parent.parent.parent
"""The clone, or the folder that the packages are installed in."""


def first_line(*command: str) -> str:
    """The first line that a command prints; an empty text if it is not there or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout else ""


def processor() -> str:
    """The name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    found = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return found or platform.processor() or platform.machine()


def load() -> str:
    """Load averages over 1, 5 and 15 minutes."""
    return " ".join(f"{value:.2f}" for value in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"


def compiler() -> str:
    """The system's C compiler; an empty text if there is none."""
    return shutil.which(os.environ.get("CC") or "cc") or ""


def commit() -> str:
    """The commit of a clone, marked if files differ from it; an empty text elsewhere."""
    if not (ROOT / ".git").exists():
        return ""
    found = first_line("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
    changed = first_line("git", "-C", str(ROOT), "status", "--porcelain", "--untracked-files=no")
    return f"{found} with changes" if found and changed else found


def describe() -> dict[str, str]:
    """Machine and versions, by name."""
    import llvmlite.binding
    import numba
    import numpy

    cc = compiler()
    found = {
        "processor": processor(),
        "cores": f"{default_threads()} of {os.cpu_count()}",
        "load at the start": load(),
        "system": f"{platform.system()} {platform.machine()}",
        "Python": platform.python_version(),
        "numba": numba.__version__,
        "LLVM": ".".join(map(str, llvmlite.binding.llvm_version_info)),
        "numpy": numpy.__version__,
        "C compiler": first_line(cc, "--version") if cc else "none",
        "Kozyr": kozyr_version(),
    }
    at = commit()
    return {**found, "commit": at} if at else found
