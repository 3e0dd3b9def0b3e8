"""What every session of a search of a game is given: workers, a seed, positions. Checked here."""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np

from playout.compiled.records import copy_of_states
from playout.contract import Game
from playout.errors import OptionError


def runs_compiled(game: Game, compiled: bool) -> bool:
    """Whether a search of a game is compiled, if it is asked to be or not."""
    return compiled and not getattr(game, "interpreted", False)


def check_workers(game: Game, workers: Any, compiled: bool, processes: bool = False) -> None:
    """Refuse a number of workers that no session can have; `processes`: it may have some."""
    if not isinstance(workers, int) or not 1 <= workers <= 256:
        raise OptionError(f"workers={workers!r}: a whole number from 1 to 256")
    if workers == 1 or runs_compiled(game, compiled):
        return
    if not processes or getattr(game, "recipe", None) is None:
        raise OptionError(f"workers={workers}: an interpreted search has one worker")


def seed_of(seed: Any) -> int:
    """The seed that was given, or one that is drawn."""
    if seed is not None and not hasattr(seed, "__index__"):
        raise OptionError(f"seed={seed!r}: a whole number")
    return secrets.randbits(31) if seed is None else int(seed)


def position_of(game: Game, state: np.ndarray | None, seed: int) -> np.ndarray:
    """A copy of the position that was given, an array of one state; None: the start."""
    if state is None:
        return game.root(seed)
    if not game.is_one_state(state):
        raise OptionError(
            f"state={state!r}: an array of one state, such as read_position(text) gives"
        )
    return copy_of_states(state)
