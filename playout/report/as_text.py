"""A report as plain text, for a terminal or a pipe."""

from __future__ import annotations

import re
import textwrap
from itertools import pairwise

from playout.report.report import BETTER, EQUAL, WORSE, Report, ReportTable
from playout.report.wording import (
    MARKS,
    ShownColumn,
    common_runs,
    facts,
    heading,
    legend,
    sections,
    shown_columns,
)
from playout.text.numbers import plain, text_width

WIDTH = 100
GAP = "   "  # between the columns of a table
LONGEST_NAME = 24  # a longer name of a column goes on in the next line
ANSI = {BETTER: "\x1b[32m", EQUAL: "\x1b[2m", WORSE: "\x1b[31m"}


def text(report: Report, width: int | None = None, colour: bool = False) -> str:
    """The report in lines of at most `width` places (100), as far as its figures allow."""
    width = max(40, width or WIDTH)
    title = plain(report.title) or plain(report.name)
    parts = [f"{title}\n{'=' * text_width(title)}"]
    parts += [_filled(words, width) for words in (report.paper, report.settings) if words]
    some_run = any(common_runs(table) != 0 for table in report.tables)
    for table in report.tables:
        parts += _table(table, width, colour, bare=some_run and common_runs(table) == 0)
    for name, lines in sections(report):
        parts.append("\n".join([name, *(_filled(line, width, "  ") for line in lines)]))
    return "\n\n".join(parts) + "\n"


def _table(table: ReportTable, width: int, colour: bool, bare: bool) -> list[str]:
    name = heading(table)
    rows = _label_lines(table, width)
    label_width = max((text_width(line) for lines in rows for line in lines), default=0)
    groups = [_group(column, colour) for column in shown_columns(table)]
    parts = [f"{name}\n{'-' * text_width(name)}", _filled(" ".join(facts(table)), width)]
    if bare:  # the paper's figures alone are not worth a screen beside tables that were run
        return parts
    for block in _blocks([g.width for g in groups], width - label_width):
        parts.append(_grid(rows, label_width, groups[block.start : block.stop]))
    marks = legend(table)
    if marks:
        meanings = "; ".join(f"{MARKS[verdict]} {words}" for verdict, words in marks.items())
        parts.append(_filled(f"{meanings}; no mark: not tested.", width))
    return parts


def _label_lines(table: ReportTable, width: int) -> list[list[str]]:
    """The first column, the title's place first; long labels go on in the next line."""
    room = max(16, width // 3)
    labels = [plain(table.row_title), *map(plain, table.rows)]
    return [textwrap.wrap(label, room) or [""] for label in labels]


class _Group:
    """A column of the table: its name over ours, the mark, the runs and theirs."""

    def __init__(self, head: list[str], body: list[str], width: int) -> None:
        self.head, self.body, self.width = head, body, width


def _group(column: ShownColumn, colour: bool) -> _Group:
    cells = column.cells
    ours = _pairs([(cell.ours, cell.spread) for cell in cells], column.title)
    if column.has_marks:
        marks = [_coloured(cell.mark or " ", cell.verdict, colour) for cell in cells]
        ours = [f"{a} {b}" for a, b in zip(ours, [" ", *marks], strict=True)]
    pieces = [ours]
    if column.has_runs:
        pieces.append(_pairs([(cell.runs, "") for cell in cells], "runs"))
    if column.has_theirs:
        theirs = [(cell.theirs, cell.theirs_spread) for cell in cells]
        pieces.append(_pairs(theirs, "theirs"))
    lines = ["  ".join(line) for line in zip(*pieces, strict=True)]
    width = text_width(lines[0])
    names = _name_lines(column.name, max(width, LONGEST_NAME))
    wide = max(width, *map(text_width, names))
    alone = len(pieces) == 1  # then its title need not be said
    return _Group(names if alone else [*names, lines[0]], lines[1:], wide)


def _name_lines(name: str, width: int) -> list[str]:
    """A name in lines that end where its options do."""
    lines = [""]
    for part in re.findall(r"[^ ,:/]*[ ,:/]*", name):
        if lines[-1] and text_width(lines[-1] + part.rstrip()) > width:
            lines.append("")
        lines[-1] += part
    return [piece for line in lines for piece in textwrap.wrap(line, width)] or [""]


def _pairs(pairs: list[tuple[str, str]], title: str) -> list[str]:
    """Figures to the right, their intervals beside them; all of one width, the title first."""
    figures = max(text_width(figure) for figure, _ in [*pairs, ("", "")])
    spreads = max(text_width(spread) for _, spread in [*pairs, ("", "")])
    lines = [
        f"{figure:>{figures}} {spread:<{spreads}}" if spreads else f"{figure:>{figures}}"
        for figure, spread in pairs
    ]
    width = max(text_width(title), figures + (spreads + 1 if spreads else 0))
    return [f"{title:>{width}}" if not spreads else f"{title:<{width}}"] + [
        f"{line:>{width}}" for line in lines
    ]


def _blocks(widths: list[int], room: int) -> list[range]:
    """Columns shared out over as few blocks as fit, about as many in each."""
    fewest, used = 1, 0
    for width in widths:
        if used and used + len(GAP) + width > room:
            fewest, used = fewest + 1, 0
        used += len(GAP) + width
    for count in range(fewest, len(widths) + 1):
        ends = [-(-len(widths) * i // count) for i in range(count + 1)]
        blocks = [range(a, b) for a, b in pairwise(ends)]
        if all(len(b) == 1 or sum(len(GAP) + widths[i] for i in b) <= room for b in blocks):
            return blocks
    return [range(i, i + 1) for i in range(len(widths))]


def _grid(rows: list[list[str]], label_width: int, groups: list[_Group]) -> str:
    height = max([len(rows[0]), *(len(group.head) for group in groups)])
    heads = [[""] * (height - len(group.head)) + group.head for group in groups]
    titles = [""] * (height - len(rows[0])) + rows[0]
    lines = [
        _line(titles[i], label_width, [head[i] for head in heads], groups) for i in range(height)
    ]
    for number, label in enumerate(rows[1:]):
        lines.append(_line(label[0], label_width, [g.body[number] for g in groups], groups))
        lines += [_line(more, label_width, [], []) for more in label[1:]]
    return "\n".join(lines)


def _line(label: str, label_width: int, parts: list[str], groups: list[_Group]) -> str:
    padded = [_padded(part, group.width) for part, group in zip(parts, groups, strict=True)]
    return GAP.join([_padded(label, label_width), *padded]).rstrip()


def _padded(words: str, width: int) -> str:
    shown = words
    for code in (*ANSI.values(), "\x1b[0m"):
        shown = shown.replace(code, "")
    return words + " " * (width - text_width(shown))


def _coloured(mark: str, verdict: str, colour: bool) -> str:
    return f"{ANSI[verdict]}{mark}\x1b[0m" if colour and verdict in ANSI else mark


def _filled(words: str, width: int, indent: str = "") -> str:
    return textwrap.fill(
        plain(words),
        width,
        initial_indent=indent,
        subsequent_indent=indent + "  " if indent else "",
        break_on_hyphens=False,
    )
