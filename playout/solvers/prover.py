"""The `Prover`: a solver asked until the value of a position is known, and shown by moves."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.contract import Game, check_open
from playout.contract.playable import seat_of
from playout.errors import OptionError, ProblemError
from playout.games.game_text import text_of_position
from playout.solvers import SOLVERS
from playout.solvers.move_order import MoveOrder
from playout.solvers.move_orders import make_order
from playout.solvers.position_table import FALSE, TRUE, UNKNOWN
from playout.solvers.proof import Proof
from playout.solvers.question import set_goal
from playout.solvers.solver import Solver, chosen_text, make_solver
from playout.solvers.step_status import DONE, RUNNING, what_is_wrong
from playout.stop import Progress, Stop
from playout.workers import Crew, Threads

STEP_SECONDS = 0.05
LOOK_NODES = 1 << 16  # between two looks at whether the table should grow


class Prover:
    """A solver at work on one position: question after question, until the value is known."""

    def __init__(
        self,
        game: Game,
        solver: Solver | str = "alphabeta",
        *,
        state: np.ndarray | None = None,
        seed: int | None = None,
        workers: int = 1,
        crew: Crew | None = None,
        look: Callable[[Progress], None] | None = None,
        **options: Any,
    ) -> None:
        game.check_attributes()
        if game.players != 2:
            name, many = type(game).__name__, f"{game.players} players: solvers are for 2"
            one = "one player: playout solve searches it"
            raise OptionError(f"{name} has {one if game.players == 1 else many}")
        self.solver = make_solver(solver, **options).for_game(game)
        check_open(game, self.solver.name)
        if reason := game.no_solution():
            raise OptionError(f"{type(game).__name__} cannot be solved: {reason}")
        self.game, self.workers = game, workers
        if isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= 256:
            raise OptionError(f"workers={workers!r}: a whole number from 1 to 256")
        if workers > 1 and not (self.solver.shares_table or self.solver.gives_jobs):
            kinds = [SOLVERS[name] for name in SOLVERS]
            others = ", ".join(kind.name for kind in kinds if kind.shares_table or kind.gives_jobs)
            raise OptionError(f"workers={workers}: {self.solver.name} has one; {others} may")
        self._crew: Crew | None = None
        if self.solver.gives_jobs:  # one search here, and workers for its jobs
            self._crew, self.workers, workers = crew or Threads(workers), 1, 1
        self.root = game.root(seed) if state is None else state.copy()
        self.order = self._new_order(seed, look)
        self.learnings = 0  # how often the order has learnt what it had put off
        if self._crew is not None and self.learns_at():
            raise OptionError(
                f"{self.order.name} learns from the moves of a proof, which jobs do not share: "
                "give order=game, killer, history, success or mc"
            )
        self._orders = [self.order, *(copy.deepcopy(self.order) for _ in range(1, workers))]
        self._threads = ThreadPoolExecutor(workers - 1, "solver") if workers > 1 else None
        # A question has a table of its own. Two are kept: under perfect play one player asks
        # whether he gets the value, the other whether no more.
        self._tables: dict[float, Any] = {}
        # the highest question first: wins are what most games are about
        self._goals = sorted(game.outcomes)[:0:-1]
        self.value: float | None = None
        self.nodes = 0
        self.depth = 0
        # of the last `run` and of what the order did before; compilation is not counted
        self.seconds = self.order.seconds
        self._aside = 0.0  # of the last `run`, for what the order did in it and compiled for that
        self.table = self._table_of(self._goals[0])
        self._looks = 0  # at whether the table should grow
        self._searches: list[Any] = []
        self._asked: dict[float, Any] = {}  # searches for `ask`, used again and again

    def _new_order(self, seed: int | None, look: Callable[[Progress], None] | None) -> MoveOrder:
        """The move order, with what it learns beforehand; `look` is shown how far it is."""
        given = self.solver.order
        order: MoveOrder = make_order(given) if isinstance(given, str) else given
        if seed is not None and hasattr(order, "seed"):
            order.seed = seed
        order.look = look
        order.prepare(self.game, self.root)
        order.look = None
        return order

    def run(
        self, stop: Stop | None = None, progress: Callable[[Progress], None] | None = None
    ) -> str:
        """Go on until the value is known or `stop`; what ended it."""
        self.compile()
        try:
            return self._run(stop, progress)
        finally:
            if self._crew is not None:
                for search in self._searches:
                    search.rest()

    def _run(self, stop: Stop | None, progress: Callable[[Progress], None] | None) -> str:
        start, size = time.perf_counter(), 1000
        begun, self._aside = self.nodes, 0.0
        while self.value is None:
            self.seconds = self.order.seconds + time.perf_counter() - start - self._aside
            now = self._progress(self.seconds, begun)
            if progress is not None:
                progress(now)
            if stop is not None:
                for part in stop.parts():
                    if part.reached(now):
                        return str(part)
            before = time.perf_counter()
            done = self._step(size)
            took = max(time.perf_counter() - before, 1e-9)
            if done > 0:
                size = max(100, min(4 * size, int(done / took * STEP_SECONDS)))
        self.seconds = self.order.seconds + time.perf_counter() - start - self._aside
        return "proven"

    def compile(self) -> None:
        """Compile what a step needs, without playing a move."""
        if self.value is None:
            with friendly():
                for search, order in zip(self.searches(), self.orders(), strict=True):
                    search.go_on(self.game, self.table, order, int(search.head[0].nodes))
            if getattr(self.table, "most", 0):
                self.table.compile()

    def _progress(self, seconds: float, begun: int) -> Progress:
        rate = (self.nodes - begun) / seconds if seconds > 0 else 0.0
        return Progress(seconds, max(0, self.nodes), self.depth, 0, 0, rate)

    def _table_of(self, goal: float) -> Any:
        """The table of a question: the one it has, or the older of two."""
        if goal in self._tables:
            return self._tables[goal]
        if len(self._tables) == 2:
            table = self._tables.pop(next(iter(self._tables)))
            table.clear()
        else:
            table = self.solver.new_table(self.game, shared=self.workers > 1)
        self._tables[goal] = table
        return table

    def searches(self) -> list[Any]:
        """The search of the present question, one for each worker."""
        if not self._searches:
            goal = self._goals[0] if self._goals else max(self.game.outcomes)
            self.table = self._table_of(goal)
            self._searches = [
                self.solver.new_search(self.game, self.root, goal, worker)
                for worker in range(self.workers)
            ]
            if self._crew is not None:
                self._searches[0].employ(self._crew)
        return self._searches

    def orders(self) -> list[MoveOrder]:
        """The move order of each worker."""
        return self._orders

    def state(self) -> dict[str, Any]:
        """What a checkpoint must hold besides the arrays of the searches, orders and table."""
        return {
            "goals": len(self._goals),
            "value": self.value,
            "nodes": self.nodes,
            "depth": self.depth,
            "learnings": self.learnings,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from `state`, once the arrays are what they were."""
        left, value = int(state["goals"]), state["value"]
        if not 0 <= left <= len(self._goals) or (left == 0 and value is None):
            raise ValueError("other questions")
        if value is not None and value not in self.game.outcomes:
            raise ValueError("a value that is none")
        self._goals = self._goals[len(self._goals) - left :]
        self.value = value
        self.nodes, self.depth = int(state["nodes"]), int(state["depth"])
        self._looks = self.nodes // LOOK_NODES
        if value is None:
            while self.learnings < int(state.get("learnings", 0)) and self.learns_at():
                self._learn()
                self.order.seconds = 0.0  # the run that learnt it first has counted them
        if self._goals:
            self._tables = {self._goals[0]: self.table}
            for search in self._searches:
                set_goal(search.head[0], self.game, self._goals[0])

    def learns_at(self) -> int:
        """Moves of the proof after which the order learns what it has put off; 0: it does not."""
        return self.order.learns_after(self.learnings)

    def learns_now(self) -> bool:
        """Whether the next step is one of the order, which learns what it had put off."""
        return 0 < self.learns_at() <= self.nodes

    def _learn(self) -> None:
        """Have the order learn what it had put off."""
        start = time.perf_counter()
        self.order.learn(self.game, self.root)
        for order in self._orders[1:]:
            order.take_over(self.order)
        self.learnings += 1
        self._aside += time.perf_counter() - start

    def _step(self, nodes: int) -> int:
        """Go on with the present question by about so many nodes."""
        if self.learns_now():
            self._learn()
            self._searches = []  # from the root once more: what was found out is in the table
            return 0
        # the same moves whatever the steps: the order learns and a table grows at fixed numbers
        if at := self.learns_at():
            nodes = min(nodes, at - self.nodes)
        searches = self.searches()
        if grows := getattr(self.table, "most", 0) > 0:
            nodes = min(nodes, (self._looks + 1) * LOOK_NODES - self.nodes)
        before = [int(search.head[0].nodes) for search in searches]
        share = -(-nodes // len(searches))

        def step(worker: int) -> int:
            search, order = searches[worker], self._orders[worker]
            return int(search.go_on(self.game, self.table, order, before[worker] + share))

        try:
            with friendly():
                others = []
                if self._threads is not None:
                    others = [self._threads.submit(step, i) for i in range(1, self.workers)]
                statuses = [step(0), *(other.result() for other in others)]
        finally:  # jobs that were done before one failed are kept
            done = sum(int(search.head[0].nodes) for search in searches) - sum(before)
            self.nodes += done
        self.depth = max(self.depth, *(int(search.head[0].deepest) for search in searches))
        if min(statuses) < 0:
            raise ProblemError(what_is_wrong(min(statuses), self.game))
        if grows and self.nodes // LOOK_NODES > self._looks:
            self._looks = self.nodes // LOOK_NODES
            if self.table.may_grow():
                self.table.grow()
        if DONE in statuses:
            self._answered(int(searches[statuses.index(DONE)].head[0].answer))
        return done

    def _answered(self, answer: int) -> None:
        if answer == UNKNOWN:  # not within this depth
            head = self._searches[0].head[0]
            limit, proves = int(head.limit), int(head.proves)
            for search in self._searches:
                if proves == TRUE:  # nor, perhaps, the other answer
                    search.restart(limit, FALSE)
                else:
                    search.restart(limit + 1, TRUE)
            return
        if answer == TRUE:
            self.value = self._goals[0]
        else:
            self._goals = self._goals[1:]
            self._searches = []
            if not self._goals:
                self.value = min(self.game.outcomes)

    def known(self) -> list[str]:
        """What is known before the value is, for a person."""
        above = [goal for goal in self.game.outcomes if goal not in self._goals][1:]
        return [f"the first player gets less than {min(above):g}"] if above else []

    def question(self) -> str:
        """What is being asked now, for a person."""
        return f"at least {self._goals[0]:g}?" if self._goals else ""

    def share_used(self) -> float:
        """How much of the memory for positions is in use."""
        search: Any = self._searches[0] if self._searches else None
        memory = search if hasattr(search, "share_used") else self.table
        return float(memory.share_used())

    def proof(self, seconds: float, stopped_by: str) -> Proof:
        """What is known now."""
        winner = "unknown"
        if self.value is not None:
            winner = "first" if self.value > 0.5 else "second" if self.value < 0.5 else "draw"
        order = self.order.name or type(self.order).__name__
        return Proof(
            game=type(self.game).__name__,
            position=text_of_position(self.game, self.root),
            winner=winner,
            value=self.value,
            variation=[] if self.value is None else self.variation(),
            nodes=self.nodes,
            seconds=seconds,
            solver=self.solver.name,
            order=order,
            depth=self.depth,
            table=self.share_used(),
            stopped_by=stopped_by,
            open=self.game.opened,
            chosen=chosen_text(self.solver, order),
        )

    # what the proof says to play

    def best_move(self, state: np.ndarray) -> Any:
        """A move that keeps the value of a position that perfect play may lead to."""
        value = self.value
        assert value is not None
        with wrapping():
            first = seat_of(self.game, state[0]) == 0
        goal = value if first else _next_goal(self.game, value)
        if goal is None or goal == min(self.game.outcomes):  # he can do no worse
            return self.game.legal_moves(state[0])[0]
        answer, move = self.ask(state, goal)
        if answer != first:
            raise ProblemError("no move keeps the value: the solver is wrong")
        return move

    def ask(self, state: np.ndarray, goal: float) -> tuple[bool, Any]:
        """Whether the first player gets at least `goal` from a position, and the move to play.

        It is a search of its own, which finds in the table what is still there.
        """
        table = self._table_of(goal)
        search = self._asked.get(goal)
        if search is None:
            search = self._asked[goal] = self.solver.new_lookup(self.game, state, goal)
        head = search.head[0]
        search.states[0] = state[0]
        head.depth, head.entering, head.answer = 0, 1, UNKNOWN
        status = RUNNING
        with friendly():
            while status != DONE:
                nodes = int(search.head[0].nodes) + 10**7
                status = search.go_on(self.game, table, self.order, nodes)
                if status < 0:
                    raise ProblemError(what_is_wrong(status, self.game))
        return int(search.head[0].answer) == TRUE, search.best_move()[0]

    def variation(self) -> list[str]:
        """One line of perfect play."""
        game, state = self.game, self.root.copy()
        texts: list[str] = []
        while not game.is_over(state[0]) and len(texts) < game.max_length:
            move = self.best_move(state)
            texts.append(game.move_text(state[0], move))
            game.play_move(state[0], move)
        return texts


def _next_goal(game: Game, value: float) -> float | None:
    """The lowest outcome above a value: what the second player keeps the first from."""
    above = [goal for goal in game.outcomes if goal > value]
    return min(above) if above else None
