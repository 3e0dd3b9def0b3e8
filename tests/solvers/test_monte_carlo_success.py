"""The order of `auto`: which moves decide after others is learnt for codes with features."""

from __future__ import annotations

import numpy as np
import pytest

from playout.compiled import wrapping
from playout.contract import UNSURE
from playout.games import load_game
from playout.solvers.late_monte_carlo import LateMonteCarlo
from playout.solvers.monte_carlo_order import MonteCarlo
from playout.solvers.monte_carlo_success import FEW_SLOTS, MOST_SLOTS, MonteCarloSuccess
from playout.solvers.move_orders import Success
from playout.solvers.prover import Prover
from playout.solvers.solver import chosen_text, make_solver

STEP, CAPTURE = "b..b/..../..../w..w/.... w", "b..b/..../.b../w..w/.... w"


def scores_of(order, game, state):
    moves, scores = game.new_moves(), np.zeros(game.max_moves)
    n = game.moves(state, moves)
    order.score(game, state, moves, n, scores, 0)
    return {game.move_text(state, moves[i]).replace("x", "-"): float(scores[i]) for i in range(n)}


def test_success_takes_a_capture_and_a_step_between_the_same_cells_for_one_thing():
    game, order = load_game("breakthrough:4x5"), Success()
    step = game.read_position(STEP)
    capture = game.read_position(CAPTURE)
    order.prepare(game, step)
    with wrapping():
        before = scores_of(order, game, step[0])
        assert before["a2-a3"] == before["a2-b3"]
        move = game.parse_move(capture[0], "a2-b3")
        order.tried(game, capture[0], move, 0, 10_000, True)
        taken, stepped = (scores_of(order, game, s[0])["a2-b3"] for s in (capture, step))
    assert taken == stepped < before["a2-b3"]


def late_cut(order, game, state, texts, spent=10_000):
    """Have the last of the moves decide the position."""
    found = np.concatenate([[game.parse_move(state, text)] for text in texts])
    costs = np.full(len(found), spent)
    with wrapping():
        order.late_cut(game, state, found.astype(game.move_type), len(found), costs, 0)
        return scores_of(order, game, state)


def test_a_move_that_decides_after_others_comes_before_them():
    game, order = load_game("breakthrough:4x5"), MonteCarloSuccess()
    step, capture = game.read_position(STEP)[0], game.read_position(CAPTURE)[0]
    order.prepare(game, game.root())
    with wrapping():
        before = scores_of(order, game, capture)
    assert len(set(before.values())) == 1
    after = late_cut(order, game, capture, ["d2-d3", "a2-a3", "a2-b3"])
    failed = {"d2-d3", "a2-a3"}
    assert all(after[move] > before[move] for move in failed)
    assert after["a2-b3"] < before["a2-b3"]
    others = set(before) - failed - {"a2-b3"}
    assert others
    assert all(after[move] == before[move] for move in others)
    # the step between the cells of the capture is another thing
    with wrapping():
        stepped = scores_of(order, game, step)
    assert stepped["a2-b3"] == before["a2-b3"]
    assert stepped["a2-a3"] == after["a2-a3"]


def test_the_more_was_searched_in_vain_the_more_is_learnt_and_less_of_what_is_known():
    game = load_game("breakthrough:4x5")
    state, steps = game.read_position(CAPTURE)[0], []
    for spent in (0, 1, 10_000):
        order = MonteCarloSuccess()
        order.prepare(game, game.root())
        with wrapping():
            last = scores_of(order, game, state)["a2-b3"]
        for _ in range(3):
            after = late_cut(order, game, state, ["a2-a3", "a2-b3"], spent)["a2-b3"]
            steps.append(last - after)
            last = after
    none, little, much = steps[:3], steps[3:6], steps[6:]
    assert none == [0, 0, 0]
    assert 0 < little[0] < much[0]
    for found in (little, much):
        assert found[0] > found[1] > found[2] > 0


@pytest.mark.parametrize(
    ("name", "dense"),
    [("breakthrough:4x5", True), ("domineering:7x7", True), ("atarigo:5x5", False)],
)
def test_each_index_has_a_slot_if_there_are_enough(name, dense):
    game, order = load_game(name), MonteCarloSuccess()
    order.prepare(game, game.root())
    size = len(order.policy.weights)
    assert order.dense is dense
    assert order.worth.shape == order.effort.shape
    assert order.worth.shape[1] == (size if dense else MOST_SLOTS)
    state, slots = game.root()[0], set()
    moves = game.legal_moves(state)
    with wrapping():
        for move in moves:
            slots.add(int(order.look_up(game, state, move, 0, order.worth[0])[1]))
    assert len(slots) == len(moves) or not dense
    assert max(slots) < order.worth.shape[1]


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
    order, game = MonteCarloSuccess(), load_game("atarigo:5x5")
    game.max_length = 2_000
    order.prepare(game, game.root())
    assert not order.dense
    assert order.worth.shape == order.effort.shape == (2_002 // 4 + 1, FEW_SLOTS)


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
