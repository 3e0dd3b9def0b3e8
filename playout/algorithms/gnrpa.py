"""Generalized nested rollout policy adaptation (GNRPA), of which NRPA and SNRPA are cases.

A level calls the level below N times and after each call shifts its policy towards the best
sequence that it has; level 0 is a playout that draws each move with probability proportional
to exp(weight / tau + bias).

- T. Cazenave, Generalized Nested Rollout Policy Adaptation: temperature, bias, optimised adapt.
- C. Rosin, Nested Rollout Policy Adaptation for Monte Carlo Tree Search, IJCAI 2011: NRPA.
- T. Cazenave, J.-B. Sevestre and M. Toulemont, Stabilized NRPA: P playouts before each adapt.
- T. Cazenave and F. Teytaud, Beam NRPA, 2012; S. Edelkamp and T. Cazenave, Improved Diversity in
  NRPA, 2016; T. Cazenave and T. Fournier, Monte Carlo Inverse Folding: beam, diversity, history in
  the codes, start learning, restarts (its Algorithm 4 and sections 3.4 to 3.9).
- T. Cazenave, B. Negrevergne and F. Sikora, Monte Carlo Graph Coloring: AdaptAll (its Algorithm 5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from playout.algorithms.adapt_all import AdaptAll
from playout.algorithms.algorithm import Algorithm, Levels
from playout.algorithms.nested_policy import NestedPolicySearch
from playout.algorithms.polish import Polishing, with_mixins
from playout.contract import Problem
from playout.errors import OptionError
from playout.text.options import one_of, option


@dataclass(frozen=True, kw_only=True)
class GNRPA(Algorithm):
    """Generalized nested rollout policy adaptation.

    With budget left after `level` has ended, it begins again from an empty policy and keeps the
    best sequence of all.

    Examples
    --------
    >>> import playout as po
    >>> result = po.solve(po.problems.Maximum(15), po.GNRPA(level=2, N=20), po.Playouts(2000))
    >>> result.verified
    True
    """

    name: ClassVar[str] = "gnrpa"

    level: int = option(3, "nesting level", low=1, high=12)
    N: Levels = option(100, "iterations of a level; 0 for no limit", low=0, levels=True)
    alpha: float = option(1.0, "learning rate", above=0)
    tau: float = option(1.0, "temperature", above=0)
    bias: bool = option(True, "use the problem's bias")
    strength: float = option(1.0, "what the bias is multiplied by", above=0)
    P: int = option(1, "stabilised playouts: playouts before each adapt at level 1", low=1)
    beam: Levels = option(
        1, "sequences and policies kept; one number is for level 1", low=1, levels=True
    )
    diversity: str = one_of("what must differ within a beam", "none", "score", "sequence")
    history: int = option(0, "moves before it that a move's code tells", low=0, high=2)
    numbered: bool = option(False, "a move's code tells its number in the game")
    start_learning: Levels = option(
        0, "iterations of a level before it first adapts", low=0, levels=True
    )
    restart: int = option(
        0, "end a level after this many iterations without progress; 0: never", low=0
    )
    restart_length: float = option(
        0.0, "the same, as the best sequence's length divided by this; 0: never", low=0
    )
    repetitions: int = option(
        0, "end a level when its best sequence came back this often; 0: never", low=0
    )
    adapt: str = one_of(
        "the moves that adapt weighs: those that are legal, or all that the problem names",
        "legal",
        "all",
    )
    doubling: bool = option(False, "double the top level's N each time the search begins again")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("N", "beam", "start_learning"):
            value = getattr(self, name)
            if isinstance(value, tuple) and len(value) > self.level:
                raise OptionError(
                    f"{self.name}: {name}={','.join(map(str, value))} has {len(value)} values "
                    f"for {self.level} level{'s' if self.level > 1 else ''}"
                )
        endless = 0 in self.per_level("N", self.N)
        if endless and not (self.restart or self.restart_length or self.repetitions):
            raise OptionError(
                f"{self.name}: N=0 is a level without end: "
                "give restart, restart_length or repetitions too"
            )
        if self.numbered and self.history:
            raise OptionError(f"{self.name}: numbered=true tells no history: give one of the two")
        if sum(self.per_level("beam", self.beam)) * self.P > 100_000:
            raise OptionError(f"{self.name}: beam times P is too large; at most 100000 in all")

    def per_level(self, name: str, value: Levels) -> tuple[int, ...]:
        """An option's values for levels 1 to `level`."""
        if isinstance(value, int):
            # a beam given as one number is at level 1, where it works best
            rest = 1 if name == "beam" else value
            return (value,) + (rest,) * (self.level - 1)
        rest = 1 if name == "beam" else value[-1]
        return value + (rest,) * (self.level - len(value))

    def start(self, problem: Problem, seed: int) -> NestedPolicySearch:
        mixins: list[type] = [Polishing] if self.polish else []
        if self.adapt == "all":
            mixins.append(AdaptAll)
        return with_mixins(NestedPolicySearch, problem, *mixins)(problem, self, seed)
