"""A tree search of one game that goes on from move to move, and its result.

`search` is one search of one position. A `TreeSession` is what a player has: it keeps the tree
below the moves that were played, and what its playout policy has learnt.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled.errors import friendly
from playout.compiled.records import mix
from playout.errors import OptionError, ProblemError
from playout.gametree.arrays import FULL, NODES, OPEN, SIMULATIONS, STATUS, UNIT, TreeArrays
from playout.gametree.keep import keep_below
from playout.gametree.options import GRAPHS, TreeSearch
from playout.gametree.simulate import FINE, TOO_LONG, TOO_MANY_MOVES, make_root, simulate
from playout.problem import Game
from playout.run.stop import Playouts, Progress, Seconds, Stop

STEP_SECONDS = 0.02
AMAF_PER_NODE = 16


@dataclass(frozen=True)
class MoveStatistics:
    """What the search knows of a move: visits, its value to the player who moves, and proofs."""

    move: str
    visits: int
    value: float
    proven: float | None
    record: Any


@dataclass(frozen=True)
class SearchResult:
    """What a tree search of a position found.

    `moves` are all legal moves, the most visited first; `move` is the one to play, `variation` the
    play that the search expects; `value` is what the position is worth to the player to move.
    """

    game: str
    position: str
    algorithm: str
    player: int
    move: str
    value: float
    proven: bool
    variation: list[str]
    moves: list[MoveStatistics]
    simulations: int
    seconds: float
    nodes: int
    full: bool
    seed: int
    record: Any

    def to_json(self) -> dict[str, Any]:
        """The result as JSON data."""
        data = {name: value for name, value in vars(self).items() if name != "record"}
        data["moves"] = [
            {name: value for name, value in vars(move).items() if name != "record"}
            for move in self.moves
        ]
        return data

    def __str__(self) -> str:
        lines = [
            f"{self.game}, {self.algorithm}: {self.move} "
            f"({'proven' if self.proven else 'value'} {self.value:.3f})",
            f"{self.simulations:,} simulations in {self.seconds:.2f} s, {self.nodes:,} nodes"
            + (" (the tree is full)" if self.full else ""),
            "variation  " + " ".join(self.variation),
        ]
        for move in self.moves[:10]:
            proof = f"  proven {move.proven:g}" if move.proven is not None else ""
            lines.append(f"{move.move:>10}  {move.visits:>10,}  {move.value:.3f}{proof}")
        return "\n".join(lines)


class TreeSession:
    """A player's search: positions one after another, with what was learnt before.

    With `compiled=False` everything runs as plain Python, in one thread: slow, for a game that
    cannot be compiled. A game whose class says `interpreted = True` always does.
    """

    def __init__(
        self,
        game: Game,
        algorithm: TreeSearch,
        *,
        seed: int | None = None,
        workers: int = 1,
        compiled: bool = True,
    ) -> None:
        game.check_attributes()
        if not isinstance(algorithm, TreeSearch):
            raise OptionError(
                f"{algorithm!r} is no tree search: give one such as TreeSearch('uct')"
            )
        if not isinstance(workers, int) or not 1 <= workers <= 256:
            raise OptionError(f"workers={workers!r}: a whole number from 1 to 256")
        self.compiled = compiled and not getattr(game, "interpreted", False)
        if workers > 1 and not self.compiled:
            raise OptionError(f"workers={workers}: an interpreted search has one worker")
        self.game = game
        self.algorithm = algorithm
        self.seed = secrets.randbits(31) if seed is None else int(seed)
        self.searches = 0
        self._policy = algorithm.policy
        self._playouts = [algorithm.new_playout() for _ in range(workers)]
        for number, playout in enumerate(self._playouts):
            playout.prepare(game, self.seed + number)
        self.tree = new_tree(game, algorithm, workers)
        self._position: np.ndarray | None = None

    def set_position(self, state: np.ndarray | None = None) -> None:
        """Search this position next, an array of one state; the tree begins anew."""
        self._position = self.game.root() if state is None else state.copy()
        self.tree.root_state[0] = self._position[0]
        with friendly():
            self._form(make_root)(self.tree, self.game)

    def advance(self, move: Any) -> None:
        """A move was played: go on from the position behind it, with the tree below it."""
        position = self._here()
        edge = self._edge_of(move)
        with np.errstate(over="ignore"):
            self.game.play(position[0], move)
        child = int(self.tree.child[edge]) if edge is not None else 0
        if not self.algorithm.options.keep or child <= 0 or self.tree.head[0].symmetry:
            self.set_position(position)
            return
        self.tree.root_state[0] = position[0]
        keep_below(self.tree, child, self.compiled)

    def run(self, stop: Stop, progress: Callable[[Progress], None] | None = None) -> SearchResult:
        """Search the position until `stop`."""
        position = self._here()
        with np.errstate(over="ignore"):
            if self.game.moves(position[0], self.game.new_moves()) == 0:
                raise ProblemError("the game is over: there is no move to search for")
        self.searches += 1
        if self.searches > 1:
            for playout in self._playouts:
                playout.next_search()
        tree = self.tree
        with np.errstate(over="ignore"):
            tree.head[0].seed = mix(np.uint64(self.seed) ^ mix(np.uint64(self.searches)))
        tree.counters[SIMULATIONS] = 0
        tree.counters[STATUS] = FINE
        with friendly():
            self._simulate(0)  # compile before the clock starts
        start = time.perf_counter()
        size, rate = 8, 0.0
        while True:
            seconds = time.perf_counter() - start
            done = int(tree.counters[SIMULATIONS])
            now = Progress(seconds, done, 0.0, 0, 0, rate)
            if progress is not None:
                progress(now)
            if (done > 0 and stop.reached(now)) or self._settled():
                break
            left = stop.playouts_left(now)
            if rate > 0 and np.isfinite(stop.seconds_left(now)):
                size = min(size, max(1, int(rate * max(0.0, stop.seconds_left(now)))))
            goal = done + int(min(size, left))
            before = time.perf_counter()
            with friendly():
                self._simulate(goal)
            self._check()
            took = max(time.perf_counter() - before, 1e-9)
            rate = (goal - done) / took
            size = max(1, min(4 * size, int(rate * STEP_SECONDS)))
        return self._result(time.perf_counter() - start)

    def _simulate(self, goal: int) -> None:
        """Simulate until there have been `goal` simulations of this search."""
        kernel = self._form(simulate)
        kernel(self.tree, self.game, self._policy, self._playouts[0], 0, goal)

    def _form(self, kernel: Any) -> Any:
        """A kernel as this session runs it: compiled, or plain Python."""
        return kernel if self.compiled else kernel.py_func

    def _here(self) -> np.ndarray:
        if self._position is None:
            self.set_position()
        assert self._position is not None
        return self._position

    def _settled(self) -> bool:
        """Whether there is nothing more to find out: the position is proven."""
        head = self.tree.head[0]
        return bool(head.solver and self.tree.proof[int(head.root)])

    def _check(self) -> None:
        status = int(self.tree.counters[STATUS])
        if status == FINE:
            return
        name = type(self.game).__name__
        raise ProblemError({
            TOO_MANY_MOVES: f"{name}.moves() returned more than max_moves = {self.game.max_moves}",
            TOO_LONG: f"a game of {name} went on after max_length = {self.game.max_length} moves",
        }.get(status, f"{name}.reward() returned NaN"))  # fmt: skip

    # what was found

    def _edges(self) -> list[int]:
        root = int(self.tree.head[0].root)
        if self.tree.status[root] != OPEN:
            return []
        first = int(self.tree.first[root])
        return list(range(first, first + int(self.tree.count[root])))

    def _edge_of(self, move: Any) -> int | None:
        """The root's edge of a move of the actual position."""
        wanted = self._framed(move)
        for edge in self._edges():
            if self.tree.edge_moves[edge].tobytes() == wanted.tobytes():
                return edge
        return None

    def _framed(self, move: Any) -> Any:
        """A move of the position as the root's canonical form has it."""
        if not self.tree.head[0].symmetry:
            return move
        out = self.game.new_moves(1)
        self.game.transform_move(move, int(self.tree.head[0].frame), out[0])
        return out[0]

    def _result(self, seconds: float) -> SearchResult:
        game, tree = self.game, self.tree
        position = self._here()
        root = int(tree.head[0].root)
        legal = game.new_moves()
        with np.errstate(over="ignore"):
            n = game.moves(position[0], legal)
            player = int(game.turn(position[0]))
        rows = []
        for i in range(n):
            edge = self._edge_of(legal[i])
            text = game.move_text(position[0], legal[i])
            visits, value, proven = 0, 0.0, None
            if edge is not None:
                visits, value, proven = self._edge_figures(edge, player)
            rows.append(MoveStatistics(text, visits, value, proven, legal[i].copy()))
        rows.sort(key=lambda row: -row.visits)
        best = max(rows, key=self._preference)
        sure = bool(tree.head[0].solver and tree.proof[root])
        return SearchResult(
            game=type(game).__name__,
            position=_position_text(game, position),
            algorithm=self.algorithm.text,
            player=player,
            move=best.move,
            value=float(tree.proven[root, player]) if sure else best.value,
            proven=sure,
            variation=self._variation(position, best),
            moves=rows,
            simulations=int(tree.counters[SIMULATIONS]),
            seconds=seconds,
            nodes=int(tree.counters[NODES]) - 1,
            full=bool(tree.counters[FULL]),
            seed=self.seed,
            record=best.record,
        )

    def _edge_figures(self, edge: int, mover: int) -> tuple[int, float, float | None]:
        tree = self.tree
        visits, child = int(tree.edge_visits[edge]), int(tree.child[edge])
        proven = None
        if tree.head[0].solver and child > 0 and tree.proof[child]:
            proven = float(tree.proven[child, mover])
        value = float(tree.edge_totals[edge]) / UNIT / visits if visits else 0.0
        return visits, value, proven

    def _preference(self, row: MoveStatistics) -> tuple[float, float, float]:
        """Proven wins first and proven losses last; then by the final choice."""
        highest = float(self.tree.head[0].highest)
        rank = 0.0
        if row.proven is not None:
            rank = 1.0 if row.proven >= highest else -1.0 if row.proven <= 0 else 0.0
        choice = self.algorithm.options.choice
        if row.visits == 0:
            return rank, -np.inf, 0.0
        if choice == "mean":
            return rank, row.value, row.visits
        if choice == "secure":  # G. Chaslot et al., 2008: the highest lower bound
            return rank, row.value - 1.0 / np.sqrt(row.visits), row.visits
        return rank, row.visits, row.value

    def _variation(self, position: np.ndarray, best: MoveStatistics) -> list[str]:
        """The most visited moves, from the best one on."""
        game, tree = self.game, self.tree
        state, texts, seen = position.copy(), [best.move], set()
        edge = self._edge_of(best.record)
        with np.errstate(over="ignore"):
            game.play(state[0], best.record)
            while edge is not None and not tree.head[0].symmetry:
                node = int(tree.child[edge])
                if node <= 0 or tree.status[node] != OPEN or node in seen:
                    break
                seen.add(node)
                first, n = int(tree.first[node]), int(tree.count[node])
                edge = first + int(np.argmax(tree.edge_visits[first : first + n]))
                if tree.edge_visits[edge] == 0:
                    break
                texts.append(game.move_text(state[0], tree.edge_moves[edge]))
                game.play(state[0], tree.edge_moves[edge].copy())
        return texts


