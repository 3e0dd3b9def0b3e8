"""What fills a cell of a table, as plain data: a search, a match, a proof, a training.

Each kind names itself (`kind`), what it is about (`where`), and its runs in the store (`cell`).
`playout.study.kinds.kinds` runs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar


@dataclass(frozen=True)
class Solve:
    """What a run does, apart from its seed and its budget.

    `problem` is a name or `file.py:Class`; `instance`, `options` and `problem_options` are as the
    command line has them. In an instance such as `random:{seed}` the run's seed is put in, so that
    each run has an instance of its own. A run ends at the score `target`, if there is one.
    `workers` threads search, each for itself or, with `parallel="leaf"`, together. With `whole`
    every budget is a run of its own: a search that shares its time out over the moves of a game is
    not at 1 s of 15 where it is at the end of 1 s. Such a run may show its `playouts` in place of
    its score, or one of the algorithm's `counters`.
    """

    problem: str
    algorithm: str
    instance: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    problem_options: Mapping[str, Any] = field(default_factory=dict)
    compiled: bool = True
    target: float | None = None
    workers: int = 1
    parallel: str = "root"
    whole: bool = False
    shows: str = "score"

    kind: ClassVar[str] = "solve"

    def where(self) -> str:
        """The problem, its instance and its options, as one text."""
        return " ".join([self.problem, self.instance or "default", *_pairs(self.problem_options)])

    def key(self) -> str:
        """The cell's name in the store: equal searches have equal keys."""
        how = [self.algorithm, *_pairs(self.options), *([] if self.compiled else ["interpreted"])]
        how += [] if self.target is None else [f"to {self.target:g}"]
        how += [] if self.workers == 1 else [f"on {self.workers} {self.parallel} threads"]
        return f"{self.where()} | {' '.join(how)}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: a longer run has the shorter ones in its curve."""
        return f"{self.key()} | {budget:g} {unit}" if self.whole else self.key()


@dataclass(frozen=True)
class Match:
    """Two games between two players, each moving first once; the score is the first's points.

    The budget is that of a move, unless a player's text has one of its own. A run's score is 1 for
    two wins, 0.5 for one, and so on, so that the mean is the win rate, with draws as half a win.
    Without `swap` the first player always moves first, in one game a run; with `wins_only` a
    draw is worth nothing.
    """

    game: str
    first: str
    second: str
    swap: bool = True
    wins_only: bool = False

    kind: ClassVar[str] = "match"

    def where(self) -> str:
        """The game."""
        return f"game {self.game}"

    def key(self) -> str:
        how = ["", " | first seat"][not self.swap] + ["", " | wins only"][self.wins_only]
        return f"{self.game} | {self.first} against {self.second}{how}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each budget is a match of its own."""
        return f"{self.key()} | {budget:g} {unit} a move"


@dataclass(frozen=True)
class Choice:
    """One search of the start of a game; the score is 1 if the move is one of the good ones.

    With no good moves the score is the time it took.
    """

    game: str
    search: str
    good: tuple[str, ...] = ()

    kind: ClassVar[str] = "choice"

    def where(self) -> str:
        """The game."""
        return f"game {self.game}"

    def key(self) -> str:
        return f"{self.game} | {self.search}" + (" | time" if not self.good else "")

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each budget is a search of its own."""
        return f"{self.key()} | {budget:g} {unit}"


@dataclass(frozen=True)
class Color:
    """A graph coloured with few colours; the score is minus their number.

    `algorithm` is one of ours, or `dsatur` or `sat`; `instance` names the graph.
    """

    algorithm: str
    instance: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    problem_options: Mapping[str, Any] = field(default_factory=dict)

    kind: ClassVar[str] = "color"

    def where(self) -> str:
        """The graph."""
        return " ".join(["color", self.instance or "default"])

    def key(self) -> str:
        """The cell's name in the store: equal searches have equal keys."""
        how = [self.algorithm, *_pairs(self.options), *_pairs(self.problem_options)]
        return f"{self.where()} | {' '.join(how)}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: a longer run has the shorter ones in its curve."""
        return self.key()


