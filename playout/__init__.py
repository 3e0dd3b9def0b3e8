"""Playout: Monte Carlo search for problems written in plain Python, at native speed.

>>> import playout as po
>>> result = po.solve(po.problems.Maximum(9), po.NMCS(level=2), po.Playouts(400), seed=1)
>>> result.score
6.0

The names here are the public face: they stay. The verbs take what, how and when to stop, in this
order, as objects or as the command line's texts; everything else is named. What they return prints,
is saved with `save` and is drawn in notebooks. Names are imported when first used, so that
`import playout` and `playout --help` are quick.
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
    "CheckReport": "check",
    "solve": "run.solve",
    "Result": "run.result",
    "start": "run.search",
    "Search": "run.search",
    "film": "run.film",
    "Film": "pictures.film",
    "search": "gametree.tree_session",
    "SearchResult": "gametree.search_result",
    "TreeSearch": "gametree.tree_search",
    "prove": "solvers.prove",
    "Proof": "solvers.proof",
    "episode": "worlds.episode",
    "Episode": "worlds.episode_result",
    "match": "matches.match",
    "MatchResult": "matches.match_result",
    "Player": "matches.player",
    "train": "learn.train",
    "TrainResult": "learn.train_result",
    "compare": "study.compare",
    "Comparison": "study.compare",
    "tune": "study.tune",
    "Tuned": "study.tuned",
    "reproduce": "experiments.reproduce",
    "Report": "report.report",
    "color": "tasks",
    "Coloring": "tasks",
    "design_rna": "tasks",
    "RnaDesigns": "tasks",
    "analyse": "adapters.analysis",
    "Analysis": "adapters.analysis",
    "load_game": "games",
    "Random": "algorithms",
    "LAHC": "algorithms",
    "NMCS": "algorithms",
    "NRPA": "algorithms",
    "SNRPA": "algorithms",
    "GNRPA": "algorithms",
    "UCT": "algorithms",
    "PolicyMCTS": "algorithms",
    "Stop": "stop",
    "Seconds": "stop",
    "Playouts": "stop",
    "Calls": "stop",
    "Target": "stop",
    "Stagnation": "stop",
    "Runs": "stop",
    "Progress": "stop",
    "PlayoutError": "errors",
    "OptionError": "errors",
    "DataError": "errors",
    "ProblemError": "errors",
}
_MODULES = ("games", "problems", "zonnscan")

__all__ = ["__version__", *_MODULES, *_WHERE]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return import_module(f"playout.{name}")
    if name in _WHERE:
        value = getattr(import_module(f"playout.{_WHERE[name]}"), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'playout' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)


if TYPE_CHECKING:
    from playout import games as games
    from playout import problems as problems
    from playout import zonnscan as zonnscan
    from playout.adapters.analysis import Analysis as Analysis
    from playout.adapters.analysis import analyse as analyse
    from playout.algorithms.gnrpa import GNRPA as GNRPA
    from playout.algorithms.lahc import LAHC as LAHC
    from playout.algorithms.nmcs import NMCS as NMCS
    from playout.algorithms.nrpa import NRPA as NRPA
    from playout.algorithms.random_search import Random as Random
    from playout.algorithms.snrpa import SNRPA as SNRPA
    from playout.algorithms.uct import UCT as UCT
    from playout.check import CheckReport as CheckReport
    from playout.check import check_problem as check_problem
    from playout.compiled import record as record
    from playout.contract import Game as Game
    from playout.contract import Problem as Problem
    from playout.errors import DataError as DataError
    from playout.errors import OptionError as OptionError
    from playout.errors import PlayoutError as PlayoutError
    from playout.errors import ProblemError as ProblemError
    from playout.experiments.reproduce import reproduce as reproduce
    from playout.games import load_game as load_game
    from playout.gametree.search_result import SearchResult as SearchResult
    from playout.gametree.tree_search import TreeSearch as TreeSearch
    from playout.gametree.tree_session import search as search
    from playout.learn.policy_iteration.policy_mcts import PolicyMCTS as PolicyMCTS
    from playout.learn.train import train as train
    from playout.learn.train_result import TrainResult as TrainResult
    from playout.matches.match import match as match
    from playout.matches.match_result import MatchResult as MatchResult
    from playout.matches.player import Player as Player
    from playout.pictures.film import Film as Film
    from playout.report.report import Report as Report
    from playout.run.film import film as film
    from playout.run.result import Result as Result
    from playout.run.search import Search as Search
    from playout.run.search import start as start
    from playout.run.solve import solve as solve
    from playout.solvers.proof import Proof as Proof
    from playout.solvers.prove import prove as prove
    from playout.stop import Calls as Calls
    from playout.stop import Playouts as Playouts
    from playout.stop import Progress as Progress
    from playout.stop import Runs as Runs
    from playout.stop import Seconds as Seconds
    from playout.stop import Stagnation as Stagnation
    from playout.stop import Stop as Stop
    from playout.stop import Target as Target
    from playout.study.compare import Comparison as Comparison
    from playout.study.compare import compare as compare
    from playout.study.tune import tune as tune
    from playout.study.tuned import Tuned as Tuned
    from playout.tasks import Coloring as Coloring
    from playout.tasks import RnaDesigns as RnaDesigns
    from playout.tasks import color as color
    from playout.tasks import design_rna as design_rna
    from playout.worlds.episode import episode as episode
    from playout.worlds.episode_result import Episode as Episode
