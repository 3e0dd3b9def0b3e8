"""How a worker comes to play the games of a match: with what is here, or made anew from texts."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

from playout.matches.arena import Arena
from playout.matches.referee import Played
from playout.matches.schedule import Slot
from playout.stop import Stop
from playout.workers import Recipe, Work


@dataclass(frozen=True)
class Playing(Recipe[Slot, Played]):
    """The games of a match in this process."""

    arena: Arena
    seed: int

    def make(self) -> Work[Slot, Played]:
        """Plays with players of its own."""
        players = self.arena.team()
        return lambda slot, over: self.arena.play(slot, self.seed, players, over)

    def each(self, slots: Iterable[Slot]) -> Generator[tuple[Slot, Played]]:
        """Play games one after another."""
        play = self.make()
        for slot in slots:
            yield slot, play(slot, lambda: False)


@dataclass(frozen=True)
class PlayingAnew(Recipe[Slot, Played]):
    """The games of a match in a process that makes the game and the players from their texts."""

    game: str
    players: tuple[str, ...]
    stop: Stop
    opening: int
    compiled: bool
    seed: int

    def make(self) -> Work[Slot, Played]:
        arena = Arena.make(self.game, self.players, self.stop, self.opening, self.compiled)
        return Playing(arena, self.seed).make()

    def texts(self) -> Sequence[str]:
        return (self.game, *self.players)
