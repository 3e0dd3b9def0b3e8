"""The rules of inverse folding: bases for the pairs and the unpaired positions, one after another.

A move gives a pair of the target one of six pairs of bases, or an unpaired position one of four,
as in T. Cazenave and T. Fournier, Monte Carlo Inverse Folding, sections 2.2 and 3. The bias is the
logarithm of NEMO's weights (`pair_weights`).

Constraints: bases that are given (moves that break them are left out), G+C content (a table of
what is still within reach keeps every game within the bounds), and motifs that may not occur: moves
that complete one are left out unless all do.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from playout.compiled import record
from playout.contract import Problem
from playout.errors import OptionError
from playout.problems.inverse_folding.gc_content import content_fault, gc_bounds, reachable
from playout.problems.inverse_folding.pair_weights import base_biases, classify, pair_biases
from playout.problems.inverse_folding.structure import (
    BASES,
    MOST_LENGTH,
    PAIRS,
    Structure,
    base_sets,
    motif_sets,
)

CODE_STRIDE = MOST_LENGTH  # the paper's M


class Constraints(NamedTuple):
    """What sequences must have: see the parameters of `InverseFolding`."""

    bases: str
    gc_min: float
    gc_max: float
    forbid: str


class SequenceRules(Problem):
    """Sequences for a structure, within constraints; a subclass has the score."""

    site_fields = ("sites", "first", "second", "length", "allowed", "pair_first", "pair_second")
    constraint_fields = ("strong", "bounded", "reach", "motifs", "motif_lengths")
    weight_fields = ("pair_kind", "row", "mismatch", "pair_bias", "base_bias")
    fields: tuple[str, ...] = (*site_fields, *constraint_fields, *weight_fields)

    def __init__(self, structure: Structure, pairs_first: bool, constraints: Constraints) -> None:
        self.structure, self.pairs = structure, structure.pairs
        n = self.length = len(structure.text)
        partner = structure.partner
        sites = [i for i in range(n) if partner[i] < 0 or partner[i] > i]
        if pairs_first:
            sites.sort(key=lambda i: partner[i] < 0)
        self.sites = len(sites)
        self.first = np.array(sites, np.int64)
        self.second = partner[self.first]  # -1 for an unpaired position
        self.pair_first = np.array([BASES.index(pair[0]) + 1 for pair in PAIRS], np.int8)
        self.pair_second = np.array([BASES.index(pair[1]) + 1 for pair in PAIRS], np.int8)

        self.allowed_bases = base_sets(constraints.bases, structure)
        self.allowed = np.zeros((self.sites, len(PAIRS)), np.uint8)
        self.strong = np.zeros((self.sites, len(PAIRS)), np.int8)  # G and C that a move adds
        for site, (i, j) in enumerate(zip(sites, self.second.tolist(), strict=True)):
            for number, choice in enumerate(PAIRS if j >= 0 else BASES):
                self.strong[site, number] = sum(base in "GC" for base in choice)
                fits = choice[0] in self.allowed_bases[i]
                fits = fits and (j < 0 or choice[1] in self.allowed_bases[j])
                self.allowed[site, number] = fits
        self._bound_content(constraints.gc_min, constraints.gc_max)
        self._forbid_motifs(constraints.forbid)

        self.pair_kind, self.row, self.mismatch = classify(structure)
        self.pair_bias, self.base_bias = pair_biases(), base_biases()

        self.max_moves, self.max_length = len(PAIRS), self.sites
        self.move_type = record(index="i2", number="i2")
        # in steps of 128, so that most targets share their compiled code
        self.state_type = record(
            done="i8", strong="i8", broken="i8", bases=("i1", -(-n // 128) * 128)
        )

    def _bound_content(self, gc_min: float, gc_max: float) -> None:
        """Keep the G+C content between bounds; OptionError if no sequence is."""
        n = self.length
        self.gc_bounds = gc_bounds(gc_min, gc_max, n)
        self.bounded = self.gc_bounds != (0, n)
        self.reach = np.zeros((1, 1), np.uint8)
        if self.bounded:
            self.reach = reachable(self.allowed, self.strong, self.gc_bounds, n)
            if not self.reach[0, 0]:
                raise OptionError(content_fault(self.allowed, self.strong, n, gc_min, gc_max))

    def _forbid_motifs(self, forbid: str) -> None:
        """Forbid motifs; OptionError if the given bases already have one."""
        found = motif_sets(forbid)
        self.forbidden = [word for word, _ in found]
        self.motif_lengths = np.array([len(sets) for _, sets in found], np.int64)
        self.motifs = np.zeros((len(found), max([1, *self.motif_lengths.tolist()])), np.uint8)
        for number, (word, sets) in enumerate(found):
            for k, allowed in enumerate(sets):
                self.motifs[number, k] = sum(1 << (BASES.index(base) + 1) for base in allowed)
            for start in range(self.length - len(sets) + 1):
                given = self.allowed_bases[start : start + len(sets)]
                if all(set(there) <= set(motif) for there, motif in zip(given, sets, strict=True)):
                    raise OptionError(
                        f"forbid={word}: position {start + 1} has it whatever the bases there"
                    )

    def reset(self, state):
        state.done = 0

    def moves(self, state, moves):
        site = state.done
        if site == self.sites:
            return 0
        n = 0
        if len(self.motif_lengths) > 0:
            for number in range(6):
                if self._fits(state, site, number) and self._occurrences(state, site, number) == 0:
                    moves[n].index = self.first[site]
                    moves[n].number = number
                    n += 1
        if n == 0:
            for number in range(6):
                if self._fits(state, site, number):
                    moves[n].index = self.first[site]
                    moves[n].number = number
                    n += 1
        return n

    def _fits(self, state, site, number):
        """Whether the given bases and the bounds of G+C leave a move."""
        if self.allowed[site, number] == 0:
            return False
        if not self.bounded:
            return True
        return self.reach[site + 1, state.strong + self.strong[site, number]] != 0

    def _occurrences(self, state, site, number):
        """How many occurrences of motifs a move completes."""
        bases, i, j = state.bases, self.first[site], self.second[site]
        here, there = number + 1, 0
        if j >= 0:
            here, there = self.pair_first[number], self.pair_second[number]
        found = 0
        for motif in range(len(self.motif_lengths)):
            length = self.motif_lengths[motif]
            for start in range(max(0, i - length + 1), min(i, self.length - length) + 1):
                found += self._occurs(bases, motif, start, i, here, j, there)
            if j >= 0:
                for start in range(max(i + 1, j - length + 1), min(j, self.length - length) + 1):
                    found += self._occurs(bases, motif, start, i, here, j, there)
        return found

    def _occurs(self, bases, motif, start, i, here, j, there):
        """1 if a motif is at a position once i and j have their bases."""
        for k in range(self.motif_lengths[motif]):
            at = start + k
            base = here if at == i else there if at == j else bases[at]
            if (self.motifs[motif, k] >> base) & 1 == 0:  # no motif has bit 0, for no base
                return 0
        return 1

    def play(self, state, move):
        site, number = state.done, np.int64(move.number)
        if len(self.motif_lengths) > 0:
            state.broken += self._occurrences(state, site, number)
        i, j = self.first[site], self.second[site]
        if j >= 0:
            state.bases[i] = self.pair_first[number]
            state.bases[j] = self.pair_second[number]
        else:
            state.bases[i] = number + 1
        state.strong += self.strong[site, number]
        state.done = site + 1

    def code(self, state, move):
        return np.uint64(move.index) + np.uint64(CODE_STRIDE) * np.uint64(move.number)

    def bias(self, state, move):
        i = self.first[state.done]
        if self.second[state.done] >= 0:
            return self.pair_bias[self.pair_kind[i], move.number]
        row = np.int64(self.row[i])
        if self.mismatch[i] >= 0:
            row += state.bases[self.mismatch[i]]
        return self.base_bias[row, move.number]
