"""SameGame: the rules against games of another program, and against a naive recomputation."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from playout.errors import DataError, OptionError, ProblemError
from playout.problems import SameGame
from tests.support.bothways import assert_compiled_is_plain, random_game
from tests.support.datafolder import data, needs_data

quick = settings(max_examples=40, deadline=None, derandomize=True)


def naive_groups(problem, state):
    """Every group as (colour, cells), by repeated merging of a picture of the board."""
    rows = problem.render(state).split("\n")
    tiles = {
        (x, len(rows) - 1 - y): char
        for y, row in enumerate(rows)
        for x, char in enumerate(row)
        if char != "."
    }
    groups = []
    while tiles:
        cell, colour = tiles.popitem()
        group, edge = {cell}, [cell]
        while edge:
            x, y = edge.pop()
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if tiles.get(near) == colour:
                    del tiles[near]
                    group.add(near)
                    edge.append(near)
        if len(group) > 1:
            groups.append((colour, frozenset(group)))
    return groups


class Columns:
    """Where each tile began, column by column from the bottom up, by removing from lists."""

    def __init__(self, problem):
        height, width = problem.rows.shape
        self.columns = [[(x, y) for y in range(height)] for x in range(width)]

    def begun(self, cells):
        return [self.columns[x][y] for x, y in cells]

    def take(self, cells):
        gone = set(self.begun(cells))
        self.columns = [[tile for tile in column if tile not in gone] for column in self.columns]
        self.columns = [column for column in self.columns if column]


def check_groups(problem, state, columns=None):
    """The list that the state carries is exactly the groups on the board.

    `columns` says where the tiles began; without it codes are by the cells where they lie.
    """
    expected = {
        cell: (colour, cells) for colour, cells in naive_groups(problem, state) for cell in cells
    }
    seen = set()
    for i in range(int(state.count)):
        group = state.groups[i]
        column, row = map(int, problem.move_text(state, group).split(","))
        colour, cells = expected[column, row]
        assert group.tiles == len(cells)
        assert str(group.colour - 1) == colour
        assert group.row == row + 1
        code = np.uint64(0)
        for x, y in columns.begun(cells) if columns else cells:
            code ^= problem.zobrist[(x + 1) * problem.stride + y + 1, group.colour]
        assert group.code == code
        assert cells not in seen
        seen.add(cells)
    assert len(seen) == len(set(expected.values()))
    return expected


shapes = st.sampled_from([(1, 1), (1, 2), (2, 1), (1, 9), (9, 1), (2, 5), (5, 2), (6, 6), (4, 8)])


@quick
@given(shapes, st.integers(1, 4), st.integers(0, 2**32), st.booleans(), st.booleans())
def test_groups_are_those_of_a_naive_search_all_along_a_game(shape, colours, seed, tabu, follow):
    problem = SameGame.random(
        seed,
        rows=shape[0],
        columns=shape[1],
        colours=colours,
        tabu=tabu,
        codes="tiles" if follow else "cells",
    )
    columns = Columns(problem) if follow else None
    rng = np.random.default_rng(seed)
    states, moves = problem.root(), problem.new_moves()
    groups = check_groups(problem, states[0], columns)
    while n := problem.moves(states[0], moves):
        move = moves[rng.integers(n)].copy()
        if columns:
            column, row = map(int, problem.move_text(states[0], move).split(","))
            columns.take(groups[column, row][1])
        problem.play(states[0], move)
        groups = check_groups(problem, states[0], columns)
    assert not naive_groups(problem, states[0])
    assert states[0].board.min() >= 0


@quick
@given(shapes, st.integers(1, 4), st.integers(0, 2**32), st.booleans())
def test_verify_agrees_with_the_score(shape, colours, seed, penalty):
    problem = SameGame.random(
        seed, rows=shape[0], columns=shape[1], colours=colours, penalty=penalty
    )
    moves, states = random_game(problem, seed)
    assert problem.verify(moves) == problem.final_score(states)


def play_cell(problem, states, column, row):
    """Play the group of a cell, with all groups as moves."""
    for _, cells in naive_groups(problem, states[0]):
        if (column, row) in cells:
            for i in range(int(states[0].count)):
                move = states[0].groups[i].copy()
                if tuple(map(int, problem.move_text(states[0], move).split(","))) in cells:
                    problem.play(states[0], move)
                    return move
    raise AssertionError(f"no group at {column},{row}")


@needs_data("samegame/boards.txt", "samegame/sample_games.tsv")
def test_the_forty_sample_games_replay_to_their_scores():
    boards = SameGame.read(data("samegame/boards.txt"), tabu=False)
    assert len(boards) == 20
    games = [
        line.split("\t") for line in data("samegame/sample_games.tsv").read_text().splitlines()[1:]
    ]
    assert len(games) == 40
    for board, score, left, count, cells in games:
        problem = boards[int(board) - 1]
        states = problem.root()
        moves = np.zeros(int(count), problem.move_type)
        for i, cell in enumerate(cells.split()):
            moves[i] = play_cell(problem, states, *map(int, cell.split(",")))
        assert states[0].count == 0
        assert problem.final_score(states) == float(score)
        assert np.count_nonzero(states[0].board) == int(left)
        assert problem.verify(moves) == float(score)


@needs_data("samegame/simple_boards.txt")
def test_simple_boards():
    """Horizontal lines: 15 rows in 12 groups, three of which are two rows; vertical ones: 10."""
    boards = SameGame.read(data("samegame/simple_boards.txt"), tabu=False)
    assert [board.rows.shape for board in boards] == [(15, 15)] * 5
    lines = boards[0].root()[0]
    assert lines.count == 12
    sizes = sorted(lines.groups[i].tiles for i in range(lines.count))
    assert sizes == [15] * 9 + [30] * 3
    vertical = boards[1].root()[0]
    assert vertical.count == len(naive_groups(boards[1], vertical)) == 10


def codes_by_colour(problem, states):
    return {int(group.colour): int(group.code) for group in states[0].groups[: states[0].count]}


def test_a_group_that_falls_keeps_its_code():
    """The 1s fall by two rows and stand where the 0s stood, the 2s move a column to the left."""
    board = [[3, 1, 2], [3, 1, 2], [4, 0, 5], [5, 0, 4]]
    for codes, kept in (("tiles", [1, 2]), ("cells", [])):
        problem = SameGame(board, tabu=False, codes=codes)
        states = problem.root()
        before = codes_by_colour(problem, states)
        play_cell(problem, states, 1, 0)
        fallen = codes_by_colour(problem, states)
        assert [colour - 1 for colour in (2,) if fallen[colour] == before[colour]] == kept[:1]
        play_cell(problem, states, 1, 0)
        moved = codes_by_colour(problem, states)
        assert [colour - 1 for colour in (3,) if moved[colour] == before[colour]] == kept[1:]
        assert before[4] == moved[4]  # these did not move at all


def test_equal_tiles_left_have_equal_keys_whatever_the_order():
    for codes in ("tiles", "cells"):
        problem = SameGame([[0, 1, 2], [0, 1, 2], [3, 3, 3]], tabu=False, codes=codes)
        keys = []
        for order in ((0, 1), (1, 0)):
            states = problem.root()
            for column in order:
                play_cell(problem, states, column, 1)
            keys.append(int(problem.key(states[0])))
        assert keys[0] == keys[1] != int(problem.key(problem.root()[0]))


def test_boards_that_look_alike_are_one_position_if_their_moves_have_the_same_codes():
    """Left are the first four tiles, or the last four: by tiles these are other moves."""
    for codes, alike in (("tiles", False), ("cells", True)):
        problem = SameGame([[0, 0, 1, 1, 0, 0, 1, 1]], tabu=False, codes=codes)
        found = []
        for columns in ((0, 0), (6, 4)):
            states = problem.root()
            for column in columns:
                play_cell(problem, states, column, 0)
            assert problem.render(states[0]) == "0011...."
            found.append((int(problem.key(states[0])), codes_by_colour(problem, states)))
        assert (found[0][0] == found[1][0]) == (found[0][1] == found[1][1]) == alike


def test_a_mirrored_group_has_the_same_tiles():
    problem = SameGame.random(3, rows=6, columns=7, colours=3)
    states = problem.root()
    move = states[0].groups[2].copy()
    before = {int(group.code) for group in states[0].groups[: states[0].count]}
    code = int(move.code)
    assert problem.mirror(states[0], move)
    assert int(move.code) == code
    assert {int(group.code) for group in states[0].groups[: states[0].count]} == before


def test_an_unknown_way_of_codes():
    with pytest.raises(OptionError, match='codes=\'rows\': is "tiles" or "cells"'):
        SameGame([[0, 0]], codes="rows")


def board_moves(problem, states):
    moves = problem.new_moves()
    n = problem.moves(states[0], moves)
    return sorted(problem.move_text(states[0], moves[i]) for i in range(n))


def test_tabu_keeps_the_most_frequent_colour_for_one_move():
    """Colour 0 has five tiles in two groups: only the pair of 1s may be taken, then all the 0s."""
    problem = SameGame([[0, 0, 2], [1, 1, 2], [0, 0, 0]])
    states = problem.root()
    assert problem.tabu_colour == 1  # colours are kept from 1 up
    assert board_moves(problem, states) == ["0,1", "2,1"]
    play_cell(problem, states, 0, 1)
    assert problem.render(states[0]) == "..2\n002\n000"
    assert board_moves(problem, states) == ["0,0", "2,1"]


def test_tabu_lets_pairs_in_after_some_moves_and_everything_when_nothing_is_left():
    board = [[0, 1, 0], [0, 1, 0]]
    assert board_moves(SameGame(board), SameGame(board).root()) == ["1,0"]
    early = SameGame(board, tabu_pairs_after=-1)
    assert board_moves(early, early.root()) == ["0,0", "1,0", "2,0"]
    # only the tabu colour has moves: all of them are let in
    stuck = SameGame([[0, 1, 0], [0, 2, 0], [0, 1, 0]])
    assert board_moves(stuck, stuck.root()) == ["0,0", "2,0"]


def test_bias():
    """n - 2, one less for a pair of the tabu colour, at most bias_limit."""
    problem = SameGame(
        [[0, 0, 0, 0, 0, 0], [1, 1, 1, 1, 2, 2], [0, 0, 3, 3, 3, 2]], tabu=False, bias_limit=3.0
    )
    states = problem.root()
    bias = {
        problem.move_text(states[0], states[0].groups[i]): problem.bias(
            states[0], states[0].groups[i]
        )
        for i in range(int(states[0].count))
    }
    assert bias == {"0,0": -1.0, "0,1": 2.0, "0,2": 3.0, "2,0": 1.0, "4,1": 1.0}


def test_scores_by_hand():
    """Three tiles pay 1, a cleared board 1000; what is left costs (n - 2)^2 a colour."""
    cleared = SameGame([[0, 0, 0]])
    assert cleared.verify(random_game(cleared, 0)[0]) == 1001.0
    board = [[1, 2, 1, 2, 1, 0, 0, 0, 0]]
    left = SameGame(board)
    moves, states = random_game(left, 0)
    assert left.final_score(states) == 4.0
    penalised = SameGame(board, penalty=True)
    # three 1s cost 1, two 2s cost nothing
    assert penalised.final_score(random_game(penalised, 0)[1]) == 3.0
    assert penalised.verify(moves) == 3.0
    lone = SameGame([[0, 0, 1]], penalty=True)
    assert lone.final_score(random_game(lone, 0)[1]) == -1.0


def test_verify_refuses():
    problem = SameGame([[0, 0, 1], [2, 1, 1]])
    moves = problem.new_moves()
    assert problem.moves(problem.root()[0], moves) == 2
    move = moves[0].copy()
    for cell, reason in ((1 * 4 + 1, "alone"), (0, "no tile"), (1 * 4 + 3, "no tile")):
        wrong = np.array([move.copy()], problem.move_type)
        wrong[0]["cell"] = cell
        with pytest.raises(ProblemError, match=f"move 1: .*{reason}"):
            problem.verify(wrong.view(np.recarray))
    with pytest.raises(ProblemError, match="not over"):
        problem.verify(moves[:0])


def test_a_single_tile_is_a_game_without_moves():
    problem = SameGame([[3]])
    moves, states = random_game(problem, 0)
    assert len(moves) == 0
    assert problem.final_score(states) == 0.0


def test_compiled_is_plain():
    assert_compiled_is_plain(SameGame.random(3, rows=6, columns=7, colours=3, penalty=True))


def test_default_and_random_boards_are_fixed():
    assert np.array_equal(SameGame.default().rows, SameGame.default().rows)
    assert SameGame.default().rows.shape == (15, 15)
    assert set(SameGame.default().rows.ravel().tolist()) == {0, 1, 2, 3, 4}
    assert SameGame.random(5, rows=2, columns=8, colours=4).write() == (
        "2 2 3 3 2 3 0 1\n3 2 3 0 1 0 2 2\n"
    )


def test_write_and_read(tmp_path):
    boards = [SameGame.random(1), SameGame([[99, 0]]), SameGame([[1], [2]])]
    file = tmp_path / "boards.txt"
    file.write_text("# a title\n" + "\n\n".join(board.write() for board in boards))
    again = SameGame.read(file, penalty=True)
    assert [board.rows.tolist() for board in again] == [board.rows.tolist() for board in boards]
    assert all(board.penalty for board in again)


BAD_BOARDS = [
    ("1 2 3\n1 2\n", "line 2: 2 numbers, but the rows above have 3"),
    ("# x\n\n1 2\n\n3 4\n5\n", "line 6: 1 number, but the rows above have 2"),
    ("1 2\n1 x\n", "line 2: 'x' is not a whole number"),
    ("1 2.5\n", "line 1: '2.5' is not a whole number"),
    ("0 -1\n", "line 1: colour -1, but colours are 0 to 99"),
    ("0 100\n", "line 1: colour 100"),
    ("9" * 5000, "line 1: '99999999999999999...' is not a whole number"),
    ("# nothing\n", "has no board"),
    ("1\n\n" + "0 " * 20_000, "line 3: a board of 1 rows and 20000 columns is too large"),
]


@pytest.mark.parametrize(("text", "message"), BAD_BOARDS, ids=range(len(BAD_BOARDS)))
def test_bad_files(tmp_path, text, message):
    file = tmp_path / "boards.txt"
    file.write_text(text)
    with pytest.raises(DataError) as caught:
        SameGame.read(file)
    assert message in str(caught.value)
    assert str(file) in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "board", [[], [[]], [1, 2], [[1, 2], [3]], [[0.5]], [[-1]], [[100]], np.zeros((1, 20_000), int)]
)
def test_bad_boards(board):
    with pytest.raises(DataError):
        SameGame(board)


@pytest.mark.parametrize("options", [{"rows": 0}, {"columns": 10**6}, {"colours": 0}])
def test_bad_sizes(options):
    with pytest.raises(OptionError):
        SameGame.random(0, **options)


def test_pictures():
    problem = SameGame([[0, 1, 10], [36, 1, 99]])
    states = problem.root()
    assert problem.render(states[0])[:5] == "01a\nA"
    assert tiles_and_signs(problem.svg(states[0])) == (
        6,
        {"0": 1, "1": 2, "a": 1, "A": 1, "\u0417": 1},
    )
    play_cell(problem, states, 1, 0)
    assert problem.render(states[0])[:4] == "0a.\n"
    assert tiles_and_signs(problem.svg(states[0])) == (4, {"0": 1, "a": 1, "A": 1, "\u0417": 1})


def test_tiles_are_told_apart_without_colour():
    problem = SameGame([list(range(100))])
    _, tiles, _ = ElementTree.fromstring(problem.svg(problem.root()[0]))
    signs = [part.get("d", "").partition(".5 0.5")[2] or part[0].text for part in tiles[1::2]]
    assert len(set(signs)) == len(signs) == 100


def tiles_and_signs(picture):
    """How many tiles a picture has, and how often each sign (which is no colour) is on them."""
    _, tiles, _ = ElementTree.fromstring(picture)
    paths = [part.get("d", "") for part in tiles]
    letters = [text.text for part in tiles for text in part]
    squares = sum(path.count("h.72v.72h-.72z") for path in paths)
    counted = {str(i): p.count("M") for i, p in enumerate(paths[1::2]) if p}
    return squares, counted | {letter: letters.count(letter) for letter in letters}
