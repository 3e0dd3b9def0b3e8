"""`design_rna`: RNA sequences whose minimum free energy structure is a target.

Each design is a search of its own (`playout/problems/inverse_folding`), which ends when a sequence
has the score 1. The sequences that were found are left out of those that follow, so that all
differ. Every design is folded again, by ViennaRNA's own Python call.
"""

from __future__ import annotations

import dataclasses
import html
import os
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playout.algorithms import GNRPA, load_algorithm
from playout.algorithms.algorithm import Algorithm
from playout.errors import DataError, OptionError
from playout.problems.instances import find_instance
from playout.problems.inverse_folding.folding import vienna
from playout.problems.inverse_folding.inverse_folding import InverseFolding
from playout.problems.inverse_folding.search_options import GNRPA_OPTIONS
from playout.problems.inverse_folding.target_files import differences, draw_text, fasta
from playout.provenance import cores
from playout.run.result import Result
from playout.run.solve import solve
from playout.stop import Progress, Stop, Target, budget_in, stop_of
from playout.text.numbers import counted
from playout.text.output_files import write_atomically

SECONDS = 60.0  # for each design


@dataclass(frozen=True)
class RnaDesign:
    """A sequence, and what there is to say of it: energies are in kcal/mol.

    `solved` says whether it folds into the target; `probability` is that of the target in the
    ensemble of all structures, `distance` the pairs in which fold and target differ, `gc` the share
    of G and C in percent.
    """

    target: str
    sequence: str
    structure: str
    solved: bool
    energy: float
    target_energy: float
    probability: float
    distance: int
    gc: float

    @classmethod
    def of(cls, problem: InverseFolding, result: Result) -> RnaDesign:
        """The sequence that a search came to, folded again for it."""
        sequence = problem.sequence(result.final_state(problem)[0])
        fold = problem.fold(sequence)
        return cls(
            target=problem.target,
            sequence=sequence,
            structure=fold.structure,
            solved=fold.distance == 0 and result.score == 1.0 and result.verified,
            energy=fold.energy / 100,
            target_energy=fold.target_energy / 100,
            probability=problem.ensemble(sequence).probability,
            distance=fold.distance,
            gc=round(100 * sum(base in "GC" for base in sequence) / problem.length, 2),
        )

    def text(self, number: int = 1, count: int = 1) -> str:
        """Target, sequence and fold under each other, what differs marked, and the energy.

        It is the design of this number, if several were asked for.
        """
        label = f"design {number}" if self.solved and count > 1 else "sequence"
        rows = [("target", self.target), (label, self.sequence), ("fold", self.structure)]
        marks = differences(self.target, self.structure)
        drawn = draw_text([*rows, ("", marks)] if marks.strip() else rows)
        return (
            f"{drawn}\nenergy {self.energy:.2f} kcal/mol, probability {self.probability:.3g} "
            f"in the ensemble, G+C {self.gc:.0f}%"
        )

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True, repr=False)
class RnaDesigns:
    """The designs for one target.

    Attributes
    ----------
    designs : list of RnaDesign
        Sequences that fold into the target, all different.
    best : RnaDesign
        The first of them; without any, the sequence that came nearest.
    count : int
        How many were asked for.
    results : list of Result
        The searches, in order; the last may have found nothing.

    Examples
    --------
    >>> import playout as po
    >>> found = po.design_rna("((((....))))", seed=1, workers=1)
    >>> len(found.designs), found.best.structure
    (1, '((((....))))')
    """

    name: str
    problem: InverseFolding
    designs: list[RnaDesign]
    best: RnaDesign
    count: int
    results: list[Result]

    @property
    def complete(self) -> bool:
        """Whether there are as many designs as were asked for."""
        return len(self.designs) >= self.count

    @property
    def stopped_by(self) -> str:
        """What ended the last search."""
        return self.results[-1].stopped_by

    def shortfall(self) -> str:
        """Why there are fewer designs than were asked for; empty if there are not."""
        found, result = len(self.designs), self.results[-1]
        if self.complete:
            return ""
        if found and found >= self.problem.designs():
            return f"there are no more: the target and the given bases allow {found} in all"
        if result.stopped_by == "interrupt":
            return f"interrupted after {found} of {self.count}"
        none = "no design found" if not found else f"{found} of {self.count} found, then none"
        return f"{none} in {result.seconds:.0f} s; what comes nearest has a score of " + (
            f"{result.score:.3f} (a design has 1)"
        )

    def to_json(self) -> dict[str, Any]:
        """The object that `playout rna --json` prints."""
        designs = [dataclasses.asdict(design) for design in self.designs]
        best = dataclasses.asdict(self.best)
        return {**self.results[0].to_json(), **best, "designs": designs}

    def fasta_entries(self) -> list[tuple[str, str]]:
        """A title and the sequence of each design."""
        return [
            (
                f"{self.name.replace(' ', '_')}_{number} energy={design.energy:.2f} "
                f"probability={design.probability:.4g} structure={design.structure}",
                design.sequence,
            )
            for number, design in enumerate(self.designs, 1)
        ]

    def save(self, path: str | Path) -> None:
        """Write the designs as FASTA, whole or not at all."""
        if not self.designs:
            raise DataError("there is no design to save")
        write_atomically(Path(path), fasta(self.fasta_entries()).encode())

    def __str__(self) -> str:
        shown = self.designs or [self.best]
        blocks = [design.text(n, self.count) for n, design in enumerate(shown, 1)]
        text = title_of(self.problem, self.name) + "\n" + "\n\n".join(blocks)
        return text if self.complete else f"{text}\n{self.shortfall()}"

    def __repr__(self) -> str:
        found = f"{len(self.designs)} of {self.count} designs"
        return f"RnaDesigns({self.name!r}, {found}, best={self.best.sequence!r})"

    def _repr_html_(self) -> str:
        picture = self.problem.svg(self.results[0].final_state(self.problem)[0])
        return f"<pre>{html.escape(str(self))}</pre>{picture}"


