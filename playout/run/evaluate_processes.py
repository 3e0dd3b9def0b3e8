"""Objectives that hold Python's global lock, evaluated by processes: `parallel="processes"`.

The states of a batch are shared out; what comes back are their scores. The processes are forked
before the search begins, where that is possible, so that a problem need not be packed to be sent.
"""

from __future__ import annotations

import multiprocessing
import signal
import warnings
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import numpy as np

from playout.compiled.compile_errors import fault_line
from playout.contract import Problem
from playout.contract.evaluated import as_scores
from playout.errors import OptionError, PlayoutError, ProblemError

_evaluate: Any = None  # of a process: the problem's own
_name = ""  # of its class


class EvaluateProcesses:
    """An `evaluate` that has some processes do it."""

    def __init__(self, problem: Problem, processes: int) -> None:
        if problem.evaluate is None:
            raise OptionError(
                f"{type(problem).__name__} has a compiled score, which holds no lock: "
                "give parallel='root' or 'leaf'; processes are for evaluate"
            )
        self._name, self._processes = type(problem).__name__, processes
        forks = "fork" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("fork" if forks else "spawn")
        self._pool = ProcessPoolExecutor(processes, context, _begin, (problem.evaluate, self._name))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of threads: the processes do nothing but evaluate
            self._pool.submit(_nothing).result()

    def __call__(self, states: np.ndarray) -> np.ndarray:
        parts = np.array_split(states, min(self._processes, len(states)))
        try:
            found = list(self._pool.map(_score, parts))
        except BrokenProcessPool:
            raise ProblemError(f"a process that evaluated {self._name} was killed") from None
        return np.concatenate(found)

    def close(self) -> None:
        """Let the processes go."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _begin(evaluate: Any, name: str) -> None:
    global _evaluate, _name
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that searches
    _evaluate, _name = evaluate, name


def _nothing() -> None:
    pass


def _score(states: np.ndarray) -> np.ndarray:
    try:
        scores = _evaluate(states)
    except PlayoutError:
        raise
    except Exception as error:
        raise ProblemError(f"{_name}.evaluate: {fault_line(error)}") from None
    return as_scores(_name, states, scores)
