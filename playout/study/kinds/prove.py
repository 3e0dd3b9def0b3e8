"""A game solved exactly."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from playout.contract import Game
from playout.errors import OptionError, nearest
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.kind import Budget, GameKind, Over, class_digest, code_of, looking
from playout.study.store.row import Row

SHOWN = ("moves", "seconds", "winner")


@dataclass(frozen=True)
class Prove(GameKind):
    """An exact solution of a game: the moves or the seconds that it takes, or who wins.

    `solver` and `order` are as `playout prove` has them. The winner is 1 for the first player and
    2 for the second. Whatever is shown of it, a proof is one run.
    """

    solver: str = "alphabeta"
    order: str = "game"
    symmetry: bool = False
    shows: str = "moves"

    kind: ClassVar[str] = "prove"

    def key(self) -> str:
        how = [self.solver, self.order, *(["symmetry"] if self.symmetry else [])]
        return f"{self.game} | prove {' '.join(how)}"

    def check(self) -> None:
        from playout.solvers import SOLVERS
        from playout.solvers.move_orders import make_order

        make_order(self.order)
        for value, values in ((self.solver, SOLVERS), (self.shows, SHOWN)):
            if value not in values:
                raise OptionError(f"a proof has no {value!r}; {nearest(value, values)}")

    def code(self, problem: Any) -> str:
        return code_of(problem, *map(class_digest, self._classes()))

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        """Solve the game.

        The curve is one point, where the proof was complete; its score is the value, or no number
        if the time was not enough. The line of perfect play must end with the value.
        """
        from playout.solvers.prove import prove

        proof = prove(
            problem,
            self.solver,
            budget.stop(),
            order=self.order,
            symmetry=self.symmetry,
            seed=seed,
            progress=looking(over),
        )
        value = math.nan if proof.value is None else proof.value
        return Row(
            problem=self.game,
            algorithm=f"prove {self.solver}",
            options={"kind": self.kind, "order": self.order, "symmetry": self.symmetry},
            score=-math.inf if proof.value is None else value,
            playouts=proof.nodes,
            seconds=proof.seconds,
            verified=proof.value is None or _ends_with(problem, proof.variation, value),
            stopped_by=proof.stopped_by,
            curve=[[proof.seconds, proof.nodes, value]],
            moves=[proof.variation],
        )

    def shown(self, runs: FinishedRuns, mark: float, reached: bool) -> np.ndarray:
        """What is shown of proofs that were complete by a mark; no number for the others."""
        points = runs.curves.last_by(mark)
        found = {"seconds": points[:, 0], "moves": points[:, 1], "winner": 2 - points[:, 2]}
        return np.where(np.isnan(points[:, 2]), np.nan, found[self.shows])[runs.went(mark)]

    def _classes(self) -> list[type]:
        """The classes that a proof runs, apart from the game."""
        from playout.solvers.alphabeta import AlphaBeta
        from playout.solvers.dfpn import DfPn
        from playout.solvers.move_orders import make_order
        from playout.solvers.pn2 import Pn2

        solver: type = {"pn2": Pn2, "jlpn": Pn2, "dfpn": DfPn}.get(self.solver, AlphaBeta)
        return [solver, type(make_order(self.order))]


def _ends_with(game: Game, texts: list[str], value: float) -> bool:
    """Whether a game whose moves are played again, in plain Python, is over and worth the value."""
    state = game.root()
    for text in texts:
        game.play_move(state[0], game.parse_move(state[0], text))
    return game.is_over(state[0]) and game.final_rewards(state[0])[0] == value
