"""Policy iteration: presets, generations, killed and resumed, learning, bad input."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from playout.errors import DataError, OptionError
from playout.learn.policy_iteration.compiled_self_play import Games
from playout.learn.policy_iteration.policy_iteration_settings import (
    PolicyIterationSettings as Settings,
)
from playout.learn.policy_iteration.self_play import self_play_seed
from tests.support.command import run_here
from tests.support.self_play_cases import PROBLEM, guided, uniform
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.learn.networks.model_file import load_model  # noqa: E402
from playout.learn.networks.policy_network import new_network  # noqa: E402
from playout.learn.policy_iteration.generations import PolicyIteration, agrees  # noqa: E402

TINY = Settings(
    generations=2,
    games=700,
    first_games=800,
    simulations=25,
    first_simulations=150,
    c_puct=5.0,
    filters=16,
    training_queue=6000,
    validation_queue=600,
    batch=64,
    learning_rate=2e-3,
    epochs=10,
)


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    """A training run of two generations."""
    path = tmp_path_factory.mktemp("train") / "model.safetensors"
    training = PolicyIteration(PROBLEM, TINY, path, name="samegame:4x4 colours=2", device="cpu")
    seen = []
    assert training.run(lambda status: bool(seen.append(status)))
    return training, path, seen


# queues


# all of it


def test_presets_are_table_1():
    table = {name: Settings.preset(name) for name in ("7x7", "10x10", "15x15")}
    assert [s.generations for s in table.values()] == [50, 50, 66]
    assert [s.games for s in table.values()] == [20_000, 10_000, 5_000]
    assert [s.simulations for s in table.values()] == [100, 50, 25]
    assert [s.c_puct for s in table.values()] == [30, 4, 2]
    assert [s.alpha for s in table.values()] == [0.75, 0.4, 0.25]
    for s in table.values():
        assert (s.training_queue, s.validation_queue, s.epsilon) == (1_500_000, 150_000, 0.25)
        assert (s.batch, s.learning_rate, s.patience, s.filters) == (256, 5e-4, 3, 64)
    with pytest.raises(OptionError, match="no preset '8x8'"):
        Settings.preset("8x8")
    with pytest.raises(OptionError, match="epsilon=2"):
        Settings.preset("quick").changed({"epsilon": "2"})


@pytest.mark.long
def test_the_log_of_a_training(trained):
    training, path, seen = trained
    log = training.log
    assert [entry["generation"] for entry in log] == [1, 2]
    assert {status.phase for status in seen} == {"playing", "training"}
    model = load_model(path, PROBLEM)
    assert model.about["scores"] == [entry["score"] for entry in log]
    assert model.about["record"] == log
    assert model.about["settings"]["games"] == 700
    assert model.about["problem"] == "samegame:4x4 colours=2"
    games = training.folder.load_games(2, PROBLEM, 700)
    seed = self_play_seed(1, 2)
    assert all(agrees(PROBLEM, games, seed, i) for i in range(20))
    assert games.scores.mean() == pytest.approx(log[1]["score"], abs=1e-3)


@pytest.mark.long
def test_it_learns(trained):
    """The policy plays new boards significantly better than random moves and than a fresh network.

    One simulation a move is the policy itself: the search has nothing to choose from.
    """
    _, path, _ = trained
    network = load_model(path).network
    scores = {}
    for name, player in {
        "random": uniform(1),
        "fresh": guided(new_network(network.shape, filters=16), 1),
        "trained": guided(network, 1),
    }.items():
        games = Games.empty(PROBLEM, np.arange(2000))
        player.play(games, 99)
        scores[name] = games.scores
    for other in ("random", "fresh"):
        gain = scores["trained"] - scores[other]
        assert gain.mean() > 3 * gain.std() / np.sqrt(len(gain)), (other, gain.mean())


@pytest.mark.long
def test_stopped_again_and_again_it_comes_to_its_end(tmp_path):
    """Every run gets further: games go on where they were, and so do epochs."""
    settings = TINY.changed(
        {
            "games": "40",
            "first_games": "50",
            "simulations": "20",
            "filters": "4",
            "epochs": "3",
            "at_once": "20",
        }
    )
    phases: list[tuple] = []
    for _ in range(100):
        before = len(phases)

        def second(status, before=before):
            phases.append((status.number, status.phase))
            return len(phases) - before >= 2  # a quarter of a second later

        training = PolicyIteration(PROBLEM, settings, tmp_path / "m", name="tiny", device="cpu")
        if training.run(second):
            break
    assert len(training.log) == settings.generations
    assert {(1, "playing"), (2, "playing"), (1, "training"), (2, "training")} <= set(phases)
    for generation in (1, 2):
        count = {1: 50, 2: 40}[generation]
        games = training.folder.load_games(generation, PROBLEM, count)
        seed = self_play_seed(1, generation)
        assert all(agrees(PROBLEM, games, seed, i) for i in range(count))


@pytest.mark.long
def test_another_run_is_refused(trained):
    training, path, _ = trained

    def again(**more):
        settings = more.pop("settings", TINY)
        return PolicyIteration(
            PROBLEM, settings, path, name=training.name, device="cpu", **{"seed": 1, **more}
        )

    assert again().run(lambda status: False)  # nothing is left to do
    with pytest.raises(DataError, match="another training run: seed was 1, and now is 2"):
        again(seed=2)
    other = TINY.changed({"games": "7", "generations": "9"})
    with pytest.raises(DataError, match="settings was games=700, and now is games=7"):
        again(settings=other)


@pytest.mark.long
def test_killed_at_any_point_it_goes_on(tmp_path):
    """A run that is killed while it plays and while it trains ends as one that is not."""
    texts = {
        "generations": "2",
        "games": "300",
        "simulations": "8",
        "first_simulations": "300",
        "filters": "4",
        "batch": "32",
        "epochs": "3",
        "validation_queue": "100",
    }
    whole = PolicyIteration(
        PROBLEM,
        Settings.preset("quick").changed(texts),
        tmp_path / "whole",
        name="whole",
        device="cpu",
    )
    assert whole.run(lambda status: False)
    store, folder = str(tmp_path / "s.sqlite"), tmp_path / "killed.training"
    words = ["train", "samegame:4x4", "-p", "colours=2", "--device", "cpu", "--threads", "1"]
    words += [word for pair in texts.items() for word in ("-o", "=".join(pair))]
    words += ["--out", str(tmp_path / "killed"), "--store", store]
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}
    for wanted in ("games-001.bin", "games-002.bin"):
        process = subprocess.Popen(
            [sys.executable, "-m", "playout", *words], env=environment, stdout=subprocess.DEVNULL
        )
        while not _has(folder / wanted) and process.poll() is None:
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    done = run_here(words, tmp_path, environment)
    assert "the training is over" in done.stdout, done.stderr
    assert (tmp_path / "killed.svg").read_text().startswith("<svg")
    for generation in (1, 2):
        games = [
            np.sort(np.frombuffer((path / f"games-{generation:03}.bin").read_bytes(), "V32"))
            for path in (folder, whole.folder.path)
        ]
        assert len(np.unique(games[0])) == 300
        assert np.array_equal(*games)
    export = ("export", "--format", "jsonl", "--store", store)
    rows = run_here(export, tmp_path, environment).stdout.splitlines()
    assert [json.loads(row)["budget"] for row in rows] == [1, 2]
    assert all(json.loads(row)["verified"] for row in rows)


def _has(path):
    return path.exists() and path.stat().st_size > 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["samegame:7x7"], "give --out"),
        (["samegame:7x7", "--out", "{}/no/m.safetensors"], "there is no folder"),
        (["samegame:7x7", "--out", "{}/m", "--preset", "8x8"], "there is no preset '8x8'"),
        (["samegame:7x7", "--out", "{}/m", "-o", "game=3"], "did you mean games"),
        (["samegame:7x7", "--out", "{}/m", "-p", "rows=8"], "give one of them"),
        (["samegame:7x7", "--out", "{}/m", "--device", "cuda:99"], "device cuda:99: there "),
        (["samegame:7x7", "--out", "{}/m", "--minutes", "0"], "give a number over 0"),
        (["maximum", "--out", "{}/m"], "Maximum cannot be learned: it has no planes"),
        (["samegame:0x7", "--out", "{}/m"], "at least one row"),
    ],
)
def test_mistakes_are_one_line(words, message, tmp_path):
    result = run_here(("train", *(word.format(tmp_path) for word in words)), tmp_path, os.environ)
    assert result.returncode == 2, result.stdout
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
