"""Which game has whom in which seat, with which seeds and which opening.

Games come in rounds. In a round every group of players (in a game for two: every pair) meets once
with each of them in each seat, by rotation, and these games share their seeds and their
opening: what chance gives to one is given to the other too. All of it depends on the number of
the game alone, so a match can be stopped, resumed and made longer.

Two players in a game for more than two share its seats out in every way but the two in which one
has them all: a round has 2^n - 2 games (C. Sironi, T. Cazenave and M. Winands, Enhancing Playout
Policy Adaptation for General Game Playing, section 5.1).
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

from playout.contract import Game
from playout.errors import OptionError

ATTEMPTS = 100  # at an opening that does not end the game


@dataclass(frozen=True)
class Pairing:
    """A game of a schedule: its number, its round, and the player in each seat."""

    number: int
    round: int
    seats: tuple[int, ...]

    def __str__(self) -> str:
        return f"game {self.number}"


@dataclass(frozen=True)
class Schedule:
    """The games of a match: `players` take part, `seats` of them in a game.

    >>> [pairing.seats for pairing in Schedule(players=2, seats=2).pairings(4)]
    [(0, 1), (1, 0), (0, 1), (1, 0)]
    >>> [pairing.seats for pairing in Schedule(players=3, seats=2).pairings(2)]
    [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)]
    >>> [pairing.seats for pairing in Schedule(players=3, seats=3).pairings(3)]
    [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    >>> [pairing.seats for pairing in Schedule(players=2, seats=3).pairings(6)]
    [(0, 0, 1), (1, 1, 0), (0, 1, 0), (1, 0, 1), (0, 1, 1), (1, 0, 0)]
    """

    players: int
    seats: int

    @property
    def shared_out(self) -> bool:
        """Whether two players share out the seats of a game for more."""
        return self.players == 2 < self.seats

    @property
    def games_of_round(self) -> int:
        """How many games a group of players has in a round."""
        return 2**self.seats - 2 if self.shared_out else self.seats

    def groups(self) -> list[tuple[int, ...]]:
        """The players that meet each other."""
        return _groups(self.players, self.seats)

    def total(self, games: int) -> int:
        """How many games there are with so many for each group."""
        return games * len(self.groups())

    def pairing(self, number: int) -> Pairing:
        """The game of a number."""
        groups = self.groups()
        block, turn = divmod(number, self.games_of_round)
        round_, which = divmod(block, len(groups))
        if self.shared_out:
            return Pairing(number, round_, _ways(self.seats)[turn])
        group = groups[which]
        return Pairing(number, round_, group[turn:] + group[:turn])

    def pairings(self, games: int) -> Iterator[Pairing]:
        """The games with so many for each group, round by round."""
        each = self.games_of_round
        rounds = -(-games // each)
        for number in range(rounds * len(self.groups()) * each):
            pairing = self.pairing(number)
            if pairing.round * each + number % each < games:
                yield pairing


@cache
def _groups(players: int, seats: int) -> list[tuple[int, ...]]:
    return list(combinations(range(players), min(players, seats)))


@cache
def _ways(seats: int) -> list[tuple[int, ...]]:
    """The ways to share seats out between two, each followed by the one with all swapped."""
    found = []
    for way in product((0, 1), repeat=seats - 1):
        if any(way):
            found += [(0, *way), (1, *(1 - player for player in way))]
    return found


def sides_of(game: Game) -> list[list[int]]:
    """The seats that one player has in a match: a whole team, or one seat.

    >>> class Pairs(Game):
    ...     players, teams = 4, (0, 1, 0, 1)
    >>> sides_of(Pairs())
    [[0, 2], [1, 3]]
    """
    teams = game.teams or tuple(range(game.players))
    return [
        [seat for seat, mine in enumerate(teams) if mine == team] for team in sorted(set(teams))
    ]


def seed_of(seed: int, round_: int, what: str) -> int:
    """The seed of a player, or of the opening, in a round of a match."""
    text = f"{seed} {round_} {what}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=6).digest(), "big")


def player_seed(seed: int, round_: int, player: int, member: int = 0) -> int:
    """A player's seed, the same in all games of a round; in a team each member has his own."""
    return seed_of(seed, round_, f"player {player}" + (f" member {member}" if member else ""))


def deal_seed(game: Game, seed: int, round_: int) -> int | None:
    """The seed of cards and luck, the same in all games of a round; None: there are none."""
    return seed_of(seed, round_, "deal") if game.hidden or game.chance else None


def draw_opening(game: Game, seed: int, round_: int, plies: int) -> list[Any]:
    """Random moves from the start of the game, after which it is not over."""
    if plies == 0:
        return []
    chance = random.Random(seed_of(seed, round_, "opening"))
    for _ in range(ATTEMPTS):
        position = game.root(deal_seed(game, seed, round_))
        moves: list[Any] = []
        while len(legal := game.legal_moves(position[0])):
            if len(moves) == plies:
                return moves
            moves.append(legal[chance.randrange(len(legal))])
            game.play_move(position[0], moves[-1])
    raise OptionError(
        f"an opening of {plies} random plies ends a game of {type(game).__name__}: give fewer"
    )
