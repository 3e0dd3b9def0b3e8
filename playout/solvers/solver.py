"""Solvers as frozen dataclasses of options: how a game is solved.

A solver makes what a proof works with: a table of positions, and for each question a search, which
has `go_on(game, table, order, nodes)` and `best_move()`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from playout.contract import Game
from playout.errors import OptionError, nearest
from playout.solvers import SOLVERS
from playout.solvers.alphabeta import AlphaBeta
from playout.solvers.dfpn import DfPn
from playout.solvers.job_level import JobTree
from playout.solvers.move_order import MoveOrder
from playout.solvers.pn2 import Pn2
from playout.solvers.position_table import ENTRIES, FEWEST, TRUE, Table, entry_bytes, memory_bytes
from playout.solvers.proof_number_table import ProofTable
from playout.text.grammar import named_text, parse_named
from playout.text.options import Options, option


@dataclass(frozen=True, kw_only=True)
class Solver(Options):
    """The options that every solver has. `order` may also be a `MoveOrder` of one's own."""

    shares_table: ClassVar[bool] = False  # whether several workers may search with one table
    gives_jobs: ClassVar[bool] = False  # whether workers, here or elsewhere, do jobs for it

    order: Any = option("none", "which moves are tried first: a move order, file.py:Class")
    entries: int = option(ENTRIES, "of the table, or of the tree of pn2", low=2)
    tiers: int = option(
        1,
        "1: the table always replaces what was there; 2: half of it keeps what was costly",
        low=1,
        high=2,
    )
    symmetry: bool = option(False, "positions that a symmetry exchanges are one")

    def __post_init__(self) -> None:
        order = self.order
        if isinstance(order, MoveOrder):  # which is no text to check
            object.__setattr__(self, "order", "none")
        super().__post_init__()
        object.__setattr__(self, "order", order)

    def for_game(self, game: Game) -> Solver:
        """The solver with what it leaves to the game and the machine decided."""
        return self

    def new_table(self, game: Game, shared: bool = False) -> Any:
        """An empty table of positions, for one question; `shared` by several workers."""
        raise NotImplementedError

    def new_search(self, game: Game, root: np.ndarray, goal: float, worker: int = 0) -> Any:
        """A search of one question, whether the first player gets at least `goal`."""
        raise NotImplementedError

    def new_lookup(self, game: Game, root: np.ndarray, goal: float) -> Any:
        """A search that goes by the table of a question that has been answered, for a move."""
        return self.new_search(game, root, goal)


@dataclass(frozen=True, kw_only=True)
class AlphaBetaSolver(Solver):
    """Alpha-beta with a transposition table, without a limit on depth."""

    name: ClassVar[str] = "alphabeta"
    shares_table: ClassVar[bool] = True

    ahead: int = option(
        0, "look so many moves of a position up in the table before any is searched", low=0
    )

    def new_table(self, game: Game, shared: bool = False) -> Table:
        return Table(game, self.entries, self.tiers, shared=shared)

    def new_search(self, game: Game, root: np.ndarray, goal: float, worker: int = 0) -> AlphaBeta:
        search = AlphaBeta(game, root, goal, self.symmetry, self.ahead)
        search.head[0].worker = worker
        return search


@dataclass(frozen=True, kw_only=True)
class AutoSolver(AlphaBetaSolver):
    """Alpha-beta with the settings that are best on most boards, and a table for the memory."""

    name: ClassVar[str] = "auto"

    order: Any = option("auto", "which moves are tried first: auto, a move order, file.py:Class")
    entries: int = option(0, "of the table; 0: what a part of the memory has room for", low=0)
    tiers: int = option(
        2,
        "1: the table always replaces what was there; 2: half of it keeps what was costly",
        low=1,
        high=2,
    )
    symmetry: bool = option(True, "positions that a symmetry exchanges are one")
    ahead: int = option(
        6, "look so many moves of a position up in the table before any is searched", low=0
    )

    def new_table(self, game: Game, shared: bool = False) -> Table:
        first = min(FEWEST, self.entries)
        return Table(game, first, self.tiers, shared=shared, most=self.entries)

    def for_game(self, game: Game) -> Solver:
        # what a move came to elsewhere says little where the past counts
        usual = "latemc" if game.remembers() else "mcsuccess"
        return replace(
            self,
            order=usual if self.order == "auto" else self.order,
            entries=self.entries or usual_entries(game),
            symmetry=self.symmetry and game.symmetries > 1,
            ahead=0 if game.remembers() else self.ahead,
        )


