"""Nested Monte Carlo search (NMCS): a search of level l tries each move by a search of level l - 1.

Level 0 is a random playout. A level plays one game: at each position every legal move is
followed by a search of the level below, and the next move of the best sequence that the level
has found in the whole of its game is played. The best sequence is memorised: when the searches
below find nothing better, the game goes on along it.

T. Cazenave, Nested Monte-Carlo Search, IJCAI 2009. Of equal scores the first one found counts.

There is no recursion. Each level has a position, the moves there and a cursor over them, and
level 1 evaluates its moves in batches of one playout a move.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.array_checks import Line, need, whole_game, within
from playout.algorithms.biased_playouts import playout_mixins
from playout.algorithms.polish import with_mixins
from playout.algorithms.search import (
    FINE,
    PLAN,
    PLAY,
    TOO_LONG,
    TOO_MANY_MOVES,
    Search,
)
from playout.compiled import record
from playout.contract import Problem, most_moves
from playout.text.options import option

MOST_SLOTS = 64  # a position with more moves takes several batches: slots cost memory

LEVEL = record(
    prefix="i8",  # moves from the start of the game to this level's position
    count="i8",  # legal moves there
    cursor="i8",  # the move that the level below is searching; at level 1 the next to play
    known="i1",  # whether the level has a sequence yet
    score="f8",  # of the best sequence
    length="i8",
)

CONTROL = record(
    top="i8",
    most="i8",  # the level to which the top may rise
    active="i8",  # the level whose position the next playouts start from; 0: the top has ended
    status="i8",  # an error of the problem that was met between playouts
)


@dataclass(frozen=True, kw_only=True)
class NMCS(Algorithm):
    """Nested Monte Carlo search (Cazenave 2009).

    With budget left after `level` has ended, it begins again and keeps the best sequence of all.

    Examples
    --------
    >>> import playout as po
    >>> po.solve("maximum:n=9", po.NMCS(level=1), "300 playouts", seed=1, compiled=False).score
    5.0
    """

    name: ClassVar[str] = "nmcs"

    level: int = option(2, "nesting level", low=1, high=10)
    rising: bool = option(False, "begin with level 1, go up by one at each natural end")
    bias: bool = option(False, "draw the moves of playouts by the problem's bias")

    def start(self, problem: Problem, seed: int) -> NMCSSearch:
        return with_mixins(NMCSSearch, problem, *playout_mixins(self))(problem, self, seed)


class NMCSSearch(Search):
    """The levels of a nested search; entry 0 of the arrays over levels is not used.

    - `levels`, `level_states`, `level_moves`: a level's counters, its position, the moves there;
    - `level_best`: its best sequence, from the start of the game;
    - `played`: the moves to each level's position. One array serves all levels, because a level's
      position lies behind that of the level above.
    """

    level_fields = ("levels", "level_states", "level_moves", "level_best")
    fields = (*Search.fields, "control", *level_fields, "played")

    def __init__(self, problem: Problem, algorithm: NMCS, seed: int) -> None:
        super().__init__(problem, seed, slots=min(problem.max_moves, MOST_SLOTS))
        n = algorithm.level + 1
        self.control = np.zeros(1, CONTROL)
        self.control[0].top = 1 if algorithm.rising else algorithm.level
        self.control[0].most = algorithm.level
        self.levels = np.zeros(n, LEVEL)
        self.level_states = problem.new_states(n)
        self.level_moves = np.zeros((n, self.moves.shape[1]), problem.move_type)
        self.level_best = np.zeros((n, problem.max_length), problem.move_type)
        self.played = np.zeros(problem.max_length, problem.move_type)

    def check_knowledge(
        self, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool
    ) -> None:
        """Each level's position lies behind that of the level above, on the way of `played`."""
        control, made, head = self.control[0], fresh["control"][0], self.head[0]
        control.most = made.most
        within(control.top, made.top, control.most, "the top level")
        within(control.active, 0 if head.phase == PLAN else 1, control.top, "the active level")
        need(control.status in (FINE, TOO_LONG, TOO_MANY_MOVES), "an unknown status")
        if control.active == 0 or control.status != FINE:
            return  # it begins again, or ends with an error
        line, before = Line(problem, self.root, compiled), 0
        for level in range(int(control.top), int(control.active) - 1, -1):
            this = self.levels[level]
            within(this.prefix, before + (level < control.top), len(self.played), "a prefix")
            need(line.play(self.played[before : this.prefix]) == this.count, "moves of a level")
            before = int(this.prefix)
            self.level_states[level] = line.state[0]
            self.level_moves[level] = line.moves
            within(this.cursor, 0, max(0, this.count - 1), "a cursor")
            if this.known:
                need(this.score == this.score, "a score that is none")
                within(this.length, this.prefix, len(self.played), "the length of a sequence")
                self._check_sequence(
                    problem, level, self.level_best[level, : this.length], compiled
                )
        need(control.active == 1 or this.count == 0, "a level that is passed over")
        if head.phase == PLAY:
            need(head.batch == self.plan(problem), "another batch")
            for slot in range(head.played):
                sequence = self.sequences[slot, : self.lengths[slot]]
                self._check_sequence(problem, int(control.active), sequence, compiled)

    def _check_sequence(
        self, problem: Problem, level: int, sequence: np.ndarray, compiled: bool
    ) -> None:
        """A sequence that a level may go on along: a whole game through its position."""
        prefix = int(self.levels[level].prefix)
        same = sequence[:prefix].tobytes() == self.played[:prefix].tobytes()
        need(same, "a sequence of another position")
        whole_game(problem, self.root, sequence, compiled)

    def begin(self, problem):
        if self.head[0].runs > 0 and self.control[0].top < self.control[0].most:
            self.control[0].top += 1
        top = self.control[0].top
        self.control[0].status = FINE
        self.level_states[top] = self.root[0]
        self.levels[top].prefix = 0
        self.levels[top].known = 0
        self._look(problem, top)
        self._descend(problem, top)

    def _look(self, problem, level):
        """List the moves of a level's position and put the cursor before the first."""
        this = self.levels[level]
        moves = self.level_moves[level]
        this.count = problem.moves(self.level_states[level], moves)
        this.cursor = 0
        if not 0 <= this.count <= most_moves(moves):
            self.control[0].status = TOO_MANY_MOVES
        elif this.count > 0 and this.prefix == len(self.played):
            self.control[0].status = TOO_LONG

    def _step(self, problem, level, move, target):
        """Play a move from a level's position into the position of level `target`."""
        prefix = self.levels[level].prefix
        self.played[prefix] = move
        if target != level:
            self.level_states[target] = self.level_states[level]
        problem.play(self.level_states[target], self.played[prefix])
        self.levels[target].prefix = prefix + 1
        self._look(problem, target)

    def _descend(self, problem, level):
        """Begin the levels below, each behind the move at the cursor of the level above it.

        A level that begins at the end of the game goes no deeper: one playout without moves
        gives the score of its position.
        """
        while level > 1 and self.levels[level].count > 0 and self.control[0].status == FINE:
            self.levels[level - 1].known = 0
            move = self.level_moves[level, self.levels[level].cursor]
            self._step(problem, level, move, level - 1)
            level -= 1
        self.control[0].active = level

    def plan(self, problem):
        control = self.control[0]
        if control.active == 0:
            return 0
        this = self.levels[control.active]
        if this.count == 0 or control.status != FINE:
            return 1
        return min(this.count - this.cursor, len(self.scores))

    def playout(self, problem, slot):
        if self.control[0].status != FINE:
            return self.control[0].status
        level = self.control[0].active
        this = self.levels[level]
        sequence = self.sequences[slot]
        self.states[slot] = self.level_states[level]
        length = this.prefix
        for i in range(length):
            sequence[i] = self.played[i]
        if this.count > 0:
            sequence[length] = self.level_moves[level, this.cursor + slot]
            problem.play(self.states[slot], sequence[length])
            length += 1
        first = length
        length = self.roll(problem, slot, length)
        if length < 0:
            return length
        self.lengths[slot] = length
        return self.finish(problem, slot, first)

    def learn(self, problem):
        control = self.control[0]
        level = control.active
        this = self.levels[level]
        batch = self.head[0].batch
        for slot in range(batch):
            self._keep(level, self.scores[slot], self.sequences[slot], self.lengths[slot])
        this.cursor += batch
        while self.levels[level].cursor >= self.levels[level].count:
            # every move has been tried: on along the best sequence
            this = self.levels[level]
            if this.count > 0:
                self._step(problem, level, self.level_best[level, this.prefix], level)
            if this.count == 0:
                # the level's game is over: its best sequence is the result of the move above
                if level == control.top:
                    control.active = 0
                    return True
                self._keep(level + 1, this.score, self.level_best[level], this.length)
                level += 1
                self.levels[level].cursor += 1
        self._descend(problem, level)
        return True

    def _keep(self, level, score, sequence, length):
        """Memorise a sequence if it beats the level's best."""
        this = self.levels[level]
        if not this.known or score > this.score:
            this.known = 1
            this.score = score
            this.length = length
            for i in range(length):
                self.level_best[level, i] = sequence[i]
