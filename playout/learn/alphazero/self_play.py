"""Episodes played side by side with one network: their leaves fill batches.

How an episode goes depends on its seed, on how it begins and on what the network says of a
position. Where a prediction does not depend on what else is in its batch, which is so with ONNX
Runtime and wherever all positions of a small game are predicted beforehand, it depends on no
neighbour, and so not on who plays it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from playout.compiled import friendly
from playout.contract import Game
from playout.learn.alphazero.all_positions import AllPositions
from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings
from playout.learn.alphazero.two_player_puct import (
    OVER,
    REMEMBERED,
    Episode,
    Predictions,
    play_on,
    puct_for,
    search_settings,
)

ASK_AHEAD = 4  # most games at once for which the positions behind a leaf are asked too
ALL_PREDICTED = 20_000  # most positions of a game that are all predicted before an epoch


class Start(NamedTuple):
    """How an episode begins: its number, its seed, the outputs of moves that are given.

    Moves of nodes are shuffled by a stream that goes on from episode to episode of a slot; in
    `shuffle` it is, where another slot had the one before. A new slot begins with 0.
    """

    number: int
    seed: int
    guide: list[int]
    shuffle: int | None = None


class SelfPlay:
    """Plays episodes of a game by a network, so many at once.

    `positions` are all positions of the game, if they are listed.
    """

    def __init__(
        self,
        game: Game,
        settings: AlphaZeroSettings,
        evaluator: Any,
        at_once: int,
        positions: AllPositions | None,
    ) -> None:
        self._game, self._evaluator = game, evaluator
        self._policy = puct_for(game, settings.c_puct)
        self._options = search_options(game, settings, at_once)
        self._slots = [Episode(game, settings.simulations) for _ in range(at_once)]
        self._keeps = evaluator.same_in_any_batch
        if positions is not None and len(positions) <= ALL_PREDICTED:
            self._predictions = positions.predictions(evaluator)
            self._keeps = True
        else:
            rows = at_once * (1 + (game.max_moves if self._options[0].ahead else 0))
            self._predictions = Predictions(game, REMEMBERED, rows)

    def compile(self) -> None:
        """Have the code of `play` compiled: an episode that is over is played on."""
        self._play_on(self._slots[0])

    def play(
        self,
        next_start: Callable[[], Start | None],
        ended: Callable[[int, Episode], None],
        look: Callable[[], bool],
    ) -> bool:
        """Play every episode that there is a start for; False if `look`, asked often, said stop.

        A start is asked for when there is room for it; what has ended was told by then.
        """
        game, predictions, slots = self._game, self._predictions, self._slots
        if not self._keeps:  # what other episodes have asked for must not be seen in these
            predictions.forget()
        playing: list[int | None] = [None] * len(slots)  # the number of each slot's episode
        more = True
        while more or any(number is not None for number in playing):
            for i, episode in enumerate(slots):
                number = playing[i]
                if number is None:
                    start = next_start() if more else None
                    more = start is not None
                    if start is None:
                        continue
                    number = playing[i] = start.number
                    episode.begin(game, start.seed, start.guide)
                    if start.shuffle is not None:
                        episode.tree.rng[0] = start.shuffle
                if self._play_on(episode) == OVER:
                    ended(number, episode)
                    playing[i] = None
            predictions.evaluate(self._evaluator)
            if predictions.is_crowded():
                predictions.forget()
            if look():
                return False
        return True

    def _play_on(self, episode: Episode) -> int:
        tree, policy, predictions = episode.tree, self._policy, self._predictions
        with friendly():
            phase: int = play_on(episode, tree, self._game, policy, predictions, self._options)
        return phase


def search_options(game: Game, settings: AlphaZeroSettings, at_once: int) -> np.ndarray:
    """The settings of an episode's searches, as compiled code has them."""
    names = ("simulations", "alpha", "epsilon", "temperature", "decay")
    given = {name: getattr(settings, name) for name in names}
    return search_settings(game, ahead=at_once <= ASK_AHEAD, **given)
