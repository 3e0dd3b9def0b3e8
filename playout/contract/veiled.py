"""What a player does not know: luck to come, hidden cards, choices made at the same time.

A state is a whole world, with all hands and the luck that `play` will draw from. A search that
reads whole states would know more than the player for whom it searches: it asks `check_open` first.
One that does not look works on worlds, copies of a state in which `redraw` has drawn anew all
that the player cannot know.
"""

from __future__ import annotations

import copy
from contextlib import suppress
from typing import Any, TypeVar

import numpy as np

from playout.compiled import copy_record, hash_record, record, wrapping
from playout.contract.rules import Rules
from playout.errors import OptionError


class Veiled(Rules):
    """What players see, and what states have come to.

    - `simultaneous`: whether `concealed` may be over 0;
    - `chance`: whether `play` draws, from a random word that the state holds;
    - `hidden`: whether players see different things;
    - `teams`: the team of each player, such as (0, 1, 0, 1); empty: each for himself. `reward` is
      equal within a team;
    - `outcome_type`: a record type with a field `score`, for `outcome`;
    - `opened`: whether what is hidden and the luck to come are laid open (`open_copy`).
    """

    simultaneous: bool = False
    chance: bool = False
    hidden: bool = False
    teams: tuple[int, ...] = ()
    outcome_type: Any = record(score="f8")
    opened: bool = False

    def concealed(self, state: Any) -> int:
        """How many choices were made that the player to move does not know of.

        What is legal must not depend on them, nor `key`. Called by tree searches, which keep the
        statistics of such players apart, and by the referee of a match.
        """
        return 0

    def redraw(self, state: Any, player: int, rng: Any) -> None:
        """Draw anew, in place, all that the player cannot know: luck to come, others' cards.

        It depends on what the player sees alone: states that he cannot tell apart and the same
        `rng` (`playout.compiled.random`) give the same bytes. Called by searches over worlds, once
        a simulation, by the referee of a match, and where a game with `chance` begins.
        """
        return

    def copy_world(self, state: Any, out: Any) -> None:
        """Write a state over another, to be played on.

        A class whose states have much room may leave out what of it is not in use. Called by
        searches over worlds, once a simulation.
        """
        copy_record(state, out)

    def view(self, state: Any, player: int) -> Any:
        """64 bits, equal exactly for states that the player cannot tell apart.

        Called by the referee of a match and by searches over worlds, of games with `hidden`; in
        compiled code as `view_key`, since Numba takes every `view` for NumPy's.
        """
        return hash_record(state)

    view_key = view

    def __init_subclass__(cls, **settings: Any) -> None:
        super().__init_subclass__(**settings)
        if cls.view_key is not cls.view:
            cls.view_key = cls.view

    def seen(self, state: Any, move: Any, player: int) -> Any:
        """64 bits that name a move as the player sees it, in the state in which it is played.

        Moves that he cannot tell apart have one name. Called by searches over worlds, and by the
        referee of a match, who tells a player of moves that he sees as they are.
        """
        return hash_record(move)

    def outcome(self, state: Any, player: int, out: Any) -> None:
        """Write what a state, finished or not, has come to for a player: an `outcome_type`.

        Without it, the `reward`. Called by open-loop searches where a playout ends or is cut off.
        """
        out.score = self.reward(state, player)

    def better(self, a: Any, b: Any) -> int:
        """Whether outcome `a` is better than `b`: 1, 0 if as good, -1 if worse.

        Without it, by the score. Called by searches that compare outcomes and never add them.
        """
        if a.score > b.score:
            return 1
        if a.score < b.score:
            return -1
        return 0

    def worth(self, out: Any, low: float, high: float) -> float:
        """An outcome as a number from 0 to 1, where a search must add or average.

        `low` and `high` are the lowest and the highest score that it has met. Called by open-loop
        searches that are not ordinal.
        """
        if high > low:
            return (out.score - low) / (high - low)
        return 0.5


AnyGame = TypeVar("AnyGame", bound=Veiled)


def open_copy(game: AnyGame) -> AnyGame:
    """The same game with open cards and open luck, for searches that read whole states.

    A game that keeps nothing back is as it was.
    """
    if not is_veiled(game):
        return game
    laid_open = copy.copy(game)
    laid_open.opened = True
    return laid_open


def is_veiled(game: Veiled) -> bool:
    """Whether there is anything in a state that a player who decides may not look at."""
    return (game.hidden or game.chance) and not game.opened


def luck_fields(game: Any, state: Any) -> set[str]:
    """The fields of a state that hold luck to come, of a game in which nothing else is hidden."""
    if not game.chance or game.hidden:
        return set()
    worlds = game.new_states(2)
    for number in range(2):
        worlds[number] = state
        with wrapping(), suppress(Exception):  # a picture is not where a wrong redraw is told of
            game.redraw(worlds[number], 0, np.array([number], np.uint64))
    return {name for name in worlds.dtype.names if not np.array_equal(*worlds[name])}


def check_open(game: Veiled, who: str) -> None:
    """Refuse, for a search `who` that reads whole states, a game that keeps something back."""
    if not is_veiled(game):
        return
    name = type(game).__name__
    if game.hidden:
        raise OptionError(
            f"{who} sees all that is hidden in {name}: use pimc, alphamu or ismcts, or lay it open "
            "(open=True, --open)"
        )
    raise OptionError(
        f"{who} reads the luck to come in {name}: use openloop, mixmax or ordinal "
        "(playout episode, playout.episode), or lay it open (open=True, --open)"
    )
