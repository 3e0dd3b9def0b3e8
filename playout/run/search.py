"""A run that can be looked at: `start` returns at once, and whoever wants to know asks.

`solve` is the same run on the caller's own thread. Nothing here is in the search's loop: between
two steps the driver publishes its best sequence when that has improved (`driver.Best`), and a look
reads what is there.
"""

from __future__ import annotations

import copy
import hashlib
import math
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.algorithms import ALGORITHMS, load_algorithm
from playout.algorithms.algorithm import Algorithm
from playout.algorithms.polish import Polishing, PolishingBetween
from playout.algorithms.search import Search as SearchArrays
from playout.algorithms.warm_start import begin_with
from playout.compiled import wrapping
from playout.contract import Problem, check_open, maximised, open_copy, sign_of
from playout.errors import OptionError, PlayoutError, ProblemError
from playout.problems.instances import open_problem
from playout.run.best_solutions import keep_best
from playout.run.checkpoint import Identity, read_checkpoint, telling_damage
from playout.run.checkpoint_writer import CheckpointWriter
from playout.run.driver import Best, Driver
from playout.run.hands import ThreadHands, Worker
from playout.run.idle_options import idle_options
from playout.run.known_solution import whole_solution
from playout.run.make_result import make_result
from playout.run.polish_end import telling_end, with_own_end
from playout.run.portfolio import Portfolio
from playout.run.result import Result
from playout.run.search_settings import SearchSettings
from playout.run.shares import quotas
from playout.run.steps import make_step
from playout.stop import Bound, Progress, Runs, Stop, refuse_calls, stop_of
from playout.text.engines import ENGINES
from playout.text.output_files import check_writable

if TYPE_CHECKING:  # imported where it is used: few searches have processes
    from playout.run.evaluate_processes import EvaluateProcesses

LOOK_SECONDS = 0.1


@dataclass(frozen=True)
class Snapshot:
    """What is known of a search at one moment.

    `progress` and `best` are None until the first playout; `curve` has the improvements that were
    asked for, each [seconds, playouts, score].
    """

    status: str
    progress: Progress | None
    curve: list[list[float]]
    best: Best | None


