"""Every position of a small game: exact values, and players judged by them."""

from __future__ import annotations

import numpy as np
import pytest

from playout.errors import OptionError
from playout.games import TicTacToe
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.learn.alphazero.all_positions import AllPositions  # noqa: E402

GAME = TicTacToe()
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


@pytest.fixture(scope="module")
def positions():
    return AllPositions(GAME)


def test_every_position_and_its_value(positions):
    assert len(positions) == 5478
    values = {}

    # the value for the player to move, by sets of cells and no code of the package
    def value(mine, theirs):
        if any(set(line) <= theirs for line in LINES):
            return 0.0
        if len(mine) + len(theirs) == 9:
            return 0.5
        key = frozenset(mine), frozenset(theirs)
        if key not in values:
            left = set(range(9)) - mine - theirs
            values[key] = max(1 - value(theirs, mine | {c}) for c in left)
        return values[key]

    for row in range(0, len(positions), 37):
        state = positions.states[row]
        cells = [{c for c in range(9) if int(s) >> c & 1} for s in state.stones]
        mover = int(state.player)
        wanted = value(cells[mover], cells[1 - mover])
        assert positions.value[row] == (wanted if mover == 0 else 1 - wanted)


def test_exact_results_against_played_games(positions):
    """A policy that takes the lowest free cell: its wins against chance, by enumeration."""

    def lowest(planes):
        return np.tile(-np.arange(9.0), (len(planes), 1))

    def results(x, o, mine, weight):
        """Wins, draws and losses when the policy has the stones `mine` and moves in turn."""
        player, other = (x, o) if len(x) == len(o) else (o, x)
        if any(set(line) <= other for line in LINES):
            won = other is mine
            return np.array([weight, 0, 0] if won else [0, 0, weight])
        left = [c for c in range(9) if c not in x and c not in o]
        if not left:
            return np.array([0, weight, 0])
        if player is mine:
            left = left[:1]
        total = np.zeros(3)
        for cell in left:
            player.add(cell)
            total = total + results(x, o, mine, weight / len(left))
            player.remove(cell)
        return total

    for seat in (0, 1):
        stones = (set(), set())
        found = positions.seat_result(lowest, "random", seat)
        wanted = results(*stones, stones[seat], 1.0)
        assert [found.wins, found.draws, found.losses] == pytest.approx(wanted.tolist())


def test_the_best_moves_never_lose(positions):
    best = positions.best_moves()
    keys = {positions.planes(np.array([row])).tobytes(): row for row in range(len(positions))}

    def perfect(planes):
        logits = np.zeros((len(planes), 9))
        for i, plane in enumerate(planes):
            row = keys[plane.tobytes()]
            logits[i, positions.outputs[row][best[row]]] = 1
        return logits

    for rival in ("random", "perfect"):
        assert positions.result(perfect, rival).losses == 0
    assert positions.result(perfect, "perfect").score == 0.5
    with pytest.raises(OptionError, match="one of random"):
        positions.result(perfect, "nobody")


def test_too_many_positions():
    with pytest.raises(OptionError, match="more than 1,000 positions"):
        AllPositions(GAME, 1000)
