"""TSPTW: best-known tours of the public sets, hand-computed tours, and the selective rule."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playout.errors import DataError, OptionError, ProblemError
from playout.problems import TSPTW
from playout.problems.instances import find_instance
from tests.support.bothways import assert_compiled_is_plain, random_game
from tests.support.datafolder import DATA, data, needs_data
from tests.support.forms import long

quick = settings(max_examples=30, deadline=None, derandomize=True)

# To node 1 in 10, to node 2 in 20; between them 5; back from 1 in 12, from 2 in 30. Node 1 opens
# at 40 and closes at 50, node 2 is open from 0 to 22, the depot closes at 60.
DISTANCE = [[0, 10, 20], [12, 0, 5], [30, 5, 0]]
WINDOWS = [[0, 60], [40, 50], [0, 22]]


def moves_of(problem, nodes):
    moves = np.zeros(len(nodes), problem.move_type)
    moves["node"] = nodes
    return moves


def play(problem, nodes):
    """Play nodes by `play`, legal or not; the final state in an array of one."""
    states = problem.root()
    for move in moves_of(problem, nodes):
        problem.play(states[0], move)
    return states


def legal(problem, nodes=()):
    moves = problem.new_moves()
    n = problem.moves(play(problem, nodes)[0], moves)
    return sorted(moves["node"][:n].tolist())


def test_a_tour_with_a_wait_by_hand():
    """0 -20-> 2, -5-> 1 at 25, wait until 40, -12-> 0 at 52: travel 37, makespan 52."""
    for objective, score in (("travel", -37.0), ("makespan", -52.0)):
        problem = TSPTW(DISTANCE, WINDOWS, objective=objective)
        states = play(problem, [2, 1])
        assert problem.final_score(states) == score
        assert problem.verify(moves_of(problem, [2, 1])) == score
        assert states[0].time == 52.0
        assert states[0].violations == 0


def test_a_tour_with_violations_by_hand():
    """0 -10-> 1, wait until 40, -5-> 2 at 45 (late), -30-> 0 at 75 (late): travel 45."""
    problem = TSPTW(DISTANCE, WINDOWS)
    states = play(problem, [1, 2])
    assert states[0].violations == 2
    assert problem.final_score(states) == -2_000_045.0
    assert problem.verify(moves_of(problem, [1, 2])) == -2_000_045.0
    assert "MISSED by 23.00" in problem.render(states[0])
    assert "2 windows missed" in problem.render(states[0])


def test_arriving_at_closing_time_is_in_time():
    problem = TSPTW([[0, 0.1, 1], [1, 0, 0.2], [1, 1, 0]], [[0, 9], [0, 0.1], [0, 0.3]])
    assert play(problem, [1, 2])[0].violations == 0  # 0.1 + 0.2 > 0.3 in binary


def test_the_diagonal_is_ignored():
    distance = np.array(DISTANCE, float)
    np.fill_diagonal(distance, 1000.0)
    problem = TSPTW(distance, WINDOWS)
    assert np.array_equal(problem.biases, TSPTW(DISTANCE, WINDOWS).biases)
    assert problem.farthest.tolist() == [20.0, 12.0, 30.0]


def test_selective_rule_by_hand():
    """Going to 1 first makes 2 late, which could be reached: only 2 is left."""
    assert legal(TSPTW(DISTANCE, WINDOWS)) == [2]
    assert legal(TSPTW(DISTANCE, WINDOWS, selective=False)) == [1, 2]
    # node 2 cannot be reached in time anyway: it forbids nothing
    assert legal(TSPTW(DISTANCE, [[0, 60], [40, 50], [0, 19]])) == [1, 2]
    # each would make the other late: nothing remains, so all are moves
    assert legal(TSPTW(DISTANCE, [[0, 60], [16, 18], [0, 20]])) == [1, 2]


@quick
@given(st.integers(0, 2**32), st.integers(2, 9), st.sampled_from([5.0, 40.0, 200.0]))
def test_selective_rule_is_its_definition(seed, n, width):
    problem = TSPTW.random(seed, n=n, width=width)
    d, w = problem.distance, problem.windows
    order = random_game(TSPTW(d, w, selective=False), seed)[0]["node"].tolist()
    for step in range(n - 1):
        here, time = ([0] + order)[step], float(play(problem, order[:step])[0].time)
        left = order[step:]
        expected = []
        for i in left:
            leaves = max(time + d[here, i], w[i, 0])
            spoils = [
                j
                for j in left
                if j != i
                and time + d[here, j] <= w[j, 1] + 1e-9
                and leaves + d[i, j] > w[j, 1] + 1e-9
            ]
            if not spoils:
                expected.append(i)
        assert legal(problem, order[:step]) == sorted(expected or left)


PAPER = {"bias_factor": 10.0, "wait_factor": 0.0, "due_factor": 0.0, "remote_factor": 0.0}


def test_codes_and_bias():
    """Distances 5 to 30: the paper's bias is -10 (d - 5) / 25; the code is the pair, one way."""
    problem = TSPTW(DISTANCE, WINDOWS, **PAPER)
    first, there = play(problem, []), moves_of(problem, [1, 2])
    assert problem.bias(first[0], there[0]) == pytest.approx(-2.0)
    assert problem.bias(first[0], there[1]) == pytest.approx(-6.0)
    later = play(problem, [2])
    assert problem.bias(later[0], there[0]) == pytest.approx(0.0)
    assert [int(problem.code(first[0], move)) for move in there] == [1, 2]
    assert int(problem.code(later[0], there[0])) == 7
    half = TSPTW(DISTANCE, WINDOWS, **(PAPER | {"bias_factor": 5.0}))
    assert half.bias(first[0], there[1]) == pytest.approx(-3.0)