class Search:
    """A search at work, made by `start`; its arguments are those of `start`.

    Attributes
    ----------
    status : str
        "compiling", "running", "finished" or "failed".
    problem : Problem
        What is searched.

    Examples
    --------
    >>> import playout as po
    >>> with po.start("maximum:n=9", "nmcs", "60s", seed=1, compiled=False) as search:
    ...     while search.look().best is None:
    ...         pass
    >>> search.result().stopped_by
    'asked'
    """

    def __init__(
        self,
        problem: Problem | str,
        algorithm: Algorithm | str | None = None,
        stop: Stop | float | str | None = None,
        **settings: Any,
    ) -> None:
        given, limits = SearchSettings.among(settings)
        given.check_workers()
        seed = given.seed_or_drawn()
        workers, parallel = given.workers, given.parallel
        instance, compiled = given.instance, given.compiled
        if isinstance(problem, str):
            problem, instance = open_problem(problem, instance or None)
        if isinstance(algorithm, str):
            algorithm = load_algorithm(algorithm)
        problem = _checked(problem)
        stop = stop_of(stop, 10, limits, SearchSettings)
        refuse_calls(stop, "solve")
        algorithm = _usual_algorithm(stop) if algorithm is None else algorithm
        if not isinstance(algorithm, Algorithm):
            raise OptionError(
                f"{_shown(algorithm)} is no algorithm: give one such as playout.GNRPA(level=3)"
            )
        problem = open_copy(problem) if given.open else problem
        check_open(problem, algorithm.name)
        _check_runs(stop, algorithm)
        if given.best != 1:
            given.check_best()
        stop = _with_bound(stop, problem, given.bound)
        begun = None if given.start is None else whole_solution(problem, given.start)
        self.problem, self.status = problem, "compiling"
        self._path = Path(given.checkpoint) if given.checkpoint is not None else None
        self._every = given.checkpoint_every
        self._engine = None if given.cluster is None else ENGINES["ray"](given.cluster)
        self._algorithm, self._compiled = algorithm, compiled
        if self._path is not None:
            check_writable(self._path)
        self._thread: threading.Thread | None = None
        self._result: Result | None = None
        self._error: BaseException | None = None
        self._processes: EvaluateProcesses | None = None
        with wrapping():
            saved = self._path is not None
            self._searched = searched = with_own_end(maximised(problem))
            if parallel == "processes" and workers > 1:
                from playout.run.evaluate_processes import EvaluateProcesses

                self._searched = searched = copy.copy(searched)
                self._processes = EvaluateProcesses(searched, workers)
                searched.evaluate = self._processes
            self._identity = Identity.of(
                searched, instance, algorithm, seed, workers, parallel, saved
            )
            if begun is not None:
                known = hashlib.blake2b(begun[0].tobytes(), digest_size=8).hexdigest()
                self._identity = replace(self._identity, start=known)
            self._identity = replace(self._identity, best=given.best)
            run = _start(searched, algorithm, stop, self._identity, compiled)
            run.sign = sign_of(problem)
            self._run = run
            if self._path is not None and self._path.exists():
                self._go_on_from(self._path, compiled)
            elif begun is not None:
                for worker in run.workers:
                    _begin_with(worker.search, searched, begun[0], run.sign * begun[1])
            if begun is not None:
                run.begin_with(*begun)

    def _go_on_from(self, path: Path, compiled: bool) -> None:
        searches = [worker.search for worker in self._run.workers]
        fresh = [search.arrays() for search in searches]
        state = read_checkpoint(path, self._identity, searches)
        with telling_damage(path):
            for search, arrays in zip(searches, fresh, strict=True):
                search.check_arrays(self._searched, arrays, compiled)
            self._run.restore(state)

    # running

    def run(self, progress: Callable[[Progress], None] | None = None) -> Result:
        """Search on this thread until the end."""
        run, path = self._run, self._path
        with ExitStack() as stack:
            stack.enter_context(wrapping())
            if self._processes is not None:
                stack.callback(self._processes.close)
            if self._engine is not None:
                engine = stack.enter_context(self._engine)
                task = self._searched, self._algorithm, self._compiled
                run.hands = engine.hands(run.workers, *task)
            run.prepare()
            writer = None if path is None else CheckpointWriter(path, self._identity, self._every)

            def look(run: Driver) -> None:
                if progress is not None:
                    progress(run.progress())
                if writer is not None:
                    writer.look(run)

            self.status = "running"
            with telling_end(self._searched, run.is_ending):
                run.go(look, LOOK_SECONDS)
            if run.playouts() == 0 and run.start is None:
                if run.stopped_by == "interrupt":
                    raise KeyboardInterrupt
                raise PlayoutError("the search was stopped before its first playout")
            if writer is not None:
                writer.last(run)
            if progress is not None:
                progress(run.progress())
            result = make_result(run, self.problem, self._identity)
            sharing = self._identity.workers if self._identity.parallel != "root" else 1
            notes = idle_options(self._algorithm, self.problem, run, sharing)
            result = replace(result, notes=[*result.notes, *notes])
        self.status = "finished"
        return result

    def start(self) -> None:
        """Search on a thread of its own."""

        def body() -> None:
            try:
                self._result = self.run()
            except BaseException as error:  # told by `result`
                self._error, self.status = error, "failed"

        self._thread = threading.Thread(target=body, name="search", daemon=True)
        self._thread.start()

    # what others may ask

    def look(self, since: int = 0) -> Snapshot:
        """What is known now, with the improvements from number `since` on; from any thread."""
        status = self.status
        if status == "compiling" or not self._run.has_begun():
            return Snapshot(status, None, [], None)
        with self._run.quiet():
            curve, best = self._run.curve[since:], self._run.best
            progress = self._run.progress() if best is not None else None
        return Snapshot(status, progress, curve, best)

    def stop(self) -> None:
        """End the search between two steps; its checkpoint is written."""
        self._run.end("asked")

    def result(self, timeout: float | None = None) -> Result:
        """Wait for the end; what was found. Raises what the search raised."""
        if self._thread is not None:
            self._thread.join(timeout)
        if self._error is not None:
            raise self._error
        if self._result is None:
            raise TimeoutError("the search is still running")
        return self._result

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *error: Any) -> None:
        self.stop()
        if self._thread is not None:
            self._thread.join()

    @property
    def title(self) -> str:
        """Problem and algorithm."""
        return f"{self._identity.problem}, {self._identity.algorithm}"

    def __repr__(self) -> str:
        best = self.look().best
        found = "" if best is None else f", best {best.score:.10g}"
        return f"Search({self.title}, {self.status}{found})"

    def _ipython_display_(self) -> None:
        from playout.run.live_view import show_live

        show_live(self)


