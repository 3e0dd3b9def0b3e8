"""`solve`: search a problem and return a result that was checked by replay."""

from __future__ import annotations

import math
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from playout._version import __version__
from playout.algorithms import ALGORITHMS, load_algorithm
from playout.algorithms.algorithm import Algorithm
from playout.algorithms.search import Search
from playout.compiled import wrapping
from playout.contract import Problem, check_open, open_copy
from playout.errors import OptionError, ProblemError
from playout.problems.instances import open_problem
from playout.run.checkpoint import Identity, read_checkpoint, telling_damage
from playout.run.checkpoint_writer import CheckpointWriter
from playout.run.driver import Driver, quotas
from playout.run.hands import Worker
from playout.run.portfolio import Portfolio
from playout.run.result import Result, moves_to_lists
from playout.run.steps import make_step
from playout.stop import Progress, Runs, Stop, as_stop, refuse_calls
from playout.text.output_files import check_writable

PARALLEL = ("root", "leaf")
LOOK_SECONDS = 0.1


def solve(
    problem: Problem | str,
    algorithm: Algorithm | str | None = None,
    stop: Stop | float | str | None = None,
    *,
    seed: int | None = None,
    workers: int = 1,
    parallel: str = "root",
    compiled: bool = True,
    open: bool = False,
    checkpoint: str | Path | None = None,
    checkpoint_every: float = 10.0,
    progress: Callable[[Progress], None] | None = None,
    instance: str = "",
) -> Result:
    """Search a problem for the sequence of moves with the highest score.

    Parameters
    ----------
    problem : Problem, or text
        In text as on the command line: `"samegame"`, `"my_problem.py:Knapsack"`, with options
        `"tsptw:objective=makespan"`.
    algorithm : Algorithm, or text
        One of the option classes; in text `"nrpa:level=3"`. If none is given, `auto`: what suits
        the problem is found while it is searched.
    stop : Stop, seconds or text
        When to stop, `Seconds(10)` if none is given; criteria combine with `|`. In text `"10m"`
        or `"5000 playouts"`.
    seed : int
        The same seed and the same `Playouts` give the same result, bit for bit. Without one, a
        random seed is drawn; it is in the result.
    workers : int
        Threads. With `parallel="root"` each runs a search of its own; with `parallel="leaf"` they
        share out the playouts of each batch of one search (GNRPA's P times beam, NMCS's moves).
    compiled : bool
        False runs everything as plain Python.
    open : bool
        Search a problem with luck or hidden things in it as if all were known, from the start that
        `reset` writes; the result says so.
    checkpoint : path
        Go on from this file if it exists; write it every `checkpoint_every` seconds and at the
        end.
    progress : callable
        Called with a `Progress` about ten times a second.
    instance : str
        Of a problem given as text, the instance: a file, `random:7`, `standard/1`. Of an object, a
        name for its data, for the result and the checkpoint.

    Raises
    ------
    PlayoutError
        For anything that the caller can mend: an option, a problem that breaks the contract, a
        checkpoint of another run, a file that cannot be written.

    Examples
    --------
    >>> import playout as po
    >>> result = po.solve(po.problems.Maximum(9), po.NMCS(level=2), po.Playouts(500), seed=1)
    >>> result.score, result.verified
    (6.0, True)
    >>> po.solve("maximum:n=9", "nmcs:level=2", "500 playouts", seed=1).score
    6.0
    """
    if isinstance(problem, str):
        problem, instance = open_problem(problem, instance or None)
    if isinstance(algorithm, str):
        algorithm = load_algorithm(algorithm)
    problem = _checked(problem)
    _check_workers(workers, parallel)
    stop = as_stop(10 if stop is None else stop)
    refuse_calls(stop, "solve")
    algorithm = _usual_algorithm(stop) if algorithm is None else algorithm
    if not isinstance(algorithm, Algorithm):
        raise OptionError(f"{algorithm!r} is no algorithm: give one such as playout.GNRPA(level=3)")
    problem = open_copy(problem) if open else problem
    check_open(problem, algorithm.name)
    _check_runs(stop, algorithm)
    seed = secrets.randbits(31) if seed is None else _checked_seed(seed)
    path = Path(checkpoint) if checkpoint is not None else None
    if path is not None:
        check_writable(path)

    with wrapping():
        saved = path is not None
        identity = Identity.of(problem, instance, algorithm, seed, workers, parallel, saved)
        run = _start(problem, algorithm, stop, identity, compiled)
        if path is not None and path.exists():
            searches = [worker.search for worker in run.workers]
            fresh = [search.arrays() for search in searches]
            state = read_checkpoint(path, identity, searches)
            with telling_damage(path):
                for search, arrays in zip(searches, fresh, strict=True):
                    search.check_arrays(problem, arrays, compiled)
                run.restore(state)

        run.prepare()
        writer = None if path is None else CheckpointWriter(path, identity, checkpoint_every)

        def look(run: Driver) -> None:
            if progress is not None:
                progress(run.progress())
            if writer is not None:
                writer.look(run)

        run.go(look, LOOK_SECONDS)
        if run.playouts() == 0:
            raise KeyboardInterrupt
        if writer is not None:
            writer.last(run)
        if progress is not None:
            progress(run.progress())
        return _result(run, problem, identity)


