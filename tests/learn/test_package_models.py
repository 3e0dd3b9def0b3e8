"""The trained policies of the package: small files with their record, which know how to play."""

from __future__ import annotations

import numpy as np
import pytest

from playout.learn.networks.find_model import FOLDER, find_model, package_models
from playout.learn.networks.model_file import load_model
from playout.problems import SameGame
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.learn.inference.evaluators import Evaluator  # noqa: E402

MODELS = sorted(FOLDER.glob("*.safetensors"))
BOARDS = {7: 200, 10: 40, 15: 10}


def names(path):
    return path.stem


def test_there_are_some():
    assert [path for path, _ in package_models()] == MODELS
    sizes = ("7x7", "10x10", "15x15")
    assert {f"samegame-{size}" for size in sizes} <= {path.stem for path in MODELS}


@pytest.mark.parametrize("path", MODELS, ids=names)
def test_they_are_small_and_say_what_they_are(path):
    model = load_model(path)
    about = model.about
    assert path.stat().st_size <= 6 << 20
    assert about["generations"] == len(about["scores"]) == len(about["validation_losses"]) >= 2
    assert [entry["score"] for entry in about["record"]] == about["scores"]
    assert all(entry["games"] > 0 and entry["simulations"] > 0 for entry in about["record"])
    assert about["seconds"] > 0
    shape = model.network.shape
    assert find_model(SameGame.random(1, rows=shape.rows, columns=shape.columns)) == path


@pytest.mark.parametrize("path", MODELS, ids=names)
@pytest.mark.long
def test_they_play_better_than_chance(path):
    """The likeliest move everywhere against random moves, on boards that no training has seen."""
    evaluator = Evaluator(load_model(path).network, "cpu")
    size = load_model(path).network.shape.rows
    boards = [
        SameGame.random(seed, rows=size, columns=size, tabu=False, penalty=True)
        for seed in range(BOARDS[size])
    ]
    policy, chance = played(boards, evaluator), played(boards, None)
    gains = policy - chance
    assert gains.mean() > 2.6 * gains.std(ddof=1) / np.sqrt(len(gains))


def played(boards, evaluator):
    """The scores of games by the likeliest moves, or by random ones without an evaluator."""
    rng = np.random.default_rng(1)
    states = [board.root() for board in boards]
    legal = boards[0].new_moves()
    left = list(range(len(boards)))
    while left:
        planes = np.zeros((len(left), *boards[0].plane_shape), np.float32)
        for row, i in zip(planes, left, strict=True):
            boards[i].planes(states[i][0], row)
        logits = evaluator(planes) if evaluator else rng.random((len(left), boards[0].outputs))
        for row, i in zip(logits, list(left), strict=True):
            n = boards[i].moves(states[i][0], legal)
            if n == 0:
                left.remove(i)
                continue
            outputs = [boards[i].output(states[i][0], legal[m]) for m in range(n)]
            boards[i].play(states[i][0], legal[int(np.argmax(row[outputs]))].copy())
    return np.array([board.score(state[0]) for board, state in zip(boards, states, strict=True)])
