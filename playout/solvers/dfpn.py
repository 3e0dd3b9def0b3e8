"""Depth-first proof-number search, as data and a step.

The question is whether the first player gets at least `goal`. A position's proof number is how many
positions would have to be decided, at the least, to prove a yes, and its disproof number the same
for a no. The search goes where least is missing, and stays in a part of the tree as long as the
numbers there are below thresholds that say when another part is nearer to its end (A. Nagai, 2002).
All that is kept are the path and a table.

- Sums of numbers count a position twice that is reached in two ways. So the number of a position is
  that of the costliest of its open moves, and one for each of the others (T. Ueda et al., 2008).
- A threshold is a quarter higher than the next best move's number, so that the search does not go
  to and fro (J. Pawlewicz and L. Lew, 2007).
- A new position has a number for each of its moves. A move order says more: the later it puts a
  move, the higher the number that it begins with, by one for each place.
"""

from __future__ import annotations

import numpy as np

from playout.algorithms.array_checks import within
from playout.compiled import Compiled, helper, kernel, record
from playout.contract import Game, room_for_moves
from playout.solvers.move_order import MoveOrder
from playout.solvers.path_dependence import NEVER, depends_on, leads_back, path_marks
from playout.solvers.position_table import FALSE, TRUE, hash_words
from playout.solvers.position_words import write_position
from playout.solvers.proof_number_table import (
    DISPROOF,
    MARKS,
    PROOF,
    ProofTable,
    find_numbers,
    keep_numbers,
)
from playout.solvers.question import QUESTION, set_goal
from playout.solvers.stack_checks import check_head, check_stack
from playout.solvers.step_status import BAD_REWARD, DONE, RUNNING, TOO_LONG, TOO_MANY_MOVES

ENDLESS = 1 << 60  # the number of what cannot be
MOST = 1 << 50  # numbers that are higher are as good as this one

HEAD = record(
    **QUESTION,
    depth="i8",  # of the position on top of the stack
    entering="i1",  # whether the position on top is new
    answer="i1",
    nodes="i8",  # moves played
    deepest="i8",
    symmetry="i8",
    proof="i8",  # of the position that was just left
    disproof="i8",
    since="i8",  # if it is decided: the earliest position that this depends on (path_dependence.py)
    marks="u8",  # and the positions that must not have been before it
)

FRAME = record(
    count="i8",
    child="i8",  # the move that is looked into
    wants="i1",  # the answer that decides: TRUE where the first player moves
    proof_limit="i8",
    disproof_limit="i8",
    begun="i8",  # nodes before this position
    path="u8",  # the marks of this position and all before it
)

# what is known of a move
MOVE = record(
    proof="i8",
    disproof="i8",
    since="i8",  # if it is decided, as in the head
    marks="u8",
    back="u8",  # the mark of the position after it, if that may be an earlier one
)


class DfPn(Compiled):
    """The path from the root to where the search is, with the numbers of all moves on the way."""

    fields = ("head", "frames", "states", "spare", "words", "moves", "scores", "known")

    def __init__(self, game: Game, root: np.ndarray, goal: float, symmetry: bool = False) -> None:
        depth = game.max_length + 2
        self.head = np.zeros(1, HEAD)
        set_goal(self.head[0], game, goal)
        self.head[0].entering = 1
        self.head[0].symmetry = game.symmetries if symmetry else 1
        self.frames = np.zeros(depth, FRAME)
        self.frames[0].proof_limit = self.frames[0].disproof_limit = ENDLESS
        self.states = game.new_states(depth)
        self.states[0] = root[0]
        self.spare = game.new_states(1)
        self.words = np.zeros((2, game.pack_words()), np.uint64)
        self.moves = np.zeros((depth, room_for_moves(game.max_moves)), game.move_type)
        self.scores = np.zeros((depth, game.max_moves), np.float64)
        self.known = np.zeros((depth, game.max_moves), MOVE)

    def check_arrays(self, game: Game, fresh: dict[str, np.ndarray]) -> None:
        """ValueError if arrays from a file cannot be those of a search under way."""
        check_head(self, fresh, ("symmetry",))
        head = self.head[0]
        within(head.entering, 0, 1, "whether a position is new")
        opened = int(head.depth) + (head.entering == 0)
        check_stack(self, game, fresh["states"][:1], opened, self.frames["child"])
        for numbers in (head, self.known[:opened]):
            within(numbers["proof"], 0, ENDLESS, "a proof number")
            within(numbers["disproof"], 0, ENDLESS, "a disproof number")

    # what a prover asks of every solver, in plain Python

    def go_on(self, game: Game, table: ProofTable, order: MoveOrder, nodes: int) -> int:
        """Search until so many nodes have been played in all, or the answer is known."""
        return int(step(self, game, table, order, nodes))

    def best_move(self) -> np.ndarray:
        """The move that has decided the root, as an array of one; or the first, if none can."""
        frame = self.frames[0]
        number = "proof" if frame.wants == TRUE else "disproof"
        index = int(self.known[0, : frame.count][number].argmin())
        return self.moves[0, index : index + 1].copy()


