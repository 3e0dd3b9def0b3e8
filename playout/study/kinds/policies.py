"""Runs with a trained policy: which file it is, and what its training has noted."""

from __future__ import annotations

import hashlib
import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from playout.errors import DataError
from playout.learn.policy_iteration.policy_mcts import UNIFORM, PolicyMCTS
from playout.statistics import half_width
from playout.study.kinds.runs import Generations, Run, Solve


def has_model(search: Run) -> bool:
    """Whether a run needs a trained policy."""
    return (
        isinstance(search, Solve)
        and search.algorithm == PolicyMCTS.name
        and search.options.get("model") != UNIFORM
    )


def model_file(search: Solve | Generations, problem: Any) -> Path:
    """The file of a run's policy; DataError that says how to come by one."""
    from playout.learn.networks.find_model import find_model

    name = search.model if isinstance(search, Generations) else search.options.get("model")
    if name:
        return Path(name)
    try:
        return find_model(problem)
    except DataError:
        size = "x".join(str(number) for number in problem.plane_shape[:0:-1])
        raise DataError(
            f"the package has no trained policy for {search.problem} {size}: train one (playout "
            f"train {search.problem}:{size} --out FILE) and name it with --model FILE"
        ) from None


def digest_of_model(search: Solve | Generations, problem: Any) -> str:
    """A digest of a policy: runs with another are kept apart."""
    path = model_file(search, problem)
    try:
        return hashlib.blake2b(path.read_bytes(), digest_size=12).hexdigest()
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None


def generations(search: Generations, problem: Any, last: int) -> dict[str, Any]:
    """The mean scores of self-play up to a generation, as the model file tells them.

    Each has an interval over the games of its generation, where the file has the whole record.
    """
    from playout.learn.networks.model_file import read_header

    path = model_file(search, problem)
    about = read_header(path)["about"]
    scores = [float(score) for score in about.get("scores", [])][:last]
    if not scores:
        raise DataError(f"{path} does not say how its training went")
    seconds = float(about.get("seconds", 0.0)) * len(scores) / len(about["scores"])
    record = [*about.get("record", []), *({} for _ in scores)]
    halves = [_half(record[place]) for place in range(len(scores))]
    curve = [[seconds, float(number), score] for number, score in enumerate(scores, 1)]
    return {
        "problem": search.problem,
        "instance": "",
        "problem_options": json.dumps(dict(search.problem_options)),
        "algorithm": "policy-iteration",
        "options": json.dumps({"kind": search.kind, "settings": about.get("settings", {})}),
        "score": scores[-1],
        "playouts": len(scores),
        "seconds": seconds,
        "verified": 1,
        "stopped_by": "playouts",
        "curve": np.array(curve, "<f8").tobytes(),
        "moves": "[]",
        "records": "[]",
        "details": json.dumps({"halves": halves}),
    }


def _half(entry: dict[str, Any]) -> float | None:
    """The half-width of the 95% interval of a generation's mean over its games."""
    games = int(entry.get("games", 0))
    if games < 2 or "deviation" not in entry:
        return None
    return half_width(float(entry["deviation"]) / math.sqrt(games - 1), games - 1)
