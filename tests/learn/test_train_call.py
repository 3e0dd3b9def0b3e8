"""`train`: one call for problems and games, by objects and by texts, which goes on where it was."""

from __future__ import annotations

import doctest
import importlib
import json
import signal

import pytest

import playout as po
from playout.errors import OptionError
from playout.games import TicTacToe
from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings
from playout.learn.policy_iteration.policy_iteration_settings import PolicyIterationSettings
from playout.problems import SameGame
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

SMALL_GAME = "quick:games=6,simulations=10,most_steps=5,filters=4,epochs=2"
SMALL_PROBLEM = PolicyIterationSettings.load(
    "quick:generations=1,games=12,simulations=4,first_simulations=8,filters=4,epochs=1"
)


def test_a_game_by_its_name_goes_on(tmp_path):
    seen = []
    out = tmp_path / "m.safetensors"
    settings = {"out": out, "device": "cpu", "progress": seen.append}
    first = po.train("tictactoe", f"{SMALL_GAME},method=mbm", po.Runs(1), **settings)
    assert (first.stopped_by, len(first.log), first.method) == ("runs", 1, "mbm")
    assert seen[0].phase == "starting"
    result = po.train("tictactoe", f"{SMALL_GAME},method=mbm", **settings)
    assert (result.stopped_by, result.model, len(result.log)) == ("end", out, 2)
    assert result.log[0] == first.log[0]
    assert all(entry["verified"] for entry in result.log)
    assert "tictactoe, mbm" in str(result)
    assert "2 epochs in" in str(result)
    assert "against perfect" in result._repr_html_()
    result.save(tmp_path / "result.json")
    assert json.loads((tmp_path / "result.json").read_text())["log"] == result.log
    result.plot(tmp_path / "result.svg")
    assert (tmp_path / "result.svg").read_text().startswith("<svg")


@pytest.mark.long
def test_a_problem_as_an_object_and_by_its_name(tmp_path):
    problem = SameGame.training(rows=4, columns=4, colours=2)
    about = {"device": "cpu", "threads": 1}
    one = po.train(problem, SMALL_PROBLEM, out=tmp_path / "one", **about)
    two = po.train("samegame:4x4,colours=2", SMALL_PROBLEM, out=tmp_path / "two", **about)
    assert (one.name, two.name) == ("samegame", "samegame:4x4 colours=2")
    for result in (one, two):
        result.log[0].pop("seconds")
        assert result.method == "policy-iteration"
    assert one.log == two.log


@pytest.mark.long
def test_an_interrupt_is_heard_between_two_batches(tmp_path, monkeypatch):
    """SIGINT in the second epoch of a network; what goes on from the first has the same weights."""
    from playout.learn.networks.model_file import load_model
    from playout.learn.policy_iteration.fit import Fit

    more = {"epochs": "2", "patience": "2", "batch": "8", "first_games": "40"}
    what = "samegame:4x4,colours=2", SMALL_PROBLEM.changed(more)
    whole = po.train(*what, out=tmp_path / "whole", device="cpu", threads=1)
    compute, after = Fit._compute, []

    def interrupting(fit):
        compute(fit)
        if fit.progress.epoch == 1:
            after.append(fit)
            if len(after) == 2:
                signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(Fit, "_compute", interrupting)
    first = po.train(*what, out=tmp_path / "again", device="cpu", threads=1)
    assert (first.stopped_by, len(first.log), len(after)) == ("interrupt", 0, 2)
    monkeypatch.undo()
    again = po.train(*what, out=tmp_path / "again", device="cpu", threads=1)
    assert again.log[0]["validation_loss"] == whole.log[0]["validation_loss"]
    weights = [load_model(tmp_path / name).network.policy.weight for name in ("whole", "again")]
    assert torch.equal(*weights)


def test_mistakes_are_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(OptionError, match="there is no preset 'papr'"):
        po.train("tictactoe", "papr")
    with pytest.raises(OptionError, match="TicTacToe is trained by AlphaZeroSettings"):
        po.train(TicTacToe(), SMALL_PROBLEM)
    with pytest.raises(OptionError, match="training does not stop by playouts"):
        po.train("tictactoe", AlphaZeroSettings(), po.Playouts(3))
    with pytest.raises(OptionError, match="training does not stop by playouts"):
        po.train("tictactoe", AlphaZeroSettings(), playouts=3)
    with pytest.raises(TypeError, match=r"no argument 'minutes'; there are: cluster, .*seconds"):
        po.train("tictactoe", minutes=1)
    with pytest.raises(OptionError, match="Seconds"):
        po.train("tictactoe", seconds=0)
    with pytest.raises(OptionError, match="is no problem or game"):
        po.train(TicTacToe)
    assert list(tmp_path.iterdir()) == []


def test_the_example_of_the_docstring():
    failed, tried = doctest.testmod(importlib.import_module("playout.learn.train"))
    assert (failed, tried) == (0, 5)