def title_of(problem: InverseFolding, name: str) -> str:
    """A target's name and size."""
    return f"{name}: {problem.length} nt, {counted(problem.pairs, 'pair')}"


def design_rna(
    target: InverseFolding | str,
    algorithm: Algorithm | str | None = None,
    stop: Stop | float | str | None = None,
    *,
    count: int = 1,
    seed: int | None = None,
    workers: int | None = None,
    found: Callable[[RnaDesign], None] | None = None,
    progress: Callable[[Progress], None] | None = None,
    **options: Any,
) -> RnaDesigns:
    """Design RNA sequences that fold into a structure (extra `rna`).

    Parameters
    ----------
    target : InverseFolding or str
        A text is what `playout rna` takes: a structure in dot-bracket notation, `FILE#3`, or
        `eterna100/12`.
    algorithm : Algorithm or str
        The search, GNRPA with the options that suit the problem if none is given.
    stop : Stop
        When to give up a design, `Seconds(60)` if nothing is said.
    seconds, playouts
        The same by name.
    count : int
        How many different sequences to find.
    seed : int
        With one worker a seed always finds the same designs.
    workers : int
        Threads, one a core if nothing is said.
    found : callable
        Called with each sequence as it is found: designs, and the first that is none.
    progress : callable
        Called with a `Progress` about ten times a second.
    options
        `parallel`, as of `solve`; for a text also the options of `InverseFolding`: `bases`,
        `gc_min`, `gc_max`, `forbid`, `model`, `dangles`, `temperature`, `order`; and `version`
        of Eterna100.

    Examples
    --------
    >>> import playout as po
    >>> designs = po.design_rna("((((....))))", seed=1, workers=1)
    >>> designs.best.structure
    '((((....))))'
    """
    parallel = options.pop("parallel", "root")
    stop = Target(1.0) | stop_of(stop, SECONDS, budget_in(options))
    problem, name = _target(target, options)
    algorithm = _algorithm(algorithm)
    seed = secrets.randbits(31) if seed is None else seed
    if count < 1:
        raise OptionError(f"count={count}: a whole number from 1")
    results: list[Result] = []
    shown: list[RnaDesign] = []
    before = set(problem.excluded)
    try:
        for attempt in range(count):
            result = solve(
                problem,
                algorithm,
                stop,
                seed=(seed + attempt) % 2**63,
                workers=workers or cores(),
                parallel=parallel,
                progress=progress,
                instance=name,
            )
            results.append(dataclasses.replace(result, problem="inversefolding"))
            design = RnaDesign.of(problem, result)
            if design.solved or not shown:
                shown.append(design)
                if found is not None:
                    found(design)
            if result.score < 1.0 or result.stopped_by == "interrupt":
                break
            problem.excluded.add(design.sequence)
            if len(problem.excluded) >= problem.designs():
                break
    finally:
        problem.excluded = before
    designs = [design for design in shown if design.solved]
    return RnaDesigns(name, problem, designs, shown[0], count, results)


def rna_targets(text: str, **options: Any) -> list[tuple[InverseFolding, str]]:
    """The problems that a text names, each with its name; a mistake in any is found at once.

    `options` are those of `InverseFolding`, and `version` of the puzzles of Eterna100.
    """
    path = Path(text)
    if os.path.isfile(text) and "#" not in path.name:  # a long structure is no name of a file
        problems = InverseFolding.read(path, **options)
        if not problems:
            raise DataError(f"{path}: there is no structure in the file")
        names = [problem.name or f"{path}#{k}" for k, problem in enumerate(problems, 1)]
        found = list(zip(problems, names, strict=True))
    elif text[:1] in ("(", ")", ".", "") and "/" not in text:
        own = {name: value for name, value in options.items() if name != "version"}
        found = [(InverseFolding(text.strip(), **own), "target")]
    else:
        found = [find_instance(InverseFolding, text, **options)]
    vienna()  # say that it is missing before anything is compiled
    return found


def _target(target: InverseFolding | str, options: dict[str, Any]) -> tuple[InverseFolding, str]:
    if isinstance(target, str):
        found = rna_targets(target, **options)
        if len(found) > 1:
            raise OptionError(f"{target} has {len(found)} targets: give one, as {target}#1")
        return found[0]
    for name in options:
        raise OptionError(f"{name} is an option of targets that are named by a text")
    if not isinstance(target, InverseFolding):
        raise OptionError(f"{target!r} is no target: give a structure or an InverseFolding")
    return target, target.name or "target"


def _algorithm(algorithm: Algorithm | str | None) -> Algorithm:
    if algorithm is None:
        return GNRPA(**GNRPA_OPTIONS)
    return load_algorithm(algorithm) if isinstance(algorithm, str) else algorithm
