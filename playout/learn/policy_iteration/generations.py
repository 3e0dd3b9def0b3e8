"""Policy iteration: generations of self-play, each of which trains the next policy.

A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree
Search, Algorithm 1. The first generation plays without a policy and with more simulations. Each
generation's positions are shuffled, split and appended to the training and validation queues, and a
fresh network is trained on them until the validation loss no longer falls.

The run can be killed at any point and goes on where it was (`record.py`): what is lost is the games
that were not finished, or the epoch that was not. When it is told to stop, games keep the moves
that they have committed.
"""

from __future__ import annotations

import dataclasses
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from playout.compiled import digest_of_class
from playout.contract import Problem
from playout.errors import DataError
from playout.learn.inference.evaluators import Evaluator
from playout.learn.networks.model_file import load_model, read_tensors, save_model, save_tensors
from playout.learn.networks.network_shape import shape_of
from playout.learn.networks.policy_network import new_network
from playout.learn.networks.torch_device import device_of
from playout.learn.policy_iteration.fit import Fit, Progress
from playout.learn.policy_iteration.policy_mcts import UNIFORM, PolicyMCTS
from playout.learn.policy_iteration.position_queues import Queues, positions_of
from playout.learn.policy_iteration.self_play import Games, SelfPlay, room_for, self_play_seed
from playout.learn.policy_iteration.train_settings import Settings
from playout.learn.training_folder import Record
from playout.run.checkpoint import digest_of_instance
from playout.text.output_files import check_writable

AT_ONCE = {"cuda": 20_480, "cpu": 64, "mps": 512}
EITHER_WAY = ("generations", "at_once", "cuda_graph")  # settings that may change from run to run
CLOCK_SECONDS = 5.0


@dataclass
class Status:
    """What a training run is doing."""

    generation: int
    generations: int
    phase: str  # "playing" or "training"
    games: int  # finished in this generation
    of: int
    score: float  # their mean
    rate: float  # positions evaluated a second, since the phase began
    losses: list[list[float]] = field(default_factory=list)
    log: list[dict[str, Any]] = field(default_factory=list)
    seconds: float = 0.0


Report = Callable[[Status], bool]  # True to stop


