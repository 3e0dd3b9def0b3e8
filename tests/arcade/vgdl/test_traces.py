"""Golden traces: the engine does, tick by tick, what GVGAI did with the same seed and actions.

A trace has, for every tick, the score, whether the game is over, whether it is won, and a checksum
of the places of all sprites in the order of their groups; so every draw of luck is compared, too.
"""

from __future__ import annotations

import gzip

import numpy as np
import pytest

from playout.compiled import wrapping
from tests.support.datafolder import data, needs_data
from tests.support.vgdl_games import (
    SEVEN,
    after_each,
    data_game,
    needs_traces,
    seen,
    traces,
)

ROOM = 600  # one size class, and so one compilation, for all


def first_difference(trace: dict, ticks: int, compiled: bool, **options) -> int:
    """The first tick that differs from a trace; -1 if none does."""
    game = data_game(trace["game"], trace["level"], **options)
    moves = np.array([int(action) for action in trace["actions"][:ticks]])
    with wrapping():
        states = after_each(game, trace["seed"], moves, compiled)
    for tick, (state, wanted) in enumerate(zip(states, trace["ticks"][:ticks], strict=True)):
        if seen(game, state) != wanted:
            return tick
    return -1


@needs_traces
@pytest.mark.parametrize("name", SEVEN)
def test_the_first_ticks_of_each_game_are_gvgais_in_plain_python(name):
    assert first_difference(traces()[name, 1, 2], 60, compiled=False) == -1


@needs_traces
@pytest.mark.long
@pytest.mark.parametrize("name", SEVEN)
def test_every_tick_of_every_trace_is_gvgais(name):
    there = [trace for key, trace in traces().items() if key[0] == name]
    assert len(there) == 20
    for trace in there:
        assert first_difference(trace, 9999, True, sprites=ROOM) == -1


@needs_traces
@pytest.mark.long
@pytest.mark.parametrize("name", SEVEN)
def test_without_shortcuts_every_tick_is_the_same(name):
    """All types simulated, and each pair of sprites tested."""
    for level in range(5):
        trace = traces()[name, level, 2]
        assert first_difference(trace, 150, True, sprites=900, shortcuts=False) == -1


@needs_data("vgdl/traces_full/zelda_0_1.txt.gz")
def test_a_full_trace_has_the_same_sprites():
    trace = traces()["zelda", 0, 1]
    lines = gzip.decompress(data("vgdl/traces_full/zelda_0_1.txt.gz").read_bytes()).decode()
    game = data_game("zelda", 0)
    moves = np.array([int(action) for action in trace["actions"][:40]])
    with wrapping():
        states = after_each(game, 1, moves, compiled=False)
    for line, state in zip(lines.splitlines(), states, strict=False):
        groups = game.sprites(state)
        names = [game.game.types[kind].name for kind in groups]
        wanted = [part.split()[0] for part in line.split("|")[1:]]
        assert names == wanted
        (place,) = groups[next(k for k in groups if game.types[k].avatar)]
        assert f"|nokey {place[0]},{place[1]} " in line + " "
