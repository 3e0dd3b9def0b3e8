"""What a training leaves in the results store: a row for each generation or epoch."""

from __future__ import annotations

import json

from playout._version import __version__
from playout.learn.train_result import Entry, TrainResult
from playout.study.store.results_store import Store
from playout.study.store.row import Row, RunKey


def store_entry(store: Store, result: TrainResult, entry: Entry) -> None:
    """Keep a generation or epoch as a run of the experiment `train NAME`; done twice, it is one."""
    key = RunKey(
        experiment=f"train {result.name}",
        cell=f"{result.name} {result.method} {json.dumps(result.fixed)}",
        seed=result.seed,
        unit=f"{result.unit}s",
        budget=float(entry[result.unit]),
        package=__version__,
        code=result.code,
    )
    seconds, score = sum(entry["seconds"].values()), result.score(entry)
    playouts: int = entry["playouts"] if "playouts" in entry else entry["games"]
    row = Row(
        problem=result.name,
        algorithm=result.method,
        options=result.settings,
        score=score,
        playouts=playouts,
        seconds=seconds,
        verified=entry["verified"],
        stopped_by=result.unit,
        curve=[[seconds, playouts, score]],
        records=[entry],
    )
    store.finish(key, row)
