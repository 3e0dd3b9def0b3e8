"""What every search has in common: arrays that hold all it knows, and steps.

A search works in batches of independent playouts. `plan` says how many playouts come next,
`playout` plays one of them, `learn` takes their scores in. Between any two playouts the search
can be left, written to disk, read back and entered again with the same outcome, because all
that it knows is in the arrays named in `fields`. Each playout draws from a random stream of its
own number, so the outcome depends neither on the size of the steps nor on how many threads
share out a batch.

To add an algorithm, write one file with a frozen dataclass of options (`Algorithm`) and a class
of arrays with these three methods (`Search`), and name it in `playout/algorithms/__init__.py`. What
its arrays must be when they come from a file, it says in `check_knowledge`.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from playout.algorithms.array_checks import LARGEST_COUNT, need, same_shapes, whole_game, within
from playout.compiled import Compiled, hash_record, helper, kernel, record
from playout.compiled.random import random_below, stream_of
from playout.contract import Problem, most_moves, room_for_moves

# what a search is about to do
PLAN, PLAY, LEARN = 0, 1, 2

# how a step ended; the negative numbers are errors of the problem
FINE = 0
ROOM = 1  # the arrays are full: call `grow` and step again
WAIT = 2  # a playout that goes on when a prediction is there; such a search makes its own step
TOO_MANY_MOVES, TOO_LONG, BAD_SCORE, BAD_POLISH = -1, -2, -3, -4
BAD_ALL_MOVES, BAD_BIAS = -5, -6

HEAD = record(
    seed="u8",
    phase="i8",
    runs="i8",  # how often the algorithm came to its natural end
    playouts="i8",
    batch="i8",  # playouts in the batch
    begun="i8",  # playouts of the batch that have been played
    played="i8",  # playouts of the batch that have been played and scored
    budget="i8",  # playouts that the whole run may take, 0 if unknown
    target="f8",  # a step ends as soon as the best score is this high; NaN: never
    best_score="f8",
    best_length="i8",
    improvements="i8",
)

IMPROVEMENT = record(playouts="i8", score="f8")


class Search(Compiled):
    """The arrays that all searches have.

    - `head`: one record, see `HEAD`;
    - `root`: the start of the game; `states`, `moves`, `rng`, `scores`: one for each playout of
      a batch; `sequences`, `lengths`: what was played, in row `row(slot)`;
    - `best`: the best sequence so far; `curve`: each improvement.
    """

    batch_fields = ("states", "moves", "rng", "scores", "sequences", "lengths")
    fields: tuple[str, ...] = ("head", "root", *batch_fields, "best", "curve")
    growing: ClassVar[dict[str, int]] = {"curve": 0}  # the axes on which arrays may grow

    def __init__(self, problem: Problem, seed: int, slots: int, rows: int | None = None) -> None:
        self.head = np.zeros(1, HEAD)
        self.head[0].seed = seed
        self.head[0].best_score = -np.inf
        self.head[0].target = np.nan
        self.root = problem.root()
        self.states = problem.new_states(slots)
        self.moves = np.zeros((slots, room_for_moves(problem.max_moves)), problem.move_type)
        self.rng = np.zeros(slots, np.uint64)
        self.scores = np.zeros(slots)
        rows = slots if rows is None else rows
        self.sequences = np.zeros((rows, problem.max_length), problem.move_type)
        self.lengths = np.zeros(rows, np.int64)
        self.best = np.zeros(problem.max_length, problem.move_type)
        self.curve = np.zeros(1024, IMPROVEMENT)

    # the algorithm, compiled

    def begin(self, problem):
        """Start the algorithm from nothing; called first, and after each natural end."""

    def plan(self, problem):
        """How many playouts the next batch has; 0 at the algorithm's natural end."""
        raise NotImplementedError

    def playout(self, problem, slot):
        """Play number `slot` of the batch into `sequences`; FINE, ROOM or an error."""
        raise NotImplementedError

    def learn(self, problem):
        """Take in the scores of the whole batch; False if the arrays must grow first."""
        return True

    def roll(self, problem, slot, length):
        """Play a slot's state to the end at random; the sequence's new length, or an error."""
        state, moves, rng = self.states[slot], self.moves[slot], self.rng[slot : slot + 1]
        sequence = self.sequences[self.row(slot)]
        while True:
            n = problem.moves(state, moves)
            if n == 0:
                return length
            if not 0 <= n <= most_moves(moves):
                return TOO_MANY_MOVES
            if length == len(sequence):
                return TOO_LONG
            k = random_below(rng, n)
            sequence[length] = moves[k]
            length += 1
            problem.play(state, moves[k])

    def row(self, slot):
        """The row of `sequences` that playout `slot` of the batch writes."""
        return slot

    def finish(self, problem, slot, first):
        """End a playout whose first moves must stay; `Polishing` has another."""
        return FINE

    def retrace(self, problem, slot):
        """Play the slot's sequence from `states[slot]`, the root, by the rules."""
        row = self.row(slot)
        state, moves, sequence = self.states[slot], self.moves[slot], self.sequences[row]
        for i in range(self.lengths[row]):
            n = problem.moves(state, moves)
            if not 0 <= n <= most_moves(moves):
                return TOO_MANY_MOVES
            if index_of(moves, n, sequence[i]) < 0:
                return BAD_POLISH
            problem.play(state, sequence[i])
        return FINE if problem.moves(state, moves) == 0 else BAD_POLISH

    # the driver's side, in plain Python

    def grow(self) -> None:
        """Make room after a step that ended with ROOM."""
        raise NotImplementedError

    def make_step(self, problem: Problem, compiled: bool, threads: int) -> Any:
        """This search's own `step(search, playouts) -> status`; None: the `step` below."""
        return None

    def arrays(self) -> dict[str, np.ndarray]:
        """All that the search knows, by name."""
        return {name: getattr(self, name) for name in self.fields}

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        """Go on from arrays that `arrays` returned."""
        for name in self.fields:
            setattr(self, name, arrays[name])

    def check_arrays(
        self, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool = True
    ) -> None:
        """ValueError if the arrays, which come from a file, cannot be those of such a search.

        `fresh` are those of a search that has done nothing yet. Whatever is written before it is
        read need not be right; positions are played again.
        """
        same_shapes(self.arrays(), fresh, self.growing)
        head = self.head[0]
        if head.playouts == 0 and head.phase == PLAN:
            self.restore(fresh)
            return
        need(head.phase in (PLAN, PLAY), "an unknown phase")
        head.seed = fresh["head"][0].seed
        self.root = fresh["root"]
        within(head.runs, 0, LARGEST_COUNT, "runs")
        within(head.playouts, 0, LARGEST_COUNT, "playouts")
        within(self.lengths, 0, self.sequences.shape[1], "lengths")
        within(head.best_length, 0, len(self.best), "the best length")
        within(head.improvements, 0, len(self.curve), "improvements")
        need(head.best_score == head.best_score, "no best score")
        if head.phase == PLAY:
            within(head.batch, 1, len(self.scores), "a batch")
            within(head.played, 0, head.batch - 1, "playouts of a batch")
            head.begun = head.played
            need(not np.isnan(self.scores[: head.played]).any(), "a score that is none")
        if head.playouts > 0:
            whole_game(problem, self.root, self.best[: head.best_length], compiled=False)
        self.check_knowledge(problem, fresh, compiled)

    def check_knowledge(
        self, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool
    ) -> None:
        """The part of `check_arrays` that is about an algorithm's own arrays."""

    def counters(self) -> dict[str, int]:
        """What the search has counted besides playouts: the algorithm's `counters`, by name."""
        return {}

    def doing(self) -> str:
        """What the search is trying just now, if it tries several things."""
        return ""

    def best_moves(self) -> np.ndarray:
        """The best sequence found so far."""
        return self.best[: int(self.head[0].best_length)].copy()


