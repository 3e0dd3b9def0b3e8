"""`--show`: the solution replayed for a person, in plain Python and by the problem's own rules."""

from __future__ import annotations

import shutil
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playout import Problem, Result

MOMENTS = 4  # how many boards are shown side by side
GAP = "   "


def replay_text(problem: Problem, result: Result) -> str:
    """The start, the moves and the end; a board also at moments between."""
    width = shutil.get_terminal_size((100, 24)).columns
    length = len(result.records)
    shown = sorted({round(length * i / (MOMENTS - 1)) for i in range(MOMENTS)})
    pictures = {number: _picture(problem, result, number) for number in {0, *shown, length}}
    parts = [
        _side_by_side([(_title(number, length), pictures[number]) for number in shown], width)
        or "\n\n".join(
            f"{_title(number, length)}\n{pictures[number]}" for number in sorted({0, length})
        ),
        f"{length} move{'s' if length != 1 else ''}\n"
        + textwrap.fill("  ".join(result.moves), width - 2, initial_indent="  ",
                        subsequent_indent="  "),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


def _picture(problem: Problem, result: Result, number: int) -> str:
    """The state after some of the moves."""
    from playout.run.result import moves_from_lists

    moves = moves_from_lists(problem, result.records[:number])
    return problem.render(problem.replay(moves)[0]).rstrip("\n")


def _title(number: int, length: int) -> str:
    if number == 0:
        return "start"
    return "end" if number == length else f"after {number}"


def _side_by_side(pictures: list[tuple[str, str]], width: int) -> str:
    """Pictures in columns; empty if they are not boards of one height that fit in the width."""
    columns = [[title, *picture.split("\n")] for title, picture in pictures]
    heights = {len(column) for column in columns}
    if len(heights) > 1 or max(heights) < 4:
        return ""
    widths = [max(len(line) for line in column) for column in columns]
    while len(columns) > 2 and sum(widths) + len(GAP) * (len(widths) - 1) > width:
        del columns[1], widths[1]  # fewer moments, but always the start and the end
    if sum(widths) + len(GAP) * (len(widths) - 1) > width:
        return ""
    rows = zip(*columns, strict=True)
    return "\n".join(
        GAP.join(f"{cell:<{w}}" for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
