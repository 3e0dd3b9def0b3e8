"""An independent referee for SameGame: short, slow, and sharing no code with the search's rules.

It plays on plain Python lists, one for each column from the bottom up, so that falling and
closing up are what lists do when elements are taken out of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from playout.errors import ProblemError


def verified_score(
    rows: Sequence[Sequence[int]], cells: Iterable[tuple[int, int]], penalty: bool
) -> float:
    """The score of a game given as one (column, row) of each group, (0, 0) at bottom left.

    Raises `ProblemError` at a move that takes no group, and if the game is not over.
    """
    columns = [list(column) for column in zip(*reversed(rows))]
    total = 0
    for number, (column, row) in enumerate(cells, 1):
        if not (0 <= column < len(columns) and 0 <= row < len(columns[column])):
            raise ProblemError(f"move {number}: there is no tile at {column},{row}")
        group = _group(columns, column, row)
        if len(group) < 2:
            raise ProblemError(f"move {number}: the tile at {column},{row} is alone")
        total += (len(group) - 2) ** 2
        columns = [
            [tile for j, tile in enumerate(tiles) if (i, j) not in group]
            for i, tiles in enumerate(columns)
        ]
        columns = [tiles for tiles in columns if tiles]
    for i, tiles in enumerate(columns):
        for j in range(len(tiles)):
            if len(_group(columns, i, j)) > 1:
                raise ProblemError(f"the game is not over: there is a group at {i},{j}")
    left = [tile for tiles in columns for tile in tiles]
    if not left:
        return float(total + 1000)
    if penalty:
        total -= sum((left.count(colour) - 2) ** 2 for colour in set(left))
    return float(total)


def _group(columns: list[list[int]], column: int, row: int) -> set[tuple[int, int]]:
    """All cells connected to one by tiles of its colour."""
    colour = columns[column][row]
    group, edge = set(), [(column, row)]
    while edge:
        i, j = edge.pop()
        if (i, j) in group or not (0 <= i < len(columns) and 0 <= j < len(columns[i])):
            continue
        if columns[i][j] == colour:
            group.add((i, j))
            edge += [(i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)]
    return group
