"""Mending a sequence that does not fold into its target: the `polish` of inverse folding.

Positions that the fold has wrong, and those beside them, get other bases, a few at a time; what is
no worse is kept. Parts of the target come first, from the smallest on: a stem with all that is on
it is folded alone, which takes a fraction of the time, and what is right there is mostly right in
the whole. New bases are drawn by NEMO's weights or, as often, evenly.

The idea of keeping what is right and drawing what is wrong again is of F. Portela, An unexpectedly
effective Monte Carlo technique for the RNA inverse folding problem, 2018.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from itertools import accumulate
from random import Random
from typing import Any, NamedTuple

from playout.problems.rna_fold import Fold, Folder, Model, score_of
from playout.problems.rna_structure import BASES, Structure, pairs_of

SMALLEST = 12  # positions of a part
GROWTH = 1.5  # a part is at least so many times as long as any within it
PATIENCE = 80  # folds of a part without progress
LAST_PATIENCE = 400  # the same of the whole
RETRIES = 3  # of a part that is not right, each from new bases
EVENLY = 0.5  # share of the draws that leave the weights aside
ANYWHERE = 0.1  # share of the draws at places that are not at fault
MORE = 0.5  # chance of one more place in a step
LETTERS = bytes.maketrans(bytes(range(5)), b"-" + BASES.encode())


class Part(NamedTuple):
    """The target from position `first` to `last`: a stem with all that is on it, or the whole."""

    first: int
    last: int
    pairs: int
    folder: Folder
    sites: list[int]


class Site(NamedTuple):
    """A position, or a pair, with the bases that it may have."""

    first: int
    second: int  # -1 for an unpaired position
    choices: list[tuple[int, int]]
    weights: list[list[float]]  # for each base of `beside`, added up
    beside: int  # the position on which the weights depend; -1: on none


class Mender:
    """Mends sequences of one target. Threads may share it."""

    def __init__(
        self, target: str, structure: Structure, model: Model, sites: list[Site],
        gc_bounds: tuple[int, int], forbidden: list[re.Pattern[bytes]],
    ) -> None:  # fmt: skip
        self.target, self.sites = target, sites
        self.partner = structure.partner.tolist()
        self.gc_bounds, self.forbidden = gc_bounds, forbidden
        self._site_at = [0] * len(target)
        for number, site in enumerate(sites):
            self._site_at[site.first] = number
            if site.second >= 0:
                self._site_at[site.second] = number
        self.parts = [self._part(first, last, model) for first, last in parts_of(self.partner)]

    def _part(self, first: int, last: int, model: Model) -> Part:
        text = self.target[first : last + 1]
        sites = sorted({self._site_at[i] for i in range(first, last + 1)})
        return Part(first, last, max(1, text.count("(")), Folder(text, model), sites)

    def mend(
        self, bases: bytearray, seed: int, first: int, banned: set[str], ending: Callable[[], bool]
    ) -> float:
        """Change `bases` towards a design; its score, which is no lower than it was.

        The first sites stay as they are; a design that is banned is none.
        """
        rng, whole = Random(seed), self.parts[-1]
        best, best_score = bytes(bases), self._fold(bases, whole)[0]
        if best_score == 1.0:
            return best_score
        for number, part in enumerate(self.parts[:-1]):
            for _ in range(RETRIES):
                if ending() or (
                    self._improve(bases, part, PATIENCE, rng, first, banned, ending) == 1.0
                ):
                    break
                self._renew(bases, number, rng, first)
        score = self._improve(bases, whole, LAST_PATIENCE, rng, first, banned, ending)
        if score <= best_score:
            bases[:], score = best, best_score
        return score

    def _renew(self, bases: bytearray, number: int, rng: Random, first: int) -> None:
        """New bases for a part, but not where a smaller part is within it."""
        part, before = self.parts[number], bytes(bases)
        within = [p for p in self.parts[:number] if part.first <= p.first and p.last <= part.last]
        for site in part.sites:
            if site >= first:
                self._draw(bases, self.sites[site], rng, False)
        for smaller in within:
            span = slice(smaller.first, smaller.last + 1)
            bases[span] = before[span]
        if not self._is_allowed(bases):
            bases[:] = before

    def _improve(
        self, bases: bytearray, part: Part, patience: int, rng: Random, first: int,
        banned: set[str], ending: Callable[[], bool],
    ) -> float:  # fmt: skip
        """Change a part until it folds as it should or so many folds made it no better."""
        score, fold = self._fold(bases, part)
        tried, since = bytearray(bases), 0.0
        while score < 1.0 and since < patience and not ending():
            wrong = [site for site in self._at_fault(fold, part) if site >= first]
            anywhere = [site for site in part.sites if site >= first] if first else part.sites
            if not wrong:
                break
            tried[:] = bases
            while True:
                where = anywhere if rng.random() < ANYWHERE else wrong
                site = self.sites[where[int(rng.random() * len(where))]]
                self._draw(tried, site, rng, rng.random() < EVENLY)
                if rng.random() >= MORE:
                    break
            if tried == bases or not self._is_allowed(tried):
                since += 0.01  # nothing else may be left to try
                continue
            found, its_fold = self._fold(tried, part)
            if found == 1.0 and part is self.parts[-1] and _text(tried) in banned:
                found = score - 1.0
            since = 0.0 if found > score else since + 1.0
            if found >= score:
                bases[:], score, fold = tried, found, its_fold
        return score

    def _at_fault(self, fold: Fold, part: Part) -> list[int]:
        """The sites that the fold has wrong, those beside them and those it pairs them with."""
        first, last, partner, site_at = part.first, part.last, self.partner, self._site_at
        wrong: set[int] = set()
        for i, other in enumerate(pairs_of(fold.structure), start=first):
            other += first if other >= 0 else 0
            if other != partner[i]:
                wrong.update(site_at[max(first, i - 1) : min(last, i + 1) + 1])
                if other >= 0:
                    wrong.add(site_at[other])
        return sorted(wrong)

    def _draw(self, bases: bytearray, site: Site, rng: Random, evenly: bool) -> None:
        if evenly:
            choice = int(rng.random() * len(site.choices))
        else:
            weights = site.weights[bases[site.beside] if site.beside >= 0 else 0]
            x, choice = rng.random() * weights[-1], 0
            while weights[choice] <= x:
                choice += 1
        here, there = site.choices[choice]
        bases[site.first] = here
        if site.second >= 0:
            bases[site.second] = there

    def _is_allowed(self, bases: bytearray) -> bool:
        """Whether G+C content and motifs are as they should be."""
        low, high = self.gc_bounds
        if (low, high) != (0, len(bases)):
            strong = bases.count(BASES.index("G") + 1) + bases.count(BASES.index("C") + 1)
            if not low <= strong <= high:
                return False
        return not any(motif.search(bases.translate(LETTERS)) for motif in self.forbidden)

    def _fold(self, bases: bytearray, part: Part) -> tuple[float, Fold]:
        fold = part.folder.fold(bytes(bases[part.first : part.last + 1]).translate(LETTERS))
        return score_of(fold, part.pairs), fold


def parts_of(partner: list[int]) -> list[tuple[int, int]]:
    """The parts of a structure that are folded alone, from the shortest on, and the whole."""
    n = len(partner)
    stems = [
        (i, j)
        for i, j in enumerate(partner)
        if j > i and not (i > 0 and j + 1 < n and partner[i - 1] == j + 1)
    ]
    parts: list[tuple[int, int]] = []
    for i, j in sorted(stems, key=lambda stem: stem[1] - stem[0]):
        within = [b - a + 1 for a, b in parts if i <= a and b <= j]
        if j - i + 1 >= max(SMALLEST, GROWTH * max(within, default=0)) and (i, j) != (0, n - 1):
            parts.append((i, j))
    return [*parts, (0, n - 1)]


def added_up(biases: Any) -> list[float]:
    """Weights from their logarithms, each with all before it."""
    return list(accumulate(math.exp(bias) for bias in biases))


def _text(bases: bytearray) -> str:
    return bases.translate(LETTERS).decode()
