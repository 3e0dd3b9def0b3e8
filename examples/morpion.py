"""Morpion Solitaire, the disjoint game (5D): draw as many lines as you can, and see them.

    playout solve examples/morpion.py:Morpion --seconds 60 --svg morpion.svg

The game is played on paper with squares. It begins with a cross of 36 points. A move draws one new
point and a line through it and four other points, along a row, a column or a diagonal. Two
lines of one direction share no point. The score is the number of lines; the record is 82.
"""

from __future__ import annotations

import numpy as np

import playout as po

SIDE = 30  # of the paper; no game comes near its edge
CROSS = """
...####...
...#..#...
...#..#...
####..####
#........#
#........#
####..####
...#..#...
...#..#...
...####...
"""
MARGIN = 10
STEPS = (1, SIDE, SIDE + 1, SIDE - 1)  # to the right, down, and the two diagonals
DIRECTIONS = "-|\\/"
LINE = 5


class Morpion(po.Problem):
    """The cross of 36 points."""

    fields = ("start", "start_moves", "steps")

    def __init__(self):
        self.start = np.zeros(SIDE * SIDE, np.int8)
        for row, line in enumerate(CROSS.split()):
            for column, mark in enumerate(line):
                self.start[(row + MARGIN) * SIDE + column + MARGIN] = mark == "#"
        self.steps = np.array(STEPS)
        cells = SIDE * SIDE
        self.max_moves, self.max_length = 200, 100
        self.move_type = po.record(first="i2", direction="i1", new="i1")
        self.state_type = po.record(
            point=("i1", cells),
            used=("i1", (4, cells)),  # by lines of each direction
            number=("i2", cells),  # of the move that drew a point; 0: of the cross
            line=("i4", (100, 2)),  # first cell and direction of each
            lines="i4",
            open=(self.move_type, self.max_moves),  # the legal moves, kept from move to move
            count="i4",
        )
        self.start_moves = np.array(self._moves_of_the_cross(), self.move_type)

    def _moves_of_the_cross(self):
        moves = []
        for first in range(4 * SIDE, SIDE * SIDE - 4 * SIDE - 4):
            for direction, step in enumerate(STEPS):
                empty = [k for k in range(LINE) if not self.start[first + k * step]]
                if len(empty) == 1:
                    moves.append((first, direction, empty[0]))
        return moves

    def reset(self, state):
        state.point[:] = self.start
        state.count = len(self.start_moves)
        for n in range(state.count):
            state.open[n] = self.start_moves[n]

    def moves(self, state, moves):
        for n in range(state.count):
            moves[n] = state.open[n]
        return state.count

    def play(self, state, move):
        first, direction = np.int64(move.first), np.int64(move.direction)
        step = self.steps[direction]
        for k in range(LINE):
            state.used[direction, first + k * step] = 1
        new = first + move.new * step
        state.point[new] = 1
        state.line[state.lines, 0], state.line[state.lines, 1] = first, direction
        state.lines += 1
        state.number[new] = state.lines
        self._keep_legal(state, direction, new)
        self._add_through(state, new)

    def _keep_legal(self, state, direction, new):
        """Leave out the moves that share points with the new line, or would draw its point."""
        kept = 0
        for n in range(state.count):
            first, along = np.int64(state.open[n].first), np.int64(state.open[n].direction)
            step = self.steps[along]
            legal = first + state.open[n].new * step != new
            if along == direction:
                for k in range(LINE):
                    legal &= state.used[along, first + k * step] == 0
            if legal:
                state.open[kept] = state.open[n]
                kept += 1
        state.count = kept

    def _add_through(self, state, new):
        """Add the lines through a point that lack only one point now."""
        for direction in range(4):
            step = self.steps[direction]
            for place in range(LINE):
                first = new - place * step
                points, empty = 0, 0
                for k in range(LINE):
                    at = first + k * step
                    if state.used[direction, at]:
                        points = -LINE
                    elif state.point[at]:
                        points += 1
                    else:
                        empty = k
                if points == LINE - 1:
                    move = state.open[state.count]
                    move.first, move.direction, move.new = first, direction, empty
                    state.count += 1

    def score(self, state):
        return float(state.lines)

    def code(self, state, move):
        return np.uint64((move.first * 4 + move.direction) * LINE + move.new)

    def verify(self, moves):
        """The number of lines by a referee that knows sets of points alone."""
        steps = [(0, 1), (1, 0), (1, 1), (1, -1)]
        points = {divmod(int(cell), SIDE) for cell in np.flatnonzero(self.start)}
        used = set()
        for number, (first, direction, new) in enumerate(moves.tolist(), 1):
            row, column = divmod(first, SIDE)
            down, right = steps[direction]
            line = [(row + k * down, column + k * right) for k in range(LINE)]
            others = line[:new] + line[new + 1 :]
            taken = used & {(direction, *point) for point in line}
            if line[new] in points or not points.issuperset(others) or taken:
                raise po.ProblemError(f"move {number} draws no line of five")
            points.add(line[new])
            used |= {(direction, *point) for point in line}
        return float(len(moves))

    def move_text(self, state, move):
        """Row and column of the line's first point, its direction, and which point is new."""
        row, column = divmod(int(move.first), SIDE)
        return f"{row},{column} {DIRECTIONS[int(move.direction)]} {int(move.new) + 1}"

    def render(self, state):
        rows = ["".join(".o"[int(mark)] for mark in row) for row in state.point.reshape(SIDE, SIDE)]
        return "\n".join(row.rstrip(".") for row in rows if "o" in row)

    def svg(self, state):
        rows, columns = np.nonzero(state.point.reshape(SIDE, SIDE))
        top, left = int(rows.min()) - 1, int(columns.min()) - 1
        height, width = int(rows.max()) - top + 2, int(columns.max()) - left + 2
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {20 * width} {20 * height}" '
            f'width="{20 * width}" height="{20 * height}" font-family="sans-serif" font-size="7">',
            f'<rect width="{20 * width}" height="{20 * height}" fill="#fff"/>',
        ]

        def place(cell):
            row, column = divmod(int(cell), SIDE)
            return 20 * (column - left), 20 * (row - top)

        for first, direction in state.line[: state.lines]:
            (x, y), (u, v) = place(first), place(first + (LINE - 1) * STEPS[direction])
            parts.append(f'<path d="M{x} {y}L{u} {v}" stroke="#357" stroke-width="1.5"/>')
        for cell in np.flatnonzero(state.point):
            (x, y), number = place(cell), int(state.number[cell])
            fill = "#fff" if number else "#222"
            parts.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{fill}" stroke="#222"/>')
            if number:
                parts.append(f'<text x="{x}" y="{y + 2.5}" text-anchor="middle">{number}</text>')
        return "\n".join([*parts, "</svg>"])
