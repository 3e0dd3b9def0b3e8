"""Steps: what makes a search play some more playouts, for each kind of problem.

A problem with `score` is searched by compiled code alone, on one thread or on a team (`leaf.py`);
one with `evaluate` comes out of it for every batch. `(search, playouts) -> status`, where a status
below FINE says what is wrong with the problem (`explain`).
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from playout.algorithms.polish import PolishingBetween, polish_slot
from playout.algorithms.search import (
    BAD_ALL_MOVES,
    BAD_BIAS,
    BAD_POLISH,
    BAD_SCORE,
    FINE,
    TOO_LONG,
    TOO_MANY_MOVES,
    Search,
    accept,
    propose,
    step,
)
from playout.contract import Problem, most_moves, sign_as_written
from playout.errors import ProblemError
from playout.run.known_scores import KnownScores

EVALUATED_SECONDS = 0.1  # of a step: it costs more where plain Python takes part in it
Step = Callable[[Search, int], int]  # (search, playouts) -> status

SHARES = 4  # parts of a batch for each thread, so that none waits long for another


def make_step(problem: Problem, compiled: bool, threads: int = 1) -> Step:
    """The step of a problem's searches."""
    if problem.evaluate is not None:
        return Evaluated(problem, compiled, threads)
    if threads > 1:
        from playout.run.leaf_batches import LeafTeam

        return LeafTeam(problem, threads)
    kernel = step if compiled else step.py_func

    def step_here(search: Search, playouts: int) -> int:
        return int(kernel(search, problem, playouts))

    return step_here


class Evaluated:
    """Steps of a problem whose finished games are scored by plain Python, a batch at a time.

    Threads share out the scoring of a batch, which helps if `evaluate` does not hold the GIL. Where
    playouts are polished, each is polished and scored by itself, and one that reaches the target
    ends the others: `polish` may take long, and asks the problem's `ending` now and then.
    """

    def __init__(self, problem: Problem, compiled: bool, threads: int = 1) -> None:
        self._problem = problem
        self.threads = threads
        self.seconds = EVALUATED_SECONDS
        self._pool = ThreadPoolExecutor(threads, "evaluate") if threads > 1 else None
        self._compiled = compiled
        self._reached = False
        self._known = KnownScores(
            problem.evaluate, type(problem).__name__, problem.noisy, sign_as_written(problem)
        )
        self._propose = propose if compiled else propose.py_func
        self._accept = accept if compiled else accept.py_func

    def __call__(self, search: Search, playouts: int) -> int:
        head = search.head[0]
        left = playouts
        self._reached = False
        while left > 0 and not head.best_score >= head.target:
            status = int(self._propose(search, self._problem, left))
            if status != FINE:
                return status
            first, last = int(head.played), int(head.begun)
            self._score(search, first, last)
            left -= last - first
            status = int(self._accept(search, self._problem))
            if status != FINE:
                return status
        if playouts == 0:  # only to compile
            return int(self._propose(search, self._problem, 0))
        return FINE

    def watch(self, ending: Callable[[], bool] | None) -> None:
        """Let the problem know whether the run is to end; None: there is no run any more."""
        self._problem.__dict__.pop("ending", None)
        if ending is not None:
            self._problem.__dict__["ending"] = lambda: self._reached or ending()

    def _score(self, search: Search, first: int, last: int) -> None:
        """Score the states from `first` to before `last`."""
        polishes = isinstance(search, PolishingBetween)

        def part(start: int) -> None:
            end = min(start + share, last)
            if not polishes:
                self._evaluate(search, start, end)
                return
            for slot in range(start, end):
                if not self._problem.ending():
                    status = polish_slot(search, self._problem, slot, self._compiled)
                    if status != FINE:
                        raise ProblemError(explain(status, search))
                self._evaluate(search, slot, slot + 1)
                if search.scores[slot] >= search.head[0].target:
                    self._reached = True

        share = last - first
        if self._pool is None or share == 1:
            part(first)
            return
        share = -(-share // (SHARES * self.threads))
        for _ in self._pool.map(part, range(first, last, share)):
            pass  # an error is raised here

    def _evaluate(self, search: Search, first: int, last: int) -> None:
        search.scores[first:last] = self._known.scores(search.states[first:last])

    def evaluating(self) -> float:
        """Seconds in `evaluate`."""
        return self._known.seconds

    def counters(self) -> dict[str, int]:
        """How many states were evaluated, and how many more had been evaluated before."""
        return {"evaluations": self._known.evaluations, "repeated": self._known.repeated}


def explain(status: int, search: Search) -> str:
    """What is wrong with a problem, from the error that a step returned."""
    limit_moves, limit_length = most_moves(search.moves[0]), search.sequences.shape[1]
    return {
        TOO_MANY_MOVES: f"moves() returned fewer than 0 or more than max_moves = {limit_moves} "
        "moves; playout check shows where",
        TOO_LONG: f"a game went on after max_length = {limit_length} moves; "
        "playout check shows where",
        BAD_SCORE: "score() returned NaN; playout check shows where",
        BAD_POLISH: "polish() made a game that is not legal; playout check shows where",
        BAD_ALL_MOVES: "all_moves() left a legal move out; it should name legal moves and others",
        BAD_BIAS: "bias() returned NaN, or an infinite number; playout check shows where",
    }[status]
