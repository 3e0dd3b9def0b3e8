"""The sequential probability ratio test: a match that ends when it has told enough.

H0 says that the first player is stronger by `elo0`, H1 by `elo1`. What is looked at are pairs of
games with seats swapped, whose points are 0, 0.5, 1, 1.5 or 2 (the pentanomial model): so it makes
no difference that the two games of a pair share their seeds and that one seat may be the
better one. The log-likelihood ratio is that of the generalised test: for each hypothesis the most
likely distribution over the five outcomes whose mean is the expected score s, which is
p_i / (1 + x (a_i - s)), where p_i are the shares seen, a_i the outcomes, and x makes the mean s
(M. Van den Bergh, A Practical Introduction to the GSPRT). An outcome that was never seen counts as
a thousandth of one. The match ends when the ratio leaves (log(beta / (1 - alpha)),
log((1 - beta) / alpha)).
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playout.errors import OptionError
from playout.matches.score import share_of

OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)  # mean points of a game in a pair
UNSEEN = 1e-3


@dataclass(frozen=True)
class Sprt:
    """The two hypotheses, in Elo, and the shares of wrong decisions that are accepted.

    >>> low, high = Sprt.parse("0,10").bounds()
    >>> round(low, 2), round(high, 2)
    (-2.94, 2.94)
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1", "alpha", "beta"):
            value = getattr(self, name)
            number = isinstance(value, int | float) and not isinstance(value, bool)
            if not number or not math.isfinite(value):
                raise OptionError(f"sprt: {name}={value!r}: a number")
        if not self.elo0 < self.elo1:
            raise OptionError(
                f"sprt: elo0={self.elo0:g} and elo1={self.elo1:g}: the first is the smaller"
            )
        if max(abs(self.elo0), abs(self.elo1)) > 2000:
            raise OptionError("sprt: elo0 and elo1 lie between -2000 and 2000")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise OptionError(f"sprt: {name}={getattr(self, name):g}: over 0 and under 0.5")

    @classmethod
    def parse(cls, text: str) -> Sprt:
        """From `elo0,elo1` or `elo0,elo1,alpha,beta`."""
        try:
            values = [float(word) for word in re.split(r"\s*,\s*", text.strip())]
        except ValueError:
            values = []
        if len(values) not in (2, 4):
            raise OptionError(
                f"sprt: {text!r} is not elo0,elo1 or elo0,elo1,alpha,beta; for example 0,20"
            )
        return cls(*values)

    @classmethod
    def of(cls, value: Any) -> Sprt | None:
        """A test from a text, a tuple of two or four numbers, or one that is made already."""
        if value is None or isinstance(value, Sprt):
            return value
        if isinstance(value, str):
            return cls.parse(value)
        if isinstance(value, tuple | list) and len(value) in (2, 4):
            return cls(*value)
        raise OptionError(f"sprt={value!r}: give (elo0, elo1) or (elo0, elo1, alpha, beta)")

    def bounds(self) -> tuple[float, float]:
        """Where the test ends: with H0 at or under the first, with H1 at or over the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio after so many pairs with each outcome, 0 to 2 points."""
        if sum(pairs) == 0:
            return 0.0
        weights = [count or UNSEEN for count in pairs]
        total = sum(weights)
        shares = [weight / total for weight in weights]
        p0 = _likeliest(shares, share_of(self.elo0))
        p1 = _likeliest(shares, share_of(self.elo1))
        return sum(w * math.log(b / a) for w, a, b in zip(weights, p0, p1))

    def decision(self, llr: float) -> str | None:
        """`H0`, `H1`, or None while the test goes on."""
        low, high = self.bounds()
        return "H0" if llr <= low else "H1" if llr >= high else None


def _likeliest(shares: Sequence[float], mean: float) -> list[float]:
    """The distribution with a given mean under which shares are likeliest."""
    gaps = [outcome - mean for outcome in OUTCOMES]
    low, high = -1 / max(gaps), -1 / min(gaps)  # where all probabilities are positive
    for _ in range(80):
        x = (low + high) / 2
        if sum(p * gap / (1 + x * gap) for p, gap in zip(shares, gaps)) > 0:
            low = x
        else:
            high = x
    x = (low + high) / 2
    return [p / (1 + x * gap) for p, gap in zip(shares, gaps)]


class SprtRun:
    """The test on a match that is going on: pairs count in their order, whenever they end.

    So a decision does not depend on how many games are played at once.
    """

    def __init__(self, test: Sprt) -> None:
        self.test = test
        self.pairs = [0, 0, 0, 0, 0]
        self.llr = 0.0
        self.decision: str | None = None
        self._points: dict[int, float] = {}  # of the first player, by game number

    def add(self, number: int, points: float) -> None:
        """A game has ended with so many points for the first player."""
        self._points[number] = points
        while self.decision is None:
            first = 2 * sum(self.pairs)
            if first not in self._points or first + 1 not in self._points:
                return
            together = self._points[first] + self._points[first + 1]
            self.pairs[round(2 * together)] += 1
            self.llr = self.test.llr(self.pairs)
            self.decision = self.test.decision(self.llr)

    @property
    def games(self) -> int:
        """How many games, from the first on, the test has looked at."""
        return 2 * sum(self.pairs)

    def to_json(self) -> Mapping[str, Any]:
        """The state of the test as JSON data."""
        low, high = self.test.bounds()
        return {
            **vars(self.test),
            "llr": self.llr,
            "lower": low,
            "upper": high,
            "pairs": list(self.pairs),
            "decision": self.decision,
        }
