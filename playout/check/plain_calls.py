"""A problem's methods called as plain Python: what they return, change and raise is looked at."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

import numpy as np

from playout.check.trace import CannotGoOn, Findings
from playout.check.values import difference, same_bytes, shown
from playout.compiled.compile_errors import describe, user_place
from playout.contract.visible import Visible

WORD = 1 << 64
_NAMES = {"view", "seen", "code", "key"}  # of 64 bits
_NUMBER = int | float | np.number
# what NumPy says where a field of one number is taken for an array
_OF_NUMBERS = ("' object does not support item assignment", "invalid index to scalar variable")
# plain Python in any case, which may count or remember
_PLAIN = {"evaluate", "verify", *vars(Visible)}


def _alike(value: Any, again: Any) -> bool:
    """Whether two calls returned the same, be it a number or not; NaN is not like itself."""
    if isinstance(value, _NUMBER) and isinstance(again, _NUMBER):
        return bool(value == again)
    return value is again or np.array_equal(value, again)


class PlainCalls:
    """Calls methods; `where` says when, in what is found."""

    def __init__(self, problem: Any, findings: Findings) -> None:
        self.problem: Any = problem
        self.findings = findings
        self.name = type(problem).__name__
        self.where = "before the first game"
        self._own = self._attributes()

    def integer(self, name: str, states: np.ndarray, *rest: Any) -> int:
        value = self.twice(name, states, *rest)
        if not isinstance(value, int | np.integer) or isinstance(value, bool):
            self.stop(
                f"{name}() is not an integer", f"it returned {shown(value)}; a 64-bit int is due"
            )
        if not -(WORD >> 1) <= value < WORD:
            self.stop(
                f"{name}() has more than 64 bits",
                f"it returned {value}; put numbers together with playout.contract.stir, or compute "
                "with np.uint64, which wraps round",
            )
        return int(value) % WORD

    def twice(self, name: str, states: np.ndarray, *rest: Any) -> Any:
        value = self.call(name, states[0], *rest, keep=states)
        again = self.call(name, states.copy()[0], *rest)
        if not _alike(value, again) and _alike(value, value):
            self.add(
                f"{name}() is not the same each time",
                f"it returned {shown(value)} and then {shown(again)} for the same state",
            )
        return value

    def call(self, name: str, *args: Any, keep: np.ndarray | None = None) -> Any:
        """Call a method; `keep` is the state that it must not change."""
        before = keep.copy() if keep is not None else None
        method: Callable[..., Any] = getattr(self.problem, name)
        try:
            result = method(*args)
        except Exception as error:
            self._failed(name, error)
        if before is not None and keep is not None and before.tobytes() != keep.tobytes():
            self.add(
                f"{name}() changes the state",
                f"{difference(before, keep)}; only reset() and play() may change it",
            )
            keep[:] = before
        if self.where.startswith("game 1,"):
            self._check_own(name)
        return result

    def _failed(self, name: str, error: Exception) -> NoReturn:
        trace = error.__traceback__
        place = user_place(trace.tb_next if trace else None)
        if isinstance(error, NotImplementedError) and place is None:
            self.stop(f"{name}() is not implemented", f"{self.name} should define {name}()")
        what = f"{place}: {describe(error)}" if place else describe(error)
        if place and name == "evaluate" and isinstance(error, AttributeError):
            if isinstance(error.obj, np.ndarray):
                what += "; it gets an array of finished states: one score for each is due"
        if place and "random_" in place.line and "invalid index to scalar" in str(error):
            what += '; a random word is an array of one: luck=("u8", 1) in the record'
        elif place and any(said in str(error) for said in _OF_NUMBERS):
            what += '; a field is an array if its type has a shape, such as ("u8", 1)'
        if place and isinstance(error, OverflowError) and "out of bounds for" in str(error):
            what += (
                '; give the field a wider type, such as "i4", or, where numbers are made of it '
                "only, write int(...) around it"
            )
            if name in _NAMES:
                what += ", or put numbers together with playout.contract.stir"
        if place and name == "better" and "boolean subtract" in str(error):
            what = f"{place}: NumPy subtracts no truths: write 1 if a.score > b.score else -1"
        most = self.problem.max_moves
        if name == "moves" and isinstance(error, IndexError) and f"size {most}" in str(error):
            self.stop(
                "moves() fills more than max_moves",
                f"{what}; max_moves is {most}: make it the most moves that any state offers",
            )
        self.stop(f"{name}() fails", what)

    # the problem's own attributes

    def _attributes(self) -> dict[str, Any]:
        """What a method must leave alone: arrays and numbers."""
        return {
            name: value.copy() if isinstance(value, np.ndarray) else value
            for name, value in vars(self.problem).items()
            if isinstance(value, np.ndarray | int | float | np.generic)
        }

    def _check_own(self, method: str | None) -> None:
        if method in _PLAIN:
            self._own = self._attributes()
            return
        for name, value in self._own.items():
            now = getattr(self.problem, name, None)
            if isinstance(value, np.ndarray):
                same = isinstance(now, np.ndarray) and same_bytes(now, value)
            else:
                same = now is value or now == value or value != value
            if not same:
                self._own = self._attributes()
                who = f"{method}()" if method else "a method"
                self.add(
                    f"{who} changes the problem itself",
                    f"self.{name} is not what it was; what changes during a game belongs in "
                    "the state",
                )
                return

    def add(self, title: str, explanation: str) -> None:
        self.findings.add(title, f"{self.where}: {explanation}")

    def stop(self, title: str, explanation: str) -> NoReturn:
        self.add(title, explanation)
        raise CannotGoOn
