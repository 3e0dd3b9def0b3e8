"""What `evaluate` has returned: one score for each state, or it is said what came instead."""

from __future__ import annotations

import numpy as np

from playout.errors import ProblemError

SHOWN = 60  # letters of what are no scores


def as_scores(name: str, states: np.ndarray, returned: object) -> np.ndarray:
    """The scores that the `evaluate` of a class of this name gave for these states.

    >>> as_scores("Sum", np.zeros(2), [1, 2])
    array([1., 2.])
    """
    try:
        scores = np.asarray(returned if returned is not None else "None", float)
    except (TypeError, ValueError):
        scores = np.empty(())
    if scores.shape == (len(states),):
        if np.isnan(scores).any():
            raise ProblemError(
                f"{name}.evaluate returned NaN, which is no score; playout check shows where"
            )
        return scores
    text = " ".join(repr(returned).split())
    came = text if len(text) <= SHOWN else f"{text[: SHOWN - 3]}..."
    if scores.ndim == 1:
        came = f"{len(scores)} scores"
    raise ProblemError(
        f"{name}.evaluate was given {len(states)} states and returned {came}: it should return a "
        "list or an array with one score for each"
    )
