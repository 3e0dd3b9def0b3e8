"""`playout tune`: find good options of an algorithm over several instances."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from playout.cli.arguments import COUNT, RUNS, SEED, Parser, duration, whole
from playout.cli.live_line import LiveLine
from playout.cli.outputs import prints_aside
from playout.cli.problem_arguments import problem_text
from playout.cli.study_arguments import ReportOutput, add_running
from playout.errors import OptionError
from playout.text.live_words import Shown, Words
from playout.text.numbers import clock

if TYPE_CHECKING:
    from playout.study.tuned import TuningStanding

USAGE = "playout tune PROBLEM [INSTANCE ...] -a ALGORITHM --search NAME=RANGE ... [options]"

DESCRIPTION = """\
Search the options of an algorithm for those that do well over several instances, with Optuna
(extra: tune). Each trial runs on every instance; its value is the mean gain over the algorithm's
defaults. Trials are kept in the results store: the same command goes on where it was. At the end
the best trials and the defaults are run on fresh seeds, and the command line to use is printed.
"""

EPILOG = """\
examples:
  playout tune samegame standard/1 standard/2 -a gnrpa --search alpha=0.1:10:log \\
      --search tau=0.5:2 --budget 10m
  playout tune my_problem.py:Knapsack -a nmcs --search level=1:4 --playouts 2000 --budget 60
  playout tune tsptw a.txt b.txt -a gnrpa:level=3 --search P=1:8 --search "diversity=none|score" \\
      --search beam=1:8 --seconds 5 --budget 2h
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to search")
    what("PROBLEM", "a name, or file.py:Class")
    text = "as for playout solve; without one, the problem's default"
    what("INSTANCE ...", text, dest="instances")
    what.problem_options()
    what("--interpreted", "run as plain Python, without compiling")
    how = parser.group("how to tune")
    text = "with options that stay as they are, such as gnrpa:level=3 (default: gnrpa)"
    how("-a, --algorithm ALGORITHM", text, default="gnrpa")
    text = "an option to tune: LOW:HIGH, LOW:HIGH:log or A|B|C; may be repeated"
    how("--search NAME=RANGE ...", text)
    text = "for the trials in all: 600, 10m, 2h (default: 10m)"
    how("--budget S", text, duration, default=600.0)
    how("--seconds S", "of each run (default: 2)", duration)
    how("--playouts N", "of each run, in place of a time", COUNT)
    how("--runs N", "of a trial on each instance (default: 1)", RUNS, default=1)
    text = "of the best trials and the defaults at the end (default: 10)"
    how("--final-runs N", text, whole(2, "number of runs"), default=10)
    how("--seed N", "of Optuna's choices (default: 1)", SEED, default=1)
    add_running(parser, how, "a thread")


def run(options: argparse.Namespace) -> int:
    """Tune, and print what to use."""
    from playout.provenance import cores
    from playout.stop import Playouts, Seconds
    from playout.study.tune import tune
    from playout.text.numbers import counted

    output = ReportOutput(options)
    if options.seconds is not None and options.playouts is not None:
        raise OptionError("give --seconds or --playouts, not both")
    line = LiveLine(_shown, "running the defaults ...", not options.quiet, _safe)
    with prints_aside(), line:
        tuned = tune(
            problem_text(options),
            options.algorithm,
            Playouts(options.playouts) if options.playouts else Seconds(options.seconds or 2.0),
            search=options.search,
            instances=options.instances,
            workers=options.workers or (None if options.cluster else cores()),
            cluster=options.cluster,
            store=options.store,
            progress=line.update,
            compiled=not options.interpreted,
            seconds=options.budget,
            runs=options.runs,
            final_runs=options.final_runs,
            seed=options.seed,
        )
    try:
        output.write([tuned.report])
    finally:
        output.tell(f"\nafter {counted(tuned.trials, 'trial')}, use\n  {tuned.command()}")
        if not tuned.better:
            worse = "but on fresh seeds the defaults did as well: a longer --budget may find better"
            output.tell(worse)
    return 0


def _shown(standing: TuningStanding) -> Shown:
    """What the live line says: trials, time left, and the best options so far."""
    if standing.what == "defaults":
        return Shown(["running the defaults ..."])
    if standing.what == "final":
        return Shown([f"{standing.trials} trials done; the best meet the defaults ..."])
    words: Words = [(f"{standing.trials}", "bold green"), " trials  "]
    words += [(f"{clock(standing.seconds_left)} left", "dim")]
    if standing.best is not None:
        best = " ".join(
            f"{name}={value:.4g}" if isinstance(value, float) else f"{name}={value}"
            for name, value in standing.best_options.items()
        )
        words += [f"  best gain {standing.best:.3g} with {best}"]
    return Shown(words)


def _safe(standing: TuningStanding | None) -> str:
    """What Ctrl-C leaves."""
    trials = standing.trials if standing else 0
    return f"{trials} trials are in the store, and the same command goes on from there"
