"""What the lab is to do, checked; kept in a file, told as a command line and as Python."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from playout.text.grammar import named_text, value_text


@dataclass(frozen=True)
class Task:
    """What is to be done, checked: all of it names of lists, numbers, and paths from the start.

    `problem`, `game`, `search` and `algorithm` are texts as the command line takes them.
    """

    kind: str
    title: str = ""
    problem: str = ""
    instance: str = ""
    problem_options: dict[str, Any] = field(default_factory=dict)
    algorithm: str = ""
    algorithms: list[str] = field(default_factory=list)
    stop: dict[str, float] = field(default_factory=dict)
    seed: int | None = None
    workers: int = 1
    parallel: str = "root"
    runs: int = 1
    game: str = ""
    search: str = ""
    seat: int = 0
    moves: list[str] = field(default_factory=list)  # that a game begins with
    paper: str = ""
    scale: float = 1.0
    asked: dict[str, Any] = field(default_factory=dict)  # as the page's form has it

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Any) -> Task:
        """A task that was kept in a file; ValueError or TypeError if it is none."""
        task = cls(**data)
        for name, usual in vars(cls(kind="")).items():
            value = getattr(task, name)
            known = (int, float) if name in ("scale", "seed") else type(usual)
            if not (isinstance(value, known) or (name == "seed" and value is None)):
                raise ValueError(name)
        if not all(isinstance(text, str) for text in (*task.algorithms, *task.moves)):
            raise ValueError("a text")
        return task

    def command(self) -> str:
        """What does the same in a terminal."""
        return shlex.join(["playout", *_WORDS[self.kind](self)])

    def python(self) -> str:
        """What does the same in Python."""
        return _PYTHON[self.kind](self)


def as_stop(stop: Mapping[str, float]) -> Any:
    """Stop criteria from their numbers."""
    from playout.stop import AnyOf, Playouts, Runs, Seconds, Stagnation, Target

    kinds: dict[str, Any] = {
        "seconds": Seconds,
        "playouts": Playouts,
        "simulations": Playouts,
        "target": Target,
        "stagnation": Stagnation,
        "runs": Runs,
    }
    given = tuple(kinds[name](value) for name, value in stop.items())
    return given[0] if len(given) == 1 else AnyOf(given)


# the command line and Python


def _amount(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else repr(float(value))


def _solve_words(task: Task) -> list[str]:
    name, _, options = task.algorithm.partition(":")
    words = ["solve", *_what_words(task), "-a", name]
    for option in _split(options):
        words += ["-o", option]
    for kind, value in task.stop.items():
        words += [f"--{kind}", _amount(value)]
    words += ["--seed", str(task.seed)]
    if task.workers > 1:
        words += ["--workers", str(task.workers), "--parallel", task.parallel]
    return words


def _split(options: str) -> list[str]:
    """`level=3,N=10,20,30` as its options: a comma before no name belongs to a value."""
    return re.split(r",(?=[A-Za-z_])", options) if options else []


def _what_words(task: Task) -> list[str]:
    words = [task.problem, *([task.instance] if task.instance else [])]
    for name, value in task.problem_options.items():
        words += ["-p", f"{name}={value_text(value)}"]
    return words


def _compare_words(task: Task) -> list[str]:
    words = ["compare", *_what_words(task)]
    for text in task.algorithms:
        words += ["-a", text]
    ((kind, value),) = task.stop.items()
    return [*words, f"--{kind}", _amount(value), "--runs", str(task.runs)]


def _game_words(task: Task) -> list[str]:
    ((kind, value),) = task.stop.items()
    words = ["play", task.game, "-a", task.search, f"--{kind}", _amount(value)]
    if task.seat:
        words += ["--seat", str(task.seat + 1)]
    words += ["--seed", str(task.seed)]
    if task.moves:
        words += ["--moves", _line(task.moves)]
    return words + (["--workers", str(task.workers)] if task.workers > 1 else [])


def _line(moves: list[str]) -> str:
    """Moves in one line, as `--moves` reads them."""
    return (", " if any(" " in move for move in moves) else " ").join(moves)


def _paper_words(task: Task) -> list[str]:
    return ["reproduce", task.paper, "--scale", f"{task.scale:g}"]


def _stop_python(task: Task) -> str:
    names = {
        "seconds": "Seconds",
        "playouts": "Playouts",
        "simulations": "Playouts",
        "target": "Target",
        "stagnation": "Stagnation",
        "runs": "Runs",
    }
    return " | ".join(f"po.{names[name]}({_amount(value)})" for name, value in task.stop.items())


def _what_python(task: Task) -> tuple[str, str]:
    text = named_text(task.problem, task.problem_options) if task.problem_options else task.problem
    return repr(text), f", instance={task.instance!r}" if task.instance else ""


def _solve_python(task: Task) -> str:
    what, instance = _what_python(task)
    more = f", workers={task.workers}, parallel={task.parallel!r}" if task.workers > 1 else ""
    return (
        "import playout as po\n\n"
        f"result = po.solve({what}, {task.algorithm!r}, {_stop_python(task)}, "
        f"seed={task.seed}{more}{instance})\nprint(result)\n"
    )


def _compare_python(task: Task) -> str:
    what, instance = _what_python(task)
    return (
        "import playout as po\n\n"
        f"print(po.compare({what}, {task.algorithms!r}, {_stop_python(task)}, "
        f"runs={task.runs}{instance}))\n"
    )


def _game_python(task: Task) -> str:
    if not task.moves:
        return (
            "import playout as po\n\n"
            f"result = po.search({task.game!r}, {task.search!r}, {_stop_python(task)}, "
            f"seed={task.seed})\nprint(result)\n"
        )
    return (
        "import playout as po\n\n"
        f"game = po.games.load_game({task.game!r})\nstate = game.root({task.seed})\n"
        f"for move in {task.moves!r}:\n"
        "    game.play_move(state[0], game.parse_move(state[0], move))\n"
        f"result = po.search(game, {task.search!r}, {_stop_python(task)}, state=state, "
        f"seed={task.seed})\nprint(result)\n"
    )


def _paper_python(task: Task) -> str:
    return f"import playout as po\n\nprint(po.reproduce({task.paper!r}, scale={task.scale:g}))\n"


_WORDS = {
    "solve": _solve_words,
    "game": _game_words,
    "compare": _compare_words,
    "paper": _paper_words,
}
_PYTHON = {
    "solve": _solve_python,
    "game": _game_python,
    "compare": _compare_python,
    "paper": _paper_python,
}
