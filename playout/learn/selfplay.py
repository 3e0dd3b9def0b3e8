"""Self-play: thousands of games at once in compiled code, one batch of predictions for all.

Every game has its own random start, tree and table of predictions, and plays one playout at a time
(A. Seify and M. Buro, Data Generation: a constant budget for each move, Dirichlet noise at the
root). Games are in teams, one or two for each thread. A thread plays each game of its team until it
needs a prediction; then the network evaluates what all of them need at once, while other threads,
or this one with its other team, play.

A game is known by its number: its start and its random stream come from the seed and the number,
so its outcome does not depend on which games are played beside it, and its moves are all that has
to be kept to see its positions again. When self-play is stopped, games that are not over are
suspended: the moves committed and those of the best playout are kept, the tree is not.
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled import friendly, helper, kernel
from playout.compiled.atomics import fetch_add
from playout.compiled.random import stream_of
from playout.errors import ProblemError
from playout.learn.evaluate import Evaluator
from playout.learn.predict import NONE, PredictingSearch
from playout.problem import Problem
from playout.run.driver import explain
from playout.searches.base import BAD_SCORE, FINE, WAIT
from playout.searches.policymcts import IDLE, PolicyMCTS, PolicySearch
from playout.searches.puct import PRIOR_NODE

# places in the control array, a cache line apart
TICKET, FINISHED, PLAYOUTS = 0, 8, 16
TURN = {True: 16, False: 256}  # playouts that a game plays at most before the others' turn
TABLE = 1024  # predictions that a game remembers
IDLE_SECONDS = 0.005  # between looks, of a thread whose games are over


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


class SelfPlay:
    """Plays games of a problem by Policy-MCTS, as many at once as there are places."""

    def __init__(
        self, problem: Problem, algorithm: PolicyMCTS, *, at_once: int, threads: int = 1,
        noise: float = 0.0, alpha: float = 1.0, evaluator: Evaluator | None = None,
        table: int = TABLE,
    ) -> None:  # fmt: skip
        self._problem = problem
        self._evaluator = evaluator
        self._pool = ThreadPoolExecutor(threads - 1, "selfplay") if threads > 1 else None
        # one thread alone needs two teams if it is to play while a GPU computes
        pair = threads == 1 and evaluator is not None and evaluator.device.type != "cpu"
        per_thread = 2 if pair else 1
        share = max(1, -(-at_once // (threads * per_thread)))
        nodes = nodes_of(problem, algorithm)
        self._crews: list[list[Any]] = [[] for _ in range(threads)]  # the teams of each thread
        for crew in self._crews * per_thread:
            settings: dict[str, Any] = dict(games=share, nodes=nodes, noise=noise, alpha=alpha)
            if evaluator is None:
                crew.append(PolicySearch(problem, algorithm, 0, **settings))
            else:
                team = PredictingSearch(problem, algorithm, 0, **settings)
                team.prepare(problem, evaluator, table)
                crew.append(team)
        self._blank = problem.new_states(1)
        self._over = False
        self.control = np.zeros(32, np.int64)

    def play(self, games: Games, seed: int, look: Callable[[], bool] | None = None) -> bool:
        """Play the games whose lengths are -1; False if `look`, called now and then, said stop.

        What is finished by then is in `games`; what is not is suspended.
        """
        todo = np.flatnonzero(games.lengths < 0)
        self.control[:] = 0
        self._over = False
        places = [[np.full(len(team.games), -1, np.int64) for team in c] for c in self._crews]
        for team in itertools.chain(*self._crews):
            team.lanes["phase"] = IDLE
            team.lanes["asked"] = team.lanes["answered"] = 0
            if self._evaluator is not None:
                team.table_keys[:] = NONE
        arguments = (todo, games, seed)
        others = [
            self._pool.submit(self._play_crew, crew, where, *arguments)
            for crew, where in zip(self._crews[1:], places[1:], strict=True)
            if self._pool is not None
        ]
        try:
            self._play_crew(self._crews[0], places[0], *arguments, look or (lambda: False))
        finally:
            self._over = True
            wait(others)
        for other in others:
            other.result()
        if self.control[FINISHED] == len(todo):
            return True
        for team, where in zip(
            itertools.chain(*self._crews), itertools.chain(*places), strict=True
        ):
            suspend(
                team, self._problem, where, self._blank, np.uint64(seed), games.numbers,
                games.prefixes, games.known, games.moves,
            )  # fmt: skip
        return False

    def _play_crew(
        self, crew: list[Any], places: list[np.ndarray], todo: np.ndarray, games: Games, seed: int,
        look: Callable[[], bool] | None = None,
    ) -> None:  # fmt: skip
        """Play with a thread's teams until all games are over; the thread that looks waits."""
        batches: list[Any] = [None] * len(crew)
        try:
            while not self._over and self.control[FINISHED] < len(todo):
                for i, team in enumerate(crew):
                    if batches[i] is not None:
                        batches[i].wait()
                        batches[i] = None
                    with friendly():
                        status = int(self._play_team(team, places[i], todo, games, seed))
                    if status < FINE:
                        raise ProblemError(explain(status, team))
                    batches[i] = self._submit(team)
                if look is not None and look():
                    return
                if all((where < 0).all() for where in places):
                    if look is None:
                        return
                    time.sleep(IDLE_SECONDS)
        except BaseException:
            self._over = True
            raise
        finally:
            for batch in batches:
                if batch is not None:
                    batch.wait()

    def _play_team(
        self, team: Any, places: np.ndarray, todo: np.ndarray, games: Games, seed: int
    ) -> Any:
        if self._evaluator is not None:
            team.queue[0] = 0
        return play_on(
            team, self._problem, self.control, places, todo, self._blank, np.uint64(seed),
            TURN[self._evaluator is not None], games.numbers, games.lengths, games.moves,
            games.scores, games.prefixes, games.known,
        )  # fmt: skip

    def _submit(self, team: Any) -> Any:
        n = int(team.queue[0]) if self._evaluator is not None else 0
        if n == 0:
            return None
        return self._evaluator.submit(team.inputs[:n], team.outputs[:n])  # type: ignore[union-attr]


