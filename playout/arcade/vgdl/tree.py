"""The indentation of a VGDL description as a tree: a deeper line belongs to the one above it.

A tab counts as four blanks, lines may end as in Windows, and `#` begins a comment.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from playout.errors import DataError

TAB = 4
DEEPEST = 40  # levels of indentation
MOST_LINES = 5_000
LONGEST = 1_000  # characters of a line


@dataclass
class Node:
    """A line of the description, with the lines that belong to it."""

    text: str
    line: int
    indent: int
    children: list[Node] = field(default_factory=list)


def parse_tree(text: str, source: str) -> Node:
    """The root, which is no line, of the tree that a text is."""
    root = Node("", 0, -1)
    path = [root]
    lines = text.splitlines()
    if len(lines) > MOST_LINES:
        raise DataError(f"{source}: has {len(lines):,} lines; the most is {MOST_LINES:,}")
    for number, raw in enumerate(lines, 1):
        line = raw.partition("#")[0].replace("\t", " " * TAB).rstrip()
        content = line.lstrip()
        if not content:
            continue
        if len(line) > LONGEST:
            raise DataError(f"{source}, line {number}: has more than {LONGEST:,} characters")
        if not content.isprintable():
            odd = next(sign for sign in content if not sign.isprintable())
            raise DataError(f"{source}, line {number}: the character {odd!r} is no text")
        indent = len(line) - len(content)
        while path[-1].indent >= indent:
            path.pop()
        if len(path) > DEEPEST:
            raise DataError(f"{source}, line {number}: is indented more than {DEEPEST} levels deep")
        node = Node(content, number, indent)
        path[-1].children.append(node)
        path.append(node)
    return root
