"""A move of a game, searched by several nodes: root parallelism; node_slowtree.py has slow-tree.

Each worker is a process of some node with a tree of its own. A call brings the position and the
budget; back come the visits, values and proofs of the root's moves, which are added up. The seeds
and shares are those of `parallel=root` on threads: with a budget of simulations the figures are the
same. A worker whose node is gone searches again elsewhere.

G. Chaslot, M. Winands and J. van den Herik, Parallel Monte-Carlo Tree Search, 2008.
"""

from __future__ import annotations

import time
import warnings
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from playout.cluster.connection import ClusterError, ClusterWarning
from playout.cluster.node_process import NodeProcess, how_it_died
from playout.cluster.parcel import NodeRefused, Parcel
from playout.compiled import wrapping
from playout.compiled.records import mix
from playout.contract import Game
from playout.errors import OptionError
from playout.games.game_text import text_of_position
from playout.gametree.parallel_schemes import Team, new_tree
from playout.gametree.parts import PlayoutPolicy
from playout.gametree.search_result import MoveStatistics, SearchResult, most_visited_first
from playout.gametree.session_settings import position_of, seed_of
from playout.gametree.tree_arrays import TreeArrays
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession, check_session
from playout.stop import Playouts, Seconds, Stop
from playout.workers import described

if TYPE_CHECKING:
    from playout.cluster.connection import Cluster

MOST_CRASHES = 3


class Part(NamedTuple):
    """One of the workers of a search."""

    game: Game
    algorithm: TreeSearch
    seed: int | None = None
    workers: int = 1
    compiled: bool = True
    number: int = 0


class PartTeam(Team):
    """The one worker of root parallelism that is here, with its own seed and share of the nodes."""

    part: Part

    def _new_playouts(self, seed: int) -> list[PlayoutPolicy]:
        playout = self.algorithm.new_playout()
        playout.prepare(self.game, seed + self.part.number)
        return [playout]

    def _new_trees(self) -> list[TreeArrays]:
        return [new_tree(self.game, self.algorithm, parts=self.part.workers)]

    def begin(self, search: int, seed: int) -> None:
        super().begin(search, seed)
        if number := self.part.number:
            with wrapping():
                own = mix(np.uint64(seed) ^ mix(np.uint64(number)))
                self.trees[0].head[0].seed = mix(own ^ mix(np.uint64(search)))

    def compile(self) -> None:
        """Compile what a search needs, before its time runs."""
        self.simulate(0)


class PartSession(TreeSession):
    """A session of one worker of several."""

    def __init__(self, part: Part, team: type[PartTeam]) -> None:
        super().__init__(part.game, part.algorithm, seed=part.seed, compiled=part.compiled)
        kind = type(team.__name__, (team,), {"part": part})
        self.team = kind(part.game, part.algorithm, 1, part.seed, self.compiled)
        self.tree = self.team.trees[0]


class SessionActor(NodeProcess):
    """A worker in a process that Ray has started."""

    team: type[PartTeam] = PartTeam

    def start(self, parcel: Parcel, number: int) -> None:
        """Make the session of a part, and compile; what is wrong is told by `ready`."""
        self._fault: Exception | None = None
        try:
            self._session = PartSession(parcel.open()._replace(number=number), self.team)
            self._session.set_position(None)
            team: Any = self._session.team
            team.begin(1, self._session.seed)
            with wrapping():
                team.compile()
        except Exception as error:
            self._fault = described(error, ())

    def ready(self) -> None:
        """Nothing; or what was wrong at the start."""
        if self._fault is not None:
            raise self._fault

    def search(self, position: bytes, stop: Stop) -> SearchResult:
        """Search a position anew; what was found has no arrays of this process in it."""
        try:
            self._set_position(position)
            return drawn(self._session.run(stop))
        except Exception as error:
            raise described(error, ()) from None

    def _set_position(self, position: bytes) -> None:
        self.ready()
        session = self._session
        state = np.frombuffer(bytearray(position), session.game.state_type)
        session.searches = 0
        session.set_position(state.view(session.game.new_states(1).dtype))


def drawn(found: SearchResult) -> SearchResult:
    """What was found, without arrays of this process."""
    moves = [replace(row, record=None) for row in found.moves]
    return replace(found, moves=moves, record=None)