@kernel
def play_on(
    search, problem, control, places, todo, blank, seed, turn, numbers, lengths, moves, scores,
    prefixes, known,
):  # fmt: skip
    """Play games of a team until each waits for a prediction, has had its turn, or is over.

    `places` says which of `todo` each game is, -1 for none; a game that is over is written down and
    the next one takes its place.
    """
    for game in range(len(places)):
        if search.lanes[game].asked:
            search.answer(game)
        left = turn
        while left > 0:
            if places[game] < 0:
                ticket = fetch_add(control, TICKET, 1)
                if ticket >= len(todo):
                    break
                entry = todo[ticket]
                places[game] = entry
                deal(search, problem, game, blank, seed, numbers[entry])
                resume(search, problem, game, prefixes[entry], known[entry], moves[entry])
            status, played = play_game(search, problem, game, left)
            fetch_add(control, PLAYOUTS, played)
            left -= played
            if status < FINE:
                return status
            if status == WAIT or left == 0:
                break
            entry = places[game]
            write_down(search, problem, game, blank, seed, numbers[entry], moves[entry])
            scores[entry] = problem.score(search.states[game])
            places[game] = -1
            # whoever sees the length sees all that was written before
            fetch_add(control, FINISHED, 1)
            lengths[entry] = search.games[game].prefix
    return FINE


@helper
def deal(search, problem, game, blank, seed, number):
    """Begin the game of a number from its random start."""
    search.luck[game] = stream_of(seed, number)
    search.here[game] = blank[0]
    problem.draw(search.here[game], search.luck[game : game + 1])
    search.rng[game] = stream_of(search.luck[game], number)
    search.restart(game)
    search.lanes[game].phase = IDLE