@dataclass(frozen=True)
class Scan:
    """A figure of zoNNscan on classifiers of images, which are trained first; see docs/zonnscan.md.

    The budget, in playouts, is how many inputs of each zone are drawn.
    """

    data: str
    classifier: str
    what: str
    radius: float = 0.0

    kind: ClassVar[str] = "scan"
    counts: ClassVar[str] = "samples"  # what stands for playouts

    def where(self) -> str:
        """The images."""
        return f"images {self.data}"

    def key(self) -> str:
        """The cell's name in the store."""
        how = f" at {self.radius:g}" if self.what == "index" else ""
        return f"{self.where()} | {self.classifier} | {self.what}{how}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each number of samples is a figure of its own."""
        return f"{self.key()} | {budget:g} samples"


@dataclass(frozen=True)
class Prove:
    """An exact solution of a game: the moves or the seconds that it takes, or who wins.

    `solver` and `order` are as `playout prove` has them. The winner is 1 for the first player and
    2 for the second. Whatever is shown of it, a proof is one run.
    """

    game: str
    solver: str = "alphabeta"
    order: str = "game"
    symmetry: bool = False
    shows: str = "moves"

    kind: ClassVar[str] = "prove"

    def where(self) -> str:
        """The game."""
        return f"game {self.game}"

    def key(self) -> str:
        """The cell's name in the store: equal proofs have equal keys."""
        how = [self.solver, self.order, *(["symmetry"] if self.symmetry else [])]
        return f"{self.game} | prove {' '.join(how)}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: a longer run has the shorter ones in its curve."""
        return self.key()


@dataclass(frozen=True)
class Train:
    """A network trained for a game by AlphaZero or MbM, measured against a rival as it goes.

    The budget, in playouts, is the number of epochs. The score is the network's mean result against
    `rival`, "random" or "perfect" (a draw is half a win), or with `losses` the share of games that
    it loses. Both are exact. `options` are those of `learn/alphazero/zero_settings.py`. Runs
    that differ in the rival or in `losses` alone are one training.
    """

    game: str
    rival: str
    options: Mapping[str, Any] = field(default_factory=dict)
    losses: bool = False

    kind: ClassVar[str] = "train"
    counts: ClassVar[str] = "epochs"  # what stands for playouts

    def where(self) -> str:
        """The game."""
        return f"game {self.game}"

    def key(self) -> str:
        """The cell's name in the store."""
        what = "losses" if self.losses else "result"
        return f"{self.game} | train {' '.join(_pairs(self.options))} | {what} against {self.rival}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: a longer run has the shorter ones in its curve."""
        return self.key()


@dataclass(frozen=True)
class Generations:
    """The mean score of self-play by generation, as the training of a policy has noted it.

    `model` is the file; empty: the package's own for the problem. The budget, in playouts, is the
    last generation that is shown.
    """

    problem: str
    problem_options: Mapping[str, Any] = field(default_factory=dict)
    model: str = ""

    kind: ClassVar[str] = "generations"
    counts: ClassVar[str] = "generations"  # what stands for playouts

    def where(self) -> str:
        """The problem and its options."""
        return " ".join(["training of", self.problem, *_pairs(self.problem_options)])

    def key(self) -> str:
        """The cell's name in the store."""
        return f"{self.where()} | {self.model or 'the policy of the package'}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: more generations have the fewer in their curve."""
        return self.key()


Run = Solve | Match | Choice | Color | Scan | Prove | Train | Generations
KINDS: dict[str, Any] = {
    cls.kind: cls for cls in (Solve, Match, Choice, Color, Scan, Train, Prove, Generations)
}


def _pairs(options: Mapping[str, Any]) -> list[str]:
    """Options as NAME=VALUE, by name; a tuple is 1,2."""
    return [f"{name}={option_text(value)}" for name, value in sorted(options.items())]


def option_text(value: Any) -> str:
    """An option's value as the command line takes it."""
    if isinstance(value, tuple | list):
        return ",".join(map(str, value))
    return str(value).lower() if isinstance(value, bool | None) else str(value)
