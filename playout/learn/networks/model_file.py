"""Model files: the weights of a network in safetensors, with all that should be known of them.

The metadata is one JSON text: the format, the network's description, a digest of it all, and
`about`: what it is for (problem, options), how it was trained (method, settings, generations,
seconds), by which version, and its scores. Weights are half precision unless told otherwise.
Reading one executes nothing.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playout._version import __version__
from playout.contract import Game
from playout.errors import DataError
from playout.learn.networks.network_shape import Shape
from playout.learn.networks.torch_device import LearnError, need_torch
from playout.text.input_files import ordinary, read_bytes
from playout.text.output_files import write_atomically

FORMAT = "playout-model-1"
MOST_BYTES = 1 << 30  # of a file


@dataclass
class Model:
    """A network with what is known of it."""

    network: Any
    about: dict[str, Any]

    @property
    def shape(self) -> Shape:
        """What the network sees and says."""
        shape: Shape = self.network.shape
        return shape


def save_model(path: str | Path, network: Any, about: dict[str, Any], *, half: bool = True) -> None:
    """Write a model, whole or not at all.

    `about` is plain data; `problem` in it is the name that `load_model` compares.
    """
    torch = need_torch()
    weights = {
        name: value.detach().to("cpu", torch.float16 if half else torch.float32).contiguous()
        for name, value in network.state_dict().items()
    }
    about = {"version": __version__, **about}
    save_tensors(path, weights, {"network": network.description(), "about": about})


def save_tensors(path: str | Path, tensors: dict[str, Any], header: dict[str, Any]) -> None:
    """Write tensors and a header that `read_tensors` reads, whole or not at all."""
    safetensors = need_safetensors()
    header = json.loads(json.dumps({"format": FORMAT, **header}))
    header["digest"] = _digest(header, safetensors.save(tensors))
    write_atomically(Path(path), safetensors.save(tensors, {"playout": json.dumps(header)}))


def load_model(path: str | Path, problem: Game | None = None) -> Model:
    """Read a model, in single precision on the CPU; DataError if it is none, or for another shape.

    With `problem`, its planes and outputs must be those of the model.
    """
    torch = need_torch()
    from playout.learn.networks.policy_network import network_from  # which is PyTorch all through

    header, weights = read_tensors(path)
    with torch.device("meta"):  # a description may be of any size: it has to fit the weights
        described = network_from(header["network"]).state_dict()
    if {n: v.shape for n, v in described.items()} != {n: v.shape for n, v in weights.items()}:
        raise DataError(f"{path}: the weights are not those of the network it names")
    network = network_from(header["network"])
    try:
        network.load_state_dict({name: value.to(torch.float32) for name, value in weights.items()})
    except RuntimeError:
        raise DataError(f"{path}: the weights are not those of the network it names") from None
    model = Model(network.eval(), dict(header["about"]))
    if problem is not None:
        check_fits(model, problem, str(path))
    return model


def check_fits(model: Model, problem: Game, name: str) -> None:
    """Refuse a model for other planes or outputs than the problem's."""
    from playout.learn.networks.network_shape import shape_of

    wanted = shape_of(problem)
    if model.shape != wanted:
        what = model.about.get("problem", "another problem")
        raise DataError(
            f"{name} is a model of {what} for {model.shape}; this {type(problem).__name__} has "
            f"{wanted}"
        )


def read_tensors(path: str | Path) -> tuple[dict[str, Any], dict[str, Any]]:
    """The header and the tensors of a model file."""
    safetensors = need_safetensors()
    read_header(path)  # before all of a file that is no model
    try:
        content = read_bytes(path, MOST_BYTES)
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    header = read_header(path, content)
    saved = header.pop("digest", None)  # a model of an older version has none
    if saved is not None and saved != _digest(header, content):
        raise DataError(f"{path} is damaged: it is not what was saved; get or train it again")
    try:
        return header, safetensors.load(content)
    except Exception:
        raise DataError(f"{path} is damaged") from None


def _digest(header: dict[str, Any], content: bytes) -> str:
    """A digest of a model: of our header, and of all tensors of a safetensors file."""
    start = 8 + int.from_bytes(content[:8], "little")
    tensors = json.loads(content[8:start])
    tensors.pop("__metadata__", None)
    text = json.dumps([header, tensors], sort_keys=True)
    return hashlib.blake2b(text.encode() + content[start:], digest_size=16).hexdigest()


def read_header(path: str | Path, content: bytes | None = None) -> dict[str, Any]:
    """What a model file says of itself, without its weights and without PyTorch."""
    try:
        if content is None:
            ordinary(path)
            with Path(path).open("rb") as file:
                length = int.from_bytes(file.read(8), "little")
                text = file.read(length) if length < 1 << 24 else b""
        else:
            text = content[8 : 8 + int.from_bytes(content[:8], "little")]
        header = json.loads(json.loads(text)["__metadata__"]["playout"])
        parts = [header[name] for name in ("about", "network")]
        if header["format"] != FORMAT or not all(isinstance(part, dict) for part in parts):
            raise ValueError
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise DataError(f"{path} is not a model that playout saved ({FORMAT})") from None
    return dict(header)


def need_safetensors() -> Any:
    """The module `safetensors.torch`."""
    try:
        import safetensors.torch
    except ImportError:
        raise LearnError("model files need safetensors: pip install 'playout[learn]'") from None
    return safetensors.torch
