"""The player `auto`: the search that is usual for the game (`gametree/usual_search.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.contract import Game
from playout.gametree.tree_search import TreeSearch, as_search
from playout.gametree.usual_search import usual_search
from playout.matches.player import Player, TreePlayer, WorldPlayer
from playout.stop import Stop


class AutoPlayer(Player):
    """Plays what the usual search of the game chooses, whichever that is."""

    name = "auto"

    def __init__(self, workers: int = 1, compiled: bool = True) -> None:
        self._workers, self._compiled = workers, compiled
        self._player: Player | None = None

    def _player_for(self, game: Game) -> Player:
        search = as_search(usual_search(game, game.opened))
        kind = TreePlayer if isinstance(search, TreeSearch) else WorldPlayer
        return kind(search, self._workers, self._compiled)

    def check(self, game: Game) -> None:
        self._player_for(game).check(game)

    def new_game(self, game: Game, seed: int) -> None:
        if self._player is None or self.game is not game:
            self._player = self._player_for(game)
        super().new_game(game, seed)
        self._player.new_game(game, seed)

    def choose(self, position: np.ndarray, stop: Stop) -> Any:
        assert self._player is not None, "new_game comes first"
        chosen = self._player.choose(position, stop)
        self.simulations = self._player.simulations
        return chosen

    def choose_for(self, position: np.ndarray, seat: int, seen: np.ndarray, stop: Stop) -> Any:
        assert self._player is not None, "new_game comes first"
        chosen = self._player.choose_for(position, seat, seen, stop)
        self.simulations = self._player.simulations
        return chosen

    def played(self, move: Any) -> None:
        assert self._player is not None, "new_game comes first"
        self._player.played(move)
