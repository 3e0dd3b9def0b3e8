"""The contract: what a problem is to a search.

A `Game` is a class of plain methods over NumPy records. A `Problem` is the game with one
player, whose score is to be made as high as possible. The same methods run as ordinary
Python and compiled, with the same results; `playout.check_problem` plays random games to
see that they do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import Compiled, hash_record
from playout.compiled.records import check_record
from playout.errors import ProblemError


class Game(Compiled):
    """Players who move in turn over states and moves that are NumPy records.

    An instance sets, usually in `__init__`:

    - `state_type`, `move_type`: record types, made with `playout.record(name=type, ...)`;
    - `max_moves`: the most moves that any state offers;
    - `max_length`: the most moves that any play of the game has;
    - `fields` (on the class): the attributes that compiled code may read.
    """

    state_type: np.dtype
    move_type: np.dtype
    max_moves: int
    max_length: int
    players: int = 2

    def reset(self, state: Any) -> None:
        """Write the start of the game into `state`, whose bytes are all zero."""
        raise NotImplementedError

    def moves(self, state: Any, moves: Any) -> int:
        """Fill `moves` with the legal moves and return how many; 0 ends the game."""
        raise NotImplementedError

    def play(self, state: Any, move: Any) -> None:
        """Play a move: change `state` in place."""
        raise NotImplementedError

    def turn(self, state: Any) -> int:
        """Whose move it is: 0 for the first player."""
        raise NotImplementedError

    def reward(self, state: Any, player: int) -> float:
        """What a finished game is worth to a player; higher is better."""
        raise NotImplementedError

    def code(self, state: Any, move: Any) -> Any:
        """The policy's name for a move, a 64-bit number: equal codes share a weight."""
        return hash_record(move)

    def bias(self, state: Any, move: Any) -> float:
        """Prior log-weight of a move (GNRPA's beta)."""
        return 0.0

    def key(self, state: Any) -> Any:
        """A 64-bit hash of the state: equal keys are taken as equal positions."""
        return hash_record(state)

    def render(self, state: Any) -> str:
        """The state as text for a person."""
        return "\n".join(f"{name}: {state[name]}" for name in state.dtype.names)

    def svg(self, state: Any) -> str:
        """The state as an SVG picture; empty if the game has none."""
        return ""

    def move_text(self, state: Any, move: Any) -> str:
        """A move as text for a person, in the state in which it is played."""
        return " ".join(str(move[name]) for name in move.dtype.names)

    # what the package does with a game, in plain Python

    def check_attributes(self) -> None:
        """Refuse a class whose declarations are missing or make no sense."""
        cls = type(self).__name__
        for name in ("state_type", "move_type", "max_moves", "max_length"):
            if not hasattr(self, name):
                raise ProblemError(f"{cls} sets no {name}: __init__ should set self.{name}")
        for name in ("state_type", "move_type"):
            value = getattr(self, name)
            if not isinstance(value, np.dtype):
                raise ProblemError(
                    f"{cls}.{name} is a {type(value).__name__}; make it with playout.record(...)"
                )
            check_record(value, f"{cls}.{name}")
        for name in ("max_moves", "max_length"):
            value = getattr(self, name)
            if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < 1:
                raise ProblemError(f"{cls}.{name} is {value!r}; it should be a whole number over 0")
        if isinstance(self.fields, str):
            raise ProblemError(f"{cls}.fields is a string; it should be a tuple of names")

    def new_states(self, n: int) -> np.ndarray:
        """An array of n zeroed states."""
        return np.zeros(n, self.state_type)

    def new_moves(self, n: int | None = None) -> np.ndarray:
        """An array for moves, `max_moves` of them unless told."""
        return np.zeros(self.max_moves if n is None else n, self.move_type)

    def root(self) -> np.ndarray:
        """The start of the game, as an array of one state."""
        states = self.new_states(1)
        self.reset(states[0])
        return states

    def replay(self, moves: Any) -> np.ndarray:
        """Play a sequence by the rules in plain Python; the final state, in an array of one.

        Raises `ProblemError` at the first move that is not legal where it is played.
        """
        states, legal = self.root(), self.new_moves()
        with np.errstate(over="ignore"):
            for number, move in enumerate(moves, 1):
                n = self.moves(states[0], legal)
                if not any(same_move(legal[i], move) for i in range(n)):
                    raise ProblemError(f"move {number}, {move}, is not legal there")
                self.play(states[0], move)
        return states


def same_move(a: Any, b: Any) -> bool:
    """Whether two move records are the same bytes."""
    return bool(a.tobytes() == b.tobytes())


class Problem(Game):
    """A game with one player: make the score of the finished game as high as possible.

    Write `reset`, `moves`, `play` and `score`; optionally `code`, `bias`, `key`, `render`.
    An objective that cannot be compiled is `evaluate(states)` in place of `score`: plain
    Python over a batch of finished states, returning one score each.
    """

    players: int = 1
    evaluate: Any = None

    def score(self, state: Any) -> float:
        """The score of a finished game; higher is better."""
        raise NotImplementedError

    def turn(self, state: Any) -> int:
        return 0

    def reward(self, state: Any, player: int) -> float:
        return self.score(state)

    def final_score(self, states: np.ndarray) -> float:
        """The score of the finished state in an array of one, in plain Python."""
        if self.evaluate is not None:
            return float(self.evaluate(states)[0])
        with np.errstate(over="ignore"):
            return float(self.score(states[0]))

    def verify(self, moves: Any) -> float:
        """The score of a sequence of moves, by the rules in plain Python.

        A built-in problem overrides this with a verifier that shares no code with its moves.
        """
        return self.final_score(self.replay(moves))

    # How instances are found. `options` are keyword arguments of `__init__`.

    @classmethod
    def default(cls, **options: Any) -> Any:
        """The instance used when none is named."""
        return cls(**options)

    @classmethod
    def read(cls, path: Any, **options: Any) -> list[Any]:
        """All instances in a file."""
        raise ProblemError(f"{cls.__name__} reads no files: it has no read() method")

    @classmethod
    def random(cls, seed: int = 0, **options: Any) -> Any:
        """A random instance, the same for the same seed."""
        raise ProblemError(f"{cls.__name__} has no random instances: it has no random() method")

    def write(self) -> str:
        """The instance as text that `read` reads."""
        raise ProblemError(f"{type(self).__name__} writes no files: it has no write() method")
