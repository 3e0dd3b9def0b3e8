"""Networks by ONNX Runtime on a CPU, in place of PyTorch: the same outputs within rounding.

A network is written as an ONNX model here, with nothing but its weights: the format is a protocol
buffer of a few messages, and our networks have a few kinds of layers. Batch normalisation is put
into the convolution before it.

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
OPSET = 13
VERSION = 8  # of the format
INPUT, LOGITS, VALUES = "planes", "logits", "values"
TENSOR_TYPES = {np.dtype(np.float32): 1, np.dtype(np.int64): 7}
FLOAT = TENSOR_TYPES[np.dtype(np.float32)]
ATTRIBUTE_INT, ATTRIBUTE_INTS = 2, 7


def evaluator_on(network: Any, device: str) -> Any:
    """An evaluator for searches: by ONNX Runtime on device `onnx`, else by PyTorch.

    `auto` is a GPU where there is one, else ONNX Runtime where it is installed, else PyTorch.
    """
    if device == "auto" and device_of(device).type == "cpu" and find_spec("onnxruntime"):
        device = ONNX
    return OnnxEvaluator(network) if device == ONNX else Evaluator(network, device)


class OnnxEvaluator:
    """Evaluates planes with a network by ONNX Runtime, as `evaluators.Evaluator` does by PyTorch.

    It has as many threads as PyTorch has.
    """

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
    """The module `onnxruntime`."""
    try:
        import onnxruntime
    except ImportError:
        raise LearnError("device onnx needs ONNX Runtime: pip install 'playout[onnx]'") from None
    return onnxruntime


def onnx_model(network: Any) -> bytes:
    """A network of ours as an ONNX model: planes in, logits and perhaps values out."""
    graph = _Graph()
    graph.network(network.eval())
    shape = network.shape
    outputs = [_value_info(LOGITS, [None, shape.outputs])]
    if getattr(network, "value", False):
        outputs.append(_value_info(VALUES, [None, 1]))
    body = b"".join(
        [
            *(_message(1, node) for node in graph.nodes),
            _text(2, network.kind),
            *(_message(5, tensor) for tensor in graph.tensors),
            _message(11, _value_info(INPUT, [None, shape.planes, shape.rows, shape.columns])),
            *(_message(12, output) for output in outputs),
        ]
    )
    opset = _text(1, "") + _number(2, OPSET)
    return _number(1, VERSION) + _text(2, "playout") + _message(7, body) + _message(8, opset)


class _Graph:
    """The nodes and the weights of a network, as messages."""

    def __init__(self) -> None:
        self.nodes: list[bytes] = []
        self.tensors: list[bytes] = []

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
        for place, module in enumerate(modules):
            out = last if place == len(modules) - 1 else ""
            following = modules[place + 1] if place + 1 < len(modules) else None
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
        name = f"w{len(self.tensors)}"
        kind = TENSOR_TYPES[array.dtype]
        content = array.astype(array.dtype.newbyteorder("<")).tobytes()
        sizes = b"".join(_number(1, size) for size in array.shape)
        self.tensors.append(sizes + _number(2, kind) + _text(8, name) + _message(9, content))
        return name

    def add(self, kind: str, inputs: list[str], out: str = "", **attributes: Any) -> str:
        """A node; the name of what comes out."""
        out = out or f"x{len(self.nodes)}"
        parts = [_text(1, name) for name in inputs] + [_text(2, out), _text(4, kind)]
        for name, value in attributes.items():
            if isinstance(value, list):
                content = b"".join(_number(8, number) for number in value)
                content += _number(20, ATTRIBUTE_INTS)
            else:
                content = _number(3, value) + _number(20, ATTRIBUTE_INT)
            parts.append(_message(5, _text(1, name) + content))
        self.nodes.append(b"".join(parts))
        return out


# protocol buffers: a field is a key, which has its number and kind, and its content


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def _number(field: int, number: int) -> bytes:
    return _varint(field << 3) + _varint(number)


def _message(field: int, content: bytes) -> bytes:
    return _varint(field << 3 | 2) + _varint(len(content)) + content


def _text(field: int, text: str) -> bytes:
    return _message(field, text.encode())


def _value_info(name: str, sizes: list[int | None]) -> bytes:
    """A float tensor by its name and sizes; None is the size of the batch."""
    dims = b"".join(
        _message(1, _text(2, "batch") if size is None else _number(1, size)) for size in sizes
    )
    tensor = _number(1, FLOAT) + _message(2, dims)
    return _text(1, name) + _message(2, _message(1, tensor))
