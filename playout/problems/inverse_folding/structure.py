"""Secondary structures in dot-bracket notation: pairs, loops, and what no sequence can fold into.

Also the letters of IUPAC for sets of bases. Errors are one line with a position, 1 for the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import NamedTuple

import numpy as np

from playout.errors import DataError, OptionError

MOST_LENGTH = 4000  # nt; a fold takes memory by the square of the length, and time by its cube
SHORTEST_HAIRPIN = 3
LONGEST_INTERIOR = 30  # unpaired bases in an internal loop that ViennaRNA considers

BASES = "AUGC"  # in the papers' order
PAIRS = ("GC", "CG", "AU", "UA", "GU", "UG")

# each letter as the bases that it stands for
IUPAC = {letter: letter for letter in "ACGU"} | {"T": "U", "N": "ACGU"}
IUPAC |= {"R": "AG", "Y": "CU", "S": "CG", "W": "AU", "K": "GU", "M": "AC"}
IUPAC |= {"B": "CGU", "D": "AGU", "H": "ACU", "V": "ACG"}

HAIRPIN, INTERIOR, MULTI, EXTERIOR = range(4)


class Loop(NamedTuple):
    """A loop: its kind, its pairs (the closing one first) and its unpaired positions, from 0."""

    kind: int
    pairs: tuple[tuple[int, int], ...]
    unpaired: tuple[int, ...]


@dataclass(frozen=True)
class Structure:
    """A secondary structure; `partner` has for each position the one it is paired with, or -1."""

    text: str
    partner: np.ndarray
    loops: tuple[Loop, ...]

    @property
    def pairs(self) -> int:
        """How many pairs it has."""
        return int((self.partner >= 0).sum()) // 2


def pairs_of(text: str) -> list[int]:
    """For each position of a structure that is known to be one its partner, or -1."""
    partner, open_at = [-1] * len(text), []
    for i, letter in enumerate(text):
        if letter == "(":
            open_at.append(i)
        elif letter == ")":
            j = open_at.pop()
            partner[i], partner[j] = j, i
    return partner


def parse_structure(text: str, source: str = "") -> Structure:
    """A structure that some sequence may fold into; DataError says where one goes wrong."""
    prefix = f"{source}: " if source else ""
    if not text:
        raise DataError(f"{prefix}the structure is empty")
    if len(text) > MOST_LENGTH:
        raise DataError(
            f"{prefix}a structure of {len(text):,} positions; at most {MOST_LENGTH:,} can be folded"
        )
    partner = np.full(len(text), -1, np.int64)
    open_at: list[int] = []
    for i, letter in enumerate(text):
        if letter == "(":
            open_at.append(i)
        elif letter == ")":
            if not open_at:
                raise DataError(f"{prefix}position {i + 1}: ')' closes nothing")
            j = open_at.pop()
            partner[i], partner[j] = j, i
        elif letter != ".":
            more = "; pseudoknots cannot be folded" if letter in "[]{}<>" else ""
            raise DataError(
                f"{prefix}position {i + 1}: {letter!r} is none of '(', ')' and '.'{more}"
            )
    if open_at:
        raise DataError(f"{prefix}position {open_at[-1] + 1}: '(' is never closed")
    structure = Structure(text, partner, tuple(_loops(partner)))
    for loop in structure.loops:
        _check_loop(loop, prefix)
    return structure


def _loops(partner: np.ndarray) -> list[Loop]:
    """The loops, the exterior one first, stacked pairs included."""
    found = []
    todo: list[tuple[int, int]] = [(-1, len(partner))]
    while todo:
        i, j = todo.pop()
        inner, unpaired, k = [], [], i + 1
        while k < j:
            if partner[k] < 0:
                unpaired.append(k)
                k += 1
            else:
                inner.append((k, int(partner[k])))
                k = int(partner[k]) + 1
        todo += reversed(inner)
        if i < 0:
            found.append(Loop(EXTERIOR, tuple(inner), tuple(unpaired)))
        else:
            kind = (HAIRPIN, INTERIOR, MULTI)[min(len(inner), 2)]
            found.append(Loop(kind, ((i, j), *inner), tuple(unpaired)))
    return found


def _check_loop(loop: Loop, prefix: str) -> None:
    size = len(loop.unpaired)
    where = f"{prefix}position {loop.pairs[0][0] + 1}: " if loop.pairs else prefix
    if loop.kind == HAIRPIN and size < SHORTEST_HAIRPIN:
        raise DataError(
            f"{where}a hairpin of {size} unpaired base{'' if size == 1 else 's'} cannot form; "
            f"it has at least {SHORTEST_HAIRPIN}"
        )
    if loop.kind == INTERIOR and size > LONGEST_INTERIOR:
        raise DataError(
            f"{where}an internal loop of {size} unpaired bases is never folded; "
            f"ViennaRNA considers at most {LONGEST_INTERIOR}"
        )


def base_sets(text: str, structure: Structure) -> list[str]:
    """The bases that a IUPAC string allows at each position; all of them if it is empty."""
    n = len(structure.text)
    if not text:
        return [BASES] * n
    if len(text) != n:
        raise OptionError(f"bases: {len(text)} letters for a structure of {n} positions")
    sets = []
    for i, letter in enumerate(text.upper()):
        if letter not in IUPAC:
            raise OptionError(f"bases, position {i + 1}: {text[i]!r} is no IUPAC letter")
        sets.append(IUPAC[letter])
    for i, j in enumerate(structure.partner.tolist()):
        if i < j and not any(p[0] in sets[i] and p[1] in sets[j] for p in PAIRS):
            raise OptionError(
                f"bases: positions {i + 1} and {j + 1} are paired in the target, "
                f"but no {text[i]} pairs with {text[j]}"
            )
    return sets


def motif_sets(text: str) -> list[tuple[str, list[str]]]:
    """Motifs separated by commas, each with the bases that it has at each position."""
    motifs = []
    for word in filter(None, (part.strip() for part in text.split(","))):
        for i, letter in enumerate(word.upper()):
            if letter not in IUPAC:
                raise OptionError(f"forbid={word}: {word[i]!r} is no IUPAC letter")
        motifs.append((word.upper(), [IUPAC[letter] for letter in word.upper()]))
    return motifs


def random_structure(rng: Random, n: int) -> str:
    """Stems with hairpins, internal loops and junctions, and unpaired ends."""

    def below(k: int) -> int:
        return int(rng.random() * k)

    def fill(length: int, deep: bool) -> str:
        """A loop's inside (or the exterior) of a length, without pairs if it is short."""
        if length < 13 or (deep and rng.random() < 0.15):
            return "." * length
        lead = below(4)
        tail = below(4)
        rest = length - lead - tail
        if rest >= 30 and rng.random() < 0.5:
            cut = 13 + below(rest - 26)
            return "." * lead + stem(cut) + stem(rest - cut) + "." * tail
        return "." * lead + stem(rest) + "." * tail if rest >= 9 else "." * length

    def stem(length: int) -> str:
        pairs = min(3 + below(5), (length - 3) // 2)
        return "(" * pairs + fill(length - 2 * pairs, True) + ")" * pairs

    return fill(n, False)
