"""A script as a user would write it, for the type checker: everything in it is right."""

# mypy: disallow-any-generics, warn-return-any
from __future__ import annotations

from typing import Any

import numpy as np

import playout as po


class Bits(po.Problem):
    """Choose bits; the score is how many are set."""

    fields = ("n",)

    def __init__(self, n: int = 6) -> None:
        self.n = n
        self.max_moves = 2
        self.max_length = n
        self.move_type = po.record(bit="i8")
        self.state_type = po.record(length="i8", ones="i8")

    def reset(self, state: Any) -> None:
        state.length = 0

    def moves(self, state: Any, moves: Any) -> int:
        if state.length == self.n:
            return 0
        moves[0].bit, moves[1].bit = 0, 1
        return 2

    def play(self, state: Any, move: Any) -> None:
        state.length += 1
        state.ones += move.bit

    def score(self, state: Any) -> float:
        return float(state.ones)


class First(po.Player):
    """Plays the first legal move."""

    def choose(self, position: np.ndarray, stop: po.Stop) -> Any:
        return self.game.legal_moves(position[0])[0]


def solve() -> float:
    result: po.Result = po.solve(Bits(8), po.NRPA(level=2), po.Playouts(200) | po.Target(8), seed=1)
    text: str = str(result) + result._repr_html_()
    assert text
    return result.score


def search() -> str:
    found: po.SearchResult = po.search("tictactoe", "uct", po.Playouts(500), seed=1)
    return found.move


def play() -> float:
    score: po.MatchResult = po.match("tictactoe", First, "random", games=4, seed=1)
    return len(str(score))


def prove() -> str:
    proof: po.Proof = po.prove("tictactoe")
    return proof.winner


def compare() -> int:
    table: po.Comparison = po.compare(Bits(4), [po.Random(), po.NMCS()], po.Playouts(50), runs=2)
    return len(table.rows())


def check() -> bool:
    return po.check_problem(Bits()).passed


def refused() -> str:
    try:
        po.solve("samegam")
    except po.PlayoutError as error:
        return str(error)
    return ""
