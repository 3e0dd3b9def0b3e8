"""A game, who takes part and with what budgets: all that is needed to play any game of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from playout._version import __version__
from playout.compiled import digest_of_class
from playout.contract import Game
from playout.errors import OptionError
from playout.games.game_text import as_game
from playout.matches.match_settings import MatchSettings
from playout.matches.player import Entrant, budget_text, entrant
from playout.matches.referee import Played, play_game
from playout.matches.schedule import Pairing, Schedule, draw_opening, player_seed
from playout.matches.transcript import MatchIdentity
from playout.run.checkpoint import digest_of_instance
from playout.stop import Stop

Over = Callable[[], bool]


@dataclass(frozen=True)
class Arena:
    """What every game of a match has in common, but for its seed."""

    text: str  # the game's name
    game: Game
    entrants: tuple[Entrant, ...]
    stops: tuple[Stop, ...]  # the budget of each for a move
    opening: int

    @classmethod
    def of(cls, settings: MatchSettings) -> Arena:
        """From the settings of a match; refuses what cannot play or be played."""
        game, players = settings.game, settings.players
        rules = as_game(game)
        rules.check_attributes()
        text = game if isinstance(game, str) else type(rules).__name__
        entrants = tuple(entrant(player, settings.compiled) for player in players)
        if rules.players < 2:
            raise OptionError(f"{text} has one player: there is no match to play")
        if len(entrants) < rules.players:
            raise OptionError(
                f"{text} is a game for {rules.players}: name {rules.players} players or more, as "
                f"in {' '.join(['uct'] * (rules.players - 1))} random"
            )
        objects = [player for player, one in zip(players, entrants) if one.one_object]
        if len({id(player) for player in objects}) < len(objects):
            raise OptionError(
                "the same object plays against itself: give two, or its class, which makes one for "
                "each side"
            )
        for one in entrants:
            one.check(rules)
        draw_opening(rules, 0, 0, settings.opening)
        stops = tuple(one.stop or settings.stop for one in entrants)
        return cls(text, rules, entrants, stops, settings.opening)

    @property
    def schedule(self) -> Schedule:
        return Schedule(len(self.entrants), self.game.players)

    def identity(self, seed: int) -> MatchIdentity:
        """What the games of a match with this seed belong to."""
        rules = f"{digest_of_class(type(self.game))[:12]}-{digest_of_instance(self.game)[:12]}"
        return MatchIdentity(
            playout=__version__,
            game=self.text,
            rules=rules,
            players=[one.text for one in self.entrants],
            budgets=[budget_text(stop) for stop in self.stops],
            seed=seed,
            opening=self.opening,
        )

    def new_players(self) -> list[Any]:
        """A player of each entrant; they play one game at a time."""
        return [one.make() for one in self.entrants]

    def play(
        self, pairing: Pairing, seed: int, players: Sequence[Any], over: Over | None = None
    ) -> Played:
        """Play a game of the schedule."""
        return play_game(
            self.game,
            [players[player] for player in pairing.seats],
            [self.stops[player] for player in pairing.seats],
            [player_seed(seed, pairing.round, player) for player in pairing.seats],
            names=[self.entrants[player].text for player in pairing.seats],
            opening=draw_opening(self.game, seed, pairing.round, self.opening),
            over=over or (lambda: False),
        )
