"""A player with a trained network: `zero:model=FILE` in matches and on the command line."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np

from playout.compiled import friendly
from playout.compiled.records import copy_of
from playout.contract import Game, check_open
from playout.errors import OptionError
from playout.gametree.tree_arrays import TreeArrays
from playout.learn.alphazero.two_player_puct import (
    MOVE,
    REMEMBERED,
    Episode,
    Predictions,
    puct_for,
    search_settings,
    think_on,
)
from playout.learn.networks.torch_device import need_torch
from playout.matches.player import Player
from playout.stop import Playouts, Progress, Stop

MOST_SIMULATIONS = 20_000  # of a move
STEP = 16  # simulations between two looks at the clock


class NetworkPlayer(Player):
    """Plays by PUCT with a network that `playout train` made, without noise.

    Parameters
    ----------
    model : str
        The model file.
    C : float
        PUCT's constant.
    search : bool
        Whether there is a search at all; without, the move with the highest prior is played.
    device : str
        Where the network computes: `auto`, `cpu`, `cuda`, or `onnx`, the CPU by ONNX Runtime.
    """

    def __init__(
        self, model: str = "", C: float = 2.0, search: bool = True, device: str = "auto"
    ) -> None:
        if not model:
            raise OptionError("give a model, as in zero:model=FILE")
        if C < 0:
            raise OptionError(f"C={C}: a number of at least 0")
        self.name = f"zero:model={model}" + ("" if search else ",search=false")
        self._model, self._c, self._device = model, C, device
        self._search = search

    def check(self, game: Game) -> None:
        self._load(game)

    def _load(self, game: Game) -> Any:
        """The network for a game; refuses a game that the model is not for."""
        need_torch()
        from playout.learn.inference.onnx_evaluator import evaluator_on
        from playout.learn.networks.model_file import load_model

        if game.players != 2:
            raise OptionError(f"{type(game).__name__} has {game.players} players: this is for 2")
        check_open(game, "zero")
        model = load_model(self._model, game)
        if not model.network.value:
            raise OptionError(f"{self._model} has no value: it is not for a game of two players")
        return evaluator_on(model.network, self._device)

    def new_game(self, game: Game, seed: int) -> None:
        fresh = getattr(self, "game", None) is not game
        super().new_game(game, seed)
        if fresh:
            self._evaluator = self._load(game)
            self._predictions = Predictions(game, REMEMBERED, 1 + game.max_moves)
            self._episode = Episode(game, MOST_SIMULATIONS)
            self._policy = puct_for(game, self._c)
            if game.moves(game.root()[0], game.new_moves()) > 0:
                self.choose(game.root(), Playouts(1))  # compiles, off the clock of the first move
        self._episode.tree.rng[0] = seed  # of the order of moves

    def choose(self, position: np.ndarray, stop: Stop) -> Any:
        self.search(position, stop)
        tree = self.tree
        first = int(tree.first[int(tree.head[0].root)])
        edges = slice(first, first + int(tree.count[int(tree.head[0].root)]))
        scores = tree.edge_visits[edges] if self._search else tree.edge_prior[edges]
        return copy_of(tree.edge_moves[edges][int(np.argmax(scores))])

    @property
    def tree(self) -> TreeArrays:
        """The tree of the last search."""
        return self._episode.tree

    def search(
        self, position: np.ndarray, stop: Stop, look: Callable[[Progress], None] | None = None
    ) -> None:
        """Search a position; `look` is told how far it is."""
        episode = self._episode
        episode.here[:] = position
        episode.lane[0].phase = MOVE
        settings = search_settings(self.game, simulations=0, ahead=1)
        self._think(settings)  # opens the root
        began, done = time.perf_counter(), 0
        while self._search and done < MOST_SIMULATIONS:
            seconds = time.perf_counter() - began
            now = Progress(seconds, done, 0.0, 0, 0, done / max(seconds, 1e-9))
            if look is not None:
                self.simulations = done
                look(now)
            if done > 0 and stop.reached(now):
                break
            done += int(min(STEP, MOST_SIMULATIONS - done, max(1, stop.playouts_left(now))))
            settings[0].simulations = done
            self._think(settings)
        self.simulations = done

    def _think(self, settings: np.ndarray) -> None:
        """Search up to the simulations that the settings say."""
        episode, predictions = self._episode, self._predictions
        while True:
            with friendly():
                if think_on(episode, episode.tree, self.game, self._policy, predictions, settings):
                    return
            predictions.evaluate(self._evaluator)
            if predictions.is_crowded():
                predictions.forget()
