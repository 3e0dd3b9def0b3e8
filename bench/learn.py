"""Search that learns: evaluations, self-play, plain MCTS, and what a trained policy is worth.

python -m bench.learn evaluations            # batched inside the search against batch size 1
python -m bench.learn generation             # one 7x7 generation of the paper; share of the GPU
python -m bench.learn generation --model m.safetensors --games 2000
python -m bench.learn plain                  # plain MCTS on 15x15, 15 s, one thread and all
python -m bench.learn runtimes               # PyTorch and ONNX Runtime on one core
python -m bench.learn fit --folder m.safetensors.training   # what training sees and keeps
python -m bench.learn strength --size 10 --model m.safetensors --boards 100 --processes 4

Figures go to bench/results.json, or to the file of --save. The generation's network is a model, or
one with random weights, whose flat policy sees more different positions than a trained one does.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

import playout as po
from bench.common import interval, machine, store
from playout.algorithms import PolicyMCTS
from playout.algorithms.search import ROOM
from playout.games import load_game
from playout.learn.inference.evaluators import Evaluator
from playout.learn.inference.onnx_evaluator import OnnxEvaluator
from playout.learn.networks.model_file import load_model, save_model
from playout.learn.networks.network_shape import shape_of
from playout.learn.networks.policy_network import new_network
from playout.learn.networks.residual_network import ResidualNetwork
from playout.learn.networks.torch_device import device_of, need_torch
from playout.learn.policy_iteration.compiled_self_play import Games
from playout.learn.policy_iteration.fit import Fit
from playout.learn.policy_iteration.generations import AT_ONCE
from playout.learn.policy_iteration.policy_iteration_settings import PolicyIterationSettings
from playout.learn.policy_iteration.policy_search import PLAIN_C, Noise
from playout.learn.policy_iteration.position_queues import Queues, positions_of
from playout.learn.policy_iteration.predictions import NONE
from playout.learn.policy_iteration.self_play import SelfPlay, self_play_seed
from playout.learn.training_folder import TrainingFolder
from playout.problems import SameGame

PAPER = {1: 403_243, 16: 2_297_200}  # Table 2: simulations of plain MCTS in 15 s


def board(size: int, seed: int = 1) -> SameGame:
    """A random board as the paper has them."""
    return SameGame.random(seed, rows=size, columns=size, tabu=False, penalty=True)


def network_of(problem: SameGame, model: str | None) -> Any:
    return load_model(model, problem).network if model else new_network(shape_of(problem))


def player(
    problem: SameGame, name: str, network: Any, device: str, at_once: int, threads: int
) -> tuple[SelfPlay, Evaluator]:
    """Self-play with the paper's settings for a size."""
    settings = PolicyIterationSettings.preset(name)
    evaluator = Evaluator(network, device, timed=True)
    algorithm = PolicyMCTS(
        model="-",
        leaves=1,
        simulations=settings.simulations,
        c_puct=settings.c_puct,
        rollouts="policy",
        revisit=True,
    )
    noise = Noise(settings.epsilon, settings.alpha)
    play = SelfPlay(
        problem, algorithm, at_once=at_once, threads=threads, noise=noise, evaluator=evaluator
    )
    play.play(Games.empty(problem, np.arange(2)), 1, lambda: True)  # compile
    return play, evaluator


