"""Games between two players, or two teams of the same player each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from playout.contract import Game
from playout.study.kinds.kind import Budget, GameKind, Over
from playout.study.store.row import Row


@dataclass(frozen=True)
class Match(GameKind):
    """Two games between two players, each moving first once; the score is the first's points.

    The budget is that of a move, unless a player's text has one of its own. A run's score is 1 for
    two wins, 0.5 for one, and so on, so that the mean is the win rate, with draws as half a win.
    Without `swap` the first player always moves first, in one game a run; with `wins_only` a
    draw is worth nothing.
    """

    first: str
    second: str
    swap: bool = True
    wins_only: bool = False

    kind: ClassVar[str] = "match"

    def key(self) -> str:
        how = ["", " | first seat"][not self.swap] + ["", " | wins only"][self.wins_only]
        return f"{self.game} | {self.first} against {self.second}{how}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each budget is a match of its own."""
        return f"{self.key()} | {budget:g} {unit} a move"

    def own_texts(self) -> tuple[str, ...]:
        return (self.game, self.first, self.second)

    def check(self) -> None:
        from playout.matches.player import parse_player

        for text in (self.first, self.second):
            parse_player(text)

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        """One game for each seat of the first player, or each side."""
        from playout.matches.player import parse_player
        from playout.matches.referee import play_game
        from playout.matches.schedule import deal_seed, sides_of

        sides = sides_of(problem)
        team = {seat: side for side, seats in enumerate(sides) for seat in seats}
        entrants = [parse_player(self.first), parse_player(self.second)]
        points, simulations, seconds, verified = 0.0, 0, 0.0, True
        games = []
        turns = (0, 1) if self.swap else (0,)
        for turn in turns:
            order = [entrants[(team[seat] + turn) % 2] for seat in range(problem.players)]
            played = play_game(
                problem,
                [entrant.make() for entrant in order],
                [entrant.stop or budget.stop() for entrant in order],
                [problem.players * seed + seat for seat in range(problem.players)],
                names=[entrant.text for entrant in order],
                deal=deal_seed(problem, seed, 0),
                over=over,
            )
            reward = played.rewards[sides[turn][0]]
            points += (float(reward == 1.0) if self.wins_only else reward) / len(turns)
            simulations += sum(played.simulations)
            seconds += sum(played.seconds)
            games.append(played.moves)
            start = problem.root(deal_seed(problem, seed, 0))
            verified &= _replayed(problem, start, played.moves) == played.rewards
        return Row(
            problem=self.game,
            algorithm=f"{self.first} against {self.second}",
            options={"kind": self.kind},
            score=points,
            playouts=simulations,
            seconds=seconds,
            verified=verified,
            stopped_by=budget.unit,
            moves=games,
        )


def _replayed(game: Game, state: np.ndarray, texts: list[str]) -> list[float]:
    """The rewards of a game whose moves are read and played again, in plain Python."""
    for text in texts:
        game.play_move(state[0], game.parse_move(state[0], text))
    return game.final_rewards(state[0])
