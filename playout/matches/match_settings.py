"""What a match is: who plays what, how often and with what budgets."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playout.contract import Game
from playout.errors import OptionError
from playout.matches.sprt import Sprt
from playout.stop import Calls, Playouts, Seconds, Stop

SIMULATIONS = 1000  # a move, unless told
LARGEST_SEED = 2**63 - 1
MOST_GAMES = 1_000_000  # each takes some kilobytes while the match goes on


@dataclass(frozen=True)
class MatchSettings:
    """A match, checked when it is made; `match` says what each setting means.

    `stop` is the budget for a move. With `processes` all workers are processes, which make the game
    and the players anew: so these must be texts, and an error in a file of the user's own is told
    by its line. `workers=None` is one a core, of this machine or of the `cluster`. With `open` all
    players see all cards and the luck.
    """

    game: Game | str
    players: tuple[Any, ...]
    stop: Stop = Playouts(SIMULATIONS)
    games: int = 100
    seed: int | None = None
    opening: int = 0
    workers: int | None = 1
    record: str | Path | None = None
    sprt: Any = None
    compiled: bool = True
    processes: bool = False
    open: bool = False
    cluster: str | None = None

    def __post_init__(self) -> None:
        _check_whole("games", self.games, 1, MOST_GAMES)
        _check_whole("opening", self.opening, 0)
        if self.seed is not None:
            _check_whole("seed", self.seed, 0, LARGEST_SEED)
        if self.workers is not None:
            _check_whole("workers", self.workers, 1, 1024)
        object.__setattr__(self, "sprt", Sprt.of(self.sprt))
        if self.sprt is not None and len(self.players) > 2:
            raise OptionError("sprt compares two players: name two, or leave it out")

    def texts(self) -> list[str]:
        """The texts that name the game and the players, those that are texts."""
        return [what for what in (self.game, *self.players) if isinstance(what, str)]


def move_budget(simulations: int | None, seconds: float | None, calls: int | None = None) -> Stop:
    """The budget for a move, from the ways to say it."""
    if sum(given is not None for given in (simulations, seconds, calls)) > 1:
        raise OptionError("give simulations or seconds, not both: a move has one budget")
    if calls is not None:
        return Calls(calls)
    if seconds is not None:
        return Seconds(seconds)
    return Playouts(SIMULATIONS if simulations is None else simulations)


def _check_whole(name: str, value: Any, low: int, high: int | None = None) -> None:
    good = isinstance(value, int) and not isinstance(value, bool) and value >= low
    if not good or (high is not None and value > high):
        upto = f" to {high}" if high is not None else ""
        raise OptionError(f"{name}={value!r}: a whole number from {low}{upto}")