def search(
    game: Game,
    algorithm: TreeSearch | None = None,
    stop: Stop | None = None,
    *,
    state: np.ndarray | None = None,
    seed: int | None = None,
    workers: int = 1,
    compiled: bool = True,
    progress: Callable[[Progress], None] | None = None,
) -> SearchResult:
    """Search one position of a game.

    Parameters
    ----------
    game : Game
    algorithm : TreeSearch
        UCT if none is given.
    stop : Seconds or Playouts
        `Playouts` counts simulations; `Seconds(1)` if none is given.
    state : array of one state
        The position, such as `game.read_position(text)` gives; the start if none is given.
    seed : int
        The same seed, one worker and the same `Playouts` give the same result.
    workers : int
        Threads, which share the search as the option `parallel` says.
    compiled : bool
        Whether the search runs compiled; as plain Python it has one worker and is slow.

    Examples
    --------
    >>> import playout as po
    >>> game = po.games.TicTacToe()
    >>> po.search(game, po.TreeSearch("uct"), po.Playouts(2000), seed=1).move
    'b2'
    """
    stop = Seconds(1.0) if stop is None else stop
    if not all(isinstance(part, Seconds | Playouts) for part in stop.parts()):
        raise OptionError(f"{stop!r}: a tree search stops by Seconds or Playouts")
    session = TreeSession(
        game, algorithm or TreeSearch(), seed=seed, workers=workers, compiled=compiled
    )
    session.set_position(state)
    return session.run(stop, progress)


