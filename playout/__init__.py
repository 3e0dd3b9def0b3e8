"""Playout: Monte Carlo search for problems written in plain Python, at native speed.

>>> import playout as po
>>> result = po.solve(po.problems.Maximum(9), po.NMCS(level=2), po.Playouts(400), seed=1)
>>> result.score
6.0

Names are imported when first used, so that `import playout` and `playout --help` are quick.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from playout._version import __version__

_WHERE = {
    "Problem": "contract",
    "Game": "contract",
    "record": "compiled",
    "check_problem": "check",
    "solve": "run.solve",
    "compare": "study.compare",
    "match": "matches.match",
    "Player": "matches.player",
    "search": "gametree.tree_session",
    "SearchResult": "gametree.search_result",
    "MatchResult": "matches.match_result",
    "prove": "solvers.prove",
    "Proof": "solvers.proof",
    "train": "learn.train",
    "TrainResult": "learn.train_result",
    "color": "tasks",
    "Coloring": "tasks",
    "design_rna": "tasks",
    "RnaDesigns": "tasks",
    "TreeSearch": "gametree.tree_search",
    "Result": "run.result",
    "Seconds": "stop",
    "Playouts": "stop",
    "Target": "stop",
    "Stagnation": "stop",
    "Runs": "stop",
    "Random": "algorithms",
    "NMCS": "algorithms",
    "NRPA": "algorithms",
    "SNRPA": "algorithms",
    "GNRPA": "algorithms",
    "UCT": "algorithms",
    "PolicyMCTS": "algorithms",
    "PlayoutError": "errors",
}

__all__ = [
    "GNRPA",
    "NMCS",
    "NRPA",
    "SNRPA",
    "UCT",
    "Coloring",
    "Game",
    "MatchResult",
    "Player",
    "PlayoutError",
    "Playouts",
    "PolicyMCTS",
    "Problem",
    "Proof",
    "Random",
    "Result",
    "RnaDesigns",
    "Runs",
    "SearchResult",
    "Seconds",
    "Stagnation",
    "Target",
    "TrainResult",
    "TreeSearch",
    "__version__",
    "check_problem",
    "color",
    "compare",
    "design_rna",
    "games",
    "match",
    "problems",
    "prove",
    "record",
    "search",
    "solve",
    "train",
]


def __getattr__(name: str) -> Any:
    if name in ("games", "problems"):
        return import_module(f"playout.{name}")
    if name in _WHERE:
        value = getattr(import_module(f"playout.{_WHERE[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'playout' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from playout import games, problems
    from playout.algorithms import GNRPA, NMCS, NRPA, SNRPA, UCT, PolicyMCTS, Random
    from playout.check import check_problem
    from playout.compiled import record
    from playout.contract import Game, Problem
    from playout.errors import PlayoutError
    from playout.gametree.search_result import SearchResult
    from playout.gametree.tree_search import TreeSearch
    from playout.gametree.tree_session import search
    from playout.learn.train import train
    from playout.learn.train_result import TrainResult
    from playout.matches.match import match
    from playout.matches.match_result import MatchResult
    from playout.matches.player import Player
    from playout.run.result import Result
    from playout.run.solve import solve
    from playout.solvers.proof import Proof
    from playout.solvers.prove import prove
    from playout.stop import Playouts, Runs, Seconds, Stagnation, Target
    from playout.study.compare import compare
    from playout.tasks.fewest_colors import Coloring, color
    from playout.tasks.rna_design import RnaDesigns, design_rna
