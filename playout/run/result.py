"""The result of a run: what was found, at what cost, and whether the replay agrees."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from playout.algorithms import ALGORITHMS
from playout.contract import Problem, score_word
from playout.errors import DataError
from playout.pictures.film import Film
from playout.run.curve_picture import curve_svg
from playout.run.solution import Solution
from playout.text.facts import facts_html, facts_text
from playout.text.grammar import parse_named
from playout.text.json_text import is_natural, is_number, load_saved, with_checksum
from playout.text.output_files import write_atomically, write_json

FORMAT = "playout-result-1"
SHOWN = 200  # characters of the moves
ROUNDING = 1e-9  # of a score, as a part of it

# the keys of `--json`, in this order
KEYS = (
    "problem", "instance", "algorithm", "options", "seed", "score", "moves", "playouts",
    "seconds", "verified", "stopped_by", "curve",
)  # fmt: skip


@dataclass(frozen=True, repr=False)
class Result:
    """What a search found.

    Attributes
    ----------
    score : float
        The best score, as replaying the moves gives it.
    moves : list of str
        The best sequence for a person; `records` has the same moves as the problem's records.
    verified : bool
        Whether the moves, replayed by the rules in plain Python, are legal and give the score.
    stopped_by : str
        The criterion that ended the run, or "interrupt".
    curve : list of [seconds, playouts, score]
        Each improvement.
    counters : dict of str to int
        What the algorithm counts besides playouts, such as the expansions of a tree search.
    found_by : str
        Of a search that tries several things, such as `auto`, the one that found it: alone, with
        the same seed, it finds the same after `found_at` playouts.
    sense : "max" or "min"
        With "min" the score is a cost: lower is better.
    bound : float or None
        What no score can be better than, if that is known.
    solutions : list of Solution
        With `best=k`, the best k solutions that end in different states, each with `score`, `moves`
        and `records`.
    notes : list of str
        What is worth knowing, each in a line: options that cannot have mattered, why the replay
        does not agree.
    compiling : float
        Seconds in which playouts were made already while the run's clock waited for compiled code.
    begun : bool
        Whether it began with a solution that was given.
    open : bool
        Whether luck and hidden things were laid open: the moves work with this luck only.

    Examples
    --------
    >>> import playout as po
    >>> result = po.solve("maximum:n=9", "nmcs", "300 playouts", seed=1, compiled=False)
    >>> print(result)
    problem     Maximum default
    algorithm   nmcs
    score       6 (the replay agrees)
    ...
    """

    problem: str
    instance: str
    algorithm: str
    options: dict[str, Any]
    seed: int
    score: float
    moves: list[str]
    playouts: int
    seconds: float
    verified: bool
    stopped_by: str
    curve: list[list[float]]
    workers: int = 1
    version: str = ""
    records: list[list[Any]] = field(default_factory=list)
    counters: dict[str, int] = field(default_factory=dict)
    open: bool = False
    found_by: str = ""
    found_at: int = 0
    sense: str = "max"
    bound: float | None = None
    solutions: list[Solution] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    compiling: float = 0.0
    begun: bool = False

    def to_json(self) -> dict[str, Any]:
        """The object that `--json` prints."""
        data = {key: getattr(self, key) for key in KEYS}
        if self.found_by:
            data |= {"found_by": self.found_by, "found_at": self.found_at}
        if self.sense != "max":
            data["sense"] = self.sense
        if self.bound is not None:
            data |= {"bound": self.bound, "gap": self.gap}
        if self.solutions:
            data["solutions"] = self.solutions
        if self.notes:
            data["notes"] = self.notes
        if self.compiling:
            data["compiling"] = self.compiling
        if self.begun:
            data["begun"] = True
        return {**data, "open": True} if self.open else data

    def save(self, path: str | Path) -> None:
        """Write the result as JSON, whole or not at all."""
        data = {"format": FORMAT, **asdict(self)}
        if not self.open:
            del data["open"]
        if not self.found_by:
            del data["found_by"], data["found_at"]
        usual: dict[str, Any] = {"sense": "max", "bound": None, "solutions": [], "notes": []}
        usual |= {"compiling": 0.0, "begun": False}
        for name in [name for name, value in usual.items() if data[name] == value]:
            del data[name]
        # JSON has no infinity
        for found in (data, *data.get("solutions", [])):
            found["score"] = _to_json(found["score"])
        data["curve"] = [[_to_json(value) for value in point] for point in self.curve]
        write_json(Path(path), with_checksum(data))

    @classmethod
    def load(cls, path: str | Path) -> Result:
        """Read a result that `save` wrote."""
        return load_saved(path, "a result", FORMAT, cls._from_json, _GOOD)

    @classmethod
    def _from_json(cls, data: dict[str, Any]) -> Result:
        data["score"] = float(data["score"])
        data["curve"] = [[float(value) for value in point] for point in data["curve"]]
        data["solutions"] = [
            Solution({**found, "score": float(found["score"])})
            for found in data.get("solutions", [])
        ]
        return cls(**data)

    def final_state(self, problem: Problem) -> np.ndarray:
        """The state that the moves lead to, in an array of one, replayed in plain Python."""
        return problem.replay(problem.as_moves(self.records))

    def film(self, problem: Problem) -> Film:
        """The solution in pictures, for a notebook or to `save` as .svg or .html."""
        from playout.run.film import film

        return film(problem, self)

    def plot(self, path: str | Path | None = None) -> Any:
        """Draw the anytime curve with Matplotlib (extra `plot`); save it if a path is given.

        The figure shows itself in a notebook.
        """
        try:
            from playout.run.shown_figure import ShownFigure
        except ImportError:
            raise DataError("plotting needs Matplotlib: pip install 'playout[plot]'") from None
        figure = ShownFigure(figsize=(7, 4), layout="constrained")
        axes = figure.add_subplot()
        seconds = [max(point[0], 1e-3) for point in self.curve] + [max(self.seconds, 1e-3)]
        scores = [point[2] for point in self.curve] + [self.score]
        axes.step(seconds, scores, where="post", linewidth=2)
        axes.set_xscale("log")
        axes.set_xlabel("seconds")
        axes.set_ylabel(f"best {self.called}")
        axes.set_title(f"{self.problem} {self.instance}, {self.algorithm}")
        axes.grid(alpha=0.3)
        if path is not None:
            kind = Path(path).suffix.lstrip(".") or "png"
            buffer = io.BytesIO()
            try:
                figure.savefig(buffer, format=kind)
            except ValueError:
                raise DataError(f"cannot write {path}: {kind!r} is no picture format") from None
            write_atomically(Path(path), buffer.getvalue())
        return figure

    @property
    def called(self) -> str:
        """What the score is to a person: a score, or a cost."""
        return score_word(self.sense)

    @property
    def gap(self) -> float | None:
        """How far the score is from the bound, as a part of it; 0 where none can be better."""
        if self.bound is None:
            return None
        apart = abs(self.bound - self.score)
        if apart <= ROUNDING * max(abs(self.bound), abs(self.score)):
            return 0.0
        return apart / abs(self.score) if self.score else math.inf

    def _bound_text(self) -> str:
        assert self.bound is not None
        assert self.gap is not None
        ahead = (self.score - self.bound) * (-1 if self.sense == "min" else 1)
        if self.gap == 0:
            return f"{self.bound:.10g}: none can be better"
        if ahead > 0:
            return f"{self.bound:.10g} IS BEATEN: it is no bound"
        return f"{self.bound:.10g} (gap {self.gap:.2%})"

    def __repr__(self) -> str:
        return (
            f"Result(problem={self.problem!r}, instance={self.instance!r}, "
            f"algorithm={self.algorithm!r}, score={self.score!r}, verified={self.verified}, "
            f"{len(self.moves)} moves, {self.playouts} playouts, {self.seconds:.2f} s)"
        )

    def _repr_html_(self) -> str:
        curve = curve_svg(self.curve, self.seconds, self.algorithm, f"best {self.called}")
        return facts_html(self._facts(), curve)

    def __str__(self) -> str:
        return self.text()

    def text(self, moves: int | None = SHOWN) -> str:
        """The result as lines for a person, its moves in so many characters; None: all of them."""
        return facts_text(self._facts(moves))

    def _finder(self) -> list[tuple[str, str]]:
        """What found it, and what to add to the command to have the same from it alone."""
        if not self.found_by:
            return []
        found = ("found by", self.found_by)
        if self.workers > 1:
            return [found]
        named = parse_named(self.found_by, ALGORITHMS)
        options = "".join(f" -o {name}={value}" for name, value in named.options.items())
        budget = f"--playouts {self.found_at} --seed {self.seed}"
        same = ", begun with the same solution" if self.begun else ""
        return [found, ("alone", f"-a {named.name}{options} {budget}{same}")]

    def _facts(self, most: int | None = SHOWN) -> list[tuple[str, str]]:
        moves = _moves_text(self.moves, most)
        check = "the replay agrees" if self.verified else "THE REPLAY DOES NOT AGREE"
        spent = self.seconds + self.compiling
        rate = self.playouts / spent if spent > 0 else math.nan
        more = f" and {self.compiling:.2f} s of compiling" if self.compiling else ""
        counts = [f"{name.replace('_', ' ')} {n:,}" for name, n in self.counters.items()]
        return [
            ("problem", f"{self.problem} {self.instance}{' (open)' if self.open else ''}".strip()),
            (
                "algorithm",
                algorithm_text(self.algorithm, self.options),
            ),
            *self._finder(),
            (self.called, f"{self.score:.10g} ({check})"),
            *([("bound", self._bound_text())] if self.bound is not None else []),
            *(
                [("solutions", ", ".join(f"{found.score:.10g}" for found in self.solutions))]
                if self.solutions
                else []
            ),
            ("moves", f"{len(self.moves)}: {moves}"),
            ("playouts", f"{self.playouts:,} in {self.seconds:.2f} s{more} ({rate:,.0f}/s)"),
            *([("counted", ", ".join(counts))] if counts else []),
            *[("note", note) for note in self.notes],
            ("stopped by", self.stopped_by),
            ("seed", f"{self.seed}" + (f", {self.workers} workers" if self.workers > 1 else "")),
        ]


def _moves_text(moves: list[str], most: int | None) -> str:
    """The moves in a line; those with blanks in them parted by semicolons, and cut between two."""
    between = "; " if any(" " in move for move in moves) else " "
    text = between.join(moves)
    if most is None or len(text) <= most:
        return text
    cut = text.rfind(between, 0, most + len(between))
    return f"{text[: cut if cut > 0 else most]}{between}..."


def algorithm_text(algorithm: str, options: dict[str, Any]) -> str:
    """An algorithm with the options that are not its defaults, as the command line takes them."""
    cls = ALGORITHMS.get(algorithm)
    usual = {} if cls is None else json.loads(json.dumps(cls().options()))
    words = [
        f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in options.items()
        if usual.get(name) != value
    ]
    return " ".join([algorithm, *words])


def agree(score: Any, found: float) -> bool:
    """Whether a score computed in another way is the same but for rounding."""
    if not isinstance(score, int | float | np.number):
        return False
    return bool(score == found or abs(score - found) <= ROUNDING * abs(found) < math.inf)


def moves_to_lists(moves: np.ndarray) -> list[list[Any]]:
    """Move records as plain numbers."""
    if moves.dtype.names is None:
        return [[value] for value in moves.tolist()]
    return [[_plain(value) for value in move] for move in moves.tolist()]


def _is(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, kinds)


def _list_of(good: Callable[[Any], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, list) and all(map(good, value))


def _counters(value: Any) -> bool:
    return isinstance(value, dict) and all(map(is_natural, value.values()))


# what the fields of a saved result must be
_GOOD: dict[str, Callable[[Any], bool]] = {
    **dict.fromkeys(("problem", "instance", "algorithm", "stopped_by", "version"), _is(str)),
    **dict.fromkeys(("seed", "playouts", "workers"), is_natural),
    "options": _is(dict),
    **dict.fromkeys(
        ("seconds", "compiling"),
        lambda value: is_number(value) and math.isfinite(value) and value >= 0,
    ),
    "verified": _is(bool),
    "open": _is(bool),
    "found_by": _is(str),
    "bound": lambda value: value is None or is_number(value),
    "solutions": _list_of(
        lambda found: (
            isinstance(found, dict)
            and "score" in found
            and all(isinstance(found.get(name), list) for name in ("moves", "records"))
        )
    ),
    "notes": _list_of(_is(str)),
    "sense": lambda value: value in ("max", "min"),
    "found_at": is_natural,
    "begun": _is(bool),
    "moves": _list_of(_is(str)),
    "records": _list_of(_is(list)),
    "curve": _list_of(lambda point: len(point) == 3),
    "counters": _counters,
}


def _to_json(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    return list(value) if isinstance(value, tuple) else value
