"""Policy iteration: generations of self-play, each of which trains the next policy.

A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree
Search, Algorithm 1. The first generation plays without a policy and with more simulations. Each
generation's positions are shuffled, split and appended to the training and validation queues, and a
fresh network is trained on them until the validation loss no longer falls.

The training can be killed at any point and goes on where it was (`training_folder.py`): what is
lost is the games that were not finished, or the epoch that was not. When it is told to stop, games
keep the moves that they have committed.
"""

from __future__ import annotations

import dataclasses
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from playout.cluster import crew_on
from playout.cluster.node_crew import NodeCrew
from playout.compiled import wrapping
from playout.compiled.random import stream_of
from playout.contract import Problem
from playout.errors import DataError
from playout.learn.inference.evaluators import Evaluator
from playout.learn.networks.model_file import load_model, read_tensors, save_model, save_tensors
from playout.learn.networks.policy_network import new_network
from playout.learn.policy_iteration.compiled_self_play import Games
from playout.learn.policy_iteration.fit import Fit, FitProgress
from playout.learn.policy_iteration.policy_iteration_settings import PolicyIterationSettings
from playout.learn.policy_iteration.policy_mcts import UNIFORM, PolicyMCTS
from playout.learn.policy_iteration.policy_search import Noise
from playout.learn.policy_iteration.position_queues import Queues, positions_of
from playout.learn.policy_iteration.self_play import SelfPlay, room_for, self_play_seed
from playout.learn.policy_iteration.self_play_elsewhere import PlayingLots, SelfPlayElsewhere
from playout.learn.train_result import Entry, PolicyIterationResult, TrainingStatus
from playout.learn.training import CHECKED, LOOK_SECONDS, Report, Training, plays_out
from playout.learn.training_folder import TrainingFolder

AT_ONCE = {"cuda": 20_480, "cpu": 64, "mps": 512}
CLOCK_SECONDS = 5.0


