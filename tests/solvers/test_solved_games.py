"""What games tell solvers, and solvers with it, against minimax in plain Python."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

import playout.solvers.alphabeta as alphabeta
from playout.contract import UNSURE
from playout.games import NoGo, load_game
from playout.gametree.playout_policies.ppa import PPAF
from playout.solvers.monte_carlo_order import find_node
from playout.solvers.move_order import MoveOrder
from playout.solvers.move_orders import make_order
from playout.solvers.position_words import write_position
from playout.solvers.prover import Prover
from tests.support.brute_force import all_values

SMALL = [
    "domineering:3x3", "domineering:4x3", "domineering:2x5", "misere-domineering:3x3",
    "misere-domineering:4x3", "misere-domineering:2x5", "breakthrough:2x4",
    "misere-breakthrough:2x4", "knightthrough:2x4", "knightthrough:2x5", "misere-knightthrough:2x5",
    "nogo:3x2", "nogo:4x2", "atarigo:3x2", "atarigo:4x2", "go:2x1,komi=0.5",
    "go:2x2,komi=0.5,length=7", "go:3x1,komi=0,unfinished=draw",
    "go:2x2,komi=1,length=6,unfinished=draw", "hex:2",
]  # fmt: skip

# more positions, for what games tell; solvers meet these boards compiled, in test_solvers.py
LARGER = ["domineering:4x4", "misere-domineering:4x4", "knightthrough:3x4"]

DECIDES = ("domineering", "misere-domineering", "breakthrough", "knightthrough", "atarigo", "nogo")

_values: dict[str, dict[bytes, float]] = {}


def values_of(name):
    if name not in _values:
        _values[name] = all_values(load_game(name))
    return _values[name]


@pytest.mark.long
@pytest.mark.parametrize("name", SMALL + LARGER)
def test_what_a_game_tells_is_true(name):
    """In every position: the outcome, what is decided, words that tell positions apart."""
    game, values = load_game(name), values_of(name)
    spare, words, other = game.new_states(1)[0], *np.zeros((2, game.pack_words()), np.uint64)
    found: dict[bytes, float] = {}
    keys: dict[int, bytes] = {}
    decided = 0
    with np.errstate(over="ignore"):
        for text, value in values.items():
            assert value in game.outcomes
            state = np.frombuffer(text, game.state_type).view(np.recarray)[0]
            told = game.decided(state)
            assert math.isnan(told) or told == value
            decided += not math.isnan(told)
            if math.isnan(told):
                _check_needed(game, values, state, value)
            if game.packed and not game.remembers():
                game.pack(state, 0, spare, words)
                assert keys.setdefault(int(game.key(state)), words.tobytes()) == words.tobytes()
                write_position(game, state, game.symmetries, spare, words, other)
                assert found.setdefault(words.tobytes(), value) == value
    assert (decided > 0) == (name.partition(":")[0] in DECIDES)


def _check_needed(game, values, state, value):
    """Among the moves that are needed is one that keeps the value."""
    moves = game.new_moves()
    n = game.moves(state, moves)
    legal = sorted(moves[i].tobytes() for i in range(n))
    if n:
        k = game.needed(state, moves, n)
        assert 1 <= k <= n
        assert sorted(moves[i].tobytes() for i in range(n)) == legal
        reached = []
        for i in range(k):
            after = np.array([state], game.state_type).view(np.recarray)
            game.play(after[0], moves[i])
            reached.append(values[after.tobytes()])
        assert (max if game.turn(state) == 0 else min)(reached) == value


@pytest.fixture
def interpreted(monkeypatch):
    """Solvers as plain Python: right for small boards, which are not worth compiling for."""
    monkeypatch.setattr(alphabeta, "step", alphabeta.step.py_func)


@pytest.mark.parametrize("name", SMALL)
def test_every_game_against_minimax(name, interpreted):
    game, values = load_game(name), values_of(name)
    value = values[game.root().tobytes()]
    for solver, order, symmetry, entries in (
        ("alphabeta", "none", False, 1000),
        ("alphabeta", "game", True, 500),
        ("ids", "killer", True, 1000),
    ):
        prover = Prover(game, solver=solver, order=order, symmetry=symmetry, entries=entries)
        prover.run()
        assert prover.value == value, (solver, order, symmetry)


class OpenNoGo(NoGo):
    """NoGo that tells nothing."""

    def decided(self, state):
        return math.nan


@pytest.mark.long
def test_what_is_decided_in_nogo():
    """With and without it, compiled, on a board that is too large for minimax in plain Python."""
    rng = np.random.default_rng(1)
    game, open_game = NoGo(4, 3), OpenNoGo(4, 3)
    prover, plain = Prover(game, entries=1 << 16), Prover(open_game, entries=1 << 16)
    moves = game.new_moves()
    decided = 0
    for _ in range(15):
        state = game.root()
        while n := game.moves(state[0], moves):
            assert prover.ask(state, 1.0)[0] == plain.ask(state, 1.0)[0]
            told = game.decided(state[0])
            if not math.isnan(told):
                assert told == plain.ask(state, 1.0)[0]
                decided += 1
            game.play(state[0], moves[rng.integers(n)].copy())
    assert decided > 3


@pytest.mark.parametrize("name", ["go:2x2,komi=0.5,length=7", "go:3x1,komi=0,unfinished=draw"])
@pytest.mark.parametrize("symmetry", [False, True])
def test_the_past_is_never_mistaken(name, symmetry, interpreted):
    """One table for the positions of many pasts: every answer is that of its own past."""
    game, values = load_game(name), values_of(name)
    prover = Prover(game, symmetry=symmetry)
    goal = game.outcomes[-1]
    for text in list(values)[::5]:
        state = np.frombuffer(text, game.state_type).view(np.recarray)
        with np.errstate(over="ignore"):
            if game.moves(state[0], game.new_moves()):
                assert prover.ask(state, goal)[0] == (values[text] >= goal)


def test_lateness_by_hand():
    """Algorithm 5 for Knightthrough, the rule for Breakthrough, Algorithm 4 for Atarigo.

    Then our own for NoGo and misere Domineering.
    """

    def late(name, position, move):
        game = load_game(name)
        state = game.read_position(position)[0]
        return game.lateness(state, game.parse_move(state, move))

    knights = "b....../..w..../......./......./..w.w../w....../....... w"
    assert late("knightthrough:7x7", knights, "c6-e7") == 0.0
    assert late("knightthrough:7x7", knights, "c3-d5") == 2.0  # e3 is behind it
    assert late("knightthrough:7x7", knights, "c3-b5") == UNSURE
    assert late("knightthrough:7x7", knights, "a2-b4") == UNSURE
    takes = "......./..w..../......./......./..b..../w....../....... w"
    assert late("knightthrough:7x7", takes, "a2xc3") == 1.0
    race = "..../w.../..../..b./.w../.... w"
    assert late("breakthrough:4x6", race, "a5-a6") == 0.0
    assert late("breakthrough:4x6", race, "b2xc3") == UNSURE
    assert late("breakthrough:4x6", "..../..../w.../..../..b./.w.. w", "b1xc2") == 1.0
    assert late("misere-breakthrough:4x6", race, "a5-a6") == UNSURE
    stones = "..../.bw./..../.b.w b"
    assert late("atarigo:4x4", stones, "C2") == 3 - 4 * 3  # beside white, three liberties
    assert late("atarigo:4x4", stones, "A1") == UNSURE + 20 - 1
    # the other's moves after it less one's own, and the points of the board
    assert late("nogo:3x1", "... b", "B1") == UNSURE + 3 + 0 - 2
    assert late("nogo:3x1", "... b", "A1") == UNSURE + 3 + 1 - 2
    assert late("nogo:3x2", ".../... b", "A1") == UNSURE + 6 + 5 - 5
    # a strip of v is left; then a square, all of which is contested
    assert late("misere-domineering:2x2", "../.. v", "a1-a2") == UNSURE + 1000 + 2
    assert late("misere-domineering:3x2", ".../... v", "a1-a2") == UNSURE + 1000 + 8 + 2 - 8
    assert late("domineering:2x2", "../.. v", "a1-a2") == UNSURE


@pytest.mark.long
def test_monte_carlo_order(interpreted):
    """By counts where the search has been often, elsewhere by PPAF's weights."""
    game = load_game("domineering:4x4")
    order = make_order("mc:playouts=2000,seed=3")
    seen = []
    order.look = lambda progress: seen.append(progress.playouts)
    order.prepare(game, game.root())
    assert seen == sorted(seen)
    assert 0 < seen[-1] <= 2000
    moves, scores, state = game.new_moves(), np.zeros(game.max_moves), game.root()
    with np.errstate(over="ignore"):
        n = game.moves(state[0], moves)
        order.score(game, state[0], moves, n, scores, 0)
        counts = [order.times(0, moves[i]) for i in range(n)]  # the root comes first
        assert sum(counts) == 2000
        assert all(score == UNSURE - c for score, c in zip(scores, counts, strict=False) if c)
        while find_node(order.keys, order.nodes, game.key(state[0])) >= 0:
            game.play(state[0], moves[int(np.argmax(scores[:n]))])
            n = game.moves(state[0], moves)
            order.score(game, state[0], moves, n, scores, 0)
        policy, mover = order.policy, int(game.turn(state[0]))
        places = [policy.slot(game, state[0], moves[i], mover, False) for i in range(n)]
    assert list(scores[:n]) == [UNSURE - policy.weights[place] for place in places]
    assert len(set(scores[:n])) > 1
    prover = Prover(game, order=order)
    prover.run()
    assert prover.value == values_of("domineering:4x4")[game.root().tobytes()]


