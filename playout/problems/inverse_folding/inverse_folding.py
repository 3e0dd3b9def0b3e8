"""RNA inverse folding: a sequence whose minimum free energy structure is the target.

The rules are in `sequence_rules`: a move gives a pair of the target, or an unpaired position, its
bases. A sequence is folded by ViennaRNA (`folding`) and scored as in F. Portela's NEMO: with the
difference of energies dG >= 0, in kcal/mol, between the target and the fold, and the number BPD of
pairs in which they differ, K = 1 - BPD / (2 pairs of the target) and

    score = K / (1 + dG) if K > 0, else K (1 + dG),

which is 1 for a design, a sequence that folds into the target, and less for all others; each
occurrence of a forbidden motif lowers it by 1. History in the codes, restarts relative to the
length, beam and stabilised playouts are GNRPA's options. A table remembers the scores of sequences
that have been folded (T. Cazenave and T. Fournier, Monte Carlo Inverse Folding, section 3.8).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from os import PathLike
from random import Random
from typing import Any, Literal

import numpy as np

from playout.contract.visible import Places
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
from playout.problems.inverse_folding.mutation_walk import LETTERS, MutationWalk
from playout.problems.inverse_folding.referee import count_motifs, fault_of, sequence_of
from playout.problems.inverse_folding.sequence_rules import Constraints, SequenceRules
from playout.problems.inverse_folding.structure import (
    BASES,
    MOST_LENGTH,
    PAIRS,
    parse_structure,
    random_structure,
)
from playout.problems.inverse_folding.target_files import (
    differences,
    draw_svg,
    draw_text,
    parse_targets,
    place,
)
from playout.text.input_files import read_text

TRANSFER_RNA = "(((((((..((((........)))).((((.........)))).....(((((.......))))))))))))...."
TABLE_BYTES = 64 << 20  # of the sequences that are remembered, more or less


@dataclass(kw_only=True, eq=False, repr=False)
class InverseFolding(SequenceRules):
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

    fields = (*SequenceRules.fields, "parameters", "dangles", "temperature")

    target: str = field(kw_only=False)
    model: Literal["default", "turner1999"] = "default"
    dangles: int = 2
    temperature: float = 37.0
    order: Literal["pairs", "string"] = "pairs"
    bases: str = ""
    gc_min: float = 0.0
    gc_max: float = 100.0
    forbid: str = ""

    def __post_init__(self) -> None:
        if self.order not in ("string", "pairs"):
            raise OptionError(f"order={self.order!r}: one of string, pairs")
        self.energy_model = Model(self.model, self.dangles, float(self.temperature)).check()
        self.parameters = MODELS.index(self.model)
        self.dangles, self.temperature = int(self.dangles), float(self.temperature)
        constraints = Constraints(self.bases, self.gc_min, self.gc_max, self.forbid)
        super().__init__(parse_structure(self.target), self.order == "pairs", constraints)
        self.name = ""
        self.excluded: set[str] = set()  # designs that are not to be found again
        self._folder: Folder | None = None
        self._walk: MutationWalk | None = None
        self._known: dict[bytes, float] = {}
        self._most_known = TABLE_BYTES // (self.length + 200)

    def check_attributes(self) -> None:
        """Before a search: load ViennaRNA, or miss it, and forget what earlier ones folded."""
        super().check_attributes()
        self._known.clear()
        self.folder  # noqa: B018

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
            self._folder = Folder(self.target, self.energy_model)
        return self._folder

    def _score(self, fold: Fold) -> float:
        return score_of(fold, self.pairs)

    def polish(self, state: Any, moves: Any, first: int, length: int, rng: Any) -> int:
        """Change a sequence by a walk, see `mutation_walk`; plain Python, as `evaluate` is."""
        if state.broken or length < self.sites:
            return length
        bases = bytearray(state.bases[: self.length].tobytes())
        score = self.walk.improve(bases, int(rng[0]), first, self.excluded, self.ending)
        self._known[bytes(bases)] = score
        for site in range(first, self.sites):
            i, j = int(self.first[site]), int(self.second[site])
            here = bases[i] - 1
            moves[site].number = here if j < 0 else _pair_number(bases[i], bases[j])
        return length

    @property
    def walk(self) -> MutationWalk:
        """What improves sequences; made when it is first needed."""
        if self._walk is None:
            self._walk = MutationWalk(self)
        return self._walk

    def verify(self, moves: Any) -> float:
        """The score of a sequence, folded again by ViennaRNA's own Python call.

        The sequence is put together from the moves alone, and the constraints are looked at again
        in its letters.
        """
        given = self.as_moves(moves)
        numbers = ((int(move["index"]), int(move["number"])) for move in given)
        sequence = sequence_of(self.structure, numbers)
        fault = self.fault(sequence)
        if fault:
            raise ProblemError(fault)
        score = self._score(refold(sequence, self.target, self.energy_model))
        return score - count_motifs(sequence, self.forbidden) - (sequence in self.excluded)

    def fault(self, sequence: str) -> str:
        """Why a sequence is none that the target, the bases and the G+C content allow; or ""."""
        return fault_of(sequence, self.structure, self.allowed_bases, self.gc_bounds)

    # designs, for people and programs

    def sequence(self, state: Any) -> str:
        """The bases so far, `-` where there is none."""
        return state.bases[: self.length].tobytes().translate(LETTERS).decode()

    def fold(self, sequence: str) -> Fold:
        """How a sequence folds, by ViennaRNA's own Python call."""
        return refold(sequence, self.target, self.energy_model)

    def ensemble(self, sequence: str) -> Ensemble:
        """The ensemble of a sequence, and the probability of the target in it."""
        return ensemble(sequence, self.target, self.energy_model)

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
        points = self._points()
        if not points:
            return ""
        sequence = self.sequence(state)
        summary = f"{self.length} nt, {self.pairs} pairs"
        if state.done == self.sites:
            summary += ", " + self.summary(sequence, self.fold(sequence))
        return draw_svg(points, self.structure.partner.tolist(), sequence, summary)

    def _points(self) -> list[tuple[float, float]]:
        """Where the positions are in the picture; without ViennaRNA there is none."""
        try:
            coordinates = vienna().get_xy_coordinates(self.target)
        except DataError:
            return []
        return place([(coordinates.get(i).X, coordinates.get(i).Y) for i in range(self.length)])

    def where(self, state: Any, move: Any) -> Places:
        """The position, the first of a pair."""
        points = self._points()
        return (points[int(move.index)],) if points else ()

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
        """The targets in a file: see `target_files` for its form."""
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
