"""Names of compiled functions that are unique across processes.

Numba names a function by its Python name, a number counted from 1 in each process, and its argument
types, in which a record stands as another such number. Two processes therefore give the same name
to different code, and when a third loads both from the disk cache, the linker takes the first for
both, without a word. Counting from a random number makes the names differ; a forked process, which
would go on from its parent's number as its brothers do, takes one of its own.
"""

from __future__ import annotations

import itertools
import os
import secrets

from numba.core.bytecode import FunctionIdentity


def make_names_unique() -> None:
    """To be called once, before anything is compiled."""
    _count_from_anywhere()
    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=_count_from_anywhere)


def _count_from_anywhere() -> None:
    FunctionIdentity._unique_ids = itertools.count(secrets.randbits(48))
