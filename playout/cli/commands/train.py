"""`playout train`: train a policy for a problem, generation by generation."""

from __future__ import annotations

import argparse
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import SEED, Parser, as_dict, assignment, number, whole
from playout.cli.training import end_of, run_training
from playout.errors import OptionError
from playout.text.numbers import clock

if TYPE_CHECKING:
    from playout.learn.policy_iteration.generations import Status

USAGE = "playout train PROBLEM[:SIZE] --out FILE [--preset NAME] [options]"

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
        "7x7, 10x10, 15x15 (the paper's) or quick (default: that of the size, or quick); "
        "for games paper, bounded or quick (default: quick)",
    )
    text = "change a setting of the preset, such as games=2000; may be repeated"
    how("-o NAME=VALUE ...", text, assignment, dest="options")
    how("--minutes M", "stop after this time", number)
    text = "auto (a GPU if there is one), cpu, cuda, cuda:1 (default: auto)"
    how("--device NAME", text, default="auto")
    how("--threads N", "threads that play (default: all cores)", whole(1, "number of threads"))
    how("--seed N", "seed of the random numbers (default: 1)", SEED, default=1)
    output = parser.group("what is kept and shown")
    output("--plot FILE", "the score by generation as SVG (default: MODEL.svg)")
    output("--store FILE", "the results store (default: $PLAYOUT_STORE, or your own)")
    output("--quiet", "no live line in a terminal")


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
    from playout.study.training_rows import draw_generations, store_generation

    training = Training(
        problem, settings, options.out, name=name, seed=options.seed,
        device=options.device, threads=options.threads or os.cpu_count() or 1,
    )  # fmt: skip
    return run_training(
        options, training, end, unit="generation", told=_entry_text, shown=_status_text,
        kept=lambda store, entry: store_generation(store, training, entry),
        drawn=lambda log: draw_generations(picture, name, log),
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
