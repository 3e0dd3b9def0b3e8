"""What training leaves in the results store, a row a generation or epoch, and its picture."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from playout._version import __version__
from playout.compiled import digest_of_class, wrapping
from playout.compiled.random import stream_of
from playout.contract import Game, Problem
from playout.learn.alphazero.epochs import ZeroTraining, outcomes
from playout.learn.alphazero.zero_settings import PERFECT, RIVALS
from playout.learn.policy_iteration.generations import Training
from playout.learn.policy_iteration.self_play import Games, self_play_seed
from playout.report.chart import svg
from playout.report.report import Curve, Picture
from playout.study.store.results_store import Store
from playout.study.store.row import Row, RunKey
from playout.text.output_files import write_atomically

CHECKED = 3  # games of a generation or an epoch that are played again in plain Python


def store_generation(store: Store, training: Training, entry: dict[str, Any]) -> None:
    """Keep a generation as a run of the experiment `train NAME`; done twice, it is one row."""
    generation, settings = entry["generation"], vars(training.settings)
    games = training.record.load_games(
        generation, training.problem, training.settings.games_of(generation)
    )
    seed = self_play_seed(training.seed, generation)
    seconds = sum(entry["seconds"].values())
    playouts = entry.get("playouts", 0)
    row = Row(
        problem=training.name,
        instance="random",
        algorithm="policy-iteration",
        options=settings,
        score=entry["score"],
        playouts=playouts,
        seconds=seconds,
        verified=all(agrees(training.problem, games, seed, i) for i in range(CHECKED)),
        stopped_by="generation",
        curve=[[seconds, playouts, entry["score"]]],
        records=[entry],
    )
    cell = f"{training.name} policy iteration {json.dumps(settings)}"
    store.finish(_key(training, training.problem, cell, "generations", generation), row)


def store_epoch(store: Store, training: ZeroTraining, entry: dict[str, Any]) -> None:
    """Keep an epoch as a run of the experiment `train NAME`; done twice, it is one row.

    Its score is the mean result against the perfect player, and for a game that is too large to
    measure it minus the network's losses.
    """
    epoch, settings = entry["epoch"], training.settings.options()
    measured = [score for _, score, _ in outcomes([entry], PERFECT)]
    score = measured[0] if measured else -(entry["policy_loss"] + entry["value_loss"])
    seconds = sum(entry["seconds"].values())
    games = training.games_of(epoch)[:CHECKED]
    row = Row(
        problem=training.name,
        algorithm=settings["method"],
        options=settings,
        score=score,
        playouts=entry["games"],
        seconds=seconds,
        verified=all(game_agrees(training.game, *game) for game in games),
        stopped_by="epoch",
        curve=[[seconds, entry["games"], score]],
        records=[entry],
    )
    fixed = json.dumps({name: value for name, value in settings.items() if name != "epochs"})
    cell = f"{training.name} {settings['method']} {fixed}"
    store.finish(_key(training, training.game, cell, "epochs", epoch), row)


def _key(
    training: Training | ZeroTraining, rules: Game, cell: str, unit: str, number: int
) -> RunKey:
    return RunKey(
        experiment=f"train {training.name}",
        cell=cell,
        seed=training.seed,
        unit=unit,
        budget=float(number),
        package=__version__,
        code=digest_of_class(type(rules)),
    )


def agrees(problem: Problem, games: Games, seed: int, which: int) -> bool:
    """Whether a game, played again in plain Python, is legal and has its score."""
    if which >= len(games.lengths):
        return True
    states = problem.new_states(1)
    outputs = [int(output) for output in games.moves[which, : int(games.lengths[which])]]
    with wrapping():
        rng = np.array([stream_of(np.uint64(seed), int(games.numbers[which]))], np.uint64)
        problem.draw(states[0], rng)
        legal = _play_outputs(problem, states, outputs)
    return legal and math.isclose(problem.final_score(states), float(games.scores[which]))


def game_agrees(game: Game, outputs: list[int], result: float) -> bool:
    """Whether a game, played again in plain Python, is legal and has its result.

    `result` is the first player's, from -1 to 1.
    """
    states = game.root()
    with wrapping():
        if not _play_outputs(game, states, outputs):
            return False
        low, high = game.outcomes[0], game.outcomes[-1]
        value = 2.0 * (float(game.reward(states[0], 0)) - low) / (high - low) - 1.0
    return math.isclose(value, result, abs_tol=1e-6)


def _play_outputs(rules: Game, states: np.ndarray, outputs: list[int]) -> bool:
    """Play the moves of a network's outputs; whether they are legal and end the game."""
    for wanted in outputs:
        legal = rules.legal_moves(states[0])
        there = [int(rules.output(states[0], move)) for move in legal]
        if there.count(wanted) != 1:
            return False
        rules.play_move(states[0], legal[there.index(wanted)])
    return rules.is_over(states[0])


def draw_generations(path: str | Path, name: str, log: list[dict[str, Any]]) -> None:
    """Draw the mean score of each generation's games, with its 95% band, as SVG."""
    points = []
    for entry in log:
        half = 1.96 * entry["deviation"] / math.sqrt(entry["games"])
        mean = entry["score"]
        points.append((float(entry["generation"]), mean, mean - half, mean + half))
    curve = Curve("self-play", tuple(points), len(log))
    title = f"{name}: mean score of a generation's games"
    write_atomically(Path(path), svg(Picture(title, "generation", (curve,))).encode())


def draw_epochs(path: str | Path, title: str, log: list[dict[str, Any]]) -> None:
    """Draw the results against both rivals by epoch, if they were measured, else the losses."""
    curves = []
    for rival in RIVALS:
        found = [(e["epoch"], 100 * (e[rival][0] + e[rival][1] / 2)) for e in log if rival in e]
        if found:
            points = tuple((float(x), y, y, y) for x, y in found)
            curves.append(Curve(f"against {rival}", points, 1))
    y_title = "mean result in percent"
    if not curves:
        y_title = "loss"
        for name in ("policy_loss", "value_loss"):
            points = tuple((float(e["epoch"]), e[name], e[name], e[name]) for e in log)
            curves.append(Curve(name.replace("_", " "), points, 1))
    picture = svg(Picture(title, "epochs", tuple(curves)), y_title=y_title)
    write_atomically(Path(path), picture.encode())