def new_tree(game: Game, algorithm: TreeSearch, threads: int = 1) -> TreeArrays:
    """The arrays of a search."""
    options, policy = algorithm.options, algorithm.policy
    if options.symmetry and game.symmetries < 2:
        raise OptionError(f"{type(game).__name__} has no symmetries: leave symmetry out")
    mixes = {"mean": 0.0, "max": 1.0, "mixmax": options.mix}
    tree = TreeArrays(
        game,
        nodes=options.nodes,
        threads=threads,
        shared=threads > 1,
        graph=GRAPHS[options.graph],
        squares=policy.wants_squares(),
        top=mixes[options.backup] > 0,
        prior=policy.wants_prior(),
        amaf=options.nodes * AMAF_PER_NODE if policy.wants_amaf() else 0,
        codes=policy.wants_amaf(),
        solver=options.solver,
    )
    head = tree.head[0]
    head.symmetry = game.symmetries if options.symmetry else 0
    head.mix = mixes[options.backup]
    head.loss = options.loss
    head.general_loss = options.general_loss
    head.highest = 1.0
    head.reference = getattr(policy, "ref", 0)
    return tree


def _position_text(game: Game, position: np.ndarray) -> str:
    from playout.errors import DataError

    try:
        return game.position_text(position[0])
    except DataError:
        return ""
