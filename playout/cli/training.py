"""What training a problem and training a game have in common: the clock, the lines, the end."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import LiveLine, Shown
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout.study.store.results_store import Store

Entry = dict[str, Any]


def end_of(options: argparse.Namespace) -> float:
    """When the minutes are over."""
    if options.minutes is not None and options.minutes <= 0:
        raise OptionError(f"--minutes {options.minutes:g}: give a number over 0")
    return time.perf_counter() + 60 * (options.minutes or float("inf"))


def run_training(
    options: argparse.Namespace, training: Any, end: float, *, unit: str,
    told: Callable[[Entry], str], shown: Callable[[Any], str],
    kept: Callable[[Store, Entry], None], drawn: Callable[[list[Entry]], None],
) -> int:  # fmt: skip
    """Train until the last generation or epoch (`unit`), the end, or Ctrl-C; the exit code.

    Each has a line (`told`), a row of the store (`kept`) and its place in the picture (`drawn`);
    `shown` is the live line of a status.
    """
    from playout.stop import CtrlC
    from playout.study.store.results_store import open_store
    from playout.text.numbers import counted

    log = training.record.log()
    count = len(log)
    if count:
        print(f"{training.name}: going on after {unit} {count}", flush=True)
    with ExitStack() as stack:
        store = stack.enter_context(open_store(options.store))
        for entry in log[-1:]:  # a kill may have come between its end and its row
            kept(store, entry)
        line = stack.enter_context(
            LiveLine(lambda s: Shown([shown(s)]), "compiling ...", not options.quiet)
        )
        interrupt = stack.enter_context(CtrlC())

        def report(status: Any) -> bool:
            nonlocal count
            for entry in status.log[count:]:
                print(told(entry), flush=True)
                kept(store, entry)
                drawn(status.log)
            count = len(status.log)
            line.update(status)
            return interrupt.came or time.perf_counter() > end

        whole = training.run(report)
    if interrupt.came:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    done = counted(count, unit)
    if whole:
        print(f"{done}: the training is over; the model is {training.out}")
    else:
        there = f"; the model is {training.out}" if count else ""
        print(f"{done}, and the time is over: the same command goes on from here{there}")
    return 0
