"""`prove`: the value of a position under perfect play, found by a solver and shown by moves."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.contract import Game
from playout.errors import OptionError, ProblemError, nearest
from playout.solvers.alphabeta import (
    BAD_REWARD,
    DONE,
    RUNNING,
    TOO_LONG,
    TOO_MANY_MOVES,
    AlphaBeta,
)
from playout.solvers.dfpn import DfPn
from playout.solvers.move_orders import MoveOrder, make_order
from playout.solvers.pn2 import Pn2
from playout.solvers.position_table import ENTRIES, FALSE, TRUE, UNKNOWN, Table
from playout.solvers.proof_number_table import ProofTable
from playout.stop import Progress, Stop

STEP_SECONDS = 0.05
SOLVERS = ("alphabeta", "ids", "pn2", "dfpn")
THREADED = ("alphabeta", "ids")  # several workers may share their table


@dataclass(frozen=True)
class Proof:
    """What a solver found out.

    `value` is what the position is worth to the first player; `winner` is first, second, draw, or
    unknown if the solver was stopped before it knew. `variation` is one line of perfect play.
    """

    game: str
    position: str
    winner: str
    value: float | None
    variation: list[str]
    nodes: int
    seconds: float
    solver: str
    order: str
    depth: int
    table: float  # the share of the transposition table that is in use
    stopped_by: str

    def to_json(self) -> dict[str, Any]:
        return dict(vars(self))

    def __str__(self) -> str:
        what = {
            "first": "the first player wins", "second": "the second player wins",
            "draw": "a draw", "unknown": "not known yet",
        }[self.winner]  # fmt: skip
        rate = self.nodes / self.seconds if self.seconds > 0 else 0.0
        lines = [
            f"{self.game}: {what}",
            f"{self.nodes:,} moves in {self.seconds:.2f} s ({rate:,.0f}/s), {self.depth} deep, "
            f"table {self.table:.0%} full; {self.solver}, order {self.order}",
        ]
        if self.variation:
            lines.append("variation  " + " ".join(self.variation))
        return "\n".join(lines)


class Prover:
    """A solver at work on one position: question after question, until the value is known."""

    def __init__(
        self,
        game: Game,
        *,
        solver: str = "alphabeta",
        order: MoveOrder | str = "none",
        state: np.ndarray | None = None,
        entries: int = ENTRIES,
        tiers: int = 1,
        symmetry: bool = False,
        ahead: int = 0,
        workers: int = 1,
    ) -> None:
        game.check_attributes()
        if game.players != 2:
            raise OptionError(
                f"{type(game).__name__} has {game.players} players: solvers are for 2"
            )
        if solver not in SOLVERS:
            raise OptionError(f"there is no solver {solver!r}; {nearest(solver, SOLVERS)}")
        if isinstance(workers, bool) or not isinstance(workers, int) or not 1 <= workers <= 256:
            raise OptionError(f"workers={workers!r}: a whole number from 1 to 256")
        if workers > 1 and solver not in THREADED:
            raise OptionError(f"workers={workers}: {solver} has one; {', '.join(THREADED)} may")
        if isinstance(ahead, bool) or not isinstance(ahead, int) or ahead < 0:
            raise OptionError(f"ahead={ahead!r}: a whole number from 0")
        if ahead and solver not in THREADED:
            raise OptionError(f"ahead={ahead}: {solver} has none; {', '.join(THREADED)} may")
        if isinstance(order, str):
            order = make_order(order)
        self.game, self.solver, self.order, self.workers = game, solver, order, workers
        self.root = game.root() if state is None else state.copy()
        order.prepare(game, self.root)
        order.look = None
        self._orders = [order, *(copy.deepcopy(order) for _ in range(1, workers))]
        self._pool = ThreadPoolExecutor(workers - 1, "solver") if workers > 1 else None
        self.symmetry, self.entries, self.tiers, self.ahead = symmetry, entries, tiers, ahead
        # A question has a table of its own. Two are kept: under perfect play one player asks
        # whether he gets the value, the other whether no more.
        self._tables: dict[float, Table | ProofTable] = {}
        # the highest question first: wins are what most games are about
        self._goals = sorted(game.outcomes)[:0:-1]
        self.value: float | None = None
        self.nodes = 0
        self.depth = 0
        # of the last `run` and of what the order did before; compilation is not counted
        self.seconds = order.seconds
        self.table = self._table_of(self._goals[0])
        self._searches: list[Any] = []
        self._asked: dict[float, Any] = {}  # searches for `ask`, used again and again

    def run(
        self, stop: Stop | None = None, progress: Callable[[Progress], None] | None = None
    ) -> str:
        """Go on until the value is known or `stop`; what ended it."""
        self.compile()
        start, size = time.perf_counter(), 1000
        begun = self.nodes
        while self.value is None:
            self.seconds = self.order.seconds + time.perf_counter() - start
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
        self.seconds = self.order.seconds + time.perf_counter() - start
        return "proven"

    def compile(self) -> None:
        """Compile what a step needs, without playing a move."""
        if self.value is None:
            with friendly():
                for search, order in zip(self.searches(), self.orders(), strict=True):
                    search.go_on(self.game, self.table, order, int(search.head[0].nodes))

    def _progress(self, seconds: float, begun: int) -> Progress:
        rate = (self.nodes - begun) / seconds if seconds > 0 else 0.0
        return Progress(seconds, max(0, self.nodes), self.depth, 0, 0, rate)

    def _table_of(self, goal: float) -> Table | ProofTable:
        """The table of a question: the one it has, or the older of two."""
        if goal in self._tables:
            return self._tables[goal]
        table: Table | ProofTable
        if len(self._tables) == 2:
            table = self._tables.pop(next(iter(self._tables)))
            table.clear()
        else:
            if self.solver in THREADED:
                table = Table(self.game, self.entries, self.tiers, shared=self.workers > 1)
            else:
                table = ProofTable(self.game, self.entries, self.tiers)
        self._tables[goal] = table
        return table

    def _search_of(self, state: np.ndarray, goal: float, shows: bool) -> Any:
        """A search of one question; one that `shows` is about a move and goes by the table."""
        if self.solver == "pn2" and not shows:
            return Pn2(self.game, state, goal, self.entries)
        if self.solver in ("pn2", "dfpn"):
            return DfPn(self.game, state, goal, self.symmetry)
        return AlphaBeta(self.game, state, goal, self.symmetry, self.ahead)

    def searches(self) -> list[Any]:
        """The search of the present question, one for each worker."""
        if not self._searches:
            goal = self._goals[0] if self._goals else max(self.game.outcomes)
            self.table = self._table_of(goal)
            self._searches = [self._search_of(self.root, goal, False) for _ in self._orders]
            for number, search in enumerate(self._searches):
                if self.solver in THREADED:
                    search.head[0].worker = number
                if self.solver == "ids":
                    search.restart(1, TRUE)
        return self._searches

    def orders(self) -> list[MoveOrder]:
        """The move order of each worker."""
        return self._orders

    def state(self) -> dict[str, Any]:
        """What a checkpoint must hold besides the arrays of the searches, orders and table."""
        return {
            "goals": len(self._goals), "value": self.value, "nodes": self.nodes,
            "depth": self.depth,
        }  # fmt: skip

    def restore(self, state: dict[str, Any]) -> None:
        """Go on from `state`, once the arrays are what they were."""
        self._goals = self._goals[len(self._goals) - int(state["goals"]) :]
        self.value, self.nodes, self.depth = (
            state["value"],
            int(state["nodes"]),
            int(state["depth"]),
        )
        if self._goals:
            self._tables = {self._goals[0]: self.table}

    def _step(self, nodes: int) -> int:
        """Advance the present question by about so many nodes."""
        searches = self.searches()
        before = [int(search.head[0].nodes) for search in searches]
        share = -(-nodes // len(searches))

        def step(worker: int) -> int:
            search, order = searches[worker], self._orders[worker]
            return int(search.go_on(self.game, self.table, order, before[worker] + share))

        with friendly():
            others = [self._pool.submit(step, i) for i in range(1, self.workers)
                      if self._pool is not None]  # fmt: skip
            statuses = [step(0), *(other.result() for other in others)]
        done = sum(int(search.head[0].nodes) for search in searches) - sum(before)
        self.nodes += done
        self.depth = max(self.depth, *(int(search.head[0].deepest) for search in searches))
        if min(statuses) < 0:
            raise ProblemError(_explain(min(statuses), self.game))
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
        if self._searches and isinstance(self._searches[0], Pn2):
            return self._searches[0].share_used()
        return self.table.share_used()

    def proof(self, seconds: float, stopped_by: str) -> Proof:
        """What is known now."""
        from playout.gametree.tree_session import _position_text

        winner = "unknown"
        if self.value is not None:
            winner = "first" if self.value > 0.5 else "second" if self.value < 0.5 else "draw"
        return Proof(
            game=type(self.game).__name__,
            position=_position_text(self.game, self.root),
            winner=winner,
            value=self.value,
            variation=[] if self.value is None else self.variation(),
            nodes=self.nodes,
            seconds=seconds,
            solver=self.solver,
            order=self.order.name or type(self.order).__name__,
            depth=self.depth,
            table=self.share_used(),
            stopped_by=stopped_by,
        )

    # what the proof says to play

    def best_move(self, state: np.ndarray) -> Any:
        """A move that keeps the value of a position that perfect play may lead to."""
        value = self.value
        assert value is not None
        with wrapping():
            first = int(self.game.turn(state[0])) == 0
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
            search = self._asked[goal] = self._search_of(state, goal, shows=True)
        head = search.head[0]
        search.states[0] = state[0]
        head.depth, head.entering, head.answer = 0, 1, UNKNOWN
        status = RUNNING
        with friendly():
            while status != DONE:
                nodes = int(search.head[0].nodes) + 10**7
                status = search.go_on(self.game, table, self.order, nodes)
                if status < 0:
                    raise ProblemError(_explain(status, self.game))
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


def prove(
    game: Game,
    *,
    solver: str = "alphabeta",
    order: MoveOrder | str = "none",
    state: np.ndarray | None = None,
    stop: Stop | None = None,
    entries: int = ENTRIES,
    tiers: int = 1,
    symmetry: bool = False,
    ahead: int = 0,
    workers: int = 1,
    progress: Callable[[Progress], None] | None = None,
) -> Proof:
    """Find the value of a position under perfect play.

    Examples
    --------
    >>> from playout.games import load_game
    >>> prove(load_game("tictactoe")).winner
    'draw'
    """
    prover = Prover(
        game, solver=solver, order=order, state=state, entries=entries, tiers=tiers,
        symmetry=symmetry, ahead=ahead, workers=workers,
    )  # fmt: skip
    stopped_by = prover.run(stop, progress)
    return prover.proof(prover.seconds, stopped_by)


def _next_goal(game: Game, value: float) -> float | None:
    """The lowest outcome above a value: what the second player keeps the first from."""
    above = [goal for goal in game.outcomes if goal > value]
    return min(above) if above else None


def _explain(status: int, game: Game) -> str:
    name = type(game).__name__
    return {
        TOO_MANY_MOVES: f"{name}.moves() returned more than max_moves = {game.max_moves} moves",
        BAD_REWARD: f"{name}.reward() of the first player is none of outcomes = {game.outcomes}",
        TOO_LONG: f"a game of {name} went on after max_length = {game.max_length} moves",
    }[status]
