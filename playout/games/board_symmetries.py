"""Symmetries of a board of cells, and sets of its cells as the bits of a word.

Cells are numbered along the rows: cell = row * width + column.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.bits import lowest_bit, without_lowest


def cell_symmetries(width: int, height: int, turned: bool | None = None) -> np.ndarray:
    """Where each cell goes under each symmetry of the board: an array of symmetry and cell.

    In this order: nothing, left and right exchanged, bottom and top exchanged, both; then on a
    square board, unless `turned` is false, these four after columns and rows change places.
    The first one, two, four or eight of them are a group.
    """
    if turned is None:
        turned = width == height
    tables = []
    for number in range(8 if turned else 4):
        table = []
        for cell in range(width * height):
            row, column = divmod(cell, width)
            if number & 4:
                row, column = column, row
            if number & 1:
                column = width - 1 - column
            if number & 2:
                row = height - 1 - row
            table.append(row * width + column)
        tables.append(table)
    return np.array(tables, np.int16)


def bit_symmetries(moved: np.ndarray) -> np.ndarray:
    """Tables for `moved_bits`: for each symmetry and byte of a word, where its bits go.

    `moved` is as from `cell_symmetries`, of at most 64 cells.
    """
    symmetries, cells = moved.shape
    tables = np.zeros((symmetries, -(-cells // 8), 256), np.uint64)
    values = np.arange(256, dtype=np.uint64)
    for cell in range(cells):
        here = values >> np.uint64(cell % 8) & np.uint64(1)
        for symmetry in range(symmetries):
            tables[symmetry, cell // 8] |= here << np.uint64(moved[symmetry, cell])
    return tables


@helper
def moved_bits(tables, symmetry, word):
    """The set of cells `word` as a symmetry shows it."""
    found = np.uint64(0)
    for i in range(tables.shape[1]):
        found |= tables[symmetry, i, np.int64(word >> np.uint64(8 * i) & np.uint64(255))]
    return found


@helper
def mark_cells(word, plane, width):
    """Write 1 into a network's plane for each cell of a word."""
    while word:
        cell = np.int64(lowest_bit(word))
        plane[cell // width, cell % width] = 1.0
        word = without_lowest(word)
