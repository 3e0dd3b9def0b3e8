"""`check_problem`: whether a problem keeps the contract, found out by random games.

The games are played in plain Python first, where NumPy checks every index, and then compiled
with the same random choices; the two must agree. What is wrong is told in the words of the
person who wrote the problem: which method, in which game, at which move, and what would be
right.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from html import escape
from inspect import isfunction
from typing import Any

import numpy as np

from playout.check.codes import codes_note
from playout.check.compiled import compare_compiled
from playout.check.compiled_veil import compare_veil
from playout.check.plain import PlainGames
from playout.check.planes import check_shapes, compare_planes
from playout.check.polish import check_polish
from playout.check.trace import CannotGoOn, Findings
from playout.check.veiled import check_veil
from playout.contract import Game, Problem, as_written
from playout.contract.playable import Playable
from playout.errors import ProblemError
from playout.text.numbers import counted


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: a short title, and where it was seen and what would be right."""

    title: str
    explanation: str

    def __str__(self) -> str:
        return f"{self.title}: {self.explanation}"


@dataclass(frozen=True)
class CheckReport:
    """What `check_problem` did and found. `notes` are allowed, but worth knowing.

    Examples
    --------
    >>> import playout as po
    >>> po.check_problem(po.problems.Maximum(9), games=3, compiled=False).passed
    True
    """

    problem: str
    games: int
    moves: int
    compiled: bool
    problems: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problems

    def __str__(self) -> str:
        forms = "plain and compiled" if self.compiled else "plain Python"
        played = f"{counted(self.games, 'game')}, {counted(self.moves, 'move')}, {forms}"
        if self.passed:
            lines = [f"{self.problem}: passed ({played})"]
        else:
            n = len(self.problems)
            lines = [f"{self.problem}: {n} problem{'s' if n > 1 else ''} ({played})"]
        lines += [f"  - {finding}" for finding in self.problems]
        lines += [f"  note: {note}" for note in self.notes]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"


def check_problem(
    problem: Game, *, games: int = 20, seed: int = 0, compiled: bool = True
) -> CheckReport:
    """Play random games and see whether the problem keeps the contract.

    Parameters
    ----------
    problem : Problem or Game
        The instance to check.
    games : int
        How many random games are played.
    seed : int
        Of the random choices; the same seed plays the same games.
    compiled : bool
        Whether the games are also played compiled and compared.

    Returns
    -------
    CheckReport
        `report.passed`, `report.problems`, and a readable `str(report)`.

    Examples
    --------
    >>> import playout as po
    >>> print(po.check_problem(po.problems.Maximum(9), games=3, compiled=False))
    Maximum: passed (3 games, ... moves, plain Python)
    """
    name = type(problem).__name__
    if isinstance(problem, type):
        raise ProblemError(f"{problem.__name__} is a class: give an instance of it")
    if not isinstance(problem, Game):
        raise ProblemError(f"{name} is neither a playout.Problem nor a playout.Game")
    findings = Findings()
    _check_declarations(problem, findings)
    if findings:
        return _report(name, 0, 0, False, findings)
    plain = PlainGames(problem, findings)
    with np.errstate(all="ignore"):  # what NumPy warns of is no finding
        with suppress(CannotGoOn):
            for game in range(games):
                plain.play(game, np.random.default_rng([seed, game]).random(problem.max_length))
            plain.end()
            if isinstance(problem, Problem) and problem.evaluate is not None and not findings:
                plain.check_evaluate()
            if isinstance(problem, Problem) and problem.bound is not None and not findings:
                plain.check_bound()
        if compiled and findings:
            findings.note("not compared with compiled code: plain Python comes first")
            compiled = False
        if compiled:
            compare_compiled(problem, plain.traces, findings)
        if compiled and not findings:
            compare_veil(problem, plain.traces, findings)
        if compiled and not findings:
            compare_planes(problem, plain.traces, findings)
        if isinstance(problem, Problem) and problem.polish is not None and not findings:
            between = problem.evaluate is not None  # it is plain Python in any case
            check_polish(problem, plain.traces, compiled and not between, findings)
        if not findings and (note := codes_note(problem)):
            findings.note(note)
    return _report(name, plain.games_played, plain.moves_played, compiled, findings)


def first_fault(problem: Any) -> str:
    """What one random game in plain Python shows to be wrong; empty if nothing is.

    Called where something cannot be compiled, and the reason is not seen in any one line.
    """
    if not isinstance(problem, Game):
        return ""
    report = check_problem(as_written(problem), games=1, compiled=False)
    return f"{report.problem}: {report.problems[0]}" if report.problems else ""


def _report(name: str, games: int, moves: int, compiled: bool, findings: Findings) -> CheckReport:
    problems = tuple(Finding(title, text) for title, text in findings.found.items())
    return CheckReport(name, games, moves, compiled, problems, tuple(findings.notes))


def _check_declarations(problem: Any, findings: Findings) -> None:
    try:
        problem.check_attributes()
    except ProblemError as error:
        findings.add("declarations", str(error))
        return
    name = type(problem).__name__
    for field in problem.fields:
        if not hasattr(problem, field):
            findings.add(
                "fields",
                f"{name}.fields names {field!r}, but the object has no such attribute: __init__ "
                f"should set self.{field}",
            )
    own = {**vars(Playable), "root": Game.root}
    for method, function in own.items():
        if isfunction(function) and getattr(type(problem), method) is not function:
            findings.add(
                f"{method}() is the package's own",
                f"{name} has a {method}() of its own, which would be called instead: rename it",
            )
    notation = [
        method
        for method in ("position_text", "read_position")
        if getattr(type(problem), method) is not getattr(Game, method)
    ]
    if len(notation) == 1:
        findings.add(
            "position_text() and read_position() go together", f"{name} has {notation[0]}() only"
        )
    check_shapes(problem, findings)
    check_veil(problem, findings)
    players = problem.players
    if not isinstance(players, int | np.integer) or players < 1:
        findings.add("players", f"{name}.players is {players!r}; it should be a number over 0")
    elif isinstance(problem, Problem) and players != 1:
        findings.add("players", f"{name} is a Problem, which has one player, not {players}")
