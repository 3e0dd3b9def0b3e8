"""AlphaZero and MbM: epochs of self-play, each of which trains the network on.

Refining Monte Carlo Tree Search Agents by Monte Carlo Tree Search, Algorithms 3 and 5. An epoch
plays games with the network as it is, by searches whose posterior policies and results are what the
network then learns, from all episodes so far. With AlphaZero all games of an epoch are played at
once, so that their leaves fill batches; with MbM the master game tree says how each begins, and
what came of it before the next, unless several are played at once. Games may be played on nodes of
a cluster (`self_play_elsewhere.py`); the network learns here.

Beside the model a folder has what the training goes on from (`training_folder.py`): the episodes of
each epoch, the last network and the master tree. One that was killed plays the epoch again that it
was in, and comes to the same network as one that was not.
"""

from __future__ import annotations

import json
import math
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional

from playout.cluster import ClusterWarning, crew_on
from playout.cluster.node_crew import NodeCrew
from playout.compiled import wrapping
from playout.contract import Game
from playout.errors import DataError, OptionError, ProblemError
from playout.learn.alphazero.all_positions import AllPositions, logits_of
from playout.learn.alphazero.alphazero_settings import RIVALS, AlphaZeroSettings
from playout.learn.alphazero.episodes import (
    Episodes,
    joined,
    learned_from,
    read_episodes,
)
from playout.learn.alphazero.master_tree import MasterTree
from playout.learn.alphazero.self_play import SelfPlay, Start, search_options
from playout.learn.alphazero.self_play_elsewhere import (
    Played,
    PlayingEpisodes,
    SelfPlayElsewhere,
)
from playout.learn.alphazero.two_player_puct import (
    AS_THEY_ARE,
    NOISE,
    RELAXED,
    Episode,
    puct_for,
)
from playout.learn.captured_step import CapturedStep
from playout.learn.inference.onnx_evaluator import evaluator_on
from playout.learn.networks.model_file import load_model, save_model
from playout.learn.networks.residual_network import ResidualNetwork
from playout.learn.networks.torch_device import LearnError
from playout.learn.train_result import AlphaZeroResult, Entry, TrainingStatus
from playout.learn.training import CHECKED, LOOK_SECONDS, Report, Training, plays_out
from playout.text.array_files import read_arrays, write_arrays

PRIORS = {"noise": NOISE, "none": AS_THEY_ARE, "relaxed": RELAXED}
ALL_MEASURED = 200_000  # most positions of a game that is measured exactly


