"""A network that is trained for a game by AlphaZero or MbM.

A training serves several runs, one for each rival that the network is measured against. It is in
the folder `trainings` of the cache folder, goes on there after a kill, and is read when it is done.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from playout._version import __version__
from playout.compiled.cache import cache_folder
from playout.errors import DataError, GivenUp, OptionError, nearest
from playout.study.kinds.kind import Budget, GameKind, Over, looking, option_pairs
from playout.study.kinds.trained_policy import use_threads
from playout.study.store.claim_owner import lock_file
from playout.study.store.row import Row

EVERY = 2  # epochs between two measurements
PAUSE = 0.2  # seconds between two looks at a training that another worker does


@dataclass(frozen=True)
class Train(GameKind):
    """A network trained for a game by AlphaZero or MbM, measured against a rival as it goes.

    The budget, in playouts, is the number of epochs. The score is the network's mean result against
    `rival`, "random" or "perfect" (a draw is half a win), or with `losses` the share of games that
    it loses. Both are exact. `options` are those of `learn/alphazero/alphazero_settings.py`. Runs
    that differ in the rival or in `losses` alone are one training.
    """

    rival: str
    options: Mapping[str, Any] = field(default_factory=dict)
    losses: bool = False

    kind: ClassVar[str] = "train"
    counts: ClassVar[str] = "epochs"

    def key(self) -> str:
        what = "losses" if self.losses else "result"
        how = " ".join(option_pairs(self.options))
        return f"{self.game} | train {how} | {what} against {self.rival}"

    def check(self) -> None:
        from playout.learn.alphazero.alphazero_settings import RIVALS, AlphaZeroSettings

        try:
            AlphaZeroSettings(**self.options)
        except TypeError as error:
            raise OptionError(f"train: {error}") from None
        if self.rival not in RIVALS:
            raise OptionError(f"rival {self.rival!r}; {nearest(self.rival, RIVALS)}")

    def lock(self, seed: int) -> Path:
        return self._model(seed).with_suffix(".lock")

    def perform(self, problem: Any, budget: Budget, seed: int, over: Over) -> Row:
        """Train for so many epochs; the measurements on the way are the run's curve."""
        use_threads(1)
        from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings
        from playout.learn.alphazero.epochs import AlphaZero, outcomes

        epochs, look = int(budget.amount), looking(over)
        settings = AlphaZeroSettings(**{**self.options, "epochs": epochs})
        with self.lock(seed).open("ab") as lock:
            while not lock_file(lock):
                look()
                time.sleep(PAUSE)
            training = AlphaZero(
                problem,
                settings,
                self._model(seed),
                name=self.game,
                seed=seed,
                device="auto",
                every=EVERY,
            )
            if not training.run(lambda status: over()):
                raise GivenUp
            log = training.log[:epochs]
        spent = np.cumsum([sum(entry["seconds"].values()) for entry in log])
        curve = [
            [spent[epoch - 1], float(epoch), losses if self.losses else score]
            for epoch, score, losses in outcomes(log, self.rival)
        ]
        if not curve:
            raise DataError(f"{self.game} has too many positions to be measured exactly")
        return Row(
            problem=self.game,
            algorithm=settings.method,
            options={"kind": self.kind, **settings.options()},
            score=curve[-1][2],
            playouts=epochs,
            seconds=float(spent[-1]),
            curve=curve,
        )

    def has_curve(self) -> bool:
        return True

    def _model(self, seed: int) -> Path:
        """The model of a training; what differs in the rival alone has the same."""
        folder = cache_folder() / "trainings"
        folder.mkdir(parents=True, exist_ok=True)
        what = json.dumps([self.game, sorted(self.options.items()), seed, __version__])
        name = hashlib.blake2b(what.encode(), digest_size=10).hexdigest()
        return folder / f"{name}.safetensors"
