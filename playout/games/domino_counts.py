"""Counting dominoes on a board whose cells are bits of a word, and exactly in small parts of it."""

from __future__ import annotations

from functools import cache

import numpy as np

from playout.compiled import helper
from playout.compiled.bits import count_bits
from playout.games.board_parts import SMALL_SIDE, small_parts


@helper
def most_dominoes(room, step):
    """How many dominoes fit side by side; `room` has the first cells of all that do.

    The other cell of each is `step` bits further. All runs of places are filled at once.
    """
    n = 0
    while room:
        first = room & ~(room << step)
        room &= ~(first | first << step)
        n += count_bits(first)
    return n


@helper
def least_dominoes(room, step, not_first):
    """With how few dominoes no other has room any more: every third place in a row is enough.

    `not_first` are the cells that do not begin a row.
    """
    n = 0
    while room:
        first = room & ~(room << step)
        room &= ~(first | first << step | first << step + step & not_first)
        n += count_bits(first)
    return n


@helper
def single_strips(only, free, step, not_first, not_last):
    """The first cells of the strips of two or three free cells that nothing else is beside.

    `only` are the free cells where nobody but one player has room; `step`, `not_first` and
    `not_last` tell which way his dominoes are.
    """
    second = only >> step & not_last
    third = (free >> step & not_last) >> step & not_last
    only_third = second >> step & not_last
    fourth = third >> step & not_last
    return only & second & ~(free << step & not_first) & (~third | only_third & ~fourth)


@cache
def more_than_seen() -> np.ndarray:
    """Misere rules: for the number of each small part, by how much v, and h, is better off in it.

    Better than `least_dominoes` shows, that is: how many of its places h must use, nobody else
    being able to, less how many v needs. Let a player's margin in cells where both can move be
    what it is after his best move, less one, or after the other's best, plus one, whichever is
    less; in other cells it is what `least_dominoes` shows. Then in a sum of parts he always has a
    move after which his margins come to one more, if he has any, and the other can take but one
    off. So if they come to 0 where he is to move, or to 1 where the other is, he wins.
    """
    numbers = small_parts()
    found = np.zeros((int(numbers.max()) + 1, 2), np.int8)
    cells = np.arange(1 << SMALL_SIDE * SMALL_SIDE)
    turned = np.zeros_like(cells)  # v and h exchanged
    for i in range(SMALL_SIDE * SMALL_SIDE):
        turned |= (cells >> i & 1) << (i % SMALL_SIDE * SMALL_SIDE + i // SMALL_SIDE)
    more = _margins() - _seen(cells)
    found[numbers, 0] = more
    found[numbers, 1] = more[turned]
    found[0] = 0
    return found


def _places() -> tuple[list[int], list[int]]:
    """The cells of the upright dominoes in 4x4 cells, and of the lying ones."""
    side, cells = SMALL_SIDE, range(SMALL_SIDE * SMALL_SIDE)
    upright = [1 << i | 1 << i + side for i in cells if i + side < len(cells)]
    return upright, [3 << i for i in cells if i % side < side - 1]


def _seen(cells: np.ndarray) -> np.ndarray:
    """The margin of v that `least_dominoes` shows: a row or column of four needs one domino."""
    upright, lying = _places()
    only_h = cells.copy()
    for domino in upright:
        only_h &= ~np.where(cells & domino == domino, domino, 0)
    margin = np.zeros_like(cells)
    for line in range(SMALL_SIDE):
        row = [domino for domino in lying if domino & 0b1111 << SMALL_SIDE * line]
        column = [domino for domino in upright if domino & 0x1111 << line]
        margin += np.any([only_h & domino == domino for domino in row], axis=0)
        margin -= np.any([cells & domino == domino for domino in column], axis=0)
    return margin


def _margins() -> np.ndarray:
    """The margin of v in each set of 4x4 cells, from those with fewer cells on."""
    cells = np.arange(1 << SMALL_SIDE * SMALL_SIDE)
    upright, lying = _places()
    margins = _seen(cells)
    far = 100
    sizes = np.array([int(i).bit_count() for i in cells])
    for size in range(2, SMALL_SIDE * SMALL_SIDE + 1):
        here = cells[sizes == size]
        after_v, after_h = np.full(len(here), -far), np.full(len(here), far)
        for domino in upright:
            has = here & domino == domino
            after_v[has] = np.maximum(after_v[has], margins[here[has] & ~domino])
        for domino in lying:
            has = here & domino == domino
            after_h[has] = np.minimum(after_h[has], margins[here[has] & ~domino])
        both = (after_v > -far) & (after_h < far)
        margins[here[both]] = np.minimum(after_v - 1, after_h + 1)[both]
    return margins


def dominoes_of(covered: set[int], width: int, lying: int) -> list[int] | None:
    """The lower or left cells of the dominoes that cover these cells; None if none do.

    There is only one way: the first cell begins a domino, and so on with the others.
    """
    left, found = set(covered), []
    for cell in sorted(covered):
        if cell in left:
            other = cell + (1 if lying else width)
            if other not in left or (lying and other % width == 0):
                return None
            left -= {cell, other}
            found.append(cell)
    return found


def cells_around(width: int, height: int) -> np.ndarray:
    """The six cells beside each domino, -1 off the board: first upright ones, then lying."""
    table = np.full((2, width * height, 6), -1, np.int8)
    upright = ((0, -1), (0, 2), (-1, 0), (-1, 1), (1, 0), (1, 1))
    for cell in range(width * height):
        row, column = divmod(cell, width)
        for i, (along, up) in enumerate(upright):
            for lying, (x, y) in enumerate(
                ((column + along, row + up), (column + up, row + along))
            ):
                if 0 <= x < width and 0 <= y < height:
                    table[lying, cell, i] = y * width + x
    return table
