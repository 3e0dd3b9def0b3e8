"""zoNNscan: how undecided a classifier is in a zone around an input.

A. Jaouen and E. Le Merrer, zoNNscan: A Boundary-Entropy Index for Zone Inspection of Neural Models.
The index is the mean entropy, to the base of the number of classes, of the confidences in the
hypercube of a radius around an input, cut to the space of inputs: 0 where every input of the zone
has one sure class, 1 where nothing is known anywhere. It is estimated by uniform samples.

A classifier is a PyTorch module, or a function from an array of inputs to an array of outputs, one
line each. Nothing here imports PyTorch unless a module is given.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from playout.errors import OptionError

SAMPLES = 1000
BATCH = 1024
KINDS = ("auto", "logits", "confidences")


@dataclass(frozen=True)
class Scan:
    """What was found in a zone.

    `index` is the zoNNscan index and `error` its standard error; `confidences` are the mean
    confidences of the classes, `confidence_errors` their standard errors.
    """

    radius: float
    samples: int
    index: float
    error: float
    confidences: np.ndarray
    confidence_errors: np.ndarray

    def to_json(self) -> dict[str, Any]:
        """The scan as JSON data."""
        return {
            name: value.tolist() if isinstance(value, np.ndarray) else value
            for name, value in vars(self).items()
        }


@dataclass(frozen=True)
class ScanOptions:
    """How a zone is looked at.

    Parameters
    ----------
    outputs : "auto", "logits" or "confidences"
        What the classifier gives. With "auto" these are confidences if those of `x` are not
        negative and sum to 1, else logits, which a softmax turns into confidences.
    low, high : float
        The lowest and the highest value of inputs.
    batch : int
        How many inputs the classifier gets at once, at most.
    device : str
        Where a module computes; where it is, if none is given.
    seed : int
        The same seed gives the same samples, whatever the batch.
    """

    outputs: str = "auto"
    low: float = 0.0
    high: float = 1.0
    batch: int = BATCH
    device: str | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        _check_count("batch", self.batch)
        low, high = self.low, self.high
        if not math.isfinite(low) or not math.isfinite(high) or low >= high:
            raise OptionError(f"inputs from low={low!r} to high={high!r}: give two rising numbers")
        if self.outputs not in KINDS:
            raise OptionError(f"outputs={self.outputs!r}: one of {', '.join(KINDS)}")


def zonnscan(model: Any, x: Any, radius: float, samples: int = SAMPLES, **options: Any) -> Scan:
    """The zoNNscan index of a classifier around an input (Algorithm 1).

    Parameters
    ----------
    model : torch.nn.Module or function
        The classifier. A function gets a float32 array of inputs.
    x : array or tensor
        The input, without a batch dimension.
    radius : float
        Half the edge of the hypercube around it. 0 is the input alone.
    samples : int
        How many inputs of the zone are drawn.
    options
        Those of `ScanOptions`, by name.

    Examples
    --------
    >>> import numpy as np
    >>> def sure_left_of_half(x):
    ...     left = x[:, 0] < 0.5
    ...     return np.stack([left, ~left], axis=1) * 1.0
    >>> zonnscan(sure_left_of_half, np.array([0.5]), 0.2, 10_000).index
    0.0
    """
    return scan_radii(model, x, [radius], samples, **options)[0]


def scan_radii(
    model: Any,
    x: Any,
    radii: Sequence[float],
    samples: int = SAMPLES,
    *,
    progress: Callable[[int], None] | None = None,
    **options: Any,
) -> list[Scan]:
    """The same for several radii: a curve.

    Each radius has the same samples, laid out in its own zone, so that the curve is smooth.
    `progress` is told how many radii are done.
    """
    _check_count("samples", samples)
    how = ScanOptions(**options)
    for radius in radii:
        if not 0 <= radius < math.inf:
            raise OptionError(f"radius={radius!r}: a number from 0")
    zone = _zone(model, x, how)
    scans = []
    for done, radius in enumerate(radii, 1):
        scans.append(_scan(zone, float(radius), int(samples)))
        if progress is not None:
            progress(done)
    return scans


def _check_count(name: str, value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise OptionError(f"{name}={value!r}: a whole number from 1")


def entropy(confidences: np.ndarray) -> np.ndarray:
    """The entropy of each line, to the base of the number of classes: from 0 to 1."""
    p = np.asarray(confidences, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(p > 0, p * np.log(p), 0.0)
    found: np.ndarray = np.maximum(-terms.sum(axis=1) / math.log(p.shape[1]), 0.0)
    return found


def _scan(zone: _Zone, radius: float, samples: int) -> Scan:
    if radius == 0:
        confidences = zone.at_centre()
        nothing = np.zeros(confidences.shape[1])
        return Scan(0.0, 1, float(entropy(confidences)[0]), 0.0, confidences[0], nothing)
    draw, batch = zone.drawer(radius), int(zone.how.batch)
    sums: Any = 0.0
    squares: Any = 0.0
    for first in range(0, samples, batch):
        confidences = zone.confidences(draw(min(batch, samples - first)))
        # the index is a column like the classes: all have a mean and an error
        columns = np.column_stack([entropy(confidences), confidences])
        sums = sums + columns.sum(axis=0)
        squares = squares + (columns**2).sum(axis=0)
    means = sums / samples
    spread = np.maximum(squares / samples - means**2, 0.0)
    errors = np.sqrt(spread / (samples - 1)) if samples > 1 else np.full(len(means), math.nan)
    return Scan(radius, samples, float(means[0]), float(errors[0]), means[1:], errors[1:])


class _Zone:
    """A classifier and the input it is looked at around."""

    def __init__(self, centre: np.ndarray, how: ScanOptions) -> None:
        low, high = how.low, how.high
        if not np.isfinite(centre).all() or centre.size == 0:
            raise OptionError("the input has no numbers, or some that are not finite")
        if centre.min() < low or centre.max() > high:
            raise OptionError(
                f"the input has values from {centre.min():g} to {centre.max():g}; they should be "
                f"from {low:g} to {high:g}: scale it, or say what its lowest and highest are"
            )
        self.centre, self.how = centre, how
        self._softmax = False

    def outputs(self, inputs: Any) -> Any:
        """The classifier's outputs as an array."""
        raise NotImplementedError

    def inputs(self, values: np.ndarray) -> Any:
        """Inputs as the classifier takes them."""
        raise NotImplementedError

    def drawer(self, radius: float) -> Callable[[int], Any]:
        """A function that draws so many inputs of the zone."""
        raise NotImplementedError

    def bounds(self, radius: float) -> tuple[np.ndarray, np.ndarray]:
        """The lowest corner of the zone, and the lengths of its edges."""
        first = np.maximum(self.centre - radius, self.how.low)
        return first, np.minimum(self.centre + radius, self.how.high) - first

    def decide(self) -> None:
        """Settle what the outputs are, by those of the input."""
        outputs = self.how.outputs
        found = self._checked(self.inputs(self.centre[None]))
        sure = (found >= 0).all() and abs(float(found.sum()) - 1) < 1e-3
        if outputs == "confidences" and not sure:
            raise OptionError("the classifier's outputs are not confidences: they should sum to 1")
        self._softmax = outputs == "logits" or (outputs == "auto" and not sure)

    def at_centre(self) -> np.ndarray:
        return self.confidences(self.inputs(self.centre[None]))

    def confidences(self, inputs: Any) -> np.ndarray:
        found = self._checked(inputs)
        if self._softmax:
            found = np.exp(found - found.max(axis=1, keepdims=True))
        return found / found.sum(axis=1, keepdims=True)

    def _checked(self, inputs: Any) -> np.ndarray:
        found = np.asarray(self.outputs(inputs), np.float64)
        if found.ndim != 2 or len(found) != len(inputs) or found.shape[1] < 2:
            raise OptionError(
                f"the classifier gives an array of {found.shape} for {len(inputs)} inputs; it "
                f"should be one of {len(inputs)} lines with an output for each class, 2 or more"
            )
        if not np.isfinite(found).all():
            raise OptionError("the classifier gives outputs that are not finite")
        return found


