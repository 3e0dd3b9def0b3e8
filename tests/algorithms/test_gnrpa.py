"""GNRPA's machine of levels and beams plays exactly the games of the papers' recursion."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout import GNRPA, NRPA, SNRPA
from playout.algorithms.search import FINE, ROOM, step
from playout.errors import OptionError
from tests.support.forms import long
from tests.support.naive_gnrpa import NaiveGNRPA
from tests.support.tiny_tree import TinyTree, branches_of


class Tree(TinyTree):
    """Three branches, six deep, with many equal scores; codes tell the depth; a bias."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__(np.random.default_rng(seed).integers(0, 40, 3**6), branches=3)

    def code(self, state, move):
        return state.played * 3 + move.branch

    def bias(self, state, move):
        return 0.25 * move.branch - 0.1 * state.played


def drive(search, problem, playouts, kernel=step):
    goal = int(search.head[0].playouts) + playouts
    while True:
        status = kernel(search, problem, goal - int(search.head[0].playouts))
        if status == FINE:
            return search
        assert status == ROOM
        search.grow()


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(over="ignore"):
        yield


CASES = {
    "level 1": dict(level=1, N=20),
    "level 2": dict(level=2, N=7),
    "level 3": dict(level=3, N=5),
    "N by level": dict(level=3, N=(6, 4, 3)),
    "alpha": dict(level=2, N=9, alpha=0.3),
    "tau": dict(level=2, N=9, tau=1.7),
    "no bias": dict(level=2, N=9, bias=False),
    "stabilised": dict(level=2, N=6, P=3),
    "history 1": dict(level=2, N=9, history=1),
    "history 2": dict(level=2, N=9, history=2),
    "start learning": dict(level=2, N=9, start_learning=3),
    "start learning by level": dict(level=2, N=9, start_learning=(4, 1)),
    "restart": dict(level=2, N=0, restart=4),
    "restart by length": dict(level=2, N=50, restart_length=2.5),
    "repetitions": dict(level=3, N=0, repetitions=2),
    "doubling": dict(level=2, N=3, doubling=True),
    "beam": dict(level=2, N=6, beam=3),
    "beam at two levels": dict(level=2, N=5, beam=(2, 3)),
    "beam at level 2 of 3": dict(level=3, N=4, beam=(1, 2)),
    "distinct scores": dict(level=2, N=6, beam=(4, 2), diversity="score"),
    "distinct sequences": dict(level=2, N=6, beam=(4, 2), diversity="sequence"),
    "all at once": dict(
        level=3, N=(0, 5, 4), P=2, beam=(3, 2), diversity="score", history=1, restart=3,
        repetitions=2, start_learning=1, tau=1.3, alpha=0.7, doubling=True,
    ),
}  # fmt: skip


# of those that differ in a number only, one is enough where time is short
ALIKE = ("level 2", "level 3", "N by level", "tau", "history 1", "start learning by level")


@pytest.mark.parametrize("case", [long(case) if case in ALIKE else case for case in CASES])
def test_same_games_as_the_recursion(case):
    options, problem = GNRPA(**CASES[case]), Tree()
    for seed, budget in ((1, 700), (2, 333)):
        naive = NaiveGNRPA(problem, options, seed)
        naive.run(budget)
        search = drive(options.start(problem, seed), problem, budget)
        head = search.head[0]
        assert (head.playouts, head.runs) == (budget, naive.runs)
        assert head.best_score == naive.best[0]
        assert branches_of(search.best_moves()) == branches_of([s[3] for s in naive.best[1]])


@pytest.mark.parametrize("start", [None, [[2]] * 6])
def test_numbered_codes_are_codes_that_tell_the_depth(start):
    class Branches(Tree):
        def code(self, state, move):
            return move.branch

    def games(problem, **options):
        how = dict(playouts=400, seed=1, compiled=False, start=start)
        found = po.solve(problem, GNRPA(level=2, N=10, **options), **how)
        return found.curve[-1][1:], found.records

    assert games(Branches(), numbered=True) == games(Tree())
    assert games(Branches()) != games(Tree())


def test_the_policy_after_three_iterations_by_hand():
    """Level 1 on one choice of two: each adapt pulls towards the best sequence so far."""
    problem = TinyTree([0.0, 1.0])
    search = drive(NRPA(level=1, N=10).start(problem, 3), problem, 3, step.py_func)
    weights, best = {0: 0.0, 1: 0.0}, None
    rows = [int(p.playouts) for p in search.curve[: int(search.head[0].improvements)]]
    # the curve tells when branch 1 was first played: from then on it is the best
    first_one = rows[-1] if search.head[0].best_score == 1.0 else 4
    for playout in (1, 2, 3):
        best = 1 if playout >= first_one else 0
        odds = np.exp([weights[0], weights[1]])
        p = odds / odds.sum()
        for branch in (0, 1):
            weights[branch] += (branch == best) - p[branch]
    table = search.tables[search.kept[1, 0].table]
    found = sorted(float(entry.weight) for entry in table if entry.code)
    assert found == pytest.approx(sorted(weights.values()))


def test_sequences_and_policies_grow_when_they_must():
    problem = Tree()
    options = GNRPA(level=2, N=10, history=2)
    roomy = drive(options.start(problem, 1), problem, 600)
    tight = options.start(problem, 1)
    tight.tables = np.zeros((len(tight.tables), 64), tight.tables.dtype)
    for name in ("codes", "biases", "table_slots"):
        setattr(tight, name, getattr(tight, name)[:, :4].copy())
    tight.odds = tight.odds[:4].copy()
    drive(tight, problem, 600)
    assert tight.tables.shape[1] > 64
    assert tight.codes.shape[1] > 4
    assert tight.head.tobytes() == roomy.head.tobytes()


def test_thin_names():
    assert NRPA().bias is False
    assert SNRPA().P == 4
    assert SNRPA().bias is False
    assert GNRPA().bias is True


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (dict(level=0), "from 1 to 12"),
        (dict(level=2.5), "whole number"),
        (dict(level=True), "whole number"),
        (dict(alpha=0), "over 0"),
        (dict(alpha=float("nan")), "over 0"),
        (dict(tau=-1), "over 0"),
        (dict(tau="hot"), "a number"),
        (dict(N=-1), "at least 0"),
        (dict(N=()), "whole number"),
        (dict(N=0), "without end"),
        (dict(level=2, N=(5, 5, 5)), "3 values for 2 levels"),
        (dict(P=0), "at least 1"),
        (dict(history=3), "from 0 to 2"),
        (dict(history=1, numbered=True), "give one of the two"),
        (dict(diversity="scores"), "did you mean score"),
        (dict(bias=1), "true or false"),
        (dict(beam=(0,)), "at least 1"),
        (dict(beam=100_000, P=100), "too large"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(OptionError, match=message):
        GNRPA(**options)


def test_options_from_text():
    assert GNRPA.from_text({"N": "100,50", "bias": "no", "tau": "1.4"}) == GNRPA(
        N=(100, 50), bias=False, tau=1.4
    )
    with pytest.raises(OptionError, match="did you mean level"):
        GNRPA.from_text({"levle": "3"})
    with pytest.raises(OptionError, match="alpha=fast: a number over 0"):
        GNRPA.from_text({"alpha": "fast"})