@dataclass(frozen=True, kw_only=True)
class DeepeningSolver(AlphaBetaSolver):
    """Alpha-beta with iterative deepening and a null window: the shortest win first."""

    name: ClassVar[str] = "ids"

    def new_search(self, game: Game, root: np.ndarray, goal: float, worker: int = 0) -> AlphaBeta:
        search = super().new_search(game, root, goal, worker)
        search.restart(1, TRUE)
        return search

    def new_lookup(self, game: Game, root: np.ndarray, goal: float) -> AlphaBeta:
        return super().new_search(game, root, goal)


@dataclass(frozen=True, kw_only=True)
class DfPnSolver(Solver):
    """Depth-first proof-number search with a table."""

    name: ClassVar[str] = "dfpn"

    def new_table(self, game: Game, shared: bool = False) -> ProofTable:
        return ProofTable(game, self.entries, self.tiers)

    def new_search(self, game: Game, root: np.ndarray, goal: float, worker: int = 0) -> Any:
        return DfPn(game, root, goal, self.symmetry)


@dataclass(frozen=True, kw_only=True)
class Pn2Solver(DfPnSolver):
    """Proof-number search of two levels; what it has found is shown by dfpn and its table."""

    name: ClassVar[str] = "pn2"

    def new_search(self, game: Game, root: np.ndarray, goal: float, worker: int = 0) -> Any:
        return Pn2(game, root, goal, self.entries)

    def new_lookup(self, game: Game, root: np.ndarray, goal: float) -> Any:
        return DfPnSolver.new_search(self, game, root, goal)


@dataclass(frozen=True, kw_only=True)
class JobLevelSolver(Pn2Solver):
    """Proof-number search whose leaves are jobs, done by PN2 on threads or on other machines."""

    name: ClassVar[str] = "jlpn"
    gives_jobs: ClassVar[bool] = True

    job: int = option(200_000, "moves of a job", low=1000)

    def new_search(self, game: Game, root: np.ndarray, goal: float, worker: int = 0) -> Any:
        return JobTree(game, root, goal, self.entries, self.job, self.symmetry)


def usual_entries(game: Game) -> int:
    """Entries of a table of `auto`: at most a sixteenth of the machine's memory, 2^24 at most."""
    wanted = memory_bytes() // 16 // entry_bytes(game)
    return min(1 << 24, 1 << max(16, int(wanted).bit_length() - 1))


def chosen_text(solver: Solver, order: str) -> str:
    """The solver that does the same as `auto`, with all that was chosen, as text for `-a`.

    `order` is what an order that is no text is called.
    """
    if not isinstance(solver, AutoSolver):
        return ""
    text = solver.order if isinstance(solver.order, str) else order
    chosen = solver.options()
    if "," not in text:
        return named_text(AlphaBetaSolver.name, {**chosen, "order": text})
    del chosen["order"]  # whose second option would be the solver's
    return f"{named_text(AlphaBetaSolver.name, chosen)} --order {text}"


def check_elsewhere(solver: Solver, cluster: str | None) -> None:
    """Refuse a solver that cannot have its work done on other machines."""
    if cluster is not None and not solver.gives_jobs:
        raise OptionError(f"{solver.name} works on one machine: on a cluster give jlpn")


def make_solver(solver: Solver | str, **options: Any) -> Solver:
    """The solver that a text names, or a given one, with some options changed.

    >>> make_solver("dfpn:order=mc:playouts=500", symmetry=True).symmetry
    True
    """
    if isinstance(solver, str):
        named = parse_named(solver)
        given = SOLVERS.find(named.name).from_text(named.options)
    else:
        given = solver
    if not isinstance(given, Solver):
        raise OptionError(f"{solver!r} is no solver: give a text such as 'dfpn:symmetry=true'")
    known = given.declared()
    for name in options:
        if name not in known:
            raise OptionError(f"{given.name} has no option {name!r}; {nearest(name, known)}")
    return replace(given, **options)