@helper
def resume(search, problem, game, prefix, known, outputs):
    """Play the moves that a suspended game had committed, and know its best playout again."""
    walk, legal = search.games[game], search.moves[game]
    search.states[game] = search.here[game]
    state = search.states[game]
    for i in range(known):
        n = problem.moves(state, legal)
        m = 0
        while m < n - 1 and problem.output(state, legal[m]) != outputs[i]:
            m += 1
        search.finest[game, i] = legal[m]
        problem.play(state, search.finest[game, i])
        if i < prefix:
            search.committed[game, i] = search.finest[game, i]
            problem.play(search.here[game], search.finest[game, i])
            walk.prefix += 1
    if known > prefix:
        walk.best_score = problem.score(state)
        walk.best_length = known
        walk.equals = 1
    walk.over = problem.moves(search.here[game], legal) == 0


@kernel
def suspend(search, problem, places, blank, seed, numbers, prefixes, known, moves):
    """Write down the games that are not over: what is committed, and the best playout."""
    for game in range(len(places)):
        entry, walk = places[game], search.games[game]
        if entry < 0:
            continue
        count = walk.best_length if search.options[0].best else walk.prefix
        if count <= 0:
            continue
        search.luck[game] = stream_of(seed, numbers[entry])
        search.states[game] = blank[0]
        state = search.states[game]
        problem.draw(state, search.luck[game : game + 1])
        for i in range(count):
            move = search.finest[game, i] if search.options[0].best else search.committed[game, i]
            moves[entry, i] = problem.output(state, move)
            problem.play(state, move)
        prefixes[entry] = walk.prefix
        known[entry] = count


@helper
def play_game(search, problem, game, most):
    """Play on with a game, at most so many playouts; FINE at its end, else WAIT, and how many."""
    walk = search.games[game]
    played = 0
    while not walk.over and played < most:
        if search.lanes[game].phase == IDLE:
            search.descend(problem, game, game)
        status = search.playout(problem, game)
        if status != FINE:
            return status, played
        score = problem.score(search.states[game])
        if score != score:
            return BAD_SCORE, played
        search.take(game, game, score)
        played += 1
        if search.is_enough(game):
            search.commit(problem, game)
    return (FINE if walk.over else WAIT), played


@helper
def write_down(search, problem, game, blank, seed, number, moves):
    """Play the game's moves again from its start: the outputs they are, and the final state."""
    luck = search.luck[game : game + 1]
    luck[0] = stream_of(seed, number)
    search.states[game] = blank[0]
    state = search.states[game]
    problem.draw(state, luck)
    for i in range(search.games[game].prefix):
        moves[i] = problem.output(state, search.committed[game, i])
        problem.play(state, search.committed[game, i])


def nodes_of(problem: Problem, algorithm: PolicyMCTS) -> int:
    """Room for the nodes of a game's tree: playouts of a move, as many kept, half of max_moves."""
    return 2 * algorithm.simulations * max(2, problem.max_moves // 2)


def room_for(problem: Problem, algorithm: PolicyMCTS, table: int = TABLE) -> int:
    """How many games at once half of the memory has room for."""
    move, state = problem.move_type.itemsize, problem.state_type.itemsize
    game = nodes_of(problem, algorithm) * (PRIOR_NODE.itemsize + move + 4)
    game += table * (8 + 4 * problem.outputs) + 4 * state
    game += (4 * problem.max_moves + 64 + 4 * problem.max_length) * (move + 16)
    try:
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (ValueError, OSError, AttributeError):
        memory = 8 << 30
    return max(1, int(memory // 2 // game))


def self_play_seed(seed: int, generation: int) -> int:
    """The seed of a generation's games."""
    return int(np.random.SeedSequence([seed, generation]).generate_state(1, np.uint64)[0])
