"""Scores of finished states that `evaluate` has given before: a state is not evaluated twice.

Games that end in the same state, bytes for bytes, have the same score. Searches come back to good
states again and again, and an objective in plain Python may take long. The first states that come
back are evaluated all the same: if their scores differ, the objective is not repeatable, which is
said once, and every state is evaluated from then on. One that says so (`noisy`) is always asked.
"""

from __future__ import annotations

import threading
import time
import warnings
from collections.abc import Callable, Sequence

import numpy as np

from playout.contract.evaluated import as_scores

CHECKS = 5  # states that come back and are evaluated all the same
MOST_BYTES = 1 << 28  # of states that are remembered
OVERHEAD = 150  # bytes of a dictionary for each of them


class NotRepeatableWarning(UserWarning):
    """An objective that gave two scores for one state."""


class KnownScores:
    """What is known of a problem's states."""

    def __init__(
        self,
        evaluate: Callable[[np.ndarray], Sequence[float]],
        name: str,
        noisy: bool = False,
        sign: float = 1.0,  # -1 where the searches' scores are minus costs
    ) -> None:
        self._evaluate, self._name, self._sign = evaluate, name, sign
        self._known: dict[bytes, float] = {}
        self._checks = CHECKS
        self._repeatable = not noisy
        self._lock = threading.Lock()  # of the counts: threads share out a batch
        self.evaluations = 0
        self.repeated = 0
        self.seconds = 0.0  # in evaluate

    def scores(self, states: np.ndarray) -> np.ndarray:
        """The score of each state."""
        if not self._repeatable:
            return self._ask(states)
        keys = [state.tobytes() for state in states]
        self._check([i for i, key in enumerate(keys) if key in self._known], states, keys)
        fresh = {key: i for i, key in enumerate(keys) if key not in self._known}
        found = {key: self._known[key] for key in keys if key in self._known}
        if fresh:
            new = self._ask(states[list(fresh.values())])
            found.update(zip(fresh, map(float, new), strict=True))
            room = MOST_BYTES // (states.itemsize + OVERHEAD)
            if len(self._known) < room:
                self._known.update((key, found[key]) for key in fresh)
        with self._lock:
            self.repeated += len(keys) - len(fresh)
        return np.array([found[key] for key in keys])

    def _check(self, again: list[int], states: np.ndarray, keys: list[bytes]) -> None:
        """Evaluate a state that comes back, a few times in a run."""
        if not again or self._checks == 0:
            return
        self._checks -= 1
        first = again[0]
        before, now = self._known[keys[first]], float(self._ask(states[first : first + 1])[0])
        if before != now and not (np.isnan(before) and np.isnan(now)):
            self._repeatable = False
            self._known.clear()
            gave, then = self._sign * before + 0.0, self._sign * now + 0.0  # no cost is minus 0
            warnings.warn(
                f"{self._name}.evaluate gave {gave:.10g} and {then:.10g} for one state: it is not "
                "repeatable, so every game is evaluated and the best score may be a lucky one "
                "(noisy = True on the class says that it is meant so)",
                NotRepeatableWarning,
                stacklevel=2,
            )

    def _ask(self, states: np.ndarray) -> np.ndarray:
        start = time.perf_counter()
        scores = self._evaluate(states)
        with self._lock:
            self.evaluations += len(states)
            self.seconds += time.perf_counter() - start
        return as_scores(self._name, states, scores)