def test_bias_by_windows():
    """Node 1 is waited for 30 and closes in 50, node 2 is open and closes in 22; a unit is 0.4."""
    problem = TSPTW(DISTANCE, WINDOWS, **(PAPER | {"wait_factor": 0.5, "due_factor": 0.2}))
    first, there = play(problem, []), moves_of(problem, [1, 2])
    assert problem.bias(first[0], there[0]) == pytest.approx(-2.0 - 0.4 * (0.5 * 30 + 0.2 * 50))
    assert problem.bias(first[0], there[1]) == pytest.approx(-6.0 - 0.4 * 0.2 * 22)


def test_bias_of_remote_nodes():
    """To node 1 it is 10 and 5, 7.5 in the mean; to node 2 it is 20 and 5, 12.5 in the mean."""
    problem = TSPTW(DISTANCE, WINDOWS, **(PAPER | {"remote_factor": 0.5}))
    first, there = play(problem, []), moves_of(problem, [1, 2])
    assert problem.bias(first[0], there[0]) == pytest.approx(-2.0 + 0.4 * 0.5 * 7.5)
    assert problem.bias(first[0], there[1]) == pytest.approx(-6.0 + 0.4 * 0.5 * 12.5)


def test_default_bias():
    """Distances, waits and remoteness; with bias factor 20 a unit is 0.8."""
    problem = TSPTW(DISTANCE, WINDOWS)
    first, there = play(problem, []), moves_of(problem, [1, 2])
    one = 10 - 5 + 0.1 * 30 - 0.5 * 7.5
    two = 20 - 5 - 0.5 * 12.5
    assert problem.bias(first[0], there[0]) == pytest.approx(-0.8 * one)
    assert problem.bias(first[0], there[1]) == pytest.approx(-0.8 * two)


