"""Problems that judge the plain command: their scores counted in another way, and by hand."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from bench.plain_problems.assembly import Assembly
from bench.plain_problems.cables import Cables
from bench.plain_problems.districts import Districts
from bench.plain_problems.elimination import Elimination
from bench.plain_problems.formula import SYMBOLS, Formula
from bench.plain_problems.glass import Glass
from bench.plain_problems.guests import Guests
from bench.plain_problems.merging import Merging
from bench.plain_problems.pentominoes import Pentominoes
from bench.plain_problems.plants import Plants
from bench.plain_problems.satellite import Satellite
from bench.plain_problems.sorting import Sorting
from tests.support import naive_scores
from tests.support.bothways import random_game

NAIVE = {
    Assembly: naive_scores.assembly,
    Cables: naive_scores.cables,
    Districts: naive_scores.districts,
    Elimination: naive_scores.elimination,
    Formula: naive_scores.formula,
    Glass: naive_scores.glass,
    Guests: naive_scores.guests,
    Merging: naive_scores.merging,
    Pentominoes: naive_scores.pentominoes,
    Plants: naive_scores.plants,
    Satellite: naive_scores.satellite,
    Sorting: naive_scores.sorting,
}
# eight numbers with 19 comparators, as few as there can be (Knuth, volume 3, section 5.3.4)
NINETEEN = """
0,2 1,3 4,6 5,7  0,4 1,5 2,6 3,7  0,1 2,3 4,5 6,7  2,4 3,5  1,4 3,6  1,2 3,4 5,6
"""


def played(problem, *moves):
    """The end of a game of legal moves; each is a tuple, or a number where moves are."""
    state, legal = problem.root()[0], problem.new_moves()
    for move in moves:
        offered = legal[: problem.moves(state, legal)]
        number = offered.tolist().index(move)
        problem.play(state, offered[number])
    assert problem.moves(state, legal) == 0
    return state


def score(problem, *moves):
    return problem.score(played(problem, *moves))


@pytest.mark.parametrize("kind", NAIVE)
def test_the_score_follows_from_the_moves(kind):
    problem = kind()
    for seed in range(5):
        moves, states = random_game(problem, seed)
        assert problem.score(states[0]) == pytest.approx(NAIVE[kind](problem, moves), rel=1e-9)


@pytest.mark.parametrize("kind", NAIVE)
def test_it_keeps_the_contract(kind):
    report = po.check_problem(kind(), games=2, compiled=False)
    assert report.passed, str(report)


@pytest.mark.long
@pytest.mark.parametrize("kind", NAIVE)
def test_compiled_it_is_the_same(kind):
    report = po.check_problem(kind(), games=3)
    assert report.passed, str(report)


def test_a_station_turns_the_car():
    problem = Assembly(tasks=3)
    problem.needs[:] = False
    problem.seconds[:] = 40, 30, 30
    problem.side[:] = 1, 2, 0
    assert score(problem, (0,), (1,), (2,)) == 1.3  # 40 + 6 + 30, then 30
    problem.side[:] = 1, 1, 0
    assert score(problem, (0,), (1,), (2,)) == 1.0


def test_houses_that_no_cable_may_reach_count_1():
    problem = Cables(houses=4, neighbours=4, deepest=1)
    cables = [i for i in range(len(problem.length)) if problem.one[i] == 0][:3]
    expected = problem.length[cables].sum() + 1  # a fourth cable would be one too many
    assert score(problem, *((cable,) for cable in cables)) == pytest.approx(expected)


def test_two_districts_of_four_towns():
    problem = Districts(size=2, districts=2)
    problem.people[:] = [[10, 20], [30, 40]]
    problem.share = 50.0
    assert score(problem, (1, 0), (1, 1)) == 20 + 20 + 5 + 5  # 10 + 20 + 40, and 30
    assert score(problem, (0, 1), (1, 1)) == 30 + 30 + 5 + 5  # 10 + 30 + 40, and 20


def test_the_middle_of_a_star_joins_its_ends():
    problem = Elimination(unknowns=5, pairs=4)
    problem.pairs[:] = False
    problem.pairs[0, 1:] = problem.pairs[1:, 0] = True
    assert score(problem, (0,), (1,), (2,), (3,), (4,)) == 6
    assert score(problem, (1,), (2,), (3,), (4,), (0,)) == 0


def test_a_formula_by_hand():
    problem = Formula()
    problem.y = (problem.x - 1) * (problem.x + 2) / np.sin(problem.x)
    symbols = ["/", "*", "-", "x", "1", "+", "x", "2", "sin", "x"]
    assert score(problem, *map(SYMBOLS.index, symbols)) == pytest.approx(0)
    problem.y = np.full(len(problem.x), 3.0)
    assert score(problem, SYMBOLS.index("1")) == 4.0


def test_a_pane_of_two_pieces():
    problem = Glass(pieces=3, wide=50, high=40)
    problem.wide[:], problem.high[:] = (30, 40, 21), (40, 20, 39)
    problem.value[:] = 7, 5, 100
    assert score(problem, (0, 0, 1), (1, 1, 0)) == 12
    assert score(problem, (2, 0, 0)) == 100


def test_a_table_for_four():
    problem = Guests(tables=1, seats=4)
    problem.likes[:] = 0
    problem.likes[0, 1] = problem.likes[1, 0] = 2
    problem.likes[0, 2] = problem.likes[2, 0] = 5
    problem.likes[0, 3] = problem.likes[3, 0] = -1
    assert score(problem, (0, 0), (1, 0), (2, 0), (3, 0)) == 3 * 2 + 5 - 3


@pytest.mark.parametrize("first", [0, 11])
def test_a_polished_party_is_a_better_one(first):
    problem = Guests()
    for seed in range(2):
        moves, states = random_game(problem, seed)
        polished = moves.copy()
        assert problem.polish(states[0].copy(), polished, first, len(moves), None) == len(moves)
        assert (polished[:first] == moves[:first]).all()
        assert (polished["table"] == moves["table"]).all()
        after = naive_scores.guests(problem, polished)
        assert after > problem.score(states[0])
        assert problem.score(played(problem, *polished.tolist())) == after


def test_equal_numbers_merge_once_a_slide():
    problem = Merging(slides=1)
    state = problem.root()[0]
    state.cell[:] = [[2, 2, 4, 0], [4, 4, 4, 4], [0, 2, 0, 4], [2, 4, 2, 4]]
    move = np.zeros(1, problem.move_type)[0]
    move.way = 0
    problem.play(state, move)
    expected = np.array([[4, 4, 0, 0], [8, 8, 0, 0], [2, 4, 0, 0], [2, 4, 2, 4]])
    assert (state.cell[expected > 0] == expected[expected > 0]).all()
    assert np.count_nonzero(state.cell) == np.count_nonzero(expected) + 1
    assert problem.score(state) == 4 + 8 + 8


def test_twelve_pieces_in_63_ways():
    problem = Pentominoes()
    assert len(problem.piece) == 63
    assert len({squares.tobytes() for squares in problem.squares}) == 63
    ways = np.bincount(problem.piece)
    assert sorted(ways) == [1, 2, *[4] * 5, *[8] * 5]
    assert score(problem, *((at, -1) for at in range(60))) == 0


def test_a_day_without_power():
    problem = Plants()
    moves = [(part, plant, 0) for part in range(12) for plant in range(7)]
    assert score(problem, *moves) == 300 * problem.demand.sum()


def test_one_plant_starts_and_stops():
    problem = Plants(plants=1, parts=3)
    problem.least[:], problem.most[:], problem.start[:], problem.run[:] = 10, 50, 1000, 100
    problem.unit[:], problem.while_on[:], problem.while_off[:] = 7, 2, 1
    problem.demand[:] = 5, 60, 20
    expected = 1000 + (100 + 10 * 7 + 5 * 20) + (100 + 50 * 7 + 10 * 300) + 20 * 300
    assert score(problem, (0, 0, 1), (1, 0, 1), (2, 0, 0)) == expected


def test_a_full_satellite_waits():
    problem = Satellite(places=4, room=2)
    problem.opens[:], problem.closes[:] = (10, 50, 100, 830), (30, 60, 110, 900)
    problem.angle[:], problem.value[:] = (5, -5, 0, 20), (1, 2, 4, 8)
    assert score(problem, (0,), (1,), (3,)) == 11  # begins at 10, 50 and 830


def test_a_network_of_19_comparators():
    pairs = [tuple(map(int, pair.split(","))) for pair in NINETEEN.split()]
    assert score(Sorting(), *pairs) == 19
    assert score(Sorting(wires=3), (0, 1), (1, 2), (0, 1)) == 3
    assert score(Sorting(wires=3, most=1), (0, 1)) == 1 + 2  # 010 and 110 are left
