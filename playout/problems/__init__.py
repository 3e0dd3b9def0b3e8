"""The problems that come with the package, and the way to those that do not.

Importing this package is cheap: a problem's module, and Numba with it, is imported when its
class is first asked for. A new problem is one file and one line in `PROBLEMS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from playout.errors import ProblemError
from playout.text.registry import Entry, Registry

PROBLEMS = Registry(
    "problem",
    "playout.problems",
    {
        "samegame": Entry(
            "playout.problems.samegame:SameGame", "remove groups of equal tiles, large ones pay"
        ),
        "tsptw": Entry(
            "playout.problems.tsptw:TSPTW", "the shortest tour that meets every time window"
        ),
        "maximum": Entry(
            "playout.problems.maximum:Maximum", "the largest value of an expression of +, * and 1"
        ),
        "coloring": Entry(
            "playout.problems.coloring.graph_coloring:GraphColoring",
            "colour a graph's vertices, neighbours apart",
        ),
        "inversefolding": Entry(
            "playout.problems.inverse_folding.inverse_folding:InverseFolding",
            "an RNA sequence that folds into a target",
        ),
        "vgdl": Entry(
            "playout.arcade.vgdl.engine:VGDL", "a video game from its description: game=NAME"
        ),
        "gdl": Entry("playout.ggp.puzzle:GDLPuzzle", "a puzzle from its rulesheet, a file"),
        "gymnasium": Entry(
            "playout.adapters.gymnasium:Gymnasium",
            "a Gymnasium environment by its name there, interpreted: gymnasium:CartPole-v1",
            takes_text=True,
        ),
    },
    base="playout.contract:Problem",
    error=ProblemError,
    commands="playout solve, compare or tune",
    sibling="playout.games:GAMES",
)

if TYPE_CHECKING:
    from playout.problems.coloring.graph_coloring import GraphColoring as GraphColoring
    from playout.problems.inverse_folding.inverse_folding import InverseFolding as InverseFolding
    from playout.problems.maximum import Maximum as Maximum
    from playout.problems.samegame import SameGame as SameGame
    from playout.problems.tsptw import TSPTW as TSPTW


def __getattr__(name: str) -> Any:
    return PROBLEMS.class_named(name, __name__)


def __dir__() -> list[str]:
    return sorted([*globals(), *PROBLEMS.class_names()])
