"""What an episode came to: the record, its file, and the replay that checks it."""

from __future__ import annotations

import math
import warnings
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playout._version import __version__
from playout.compiled import hash_record, wrapping
from playout.contract import Problem, score_word
from playout.errors import DataError, NotWrittenWarning, PlayoutError
from playout.pictures.film import Film
from playout.run.film import film
from playout.run.result import moves_to_lists
from playout.text.facts import facts_html, facts_text
from playout.text.json_text import is_natural, is_number, load_saved, with_checksum
from playout.text.numbers import counted
from playout.text.output_files import write_json

if TYPE_CHECKING:
    from playout.worlds.episode import Table

FORMAT = "playout-episode-1"


@dataclass(frozen=True)
class Decision:
    """What a move took: simulations, calls of `play`, its value, seconds, and if it came late."""

    simulations: int
    calls: int
    value: float
    seconds: float
    late: bool


@dataclass(frozen=True, repr=False)
class Episode:
    """A game that was played, as far as it came.

    Attributes
    ----------
    luck : int
        The seed of the game's luck: with the instance and the moves it says all that happened.
    score : float
        The score of the state that was reached, and `outcome` all of its outcome's fields.
    sense : "max" or "min"
        "min" if the score is a cost.
    state : str
        A digest of that state.
    moves : list of str
        What was played, for a person; `records` has the same as the problem's records.
    decisions : list of Decision
        What each move took.
    stopped_by : str
        "end", "interrupt", or "error" if the game could not be played on.
    verified : bool, or None
        Whether the moves, replayed in plain Python from the luck's seed, lead to this state; None
        if they were not replayed.

    Examples
    --------
    >>> import playout as po
    >>> played = po.episode("maximum:n=4", "openloop", "40 calls", seed=1, compiled=False)
    >>> played.stopped_by, played.verified, len(played.moves) == len(played.decisions)
    ('end', True, True)
    """

    problem: str
    instance: str
    algorithm: str
    budget: str
    seed: int
    luck: int
    score: float
    outcome: dict[str, float]
    state: str
    moves: list[str]
    records: list[list[Any]]
    decisions: list[Decision]
    stopped_by: str
    verified: bool | None
    version: str = ""
    sense: str = "max"

    @classmethod
    def of(
        cls,
        problem: Problem,
        *,
        instance: str,
        algorithm: str,
        budget: str,
        seeds: tuple[int, int],
        table: Table,
        stopped_by: str,
    ) -> Episode:
        """What was played at a table; `seeds` are the search's and the luck's."""
        moves = problem.new_moves(len(table.moves))
        for number, move in enumerate(table.moves):
            moves[number] = move
        return cls(
            problem=type(problem).__name__,
            instance=instance,
            algorithm=algorithm,
            budget=budget,
            seed=seeds[0],
            luck=seeds[1],
            score=table.score(),
            outcome=outcome_of(problem, table.states),
            state=state_digest(table.states),
            moves=list(table.texts),
            records=moves_to_lists(moves),
            decisions=list(table.decisions),
            stopped_by=stopped_by,
            verified=None,
            version=__version__,
            sense=problem.sense,
        )

    def checked(self, problem: Problem) -> Episode:
        """The same episode, with `verified` as a replay says it."""
        try:
            self.replay(problem)
        except PlayoutError:
            return replace(self, verified=False)
        return replace(self, verified=True)

    @property
    def calls(self) -> int:
        """The calls of `play` of all decisions."""
        return sum(decision.calls for decision in self.decisions)

    @property
    def simulations(self) -> int:
        """The simulations of all decisions."""
        return sum(decision.simulations for decision in self.decisions)

    @property
    def seconds(self) -> float:
        """The seconds of all decisions."""
        return sum(decision.seconds for decision in self.decisions)

    @property
    def late(self) -> int:
        """How many decisions came too late."""
        return sum(decision.late for decision in self.decisions)

    def replay(self, problem: Problem, luck: int | None = None) -> np.ndarray:
        """The state that the moves lead to, replayed in plain Python; an array of one.

        Raises `DataError` if it is another than the one that was reached: the luck, the instance
        or the moves are not those of the episode.
        """
        start = problem.root(self.luck if luck is None else luck)
        try:
            states = problem.replay(problem.as_moves(self.records), start)
        except PlayoutError as error:
            raise DataError(f"the episode does not replay: {error}") from None
        if state_digest(states) != self.state:
            raise DataError(
                "the episode does not replay: its moves lead to another state with this instance "
                f"and the luck of seed {self.luck if luck is None else luck}"
            )
        return states

    def film(self, problem: Problem) -> Film:
        """The episode in pictures, for a notebook or to `save` as .svg or .html."""
        return film(problem, self)

    def to_json(self) -> dict[str, Any]:
        """The episode as JSON data."""
        return self._data() | {
            "calls": self.calls,
            "simulations": self.simulations,
            "seconds": round(self.seconds, 6),
            "late": self.late,
        }

    def _data(self) -> dict[str, Any]:
        """All fields; that a score is to be high is not said."""
        data = asdict(self)
        if self.sense == "max":
            del data["sense"]
        return data

    def save(self, path: str | Path) -> None:
        """Write the episode as JSON, whole or not at all."""
        data = {"format": FORMAT, **self._data(), "score": _written(self.score)}
        data["outcome"] = {name: _written(value) for name, value in self.outcome.items()}
        write_json(Path(path), with_checksum(data))

    def save_if_possible(self, path: str | Path) -> None:
        """Write it at the end of a game, which a full disk must not cost: a warning tells of it."""
        try:
            self.save(path)
        except DataError as error:
            warnings.warn(str(error), NotWrittenWarning, stacklevel=2)

    @classmethod
    def load(cls, path: str | Path) -> Episode:
        """Read an episode that `save` wrote; `replay` says whether it is true."""
        found = load_saved(path, "an episode", FORMAT, cls._from_json, _GOOD)
        if not len(found.moves) == len(found.records) == len(found.decisions):
            raise DataError(f"{path} is damaged: its moves and decisions are not equally many")
        return found

    @classmethod
    def _from_json(cls, data: dict[str, Any]) -> Episode:
        data["score"] = float(data["score"])
        data["outcome"] = {name: float(value) for name, value in data["outcome"].items()}
        data["decisions"] = [Decision(**decision) for decision in data["decisions"]]
        return cls(**data)

    def __repr__(self) -> str:
        return (
            f"Episode(problem={self.problem!r}, algorithm={self.algorithm!r}, "
            f"score={self.score!r}, verified={self.verified}, {len(self.moves)} moves)"
        )

    def __str__(self) -> str:
        return facts_text(self._facts())

    def _repr_html_(self) -> str:
        return facts_html(self._facts())

    def _facts(self) -> list[tuple[str, str]]:
        moves = " ".join(self.moves)
        if len(moves) > 200:
            moves = moves[:200] + " ..."
        said = "the replay agrees" if self.verified else "THE REPLAY DOES NOT AGREE"
        said = "not replayed" if self.verified is None else said
        others = [f"{name} {value:g}" for name, value in self.outcome.items() if name != "score"]
        rate = f" ({self.calls / self.seconds:,.0f}/s)" if self.calls and self.seconds > 0 else ""
        return [
            ("problem", f"{self.problem} {self.instance}".strip()),
            ("search", f"{self.algorithm}, {self.budget} a move"),
            (score_word(self.sense), f"{self.score:.10g} ({', '.join([*others, said])})"),
            ("moves", f"{len(self.moves)}: {moves}"),
            ("calls", f"{self.calls:,} in {self.seconds:.2f} s{rate}"),
            *([("late", counted(self.late, "decision"))] if self.late else []),
            ("ended by", self.stopped_by),
            ("seed", f"{self.seed}, luck {self.luck}"),
        ]


