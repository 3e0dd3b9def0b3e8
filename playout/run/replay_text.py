"""A solution replayed for a person, in plain Python and by the problem's own rules."""

from __future__ import annotations

import shutil
import textwrap

from playout.contract import Problem
from playout.run.result import Result
from playout.text.numbers import counted

MOMENTS = 4  # how many boards are shown side by side
GAP = "   "


def replay_text(problem: Problem, result: Result) -> str:
    """The start, the moves and the end; a board also at moments between."""
    width = shutil.get_terminal_size((100, 24)).columns
    length = len(result.records)
    shown = sorted({round(length * i / (MOMENTS - 1)) for i in range(MOMENTS)})
    pictures = {number: _picture(problem, result, number) for number in {0, *shown, length}}
    boards = _side_by_side([(_title(n, length), pictures[n]) for n in shown], width)
    if not boards:
        ends = sorted({0, length})
        boards = "\n\n".join(f"{_title(n, length)}\n{pictures[n]}" for n in ends)
    moves = textwrap.fill("  ".join(result.moves), width - 4)
    return f"{boards}\n\n{counted(length, 'move')}\n{textwrap.indent(moves, '  ')}\n"


def _picture(problem: Problem, result: Result, number: int) -> str:
    """The state after some of the moves."""
    moves = problem.as_moves(result.records[:number])
    return problem.render(problem.replay(moves)[0]).rstrip("\n")


def _title(number: int, length: int) -> str:
    if number == 0:
        return "start"
    return "end" if number == length else f"after {number}"


def _side_by_side(pictures: list[tuple[str, str]], width: int) -> str:
    """Boards in columns; empty if the pictures are no boards of one size, or do not fit."""
    boards = [picture.split("\n") for _, picture in pictures]
    if len({len(board) for board in boards}) > 1 or len(boards[0]) < 2:
        return ""
    if len({len(line) for board in boards for line in board}) > 1:
        return ""
    columns = [[title, *board] for (title, _), board in zip(pictures, boards, strict=True)]
    widths = [max(len(line) for line in column) for column in columns]
    while len(columns) > 2 and sum(widths) + len(GAP) * (len(widths) - 1) > width:
        del columns[1], widths[1]  # fewer moments, but always the start and the end
    if sum(widths) + len(GAP) * (len(widths) - 1) > width:
        return ""
    return "\n".join(
        GAP.join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in zip(*columns, strict=True)
    )
