"""What the options of playout policies may be: one clear line where they are not."""

from __future__ import annotations

import math
from collections.abc import Iterable

from playout.errors import OptionError


def number(name: str, value: float, low: float, high: float = math.inf) -> float:
    """A number from `low` to `high`, and not infinite."""
    fine = isinstance(value, int | float) and not isinstance(value, bool)
    if not fine or not low <= value <= high or math.isinf(value):
        wanted = f"from {low:g} to {high:g}" if high < math.inf else f"of at least {low:g}"
        raise OptionError(f"{name}={value!r}: a number {wanted}")
    return float(value)


def whole(name: str, value: int, low: int, high: int) -> int:
    """A whole number from `low` to `high`."""
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise OptionError(f"{name}={value!r}: a whole number from {low} to {high}")
    return value


def one_of(name: str, value: str, choices: Iterable[str]) -> str:
    """One of some words."""
    if value not in choices:
        raise OptionError(f"{name}={value!r}: one of {', '.join(choices)}")
    return value


def selection_of(
    selection: str, epsilon: float | None, tau: float | None, *, usual: tuple[float, float]
) -> tuple[bool, float, float]:
    """Whether the best move is taken, with which epsilon; if not, with which tau.

    Refuses the one that the selection does not have; `usual` are the values of those not given.
    """
    greedy = one_of("selection", selection, ("gibbs", "greedy")) == "greedy"
    if greedy and tau is not None:
        raise OptionError(f"tau={tau}: tau belongs to selection=gibbs")
    if not greedy and epsilon is not None:
        raise OptionError(f"epsilon={epsilon}: epsilon belongs to selection=greedy")
    epsilon = number("epsilon", usual[0] if epsilon is None else epsilon, 0, 1)
    return greedy, epsilon, number("tau", usual[1] if tau is None else tau, 0.01)
