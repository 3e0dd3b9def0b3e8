"""`playout train GAME --method alphazero|mbm`: train a network for a game of two players."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import as_dict
from playout.cli.training import end_of, run_training
from playout.errors import OptionError
from playout.text.numbers import clock

if TYPE_CHECKING:
    from playout.learn.alphazero.epochs import ZeroStatus


def run_game(options: argparse.Namespace) -> int:
    """Train until the last epoch, the end of the minutes, or Ctrl-C."""
    from playout.games import load_game
    from playout.learn.alphazero.zero_settings import zero_preset
    from playout.learn.networks.model_file import need_safetensors
    from playout.learn.networks.network_shape import shape_of
    from playout.learn.networks.torch_device import need_torch
    from playout.text.output_files import check_writable

    # mistakes first: PyTorch takes seconds to load
    if options.problem_options:
        raise OptionError("-p is for problems; a game's options are in its name: see --help")
    end = end_of(options)
    game = load_game(options.problem)
    shape_of(game)
    given = {"method": options.method, **as_dict(options.options)}
    settings = zero_preset(options.preset or "quick").changed(given)
    out = options.out or _file_name(options.problem, options.method)
    picture = options.plot or f"{out}.svg"
    for path in (out, picture):
        check_writable(Path(path))
    need_torch().set_num_threads(options.threads or 1)
    need_safetensors()
    from playout.learn.alphazero.epochs import ZeroTraining
    from playout.study.training_rows import draw_epochs, store_epoch

    training = ZeroTraining(
        game, settings, out, name=options.problem, seed=options.seed, device=options.device
    )
    return run_training(
        options, training, end, unit="epoch", told=_entry_text, shown=_status_text,
        kept=lambda store, entry: store_epoch(store, training, entry),
        drawn=lambda log: draw_epochs(picture, f"{options.problem}, {options.method}", log),
    )  # fmt: skip


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


def _status_text(status: ZeroStatus) -> str:
    what = (
        f"{status.games:,} of {status.of:,} games, {status.rate:,.0f} positions/s"
        if status.phase == "playing"
        else f"training, {status.rate:,.0f} mini-batches/s"
    )
    return f"epoch {status.epoch} of {status.epochs}  {what}  {clock(status.seconds)}"
