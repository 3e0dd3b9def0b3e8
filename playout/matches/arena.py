"""A game, who takes part and with what budgets: all that is needed to play any game of a match."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from playout._version import __version__
from playout.compiled import digest_of_class
from playout.contract import Game, open_copy
from playout.errors import OptionError
from playout.games.game_text import as_game
from playout.matches.match_settings import MatchSettings
from playout.matches.player import Entrant, budget_text, check_counts_calls, entrant
from playout.matches.referee import Played, play_game
from playout.matches.schedule import (
    Pairing,
    Schedule,
    deal_seed,
    draw_opening,
    player_seed,
    sides_of,
)
from playout.matches.transcript import MatchIdentity
from playout.run.checkpoint import digest_of_instance
from playout.stop import Calls, Stop

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
        rules = open_copy(as_game(game)) if settings.open else as_game(game)
        rules.check_attributes()
        text = game if isinstance(game, str) else type(rules).__name__
        entrants = tuple(entrant(player, settings.compiled) for player in players)
        if rules.players < 2:
            raise OptionError(f"{text} has one player: there is no match to play")
        sides = sides_of(rules)
        shared_out = Schedule(len(entrants), len(sides)).shared_out
        if len(entrants) < len(sides) and not shared_out:
            raise OptionError(
                f"{text} is a game for {len(sides)}: name {len(sides)} players or more, as "
                f"in {' '.join(['uct'] * (len(sides) - 1))} random"
                + (", or two, who share out the seats" if len(sides) > 2 else "")
            )
        several = shared_out or len(sides) < rules.players
        if alone := [one.text for one in entrants if one.one_object and several]:
            raise OptionError(f"{alone[0]} is one object, and a team has several: give its class")
        objects = [player for player, one in zip(players, entrants) if one.one_object]
        if len({id(player) for player in objects}) < len(objects):
            raise OptionError(
                "the same object plays against itself: give two, or its class, which makes one for "
                "each side"
            )
        for one in entrants:
            one.check(rules.searched())
        draw_opening(rules, 0, 0, settings.opening)
        if isinstance(settings.stop, Calls):
            for one in entrants:
                if one.stop is None and one.from_text:
                    check_counts_calls(one.text.partition(":")[0])
        stops = tuple(one.stop or settings.stop for one in entrants)
        return cls(text, rules, entrants, stops, settings.opening)

    @property
    def schedule(self) -> Schedule:
        return Schedule(len(self.entrants), len(self.sides))

    @property
    def sides(self) -> list[list[int]]:
        """The seats of each team; of each player, in a game without teams."""
        return sides_of(self.game)

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
            open=self.game.opened,
        )

    def new_players(self) -> list[list[Any]]:
        """Of each entrant a player for every seat it may have; they play one game at a time."""
        most = max(map(len, self.sides))
        if self.schedule.shared_out:
            most = self.game.players - 1
        return [[one.make() for _ in range(most)] for one in self.entrants]

    def play(
        self, pairing: Pairing, seed: int, players: Sequence[list[Any]], over: Over | None = None
    ) -> Played:
        """Play a game of the schedule; what comes of it is by side."""
        sides = self.sides
        members = [count() for _ in self.entrants]
        who = {
            seat: (player, next(members[player]))
            for player, side in zip(pairing.seats, sides)
            for seat in side
        }
        seats = [who[seat] for seat in range(self.game.players)]
        played = play_game(
            self.game,
            [players[player][member] for player, member in seats],
            [self.stops[player] for player, _ in seats],
            [player_seed(seed, pairing.round, *one) for one in seats],
            names=[self.entrants[player].text for player, _ in seats],
            opening=draw_opening(self.game, seed, pairing.round, self.opening),
            deal=deal_seed(self.game, seed, pairing.round),
            over=over or (lambda: False),
        )
        return Played(
            played.moves,
            [played.rewards[side[0]] for side in sides],
            [round(sum(played.seconds[seat] for seat in side), 6) for side in sides],
            [sum(played.simulations[seat] for seat in side) for side in sides],
        )
