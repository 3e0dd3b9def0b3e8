"""`playout train`: train a policy for a problem, generation by generation."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import as_dict, assignment, number, whole
from playout.cli.live_line import clock
from playout.cli.training import end_of, run_training
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout.learn.policy_iteration.generations import Status

DESCRIPTION = """\
Train a policy network for a problem by generations of self-play (Policy-MCTS, the extra learn). The
model is written after each generation, and playout solve -a policy-mcts -o model=FILE uses it. What
the run knows is in a folder beside the model: after Ctrl-C, a kill or the end of its minutes, the
same command goes on where it was.
"""

EPILOG = """\
examples:
  playout train samegame:5x5 --preset quick --minutes 10 --out small.safetensors
      a small board on a laptop
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


def add(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "train",
        help="train a policy that guides the search",
        description=DESCRIPTION,
        epilog=EPILOG,
        usage="playout train PROBLEM[:SIZE] --out FILE [--preset NAME] [options]",
    )
    parser.set_defaults(run=run)
    what = parser.add_argument_group("what to train")
    what.add_argument(
        "problem", metavar="PROBLEM[:SIZE]",
        help="a problem with planes and outputs, such as samegame; SIZE is columns x rows: 7x7",
    )  # fmt: skip
    what.add_argument(
        "-p", dest="problem_options", metavar="NAME=VALUE", type=assignment, action="append",
        default=[], help="an option of the problem, such as colours=4; may be repeated",
    )  # fmt: skip
    what.add_argument(
        "--out", metavar="FILE", help="the model, .safetensors (games: GAME-METHOD.safetensors)"
    )
    how = parser.add_argument_group("how")
    how.add_argument(
        "--method", choices=("policy", "alphazero", "mbm"), default="policy",
        help="policy iteration for a problem (the default); AlphaZero, or MCTS by MCTS, for a game",
    )  # fmt: skip
    how.add_argument(
        "--preset", metavar="NAME",
        help="7x7, 10x10, 15x15 (the paper's) or quick (default: that of the size, or quick); "
        "for games paper, bounded or quick (default: quick)",
    )  # fmt: skip
    how.add_argument(
        "-o", dest="options", metavar="NAME=VALUE", type=assignment, action="append", default=[],
        help="change a setting of the preset, such as games=2000; may be repeated",
    )  # fmt: skip
    how.add_argument("--minutes", metavar="M", type=number, help="stop after this time")
    how.add_argument(
        "--device", metavar="NAME", default="auto",
        help="auto (a GPU if there is one), cpu, cuda, cuda:1 (default: auto)",
    )  # fmt: skip
    how.add_argument(
        "--threads", metavar="N", type=whole(1, "number of threads: give a whole number from 1"),
        help="threads that play (default: all cores)",
    )  # fmt: skip
    how.add_argument(
        "--seed", metavar="N", type=whole(0, "seed: give a whole number from 0"), default=1,
        help="seed of the random numbers (default: 1)",
    )  # fmt: skip
    output = parser.add_argument_group("what is kept and shown")
    output.add_argument(
        "--plot", metavar="FILE", help="the score by generation as SVG (default: MODEL.svg)"
    )
    output.add_argument(
        "--store", metavar="FILE", help="the results store (default: $PLAYOUT_STORE, or your own)"
    )
    output.add_argument("--quiet", action="store_true", help="no live line in a terminal")


def run(options: argparse.Namespace) -> int:
    """Train until the last generation, the end of the minutes, or Ctrl-C."""
    from playout.learn.networks.model_file import need_safetensors
    from playout.learn.networks.torch_device import need_torch
    from playout.text.output_files import check_writable

    if options.method != "policy":
        from playout.cli.train_game import run_game

        return run_game(options)
    if not options.out:
        raise OptionError("give --out FILE, where the model goes")
    # mistakes first: PyTorch takes seconds to load
    problem, name = _problem(options)
    settings = _settings(options)
    end = end_of(options)
    picture = options.plot or f"{options.out}.svg"
    for path in (options.out, picture):
        check_writable(Path(path))
    need_torch()
    need_safetensors()
    from playout.learn.policy_iteration.generations import Training
    from playout.study.training_rows import draw_scores, store_generation

    training = Training(
        problem, settings, options.out, name=name, seed=options.seed,
        device=options.device, threads=options.threads or os.cpu_count() or 1,
    )  # fmt: skip
    return run_training(
        options, training, end, unit="generation", told=_entry_text, shown=_status_text,
        kept=lambda store, entry: store_generation(store, training, entry),
        drawn=lambda log: draw_scores(picture, name, log),
    )  # fmt: skip


def _problem(options: argparse.Namespace) -> tuple[Any, str]:
    """The instance to train on, and its name."""
    from playout.games import GAMES
    from playout.learn.networks.network_shape import shape_of
    from playout.problems import PROBLEMS
    from playout.problems.instances import parse_options

    sized = re.fullmatch(r"(?P<name>.+):(?P<columns>\d+)(x(?P<rows>\d+))?", options.problem)
    name = sized["name"] if sized else options.problem
    if name in GAMES:
        raise OptionError(f"{name} is a game: give --method alphazero or --method mbm")
    cls = PROBLEMS.find(name)
    given = as_dict(options.problem_options)
    if sized:
        size = {"columns": sized["columns"], "rows": sized["rows"] or sized["columns"]}
        for key, value in size.items():
            if given.setdefault(key, value) != value:
                raise OptionError(f"{options.problem} and {key}={given[key]}: give one of them")
    texts = [f"{key}={value}" for key, value in as_dict(options.problem_options).items()]
    problem = cls.training(**parse_options(cls, given))
    problem.check_attributes()
    shape_of(problem)
    return problem, " ".join([options.problem, *texts])


def _settings(options: argparse.Namespace) -> Any:
    from playout.learn.policy_iteration.train_settings import PRESETS, preset

    size = options.problem.rpartition(":")[2]
    name = options.preset or (size if size in PRESETS else "quick")
    return preset(name).changed(as_dict(options.options))


def _entry_text(entry: dict[str, Any]) -> str:
    from playout.text.numbers import counted

    seconds = entry["seconds"]
    return (
        f"generation {entry['generation']}: score {entry['score']:.1f} "
        f"(best {entry['best']:g}, {entry['games']:,} games), "
        f"loss {entry['training_loss']:.3f}, validation {entry['validation_loss']:.3f}, "
        f"{counted(entry['epochs'], 'epoch')}; {clock(seconds.get('playing', 0))} playing, "
        f"{clock(seconds.get('training', 0))} training"
    )


def _status_text(status: Status) -> str:
    head = f"generation {status.generation} of {status.generations}  "
    if status.phase == "playing":
        text = (
            f"{status.games:,} of {status.of:,} games, mean score {status.score:.1f}, "
            f"{status.rate:,.0f} positions/s"
        )
    elif status.losses:
        training, validation = status.losses[-1]
        text = (
            f"mean score {status.score:.1f}, epoch {len(status.losses)}: loss {training:.3f}, "
            f"validation {validation:.3f}"
        )
    else:
        text = "training"
    return f"{head}{text}  {clock(status.seconds)}"
