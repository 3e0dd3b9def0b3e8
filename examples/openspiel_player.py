"""OpenSpiel's own MCTS as a player in a match against ours.

    pip install 'playout[openspiel]'
    playout match connectfour uct examples/openspiel_player.py:MCTSPlayer --games 20

The games that both have are ConnectFour, TicTacToe, Breakthrough, Hex, Reversi and DotsAndBoxes;
OpenSpiel's others are openspiel:NAME. `MCTSPlayer:c=1.4` sets its exploration constant. Another
bot of OpenSpiel's is a `BotPlayer` with the function that makes it.
"""

from __future__ import annotations

from typing import Any

import pyspiel

from playout.adapters.openspiel import BotPlayer, MCTSPlayer

__all__ = ["MCTSPlayer", "UniformPlayer"]


class UniformPlayer(BotPlayer):
    """OpenSpiel's bot that plays at random."""

    def __init__(self) -> None:
        super().__init__(self._uniform, "OpenSpiel uniform")

    def _uniform(self, game: Any, player: int, stop: Any, seed: int) -> Any:
        return pyspiel.make_uniform_random_bot(player, seed)
