"""`prove`: the value of a position under perfect play, in one call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from playout.cluster import crew_on
from playout.contract import Game, open_copy
from playout.games.game_text import as_game
from playout.solvers.proof import Proof
from playout.solvers.proof_checkpoint import run_proof
from playout.solvers.prover import Prover
from playout.solvers.solver import Solver, check_elsewhere, make_solver
from playout.stop import Never, Progress, Stop, refuse_calls, stop_of


def prove(
    game: Game | str,
    solver: Solver | str | None = None,
    stop: Stop | float | str | None = None,
    *,
    state: np.ndarray | str | None = None,
    seed: int | None = None,
    workers: int | None = None,
    open: bool = False,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: str | Path | None = None,
    seconds: float | None = None,
    cluster: str | None = None,
    **options: Any,
) -> Proof:
    """Find the value of a position under perfect play.

    Parameters
    ----------
    game : Game, or the text that names one
    solver : Solver, or the text that names one
        `"auto"` if none is given, nor any of its options: it chooses all of them, and the proof
        says which (`chosen`). `"alphabeta"`, `"ids"`, `"dfpn"`, `"pn2"`, `"jlpn"`, with options as
        in `"dfpn:order=game,symmetry=true"`.
    stop : Stop, seconds or text
        When to give up, never if there is none. `Playouts` counts moves.
    seconds : float
        The same by name.
    state : array of one state, or a position as text
        The position; the start if none is given.
    seed : int
        Of what a move order draws, if it does (`mc`).
    workers : int
        Threads that share a table (`alphabeta`, `ids`) or do jobs (`jlpn`), 1 if none is given; on
        a cluster processes, as many as it has CPUs.
    open : bool
        Whether hidden cards and the luck to come are laid open; the proof says so.
    progress : function of a Progress
        Called about twenty times a second.
    checkpoint : path
        Go on from this file if it exists; write it now and then and at the end.
    cluster : str
        Have the jobs of `jlpn`, which is then the default, done on nodes of a Ray cluster, as
        `solve` has its workers.
    options
        Those of the solver: `order`, `entries`, `tiers`, `symmetry`, `ahead`. An order may also be
        a `MoveOrder` of one's own.

    Examples
    --------
    >>> import playout as po
    >>> po.prove("tictactoe").winner
    'draw'
    >>> po.prove("domineering:4x4", "dfpn", order="game", symmetry=True).winner
    'first'
    """
    name = game if isinstance(game, str) else ""
    game = open_copy(as_game(game)) if open else as_game(game)
    if isinstance(state, str):
        state = game.read_position(state)
    until = stop_of(stop, Never(), {"seconds": seconds})
    refuse_calls(until, "prove")
    if solver is None:  # who names an option means alpha-beta, with this option alone
        solver = "jlpn" if cluster else "alphabeta" if options else "auto"
    solver = make_solver(solver, **options)
    check_elsewhere(solver, cluster)
    with crew_on(cluster, workers) as crew:
        count = 1 if crew or workers is None else workers
        prover = Prover(game, solver, state=state, seed=seed, workers=count, crew=crew)
        return run_proof(prover, until, progress, checkpoint, name)
