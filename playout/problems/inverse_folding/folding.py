"""Folding by ViennaRNA (extra `rna`), called without holding the GIL.

The extension module of ViennaRNA's Python package exports its C functions. Calling them through
ctypes lets the GIL go, so that threads fold in parallel, and costs a few microseconds. `refold`
and `ensemble` use the package's own Python calls: they are what a result is checked with.

The parameters of an energy model are global variables of the library, read when a folding is
prepared. Here they are read once for each model, kept, and handed to every folding: models do not
disturb each other, and another part of the program may load others at any time.

R. Lorenz et al., ViennaRNA Package 2.0, Algorithms for Molecular Biology, 2011.
"""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from typing import Any, NamedTuple

from playout.errors import DataError, OptionError
from playout.problems.inverse_folding.structure import PAIRS, pairs_of

MODELS = ("default", "turner1999")
DANGLES = (0, 1, 2, 3)
COLDEST, HOTTEST = 0.0, 100.0  # degrees Celsius
EVALUATE_ONLY = 8  # ViennaRNA's VRNA_OPTION_EVAL_ONLY: a sequence whose structures are given
MOST_RIVALS = 50
CANONICAL = frozenset((ord(pair[0]), ord(pair[1])) for pair in PAIRS)


class Model(NamedTuple):
    """An energy model: parameters, treatment of dangling ends, temperature in degrees Celsius."""

    parameters: str = "default"
    dangles: int = 2
    temperature: float = 37.0

    def check(self) -> Model:
        """The model itself; OptionError if there is none such."""
        if self.parameters not in MODELS:
            raise OptionError(f"model={self.parameters!r}: one of {', '.join(MODELS)}")
        if self.dangles not in DANGLES:
            raise OptionError(f"dangles={self.dangles!r}: one of 0, 1, 2, 3")
        if not COLDEST <= self.temperature <= HOTTEST:
            raise OptionError(
                f"temperature={self.temperature!r}: degrees Celsius from {COLDEST:g} to {HOTTEST:g}"
            )
        return self


class Fold(NamedTuple):
    """How a sequence folds: energies in hundredths of kcal/mol, pairs that differ."""

    structure: str
    energy: int
    target_energy: int
    distance: int


def score_of(fold: Fold, pairs: int) -> float:
    """NEMO's score of a fold, for a target of so many pairs: 1 if the target is its structure."""
    if fold.distance == 0:
        return 1.0
    match = 1.0 - fold.distance / (2.0 * max(1, pairs))
    factor = 1.0 + (fold.target_energy - fold.energy) / 100.0
    return match / factor if match > 0 else match * factor


class Ensemble(NamedTuple):
    """All structures of a sequence: their free energy, and the probability of one of them."""

    energy: float
    probability: float


def vienna() -> Any:
    """The package of ViennaRNA; DataError if it is not installed."""
    try:
        import RNA
    except ImportError:
        raise DataError(
            "folding RNA needs ViennaRNA: pip install 'playout[rna]' (or pip install ViennaRNA)"
        ) from None
    return RNA


_LOADING = threading.Lock()


class _Prepared:
    """A model as ViennaRNA's objects."""

    def __init__(self, model: Model) -> None:
        RNA = vienna()
        self.details = RNA.md()
        self.details.dangles = model.dangles
        self.details.temperature = model.temperature
        other = RNA.md()
        other.temperature = model.temperature + 1
        with _LOADING:
            if model.parameters == "turner1999":
                RNA.params_load_RNA_Turner1999()
            else:
                RNA.params_load_RNA_Turner2004()
            # The library keeps the last parameters it made, and gives them again for the same
            # details even if others have been loaded since: ask for other details between.
            RNA.param(other)
            RNA.exp_param(other)
            self.parameters = RNA.param(self.details)
            self.boltzmann = RNA.exp_param(self.details)
            if model.parameters != "default":
                RNA.params_load_RNA_Turner2004()
                RNA.param(other)
                RNA.exp_param(other)

    def compound(self, sequence: str) -> Any:
        """A sequence ready to be folded by the package's Python calls."""
        compound = vienna().fold_compound(sequence, self.details)
        compound.params_subst(self.parameters)
        return compound


@cache
def _prepared(model: Model) -> _Prepared:
    return _Prepared(model)


@cache
def _library() -> Any:
    """The C functions; None if this build of ViennaRNA does not show them."""
    vienna()
    import RNA._RNA

    pointer, text = ctypes.c_void_p, ctypes.c_char_p
    signatures: dict[str, tuple[Any, ...]] = {
        "vrna_fold_compound": (pointer, text, pointer, ctypes.c_uint),
        "vrna_params_subst": (None, pointer, pointer),
        "vrna_mfe": (ctypes.c_float, pointer, text),
        "vrna_eval_structure_pt": (ctypes.c_int, pointer, pointer),
        "vrna_bp_distance": (ctypes.c_int, text, text),
        "vrna_fold_compound_free": (None, pointer),
    }
    try:
        library = ctypes.CDLL(RNA._RNA.__file__)
        for name, (result, *arguments) in signatures.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
    except (OSError, AttributeError):
        return None
    return library


