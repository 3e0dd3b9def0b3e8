"""The curves of *Which algorithm when*, from the results that `python -m bench.curves` keeps."""

from __future__ import annotations

import json
from pathlib import Path

from playout.pictures.chart import Curve, Picture, svg
from playout.pictures.look import LIGHT, in_scheme, resource

RESULTS = Path(__file__).parents[1] / "results" / "which_algorithm.json"


def write_curves(folder: Path) -> None:
    """Draw a picture for each problem that was measured."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    # on the site pictures keep their light ground, whatever the reader's scheme
    rules = "".join(in_scheme(resource("chart.css"), LIGHT).splitlines())
    for name, found in json.loads(RESULTS.read_text()).items():
        curves = tuple(
            Curve(one["name"], tuple(tuple(point) for point in one["points"]), one["runs"])
            for one in found["curves"]
        )
        picture = Picture(found["title"], "playouts", curves)
        drawn = svg(picture, styled=False).replace(">", f"><style>{rules}</style>", 1)
        (pictures / f"curves-{name}.svg").write_text(drawn)
