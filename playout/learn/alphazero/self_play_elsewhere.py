"""Self-play by a crew on other machines: AlphaZero's games in lots, MbM's one by one.

Which games a lot has is a matter of the settings alone, and what a worker has played before does
not show in it: an epoch is the same whoever plays what, and however often. `at_once` is how many
games have begun and were not taken in. They are taken in by their numbers, and game n + `at_once`
begins when game n was taken in: with MbM, whose master tree is here, by the path that is drawn
then. So nothing depends on who is faster.
"""

from __future__ import annotations

import platform
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from playout.cluster.node_crew import NodeCrew
from playout.cluster.parcel import NodeRefused
from playout.contract import Game
from playout.learn.alphazero.all_positions import AllPositions
from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings
from playout.learn.alphazero.episodes import learned_from
from playout.learn.alphazero.self_play import ALL_PREDICTED, SelfPlay, Start
from playout.learn.alphazero.two_player_puct import Episode
from playout.learn.inference.onnx_evaluator import cpu_device, evaluator_on
from playout.learn.networks.policy_network import network_from
from playout.learn.networks.torch_device import LearnError, need_torch
from playout.workers import Crew, Recipe, Work

LOTS = 32  # of an epoch, at least, where it has so many games
MOST_AT_ONCE = 16  # games of a lot


class Played(NamedTuple):
    """An episode that is over: what is learned from it, and what the master tree takes in."""

    number: int
    learned: dict[str, np.ndarray]
    movers: np.ndarray
    values: np.ndarray
    guided: int
    reward: float
    shuffle: int

    @classmethod
    def of(cls, number: int, episode: Episode) -> Played:
        """What is told of an episode."""
        n, lane = episode.length, episode.lane[0]
        movers, values = episode.movers[:n].copy(), episode.values[:n].copy()
        guided, reward, shuffle = int(lane.guided), float(lane.reward), int(episode.tree.rng[0])
        return cls(number, learned_from(episode), movers, values, guided, reward, shuffle)

    def write(self, episode: Episode) -> None:
        """Make an episode what was told of one, for the master tree."""
        n, lane = len(self.movers), episode.lane[0]
        lane.ply, lane.guided, lane.reward = n, self.guided, self.reward
        episode.movers[:n], episode.values[:n] = self.movers, self.values
        episode.outputs[:n] = self.learned["outputs"]
        episode.policies[:n] = self.learned["policies"]


class Finished(NamedTuple):
    """What came of a lot."""

    episodes: list[Played]
    evaluations: int


Lot = list[Start]


@dataclass(frozen=True)
class PlayingEpisodes(Recipe[Lot, Finished]):
    """Plays lots of episodes by a network, on a CPU."""

    game: Game
    settings: AlphaZeroSettings
    positions: AllPositions | None  # of a game that is small
    network: dict[str, Any]  # its description
    weights: dict[str, np.ndarray]
    device: str
    start: tuple[bytes, ...] = ()  # what the network says of the start, to the bit

    @classmethod
    def by(
        cls, network: Any, game: Game, settings: AlphaZeroSettings, positions: Any, device: str
    ) -> PlayingEpisodes:
        """By a network of this process, on the device of others that is most like this one."""
        weights = {name: value.numpy() for name, value in network.state_dict().items()}
        small = positions is not None and len(positions) <= ALL_PREDICTED
        description, there = network.description(), cpu_device(device)
        recipe = cls(game, settings, positions if small else None, description, weights, there)
        torch = need_torch()
        threads = torch.get_num_threads()
        torch.set_num_threads(1)  # as on a node
        try:
            return replace(recipe, start=recipe.said_of_start(recipe.evaluator()))
        finally:
            torch.set_num_threads(threads)

    def lot_size(self) -> int:
        """Games of a lot."""
        if self.settings.method == "mbm":
            return 1
        together = self.settings.together()
        return min(together, MOST_AT_ONCE, max(1, self.settings.games // LOTS))

    def evaluator(self) -> Any:
        torch = need_torch()
        network = network_from(self.network)
        weights = {name: torch.from_numpy(value) for name, value in self.weights.items()}
        network.load_state_dict(weights)
        return evaluator_on(network.eval(), self.device)

    def said_of_start(self, evaluator: Any) -> tuple[bytes, ...]:
        planes = np.zeros((1, *self.game.plane_shape), np.float32)
        self.game.planes(self.game.root()[0], planes[0])
        return tuple(found.tobytes() for found in evaluator(planes))

    def compile(self) -> None:
        """Compile here what others need: machine code travels."""
        self._self_play(self.evaluator()).compile()

    def _self_play(self, evaluator: Any) -> SelfPlay:
        return SelfPlay(self.game, self.settings, evaluator, self.lot_size(), self.positions)

    def make(self) -> Work[Lot, Finished]:
        try:
            evaluator = self.evaluator()
        except LearnError as error:
            raise NodeRefused(f"node {platform.node()}: {error}; it is not used") from None
        if self.said_of_start(evaluator) != self.start:
            what = "ONNX Runtime" if self.device != "cpu" else "PyTorch"
            raise NodeRefused(
                f"node {platform.node()} does not come to the head's bits with this network (has "
                f"it another version of {what}?): it is not used"
            )
        play = self._self_play(evaluator)

        def do(lot: Lot, over: Callable[[], bool]) -> Finished:
            found: list[Played] = []
            starts, before = iter(lot), evaluator.evaluations
            play.play(
                lambda: next(starts, None),
                lambda number, episode: found.append(Played.of(number, episode)),
                over,
            )
            return Finished(found, evaluator.evaluations - before)

        return do

    def objects(self) -> Sequence[Any]:
        return [self.game]


class SelfPlayElsewhere:
    """Plays the episodes of an epoch on a crew.

    `over` of them are over; `evaluations` counts the positions that were evaluated for them.
    """

    def __init__(self, crew: NodeCrew, recipe: PlayingEpisodes) -> None:
        self._recipe, self._together = recipe, recipe.settings.together()
        self._crew: Crew = crew.at_most(-(-self._together // recipe.lot_size()))
        self.over = self.evaluations = 0

    def play(
        self,
        start: Callable[[int], Start],
        take_in: Callable[[Played], None],
        look: Callable[[], bool],
    ) -> bool:
        """Play them all; False if `look`, called now and then, said stop.

        `start` says how the episode of a number begins, `take_in` is told of those that are over:
        number by number, and in one order, whoever is faster.
        """
        games = self._recipe.settings.games
        ready = deque(start(number)._replace(shuffle=0) for number in range(self._together))
        begun, taken = len(ready), 0
        early: dict[int, Played] = {}  # over before one that has begun before them
        with closing(self._crew.each(self._recipe, self._lots(ready))) as outcomes:
            for ended in outcomes:
                if ended is not None:
                    found = ended[1]
                    self.over += len(found.episodes)
                    self.evaluations += found.evaluations
                    early |= {played.number: played for played in found.episodes}
                while taken in early:
                    played = early.pop(taken)
                    take_in(played)
                    taken += 1
                    if begun < games:
                        ready.append(start(begun)._replace(shuffle=played.shuffle))
                        begun += 1
                if look():
                    break
        return taken == games  # Ctrl-C ends the outcomes early

    def _lots(self, ready: deque[Start]) -> Iterator[Lot | None]:
        """The lots; None where earlier episodes have to end before the next has all of its own."""
        size, left = self._recipe.lot_size(), self._recipe.settings.games
        while left:
            if len(ready) < min(size, left):
                yield None
            else:
                lot = [ready.popleft() for _ in range(min(size, left))]
                left -= len(lot)
                yield lot
