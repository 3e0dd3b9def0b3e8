"""`auto`: the algorithm, level, learning rate, strength of the bias and polish that suit a problem.

They are found while it searches, by a race between settings that are each the best somewhere
(`race.py`, `portfolio.py`). Which settings run, and the rules of the race, were chosen on some
problems and judged on others: see `bench.plain`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.gnrpa import GNRPA
from playout.algorithms.lahc import LAHC
from playout.algorithms.nmcs import NMCS
from playout.algorithms.random_search import Random
from playout.check.codes import look_at_places
from playout.contract import Problem
from playout.run.portfolio import Portfolio


@dataclass(frozen=True, kw_only=True)
class Auto(Algorithm):
    """A race between algorithms and their settings, on the problem at hand.

    Examples
    --------
    >>> import playout as po
    >>> result = po.solve("maximum:n=9", "auto", "200 playouts", seed=1, compiled=False)
    >>> result.score, result.found_by
    (6.0, 'gnrpa:level=4,alpha=0.3')
    """

    name: ClassVar[str] = "auto"

    def start(self, problem: Problem, seed: int) -> Portfolio:
        return Portfolio(problem, self.settings(problem), seed)

    def settings(self, problem: Problem) -> list[Algorithm]:
        """What races: what stands in until another is compiled, the first guess, the others.

        None of them plans with its budget: each finds alone what it finds here.
        """
        polished = getattr(problem, "polish", None) is not None
        biased = type(problem).bias is not Problem.bias
        polishing: list[Algorithm] = [GNRPA(level=4, polish=True), LAHC(polish=True)]
        if biased:
            polishing.append(GNRPA(level=4, strength=3.0, polish=True))
        polishing.append(NMCS(level=2, polish=True))
        if self.polish:
            return [Random(polish=True), *polishing]
        plain: list[Algorithm] = [GNRPA(level=4), NMCS(level=3), LAHC()]
        plain += [*_telling_more(problem), GNRPA(level=4, alpha=0.3)]
        if biased:
            plain.append(GNRPA(level=4, strength=3.0))
        plain += [GNRPA(level=4, P=4), NMCS(level=2), NMCS(level=6, rising=True)]
        if biased:
            plain += [GNRPA(level=4, strength=6.0), GNRPA(level=4, bias=False)]
        if not polished:
            return [Random(), *plain]
        return [Random(), *polishing[:2], *plain, *polishing[2:]]


def _telling_more(problem: Problem) -> list[Algorithm]:
    """Slow learning with codes that tell more, where those that nobody has written do not."""
    if type(problem).code is not Problem.code:
        return []
    try:
        places = look_at_places(problem)
    except Exception:  # of the user's own rules: the search will tell it in their words
        return []
    if not places.about:
        return []
    telling: list[Algorithm] = [
        GNRPA(level=4, alpha=0.3, history=1),
        GNRPA(level=4, alpha=0.3, numbered=True),
    ]
    return telling[::-1] if places.again else telling