def evaluations(options: argparse.Namespace) -> dict[str, Any]:
    """Evaluations per second of the 15x15 network inside the search, batched and one at a time."""
    problem = board(15)
    network = network_of(problem, options.model)
    at_once = options.at_once or min(5000, AT_ONCE[device_of(options.device).type])
    play, evaluator = player(problem, "15x15", network, options.device, at_once, options.threads)
    end = time.perf_counter() + options.seconds + 5.0
    marks: list[tuple[float, int]] = []

    def look() -> bool:
        now = time.perf_counter()
        if now > end - options.seconds:  # after a while: the games are apart by then
            marks.append((now, evaluator.evaluations))
        return now > end

    play.play(Games.empty(problem, np.arange(100_000)), 2, look)
    batched = (marks[-1][1] - marks[0][1]) / (marks[-1][0] - marks[0][0])
    path = Path(os.environ.get("TMPDIR", "/tmp")) / f"bench-{os.getpid()}.safetensors"
    save_model(path, network, {"problem": "samegame", "class": "SameGame", "c_puct": 2.0})
    single = PolicyMCTS(model=str(path), leaves=1, rollouts="policy", device=options.device)
    search = single.start(problem, 1)
    step = search.make_step(problem, True, 1)
    step(search, 2)
    before, spent = search.evaluator.evaluations, 0.0
    while spent < options.seconds:
        search.table_keys[:] = NONE  # or most predictions would be there already
        start = time.perf_counter()
        full = step(search, 1) == ROOM
        spent += time.perf_counter() - start
        if full:
            search.grow()
    one = (search.evaluator.evaluations - before) / spent
    path.unlink()
    print(f"batched {batched:,.0f}/s, one at a time {one:,.0f}/s: {batched / one:.0f} times")
    return {
        "batched": round(batched),
        "one": round(one),
        "ratio": round(batched / one, 1),
        "at_once": at_once,
        "least": 100,
    }


def generation(options: argparse.Namespace) -> dict[str, Any]:
    """One 7x7 generation of the paper, and how busy the GPU is meanwhile."""
    problem = board(7)
    games = options.games or PolicyIterationSettings.preset("7x7").games
    at_once = options.at_once or min(games, AT_ONCE[device_of(options.device).type])
    network = network_of(problem, options.model)
    play, evaluator = player(problem, "7x7", network, options.device, at_once, options.threads)
    evaluator.busy, evaluator.evaluations = 0.0, 0
    found = Games.empty(problem, np.arange(games))
    with _Sampler() as sampler:
        start = time.perf_counter()
        play.play(found, 3)
        seconds = time.perf_counter() - start
    busy = evaluator.busy / seconds
    print(
        f"{games:,} games in {seconds:.1f} s ({games / seconds:,.0f}/s, "
        f"{evaluator.evaluations / seconds:,.0f} evaluations/s, "
        f"{play.playouts / seconds:,.0f} playouts/s), score {found.scores.mean():.1f}; "
        f"GPU busy {busy:.0%} by its events, {sampler.share():.0%} by nvidia-smi"
    )
    return {
        "games": games,
        "seconds": round(seconds, 1),
        "most": 180,
        "evaluations per second": round(evaluator.evaluations / seconds),
        "evaluations": evaluator.evaluations,
        "playouts": play.playouts,
        "score": round(float(found.scores.mean()), 1),
        "busy by events": round(busy, 3),
        "busy by nvidia-smi": round(sampler.share(), 3),
        "busy, least": 0.6,
        "model": options.model or "random weights",
        "at_once": at_once,
    }


def plain(options: argparse.Namespace) -> dict[str, Any]:
    """Simulations of plain MCTS in 15 s on random 15x15 boards, by threads."""
    figures: dict[str, Any] = {}
    for threads in sorted({1, options.threads}):
        for algorithm in (PolicyMCTS(model="uniform", revisit=True), po.UCT()):
            po.solve(board(15), algorithm, po.Playouts(100), seed=1)  # compile
            results = [
                po.solve(board(15, seed), algorithm, po.Seconds(15), seed=seed, workers=threads)
                for seed in range(1, options.boards_plain + 1)
            ]
            count = float(np.mean([result.playouts for result in results]))
            theirs = PAPER[1 if threads == 1 else 16]
            score = float(np.mean([result.score for result in results]))
            print(
                f"{algorithm.name}, {threads} threads: {count:,.0f} simulations in 15 s, "
                f"{count / theirs:.1f} times the paper's; score {score:.0f}"
            )
            figures[f"{algorithm.name}, {threads}"] = {
                "simulations": round(count),
                "times": round(count / theirs, 2),
                "least": 3,
                "score": round(score, 1),
            }
    return figures