@kernel
def step(search, game, table, order, nodes):
    """Search until so many nodes have been played in all, or the answer is known."""
    head = search.head[0]
    while head.nodes < nodes:
        if head.entering:
            status = enter(search, game, table, order)
            if status < 0:
                return status
        else:
            take(search, game, table)
        if head.depth < 0:
            head.answer = TRUE if head.proof == 0 else FALSE
            return DONE
    return RUNNING


@helper
def enter(search, game, table, order):
    """Look at a new position: at each of its moves."""
    head = search.head[0]
    d = head.depth
    frame, state, moves = search.frames[d], search.states[d], search.moves[d]
    head.deepest = max(head.deepest, d)
    frame.begun = head.nodes
    n = game.moves(state, moves)
    if not 0 <= n <= search.scores.shape[1]:
        return TOO_MANY_MOVES
    if n == 0:  # the root alone: others were looked at before
        head.proof, head.disproof = numbers_for(head, game.reward(state, 0))
        leave(head)
        return BAD_REWARD if head.proof < 0 else 0
    if d + 2 >= len(search.states):
        return TOO_LONG
    frame.count = n
    frame.wants = TRUE if game.turn(state) == 0 else FALSE
    if game.remembers():
        frame.path = path_marks(game, search, d)
    late = 0
    if order.wants_scores():
        order.score(game, state, moves, n, search.scores[d], d)
        put_in_order(search, d, n)
        late = 1
    for i in range(n):
        search.states[d + 1] = state
        game.play(search.states[d + 1], moves[i])
        head.nodes += 1
        known, frame.child = search.known[d, i], i
        status = look_at(search, game, table, d, known, i * late)
        if status < 0:
            return status
        if (known.proof if frame.wants == TRUE else known.disproof) == 0:  # this one is enough
            order.cut(game, state, moves[i], d)
            frame.count = i + 1
            break
    go_on(search, game, table)
    return 0


@helper
def put_in_order(search, d, n):
    """Sort the moves of a position by their scores, the lowest first."""
    moves, scores = search.moves[d], search.scores[d]
    for i in range(1, n):
        score, j = scores[i], i
        moves[n] = moves[i]
        while j > 0 and scores[j - 1] > score:
            scores[j] = scores[j - 1]
            moves[j] = moves[j - 1]
            j -= 1
        scores[j] = score
        moves[j] = moves[n]


@helper
def numbers_for(head, reward):
    """The numbers of a position whose worth to the first player is known; -1 if it is none."""
    if head.below < reward < head.goal or not head.lowest <= reward <= head.highest:
        return -1, -1
    if reward >= head.goal:
        return 0, ENDLESS
    return ENDLESS, 0


