"""What every session of a search of a game does: it stands at a position and searches it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import numpy as np

from playout.compiled import wrapping
from playout.contract import Game, Problem, maximised
from playout.errors import ProblemError
from playout.games.game_text import text_of_position
from playout.gametree.nodes import BAD_PRIOR, FINE, TOO_MANY_MOVES
from playout.gametree.search_result import MoveStatistics, SearchResult
from playout.gametree.session_settings import check_workers, position_of, runs_compiled, seed_of
from playout.gametree.simulate import TOO_LONG
from playout.gametree.stepping import with_views
from playout.stop import Progress, Stop


class Named(Protocol):
    """A search of a game, by its options."""

    @property
    def text(self) -> str:
        """Its name and its options, as the command line takes them."""


Algorithm = TypeVar("Algorithm", bound=Named)


class GameSession(ABC, Generic[Algorithm]):
    """A search of one position after another; `set_position` says where it stands.

    With `compiled=False` everything runs as plain Python: slow, for a game that cannot be compiled.
    A game whose class says `interpreted = True` always does.
    """

    processes: ClassVar[bool] = False  # whether workers may be processes, where nothing is compiled

    def __init__(
        self,
        game: Game,
        algorithm: Algorithm,
        *,
        seed: int | None = None,
        workers: int = 1,
        compiled: bool = True,
    ) -> None:
        self._check_given(game, algorithm, workers, compiled)
        self.game: Any = maximised(game) if isinstance(game, Problem) else game
        self.algorithm = algorithm
        self.compiled = runs_compiled(game, compiled)
        self.seed = seed_of(seed)
        self.searches = 0
        self._position: np.ndarray | None = None
        self._prepare(workers)

    def _check_given(self, game: Game, algorithm: Any, workers: int, compiled: bool) -> None:
        """Refuse what no session can be made of."""
        game.check_attributes()
        check_workers(game, workers, compiled, self.processes)
        algorithm.check(game)

    @abstractmethod
    def _prepare(self, workers: int) -> None:
        """Make what so many workers search with."""

    def reset(self, seed: int) -> None:
        """Begin anew with another seed, as a new session would, in the arrays of this one."""
        self.seed, self.searches, self._position = seed, 0, None

    def set_position(self, state: np.ndarray | None = None) -> None:
        """Search this position next, an array of one state; None: the start. Trees begin anew."""
        self._position = position_of(self.game, state, self.seed)
        self._begin_trees()

    def _begin_trees(self) -> None:
        """Begin the trees anew, of a session that has any, where it stands."""

    def run(
        self,
        stop: Stop,
        progress: Callable[[Progress], None] | None = None,
        *,
        view: Callable[[SearchResult], None] | None = None,
        every: float = 0.25,
    ) -> SearchResult:
        """Search the position until `stop`.

        `progress` is called between two steps; so is `view`, about every `every` seconds, with what
        was found so far. The search is the same with and without them.
        """
        self._check_goes_on()
        return self._result(self._search(stop, with_views(progress, view, every, self._result)))

    def is_over(self) -> bool:
        """Whether the game is over where the session is."""
        return self.game.is_over(self._here()[0])

    def _check_goes_on(self) -> None:
        if self.is_over():
            raise ProblemError("the game is over: there is no move to search for")

    def _here(self) -> np.ndarray:
        if self._position is None:
            self.set_position()
        assert self._position is not None
        return self._position

    def _worth(self) -> str:
        """The method that says what a finished game is worth, as the user wrote it."""
        return "score()" if isinstance(self.game, Problem) else "reward()"

    def _check_status(self, status: int, otherwise: str) -> None:
        """Raise what a step says of the game; `otherwise` is said of any other status."""
        if status == FINE:
            return
        game, name = self.game, type(self.game).__name__
        known = {
            TOO_MANY_MOVES: f"{name}.moves() returned fewer than 0 or more than max_moves = "
            f"{game.max_moves}",
            TOO_LONG: f"a game of {name} went on after max_length = {game.max_length} moves",
            BAD_PRIOR: f"{name}.bias() returned NaN, or an infinite number",
        }
        raise ProblemError(known.get(status, f"{name}.{otherwise}"))

    def _found(
        self, seconds: float, best: MoveStatistics, moves: list[MoveStatistics], **figures: Any
    ) -> SearchResult:
        """The result: the move to play, all moves, and the figures that this search has."""
        position = self._here()
        with wrapping():
            player = int(self.game.turn(position[0]))
        usual = {"value": best.value, "proven": False, "variation": [best.move], "full": False}
        return SearchResult(
            game=type(self.game).__name__,
            position=text_of_position(self.game, position),
            algorithm=self.algorithm.text,
            player=player,
            move=best.move,
            record=best.record,
            moves=moves,
            seconds=seconds,
            seed=self.seed,
            **{**usual, **figures},
        )

    @abstractmethod
    def _search(self, stop: Stop, look: Callable[[Progress], None] | None) -> float:
        """Search the position, which is not over; `look` is called between steps. The seconds."""

    @abstractmethod
    def _result(self, seconds: float) -> SearchResult:
        """What was found so far, after so many seconds."""
