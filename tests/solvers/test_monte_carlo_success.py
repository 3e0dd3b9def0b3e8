"""The order of `auto`: what moves have come to is learnt for codes with features, not for codes."""

from __future__ import annotations

import numpy as np
import pytest

from playout.compiled import wrapping
from playout.contract import UNSURE
from playout.games import load_game
from playout.solvers.late_monte_carlo import LateMonteCarlo
from playout.solvers.monte_carlo_order import MonteCarlo
from playout.solvers.monte_carlo_success import FEW_SLOTS, MonteCarloSuccess
from playout.solvers.move_orders import Success
from playout.solvers.prover import Prover
from playout.solvers.solver import chosen_text, make_solver


def scores_of(order, game, state):
    moves, scores = game.new_moves(), np.zeros(game.max_moves)
    n = game.moves(state, moves)
    order.score(game, state, moves, n, scores, 0)
    return {game.move_text(state, moves[i]).replace("x", "-"): float(scores[i]) for i in range(n)}


@pytest.mark.parametrize("order", [Success(), MonteCarloSuccess()])
def test_a_capture_and_a_step_between_the_same_cells_are_two_things(order):
    game = load_game("breakthrough:4x5")
    step = game.read_position("b..b/..../..../w..w/.... w")
    capture = game.read_position("b..b/..../.b../w..w/.... w")
    order.prepare(game, step)
    with wrapping():
        before = scores_of(order, game, step[0])
        assert before["a2-a3"] == before["a2-b3"]
        move = game.parse_move(capture[0], "a2-b3")
        order.tried(game, capture[0], move, 0, 10_000, True)
        taken, stepped = (scores_of(order, game, s[0])["a2-b3"] for s in (capture, step))
    assert taken < before["a2-b3"]
    # who has only the code thinks that the step is as good
    assert (stepped == taken) == (type(order) is Success)
    # who has the features too takes the code for a hint, as long as no such step was tried
    assert taken <= stepped < before["a2-b3"]
    with wrapping():
        order.tried(game, step[0], game.parse_move(step[0], "a2-b3"), 0, 10_000, False)
        known, stepped = (scores_of(order, game, s[0])["a2-b3"] for s in (capture, step))
    assert (known - taken < stepped - known) == (type(order) is MonteCarloSuccess)


def test_a_longer_proof_makes_a_longer_search():
    game = load_game("nogo:2x2")
    order, found = MonteCarloSuccess(playouts=20, later=100), []
    order.prepare(game, game.root())
    order.look = lambda progress: found.append(progress.playouts)
    for _ in range(3):
        order.learn(game, game.root())
    assert {20, 80, 320} <= set(found)
    assert [order.learns_after(times) for times in range(3)] == [100, 3_200, 102_400]
    early = MonteCarloSuccess(later=0)
    assert early.learns_after(0) == early.learns_after(1) == 0


def test_a_long_game_has_fewer_slots():
    order, game = MonteCarloSuccess(), load_game("breakthrough:4x5")
    game.max_length = 2_000
    order.prepare(game, game.root())
    assert order.won.shape == order.lost.shape == (2_002 // 4 + 1, FEW_SLOTS)


def test_what_auto_chose_has_the_options_of_its_order():
    game = load_game("domineering:3x3")
    assert ",order=mcsuccess," in chosen_text(Prover(game, "auto").solver, "mcsuccess")
    one = make_solver("auto", order="mcsuccess:weight=8").for_game(game)
    text = chosen_text(one, "mcsuccess")
    assert make_solver(text).order == "mcsuccess:weight=8"
    # two would be taken for options of the solver
    two = make_solver("auto", order="mcsuccess:weight=8,blend=2").for_game(game)
    solver, order = chosen_text(two, "mcsuccess").split(" --order ")
    assert make_solver(solver, order=order).options() == two.options()


def test_where_the_past_counts_the_order_is_another():
    go, nogo = load_game("go:2x2"), load_game("nogo:2x2")
    solver = make_solver("auto")
    assert (solver.for_game(go).order, solver.for_game(nogo).order) == ("latemc", "mcsuccess")
    own = make_solver("auto", order="mcsuccess").for_game(go)
    assert own.order == "mcsuccess"  # what is asked for is not chosen
    assert ",order=latemc," in chosen_text(solver.for_game(go), "latemc")


def test_late_monte_carlo_is_success_first_and_then_mc():
    game = load_game("nogo:2x2")
    root = game.root()
    late, success, paper = LateMonteCarlo(), Success(), MonteCarlo()
    late.prepare(game, root)
    success.prepare(game, root)
    move = game.legal_moves(root[0])[1]
    with wrapping():
        for order in (late, success):
            order.tried(game, root[0], move, 0, 10_000, True)
        assert scores_of(late, game, root[0]) == scores_of(success, game, root[0])
        # as a search would leave it, without one: other weights, and a position with counts
        paper.prepare_unlearnt(game)
        paper.policy.weights[:] = np.arange(len(paper.policy.weights))
        paper.keys[:], paper.nodes[:] = game.key(root[0]), 0
        paper.counts, paper.firsts = np.array([1]), np.array([0, 1])
        paper.node_moves, paper.visits = np.array([move], game.move_type), np.array([7.0])
        other = LateMonteCarlo()
        other.paper = paper
        late.take_over(other)
        found = scores_of(late, game, root[0])
        assert found == scores_of(paper, game, root[0]) != scores_of(success, game, root[0])
    assert found[game.move_text(root[0], move)] == UNSURE - 7
