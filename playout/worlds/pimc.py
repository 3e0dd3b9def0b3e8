"""Perfect Information Monte Carlo: a tree search, or an exact solution, in each of some worlds.

Worlds are drawn at random, as the player who decides cannot tell them from the position. Each is
searched with open cards by a tree of its own, and what the roots say of a move is added up. It is
the search of most programs for card games, with two faults that are known: it plans as if it could
tell the worlds apart later (strategy fusion), and it does not see what others know (non-locality).

`pimc:worlds=20,search=uct,simulations=500` has 500 simulations in all worlds together; options of
the tree search may follow. `pimc:worlds=20,leaf=exact` solves each world after each move, which is
alpha-mu with M = 1.

J. Long, N. Sturtevant, M. Buro and T. Furtak, Understanding the Success of Perfect Information
Monte Carlo Sampling in Game Tree Search, 2010; T. Cazenave and V. Ventos, The alpha-mu Search
Algorithm for the Game of Bridge, 2019, Algorithm 1.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.compiled.records import bytes_of, mix
from playout.contract import Game, open_copy
from playout.errors import OptionError
from playout.gametree import WORLD_SEARCHES
from playout.gametree.game_session import GameSession
from playout.gametree.parallel_schemes import together
from playout.gametree.root_moves import edges_of, figures
from playout.gametree.search_result import MoveStatistics, SearchResult, most_visited_first
from playout.gametree.stepping import run_steps
from playout.gametree.tree_arrays import FULL
from playout.gametree.tree_picture import Branch, moves_alone
from playout.gametree.tree_search import TreeOptions, TreeSearch
from playout.gametree.tree_session import TreeSession, check_search
from playout.stop import Progress, Stop, refuse_calls
from playout.text.grammar import named_text, parse_named
from playout.text.options import Options, one_of, option
from playout.worlds.draw_worlds import redraw_all

MOST_WORLDS = 4096
LEAST_NODES = 1000  # of a world's tree


@dataclass(frozen=True, kw_only=True)
class PIMCOptions(Options):
    """The options of PIMC; all others are those of the tree search in each world."""

    name: ClassVar[str] = "pimc"

    worlds: int = option(20, "worlds that are drawn for each move", low=1, high=MOST_WORLDS)
    search: str = option("uct", "the tree search in each world; its options may follow")
    leaf: str = one_of(
        "what a move is worth in a world: by the tree search, or exactly, with open cards (dd: by "
        "the double dummy solver, in Bridge)",
        "search",
        "exact",
        "dd",
    )
    choice: str = one_of("the move to play: most visited, or best mean", "visits", "mean")


class PIMC:
    """Perfect Information Monte Carlo as options.

    Parameters
    ----------
    search : TreeSearch or text
        What searches each world; UCT if none is given.
    options
        See `PIMCOptions`.

    Examples
    --------
    >>> PIMC(worlds=40).text
    'pimc:worlds=40'
    >>> PIMC.parse("pimc:worlds=10,search=grave,bias=1e-5").tree.text
    'grave:bias=1e-5'
    """

    def __init__(self, search: TreeSearch | str = "uct", **options: Any) -> None:
        self.tree = TreeSearch.parse(search) if isinstance(search, str) else search
        self.options = PIMCOptions(search=self.tree.text.partition(":")[0], **options)
        given = {"search": self.tree.text} if self.tree.text != "uct" else {}
        self.text = named_text("pimc", {**options, **given})

    @classmethod
    def parse(cls, text: str) -> PIMC:
        """From pimc[:OPTION=VALUE,...]; what is no option of PIMC is one of the tree search."""
        named = parse_named(text)
        own = {key: named.options[key] for key in named.options if key in PIMCOptions.declared()}
        rest = {key: value for key, value in named.options.items() if key not in own}
        options = PIMCOptions.from_text(own)
        chosen = {key: getattr(options, key) for key in own if key != "search"}
        if options.leaf != "search" and (rest or "search" in own):
            extra = next(iter(rest), "search")
            raise OptionError(f"{text}: leaf={options.leaf} solves each world: leave {extra} out")
        found = cls(TreeSearch.parse(named_text(options.search, rest)), **chosen)
        found.text = named.text
        return found

    def check(self, game: Game) -> None:
        """Refuse a game that cannot be searched in each world."""
        if self.options.leaf != "search":
            self._exact().check(game)
            return
        check_search(open_copy(game), self.tree)

    def session(self, game: Game, **settings: Any) -> Any:
        """The search at work on a game; `seed`, `workers` and `compiled` as for a tree search."""
        if self.options.leaf == "search":
            return PIMCSession(game, self, **settings)
        exact = self._exact()
        exact.text = self.text
        return exact.session(game, **settings)

    def _exact(self) -> Any:
        exact = WORLD_SEARCHES.find("alphamu").parse(f"alphamu:M=1,worlds={self.options.worlds}")
        exact.who = f"pimc with leaf={self.options.leaf}"
        return exact

    def __repr__(self) -> str:
        return f"PIMC({self.text})"


class WorldTrees:
    """The trees of some worlds, which workers share out: what `run_steps` takes on."""

    unit = 1
    rate = 0.0

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.sessions: list[TreeSession] = []
        self._goal = 0
        self._pool = ThreadPoolExecutor(workers - 1, "worker") if workers > 1 else None

    def begin(self, sessions: list[TreeSession]) -> None:
        """Search the positions of these sessions."""
        self.sessions, self._goal = sessions, 0
        for session in sessions:
            session.team.begin(1, session.seed)

    def simulate(self, goal: int) -> None:
        """Simulate until there are `goal` simulations in all worlds, as many in each."""
        if self._pool is None:
            self._take_part(0, goal)
        else:
            together(self._pool, self.workers, lambda worker: self._take_part(worker, goal))
        self._goal = goal

    def _take_part(self, worker: int, goal: int) -> None:
        n = len(self.sessions)
        for i in range(worker, n, self.workers):
            team = self.sessions[i].team
            if not team.settled():
                team.simulate(goal // n + (i < goal % n))

    def done(self) -> int:
        """The simulations so far; those that a proof has made needless are counted."""
        return self._goal

    def calls(self) -> int:
        """Calls of `play` are not counted."""
        return 0

    def settled(self) -> bool:
        """Whether every world is proven."""
        return bool(self.sessions) and all(session.team.settled() for session in self.sessions)

    def simulations(self) -> int:
        """The simulations that were made."""
        return sum(session.team.done() for session in self.sessions)


class PIMCSession(GameSession["PIMC"]):
    """A player's search by PIMC: positions one after another, with new worlds for each."""

    def _prepare(self, workers: int) -> None:
        self.team = WorldTrees(workers)
        self._open = open_copy(self.game)
        self._tree = _smaller(self.algorithm.tree, self.algorithm.options.worlds)
        self._sessions: list[TreeSession] = []

    def play(self, move: Any) -> None:
        """A move was played: go on from the position behind it."""
        self.game.play_move(self._here()[0], move)

    def _search(self, stop: Stop, look: Callable[[Progress], None] | None) -> float:
        refuse_calls(stop, self.algorithm.text)
        position = self._here()
        self.searches += 1
        # a world without a simulation would say nothing: a small budget has fewer worlds
        most = stop.playouts_left(Progress(0.0, 0, 0.0, 0, 0, 0.0))
        worlds = self._draw(position, int(min(self.algorithm.options.worlds, most)))
        self.team.begin(self._sessions_of(worlds))
        with friendly():
            self.team.simulate(0)  # compile before the clock starts
        return run_steps(self.team, stop, self._check, look)

    def top(self, result: SearchResult, depth: int = 3, width: int = 3) -> tuple[Branch, ...]:
        """The moves of the position, most visited first; below them each world has its own play."""
        return moves_alone(result, width)

    def _draw(self, position: np.ndarray, worlds: int) -> np.ndarray:
        """Worlds that the player to move cannot tell from the position, an array of states."""
        states = np.repeat(position, worlds, axis=0)
        with wrapping(), friendly():
            player = int(self.game.turn(position[0]))
            own = mix(np.uint64(self.seed) ^ mix(np.uint64(self.searches)))
            call = redraw_all if self.compiled else redraw_all.py_func
            call(self.game, states, player, own, 0, np.zeros(1, np.uint64))
        return states

    def _sessions_of(self, worlds: np.ndarray) -> list[TreeSession]:
        """A session at each world, with nothing learnt of another."""
        while len(self._sessions) < len(worlds):
            self._sessions.append(
                TreeSession(self._open, self._tree, seed=0, compiled=self.compiled)
            )
        sessions = self._sessions[: len(worlds)]
        for i, session in enumerate(sessions):
            with wrapping():
                own = mix(np.uint64(self.seed) + mix(np.uint64(self.searches)) + np.uint64(i))
            known = [*sessions[0].team.trees, *session.team.playouts]
            session.reset(int(own >> np.uint64(1)))
            _know_code(known, [*session.team.trees, *session.team.playouts])
            session.set_position(worlds[i : i + 1])
        return sessions

    def _check(self) -> None:
        for session in self.team.sessions:
            session._check()

    # what was found

    def _rows(self, position: np.ndarray, player: int) -> list[MoveStatistics]:
        """Visits of each legal move in all worlds, and the mean of its values in them.

        Every world counts the same: weighed by visits, those in which a move is good would.
        """
        legal = self.game.legal_moves(position[0])
        visits = dict.fromkeys(map(bytes_of, legal), 0)
        values: dict[bytes, list[float]] = {name: [] for name in visits}
        for session in self.team.sessions:
            nodes = [(tree, int(tree.head[0].root)) for tree in session.team.trees]
            for move, edges in edges_of(self._open, session._here(), nodes):
                n, value, proven = figures(edges, player)
                visits[bytes_of(move)] += n
                if n:
                    values[bytes_of(move)].append(value if proven is None else proven)
        rows = []
        for move in legal:
            mean = float(np.mean(values[bytes_of(move)] or [0.0]))
            text = self.game.move_text(position[0], move)
            rows.append(MoveStatistics(text, visits[bytes_of(move)], mean, None, move))
        return rows

    def _result(self, seconds: float) -> SearchResult:
        position = self._here()
        with wrapping():
            player = int(self.game.turn(position[0]))
            rows = self._rows(position, player)
        best = max(rows, key=lambda row: row.preference(self.algorithm.options.choice))
        trees = [tree for session in self.team.sessions for tree in session.team.trees]
        return self._found(
            seconds,
            best,
            most_visited_first(rows),
            simulations=self.team.simulations(),
            nodes=sum(tree.nodes_used() for tree in trees),
            full=any(tree.counters[FULL] for tree in trees),
            workers=self.team.workers,
        )


def _know_code(known: list[Any], others: list[Any]) -> None:
    """Let others know the digest of their code from those of the same class that know it.

    To read the code of a class takes a third of a millisecond, and a decision has many worlds.
    """
    for one, other in zip(known, others):
        memory = vars(one).get("_memory")
        if memory is not None and vars(other).get("_memory") is None:
            vars(other)["_memory"] = type(memory)(memory.digest)


def _smaller(tree: TreeSearch, worlds: int) -> TreeSearch:
    """The tree search with its share of the nodes: those of the options are for all worlds."""
    given = {name: getattr(tree.options, name) for name in TreeOptions.declared()}
    given["nodes"] = max(LEAST_NODES, tree.options.nodes // worlds)
    return TreeSearch(tree.policy, tree.playout, tree.backup, **given)
