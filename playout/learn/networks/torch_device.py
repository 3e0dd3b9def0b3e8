"""PyTorch and the device to compute on: one clear line where they are not there.

The extra `learn` is optional; nothing outside this package imports PyTorch.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from playout.errors import OptionError, PlayoutError

DEVICES = "auto, cpu, cuda, cuda:1 or mps; in a search also onnx"


class LearnError(PlayoutError):
    """Something that learning needs is not there."""


def need_torch() -> Any:
    """The module `torch`."""
    try:
        return import_module("torch")
    except ImportError:
        raise LearnError("networks need PyTorch: pip install 'playout[learn]'") from None


def device_of(name: str) -> Any:
    """The device that a name asks for; `auto` is a GPU where there is one, else the CPU."""
    torch = need_torch()
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        raise OptionError(f"device {name!r}: {DEVICES}") from None
    if device.type == "cuda":
        if not torch.cuda.is_available():
            raise LearnError(f"device {name}: there is no GPU that PyTorch can use here")
        if device.index is not None and device.index >= torch.cuda.device_count():
            raise LearnError(f"device {name}: there are {torch.cuda.device_count()} GPUs here")
    elif device.type == "mps":
        if not torch.backends.mps.is_available():
            raise LearnError(f"device {name}: there is no such GPU here")
    elif device.type != "cpu":
        raise OptionError(f"device {name!r}: {DEVICES}")
    return device
