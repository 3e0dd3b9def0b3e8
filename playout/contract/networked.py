"""What a network asks (`playout.learn`): what it sees, what it says, what training plays from."""

from __future__ import annotations

from typing import Any

from playout.contract.rules import Rules


class Networked(Rules):
    """States and moves as a network has them.

    - `plane_shape`, `outputs`: what a network sees and says, for `planes` and `output`;
    - `equal_planes`: planes from the first of these to before the second whose order makes no
      difference to what is best, as that of the colours in SameGame.
    """

    plane_shape: tuple[int, int, int] = (0, 0, 0)  # planes, rows, columns; 0: no network
    outputs: int = 0
    equal_planes: tuple[int, int] = (0, 0)

    def planes(self, state: Any, out: Any) -> None:
        """Write the state into `out`, float32 zeros of `plane_shape`, as its player sees it.

        Equal keys must give equal planes. Called wherever a network predicts or is trained.
        """
        raise NotImplementedError

    def output(self, state: Any, move: Any) -> int:
        """The network's output for a legal move, from 0 and below `outputs`; each move has its own.

        It depends on the state and the move only, not on how the state came about. Called
        wherever a network predicts or is trained.
        """
        raise NotImplementedError

    def draw(self, state: Any, rng: Any) -> None:
        """Write a random start into `state`, whose bytes are all zero: a deal, a board.

        Random numbers come from `rng` (`playout.compiled.random`). Without it, the one start.
        Called by policy iteration, and where a game with `hidden` begins.
        """
        self.reset(state)

    def mirror(self, state: Any, move: Any) -> bool:
        """Turn a state and a legal move of it into their mirror image; False if there is none.

        Whatever is best in the one is best in the other. Called by policy iteration, which shows
        both to the network. Where moves are plain numbers, `move` is an array of one.
        """
        return False
