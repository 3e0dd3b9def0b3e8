"""Second readers of formats whose wrong reading gives wrong answers, and mangled files for both.

Each is written from the description of its format alone, a character or a line at a time, and
shares no code with the reader that it is compared with. It gives what is in a text, or None where
the text is none of its format. What the package reads without a word is what the naive reader
reads; it may refuse more than that, or warn.
"""

from __future__ import annotations

import argparse
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple

import playout as po
from bench.readers import (
    BOARDS,
    EDGES,
    GAME_FILE,
    GRAPH,
    RULES,
    SGF,
    SOLUTION,
    TARGETS,
    TOUR,
    drawn_edits,
    mangle,
)
from bench.soak.case_notes import FAILED, CaseNotes, chance, part_of
from bench.soak.naive_game_readers import (
    game_file_read,
    read_game_file,
    read_rules,
    read_sgf,
    sgf_read,
)
from bench.soak.naive_words import DIGITS, Refused, number, whole, without_comment, words_of
from playout.errors import DataWarning
from playout.ggp.kif import expressions
from playout.problems.coloring.graph_files import parse_graph, parse_solution
from playout.problems.inverse_folding.target_files import parse_targets
from playout.problems.samegame_files import parse_boards
from playout.problems.tsptw_files import parse_instance
from playout.text.input_files import decode

ETERNA = (
    b"Puzzle #\tPuzzle Name\tSecondary Structure V1\tSecondary Structure V2\n"
    b"1\tSimple\t((((....))))\t(((.....)))\n2\tOther\t((....))\t.((...)).\n"
)


# graphs


def read_graph(text: str) -> Any:
    """A `.col` file: vertices, edges as pairs of numbers; or an edge list: names and pairs."""
    lines = [words_of(line) for line in text.split("\n")]
    filled = [words for words in lines if words]
    if not filled:
        raise Refused
    if any(words[0] == "p" for words in filled) or filled[0][0] in ("c", "e"):
        return read_col(filled)
    names: list[str] = []
    edges = set()
    for line in text.split("\n"):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        words = words_of(without_comment(line).replace(",", " "))
        if not words or (len(words) > 2 and words[2][0] not in DIGITS + "+-.{"):
            raise Refused
        names += words[:2]
        if len(words) > 1 and words[0] != words[1]:
            edges.add(frozenset(words[:2]))
    return set(names), edges


def read_col(lines: list[list[str]]) -> Any:
    n, stated, edges, edge_lines = 0, 0, set(), 0
    for words in lines:
        if words[0] == "p":
            if n or len(words) != 4 or words[1] not in ("edge", "edges", "col"):
                raise Refused
            n, stated = whole(words[2]), whole(words[3])
            if not 0 < n <= 100_000:
                raise Refused
        elif words[0] == "e":
            if not n or len(words) != 3:
                raise Refused
            a, b = whole(words[1], False), whole(words[2], False)
            if not (1 <= a <= n and 1 <= b <= n):
                raise Refused
            edge_lines += 1
            if a != b:
                edges.add(frozenset((str(a), str(b))))
        elif words[0] not in ("c", "n", "d", "v", "x"):
            raise Refused
    if not n or stated not in (edge_lines, len(edges), 2 * len(edges)):
        raise Refused
    return {str(i + 1) for i in range(n)}, edges


def graph_read(text: str) -> Any:
    graph = parse_graph(text, "file")
    pairs = {frozenset(str(graph.labels[i]) for i in edge) for edge in graph.edges.tolist()}
    return {str(label) for label in graph.labels}, pairs


def read_solution(text: str) -> Any:
    """Lines `l V C` for the vertices 1 to 4, or colours alone."""
    by_vertex: dict[int, int] = {}
    plain: list[int] = []
    stated = set()
    for line in text.split("\n"):
        words = words_of(line)
        if not words or words[0] == "c":
            continue
        if words[0] == "s":
            if len(words) != 3:
                raise Refused
            stated = {whole(words[2])}
        elif words[0] == "l":
            if len(words) != 3 or words[1] not in "1234" or words[1] in map(str, by_vertex):
                raise Refused
            by_vertex[whole(words[1])] = whole(words[2]) - 1
        else:
            plain += [whole(word) for word in words]
    if by_vertex and plain:
        raise Refused
    colours = [by_vertex[v] for v in sorted(by_vertex)] or plain
    if len(colours) != 4 or (stated and stated != {len(set(colours))}):
        raise Refused
    return colours


# boards, tours, targets


