"""A job of job-level proof-number search: a position is looked at by a search of its own, anywhere.

A job is known by the moves that lead to its position. What comes of it depends on these, on the
question and on its size alone: a job whose worker died is done again, with the same outcome.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled import record, wrapping
from playout.compiled.compile_errors import friendly
from playout.contract import Game
from playout.errors import GivenUp
from playout.solvers.move_order import MoveOrder
from playout.solvers.pn2 import Pn2
from playout.solvers.position_table import FALSE, TRUE
from playout.solvers.step_status import DONE, RUNNING
from playout.workers import Recipe, Work

LOOK_MOVES = 50_000  # of a job, between two looks at whether it is still wanted
FIRST_MOVES = 1000  # between two looks at whether the moves of its position are known


@dataclass(frozen=True)
class Job:
    """A position to look at by so many moves; it is known by the moves from the root."""

    number: int
    goal: float
    size: int
    path: bytes  # moves

    def __str__(self) -> str:
        return f"job {self.number:,}"


@dataclass(frozen=True)
class JobOutcome:
    """What a job has found out of its position; `moves` are empty if it is decided."""

    status: int  # of the last step
    nodes: int
    deepest: int
    proof: int
    disproof: int
    moves: bytes


def move_record(game: Game) -> np.dtype:
    """What is known of a move of a job's position: its numbers, and who moves behind it."""
    return record(move=game.move_type, proof="i8", disproof="i8", wants="i1")


@dataclass(frozen=True)
class ProofJobs(Recipe[Job, JobOutcome]):
    """How a worker does jobs: by PN2.

    Every job begins with a copy of the move order as it was prepared.
    """

    game: Game
    root: np.ndarray
    order: MoveOrder
    entries: int

    def make(self) -> Work[Job, JobOutcome]:
        return self._do

    def objects(self) -> Sequence[Any]:
        return self.game, self.order

    def compile(self) -> None:
        """Compile what a job needs, without playing a move."""
        with friendly():
            Pn2(self.game, self.root, max(self.game.outcomes), self.entries).go_on(
                self.game, None, self.order, 0
            )

    def _do(self, job: Job, over: Callable[[], bool]) -> JobOutcome:
        game, order = self.game, copy.deepcopy(self.order)
        state = self.root.copy()
        path = np.frombuffer(bytearray(job.path), game.move_type)
        with wrapping():
            for move in path:
                game.play_move(state[0], move)
        search = Pn2(game, state, job.goal, self.entries)
        head, status = search.head[0], RUNNING
        with friendly():
            while status == RUNNING:
                if over():
                    raise GivenUp
                nodes = int(head.nodes)
                if search.first[0].count == 0:  # without its moves a position leads nowhere
                    goal = nodes + FIRST_MOVES
                elif nodes < job.size:
                    goal = min(nodes + LOOK_MOVES, job.size)
                else:
                    break
                status = search.go_on(game, None, order, goal)
        root = search.first[0]
        return JobOutcome(
            status=status,
            nodes=int(head.nodes),
            deepest=len(path) + int(head.deepest),
            proof=int(root.proof),
            disproof=int(root.disproof),
            moves=b"" if status == DONE else self._moves(search, state).tobytes(),
        )

    def _moves(self, search: Pn2, state: np.ndarray) -> np.ndarray:
        root = search.first[0]
        known = search.first[root.begin : root.begin + root.count]
        found = np.zeros(len(known), move_record(self.game))
        for name in ("move", "proof", "disproof"):
            found[name] = known[name]
        with wrapping():
            for i in range(len(known)):
                behind = state.copy()
                self.game.play_move(behind[0], known[i].move)
                found[i]["wants"] = TRUE if self.game.turn(behind[0]) == 0 else FALSE
        return found
