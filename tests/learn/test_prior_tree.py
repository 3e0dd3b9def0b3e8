"""The tree of Policy-MCTS by hand: values, PUCT, virtual loss, noise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from playout.algorithms.move_tree import MAX, MEAN
from playout.learn.policy_iteration.policy_search import OPTIONS
from playout.learn.policy_iteration.prior_tree import (
    PRIOR_NODE,
    add_noise,
    clear_prior_node,
    edge_value,
    finish_playout,
    go_through,
    note_end,
    pick_first,
    random_gamma,
    select_puct,
)

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(over="ignore"):
        yield


def a_tree(children, visits, start=0.0):
    """A root with children given as (prior, scores, pending)."""
    tree = np.zeros(1 + len(children), PRIOR_NODE)
    clear_prior_node(tree[0], 1.0)
    tree[0].first, tree[0].count, tree[0].visits, tree[0].start = 1, len(children), visits, start
    for i, (prior, scores, pending) in enumerate(children, 1):
        clear_prior_node(tree[i], prior)
        for score in scores:
            go_through(tree[i])
            finish_playout(tree[i], score)
        for _ in range(pending):
            go_through(tree[i])
    return tree


def options(**values):
    record = np.zeros(1, OPTIONS)
    for name, value in {"virtual_loss": 0.01, "c_puct": 1.0, **values}.items():
        record[0][name] = value
    return record[0]


def test_values_and_virtual_loss():
    tree = a_tree([(0.5, [10, 30], 0), (0.5, [10, 30], 3), (0.5, [-10, -30], 3), (0.5, [], 2)], 9)
    assert edge_value(tree[1], 8.0, MEAN, 0.01) == 20
    assert edge_value(tree[1], 8.0, MAX, 0.01) == 30
    assert edge_value(tree[2], 8.0, MEAN, 0.01) == pytest.approx(20 - 0.01 * 3 * 20)
    assert edge_value(tree[3], 8.0, MEAN, 0.01) == pytest.approx(-20 - 0.01 * 3 * 20)
    # no finished playout: the value of the first one from the parent, less the loss
    assert edge_value(tree[4], 8.0, MEAN, 0.01) == pytest.approx(8 - 0.01 * 2 * 8)


def test_puct_by_hand():
    # Q: 10, 30, 20 -> normalised -1, 1, 0; sqrt(N) = 3
    tree = a_tree([(0.2, [10], 0), (0.3, [30, 30, 30, 30], 0), (0.5, [20, 20, 20], 0)], 9)
    for c in (0.1, 1.0, 2.9, 3.1, 100.0):
        bounds = [-1 + c * 0.2 * 3 / 2, 1 + c * 0.3 * 3 / 5, 0 + c * 0.5 * 3 / 4]
        assert select_puct(tree, 0, options(c_puct=c)) == 1 + int(np.argmax(bounds))
    # equal values count as 1: the prior decides, and then the visits
    tree = a_tree([(0.3, [], 0), (0.7, [], 0)], 1, start=5.0)
    assert select_puct(tree, 0, options()) == 2
    tree = a_tree([(0.3, [5.0], 0), (0.7, [5.0, 5.0], 0)], 3, start=5.0)
    assert select_puct(tree, 0, options()) == 2  # 0.3/2 < 0.7/3
    tree = a_tree([(0.3, [5.0], 0), (0.7, [5.0] * 4, 0)], 5, start=5.0)
    assert select_puct(tree, 0, options()) == 1  # 0.3/2 > 0.7/5


def test_what_is_known_is_not_chosen_and_makes_known_what_is_above():
    tree = a_tree([(0.9, [30], 0), (0.1, [10], 0)], 2)
    assert select_puct(tree, 0, options()) == 1
    note_end(tree, np.array([0, 1]), 1)
    assert list(tree["known"]) == [0, 1, 0]
    assert select_puct(tree, 0, options()) == 2
    note_end(tree, np.array([0, 2]), 1)
    assert list(tree["known"]) == [1, 1, 1]


def test_virtual_loss_keeps_playouts_apart():
    tree = a_tree([(0.5, [100], 0), (0.5, [99.5], 0)], 2)
    assert select_puct(tree, 0, options(c_puct=1e-9)) == 1
    go_through(tree[1])  # 100 - 0.01 * 100 = 99 is less than 99.5
    assert select_puct(tree, 0, options(c_puct=1e-9)) == 2


def test_playouts_that_meet_at_a_leaf_choose_as_puct_would():
    weights, counts = np.array([0.5, 0.3, 0.2]), np.zeros(3, np.int32)
    rng = np.array([1], np.uint64)
    picks = [int(pick_first(weights, counts, 3, before, rng)) for before in range(6)]
    # 0.5; 0.3; 0.5/2; 0.2; 0.5/3; 0.3/2
    assert picks == [0, 1, 0, 2, 0, 1]
    ties = [int(pick_first(np.ones(3), counts, 3, 0, rng)) for _ in range(300)]
    assert min(np.bincount(ties, minlength=3)) > 60


@pytest.mark.parametrize("alpha", [0.25, 0.75, 3.0])
def test_gamma_and_dirichlet_noise(alpha):
    rng = np.array([7], np.uint64)
    x = np.array([random_gamma(alpha, rng) for _ in range(4000)])
    assert x.mean() == pytest.approx(alpha, abs=5 * math.sqrt(alpha / 4000))
    assert x.var() == pytest.approx(alpha, rel=0.35)
    tree = a_tree([(0.2, [], 0), (0.8, [], 0)], 1)
    add_noise(tree, 0, 0.25, alpha, rng, np.zeros(2))
    assert tree["prior"][1:].sum() == pytest.approx(1.0)
    assert tree["prior"][1] >= 0.75 * 0.2