def test_key_forgets_the_order_but_not_the_cost_or_the_node():
    equal = TSPTW(np.ones((5, 5)), [[0, 99]] * 5)
    distance = np.ones((5, 5))
    distance[1, 2] = 2
    longer = TSPTW(distance, [[0, 99]] * 5)

    def key(problem, nodes):
        with np.errstate(over="ignore"):
            return int(problem.key(play(problem, nodes)[0]))

    assert key(equal, [1, 2, 3]) == key(equal, [2, 1, 3])
    assert key(equal, [1, 2, 3]) != key(equal, [1, 3, 2])
    assert key(equal, [1, 2, 3]) != key(equal, [1, 4, 3])
    assert key(longer, [1, 2, 3]) != key(longer, [2, 1, 3])


@pytest.mark.parametrize(("n", "score"), [(1, 0.0), (2, -7.0)])
def test_the_smallest_instances(n, score):
    problem = TSPTW(np.full((n, n), 3.5), [[0, 10]] * n)
    problem.check_attributes()
    moves, states = random_game(problem, 0)
    assert len(moves) == n - 1
    assert problem.final_score(states) == score
    assert problem.verify(moves) == score
    assert problem.render(states[0])
    ElementTree.fromstring(problem.svg(states[0]))


@quick
@given(st.integers(0, 2**32), st.integers(1, 12), st.sampled_from(["travel", "makespan"]))
def test_verify_agrees_with_the_score(seed, n, objective):
    problem = TSPTW.random(seed, n=n, objective=objective)
    moves, states = random_game(problem, seed)
    assert problem.verify(moves) == problem.final_score(states)


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([1], "node 2 was not visited"),
        ([], "node 1 was not visited"),
        ([1, 1], "visited before"),
        ([1, 3], "no node 3"),
        ([0, 1], "no node 0"),
        ([-1, 1], "no node -1"),
        ([1, 2, 1], "visited before"),
    ],
)
def test_verify_refuses(nodes, reason):
    problem = TSPTW(DISTANCE, WINDOWS)
    with pytest.raises(ProblemError, match=reason):
        problem.verify(moves_of(problem, nodes))


@pytest.mark.parametrize("seed", range(20))
def test_random_instances_have_a_tour_without_violations(seed):
    problem = TSPTW.random(seed, n=7, width=10.0)
    scores = [
        problem.verify(moves_of(problem, order)) for order in itertools.permutations(range(1, 7))
    ]
    assert max(scores) > -1e6


def test_random_instances_are_fixed():
    assert TSPTW.default().write() == TSPTW.default().write()
    assert TSPTW.default().n == 20
    assert TSPTW.random(2, n=5).write() != TSPTW.random(3, n=5).write()


def test_compiled_is_plain():
    assert_compiled_is_plain(TSPTW.random(4, n=9, width=30.0))


SETS = [
    ("SolomonPotvinBengio", "traveltime", 30),
    ("SolomonPotvinBengio", "makespan", 30),
    ("SolomonPesant", "traveltime", 27),
    ("AFG", "traveltime", 49),
    long("GendreauDumasExtended", "traveltime", 130),
    ("Langevin", "traveltime", 70),
    ("Langevin", "makespan", 70),
]


@pytest.mark.long
@needs_data("tsptw/best_known", "tsptw/AFG.tar.gz", "tsptw/SolomonPesant/rc201.0")
@pytest.mark.parametrize(("name", "objective", "count"), SETS)
def test_best_known_tours(name, objective, count, monkeypatch):
    monkeypatch.setenv("PLAYOUT_DATA", str(DATA))
    option = "makespan" if objective == "makespan" else "travel"
    checked = 0
    for line in data(f"tsptw/best_known/{name}.{objective}.txt").read_text().splitlines():
        words = line.partition("#")[0].split()
        if not words:
            continue
        problem, _ = find_instance(TSPTW, f"{name}/{words[0]}", objective=option)
        assert int(words[2]) == 0
        moves = moves_of(problem, [int(word) for word in words[3:]])
        assert problem.verify(moves) == pytest.approx(-float(words[1]), abs=0.011)
        assert problem.final_score(play(problem, moves["node"])) == problem.verify(moves)
        checked += 1
    assert checked == count


