"""Alpha-beta with a transposition table, for yes-or-no questions, as data and a step.

The question is whether the first player gets at least `goal`. With two answers, alpha-beta is a
search for one good move at his positions and for one refutation at the other's. With a limit on
depth, what lies deeper is unknown, and iterative deepening raises the limit until the answer is
known (T. Cazenave, Monte Carlo Game Solver, Algorithm 1 and section 4).
"""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import Compiled, helper, kernel, record, same_record
from playout.problem import Game
from playout.solvers.order import MoveOrder
from playout.solvers.table import FALSE, TRUE, UNKNOWN, Table, keep, probe

# how a step ended
RUNNING, DONE, TOO_MANY_MOVES, TOO_LONG = 0, 1, -1, -2

HEAD = record(
    goal="f8",
    depth="i8",  # of the position on top of the stack
    limit="i8",  # positions at this depth are not looked into; -1: no limit
    entering="i1",  # whether the position on top is new
    answer="i1",  # of the position that was just left
    nodes="i8",  # moves played
    deepest="i8",
    symmetry="i8",
)

FRAME = record(
    count="i8",
    tried="i8",
    unknown="i1",  # whether some move's answer is unknown
    wants="i1",  # the answer that decides: TRUE where the first player moves
    begun="i8",  # nodes before this position
    key="u8",
)


class AlphaBeta(Compiled):
    """The stack of positions from the root to where the search is."""

    fields = ("head", "frames", "states", "spare", "moves", "scores")

    def __init__(self, game: Game, root: np.ndarray, goal: float, symmetry: bool = False) -> None:
        depth = game.max_length + 2
        self.head = np.zeros(1, HEAD)
        self.head[0].goal = goal
        self.head[0].limit = -1
        self.head[0].entering = 1
        self.head[0].symmetry = game.symmetries if symmetry else 1
        self.frames = np.zeros(depth, FRAME)
        self.states = game.new_states(depth)
        self.states[0] = root[0]
        self.spare = game.new_states(2)
        self.moves = np.zeros((depth, 2 * game.max_moves + 64), game.move_type)
        self.scores = np.zeros((depth, game.max_moves), np.float64)

    def restart(self, limit: int) -> None:
        """Begin at the root again, with another limit."""
        head = self.head[0]
        head.limit = limit
        head.depth = 0
        head.entering = 1
        head.answer = UNKNOWN

    # what a prover asks of every solver, in plain Python

    def go_on(self, game: Game, table: Table, order: MoveOrder, nodes: int) -> int:
        """Search until so many nodes have been played in all, or the answer is known."""
        return int(advance(self, game, table, order, nodes))

    def best_move(self) -> np.ndarray:
        """The move that has decided the root, as an array of one; or the first, if none can."""
        decided = self.head[0].answer == self.frames[0].wants
        place = int(self.frames[0].tried) - 1 if decided else 0
        return self.moves[0, place : place + 1].copy()


@kernel
def advance(search, game, table, order, nodes):
    """Search until so many nodes have been played in all, or the answer is known."""
    head = search.head[0]
    while head.nodes < nodes:
        if head.entering:
            status = enter(search, game, table, order)
            if status < 0:
                return status
        else:
            take(search, game, table, order)
        if not head.entering and head.depth < 0:
            return DONE
    return RUNNING


@helper
def enter(search, game, table, order):
    """Look at a new position: it is decided, or its moves are put in order."""
    head = search.head[0]
    d = head.depth
    frame, state = search.frames[d], search.states[d]
    head.deepest = max(head.deepest, d)
    frame.begun = head.nodes
    canonical(search, game, state)
    frame.key = game.key(search.spare[1])
    place = probe(table, frame.key, search.spare[1])
    if place >= 0:
        entry = table.entries[place]
        if d > 0 and entry.answer != UNKNOWN:  # the root is looked into: its move is wanted
            leave(head, entry.answer)
            return 0
        if d > 0 and head.limit >= 0 and entry.depth >= head.limit - d:
            leave(head, UNKNOWN)
            return 0
    moves = search.moves[d]
    n = game.moves(state, moves)
    if n == 0:
        leave(head, TRUE if game.reward(state, 0) >= head.goal else FALSE)
        return 0
    if n > search.scores.shape[1]:
        return TOO_MANY_MOVES
    if d + 2 >= len(search.states):
        return TOO_LONG
    if head.limit >= 0 and d >= head.limit:
        leave(head, UNKNOWN)
        return 0
    frame.count = n
    frame.tried = 0
    frame.unknown = 0
    frame.wants = TRUE if game.turn(state) == 0 else FALSE
    if order.wants_scores():
        order.score(game, state, moves, n, search.scores[d], d)
    if place >= 0:  # the move that looked best the last time goes first
        best_first(search, d, n, table.entries[place].best)
    go_on(search, game, order, d)
    return 0


@helper
def best_first(search, d, n, best):
    moves, scores = search.moves[d], search.scores[d]
    for i in range(n):
        if same_record(moves[i], best):
            moves[n] = moves[0]
            moves[0] = moves[i]
            moves[i] = moves[n]
            scores[i] = scores[0]
            scores[0] = -math.inf
            break


@helper
def leave(head, answer):
    """Go back to the position before with an answer."""
    head.answer = answer
    head.entering = 0
    head.depth -= 1


@helper
def go_on(search, game, order, d):
    """Play the best of the moves that are left; selection sort, since few are tried."""
    head, frame = search.head[0], search.frames[d]
    moves, scores = search.moves[d], search.scores[d]
    first = frame.tried
    best = first
    if order.wants_scores():
        for i in range(first + 1, frame.count):
            if scores[i] < scores[best]:
                best = i
    if best != first:
        scores[best], scores[first] = scores[first], scores[best]
        spare = search.moves[d, frame.count : frame.count + 1]
        spare[0] = moves[first]
        moves[first] = moves[best]
        moves[best] = spare[0]
    frame.tried = first + 1
    search.states[d + 1] = search.states[d]
    game.play(search.states[d + 1], moves[first])
    head.nodes += 1
    head.depth = d + 1
    head.entering = 1


@helper
def take(search, game, table, order):
    """Take the answer of a move in: the position is decided, or the next move is tried."""
    head = search.head[0]
    d = head.depth
    frame, state = search.frames[d], search.states[d]
    if head.answer == UNKNOWN:
        frame.unknown = 1
    decided = head.answer == frame.wants
    if not decided and frame.tried < frame.count:
        go_on(search, game, order, d)
        return
    last = search.moves[d, frame.tried - 1]
    answer = frame.wants
    if decided:
        order.cut(game, state, last, d)
    else:
        answer = UNKNOWN if frame.unknown else TRUE + FALSE - frame.wants
        last = search.moves[d, 0]
    canonical(search, game, state)
    keep(
        table, frame.key, search.spare[1], answer, head.limit - d if head.limit >= 0 else 0,
        head.nodes - frame.begun, last,
    )  # fmt: skip
    leave(head, answer)


@helper
def canonical(search, game, state):
    """Write the symmetric form of a position with the lowest key into `spare[1]`."""
    search.spare[1] = state
    if search.head[0].symmetry > 1:
        least = game.key(state)
        for symmetry in range(1, search.head[0].symmetry):
            game.transform(state, symmetry, search.spare[0])
            key = game.key(search.spare[0])
            if key < least:
                least = key
                search.spare[1] = search.spare[0]
