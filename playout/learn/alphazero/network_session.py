"""A trained network in place of a tree search, where a command shows what its search thinks."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np

from playout.contract import Game
from playout.gametree.search_result import MoveStatistics
from playout.gametree.tree_session import TreeSession
from playout.learn.alphazero.network_player import NetworkPlayer
from playout.stop import Progress, Stop


class NetworkSession(TreeSession):
    """Positions one after another, searched by a `NetworkPlayer`; the tree begins anew at each."""

    def __init__(
        self, game: Game, player: NetworkPlayer, text: str, seed: int | None = None
    ) -> None:
        self.game, self.compiled = game, True
        self.seed = secrets.randbits(31) if seed is None else seed
        self.algorithm: Any = SimpleNamespace(text=text)
        self._player = player
        player.new_game(game, self.seed)
        self.tree = player.tree
        self.team: Any = _OneTree(player)
        self._position = game.root()

    def set_position(self, state: np.ndarray | None = None) -> None:
        self._position = self.game.root() if state is None else state.copy()

    def play(self, move: Any) -> None:
        self.game.play_move(self._here()[0], move)

    def _search(self, stop: Stop, look: Callable[[Progress], None] | None) -> float:
        start = time.perf_counter()
        self._player.search(self._here(), stop, look)
        return time.perf_counter() - start

    def _preference(self, row: MoveStatistics) -> tuple[float, float, float]:
        """The most visited; of equals, as without a search, the one with the highest prior."""
        edge = self._edge_of(row.record)
        return 0.0, row.visits, 0.0 if edge is None else float(self.tree.edge_prior[edge])


class _OneTree:
    """The player's one tree as the trees of a team."""

    workers, shared_bytes = 1, 0

    def __init__(self, player: NetworkPlayer) -> None:
        self._player = player
        self.trees = [player.tree]

    def roots(self) -> list[Any]:
        return self.trees

    def done(self) -> int:
        return self._player.simulations
