"""Alpha-beta with a transposition table, for yes-or-no questions, as data and a step.

The question is whether the first player gets at least `goal`. With two answers, alpha-beta is a
search for one good move at his positions and for one refutation at the other's. With a limit on
depth one player tries to prove his answer within it (a null window): what lies deeper counts
against him, and iterative deepening raises the limit until one of them has proven his (T. Cazenave,
Monte Carlo Game Solver, Algorithm 1 and section 4). What counts so is never kept as an answer.

With `ahead`, the first so many moves of a position are all played and looked up before any is
searched: one that is known to decide it ends it, those that are known not to are left out.
"""

from __future__ import annotations

import numpy as np

from playout.algorithms.array_checks import LARGEST_COUNT, need, within
from playout.compiled import Compiled, helper, kernel, record
from playout.contract import Game, room_for_moves
from playout.solvers.move_order import MoveOrder
from playout.solvers.next_move import best_first, move_mark, pick
from playout.solvers.path_dependence import NEVER, depends_on, leads_back, path_marks
from playout.solvers.position_table import (
    FALSE,
    NOT_FALSE,
    NOT_TRUE,
    TRUE,
    UNKNOWN,
    Table,
    best_of,
    depth_of,
    fetch_early,
    hash_words,
    keep_answer,
    probe,
    says,
)
from playout.solvers.position_words import write_position
from playout.solvers.question import QUESTION, set_goal
from playout.solvers.stack_checks import check_head, check_stack
from playout.solvers.step_status import BAD_REWARD, DONE, RUNNING, TOO_LONG, TOO_MANY_MOVES

NO_LIMIT = -1

# whether the position on top is new, or new but looked up from the one before
LEFT, NEW, LOOKED_UP = 0, 1, 2

HEAD = record(
    **QUESTION,
    depth="i8",  # of the position on top of the stack
    limit="i8",  # positions at this depth are not looked into; or NO_LIMIT
    proves="i1",  # with a limit: the answer that is to be proven within it
    entering="i1",  # LEFT, NEW or LOOKED_UP
    answer="i1",  # of the position that was just left
    since="i8",  # the earliest position that this answer depends on (path_dependence.py)
    marks="u8",  # the positions that must not have been before it (path_dependence.py)
    nodes="i8",  # moves played
    deepest="i8",
    symmetry="i8",
    worker="i8",  # its number: workers from 1 on try moves in another order
)

FRAME = record(
    count="i8",
    tried="i8",
    looked="i8",  # how many of the moves were looked up
    unknown="i1",  # whether some move's answer is unknown
    wants="i1",  # the answer that decides: TRUE where the first player moves
    form="i1",  # the symmetry that makes the position's words
    begun="i8",  # nodes before this position
    played="i8",  # nodes before the last move that was tried
    key="u8",
    since="i8",
    marks="u8",
    path="u8",  # the marks of this position and all before it
    mark="u8",  # of this position, if the move that led to it may bring an earlier one back
)

# a move that was looked up, what is known of it and the position it leads to
KID = record(answer="i1", form="i1", key="u8")


