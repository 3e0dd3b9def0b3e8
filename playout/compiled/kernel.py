"""`kernel` and `helper`: the two ways in which this package compiles a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba import njit
from numba.extending import register_jitable

from playout.compiled.cache import DiskCache
from playout.compiled.checked import CHECKED, check_everything
from playout.compiled.linking import link_before_optimising
from playout.compiled.numba_costs import save_costs
from playout.compiled.symbols import make_names_unique

make_names_unique()
link_before_optimising()
save_costs()

if CHECKED:
    check_everything()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile an entry point: no GIL held, machine code kept on disk.

    The plain Python function stays available as `.py_func`, which is how a search runs
    interpreted.
    """
    dispatcher = njit(nogil=True, no_cfunc_wrapper=True)(function)
    dispatcher._cache = DiskCache(function)
    return dispatcher


def helper(function: Callable[..., Any]) -> Any:
    """Let compiled code call a small function, which stays plain Python to Python."""
    return register_jitable(no_cfunc_wrapper=True)(function)
