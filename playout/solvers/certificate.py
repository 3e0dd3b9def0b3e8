"""Winning strategies on disk, and their check by the rules alone.

A certificate is JSON: the game, the position, who wins what, and for every position in which the
winner moves, by its text, the move to play. The check walks through all replies of the other side
and uses nothing but the rules of the game: no table, no order, no solver.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from playout.errors import DataError
from playout.problem import Game

FORMAT = "playout-proof-1"


def check_certificate(
    path: str | Path, progress: Callable[[int], None] | None = None
) -> dict[str, Any]:
    """Check a certificate; what it proves, or DataError with the position that it fails in."""
    from playout.games import load_game

    data = read_certificate(path)
    game = load_game(data["game"])
    state = game.read_position(data["position"])
    strategy, player, least = data["strategy"], data["player"], data["reward"]
    seen: set[str] = set()
    todo = [state]
    with np.errstate(over="ignore"):
        while todo:
            state = todo.pop()
            text = game.position_text(state[0])
            if text in seen:
                continue
            seen.add(text)
            if progress is not None and len(seen) % 1000 == 0:
                progress(len(seen))
            for following in _replies(game, state, text, strategy, player, least, path):
                todo.append(following)
    return {**data, "positions": len(seen)}


def _replies(
    game: Game, state: np.ndarray, text: str, strategy: dict[str, str], player: int, least: float,
    path: str | Path,
) -> list[np.ndarray]:  # fmt: skip
    """The positions that the strategy must go on from."""
    legal = game.new_moves()
    n = game.moves(state[0], legal)
    if n == 0:
        if game.reward(state[0], player) < least:
            raise DataError(f"{path}: the strategy ends in {text}, which is not worth {least:g}")
        return []
    if int(game.turn(state[0])) != player:
        return [_after(game, state, legal[i]) for i in range(n)]
    if text not in strategy:
        raise DataError(f"{path}: the strategy has no move for {text}")
    return [_after(game, state, game.parse_move(state[0], strategy[text]))]


def _after(game: Game, state: np.ndarray, move: Any) -> np.ndarray:
    following = state.copy()
    game.play(following[0], move.copy())
    return following


def read_certificate(path: str | Path) -> dict[str, Any]:
    """A certificate as it is in its file."""
    try:
        data = json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise DataError(f"cannot read {path}: {error.strerror or error}") from None
    except (ValueError, UnicodeDecodeError):
        raise DataError(f"{path} is not a certificate") from None
    kinds = {"game": str, "position": str, "player": int, "reward": float, "strategy": dict}
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise DataError(f"{path} is not a certificate ({FORMAT})")
    for name, kind in kinds.items():
        if not isinstance(data.get(name), kind):
            raise DataError(f"{path}: {name} is missing, or not what it should be")
    return data
