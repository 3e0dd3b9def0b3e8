"""The player of X. Servot's report: a tree search of the pool model of Jass.

It does not deal hidden cards. From its own eyes the others play any card that it does not hold and
that was not played, as one big hand could (`jass:pool=true`): a game with open cards, which every
tree search takes.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from playout.compiled import wrapping
from playout.contract import Game
from playout.errors import OptionError
from playout.games.jass.jass import Jass
from playout.gametree.search_result import SearchResult
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.matches.player import Player
from playout.stop import Playouts, Stop


class PoolPlayer(Player):
    """Jass by a search of the pool model; the report's final player unless told otherwise.

    Parameters
    ----------
    policy : str
        The tree policy, such as `ucb1tuned` or `uct`.
    C : float
        Its constant. The report's c = 40 for UCB1 with reward=points is C=56.57 here, since its
        bound has sqrt(2 ln N / n).
    playout : str
        The playout policy, such as `handmade` or `uniform`.
    reward : points, ratio or share
        What a turn is worth to it.
    choice : mean or visits
        The card to play.
    """

    def __init__(
        self,
        *,
        policy: str = "ucb1tuned",
        C: float = 1.0,
        playout: str = "handmade",
        reward: Literal["points", "ratio", "share"] = "ratio",
        choice: Literal["mean", "visits"] = "mean",
    ) -> None:
        parts = f"{policy}:C={C:g},playout={playout},choice={choice},keep=false"
        self.algorithm = TreeSearch.parse(parts)
        self.name = f"pool:policy={policy},C={C:g},playout={playout},reward={reward}"
        self.last: SearchResult | None = None
        self._reward = reward
        self.session: TreeSession | None = None

    def check(self, game: Game) -> None:
        if not isinstance(game, Jass) or game.pool:
            raise OptionError(f"pool is a player of Jass with hidden cards, not of {_named(game)}")
        self.algorithm.new_playout().prepare(game, 0)

    def new_game(self, game: Game, seed: int) -> None:
        assert isinstance(game, Jass)
        if self.session is None or self.game is not game:
            model = game.seen_as_pool(self._reward)
            self.session = TreeSession(model, self.algorithm, seed=0)
            self.session.run(Playouts(1))  # compiles, off the clock of a move
        super().new_game(game, seed)
        self.session.reset(seed)

    def choose(self, position: np.ndarray, stop: Stop) -> Any:
        session = self.session
        assert session is not None, "new_game comes first"
        seen: Any = session.game
        here = position.copy()
        with wrapping():
            seen.look_from(here[0], int(seen.turn(here[0])))
        session.set_position(here)
        self.last = session.run(stop)
        self.simulations = self.last.simulations
        return self.last.record


def _named(game: Game) -> str:
    return "its own model" if isinstance(game, Jass) else type(game).__name__
