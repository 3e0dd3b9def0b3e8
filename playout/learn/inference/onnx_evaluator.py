"""Networks by ONNX Runtime on a CPU, in place of PyTorch: the same outputs within rounding.

A network is written as an ONNX model by `onnx.helper`, layer by layer: ours have a few kinds
of them. Batch normalisation is put into the convolution before it.

It is the default on a CPU where it is installed. On one core it evaluates the small residual
networks of games 1.6 (batches of 64) to 8 times (single positions) as fast as PyTorch, the larger
policies 1.0 to 1.8 times (`python -m bench.learn runtimes`); with several threads on a machine that
has other work, PyTorch's threads wait for one another much longer.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from playout.learn.inference.evaluators import Evaluator
from playout.learn.networks.torch_device import LearnError, device_of, need_torch

ONNX = "onnx"  # the device that is the CPU by ONNX Runtime
OPSET, VERSION = 13, 8  # of the operators, and of the format
INPUT, LOGITS, VALUES = "planes", "logits", "values"


def evaluator_on(network: Any, device: str) -> Any:
    """An evaluator for searches: by ONNX Runtime on device `onnx`, else by PyTorch.

    `auto` is a GPU where there is one, else ONNX Runtime where it is installed, else PyTorch.
    """
    if device == "auto" and device_of(device).type == "cpu" and find_spec("onnxruntime"):
        device = ONNX if find_spec("onnx") else device
    return OnnxEvaluator(network) if device == ONNX else Evaluator(network, device)


def cpu_device(device: str) -> str:
    """Where other machines, which are asked for CPUs alone, evaluate what is evaluated here."""
    has_onnx = find_spec("onnxruntime") and find_spec("onnx")
    return ONNX if has_onnx and device != "cpu" else "cpu"


class OnnxEvaluator:
    """Evaluates planes with a network by ONNX Runtime, as `evaluators.Evaluator` does by PyTorch.

    It has as many threads as PyTorch has.
    """

    same_in_any_batch = True  # what a position comes to, to the bit

    def __init__(self, network: Any) -> None:
        runtime = need_onnxruntime()
        options = runtime.SessionOptions()
        options.intra_op_num_threads = need_torch().get_num_threads()
        # threads that wait must not take the cores from those that play
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self.device = device_of("cpu")
        self.evaluations = 0
        self.busy = 0.0
        self._shape = network.shape
        self._value = bool(getattr(network, "value", False))
        self._session = runtime.InferenceSession(
            onnx_model(network), options, providers=["CPUExecutionProvider"]
        )

    def __call__(self, planes: np.ndarray) -> Any:
        """The logits of a batch of planes, float32; with a value head, a pair with the values."""
        logits = np.zeros((len(planes), self._shape.outputs), np.float32)
        values = np.zeros(len(planes), np.float32)
        self.submit(planes, logits, values)
        return (logits, values) if self._value else logits

    def submit(self, planes: np.ndarray, logits: np.ndarray, values: Any = None) -> Finished:
        """Evaluate a batch of float32 planes into float32 arrays."""
        self.evaluations += len(planes)
        if len(planes):
            found = self._session.run(None, {INPUT: planes})
            logits[:] = found[0]
            if self._value:
                values[:] = found[1][:, 0]
        return Finished()


class Finished:
    """A batch whose outputs are there."""

    def ready(self) -> bool:
        """Always."""
        return True

    def wait(self) -> None:
        """Return at once."""


def need_onnxruntime() -> Any:
    """The module `onnxruntime`; `onnx`, which writes its models, comes with the same extra."""
    try:
        import onnx  # noqa: F401
        import onnxruntime
    except ImportError:
        raise LearnError("device onnx needs ONNX Runtime: pip install 'playout[onnx]'") from None
    return onnxruntime


def onnx_model(network: Any) -> bytes:
    """A network of ours as an ONNX model: planes in, logits and perhaps values out."""
    from onnx import helper

    graph = _Graph()
    graph.network(network.eval())
    shape = network.shape
    planes = _values(INPUT, "batch", shape.planes, shape.rows, shape.columns)
    outputs = [_values(LOGITS, "batch", shape.outputs)]
    if getattr(network, "value", False):
        outputs.append(_values(VALUES, "batch", 1))
    body = helper.make_graph(graph.nodes, network.kind, [planes], outputs, graph.tensors)
    opset = helper.make_opsetid("", OPSET)
    model = helper.make_model(
        body, opset_imports=[opset], ir_version=VERSION, producer_name="playout"
    )
    content: bytes = model.SerializeToString()
    return content


def _values(name: str, *sizes: int | str) -> Any:
    """A float tensor by its name and sizes; a text stands for a size that is not fixed."""
    from onnx import TensorProto, helper

    return helper.make_tensor_value_info(name, TensorProto.FLOAT, sizes)


class _Graph:
    """The nodes and the weights of a network, as ONNX has them."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.tensors: list[Any] = []

    def network(self, network: Any) -> None:
        if network.kind == "policy13":
            features = self.add("Flatten", [self.layers(network.body, INPUT)])
            self.linear(network.policy, features, LOGITS)
            if network.value:
                self.layers(network.value_head, features, VALUES)
            return
        here = self.add("Relu", [self.layers(network.stem, INPUT)])
        for block in network.body:
            inner = self.add("Relu", [self.layers(block.first, here)])
            here = self.add("Relu", [self.add("Add", [here, self.layers(block.second, inner)])])
        for plane, layer, last in (
            (network.policy_plane, network.policy, LOGITS),
            (network.value_plane, network.value_out, ""),
        ):
            seen = self.add("Flatten", [self.add("Relu", [self.layers(plane, here)])])
            out = self.linear(layer, seen, last)
        self.add("Tanh", [out], VALUES)

    def layers(self, sequence: Any, here: str, last: str = "") -> str:
        """One layer after another; the name of what comes out."""
        from torch import nn

        modules = list(sequence)
        for module, following in zip(modules, [*modules[1:], None], strict=True):
            out = "" if following is not None else last
            if isinstance(module, nn.ZeroPad2d):
                left, right, top, bottom = module.padding
                pads = np.array([0, 0, top, left, 0, 0, bottom, right], np.int64)
                here = self.add("Pad", [here, self.weights(pads)], out)
            elif isinstance(module, nn.Conv2d):
                norm = following if isinstance(following, nn.BatchNorm2d) else None
                here = self.convolution(module, norm, here, out)
            elif isinstance(module, nn.Linear):
                here = self.linear(module, here, out)
            elif not isinstance(module, nn.BatchNorm2d):
                here = self.add({nn.ELU: "Elu", nn.Tanh: "Tanh"}[type(module)], [here], out)
        return here

    def convolution(self, layer: Any, norm: Any, here: str, out: str) -> str:
        weight = layer.weight.detach().double().numpy()
        bias = np.zeros(len(weight)) if layer.bias is None else layer.bias.detach().double().numpy()
        if norm is not None:
            mean, variance, factor, shift = (
                value.detach().double().numpy()
                for value in (norm.running_mean, norm.running_var, norm.weight, norm.bias)
            )
            scale = factor / np.sqrt(variance + norm.eps)
            weight, bias = weight * scale[:, None, None, None], shift + (bias - mean) * scale
        names = [self.weights(value.astype(np.float32)) for value in (weight, bias)]
        rows, columns = layer.padding
        return self.add("Conv", [here, *names], out, pads=[rows, columns, rows, columns])

    def linear(self, layer: Any, here: str, out: str = "") -> str:
        names = [self.weights(layer.weight.detach().float().numpy())]
        if layer.bias is not None:
            names.append(self.weights(layer.bias.detach().float().numpy()))
        return self.add("Gemm", [here, *names], out, transB=1)

    def weights(self, array: np.ndarray) -> str:
        """A tensor of the model; its name."""
        from onnx import numpy_helper

        name = f"w{len(self.tensors)}"
        self.tensors.append(numpy_helper.from_array(array, name))
        return name

    def add(self, kind: str, inputs: list[str], out: str = "", **attributes: Any) -> str:
        """A node; the name of what comes out."""
        from onnx import helper

        out = out or f"x{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [out], **attributes))
        return out
