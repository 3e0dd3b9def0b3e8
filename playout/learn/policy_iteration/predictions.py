"""Policy-MCTS with a network: playouts that wait for predictions, and steps that make them.

`Predicting` is mixed into the search of `policy_mcts.py`. A playout that needs the policy of a
state looks it up in a table by the state's key; if it is not there, it writes the state's planes
into its row of `inputs` and waits. The planes are written by compiled code, and nothing here is
done for a single position in Python.

The playouts of one tree are played in rounds. In a round every playout that is under way makes one
choice by the policy, and goes on to the next, for which it wants a prediction; what has come to its
end is backed up, and others begin, so that `leaves` are always under way until the batch is played.
The predictions that are wanted are evaluated together. A playout whose next prediction the table
has waits for the next round too: so what is played does not depend on what the table knows, and a
search that was stopped and goes on comes to the same.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from playout.algorithms.polish import with_mixins
from playout.algorithms.search import (
    BAD_SCORE,
    FINE,
    PLAN,
    PLAY,
    ROOM,
    WAIT,
    Search,
    accept,
    begin_batch,
    play_slot,
)
from playout.compiled import helper, kernel
from playout.compiled.atomics import fetch_add
from playout.compiled.maths import exp
from playout.contract import Problem
from playout.errors import OptionError
from playout.learn.inference.evaluators import pinned_zeros
from playout.learn.inference.onnx_evaluator import evaluator_on
from playout.learn.networks.find_model import model_for
from playout.learn.policy_iteration.policy_mcts import PolicyMCTS
from playout.learn.policy_iteration.policy_search import (
    DONE,
    IDLE,
    NEXT,
    START,
    PolicySearch,
)

TABLE = 1 << 15  # predictions that a search of one problem remembers
NONE = np.uint64(0xFFFFFFFFFFFFFFFF)  # the key of an empty entry
# Playouts at once in one tree. A GPU has room in its batches; a CPU takes as long for every
# position, and the fewer playouts are under way, the more each knows of those before it.
LEAVES = {"gpu": 32, "cpu": 8}
SLOTS = 256  # playouts of a batch, most of which begin as others end
PAIR = 16  # from so many under way on they are two teams
STEP_SECONDS = 0.2
WANTED, HERE = 1, 2  # what a playout waits for: a prediction, or the next round


class Predicting(Search):
    """Mixed into `PolicySearch`: the policy is a network's.

    - `inputs`, `outputs`: planes and logits, in the rows that playouts took when they asked;
    - `queue`: one number, how many rows are taken;
    - `table_keys`, `table_outputs`: predictions remembered, a table for each game;
    - `logits`: the prediction that each playout goes on with.
    """

    prediction_fields = ("inputs", "outputs", "queue", "table_keys", "table_outputs")

    def prepare(self, problem: Any, evaluator: Any, table: int) -> None:
        """Make room for predictions; a table of so many for each game."""
        slots, games = len(self.rng), len(self.games)  # type: ignore[attr-defined]
        self.evaluator = evaluator
        self.inputs = pinned_zeros((slots, *problem.plane_shape), evaluator.device)
        self.outputs = pinned_zeros((slots, problem.outputs), evaluator.device)
        self.queue = np.zeros(1, np.int64)
        self.logits = np.zeros((slots, problem.outputs), np.float32)
        self.table_keys = np.full((games, table), NONE)
        self.table_outputs = np.zeros((games, table, problem.outputs), np.float32)

    def predict(self, problem, slot, n, sharpness):
        lane, moves, weights = self.lanes[slot], self.moves[slot], self.weights[slot]
        state, logits = self.states[slot], self.logits[slot]
        if n == 1:
            weights[0] = 1.0
            return True
        if lane.answered:
            lane.answered = 0
        else:
            game = slot // self.options[0].slots
            key = np.uint64(problem.key(state))
            entry = np.int64(key % np.uint64(self.table_keys.shape[1]))
            if self.table_keys[game, entry] != key:
                lane.key = key
                lane.row = fetch_add(self.queue, 0, 1)
                lane.asked = WANTED
                self.inputs[lane.row] = 0.0
                problem.planes(state, self.inputs[lane.row])
                return False
            for i in range(len(logits)):
                logits[i] = self.table_outputs[game, entry, i]
            if self.options[0].in_step:
                lane.asked = HERE
                return False
        # the softmax over legal moves alone
        most, total = -np.inf, 0.0
        for i in range(n):
            weights[i] = sharpness * logits[problem.output(state, moves[i])]
            most = max(most, weights[i])
        for i in range(n):
            weights[i] = exp(weights[i] - most)
            total += weights[i]
        for i in range(n):
            weights[i] /= total
        return True

    def answer(self, slot):
        """Let a playout that waited go on, with the prediction that was made for it."""
        lane = self.lanes[slot]
        if lane.asked == WANTED:
            game = slot // self.options[0].slots
            entry = np.int64(lane.key % np.uint64(self.table_keys.shape[1]))
            self.table_keys[game, entry] = lane.key
            for i in range(self.outputs.shape[1]):
                x = self.outputs[lane.row, i]
                self.logits[slot, i] = x
                self.table_outputs[game, entry, i] = x
        lane.asked = 0
        lane.answered = 1

    # one problem: playouts of a batch begin as others end

    def send(self, problem, n):
        for slot in range(n):
            self.lanes[slot].phase = NEXT

    def learn(self, problem):
        """Scores are backed up already; make sure that the next batch has room in the tree."""
        room, most = self.tree.shape[1], self.weights.shape[1]
        if room < min(self.options[0].nodes, self.games[0].used + self.options[0].slots * most):
            return False
        while self.options[0].per_move and self.is_enough(0):
            self.commit(problem, 0)
        return True

    # the driver's side

    def make_step(self, problem: Problem, compiled: bool, threads: int) -> Any:
        return PredictedSteps(problem, self, compiled, threads)

    def arrays(self) -> dict[str, np.ndarray]:
        # what was predicted can be predicted again: a checkpoint is small without it
        return {
            name: getattr(self, name) for name in self.fields if name not in self.prediction_fields
        }

    def restore(self, arrays: dict[str, np.ndarray]) -> None:
        for name, array in arrays.items():
            setattr(self, name, array)
        self.table_keys[:] = NONE


class PredictingSearch(Predicting, PolicySearch):
    """Policy-MCTS with a network's policy."""

    fields = (*PolicySearch.fields, *Predicting.prediction_fields, "logits")

    def __init__(
        self, problem: Problem, algorithm: PolicyMCTS, seed: int, *, slots: int = 0, **settings: Any
    ) -> None:
        # as many whatever the device suggests: a search may go on where there is another
        room = slots or max(algorithm.leaves, SLOTS)
        super().__init__(problem, algorithm, seed, slots=room, **settings)
        self.options[0].in_step = slots == 0