class NodeSession:
    """A search of positions of a game by workers on nodes, which stay there from move to move."""

    actor: type[SessionActor] = SessionActor

    def __init__(self, cluster: Cluster, part: Part) -> None:
        game, algorithm, workers = part.game, part.algorithm, part.workers
        if not isinstance(algorithm, TreeSearch):
            raise OptionError(f"{algorithm.text}: on a cluster a move is searched by tree searches")
        if workers > 1 and algorithm.options.parallel not in ("root", "slow-tree"):
            raise OptionError(
                "workers on nodes have trees of their own: give parallel=root or slow-tree, as in "
                f"{algorithm.text.partition(':')[0]}:parallel=root"
            )
        check_session(game, algorithm, 1, part.compiled)
        if game.simultaneous:
            raise OptionError("players move at the same time here: search it on one machine")
        self._ray, self._cluster = cluster.ray, cluster
        self._game, self._algorithm, self._seed = game, algorithm, seed_of(part.seed)
        # who says what a result is made of; a tree of two nodes
        self._local = TreeSession(game, algorithm, seed=self._seed, compiled=False)
        self._refused: list[str] = []  # nodes, by their ids
        cluster.check_room(workers, "that join")
        part = part._replace(seed=self._seed)
        self._parcel = cluster.ray.put(Parcel.of(part, game, algorithm.policy))
        self._actors = [self._hire(number) for number in range(workers)]
        for number in range(workers):
            self._answer(number, lambda actor: actor.ready.remote())

    def set_position(self, state: np.ndarray | None = None) -> None:
        """Search this position next, an array of one state."""
        self._position = position_of(self._game, state, self._seed)

    def run(self, stop: Stop) -> SearchResult:
        """Search the position until `stop`, on all nodes at once."""
        start = time.perf_counter()
        position, workers = self._position.tobytes(), len(self._actors)
        stops = [_share(stop, number, workers) for number in range(workers)]

        def ask(number: int, actor: Any) -> Any:
            return actor.search.remote(position, stops[number])

        under_way = [ask(number, actor) for number, actor in enumerate(self._actors)]
        found = [
            self._answer(number, lambda actor, number=number: ask(number, actor), reference)
            for number, reference in enumerate(under_way)
        ]
        return self._sum(found, time.perf_counter() - start)

    def close(self) -> None:
        """Let the workers go."""
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors = []

    def _hire(self, number: int) -> Any:
        actor = (
            self._ray.remote(self.actor).options(**self._cluster.options(self._refused)).remote()
        )
        actor.start.remote(self._parcel, number)
        return actor

    def _answer(self, number: int, ask: Any, reference: Any = None) -> Any:
        """What a worker says; one whose node is gone is asked again elsewhere."""
        errors = self._ray.exceptions
        crashes = 0
        while crashes < MOST_CRASHES:
            try:
                reference = ask(self._actors[number]) if reference is None else reference
                return self._ray.get(reference)
            except errors.RayTaskError as error:
                cause = error.cause if isinstance(error.cause, Exception) else error
                if not isinstance(cause, NodeRefused):
                    raise cause from None
                self._refuse(number, str(cause))
                self._actors[number], reference = self._hire(number), None
            except errors.RayActorError as error:
                crashes += 1
                last = how_it_died(str(error))
                self._actors[number], reference = self._hire(number), None
        raise ClusterError(f"worker {number + 1} died {MOST_CRASHES} times: {last}")

    def _refuse(self, number: int, reason: str) -> None:
        """A node is of another kind: it is named and not asked again."""
        actor = self._actors[number]
        node = self._ray.get(actor.where.remote())
        self._ray.kill(actor)
        known = node in self._refused
        if not known:
            self._refused.append(node)
            warnings.warn(reason, ClusterWarning, stacklevel=2)
        if self._cluster.nodes() <= set(self._refused):
            raise ClusterError(f"no node can be used: {reason}")
        if not known:
            self._cluster.check_room(len(self._actors), "that join", self._refused)

    def _sum(self, found: list[SearchResult], seconds: float) -> SearchResult:
        """The roots of all workers as one."""
        game, position = self._game, self._position
        told: dict[str, list[MoveStatistics]] = {}
        for one in found:
            for row in one.moves:
                told.setdefault(row.move, []).append(row)
        with wrapping():
            rows = []
            for move in game.legal_moves(position[0]):
                text = game.move_text(position[0], move)
                theirs = told.get(text, [])
                visits = sum(row.visits for row in theirs)
                total = sum(row.visits * row.value for row in theirs)
                proven = next((row.proven for row in theirs if row.proven is not None), None)
                value = total / visits if visits else 0.0
                rows.append(MoveStatistics(text, visits, value, proven, move))
        rows = most_visited_first(rows)
        best = max(rows, key=self._local._preference)
        sure = [one for one in found if one.proven]
        likely = max(found, key=lambda one: _visits(one, best.move))
        return SearchResult(
            game=type(game).__name__,
            position=text_of_position(game, position),
            algorithm=self._algorithm.text,
            player=found[0].player,
            move=best.move,
            value=sure[0].value if sure else best.value,
            proven=bool(sure),
            variation=likely.variation if likely.move == best.move else [best.move],
            moves=rows,
            simulations=sum(one.simulations for one in found),
            seconds=seconds,
            nodes=sum(one.nodes for one in found),
            full=any(one.full for one in found),
            seed=self._seed,
            record=best.record,
            workers=len(found),
            open=game.opened,
        )


def _visits(found: SearchResult, move: str) -> int:
    return next((row.visits for row in found.moves if row.move == move), 0)


def _share(stop: Stop, number: int, workers: int) -> Stop:
    """A worker's part of a budget, as threads share it out."""
    parts: list[Stop] = []
    for part in stop.parts():
        if isinstance(part, Playouts):
            parts.append(Playouts(max(1, _part_of(part.playouts, number, workers))))
        else:
            assert isinstance(part, Seconds)
            parts.append(part)
    whole = parts[0]
    for part in parts[1:]:
        whole = whole | part
    return whole


def _part_of(playouts: int, number: int, workers: int) -> int:
    return playouts // workers + (number < playouts % workers)
