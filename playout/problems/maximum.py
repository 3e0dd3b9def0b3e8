"""The Maximum problem: the expression of at most n atoms +, * and 1 with the largest value.

From T. Cazenave, J.-B. Sevestre and M. Toulemont, Stabilized Nested Rollout Policy Adaptation,
section 4.1: atoms are pushed on a stack, which is the expression in prefix order. When there is
room only for the leaves that the stack still needs, only leaves are pushed. The form with a limit
on depth is W. Langdon and R. Poli's.

The paper does not print n. The best mean in its Table 1 is 3.928494648e15; an expression with L
ones is worth at most about 3^(L/3), and the smallest odd n whose optimum reaches that mean is 197,
with 99 ones and the optimum 3^33 = 5.559e15. That is the default here.
"""

from __future__ import annotations

from os import PathLike
from typing import Any

import numpy as np

from playout.compiled import record
from playout.contract import Problem
from playout.errors import DataError, ProblemError
from playout.text.input_files import lines_of, read_text

ONE, PLUS, TIMES = 0, 1, 2
ATOMS = "1+*"
DEFAULT_ATOMS = 197
MOST_ATOMS = 3800  # 3^(L/3) with L = 1900 ones is 1e302: every value is finite


class Maximum(Problem):
    """The largest value of an expression.

    Values are exact up to 2^53, 9.007e15, and rounded as 64-bit numbers are above it.

    Parameters
    ----------
    n : int
        The most atoms of the expression, operators and ones together.
    """

    fields = ("n",)

    def __init__(self, n: int) -> None:
        if isinstance(n, bool) or not isinstance(n, int | np.integer) or not 1 <= n <= MOST_ATOMS:
            raise DataError(f"n={n!r}: a whole number of atoms from 1 to {MOST_ATOMS}")
        self.n = int(n)
        self.max_moves = 3
        self.max_length = self.n
        most_operators = max(1, self.n // 2)
        self.move_type = record(atom="i8")
        self.state_type = record(
            places="i8",  # subexpressions that are still to be written
            length="i8",
            depth="i8",
            result="f8",
            lefts=("f8", most_operators),  # of each operator not yet done: 0 or its left value
            operators=("i1", most_operators),
            atoms=("i1", self.n),
        )

    def reset(self, state):
        state.places = 1

    def moves(self, state, moves):
        if state.places == 0:
            return 0
        moves[0].atom = ONE
        # an operator takes one place and makes two
        if state.length + state.places + 2 > self.n:
            return 1
        moves[1].atom = PLUS
        moves[2].atom = TIMES
        return 3

    def play(self, state, move):
        atom = move.atom
        state.atoms[state.length] = atom
        state.length += 1
        if atom != ONE:
            state.operators[state.depth] = atom
            state.depth += 1
            state.places += 1
            return
        state.places -= 1
        # evaluate whatever is complete, so that the score costs nothing at the end
        value, depth = 1.0, state.depth
        while depth > 0 and state.lefts[depth - 1] > 0.0:
            depth -= 1
            left = state.lefts[depth]
            value = left + value if state.operators[depth] == PLUS else left * value
            state.lefts[depth] = 0.0
            state.operators[depth] = 0
        state.depth = depth
        if depth > 0:
            state.lefts[depth - 1] = value
        else:
            state.result = value

    def score(self, state):
        return state.result

    def code(self, state, move):
        # The position and the atom. The atom alone would be three weights for all positions; the
        # whole prefix would be a weight that is hardly ever met twice. In prefix order, good
        # expressions that begin alike have the same atom at the same position.
        return np.uint64(3 * state.length + move.atom)

    # what a person sees, in plain Python

    def expression(self, moves: Any) -> str:
        """The expression as people write it, with the parentheses that it needs."""
        return _infix([ATOMS[int(move.atom)] for move in moves])

    def verify(self, moves: Any) -> float:
        """The value of the expression, from its last atom to its first."""
        atoms = [int(move.atom) for move in self.as_moves(moves)]
        places = 1
        for number, atom in enumerate(atoms, 1):
            if atom not in (ONE, PLUS, TIMES):
                raise ProblemError(f"move {number}: there is no atom {atom}")
            if places == 0:
                raise ProblemError(f"move {number}: the expression was complete before it")
            places += -1 if atom == ONE else 1
        if places > 0:
            raise ProblemError(f"the expression is not complete: it lacks {places}")
        if len(atoms) > self.n:
            raise ProblemError(f"the expression has {len(atoms)} atoms; at most {self.n} may be")
        values: list[float] = []
        for atom in reversed(atoms):
            if atom == ONE:
                values.append(1.0)
            else:
                a, b = values.pop(), values.pop()
                values.append(a + b if atom == PLUS else a * b)
        return values[0]

    def render(self, state: Any) -> str:
        """The expression, with `?` for each part that is still to be written."""
        return _infix(self._atoms(state))

    def svg(self, state: Any) -> str:
        return _draw_tree(self._atoms(state))

    def move_text(self, state: Any, move: Any) -> str:
        """The atom."""
        return ATOMS[int(move.atom)]

    def _atoms(self, state: Any) -> list[str]:
        """The expression in prefix order, `?` for each part that is still to be written."""
        atoms = [ATOMS[atom] for atom in state.atoms[: int(state.length)].tolist()]
        return atoms + ["?"] * int(state.places)

    # where instances come from

    @classmethod
    def default(cls, *, n: int = DEFAULT_ATOMS, **options: Any) -> Maximum:
        return cls(n, **options)

    @classmethod
    def random(cls, seed: int = 0, **options: Any) -> Maximum:
        raise ProblemError(
            "Maximum has no random instances: its only data is the number of atoms, "
            "which the option n sets"
        )

    @classmethod
    def read(cls, path: str | PathLike[str], **options: Any) -> list[Maximum]:
        """The instance in a file that holds the number n."""
        return cls.parse(read_text(path), str(path), **options)

    @classmethod
    def parse(cls, text: str, source: str, **options: Any) -> list[Maximum]:
        """The instance in the text of a file; `source` is its name for error messages."""
        lines = list(lines_of(text, source))
        if not lines:
            raise DataError(f"{source}: has no number, only comments")
        if len(lines[0].words) > 1:
            lines[0].fail("more than one number; it should be the number of atoms alone")
        if len(lines) > 1:
            lines[1].fail("more text after the number of atoms")
        n = lines[0].whole_numbers()[0]
        if not 1 <= n <= MOST_ATOMS:
            lines[0].fail(f"{n} atoms; from 1 to {MOST_ATOMS} are handled")
        return [cls(n, **options)]

    def write(self) -> str:
        return f"{self.n}\n"


def _infix(atoms: list[str]) -> str:
    """Infix text of a complete expression in prefix order. Sums in products have parentheses."""
    parts: list[tuple[str, bool]] = []  # text, whether it is a sum
    for atom in reversed(atoms):
        if atom not in "+*":
            parts.append((atom, False))
            continue
        sides = [parts.pop(), parts.pop()]
        if atom == "*":
            texts = [f"({text})" if is_sum else text for text, is_sum in sides]
        else:
            texts = [text for text, _ in sides]
        parts.append((f" {atom} ".join(texts), atom == "+"))
    return parts[0][0]


def _draw_tree(atoms: list[str]) -> str:
    """The tree of a complete expression in prefix order, its leaves from left to right."""
    depths, pending = [], [0]
    for atom in atoms:
        depth = pending.pop()
        depths.append(depth)
        if atom in "+*":
            pending += [depth + 1, depth + 1]
    across, down = 18, 26
    leaves = sum(atom not in "+*" for atom in atoms)
    lines, nodes = [], []
    places: list[tuple[float, float]] = []  # of the subtrees to the right, the nearest last
    leaf = leaves
    for atom, depth in zip(reversed(atoms), reversed(depths)):
        y = 20.0 + down * depth
        if atom in "+*":
            a, b = places.pop(), places.pop()
            x = (a[0] + b[0]) / 2
            lines += [f'<path d="M{x:g} {y:g}L{c:g} {d:g}" stroke="#999"/>' for c, d in (a, b)]
            fill = "#f2b134" if atom == "*" else "#8fb8de"
        else:
            leaf -= 1
            x, fill = 16.0 + across * leaf, "#e6e6e6" if atom == "1" else "#fff"
        places.append((x, y))
        sign = "&#215;" if atom == "*" else atom
        nodes.append(
            f'<circle cx="{x:g}" cy="{y:g}" r="8" fill="{fill}" stroke="#888"/>'
            f'<text x="{x:g}" y="{y + 4:g}" text-anchor="middle">{sign}</text>'
        )
    width, height = 32 + across * (leaves - 1), 40 + down * max(depths)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
            f'width="{width}" height="{height}" font-family="sans-serif" font-size="11">',
            *lines,
            *nodes,
            "</svg>",
        ]
    )
