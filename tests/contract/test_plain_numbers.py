"""Moves and states that are plain numbers: every search finds what it finds with records."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.compiled.records import hash_record
from playout.gametree import PLAYOUT_POLICIES, TREE_POLICIES
from playout.solvers.prove import prove
from tests.support.forms import FORMS, long


class Steps(po.Problem):
    """From 1 by +1, *2 and *3 as near to 100 as may be; a move is the next number."""

    def __init__(self, kind: object = "i8") -> None:
        self.state_type = self.move_type = kind
        self.max_moves, self.max_length = 3, 64

    def reset(self, state):
        state[0] = 1

    def moves(self, state, moves):
        if state[0] >= 64:
            return 0
        moves[0] = state[0] + 1
        moves[1] = state[0] * 2
        moves[2] = state[0] * 3
        return 3 if state[0] > 1 else 1

    def play(self, state, move):
        state[0] = move

    def score(self, state):
        return -abs(100.0 - state[0])


class StepRecords(Steps):
    """The same with records of one field."""

    def __init__(self) -> None:
        super().__init__()
        self.state_type, self.move_type = po.record(at="i8"), po.record(to="i8")

    def reset(self, state):
        state.at = 1

    def moves(self, state, moves):
        if state.at >= 64:
            return 0
        moves[0].to = state.at + 1
        moves[1].to = state.at * 2
        moves[2].to = state.at * 3
        return 3 if state.at > 1 else 1

    def play(self, state, move):
        state.at = move.to

    def score(self, state):
        return -abs(100.0 - state.at)


CELLS = 7


class Apart(po.Game):
    """Mark a cell of a row that touches no marked one; who cannot has lost. All plain numbers."""

    def __init__(self) -> None:
        self.state_type = self.move_type = "i8"
        self.max_moves = self.max_length = CELLS
        self.symmetries = self.kinds = 2

    def reset(self, state):
        state[0] = 0

    def moves(self, state, moves):
        n = 0
        near = state[0] | state[0] << 1 | state[0] >> 1
        for cell in range(CELLS):
            if not (near >> cell) & 1:
                moves[n] = cell
                n += 1
        return n

    def play(self, state, move):
        state[0] |= 1 << move

    def turn(self, state):
        count = 0
        for i in range(CELLS):
            count += (state[0] >> i) & 1
        return count % 2

    def reward(self, state, player):
        return 1.0 if self.turn(state) != player else 0.0

    def features(self, state, move):
        return 1 if move == CELLS // 2 else 0

    def bias(self, state, move):
        return 0.5 * self.features(state, move)

    def transform(self, state, symmetry, out):
        out[0] = state[0]
        if symmetry == 1:
            out[0] = 0
            for i in range(CELLS):
                out[0] |= ((state[0] >> i) & 1) << (CELLS - 1 - i)

    def transform_move(self, move, symmetry, out):
        out[0] = CELLS - 1 - move if symmetry == 1 else move


class ApartRecords(Apart):
    """The same with records of one field."""

    def __init__(self) -> None:
        super().__init__()
        self.state_type, self.move_type = po.record(cells="i8"), po.record(cell="i8")

    def reset(self, state):
        state.cells = 0

    def moves(self, state, moves):
        n = 0
        near = state.cells | state.cells << 1 | state.cells >> 1
        for cell in range(CELLS):
            if not (near >> cell) & 1:
                moves[n].cell = cell
                n += 1
        return n

    def play(self, state, move):
        state.cells |= 1 << move.cell

    def turn(self, state):
        count = 0
        for i in range(CELLS):
            count += (state.cells >> i) & 1
        return count % 2

    def features(self, state, move):
        return 1 if move.cell == CELLS // 2 else 0

    def transform(self, state, symmetry, out):
        out.cells = state.cells
        if symmetry == 1:
            out.cells = 0
            for i in range(CELLS):
                out.cells |= ((state.cells >> i) & 1) << (CELLS - 1 - i)

    def transform_move(self, move, symmetry, out):
        out.cell = CELLS - 1 - move.cell if symmetry == 1 else move.cell


# the contract


@pytest.mark.long
@pytest.mark.parametrize(
    "problem", [Steps(), Steps(np.int32), Steps("f8"), Apart(), ApartRecords()]
)
def test_they_are_checked(problem):
    report = po.check_problem(problem, games=5)
    assert report.passed, str(report)
    assert report.compiled


def test_what_is_neither_a_record_nor_a_number_is_refused():
    for kind in (None, "O", "nonsense", "S4", ("i8", 3), np.dtype([("a", "i8")])):
        report = po.check_problem(Steps(kind), compiled=False)
        assert not report.passed
        assert "playout.record" in str(report)


def test_texts():
    game = Apart()
    state = game.replay(np.array([0, 3]))
    assert game.legal_moves(state[0]).tolist() == [5, 6]
    assert game.move_text(state[0], game.legal_moves(state[0])[1]) == "6"
    assert game.parse_move(state[0], " 5 ") == 5
    assert game.render(state[0]) == "9"
    with pytest.raises(po.PlayoutError, match="not legal"):
        game.replay([0, 1])


@pytest.mark.parametrize("kind", ["i8", "i1", "u2", "f4", "f8"])
def test_the_hash_is_the_same_for_each_width(kind):
    from playout.compiled import kernel

    @kernel
    def hashed(numbers):
        return hash_record(numbers[0])

    numbers = np.array([-7 if kind[0] != "u" else 7], kind)
    wide = numbers.astype("f8" if kind[0] == "f" else "i8")
    with wrapping():
        assert hashed(numbers) == hash_record(numbers[0]) == hash_record(wide[0])


# solve


def solved(problem, algorithm, **options):
    result = po.solve(problem, algorithm, po.Playouts(80), seed=5, **options)
    return result.score, result.records, [move.split()[0] for move in result.moves]


@pytest.mark.parametrize(
    "algorithm",
    [
        po.Random(),
        long(po.NMCS(level=2)),
        long(po.NRPA(level=2, N=8)),
        long(po.GNRPA(level=2, N=8)),
        long(po.SNRPA(level=2, N=8, P=2)),
        long(po.UCT()),
        long(po.UCT(tree="move", simulations=20)),
    ],
    ids=lambda algorithm: algorithm.name,
)
def test_algorithms(algorithm):
    numbers = solved(Steps(), algorithm)
    assert numbers == solved(StepRecords(), algorithm, compiled=False)
    assert numbers == solved(Steps(), algorithm, compiled=False)


def test_a_result_is_saved_and_a_run_goes_on(tmp_path):
    path = tmp_path / "run.npz"
    for playouts in (20, 80):
        stop = po.Playouts(playouts)
        result = po.solve(Steps(), po.Random(), stop, seed=5, checkpoint=path)
    whole = po.solve(Steps(), po.Random(), stop, seed=5)
    assert (result.score, result.records) == (whole.score, whole.records)
    moves = Steps().as_moves(result.records)
    assert moves.dtype == np.int64
    assert Steps().verify(moves) == result.score


# games


def searched(game, text, **options):
    result = po.search(game, text, po.Playouts(60), seed=2, **options)
    rows = [dataclasses.replace(row, record=None) for row in result.moves]
    return result.move, rows, result.variation


JASS_ONLY = {"handmade", "minmax"}


@pytest.mark.parametrize(
    "text",
    [
        *TREE_POLICIES,
        *(f"uct:playout={name}" for name in PLAYOUT_POLICIES if name not in JASS_ONLY),
    ],
)
def test_tree_searches_interpreted(text):
    assert searched(Apart(), text, compiled=False) == searched(ApartRecords(), text, compiled=False)


@pytest.mark.parametrize("text", ["uct:graph=uct2,symmetry=true,solver=true", "grave:playout=nst"])
@pytest.mark.long
def test_tree_searches_compiled(text):
    numbers = searched(Apart(), text)
    assert numbers == searched(ApartRecords(), text, compiled=False)
    assert numbers == searched(Apart(), text, compiled=False)


@pytest.mark.parametrize("compiled", FORMS)
def test_a_match_and_a_player_of_ones_own(compiled):
    class Lowest:
        name = "lowest"

        def new_game(self, game, seed):
            self.game = game

        def choose(self, position, stop):
            return int(self.game.legal_moves(position[0])[0])  # a number of Python's own

    players = (Apart(), "uct", Lowest())
    result = po.match(*players, games=2, simulations=30, seed=1, compiled=compiled)
    assert result.games == 2


@pytest.mark.parametrize("solver", ["alphabeta", "dfpn", "pn2"])
@pytest.mark.long
def test_solvers(solver):
    options = {"order": "killer", "symmetry": True} if solver == "alphabeta" else {}
    proofs = [prove(game, solver=solver, **options) for game in (Apart(), ApartRecords())]
    assert proofs[0].winner == proofs[1].winner == "first"
    assert proofs[0].nodes == proofs[1].nodes
    assert proofs[0].variation == proofs[1].variation
