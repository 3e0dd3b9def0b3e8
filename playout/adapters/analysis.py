"""What a search thinks of a position: its result with the top of its tree, as text or a picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.adapters.game_under_way import board_for, open_session
from playout.contract import Game
from playout.games import load_game
from playout.gametree.search_result import SearchResult
from playout.gametree.tree_picture import Branch, top_dot, top_svg, top_text, tree_top
from playout.gametree.tree_session import TreeSession
from playout.stop import CtrlC, Never, Progress, Seconds, Stop, budget_in, stop_of


@dataclass(frozen=True, repr=False)
class Analysis:
    """A search's result and the top of its tree.

    `board` and `picture` are the position as text and as SVG (empty if the game draws none);
    `interrupted` says that Ctrl-C ended the search.

    Examples
    --------
    >>> import playout as po
    >>> found = po.analyse("tictactoe", "uct", po.Playouts(300), seed=1, compiled=False)
    >>> found.result.move
    'b2'
    """

    game: str
    players: int
    result: SearchResult
    top: tuple[Branch, ...]
    board: str
    picture: str = ""
    interrupted: bool = False

    def to_json(self) -> dict[str, Any]:
        """The analysis as JSON data."""
        data = self.result.to_json() | {"game": self.game, "players": self.players}
        return data | {"tree": [branch.to_json() for branch in self.top]}

    def dot(self) -> str:
        """The top of the tree for Graphviz."""
        return top_dot(self.top, self._title())

    def svg(self) -> str:
        """The position and the top of the tree as a picture."""
        return top_svg(self.top, self._title(), self.picture or self.board, self.players)

    def _repr_html_(self) -> str:
        return f"{self.result._repr_html_()}{self.svg()}"

    def _title(self) -> str:
        result = self.result
        found = f"{result.move}, {result.simulations:,} simulations"
        return f"{self.game}, {result.algorithm}: {found}"

    def __str__(self) -> str:
        return f"{self.board}\n\n{opinion(self.result, self.top)}"

    __repr__ = __str__

    def _repr_svg_(self) -> str:
        return self.svg()


def analyse(
    game: Game | str,
    search: str | None = None,
    stop: Stop | float | str | None = None,
    *,
    state: np.ndarray | str | None = None,
    depth: int = 3,
    width: int = 3,
    progress: Callable[[Progress], None] | None = None,
    **settings: Any,
) -> Analysis:
    """Search a position of a game, and show what the search thinks of it.

    Parameters
    ----------
    game : Game, or the text that names one
    search : str
        A tree search, a search over worlds, or `zero:model=FILE` for a trained network; if none is
        given, the usual one of the game, as for `search`.
    stop : Seconds or Playouts
        `Seconds(5)` if none is given; Ctrl-C ends it too.
    seconds, playouts
        The same by name.
    state : array of one state, or a position as text
        The position; the start if none is given, with cards and luck drawn from the seed.
    depth, width : int
        How much of the tree is shown: moves deep, and moves at each node.
    seed, workers, compiled, open
        As for `search`.

    Examples
    --------
    >>> import playout as po
    >>> position = "xx./oo./... x"
    >>> po.analyse("tictactoe", "uct", po.Playouts(2000), state=position, seed=1).result.move
    'c3'
    """
    name = game if isinstance(game, str) else type(game).__name__
    rules: Any = load_game(game) if isinstance(game, str) else game
    states = rules.read_position(state) if isinstance(state, str) else state
    named = budget_in(settings)
    given = None if stop is None and not named else stop_of(stop, Never(), named)
    session, budget = open_session(rules, name, search, given, **settings)
    states = rules.root(session.seed) if states is None else states
    session.set_position(states)
    with CtrlC() as interrupt:
        result = session.run((budget or Seconds(5.0)) | interrupt, progress)
    return Analysis(
        name,
        int(rules.players),
        result,
        _top(session, result, depth, width),
        board_for(session.game, states, result.player),
        "" if session.game.hidden and not session.game.opened else rules.svg(states[0]),
        interrupt.came,
    )


def view(session: TreeSession, result: SearchResult, depth: int = 1, width: int = 7) -> str:
    """What a session thinks of the position that it has searched."""
    return opinion(result, _top(session, result, depth, width))


def _top(session: Any, result: SearchResult, depth: int, width: int) -> tuple[Branch, ...]:
    """The top of a session's tree, which a search over worlds shows itself."""
    if hasattr(session, "top"):
        found: tuple[Branch, ...] = session.top(result, depth, width)
        return found
    return tree_top(session, result, depth, width)


def opinion(result: SearchResult, top: tuple[Branch, ...]) -> str:
    """What was found, in three lines, and the top of the tree."""
    known = "proven" if result.proven else "value"
    full = ", the tree is full" if result.full else ""
    open_ = ", with all that is hidden laid open" if result.open else ""
    more = sum(row.visits > 0 for row in result.moves) - len(top)
    return "\n".join(
        [
            f"best       {result.move}, {known} {result.value:.3f} for player {result.player + 1}",
            f"variation  {' '.join(result.variation)}",
            f"search     {result.algorithm}, {result.simulations:,} simulations in "
            f"{result.seconds:.2f} s, {result.nodes:,} nodes{full}{open_}, seed {result.seed}",
            "",
            top_text(top, more),
        ]
    )