class PolicyIteration(Training[PolicyIterationSettings]):
    """Policy iteration for a problem; games start where its `draw` says."""

    unit = "generation"
    figures = ("games", "score", "deviation", "best", "validation_loss")
    free = ("generations", "at_once", "cuda_graph")
    result_type = PolicyIterationResult

    def __init__(
        self,
        problem: Problem,
        settings: PolicyIterationSettings,
        out: str | Path,
        *,
        threads: int = 1,
        cluster: str | None = None,
        **more: Any,
    ) -> None:
        super().__init__(problem, settings, out, **more)
        self.problem, self.threads, self._cluster = problem, threads, cluster
        self._crew: NodeCrew | None = None
        self._queues = Queues(settings.training_queue, settings.validation_queue)

    @property
    def method(self) -> str:
        return "policy-iteration"

    def run(self, report: Report) -> bool:
        with crew_on(self._cluster, None) as self._crew:
            return self._generations(report)

    def _generations(self, report: Report) -> bool:
        done = len(self.log)
        for generation in range(1, done + 1):
            if self.folder.games_path(generation).exists():
                self._enqueue(generation, self._load(generation))
        for generation in range(done + 1, self.settings.generations + 1):
            if not self._generation(generation, report):
                return False
        return True

    # one generation

    def _generation(self, generation: int, report: Report) -> bool:
        clock = _Clock(self.folder, generation)
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
        self._save(fit.network, [*self.log, entry])
        self._add(entry)
        self.folder.fit_path.unlink(missing_ok=True)
        self.folder.tidy(generation - self._queues.generations() + 1, generation)
        report(self._status(generation, "training", games, losses=fit.progress.losses))
        return True

    def _load(self, generation: int) -> Games:
        return self.folder.load_games(generation, self.problem, self.settings.games_of(generation))

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
        play: SelfPlay | SelfPlayElsewhere
        evaluator: Evaluator | None = None
        if self._crew is not None:
            play = self._self_play_elsewhere(generation, self._crew)
        else:
            play, evaluator = self._self_play(generation, int((games.lengths < 0).sum()))
        written = games.lengths >= 0
        begun = bool(written.any() or games.known.any())
        file = self.folder.game_file(generation, self.problem)
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
            next_look = now + LOOK_SECONDS
            clock.tick()
            count = evaluator.evaluations if evaluator else play.playouts
            rate = count / max(now - began, 1e-9)
            return report(self._status(generation, "playing", games, rate))

        try:
            if isinstance(play, SelfPlayElsewhere):
                whole = play.play(games, look)
            else:
                whole = play.play(games, self_play_seed(self.seed, generation), look)
            look()
            if not whole:
                file.append(games, np.flatnonzero((games.lengths < 0) & (games.known > 0)))
        finally:
            file.close()
            clock.stop()
        if begun:  # the rest of it was counted by a process that was killed
            return whole
        facts["playouts"] = play.playouts
        if evaluator is not None:
            facts["evaluations"] = evaluator.evaluations
            facts["gpu_busy"] = round(evaluator.busy / (time.perf_counter() - began), 3)
        return whole

    def _algorithm(self, generation: int) -> PolicyMCTS:
        """What a generation plays by."""
        settings = self.settings
        shared: dict[str, Any] = dict(commit=settings.commit, leaves=1, revisit=True)
        shared["simulations"] = settings.simulations_of(generation)
        if generation == 1:
            shared |= {"c_puct": settings.first_c_puct or settings.c_puct}
            return PolicyMCTS(model=UNIFORM, **shared)
        for name in ("c_puct", "rollouts", "temperature"):
            shared[name] = getattr(settings, name)
        return PolicyMCTS(model=str(self.folder.policy_path(generation - 1)), **shared)

    def _self_play_elsewhere(self, generation: int, crew: NodeCrew) -> SelfPlayElsewhere:
        policy = b""
        if generation > 1:
            policy = self.folder.policy_path(generation - 1).read_bytes()
        recipe = PlayingLots(
            self.problem,
            self._algorithm(generation),
            Noise(self.settings.epsilon, self.settings.alpha),
            self_play_seed(self.seed, generation),
            policy,
        )
        return SelfPlayElsewhere(crew, recipe, crew.workers)

    def _self_play(self, generation: int, games: int) -> tuple[SelfPlay, Evaluator | None]:
        settings, algorithm = self.settings, self._algorithm(generation)
        noise = Noise(settings.epsilon, settings.alpha)
        about: dict[str, Any] = dict(threads=self.threads, noise=noise)
        if generation == 1:
            at_once = min(games, 16 * self.threads)
            return SelfPlay(self.problem, algorithm, at_once=at_once, **about), None
        path = self.folder.policy_path(generation - 1)
        evaluator = Evaluator(load_model(path).network, str(self.device), timed=True)
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
            network = load_model(self.folder.policy_path(generation - 1)).network
        fit = Fit(network, self._queues.data(), settings, seed, self.problem.equal_planes)
        path = self.folder.fit_path
        if path.exists():
            header, tensors = read_tensors(path)
            about = header["about"]
            if about.get("generation") == generation:
                try:
                    progress = FitProgress(**about["progress"])
                except (KeyError, TypeError):
                    raise DataError(f"{path} is damaged: remove it to train anew") from None
                fit.restore(tensors, progress)
        clock.start("training")
        began = time.perf_counter()

        def after_epoch(fit: Fit) -> bool:
            clock.tick()
            progress = dataclasses.asdict(fit.progress)
            about = {"generation": generation, "progress": progress}
            save_tensors(path, fit.tensors(), {"network": network.description(), "about": about})
            rate = fit.progress.epoch / max(time.perf_counter() - began, 1e-9)
            losses = fit.progress.losses
            return report(self._status(generation, "training", games, rate, losses))

        finished = fit.run(after_epoch, self.interrupted)
        clock.stop()
        return fit if finished else None

    # what is told and kept

    def _status(
        self,
        generation: int,
        phase: str,
        games: Games,
        rate: float = 0.0,
        losses: Sequence[list[float]] = (),
    ) -> TrainingStatus:
        over = games.lengths >= 0
        score = float(games.scores[over].mean()) if over.any() else math.nan
        more = {"score": score, "losses": list(losses)}
        return self.status(generation, phase, int(over.sum()), len(over), rate, **more)

    def _entry(
        self,
        generation: int,
        games: Games,
        clock: _Clock,
        progress: FitProgress,
        facts: dict[str, Any],
    ) -> Entry:
        scores, seed = games.scores, self_play_seed(self.seed, generation)
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
            "verified": all(agrees(self.problem, games, seed, i) for i in range(CHECKED)),
            "seconds": {name: round(value, 2) for name, value in clock.seconds.items()},
            **facts,
        }

    def _save(self, network: Any, log: list[Entry]) -> None:
        """Write the policy of the last generation, as the model and for the next one to play by."""
        about = {
            "problem": self.name,
            "class": type(self.problem).__name__,
            "method": "policy iteration (Seify and Buro, 2020)",
            "settings": self.settings.options(),
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
        for path in (self.folder.policy_path(len(log)), self.out):
            save_model(path, network, json.loads(json.dumps(about)))


class _Clock:
    """Seconds of a generation by what they went into, kept on disk from run to run."""

    def __init__(self, folder: TrainingFolder, generation: int) -> None:
        self._folder, self._generation = folder, generation
        self.seconds = folder.clock(generation)
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
                self._folder.set_clock(self._generation, self.seconds)
                self._written = time_now

    def stop(self) -> None:
        self.tick(now=True)
        self._what = ""


def agrees(problem: Problem, games: Games, seed: int, which: int) -> bool:
    """Whether a game, played again in plain Python, is legal and has its score."""
    if which >= len(games.lengths):
        return True
    states = problem.new_states(1)
    with wrapping():
        rng = np.array([stream_of(np.uint64(seed), int(games.numbers[which]))], np.uint64)
        problem.draw(states[0], rng)
    outputs = games.moves[which, : int(games.lengths[which])].tolist()
    return plays_out(problem, states, outputs) and math.isclose(
        problem.final_score(states), float(games.scores[which])
    )


def _device_name(device: Any) -> str:
    if device.type != "cuda":
        return str(device.type)
    import torch

    return str(torch.cuda.get_device_name(device))
