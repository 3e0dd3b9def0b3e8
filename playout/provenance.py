"""Where a run comes from: the versions, the commit and the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

import playout
from playout.text.numbers import counted


@dataclass(frozen=True)
class Provenance:
    """What is stored with a run so that it can be understood later."""

    python: str
    numba: str
    git_commit: str  # of the package's own checkout, "+" behind it if files were changed; or ""
    machine: str

    @classmethod
    @cache
    def here(cls) -> Provenance:
        """Of this process."""
        return cls(platform.python_version(), version("numba"), _commit(), machine())


def machine() -> str:
    """The processor, the cores that may be used, and the system."""
    return f"{_processor()}, {counted(cores(), 'core')}, {platform.system()} {platform.machine()}"


def cores() -> int:
    """How many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text("utf-8", "replace").splitlines():
            if line.startswith("model name"):
                return " ".join(line.partition(":")[2].split())
    return platform.processor() or "unknown processor"


def _commit() -> str:
    """The commit of the checkout that the package is run from; empty if it is installed."""
    folder = Path(playout.__file__).resolve().parent.parent
    if not (folder / ".git").exists():
        return ""
    try:
        commit = _git(folder, "rev-parse", "--short=12", "HEAD").strip()
        changed = _git(folder, "status", "--porcelain", "--untracked-files=no").strip()
    except (OSError, subprocess.SubprocessError):
        return ""
    return f"{commit}+" if changed else commit


def _git(folder: Path, *words: str) -> str:
    return subprocess.run(
        ["git", "-C", str(folder), *words], capture_output=True, text=True, check=True, timeout=10
    ).stdout
