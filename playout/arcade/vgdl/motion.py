"""How a sprite moves: by itself, actively, or at random."""

from __future__ import annotations

import numpy as np

from playout.arcade.vgdl.javarandom import next_below
from playout.arcade.vgdl.pool import NEW, PULLED
from playout.compiled import helper

# the four ways in GVGAI's order: up, left, down, right
WAY_X = np.array([0, -1, 0, 1])
WAY_Y = np.array([-1, 0, 1, 0])


@helper
def note(s):
    """What is noted of a sprite before anything moves in a tick."""
    s.last_x = s.x
    s.last_y = s.y
    s.last_seen = s.seen
    s.last_under = s.under
    s.rest += 1
    s.mode &= ~PULLED


@helper
def shift(game, s, dx, dy, speed):
    """Move a sprite unless it rests; whether it did."""
    if game.types[s.type].cooldown > s.rest or (dx == 0 and dy == 0):
        return False
    step = int(speed * game.block)
    s.x += int(dx) * step
    s.y += int(dy) * step
    s.rest = 0
    s.seen = -1
    return True


@helper
def move_actively(game, s, dx, dy, speed):
    """Move by will: one that turns in place turns first. Whether it moved."""
    if speed == 0 or (dx == 0 and dy == 0):
        return False
    if game.types[s.type].turns and (s.way_x != dx or s.way_y != dy):
        s.way_x = dx
        s.way_y = dy
        return False
    return shift(game, s, dx, dy, speed)


@helper
def move_passively(game, s):
    """Move as one is oriented, but not in the first tick."""
    row = game.types[s.type]
    if row.static:
        return
    if s.mode & NEW:
        s.mode &= ~NEW
        return
    if row.oriented and s.speed != 0:
        shift(game, s, s.way_x, s.way_y, s.speed)


# avatars


@helper
def choose_way(state, s, row):
    """A random way, repeated `cons` times, in `past`; it begins with idle ticks."""
    if s.count < row.cons:
        s.count += 1
        return
    k = next_below(state.luck, 4)
    s.past_x = WAY_X[k]
    s.past_y = WAY_Y[k]
    s.count = 0