def read_boards(text: str) -> Any:
    boards: list[list[list[int]]] = [[]]
    for line in text.split("\n"):
        if line.lstrip().startswith("#"):
            continue
        words = words_of(without_comment(line))
        if words:
            boards[-1].append([whole(word) for word in words])
        else:
            boards.append([])
    boards = [board for board in boards if board]
    colours = [colour for board in boards for row in board for colour in row]
    if not boards or not all(0 <= colour < 100 for colour in colours):
        raise Refused
    if any(len({len(row) for row in board}) > 1 for board in boards):
        raise Refused
    return boards


def read_tour(text: str) -> Any:
    rows = [words_of(without_comment(line)) for line in text.split("\n")]
    rows = [row for row in rows if row]
    if not rows or len(rows[0]) != 1:
        raise Refused
    n = whole(rows[0][0])
    if len(rows) != 1 + 2 * n or not 1 <= n <= 2000:
        raise Refused
    numbers = [[number(word) for word in row] for row in rows[1:]]
    distance, windows = numbers[:n], numbers[n:]
    if any(len(row) != n for row in distance) or any(len(window) != 2 for window in windows):
        raise Refused
    if any(first > last for first, last in windows):
        raise Refused
    return distance, windows


def balanced(structure: str) -> bool:
    depth = 0
    for character in structure:
        depth += {"(": 1, ")": -1, ".": 0}.get(character, -1_000_000)
        if depth < 0:
            return False
    return depth == 0 and bool(structure)


def read_targets(text: str) -> Any:
    lines = [line.removesuffix("\r") for line in text.split("\n")]
    header = lines[0].split("\t")
    if "Secondary Structure V2" in header:
        column = header.index("Secondary Structure V2")
        cells = [line.split("\t") for line in lines[1:] if words_of(line)]
        if any(len(row) <= max(1, column) for row in cells):
            raise Refused
        found = [(row[1].strip(), row[column].strip()) for row in cells]
    else:
        found = plain_targets(lines)
    if not all(balanced(structure) for _, structure in found):
        raise Refused
    return found


def plain_targets(lines: list[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    named: list[str] = []
    for line in lines:
        words = words_of(line.split(";")[0])
        if words and words[0][0] == ">":
            if named:
                raise Refused
            named = [" ".join(words)[1:].strip()]
        elif words:
            structures = [word for word in words if all(c in "(.)" for c in word)]
            if len(structures) != 1:
                raise Refused
            rest = " ".join(word for word in words if word not in structures)
            found.append(((named[0] if named else "") or rest, structures[0]))
            named = []
    if named:
        raise Refused
    return found


class Pair(NamedTuple):
    """The naive reader of a format, what the package reads, and contents to begin from."""

    naive: Callable[[str], Any]
    read: Callable[[str], Any]
    samples: tuple[bytes, ...]


def pairs() -> dict[str, Pair]:
    """Every format that has a second reader."""
    graph = parse_graph(GRAPH.decode(), "graph")
    return {
        "graph": Pair(read_graph, graph_read, (GRAPH, EDGES)),
        "colouring": Pair(
            read_solution, lambda text: parse_solution(text, "file", graph), (SOLUTION, b"1 2 1 2")
        ),
        "boards": Pair(
            read_boards, lambda text: [b.tolist() for b in parse_boards(text, "file")], (BOARDS,)
        ),
        "tour": Pair(
            read_tour, lambda text: tuple(a.tolist() for a in parse_instance(text, "file")), (TOUR,)
        ),
        "targets": Pair(
            read_targets,
            lambda text: [tuple(target) for target in parse_targets(text, "file")],
            (TARGETS, ETERNA),
        ),
        "sgf": Pair(read_sgf, sgf_read, (SGF,)),
        "game file": Pair(read_game_file, game_file_read, (GAME_FILE,)),
        "rulesheet": Pair(
            read_rules, lambda text: [one for one, _ in expressions(text, "file")], (RULES,)
        ),
    }


def compare(pair: Pair, content: bytes) -> str:
    """How the two readers take a content: `agree`, `refused`, `told`, or what is wrong."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        try:
            text = decode(content, "file")
            found = pair.read(text)
        except DataWarning:
            return "told"
        except po.PlayoutError:
            return "refused"
    try:
        naive = pair.naive(text)
    except Refused:
        return f"read, but not by the naive reader: {found}"
    return "agree" if naive == found else f"{found}, but {naive} by the naive reader"


def soak_readers(arguments: argparse.Namespace, notes: CaseNotes) -> None:
    """Read mangled files with two readers; what is read without a word is the same."""
    known = sorted(pairs().items())
    for case in notes.left(part_of(arguments)):
        rng = chance(arguments.seed, case)
        name, pair = known[case % len(known)]
        content = mangle(rng.choice(pair.samples), drawn_edits(rng)[: rng.choice((1, 1, 2, 6))])
        how = compare(pair, content)
        if how not in ("agree", "refused", "told"):
            print(name, content, how, sep="\n", flush=True)
            how = FAILED
        notes.note(case, how)
