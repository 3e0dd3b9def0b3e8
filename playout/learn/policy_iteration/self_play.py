"""Self-play: thousands of games at once in compiled code, one batch of predictions for many.

Every game has its own random start, tree and table of predictions, and plays one playout at a time
(A. Seify and M. Buro, Data Generation: a constant budget for each move, Dirichlet noise at the
root). Games are in teams. The threads of a team play each of its games until it needs a prediction;
then the network evaluates what all of them need at once, while other teams play. Threads stay in
compiled code and are told through memory when a round begins; one thread, in Python, directs them
and the device, so that nobody waits for Python's lock.

A game is known by its number: its start and its random stream come from the seed and the number,
so its outcome does not depend on which games are played beside it, and its moves are all that has
to be kept to see its positions again. When self-play is stopped, games that are not over are
suspended: the moves committed and those of the best playout are kept, the tree is not.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.algorithms.search import FINE
from playout.compiled import friendly
from playout.contract import Problem, room_for_moves
from playout.errors import ProblemError
from playout.learn.inference.evaluators import Evaluator
from playout.learn.policy_iteration.compiled_self_play import (
    DONE,
    FINISHED,
    PLAYOUTS,
    STATUS,
    attend,
    begin_round,
    end_rounds,
    suspend,
)
from playout.learn.policy_iteration.policy_mcts import IDLE, PolicyMCTS, PolicySearch
from playout.learn.policy_iteration.predictions import NONE, PredictingSearch
from playout.learn.policy_iteration.prior_tree import PRIOR_NODE
from playout.run.steps import explain

FAILED = -99  # the status of a team whose thread has raised an error
TEAMS = 4
TURN = {True: 16, False: 256}  # playouts that a game plays at most before the others' turn
TABLE = 1024  # predictions that a game remembers
NAP = 2e-5  # seconds between looks at teams that are all busy


@dataclass
class Games:
    """Games: `moves` are the network's outputs, `lengths` of them; -1 for a game that is not over.

    Of a game that was suspended, `prefixes` moves were committed and `known` are there in all.
    """

    numbers: np.ndarray
    lengths: np.ndarray
    moves: np.ndarray
    scores: np.ndarray
    prefixes: np.ndarray
    known: np.ndarray

    @classmethod
    def empty(cls, problem: Problem, numbers: np.ndarray) -> Games:
        """Room for the games of these numbers."""
        n = len(numbers)
        return cls(
            np.ascontiguousarray(numbers, np.int64), np.full(n, -1, np.int32),
            np.zeros((n, problem.max_length), np.uint16), np.zeros(n), np.zeros(n, np.int32),
            np.zeros(n, np.int32),
        )  # fmt: skip


@dataclass
class Team:
    """Games that are played and evaluated together.

    `places` says which of the games to play each is, -1 for none; `batch` is what the device
    computes for them.
    """

    search: Any
    threads: int
    places: np.ndarray
    control: np.ndarray
    batch: Any = None

    def begin(self) -> None:
        """Let the threads play a round."""
        if isinstance(self.search, PredictingSearch):
            self.search.queue[0] = 0
        begin_round(self.control)

    def is_done(self) -> bool:
        """Whether the threads have ended their round."""
        return bool(self.control[DONE] == self.threads)


class SelfPlay:
    """Plays games of a problem by Policy-MCTS, as many at once as there are places."""

    def __init__(
        self, problem: Problem, algorithm: PolicyMCTS, *, at_once: int, threads: int = 1,
        noise: float = 0.0, alpha: float = 1.0, evaluator: Evaluator | None = None,
        table: int = TABLE,
    ) -> None:  # fmt: skip
        self._problem = problem
        self._evaluator = evaluator
        # a single thread has two teams if it is to play while a GPU computes
        on_cpu = evaluator is None or evaluator.device.type == "cpu"
        count = min(TEAMS, max(threads, 1 if on_cpu else 2))
        share = max(1, -(-at_once // count))
        nodes = nodes_of(problem, algorithm)
        self._teams: list[Team] = []
        for number in range(count):
            settings: dict[str, Any] = dict(
                games=share, nodes=nodes, noise=noise, alpha=alpha, slots=1
            )
            search: Any
            if evaluator is None:
                search = PolicySearch(problem, algorithm, 0, **settings)
            else:
                search = PredictingSearch(problem, algorithm, 0, **settings)
                search.prepare(problem, evaluator, table)
            members = max(1, len(range(number, threads, count)))
            self._teams.append(
                Team(search, members, np.full(share, -1, np.int64), np.zeros(32, np.int64))
            )
        self._pool = ThreadPoolExecutor(sum(team.threads for team in self._teams), "selfplay")
        self._blank = problem.new_states(1)
        self.control = np.zeros(32, np.int64)

    @property
    def playouts(self) -> int:
        """How many playouts there have been since `play` was called."""
        return int(self.control[PLAYOUTS])

    def play(self, games: Games, seed: int, look: Callable[[], bool] | None = None) -> bool:
        """Play the games whose lengths are -1; False if `look`, called after each round, said stop.

        What is finished by then is in `games`; what is not is suspended.
        """
        todo = np.flatnonzero(games.lengths < 0)
        self.control[:] = 0
        for team in self._teams:
            team.places[:] = -1
            team.control[:] = 0
            team.search.lanes["phase"] = IDLE
            team.search.lanes["asked"] = team.search.lanes["answered"] = 0
            if self._evaluator is not None:
                team.search.table_keys[:] = NONE
        threads = [
            self._pool.submit(self._attend, team, todo, games, seed)
            for team in self._teams
            for _ in range(team.threads)
        ]
        try:
            self._direct(len(todo), look or (lambda: False))
        finally:
            for team in self._teams:
                end_rounds(team.control)
                if team.batch is not None:
                    team.batch.wait()
                    team.batch = None
            wait(threads)
        for thread in threads:
            thread.result()
        for team in self._teams:
            if team.control[STATUS] < FINE:
                raise ProblemError(explain(int(team.control[STATUS]), team.search))
        if self.control[FINISHED] == len(todo):
            return True
        for team in self._teams:
            suspend(
                team.search, self._problem, team.places, self._blank, np.uint64(seed),
                games.numbers, games.prefixes, games.known, games.moves,
            )  # fmt: skip
        return False

    def _attend(self, team: Team, todo: np.ndarray, games: Games, seed: int) -> None:
        """What a thread does: it plays the rounds of its team until they are over."""
        try:
            with friendly():
                attend(
                    team.search, self._problem, self.control, team.control, team.places, todo,
                    self._blank, np.uint64(seed), TURN[self._evaluator is not None], games.numbers,
                    games.lengths, games.moves, games.scores, games.prefixes, games.known,
                )  # fmt: skip
        except BaseException:
            team.control[STATUS] = FAILED
            raise

    def _direct(self, games: int, look: Callable[[], bool]) -> None:
        """Begin the rounds of teams and the batches of the device as they come to an end."""
        busy = list(self._teams) if games else []
        for team in busy:
            team.begin()
        while busy:
            waited = True
            for team in list(busy):
                if team.control[STATUS] < FINE:
                    return
                if team.batch is None and team.is_done():
                    waited = False
                    team.batch = self._submit(team.search)
                    if look():
                        return
                    if team.batch is None and (team.places < 0).all():
                        busy.remove(team)
                    elif team.batch is None:
                        team.begin()
                elif team.batch is not None and team.batch.ready():
                    waited = False
                    team.batch.wait()
                    team.batch = None
                    team.begin()
            if waited:
                time.sleep(NAP)

    def _submit(self, search: Any) -> Any:
        """Begin to evaluate what the games of a team need; None if they need nothing."""
        n = int(search.queue[0]) if self._evaluator is not None else 0
        if n == 0:
            return None
        return self._evaluator.submit(search.inputs[:n], search.outputs[:n])  # type: ignore[union-attr]


def nodes_of(problem: Problem, algorithm: PolicyMCTS) -> int:
    """Room for the nodes of a game's tree: playouts of a move, as many kept, half of max_moves."""
    return 2 * algorithm.simulations * max(2, problem.max_moves // 2)


def room_for(problem: Problem, algorithm: PolicyMCTS, table: int = TABLE) -> int:
    """How many games at once half of the memory has room for."""
    move, state = problem.new_moves(1).nbytes, problem.new_states(1).nbytes
    game = nodes_of(problem, algorithm) * (PRIOR_NODE.itemsize + move + 4)
    game += table * (8 + 4 * problem.outputs) + 4 * state
    moves = room_for_moves(problem.max_moves) + 2 * problem.max_moves + 4 * problem.max_length
    game += moves * (move + 16)
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        memory = 8 << 30
    return max(1, int(memory // 2 // game))


def self_play_seed(seed: int, generation: int) -> int:
    """The seed of a generation's games."""
    return int(np.random.SeedSequence([seed, generation]).generate_state(1, np.uint64)[0])
