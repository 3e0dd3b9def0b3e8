"""Parts of a board against a search of the cells one by one, and positions that share words."""

from __future__ import annotations

import random

import numpy as np
import pytest

from playout.games import load_game
from playout.games.board_parts import SMALL_SIDE, first_part, in_corner, small_cells, small_parts
from playout.solvers.position_words import write_position


def parts_of(cells):
    """The connected parts of a set of (column, row)."""
    left, found = set(cells), []
    while left:
        part, edge = set(), {min(left)}
        while edge:
            part |= edge
            near = {(x + i, y + j) for x, y in edge for i, j in ((0, 1), (1, 0), (0, -1), (-1, 0))}
            edge = (near & left) - part
        left -= part
        found.append(frozenset(part))
    return found


def cornered(part):
    x, y = min(x for x, _ in part), min(y for _, y in part)
    return frozenset((a - x, b - y) for a, b in part)


def forms(part):
    """The part as it is and mirrored, in the corner."""
    return {cornered({(i * x, j * y) for x, y in part}) for i in (1, -1) for j in (1, -1)}


def bits(cells, width):
    return sum(1 << y * width + x for x, y in cells)


def test_small_parts_have_the_number_of_their_forms():
    numbers, rng = small_parts(), random.Random(1)
    of_form: dict[frozenset, int] = {}
    for _ in range(3000):
        cells = {(x, y) for x in range(SMALL_SIDE) for y in range(SMALL_SIDE) if rng.random() < 0.7}
        number = int(numbers[bits(cells, SMALL_SIDE)])
        assert (number > 0) == (len(parts_of(cells)) == 1)
        if number:
            assert of_form.setdefault(frozenset(forms(cells)), number) == number
    assert len(set(of_form.values())) == len(of_form) > 300
    assert numbers.max() < 1 << 12


@pytest.mark.parametrize(("width", "height"), [(7, 7), (3, 9), (9, 3), (1, 6), (8, 8)])
def test_parts_and_corners(width, height):
    game, rng = load_game(f"domineering:{width}x{height}"), random.Random(width)
    board = [(x, y) for x in range(width) for y in range(height)]
    for _ in range(50):
        cells = {cell for cell in board if rng.random() < 0.5}
        left, found = np.uint64(bits(cells, width)), []
        while left:
            part = first_part(left, width, game.not_left, game.not_right)
            left &= ~part
            found.append(part)
        assert sorted(map(int, found)) == sorted(bits(p, width) for p in parts_of(cells))
        for part in parts_of(cells):
            corner = in_corner(np.uint64(bits(part, width)), width, game.row_starts)
            assert int(corner) == bits(cornered(part), width)
            if all(x < SMALL_SIDE and y < SMALL_SIDE for x, y in cornered(part)):
                assert small_cells(corner, width) == bits(cornered(part), SMALL_SIDE)


def test_parts_that_lie_otherwise_are_one_position_and_no_others():
    """Random free cells: the words are the same just where parts and strips are."""
    game, rng = load_game("misere-domineering:7x7"), random.Random(3)
    spare, words, other = game.new_states(1)[0], *np.zeros((2, game.pack_words()), np.uint64)
    known: dict[tuple, bytes] = {}
    texts: dict[bytes, tuple] = {}
    state = game.new_states(1)[0]
    few = (
        [(0, 0), (0, 1), (1, 0)],
        [(0, 0), (1, 0), (0, 1), (1, 1)],
        [(0, 0), (0, 1), (0, 2), (1, 1)],
    )
    shared = 0
    for _ in range(2000):
        free: set = set()
        for _ in range(rng.randint(1, 4)):  # shapes that are mirrored and moved at random
            shape = rng.choice(sorted(map(sorted, forms(rng.choice(few)))))
            x, y = rng.randint(0, 5), rng.randint(0, 5)
            free |= {(a + x, b + y) for a, b in shape if a + x < 7 and b + y < 7}
        state.covered[0] = np.uint64(int(game.full) & ~bits(free, 7))
        game._simplify(state)
        write_position(game, state, game.symmetries, spare, words, other)
        rest = {(i % 7, i // 7) for i in range(49) if int(state.rest) >> i & 1}
        parts = [frozenset(forms(part)) for part in parts_of(rest)]
        small = all(x < 4 and y < 4 for part in parts for form in part for x, y in form)
        what = (int(state.strips), tuple(sorted(str(sorted(map(sorted, p))) for p in parts)))
        if small and len(parts) <= 4:
            shared += what in known
            assert known.setdefault(what, words.tobytes()) == words.tobytes()
        assert texts.setdefault(words.tobytes(), what) == what
    assert shared > 200
