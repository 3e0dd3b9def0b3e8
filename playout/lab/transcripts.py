"""What the lab's page of matches shows: transcripts, read again whenever they grow.

A number that a page gives is looked up among the transcripts that were named at the start; nothing
else is opened.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from playout.errors import DataError, DataWarning, OptionError, PlayoutError
from playout.games.game_text import game_of_file
from playout.lab.films import filmed
from playout.lab.reading import stamp_of
from playout.matches.match_result import MatchResult
from playout.matches.replay import start_of
from playout.matches.score import best_rewards
from playout.matches.sprt import Sprt, SprtRun
from playout.matches.transcript import MatchGame, one_match, read_transcript
from playout.pictures.film import Film

MOST_GAMES = 1000  # that are listed, the last ones
TEST = Sprt(0, 10)  # what a score is tested for, while a match goes on


class Transcripts:
    """Files of matches; what was read is kept for as long as its file does not change."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths
        self._read: dict[int, tuple[Any, list[MatchGame]]] = {}

    def stamp(self, number: int) -> Any:
        """What differs once a transcript has changed."""
        return stamp_of(self._path(number))

    def _path(self, number: int) -> Path:
        if not 0 <= number < len(self._paths):
            raise DataError(f"there is no transcript {number}")
        return self._paths[number]

    def _games(self, number: int) -> list[MatchGame]:
        path, stamp = self._path(number), self.stamp(number)
        if number not in self._read or self._read[number][0] != stamp:
            with warnings.catch_warnings():  # a game may be written just now
                warnings.simplefilter("ignore", DataWarning)
                games = sorted(read_transcript(path), key=lambda game: game.number)
            if not games:
                raise DataError(f"{path.name} has no games")
            self._read[number] = stamp, games
        return self._read[number][1]

    def _result(self, number: int) -> MatchResult:
        games = self._games(number)
        match, seats = one_match(self._path(number), games), len(games[0].seats)
        return MatchResult(match, tuple(games), seats, sprt=_tested(games))

    def all(self) -> dict[str, Any]:
        """The transcripts, each with its score."""
        found = []
        for number, path in enumerate(self._paths):
            row: dict[str, Any] = {"number": number, "name": path.name, "error": ""}
            try:
                result = self._result(number)
                row |= {
                    "game": result.game,
                    "players": result.players,
                    "games": result.games,
                    "score": result.win_rate,
                    "interval": list(result.interval),
                    "elo": result.elo,
                    "sprt": dict(result.sprt.to_json()) if result.sprt is not None else None,
                }
            except PlayoutError as error:
                row["error"] = str(error)
            found.append(row)
        return {"transcripts": found}

    def match(self, number: int) -> dict[str, Any]:
        """A match with its games."""
        result = self._result(number)
        games = [
            {
                "game": i,
                "number": game.number,
                "players": [result.players[player] for player in game.seats],
                "moves": len(game.moves),
                "rewards": game.result,
                "plies": game.plies,
            }
            for i, game in enumerate(self._games(number))
        ][-MOST_GAMES:]
        name = self._path(number).name
        return {**result.to_json(), "name": name, "text": str(result), "list": games}

    def _played(self, number: int, game: int) -> MatchGame:
        games = self._games(number)
        if not 0 <= game < len(games):
            raise DataError(f"there is no game {game}")
        return games[game]

    def game_film(self, number: int, game: int) -> tuple[Film, str]:
        """The pictures of a game of a match, which is over: all cards are open."""
        played = self._played(number, game)
        rules = game_of_file(played.match.game)
        return filmed(rules, played.moves, start_of(rules, played))

    def until(self, number: int, game: int, move: int) -> tuple[str, list[str]]:
        """The text of a game and its first moves, to go on from there."""
        played = self._played(number, game)
        rules = game_of_file(played.match.game)
        if rules.hidden or rules.chance:
            raise DataError(
                "a game with hidden cards or luck is not gone on with from its midst: "
                "a new one begins on the page Play"
            )
        if not 0 <= move <= len(played.moves):
            raise OptionError(f"move {move}: 0 to {len(played.moves)}")
        return played.match.game, played.moves[:move]


def _tested(games: list[MatchGame]) -> SprtRun | None:
    """How a test of the first player's strength stands; None where there are more than two."""
    if len(games[0].match.players) != 2:
        return None
    run = SprtRun(TEST)
    for game in games:
        best = best_rewards(game.seats, game.result)
        a, b = best[0], best[1]
        run.add(game.number, 1.0 if a > b else 0.5 if a == b else 0.0)
    return run