@helper
def moves_to_play(problem, state, moves, sequence, length):
    """How many moves there are; an error if they are too many, or the sequence has no room."""
    n = problem.moves(state, moves)
    if not 0 <= n <= most_moves(moves):
        return TOO_MANY_MOVES
    if n > 0 and length == len(sequence):
        return TOO_LONG
    return n


@helper
def index_of(moves, n, move):
    """The index of a move among the first n; -1 if it is not there."""
    wanted = hash_record(move)
    for m in range(n):
        if hash_record(moves[m]) == wanted:
            return m
    return -1


@helper
def begin_batch(search, problem):
    """Begin a batch; at the algorithm's end begin the algorithm again."""
    head = search.head[0]
    if head.playouts == 0:
        search.begin(problem)
    n = search.plan(problem)
    while n == 0:
        head.runs += 1
        search.begin(problem)
        n = search.plan(problem)
    head.batch = n
    head.begun = 0
    head.played = 0
    head.phase = PLAY


@helper
def play_slot(search, problem, slot, number):
    """Play one playout from the root with the random stream of its number."""
    search.rng[slot] = stream_of(search.head[0].seed, number)
    search.states[slot] = search.root[0]
    return search.playout(problem, slot)


@helper
def note_playout(search, slot):
    """Count a scored playout and keep the best sequence."""
    head = search.head[0]
    score = search.scores[slot]
    head.playouts += 1
    head.played += 1
    if score > head.best_score or (head.playouts == 1 and head.best_score == -np.inf):
        row = search.row(slot)
        head.best_score = score
        head.best_length = search.lengths[row]
        for i in range(head.best_length):
            search.best[i] = search.sequences[row, i]
        i = min(head.improvements, len(search.curve) - 1)
        search.curve[i].playouts = head.playouts
        search.curve[i].score = score
        head.improvements = i + 1


@kernel
def step(search, problem, playouts):
    """Take a search so many playouts further; FINE, ROOM or an error."""
    head = search.head[0]
    left = playouts
    while True:
        if head.phase == PLAN:
            begin_batch(search, problem)
        if head.phase == PLAY:
            while head.played < head.batch:
                if left == 0 or head.best_score >= head.target:
                    return FINE
                slot = head.played
                status = play_slot(search, problem, slot, head.playouts)
                if status != FINE:
                    return status
                search.scores[slot] = problem.score(search.states[slot])
                if search.scores[slot] != search.scores[slot]:
                    return BAD_SCORE
                head.begun += 1
                note_playout(search, slot)
                left -= 1
            head.phase = LEARN
        if not search.learn(problem):
            return ROOM
        head.phase = PLAN


@kernel
def propose(search, problem, playouts):
    """Play up to so many playouts of one batch, to be scored from outside (`accept`)."""
    head = search.head[0]
    if head.phase == LEARN:  # `accept` had no room to learn
        if not search.learn(problem):
            return ROOM
        head.phase = PLAN
    if head.phase == PLAN:
        begin_batch(search, problem)
    while head.begun < head.batch and head.begun - head.played < playouts:
        status = play_slot(search, problem, head.begun, head.playouts + head.begun - head.played)
        if status != FINE:
            return status
        head.begun += 1
    return FINE


@kernel
def accept(search, problem):
    """Take in the scores of what was proposed; learn when the batch is complete."""
    head = search.head[0]
    while head.played < head.begun:
        if search.scores[head.played] != search.scores[head.played]:
            return BAD_SCORE
        note_playout(search, head.played)
    if head.played == head.batch:
        head.phase = LEARN
        if not search.learn(problem):
            return ROOM
        head.phase = PLAN
    return FINE
