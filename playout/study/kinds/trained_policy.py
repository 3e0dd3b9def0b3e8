"""The trained policy of a run: which file it is, and how its network computes."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from playout.errors import DataError
from playout.text.input_files import MOST_UNPACKED, read_bytes


def model_file(name: str | None, problem_name: str, problem: Any) -> Path:
    """The file of a run's policy, named or the package's own; DataError how to come by one."""
    from playout.learn.networks.find_model import find_model

    if name:
        return Path(name)
    try:
        return find_model(problem)
    except DataError:
        size = "x".join(str(number) for number in problem.plane_shape[:0:-1])
        raise DataError(
            f"the package has no trained policy for {problem_name} {size}: train one (playout "
            f"train {problem_name}:{size} --out FILE) and name it with --model FILE"
        ) from None


def digest_of_model(path: Path) -> str:
    """A digest of a policy: runs with another are kept apart."""
    try:
        return hashlib.blake2b(read_bytes(path, MOST_UNPACKED), digest_size=12).hexdigest()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None


def use_threads(threads: int) -> None:
    """A worker is one of several: its networks compute in so many threads on the CPU."""
    from playout.learn.networks.torch_device import need_torch

    need_torch().set_num_threads(threads)
