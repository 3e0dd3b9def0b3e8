"""Warm starts: a search that begins from a whole game that somebody has found.

GNRPA takes it for the best sequence of its top level, and every policy begins adapted to it. NMCS
follows it at its top level until it finds a better one. LAHC climbs from it. Other searches begin
as ever; whatever the algorithm, a run that finds nothing better ends with what it was given.
"""

from __future__ import annotations

import numpy as np

from playout.algorithms.lahc import LAHCSearch
from playout.algorithms.nested_policy import NestedPolicySearch
from playout.algorithms.nmcs import NMCSSearch
from playout.algorithms.search import FINE, ROOM, Search, begin_batch
from playout.contract import Problem
from playout.errors import ProblemError

# sum of the learning rates of the first lessons: its moves become likely, and others stay possible
HEAD_START = 5.0


def begin_with(search: Search, problem: Problem, moves: np.ndarray, score: float) -> bool:
    """Let a search that has done nothing yet begin from a game; whether it can make use of it."""
    if isinstance(search, NestedPolicySearch):
        begin_batch(search, problem)
        _adapt_to(search, problem, moves, score)
    elif isinstance(search, NMCSSearch):
        begin_batch(search, problem)
        search._keep(search.control[0].top, score, moves, len(moves))
    elif isinstance(search, LAHCSearch):
        begin_batch(search, problem)
        search.begin_with(moves, score)
        search.head[0].batch = search.plan(problem)
    else:
        return False
    return True


def _adapt_to(
    search: NestedPolicySearch, problem: Problem, moves: np.ndarray, score: float
) -> None:
    search.counts[0].rows -= 1
    row, own = int(search.free_rows[search.counts[0].rows]), int(search.slot_rows[0])
    search.sequences[row, : len(moves)] = moves
    search.lengths[row] = len(moves)
    search.slot_rows[0] = row  # where `retrace` memorises
    status = ROOM
    while status == ROOM:
        search.states[0] = search.root[0]
        status = search.retrace(problem, 0)
        if status == ROOM:
            search.grow()
    search.slot_rows[0] = own
    if status != FINE:
        raise ProblemError("the solution to begin with is no whole game")
    while not search._has_room():
        search.grow()
    options = search.options[0]
    top = search.kept[options.level, 0]
    top.score, top.row = score, row
    for _ in range(max(1, round(HEAD_START / float(options.alpha)))):
        search._adapt(top)
    for level in range(1, int(options.level)):
        search._copy_table(top.table, search.kept[level, 0].table)
