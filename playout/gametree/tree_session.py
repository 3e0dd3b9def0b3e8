"""A tree search of one game that goes on from move to move.

`search` is one search of one position. A `TreeSession` is what a player has: it keeps the tree
below the moves that were played, and what its playout policy has learnt.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import Any, Unpack

import numpy as np

from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.compiled.records import bytes_of
from playout.contract import Game, check_open, open_copy
from playout.errors import OptionError
from playout.games.game_text import as_game
from playout.gametree.game_session import GameSession
from playout.gametree.joint_moves import PlayedStep, chooser_node, choosers
from playout.gametree.kept_tree import keep_below
from playout.gametree.nodes import make_root
from playout.gametree.parallel_schemes import check_joint, check_symmetry, new_team, scheme_of
from playout.gametree.root_moves import (
    edges_of,
    figures,
    frame_of,
    framed,
    is_proven,
    moves_at,
    proof_rank,
    variation,
)
from playout.gametree.search_result import MoveStatistics, SearchResult, most_visited_first
from playout.gametree.session_settings import check_workers
from playout.gametree.stepping import run_steps
from playout.gametree.tree_arrays import FULL, TREE, TreeArrays
from playout.gametree.tree_search import TreeSearch, as_search
from playout.gametree.usual_search import usual_search
from playout.stop import Budget, Calls, Playouts, Progress, Seconds, Stop, stop_of
from playout.text.engines import ENGINES


class TreeSession(GameSession[TreeSearch]):
    """A player's search: positions one after another, with what was learnt before.

    Several workers share it as the option `parallel` says; `tree` is the first one's. Plain Python
    runs in one thread.
    """

    def _check_given(self, game: Game, algorithm: Any, workers: int, compiled: bool) -> None:
        check_session(game, algorithm, workers, compiled)

    def _prepare(self, workers: int) -> None:
        self._step: PlayedStep | None = None  # choices that were played of a step that is not done
        self.team = new_team(self.game, self.algorithm, workers, self.seed, self.compiled)
        self.tree = self.team.trees[0]

    def reset(self, seed: int) -> None:
        super().reset(seed)
        self.team.reset(seed)

    def _begin_trees(self) -> None:
        self._step = None
        for tree in self.team.trees:
            self._begin_anew(tree, self._here())
        self.team.restart()

    def play(self, move: Any) -> None:
        """A move was played: go on from the position behind it, with the tree below it.

        With several trees each worker keeps its own. Of players who move at the same time the last
        one's move makes the step; a tree that has searched its start goes on behind all of them.
        """
        position = self._here()
        with wrapping():
            step = self._step_of(position)
            if step is not None:
                step.choose(self.game, position, move)
            edges = [self._edge_of(move, tree) for tree in self.team.trees]
            shown = framed(self.game, move, int(self.tree.head[0].frame))
            within = int(self.game.concealed(position[0])) > 0
        self.game.play_move(position[0], move)
        if not self.algorithm.options.keep:
            self.set_position(position)
            return
        with wrapping():
            goes_on = int(self.game.concealed(position[0])) > 0
        self._step = step if goes_on else None
        if self._step is not None:
            return
        children = [0 if edge is None else int(t.child[edge]) for t, edge in self._with(edges)]
        if step is not None and within:
            children = step.nodes()
        kept = []
        for tree, child in self._with(children):
            kept.append(child > 0)
            if child > 0:
                keep_below(tree, child, self.compiled)
                self._show_root(tree, position)
            else:
                self._begin_anew(tree, position)
        self.team.played(shown, kept)

    def _with(self, values: list[Any]) -> list[tuple[TreeArrays, Any]]:
        """Each tree with its own of some values."""
        return list(zip(self.team.trees, values, strict=True))

    def _step_of(self, position: np.ndarray) -> PlayedStep | None:
        """The step that a move of this position belongs to; None if it cannot be followed."""
        head = self.tree.head[0]
        if not (self.game.simultaneous and head.joint and head.graph == TREE):
            return None
        return self._step if self.game.concealed(position[0]) else PlayedStep(self.team.trees)

    def _show_root(self, tree: TreeArrays, position: np.ndarray) -> None:
        """Give a tree its root position, in the form in which it has positions."""
        tree.root_state[0] = position[0]
        with wrapping():
            frame = frame_of(self.game, tree, position)
            if frame:
                self.game.transform(position[0], frame, tree.root_state[0])
        tree.head[0].frame = frame

    def _begin_anew(self, tree: TreeArrays, position: np.ndarray) -> None:
        tree.root_state[0] = position[0]
        with friendly():
            (make_root if self.compiled else make_root.py_func)(tree, self.game)

    def _search(self, stop: Stop, look: Callable[[Progress], None] | None) -> float:
        if self._step is not None:  # the trees are at its start
            self._begin_trees()
        self.searches += 1
        team = self.team
        team.begin(self.searches, self.seed)
        with friendly():
            team.simulate(0)  # compile before the clock starts
        seconds = run_steps(team, stop, self._check, look)
        with friendly():
            team.end()
        return seconds

    def _check(self) -> None:
        said = f"{self._worth()} returned NaN, or an infinite number"
        self._check_status(self.team.status(), said)

    # what was found

    def _edge_of(self, move: Any, tree: TreeArrays | None = None) -> int | None:
        """The root's edge of a move of the actual position."""
        tree = tree or self.tree
        root, frame = int(tree.head[0].root), int(tree.head[0].frame)
        return moves_at(tree, root).get(bytes_of(framed(self.game, move, frame)))

    def _result(self, seconds: float) -> SearchResult:
        game, team = self.game, self.team
        position = self._here()
        with wrapping():
            player = int(game.turn(position[0]))
            roots = team.roots()
            nodes = [(tree, int(tree.head[0].root)) for tree in team.trees]
            rows = []
            for move, found in edges_of(game, position, nodes):
                counted = [(tree, edge) for tree, edge in found if tree in roots]
                visits, value, _ = figures(counted, player)
                text, proven = game.move_text(position[0], move), figures(found, player)[2]
                rows.append((MoveStatistics(text, visits, value, proven, move), found))
            best, edges = max(rows, key=lambda row: self._preference(row[0]))
            expected = variation(game, position, best.record, edges)
        sure = [tree for tree, root in nodes if is_proven(tree, root)]
        return self._found(
            seconds,
            best,
            most_visited_first(row for row, _ in rows),
            value=float(sure[0].proven[int(sure[0].head[0].root), player]) if sure else best.value,
            proven=bool(sure),
            variation=expected,
            simulations=team.done(),
            nodes=sum(tree.nodes_used() for tree in team.trees),
            full=any(tree.counters[FULL] for tree in team.trees),
            workers=team.workers,
            shared_bytes=team.shared_bytes,
            choices=self._choices(position) if game.simultaneous else {},
            open=game.opened,
        )

    def _choices(self, position: np.ndarray) -> dict[int, list[MoveStatistics]]:
        """The moves of all who choose in this step, if they are several, the best first."""
        found: dict[int, list[MoveStatistics]] = {}
        together = choosers(self.game, position) if self.tree.head[0].joint else []
        for player, seen in together if len(together) > 1 else []:
            nodes = [(tree, chooser_node(tree, self.game, seen)) for tree in self.team.roots()]
            with wrapping():
                rows = []
                for move, edges in edges_of(self.game, seen, nodes):
                    visits, value, proven = figures(edges, player)
                    text = self.game.move_text(seen[0], move)
                    rows.append(MoveStatistics(text, visits, value, proven, move))
            found[player] = sorted(rows, key=self._preference, reverse=True)
        return found

    def _preference(self, row: MoveStatistics) -> tuple[float, float, float]:
        """Proven wins first and proven losses last; then by the final choice."""
        return proof_rank(self.tree, row.proven), *row.preference(self.algorithm.options.choice)


