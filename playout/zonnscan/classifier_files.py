"""Classifiers and inputs from files, none of which is unpickled.

A classifier is an ONNX file (needs ONNX Runtime), or a name in a Python file: a PyTorch module, a
class or function that makes one, whose weights are in a safetensors file, or a function from arrays
to arrays. An input is an array in a `.npy` or an IDX file; `FILE#3` is the third of several.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from playout.errors import DataError, OptionError, PlayoutError, nearest
from playout.learn.networks.torch_device import LearnError, need_torch
from playout.text.array_files import read_array
from playout.zonnscan.images import read_idx

PICKLES = (".pt", ".pth", ".pkl", ".pickle", ".ckpt", ".bin", ".joblib")


def load_classifier(text: str, weights: str | None = None) -> Any:
    """The classifier that a text names: `model.onnx`, or `file.py:NAME`, with weights."""
    if text.endswith(".onnx"):
        if weights is not None:
            raise OptionError("an ONNX file has its weights in it: leave out --weights")
        return _onnx(text)
    path, _, name = text.rpartition(":")
    if not path.endswith(".py"):
        raise OptionError(f"{text!r} is no model: {_why(text)}")
    from playout.text.user_files import load_module

    module = load_module(path)
    if not hasattr(module, name):
        names = [key for key, value in vars(module).items() if callable(value)]
        raise DataError(f"{path} has no {name!r}; {nearest(name, names)}")
    found = getattr(module, name)
    if _makes(found, weights):
        try:
            found = found()
        except PlayoutError:
            raise
        except Exception as error:
            raise DataError(f"{text}: {type(error).__name__}: {error}") from None
    if weights is not None:
        _set_weights(found, text, weights)
    if not callable(found):
        raise DataError(f"{text} is no classifier: it should be a PyTorch module or a function")
    return found


def _why(text: str) -> str:
    if Path(text).suffix.lower() in PICKLES:
        return (
            "such a file can hold any program, and is not read; save the weights with "
            "safetensors and name the network as file.py:NAME, or export it to model.onnx"
        )
    return "give model.onnx, or file.py:NAME with --weights FILE.safetensors"


def _makes(found: Any, weights: str | None) -> bool:
    """Whether it makes a module, rather than being one or a function of inputs."""
    if inspect.isclass(found):
        return True
    if not inspect.isfunction(found):
        return False
    parameters = inspect.signature(found).parameters.values()
    return weights is not None or all(p.default is not p.empty for p in parameters)


def _set_weights(module: Any, text: str, weights: str) -> None:
    need_torch()
    try:
        from safetensors import SafetensorError
        from safetensors.torch import load_file
    except ImportError:
        raise LearnError("weights need safetensors: pip install 'playout[learn]'") from None
    if not hasattr(module, "load_state_dict"):
        raise OptionError(f"{text} is no PyTorch module: it has no weights to set")
    if not Path(weights).is_file():
        raise DataError(f"cannot read {weights}: there is no such file")
    try:
        tensors = load_file(weights)
    except SafetensorError:
        raise DataError(f"{weights} is not a safetensors file") from None
    try:
        module.load_state_dict(tensors)
    except RuntimeError as error:
        reason = " ".join(str(error).split())[:200]
        raise DataError(f"the weights in {weights} are not those of {text}: {reason}") from None


def _onnx(path: str) -> Callable[[np.ndarray], np.ndarray]:
    try:
        import onnxruntime
    except ImportError:
        raise LearnError("ONNX files need ONNX Runtime: pip install onnxruntime") from None
    if not Path(path).is_file():
        raise DataError(f"cannot read {path}: there is no such file")
    settings = onnxruntime.SessionOptions()
    settings.log_severity_level = 4  # what it has to say is in its exceptions
    try:
        session = onnxruntime.InferenceSession(path, settings, providers=["CPUExecutionProvider"])
    except Exception:
        raise DataError(f"{path} is not an ONNX model that can be run here") from None
    inputs = session.get_inputs()
    if len(inputs) != 1:
        raise DataError(f"{path} takes {len(inputs)} inputs; a classifier takes one")
    name = inputs[0].name

    def run(x: np.ndarray) -> np.ndarray:
        try:
            found: np.ndarray = session.run(None, {name: x})[0]
        except Exception as error:
            reason = " ".join(str(error).split())[:200]
            raise DataError(f"{path} does not take inputs of {x.shape}: {reason}") from None
        return found

    return run


def load_input(text: str) -> np.ndarray:
    """The input that a text names: an array in a file, or `FILE#N`, its N-th line from 1.

    Whole numbers from 0 to 255, as images have them, are scaled to 0 to 1.
    """
    path, sign, number = text.rpartition("#")
    path = path if sign else text
    if Path(path).suffix.lower() in PICKLES:
        raise OptionError(f"{path}: {_why(path)}")
    values = _array(path)
    if sign:
        if not number.isdecimal() or not 1 <= int(number) <= len(values):
            raise DataError(f"{text}: give a number from 1 to {len(values)} behind the #")
        values = values[int(number) - 1]
    if values.dtype.kind not in "fiub":
        raise DataError(f"{path} has no numbers: its type is {values.dtype}")
    if values.dtype == np.uint8:
        return values / 255.0
    return values.astype(float)


def _array(path: str) -> np.ndarray:
    if not Path(path).is_file():
        raise DataError(f"cannot read {path}: there is no such file")
    found = read_array(Path(path)) if path.endswith(".npy") else read_idx(path)
    if not found.size or not found.ndim:
        raise DataError(f"{path} has no input in it: its shape is {found.shape}")
    return found
