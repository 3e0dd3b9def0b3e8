"""`playout train GAME --method alphazero|mbm`: train a network for a game of two players."""

from __future__ import annotations

import argparse
import re
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import as_dict
from playout.cli.failures import INTERRUPTED
from playout.cli.progress import clock
from playout.cli.searching import ctrl_c
from playout.cli.train import TrainLine
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout.learn.alphazero import ZeroStatus


def run_game(options: argparse.Namespace) -> int:
    """Train until the last epoch, the end of the minutes, or Ctrl-C."""
    from playout.games import load_game
    from playout.learn.shape import shape_of
    from playout.learn.torch import need_torch
    from playout.learn.zerosettings import zero_preset
    from playout.run.files import check_writable

    # mistakes first: PyTorch takes seconds to load
    for name, value in (("-p", options.problem_options), ("--store", options.store)):
        if value:
            raise OptionError(
                f"{name} is for problems; a game's options are in its name: see --help"
            )
    if options.minutes is not None and options.minutes <= 0:
        raise OptionError(f"--minutes {options.minutes:g}: give a number over 0")
    end = time.perf_counter() + 60 * (options.minutes or float("inf"))
    game = load_game(options.problem)
    shape_of(game)
    given = {"method": options.method, **as_dict(options.options)}
    settings = zero_preset(options.preset or "quick").changed(given)
    out = options.out or _file_name(options.problem, options.method)
    picture = options.plot or f"{out}.svg"
    for path in (out, picture):
        check_writable(Path(path))
    need_torch().set_num_threads(options.threads or 1)
    from playout.learn.alphazero import ZeroTraining

    training = ZeroTraining(
        game, settings, out, name=options.problem, seed=options.seed, device=options.device
    )
    told = len(training.record.log())
    if told:
        print(f"{options.problem}: going on after epoch {told}", flush=True)
    line = _Line(not options.quiet and sys.stderr.isatty())
    with ExitStack() as stack:
        stack.enter_context(line)
        noted = stack.enter_context(ctrl_c())

        def report(status: ZeroStatus) -> bool:
            nonlocal told
            for entry in status.log[told:]:
                line.print(_entry_text(entry))
            if len(status.log) > told:
                told = len(status.log)
                draw_results(picture, f"{options.problem}, {options.method}", status.log)
            line.show(status)
            return bool(noted) or time.perf_counter() > end

        whole = training.run(report)
    if noted:
        print("interrupted: the same command goes on from here", file=sys.stderr)
        return INTERRUPTED
    done = f"{told} epoch{'s' if told != 1 else ''}"
    if whole:
        print(f"{done}: the training is over; the model is {out}")
    else:
        there = f"; the model is {out}" if told else ""
        print(f"{done}, and the time is over: the same command goes on from here{there}")
    return 0


def _file_name(game: str, method: str) -> str:
    stem = Path(re.sub(r"\.py\b", "", game)).name
    return re.sub(r"[^\w]+", "-", f"{stem}-{method}") + ".safetensors"


def _entry_text(entry: dict[str, Any]) -> str:
    text = (
        f"epoch {entry['epoch']}: policy loss {entry['policy_loss']:.3f}, value loss "
        f"{entry['value_loss']:.3f}; self-play: first wins {entry['first_wins']:.0%}, draws "
        f"{entry['draws']:.0%}, {entry['length']:.1f} moves"
    )
    for rival in ("random", "perfect"):
        if rival in entry:
            wins, draws, losses = entry[rival]
            text += f"; {rival} player: won {wins:.1%}, drawn {draws:.1%}, lost {losses:.1%}"
    return text


def draw_results(path: str, title: str, log: list[dict[str, Any]]) -> None:
    """Draw the results against both rivals by epoch, if they were measured, else the losses."""
    from playout.learn.zerosettings import RIVALS
    from playout.run.files import write_atomically
    from playout.study.chart import svg
    from playout.study.report import Curve, Picture

    curves = []
    for rival in RIVALS:
        found = [(e["epoch"], 100 * (e[rival][0] + e[rival][1] / 2)) for e in log if rival in e]
        if found:
            points = tuple((float(x), y, y, y) for x, y in found)
            curves.append(Curve(f"against {rival}", points, 1))
    y_title = "mean result in percent"
    if not curves:
        y_title = "loss"
        for name in ("policy_loss", "value_loss"):
            points = tuple((float(e["epoch"]), e[name], e[name], e[name]) for e in log)
            curves.append(Curve(name.replace("_", " "), points, 1))
    picture = svg(Picture(title, "epochs", tuple(curves)), y_title=y_title)
    write_atomically(Path(path), picture.encode())


class _Line(TrainLine):
    """The live line of a game's training."""

    def show(self, status: Any) -> None:
        if self._live:
            what = (
                f"{status.games:,} of {status.of:,} games, {status.rate:,.0f} positions/s"
                if status.phase == "playing"
                else f"training, {status.rate:,.0f} mini-batches/s"
            )
            head = f"epoch {status.epoch} of {status.epochs}  "
            self._live.update(f"{head}{what}  {clock(status.seconds)}")
