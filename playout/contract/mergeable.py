"""What searches ask that meet a position again: graphs in place of trees, caches, solvers.

Symmetries are numbered from 0, the identity, and keep the players as they are. Together they are
a group: one after another is again one of them.
"""

from __future__ import annotations

from typing import Any

from playout.compiled import copy_record, hash_record
from playout.contract.rules import Rules


class Mergeable(Rules):
    """Which positions are the same.

    - `symmetries`: how many symmetries the rules have, the identity included.
    """

    symmetries: int = 1

    def key(self, state: Any) -> Any:
        """A 64-bit hash of the state: equal keys are taken as equal positions.

        Called by tree searches with a graph, and wherever a network's predictions are kept.
        """
        return hash_record(state)

    def transform(self, state: Any, symmetry: int, out: Any) -> None:
        """Write the state as a symmetry shows it into `out`, every field of it.

        Called by tree searches and solvers with `symmetry`.
        """
        copy_record(state, out)

    def transform_move(self, move: Any, symmetry: int, out: Any) -> None:
        """Write the move as a symmetry shows it into `out`, every field of it.

        Called by tree searches and solvers with `symmetry`. Where moves are plain numbers, `out`
        is an array of one.
        """
        copy_record(move, out)