class AlphaZero(Training[AlphaZeroSettings]):
    """AlphaZero or MbM for a game of two players.

    `every` is the epochs between two measurements against a random and a perfect player, which are
    exact; only for games that are small enough. The last epoch is always measured.
    """

    unit = "epoch"
    figures = ("games", "first_wins", "draws", "length", "policy_loss", "value_loss")
    free = ("epochs",)
    result_type = AlphaZeroResult

    def __init__(
        self,
        game: Game,
        settings: AlphaZeroSettings,
        out: str | Path,
        *,
        device: str = "auto",
        every: int = 1,
        cluster: str | None = None,
        **more: Any,
    ) -> None:
        game.check_attributes()
        if game.players != 2:
            raise OptionError(f"{type(game).__name__} has {game.players} players: give one for 2")
        super().__init__(game, settings, out, device=device, **more)
        self.game, self.every = game, every
        self._asked, self._cluster = device, cluster
        self._crew: NodeCrew | None = None
        self.network = self._new_network()
        self.episodes = Episodes()
        self.master = MasterTree(game) if settings.method == "mbm" else None
        self._positions = _all_positions(game)
        self._policy = puct_for(game, settings.c_puct)
        self._options = search_options(game, settings, settings.together())
        self._load(len(self.log))

    @property
    def method(self) -> str:
        return self.settings.method

    def _new_network(self) -> Any:
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(self.seed)
            return ResidualNetwork(
                self.shape, filters=self.settings.filters, blocks=self.settings.blocks
            )

    def run(self, report: Report) -> bool:
        with crew_on(self._cluster, None) as self._crew:
            if self._crew is not None and self.master is not None and self.settings.together() == 1:
                warnings.warn(
                    "mbm plays one game after another: give at_once, such as -o at_once=16, to "
                    "have so many played on nodes",
                    ClusterWarning,
                    stacklevel=4,
                )
            while len(self.log) < self.settings.epochs:
                if not self._epoch(len(self.log) + 1, report):
                    return False
            return True

    # one epoch

    def _epoch(self, epoch: int, report: Report) -> bool:
        began = time.perf_counter()
        before = None if self.master is None else self.master.arrays()
        if before is not None:
            before = {name: array.copy() for name, array in before.items()}
        part = self._play(epoch, report)
        played = time.perf_counter()
        try:
            losses = None if part is None else self._train(epoch, part, report)
        except torch.OutOfMemoryError:
            raise LearnError(
                "the device has not enough memory to train: give a smaller batch, as -o batch=16"
            ) from None
        if part is None or losses is None:
            if self.master is not None and before is not None:
                self.master.restore(before)
            return False
        trained = time.perf_counter()
        entry = self._entry(epoch, part, losses)
        times = {"playing": played - began, "training": trained - played}
        times["measuring"] = time.perf_counter() - trained
        entry["seconds"] = {name: round(seconds, 3) for name, seconds in times.items()}
        self._save(epoch, part, entry)
        report(self._status(epoch, "done", self.settings.games, 0.0))
        return True

    def _play(self, epoch: int, report: Report) -> dict[str, np.ndarray] | None:
        """Play the games of an epoch; None if told to stop."""
        settings, look = self.settings, self._look(epoch, report)
        seeds = np.random.SeedSequence([self.seed, epoch]).generate_state(
            2 * settings.games, np.uint64
        )

        def start(number: int) -> Start:
            return Start(number, int(seeds[number]), self._guide(int(seeds[-1 - number])))

        if self._crew is not None:
            return self._play_elsewhere(self._crew, start, look)
        done: dict[int, dict[str, np.ndarray]] = {}
        evaluator = evaluator_on(self.network, self._asked)
        play = SelfPlay(self.game, settings, evaluator, settings.together(), self._positions)

        def ended(number: int, episode: Episode) -> None:
            done[number] = learned_from(episode)
            if self.master is not None:
                self.master.update(episode, self._policy, self._options)

        numbers = iter(range(settings.games))
        whole = play.play(
            lambda: next(map(start, numbers), None),
            ended,
            lambda: look(len(done), evaluator.evaluations),
        )
        return joined([done[number] for number in range(settings.games)]) if whole else None

    def _play_elsewhere(
        self, crew: NodeCrew, start: Callable[[int], Start], look: Callable[[int, int], bool]
    ) -> dict[str, np.ndarray] | None:
        """The same on nodes; they are sent the network, and games."""
        recipe = PlayingEpisodes.by(
            self.network, self.game, self.settings, self._positions, self._asked
        )
        if not crew.idle:  # nobody has begun yet
            recipe.compile()
        play = SelfPlayElsewhere(crew, recipe)
        episode = Episode(self.game, self.settings.simulations)
        learned: list[dict[str, np.ndarray]] = []

        def take_in(played: Played) -> None:
            learned.append(played.learned)
            if self.master is not None:
                played.write(episode)
                self.master.update(episode, self._policy, self._options)

        whole = play.play(start, take_in, lambda: look(play.over, play.evaluations))
        return joined(learned) if whole else None

    def _look(self, epoch: int, report: Report) -> Callable[[int, int], bool]:
        """What reports now and then how many games are over, and how fast positions are evaluated.

        True to stop.
        """
        began, next_look = time.perf_counter(), 0.0

        def look(games: int, evaluations: int) -> bool:
            nonlocal next_look
            now = time.perf_counter()
            if now <= next_look:
                return False
            next_look = now + LOOK_SECONDS
            rate = evaluations / max(now - began, 1e-9)
            return report(self._status(epoch, "playing", games, rate))

        return look

    def _guide(self, seed: int) -> list[int]:
        if self.master is None:
            return []
        kind = PRIORS[self.settings.master]
        return self.master.next_path(self._policy, self._options, kind, seed)

    def _train(
        self, epoch: int, part: dict[str, np.ndarray], report: Report
    ) -> tuple[float, float] | None:
        """Train the network on; its mean losses, or None if told to stop."""
        settings, device = self.settings, self.device
        self.episodes.add(part)
        steps = settings.steps(len(self.episodes.lengths))
        rng = np.random.default_rng([self.seed, epoch, 1])
        draws = torch.from_numpy(self.episodes.draws(steps, settings.batch, rng)).to(device)
        planes, policies, results = self.episodes.tensors(device)
        network = self._copy().to(device).train()
        optimiser = torch.optim.SGD(
            network.parameters(),
            settings.learning_rate,
            momentum=settings.momentum,
            weight_decay=settings.weight_decay,
        )
        totals = torch.zeros(2, device=device)
        rows = torch.zeros(settings.batch, dtype=torch.int64, device=device)

        def compute() -> None:
            logits, values = network(planes[rows])
            policy_loss = -(policies[rows] * functional.log_softmax(logits, 1)).sum()
            value_loss = ((results[rows] - values) ** 2).sum()
            optimiser.zero_grad(set_to_none=True)
            (policy_loss + value_loss).backward()
            optimiser.step()
            totals.add_(torch.stack([policy_loss.detach(), value_loss.detach()]))

        take_step = CapturedStep(compute, optimiser.zero_grad, device.type == "cuda")
        began, looked = time.perf_counter(), 0.0
        for step in range(steps):
            rows.copy_(draws[step])
            take_step()
            now = time.perf_counter()
            if now > looked + LOOK_SECONDS:
                looked = now
                if report(self._status(epoch, "training", settings.games, step / (now - began))):
                    return None
        policy_mean, value_mean = (totals / (steps * settings.batch)).tolist()
        if not np.isfinite(policy_mean + value_mean):
            raise ProblemError("the network's loss is not finite: give a lower learning_rate")
        self.network = network.cpu().eval()
        return policy_mean, value_mean

    def _copy(self) -> Any:
        made = self._new_network()
        made.load_state_dict(self.network.state_dict())
        return made

    # what is told and kept

    def measure(self) -> dict[str, list[float]]:
        """Exact wins, draws and losses against each rival; nothing for a game that is too large."""
        if self._positions is None:
            return {}
        policy = logits_of(evaluator_on(self.network, self._asked))
        found = {}
        for rival in RIVALS:
            outcome = self._positions.result(policy, rival)
            found[rival] = [round(x, 6) for x in (outcome.wins, outcome.draws, outcome.losses)]
        return found

    def _entry(
        self, epoch: int, part: dict[str, np.ndarray], losses: tuple[float, float]
    ) -> dict[str, Any]:
        starts = np.cumsum(part["lengths"]) - part["lengths"]
        first = part["results"][starts]
        entry: dict[str, Any] = {
            "epoch": epoch,
            "games": len(first),
            "first_wins": round(float((first > 0).mean()), 4),
            "draws": round(float((first == 0).mean()), 4),
            "length": round(float(part["lengths"].mean()), 3),
            "policy_loss": round(losses[0], 5),
            "value_loss": round(losses[1], 5),
            "verified": all(agrees(self.game, *game) for game in games_in(part)[:CHECKED]),
        }
        if self.master is not None:
            entry["master_nodes"] = self.master.nodes()
        if epoch % self.every == 0 or epoch == self.settings.epochs:
            entry |= self.measure()
        return entry

    def _status(self, epoch: int, phase: str, games: int, rate: float) -> TrainingStatus:
        return self.status(epoch, phase, games, self.settings.games, rate)

    def _save(self, epoch: int, part: dict[str, np.ndarray], entry: dict[str, Any]) -> None:
        """Write the epoch down; the line of the log is last, and makes it count."""
        write_arrays(self._path("episodes", epoch), part)
        if self.master is not None:
            write_arrays(self._path("master", epoch), self.master.arrays())
        about = {
            "problem": self.name,
            "class": type(self.game).__name__,
            "method": self.settings.method,
            "settings": self.settings.options(),
            "c_puct": self.settings.c_puct,
            "seed": self.seed,
            "epochs": epoch,
            "games": epoch * self.settings.games,
            "scores": entry,
        }
        for path in (self.folder.policy_path(epoch), self.out):
            save_model(path, self.network, json.loads(json.dumps(about)), half=False)
        self._add(entry)
        for path in (self.folder.policy_path(epoch - 1), self._path("master", epoch - 1)):
            path.unlink(missing_ok=True)

    def _path(self, what: str, epoch: int) -> Path:
        return self.folder.path / f"{what}-{epoch:04}.npz"

    def _load(self, epoch: int) -> None:
        """Go on from the end of an epoch; 0 is the start."""
        for number in range(1, epoch + 1):
            self.episodes.add(read_episodes(self._path("episodes", number), self.game))
        if epoch:
            self.network = load_model(self.folder.policy_path(epoch), self.game).network
            if self.master is not None:
                path = self._path("master", epoch)
                try:
                    self.master.restore(read_arrays(path))
                except (KeyError, TypeError, ValueError):
                    raise DataError(f"{path} is damaged, or is of another game") from None


