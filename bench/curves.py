"""The curves of the page *Which algorithm when*: what algorithms reach, playout by playout.

    python -m bench.curves            measure all, and write docs/results/which_algorithm.json
    python -m bench.curves samegame   one of them; the others stay as they are

The budget is a number of playouts, so that the machine and its load make no difference: the same
version and seeds give the same file. The site draws the curves when it is built.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

import playout as po

FILE = Path(__file__).parent.parent / "docs" / "results" / "which_algorithm.json"
RUNS = 10
ALGORITHMS = ("random", "uct", "nmcs:level=2", "nrpa:level=3,N=20", "gnrpa:level=3,N=20")
# by a name for the file: the problem, its instance, playouts, and what is drawn
PROBLEMS = {
    "samegame": ("samegame", "", 20_000, "SameGame, a board of 15x15"),
    "tsptw": ("tsptw:n=40", "", 20_000, "TSPTW, 40 customers"),
    "maximum": ("maximum:n=61", "", 20_000, "Maximum, expressions of 61 symbols"),
}


def measured(problem: str, instance: str, playouts: int) -> list[dict[str, object]]:
    """The curves of all algorithms: means over the runs, with their 95% intervals."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "results.sqlite"
        budget = f"{playouts} playouts"
        made = po.compare(problem, ALGORITHMS, budget, runs=RUNS, store=store, instance=instance)
        (picture,) = made.report.tables[0].pictures
        return [
            {
                "name": curve.name,
                "runs": curve.runs,
                "points": [[float(f"{x:.6g}") for x in point] for point in curve.points],
            }
            for curve in picture.curves
        ]


def main() -> None:
    found = json.loads(FILE.read_text()) if FILE.exists() else {}
    for name in sys.argv[1:] or PROBLEMS:
        problem, instance, playouts, title = PROBLEMS[name]
        found[name] = {
            "title": title,
            "command": " ".join(
                [
                    "playout compare",
                    problem,
                    *([instance] if instance else []),
                    *(f"-a {text}" for text in ALGORITHMS),
                    f"--playouts {playouts}",
                    f"--runs {RUNS}",
                ]
            ),
            "version": po.__version__,
            "curves": measured(problem, instance, playouts),
        }
        FILE.parent.mkdir(exist_ok=True)
        text = json.dumps(found, indent=None, separators=(",", ":"))
        FILE.write_text(text.replace('{"name"', '\n{"name"') + "\n")
        ends = ", ".join(f"{c['name']} {c['points'][-1][1]:g}" for c in found[name]["curves"])
        print(f"{name}: {ends}", flush=True)


if __name__ == "__main__":
    main()
