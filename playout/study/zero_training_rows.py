"""What the training of a game leaves in the results store, and its picture: results by epoch."""

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
from playout.contract import Game
from playout.learn.alphazero.epochs import ZeroTraining, outcomes
from playout.learn.alphazero.zero_settings import PERFECT, RIVALS
from playout.provenance import Provenance
from playout.report.chart import svg
from playout.report.report import Curve, Picture
from playout.study.store.results_store import Place, Store
from playout.text.output_files import write_atomically

CHECKED = 3  # games of an epoch that are played again in plain Python


def store_epoch(store: Store, training: ZeroTraining, entry: dict[str, Any]) -> None:
    """Keep an epoch as a run of the experiment `train NAME`; done twice, it is one row.

    Its score is the mean result against the perfect player, and for a game that is too large to
    measure it minus the network's losses.
    """
    epoch, settings = entry["epoch"], training.settings.options()
    fixed = json.dumps({name: value for name, value in settings.items() if name != "epochs"})
    place = Place(
        experiment=f"train {training.name}", cell=f"{training.name} {settings['method']} {fixed}",
        seed=training.seed, unit="epochs", budget=float(epoch), package=__version__,
        code=digest_of_class(type(training.game)),
    )  # fmt: skip
    measured = [score for _, score, _ in outcomes([entry], PERFECT)]
    score = measured[0] if measured else -(entry["policy_loss"] + entry["value_loss"])
    seconds = sum(entry["seconds"].values())
    games = training.games_of(epoch)
    row = {
        "problem": training.name, "instance": "", "problem_options": "{}",
        "algorithm": settings["method"], "options": json.dumps(settings), "score": score,
        "playouts": entry["games"], "seconds": seconds,
        "verified": int(all(agrees(training.game, *game) for game in games[:CHECKED])),
        "stopped_by": "epoch",
        "curve": np.array([[seconds, entry["games"], score]], "<f8").tobytes(),
        "moves": "[]", "records": json.dumps([entry]),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        **asdict(Provenance.here()),
    }  # fmt: skip
    store.finish(place, row)


def agrees(game: Game, outputs: list[int], result: float) -> bool:
    """Whether a game, played again in plain Python, is legal and has its result.

    `result` is the first player's, from -1 to 1.
    """
    states, legal = game.root(), game.new_moves()
    with wrapping():
        for wanted in outputs:
            n = game.moves(states[0], legal)
            there = [int(game.output(states[0], legal[m])) for m in range(n)]
            if there.count(wanted) != 1:
                return False
            game.play(states[0], legal[there.index(wanted)].copy())
        if game.moves(states[0], legal) != 0:
            return False
        low, high = game.outcomes[0], game.outcomes[-1]
        value = 2.0 * (float(game.reward(states[0], 0)) - low) / (high - low) - 1.0
    return math.isclose(value, result, abs_tol=1e-6)


def draw_results(path: str, title: str, log: list[dict[str, Any]]) -> None:
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
