"""The top of a search's tree for people and programs: as data, text, Graphviz DOT and SVG."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from playout.compiled import wrapping
from playout.gametree.root_moves import edges_of, figures
from playout.gametree.search_result import SearchResult
from playout.gametree.tree_arrays import TreeArrays
from playout.gametree.tree_session import TreeSession


@dataclass(frozen=True)
class Branch:
    """A move that the search looked at, and what it looked at behind it.

    `value` is what the move is worth to `player`, who plays it, and `share` its part of the
    visits of all moves there; `main` moves are those of the expected variation; `more` counts
    the moves behind this one that were visited and are not among its `branches`.
    """

    move: str
    player: int
    visits: int
    share: float
    value: float
    proven: float | None
    main: bool
    branches: tuple[Branch, ...]
    more: int

    def to_json(self) -> dict[str, Any]:
        """The branch as JSON data."""
        data = dict(vars(self))
        data["branches"] = [branch.to_json() for branch in self.branches]
        return data


def tree_top(
    session: TreeSession, result: SearchResult, depth: int = 3, width: int = 3
) -> tuple[Branch, ...]:
    """The moves of the position that was searched: `width` at each node, `depth` moves deep.

    The most visited come first; those of the result's variation are always among them. The trees
    of several workers are added up.
    """
    position = session.game.root() if session._position is None else session._position
    nodes = [(tree, int(tree.head[0].root)) for tree in session.team.roots()]
    with wrapping():
        return _branches(session, position, nodes, depth, width, result.variation)[0]


def moves_alone(result: SearchResult, width: int) -> tuple[Branch, ...]:
    """The moves of a result as a tree with nothing behind them, the best and the most visited."""
    total = sum(row.visits for row in result.moves) or 1
    shown = [row for row in result.moves if row.visits][:width]
    best = next((row for row in result.moves if row.move == result.move), None)
    if best is not None and best not in shown and shown:
        shown[-1] = best
    return tuple(
        Branch(
            row.move,
            result.player,
            row.visits,
            row.visits / total,
            row.value,
            row.proven,
            row is best,
            (),
            0,
        )
        for row in shown
    )


def _branches(
    session: TreeSession,
    position: np.ndarray,
    nodes: Sequence[tuple[TreeArrays, int]],
    depth: int,
    width: int,
    variation: Sequence[str],
) -> tuple[tuple[Branch, ...], int]:
    """The branches of a position, which is a node of each tree, and how many more there are."""
    game = session.game
    if depth == 0:
        return (), 0
    player = int(game.turn(position[0]))
    found = []
    for move, edges in edges_of(game, position, nodes):
        visits, value, proven = figures(edges, player)
        if visits > 0:
            found.append((visits, value, proven, edges, move))
    found.sort(key=lambda row: (-row[0], -row[1]))
    total = sum(row[0] for row in found)
    texts = [game.move_text(position[0], row[4]) for row in found]
    main = texts.index(variation[0]) if variation and variation[0] in texts else None
    shown = list(range(min(width, len(found))))
    if main is not None and main not in shown:
        shown[-1] = main
    branches = []
    for i in shown:
        visits, value, proven, edges, move = found[i]
        after = position.copy()
        game.play(after[0], move)
        below = [(tree, int(tree.child[edge])) for tree, edge in edges]
        behind, more = _branches(
            session, after, below, depth - 1, width, variation[1:] if i == main else ()
        )
        branches.append(
            Branch(texts[i], player, visits, visits / total, value, proven, i == main, behind, more)
        )
    return tuple(branches), len(found) - len(shown)


# text


def top_text(top: Sequence[Branch], more: int = 0) -> str:
    """The branches as indented lines with their figures, and how many more there are."""
    rows = list(_rows(top, 0, more))
    width = max([len(name) for name, *_ in rows] + [4])
    lines = [f"{'move':<{width}}  {'visits':>11}  share  value"]
    for name, visits, share, value, note in rows:
        lines.append(f"{name:<{width}}  {visits:>11}  {share:>5}  {value:>5}{note}".rstrip())
    return "\n".join(lines)


def _rows(
    branches: Sequence[Branch], depth: int, more: int
) -> Iterator[tuple[str, str, str, str, str]]:
    for branch in branches:
        proven = f"  proven {branch.proven:g}" if branch.proven is not None else ""
        name = "  " * depth + branch.move + (" *" if branch.main else "")
        yield name, f"{branch.visits:,}", f"{branch.share:.0%}", f"{branch.value:.3f}", proven
        yield from _rows(branch.branches, depth + 1, branch.more)
    if more:
        yield "  " * depth + f"and {more} more", "", "", "", ""


# Graphviz


def top_dot(top: Sequence[Branch], title: str) -> str:
    """The branches as a graph in Graphviz's DOT language."""
    lines = [
        "digraph search {",
        f'  label={_quoted(title)}; labelloc=t; fontname="sans-serif"; rankdir=LR;',
        '  node [shape=box, style="rounded,filled", fontname="sans-serif", fillcolor="white"];',
        '  edge [color="#8a8378", arrowsize=0.6];',
        '  n0 [label="position"];',
    ]
    count = 0

    def add(branches: Sequence[Branch], parent: int) -> None:
        nonlocal count
        for branch in branches:
            count += 1
            here = count
            label = f"{branch.move}\n{branch.visits:,}\n{_value_text(branch)}"
            bold = ", penwidth=2.5" if branch.main else ""
            fill = _fill(branch.player)
            lines.append(f'  n{here} [label={_quoted(label)}, fillcolor="{fill}"{bold}];')
            lines.append(f"  n{parent} -> n{here} [penwidth={0.6 + 4 * branch.share:.2f}];")
            add(branch.branches, here)

    add(top, 0)
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _value_text(branch: Branch) -> str:
    if branch.proven is not None:
        return f"proven {branch.proven:g}"
    return f"{branch.value:.3f}"


