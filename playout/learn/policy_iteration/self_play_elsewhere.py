"""Self-play by a crew on other machines: games are shared out by their numbers, some at a time.

A game is known by its number and does not depend on its neighbours, so who plays it does not
matter. The policy travels as the bytes of its file, once for each worker and generation. What a
worker had not finished when it died is played again.

The last bits of PyTorch depend on the size of a batch. So with a policy the numbers alone say
which games are played beside one another, and not how many workers there are.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from playout.contract import Problem
from playout.learn.policy_iteration.compiled_self_play import Games
from playout.learn.policy_iteration.policy_mcts import PolicyMCTS
from playout.learn.policy_iteration.policy_search import Noise
from playout.workers import Crew, Recipe, Work

MOST_AT_ONCE = 1000  # games that a worker is given
SHARES = 8  # of all games, for each worker
SLOTS = 64  # games that a worker plays beside one another
LOT, LOTS = 16, 32  # games of a lot with a policy, at most; lots, at least, where there are so many


class Lot(NamedTuple):
    """Games for a worker, those of another training's middle with what is known of them."""

    entries: np.ndarray  # where they are in the generation's games
    numbers: np.ndarray
    moves: np.ndarray
    prefixes: np.ndarray
    known: np.ndarray


class Finished(NamedTuple):
    """What came of a lot."""

    lengths: np.ndarray
    moves: np.ndarray
    scores: np.ndarray
    playouts: int


@dataclass(frozen=True)
class PlayingLots(Recipe[Lot, Finished]):
    """Plays games of a problem by Policy-MCTS, with a policy or without one."""

    problem: Problem
    algorithm: PolicyMCTS
    noise: Noise
    seed: int  # of the generation
    policy: bytes  # of its file; empty: none

    def make(self) -> Work[Lot, Finished]:
        from playout.learn.inference.evaluators import Evaluator
        from playout.learn.networks.model_file import load_model
        from playout.learn.policy_iteration.self_play import SelfPlay

        evaluator = None
        if self.policy:
            with tempfile.TemporaryDirectory(prefix="playout-") as folder:
                path = Path(folder) / "policy.safetensors"
                path.write_bytes(self.policy)
                evaluator = Evaluator(load_model(path).network, "cpu")
        play = SelfPlay(
            self.problem,
            self.algorithm,
            at_once=LOT if self.policy else SLOTS,
            noise=self.noise,
            evaluator=evaluator,
        )

        def do(lot: Lot, over: Callable[[], bool]) -> Finished:
            games = Games.empty(self.problem, lot.numbers)
            games.moves[:], games.prefixes[:], games.known[:] = lot.moves, lot.prefixes, lot.known
            play.play(games, self.seed, over)
            return Finished(games.lengths, games.moves, games.scores, play.playouts)

        return do

    def objects(self) -> Sequence[Any]:
        return [self.problem]


class SelfPlayElsewhere:
    """Plays the games of a generation on a crew."""

    def __init__(self, crew: Crew, recipe: PlayingLots, workers: int) -> None:
        self._crew, self._recipe, self._workers = crew, recipe, workers
        self.playouts = 0

    def play(self, games: Games, look: Callable[[], bool]) -> bool:
        """Play the games whose lengths are -1; False if `look`, called now and then, said stop."""
        with closing(self._crew.each(self._recipe, self._lots(games))) as outcomes:
            for ended in outcomes:
                if ended is not None:
                    lot, found = ended
                    games.moves[lot.entries], games.scores[lot.entries] = found.moves, found.scores
                    games.lengths[lot.entries] = found.lengths
                    self.playouts += found.playouts
                if look():
                    break
        return bool((games.lengths >= 0).all())  # Ctrl-C ends the outcomes early

    def _lots(self, games: Games) -> Iterator[Lot]:
        for some in self._shares(games):
            fields = games.numbers, games.moves, games.prefixes, games.known
            yield Lot(some, *(field[some] for field in fields))

    def _shares(self, games: Games) -> list[np.ndarray]:
        """The entries of games that are not over, those that are played together."""
        entries = np.flatnonzero(games.lengths < 0)
        if self._recipe.policy and len(entries):
            size = min(LOT, max(1, len(games.numbers) // LOTS))
            return np.split(entries, np.flatnonzero(np.diff(games.numbers[entries] // size)) + 1)
        size = min(MOST_AT_ONCE, max(1, -(-len(entries) // (SHARES * self._workers))))
        return [entries[first : first + size] for first in range(0, len(entries), size)]