def check_session(game: Game, algorithm: TreeSearch, workers: int, compiled: bool) -> None:
    """Refuse what no session can be made of, whatever the parts of the search say."""
    game.check_attributes()
    if not isinstance(algorithm, TreeSearch):
        raise OptionError(f"{algorithm!r} is no tree search: give one such as TreeSearch('uct')")
    check_workers(game, workers, compiled)
    check_open(game, algorithm.text.partition(":")[0])


def check_search(
    game: Game, algorithm: TreeSearch, workers: int = 1, compiled: bool = True
) -> None:
    """Refuse a game that a search cannot search, without the arrays of a session."""
    check_session(game, algorithm, workers, compiled)
    algorithm.new_playout().prepare(game, 0)
    check_symmetry(game, algorithm)
    check_joint(game, algorithm)
    scheme_of(algorithm, workers).check(game, algorithm)


def laid_open(game: Game, algorithm: Any) -> Game:
    """The game with open cards and luck, for a tree search."""
    if not isinstance(algorithm, TreeSearch):
        raise OptionError(f"{algorithm.text} does not look at what is hidden: leave open out")
    return open_copy(game)


def search(
    game: Game | str,
    algorithm: Any = None,
    stop: Stop | float | str | None = None,
    *,
    state: np.ndarray | str | None = None,
    seed: int | None = None,
    workers: int = 1,
    compiled: bool = True,
    open: bool = False,
    progress: Callable[[Progress], None] | None = None,
    cluster: str | None = None,
    **budget: Unpack[Budget],
) -> SearchResult:
    """Search one position of a game.

    Parameters
    ----------
    game : Game, or the text that names one
    algorithm : TreeSearch, a search over worlds, or the text that names one
        If none is given, `grave` where later moves are legal now already, and else `puct`
        (`usual_search.py`); where players do not know everything, `ismcts` or `openloop`.
        `UCT(C=0.4)`, which `solve` takes, is one too.
    stop : Seconds or Playouts, seconds, or text
        `Playouts` counts simulations; `Seconds(1)` if none is given. Searches over worlds take
        `Calls` too.
    seconds, playouts
        The same by name: `search(game, seconds=5)`.
    state : array of one state, or a position as text
        The position, such as `game.read_position(text)` gives; the start if none is given, with
        cards and luck drawn from the seed.
    seed : int
        The same seed, one worker and the same `Playouts` give the same result.
    workers : int
        Threads, which share the search as the option `parallel` says.
    compiled : bool
        Whether the search runs compiled; as plain Python it has one worker and is slow.
    open : bool
        Whether a tree search may look at hidden cards and at the luck to come; the result says so.
    cluster : str
        Have the workers on nodes of a Ray cluster, as `solve` does: each has a tree of its own, and
        the roots are added up (`parallel=root`).

    Examples
    --------
    >>> import playout as po
    >>> game = po.games.TicTacToe()
    >>> po.search(game, po.TreeSearch("uct"), po.Playouts(2000), seed=1).move
    'b2'
    >>> po.search("tictactoe", "uct", "2000 playouts", state="xx./oo./... x", seed=1).move
    'c3'
    """
    game = as_game(game)
    if algorithm is None or (isinstance(algorithm, str) and algorithm == "auto"):
        algorithm = usual_search(game.searched(), open)
    chosen = as_search(algorithm)
    stop = stop_of(stop, 1.0, budget, search)
    counted = (Seconds, Playouts) if isinstance(chosen, TreeSearch) else (Seconds, Playouts, Calls)
    if not all(isinstance(part, counted) for part in stop.parts()):
        raise OptionError(f"{stop!r}: a tree search stops by Seconds or Playouts")
    if open:
        game = laid_open(game, chosen)
    if isinstance(state, str):
        state = game.read_position(state)
    if cluster is not None:
        with ENGINES["ray"](cluster) as engine:
            team = engine.session(game, chosen, seed=seed, workers=workers, compiled=compiled)
            with closing(team):
                team.set_position(state)
                return team.run(stop)
    session = chosen.session(game, seed=seed, workers=workers, compiled=compiled)
    session.set_position(state)
    return session.run(stop, progress)
