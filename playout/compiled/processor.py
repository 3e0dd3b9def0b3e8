"""What machine code may use: all that this processor has, but for what the compiler gets wrong.

From version 22 on LLVM may move a load that is under a condition below a store to the same place,
in a loop that it turns into AVX-512 instructions (llvm-project, issue 215453):

    for i in range(n):
        x = kind[i]
        if x == 0:
            x = a[i]
            a[i] = new
        total += x == 1

then counts what was written, not what was there. Without AVX-512 it does not, so code is compiled
without. NUMBA_CPU_FEATURES and NUMBA_ENABLE_AVX, if they are set, mean what they do to Numba.
"""

from __future__ import annotations

import warnings

from llvmlite.binding import llvm_version_info
from numba.core import config
from numba.core.codegen import get_host_cpu_features
from numba.core.registry import cpu_target

WRONG_FROM = 22  # the version of LLVM; none is known to be right again
WRONG = ("avx512", "avx10", "evex512")  # features that begin so


def restrict_features() -> None:
    """Let Numba compile without AVX-512 where LLVM would get it wrong."""
    if config.CPU_FEATURES is not None or llvm_version_info[0] < WRONG_FROM:
        return
    features = get_host_cpu_features()
    allowed = without_wrong(features)
    if allowed == features:
        return
    if "_toplevel_target_context" in vars(cpu_target):  # what it compiles for is settled
        warnings.warn(
            "Numba has compiled something before playout, so that it uses AVX-512, which this "
            "version of LLVM may get wrong: import playout.compiled before, or set "
            "NUMBA_ENABLE_AVX=0",
            stacklevel=2,
        )
        return
    config.CPU_FEATURES = allowed


def without_wrong(features: str) -> str:
    """The features, with those that are compiled wrongly off.

    >>> without_wrong("+avx2,+avx512f,-avx512fp16,+bmi")
    '+avx2,-avx512f,-avx512fp16,+bmi'
    """
    parts = features.split(",")
    return ",".join("-" + p[1:] if p[1:].startswith(WRONG) else p for p in parts)
