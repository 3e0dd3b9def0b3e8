"""Job-level proof-number search: one tree, whose leaves are looked at by jobs elsewhere.

The tree is that of proof-number search. A leaf is looked at by a job (proof_job.py), on a thread or
on another machine; of a job the numbers of its position and of its moves are kept, as the first
level of PN2 keeps those of its second. A leaf whose job is under way is flagged, and so is a
position all of whose open moves are; the next job is the most proving leaf that is not.

Outcomes are taken in the order in which the jobs were given out, whenever they come. So the tree
depends on how many jobs are given out ahead alone, which follows from the number of workers, and
not on who was faster, or died.

I-C. Wu, H.-H. Lin, D.-J. Sun, K.-Y. Kao, P.-H. Lin, Y.-C. Chan and P.-T. Chen, Job-Level
Proof-Number Search, 2013; A. Saffidine, N. Jouandeau and T. Cazenave, Solving Breakthrough with
Race Patterns and Job-Level Proof Number Search, 2011.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from typing import ClassVar

import numpy as np

from playout.algorithms.array_checks import LARGEST_COUNT, check_tree, need, same_shapes, within
from playout.compiled import record, wrapping
from playout.contract import Game
from playout.solvers.dfpn import ENDLESS, MOST
from playout.solvers.move_order import MoveOrder
from playout.solvers.pn2 import compact
from playout.solvers.position_table import FALSE, TRUE, hash_words
from playout.solvers.position_words import write_position
from playout.solvers.proof_job import Job, JobOutcome, ProofJobs, move_record
from playout.solvers.proof_number_table import ProofTable, keep_numbers
from playout.solvers.question import QUESTION, set_goal
from playout.solvers.step_status import DONE, RUNNING
from playout.workers import Crew

FIRST_SIZE = 1 << 10  # of the arrays
NOBODY = -1  # the parent of the root

HEAD = record(
    **QUESTION,
    nodes="i8",  # moves played, of jobs whose outcomes were taken
    deepest="i8",
    answer="i1",
    most="i8",  # positions of the tree
    jobs="i8",  # whose outcomes were taken
    size="i8",  # moves of a job
)


def jobs_ahead(workers: int) -> int:
    """How many jobs are given out at once: some wait, so that nobody does for a slower one."""
    return workers + workers // 2


class JobTree:
    """The tree, and the leaves whose jobs are under way, in the order in which they were chosen."""

    fields = ("head", "used", "tree", "under_way")
    growing: ClassVar = {"tree": 0, "under_way": 0}

    def __init__(
        self,
        game: Game,
        root: np.ndarray,
        goal: float,
        entries: int,
        size: int,
        symmetry: bool = False,
    ) -> None:
        self.head = np.zeros(1, HEAD)
        set_goal(self.head[0], game, goal)
        self.head[0].most = max(entries, 4 * game.max_moves + 4)
        self.used = np.ones(1, np.int64)
        known = move_record(game)
        node = record(**{name: known[name] for name in known.names or ()}, begin="i8", count="i4")
        self.tree = np.zeros(max(FIRST_SIZE, game.max_moves + 1), node)
        self.tree["proof"][0] = self.tree["disproof"][0] = 1
        with wrapping():
            self.tree["wants"][0] = TRUE if game.turn(root[0]) == 0 else FALSE
        self.under_way = np.zeros(0, np.int64)
        self._parent = np.full(len(self.tree), NOBODY)
        self._flagged = np.zeros(len(self.tree), np.bool_)
        self.head[0].size = size
        self._game, self._root = game, root
        self._symmetries = game.symmetries if symmetry else 1  # in the table
        self._waiting: deque[Job] = deque()  # for a worker
        self._done: dict[int, JobOutcome] = {}  # outcomes whose turn has not come
        self._outcomes: Generator[tuple[Job, JobOutcome] | None] | None = None
        self._crew: Crew | None = None

    def employ(self, crew: Crew) -> None:
        """Say who does the jobs."""
        self._crew = crew

    def check_arrays(self, game: Game, fresh: dict[str, np.ndarray]) -> None:
        """ValueError if arrays from a file cannot be those of a search under way."""
        arrays = {name: getattr(self, name) for name in self.fields}
        same_shapes(arrays, fresh, self.growing)
        head = self.head[0]
        head.most = fresh["head"][0].most
        for name in ("deepest", "nodes", "jobs"):
            within(head[name], 0, LARGEST_COUNT, name)
        within(head.size, fresh["head"][0].size, LARGEST_COUNT, "the moves of a job")
        within(head.answer, 0, FALSE, "an answer")
        within(self.used, 1, len(self.tree), "positions in use")
        nodes = self.tree[: self.used[0]]
        check_tree(
            game, self._root, nodes["begin"], nodes["count"], nodes["move"], game.max_length, True
        )
        for numbers in ("proof", "disproof"):
            within(nodes[numbers], 0, ENDLESS, f"a {numbers} number")
        within(nodes["wants"], TRUE, FALSE, "who moves")
        within(self.under_way, 0, len(nodes) - 1, "a job's position")
        need(len(np.unique(self.under_way)) == len(self.under_way), "a position with two jobs")
        need((nodes["count"][self.under_way] == 0).all(), "a job for a position with moves")
        self._find_parents()
        for leaf in self.under_way:
            self._flag(int(leaf))

    # what a prover asks of every solver

    def go_on(self, game: Game, table: ProofTable, order: MoveOrder, nodes: int) -> int:
        """Have jobs done until so many nodes have been played, or none has ended for a moment."""
        head = self.head[0]
        jobs = ProofJobs(game, self._root, order, int(head.most))
        if nodes <= head.nodes:
            jobs.compile()
            return RUNNING
        if self._outcomes is None:
            self._outcomes = self._begin(jobs)
        for ended in self._outcomes:
            if ended is None:
                break
            self._done[ended[0].number] = ended[1]
            while (outcome := self._done.pop(int(head.jobs), None)) is not None:
                if outcome.status < 0:
                    return outcome.status
                self._take(outcome)
                if self._decided(0):
                    self.rest()
                    return self._answer(table)
                self._choose()
            if head.nodes >= nodes:
                break
        else:  # interrupted
            self.rest()
        return RUNNING

    def rest(self) -> None:
        """Let the workers go; jobs under way are given out again when the search goes on."""
        if self._outcomes is not None:
            self._outcomes.close()
            self._outcomes = None
        self._waiting.clear()
        self._done.clear()

    def share_used(self) -> float:
        """How full the tree is."""
        return min(1.0, int(self.used[0]) / int(self.head[0].most))

    # jobs

    def _begin(self, jobs: ProofJobs) -> Generator[tuple[Job, JobOutcome] | None]:
        assert self._crew is not None
        for i, leaf in enumerate(self.under_way):
            self._waiting.append(self._job(int(self.head[0].jobs) + i, int(leaf)))
        self._choose()
        return self._crew.each(jobs, self._handed_out())

    def _handed_out(self) -> Iterator[Job | None]:
        while True:
            yield self._waiting.popleft() if self._waiting else None

    def _choose(self) -> None:
        """Give out jobs, as many as there should be."""
        assert self._crew is not None
        while len(self.under_way) < jobs_ahead(self._crew.workers) and self._has_room():
            leaf = 0
            if self._flagged[0] or self._decided(0):
                return
            while self.tree["count"][leaf] > 0:
                leaf = self._next(leaf)
            self._waiting.append(self._job(int(self.head[0].jobs) + len(self.under_way), leaf))
            self.under_way = np.append(self.under_way, leaf)
            self._flag(leaf)

    def _has_room(self) -> bool:
        """Whether the moves of one more position have room; when none is under way, some is made.

        What lies below decided positions is let go of, and if that is not enough, what lies
        deepest. Jobs are twice as large from then on: they must find out what the tree forgets.
        """
        coming = (len(self.under_way) + 1) * self._game.max_moves
        most = int(self.head[0].most) + self._game.max_moves
        if self.used[0] + coming > most and len(self.under_way) == 0:
            kept = np.zeros_like(self.tree)
            self.used[0] = compact(self.tree, kept, int(self.head[0].most) // 2)
            self.tree = kept
            self._find_parents()
            self.head[0].size *= 2
        return bool(self.used[0] + coming <= most)

    def _job(self, number: int, leaf: int) -> Job:
        path = []
        while leaf > 0:
            path.append(self.tree["move"][leaf : leaf + 1].tobytes())
            leaf = int(self._parent[leaf])
        head = self.head[0]
        return Job(number, float(head.goal), int(head.size), b"".join(reversed(path)))

    def _take(self, outcome: JobOutcome) -> None:
        """Take the outcome of the job that was given out first."""
        head, leaf = self.head[0], int(self.under_way[0])
        self.under_way = self.under_way[1:]
        head.jobs += 1
        head.nodes += outcome.nodes
        head.deepest = max(int(head.deepest), outcome.deepest)
        tree, begin = self.tree, int(self.used[0])
        tree["proof"][leaf], tree["disproof"][leaf] = outcome.proof, outcome.disproof
        self._flagged[leaf] = False
        moves = np.frombuffer(outcome.moves, move_record(self._game))
        if len(moves):
            tree = self._grown(begin + len(moves))
            for name in ("move", "proof", "disproof", "wants"):
                tree[name][begin : begin + len(moves)] = moves[name]
            tree["count"][begin : begin + len(moves)] = 0
            tree["begin"][leaf], tree["count"][leaf] = begin, len(moves)
            self._parent[begin : begin + len(moves)] = leaf
            self._flagged[begin : begin + len(moves)] = False
            self.used[0] += len(moves)
        self._go_up(leaf)

    def _grown(self, size: int) -> np.ndarray:
        while len(self.tree) < size:
            self.tree = np.concatenate([self.tree, np.zeros_like(self.tree)])
            self._parent = np.concatenate([self._parent, np.full_like(self._parent, NOBODY)])
            self._flagged = np.concatenate([self._flagged, np.zeros_like(self._flagged)])
        return self.tree

    # the tree

    def _decided(self, node: int) -> bool:
        return self.tree["proof"][node] == 0 or self.tree["disproof"][node] == 0

    def _moves_of(self, node: int) -> slice:
        begin = int(self.tree["begin"][node])
        return slice(begin, begin + int(self.tree["count"][node]))

    def _next(self, node: int) -> int:
        """The move that most is to be hoped of, of those that are not flagged."""
        here = self._moves_of(node)
        number = "proof" if self.tree["wants"][node] == TRUE else "disproof"
        hope = np.where(self._flagged[here], ENDLESS + 1, self.tree[number][here])
        return here.start + int(hope.argmin())

    def _flag(self, leaf: int) -> None:
        self._flagged[leaf] = True
        self._go_up(int(self._parent[leaf]))

    def _go_up(self, node: int) -> None:
        """Work numbers and flags out again, from a node up to the root."""
        tree = self.tree
        while node != NOBODY:
            here = self._moves_of(node)
            if here.start < here.stop:
                mine, other = tree["proof"][here], tree["disproof"][here]
                proves = tree["wants"][node] == TRUE
                if not proves:
                    mine, other = other, mine
                least = int(mine.min())
                most = ENDLESS if least == 0 or other.max() == ENDLESS else int(other.sum())
                most = most if most == ENDLESS else min(most, MOST)
                numbers = (least, most) if proves else (most, least)
                tree["proof"][node], tree["disproof"][node] = numbers
                decided = (mine == 0) | (other == 0)
                self._flagged[node] = bool((self._flagged[here] | decided).all())
            node = int(self._parent[node])

    def _find_parents(self) -> None:
        self._parent = np.full(len(self.tree), NOBODY)
        self._flagged = np.zeros(len(self.tree), np.bool_)
        for node in np.flatnonzero(self.tree["count"][: self.used[0]]):
            self._parent[self._moves_of(int(node))] = node

    # the answer

    def _answer(self, table: ProofTable) -> int:
        """Write the answer, and into the table what shows it: whoever asks for moves looks there.

        In a game that remembers, what is proven of a position depends on its past: nothing is
        written.
        """
        answer = TRUE if self.tree["proof"][0] == 0 else FALSE
        self.head[0].answer = answer
        if not self._game.remembers():
            with wrapping():
                self._write_proof(table, answer)
        return DONE

    def _write_proof(self, table: ProofTable, answer: int) -> None:
        game, number = self._game, "proof" if answer == TRUE else "disproof"
        words, spare = np.zeros((2, game.pack_words()), np.uint64), game.new_states(1)
        proof, disproof = (0, ENDLESS) if answer == TRUE else (ENDLESS, 0)
        cost = int(self.head[0].size)  # to find it once more
        below = [(0, self._root.copy())]
        while below:
            node, state = below.pop()
            write_position(game, state[0], self._symmetries, spare[0], words[0], words[1])
            key = hash_words(words[0])
            keep_numbers(table, key, words[0], proof, disproof, cost, np.uint64(0))
            here = self._moves_of(node)
            known = here.start + np.flatnonzero(self.tree[number][here] == 0)
            if self.tree["wants"][node] == answer:  # one move is enough
                known = known[:1]
            for move in known:
                behind = state.copy()
                game.play_move(behind[0], self.tree["move"][move])
                below.append((int(move), behind))
