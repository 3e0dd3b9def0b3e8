"""A step of training that a GPU runs as one graph.

The launches of a step's hundred small kernels would take longer than the kernels. So after a few
steps a whole one is captured as a graph, and from then on each is a single launch.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import torch

WARM_UP = 3  # steps before one is captured


class CapturedStep:
    """Calls `compute`, on a GPU through a graph of it if that can be had.

    `compute` reads and writes tensors that stay where they are, and ends with the optimiser's step;
    `clear` forgets the gradients, whose memory belongs to the graph.
    """

    def __init__(
        self, compute: Callable[[], None], clear: Callable[[], None], graphs: bool
    ) -> None:
        self._compute, self._clear, self._graphs = compute, clear, graphs
        self._graph: Any = None
        self._warm = 0

    def __call__(self) -> None:
        if not self._graphs:
            self._compute()
        elif self._graph is not None:
            self._graph.replay()
        elif self._warm < WARM_UP:
            self._warm += 1
            stream = torch.cuda.Stream()
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream):
                self._compute()
            torch.cuda.current_stream().wait_stream(stream)
        else:
            self._capture()

    def _capture(self) -> None:
        """Capture a step as a graph, and launch it for this one."""
        graph = torch.cuda.CUDAGraph()
        self._clear()
        try:
            with torch.cuda.graph(graph):
                self._compute()
        except RuntimeError as error:
            warnings.warn(f"training without graphs: {error}", stacklevel=2)
            self._graphs = False
            torch.cuda.synchronize()
            self._compute()
            return
        self._graph = graph
        graph.replay()