class Folder:
    """Folds sequences of one target in one model. Threads may share it."""

    def __init__(self, target: str, model: Model) -> None:
        self.target = target
        self._model = model
        self._target = target.encode()
        self._prepared = _prepared(model)
        self._details = int(self._prepared.details.this)
        self._parameters = int(self._prepared.parameters.this)
        self._library = _library()
        table = vienna().ptable(target)
        self._pairs = (ctypes.c_short * len(table))(*table)
        self._pairs_at = ctypes.addressof(self._pairs)

    def fold(self, sequence: bytes) -> Fold:
        """How a sequence folds, without the GIL."""
        library = self._library
        if library is None:
            return refold(sequence.decode(), self.target, self._model)
        compound = library.vrna_fold_compound(sequence, self._details, 0)
        if not compound:
            raise DataError(f"ViennaRNA cannot fold {len(sequence)} nt")
        structure = ctypes.create_string_buffer(len(sequence) + 1)
        library.vrna_params_subst(compound, self._parameters)
        energy = round(100 * library.vrna_mfe(compound, structure))
        if structure.value == self._target:
            at_target, distance = energy, 0
        else:
            at_target = library.vrna_eval_structure_pt(compound, self._pairs_at)
            distance = library.vrna_bp_distance(structure.value, self._target)
        library.vrna_fold_compound_free(compound)
        return Fold(structure.value.decode(), energy, at_target, distance)


class Rival(NamedTuple):
    """A structure as ViennaRNA's table of pairs, where that is, and its pairs."""

    table: Any
    address: int
    pairs: list[tuple[int, int]]


class Rivals:
    """Structures that sequences of a target folded into, those that were of use last first.

    The energy of a given structure takes a hundredth of the time of a fold, and no fold lies above
    it: one rival that is too low tells that a sequence need not be folded.
    """

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._all: dict[str, Rival] = {}

    def add(self, structure: str) -> None:
        """Remember a structure; the one that has been of no use for longest is forgotten."""
        if structure in self._all:
            return
        partner = pairs_of(structure)
        table = (ctypes.c_short * (len(partner) + 1))(len(partner), *(j + 1 for j in partner))
        pairs = [(i, j) for i, j in enumerate(partner) if j > i]
        self._all[structure] = Rival(table, ctypes.addressof(table), pairs)
        if len(self._all) > MOST_RIVALS:
            del self._all[next(iter(self._all))]

    def beat(self, sequence: bytes, gap: float) -> bool:
        """Whether one of them lies more than a gap, in hundredths, below the target."""
        folder = self._folder
        library = folder._library
        if library is None:
            return False
        compound = library.vrna_fold_compound(sequence, folder._details, EVALUATE_ONLY)
        library.vrna_params_subst(compound, folder._parameters)
        highest = library.vrna_eval_structure_pt(compound, folder._pairs_at) - gap
        found = ""
        for structure, rival in reversed(self._all.items()):
            if library.vrna_eval_structure_pt(compound, rival.address) < highest and all(
                (sequence[i], sequence[j]) in CANONICAL for i, j in rival.pairs
            ):
                found = structure
                break
        library.vrna_fold_compound_free(compound)
        if found:
            self._all[found] = self._all.pop(found)
        return bool(found)


def refold(sequence: str, target: str, model: Model) -> Fold:
    """The same as `Folder.fold`, by ViennaRNA's own Python calls and nothing that it shares."""
    RNA = vienna()
    compound = _prepared(model).compound(sequence)
    structure, energy = compound.mfe()
    at_target = compound.eval_structure(target)
    ours, theirs = (_pairs(RNA.ptable(text)) for text in (structure, target))
    return Fold(structure, round(100 * energy), round(100 * at_target), len(ours ^ theirs))


def _pairs(table: Any) -> set[tuple[int, int]]:
    return {(i, j) for i, j in enumerate(table) if i and i < j}


def ensemble(sequence: str, structure: str, model: Model) -> Ensemble:
    """The ensemble of a sequence's structures, and the probability of one of them in it."""
    prepared = _prepared(model)
    compound = prepared.compound(sequence)
    _, energy = compound.mfe()
    compound.exp_params_subst(prepared.boltzmann)
    compound.exp_params_rescale(energy)
    _, free_energy = compound.pf()
    return Ensemble(float(free_energy), float(compound.pr_structure(structure)))