@helper
def look_at(search, game, table, d, known, more):
    """Note what is known of a move, which was just played at depth `d`, without looking into it.

    A new one begins with `more` than the number of moves that follow. 0 or an error.
    """
    head, frame, state = search.head[0], search.frames[d], search.states[d + 1]
    known.since, known.marks = NEVER, np.uint64(0)
    if game.remembers():
        known.back = leads_back(game, search.states[d], search.moves[d, frame.child], state)
    n = game.moves(state, search.moves[d + 1])
    if not 0 <= n <= search.scores.shape[1]:
        return TOO_MANY_MOVES
    plain = game.reward(state, 0) if n == 0 else game.decided(state)
    if plain == plain:
        known.proof, known.disproof = numbers_for(head, plain)
        return BAD_REWARD if known.proof < 0 else 0
    words = search.words[0]
    write_position(game, state, head.symmetry, search.spare[0], words, search.words[1])
    slot = find_numbers(table, hash_words(words), words, frame.path)
    if slot >= 0:
        entry = table.entries[slot]
        known.proof, known.disproof = np.int64(entry[PROOF]), np.int64(entry[DISPROOF])
        known.marks = entry[MARKS]
        return 0
    known.proof, known.disproof = (1, n) if game.turn(state) == 0 else (n, 1)
    if frame.wants == TRUE:
        known.proof += more
    else:
        known.disproof += more
    return 0


@helper
def leave(head):
    """Go back to the position before."""
    head.entering = 0
    head.depth -= 1


@helper
def take(search, game, table):
    """Take in what was found out about a move."""
    head = search.head[0]
    known = search.known[head.depth, search.frames[head.depth].child]
    known.proof, known.disproof = head.proof, head.disproof
    known.since, known.marks = head.since, head.marks
    go_on(search, game, table)


@helper
def go_on(search, game, table):
    """Look into the most promising move, or leave: the position is decided, or others are nearer.

    "Least" is what the player to move needs, his proof or disproof number, and "most" the other.
    """
    head = search.head[0]
    d = head.depth
    frame, proves = search.frames[d], search.frames[d].wants == TRUE
    best, least, second, most, open_moves = 0, ENDLESS, ENDLESS, 0, 0
    for i in range(frame.count):
        known = search.known[d, i]
        mine, other = known.disproof, known.proof
        if proves:
            mine, other = other, mine
        if mine < least:
            best, second, least = i, least, mine
        elif mine < second:
            second = mine
        if other > 0:
            open_moves += 1
            most = max(most, other)
    if least == 0:
        most = ENDLESS
    elif most > 0:
        most = min(most + open_moves - 1, MOST)
    least_limit, most_limit = frame.disproof_limit, frame.proof_limit
    if proves:
        least_limit, most_limit = most_limit, least_limit
    if least >= least_limit or most >= most_limit:
        head.proof, head.disproof = (least, most) if proves else (most, least)
        keep_and_leave(search, game, table, best)
        return
    least_limit = min(least_limit, second + second // 4 + 1)
    if most_limit < ENDLESS:
        most_limit -= open_moves - 1
    below = search.frames[d + 1]
    below.proof_limit, below.disproof_limit = most_limit, least_limit
    if proves:
        below.proof_limit, below.disproof_limit = least_limit, most_limit
    frame.child = best
    search.states[d + 1] = search.states[d]
    game.play(search.states[d + 1], search.moves[d, best])
    head.nodes += 1
    head.depth = d + 1
    head.entering = 1


@helper
def keep_and_leave(search, game, table, best):
    """Keep the numbers of the position, unless they are true after its own past only."""
    head = search.head[0]
    d = head.depth
    state = search.states[d]
    head.since, head.marks = NEVER, np.uint64(0)
    if game.remembers() and (head.proof == 0 or head.disproof == 0):
        follow_past(search, game, best)
    if not game.remembers() or head.since >= game.moment(state):
        words = search.words[0]
        write_position(game, state, head.symmetry, search.spare[0], words, search.words[1])
        cost = head.nodes - search.frames[d].begun
        keep_numbers(table, hash_words(words), words, head.proof, head.disproof, cost, head.marks)
    leave(head)


@helper
def follow_past(search, game, best):
    """What a decision depends on: the move that decides, or all of them."""
    head = search.head[0]
    d = head.depth
    frame = search.frames[d]
    if (head.proof == 0) == (frame.wants == TRUE):
        known = search.known[d, best]
        head.since, head.marks = known.since, known.marks | known.back
        return
    head.since = depends_on(game, search.states[d])
    for i in range(frame.count):
        head.since = min(head.since, search.known[d, i].since)
        head.marks |= search.known[d, i].marks