class AlphaBeta(Compiled):
    """The stack of positions from the root to where the search is."""

    fields = (
        *("head", "frames", "states", "spare", "words", "moves", "scores", "spent"),
        *("kids", "kid_words"),
    )

    def __init__(
        self, game: Game, root: np.ndarray, goal: float, symmetry: bool = False, ahead: int = 0
    ) -> None:
        depth = game.max_length + 2
        self.head = np.zeros(1, HEAD)
        head = self.head[0]
        set_goal(head, game, goal)
        head.limit = NO_LIMIT
        head.entering = NEW
        head.symmetry = game.symmetries if symmetry else 1
        self.frames = np.zeros(depth, FRAME)
        self.states = game.new_states(depth)
        self.states[0] = root[0]
        self.spare = game.new_states(1)
        self.words = np.zeros((depth + 1, game.pack_words()), np.uint64)
        self.moves = np.zeros((depth, room_for_moves(game.max_moves)), game.move_type)
        self.scores = np.zeros((depth, game.max_moves), np.float64)
        # nodes below each move that was tried; 0 for one that was looked up and decides nothing
        self.spent = np.zeros((depth, game.max_moves), np.int64)
        # where the past counts it would count for each of them: none is looked up
        ahead = 0 if game.remembers() else min(ahead, game.max_moves)
        self.kids = np.zeros((depth, ahead), KID)
        self.kid_words = np.zeros((depth, ahead, game.pack_words()), np.uint64)

    def check_arrays(self, game: Game, fresh: dict[str, np.ndarray]) -> None:
        """ValueError if arrays from a file cannot be those of a search under way."""
        check_head(self, fresh, ("symmetry", "worker"))
        head, frames = self.head[0], self.frames
        within(head.entering, LEFT, LOOKED_UP, "how a position is come to")
        within(head.proves, UNKNOWN, FALSE, "what is to be proven")
        within(head.limit, NO_LIMIT, LARGEST_COUNT, "the limit")
        depth = int(head.depth)
        opened = depth + (head.entering == LEFT)
        check_stack(self, game, fresh["states"][:1], opened, frames["tried"] - 1)
        below = frames[:opened]
        within(
            below["looked"], 0, np.minimum(below["count"], self.kids.shape[1]), "moves looked up"
        )
        within(below["form"], 0, head.symmetry - 1, "a symmetry")
        within(below["played"], 0, head.nodes, "nodes before a move")
        within(self.kids["form"], 0, head.symmetry - 1, "a symmetry")
        if head.entering == LOOKED_UP:
            need(depth > 0, "a position without one before it")
            before = frames[depth - 1]
            need(before.tried <= before.looked, "a move that was not looked up")

    def restart(self, limit: int, proves: int) -> None:
        """Begin at the root again: one answer is to be proven within a limit."""
        head = self.head[0]
        head.limit = limit
        head.proves = proves
        head.depth = 0
        head.entering = NEW
        head.answer = UNKNOWN

    # what a prover asks of every solver, in plain Python

    def go_on(self, game: Game, table: Table, order: MoveOrder, nodes: int) -> int:
        """Search until so many nodes have been played in all, or the answer is known."""
        return int(step(self, game, table, order, nodes))

    def best_move(self) -> np.ndarray:
        """The move that has decided the root, as an array of one; or the first, if none can."""
        decided = self.head[0].answer == self.frames[0].wants
        index = int(self.frames[0].tried) - 1 if decided else 0
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
    words = search.words[d]
    if head.entering == LOOKED_UP:
        take_over(search, d)
    else:
        plain = game.decided(state)
        if plain == plain and d > 0:
            return settle(head, plain)
        frame.form = write_position(
            game, state, head.symmetry, search.spare[0], words, search.words[len(search.words) - 1]
        )
        plain = game.decided_packed(state, words)
        if plain == plain and d > 0:
            return settle(head, plain)
        frame.key = hash_words(words)
    if game.remembers():
        frame.path = path_marks(game, search, d)
    told, marks = probe(
        table, frame.key, words, search.frames[d - 1].path if d > 0 else np.uint64(0)
    )
    known = says(told)
    if d > 0:  # at the root a move is wanted
        if known in (TRUE, FALSE):
            leave(head, known, NEVER, marks)
            return 0
        if known and known == (NOT_TRUE if head.proves == TRUE else NOT_FALSE):
            if head.limit >= 0 and depth_of(told) >= head.limit - d:
                leave(head, UNKNOWN, NEVER, np.uint64(0))
                return 0
    moves = search.moves[d]
    n = game.moves(state, moves)
    if n == 0:
        return settle(head, game.reward(state, 0))
    if not 0 <= n <= search.scores.shape[1]:
        return TOO_MANY_MOVES
    if d + 2 >= len(search.states):
        return TOO_LONG
    if head.limit >= 0 and d >= head.limit:
        leave(head, UNKNOWN, NEVER, np.uint64(0))
        return 0
    if d > 0:  # at the root he who has lost may still choose
        n = game.needed(state, moves, n)
    frame.count = n
    frame.tried = 0
    frame.looked = 0
    frame.unknown = 0
    frame.begun = head.nodes
    frame.wants = TRUE if game.turn(state) == 0 else FALSE
    frame.since = depends_on(game, state)
    frame.marks = np.uint64(0)
    if order.wants_scores():
        order.score(game, state, moves, n, search.scores[d], d)
    if known in (NOT_TRUE, NOT_FALSE):  # what looked best the last time goes first
        best_first(search, game, d, n, best_of(told))
    if d > 0 and search.kids.shape[1] > 0:  # at the root a move is wanted
        head.answer = look_ahead(search, game, table, order, d)
        if head.answer < 0:
            return BAD_REWARD
        if head.answer != UNKNOWN:
            finish(search, game, table, order, d, head.answer == frame.wants)
            return 0
    play_next(search, game, order, d)
    return 0


@helper
def take_over(search, d):
    """What is known of a position that was looked up from the one before."""
    index = search.frames[d - 1].tried - 1
    frame, kid = search.frames[d], search.kids[d - 1, index]
    frame.form = kid.form
    frame.key = kid.key
    for i in range(search.words.shape[1]):
        search.words[d, i] = search.kid_words[d - 1, index, i]


@helper
def look_ahead(search, game, table, order, d):
    """Look the first moves up: the answer if they give one, else UNKNOWN; or an error.

    Each is looked up when the next has been played: until then its memory is on the way.
    """
    frame, kids = search.frames[d], search.kids[d]
    n = min(frame.count, len(kids))
    frame.looked = n
    lost = 0
    for i in range(n + 1):
        if i < n:
            pick(search, order, d, i)
            make_kid(search, game, table, d, i)
            search.spent[d, i] = 0
        if i > 0:
            frame.tried = i
            kid = kids[i - 1]
            if kid.answer == UNKNOWN:
                told, _ = probe(table, kid.key, search.kid_words[d, i - 1], np.uint64(0))
                if says(told) in (TRUE, FALSE):
                    kid.answer = says(told)
            if kid.answer < 0 or kid.answer == frame.wants:
                return np.int64(kid.answer)
            lost += kid.answer != UNKNOWN
    frame.tried = 0
    return TRUE + FALSE - np.int64(frame.wants) if lost == frame.count else UNKNOWN


