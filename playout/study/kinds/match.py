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
    draw is worth nothing. In a game for more than two, and where players move at the same time, who
    has the highest reward gets 1 and both of two get 0.5; the seats of a game for more than two are
    shared out in all ways, so that a run has 2^n - 2 games.
    """

    first: str
    second: str
    swap: bool = True
    wins_only: bool = False

    kind: ClassVar[str] = "match"
    per: ClassVar[str] = "move"

    def key(self) -> str:
        how = ["", " | first seat"][not self.swap] + ["", " | wins only"][self.wins_only]
        return f"{self.game} | {self.first} against {self.second}{how}"

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each budget is a match of its own."""
        return f"{self.key()} | {budget:g} {unit} a move"

    def games(self) -> int:
        return 2 if self.swap else 1  # at least: more in a game for more than two

    def threads(self) -> int:
        from playout.matches.player import parse_player

        return max(parse_player(text).workers for text in (self.first, self.second))

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
        from playout.matches.schedule import Schedule, deal_seed, sides_of
        from playout.matches.score import best_rewards

        sides = sides_of(problem)
        schedule = Schedule(2, len(sides))
        entrants = [parse_player(self.first), parse_player(self.second)]
        points, simulations, seconds, verified = 0.0, 0, 0.0, True
        games = []
        ways = [schedule.pairing(turn).seats for turn in range(schedule.games_of_round)]
        for way in ways if self.swap else ways[:1]:
            whose = [0] * problem.players
            for player, side in zip(way, sides, strict=True):
                for seat in side:
                    whose[seat] = player
            played = play_game(
                problem,
                [entrants[player].make() for player in whose],
                [entrants[player].stop or budget.stop() for player in whose],
                [problem.players * seed + seat for seat in range(problem.players)],
                names=[entrants[player].text for player in whose],
                deal=deal_seed(problem, seed, 0),
                over=over,
            )
            if len(sides) > 2 or problem.simultaneous:
                best = best_rewards(whose, played.rewards)
                reward = 1.0 if best[0] > best[1] else 0.5 if best[0] == best[1] else 0.0
            else:
                reward = played.rewards[sides[way.index(0)][0]]
            points += float(reward == 1.0) if self.wins_only else reward
            simulations += sum(played.simulations)
            seconds += sum(played.seconds)
            games.append(played.moves)
            start = problem.root(deal_seed(problem, seed, 0))
            verified &= _replayed(problem, start, played.moves) == played.rewards
        points /= len(games)
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
