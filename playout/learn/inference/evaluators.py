"""Batched evaluation: planes in, logits (and values) out, on a CPU or a GPU.

`submit` begins a batch and returns at once where the device is a GPU, so that compiled code goes on
selecting and backing up while the device computes; `wait` on what it returns ends it. On a GPU the
network runs in `bfloat16` with its small steps fused (`fused_network.py`), and batches travel
through pinned memory on a stream of their own. All but the largest batches, whose many short
kernels would take longer to launch than to run, are padded to one of a few sizes and launched as
one graph. A batch that does not fit in the GPU's memory is halved, and said so.
"""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np

from playout.learn.networks.torch_device import LearnError, device_of, need_torch

MOST_AT_ONCE = 16_384  # positions of one pass through the network
LEAST_AT_ONCE = 64  # a network that has no memory for these has no memory
FUSED = "policy13"  # the kind of network that `fused` knows
GRAPH_MOST = 4096  # positions of the largest batch that is a graph


class Evaluator:
    """Evaluates planes with a network on a device.

    `evaluations` counts positions; with `timed`, `busy` is the seconds that the GPU has computed.
    """

    same_in_any_batch = False  # the last bits hang on how many positions there are

    def __init__(
        self, network: Any, device: str = "auto", *, most: int = MOST_AT_ONCE, timed: bool = False
    ) -> None:
        torch = need_torch()
        self.device = device_of(device)
        self.evaluations = 0
        self.busy = 0.0
        self._most = most
        self._value = bool(getattr(network, "value", False))
        on_gpu = self.device.type == "cuda"
        self._timed = timed and on_gpu
        self._type = torch.bfloat16 if on_gpu else torch.float32
        self._stream = torch.cuda.Stream(self.device) if on_gpu else None
        copied = copy.deepcopy(network).eval()
        layout = torch.channels_last
        self._network = copied.to(self.device, self._type, memory_format=layout)
        self._graphs: dict[int, Any] | None = None  # by the size of the batch
        self._graph_memory: Any = (
            None  # memory that the graphs share: they never run at the same time
        )
        if on_gpu:
            self._prepare()

    def _prepare(self) -> None:
        """What a GPU computes faster; where that fails, it computes as it did."""
        torch = need_torch()
        if self._network.kind == FUSED:
            try:
                from playout.learn.inference.fused_network import fused

                found = fused(self._network).to(memory_format=torch.channels_last)
                with torch.inference_mode():
                    found(self._blank(2))
                self._network = found
            except Exception as error:  # Triton has errors of its own, and they change
                warnings.warn(f"the network computes without Triton: {error}", stacklevel=2)
        self._graphs, self._graph_memory = {}, torch.cuda.graph_pool_handle()
        torch.cuda.synchronize(self.device)

    def _blank(self, n: int) -> Any:
        torch, shape = need_torch(), self._network.shape
        return torch.zeros(
            (n, shape.planes, shape.rows, shape.columns), dtype=self._type, device=self.device
        ).to(memory_format=torch.channels_last)

    def __call__(self, planes: np.ndarray) -> Any:
        """The logits of a batch of planes, float32; with a value head, a pair with the values."""
        logits = np.zeros((len(planes), self._network.shape.outputs), np.float32)
        values = np.zeros(len(planes), np.float32)
        self.submit(planes, logits, values).wait()
        return (logits, values) if self._value else logits

    def submit(self, planes: np.ndarray, logits: np.ndarray, values: Any = None) -> Batch:
        """Begin to evaluate a batch of float32 planes into float32 arrays.

        The arrays must be left alone until `wait`. On a GPU, `pinned_zeros` are the fastest.
        """
        torch = need_torch()
        self.evaluations += len(planes)
        x = torch.from_numpy(planes)
        out = [torch.from_numpy(logits)]
        if self._value:
            out.append(torch.from_numpy(values))
        if self._stream is None:
            self._pass(x, out)
            return Batch(self, None, None)
        with torch.cuda.stream(self._stream):
            begin = torch.cuda.Event(enable_timing=self._timed)
            end = torch.cuda.Event(enable_timing=self._timed)
            begin.record(self._stream)
            self._pass(x, out)
            end.record(self._stream)
        return Batch(self, begin if self._timed else None, end)

    def _pass(self, x: Any, out: list[Any]) -> None:
        """The network over a batch, in parts that fit."""
        torch = need_torch()
        first = 0
        while first < len(x):
            last = min(first + self._most, len(x))
            try:
                with torch.inference_mode():
                    found = self._found(x[first:last])
                    for target, source in zip(out, found, strict=True):
                        target[first:last].copy_(source, non_blocking=True)
            except torch.OutOfMemoryError:
                if last - first <= LEAST_AT_ONCE:
                    raise LearnError("the GPU has not enough memory for this network") from None
                torch.cuda.empty_cache()
                self._most = (last - first) // 2
                warnings.warn(
                    f"the GPU's memory is full: batches of at most {self._most} from here on",
                    stacklevel=2,
                )
                continue
            first = last

    def _found(self, x: Any) -> list[Any]:
        """What the network makes of planes on the CPU: float32 on the device."""
        n = len(x)
        if self._graphs is None or n > GRAPH_MOST:
            return self._compute(x.to(self.device, non_blocking=True))
        size = graph_size(n)
        if size not in self._graphs:
            self._graphs[size] = self._capture(size)
        graph, planes, found = self._graphs[size]
        planes[:n].copy_(x, non_blocking=True)
        graph.replay()
        return [source[:n] for source in found]

    def _compute(self, planes: Any) -> list[Any]:
        torch = need_torch()
        found = self._network(planes.to(self._type, memory_format=torch.channels_last))
        return [source.float() for source in (found if self._value else (found,))]

    def _capture(self, size: int) -> tuple[Any, Any, list[Any]]:
        """The network over so many positions as a graph, where they go, and what comes out."""
        torch = need_torch()
        planes = self._blank(size).float().contiguous()
        for _ in range(2):
            self._compute(planes)
        torch.cuda.synchronize(self.device)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(
            graph, pool=self._graph_memory, stream=self._stream, capture_error_mode="thread_local"
        ):
            found = self._compute(planes)
        return graph, planes, found


class Batch:
    """A batch that is being evaluated."""

    def __init__(self, evaluator: Evaluator, begin: Any, end: Any) -> None:
        self._evaluator, self._begin, self._end = evaluator, begin, end

    def ready(self) -> bool:
        """Whether the outputs are there."""
        return self._end is None or bool(self._end.query())

    def wait(self) -> None:
        """Return when the outputs are there."""
        if self._end is not None:
            self._end.synchronize()
        if self._begin is not None:
            self._evaluator.busy += self._begin.elapsed_time(self._end) / 1000


def graph_size(n: int) -> int:
    """The size that a batch is padded to: four of them to each doubling.

    >>> [graph_size(n) for n in (1, 2, 3, 7, 8, 9, 17, 33, 100, 1025)]
    [1, 2, 3, 7, 8, 10, 20, 40, 112, 1280]
    """
    step = max(1, (1 << (n - 1).bit_length()) // 8)
    return -(-n // step) * step


def pinned_zeros(shape: tuple[int, ...], device: Any) -> np.ndarray:
    """An array of float32 zeros that a GPU can read and write directly."""
    torch = need_torch()
    if device.type == "cuda":
        pinned: np.ndarray = torch.zeros(shape, dtype=torch.float32, pin_memory=True).numpy()
        return pinned
    return np.zeros(shape, np.float32)
