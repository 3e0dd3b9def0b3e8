"""A Bridge deal that is played by one declarer, or by two in turn, against the same defenders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from playout.errors import OptionError
from playout.stop import Playouts
from playout.study.finished_runs import FinishedRuns
from playout.study.kinds.kind import Budget, GameKind, Over, class_digest, code_of
from playout.study.store.row import Row

SHOWS = ("made", "wins", "games", "results", "seconds")


@dataclass(frozen=True)
class Duplicate(GameKind):
    """The deal of a run's seed, with the same seeds for all; every search ends by itself.

    What is shown of the runs: `made`, the share of contracts that the first declarer makes;
    `wins`, his share of the deals that only one of the two makes; `games`, the share of deals in
    which they play different cards; `results`, the share that only one of them makes; `seconds`,
    the first's CPU seconds for each of his cards, dummy's too. With `contested` the deals are those
    that declarer makes with open cards, with one trick to spare at most.
    """

    first: str
    second: str = ""
    defence: str = "alphamu:M=1,worlds=20"
    shows: str = "made"
    contested: bool = False

    kind: ClassVar[str] = "duplicate"

    def key(self) -> str:
        both = f"{self.first} and {self.second}" if self.second else self.first
        deals = ", contested deals" if self.contested else ""
        return f"{self.game} | {both} against {self.defence}{deals}"

    def own_texts(self) -> tuple[str, ...]:
        return (self.game, self.first, self.second, self.defence)

    def check(self) -> None:
        from playout.gametree.tree_search import as_search

        if self.shows not in SHOWS:
            raise OptionError(f"shows={self.shows!r}: one of {', '.join(SHOWS)}")
        for text in filter(None, (self.first, self.second, self.defence)):
            as_search(text).check(self.load())

    def code(self, problem: Any) -> str:
        from playout.worlds.alphamu_arrays import AlphaMu
        from playout.worlds.bridge_positions import BridgePositions

        return code_of(problem, class_digest(AlphaMu), class_digest(BridgePositions))

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        from playout.tasks.bridge_duplicate import contested, play_deal

        if self.contested:
            seed = contested(problem, seed)
        defence = _session(problem, self.defence)
        texts = [self.first, *([self.second] if self.second else [])]
        played = [
            play_deal(problem, seed, _session(problem, text), defence, over) for text in texts
        ]
        one, two = played[0], played[-1]
        details = {
            "made": float(one.made),
            "games": float(one.cards != two.cards),
            "results": float(one.made != two.made),
            "seconds": one.seconds / (2 * problem.tricks),
        }
        if one.made != two.made:
            details["wins"] = float(one.made)
        return Row(
            problem=self.game,
            algorithm=" and ".join(texts),
            options={"kind": self.kind, "defence": self.defence, "contested": self.contested},
            score=float(one.made),
            playouts=sum(deal.questions for deal in played),
            seconds=sum(deal.seconds for deal in played),
            verified=all(_replayed(problem, seed, deal.cards) == deal.made for deal in played),
            stopped_by=budget.unit,
            moves=[deal.cards for deal in played],
            details=details,
        )

    def shown(self, runs: FinishedRuns, mark: float, reached: bool) -> np.ndarray:
        values = runs.counted(self.shows)
        return values[runs.went(mark) & ~np.isnan(values)]


_sessions: dict[tuple[int, str], Any] = {}


def _session(game: Any, text: str) -> Any:
    """A session of a search; one that was made for this game before is used again."""
    from playout.gametree.tree_search import as_search

    known = _sessions.get((id(game), text))
    if known is None or known.game is not game:
        known = _sessions[id(game), text] = as_search(text).session(game, seed=0)
        known.run(Playouts(1))  # compiles, off the clock of a card
    return known


def _replayed(game: Any, seed: int, cards: list[str]) -> bool:
    """Whether a deal is made whose cards are read and played again, in plain Python."""
    position = game.root(seed)
    for text in cards:
        game.play_move(position[0], game.parse_move(position[0], text))
    return bool(game.final_rewards(position[0])[0] == 1.0)
