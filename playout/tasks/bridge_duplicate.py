"""One Bridge deal, played by one declarer after another against the same defenders.

All get the same cards and the same seeds: as long as the same cards are played, the worlds that the
searches draw are the same (T. Cazenave and V. Ventos, The alpha-mu Search Algorithm for the Game of
Bridge, section 5).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.cards.doubledummy import DoubleDummy, makes
from playout.compiled import wrapping
from playout.errors import GivenUp
from playout.games.bridge import DECLARER
from playout.stop import Never


@dataclass(frozen=True)
class PlayedDeal:
    """A deal that was played: the cards, whether the contract was made, and declarer's search.

    `seconds` are CPU seconds, `searched` the cards that were searched for: not those that are
    forced, or played when the contract is certain.
    """

    cards: list[str]
    made: bool
    seconds: float
    searched: int
    questions: int


def play_deal(
    game: Any, seed: int, declarer: Any, defence: Any, over: Callable[[], bool] = lambda: False
) -> PlayedDeal:
    """Play the deal of a seed; `declarer` and `defence` are sessions of searches over worlds.

    `over` is asked at every card whether to give up, which raises `GivenUp`.
    """
    position = game.root(seed)
    declarer.reset(seed)
    defence.reset(seed)
    cards: list[str] = []
    seconds, searched, questions = 0.0, 0, 0
    with wrapping():
        while len(legal := game.legal_moves(position[0])):
            if over():
                raise GivenUp
            move = legal[0]
            if len(legal) > 1 and np.isnan(game.decided(position[0])):
                his = game.turn(position[0]) == DECLARER
                session = declarer if his else defence
                began = time.thread_time()
                session.set_position(position)
                move = session.run(Never()).record
                if his:  # the defence may be a search of the same text, and so of the same session
                    seconds += time.thread_time() - began
                    searched += 1
                    questions += session.questions()
            cards.append(game.move_text(position[0], move))
            game.play_move(position[0], move)
        made = game.reward(position[0], DECLARER) == 1.0
    return PlayedDeal(cards, bool(made), seconds, searched, questions)


_SOLVER: list[DoubleDummy] = []  # whose table serves all deals


def contested(game: Any, seed: int) -> int:
    """The seed of a deal, the first of this seed's row, that is neither sure nor hopeless.

    With open cards declarer makes the contract, with one trick to spare at most. The row is as good
    as random, so the deals are uniform among those that are contested.
    """
    if not _SOLVER:
        _SOLVER.append(DoubleDummy())
    draws = np.random.default_rng([seed, game.goal, game.trump])
    turn = game.seat % 2  # the solver counts the tricks of North and South
    while True:
        deal = int(draws.integers(1 << 31))
        state = game.root(deal)[0]
        hands = np.roll(state.hands, -turn)
        leader = (int(state.leader) - turn) % 4

        def gets(more: int, hands: Any = hands, leader: int = leader) -> bool:
            need = game.goal - game.won_before + more
            return bool(makes(_SOLVER[0], hands, leader, _NO_TRICK, 0, need, game.trump))

        if gets(0) and (game.goal + 2 > 13 or not gets(2)):
            return deal


_NO_TRICK = np.zeros(4, np.int64)
