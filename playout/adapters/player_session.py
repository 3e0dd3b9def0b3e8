"""Any player of a match in place of a search, where a person plays or asks what it would do."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.contract import Game
from playout.gametree.search_result import MoveStatistics, SearchResult
from playout.gametree.tree_picture import Branch, tree_top
from playout.gametree.tree_session import TreeSession
from playout.matches.referee import Veil
from playout.stop import Progress, Stop


class PlayerSession(TreeSession):
    """Positions one after another, in which a player is asked for a move.

    As in a match the player is handed worlds, in which all that it cannot know is drawn anew.
    """

    def __init__(self, game: Game, player: Any, text: str, seed: int | None = None) -> None:
        self.game, self.compiled = game, True
        self.seed = secrets.randbits(31) if seed is None else seed
        self.algorithm: Any = SimpleNamespace(text=text)
        self.team: Any = SimpleNamespace(workers=1)
        self._player, self._veil = player, Veil(game, self.seed)
        player.new_game(game, self.seed)
        self._position = game.root(self.seed)

    def set_position(self, state: np.ndarray | None = None) -> None:
        self._position = self.game.root(self.seed) if state is None else state.copy()

    def play(self, move: Any) -> None:
        self.game.play_move(self._here()[0], move)

    def _search(self, stop: Stop, look: Callable[[Progress], None] | None) -> float:
        """Ask the player, who has no steps to look at."""
        position, start = self._here(), time.perf_counter()
        with wrapping():
            seat = int(self.game.turn(position[0]))
            self._chosen = self._player.choose(self._veil.shown(position, seat), stop)
        return time.perf_counter() - start

    def _result(self, seconds: float) -> SearchResult:
        found = getattr(self._player, "last", None)
        if isinstance(found, SearchResult):
            return found
        position, game, chosen = self._here(), self.game, self._chosen
        with wrapping():
            text = game.move_text(position[0], chosen)
        row = MoveStatistics(text, 0, float("nan"), None, chosen)
        return self._found(seconds, row, [row], simulations=0, nodes=0)

    def top(self, result: SearchResult, depth: int = 3, width: int = 3) -> tuple[Branch, ...]:
        """The top of the player's tree, if it has searched one."""
        searched = getattr(self._player, "session", None)
        return tree_top(searched, result, depth, width) if searched is not None else ()