_FILLS = ("#fdf6e3", "#dfe8f2", "#e4efdc", "#f3e1e4", "#ece4f4", "#e8e6e0")


def _fill(player: int) -> str:
    return _FILLS[player % len(_FILLS)]


# SVG

_ROW, _BOX, _GAP, _EDGE = 44, 34, 46, 16


def top_svg(top: Sequence[Branch], title: str, picture: str, players: int) -> str:
    """The branches as an SVG picture: a tree from left to right, beside the position's picture.

    `picture` is the position, as SVG or as text.
    """
    widths: list[int] = []
    boxes, edges = [], []
    leaves = 0

    def measure(branches: Sequence[Branch], depth: int) -> None:
        for branch in branches:
            text = max(
                len(branch.move) * 8.4, len(f"{branch.visits:,} {_value_text(branch)}") * 6.4
            )
            if depth == len(widths):
                widths.append(76)
            widths[depth] = max(widths[depth], round(text) + 22)
            measure(branch.branches, depth + 1)

    measure(top, 0)
    drawn, across, height = _sized(picture)
    left = _EDGE + across
    starts = [left + _GAP + sum(widths[:i]) + i * _GAP for i in range(len(widths))]

    def draw(branches: Sequence[Branch], depth: int) -> float:
        """Draw branches; the middle of them."""
        nonlocal leaves
        middles = []
        for branch in branches:
            if branch.branches:
                middle = draw(branch.branches, depth + 1)
            else:
                middle = 58 + (leaves + 0.5) * _ROW
                leaves += 1
            middles.append(middle)
            boxes.append(_box(branch, starts[depth], middle, widths[depth]))
        centre = (middles[0] + middles[-1]) / 2
        x = starts[depth] - _GAP if depth else left
        for branch, middle in zip(branches, middles, strict=True):
            edges.append(_edge(x, centre, starts[depth], middle, branch))
        return centre

    centre = draw(top, 0) if top else 0.0
    y = max(44.0, centre - height / 2)  # the picture is where the branches begin
    across = (starts[-1] + widths[-1] if starts else left) + _EDGE
    across = max(across, round(len(title) * 7.5) + 2 * _EDGE)
    down = max(58 + leaves * _ROW, 44 + height) + 34
    legend = [
        f'<rect x="{_EDGE + 84 * p}" y="{down - 24}" width="12" height="12" rx="2" '
        f'fill="{_fill(p)}" stroke="#8a8378"/><text x="{_EDGE + 84 * p + 18}" y="{down - 14}" '
        f'fill="#555">player {p + 1}</text>'
        for p in range(players)
    ]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" width="{across}" '
        f'height="{down}" font-family="sans-serif" font-size="12">',
        f'<rect width="{across}" height="{down}" fill="#ffffff"/>',
        f'<text x="{_EDGE}" y="26" font-size="14" fill="#222">{escape(title)}</text>',
        f'<g transform="translate({_EDGE} {y:g})">{drawn}</g>',
    ]
    return "\n".join([*lines, *edges, *boxes, *legend, "</svg>"]) + "\n"


def _sized(picture: str) -> tuple[str, int, int]:
    """The position's picture, not too large, with its width and height."""
    if picture.startswith("<svg"):
        head = picture[: picture.index(">")]
        sides = [head.split(f'{side}="')[1].split('"')[0] for side in ("width", "height")]
        width, height = map(float, sides)
        scale = min(1.0, 260 / width)
        scaled = f'<g transform="scale({scale:.3f})">{picture}</g>'
        return scaled, round(width * scale), round(height * scale)
    lines = picture.rstrip("\n").split("\n")
    texts = "".join(
        f'<text y="{12 + 15 * i}" xml:space="preserve">{escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    width = max(len(line) for line in lines) * 7.3
    group = f'<g font-family="monospace" font-size="12" fill="#222">{texts}</g>'
    return group, round(width), 15 * len(lines)


def _box(branch: Branch, x: float, middle: float, width: float) -> str:
    y = middle - _BOX / 2
    stroke = 'stroke="#222" stroke-width="2"' if branch.main else 'stroke="#8a8378"'
    value = branch.value if branch.proven is None else branch.proven
    bar = (width - 12) * min(max(value, 0.0), 1.0)
    return (
        f'<rect x="{x}" y="{y:g}" width="{width}" height="{_BOX}" rx="5" '
        f'fill="{_fill(branch.player)}" {stroke}/>'
        f'<text x="{x + 8}" y="{y + 14:g}" font-weight="bold" fill="#222">{escape(branch.move)}'
        f'</text><text x="{x + 8}" y="{y + 26:g}" font-size="10.5" fill="#444">{branch.visits:,}'
        f'</text><text x="{x + width - 8}" y="{y + 26:g}" font-size="10.5" fill="#444" '
        f'text-anchor="end">{_value_text(branch)}</text>'
        f'<rect x="{x + 6}" y="{y + _BOX - 5:g}" width="{bar:.1f}" height="2.5" fill="#4d7c53"/>'
    )


def _edge(x: float, y: float, right: float, middle: float, branch: Branch) -> str:
    half = (x + right) / 2
    colour = "#222" if branch.main else "#b5aea2"
    return (
        f'<path d="M{x:g} {y:g}C{half:g} {y:g} {half:g} {middle:g} {right:g} {middle:g}" '
        f'fill="none" stroke="{colour}" stroke-width="{0.8 + 4 * branch.share:.2f}"/>'
    )
