"""How a worker comes to play the games of a match: with what is here, or made anew from texts."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from playout.matches.arena import Arena
from playout.matches.match_settings import MatchSettings
from playout.matches.referee import Played
from playout.matches.schedule import Pairing
from playout.workers import Recipe, Work


@dataclass(frozen=True)
class Playing(Recipe[Pairing, Played]):
    """The games of a match in this process."""

    arena: Arena
    seed: int

    def make(self) -> Work[Pairing, Played]:
        """Plays with players of its own."""
        players = self.arena.new_players()
        return lambda pairing, over: self.arena.play(pairing, self.seed, players, over)

    def each(self, pairings: Iterable[Pairing]) -> Generator[tuple[Pairing, Played]]:
        """Play games one after another."""
        play = self.make()
        for pairing in pairings:
            yield pairing, play(pairing, lambda: False)

    def objects(self) -> Sequence[Any]:
        return [self.arena.game, *self.arena.entrants]


@dataclass(frozen=True)
class PlayingAnew(Recipe[Pairing, Played]):
    """The games of a match in a process that makes the game and the players from their texts."""

    settings: MatchSettings  # with texts and a seed

    def make(self) -> Work[Pairing, Played]:
        assert self.settings.seed is not None
        return Playing(Arena.of(self.settings), self.settings.seed).make()

    def is_text(self) -> bool:
        """Whether all that it needs is named by texts."""
        return len(self.texts()) == 1 + len(self.settings.players)

    def texts(self) -> Sequence[str]:
        return self.settings.texts()
