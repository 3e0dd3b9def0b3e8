"""How long a search takes for its simulations, over a whole game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from playout.study.kinds.kind import Budget, GameKind, Over
from playout.study.store.row import Row


@dataclass(frozen=True)
class Speed(GameKind):
    """A game of a player against itself; the score is milliseconds for 1,000 simulations."""

    player: str

    kind: ClassVar[str] = "speed"
    per: ClassVar[str] = "move"

    def key(self) -> str:
        return f"{self.game} | the speed of {self.player}"

    def cell(self, unit: str, budget: float) -> str:
        """Each budget of a move is a measurement of its own."""
        return f"{self.key()} | {budget:g} {unit} a move"

    def own_texts(self) -> tuple[str, ...]:
        return (self.game, self.player)

    def check(self) -> None:
        from playout.matches.player import parse_player

        parse_player(self.player)

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        from playout.matches.player import parse_player
        from playout.matches.referee import play_game
        from playout.stop import Playouts

        entrant = parse_player(self.player)
        first = entrant.make()  # what has to be compiled is, before it is timed
        first.new_game(problem.searched(), seed)
        first.choose(problem.root(), Playouts(2))
        seats = range(problem.players)
        played = play_game(
            problem,
            [entrant.make() for _ in seats],
            [entrant.stop or budget.stop() for _ in seats],
            [problem.players * seed + seat for seat in seats],
            over=over,
        )
        simulations, seconds = sum(played.simulations), sum(played.seconds)
        return Row(
            problem=self.game,
            algorithm=self.player,
            options={"kind": self.kind},
            score=1e6 * seconds / max(1, simulations),
            playouts=simulations,
            seconds=seconds,
            verified=True,
            stopped_by=budget.unit,
            moves=[played.moves],
        )
