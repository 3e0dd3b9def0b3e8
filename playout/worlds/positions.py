"""What alpha-mu asks of a game: its positions in all worlds at once, by depth.

Depth 0 is the root. A `Positions` holds, for each depth, what all worlds have in common and what
tells them apart; its methods run compiled. What else they need is handed to them as `tools`, a
tuple of compiled objects.
"""

from __future__ import annotations

from typing import Any

from playout.compiled import Compiled

MAX, MIN, FRIEND = 0, 1, 2  # whose move it is: FRIEND is Max's partner, who sees all cards
APART = -1  # of `settled`: the game is over in some worlds and not in others


class Positions(Compiled):
    """The positions of a game in all worlds.

    `worlds` is how many there are, `depth` the most moves from the root, `most_moves` the most
    moves that a position has in all worlds together.
    """

    worlds: int
    depth: int
    most_moves: int

    def kind(self, tools: Any, d: int) -> int:
        """Who is to move at depth d: MAX, MIN or FRIEND."""
        raise NotImplementedError

    def settled(self, tools: Any, d: int, possible: Any, out: Any) -> int:
        """Whether the result is certain in all possible worlds; `out` gets those that are won.

        It is asked first of all at a new position.
        """
        raise NotImplementedError

    def moves(self, tools: Any, d: int, possible: Any, legal: Any, names: Any) -> int:
        """The number of moves, one of each that are alike.

        `legal` gets the possible worlds of each, `names` numbers that tell them apart.
        """
        raise NotImplementedError

    def play(self, tools: Any, d: int, i: int, worlds: Any) -> None:
        """Make the positions of depth d + 1, in the worlds where it is legal, by move i of d."""
        raise NotImplementedError

    def key(self, tools: Any, d: int) -> Any:
        """64 bits that tell positions apart, as Max knows them."""
        raise NotImplementedError

    def leaf(self, tools: Any, d: int, world: int) -> int:
        """Whether Max gets his goal in a world where all play on with open cards: 1 or 0.

        Below 0: the game has broken its promises (`playout.solvers.step_status`).
        """
        raise NotImplementedError

    def name_of(self, move: Any, names: list[int]) -> int:
        """The name that a legal move of the root has among the names there; plain Python."""
        raise NotImplementedError