def outcome_of(problem: Problem, states: np.ndarray) -> dict[str, float]:
    """What a state has come to, by the fields of its outcome."""
    out = np.zeros(1, problem.outcome_type)
    with wrapping():
        problem.outcome(states[0], 0, out[0])
    return {name: float(out[0][name]) for name in out.dtype.names or () if out[name].ndim == 1}


def state_digest(states: np.ndarray) -> str:
    """A state as sixteen letters and digits, another for another state."""
    with wrapping():
        return f"{int(hash_record(states[0])):016x}"


def _written(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)  # JSON has no infinity


def _list_of(value: Any, kind: type) -> bool:
    return isinstance(value, list) and all(isinstance(part, kind) for part in value)


def _is_decision(one: Decision) -> bool:
    counts = is_natural(one.simulations) and is_natural(one.calls)
    times = is_number(one.value) and is_number(one.seconds) and one.seconds >= 0
    return counts and times and isinstance(one.late, bool)


# what the fields of a saved episode must be
_GOOD: dict[str, Any] = {
    **dict.fromkeys(
        ("problem", "instance", "algorithm", "budget", "state", "stopped_by", "version"),
        lambda value: isinstance(value, str),
    ),
    "sense": lambda value: value in ("max", "min"),
    "seed": is_natural,
    "luck": lambda value: is_natural(value) and value < 2**63,
    "score": is_number,
    "outcome": lambda value: isinstance(value, dict) and all(map(is_number, value.values())),
    "moves": lambda value: _list_of(value, str),
    "records": lambda value: _list_of(value, list),
    "decisions": lambda value: all(map(_is_decision, value)),
    "verified": lambda value: value is None or isinstance(value, bool),
}
