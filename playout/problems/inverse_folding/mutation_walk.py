"""A walk from a sequence to one that folds into its target: the `polish` of inverse folding.

The walk changes a few bases at a time, at positions that the fold has wrong and in the loops around
them, and lowers the energy by which the target lies above the fold, with a little for each pair
that differs. Steps upwards are taken as well, fewer the higher they are (simulated annealing at
one temperature): how high a step may be is drawn first, so that a sequence whose
target lies too far above a structure that was met before (`Rivals`) need not be folded.

Parts of the target come first, from the smallest on: a stem with all that is on it is folded
alone, which takes a fraction of the time, and what is right there is mostly right in the whole.
New bases are drawn by NEMO's weights or evenly; how often is drawn for each sequence, since some
targets need bases that the weights all but rule out.

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

from playout.problems.inverse_folding.folding import Fold, Folder, Model, Rivals, score_of
from playout.problems.inverse_folding.structure import BASES, PAIRS, Structure, motif_sets, pairs_of

SHORTEST_PART = 12  # positions
PART_GROWTH = 1.5  # a part is at least so many times as long as any within it
MEAN_RISE = 15.0  # hundredths of kcal/mol that a step upwards may be, in the mean
PAIR_COST = 2  # the same for each pair that differs
PART_PATIENCE = 100  # folds of a part without progress
WHOLE_PATIENCE = 1000  # the same of the whole
UNFOLDED_SHARE = 0.02  # of a fold, what a sequence counts that need not be folded
PART_TRIES = 3  # of a part that is not right, each but the first from new bases
EVEN_SHARE = 0.5, 0.9  # bounds of the share of draws that leave the weights aside
ANYWHERE_SHARE = 0.1  # of the draws, at sites that are not at fault
NEXT_SITE_CHANCE = 0.5  # that a step changes one more site
LETTERS = bytes.maketrans(bytes(range(5)), b"-" + BASES.encode())


class Part(NamedTuple):
    """The target from position `first` to `last`: a stem with all that is on it, or the whole.

    The stem itself may be open when a part is folded alone: in the whole it is held from outside.
    """

    first: int
    last: int
    stem: int  # pairs of the stem; 0 of the whole
    pairs: int
    folder: Folder
    sites: list[int]

    def is_right(self, fold: Fold) -> bool:
        """Whether all is as it should be, but for the stem."""
        inside = slice(self.stem, self.last + 1 - self.first - self.stem)
        return fold.structure[inside] == self.folder.target[inside]


class Site(NamedTuple):
    """A position, or a pair, with the bases that it may have."""

    first: int
    second: int  # -1 for an unpaired position
    choices: list[tuple[int, int]]
    weights: list[list[float]]  # for each base of `beside`, added up
    beside: int  # the position on which the weights depend; -1: on none


class WalkSettings(NamedTuple):
    """What holds while one sequence is improved."""

    rng: Random
    first: int  # the sites before it stay as they are
    banned: set[str]  # designs that are none
    ending: Callable[[], bool]
    even_share: float  # of the draws that leave the weights aside


class MutationWalk:
    """Improves sequences of one `InverseFolding`, by its weights and within its constraints.

    Threads may share it.
    """

    def __init__(self, problem: Any) -> None:
        self.target, self.sites = problem.target, sites_of(problem)
        self.partner = problem.structure.partner.tolist()
        self.gc_bounds = problem.gc_bounds
        self.forbidden = [
            re.compile("".join(f"[{bases}]" for bases in sets).encode())
            for _, sets in motif_sets(",".join(problem.forbidden))
        ]
        self._site_at = [0] * len(self.target)
        for number, site in enumerate(self.sites):
            self._site_at[site.first] = number
            if site.second >= 0:
                self._site_at[site.second] = number
        self._around = self._neighbours(problem.structure)
        self.parts = [
            self._part(first, last, problem.energy_model) for first, last in parts_of(self.partner)
        ]

    def _part(self, first: int, last: int, model: Model) -> Part:
        text = self.target[first : last + 1]
        sites = sorted({self._site_at[i] for i in range(first, last + 1)})
        stem = 0
        while len(text) < len(self.target) and self.partner[first + stem] == last - stem:
            stem += 1
        return Part(first, last, stem, max(1, text.count("(")), Folder(text, model), sites)

    def _neighbours(self, structure: Structure) -> list[set[int]]:
        """For each position the sites that bear on whether it is right.

        They are its own and those beside it, and of its loops the pairs and what is next to them.
        """
        n, partner = len(self.target), self.partner
        around = [set(self._site_at[max(0, i - 1) : i + 2]) for i in range(n)]
        for loop in structure.loops:
            paired = [i for pair in loop.pairs for i in pair]
            beside = [
                i
                for i in loop.unpaired
                if partner[max(0, i - 1)] >= 0 or partner[min(n - 1, i + 1)] >= 0
            ]
            sites = {self._site_at[i] for i in (*paired, *beside)}
            for i in (*paired, *loop.unpaired):
                around[i] |= sites
        return around

    def improve(
        self, bases: bytearray, seed: int, first: int, banned: set[str], ending: Callable[[], bool]
    ) -> float:
        """Change `bases` towards a design; its score, which is no lower than it was.

        The first sites stay as they are; a design that is banned is none.
        """
        rng, whole = Random(seed), self.parts[-1]
        settings = WalkSettings(rng, first, banned, ending, rng.uniform(*EVEN_SHARE))
        before, fold = bytes(bases), self._fold(bases, whole)
        if fold.distance == 0:
            return 1.0
        for number, part in enumerate(self.parts[:-1]):
            for retry in range(PART_TRIES):
                if retry:
                    self._renew(bases, number, rng, first)
                found = self._improve_part(bases, part, PART_PATIENCE, settings)
                if part.is_right(found) or ending():
                    break
        found = self._improve_part(bases, whole, WHOLE_PATIENCE, settings)
        score, score_before = score_of(found, whole.pairs), score_of(fold, whole.pairs)
        if score <= score_before:
            bases[:], score = before, score_before
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

    def _improve_part(
        self, bases: bytearray, part: Part, patience: float, settings: WalkSettings
    ) -> Fold:
        """Change a part until it folds as it should or so many folds made it no better."""
        rng, first, banned, ending, even_share = settings
        fold = self._fold(bases, part)
        cost = lowest = cost_of(fold)
        best, its_fold = bytes(bases), fold
        rivals = Rivals(part.folder)
        rivals.add(fold.structure)
        anywhere = [site for site in part.sites if site >= first]
        wrong = self._at_fault(fold, part, first)
        tried, since = bytearray(bases), 0.0
        while wrong and not part.is_right(fold) and since < patience and not ending():
            since += UNFOLDED_SHARE
            tried[:] = bases
            while True:
                where = anywhere if rng.random() < ANYWHERE_SHARE else wrong
                site = self.sites[where[int(rng.random() * len(where))]]
                self._draw(tried, site, rng, rng.random() < even_share)
                if rng.random() >= NEXT_SITE_CHANCE:
                    break
            if tried == bases or not self._is_allowed(tried):
                continue
            limit = cost - MEAN_RISE * math.log(1.0 - rng.random())
            if rivals.beat(self._sequence(tried, part), limit - PAIR_COST):
                continue
            since += 1.0
            found = self._fold(tried, part)
            if found.distance == 0 and part.stem == 0 and _text(tried) in banned:
                continue
            rivals.add(found.structure)
            cost_found = cost_of(found)
            if cost_found <= limit or part.is_right(found):
                bases[:], fold, cost = tried, found, cost_found
                wrong = self._at_fault(fold, part, first)
                if cost < lowest:
                    lowest, best, its_fold, since = cost, bytes(bases), fold, 0.0
        if part.is_right(fold):
            return fold
        bases[:] = best
        return its_fold

    def _at_fault(self, fold: Fold, part: Part, first: int) -> list[int]:
        """The sites that the fold has wrong, those beside them and those of their loops."""
        wrong: set[int] = set()
        for i, other in enumerate(pairs_of(fold.structure), start=part.first):
            if (other + part.first if other >= 0 else -1) != self.partner[i]:
                wrong.update(self._around[i])
        return [site for site in part.sites if site in wrong and site >= first]

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

    def _fold(self, bases: bytearray, part: Part) -> Fold:
        return part.folder.fold(self._sequence(bases, part))

    def _sequence(self, bases: bytearray, part: Part) -> bytes:
        return bytes(bases[part.first : part.last + 1]).translate(LETTERS)


def sites_of(problem: Any) -> list[Site]:
    """The sites of an `InverseFolding`, with its weights and the bases that it allows."""
    sites = []
    for number, (i, j) in enumerate(zip(problem.first.tolist(), problem.second.tolist())):
        allowed = [k for k in range(len(PAIRS)) if problem.allowed[number, k]]
        if j >= 0:
            choices = [(int(problem.pair_first[k]), int(problem.pair_second[k])) for k in allowed]
            weights = [added_up(problem.pair_bias[problem.pair_kind[i], allowed])]
        else:
            choices = [(k + 1, 0) for k in allowed]
            rows = [int(problem.row[i])]
            if problem.mismatch[i] >= 0:
                rows = [rows[0] + base for base in range(len(BASES) + 1)]
            weights = [added_up(problem.base_bias[row, allowed]) for row in rows]
        sites.append(Site(i, j, choices, weights, int(problem.mismatch[i]) if j < 0 else -1))
    return sites


def cost_of(fold: Fold) -> int:
    """What a walk lowers, in hundredths of kcal/mol: 0 if the target is the fold."""
    return fold.target_energy - fold.energy + PAIR_COST * fold.distance


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
        if j - i + 1 >= max(SHORTEST_PART, PART_GROWTH * max(within, default=0)) and (i, j) != (
            0,
            n - 1,
        ):
            parts.append((i, j))
    return [*parts, (0, n - 1)]


def added_up(biases: Any) -> list[float]:
    """Weights from their logarithms, each with all before it."""
    return list(accumulate(math.exp(bias) for bias in biases))


def _text(bases: bytearray) -> str:
    return bases.translate(LETTERS).decode()
