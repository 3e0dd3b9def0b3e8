"""Finding a model: a file, or the one in the package that fits the problem."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from playout.contract import Game
from playout.errors import DataError
from playout.learn.networks.model_file import Model, check_fits, load_model, read_header
from playout.learn.networks.network_shape import Shape, shape_of

FOLDER = Path(__file__).parents[2] / "models"


def model_for(problem: Game, name: str = "") -> Model:
    """The model of a file, or without a name the package's own for this problem and size."""
    path = Path(name) if name else find_model(problem)
    try:
        stamp = path.stat()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    model = _load(str(path), stamp.st_mtime_ns, stamp.st_size)
    check_fits(model, problem, str(path))
    return model


@lru_cache(maxsize=8)
def _load(path: str, changed: int, length: int) -> Model:
    return load_model(path)


def find_model(problem: Game) -> Path:
    """The file in the package for the class and shape of a problem."""
    wanted, cls = shape_of(problem), type(problem).__name__
    there = []
    for path, header in package_models():
        if header["about"].get("class") == cls:
            shape = Shape(**header["network"]["shape"])
            if shape == wanted:
                return path
            there.append(str(shape))
    others = f"it has some for {'; '.join(there)}" if there else "nor for any other size"
    raise DataError(
        f"the package has no trained policy for {cls} with {wanted} ({others}): train one with "
        "playout train, and give it with -o model=FILE; or -o model=uniform for none"
    )


def package_models() -> list[tuple[Path, dict[str, Any]]]:
    """The models in the package and what they say of themselves."""
    return [(path, read_header(path)) for path in sorted(FOLDER.glob("*.safetensors"))]