def start(
    problem: Problem | str,
    algorithm: Algorithm | str | None = None,
    stop: Stop | float | str | None = None,
    **settings: Any,
) -> Search:
    """Start a search on a thread, and return at once.

    The arguments are those of `solve`, but for `progress`: whoever wants to know asks.

    - `search.status` is compiling, running, finished or failed.
    - `search.look(since=0)` is a `Snapshot`: progress, the curve from improvement `since` on, the
      best score with its moves. It can be taken from any thread at any time, and costs the search
      nothing.
    - `search.stop()` ends it between two steps, with its checkpoint if there is one.
    - `search.result()` waits for the end, and raises what the search raised.

    In a `with` block the search is stopped at the end of the block.

    Examples
    --------
    >>> import playout as po
    >>> search = po.start("maximum:n=9", "nmcs", "500 playouts", seed=1, compiled=False)
    >>> search.result().score
    6.0
    >>> search.look().best.score, search.status
    (6.0, 'finished')
    """
    search = Search(problem, algorithm, stop, **settings)
    search.start()
    return search


def _start(
    problem: Problem, algorithm: Algorithm, stop: Stop, identity: Identity, compiled: bool
) -> Driver:
    """Fresh searches, one for each root worker, with streams of their own."""
    shared = identity.parallel != "root" and identity.workers > 1
    threads = identity.workers if identity.parallel == "leaf" and compiled else 1
    workers = []
    for number, quota in enumerate(quotas(stop, 1 if shared else identity.workers)):
        if quota == 0:
            continue  # fewer playouts than workers
        search = algorithm.start(problem, worker_seed(identity.seed, number))
        if algorithm.polish:
            _check_polish(algorithm, search)
        if identity.best > 1:
            keep_best(search, problem, identity.best)
        step = search.make_step(problem, compiled, threads)
        worker = Worker(search, step or make_step(problem, compiled, threads), quota)
        if shared:
            worker.least = identity.workers  # so that all have work
        workers.append(worker)
    # a thread makes even a single worker's steps where one may take long: this one hears Ctrl-C
    return Driver(workers, stop, None if problem.ended is None else ThreadHands(workers))


def worker_seed(seed: int, worker: int) -> int:
    """The seed of a root worker; the first has the run's own."""
    return (seed + worker * 0x9E3779B97F4A7C15) % 2**64


def _begin_with(search: SearchArrays, problem: Problem, moves: np.ndarray, score: float) -> None:
    members = search.members if isinstance(search, Portfolio) else [search]
    for member in members:
        begin_with(member, problem, moves, score)


def _with_bound(stop: Stop, problem: Problem, bound: float | None) -> Stop:
    """A run ends where it is proven that nothing is better."""
    said = f"bound={bound!r}"
    if bound is None and problem.bound is not None:
        bound = problem.bound()
        said = f"{type(problem).__name__}.bound() returned {bound!r}"
    if bound is None:
        return stop
    number = isinstance(bound, int | float | np.number) and not isinstance(bound, bool)
    if not number or not math.isfinite(bound):
        raise OptionError(f"{said}: a bound is a finite number")
    return stop | Bound(float(bound))


def _checked(problem: Any) -> Problem:
    if not isinstance(problem, Problem):
        what = problem.__name__ if isinstance(problem, type) else type(problem).__name__
        raise ProblemError(f"{what} is no problem: give an instance of a playout.Problem class")
    problem.check_attributes()
    return problem


def _check_polish(algorithm: Algorithm, search: Any) -> None:
    """Refuse to polish where the search does not: one of the user's own may have left it out."""
    if not isinstance(search, Polishing | PolishingBetween | Portfolio):
        raise OptionError(
            f"{algorithm.name} does not polish: its start() makes the search without with_mixins"
        )


def _shown(given: Any) -> str:
    """What was given in place of an algorithm; of a class, that it is one."""
    return f"the class {given.__name__}" if isinstance(given, type) else repr(given)


def _usual_algorithm(stop: Stop) -> Algorithm:
    """The algorithm where none is named; `auto` comes to no end of its own, GNRPA does."""
    name = "gnrpa" if any(isinstance(part, Runs) for part in stop.parts()) else "auto"
    algorithm: Algorithm = ALGORITHMS[name]()
    return algorithm


def _check_runs(stop: Stop, algorithm: Algorithm) -> None:
    endless = algorithm.name in ("auto", "random")
    if endless and any(isinstance(part, Runs) for part in stop.parts()):
        raise OptionError(f"{algorithm.name} comes to no natural end: no number of runs ends it")
