"""Proof-number search, df-pn and PN2, against minimax in plain Python on small boards."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from playout.errors import OptionError, ProblemError
from playout.games import load_game
from playout.solvers import MOVE_ORDERS, dfpn, pn2
from playout.solvers.move_order import MoveOrder
from playout.solvers.position_table import TRUE
from playout.solvers.proof_number_table import ProofTable, find_numbers, keep_numbers
from playout.solvers.prove import prove
from playout.solvers.step_status import DONE, RUNNING
from tests.support.naive_minimax import minimax


def answers(game, solver, state=None, entries=1 << 12, order="none", symmetry=False, step=10**6):
    """The answer to each question about a position, and the nodes that it took; interpreted."""
    state = game.root() if state is None else state
    found = {}
    with np.errstate(over="ignore"):
        for goal in game.outcomes[1:]:
            part = MOVE_ORDERS[order]()
            part.prepare(game, state)
            if solver == "dfpn":
                search = dfpn.DfPn(game, state, goal, symmetry)
                settings = search, game, ProofTable(game, entries), part
                take_step = dfpn.step.py_func
            else:
                search = pn2.Pn2(game, state, goal, entries)
                settings, take_step = (search, game, part), pn2.step.py_func
            status = RUNNING
            while status != DONE:
                status = take_step(*settings, int(search.head[0].nodes) + step)
                if status == pn2.ROOM:
                    search.grow(game)
                else:
                    assert status in (RUNNING, DONE)
            assert int(search.head[0].proof if solver == "dfpn" else search.first[0].proof) in (
                0,
                dfpn.ENDLESS,
            )
            found[goal] = search.head[0].answer == TRUE, int(search.head[0].nodes)
    return found


@functools.cache
def value_of(name):
    return minimax(load_game(name))


def agrees(game, solver, value=None, **settings):
    value = minimax(game, settings.get("state")) if value is None else value
    return all(
        (value >= goal) == answer for goal, (answer, _) in answers(game, solver, **settings).items()
    )


@pytest.mark.parametrize("solver", ["dfpn", "pn2"])
@pytest.mark.parametrize(
    "name",
    [
        "nogo:3x2",
        "atarigo:3x2",
        "hex:2",
        "hex:2,swap=true",
        "dotsandboxes:1x2",
        "knightthrough:3x4",
        "go:1x1",
        "go:2x1,komi=0",
        "go:3x1,komi=2",
        "go:2x2,komi=0",
        "go:2x2,komi=0.5",
        "go:2x2,komi=1,length=7,unfinished=draw",
    ],
)
def test_against_minimax(name, solver):
    """Draws, boxes that give another move, passes, superko, games that are cut off."""
    assert agrees(load_game(name), solver, value_of(name))


@pytest.mark.parametrize("name", ["dotsandboxes:1x2", "go:2x2,komi=0"])
@pytest.mark.parametrize("settings", [{"symmetry": True}, {"entries": 8}, {"order": "history"}])
def test_against_minimax_with_options(name, settings):
    assert agrees(load_game(name), "dfpn", value_of(name), **settings)


@pytest.mark.parametrize("name", ["nogo:3x3", "go:2x2,komi=0.5"])
def test_positions_of_random_games(name):
    """From the middle of a game on, its past included."""
    game, rng = load_game(name), np.random.default_rng(1)
    legal = game.new_moves()
    for length in (4, 5, 6):
        state = game.root()
        with np.errstate(over="ignore"):
            for _ in range(length):
                if n := game.moves(state[0], legal):
                    game.play(state[0], legal[rng.integers(n)].copy())
        assert agrees(game, "dfpn", state=state)
        assert agrees(game, "pn2", state=state)


@pytest.mark.long
@pytest.mark.parametrize("solver", ["dfpn", "pn2"])
@pytest.mark.parametrize("order", ["none", "history"])
def test_compiled(solver, order):
    """Many sizes of one game; the moves of a proof are those of perfect play."""
    for size in ("1x1", "2x2", "3x3", "4x3", "3x4"):
        for kind in ("domineering", "misere-domineering"):
            game = load_game(f"{kind}:{size}")
            proof = prove(game, solver=solver, order=order)
            assert proof.value == minimax(game)
            state = game.root()
            for text in proof.variation:
                game.play(state[0], game.parse_move(state[0], text))
                assert minimax(game, state) == proof.value
            assert game.reward(state[0], 0) == proof.value


def test_little_memory_changes_the_cost_and_not_the_answer():
    game = load_game("tictactoe")
    state = game.root()
    game.play(state[0], game.parse_move(state[0], "a1"))
    for solver, few in (("dfpn", 16), ("pn2", 20)):
        small = answers(game, solver, state=state, entries=few)
        large = answers(game, solver, state=state)
        assert [small[goal][0] for goal in (0.5, 1.0)] == [True, False]
        assert [large[goal][0] for goal in (0.5, 1.0)] == [True, False]
        assert small[1.0][1] != large[1.0][1]


def test_steps_do_not_matter():
    game = load_game("nogo:3x2")
    for solver in ("dfpn", "pn2"):
        assert answers(game, solver, step=1) == answers(game, solver)


class LastFirst(MoveOrder):
    """The moves from the last that the game lists to the first."""

    def score(self, game, state, moves, n, scores, depth):
        for i in range(n):
            scores[i] = -i


def test_an_order_brings_a_good_move_forward():
    """The first player wins at c3, the last of the moves: with one node, if it is tried first."""
    game = load_game("tictactoe")
    state = game.root()
    for text in ("a3", "a1", "b3", "b1"):
        game.play(state[0], game.parse_move(state[0], text))
    legal = game.new_moves()
    n = game.moves(state[0], legal)
    assert game.move_text(state[0], legal[n - 1]) == "c3"
    for order, nodes in ((MOVE_ORDERS["none"](), n), (LastFirst(), 1)):
        search = dfpn.DfPn(game, state, 1.0)
        with np.errstate(over="ignore"):
            table = ProofTable(game, 16)
            assert dfpn.step.py_func(search, game, table, order, 100) == DONE
        assert (search.head[0].answer, search.head[0].nodes) == (TRUE, nodes)
        assert game.move_text(state[0], search.best_move()[0]) == "c3"


def test_the_table_never_mistakes_a_position():
    """Two positions with one key, and one whose proof does not hold after every past."""
    game = load_game("tictactoe")
    table = ProofTable(game, entries=4)
    one, other = (np.full(game.pack_words(), number, np.uint64) for number in (1, 2))
    key, nothing = np.uint64(12345), np.uint64(0)
    with np.errstate(over="ignore"):
        keep_numbers(table, key, one, 0, dfpn.ENDLESS, 10, np.uint64(0b100))
        assert find_numbers(table, key, one, np.uint64(0b011)) >= 0
        assert find_numbers(table, key, one, np.uint64(0b110)) == -1
        assert find_numbers(table, key, other, nothing) == -1
        keep_numbers(table, key, other, 3, 4, 1, nothing)
        assert find_numbers(table, key, one, nothing) == -1  # always replaced
        assert table.used[0] == 1


def test_the_best_of_the_moves_are_kept_when_a_tree_is_full():
    """`compact` lets go of what lies below decided positions, then of what lies deepest."""
    game = load_game("tictactoe")
    nodes = pn2.Pn2(game, game.root(), 1.0, entries=100).first[:9].copy()
    new = np.zeros_like(nodes)
    # 0 has 1 and 2; 1, which is decided, has 3 and 4; 2 has 5 and 6; 5 has 7 and 8
    for i, (proof, disproof, begin, count) in enumerate(
        [
            (1, 2, 1, 2),
            (dfpn.ENDLESS, 0, 3, 2),
            (1, 2, 5, 2),
            (5, 5, 0, 0),
            (5, 5, 0, 0),
            (1, 9, 7, 2),
            (8, 8, 0, 0),
            (1, 1, 0, 0),
            (1, 1, 0, 0),
        ]
    ):
        nodes[i].proof, nodes[i].disproof = proof, disproof
        nodes[i].begin, nodes[i].count = begin, count
    assert pn2.compact.py_func(nodes, new, 9) == 7
    assert [int(n) for n in new["proof"][:7]] == [1, dfpn.ENDLESS, 1, 1, 8, 1, 1]
    assert [int(n) for n in new["count"][:7]] == [2, 0, 2, 2, 0, 0, 0]
    assert pn2.compact.py_func(nodes, new, 5) == 5
    assert (int(new[3].proof), int(new[3].count)) == (1, 0)  # a leaf with what is known of it


@pytest.mark.long
def test_rewards_that_are_no_outcomes():
    class Odd(type(load_game("tictactoe"))):
        def reward(self, state, player):
            return 0.25

    for solver in ("dfpn", "pn2"):
        with pytest.raises(ProblemError, match="none of outcomes"):
            prove(Odd(), solver=solver)
        with pytest.raises(OptionError, match="entries=1"):
            prove(load_game("tictactoe"), solver=solver, entries=1)
