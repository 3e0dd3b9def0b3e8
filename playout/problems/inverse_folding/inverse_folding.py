"""RNA inverse folding: a sequence whose minimum free energy structure is the target.

The model is that of T. Cazenave and T. Fournier, Monte Carlo Inverse Folding, sections 2.2 and 3:
a move gives a pair of the target one of six pairs of bases, or an unpaired position one of four.
A sequence is folded by ViennaRNA (`rna_fold`) and scored as in F. Portela's NEMO: with the
difference of energies dG >= 0, in kcal/mol, between the target and the fold, and the number BPD of
pairs in which they differ, K = 1 - BPD / (2 pairs of the target) and

    score = K / (1 + dG) if K > 0, else K (1 + dG),

which is 1 for a design, a sequence that folds into the target, and less for all others. The bias
is the logarithm of NEMO's weights (`rna_weights`). History in the codes, restarts relative to the
length, beam and stabilised playouts are GNRPA's options. A table remembers the scores of
sequences that have been folded (section 3.8).

Constraints: bases that are given (moves that break them are left out), G+C content (a table of
what is still within reach keeps every game within the bounds), and motifs that may not occur: moves
that complete one are left out unless all do, and each occurrence lowers the score by 1.
"""

from __future__ import annotations

import math
from os import PathLike
from random import Random
from typing import Any, Literal

import numpy as np

from playout.compiled import record
from playout.contract import Problem
from playout.errors import DataError, OptionError, ProblemError
from playout.problems.inverse_folding.folding import (
    MODELS,
    Ensemble,
    Fold,
    Folder,
    Model,
    ensemble,
    refold,
    score_of,
    vienna,
)
from playout.problems.inverse_folding.gc_content import gc_bounds, no_content, reachable
from playout.problems.inverse_folding.mutation_walk import LETTERS, Mender, mender_of
from playout.problems.inverse_folding.pair_weights import base_biases, classify, pair_biases
from playout.problems.inverse_folding.referee import count_motifs, fault_of, sequence_of
from playout.problems.inverse_folding.structure import (
    BASES,
    MOST_LENGTH,
    PAIRS,
    base_sets,
    motif_sets,
    parse_structure,
    random_structure,
)
from playout.problems.inverse_folding.target_files import (
    differences,
    draw_svg,
    draw_text,
    parse_targets,
)
from playout.text.input_files import read_text

TRANSFER_RNA = "(((((((..((((........)))).((((.........)))).....(((((.......))))))))))))...."
CODE_STRIDE = MOST_LENGTH  # the paper's M
TABLE_BYTES = 64 << 20  # of the sequences that are remembered, more or less


