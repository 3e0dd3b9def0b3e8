"""The move that a tree search chooses at the start of a game, or in another position."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from playout.errors import OptionError
from playout.study.kinds.kind import Budget, GameKind, Over, looking
from playout.study.store.row import Row


@dataclass(frozen=True)
class Choice(GameKind):
    """One search of the start of a game; the score is 1 if the move is one of the good ones.

    With no good moves the score is the time it took. `position` is searched in place of the start,
    if it is given, in the game's notation.
    """

    search: str
    good: tuple[str, ...] = ()
    position: str = ""

    kind: ClassVar[str] = "choice"

    def key(self) -> str:
        where = f" | {self.position}" if self.position else ""
        return f"{self.game} | {self.search}{where}" + (" | time" if not self.good else "")

    def cell(self, unit: str, budget: float) -> str:
        """The name of its runs in the store: each budget is a search of its own."""
        return f"{self.key()} | {budget:g} {unit}"

    def games(self) -> int:
        return 1 if self.good else 0

    def threads(self) -> int:
        from playout.matches.player import parse_player

        return parse_player(self.search).workers

    def own_texts(self) -> tuple[str, ...]:
        return (self.game, self.search)

    def check(self) -> None:
        from playout.matches.player import TreePlayer, parse_player

        if not isinstance(parse_player(self.search).make(), TreePlayer):
            raise OptionError(f"{self.search} is no tree search")

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        from playout.gametree.tree_session import TreeSession
        from playout.matches.player import parse_player

        player: Any = parse_player(self.search).make()
        session = TreeSession(
            problem, player.algorithm, seed=seed, workers=player.workers, compiled=player.compiled
        )
        session.set_position(problem.read_position(self.position) if self.position else None)
        result = session.run(budget.stop(), looking(over))
        return Row(
            problem=self.game,
            algorithm=self.search,
            options={"kind": self.kind},
            score=float(result.move in self.good) if self.good else result.seconds,
            playouts=result.simulations,
            seconds=result.seconds,
            stopped_by=budget.unit,
            moves=[[result.move]],
        )

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "good": tuple(data["good"])})