def test_blended_monte_carlo_order():
    """What the game guesses counts beside the weights, not beside the playouts."""
    game, order = load_game("nogo:3x1"), make_order("mc:blend=2")
    order.keys, order.nodes = np.zeros(16, np.uint64), np.full(16, -1, np.int64)
    order.policy = PPAF()
    order.policy.prepare(game, 1)
    moves, scores, state = game.new_moves(), np.zeros(3), game.root()
    with np.errstate(over="ignore"):
        n = game.moves(state[0], moves)
        order.score(game, state[0], moves, n, scores, 0)
    assert list(scores) == [UNSURE + 2 * 2, UNSURE + 2 * 1, UNSURE + 2 * 2]


class Mixed(MoveOrder):
    """A user's own order, which makes no sense."""

    fields = ("cuts",)

    def prepare(self, game, root):
        self.cuts = np.zeros(1, np.int64)

    def score(self, game, state, moves, n, scores, depth):
        for i in range(n):
            scores[i] = i * 7 % 5

    def cut(self, game, state, move, depth):
        self.cuts[0] += 1


@pytest.mark.long
def test_a_users_own_order_is_compiled():
    game = load_game("domineering:5x4")
    order = Mixed()
    prover = Prover(game, order=order)
    prover.run()
    plain = Prover(game)
    plain.run()
    assert prover.value == plain.value
    assert prover.nodes != plain.nodes
    assert order.cuts[0] > 0
    start = time.process_time()
    again = Prover(load_game("domineering:6x5"), order=Mixed())
    again._step(300_000)
    assert time.process_time() - start < 30.0  # interpreted it takes minutes