@helper
def make_kid(search, game, table, d, i):
    """Play a move to see what it leads to: an answer that is plain, or a position to look up."""
    head, kid, words = search.head[0], search.kids[d, i], search.kid_words[d, i]
    state = search.states[d + 1]
    search.states[d + 1] = search.states[d]
    game.play(state, search.moves[d, i])
    head.nodes += 1
    plain = game.decided(state)
    if plain != plain:
        kid.form = write_position(
            game, state, head.symmetry, search.spare[0], words, search.words[len(search.words) - 1]
        )
        plain = game.decided_packed(state, words)
    if plain == plain:
        kid.answer = answer_of(head, plain)
        return
    kid.answer = UNKNOWN
    kid.key = hash_words(words)
    fetch_early(table, kid.key)


@helper
def settle(head, reward):
    """Leave a position whose worth to the first player is plain; 0 or an error."""
    answer = answer_of(head, reward)
    if answer < 0:
        return BAD_REWARD
    leave(head, answer, NEVER, np.uint64(0))
    return 0


@helper
def answer_of(head, reward):
    """The answer that a reward of the first player gives, or an error."""
    if head.below < reward < head.goal or not head.lowest <= reward <= head.highest:
        return BAD_REWARD
    return TRUE if reward >= head.goal else FALSE


@helper
def leave(head, answer, since, marks):
    """Go back to the position before with an answer, and what this depends on."""
    head.answer = answer
    head.since = since
    head.marks = marks
    head.entering = LEFT
    head.depth -= 1


@helper
def next_index(search, d):
    """The index of the next move to try, without those that are known not to decide."""
    index = search.frames[d].tried
    while index < search.frames[d].looked and search.kids[d, index].answer != UNKNOWN:
        index += 1
    return index


@helper
def play_next(search, game, order, d):
    """Play the best of the moves that are left."""
    head, frame, moves = search.head[0], search.frames[d], search.moves[d]
    first = next_index(search, d)
    head.entering = LOOKED_UP
    if first >= frame.looked:
        pick(search, order, d, first)
        head.entering = NEW
        head.nodes += 1
    frame.tried = first + 1
    frame.played = head.nodes - 1
    search.states[d + 1] = search.states[d]
    game.play(search.states[d + 1], moves[first])
    if game.remembers():
        search.frames[d + 1].mark = leads_back(
            game, search.states[d], moves[first], search.states[d + 1]
        )
    head.depth = d + 1


@helper
def take(search, game, table, order):
    """Take the answer of a move in: the position is decided, or the next move is tried."""
    head = search.head[0]
    d = head.depth
    frame = search.frames[d]
    decided = head.answer == frame.wants
    if head.answer == UNKNOWN:
        frame.unknown = 1
        # he who must prove something within the limit has failed here
        decided = frame.wants != head.proves
    if game.remembers():
        follow_past(search, d, decided)
    n = frame.tried
    move, nodes = search.moves[d, n - 1], head.nodes - frame.played
    search.spent[d, n - 1] = nodes
    order.tried(game, search.states[d], move, d, nodes, decided)
    if decided and n > 1:
        order.late_cut(game, search.states[d], search.moves[d], n, search.spent[d], d)
    if not decided and next_index(search, d) < frame.count:
        play_next(search, game, order, d)
        return
    finish(search, game, table, order, d, decided)


@helper
def finish(search, game, table, order, d, decided):
    """Leave a position by its last move, which decides it, or since none has; keep the answer."""
    head, frame = search.head[0], search.frames[d]
    last = frame.tried - 1 if decided else 0
    answer = np.int64(head.answer)
    if decided:
        order.cut(game, search.states[d], search.moves[d, last], d)
    elif frame.unknown:
        answer = UNKNOWN
    what = answer
    if answer == UNKNOWN:
        what = NOT_TRUE if head.proves == TRUE else NOT_FALSE
    best = 0
    depth = 0
    if head.limit >= 0:
        depth = head.limit - d
        best = move_mark(search, game, d, last)
    if not game.remembers() or frame.since >= game.moment(search.states[d]):
        cost = head.nodes - frame.begun
        keep_answer(table, frame.key, search.words[d], what, depth, cost, best, frame.marks)
    leave(head, answer, frame.since, frame.marks)


@helper
def follow_past(search, d, decided):
    """What the answer of a position depends on: all moves, or the one that decides it."""
    head, frame = search.head[0], search.frames[d]
    if decided:
        frame.since = head.since
        frame.marks = head.marks | search.frames[d + 1].mark
    else:
        frame.since = min(frame.since, head.since)
        frame.marks |= head.marks
