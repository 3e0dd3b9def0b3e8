"""Runs that solve games exactly."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from playout.contract import Game
from playout.errors import OptionError, nearest
from playout.report.curves import Curves
from playout.stop import Progress, Stop
from playout.study.kinds.runs import Prove

SHOWN = ("moves", "seconds", "winner")


def check_proof(search: Prove) -> None:
    """Refuse names that there are not."""
    from playout.solvers.move_orders import make_order
    from playout.solvers.prove import SOLVERS

    make_order(search.order)
    for value, values in ((search.solver, SOLVERS), (search.shows, SHOWN)):
        if value not in values:
            raise OptionError(f"a proof has no {value!r}; {nearest(value, values)}")


def classes_of(search: Prove) -> list[type]:
    """The classes that a proof runs, apart from the game."""
    from playout.solvers.alphabeta import AlphaBeta
    from playout.solvers.dfpn import DfPn
    from playout.solvers.move_orders import make_order
    from playout.solvers.pn2 import Pn2

    solver: type = {"pn2": Pn2, "dfpn": DfPn}.get(search.solver, AlphaBeta)
    return [solver, type(make_order(search.order))]


def prove(
    search: Prove, game: Game, stop: Stop, seed: int, look: Callable[[Progress], None]
) -> dict[str, Any]:
    """Solve a game; what the store keeps of it.

    The curve is one point, where the proof was complete; its score is the value, or no number if
    the time was not enough. The line of perfect play must end with the value.
    """
    from playout.solvers.move_orders import make_order
    from playout.solvers.prove import Prover

    order = make_order(search.order)
    if hasattr(order, "seed"):
        order.seed = seed
    prover = Prover(game, solver=search.solver, order=order, symmetry=search.symmetry)
    stopped_by = prover.run(stop, look)
    proof = prover.proof(prover.seconds, stopped_by)
    value = math.nan if proof.value is None else proof.value
    return {
        "problem": search.game,
        "instance": "",
        "problem_options": "{}",
        "algorithm": f"prove {search.solver}",
        "options": json.dumps(
            {"kind": search.kind, "order": search.order, "symmetry": search.symmetry}
        ),
        "score": -math.inf if proof.value is None else value,
        "playouts": proof.nodes,
        "seconds": proof.seconds,
        "verified": int(proof.value is None or _ends_with(game, proof.variation, value)),
        "stopped_by": stopped_by,
        "curve": np.array([[proof.seconds, proof.nodes, value]], "<f8").tobytes(),
        "moves": json.dumps([proof.variation]),
        "records": "[]",
    }


def _ends_with(game: Game, texts: list[str], value: float) -> bool:
    """Whether a game whose moves are played again, in plain Python, is over and worth the value."""
    state = game.root()
    for text in texts:
        game.play_move(state[0], game.parse_move(state[0], text))
    return game.is_over(state[0]) and game.final_rewards(state[0])[0] == value


def figures(search: Prove, curves: Curves, mark: float) -> np.ndarray:
    """What is shown of proofs that were complete by a mark; no number for the others."""
    points = curves.last_by(mark)
    found = {"seconds": points[:, 0], "moves": points[:, 1], "winner": 2 - points[:, 2]}
    return np.where(np.isnan(points[:, 2]), np.nan, found[search.shows])