class InverseFolding(Problem):
    """Find a sequence that folds into a structure.

    Parameters
    ----------
    target : str
        The structure in dot-bracket notation.
    model : "default" or "turner1999"
        The energy parameters: ViennaRNA's default, Turner 2004, or Turner 1999.
    dangles : 0, 1, 2 or 3
        ViennaRNA's treatment of dangling ends.
    temperature : float
        In degrees Celsius.
    order : "pairs" or "string"
        Whether moves take all pairs before the unpaired positions, or follow the string. With the
        pairs first, the weights of mismatches know them.
    bases : str
        A IUPAC letter for each position: the bases that are allowed there.
    gc_min, gc_max : float
        Bounds of the share of G and C, in percent.
    forbid : str
        Motifs that may not occur, IUPAC, separated by commas.

    Examples
    --------
    >>> from playout.problems import InverseFolding
    >>> InverseFolding("(((....)))").pairs
    3
    """

    collections = {"eterna100": "eterna100/eterna100_puzzles.tsv"}

    fields = (
        "first", "second", "allowed", "strong", "pair_kind", "row", "mismatch", "pair_bias",
        "base_bias", "reach", "motifs", "motif_lengths", "sites", "length", "bounded", "pair_first",
        "pair_second", "parameters", "dangles", "temperature",
    )  # fmt: skip

    def __init__(
        self,
        target: str,
        *,
        model: Literal["default", "turner1999"] = "default",
        dangles: int = 2,
        temperature: float = 37.0,
        order: Literal["pairs", "string"] = "pairs",
        bases: str = "",
        gc_min: float = 0.0,
        gc_max: float = 100.0,
        forbid: str = "",
    ) -> None:
        if order not in ("string", "pairs"):
            raise OptionError(f"order={order!r}: one of string, pairs")
        self.model = Model(model, dangles, float(temperature)).check()
        self.parameters = MODELS.index(model)
        self.dangles, self.temperature = int(dangles), float(temperature)
        self.structure = parse_structure(target)
        self.target, self.pairs = target, self.structure.pairs
        self.name = ""
        n = self.length = len(target)

        partner = self.structure.partner
        places = [i for i in range(n) if partner[i] < 0 or partner[i] > i]
        if order == "pairs":
            places.sort(key=lambda i: partner[i] < 0)
        self.sites = len(places)
        self.first = np.array(places, np.int64)
        self.second = partner[self.first]  # -1 for an unpaired position
        self.pair_first = np.array([BASES.index(pair[0]) + 1 for pair in PAIRS], np.int8)
        self.pair_second = np.array([BASES.index(pair[1]) + 1 for pair in PAIRS], np.int8)

        self._sets = base_sets(bases, self.structure)
        self.allowed = np.zeros((self.sites, len(PAIRS)), np.uint8)
        self.strong = np.zeros((self.sites, len(PAIRS)), np.int8)  # G and C that a move adds
        for site, (i, j) in enumerate(zip(places, self.second.tolist(), strict=True)):
            for number, choice in enumerate(PAIRS if j >= 0 else BASES):
                self.strong[site, number] = sum(base in "GC" for base in choice)
                fits = choice[0] in self._sets[i] and (j < 0 or choice[1] in self._sets[j])
                self.allowed[site, number] = fits

        self.gc_bounds = gc_bounds(gc_min, gc_max, n)
        self.bounded = self.gc_bounds != (0, n)
        self.reach = np.zeros((1, 1), np.uint8)
        if self.bounded:
            self.reach = reachable(self.allowed, self.strong, self.gc_bounds, n)
            if not self.reach[0, 0]:
                raise OptionError(no_content(self.allowed, self.strong, n, gc_min, gc_max))

        found = motif_sets(forbid)
        self.forbidden = [word for word, _ in found]
        self.motif_lengths = np.array([len(sets) for _, sets in found], np.int64)
        self.motifs = np.zeros((len(found), max([1, *self.motif_lengths.tolist()])), np.uint8)
        for number, (word, sets) in enumerate(found):
            for k, allowed in enumerate(sets):
                self.motifs[number, k] = sum(1 << (BASES.index(base) + 1) for base in allowed)
            self._check_motif(word, sets)

        kinds = classify(self.structure)
        self.pair_kind, self.row, self.mismatch = kinds
        self.pair_bias, self.base_bias = pair_biases(), base_biases()

        self.excluded: set[str] = set()  # designs that are not to be found again
        self._folder: Folder | None = None
        self._mender: Mender | None = None
        self._known: dict[bytes, float] = {}
        self._most_known = TABLE_BYTES // (n + 200)

        self.max_moves, self.max_length = len(PAIRS), self.sites
        self.move_type = record(index="i2", number="i2")
        # in steps of 128, so that most targets share their compiled code
        self.state_type = record(
            done="i8", strong="i8", broken="i8", bases=("i1", -(-n // 128) * 128)
        )

    def _check_motif(self, word: str, sets: list[str]) -> None:
        """Refuse a motif that the given bases already have."""
        for start in range(self.length - len(sets) + 1):
            given = self._sets[start : start + len(sets)]
            if all(set(there) <= set(motif) for there, motif in zip(given, sets, strict=True)):
                raise OptionError(
                    f"forbid={word}: position {start + 1} has it whatever the bases there"
                )

    def check_attributes(self) -> None:
        """Before a search: load ViennaRNA, or miss it, and forget what earlier ones folded."""
        super().check_attributes()
        self._known.clear()
        self.folder  # noqa: B018

    # the rules

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

    # the score, in plain Python

    def evaluate(self, states: np.ndarray) -> np.ndarray:
        """The scores of finished games; a sequence that was folded before is not folded again."""
        known = self._known
        scores = np.empty(len(states))
        for k, (bases, broken) in enumerate(
            zip(states["bases"], states["broken"].tolist(), strict=True)
        ):
            key = bases[: self.length].tobytes()
            score = known.get(key)
            if score is None:
                sequence = key.translate(LETTERS)
                score = self._score(self.folder.fold(sequence))
                if len(known) >= self._most_known:
                    known.clear()
                known[key] = score
            scores[k] = score - broken
            if self.excluded and key.translate(LETTERS).decode() in self.excluded:
                scores[k] -= 1.0
        return scores

    @property
    def folder(self) -> Folder:
        """What folds sequences; made when it is first needed."""
        if self._folder is None:
            self._folder = Folder(self.target, self.model)
        return self._folder

    def _score(self, fold: Fold) -> float:
        return score_of(fold, self.pairs)

    def polish(self, state: Any, moves: Any, first: int, length: int, rng: Any) -> int:
        """Mend a sequence, see `rna_mend`; plain Python, as `evaluate` is."""
        if state.broken or length < self.sites:
            return length
        bases = bytearray(state.bases[: self.length].tobytes())
        score = self.mender.mend(bases, int(rng[0]), first, self.excluded, self.ending)
        self._known[bytes(bases)] = score
        for site in range(first, self.sites):
            i, j = int(self.first[site]), int(self.second[site])
            here = bases[i] - 1
            moves[site].number = here if j < 0 else _pair_number(bases[i], bases[j])
        return length

    @property
    def mender(self) -> Mender:
        """What mends sequences; made when it is first needed."""
        if self._mender is None:
            self._mender = mender_of(self)
        return self._mender

    def verify(self, moves: Any) -> float:
        """The score of a sequence, folded again by ViennaRNA's own Python call.

        The sequence is put together from the moves alone, and the constraints are looked at again
        in its letters.
        """
        numbers = ((int(move["index"]), int(move["number"])) for move in moves)
        sequence = sequence_of(self.structure, numbers)
        fault = self.fault(sequence)
        if fault:
            raise ProblemError(fault)
        score = self._score(refold(sequence, self.target, self.model))
        return score - count_motifs(sequence, self.forbidden) - (sequence in self.excluded)

    def fault(self, sequence: str) -> str:
        """Why a sequence is none that the target, the bases and the G+C content allow; or ""."""
        return fault_of(sequence, self.structure, self._sets, self.gc_bounds)

    # designs, for people and programs

    def sequence(self, state: Any) -> str:
        """The bases so far, `-` where there is none."""
        return state.bases[: self.length].tobytes().translate(LETTERS).decode()

    def fold(self, sequence: str) -> Fold:
        """How a sequence folds, by ViennaRNA's own Python call."""
        return refold(sequence, self.target, self.model)

    def ensemble(self, sequence: str) -> Ensemble:
        """The ensemble of a sequence, and the probability of the target in it."""
        return ensemble(sequence, self.target, self.model)

    def designs(self) -> float:
        """How many sequences there are at most, by pairs and given bases."""
        choices = self.allowed.sum(axis=1, dtype=np.int64).tolist()
        return math.prod(choices) if sum(map(math.log10, choices)) < 15 else math.inf

    def render(self, state: Any) -> str:
        sequence = self.sequence(state)
        rows = [("target", self.target), ("sequence", sequence)]
        if state.done < self.sites:
            return draw_text(rows)
        fold = self.fold(sequence)
        marks = differences(self.target, fold.structure)
        rows += [("fold", fold.structure), ("", marks)] if marks.strip() else [("fold", fold[0])]
        return draw_text(rows) + "\n" + self.summary(sequence, fold)

    def summary(self, sequence: str, fold: Fold) -> str:
        """A line about a sequence: energy, how near the target is, G+C content."""
        content = 100 * sum(letter in "GC" for letter in sequence) / self.length
        text = f"{fold.energy / 100:.2f} kcal/mol, G+C {content:.0f}%, "
        if fold.distance == 0:
            return text + f"probability {self.ensemble(sequence).probability:.3g} in the ensemble"
        gap = (fold.target_energy - fold.energy) / 100
        pairs = f"{fold.distance} pair{'s' if fold.distance > 1 else ''}"
        return text + f"differs in {pairs}, the target is {gap:.2f} kcal/mol above"

    def svg(self, state: Any) -> str:
        try:
            coordinates = vienna().get_xy_coordinates(self.target)
        except DataError:  # without ViennaRNA there is no picture
            return ""
        places = [(coordinates.get(i).X, coordinates.get(i).Y) for i in range(self.length)]
        sequence = self.sequence(state)
        summary = f"{self.length} nt, {self.pairs} pairs"
        if state.done == self.sites:
            summary += ", " + self.summary(sequence, self.fold(sequence))
        return draw_svg(places, self.structure.partner.tolist(), sequence, summary)

    def move_text(self, state: Any, move: Any) -> str:
        """The position, from 1, and its base; both of a pair."""
        i = int(move.index)
        j = int(self.structure.partner[i])
        if j < 0:
            return f"{i + 1}{BASES[move.number]}"
        pair = PAIRS[move.number]
        return f"{i + 1}{pair[0]}-{j + 1}{pair[1]}"

    # where instances come from

    @classmethod
    def default(cls, *, target: str = TRANSFER_RNA, **options: Any) -> InverseFolding:
        """The cloverleaf of a transfer RNA."""
        return cls(target, **options)

    @classmethod
    def random(cls, seed: int = 0, *, n: int = 60, **options: Any) -> InverseFolding:
        """A random structure of n positions, of stems of three pairs and more."""
        if not 1 <= n <= MOST_LENGTH:
            raise OptionError(f"n={n}: a whole number from 1 to {MOST_LENGTH}")
        rng = Random(seed)  # its random() is promised to stay the same for ever
        return cls(random_structure(rng, n), **options)

    @classmethod
    def read(
        cls, path: str | PathLike[str], *, version: Literal["v1", "v2"] = "v2", **options: Any
    ) -> list[InverseFolding]:
        """The targets in a file: see `rna_files` for its form."""
        return cls.parse(read_text(path), str(path), version=version, **options)

    @classmethod
    def parse(
        cls, text: str, source: str, *, version: Literal["v1", "v2"] = "v2", **options: Any
    ) -> list[InverseFolding]:
        """The targets in the text of a file; `source` is its name for error messages."""
        problems = []
        for name, structure in parse_targets(text, source, version):
            problems.append(cls(structure, **options))
            problems[-1].name = name
        return problems

    def write(self) -> str:
        return (f">{self.name}\n" if self.name else "") + self.target + "\n"


def _pair_number(here: int, there: int) -> int:
    return PAIRS.index(BASES[here - 1] + BASES[there - 1])
