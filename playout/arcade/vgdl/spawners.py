"""Sprites that make others: spawn points, bombers, spreaders."""

from __future__ import annotations

from playout.arcade.vgdl.javarandom import next_double, next_float
from playout.arcade.vgdl.motion import WAY_X, WAY_Y, move_passively
from playout.arcade.vgdl.pool import create, kill
from playout.compiled import helper


@helper
def make(game, state, i):
    """A spawn point or a bomber makes a sprite now and then, and ends with its last."""
    s = state.sprites[i]
    row = game.types[s.type]
    if s.born < 0:
        s.born = state.tick
    if next_float(state.luck) < row.prob and (s.born + state.tick) % row.cooldown == 0:
        bring_forth(game, state, s, row)
    move_passively(game, s)
    if row.total > 0 and s.count >= row.total:
        kill(game, state, i, True)


@helper
def spawners_turn(game, state, kind):
    """The turns of all spawn points of a type: they draw, and rarely do anything else."""
    row = game.types[kind]
    i = state.first[kind]
    while i >= 0:
        s = state.sprites[i]
        if s.born < 0:
            s.born = state.tick
        if next_float(state.luck) < row.prob and (s.born + state.tick) % row.cooldown == 0:
            bring_forth(game, state, s, row)
        if row.total > 0 and s.count >= row.total:
            kill(game, state, i, True)
        i = s.next


@helper
def bring_forth(game, state, s, row):
    """Make a sprite, and turn it."""
    if s.makes < 0:
        return
    j = create(game, state, s.makes, s.x, s.y)
    if j >= 0:
        s.count += 1
        made = state.sprites[j]
        if row.spawn_x != 0 or row.spawn_y != 0:
            made.way_x = row.spawn_x
            made.way_y = row.spawn_y
        elif made.way_x == 0 and made.way_y == 0:
            made.way_x = s.way_x
            made.way_y = s.way_y


@helper
def spread(game, state, s, row):
    """Sprites on the four sides, each with a chance."""
    for way in range(4):
        if next_double(state.luck) < row.prob:
            x, y = s.last_x + WAY_X[way] * game.block, s.last_y + WAY_Y[way] * game.block
            create(game, state, s.makes, x, y)
