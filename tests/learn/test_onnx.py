"""Networks by ONNX Runtime: what PyTorch says, within rounding."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from playout.learn.networks.network_shape import Shape, shape_of
from playout.learn.networks.torch_device import LearnError
from playout.learn.policy_iteration.policy_mcts import PolicyMCTS
from playout.problems import SameGame

torch = pytest.importorskip("torch")
pytest.importorskip("onnxruntime")
pytest.importorskip("onnx")

from playout.learn.inference.evaluators import Evaluator  # noqa: E402
from playout.learn.inference.onnx_evaluator import OnnxEvaluator, evaluator_on, onnx_model  # noqa: E402
from playout.learn.networks.model_file import save_model  # noqa: E402
from playout.learn.networks.policy_network import new_network  # noqa: E402
from playout.learn.networks.residual_network import ResidualNetwork  # noqa: E402


def residual():
    """A network whose batch normalisation does something."""
    network = ResidualNetwork(Shape(3, 3, 4, 9), filters=8, blocks=2)
    torch.manual_seed(1)
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            torch.nn.init.uniform_(module.running_var, 0.5, 2.0)
            for values in (module.running_mean, module.weight, module.bias):
                torch.nn.init.normal_(values)
    return network.eval()


@pytest.mark.parametrize(
    "network",
    [
        new_network(Shape(6, 4, 5, 20), filters=8),
        new_network(Shape(2, 1, 2, 3), filters=4, value=True),  # nothing to take off the sides
        new_network(Shape(3, 7, 4, 5), filters=8, value=True),
        residual(),
    ],
    ids=["policy", "tiny", "value", "residual"],
)
@pytest.mark.parametrize("batch", [1, 5])
def test_the_outputs_are_those_of_pytorch(network, batch):
    shape = network.shape
    size = (batch, shape.planes, shape.rows, shape.columns)
    planes = np.random.default_rng(batch).normal(size=size).astype(np.float32)
    theirs, ours = Evaluator(network, "cpu")(planes), OnnxEvaluator(network)(planes)
    if not network.value:
        theirs, ours = (theirs,), (ours,)
    assert np.ptp(theirs[0]) > 1e-3  # not all the same
    for one, other in zip(ours, theirs, strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-5)


def test_it_is_the_default_on_a_cpu(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: False)
    network = residual()
    assert isinstance(evaluator_on(network, "auto"), OnnxEvaluator)
    assert isinstance(evaluator_on(network, "cpu"), Evaluator)
    monkeypatch.setattr("playout.learn.inference.onnx_evaluator.find_spec", lambda name: None)
    assert isinstance(evaluator_on(network, "auto"), Evaluator)


def test_the_model_is_what_onnx_checks():
    import onnx

    model = onnx.load_from_string(onnx_model(residual()))
    onnx.checker.check_model(model, full_check=True)
    assert [value.name for value in model.graph.output] == ["logits", "values"]


def test_a_search_takes_it_as_its_device(tmp_path, monkeypatch):
    problem = SameGame.random(1, rows=4, columns=5, colours=3)
    network = new_network(shape_of(problem), filters=8)
    path = tmp_path / "m.safetensors"
    save_model(path, network, {"c_puct": 3.0}, half=False)
    search = PolicyMCTS(model=str(path), device="onnx", leaves=4).start(problem, 1)
    assert isinstance(search.evaluator, OnnxEvaluator)
    search.inputs[:] = np.random.default_rng(1).random(search.inputs.shape)
    search.evaluator.submit(search.inputs[:3], search.outputs[:3]).wait()
    expected = Evaluator(network, "cpu")(search.inputs[:3])
    np.testing.assert_allclose(search.outputs[:3], expected, rtol=1e-4, atol=1e-5)
    assert search.evaluator.evaluations == 3
    assert isinstance(evaluator_on(network, "cpu"), Evaluator)
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(LearnError, match=r"pip install 'playout\[onnx\]'"):
        evaluator_on(network, "onnx")
