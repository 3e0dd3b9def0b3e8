"""A problem: a game with one player."""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.contract.evaluated import as_scores
from playout.contract.game import Game
from playout.contract.given_moves import check_over
from playout.contract.loadable import Loadable, check_collections
from playout.errors import ProblemError


class Problem(Game, Loadable):
    """A game with one player: make the score of the finished game as high as possible.

    With `sense = "min"` on the class the score is a cost, to be made as low as possible, and is
    shown as one.
    Write `reset`, `moves`, `play` and `score`; the rest has a default.
    An objective that cannot be compiled is `evaluate(states)` in place of `score`: plain
    Python over a batch of finished states, returning one score each.

    Two more methods are used only where an algorithm's option asks for them:

    - `polish(state, moves, first, length, rng)` (`polish=true`) improves a finished game, such as
      by local search. It rewrites `moves[first:length]` in place, leaving the first ones as they
      are, and returns the new length; what comes out must again be a whole game by the rules.
      `state` is the end of the game, and working space after that; `rng` is for
      `playout.compiled.random`.
      Of a problem with `evaluate` it is plain Python too; where it takes long, it returns what it
      has as soon as `self.ending()` is true. One that is compiled and takes long does so as soon
      as `self.ended[0]` is not 0: `ended`, set in `__init__` and named among `fields`, is
      `np.zeros(1, np.int64)`, and `playout.compiled.atomics.load` reads it.
    - `all_moves(state, moves)` (`adapt=all`) fills `moves` with the legal moves and those that
      were left out, at most `max_moves` in all, and returns how many: what AdaptAll learns from.

    `noisy = True` on the class says that `evaluate` gives another score each time: nothing is
    remembered, and the result's score is the mean of fresh evaluations.

    `bound()`, plain Python, is a score that none can be better than, if one is known: a run ends
    when it is reached, and the result tells the gap.

    Examples
    --------
    >>> import playout as po
    >>> class Bits(po.Problem):
    ...     def __init__(self):
    ...         self.state_type = po.record(length="i8", ones="i8")
    ...         self.move_type = "i8"
    ...         self.max_moves, self.max_length = 2, 4
    ...     def reset(self, state):
    ...         state.length = state.ones = 0
    ...     def moves(self, state, moves):
    ...         moves[0], moves[1] = 0, 1
    ...         return 2 if state.length < 4 else 0
    ...     def play(self, state, move):
    ...         state.length += 1
    ...         state.ones += move
    ...     def score(self, state):
    ...         return float(state.ones)
    >>> po.solve(Bits(), "nmcs", "100 playouts", seed=1, compiled=False).score
    4.0
    """

    players: int = 1
    sense: str = "max"
    evaluate: Any = None
    polish: Any = None
    all_moves: Any = None
    bound: Any = None
    noisy: bool = False
    ended: np.ndarray | None = None

    def check_attributes(self) -> None:
        super().check_attributes()
        cls = type(self).__name__
        check_collections(self)
        if not isinstance(self.sense, str) or self.sense not in ("max", "min"):
            raise ProblemError(f"{cls}.sense is {self.sense!r}: 'max' or 'min'")
        if not isinstance(self.noisy, bool | np.bool_):
            raise ProblemError(f"{cls}.noisy is {self.noisy!r}; it should be True or False")
        if self.noisy and self.evaluate is None:
            raise ProblemError(
                f"{cls}.noisy is about evaluate(), which {cls} has not: score() is the same each "
                "time. Leave noisy out, or write evaluate() in place of score()"
            )

    def ending(self) -> bool:
        """Whether the run is to end: `evaluate` or `polish` asks, where it takes long."""
        return False

    def score(self, state: Any) -> float:
        """The score of a finished game; higher is better, or lower with `sense = "min"`.

        Called by every algorithm.
        """
        raise NotImplementedError

    def turn(self, state: Any) -> int:
        return 0

    def reward(self, state: Any, player: int) -> float:
        return self.score(state)

    def final_score(self, states: np.ndarray) -> float:
        """The score of the finished state in an array of one, in plain Python.

        Called where a result is verified and where a game of a training is played again.
        """
        if self.evaluate is not None:
            return float(as_scores(type(self).__name__, states, self.evaluate(states))[0])
        with wrapping():
            score: Any = self.score(states[0])
        try:
            return float(score)
        except (TypeError, ValueError):
            cls = type(self).__name__
            raise ProblemError(f"{cls}.score() returned {score!r}; it should be a number") from None

    def verify(self, moves: Any) -> float:
        """The score of a whole solution, by the rules in plain Python.

        It is given as a result, its `records`, its texts, or a list of moves. Raises `ProblemError`
        where a move is not legal, or if the game is not over. Called at the end of every run. A
        built-in problem overrides it with a verifier that shares no code with its moves.
        """
        moves = self.as_moves(moves)
        end = self.replay(moves)
        check_over(self, end, len(moves))
        return self.final_score(end)
