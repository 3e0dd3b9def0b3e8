"""A board among the facts of a rulesheet, found by how its facts look, and pictures of it.

A board is a kind of fact, such as `(cell 1 2 x)`, with two arguments that are numbers or letters in
every fact of the kind and of which most pairs occur. What else the fact says is what stands there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from playout.games.boards import label, svg_page
from playout.ggp.kif import Sign, Term, sign, term_order, term_text

_COORDINATE = re.compile(r"[a-z]?[0-9]{1,2}|[a-z]")
_EMPTY = ("b", "blank", "empty", "e", "none", "nothing", "free", "-", "0", "dirt")
_LEAST, _MOST = 2, 40  # values of a coordinate
_COLOURS = ("#e9e6df", "#3a3a3a", "#c8453d", "#3d6ec8", "#e9c23b", "#4f9d4f", "#9a5fb5", "#d9843b")
_CELL, _MARGIN = 36, 24


@dataclass(frozen=True)
class Board:
    """Which facts are the board: their predicate, and where column and row stand in them."""

    kind: Sign
    column: int
    row: int
    columns: tuple[Term, ...]
    rows: tuple[Term, ...]
    contents: tuple[str, ...]

    def cells(self, facts: Sequence[Term]) -> dict[tuple[int, int], str]:
        """What stands at (column, row), as one letter; empty cells are left out."""
        letters = _letters(self.contents)
        found: dict[tuple[int, int], str] = {}
        for fact in facts:
            if isinstance(fact, tuple) and sign(fact) == self.kind:
                text = self.content(fact)
                if text not in _EMPTY:
                    place = self.columns.index(fact[self.column]), self.rows.index(fact[self.row])
                    found[place] = letters[text]
        return found

    def content(self, fact: Term) -> str:
        """What a fact of the board says stands there."""
        rest = [t for i, t in enumerate(fact) if i not in (0, self.column, self.row)]
        return " ".join(map(term_text, rest))


def find_board(bases: Sequence[Term]) -> Board | None:
    """The board among all facts that there may be; the largest if there are several."""
    kinds: dict[Sign, list[Term]] = {}
    for base in bases:
        if isinstance(base, tuple) and len(base) >= 3:
            kinds.setdefault(sign(base), []).append(base)
    best: tuple[int, Board] | None = None
    for kind, facts in kinds.items():
        for column, row in ((1, 2), (2, 3), (kind[1] - 2, kind[1] - 1)):
            board = _board(kind, facts, column, row) if row < kind[1] else None
            size = len(board.columns) * len(board.rows) if board else 0
            if board is not None and (best is None or size > best[0]):
                best = size, board
    return best[1] if best is not None else None


def _board(kind: Sign, facts: list[Term], column: int, row: int) -> Board | None:
    pairs = {(fact[column], fact[row]) for fact in facts}
    columns, rows = ({pair[i] for pair in pairs} for i in (0, 1))
    for values in (columns, rows):
        if not (_LEAST <= len(values) <= _MOST and _are_coordinates(values)):
            return None
    others = [i for i in range(1, kind[1]) if i not in (column, row)]
    if len(others) > 1 and any(_are_coordinates({fact[i] for fact in facts}) for i in others):
        return None  # a cell has more than two coordinates
    if len(pairs) < 9 or 2 * len(pairs) < len(columns) * len(rows):
        return None
    found = Board(
        kind,
        column,
        row,
        tuple(sorted(columns, key=term_order)),
        tuple(sorted(rows, key=term_order)),
        (),
    )
    contents = dict.fromkeys(found.content(fact) for fact in facts)
    known = tuple(text for text in contents if text not in _EMPTY)
    return Board(found.kind, column, row, found.columns, found.rows, known)


def _are_coordinates(values: set[Term]) -> bool:
    return all(isinstance(value, str) and _COORDINATE.fullmatch(value) for value in values)


def _letters(contents: Sequence[str]) -> dict[str, str]:
    """A letter for each: its first where no other has it, else the first that is free."""
    found: dict[str, str] = {}
    for text in contents:
        wanted = [c for c in text if c.isalnum()] or ["*"]
        wanted += list("xo#@%&ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        found[text] = next((c for c in wanted if c not in found.values()), "?")
    return found


def board_text(board: Board, facts: Sequence[Term]) -> str:
    """The board with the names of its rows and columns, what its letters mean, and other facts."""
    cells = board.cells(facts)
    margin = max(len(term_text(row)) for row in board.rows)
    wide = max(len(term_text(column)) for column in board.columns)
    lines = []
    for y, row in reversed(list(enumerate(board.rows))):
        line = " ".join(f"{cells.get((x, y), '.'):>{wide}}" for x in range(len(board.columns)))
        lines.append(f"{term_text(row):>{margin}} {line}")
    names = " ".join(f"{term_text(column):>{wide}}" for column in board.columns)
    lines.append(" " * (margin + 1) + names)
    lines += _legend(board, facts, set(cells.values()))
    return "\n".join(lines)


def _legend(board: Board, facts: Sequence[Term], shown: set[str]) -> list[str]:
    letters = _letters(board.contents)
    means = [f"{a} {text}" for text, a in letters.items() if a in shown and a != text]
    others = [
        term_text(fact)
        for fact in facts
        if not (isinstance(fact, tuple) and sign(fact) == board.kind)
    ]
    return [line for line in (", ".join(means), " ".join(others)) if line]


def board_svg(board: Board, facts: Sequence[Term]) -> str:
    """The board as an SVG picture: a disc with a letter for each thing that stands on it."""
    cells, letters = board.cells(facts), list(_letters(board.contents).values())
    width, height = len(board.columns), len(board.rows)
    across, down = width * _CELL + 2 * _MARGIN, height * _CELL + 2 * _MARGIN
    parts = []
    for y in range(height):
        for x in range(width):
            left, top = _MARGIN + x * _CELL, _MARGIN + (height - 1 - y) * _CELL
            shade = "#e3d9c6" if (x + y) % 2 else "#d3c4a8"
            parts.append(
                f'<rect x="{left}" y="{top}" width="{_CELL}" height="{_CELL}" fill="{shade}"/>'
            )
            if (x, y) in cells:
                letter = cells[x, y]
                colour = _COLOURS[letters.index(letter) % len(_COLOURS)]
                ink = "#fff" if colour in _COLOURS[1:4] else "#222"
                centre = f'cx="{left + _CELL / 2:g}" cy="{top + _CELL / 2:g}"'
                parts.append(f'<circle {centre} r="13" fill="{colour}" stroke="#333"/>')
                parts.append(
                    f'<text x="{left + _CELL / 2:g}" y="{top + _CELL / 2 + 4:g}" '
                    f'text-anchor="middle" fill="{ink}">{escape(letter)}</text>'
                )
    for x, column in enumerate(board.columns):
        parts.append(label(_MARGIN + (x + 0.5) * _CELL, down - 12, escape(term_text(column))))
    for y, row in enumerate(board.rows):
        at = _MARGIN + (height - 0.5 - y) * _CELL
        parts.append(label(_MARGIN / 2, at, escape(term_text(row))))
    caption = " | ".join(_legend(board, facts, set(cells.values())))
    return svg_page(across, down, parts, escape(caption[:200]))


def move_points(board: Board, move: Term) -> tuple[tuple[float, float], ...]:
    """The cells that a move names, the first and the last, where they are in the picture.

    A cell is a column and a row side by side among the move's arguments, as in `(move 1 2 1 3)`.
    """
    words = list(move[1:]) if isinstance(move, tuple) else []
    found, i = [], 0
    while i + 1 < len(words):
        if words[i] in board.columns and words[i + 1] in board.rows:
            x, y = board.columns.index(words[i]), board.rows.index(words[i + 1])
            top = _MARGIN + (len(board.rows) - 1 - y) * _CELL
            found.append((_MARGIN + (x + 0.5) * _CELL, top + 0.5 * _CELL))
            i += 1
        i += 1
    return tuple(found if len(found) < 3 else (found[0], found[-1]))


def facts_svg(facts: Sequence[Term]) -> str:
    """Facts without a board, a line each."""
    texts = [term_text(fact) for fact in facts][:60]
    across = 40 + 8 * max((len(text) for text in texts), default=10)
    parts = [
        f'<text x="16" y="{24 + 18 * i}" fill="#333">{escape(text)}</text>'
        for i, text in enumerate(texts)
    ]
    return svg_page(across, 24 + 18 * max(1, len(texts)), parts, f"{len(facts)} facts")
