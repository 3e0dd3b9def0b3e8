"""Runs that train networks: AlphaZero and MbM, the figures of zoNNscan. They need `learn`.

A training serves several runs, one for each rival that the network is measured against. It is in
the folder `trainings` of the cache folder, goes on there after a kill, and is read when it is done.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from playout._version import __version__
from playout.compiled.cache import cache_folder
from playout.contract import Game
from playout.errors import DataError, GivenUp, OptionError, nearest
from playout.study.kinds.runs import Scan, Train
from playout.study.store.owner_lock import lock_file

EVERY = 2  # epochs between two measurements
PAUSE = 0.2  # seconds between two looks at a training that another worker does

KNOWN = {
    "classifier": ("mlp", "cnn", "irnn"),
    "what": ("accuracy", "index", "ordinary", "corner", "corner-p", "mark-p"),
}


def scan(search: Scan, samples: int, seed: int, over: Callable[[], bool]) -> dict[str, Any]:
    """One figure of zoNNscan; what the store keeps of it."""
    use_threads(1)
    from playout.zonnscan.uses import measure

    def look() -> None:
        if over():
            raise GivenUp

    began = time.perf_counter()
    figure = measure(
        search.data, search.classifier, search.what, samples, seed, radius=search.radius, look=look
    )
    return {
        "problem": search.data,
        "instance": "",
        "problem_options": "{}",
        "algorithm": f"zonnscan {search.what} {search.classifier}",
        "options": json.dumps({"kind": search.kind, "radius": search.radius}),
        "score": figure,
        "playouts": samples,
        "seconds": time.perf_counter() - began,
        "verified": 1,
        "stopped_by": "playouts",
        "curve": np.array([[0.0, 0.0, figure]], "<f8").tobytes(),
        "moves": "[]",
        "records": "[]",
    }


def use_threads(threads: int) -> None:
    """A worker is one of several: its networks compute in so many threads on the CPU."""
    from playout.learn.networks.torch_device import need_torch

    need_torch().set_num_threads(threads)


def check_scan(search: Scan) -> None:
    """Refuse names that there are not."""
    for name, values in KNOWN.items():
        value = getattr(search, name)
        if value not in values:
            raise OptionError(f"{name} {value!r}; {nearest(value, values)}")


def train(
    search: Train, game: Game, epochs: int, seed: int, over: Callable[[], bool]
) -> dict[str, Any]:
    """Train for so many epochs; the measurements on the way are the run's curve."""
    use_threads(1)
    from playout.learn.alphazero.epochs import ZeroTraining, outcomes
    from playout.learn.alphazero.zero_settings import ZeroSettings

    path = _training(search, seed)
    settings = ZeroSettings(**{**search.options, "epochs": epochs})
    with path.with_suffix(".lock").open("ab") as lock:
        while not lock_file(lock):
            if over():
                raise GivenUp
            time.sleep(PAUSE)
        training = ZeroTraining(
            game, settings, path, name=search.game, seed=seed, device="auto", every=EVERY
        )
        if not training.run(lambda status: over()):
            raise GivenUp
        log = training.record.log()[:epochs]
    spent = np.cumsum([sum(entry["seconds"].values()) for entry in log])
    curve = [
        [spent[epoch - 1], float(epoch), losses if search.losses else score]
        for epoch, score, losses in outcomes(log, search.rival)
    ]
    if not curve:
        raise DataError(f"{search.game} has too many positions to be measured exactly")
    return {
        "problem": search.game,
        "instance": "",
        "problem_options": "{}",
        "algorithm": settings.method,
        "options": json.dumps({"kind": search.kind, **settings.options()}),
        "score": curve[-1][2],
        "playouts": epochs,
        "seconds": float(spent[-1]),
        "verified": 1,
        "stopped_by": "playouts",
        "curve": np.array(curve, "<f8").tobytes(),
        "moves": "[]",
        "records": "[]",
    }


def check_train(search: Train) -> None:
    """Refuse settings and rivals that there are not."""
    from playout.learn.alphazero.zero_settings import RIVALS, ZeroSettings

    try:
        ZeroSettings(**search.options)
    except TypeError as error:
        raise OptionError(f"train: {error}") from None
    if search.rival not in RIVALS:
        raise OptionError(f"rival {search.rival!r}; {nearest(search.rival, RIVALS)}")


def is_free(search: Train, seed: int) -> bool:
    """Whether no other worker does the training of a run just now."""
    path = _training(search, seed).with_suffix(".lock")
    if not path.exists():
        return True
    with path.open("ab") as lock:
        return lock_file(lock)


def _training(search: Train, seed: int) -> Path:
    """The model of a training; what differs in the rival alone has the same."""
    folder = cache_folder() / "trainings"
    folder.mkdir(parents=True, exist_ok=True)
    what = json.dumps([search.game, sorted(search.options.items()), seed, __version__])
    name = hashlib.blake2b(what.encode(), digest_size=10).hexdigest()
    return folder / f"{name}.safetensors"
