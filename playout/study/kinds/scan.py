"""A figure of zoNNscan on classifiers that are trained first."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import Any, ClassVar

from playout.errors import OptionError, nearest
from playout.study.kinds.kind import Budget, Kind, Over, looking
from playout.study.kinds.trained_policy import use_threads
from playout.study.store.row import Row

KNOWN = {
    "classifier": ("mlp", "cnn", "irnn"),
    "what": ("accuracy", "index", "ordinary", "corner", "corner-p", "mark-p"),
}


@dataclass(frozen=True)
class Scan(Kind):
    """A figure of zoNNscan on classifiers of images, which are trained first; see docs/zonnscan.md.

    The budget, in playouts, is how many inputs of each zone are drawn.
    """

    data: str
    classifier: str
    what: str
    radius: float = 0.0

    kind: ClassVar[str] = "scan"
    counts: ClassVar[str] = "samples"

    def where(self) -> str:
        """The images."""
        return f"images {self.data}"

    def key(self) -> str:
        how = f" at {self.radius:g}" if self.what == "index" else ""
        return f"{self.where()} | {self.classifier} | {self.what}{how}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each number of samples is a figure of its own."""
        return f"{self.key()} | {budget:g} samples"

    def check(self) -> None:
        for name, values in KNOWN.items():
            value = getattr(self, name)
            if value not in values:
                raise OptionError(f"{name} {value!r}; {nearest(value, values)}")

    def load(self) -> Any:
        from playout.zonnscan.images import load_images

        return load_images(self.data)

    def code(self, problem: Any) -> str:
        return hashlib.blake2b(problem.test.tobytes(), digest_size=12).hexdigest()

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        use_threads(1)
        from playout.zonnscan.uses import measure

        began, samples = time.perf_counter(), int(budget.amount)
        figure = measure(
            self.data,
            self.classifier,
            self.what,
            samples,
            seed,
            radius=self.radius,
            look=looking(over),
        )
        return Row(
            problem=self.data,
            algorithm=f"zonnscan {self.what} {self.classifier}",
            options={"kind": self.kind, "radius": self.radius},
            score=figure,
            playouts=samples,
            seconds=time.perf_counter() - began,
        )
