"""The driver's loop: totals, quotas, errors and copies, whoever makes the steps."""

from __future__ import annotations

import random

import pytest

import playout as po
from playout.compiled import wrapping
from playout.errors import ProblemError
from playout.problems import Maximum
from playout.run.driver import Driver
from playout.run.hands import Hands, Worker
from playout.run.search import worker_seed
from playout.run.shares import quotas
from playout.run.steps import make_step

PROBLEM = Maximum(9)


@pytest.fixture(autouse=True)
def _wrapping():
    with wrapping():
        yield


class ShuffledHands(Hands):
    """Steps end in any order, and the arrays of a worker come a step after they were asked for."""

    def __init__(self, workers, fails=None):
        super().__init__(workers)
        self.order = random.Random(1)
        self.asked = {}
        self.brought = set()
        self.fails = fails

    def begin(self, number, playouts, seconds_left):
        assert number not in self.asked, "a worker is asked for one step at a time"
        self.asked[number] = playouts

    def ended(self, seconds):
        number = self.order.choice(sorted(self.asked))
        playouts = self.asked.pop(number)
        if number == self.fails and self.workers[number].search.head[0].playouts > 20:
            return [(number, 0.01, ProblemError("a fault"))]
        self.workers[number].step(playouts)
        return [(number, 0.01, None)]

    def copy(self, number):
        if number not in self.brought:
            self.brought.add(number)
            return None
        self.brought.discard(number)
        return super().copy(number)


def team(stop, workers=5):
    return [
        Worker(po.NMCS(level=2).start(PROBLEM, worker_seed(3, n)), make_step(PROBLEM, False), quota)
        for n, quota in enumerate(quotas(stop, workers))
    ]


def test_totals_are_the_sums_whatever_the_order():
    stop = po.Playouts(1003)
    workers = team(stop)
    seen = []

    def look(driver):
        now = driver.progress()
        heads = [worker.search.head[0] for worker in workers]
        assert now.playouts == sum(int(head.playouts) for head in heads)
        assert now.runs == sum(int(head.runs) for head in heads)
        assert now.rate == pytest.approx(sum(worker.rate for worker in workers))
        seen.append(now.playouts)

    driver = Driver(workers, stop, ShuffledHands(workers))
    driver.prepare()
    driver.go(look, 0.0)
    assert driver.playouts() == 1003
    assert driver.stopped_by == "playouts"
    assert [int(worker.search.head[0].playouts) for worker in workers] == [201, 201, 201, 200, 200]
    assert len(seen) > 5
    whole = po.solve(
        PROBLEM, po.NMCS(level=2), stop, seed=3, workers=5, compiled=False
    )  # on threads
    assert driver.best_worker().search.head[0].best_score == whole.score
    curve = driver.final_curve()
    assert [point[1:] for point in curve] == [point[1:] for point in whole.curve]


def test_copies_are_of_workers_between_two_steps_even_of_those_that_have_ended():
    stop = po.Playouts(400)
    workers = team(stop)
    copies = []

    def look(driver):
        state = driver.state()
        found = driver.copies()
        for number, arrays in enumerate(found):
            fresh = po.NMCS(level=2).start(PROBLEM, worker_seed(3, number))
            fresh.restore(arrays)
            assert fresh.head[0].improvements >= state["noted"][number]
        copies.append(sum(int(arrays["head"][0].playouts) for arrays in found))

    driver = Driver(workers, stop, ShuffledHands(workers))
    driver.prepare()
    driver.go(look, 0.0)
    assert copies == sorted(copies)
    assert driver.playouts() == 400


def test_an_error_ends_the_run_after_the_steps_under_way():
    stop = po.Playouts(4000)
    workers = team(stop)
    hands = ShuffledHands(workers, fails=2)
    driver = Driver(workers, stop, hands)
    driver.prepare()
    with pytest.raises(ProblemError, match="a fault"):
        driver.go(lambda driver: None, 0.0)
    assert not hands.asked
