"""Policy-MCTS with a network: playouts that wait for predictions, and steps that make them.

`Predicting` is mixed into the search of `playout/searches/policymcts.py`. A playout that needs the
policy of a state looks it up in a table by the state's key; if it is not there, it writes the
state's planes into its place in `inputs` and waits. A step plays all playouts of a batch until each
waits or is finished, evaluates those that wait in one batch, and goes on. The planes are written by
compiled code, and nothing here is done for a single position in Python.
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from playout.compiled import kernel
from playout.compiled.atomics import fetch_add
from playout.compiled.maths import exp
from playout.errors import OptionError
from playout.learn.evaluate import pinned_zeros
from playout.learn.models import model_for
from playout.learn.onnx import evaluator_on
from playout.problem import Problem
from playout.searches.base import (
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
from playout.searches.policymcts import IDLE, START, PolicyMCTS, PolicySearch
from playout.searches.polish import with_parts

TABLE = 1 << 15  # predictions that a search of one problem remembers
NONE = np.uint64(0xFFFFFFFFFFFFFFFF)  # the key of an empty place
# Playouts at once in one tree. A GPU has room in its batches; a CPU takes as long for every
# position, and the fewer playouts are under way, the more each knows of those before it.
LEAVES = {"gpu": 64, "cpu": 8}
STEP_SECONDS = 0.2
PORTION_SECONDS, FEWEST = 0.5, 8  # what is played of a batch without a look at the clock


class Predicting(Search):
    """Mixed into `PolicySearch`: the policy is a network's.

    - `inputs`, `outputs`: planes and logits, in the rows that playouts took when they asked;
    - `queue`: one number, how many rows are taken;
    - `table_keys`, `table_outputs`: predictions remembered, a table for each game.
    """

    prediction_fields = ("inputs", "outputs", "queue", "table_keys", "table_outputs")

    def prepare(self, problem: Any, evaluator: Any, table: int) -> None:
        """Make room for predictions; `table` places for each game."""
        slots, games = len(self.rng), len(self.games)  # type: ignore[attr-defined]
        self.evaluator = evaluator
        self.inputs = pinned_zeros((slots, *problem.plane_shape), evaluator.device)
        self.outputs = pinned_zeros((slots, problem.outputs), evaluator.device)
        self.queue = np.zeros(1, np.int64)
        self.table_keys = np.full((games, table), NONE)
        self.table_outputs = np.zeros((games, table, problem.outputs), np.float32)

    def predict(self, problem, slot, n, sharpness):
        lane, moves, weights = self.lanes[slot], self.moves[slot], self.weights[slot]
        state, logits = self.states[slot], self.outputs[lane.row]
        if n == 1:
            weights[0] = 1.0
            return True
        if lane.answered:
            lane.answered = 0
        else:
            game = slot // self.options[0].leaves
            key = np.uint64(problem.key(state))
            place = np.int64(key % np.uint64(self.table_keys.shape[1]))
            logits = self.table_outputs[game, place]
            if self.table_keys[game, place] != key:
                lane.key = key
                lane.row = fetch_add(self.queue, 0, 1)
                lane.asked = 1
                self.inputs[lane.row] = 0.0
                problem.planes(state, self.inputs[lane.row])
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
        """Take in the prediction that was made for a playout."""
        lane = self.lanes[slot]
        game = slot // self.options[0].leaves
        place = np.int64(lane.key % np.uint64(self.table_keys.shape[1]))
        self.table_keys[game, place] = lane.key
        for i in range(self.outputs.shape[1]):
            self.table_outputs[game, place, i] = self.outputs[lane.row, i]
        lane.asked = 0
        lane.answered = 1

    # the driver's side

    def stepper(self, problem: Problem, compiled: bool, threads: int) -> Any:
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

    fields = (*PolicySearch.fields, *Predicting.prediction_fields)


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
    search: Any = with_parts(PredictingSearch, problem, *parts)(problem, algorithm, seed)
    search.prepare(problem, evaluator, TABLE)
    return search


class PredictedSteps:
    """Steps of one search whose playouts wait for predictions.

    A step may end early: predictions that the table has cost a thousandth of those that it has not,
    so that nobody knows beforehand how many playouts take how long. Where policy rollouts are slow,
    as on a CPU, a batch is played in portions, or a time limit could not be kept.
    """

    def __init__(self, problem: Problem, search: Any, compiled: bool, threads: int) -> None:
        self._problem = problem
        self._evaluator = search.evaluator
        self.seconds = STEP_SECONDS
        self.threads = int(search.options[0].leaves)  # playouts of a step that fill a batch
        self._portion = self.threads
        self._workers = threads
        self._pool = ThreadPoolExecutor(threads - 1, "leaf") if threads > 1 else None
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
            began = time.perf_counter()
            portion = min(left, self._portion)
            first, last = self._kernel(open_batch)(search, problem, portion)
            status = self._play(search, first, last)
            if status != FINE:
                return status
            took = max(time.perf_counter() - began, 1e-9)
            self._portion = max(FEWEST, int((last - first) * PORTION_SECONDS / took))
            head.begun = last
            left -= last - first
            status = int(self._kernel(accept)(search, problem))
            if status != FINE:
                return status
        if playouts == 0:  # only to compile
            self._kernel(open_batch)(search, problem, 0)
            self._kernel(accept)(search, problem)  # of nothing
            self._kernel(play_range)(search, problem, 0, 0)
            self._kernel(answer_all)(search, 0, 0)
            self._evaluator.submit(search.inputs, search.outputs).wait()  # the first is slow
        return FINE

    def _play(self, search: Any, first: int, last: int) -> int:
        """Play the playouts from `first` to before `last`, with predictions as they are wanted.

        On a GPU they are two teams: one plays while the device computes for the other.
        """
        teams = [(first, last)]
        if self._evaluator.device.type != "cpu" and last - first > 1:
            teams = list(pairwise((first, (first + last) // 2, last)))
        batches: list[Any] = [None] * len(teams)
        left = list(range(len(teams)))
        status = FINE
        while left and status >= FINE:
            for team in list(left):
                begin, end = teams[team]
                if batches[team] is not None:
                    batches[team].wait()
                    batches[team] = None
                    self._kernel(answer_all)(search, begin, end)
                search.queue[0] = begin
                status = self._share(search, begin, end)
                if status < FINE:
                    break
                if status == WAIT:
                    n = int(search.queue[0])
                    rows = search.inputs[begin:n], search.outputs[begin:n]
                    batches[team] = self._evaluator.submit(*rows)
                else:
                    left.remove(team)
        for batch in batches:
            if batch is not None:
                batch.wait()
        return min(status, FINE)

    def _share(self, search: Any, first: int, last: int) -> int:
        play = self._kernel(play_range)
        if self._pool is None:
            return int(play(search, self._problem, first, last))
        bounds = np.linspace(first, last, self._workers + 1).astype(int)
        ranges = list(pairwise(bounds))
        others = [self._pool.submit(play, search, self._problem, *pair) for pair in ranges[1:]]
        statuses = [int(play(search, self._problem, *ranges[0]))]
        statuses += [int(other.result()) for other in others]
        return min(statuses) if min(statuses) < FINE else max(statuses)


@kernel
def open_batch(search, problem, playouts):
    """Begin a batch if none is open; the slots of the next `playouts` of it."""
    head = search.head[0]
    if head.phase == PLAN:
        begin_batch(search, problem)
    return head.begun, min(head.begun + playouts, head.batch)


@kernel
def play_range(search, problem, first, last):
    """Begin and go on with playouts; WAIT if some need predictions, FINE when all are scored."""
    head = search.head[0]
    result = FINE
    for slot in range(first, last):
        phase = search.lanes[slot].phase
        if phase == IDLE:
            continue
        if phase == START:
            status = play_slot(search, problem, slot, head.playouts + slot - head.played)
        else:
            status = search.playout(problem, slot)
        if status < FINE:
            return status
        if status == WAIT:
            result = WAIT
        else:
            search.scores[slot] = problem.score(search.states[slot])
            if search.scores[slot] != search.scores[slot]:
                return BAD_SCORE
    return result


@kernel
def answer_all(search, first, last):
    """Give their predictions to the playouts that waited for one."""
    for slot in range(first, last):
        if search.lanes[slot].asked:
            search.answer(slot)
