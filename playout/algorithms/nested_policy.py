"""The arrays and the step of GNRPA: levels, beams and policies without recursion.

Each level keeps a beam of elements: a sequence, its score and a policy of its own. An iteration
of level l runs level l - 1 from each element's policy in turn (at level 1: P playouts of each
element, all in one batch), then the best sequences among old and new are kept and every policy
is adapted to its sequence. With a beam of one this is Algorithm 3 of the NRPA papers.

The beams are kept by `beam.py`. The options are in a record: another value does not compile anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from playout.algorithms.array_checks import LARGEST_COUNT, need, within
from playout.algorithms.beam import COUNTS, DIVERSITY, ELEMENT, LEVEL, OPTIONS, BeamSearch
from playout.algorithms.policy_table import (
    ENTRY,
    MOST_FILLED,
    adapt,
    copy_into,
    find,
    stored_code,
    with_history,
)
from playout.algorithms.search import (
    BAD_BIAS,
    BAD_POLISH,
    FINE,
    PLAN,
    PLAY,
    ROOM,
    TOO_LONG,
    TOO_MANY_MOVES,
    Search,
    index_of,
)
from playout.compiled import helper
from playout.compiled.maths import SUM_OF_NONSENSE, exp_all
from playout.compiled.random import random_unit
from playout.contract import Problem, most_moves

if TYPE_CHECKING:
    from playout.algorithms.gnrpa import GNRPA


@helper
def move_code(problem, state, move, history, before, before_that):
    """A move's code as the tables keep it; numbered ones have the number for their history."""
    code = np.uint64(problem.code(state, move))
    if history >= 1:
        code = with_history(code, before)
        if history == 2:
            code = with_history(code, before_that)
    return stored_code(code)


