"""Late acceptance hill climbing (LAHC): the game at hand is played again with few moves changed.

A playout goes along the current game, with a change: another move somewhere, in the place of the
current one or before it, a stretch in which every other move is random, a move held back and played
later, two moves exchanged, or a stretch turned round. Moves of the current game that are not legal
any more are left out, and where there are none left, moves are random. So any problem has
neighbours, without a line of its own.

The playout becomes the current game if it scores no worse than the current game, or than the one
that was current a number of playouts ago, the `memory`. With a memory of 1 that is plain hill
climbing. When nothing better was found for long, it climbs again. How long that is goes by Luby's
sequence, 1, 1, 2, 1, 1, 2, 4, ..., so that short and long climbs have about as much of the time
each. By turns a climb begins at the best game of all, or at that with one in eight of its moves
changed; the second has a memory that is as many times longer as its patience.

E. K. Burke and Y. Bykov, The Late Acceptance Hill-Climbing Heuristic, European Journal of
Operational Research 258, 2017; M. Luby, A. Sinclair and D. Zuckerman, Optimal Speedup of Las Vegas
Algorithms, Information Processing Letters 47, 1993. The changes are our own.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from playout.algorithms.algorithm import Algorithm
from playout.algorithms.array_checks import LARGEST_COUNT, need, whole_game, within
from playout.algorithms.biased_playouts import playout_mixins
from playout.algorithms.polish import with_mixins
from playout.algorithms.search import Search, index_of, moves_to_play
from playout.compiled import helper, record
from playout.compiled.random import random_below
from playout.contract import Problem
from playout.text.options import option

PATIENCE = 100  # times the memory, of the shortest climbs
MOST_PATIENCE = 1 << 40
LONGER = 64  # times the memory, of the longest climbs
KICK = 8  # one in so many moves of the best game is another when it climbs again
AHEAD = 4  # moves of the current game that are looked at for a legal one
STRETCH = 8  # the part of the game that is random has at most one in so many of its moves

ANOTHER, ANEW, LATER, EXCHANGED, REVERSED, KICKED = 0, 1, 2, 3, 4, 5  # kinds of changes
DRAWN = 6  # of so many changes one is of each kind but the last, and one more is another move

CONTROL = record(
    known="i1",  # whether there is a current game; else it is made by changing what lies there
    score="f8",  # of it
    length="i8",
    highest="f8",  # score since the beginning
    tried="i8",  # playouts since then
    idle="i8",  # playouts since the highest score
    patience="i8",  # playouts without a higher score: the natural end
    memory="i8",  # playouts after which a score is forgotten
)


@dataclass(frozen=True, kw_only=True)
class LAHC(Algorithm):
    """Late acceptance hill climbing (Burke and Bykov 2017) over games with few moves changed.

    With budget left after its natural end, it climbs again from the best sequence of all, as it is
    or changed here and there.

    Examples
    --------
    >>> import playout as po
    >>> result = po.solve("maximum:n=9", po.LAHC(), "500 playouts", seed=1, compiled=False)
    >>> result.score
    6.0
    """

    name: ClassVar[str] = "lahc"

    memory: int = option(20, "playouts after which a score is forgotten", low=1, high=100_000)
    P: int = option(4, "playouts that change the same game", low=1, high=1024)
    bias: bool = option(False, "draw the moves of random games by the problem's bias")

    def start(self, problem: Problem, seed: int) -> LAHCSearch:
        return with_mixins(LAHCSearch, problem, *playout_mixins(self))(problem, self, seed)


class LAHCSearch(Search):
    """The current game, and the scores of those that were current before, in a ring."""

    fields = (*Search.fields, "control", "current", "before")

    def __init__(self, problem: Problem, algorithm: LAHC, seed: int) -> None:
        super().__init__(problem, seed, slots=algorithm.P)
        self.control = np.zeros(1, CONTROL)
        self.control[0].patience = PATIENCE * algorithm.memory
        self.control[0].memory = algorithm.memory
        self.current = np.zeros(problem.max_length, problem.move_type)
        self.before = np.zeros(algorithm.memory * LONGER)

    def check_knowledge(
        self, problem: Problem, fresh: dict[str, np.ndarray], compiled: bool
    ) -> None:
        control = self.control[0]
        within(control.known, 0, 1, "a current game")
        within(control.patience, 1, MOST_PATIENCE, "the patience")
        within(control.memory, 1, len(self.before), "the memory")
        within(control.tried, 0, LARGEST_COUNT, "playouts")
        within(control.idle, 0, LARGEST_COUNT, "playouts")
        within(control.length, 0, len(self.current), "the current length")
        need(not np.isnan(self.before).any(), "a score that is none")
        need(control.score == control.score, "a score that is none")
        if control.known or control.length > 0:
            whole_game(problem, self.root, self.current[: control.length], compiled)

    def begin_with(self, moves: np.ndarray, score: float) -> None:
        """Climb from a game that somebody has found, and keep it as the best."""
        self.current[: len(moves)] = moves
        self._take(score, len(moves))
        self.best[: len(moves)] = moves
        self.head[0].best_length = len(moves)
        self.head[0].best_score = score

    # the algorithm, compiled

    def begin(self, problem):
        control = self.control[0]
        number = self.head[0].runs + 1
        times = luby(number)
        memory = len(self.before) // LONGER
        control.patience = min(PATIENCE * memory * times, MOST_PATIENCE)
        control.memory = memory * (min(times, LONGER) if number % 2 > 0 else 1)
        control.known = 0
        control.tried = 0
        control.idle = 0
        if self.head[0].runs > 0:
            control.length = self.head[0].best_length
            for i in range(control.length):
                self.current[i] = self.best[i]
            if number % 2 == 0:
                self._take(self.head[0].best_score, control.length)

    def plan(self, problem):
        control = self.control[0]
        if control.idle > control.patience:
            return 0
        return len(self.scores) if control.known else 1

    def playout(self, problem, slot):
        length = self._along(problem, slot)
        if length >= 0:
            length = self.roll(problem, slot, length)
        if length < 0:
            return length
        self.lengths[slot] = length
        return self.finish(problem, slot, 0)

    def _along(self, problem, slot):
        """Play the current game with a change; how long it was of use, or an error."""
        state, moves, rng = self.states[slot], self.moves[slot], self.rng[slot : slot + 1]
        sequence, current = self.sequences[slot], self.current
        size = self.control[0].length
        kind, first, last, further, instead = draw_change(rng, size)
        if not self.control[0].known:
            kind, first, last, further = KICKED, 0, size, 0
        length, at = 0, 0  # moves played, and moves of the current game that are used up
        while at < size:
            n = moves_to_play(problem, state, moves, sequence, length)
            if n <= 0:
                return length if n == 0 else n
            k = -1
            if is_changed(rng, kind, first <= length <= last, further, size):
                k = another(rng, moves, n, current[at])
                at += instead
            else:
                look = at
                while k < 0 and look < min(at + AHEAD, size):
                    k = index_of(moves, n, current[source(kind, first, last, look)])
                    look += 1
                at = look if k >= 0 else at + 1
            if k < 0:
                k = random_below(rng, n)
            sequence[length] = moves[k]
            length += 1
            problem.play(state, moves[k])
        return length

    def learn(self, problem):
        control = self.control[0]
        for slot in range(self.head[0].batch):
            score = self.scores[slot]
            place = control.tried % control.memory
            control.idle += 1
            if not control.known or score >= control.score or score >= self.before[place]:
                for i in range(self.lengths[slot]):
                    self.current[i] = self.sequences[slot, i]
                self._take(score, self.lengths[slot])
            control.tried += 1
            self.before[place] = control.score
        return True

    def _take(self, score, length):
        """Note that what is in `current` is the current game."""
        control = self.control[0]
        if not control.known:
            self.before[:] = score
            control.highest = score
            control.known = 1
        if score > control.highest:
            control.highest = score
            control.idle = 0
        control.score = score
        control.length = length


@helper
def luby(number):
    """A number of Luby's sequence 1, 1, 2, 1, 1, 2, 4, ..., the first being number 1."""
    while True:
        size = 1
        while 2 * size - 1 < number:
            size *= 2
        if 2 * size - 1 == number:
            return size
        number -= size - 1


