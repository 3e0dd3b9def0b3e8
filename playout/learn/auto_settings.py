"""`auto`: the settings of a training by what is there: the board's size, the time and the device.

What takes most of the time of a short training is its first generation, which plays without a
policy, and the generations after it learn from what it plays. So it is this one that is fitted to
the time: games of it are played for a moment, and it gets as many games and simulations as a
quarter of the time has room for. More simulations than the paper's are its second wish, after the
paper's number of games: it is the teacher of all that follow (docs/learn.md has figures).

Settings that were chosen once are those of the training's folder, whatever the machine does later.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from playout.contract import Game, Problem
from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings
from playout.learn.policy_iteration.policy_iteration_settings import PolicyIterationSettings
from playout.learn.training_folder import description_of, folder_of
from playout.learn.training_settings import QUICK, TrainingSettings

USUAL_SECONDS = 1800.0  # of a training that nobody gives a time
FIRST_SHARE = 0.25  # of the time, for the games of the first generation
FEWEST_GAMES = 100  # of the first generation: fewer teach a network nothing
MOST_SIMULATIONS = 20  # times those of the later generations
LONG_SECONDS = 3600.0  # from which on a game gets the paper's network
SIZES = {7 * 7: "7x7", 10 * 10: "10x10", 15 * 15: "15x15"}  # cells: the paper's preset


@dataclass(frozen=True)
class Pace:
    """How fast games are played without a policy, by all threads together."""

    playouts: float  # a second
    moves: float  # of a game


def usual_preset(rules: Game, seconds: float, gpu: bool) -> Any:
    """The settings that the choice begins with: those of the size and the device."""
    if not isinstance(rules, Problem):
        long = gpu or seconds >= LONG_SECONDS
        return AlphaZeroSettings.preset("bounded" if long else QUICK)
    cells = int(np.prod(rules.plane_shape[1:]))
    nearest = min(SIZES, key=lambda size: abs(math.log(size / cells)))
    paper = PolicyIterationSettings.preset(SIZES[nearest])
    if gpu:
        return paper
    quick = PolicyIterationSettings.preset(QUICK)
    # the paper has no smaller boards, and `quick` was made for them
    return quick if cells < min(SIZES) else replace(quick, c_puct=paper.c_puct, alpha=paper.alpha)


def fitted(
    settings: PolicyIterationSettings, seconds: float, pace: Pace
) -> PolicyIterationSettings:
    """The settings with a first generation for which a part of the time has room."""
    room = FIRST_SHARE * seconds * pace.playouts / max(pace.moves, 1.0)  # games x simulations
    games, simulations = settings.games_of(1), settings.first_simulations
    if room >= games * simulations:
        most = max(simulations, MOST_SIMULATIONS * settings.simulations)
        simulations = min(int(room / games), most)
    else:
        games = min(games, max(FEWEST_GAMES, int(room / simulations)))
        simulations = min(simulations, max(settings.simulations, int(room / games)))
    return replace(settings, first_games=games, first_simulations=simulations)


def pace_of(problem: Problem, threads: int) -> Pace:
    """Play some games, after one for which everything is compiled, and look at the clock."""
    from playout.learn.policy_iteration.compiled_self_play import Games
    from playout.learn.policy_iteration.policy_mcts import UNIFORM, PolicyMCTS
    from playout.learn.policy_iteration.self_play import SelfPlay

    algorithm = PolicyMCTS(model=UNIFORM, commit="best", leaves=1, revisit=True, simulations=8)
    at_once = 16 * threads
    play = SelfPlay(problem, algorithm, at_once=at_once, threads=threads)
    play.play(Games.empty(problem, np.arange(1)), 1)
    games = Games.empty(problem, np.arange(at_once))
    start = time.perf_counter()
    play.play(games, 1)
    took = max(time.perf_counter() - start, 1e-3)
    return Pace(play.playouts / took, float(games.lengths.mean()))


def chosen_settings(
    rules: Game,
    changes: Mapping[str, str],
    model: Path,
    *,
    seconds: float | None,
    gpu: bool,
    threads: int,
) -> TrainingSettings:
    """The settings of a training that names no preset: those that it was begun with, or a choice.

    `changes` are settings of one's own, as texts.
    """
    time_given = USUAL_SECONDS if seconds is None else seconds
    usual: TrainingSettings = usual_preset(rules, time_given, gpu)
    before = (description_of(folder_of(model)) or {}).get("settings")
    if isinstance(before, dict) and before.keys() <= usual.options().keys():
        return replace(usual, **before).changed(changes)
    settings = usual.changed(changes)
    if not isinstance(settings, PolicyIterationSettings) or not isinstance(rules, Problem):
        return settings
    # `changed` once more: what is asked for goes before what fits
    return fitted(settings, time_given, pace_of(rules, threads)).changed(changes)
