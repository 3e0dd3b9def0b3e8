"""Tree policies: UCB1, UCB1-Tuned, PUCT, RAVE and GRAVE.

- P. Auer, N. Cesa-Bianchi and P. Fischer, Finite-time Analysis of the Multiarmed Bandit Problem,
  2002: UCB1 and UCB1-Tuned; L. Kocsis and C. Szepesvari, 2006: in trees.
- C. Rosin, Multi-armed bandits with episode context, 2011; D. Silver et al., AlphaZero: PUCT.
- S. Gelly and D. Silver, Monte-Carlo tree search and rapid action value estimation, 2011: RAVE.
- T. Cazenave, Generalized rapid action value estimation, IJCAI 2015: GRAVE.
"""

from __future__ import annotations

import math

from playout.errors import OptionError
from playout.gametree.parts import TreePolicy


class UCB1(TreePolicy):
    """The mean plus C sqrt(ln N / n).

    With `first`, a move that was never visited counts that much (first-play urgency: S. Gelly and
    Y. Wang, 2006); else every move is tried once before any other is tried again.
    """

    fields = ("C", "first", "tries_all")
    name = "ucb1"

    def __init__(self, *, C: float = 0.7, first: float | None = None) -> None:
        self.C = _not_negative("C", C)
        self.first = math.inf if first is None else float(first)
        self.tries_all = first is None

    def wants_all(self):
        return self.tries_all

    def bound(self, prepared, n, q, squares, prior, amaf_n, amaf_q):
        if n == 0:
            return self.first
        return q + self.C * math.sqrt(prepared / n)


class UCB1Tuned(UCB1):
    """UCB1 whose width follows the spread of the rewards.

    The mean plus C sqrt(ln N / n min(1/4, V)), V = the variance + sqrt(2 ln N / n).
    """

    name = "ucb1tuned"

    def __init__(self, *, C: float = 1.0, first: float | None = None) -> None:
        super().__init__(C=C, first=first)

    def wants_squares(self):
        return True

    def bound(self, prepared, n, q, squares, prior, amaf_n, amaf_q):
        if n == 0:
            return self.first
        variance = max(squares - q * q, 0.0) + math.sqrt(2.0 * prepared / n)
        return q + self.C * math.sqrt(prepared / n * min(0.25, variance))


class PUCT(TreePolicy):
    """The mean plus C P sqrt(N) / (1 + n), P from the game's bias; `first` before any visit."""

    fields = ("C", "first")
    name = "puct"

    def __init__(self, *, C: float = 1.5, first: float = 0.5) -> None:
        self.C = _not_negative("C", C)
        self.first = float(first)

    def wants_all(self):
        return False

    def wants_prior(self):
        return True

    def prepare(self, visits):
        return math.sqrt(visits)

    def bound(self, prepared, n, q, squares, prior, amaf_n, amaf_q):
        value = self.first if n == 0 else q
        return value + self.C * prior * prepared / (1 + n)


class GRAVE(TreePolicy):
    """The mean mixed with all-moves-as-first of the nearest node with `ref` visits.

    beta = m / (m + n + bias m n) of m visits as first; the value is (1 - beta) mean + beta AMAF.
    """

    fields = ("bias", "C")
    name = "grave"

    def __init__(self, *, bias: float = 1e-5, ref: int = 50, C: float = 0.0) -> None:
        self.bias = _not_negative("bias", bias)
        self.C = _not_negative("C", C)
        if isinstance(ref, bool) or not isinstance(ref, int) or ref < 0:
            raise OptionError(f"ref={ref!r}: a whole number from 0")
        self.ref = ref

    def wants_all(self):
        return False

    def wants_amaf(self):
        return True

    def bound(self, prepared, n, q, squares, prior, amaf_n, amaf_q):
        if n == 0 and amaf_n == 0:
            return math.inf
        beta = amaf_n / (amaf_n + n + self.bias * amaf_n * n)
        value = (1.0 - beta) * q + beta * amaf_q
        if self.C > 0.0:
            value += self.C * math.sqrt(prepared / max(n, 1))
        return value


class RAVE(GRAVE):
    """GRAVE whose reference is always the node itself."""

    name = "rave"

    def __init__(self, *, bias: float = 1e-5, C: float = 0.0) -> None:
        super().__init__(bias=bias, ref=0, C=C)


def _not_negative(name: str, value: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
        raise OptionError(f"{name}={value!r}: a number of at least 0")
    return float(value)