def runtimes(options: argparse.Namespace) -> dict[str, Any]:
    """Positions per CPU second on one core by PyTorch and by ONNX Runtime, by batch."""
    need_torch().set_num_threads(1)
    figures: dict[str, Any] = {}
    networks = {f"{n}x{n}": network_of(board(n), None) for n in (7, 15)}
    networks["connectfour"] = ResidualNetwork(shape_of(load_game("connectfour")))
    for size, network in networks.items():
        shape = network.shape
        evaluators = {"torch": Evaluator(network, "cpu"), "onnx": OnnxEvaluator(network)}
        for batch in (1, 8, 64):
            sizes = (batch, shape.planes, shape.rows, shape.columns)
            planes = np.random.default_rng(1).random(sizes, np.float32)
            least = dict.fromkeys(evaluators, np.inf)
            for _ in range(10):  # in turns, so that both have the same machine
                for name, evaluate in evaluators.items():
                    evaluate(planes)
                    start = time.process_time()
                    for _ in range(max(1, 32 // batch)):
                        evaluate(planes)
                    took = (time.process_time() - start) / max(1, 32 // batch)
                    least[name] = min(least[name], took)
            rates = {name: round(batch / took) for name, took in least.items()}
            ratio = least["torch"] / least["onnx"]
            print(f"{size}, batch {batch}: {rates} positions/s, {ratio:.2f} times")
            figures[f"{size}, batch {batch}"] = {**rates, "ratio": round(ratio, 2)}
    return figures


def fit(options: argparse.Namespace) -> dict[str, Any]:
    """The lowest validation loss on a training's first games, by what is shown and kept."""
    folder = Path(options.folder or "m.safetensors.training")
    if not (folder / "run.json").exists():
        raise SystemExit(f"{folder} is not the folder of a training: name one with --folder")
    run = json.loads((folder / "run.json").read_text())
    size = int(run["problem"].split("x")[-1])
    problem, count = board(size), run["settings"]["first_games"] or run["settings"]["games"]
    games = TrainingFolder(folder, {k: v for k, v in run.items() if k != "format"}).load_games(
        1, problem, count
    )
    whole = positions_of(
        problem, games, self_play_seed(run["seed"], 1), 0.1, device_of(options.device)
    )
    queues = Queues(len(whole), len(whole))
    queues.add(whole)
    data, n = queues.data(), len(whole)
    alone = replace(data, planes=data.planes[:n], targets=data.targets[:n], images=1)
    figures: dict[str, Any] = {"positions": n}
    for name, shown, average in (
        ("neither", alone, 0.0),
        ("mean", alone, 0.999),
        ("mirror", data, 0.0),
        ("mirror and mean", data, 0.999),
    ):
        settings = PolicyIterationSettings(
            batch=512, learning_rate=1e-3, epochs=25, average=average
        )
        training = Fit(
            new_network(shape_of(problem), seed=3), shown, settings, 3, problem.equal_planes
        )
        training.run()
        losses = [loss for _, loss in training.progress.losses]
        epoch = int(np.argmin(losses)) + 1
        print(f"{name}: {min(losses):.4f} in epoch {epoch}", flush=True)
        figures[name] = {"loss": round(min(losses), 4), "epoch": epoch}
    return figures


def strength(options: argparse.Namespace) -> dict[str, Any]:
    """Policy-MCTS against plain MCTS: equal simulations and equal time, on the same boards."""
    size = options.size
    budgets: dict[str, Any] = {}
    if options.simulations:
        budgets[f"{options.simulations} simulations"] = po.Playouts(options.simulations)
    if options.seconds:
        budgets[f"{options.seconds:g} s"] = po.Seconds(options.seconds)
    shared: dict[str, Any] = {"device": options.device}
    for name in ("leaves", "c_puct", "temperature"):
        if getattr(options, name):
            shared[name] = getattr(options, name)
    searches = {
        "plain": PolicyMCTS(model="uniform", c_puct=options.plain_c_puct),
        "random rollouts": PolicyMCTS(model=options.model or "", **shared),
        "policy rollouts": PolicyMCTS(model=options.model or "", rollouts="policy", **shared),
    }
    searches = {k: v for k, v in searches.items() if k == "plain" or k in options.searches}
    figures: dict[str, Any] = {}
    for text, stop in budgets.items():
        scores: dict[str, list[float]] = {}
        for name, algorithm in searches.items():
            processes = options.plain_processes if name == "plain" else options.processes
            tasks = [(size, algorithm, stop, i) for i in range(options.boards)]
            with ProcessPoolExecutor(processes, get_context("spawn"), _warm, tasks[0][:2]) as pool:
                scores[name] = list(pool.map(_solved, tasks))
            gains = [a - b for a, b in zip(scores[name], scores["plain"], strict=True)]
            mean, half = interval(gains)
            wide = half * 2.576 / 1.96  # 99%
            print(
                f"{size}x{size}, {text}, {name}: {np.mean(scores[name]):.1f}, "
                f"{mean:+.1f} ± {wide:.1f} against plain (99%)",
                flush=True,
            )
            figures[f"{text}, {name}"] = {
                "score": round(float(np.mean(scores[name])), 1),
                "gain": round(mean, 1),
                "half": round(wide, 1),
                "boards": options.boards,
                "processes": processes,
                "scores": scores[name],
                "options": shared if name != "plain" else {"c_puct": options.plain_c_puct},
            }
    return figures


def _warm(size: int, algorithm: PolicyMCTS) -> None:
    """Compile, and load what is needed, in a process that will be measured."""
    need_torch().set_num_threads(1)
    po.solve(board(size), algorithm, po.Playouts(100), seed=1)


def _solved(task: tuple[int, PolicyMCTS, Any, int]) -> float:
    size, algorithm, stop, i = task
    return float(po.solve(board(size, 1000 + i), algorithm, stop, seed=i).score)


class _Sampler:
    """What nvidia-smi says of the GPU's use, twice a second."""

    def __enter__(self) -> _Sampler:
        self._values: list[float] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _sample(self) -> None:
        words = ["nvidia-smi", "--query-gpu=utilization.gpu", "--format=csv,noheader,nounits"]
        while not self._over.wait(0.5):
            try:
                done = subprocess.run(words, capture_output=True, text=True, check=True)
                self._values.append(float(done.stdout.split()[0]))
            except (OSError, subprocess.SubprocessError, ValueError, IndexError):
                return

    def share(self) -> float:
        return float(np.mean(self._values)) / 100 if self._values else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.learn")
    sections = {
        "evaluations": evaluations,
        "generation": generation,
        "plain": plain,
        "strength": strength,
        "runtimes": runtimes,
        "fit": fit,
    }
    parser.add_argument("section", choices=sections)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--model")
    parser.add_argument("--at-once", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=5.0, help="0 leaves this budget out")
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--size", type=int, default=15)
    parser.add_argument("--boards", type=int, default=100)
    parser.add_argument("--processes", type=int, default=1, help="boards at once")
    parser.add_argument("--plain-processes", type=int, help="the same, where no GPU is shared")
    parser.add_argument("--boards-plain", type=int, default=3)
    parser.add_argument("--simulations", type=int, default=1000, help="likewise")
    rollouts = ("random rollouts", "policy rollouts")
    parser.add_argument("--searches", nargs="+", default=rollouts, choices=rollouts)
    parser.add_argument("--leaves", type=int, default=0, help="of the policy's searches")
    parser.add_argument("--c-puct", type=float, default=0.0, help="likewise; 0: as trained")
    parser.add_argument("--temperature", type=float, default=0.0, help="likewise")
    parser.add_argument("--plain-c-puct", type=float, default=PLAIN_C, help="of plain MCTS")
    parser.add_argument("--folder", help="of `fit`: that of a training")
    parser.add_argument("--save", help="a JSON file of its own")
    options = parser.parse_args()
    options.plain_processes = options.plain_processes or options.processes
    need_torch()
    figures = sections[options.section](options)
    figures["device"] = _device(options.device)
    if options.save:
        Path(options.save).write_text(json.dumps({"machine": machine(), **figures}, indent=1))
    else:
        for figure in figures.values():  # those of single boards are for a file of their own
            if isinstance(figure, dict):
                figure.pop("scores", None)
        store(f"learn, {options.section}{_budget(options)}", figures)


def _budget(options: argparse.Namespace) -> str:
    """What keeps the figures of `strength` apart in the results."""
    if options.section != "strength":
        return ""
    budgets = [f"{options.simulations} simulations"] * bool(options.simulations)
    budgets += [f"{options.seconds:g} s"] * bool(options.seconds)
    return f" {options.size}x{options.size}, {' and '.join(budgets)}"


def _device(name: str) -> str:
    device, torch = device_of(name), need_torch()
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


if __name__ == "__main__":
    main()
