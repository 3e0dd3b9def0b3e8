"""What every training has: what it trains, its settings and its folder, its log and its status."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import numpy as np

from playout.compiled import digest_of_class, wrapping
from playout.contract import Game
from playout.learn.networks.network_shape import shape_of
from playout.learn.networks.torch_device import device_of
from playout.learn.train_result import Entry, TrainingStatus, TrainResult
from playout.learn.training_folder import TrainingFolder, folder_of
from playout.learn.training_settings import TrainingSettings
from playout.run.checkpoint import digest_of_instance
from playout.text.output_files import check_writable

CHECKED = 3  # games of a generation or epoch that are played again in plain Python
LOOK_SECONDS = 0.25  # between two reports

Report = Callable[[TrainingStatus], bool]  # True to stop
S = TypeVar("S", bound=TrainingSettings)


class Training(Generic[S]):
    """A training, begun or gone on with.

    Parameters
    ----------
    what : Problem or Game
        One with `planes` and `output`.
    out : path
        Where the model goes; beside it is the folder that the training goes on from.
    name : str
        What the problem or game is called, for the model.
    """

    unit: ClassVar[str]  # what it goes on by
    figures: ClassVar[tuple[str, ...]]  # numbers in every entry of its log
    free: ClassVar[tuple[str, ...]]  # settings that may change from run to run
    result_type: ClassVar[type[TrainResult]]

    def __init__(
        self,
        what: Game,
        settings: S,
        out: str | Path,
        *,
        name: str,
        seed: int = 1,
        device: str = "auto",
    ) -> None:
        self.what, self.settings, self.name, self.seed = what, settings, name, seed
        self.out = Path(out)
        self.shape = shape_of(what)
        self.device = device_of(device)
        self.code = digest_of_class(type(what))
        check_writable(self.out)
        identity = {
            "problem": name,
            "data": digest_of_instance(what),
            "code": self.code,
            "settings": self._fixed(),
            "seed": seed,
        }
        self.folder = TrainingFolder(folder_of(self.out), identity)
        self.log = self.folder.log(self.unit, self.figures)
        self._began = time.perf_counter()
        self.interrupted: Callable[[], bool] = lambda: False  # whether to end at once

    def run(self, report: Report) -> bool:
        """Train to the last generation or epoch; False if `report` said stop before it."""
        raise NotImplementedError

    @property
    def method(self) -> str:
        """What the training is called."""
        raise NotImplementedError

    @property
    def last(self) -> int:
        """The last generation or epoch."""
        return int(getattr(self.settings, self.unit + "s"))

    def _fixed(self) -> dict[str, Any]:
        """The settings that make it this training."""
        settings = self.settings.options()
        return {name: value for name, value in settings.items() if name not in self.free}

    def result(self, stopped_by: str = "") -> TrainResult:
        """What it has come to."""
        return self.result_type(
            name=self.name,
            method=self.method,
            unit=self.unit,
            model=self.out,
            settings=self.settings.options(),
            fixed=self._fixed(),
            seed=self.seed,
            code=self.code,
            log=list(self.log),
            seconds=time.perf_counter() - self._began,
            stopped_by=stopped_by,
        )

    def status(
        self, number: int, phase: str, games: int, of: int, rate: float = 0.0, **more: Any
    ) -> TrainingStatus:
        """What it is doing."""
        return TrainingStatus(self.result(), number, self.last, phase, games, of, rate, **more)

    def starting(self) -> TrainingStatus:
        """The status before anything is done."""
        return self.status(min(len(self.log) + 1, self.last), "starting", 0, 0)

    def _add(self, entry: Entry) -> None:
        """Log a generation or epoch: from now on it counts."""
        self.folder.add(entry)
        self.log.append(entry)


def plays_out(rules: Game, states: np.ndarray, outputs: Sequence[int]) -> bool:
    """Whether moves, given by a network's outputs, are legal and end the game; in plain Python.

    `states` is an array of one, the position that they begin from, and where they led in the end.
    """
    legal = rules.new_moves()
    with wrapping():
        for wanted in outputs:
            n = rules.moves(states[0], legal)
            there = [int(rules.output(states[0], legal[m])) for m in range(n)]
            if there.count(wanted) != 1:
                return False
            rules.play(states[0], legal[there.index(wanted)].copy())
        return rules.moves(states[0], legal) == 0