class _FunctionZone(_Zone):
    def __init__(self, function: Any, centre: np.ndarray, how: ScanOptions) -> None:
        super().__init__(centre, how)
        self._function = function

    def outputs(self, inputs: Any) -> Any:
        found = self._function(inputs)
        return found.detach().cpu().numpy() if hasattr(found, "detach") else found

    def inputs(self, values: np.ndarray) -> Any:
        return values.astype(np.float32)

    def drawer(self, radius: float) -> Callable[[int], Any]:
        rng = np.random.default_rng(self.how.seed)
        first, size = self.bounds(radius)
        return lambda n: self.inputs(first + size * rng.random((n, *self.centre.shape)))


class _ModuleZone(_Zone):
    """A module computes, and its inputs are drawn, on its own device."""

    def __init__(self, module: Any, centre: np.ndarray, how: ScanOptions) -> None:
        import copy

        import torch

        from playout.learn.networks.torch_device import device_of

        super().__init__(centre, how)
        parameter = next(module.parameters(), torch.zeros(0))
        self._device = parameter.device if how.device is None else device_of(how.device)
        self._type = parameter.dtype
        # evaluated as it is used, and left as it was
        self._module = copy.deepcopy(module).eval().to(self._device)

    def outputs(self, inputs: Any) -> Any:
        import torch

        try:
            with torch.inference_mode():
                return self._module(inputs.to(self._type)).double().cpu().numpy()
        except (RuntimeError, ValueError, IndexError) as error:
            if isinstance(error, torch.OutOfMemoryError):
                raise OptionError("no memory for a batch: give a smaller one") from None
            words = str(error).splitlines()[0]
            shape = "x".join(map(str, inputs.shape[1:])) or "one number"
            raise OptionError(f"the model does not take an input of {shape}: {words}") from None

    def inputs(self, values: np.ndarray) -> Any:
        import torch

        return torch.from_numpy(values.astype(np.float32)).to(self._device)

    def drawer(self, radius: float) -> Callable[[int], Any]:
        import torch

        generator = torch.Generator(self._device).manual_seed(self.how.seed)
        start, size = map(self.inputs, self.bounds(radius))
        shape = self.centre.shape

        def draw(n: int) -> Any:
            where = torch.rand((n, *shape), generator=generator, device=self._device)
            return start + size * where

        return draw


def _zone(model: Any, x: Any, how: ScanOptions) -> _Zone:
    values = x.detach().cpu().numpy() if hasattr(x, "detach") else x
    try:
        centre = np.asarray(values, np.float64)
    except (TypeError, ValueError):
        raise OptionError("the input should be an array of numbers") from None
    kind: Any = _FunctionZone
    if hasattr(model, "parameters") and hasattr(model, "forward"):
        kind = _ModuleZone
    elif not callable(model):
        raise OptionError(f"{model!r} is no classifier: give a PyTorch module or a function")
    zone: _Zone = kind(model, centre, how)
    zone.decide()
    return zone
