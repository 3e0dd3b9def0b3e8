"""What the stack of a solver must be when it comes from a file (`algorithms/array_checks.py`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from playout.algorithms.array_checks import LARGEST_COUNT, Line, need, same_shapes, within
from playout.contract import Game
from playout.solvers.position_table import FALSE, TRUE


def check_head(search: Any, fresh: dict[str, np.ndarray], own: tuple[str, ...]) -> None:
    """ValueError unless shapes, counts and the depth fit; `own`: what a file does not change."""
    names = type(search).fields
    arrays = {name: getattr(search, name) for name in names}
    same_shapes(arrays, fresh, getattr(search, "growing", {}))
    head = search.head[0]
    for name in own:
        head[name] = fresh["head"][0][name]
    within(head.depth, 0, len(search.states) - 2, "the depth")
    within(head.deepest, 0, len(search.states), "the depth")
    within(head.nodes, 0, LARGEST_COUNT, "nodes")
    within(head.answer, 0, FALSE, "an answer")


def check_stack(
    search: Any, game: Game, root: np.ndarray, open_frames: int, chosen: np.ndarray
) -> None:
    """Play a stack of positions again; ValueError unless its moves are legal.

    Of each open frame the moves are legal where they are, and `chosen` is the index of the one that
    leads to the next.
    """
    line = Line(game, root, compiled=False)
    search.states[0] = line.state[0]
    for depth in range(open_frames):
        frame, moves = search.frames[depth], search.moves[depth]
        within(frame.count, 1, min(line.count, search.scores.shape[1]), "moves of a position")
        within(frame.begun, 0, search.head[0].nodes, "nodes before a position")
        within(chosen[depth], 0, frame.count - 1, "a move of a position")
        legal = {line.moves[i : i + 1].tobytes() for i in range(line.count)}
        found = {moves[i : i + 1].tobytes() for i in range(frame.count)}
        need(found <= legal, "a move that is not legal")
        frame.wants = to_move(game, line)
        if depth < search.head[0].depth:
            line.play(moves[chosen[depth] : chosen[depth] + 1])
            search.states[depth + 1] = line.state[0]


def to_move(game: Game, line: Line) -> int:
    """The answer that the player to move wants."""
    return TRUE if game.turn(line.state[0]) == 0 else FALSE
