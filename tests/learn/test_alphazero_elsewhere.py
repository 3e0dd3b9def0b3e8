"""AlphaZero and MbM with their games on nodes: the same training as on one machine."""

from __future__ import annotations

import contextlib
import dataclasses
import os
import signal

import numpy as np
import pytest

pytest.importorskip("torch")

import playout as po
from playout.cluster import ClusterError, ClusterWarning
from playout.games import TicTacToe
from playout.learn.alphazero import self_play, self_play_elsewhere
from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings
from playout.learn.alphazero.self_play_elsewhere import PlayingEpisodes
from playout.learn.inference.onnx_evaluator import OnnxEvaluator
from playout.learn.networks.model_file import load_model
from playout.learn.networks.network_shape import shape_of
from playout.learn.networks.residual_network import ResidualNetwork
from tests.cluster.fake_ray import connect
from tests.support.torch_threads import one_thread  # noqa: F401

GAME = TicTacToe()
TINY = AlphaZeroSettings(epochs=2, games=40, simulations=24, blocks=1, filters=8, most_steps=20)
NETWORK = ResidualNetwork(shape_of(GAME), filters=8, blocks=1).eval()


@pytest.fixture
def nodes(monkeypatch):
    return connect(monkeypatch)


def trained(path, settings, **how):
    """What a training comes to: its log without the time it took, and its weights."""
    result = po.train(GAME, settings, out=path, **how)
    weights = load_model(path).network.state_dict()
    log = [{name: entry[name] for name in entry if name != "seconds"} for entry in result.log]
    return log, {name: value.numpy().tobytes() for name, value in weights.items()}


@pytest.mark.long
@pytest.mark.parametrize(("method", "at_once"), [("alphazero", 0), ("alphazero", 7), ("mbm", 0)])
@pytest.mark.filterwarnings("ignore::playout.cluster.ClusterWarning")
def test_it_is_the_training_of_one_machine_whatever_becomes_of_nodes(
    nodes, tmp_path, method, at_once
):
    settings = dataclasses.replace(TINY, method=method, at_once=at_once)
    count = nodes.kill_at_item(5)
    there = trained(tmp_path / "there.safetensors", settings, cluster="auto")
    assert count[0] == 2 * 40 + 1  # a game a lot, and one of them twice
    assert len(nodes.actors) <= 4  # which stay from epoch to epoch
    assert there == trained(tmp_path / "here.safetensors", settings)


@pytest.mark.long
@pytest.mark.parametrize("method", ["alphazero", "mbm"])
def test_positions_of_a_larger_game_are_asked_for_lot_by_lot(nodes, tmp_path, monkeypatch, method):
    """With ONNX Runtime, which is the default on a CPU, they are the same bits in any batch."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    monkeypatch.setattr(self_play, "ALL_PREDICTED", 0)
    monkeypatch.setattr(self_play_elsewhere, "LOTS", 8)
    settings = dataclasses.replace(TINY, method=method, games=24)
    nodes.kill_at_item(3)
    with pytest.warns(ClusterWarning) if method == "mbm" else contextlib.nullcontext():
        there = trained(tmp_path / "there.safetensors", settings, cluster="auto")
    assert there == trained(tmp_path / "here.safetensors", settings)


@pytest.mark.long
def test_games_of_the_master_tree_at_once_do_not_depend_on_who_is_faster(nodes, tmp_path):
    """Three nodes; one, which ends games in another order; and three of which one dies."""
    settings = dataclasses.replace(TINY, method="mbm", at_once=5, epochs=1)

    def on_nodes(name):
        try:
            return trained(tmp_path / name, settings, cluster="auto")
        finally:
            for actor in nodes.actors:  # as Ray ends those whom nobody can call any more
                nodes.kill(actor)

    several = on_nodes("several.safetensors")
    nodes.kill_at_item(7)
    killed = on_nodes("killed.safetensors")
    for node in list(nodes.alive)[1:]:
        nodes.kill_node(node)
    assert several == killed == on_nodes("one.safetensors")
    one_after_another = dataclasses.replace(settings, at_once=1)
    assert several != trained(tmp_path / "other.safetensors", one_after_another)


def test_a_position_is_the_same_bits_in_any_batch():
    """Of ONNX Runtime; of PyTorch it is not."""
    pytest.importorskip("onnxruntime")
    pytest.importorskip("onnx")
    evaluator = OnnxEvaluator(NETWORK)
    planes = (np.random.default_rng(1).random((70, *GAME.plane_shape)) < 0.4).astype(np.float32)
    logits, values = evaluator(planes)
    for n in (1, 2, 3, 5, 8, 17, 33, 64):
        some = evaluator(planes[2 : 2 + n])
        assert np.array_equal(some[0], logits[2 : 2 + n])
        assert np.array_equal(some[1], values[2 : 2 + n])


@pytest.mark.long
def test_ctrl_c_ends_it_and_the_same_call_goes_on(nodes, tmp_path):
    """It comes while outcomes are waited for, and again; what comes of it is the same training."""
    path = tmp_path / "m.safetensors"
    for lot in (5, 45):
        count = [0]

        def before(actor, name, lot=lot, count=count):
            count[0] += name == "do"
            if name == "do" and count[0] == lot:
                os.kill(os.getpid(), signal.SIGINT)

        nodes.before_call = before
        result = po.train(GAME, TINY, out=path, cluster="auto")
        assert (result.stopped_by, len(result.log)) == ("interrupt", lot // 40)
        for actor in nodes.actors:
            nodes.kill(actor)
    del nodes.before_call
    there = trained(path, TINY, cluster="auto")
    assert there == trained(tmp_path / "here.safetensors", TINY)


def test_a_node_with_another_network_runtime_is_named_and_not_used(nodes, tmp_path, monkeypatch):
    said = PlayingEpisodes.said_of_start
    told = []

    def otherwise(recipe, evaluator):
        told.append(said(recipe, evaluator))
        return told[-1] if len(told) == 1 else (b"", b"")  # the head is the first to say it

    monkeypatch.setattr(PlayingEpisodes, "said_of_start", otherwise)
    with (
        pytest.warns(ClusterWarning, match="does not come to the head's bits with this network"),
        pytest.raises(ClusterError, match=r"no node can be used: node .*another version of"),
    ):
        po.train(GAME, TINY, out=tmp_path / "m.safetensors", cluster="auto")