@helper
def draw_change(rng, size):
    """What is changed of a game: kind, first and last place, whether more is, and whether another
    move comes in the place of the current one.
    """
    kind = random_below(rng, DRAWN) % (REVERSED + 1)
    first = random_below(rng, max(size, 1))
    left = max(size - first, 1)  # places from there on
    last = first
    if kind == ANEW:
        last += random_below(rng, min(left, max(size // STRETCH, 2)))
    elif kind != ANOTHER:
        last += random_below(rng, left)
    return kind, first, last, random_below(rng, 2), random_below(rng, 2)


@helper
def is_changed(rng, kind, within, further, size):
    """Whether the next move is another than the current game's."""
    if within and kind == ANOTHER:
        return True
    if within and kind == ANEW:
        return random_below(rng, 2) == 0
    if within and kind == KICKED:
        return random_below(rng, KICK) == 0
    return further > 0 and random_below(rng, size) == 0


@helper
def source(kind, first, last, place):
    """The place in the current game of the move that comes at a place of the changed one."""
    if place < first or place > last:
        return place
    if kind == LATER:
        return first if place == last else place + 1
    if kind == EXCHANGED:
        return last if place == first else first if place == last else place
    if kind == REVERSED:
        return first + last - place
    return place


@helper
def another(rng, moves, n, usual):
    """A random move that is not the usual one; that one if there is no other."""
    place = index_of(moves, n, usual)
    if place < 0 or n == 1:
        return random_below(rng, n)
    k = random_below(rng, n - 1)
    return k + 1 if k >= place else k
