"""From a proof to a strategy that anyone can check: a move for every reply, written as it is found.

The solver is asked again in every position of the strategy. What is still in its table is found
there; the rest is searched once more.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import IO, BinaryIO

import numpy as np

from playout.compiled import same_record
from playout.errors import DataError, ProblemError
from playout.solvers.certificate import (
    Certificate,
    Choose,
    Claim,
    Look,
    play_strategy,
    text_in,
    write_header,
)
from playout.solvers.prover import Prover
from playout.text.output_files import write_atomically


def claims_of(prover: Prover) -> list[Claim]:
    """What must be shown for the value: that it is got, and that more is not."""
    outcomes, value = prover.game.outcomes, prover.value
    if value is None:
        raise ProblemError("there is no proof yet")
    claims = [Claim(0, float(value))] if value > min(outcomes) else []
    return claims + ([Claim(1, float(value))] if value < max(outcomes) else [])


def write_certificate(
    prover: Prover, game: str, path: str | Path, progress: Look | None = None
) -> Certificate:
    """Write the strategy of a finished proof; `game` is the text that names the game.

    The file is whole or not there.
    """
    path = Path(path)
    claims, root = claims_of(prover), prover.root
    position = prover.game.position_text(root[0])
    total = 0

    def write(raw: BinaryIO) -> None:
        nonlocal total
        with text_in(raw, path) as file:
            write_header(file, game, position, claims)
            for claim in claims:
                file.write(json.dumps(vars(claim)) + "\n")
                total += play_strategy(
                    prover.game, root, claim, _writer(prover, claim, file), progress
                )
            file.write(f'{{"positions": {total}}}\n')

    write_atomically(path, write)
    return Certificate(game, position, tuple(claims), total)


def _writer(prover: Prover, claim: Claim, file: IO[str]) -> Choose:
    """Ask the solver for the move of a position, and write it."""
    game = prover.game
    goal = claim.reward
    if claim.player == 1:  # he keeps the first player from the next outcome
        goal = min(outcome for outcome in game.outcomes if outcome > claim.reward)

    def choose(state: np.ndarray, text: str, legal: np.ndarray) -> int:
        answer, move = prover.ask(state, goal)
        if answer != (claim.player == 0):
            raise ProblemError(f"the solver is wrong: {claim} does not hold in {text}")
        line = f"{text}\t{game.move_text(state[0], move)}\n"
        if line.count("\t") != 1 or len(line.splitlines()) != 1:
            raise DataError(
                f"{type(game).__name__} has positions or moves whose text is not one plain line"
            )
        file.write(line)
        return next(i for i in range(len(legal)) if same_record(legal[i], move))

    return choose