def predicting_search(
    problem: Problem, algorithm: PolicyMCTS, seed: int, parts: list[type]
) -> PolicySearch:
    """The search of one problem with the model that the options name."""
    if problem.evaluate is not None:
        raise OptionError("policy-mcts needs a score() method: evaluate() is plain Python")
    model = model_for(problem, algorithm.model)
    evaluator = evaluator_on(model.network, algorithm.device)
    usual: dict[str, Any] = {n: float(model.about.get(n, 0.0)) for n in ("c_puct", "temperature")}
    usual["leaves"] = LEAVES["cpu" if evaluator.device.type == "cpu" else "gpu"]
    missing = {name: value for name, value in usual.items() if not getattr(algorithm, name)}
    algorithm = replace(algorithm, **missing)
    search: Any = with_mixins(PredictingSearch, problem, *parts)(problem, algorithm, seed)
    search.prepare(problem, evaluator, TABLE)
    return search


class PredictedSteps:
    """Steps of one search whose playouts wait for predictions.

    A step may end early: predictions that the table has cost a thousandth of those that it has not,
    so that nobody knows beforehand how many playouts take how long. It ends between rounds, and
    leaves playouts under way that the next step goes on with.
    """

    def __init__(self, problem: Problem, search: Any, compiled: bool, threads: int) -> None:
        self._problem = problem
        self._evaluator = search.evaluator
        self.seconds = STEP_SECONDS
        self.threads = int(search.options[0].leaves)  # playouts of a step that fill a batch
        self._workers = threads
        self._threads = ThreadPoolExecutor(threads - 1, "leaf") if threads > 1 else None
        self._compiled = compiled

    def _kernel(self, function: Any) -> Any:
        return function if self._compiled else function.py_func

    def __call__(self, search: Any, playouts: int) -> int:
        head = search.head[0]
        problem, left = self._problem, playouts
        if head.phase not in (PLAN, PLAY) and self._kernel(accept)(search, problem) == ROOM:
            return ROOM
        end = time.perf_counter() + 2 * STEP_SECONDS
        while left > 0 and not head.best_score >= head.target and time.perf_counter() < end:
            self._kernel(open_batch)(search, problem)
            before = int(head.begun)
            status = self._play(search, min(before + left, int(head.batch)), end)
            if status != FINE:
                return status
            left -= int(head.begun) - before
            status = int(self._kernel(accept)(search, problem))
            if status != FINE:
                return status
        if playouts == 0:  # only to compile
            self._kernel(open_batch)(search, problem)
            self._kernel(accept)(search, problem)  # of nothing
            self._play_round(search, 0, 0)
            self._kernel(answer_all)(search, 0, 0)
            self._evaluator.submit(search.inputs, search.outputs).wait()  # the first is slow
        return FINE

    def _play(self, search: Any, limit: int, end: float) -> int:
        """Play rounds until the first `limit` playouts of the batch are over, or the time is."""
        head, phases = search.head[0], search.lanes["phase"]
        teams = teams_of(search)
        done, over = int(head.begun), [False] * teams
        bounds = [int(head.batch) * i // teams for i in range(teams + 1)]
        batches: list[Any] = [None] * teams
        status, rounds = FINE, 0
        while status >= FINE:
            while done < limit and phases[done] == IDLE:
                done += 1
            if done == limit or (rounds > 0 and time.perf_counter() > end):
                break
            rounds += 1
            for team, (first, last) in enumerate(pairwise(bounds)):
                if over[team]:
                    continue
                self._answer(search, first, last, batches[team])
                search.queue[0] = first
                status = self._play_round(search, first, last)
                if status < FINE:
                    break
                over[team] = status != WAIT
                n = int(search.queue[0])
                rows = search.inputs[first:n], search.outputs[first:n]
                batches[team] = self._evaluator.submit(*rows) if n > first else None
        for team, (first, last) in enumerate(pairwise(bounds)):
            self._answer(search, first, last, batches[team])
        head.begun = done
        return min(status, FINE)

    def _answer(self, search: Any, first: int, last: int, batch: Any) -> None:
        """Wait for a batch, and let the playouts of a team go on."""
        if batch is not None:
            batch.wait()
        self._kernel(answer_all)(search, first, last)

    def _play_round(self, search: Any, first: int, last: int) -> int:
        """A round of the playouts from `first` to before `last`."""
        most = int(search.options[0].leaves) // teams_of(search)
        if self._threads is None:
            return int(self._kernel(play_round)(search, self._problem, first, last, most))
        play, workers = self._kernel(play_share), range(self._workers)
        parts = [(search, self._problem, first + i, last, self._workers) for i in workers]
        while True:
            others = [self._threads.submit(play, *part) for part in parts[1:]]
            statuses = [int(play(*parts[0])), *(int(other.result()) for other in others)]
            status = min(statuses) if min(statuses) < FINE else max(statuses)
            if status < FINE:
                return status
            if self._kernel(end_share)(search, self._problem, first, last, most) == 0:
                return status


def teams_of(search: Any) -> int:
    """How many teams the playouts of a tree are: one plays while a GPU computes for another."""
    return 2 if search.options[0].leaves >= PAIR else 1


@kernel
def open_batch(search, problem):
    """Begin a batch if none is open."""
    if search.head[0].phase == PLAN:
        begin_batch(search, problem)


@kernel
def play_round(search, problem, first, last, most):
    """Play on until all playouts under way wait, `most` of them, or FINE: until all are over."""
    while True:
        status = play_lanes(search, problem, first, last, 1)
        if status < FINE or turn_over(search, problem, first, last, most) == 0:
            return status


@kernel
def play_share(search, problem, first, last, stride):
    """The part of a round that a thread plays: every so many playouts."""
    return play_lanes(search, problem, first, last, stride)


@kernel
def end_share(search, problem, first, last, most):
    """What one thread does when all have played their parts; how many playouts began."""
    return turn_over(search, problem, first, last, most)


@helper
def play_lanes(search, problem, first, last, stride):
    """Play on with every playout that has its prediction; WAIT if some have none yet."""
    head = search.head[0]
    result = FINE
    for slot in range(first, last, stride):
        lane = search.lanes[slot]
        if lane.phase >= IDLE:
            continue
        if lane.asked:
            result = WAIT
            continue
        if lane.phase == START:
            status = play_slot(search, problem, slot, head.playouts + slot - head.played)
        else:
            status = search.playout(problem, slot)
        if status < FINE:
            return status
        if status == WAIT:
            result = WAIT
            continue
        search.scores[slot] = problem.score(search.states[slot])
        if search.scores[slot] != search.scores[slot]:
            return BAD_SCORE
        lane.phase = DONE
    return result


@helper
def turn_over(search, problem, first, last, most):
    """Back up what is played and begin others, until `most` are under way; how many began."""
    flying = begun = 0
    for slot in range(first, last):
        lane = search.lanes[slot]
        if lane.phase == DONE:
            search.take(0, slot, search.scores[slot])
            lane.phase = IDLE
        flying += lane.phase < IDLE
    for slot in range(first, last):
        if flying >= most:
            break
        if search.lanes[slot].phase == NEXT:
            search.descend(problem, 0, slot)
            flying += 1
            begun += 1
    return begun


@kernel
def answer_all(search, first, last):
    """Let the playouts that waited go on."""
    for slot in range(first, last):
        if search.lanes[slot].asked:
            search.answer(slot)
