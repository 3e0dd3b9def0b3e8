"""What the plain command is measured on: problems, apart by use, and the settings of a grid.

The settings of `auto` and the rules of its race are chosen on the problems of `TUNED` and judged on
those of `HELD_OUT`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.plain_problems.assembly import Assembly
from bench.plain_problems.autocorrelation import Autocorrelation
from bench.plain_problems.bandwidth import Bandwidth
from bench.plain_problems.binpacking import BinPacking
from bench.plain_problems.cables import Cables
from bench.plain_problems.capitals import Capitals
from bench.plain_problems.cars import Cars
from bench.plain_problems.consensus import Consensus
from bench.plain_problems.costas import Costas
from bench.plain_problems.cover import VertexCover
from bench.plain_problems.covering import Covering
from bench.plain_problems.crews import Crews
from bench.plain_problems.crossword import Crossword
from bench.plain_problems.depots import Depots
from bench.plain_problems.districts import Districts
from bench.plain_problems.elimination import Elimination
from bench.plain_problems.exams import Exams
from bench.plain_problems.features import Features
from bench.plain_problems.firefighters import Firefighters
from bench.plain_problems.flowshop import FlowShop
from bench.plain_problems.folding import Folding
from bench.plain_problems.formula import Formula
from bench.plain_problems.fragments import Fragments
from bench.plain_problems.frequencies import Frequencies
from bench.plain_problems.glass import Glass
from bench.plain_problems.golomb import Golomb
from bench.plain_problems.guests import Guests
from bench.plain_problems.jobshop import ActiveJobShop, JobShop
from bench.plain_problems.knapsack import Knapsack
from bench.plain_problems.league import League
from bench.plain_problems.letters import Letters
from bench.plain_problems.line import NoThreeInLine
from bench.plain_problems.machines import Machines
from bench.plain_problems.magic import Magic
from bench.plain_problems.maxsat import MaxSat
from bench.plain_problems.merging import Merging
from bench.plain_problems.morpion import Morpion
from bench.plain_problems.mower import Mower
from bench.plain_problems.ordering import LinearOrdering
from bench.plain_problems.partition import Partition
from bench.plain_problems.pegs import Pegs
from bench.plain_problems.pentominoes import Pentominoes
from bench.plain_problems.pickup import Pickup
from bench.plain_problems.plants import Plants
from bench.plain_problems.project import Project
from bench.plain_problems.qap import Assignment
from bench.plain_problems.queens import Peaceable
from bench.plain_problems.rota import Rota
from bench.plain_problems.routes import Routes
from bench.plain_problems.satellite import Satellite
from bench.plain_problems.snake import Snake
from bench.plain_problems.sorting import Sorting
from bench.plain_problems.stacks import Stacks
from bench.plain_problems.steiner import Steiner
from bench.plain_problems.strip import Strip
from bench.plain_problems.sudoku import MEDIUM, SEVENTEEN, Sudoku
from bench.plain_problems.tardiness import Tardiness
from bench.plain_problems.tiles import Tiles
from bench.plain_problems.timetable import Timetable
from bench.plain_problems.tour import PolishedTour, Tour
from bench.plain_problems.weakschur import WeakSchur
from bench.plain_problems.yard import Yard
from playout.contract import Problem
from playout.problems.instances import open_problem

# instances of the data folder, $PLAYOUT_DATA
FILES = {
    "TSPTW rc204.1": ("tsptw", "SolomonPesant/rc204.1"),
    "queen8_8": ("coloring", "graphs/queen8_8.col"),
    "TSPTW rc203.2": ("tsptw", "SolomonPesant/rc203.2"),
}


def path_of(name: str) -> Path:
    """The file of an instance."""
    return Path(os.environ.get("PLAYOUT_DATA", "data"), *FILES[name])


def _from_file(name: str) -> Callable[[], Any]:
    return lambda: open_problem(FILES[name][0], str(path_of(name)))[0]


TUNED: dict[str, Callable[[], Any]] = {
    "samegame": lambda: open_problem("samegame", None)[0],
    "snake, 6 dimensions": lambda: Snake(6),
    "sudoku": lambda: Sudoku(MEDIUM),
    "tour of 30": lambda: Tour(30, 5),
    "job shop 8x8": lambda: JobShop(8, 8, 3),
    "weak Schur, 4 sets": lambda: WeakSchur(4, 80),
    "bin packing": lambda: BinPacking(),
    "MaxSAT": lambda: MaxSat(),
    "TSPTW rc204.1": _from_file("TSPTW rc204.1"),
    "queen8_8": _from_file("queen8_8"),
    "sudoku of 17": lambda: Sudoku(SEVENTEEN),
    "job shop 10x10": lambda: JobShop(10, 10, 7),
    "autocorrelation, 35": lambda: Autocorrelation(35),
    "autocorrelation, 41": lambda: Autocorrelation(41),
    "Costas array": lambda: Costas(),
    "flow shop": lambda: FlowShop(),
    "folding": lambda: Folding(),
    "magic square": lambda: Magic(),
    "no three in line": lambda: NoThreeInLine(),
    # looked at when codes that tell more came in
    "bin covering": lambda: Covering(),
    "cryptarithm": lambda: Letters(),
    "exams": lambda: Exams(),
    "fragments of DNA": lambda: Fragments(),
    "halves of a graph": lambda: Partition(),
    "nurse rota": lambda: Rota(),
    "Steiner tree": lambda: Steiner(),
    "vehicle routes": lambda: Routes(),
    # looked at when climbs with longer memories came in
    "job shop ft10": lambda: JobShop(),
    "weak Schur, 5 sets": lambda: WeakSchur(5),
    # looked at when climbs from the best itself came in
    "knapsack": lambda: Knapsack(),
    "league": lambda: League(),
    "linear ordering": lambda: LinearOrdering(),
    "peg solitaire": lambda: Pegs(),
    "strip packing": lambda: Strip(),
    "timetable": lambda: Timetable(),
    # looked at when GNRPA with its usual learning rate came to lead
    "car sequencing": lambda: Cars(),
    "closest string": lambda: Consensus(),
    "container yard": lambda: Yard(),
    "crews": lambda: Crews(),
    "crossword": lambda: Crossword(),
    "firefighters": lambda: Firefighters(),
    "frequencies": lambda: Frequencies(),
    "lawn mower": lambda: Mower(),
    "open stacks": lambda: Stacks(),
    "weighted tardiness": lambda: Tardiness(),
    "assembly line": lambda: Assembly(),
    "cables": lambda: Cables(),
    "districts": lambda: Districts(),
    "elimination": lambda: Elimination(),
    "formula": lambda: Formula(),
    "glass cutting": lambda: Glass(),
    "guests at tables": lambda: Guests(),
    "merging numbers": lambda: Merging(),
    "pentominoes": lambda: Pentominoes(),
    "power plants": lambda: Plants(),
    "satellite": lambda: Satellite(),
    "sorting network": lambda: Sorting(),
}
HELD_OUT: dict[str, Callable[[], Any]] = {
    "snake, 7 dimensions": lambda: Snake(7),
    "hard sudoku": lambda: Sudoku(),
    "tour of 50": lambda: Tour(50, 1),
    "tour of 50 with 2-opt": lambda: PolishedTour(50, 1),
    "job shop ft10, active schedules": lambda: ActiveJobShop(),
    "features": lambda: Features(),
    "Morpion": lambda: Morpion(),
    "peaceable queens": lambda: Peaceable(9),
    "autocorrelation": lambda: Autocorrelation(49),
    "maximum": lambda: open_problem("maximum", None)[0],
    "TSPTW rc203.2": _from_file("TSPTW rc203.2"),
    "bandwidth": lambda: Bandwidth(),
    "Golomb ruler": lambda: Golomb(),
    "quadratic assignment": lambda: Assignment(),
    "vertex cover": lambda: VertexCover(),
    "capitals": lambda: Capitals(),
    "depots": lambda: Depots(),
    "machines with setups": lambda: Machines(),
    "pickup and delivery": lambda: Pickup(),
    "project": lambda: Project(),
    "tiles": lambda: Tiles(),
}
PROBLEMS = HELD_OUT | TUNED

# by promise: what a run of few minutes comes to first
PLAIN = (
    *("lahc", "nmcs:level=3", "gnrpa:level=4,alpha=0.3", "gnrpa:level=4,P=4", "nmcs:level=2"),
    *("nmcs:level=6,rising=true", "gnrpa:level=4", "nmcs:level=4", "gnrpa:level=2", "uct"),
    "gnrpa:level=4,alpha=2",
)
BIASED = (
    *("gnrpa:level=4,strength=3", "gnrpa:level=4,strength=6", "gnrpa:level=4,bias=false"),
    "nmcs:level=3,bias=true",
)
UNCODED = ("gnrpa:level=4,alpha=0.3,history=1", "gnrpa:level=4,alpha=0.3,numbered=true")
POLISHED = (
    *("gnrpa:polish=true", "gnrpa:level=4,strength=3,polish=true", "random:polish=true"),
    *("gnrpa:level=2,polish=true", "nmcs:level=2,polish=true"),
)


def grid(problem: Problem) -> list[str]:
    """The settings of the grid that a problem has, by promise; gnrpa and random besides."""
    biased = type(problem).bias is not Problem.bias
    polished = getattr(problem, "polish", None) is not None
    uncoded = type(problem).code is Problem.code
    more = (POLISHED, polished), (BIASED, biased), (UNCODED, uncoded)
    return [*(setting for some, has in more if has for setting in some), *PLAIN]