def test_write_and_read(tmp_path):
    for problem in (TSPTW.random(1, n=6), TSPTW(np.full((2, 2), 1 / 3), [[0, 0.1], [0.7, 1e9]])):
        file = tmp_path / "instance.txt"
        file.write_text(problem.write() + "# a comment\n")
        (again,) = TSPTW.read(file, objective="makespan")
        assert np.array_equal(again.distance, problem.distance)
        assert np.array_equal(again.windows, problem.windows)
        assert again.objective == "makespan"


GOOD = "2\n0 1\n1 0\n0 9\n0 9\n"
BAD_FILES = [
    ("# only\n", "the file ends where the number of nodes should be"),
    ("2 2\n", "line 1: 2 numbers, but it should be the number of nodes alone"),
    ("x\n", "line 1: 'x' is not a whole number"),
    ("0\n", "line 1: 0 nodes"),
    ("-3\n", "line 1: -3 nodes"),
    ("2001\n", "line 1: 2001 nodes; from 1 to 2000"),
    ("2\n0 1\n", "the file ends where row 2 of 2 of the distances should be"),
    ("2\n0 1\n1 0\n0 9\n", "the file ends where time window 2 of 2 should be"),
    ("2\n0 1 2\n1 0\n0 9\n0 9\n", "line 2: 3 numbers, but each of the 2 rows"),
    ("2\n0 1\n\n1 oo\n0 9\n0 9\n", "line 4: 'oo' is not a number"),
    ("2\n0 nan\n1 0\n0 9\n0 9\n", "line 2: 'nan' is not a finite number"),
    ("2\n0 1\n1 0\n0 inf\n0 9\n", "line 4: 'inf' is not a finite number"),
    ("2\n0 -1\n1 0\n0 9\n0 9\n", "line 2: '-1' is negative"),
    ("2\n0 1e300\n1 0\n0 9\n0 9\n", "line 2: '1e300' is too large"),
    ("2\n0 1\n1 0\n0 9 9\n0 9\n", "line 4: 3 numbers, but a time window is two"),
    ("2\n0 1\n1 0\n0 9\n8 7\n", "line 5: the window opens at 8, after it closes at 7"),
    (GOOD + "5 5\n", "line 6: more text after the last of 2 time windows"),
]


@pytest.mark.parametrize(("text", "message"), BAD_FILES, ids=range(len(BAD_FILES)))
def test_bad_files(tmp_path, text, message):
    file = tmp_path / "instance.txt"
    file.write_text(text)
    with pytest.raises(DataError) as caught:
        TSPTW.read(file)
    assert message in str(caught.value)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("distance", "windows"),
    [
        ([[0, 1]], WINDOWS),
        ([], []),
        (DISTANCE, WINDOWS[:2]),
        ([["a"]], [[0, 1]]),
        ([[0.0]], [[2, 1]]),
        ([[0, np.nan], [1, 0]], [[0, 1]] * 2),
        ([[0, -1], [1, 0]], [[0, 1]] * 2),
    ],
)
def test_bad_tables(distance, windows):
    with pytest.raises(DataError):
        TSPTW(distance, windows)


def test_bad_options():
    with pytest.raises(OptionError, match="travel, makespan"):
        TSPTW(DISTANCE, WINDOWS, objective="time")
    for options in ({"n": 0}, {"n": 2001}, {"width": -1.0}):
        with pytest.raises(OptionError):
            TSPTW.random(0, **options)


def test_pictures():
    problem = TSPTW(DISTANCE, WINDOWS)
    assert "2 to visit" in problem.render(problem.root()[0])
    for nodes in ([], [1], [1, 2], [2, 1]):
        state = play(problem, nodes)[0]
        assert ElementTree.fromstring(problem.svg(state)).tag.endswith("svg")
    assert problem.tour(moves_of(problem, [2, 1])) == [0, 2, 1, 0]
    assert problem.move_text(state, moves_of(problem, [2])[0]) == "2"
    assert "waits 15.00" in problem.render(state)
