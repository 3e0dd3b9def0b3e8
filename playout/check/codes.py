"""Whether the codes of moves suit searches that learn of a move from moves of the same code.

GRAVE and RAVE (all moves as first) learn of a move from simulations in which a move of the same
code was played later. That misleads where a player plays the same codes again and again in one game
and they mean something else each time: in Kalah, whose moves are six pits, GRAVE loses to UCT. And
it is of little use where there are few moves to choose from, or where most later moves are not
legal yet: simulations say nothing of them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

from playout.compiled import wrapping
from playout.contract import Game

LOOKED_AT = 400  # moves of random games
SOON = 24  # moves of both players: what is played later may be legal again by then
FEW_PLACES = 12  # positions of a game that show what its codes leave untold
MOST_AGAIN = 0.5  # of them, with a code that the player had played in the game before


class Codes(NamedTuple):
    """What random games show of a game's codes."""

    again: float  # the share of moves whose code the same player had played in the game before
    choices: float  # the mean number of legal moves
    already: float  # of the codes that a player plays soon, the share that is legal now


class Turn(NamedTuple):
    """A move of a random game."""

    player: int
    legal: set[int]  # codes
    choices: int
    code: int


def random_turns(game: Game, number: int, chance: random.Random) -> Iterator[Turn]:
    """The moves of a random game, one after the other."""
    states = game.root(number)
    while len(legal := game.legal_moves(states[0])):
        with wrapping():
            player = int(game.turn(states[0]))
            codes = [int(game.code(states[0], move)) for move in legal]
        chosen = chance.randrange(len(legal))
        game.play_move(states[0], legal[chosen])
        yield Turn(player, set(codes), len(legal), codes[chosen])


def look_at_codes(game: Game, looked_at: int = LOOKED_AT) -> Codes:
    """Play random games, of so many moves in all."""
    chance, seen, games = random.Random(1), 0, []
    while seen < looked_at:
        turns = list(islice(random_turns(game, seen, chance), looked_at - seen))
        if not turns:  # a game without a move
            break
        games.append(turns)
        seen += len(turns)
    again = sum(len(turns) - len({(turn.player, turn.code) for turn in turns}) for turns in games)
    choices = sum(turn.choices for turns in games for turn in turns)
    soon = already = 0
    for turns in games:
        for place, turn in enumerate(turns):
            later = turns[place + 1 : place + 1 + SOON]
            codes = {other.code for other in later if other.player == turn.player}
            soon += len(codes)
            already += len(codes & turn.legal)
    return Codes(again / max(1, seen), choices / max(1, seen), already / max(1, soon))


class Places(NamedTuple):
    """What the first positions of a game show of what its codes leave untold."""

    about: bool  # some code is legal at two places of a game: it does not tell what it follows
    again: bool  # most are legal again once they were played: they do not tell what they are about


def look_at_places(game: Game) -> Places:
    """Play a few moves of a random game, in plain Python.

    Where every move names its place (this exam, that hour) a code says all. Of a trip whose moves
    are the places to go to next, it leaves out where one comes from. Of exams that are taken one
    after the other, and whose moves are hours, it leaves out the exam.
    """
    chance, states = random.Random(1), game.root(0)
    known, played, again, before = set[int](), 0, 0, None
    about = False
    for _ in range(FEW_PLACES):
        legal = game.legal_moves(states[0])
        if not len(legal):
            break
        with wrapping():
            codes = [int(game.code(states[0], move)) for move in legal]
        about = about or not known.isdisjoint(codes)
        again += before in codes
        played += before is not None
        known.update(codes)
        chosen = chance.randrange(len(legal))
        before = codes[chosen]
        game.play_move(states[0], legal[chosen])
    return Places(about, 2 * again > played)


def codes_note(game: Game) -> str:
    """What to know of the codes of a game for several players; empty if they are fine."""
    if game.players < 2 or (again := look_at_codes(game).again) <= MOST_AGAIN:
        return ""
    return (
        f"{again:.0%} of the moves have a code that their player had played in the game before: "
        "grave and rave would be misled, and the usual search is puct"
    )