def _all_positions(game: Game) -> AllPositions | None:
    try:
        return AllPositions(game, ALL_MEASURED)
    except OptionError:
        return None


def games_in(part: dict[str, np.ndarray]) -> list[tuple[list[int], float]]:
    """The games of an epoch: the outputs of their moves, and the first player's results."""
    ends = np.cumsum(part["lengths"])
    return [
        (part["outputs"][end - length : end].tolist(), float(part["results"][end - length]))
        for end, length in zip(ends, part["lengths"], strict=True)
    ]


def agrees(game: Game, outputs: list[int], result: float) -> bool:
    """Whether a game, played again in plain Python, is legal and has its result.

    `result` is the first player's, from -1 to 1.
    """
    states = game.root()
    if not plays_out(game, states, outputs):
        return False
    low, high = game.outcomes[0], game.outcomes[-1]
    with wrapping():
        reward = float(game.reward(states[0], 0))
    return math.isclose(2.0 * (reward - low) / (high - low) - 1.0, result, abs_tol=1e-6)


def outcomes(log: list[Entry], rival: str) -> Iterator[tuple[int, float, float]]:
    """Of the epochs that were measured: the epoch, the mean result, and the share of losses."""
    for entry in log:
        if rival in entry:
            wins, draws, losses = entry[rival]
            yield entry["epoch"], wins + draws / 2, losses
