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
from typing import Any

import numpy as np

from playout.algorithms.search import FINE
from playout.compiled import friendly
from playout.contract import Problem, room_for_moves
from playout.errors import ProblemError
from playout.learn.inference.evaluators import Evaluator
from playout.learn.policy_iteration.compiled_self_play import (
    FINISHED,
    PLAYOUTS,
    STATUS,
    Games,
    GamesToPlay,
    Team,
    attend,
    begin_round,
    end_rounds,
    suspend,
)
from playout.learn.policy_iteration.policy_mcts import PolicyMCTS
from playout.learn.policy_iteration.policy_search import IDLE, NO_NOISE, Noise, PolicySearch
from playout.learn.policy_iteration.predictions import NONE, PredictingSearch
from playout.learn.policy_iteration.prior_tree import PRIOR_NODE
from playout.run.steps import explain

FAILED = -99  # the status of a team whose thread has raised an error
TEAMS = 4
TURN = {True: 16, False: 256}  # playouts that a game plays at most before the others' turn
TABLE = 1024  # predictions that a game remembers
NAP = 2e-5  # seconds between looks at teams that are all busy


class SelfPlay:
    """Plays games of a problem by Policy-MCTS, as many at once as there are slots."""

    def __init__(
        self,
        problem: Problem,
        algorithm: PolicyMCTS,
        *,
        at_once: int,
        threads: int = 1,
        noise: Noise = NO_NOISE,
        evaluator: Evaluator | None = None,
    ) -> None:
        self._problem = problem
        self._evaluator = evaluator
        # a single thread has two teams if it is to play while a GPU computes
        on_cpu = evaluator is None or evaluator.device.type == "cpu"
        count = min(TEAMS, max(threads, 1 if on_cpu else 2))
        share = max(1, -(-at_once // count))
        nodes = nodes_of(problem, algorithm)
        self._teams: list[Team] = []
        for number in range(count):
            settings: dict[str, Any] = dict(games=share, nodes=nodes, noise=noise, slots=1)
            search: Any
            if evaluator is None:
                search = PolicySearch(problem, algorithm, 0, **settings)
            else:
                search = PredictingSearch(problem, algorithm, 0, **settings)
                search.prepare(problem, evaluator, TABLE)
            members = max(1, len(range(number, threads, count)))
            self._teams.append(Team(search, members, share))
        self._threads = ThreadPoolExecutor(sum(team.threads for team in self._teams), "selfplay")
        self._to_play = GamesToPlay(problem, TURN[evaluator is not None])

    @property
    def playouts(self) -> int:
        """How many playouts there have been since `play` was called."""
        return int(self._to_play.counters[PLAYOUTS])

    def play(self, games: Games, seed: int, look: Callable[[], bool] | None = None) -> bool:
        """Play the games whose lengths are -1; False if `look`, called after each round, said stop.

        What is finished by then is in `games`; what is not is suspended.
        """
        to_play = self._to_play
        to_play.entries = np.flatnonzero(games.lengths < 0)
        to_play.counters[:], to_play.seed[0] = 0, seed
        for team in self._teams:
            team.entries[:] = -1
            team.control[:] = 0
            team.search.lanes["phase"] = IDLE
            team.search.lanes["asked"] = team.search.lanes["answered"] = 0
            # nothing yet; but compiled now, and not in the seconds that a SIGTERM leaves
            suspend(team.search, self._problem, games, to_play, team)
            if self._evaluator is not None:
                team.search.table_keys[:] = NONE
        threads = [
            self._threads.submit(self._attend, team, games)
            for team in self._teams
            for _ in range(team.threads)
        ]
        try:
            self._direct(look or (lambda: False))
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
        if to_play.counters[FINISHED] == len(to_play.entries):
            return True
        for team in self._teams:
            suspend(team.search, self._problem, games, to_play, team)
        return False

    def _attend(self, team: Team, games: Games) -> None:
        """What a thread does: it plays the rounds of its team until they are over."""
        try:
            with friendly():
                attend(team.search, self._problem, games, self._to_play, team)
        except BaseException:
            team.control[STATUS] = FAILED
            raise

    def _begin(self, team: Team) -> None:
        """Let the threads of a team play a round."""
        if self._evaluator is not None:
            team.search.queue[0] = 0
        begin_round(team.control)

    def _direct(self, look: Callable[[], bool]) -> None:
        """Begin the rounds of teams and the batches of the device as they come to an end."""
        busy = list(self._teams) if len(self._to_play.entries) else []
        for team in busy:
            self._begin(team)
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
                    if team.batch is None and (team.entries < 0).all():
                        busy.remove(team)
                    elif team.batch is None:
                        self._begin(team)
                elif team.batch is not None and team.batch.ready():
                    waited = False
                    team.batch.wait()
                    team.batch = None
                    self._begin(team)
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