class Training:
    """A training run, begun or gone on with.

    Parameters
    ----------
    problem : Problem
        One with `planes` and `output`; games start where its `draw` says.
    name : str
        What the problem is called, for the model.
    out : path
        Where the model goes; beside it is the folder that the run goes on from.
    """

    def __init__(
        self, problem: Problem, settings: Settings, out: str | Path, *, name: str, seed: int = 1,
        device: str = "auto", threads: int = 1,
    ) -> None:  # fmt: skip
        self.problem, self.settings, self.name = problem, settings, name
        self.out = Path(out)
        self.seed, self.threads = seed, threads
        self.shape = shape_of(problem)
        self.device = device_of(device)
        check_writable(self.out)
        fixed = {k: v for k, v in vars(settings).items() if k not in EITHER_WAY}
        self.record = Record(
            self.out.with_name(self.out.name + ".training"),
            {
                "problem": name, "data": digest_of_instance(problem),
                "code": digest_of_class(type(problem)), "settings": fixed, "seed": seed,
            },
        )  # fmt: skip
        self._queues = Queues(settings.training_queue, settings.validation_queue)
        self._began = time.perf_counter()

    def run(self, report: Report) -> bool:
        """Train to the last generation; False if `report` said stop before it."""
        done = len(self.record.log())
        for generation in range(1, done + 1):
            if self.record.games_path(generation).exists():
                self._enqueue(generation, self._load(generation))
        for generation in range(done + 1, self.settings.generations + 1):
            if not self._generation(generation, report):
                return False
        return True

    # one generation

    def _generation(self, generation: int, report: Report) -> bool:
        clock = _Clock(self.record, generation)
        games = self._load(generation)
        facts: dict[str, Any] = {}
        if not self._play(generation, games, clock, report, facts):
            return False
        if (games.lengths <= 0).all():
            raise DataError(f"no game of {self.name} has a move: there is nothing to learn")
        self._enqueue(generation, games)
        fit = self._fit(generation, games, clock, report)
        if fit is None:
            return False
        clock.stop()
        entry = self._entry(generation, games, clock, fit.progress, facts)
        log = [*self.record.log(), entry]
        self._save(fit.network, log)
        self.record.add(entry)
        self.record.fit_path.unlink(missing_ok=True)
        self.record.tidy(generation - self._queues.generations() + 1, generation)
        report(self._status(generation, "training", games, 0.0, fit.progress.losses))
        return True

    def _load(self, generation: int) -> Games:
        return self.record.load_games(generation, self.problem, self.settings.games_of(generation))

    def _enqueue(self, generation: int, games: Games) -> None:
        seed = self_play_seed(self.seed, generation)
        share = self.settings.validation
        self._queues.add(positions_of(self.problem, games, seed, share, self.device))

    def _play(
        self, generation: int, games: Games, clock: _Clock, report: Report, facts: dict[str, Any]
    ) -> bool:
        """Play the games that are missing, each written down as it ends."""
        if (games.lengths >= 0).all():
            return True
        play, evaluator = self._self_play(generation, int((games.lengths < 0).sum()))
        written = games.lengths >= 0
        file = self.record.game_file(generation, self.problem)
        clock.start("playing")
        began, next_look = time.perf_counter(), 0.0

        def look() -> bool:
            nonlocal next_look
            fresh = np.flatnonzero((games.lengths >= 0) & ~written)
            if len(fresh):
                file.append(games, fresh)
                written[fresh] = True
            now = time.perf_counter()
            if now < next_look:
                return False
            next_look = now + 0.25
            clock.tick()
            count = evaluator.evaluations if evaluator else play.playouts
            rate = count / max(now - began, 1e-9)
            return report(self._status(generation, "playing", games, rate, []))

        try:
            whole = play.play(games, self_play_seed(self.seed, generation), look)
            look()
            if not whole:
                file.append(games, np.flatnonzero((games.lengths < 0) & (games.known > 0)))
        finally:
            file.close()
            clock.stop()
        facts["playouts"] = play.playouts
        if evaluator is not None:
            facts["evaluations"] = evaluator.evaluations
            facts["gpu_busy"] = round(evaluator.busy / (time.perf_counter() - began), 3)
        return whole

    def _self_play(self, generation: int, games: int) -> tuple[SelfPlay, Evaluator | None]:
        settings = self.settings
        shared: dict[str, Any] = dict(commit=settings.commit, leaves=1, revisit=True)
        about: dict[str, Any] = dict(
            threads=self.threads, noise=settings.epsilon, alpha=settings.alpha
        )
        if generation == 1:
            algorithm = PolicyMCTS(
                model=UNIFORM, simulations=settings.simulations_of(1),
                c_puct=settings.first_c_puct or settings.c_puct, **shared,
            )  # fmt: skip
            at_once = min(games, 16 * self.threads)
            return SelfPlay(self.problem, algorithm, at_once=at_once, **about), None
        path = self.record.policy_path(generation - 1)
        evaluator = Evaluator(load_model(path).network, str(self.device), timed=True)
        algorithm = PolicyMCTS(
            model=str(path), simulations=settings.simulations_of(generation),
            c_puct=settings.c_puct, rollouts=settings.rollouts, temperature=settings.temperature,
            **shared,
        )  # fmt: skip
        at_once = min(
            games,
            settings.at_once or AT_ONCE.get(self.device.type, 64),
            room_for(self.problem, algorithm),
        )
        play = SelfPlay(self.problem, algorithm, at_once=at_once, evaluator=evaluator, **about)
        return play, evaluator

    def _fit(self, generation: int, games: Games, clock: _Clock, report: Report) -> Fit | None:
        """Train the generation's network; None if told to stop."""
        settings, seed = self.settings, self_play_seed(self.seed, generation) % 2**32
        network = new_network(self.shape, seed=seed, filters=settings.filters)
        if not settings.fresh and generation > 1:
            network = load_model(self.record.policy_path(generation - 1)).network
        fit = Fit(network, self._queues.data(), settings, seed, self.problem.equal_planes)
        path = self.record.fit_path
        if path.exists():
            header, tensors = read_tensors(path)
            if header["about"]["generation"] == generation:
                fit.restore(tensors, Progress(**header["about"]["progress"]))
        clock.start("training")
        began = time.perf_counter()

        def after_epoch(fit: Fit) -> bool:
            clock.tick()
            progress = dataclasses.asdict(fit.progress)
            about = {"generation": generation, "progress": progress}
            save_tensors(path, fit.tensors(), {"network": network.description(), "about": about})
            rate = fit.progress.epoch / max(time.perf_counter() - began, 1e-9)
            return report(self._status(generation, "training", games, rate, fit.progress.losses))

        finished = fit.run(after_epoch)
        clock.stop()
        return fit if finished else None

    # what is told and kept

    def _status(
        self, generation: int, phase: str, games: Games, rate: float, losses: list[list[float]]
    ) -> Status:
        finished = games.lengths >= 0
        score = float(games.scores[finished].mean()) if finished.any() else float("nan")
        return Status(
            generation, self.settings.generations, phase, int(finished.sum()), len(finished), score,
            rate, losses, self.record.log(), time.perf_counter() - self._began,
        )  # fmt: skip

    def _entry(
        self,
        generation: int,
        games: Games,
        clock: _Clock,
        progress: Progress,
        facts: dict[str, Any],
    ) -> dict[str, Any]:
        scores = games.scores
        training, validation = progress.losses[int(np.argmin([v for _, v in progress.losses]))]
        return {
            "generation": generation,
            "games": len(scores),
            "simulations": self.settings.simulations_of(generation),
            "score": round(float(scores.mean()), 4),
            "deviation": round(float(scores.std()), 4),
            "best": float(scores.max()),
            "positions": int(games.lengths.sum()),
            "epochs": progress.epoch,
            "training_loss": round(training, 5),
            "validation_loss": round(validation, 5),
            "seconds": {name: round(value, 2) for name, value in clock.seconds.items()},
            **facts,
        }

    def _save(self, network: Any, log: list[dict[str, Any]]) -> None:
        """Write the policy of the last generation, as the model and for the next one to play by."""
        about = {
            "problem": self.name,
            "class": type(self.problem).__name__,
            "method": "policy iteration (Seify and Buro, 2020)",
            "settings": vars(self.settings),
            "c_puct": self.settings.c_puct,
            "temperature": self.settings.temperature,
            "seed": self.seed,
            "generations": len(log),
            "games": sum(entry["games"] for entry in log),
            "seconds": round(sum(sum(entry["seconds"].values()) for entry in log), 1),
            "device": _device_name(self.device),
            "scores": [entry["score"] for entry in log],
            "validation_losses": [entry["validation_loss"] for entry in log],
            "record": log,
        }
        for path in (self.record.policy_path(len(log)), self.out):
            save_model(path, network, json.loads(json.dumps(about)))


class _Clock:
    """Seconds of a generation by what they went into, kept on disk from run to run."""

    def __init__(self, record: Record, generation: int) -> None:
        self._record, self._generation = record, generation
        self.seconds = record.clock(generation)
        self._what, self._since, self._written = "", 0.0, 0.0

    def start(self, what: str) -> None:
        self._what, self._since = what, time.perf_counter()

    def tick(self, now: bool = False) -> None:
        """Count the time since the last tick, and write it down now and then."""
        if self._what:
            time_now = time.perf_counter()
            spent = time_now - self._since
            self.seconds[self._what] = self.seconds.get(self._what, 0.0) + spent
            self._since = time_now
            if now or time_now - self._written > CLOCK_SECONDS:
                self._record.set_clock(self._generation, self.seconds)
                self._written = time_now

    def stop(self) -> None:
        self.tick(now=True)
        self._what = ""


def _device_name(device: Any) -> str:
    if device.type != "cuda":
        return str(device.type)
    import torch

    return str(torch.cuda.get_device_name(device))
