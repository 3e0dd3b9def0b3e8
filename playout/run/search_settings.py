"""What a search is given beside its problem, its algorithm and when to stop. Checked here."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from playout.errors import OptionError
from playout.run.best_solutions import check_best
from playout.run.checkpoint import saved_seed

PARALLEL = ("root", "leaf", "processes")


@dataclass(frozen=True, kw_only=True)
class SearchSettings:
    """The settings of a search; `solve` says what each means."""

    seed: int | None = None
    workers: int = 1
    parallel: str = "root"
    compiled: bool = True
    open: bool = False
    checkpoint: str | Path | None = None
    checkpoint_every: float = 10.0
    instance: str = ""
    cluster: str | None = None
    start: Any = None
    bound: float | None = None
    best: int = 1

    @classmethod
    def among(cls, given: Mapping[str, Any]) -> tuple[SearchSettings, dict[str, Any]]:
        """The settings among keyword arguments, and the others."""
        known = {field.name for field in fields(cls)}
        mine = {name: value for name, value in given.items() if name in known}
        return cls(**mine), {name: given[name] for name in given if name not in known}

    def check_workers(self) -> None:
        """Refuse workers that nobody could have, or that could not share the search out."""
        workers, parallel = self.workers, self.parallel
        if not isinstance(workers, int) or not 1 <= workers <= 1024:
            raise OptionError(f"workers={workers!r}: a whole number from 1 to 1024")
        if parallel not in PARALLEL:
            raise OptionError(f"parallel={parallel!r}: one of {', '.join(PARALLEL)}")
        if self.cluster is not None and parallel != "root":
            raise OptionError(
                f"parallel={parallel!r} shares out one search among threads of one machine: on a "
                "cluster each worker has a search of its own, parallel='root'"
            )

    def check_best(self) -> None:
        """Refuse a number of solutions that cannot be kept."""
        check_best(self.best)
        if self.cluster is not None:
            raise OptionError("on a cluster a run keeps its best solution only: leave best out")

    def seed_or_drawn(self) -> int:
        """The seed that was given, that of the checkpoint to go on from, or one that is drawn."""
        seed: Any = self.seed
        if seed is None:
            path = None if self.checkpoint is None else Path(self.checkpoint)
            return saved_seed(path) if path and path.is_file() else secrets.randbits(31)
        if not hasattr(seed, "__index__") or isinstance(seed, bool) or not 0 <= int(seed) < 2**63:
            raise OptionError(f"seed={seed!r}: a whole number from 0 to 2^63 - 1")
        return int(seed)
