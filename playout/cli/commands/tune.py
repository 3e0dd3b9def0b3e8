"""`playout tune`: find good options of an algorithm over several instances."""

from __future__ import annotations

import argparse
import sys
import time
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import assignment, duration, whole
from playout.cli.commands.compare import algorithm_of, problem_part
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import clock
from playout.cli.study_arguments import (
    add_output,
    add_store,
    add_workers,
    check_output,
    prints_aside,
    report_format,
    write_report,
)
from playout.errors import OptionError

if TYPE_CHECKING:
    from rich.text import Text

    from playout.study.tune import TuningStanding

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


def add(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "tune",
        help="find good options of an algorithm",
        description=DESCRIPTION,
        epilog=EPILOG,
        usage="playout tune PROBLEM [INSTANCE ...] -a ALGORITHM --search NAME=RANGE ... [options]",
    )
    parser.set_defaults(run=run)
    what = parser.add_argument_group("what to search")
    what.add_argument("problem", metavar="PROBLEM", help="a name, or file.py:Class")
    what.add_argument(
        "instances", metavar="INSTANCE", nargs="*",
        help="as for playout solve; without one, the problem's default",
    )  # fmt: skip
    what.add_argument(
        "-p", dest="problem_options", metavar="NAME=VALUE", type=assignment, action="append",
        default=[], help="an option of the problem; may be repeated",
    )  # fmt: skip
    what.add_argument(
        "--interpreted", action="store_true", help="run as plain Python, without compiling"
    )
    how = parser.add_argument_group("how to tune")
    how.add_argument(
        "-a", "--algorithm", metavar="ALGORITHM", default="gnrpa",
        help="with options that stay as they are, such as gnrpa:level=3 (default: gnrpa)",
    )  # fmt: skip
    how.add_argument(
        "--search", metavar="NAME=RANGE", action="append", default=[],
        help="an option to tune: LOW:HIGH, LOW:HIGH:log or A|B|C; may be repeated",
    )  # fmt: skip
    how.add_argument(
        "--budget", metavar="S", type=duration, default=600.0,
        help="for the trials in all: 600, 10m, 2h (default: 10m)",
    )  # fmt: skip
    how.add_argument("--seconds", metavar="S", type=duration, help="of each run (default: 2)")
    how.add_argument(
        "--playouts", metavar="N", type=whole(1, "count: give a whole number from 1"),
        help="of each run, in place of a time",
    )  # fmt: skip
    how.add_argument(
        "--runs", metavar="N", type=whole(1, "number of runs: give a whole number from 1"),
        default=1, help="of a trial on each instance (default: 1)",
    )  # fmt: skip
    how.add_argument(
        "--final-runs", metavar="N", type=whole(2, "number of runs: give a whole number from 2"),
        default=10, help="of the best trials and the defaults at the end (default: 10)",
    )  # fmt: skip
    how.add_argument(
        "--seed", metavar="N", type=whole(0, "seed: give a whole number from 0"), default=1,
        help="of Optuna's choices (default: 1)",
    )  # fmt: skip
    add_workers(how, "a thread")
    add_store(how)
    add_output(parser)


def run(options: argparse.Namespace) -> int:
    """Tune, and print what to use."""
    from playout.provenance import cores
    from playout.study.kinds.runs import Solve
    from playout.study.tune import Range, tune
    from playout.text.numbers import counted

    check_output(options)
    if options.seconds is not None and options.playouts is not None:
        raise OptionError("give --seconds or --playouts, not both")
    if not options.search:
        raise OptionError("name the options to tune, as in --search alpha=0.1:10:log")
    name, fixed = algorithm_of(options.algorithm)
    ranges = [Range.parse(name, text) for text in options.search]
    _check_names([r.name for r in ranges], fixed)
    with prints_aside(), _Line(not options.quiet) as line:
        searches = [
            Solve(algorithm=name, options=fixed, **problem_part(options, instance))
            for instance in options.instances or [None]
        ]
        tuned = tune(
            searches,
            ranges,
            unit="playouts" if options.playouts else "seconds",
            budget=float(options.playouts or options.seconds or 2.0),
            seconds=options.budget,
            runs=options.runs,
            final_runs=options.final_runs,
            seed=options.seed,
            workers=options.workers or cores(),
            store=options.store,
            progress=line.update,
        )
    write_report(options, [tuned.report])
    # beside a report for programs, what to use is for the person
    alone = options.out is not None or report_format(options) == "text"
    file = sys.stdout if alone else sys.stderr
    print(f"\nafter {counted(tuned.trials, 'trial')}, use", file=file)
    print(f"  {tuned.command()}", file=file)
    if not tuned.better:
        words = "but on fresh seeds the defaults did as well: a longer --budget may find better"
        print(words, file=file)
    return 0


def _check_names(searched: list[str], fixed: dict[str, Any]) -> None:
    for name in searched:
        if searched.count(name) > 1:
            raise OptionError(f"--search {name} is given twice")
        if name in fixed:
            raise OptionError(f"{name} is both fixed with -a and to be tuned")


class _Line:
    """A live line in a terminal; Ctrl-C says what is safe."""

    def __init__(self, wanted: bool) -> None:
        self._standing: TuningStanding | None = None
        self._shown = time.perf_counter()
        self._live: Any = None
        if wanted and sys.stderr.isatty():
            from rich.console import Console
            from rich.live import Live

            self._live = Live(
                console=Console(stderr=True), transient=True, refresh_per_second=4,
                get_renderable=self._draw,
            )  # fmt: skip

    def __enter__(self) -> _Line:
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._live is not None:
            self._live.stop()
        if kind is KeyboardInterrupt:
            trials = self._standing.trials if self._standing else 0
            print(
                f"playout: interrupted; {trials} trials are in the store, and the same command "
                "goes on from there",
                file=sys.stderr,
            )
            raise SystemExit(INTERRUPTED)

    def update(self, standing: TuningStanding) -> None:
        self._standing = standing

    def _draw(self) -> Text:
        from rich.text import Text

        text = Text(no_wrap=True, overflow="ellipsis")
        standing = self._standing
        if standing is None or standing.what == "defaults":
            return text.append("running the defaults ...")
        if standing.what == "final":
            return text.append(f"{standing.trials} trials done; the best meet the defaults ...")
        text.append(f"{standing.trials}", "bold green").append(" trials  ")
        text.append(f"{clock(standing.seconds_left)} left", "dim")
        if standing.best is not None:
            best = " ".join(f"{k}={v:.4g}" if isinstance(v, float) else f"{k}={v}"
                            for k, v in standing.best_options.items())  # fmt: skip
            text.append(f"  best gain {standing.best:.3g} with {best}")
        return text
