"""An independent referee for sequences: letters, in plain Python, and nothing of the search."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from playout.errors import ProblemError
from playout.problems.inverse_folding.structure import BASES, PAIRS, Structure, motif_sets


def sequence_of(structure: Structure, moves: Iterable[tuple[int, int]]) -> str:
    """The letters that moves give: a position, and the number of its base or pair.

    Raises `ProblemError` if a position does not exist or has two bases.
    """
    letters = ["-"] * len(structure.partner)
    for i, number in moves:
        if not 0 <= i < len(letters) or letters[i] != "-":
            raise ProblemError(f"position {i + 1} does not exist or has a base already")
        j = int(structure.partner[i])
        choice = (BASES if j < 0 else PAIRS)[number]
        letters[i] = choice[0]
        if j >= 0:
            letters[j] = choice[1]
    return "".join(letters)


def fault_of(
    sequence: str, structure: Structure, allowed: Sequence[str], gc_bounds: tuple[int, int]
) -> str:
    """Why a sequence is none that the target, the bases and the G+C content allow; or ""."""
    for i, letter in enumerate(sequence):
        j = int(structure.partner[i])
        if letter not in allowed[i]:
            return f"position {i + 1} has {letter}, which is not allowed there"
        if i < j and letter + sequence[j] not in PAIRS:
            return f"positions {i + 1} and {j + 1} have {letter} and {sequence[j]}: no pair"
    content = sum(letter in "GC" for letter in sequence)
    low, high = gc_bounds
    if not low <= content <= high:
        return f"{content} of {len(sequence)} bases are G or C; {low} to {high} are allowed"
    return ""


def count_motifs(sequence: str, motifs: Sequence[str]) -> int:
    """How often motifs occur, overlapping ones as well.

    >>> count_motifs("AAUAAU", ["AAU"]), count_motifs("AAAAAA", ["AA"]), count_motifs("ACG", [])
    (2, 5, 0)
    """
    found = 0
    for _, sets in motif_sets(",".join(motifs)):
        pattern = "".join(f"[{bases}]" for bases in sets)
        found += len(re.findall(f"(?=({pattern}))", sequence))
    return found
