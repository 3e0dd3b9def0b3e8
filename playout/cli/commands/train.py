"""`playout train`: train a policy for a problem, generation by generation."""

from __future__ import annotations

import argparse
import contextlib
import re
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from playout.cli.arguments import SEED, Parser, as_dict, assignment, number, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import LiveLine
from playout.errors import DataError, NotWrittenWarning, OptionError
from playout.text.grammar import named_text, parse_named
from playout.text.live_words import Shown
from playout.text.numbers import counted
from playout.text.output_files import check_writable

if TYPE_CHECKING:
    from playout.learn.train_result import TrainingStatus, TrainResult

USAGE = "playout train PROBLEM[:SIZE] --out FILE [--preset NAME] [options]"

DESCRIPTION = """\
Train a policy network for a problem by generations of self-play (Policy-MCTS, the extra learn). The
model is written after each generation, and playout solve -a policy-mcts -o model=FILE uses it. What
the run knows is in a folder beside the model: after Ctrl-C, a kill or the end of its minutes, the
same command goes on where it was.
"""

EPILOG = """\
examples:
  playout train samegame:5x5 --minutes 10 --out small.safetensors
      a small board on a laptop, with settings for ten minutes
  playout train samegame:7x7 --preset 7x7 --minutes 30 --device auto --out model.safetensors
      the paper's settings, on a GPU if there is one; the same command again goes on
  playout train samegame:7x7 --preset 7x7 -o games=5000 -o generations=20 --out m.safetensors
      with other settings
  playout train tictactoe --method mbm --preset quick
      a network for a game, by AlphaZero or with the master game tree (docs/alphazero.md)
  playout solve samegame random:1 -p rows=7 -p columns=7 -a policy-mcts -o model=model.safetensors
      what the model is for

exit code: 0 when the training or its minutes are over, 2 for a mistake in the command,
130 after Ctrl-C
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to train")
    what(
        "PROBLEM[:SIZE]",
        "a problem with planes and outputs, such as samegame; SIZE is columns x rows: 7x7",
        dest="problem",
    )
    what.problem_options(", such as colours=4")
    what("--out FILE", "the model, .safetensors (games: GAME-METHOD.safetensors)")
    how = parser.group("how")
    how(
        "--method {policy,alphazero,mbm}",
        "policy iteration for a problem (the default); AlphaZero, or MCTS by MCTS, for a game",
        default="policy",
    )
    how(
        "--preset NAME",
        "7x7, 10x10, 15x15 (the paper's) or quick; for games paper, bounded or quick; auto: by "
        "the board's size, --minutes and the device (default: auto)",
    )
    text = "change a setting of the preset, such as games=2000; may be repeated"
    how("-o NAME=VALUE ...", text, assignment, dest="options")
    how("--minutes M", "stop after this time", number)
    text = "auto (a GPU if there is one), cpu, cuda, cuda:1 (default: auto)"
    how("--device NAME", text, default="auto")
    how("--threads N", "threads that play (default: all cores)", whole(1, "number of threads"))
    how.cluster()
    how("--seed N", "seed of the random numbers (default: 1)", SEED, default=1)
    output = parser.group("what is kept and shown")
    output("--plot FILE", "the score by generation as SVG (default: MODEL.svg)")
    output("--store FILE", "the results store (default: $PLAYOUT_STORE, or your own)")
    output("--quiet", "no live line in a terminal")


def run(options: argparse.Namespace) -> int:
    """Train until the last generation or epoch, the end of the minutes, or Ctrl-C."""
    from playout.learn.train import train
    from playout.stop import Seconds

    what, how = (_problem if options.method == "policy" else _game)(options)
    stop = None
    if options.minutes is not None:
        if options.minutes <= 0:
            raise OptionError(f"--minutes {options.minutes:g}: give a number over 0")
        stop = Seconds(60 * options.minutes)
    with contextlib.ExitStack() as stack:
        about = {
            name: getattr(options, name) for name in ("out", "seed", "device", "threads", "cluster")
        }
        result = train(what, how, stop, progress=_Kept(options, stack).look, **about)
    if result.stopped_by == "interrupt":
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    done = counted(len(result.log), result.unit)
    if result.stopped_by == "end":
        print(f"{done}: the training is over; the model is {result.model}")
    else:
        there = f"; the model is {result.model}" if result.log else ""
        print(f"{done}, and the time is over: the same command goes on from here{there}")
    return 0


def _problem(options: argparse.Namespace) -> tuple[str, str]:
    """The problem and the settings, as texts."""
    from playout.games import GAMES
    from playout.learn.policy_iteration.policy_iteration_settings import PolicyIterationSettings
    from playout.problems import PROBLEMS

    given = as_dict(options.problem_options)
    text = named_text(options.problem, given)
    if re.search(r":\d+(x\d+)?$", options.problem) and given:
        text = f"{options.problem},{named_text('', given)[1:]}"
    name = options.problem.partition(":")[0]
    if name in GAMES:
        raise OptionError(f"{name} is a game: give --method alphazero or --method mbm")
    PROBLEMS.find(parse_named(text, PROBLEMS, sized=True).name)
    settings = named_text(options.preset or "", as_dict(options.options))
    PolicyIterationSettings.load(settings)  # a mistake in what was given, then what is missing
    if not options.out:
        raise OptionError("give --out FILE, where the model goes")
    return text, settings


def _game(options: argparse.Namespace) -> tuple[str, str]:
    """The game and the settings, as texts."""
    from playout.games import load_game

    if options.problem_options:
        raise OptionError("-p is for problems; a game's options are in its name: see --help")
    load_game(options.problem)
    settings = {"method": options.method, **as_dict(options.options)}
    return options.problem, named_text(options.preset or "", settings)


class _Kept:
    """What is kept and shown of a training under way.

    Each generation or epoch has a line, a row of the store and its point in the picture.
    """

    def __init__(self, options: argparse.Namespace, stack: contextlib.ExitStack) -> None:
        self._options, self._stack = options, stack
        self._known = -1  # generations or epochs that were told; -1 before the first status
        if options.plot:
            check_writable(Path(options.plot))

    def look(self, status: TrainingStatus) -> None:
        """Show a status, and keep what is new in it."""
        from playout.study.training_rows import store_entry

        result = status.result
        if self._known < 0:
            self._begin(result)
        for entry in result.log[self._known :]:
            print(result.entry_text(entry), flush=True)
            store_entry(self._store, result, entry)
            try:
                result.plot(self._options.plot or f"{result.model}.svg")
            except DataError as error:  # the training matters more than its picture
                warnings.warn(str(error), NotWrittenWarning, stacklevel=2)
        self._known = len(result.log)
        if status.phase != "starting":
            self._line.update(status)

    def _begin(self, result: TrainResult) -> None:
        from playout.study.store.results_store import open_store
        from playout.study.training_rows import store_entry

        self._known = len(result.log)
        if self._known:
            print(f"{result.name}: going on after {result.unit} {self._known}", flush=True)
        elif self._options.preset in (None, "auto"):
            print(f"settings: {result.settings_text()}", flush=True)
        self._store = self._stack.enter_context(open_store(self._options.store))
        for entry in result.log[-1:]:  # a kill may have come between its end and its row
            store_entry(self._store, result, entry)
        line = LiveLine(lambda s: Shown([str(s)]), "compiling ...", not self._options.quiet)
        self._line = self._stack.enter_context(line)