def _start(
    problem: Problem, algorithm: Algorithm, stop: Stop, identity: Identity, compiled: bool
) -> Driver:
    """Fresh searches, one for each root worker, with streams of their own."""
    leaf = identity.parallel == "leaf" and identity.workers > 1
    threads = identity.workers if leaf and compiled else 1
    workers = []
    for number, quota in enumerate(quotas(stop, 1 if leaf else identity.workers)):
        if quota == 0:
            continue  # fewer playouts than workers
        search = algorithm.start(problem, worker_seed(identity.seed, number))
        step = search.make_step(problem, compiled, threads)
        workers.append(Worker(search, step or make_step(problem, compiled, threads), quota))
    return Driver(workers, stop)


def worker_seed(seed: int, worker: int) -> int:
    """The seed of a root worker; the first has the run's own."""
    return (seed + worker * 0x9E3779B97F4A7C15) % 2**64


def _result(run: Driver, problem: Problem, identity: Identity) -> Result:
    """The best sequence, replayed."""
    search = run.best_worker().search
    moves = search.best_moves()
    found = float(search.head[0].best_score)
    score, verified = found, False
    texts: list[str] = []
    try:
        replayed = problem.final_score(problem.replay(moves, texts=texts))
        verified = replayed == found and _agree(problem.verify(moves), found)
        score = replayed
    except ProblemError:  # an illegal move: not verified
        texts = _texts(problem, moves)
    return Result(
        problem=identity.problem,
        instance=identity.instance,
        algorithm=identity.algorithm,
        options=identity.options,
        seed=identity.seed,
        score=score,
        moves=texts,
        playouts=run.playouts(),
        seconds=round(run.seconds(), 6),
        verified=bool(verified),
        stopped_by=run.stopped_by,
        curve=run.final_curve(),
        workers=identity.workers,
        version=__version__,
        records=moves_to_lists(moves),
        counters=run.counters(),
        **_finder(search),
        open=problem.opened,
    )


def _finder(search: Search) -> dict[str, Any]:
    """What a search that tries several things says of its best sequence."""
    if not isinstance(search, Portfolio):
        return {}
    algorithm, playouts = search.found_by()
    return {"found_by": algorithm.text(), "found_at": playouts}


def _agree(score: float, found: float) -> bool:
    """Whether a score computed in another way is the same but for rounding."""
    return score == found or abs(score - found) <= 1e-9 * abs(found) < math.inf


def _texts(problem: Problem, moves: np.ndarray) -> list[str]:
    state = problem.root()
    texts = []
    for move in moves:
        texts.append(problem.move_text(state[0], move))
        problem.play(state[0], move)
    return texts


def _checked(problem: Any) -> Problem:
    if not isinstance(problem, Problem):
        what = problem.__name__ if isinstance(problem, type) else type(problem).__name__
        raise ProblemError(f"{what} is no problem: give an instance of a playout.Problem class")
    problem.check_attributes()
    return problem


def _check_workers(workers: int, parallel: str) -> None:
    if not isinstance(workers, int) or not 1 <= workers <= 1024:
        raise OptionError(f"workers={workers!r}: a whole number from 1 to 1024")
    if parallel not in PARALLEL:
        raise OptionError(f"parallel={parallel!r}: one of {', '.join(PARALLEL)}")


def _usual_algorithm(stop: Stop) -> Algorithm:
    """The algorithm where none is named; `auto` comes to no end of its own, GNRPA does."""
    name = "gnrpa" if any(isinstance(part, Runs) for part in stop.parts()) else "auto"
    algorithm: Algorithm = ALGORITHMS[name]()
    return algorithm


def _check_runs(stop: Stop, algorithm: Algorithm) -> None:
    endless = algorithm.name in ("auto", "random")
    if endless and any(isinstance(part, Runs) for part in stop.parts()):
        raise OptionError(f"{algorithm.name} comes to no natural end: no number of runs ends it")


def _checked_seed(seed: Any) -> int:
    if not hasattr(seed, "__index__") or isinstance(seed, bool) or not 0 <= int(seed) < 2**63:
        raise OptionError(f"seed={seed!r}: a whole number from 0 to 2^63 - 1")
    return int(seed)