class NestedPolicySearch(BeamSearch):
    """All that a GNRPA search knows."""

    beam_fields = ("options", "levels", "kept", "fresh", "merged")
    free_fields = ("slot_rows", "free_rows", "free_tables", "counts")
    row_fields = ("offsets", "choices", "codes", "biases", "table_slots", "row_stamps")
    policy_fields = ("tables", "used", "table_stamps", "weights", "odds")
    fields = (*Search.fields, *beam_fields, *free_fields, *row_fields, *policy_fields)
    wide_fields = ("codes", "biases", "table_slots")
    growing: ClassVar = {**Search.growing, **dict.fromkeys((*wide_fields, "tables"), 1), "odds": 0}

    def __init__(self, problem: Problem, algorithm: GNRPA, seed: int) -> None:
        beams = algorithm.per_level("beam", algorithm.beam)
        slots = beams[0] * algorithm.P
        most_fresh = [beams[i] * (beams[i - 1] if i else 1) for i in range(len(beams))]
        rows = slots + sum(beams) + sum(most_fresh)
        tables = sum(2 * b if b > 1 else 1 for b in beams)
        super().__init__(problem, seed, slots, rows)
        length, room = problem.max_length, min(problem.max_length * problem.max_moves, 2048)

        self.options = np.zeros(1, OPTIONS)
        values = {
            **algorithm.options(),
            "diversity": DIVERSITY[algorithm.diversity],
            "strength": algorithm.strength if algorithm.bias else 0.0,
            "history": 1 if algorithm.numbered else algorithm.history,
        }
        for name in OPTIONS.names or ():
            self.options[0][name] = values[name]
        self.levels = np.zeros(algorithm.level + 1, LEVEL)
        self.levels["N"][1:] = algorithm.per_level("N", algorithm.N)
        self.levels["beam"][1:] = beams
        self.levels["start_learning"][1:] = algorithm.per_level("", algorithm.start_learning)

        self.kept = np.zeros((algorithm.level + 1, max(beams)), ELEMENT)
        self.fresh = np.zeros((algorithm.level + 1, max(most_fresh)), ELEMENT)
        self.merged = np.zeros(max(beams), ELEMENT)
        self.slot_rows = np.arange(slots)  # the row of each playout of the batch
        self.free_rows = np.zeros(rows, np.int64)
        self.free_tables = np.zeros(tables, np.int64)
        self.counts = np.zeros(1, COUNTS)

        self.offsets = np.zeros((rows, length + 1), np.int64)
        self.choices = np.zeros((rows, length), np.int64)
        self.codes = np.zeros((rows, room), np.uint64)
        self.biases = np.zeros((rows, room))
        self.table_slots = np.zeros((rows, room), np.int32)
        self.row_stamps = np.zeros(rows, np.int64)
        self.tables = np.zeros((tables, 4096), ENTRY)
        self.used = np.zeros(tables, np.int64)
        self.table_stamps = np.zeros(tables, np.int64)
        self.weights = np.zeros((slots, self.moves.shape[1]))
        self.odds = np.zeros(room)

    def check_knowledge(
        self, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool
    ) -> None:
        """Rows and tables that each have one owner; steps of a sequence that lie side by side."""
        self.options, head, options = fresh["options"], self.head[0], fresh["options"][0]
        room = self.codes.shape[1]
        need(self.biases.shape == self.table_slots.shape == self.codes.shape, "rows of two sizes")
        within(self.offsets, 0, room, "offsets")
        self._check_tables()
        self.odds = np.zeros(room)
        levels, made = self.levels[1:], fresh["levels"][1:]
        for name in ("N", "beam", "start_learning"):
            levels[name] = made[name]
        if options.doubling:  # once at each natural end
            levels["N"][-1:] <<= min(int(head.runs), 63)
        if levels["kept"][0] == 0:
            need(head.phase == PLAN, "a batch of nothing")
            return  # it begins again
        within(levels["iteration"], 0, LARGEST_COUNT, "iterations")
        within(levels["last_progress"], 0, levels["iteration"], "iterations")
        within(levels["repeated"], 0, LARGEST_COUNT, "repetitions")
        owned = self.check_beams()
        need(head.phase == PLAN or head.batch == self.plan(problem), "another batch")
        played = self.slot_rows[: head.played if head.phase == PLAY else 0]
        for row in (*owned, *played):
            self._check_row(row)

    def _check_tables(self) -> None:
        """Tables in which every search for a code ends."""
        capacity = self.tables.shape[1]
        need(capacity & (capacity - 1) == 0, "a table of another size")
        filled = np.count_nonzero(self.tables["code"], axis=1)
        within(self.used, filled, int(MOST_FILLED * capacity), "the codes of a table")
        stamps = self.counts[0].stamps
        within(stamps, 0, LARGEST_COUNT, "stamps")
        within(self.row_stamps, 0, stamps, "stamps")
        within(self.table_stamps, 0, stamps, "stamps")

    def _check_row(self, row: int) -> None:
        """The steps of a sequence: each has its moves, and its own is one of them."""
        length = int(self.lengths[row])
        offsets, choices = self.offsets[row, : length + 1], self.choices[row, :length]
        need(offsets[0] == 0, "the first step of a sequence")
        within(choices, offsets[:-1], offsets[1:] - 1, "a step of a sequence")
        slots, codes = self.table_slots[row, : offsets[-1]], self.codes[row, : offsets[-1]]
        stamp = self.row_stamps[row]
        for table in np.flatnonzero((self.table_stamps == stamp) & (stamp > 0)):
            within(slots, 0, self.tables.shape[1] - 1, "slots of a table")
            need((self.tables["code"][table, slots] == codes).all(), "slots of another table")

    # the algorithm

    def begin(self, problem):
        """Empty policies, no sequences, and down to level 1."""
        slots, rows, tables = len(self.slot_rows), len(self.lengths), len(self.used)
        for slot in range(slots):
            self.slot_rows[slot] = slot
        for row in range(slots, rows):
            self.free_rows[row - slots] = row
        self.counts[0].rows = rows - slots
        for table in range(tables):
            self.free_tables[table] = table
        self.counts[0].tables = tables
        if self.options[0].doubling and self.head[0].runs > 0:
            self.levels[self.options[0].level].N *= 2
        top = self._new_table()
        for i in range(self.tables.shape[1]):
            self.tables[top, i].code = 0
            self.tables[top, i].weight = 0.0
        self.used[top] = 0
        self._stamp(top)
        self._begin_level(self.options[0].level, top)
        self._descend(self.options[0].level)

    def _begin_level(self, level, table):
        """One element, with no sequence yet and the policy of a table that becomes its own."""
        this = self.levels[level]
        this.iteration = 0
        this.last_progress = 0
        this.repeated = 0
        this.cursor = 0
        this.kept = 1
        this.fresh = 0
        self.kept[level, 0].score = -np.inf
        self.kept[level, 0].row = -1
        self.kept[level, 0].table = table
        self.kept[level, 0].source = 0

    def _descend(self, level):
        """Begin the levels below, each from the policy of the element at the cursor."""
        while level > 1:
            table = self._new_table()
            self._copy_table(self.kept[level, self.levels[level].cursor].table, table)
            level -= 1
            self._begin_level(level, table)

    def plan(self, problem):
        return self.levels[1].kept * self.options[0].P  # 0 when the top level has ended

    def playout(self, problem, slot):
        options = self.options[0]
        row = self.slot_rows[slot]
        table = self.tables[self.kept[1, slot // options.P].table]
        codes, biases, offsets = self.codes[row], self.biases[row], self.offsets[row]
        sequence = self.sequences[row]
        moves, weights, rng = self.moves[slot], self.weights[slot], self.rng[slot : slot + 1]
        state = self.states[slot]
        strength, history, tau = options.strength, options.history, options.tau
        numbered = options.numbered
        length, entries = 0, 0
        before, before_that = np.uint64(0), np.uint64(0)
        while True:
            n = problem.moves(state, moves)
            if n == 0:
                break
            if not 0 <= n <= most_moves(moves):
                return TOO_MANY_MOVES
            if length == len(sequence):
                return TOO_LONG
            if entries + self.weighed(n, moves) > len(codes):
                return ROOM
            most = -np.inf
            for m in range(n):
                code = move_code(problem, state, moves[m], history, before, before_that)
                codes[entries + m] = code
                bias = 0.0
                if strength > 0.0:
                    bias = strength * np.float64(problem.bias(state, moves[m]))
                biases[entries + m] = bias
                x = table[find(table, code)].weight / tau + bias
                weights[m] = x
                most = x if x > most else most
            for m in range(n):
                weights[m] -= most
            exp_all(weights, n)
            z = 0.0
            for m in range(n):
                z += weights[m]
            if strength > 0.0 and z > SUM_OF_NONSENSE:
                return BAD_BIAS
            left = random_unit(rng) * z
            k = 0
            while k < n - 1 and left >= weights[k]:
                left -= weights[k]
                k += 1
            sequence[length] = moves[k]
            n = self.note_step(problem, slot, length, n, k, entries, before, before_that)
            if n < 0:
                return n
            entries += n
            if numbered:
                before = np.uint64(length + 1)
            elif history >= 1:
                before, before_that = np.uint64(problem.code(state, sequence[length])), before
            problem.play(state, sequence[length])
            length += 1
        offsets[length] = entries
        self.lengths[row] = length
        self.row_stamps[row] = 0
        return self.finish(problem, slot, 0)

    def name_moves(self, problem, slot, n, entries, before, before_that):
        """Memorise the codes and biases of the moves at the slot's position."""
        row, options = self.slot_rows[slot], self.options[0]
        state, moves = self.states[slot], self.moves[slot]
        codes, biases = self.codes[row], self.biases[row]
        strength, history = options.strength, options.history
        for m in range(n):
            codes[entries + m] = move_code(problem, state, moves[m], history, before, before_that)
            bias = 0.0
            if strength > 0.0:
                bias = strength * np.float64(problem.bias(state, moves[m]))
            biases[entries + m] = bias

    def weighed(self, n, moves):
        """How many moves adapt weighs at a position with n moves, at most."""
        return n

    def note_step(self, problem, slot, length, n, k, entries, before, before_that):
        """Memorise that move k of n was played; how many moves adapt weighs, or an error."""
        row = self.slot_rows[slot]
        self.offsets[row, length] = entries
        self.choices[row, length] = entries + k
        return n

    def retrace(self, problem, slot):
        """Play the slot's sequence again, and memorise its codes."""
        row, history = self.slot_rows[slot], self.options[0].history
        numbered = self.options[0].numbered
        state, moves, sequence = self.states[slot], self.moves[slot], self.sequences[row]
        entries = 0
        before, before_that = np.uint64(0), np.uint64(0)
        for i in range(self.lengths[row]):
            n = problem.moves(state, moves)
            if not 0 <= n <= most_moves(moves):
                return TOO_MANY_MOVES
            if entries + self.weighed(n, moves) > self.codes.shape[1]:
                return ROOM
            k = index_of(moves, n, sequence[i])
            if k < 0:
                return BAD_POLISH
            self.name_moves(problem, slot, n, entries, before, before_that)
            n = self.note_step(problem, slot, i, n, k, entries, before, before_that)
            if n < 0:
                return n
            entries += n
            if numbered:
                before = np.uint64(i + 1)
            elif history >= 1:
                before, before_that = np.uint64(problem.code(state, sequence[i])), before
            problem.play(state, sequence[i])
        self.offsets[row, self.lengths[row]] = entries
        return FINE if problem.moves(state, moves) == 0 else BAD_POLISH

    def learn(self, problem):
        if not self._has_room():
            return False
        P = self.options[0].P
        for b in range(self.levels[1].kept):
            best = b * P
            for slot in range(b * P, (b + 1) * P):
                if self.scores[slot] >= self.scores[best]:
                    best = slot
            row = self.slot_rows[best]
            self.counts[0].rows -= 1
            self.slot_rows[best] = self.free_rows[self.counts[0].rows]
            self._add_fresh(1, self.scores[best], row, b)
        level, top = 1, self.options[0].level
        while self._end_iteration(level):
            if level == top:
                return True  # `plan` sees no elements left
            for b in range(self.levels[level].kept):
                element = self.kept[level, b]
                self._drop_table(element.table)
                if element.row >= 0:
                    cursor = self.levels[level + 1].cursor
                    self._add_fresh(level + 1, element.score, element.row, cursor)
            level += 1
            self.levels[level].cursor += 1
            if self.levels[level].cursor < self.levels[level].kept:
                break
        self._descend(level)
        return True

    def _has_room(self):
        """Whether every table can take in every sequence that it may be adapted to."""
        entries = 0
        for row in range(len(self.lengths)):
            entries = max(entries, self.offsets[row, self.lengths[row]])
        for table in range(len(self.used)):
            if self.used[table] + entries > MOST_FILLED * self.tables.shape[1]:
                return False
        return True

    def _add_fresh(self, level, score, row, source):
        element = self.fresh[level, self.levels[level].fresh]
        element.score = score
        element.row = row
        element.source = source
        self.levels[level].fresh += 1

    def _end_iteration(self, level):
        """Keep the best of old and new, adapt the policies; True if the level has ended."""
        this, options = self.levels[level], self.options[0]
        old_best = self.kept[level, 0].score
        old_row = self.kept[level, 0].row
        for f in range(this.fresh):
            if old_row >= 0 and self._same_sequence(old_row, self.fresh[level, f].row):
                this.repeated += 1
                break
        self._merge(level)
        best = self.kept[level, 0]
        if best.score > old_best:
            this.last_progress = this.iteration
            this.repeated = 0
        this.iteration += 1
        this.cursor = 0
        stuck = this.iteration - 1 - this.last_progress
        ended = this.N > 0 and this.iteration >= this.N
        ended |= options.restart > 0 and stuck >= options.restart
        if options.restart_length > 0:
            ended |= stuck >= self.lengths[best.row] / options.restart_length
        ended |= options.repetitions > 0 and this.repeated >= options.repetitions
        if ended:
            if level == options.level:
                this.kept = 0
                self.levels[1].kept = 0
            return True
        if this.iteration > this.start_learning:
            for b in range(this.kept):
                self._adapt(self.kept[level, b])
        return False

    def _adapt(self, element):
        row, table = element.row, element.table
        if row < 0:
            return
        self.used[table] += adapt(self, row, table)
        self.row_stamps[row] = self.table_stamps[table]

    # the driver's side

    def grow(self) -> None:
        """Twice the room for what is too small: the policies, or the memory of a sequence."""
        entries = int(self.offsets[np.arange(len(self.lengths)), self.lengths].max())
        capacity = self.tables.shape[1]
        if int(self.used.max()) + entries > MOST_FILLED * capacity:
            tables = np.zeros((len(self.tables), 2 * capacity), ENTRY)
            for old, new in zip(self.tables, tables, strict=True):
                copy_into(old, new)
            self.tables = tables
            self.row_stamps[:] = 0
            return
        for name in self.wide_fields:
            array = getattr(self, name)
            setattr(self, name, _widened(array))
        self.odds = np.zeros(self.codes.shape[1])


def _widened(array: Any) -> Any:
    wide = np.zeros((array.shape[0], 2 * array.shape[1]), array.dtype)
    wide[:, : array.shape[1]] = array
    return wide
