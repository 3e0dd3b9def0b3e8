"""Workers that are processes: of games that run interpreted and can be made anew.

Each process has the game, made by its `recipe`, and a search of its own in it; here are only the
trees, fetched when somebody looks at them. Seeds and shares are those of threads. A position
travels as the game says: `departing(state)` gives what `arriving(*that)` makes a state of.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.compiled.compile_errors import friendly
from playout.compiled.records import mix
from playout.contract import Game
from playout.errors import OptionError
from playout.gametree import WORLD_SEARCHES
from playout.stop import Calls, Playouts, Progress, Stop
from playout.text.grammar import parse_named
from playout.workers import Attendants, Recipe
from playout.worlds.arrays import FINE
from playout.worlds.world_session import NO_LIMIT

Told = tuple[str, tuple[Any, ...]]  # the name of a method of `WorkerSearch`, its arguments


class ProcessTeam:
    """The workers of a search over worlds as processes; it has the methods of `WorldTeam`."""

    unit = 1
    rate = 0.0
    player = 0

    def __init__(self, game: Any, algorithm: Any, workers: int, seed: int, compiled: bool) -> None:
        if algorithm.options.keep:
            raise OptionError(f"{algorithm.text}: workers that are processes keep no tree")
        self.game, self.algorithm, self.workers = game, algorithm, workers
        try:
            pickle.dumps(game.recipe)
        except Exception:  # whatever a user's object raises
            raise OptionError(
                f"workers={workers}: another process cannot make the game; give a name, or a "
                "function of a module"
            ) from None
        recipe = WorkerRecipe(game.recipe, algorithm.text)
        self._attendants: Attendants[Told, Any] = Attendants(recipe, workers)
        self._trees: list[Any] | None = None
        self._figures = [(0, 0, FINE)] * workers  # simulations, calls, status
        self.reset(seed)

    @property
    def trees(self) -> list[Any]:
        """The trees as they are now."""
        if self._trees is None:
            self._trees = self._all("tree")
        return self._trees

    def _all(self, what: str, *arguments: Any) -> list[Any]:
        return self._attendants.ask([(what, arguments)] * self.workers)

    def reset(self, seed: int) -> None:
        """Another game begins: all that was learnt is forgotten."""
        self._attendants.ask([("reset", (seed + number,)) for number in range(self.workers)])
        self._trees = None

    def begin_trees(self, position: np.ndarray, player: int) -> None:
        """An empty tree for each worker, of a position in which `player` is to move."""
        self.player, self._trees = player, None
        self._all("position", self.game.departing(position[0]))

    def begin(self, search: int, seed: int, stop: Stop) -> None:
        """Search number `search` begins."""
        nothing = Progress(0.0, 0, 0.0, 0, 0, 0.0)
        limits = [
            int(min(left, NO_LIMIT))
            for left in (stop.calls_left(nothing), stop.playouts_left(nothing))
        ]
        told: list[Told] = []
        for number in range(self.workers):
            with wrapping():
                own = mix(np.uint64(seed) ^ mix(np.uint64(number))) if number else np.uint64(seed)
            shares = [self.share(number, limit) for limit in limits]
            told.append(("begin", (search, int(own), *shares)))
        self._attendants.ask(told)
        self._figures, self._trees = [(0, 0, FINE)] * self.workers, None

    def simulate(self, goal: int) -> None:
        """Simulate until all workers together have made `goal` simulations, or used their calls."""
        goals = [self.share(number, goal) for number in range(self.workers)]
        self._figures = self._attendants.ask([("simulate", (own,)) for own in goals])
        self._trees = None

    def share(self, worker: int, goal: int) -> int:
        """A worker's part of so many simulations or calls."""
        return goal // self.workers + (worker < goal % self.workers)

    def done(self) -> int:
        """The simulations of this search, of all workers."""
        return sum(done for done, _, _ in self._figures)

    def calls(self) -> int:
        """The calls of `play` of this search, of all workers."""
        return sum(calls for _, calls, _ in self._figures)

    def status(self) -> int:
        """FINE, or what is wrong."""
        return next((status for _, _, status in self._figures if status), FINE)

    def settled(self) -> bool:
        """Whether there is nothing more to find out: that is never certain."""
        return False


@dataclass(frozen=True)
class WorkerRecipe(Recipe[Told, Any]):
    """A game and a search of it, for one process."""

    game: Callable[[], Game]
    algorithm: str

    def make(self) -> Callable[[Told, Any], Any]:
        named = parse_named(self.algorithm, WORLD_SEARCHES)
        search = WorkerSearch(self.game(), WORLD_SEARCHES.find(named.name).parse(self.algorithm))

        def answer(told: Told, over: Callable[[], bool]) -> Any:
            what, arguments = told
            return getattr(search, what)(*arguments)

        return answer

    def texts(self) -> tuple[str, ...]:
        return (self.algorithm,)


class WorkerSearch:
    """The search of one process: a session with one worker, told what to do."""

    def __init__(self, game: Any, algorithm: Any) -> None:
        self.game = game
        self.session = algorithm.session(game, seed=0, compiled=False)
        self.team = self.session.team

    def reset(self, seed: int) -> None:
        self.session.reset(seed)

    def position(self, way: tuple[Any, ...]) -> None:
        self.session.set_position(self.game.arriving(*way))

    def begin(self, search: int, seed: int, calls: int, playouts: int) -> None:
        stop: Stop = Calls(calls) if calls < NO_LIMIT else Playouts(playouts)
        if calls < NO_LIMIT and playouts < NO_LIMIT:
            stop = stop | Playouts(playouts)
        self.team.begin(search, seed, stop)

    def simulate(self, goal: int) -> tuple[int, int, int]:
        with friendly():
            self.team.simulate(goal)
        return self.team.done(), self.team.calls(), self.team.status()

    def tree(self) -> Any:
        return self.team.trees[0]
