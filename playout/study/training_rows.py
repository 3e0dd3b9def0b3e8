"""What training leaves in the results store, and its picture: mean score by generation."""

from __future__ import annotations

import json
import math
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from playout._version import __version__
from playout.compiled import digest_of_class, wrapping
from playout.compiled.random import stream_of
from playout.contract import Problem
from playout.learn.policy_iteration.generations import Training
from playout.learn.policy_iteration.self_play import Games, self_play_seed
from playout.provenance import Provenance
from playout.report.chart import svg
from playout.report.report import Curve, Picture
from playout.study.store.results_store import Place, Store
from playout.text.output_files import write_atomically

CHECKED = 3  # games of a generation that are played again in plain Python


def store_generation(store: Store, training: Training, entry: dict[str, Any]) -> None:
    """Keep a generation as a run of the experiment `train NAME`; done twice, it is one row."""
    generation = entry["generation"]
    settings = json.dumps(vars(training.settings))
    place = Place(
        experiment=f"train {training.name}", cell=f"{training.name} policy iteration {settings}",
        seed=training.seed, unit="generations", budget=float(generation), package=__version__,
        code=digest_of_class(type(training.problem)),
    )  # fmt: skip
    games = training.record.load_games(
        generation, training.problem, training.settings.games_of(generation)
    )
    seed = self_play_seed(training.seed, generation)
    verified = all(agrees(training.problem, games, seed, i) for i in range(CHECKED))
    seconds = sum(entry["seconds"].values())
    playouts = entry.get("playouts", 0)
    row = {
        "problem": training.name, "instance": "random", "problem_options": "{}",
        "algorithm": "policy-iteration", "options": settings, "score": entry["score"],
        "playouts": playouts, "seconds": seconds, "verified": int(verified),
        "stopped_by": "generation",
        "curve": np.array([[seconds, playouts, entry["score"]]], "<f8").tobytes(),
        "moves": "[]", "records": json.dumps([entry]),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        **asdict(Provenance.here()),
    }  # fmt: skip
    store.finish(place, row)


def agrees(problem: Problem, games: Games, seed: int, which: int) -> bool:
    """Whether a game, played again in plain Python, is legal and has its score."""
    if which >= len(games.lengths):
        return True
    states, legal = problem.new_states(1), problem.new_moves()
    with wrapping():
        rng = np.array([stream_of(np.uint64(seed), int(games.numbers[which]))], np.uint64)
        problem.draw(states[0], rng)
        for i in range(int(games.lengths[which])):
            n = problem.moves(states[0], legal)
            outputs = [int(problem.output(states[0], legal[m])) for m in range(n)]
            if outputs.count(int(games.moves[which, i])) != 1:
                return False
            problem.play(states[0], legal[outputs.index(int(games.moves[which, i]))].copy())
        over = problem.moves(states[0], legal) == 0
    return over and math.isclose(problem.final_score(states), float(games.scores[which]))


def draw_scores(path: str | Path, name: str, log: list[dict[str, Any]]) -> None:
    """Draw the mean score of each generation's games, with its 95% band, as SVG."""
    points = []
    for entry in log:
        half = 1.96 * entry["deviation"] / math.sqrt(entry["games"])
        mean = entry["score"]
        points.append((float(entry["generation"]), mean, mean - half, mean + half))
    curve = Curve("self-play", tuple(points), len(log))
    title = f"{name}: mean score of a generation's games"
    write_atomically(Path(path), svg(Picture(title, "generation", (curve,))).encode())
