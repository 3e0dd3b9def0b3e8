"""The bridge to Numba: the one folder that knows Numba's extension API.

Everything above it is plain Python classes and functions. `Compiled` lets a kernel
call the methods of an ordinary object, `kernel` compiles a function with a disk cache
that cannot be stale, and the other modules hold what every search needs at machine
level: random numbers, `exp`, hashes of records, atomics.
"""

from playout.compiled.bridge import Compiled
from playout.compiled.cache import cache_folder
from playout.compiled.compile_errors import CompileError, friendly
from playout.compiled.digest import digest_of_class
from playout.compiled.kernel import helper, kernel
from playout.compiled.processor import restrict_features
from playout.compiled.records import copy_record, hash_record, in_place, record, same_record
from playout.compiled.wrapping import wrapping

restrict_features()  # before anything is compiled

__all__ = [
    "CompileError",
    "Compiled",
    "cache_folder",
    "copy_record",
    "digest_of_class",
    "friendly",
    "hash_record",
    "helper",
    "in_place",
    "kernel",
    "record",
    "same_record",
    "wrapping",
]
