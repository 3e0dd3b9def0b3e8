"""A game: the rules, and what each audience may ask of them.

`playout.check_problem` plays random games to see that the methods do the same compiled and as
plain Python.
"""

from __future__ import annotations

import inspect
from itertools import pairwise
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.compiled.random import stream_of
from playout.compiled.records import check_type, is_number
from playout.contract.given_moves import given_moves
from playout.contract.networked import Networked
from playout.contract.playable import as_count
from playout.contract.provable import Provable
from playout.contract.visible import Visible
from playout.contract.written_methods import check_written
from playout.errors import ProblemError

MOST = 10**9  # moves of a state or a game: arrays of so many are beyond any memory


class Game(Provable, Networked, Visible):
    """Players who move in turn. Write `reset`, `moves`, `play`, `turn` and `reward` (`Rules`).

    All else has a default. It is there for those who ask for it: policies (`Learnable`), searches
    that meet a position again (`Mergeable`), solvers (`Provable`), those who must not look at all
    of a state (`Veiled`), networks (`Networked`), people (`Visible`).

    Examples
    --------
    >>> import playout as po
    >>> class Nim(po.Game):
    ...     def __init__(self):
    ...         self.state_type = po.record(left="i8", player="i8")
    ...         self.move_type = "i8"
    ...         self.max_moves, self.max_length = 3, 10
    ...     def reset(self, state):
    ...         state.left, state.player = 10, 0
    ...     def moves(self, state, moves):
    ...         n = min(state.left, 3)
    ...         for i in range(n):
    ...             moves[i] = i + 1
    ...         return n
    ...     def play(self, state, move):
    ...         state.left -= move
    ...         state.player = 1 - state.player
    ...     def turn(self, state):
    ...         return state.player
    ...     def reward(self, state, player):
    ...         return 1.0 if state.player != player else 0.0
    >>> po.search(Nim(), "uct", "800 playouts", seed=1, compiled=False).move
    '2'
    """

    def __repr__(self) -> str:
        """The class and what it was made with, as far as it keeps this by the same names."""
        names = inspect.signature(type(self).__init__).parameters
        given = {name: getattr(self, name, None) for name in names}
        known = [
            f"{name}={value!r}"
            for name, value in given.items()
            if isinstance(value, int | float | str | np.number) and value != ""
        ]
        return f"{type(self).__name__}({', '.join(known)})"

    def root(self, seed: int | None = None) -> np.ndarray:
        """The start of the game, as an array of one state.

        With a seed hidden cards are dealt (`draw`) and luck is drawn (`redraw`) from it; of a game
        that has neither, the start is the same for every seed.
        """
        states = self.new_states(1)
        with wrapping():
            rng = np.array([stream_of(np.uint64(seed or 0), 0)], np.uint64)
            if seed is not None and self.hidden:
                self.draw(states[0], rng)
            else:
                self.reset(states[0])
            if seed is not None and self.chance:
                self.redraw(states[0], 0, rng)
        return states

    def searched(self) -> Game:
        """The game that players and searches look at: this one, unless it is too long for that.

        A game of many rounds may give one of its rounds, a game over the same states and moves
        that ends sooner. Called where a player or a search begins.
        """
        return self

    def check_attributes(self) -> None:
        """Refuse a class whose declarations are missing or make no sense.

        Called before anything is searched, solved, played or trained.
        """
        cls = type(self).__name__
        check_written(self)
        for name in ("state_type", "move_type", "max_moves", "max_length"):
            if not hasattr(self, name):
                raise ProblemError(f"{cls} sets no {name}: __init__ should set self.{name}")
        check_type(self.state_type, f"{cls}.state_type")
        check_type(self.move_type, f"{cls}.move_type")
        for name in ("max_moves", "max_length", "symmetries"):
            if not _is_whole(value := getattr(self, name), 1):
                raise ProblemError(f"{cls}.{name} is {value!r}; it should be a whole number over 0")
            if value > MOST:
                raise ProblemError(
                    f"{cls}.{name} is {value!r}: no memory has room for so many; it sets the size "
                    "of arrays"
                )
        for name, low in (("codes", 0), ("kinds", 1), ("packed", 0)):
            if not _is_whole(value := getattr(self, name), low):
                raise ProblemError(
                    f"{cls}.{name} is {value!r}; it should be a whole number from {low}"
                )
        if not _is_whole(self.players, 1):
            raise ProblemError(
                f"{cls}.players is {self.players!r}; it should be a whole number over 0: how many "
                "play. Give what is yours another name"
            )
        if self.players > 1 and not _rises(self.outcomes):
            raise ProblemError(
                f"{cls}.outcomes is {self.outcomes!r}; it should be two numbers or more, rising"
            )
        self._check_veil(cls)
        fields = self.fields
        if not isinstance(fields, tuple | list) or not all(
            isinstance(each, str) for each in fields
        ):
            raise ProblemError(
                f"{cls}.fields is {fields!r}; it should be a tuple of names of attributes, such as "
                "('weight', 'value'), or ('weight',) for a single one"
            )

    def _check_veil(self, cls: str) -> None:
        for name in ("chance", "hidden", "simultaneous", "opened"):
            if not isinstance(value := getattr(self, name), bool | np.bool_):
                raise ProblemError(f"{cls}.{name} is {value!r}; it should be True or False")
        teams = self.teams
        if not isinstance(teams, tuple) or not all(_is_whole(team, 0) for team in teams):
            raise ProblemError(
                f"{cls}.teams is {teams!r}; it should be a tuple of numbers from 0, the team of "
                "each player. Give what is yours another name"
            )
        if teams and len(teams) != self.players:
            raise ProblemError(
                f"{cls}.teams has {len(teams)} numbers; it should have one for each of "
                f"{self.players} players"
            )
        check_type(self.outcome_type, f"{cls}.outcome_type")
        if is_number(self.outcome_type) or "score" not in self.outcome_type.names:
            raise ProblemError(
                f"{cls}.outcome_type has no field 'score'; make it with "
                'playout.record(score="f8", ...)'
            )

    def as_moves(self, moves: Any, start: np.ndarray | None = None) -> np.ndarray:
        """An array of moves, from a result, its `records`, its texts, or a list of moves.

        Texts are read where they are played, from `start` on or else from the root. Raises
        `DataError` at what is no move, `ProblemError` at a text that names no legal one.
        """
        return given_moves(self, moves, start)

    def replay(
        self, moves: Any, start: np.ndarray | None = None, texts: list[str] | None = None
    ) -> np.ndarray:
        """Play a sequence by the rules in plain Python; the final state, in an array of one.

        It begins at `start`, an array of one state, or else at the root; a list `texts` gets
        each move as text. Moves are given as `as_moves` takes them. Raises `ProblemError` at the
        first move that is not legal where it is played. Called to verify results.
        """
        moves = self.as_moves(moves, start)
        states, legal = self.root() if start is None else start.copy(), self.new_moves()
        rows = legal.view(np.uint8).reshape(len(legal), -1)  # a move is legal if its bytes are
        with wrapping():
            for number, move in enumerate(moves, 1):
                wanted = np.array([move], legal.dtype).view(np.uint8)
                n = self.moves(states[0], legal)
                if not isinstance(n, int | np.integer):
                    n = as_count(self, n)
                if not (rows[:n] == wanted).all(axis=1).any():
                    raise ProblemError(f"move {number}, {move}, is not legal there")
                if texts is not None:
                    texts.append(self.move_text(states[0], move))
                self.play(states[0], move)
        return states


def _is_whole(value: Any, low: int) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool) and low <= int(value)


def _rises(outcomes: Any) -> bool:
    """Whether these are two numbers or more, each higher than the one before."""
    if not isinstance(outcomes, tuple) or len(outcomes) < 2:
        return False
    if not all(isinstance(outcome, int | float | np.number) for outcome in outcomes):
        return False
    return all(low < high for low, high in pairwise(outcomes))
