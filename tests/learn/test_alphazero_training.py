"""AlphaZero and MbM learn: going on after a stop, settings, several rivals."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pytest

from playout.errors import DataError, GivenUp, OptionError, PlayoutError
from playout.games import ConnectFour, TicTacToe
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.learn.alphazero.all_positions import AllPositions, logits_of  # noqa: E402
from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings  # noqa: E402
from playout.learn.alphazero.epochs import AlphaZero, outcomes  # noqa: E402
from playout.learn.inference.evaluators import Evaluator  # noqa: E402
from playout.learn.networks.model_file import load_model  # noqa: E402
from playout.learn.networks.network_shape import Shape, shape_of  # noqa: E402
from playout.learn.networks.residual_network import ResidualNetwork  # noqa: E402

GAME = TicTacToe()
TINY = AlphaZeroSettings(epochs=3, games=20, simulations=30, blocks=1, filters=8, most_steps=20)


@pytest.fixture(scope="module")
def positions():
    return AllPositions(GAME)


@pytest.mark.long
@pytest.mark.parametrize(("method", "games"), [("alphazero", 20), ("mbm", 20), ("mbm", 6)])
def test_a_run_that_was_stopped_goes_on_to_the_same_network(method, games, tmp_path):
    settings = dataclasses.replace(TINY, method=method, games=games, simulations=games + 4)

    def training(name):
        return AlphaZero(GAME, settings, tmp_path / name, name="tictactoe", device="cpu")

    assert training("whole").run(lambda status: False)
    for most in itertools.count():  # reports, so many that on any machine an epoch is over at last
        calls = iter(range(most))
        if training("parts").run(lambda status, calls=calls: next(calls, None) is None):
            break
    models = [load_model(tmp_path / name).network for name in ("whole", "parts")]
    for a, b in zip(*(model.state_dict().values() for model in models), strict=True):
        assert torch.equal(a, b)
    logs = [training(name).log for name in ("whole", "parts")]
    for entry in itertools.chain(*logs):
        del entry["seconds"]
    assert logs[0] == logs[1]
    assert len(logs[0]) == 3
    assert load_model(tmp_path / "whole").about["method"] == method


@pytest.mark.long
def test_it_learns(tmp_path, positions):
    settings = dataclasses.replace(TINY, epochs=12, games=30, filters=16, most_steps=60)
    training = AlphaZero(GAME, settings, tmp_path / "m", name="tictactoe", device="cpu")
    before = positions.result(logits_of(Evaluator(training.network, "cpu")), "random").score
    training.run(lambda status: False)
    after = list(outcomes(training.log, "random"))[-1][1]
    assert after > max(before + 0.1, 0.75)


def test_another_run_in_the_same_place_is_refused(tmp_path):
    AlphaZero(GAME, TINY, tmp_path / "m", name="tictactoe", device="cpu")
    changed = dataclasses.replace(TINY, temperature=0.3)
    with pytest.raises(DataError, match="temperature"):
        AlphaZero(GAME, changed, tmp_path / "m", name="tictactoe", device="cpu")


def test_settings():
    assert AlphaZeroSettings().steps(100) == 157
    assert AlphaZeroSettings(most_steps=50).steps(20_000) == 50
    assert AlphaZeroSettings.preset("paper").changed({"games": "7"}).games == 7
    for text in ({"games": "0"}, {"method": "alpha"}, {"gamess": "1"}, {"temperature": "0"}):
        with pytest.raises(OptionError):
            AlphaZeroSettings().changed(text)
    with pytest.raises(OptionError, match="there is no preset"):
        AlphaZeroSettings.preset("papr")


def test_the_network_is_the_papers():
    network = ResidualNetwork(Shape(2, 3, 3, 9))
    convolutions = [m for m in network.modules() if isinstance(m, torch.nn.Conv2d)]
    assert [(m.in_channels, m.out_channels, m.kernel_size[0]) for m in convolutions] == [
        (2, 32, 3),
        *[(32, 32, 3)] * 8,
        (32, 2, 1),
        (32, 2, 1),
    ]
    logits, values = network(torch.zeros(5, 2, 3, 3))
    assert logits.shape == (5, 9)
    assert values.shape == (5,)
    assert shape_of(ConnectFour(5, 4)) == Shape(2, 4, 5, 5)


def test_runs_of_several_rivals_are_one_training(tmp_path, monkeypatch):
    from playout.study.kinds import train
    from playout.study.kinds.kind import Budget
    from playout.study.kinds.train import Train
    from playout.study.store.claim_owner import is_locked, lock_file

    monkeypatch.setattr(train, "cache_folder", lambda: tmp_path)
    given = {"games": 4, "simulations": 10, "blocks": 0, "filters": 4, "most_steps": 3}
    runs = [
        Train("tictactoe", rival, given, losses)
        for rival, losses in (("random", False), ("perfect", False), ("perfect", True))
    ]
    runs[0].check()
    rows = [run.perform(GAME, Budget("playouts", 4), 7, lambda: False) for run in runs]
    assert len(list((tmp_path / "trainings").glob("*.safetensors"))) == 1
    curves = [np.array(row.curve) for row in rows]
    for curve in curves:
        assert curve[:, 1].tolist() == [2, 4]
        assert (curve[:, 0] == curves[0][:, 0]).all()
    # against a perfect player nobody wins: what is not lost is drawn
    assert curves[1][:, 2] == pytest.approx((1 - curves[2][:, 2]) / 2, abs=1e-5)
    # a training that another worker does is left to it
    lock = next((tmp_path / "trainings").glob("*.lock"))
    with lock.open("ab") as held:
        assert lock_file(held)
        assert is_locked(runs[0].lock(7))
        with pytest.raises(GivenUp):
            runs[0].perform(GAME, Budget("playouts", 4), 7, lambda: True)
    assert not is_locked(runs[0].lock(7))
    for wrong in (Train("tictactoe", "nobody"), Train("tictactoe", "random", {"gamess": 1})):
        with pytest.raises(OptionError):
            wrong.check()


def test_the_experiment_plans_every_figure():
    from playout.experiments import load_experiment
    from playout.study.plan import Settings, make_plan
    from playout.study.specification import Experiment

    experiment = load_experiment("mbm")
    assert Experiment.from_json(experiment.to_json()) == experiment
    plan = make_plan(experiment, Settings(runs=1, only=("1", "2", "3", "4", "6")))
    trainings = {tuple(sorted(task.search.options.items())) for task in plan.planned_runs()}
    assert len(trainings) == 8  # two methods at four temperatures


def test_damaged_files_of_a_training_are_one_line_each(tmp_path):
    """Every file of the folder, with bytes changed or cut: read, or a PlayoutError."""
    settings = dataclasses.replace(TINY, method="mbm", epochs=1, games=3, simulations=5)

    def training():
        return AlphaZero(GAME, settings, tmp_path / "m", name="tictactoe", device="cpu")

    training().run(lambda status: False)
    rng = np.random.default_rng(1)
    files = sorted((tmp_path / "m.training").iterdir())
    assert {path.stem.partition("-")[0] for path in files} >= {"episodes", "master", "log", "run"}
    for path in files:
        whole = path.read_bytes()
        told = 0
        for number in range(12):
            content = bytearray(whole)
            for place in rng.integers(len(content), size=1 + number):
                content[place] = rng.integers(256)
            path.write_bytes(content if number % 3 else whole[: rng.integers(len(whole))])
            try:
                training()
            except PlayoutError:
                told += 1
        assert told >= 6, path
        path.write_bytes(whole)
    assert training().run(lambda status: False)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("log.jsonl", b"[" * 100_000),
        ("log.jsonl", b"5\n"),
        (
            "log.jsonl",
            b'{"epoch": 1, "games": 1, "first_wins": 1, "draws": 1, "length": 1, '
            b'"policy_loss": 1, "value_loss": 1, "checksum": "0"}\n',
        ),
        ("log.jsonl", b'{"epoch": 1, "games": "many"}\n'),
        ("run.json", b"[]"),
        ("run.json", b"[" * 100_000),
        ("episodes-0001.npz", b"PK\x05\x06" + bytes(18)),
    ],
)
def test_files_of_a_training_that_are_something_else(tmp_path, name, content):
    settings = dataclasses.replace(TINY, epochs=1, games=3, simulations=5)
    more = {"name": "tictactoe", "device": "cpu"}
    AlphaZero(GAME, settings, tmp_path / "m", **more).run(lambda status: False)
    (tmp_path / "m.training" / name).write_bytes(content)
    with pytest.raises(DataError, match="damaged"):
        AlphaZero(GAME, settings, tmp_path / "m", **more)
