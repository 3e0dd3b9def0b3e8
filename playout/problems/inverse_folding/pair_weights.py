"""NEMO's weights of pairs and bases, the bias of inverse folding.

The tables are those that T. Cazenave and T. Fournier, Monte Carlo Inverse Folding, section 2.3,
print of F. Portela's NEMO (An unexpectedly effective Monte Carlo technique for the RNA inverse
folding problem, 2018); the bias is the logarithm of the weight.

- Paired bases: where two stacks of a multi-loop touch, without an unpaired base between them, the
  closing pair of the left one, seen from inside the loop, is mostly GC, that of the right one
  mostly AU. Going round the loop from 5' to 3' the right one comes first.
- An unpaired base next to a pair has a mismatch, the base on the other side of the pair. If that
  one is paired, its base decides; in an internal loop too, where a mismatch that has no base yet
  has weights of its own; in multi-loops and the exterior loop A is nearly certain. All else,
  mismatches of hairpins included, is the general case.

A weight of 0% is taken as 0.1%, so that no base is ruled out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from playout.problems.inverse_folding.structure import EXTERIOR, HAIRPIN, INTERIOR, MULTI, Structure

LEAST_PERCENT = 0.1  # percent

# GC or CG, AU or UA, GU or UG; both orders of a pair are equally likely
PAIR_WEIGHTS = {
    "general": (60, 33, 7),
    "left": (82, 11, 7),
    "right": (37, 56, 7),
}

# A, U, G, C
GENERAL = (93, 1, 5, 1)
JUNCTION = (97, 1, 1, 1)
INTERNAL_OPEN = (18, 4, 74, 4)
# the same for each base of the mismatch
MISMATCH_PAIRED = ((63, 0, 25, 12), (0, 55, 9, 36), (25, 12, 63, 0), (55, 36, 0, 9))
MISMATCH_INTERNAL = ((44, 0, 44, 12), (0, 67, 11, 22), (67, 11, 22, 0), (66, 17, 0, 17))

PAIR_GENERAL, PAIR_LEFT, PAIR_RIGHT = 0, 1, 2

# Rows of the table of bases. The last two kinds have five rows: for a mismatch without a base
# yet, then for A, U, G and C.
ROW_GENERAL, ROW_JUNCTION, ROW_PAIRED, ROW_INTERNAL = 0, 1, 2, 7


class Sites(NamedTuple):
    """Which weights hold where: the kind of each pair, by its first position; the row of each
    unpaired base, and the position whose base is to be added to the row, or -1."""

    pair_kind: np.ndarray
    row: np.ndarray
    mismatch: np.ndarray


def pair_biases() -> np.ndarray:
    """The bias of each of the 6 pairs, for each kind of pair."""
    rows = [[w / 2 for w in weights for _ in (0, 1)] for weights in PAIR_WEIGHTS.values()]
    return _logarithms(rows)


def base_biases() -> np.ndarray:
    """The bias of A, U, G and C, for each row."""
    rows = [GENERAL, JUNCTION, GENERAL, *MISMATCH_PAIRED]
    rows += [INTERNAL_OPEN, *MISMATCH_INTERNAL]
    return _logarithms(rows)


def _logarithms(percent: list) -> np.ndarray:
    return np.log(np.maximum(np.array(percent, np.float64), LEAST_PERCENT) / 100)


def classify(structure: Structure) -> Sites:
    """Where in a structure which weights hold."""
    n = len(structure.text)
    sites = Sites(
        np.full(n, PAIR_GENERAL, np.int8),
        np.full(n, ROW_GENERAL, np.int8),
        np.full(n, -1, np.int64),
    )
    for loop in structure.loops:
        if loop.kind == MULTI:
            _touching_stacks(loop.pairs, sites.pair_kind)
        for i in loop.unpaired:
            j = _mismatch(structure.partner, i)
            if j < 0:
                continue
            if structure.partner[j] >= 0:
                sites.row[i], sites.mismatch[i] = ROW_PAIRED, j
            elif loop.kind == INTERIOR:
                sites.row[i], sites.mismatch[i] = ROW_INTERNAL, j
            elif loop.kind in (MULTI, EXTERIOR):
                sites.row[i] = ROW_JUNCTION
            else:
                assert loop.kind == HAIRPIN  # the general case
    return sites


def _touching_stacks(pairs: tuple[tuple[int, int], ...], kind: np.ndarray) -> None:
    """Mark the pairs of a multi-loop whose stacks touch; one between two others is general."""
    (i, j), *inner = pairs
    # the ends of each stack as the loop is gone round: where it is entered, where it is left
    round_the_loop = [(j, i), *inner]
    shift = dict.fromkeys(pairs, 0)
    for a, (_, leaves) in enumerate(round_the_loop):
        enters, _ = round_the_loop[(a + 1) % len(round_the_loop)]
        if leaves + 1 == enters:
            shift[pairs[a]] -= 1
            shift[pairs[(a + 1) % len(pairs)]] += 1
    for (first, _), side in shift.items():
        if side:
            kind[first] = PAIR_LEFT if side > 0 else PAIR_RIGHT


def _mismatch(partner: np.ndarray, i: int) -> int:
    """The base across the pair beside an unpaired base, the pair after it first; or -1."""
    n = len(partner)
    if i + 1 < n and partner[i + 1] >= 0:
        across = int(partner[i + 1]) + 1
        if across < n and across != i:
            return across
    if i > 0 and partner[i - 1] >= 0:
        across = int(partner[i - 1]) - 1
        if across >= 0 and across != i:
            return across
    return -1
