"""What every session of a search of a game does: it stands at a position and searches it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

import numpy as np

from playout.contract import Game
from playout.errors import ProblemError
from playout.gametree.search_result import SearchResult
from playout.gametree.stepping import with_views
from playout.stop import Progress, Stop


class GameSession(ABC):
    """A search of one position after another; `set_position` says where it stands."""

    game: Game
    _position: np.ndarray | None

    @abstractmethod
    def set_position(self, state: np.ndarray | None = None) -> None:
        """Search this position next, an array of one state; None: the start."""

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

    @abstractmethod
    def _search(self, stop: Stop, look: Callable[[Progress], None] | None) -> float:
        """Search the position, which is not over; `look` is called between steps. The seconds."""

    @abstractmethod
    def _result(self, seconds: float) -> SearchResult:
        """What was found so far, after so many seconds."""
