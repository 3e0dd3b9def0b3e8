"""`train`: a network for a problem by policy iteration, or for a game by AlphaZero or MbM.

The model is written after each generation or epoch. What the training goes on from is in a folder
beside it: after Ctrl-C, a kill or the end of its time, the same call goes on where it was.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Unpack

from playout.contract import Game, Problem, is_veiled, refuse_costs
from playout.errors import OptionError
from playout.games import GAMES, load_game
from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings
from playout.learn.networks.model_file import need_safetensors
from playout.learn.networks.network_shape import shape_of
from playout.learn.networks.torch_device import device_of, need_torch
from playout.learn.policy_iteration.policy_iteration_settings import PolicyIterationSettings
from playout.learn.train_result import TrainingStatus, TrainResult
from playout.learn.training_settings import AUTO, TrainingSettings
from playout.problems import PROBLEMS
from playout.problems.instances import parse_options
from playout.stop import (
    Calls,
    CtrlC,
    Limits,
    Never,
    Playouts,
    Progress,
    Seconds,
    Stagnation,
    Stop,
    stop_of,
)
from playout.text.grammar import Named, parse_named
from playout.text.live_words import Shown
from playout.text.notebook_line import watched
from playout.text.output_files import check_writable
from playout.text.user_files import is_user_file, load_class

_SIZE = re.compile(r"(?P<columns>\d+)(x(?P<rows>\d+))?")


def train(
    what: Game | str,
    how: TrainingSettings | str | None = None,
    stop: Stop | float | str | None = None,
    *,
    out: str | Path | None = None,
    seed: int = 1,
    device: str = "auto",
    threads: int | None = None,
    cluster: str | None = None,
    progress: Callable[[TrainingStatus], None] | None = None,
    **limits: Unpack[Limits],
) -> TrainResult:
    """Train a network (extra `learn`), or go on with a training that was stopped.

    Parameters
    ----------
    what : Problem, Game or str
        One with `planes` and `output`. A text is what the command line takes: `samegame:7x7`, with
        options behind the size, `samegame:7x7,colours=4`, or a game, `connectfour:5x4`.
    how : settings or str
        `PolicyIterationSettings` for a problem, `AlphaZeroSettings` for a game, or a text: a
        preset, and settings that change it, as `quick:games=500` or `paper:method=mbm`. The default
        is `auto`: chosen by the board's size, the time and the device (`auto_settings.py`).
    stop : Stop
        `Seconds` of this call, or `Runs`, generations or epochs in all; by default only the
        settings say when it ends.
    seconds, target
        The same by name, `train("tictactoe", seconds=600)`: the first that holds ends the call.
    out : path
        Where the model goes, a `.safetensors` file; beside it is the folder that the training goes
        on from. By default it has the name of the problem or game and the method.
    threads : int
        Threads that play a problem's games, all cores by default; of a game's networks, 1.
    cluster : str
        Have games played on nodes of a Ray cluster, as `solve` has its workers; the network is
        trained here.
    progress : callable
        Called with a `TrainingStatus` a few times a second.

    Examples
    --------
    >>> import tempfile
    >>> import playout as po
    >>> few = "quick:method=mbm,epochs=1,games=3,simulations=5,most_steps=2,filters=4"
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     result = po.train("tictactoe", few, out=f"{folder}/model.safetensors", device="cpu")
    >>> result.name, result.method, len(result.log), result.stopped_by
    ('tictactoe', 'mbm', 1, 'end')
    """
    # mistakes first: PyTorch takes seconds to load
    rules, name = _rules(what)
    if is_veiled(rules):
        kept = "hides things from its players" if rules.hidden else "has luck in it"
        raise OptionError(f"{name} {kept}: training is for games in which all is in sight")
    settings, auto = _settings(rules, how)
    stop = _checked(stop_of(stop, Never(), limits, train))
    refuse_costs(rules, "train")
    shape_of(rules)
    method = getattr(settings, "method", "policy")
    path = Path(out if out is not None else _file_name(name, method))
    check_writable(path)
    torch = need_torch()
    need_safetensors()
    about: dict[str, Any] = {"name": name, "seed": seed, "device": device}
    workers = threads or os.cpu_count() or 1
    if auto is not None:
        from playout.learn.auto_settings import chosen_settings

        seconds = min((p.seconds for p in stop.parts() if isinstance(p, Seconds)), default=None)
        gpu = device_of(device).type != "cpu"
        settings = chosen_settings(
            rules, auto.options, path, seconds=seconds, gpu=gpu, threads=workers
        )
    if isinstance(rules, Problem):
        from playout.learn.policy_iteration.generations import PolicyIteration

        iteration = PolicyIteration(
            rules, settings, path, threads=workers, cluster=cluster, **about
        )
        return _run(iteration, stop, progress)
    from playout.learn.alphazero.epochs import AlphaZero

    before = torch.get_num_threads()
    torch.set_num_threads(threads or 1)
    try:
        return _run(AlphaZero(rules, settings, path, cluster=cluster, **about), stop, progress)
    finally:
        torch.set_num_threads(before)


def _run(
    training: Any, stop: Stop, progress: Callable[[TrainingStatus], None] | None
) -> TrainResult:
    """Train to the end, until the criterion holds, or until Ctrl-C."""
    reached: list[str] = []
    with CtrlC() as interrupt, watched(progress, lambda now: Shown([str(now)])) as told:

        def report(status: TrainingStatus) -> bool:
            if told is not None:
                told(status)
            now = _progress(status)
            reached[:] = [str(part) for part in stop.parts() if part.reached(now)]
            return interrupt.came or bool(reached)

        training.interrupted = lambda: interrupt.came
        whole = report(training.starting()) is False and training.run(report)
    return training.result("interrupt" if interrupt.came else "end" if whole else reached[0])


def _progress(status: TrainingStatus) -> Progress:
    """What a criterion looks at; the natural ends are the generations or epochs."""
    result = status.result
    best = max([result.score(entry) for entry in result.log], default=-math.inf)
    return Progress(result.seconds, 0, best, len(result.log), 0, status.rate)


def _checked(stop: Stop) -> Stop:
    for part in stop.parts():
        if isinstance(part, Calls | Playouts | Stagnation):
            raise OptionError(f"training does not stop by {part}: give Seconds or Runs")
    return stop


def _rules(what: Game | str) -> tuple[Game, str]:
    """The problem or game, and its name."""
    if not isinstance(what, str):
        if not isinstance(what, Game):
            raise OptionError(f"{what!r} is no problem or game: give an instance, or its name")
        what.check_attributes()
        return what, type(what).__name__.lower()
    if what.partition(":")[0].strip() in GAMES:
        return load_game(what), what
    named = parse_named(what, PROBLEMS, sized=True)
    if is_user_file(named.name) and not issubclass(load_class(named.name, Game), Problem):
        return load_game(what), what
    return _problem(named), _problem_name(named)


def _problem(named: Named) -> Problem:
    sized = _SIZE.fullmatch(named.first)
    if named.first and not sized:
        raise PROBLEMS.unknown(f"{named.name}:{named.first}")
    cls, given = PROBLEMS.find(named.name), dict(named.options)
    if sized:
        size = {"columns": sized["columns"], "rows": sized["rows"] or sized["columns"]}
        for key, value in size.items():
            if given.setdefault(key, value) != value:
                whole = f"{named.name}:{named.first}"
                raise OptionError(f"{whole} and {key}={given[key]}: give one of them")
    problem: Problem = cls.training(**parse_options(cls, given))
    problem.check_attributes()
    return problem


def _problem_name(named: Named) -> str:
    first = f"{named.name}:{named.first}" if named.first else named.name
    return " ".join([first, *(f"{key}={value}" for key, value in named.options.items())])


def _settings(rules: Game, how: TrainingSettings | str | None) -> tuple[Any, Named | None]:
    """The settings; for `auto` settings with its changes in them, and what was said."""
    kind: type[TrainingSettings] = AlphaZeroSettings
    if isinstance(rules, Problem):
        kind = PolicyIterationSettings
    if isinstance(how, TrainingSettings):
        if not isinstance(how, kind):
            raise OptionError(f"{type(rules).__name__} is trained by {kind.__name__}")
        return how, None
    named = parse_named(how or "")
    settings = kind.load(how or "")
    return settings, named if named.name in ("", AUTO) else None


def _file_name(name: str, method: str) -> str:
    stem = Path(re.sub(r"\.py\b", "", name)).name
    return re.sub(r"[^\w]+", "-", f"{stem}-{method}") + ".safetensors"
