"""Whether the games of a transcript file are what they say, by the rules in plain Python."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from playout.contract import Game
from playout.errors import DataError, PlayoutError
from playout.matches.match_result import MatchResult
from playout.matches.schedule import Schedule, deal_seed, sides_of
from playout.matches.transcript import MatchGame, one_match, read_transcript


@dataclass(frozen=True)
class Replay:
    """The outcome of replaying a file: the match as recorded, and what does not agree."""

    result: MatchResult
    faults: list[str]

    @property
    def agrees(self) -> bool:
        """Whether every game is what the file says."""
        return not self.faults

    def __str__(self) -> str:
        games = f"{self.result.games:,} game{'s' if self.result.games != 1 else ''} replayed"
        if self.agrees:
            return f"{games}: all agree"
        return "\n".join([f"{games}: {len(self.faults):,} disagree", *self.faults])


def replay_transcript(
    path: str | Path,
    game: Game | str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Replay:
    """Replay every game of a transcript file and compare with what it says.

    Every move is looked up among the legal ones, the game must be over after the last, and its
    result must be the one in the file; so must the seats be those of the game's number.

    Parameters
    ----------
    path : path
    game : Game or text
        Needed for a file whose game was an object that no text names, or a class of one's own.
    progress : function of the games done and of all games
    """
    from playout.games import load_game
    from playout.games.game_text import game_of_file

    path = Path(path)
    games = read_transcript(path)
    if not games:
        raise DataError(f"{path} has no games")
    identity = one_match(path, games)
    if game is None:
        try:
            game = game_of_file(identity.game)
        except PlayoutError as error:
            raise DataError(f"{path}: its game cannot be made: {error}") from None
    rules: Game = load_game(game) if isinstance(game, str) else game
    sides = sides_of(rules)
    schedule = Schedule(len(identity.players), len(sides))
    faults = []
    for done, one in enumerate(games):
        if progress is not None:
            progress(done, len(games))
        try:
            fault = _fault(rules, one, schedule)
        except PlayoutError as error:
            fault = str(error)
        if fault:
            faults.append(f"game {one.number}: {fault}")
    result = MatchResult(identity, tuple(sorted(games, key=lambda g: g.number)), len(sides))
    return Replay(result, faults)


def start_of(rules: Game, game: MatchGame) -> np.ndarray:
    """The start of a game of a match: its cards and its luck as they were dealt."""
    schedule = Schedule(len(game.match.players), len(sides_of(rules)))
    return rules.root(deal_seed(rules, game.match.seed, schedule.pairing(game.number).round))


def _fault(rules: Game, game: MatchGame, schedule: Schedule) -> str | None:
    """What is wrong with a game, if anything."""
    sides = sides_of(rules)
    if len(game.seats) != len(sides):
        return f"{len(game.seats)} seats in a game for {len(sides)}"
    expected = list(schedule.pairing(game.number).seats)
    if game.seats != expected:
        return f"the seats are {game.seats}, those of this game are {expected}"
    position = start_of(rules, game)
    move: Any
    for ply, text in enumerate(game.moves, 1):
        try:
            move = rules.parse_move(position[0], text)
        except DataError as error:
            return f"move {ply}: {error}"
        rules.play_move(position[0], move)
    if not rules.is_over(position[0]):
        return f"it is not over after its {len(game.moves)} moves"
    if game.plies != len(game.moves):
        return f"it says {game.plies} plies and has {len(game.moves)} moves"
    all_rewards = rules.final_rewards(position[0])
    rewards = [all_rewards[side[0]] for side in sides]
    if game.result != rewards:
        return f"the result is {rewards}, the record says {game.result}"
    return None
