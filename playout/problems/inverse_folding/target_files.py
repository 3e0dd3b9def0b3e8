"""RNA targets as files and designs as text and pictures.

A file of targets has a structure in dot-bracket notation on each line, with a name before or behind
it if you like; a line `>name` names the structure on the line that follows. A `;` begins a comment.
The table of the Eterna100 benchmark (tab-separated, with a header) is read as it is, one of its two
versions at a time.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import NamedTuple
from xml.sax.saxutils import escape

from playout.errors import DataError
from playout.problems.inverse_folding.structure import parse_structure

STRUCTURE = set("().")
ETERNA = {"v1": "Secondary Structure V1", "v2": "Secondary Structure V2"}
LINE_LENGTH = 80  # positions in a line of text


class Target(NamedTuple):
    """A structure of a file, and its name."""

    name: str
    structure: str


def parse_targets(text: str, source: str, version: str = "v2") -> list[Target]:
    """The structures in the text of a file, each checked."""
    lines = text.split("\n")
    header = lines[0].rstrip("\r").split("\t")
    if ETERNA[version] in header:
        return _eterna(lines, source, header.index(ETERNA[version]))
    found, name, named = [], "", 0
    for number, line in enumerate(lines, 1):
        words = line.partition(";")[0].split()
        if not words:
            continue
        where = f"{source}, line {number}"
        if words[0].startswith(">"):
            if named:
                raise DataError(f"{where}: the name on line {named} has no structure")
            name, named = " ".join(words).removeprefix(">").strip(), number
            continue
        structures = [word for word in words if set(word) <= STRUCTURE]
        if not structures and len(words) > 1:
            raise DataError(f"{where}: there is no structure of '(', ')' and '.' on it")
        if len(structures) > 1:
            raise DataError(f"{where}: {len(structures)} structures on one line")
        structure = (structures or words)[0]
        parse_structure(structure, where)
        rest = " ".join(word for word in words if word != structure)
        found.append(Target(name or rest, structure))
        name, named = "", 0
    if named:
        raise DataError(f"{source}, line {named}: the name has no structure behind it")
    return found


def _eterna(lines: Sequence[str], source: str, column: int) -> list[Target]:
    found = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        cells = line.rstrip("\r").split("\t")
        if len(cells) <= max(column, 1):
            raise DataError(f"{source}, line {number}: {len(cells)} columns, of which none is it")
        structure = cells[column].strip()
        parse_structure(structure, f"{source}, line {number}")
        found.append(Target(cells[1].strip(), structure))
    return found


def fasta(designs: Sequence[tuple[str, str]]) -> str:
    """Sequences with their titles as the text of a FASTA file."""
    lines = []
    for title, sequence in designs:
        lines += [">" + " ".join(title.split()), *textwrap.wrap(sequence, LINE_LENGTH)]
    return "".join(line + "\n" for line in lines)


def draw_text(rows: Sequence[tuple[str, str]]) -> str:
    """Strings of one length under each other, in blocks of a line's length, with positions."""
    width = max(len(name) for name, _ in rows)
    length = len(rows[0][1])
    blocks = []
    for start in range(0, length, LINE_LENGTH):
        end = min(start + LINE_LENGTH, length)
        lines = [f"{name:<{width}}  {text[start:end]}".rstrip() for name, text in rows]
        lines = [line for line, (name, _) in zip(lines, rows, strict=True) if line != name]
        lines[0] += f"  {end}" if length > LINE_LENGTH else ""
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks)


def differences(target: str, fold: str) -> str:
    """A mark under each position at which two structures differ."""
    return "".join(" " if a == b else "^" for a, b in zip(target, fold, strict=True))


_COLOURS = {"A": "#f2d675", "U": "#8fb8de", "G": "#e58f8f", "C": "#9ccf9c", "-": "#eeeeee"}


def place(centres: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points of a drawing, moved to the top left of its picture."""
    low_x, low_y = (min(p[axis] for p in centres) for axis in (0, 1))
    return [(round(x - low_x + 24, 1), round(y - low_y + 44, 1)) for x, y in centres]


def draw_svg(
    points: Sequence[tuple[float, float]], partner: Sequence[int], sequence: str, summary: str
) -> str:
    """A structure as a drawing: a disc for each base, its backbone and its pairs."""
    across = max(320.0, max(x for x, _ in points) + 24)
    down = max(y for _, y in points) + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across:g} {down:g}" '
        f'width="{across:g}" height="{down:g}" font-family="sans-serif" font-size="9" '
        'text-anchor="middle" fill="#333">',
        f'<rect width="{across:g}" height="{down:g}" fill="#fff"/>',
        f'<text x="8" y="20" font-size="13" text-anchor="start">{escape(summary)}</text>',
        '<path fill="none" stroke="#999" d="M' + "L".join(f"{x} {y}" for x, y in points) + '"/>',
    ]
    for i, j in enumerate(partner):
        if i < j:
            (a, b), (c, d) = points[i], points[j]
            parts.append(f'<path stroke="#1f4e79" stroke-width="2" d="M{a} {b}L{c} {d}"/>')
    for (x, y), base in zip(points, sequence, strict=True):
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="6" fill="{_COLOURS[base]}" stroke="#666"/>'
            f'<text x="{x}" y="{y + 3}">{base if base != "-" else ""}</text>'
        )
    parts.append("</svg>")
    return "\n".join(parts)
