"""What people ask: pictures, and moves and positions as text. All of it is plain Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.contract.playable import Playable
from playout.contract.veiled import luck_fields
from playout.errors import DataError, ProblemError

Places = tuple[tuple[float, float], ...]  # points of a picture, x to the right and y down


class Visible(Playable):
    """States and moves as a person reads and writes them."""

    def render(self, state: Any) -> str:
        """The state as text for a person; by default its fields, but for the luck to come.

        Called where a solution or a position is shown: `solve`, `play`, `analyse`, GTP.
        """
        if isinstance(state, np.ndarray):
            return str(state[0])
        luck = luck_fields(self, state)
        names = [name for name in self.state_type.names if name not in luck]
        return "\n".join(f"{name}: {state[name]}" for name in names)

    def render_for(self, state: Any, player: int) -> str:
        """The state as text, as a player sees it: nothing in it that he does not know.

        Called by `play` and `analyse`, of games with `hidden`. Empty if the game has none: then
        they show a state that was redrawn for him.
        """
        return ""

    def svg(self, state: Any) -> str:
        """The state as an SVG picture; empty if the game has none.

        Called by films (`--svg`, `--html`) and by the pictures of an analysis.
        """
        return ""

    def svg_for(self, state: Any, player: int) -> str:
        """The picture as a player sees it: nothing in it that he does not know.

        Called by the lab, of games with `hidden`. Empty if the game has none: then it shows the
        text of `render_for`.
        """
        return ""

    def where(self, state: Any, move: Any) -> Places:
        """Where a move is in the picture, in the units of `svg`; empty if it has no place.

        One point is a place to click, such as that of a stone; two are from where to where. No two
        legal moves of a game have the same. Called by the lab, which shows moves on the board.
        """
        return ()

    def move_text(self, state: Any, move: Any) -> str:
        """A move as text for a person, in the state in which it is played.

        By default the move's number, or its fields by name: `row=3 col=4`. Called wherever a move
        is shown or written to a file.
        """
        return _values(move) if len(_names(move)) < 2 else _named(move)

    def parse_move(self, state: Any, text: str) -> Any:
        """The legal move that a text names, as `move_text` writes it.

        Capitals and blanks make no difference, and names of fields may be left out (`3 4`) where
        `move_text` is the default. Raises `DataError` if the text names no legal move, or more
        than one. Called wherever a person or a file names a move.
        """
        legal = self.legal_moves(state)
        texts = move_texts(self, state, legal)
        found = [i for i, name in enumerate(texts) if _bare(name) == _bare(text)]
        if not found and type(self).move_text is Visible.move_text:
            bare = " ".join(text.split())
            found = [i for i, move in enumerate(legal) if bare in (_values(move), _named(move))]
        if len(found) == 1:
            return legal[found[0]]
        if not texts:
            raise DataError(f"{_shown(text)} cannot be played: the game is over")
        if found:
            raise DataError(f"{_shown(text)} names {len(found)} legal moves: it is ambiguous")
        few = ", ".join(texts[:8]) + (f", ... ({len(texts)} in all)" if len(texts) > 8 else "")
        raise DataError(f"{_shown(text)} is not a legal move here; legal: {few}")

    def position_text(self, state: Any) -> str:
        """The position in one line, which `read_position` reads.

        Called by `play`, by game files and by certificates of proofs.
        """
        raise DataError(_no_notation(self))

    def read_position(self, text: str) -> np.ndarray:
        """The position that a line tells, as an array of one state.

        Raises `DataError` if it is none, or one that cannot come about. Called where the
        command line takes a POSITION, and by what reads the files that `position_text` is in.
        """
        raise DataError(_no_notation(self))


def move_texts(game: Any, state: Any, moves: np.ndarray) -> list[str]:
    """What moves of a state are called; `ProblemError` if a class gives something else."""
    texts = [game.move_text(state, move) for move in moves]
    for text in texts:
        if not isinstance(text, str):
            name = type(game).__name__
            raise ProblemError(f"{name}.move_text() returned {text!r}; it should be a text")
    return texts


def _no_notation(game: Visible) -> str:
    return (
        f"{type(game).__name__} has no notation for positions: write its methods position_text and "
        "read_position"
    )


def _names(move: Any) -> tuple[str, ...]:
    return (np.void.dtype.__get__(move).names or ()) if isinstance(move, np.void) else ()


def _values(move: Any) -> str:
    """A move's number, or the values of its fields without their names."""
    names = _names(move)
    return " ".join(_value(move[name]) for name in names) if names else str(move)


def _named(move: Any) -> str:
    """The values of a move's fields by their names."""
    return " ".join(f"{name}={_value(move[name])}" for name in _names(move))


def _value(value: Any) -> str:
    return str(value.tolist()).replace(" ", "") if isinstance(value, np.ndarray) else str(value)


def _bare(text: str) -> str:
    return "".join(text.split()).lower()


def _shown(text: str) -> str:
    """A text quoted for an error message, in one line and cut if it is long."""
    return repr(text if len(text) <= 40 else text[:37] + "...")
