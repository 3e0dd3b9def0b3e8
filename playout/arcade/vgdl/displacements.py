"""Effects that move sprites, or turn them."""

from __future__ import annotations

import numpy as np

from playout.arcade.vgdl.effect_numbers import (
    ALIGN,
    ATTRACTGAZE,
    BOUNCEFORWARD,
    FLIPDIRECTION,
    PULLWITHIT,
    REVERSEDIRECTION,
    TURNAROUND,
    UNDOALL,
    WRAPAROUND,
)
from playout.arcade.vgdl.javarandom import next_below, next_double
from playout.arcade.vgdl.motion import WAY_X, WAY_Y, move_actively, shift
from playout.arcade.vgdl.pool import PULLED, kill, place, step_back
from playout.compiled import helper


@helper
def stop_beside(game, s, other):
    """Step back as far as the other's edge, along the way in which the sprite moved."""
    x, y = way_moved(s)
    if x != 0 and y == 0:
        place(s, other.x - x * game.block, s.y)
    elif y != 0 and x == 0:
        place(s, s.x, other.y - y * game.block)
    else:
        place(s, s.last_x, s.last_y)


@helper
def way_moved(s):
    """The way in which a sprite moved in this tick, as signs."""
    x, y = s.x - s.last_x, s.y - s.last_y
    return int(x > 0) - int(x < 0), int(y > 0) - int(y < 0)


@helper
def displace(game, state, rule, i, j):
    """Effects that move sprites or turn them."""
    s = state.sprites[max(i, 0)]
    effect = rule.effect
    if effect == UNDOALL:
        undo_all(game, state, rule.third)
    elif effect == TURNAROUND:
        place(s, s.last_x, s.last_y)
        for _ in range(2):
            s.rest = game.types[s.type].cooldown
            move_actively(game, s, 0, 1, s.speed)
        s.way_x = -s.way_x
        s.way_y = -s.way_y
    elif effect == REVERSEDIRECTION:
        s.way_x = -s.way_x
        s.way_y = -s.way_y
    elif effect == FLIPDIRECTION:
        k = next_below(state.luck, 4)
        s.way_x = WAY_X[k]
        s.way_y = WAY_Y[k]
    elif effect == WRAPAROUND:
        wrap(game, s, rule.value)
    elif j >= 0:
        return displace_by(game, state, rule, i, j)
    return True


@helper
def displace_by(game, state, rule, i, j):
    """Effects in which a second moves or turns the first."""
    s, other = state.sprites[i], state.sprites[j]
    effect = rule.effect
    if effect == BOUNCEFORWARD:
        x, y = way_moved(other)
        if x != 0 or y != 0:
            s.way_x = x
            s.way_y = y
            for _ in range(rule.repeat):
                move_actively(game, s, x, y, other.speed)
    elif effect == ATTRACTGAZE:
        if next_double(state.luck) < rule.prob:
            if game.types[s.type].oriented and game.types[other.type].faces:
                s.way_x = other.way_x
                s.way_y = other.way_y
                if rule.flag:
                    place(s, other.x if s.way_x == 0 else s.x, other.y if s.way_x != 0 else s.y)
    elif effect == ALIGN:
        if rule.flag:
            s.way_x = other.way_x
            s.way_y = other.way_y
        place(s, other.x, other.y)
    elif effect == PULLWITHIT:
        if s.mode & PULLED == 0:  # once in a tick
            s.mode |= PULLED
            if rule.flag:
                place(s, other.x, other.y)
            else:
                x, y = way_moved(other)
                shift(game, s, x, y, other.speed)
    else:  # TELEPORTTOEXIT
        teleport(game, state, i, state.sprites[j].makes)
    return True


@helper
def undo_all(game, state, spared):
    """All sprites go back to where they were before this tick, but for those of one type."""
    for kind in range(len(game.types)):
        if game.types[kind].fixed:
            continue
        if spared >= 0 and (game.family[spared] >> np.uint64(kind)) & np.uint64(1):
            continue
        i = state.first[kind]
        while i >= 0:
            s = state.sprites[i]
            step_back(state, s)
            i = s.next


@helper
def wrap(game, s, offset):
    """Come in again at the other side."""
    block = game.block
    width, height = game.columns * block, game.rows * block
    if s.way_x > 0:
        place(s, int(offset * block), s.y)
    elif s.way_x < 0:
        place(s, int(width - block * (1 + offset)), s.y)
    elif s.way_y > 0:
        place(s, s.x, int(offset * block))
    elif s.way_y < 0:
        place(s, s.x, int(height - block * (1 + offset)))
    s.rest = 0


@helper
def teleport(game, state, i, kind):
    """Go to a random sprite of the portal's exit; without any, away."""
    s = state.sprites[i]
    exits = 0
    if kind >= 0:
        for k in range(game.kin_from[kind], game.kin_from[kind + 1]):
            exits += state.number[game.kin[k]]
    if exits == 0:
        kill(game, state, i, True)
        return
    left = next_below(state.luck, exits)
    for k in range(game.kin_from[kind], game.kin_from[kind + 1]):
        j = state.first[game.kin[k]]
        while j >= 0:
            other = state.sprites[j]
            if left == 0:
                place(s, other.x, other.y)
                s.rest = 0
                if game.types[other.type].faces:
                    s.way_x = other.way_x
                    s.way_y = other.way_y
                return
            left -= 1
            j = other.next
