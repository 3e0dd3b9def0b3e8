"""Sprites that chase others or flee: by coordinates, or by the shortest path."""

from __future__ import annotations

import numpy as np

from playout.arcade.vgdl.javarandom import next_below, next_double
from playout.arcade.vgdl.motion import WAY_X, WAY_Y, choose_way, move_actively, move_passively
from playout.arcade.vgdl.paths import STEP_X, STEP_Y
from playout.arcade.vgdl.pool import NOWHERE, count_types
from playout.arcade.vgdl.words import Kind
from playout.compiled import helper

PATH_ALTERNATE_CHASER = int(Kind.PATH_ALTERNATE_CHASER)
BITS = np.array([bin(word).count("1") for word in range(16)])


@helper
def ways_to(s, other, flees):
    """The ways that lead nearer to another sprite, or farther from it, as four bits."""
    ways = int(other.y < s.y) + 2 * int(other.x < s.x)
    ways += 4 * int(other.y > s.y) + 8 * int(other.x > s.x)
    return 15 - ways if flees else ways


@helper
def chase(game, state, s, listed, number, flees):
    """Step nearer to one of the nearest targets, or farther; at random where that cannot be."""
    row = game.types[s.type]
    best, total = 1 << 30, 0  # the least distance, and how many steps lead nearer to such targets
    for k in range(listed, listed + number):
        kind = game.listed[k]
        for n in range(game.kin_from[kind], game.kin_from[kind + 1]):
            j = state.first[game.kin[n]]
            while j >= 0:
                other = state.sprites[j]
                distance = abs(s.x - other.x) + abs(s.y - other.y)
                if distance < best:
                    best, total = distance, 0
                if distance == best:
                    total += BITS[ways_to(s, other, flees)]
                j = other.next
    if total == 0 or 0 <= row.reach < best:
        choose_way(state, s, row)
        move_actively(game, s, s.past_x, s.past_y, s.speed)
        return
    way = chosen_way(game, state, s, listed, number, flees, best, next_below(state.luck, total))
    move_actively(game, s, WAY_X[way], WAY_Y[way], s.speed)


@helper
def chosen_way(game, state, s, listed, number, flees, best, choice):
    """The step of this number among those that `chase` counted."""
    for k in range(listed, listed + number):
        kind = game.listed[k]
        for n in range(game.kin_from[kind], game.kin_from[kind + 1]):
            j = state.first[game.kin[n]]
            while j >= 0:
                other = state.sprites[j]
                j = other.next
                if abs(s.x - other.x) + abs(s.y - other.y) != best:
                    continue
                ways = ways_to(s, other, flees)
                for way in range(4):
                    if (ways >> way) & 1:
                        if choice == 0:
                            return way
                        choice -= 1
    return 0


@helper
def listed_number(game, state, listed, number):
    """How many sprites there are of some types."""
    found = 0
    for k in range(listed, listed + number):
        found += count_types(game, state, game.listed[k])
    return found


@helper
def alternate(game, state, s, row):
    """Chase the types of `stype1` while they are more, flee those of `stype2` while these are."""
    if row.wanders and next_double(state.luck) < row.epsilon:
        move_passively(game, s)
        choose_way(state, s, row)
        move_actively(game, s, s.past_x, s.past_y, s.speed)
        return
    move_passively(game, s)
    chased = listed_number(game, state, row.chased, row.chased_number)
    feared = listed_number(game, state, row.feared, row.feared_number)
    if chased > feared:
        chase(game, state, s, row.chased, row.chased_number, False)
    elif feared > chased:
        chase(game, state, s, row.feared, row.feared_number, True)
    else:
        choose_way(state, s, row)
        move_actively(game, s, s.past_x, s.past_y, s.speed)


@helper
def nearest(game, state, s, listed, number):
    """The first of the nearest sprites of some types; NOWHERE if there is none."""
    best, found = 1 << 30, NOWHERE
    for k in range(listed, listed + number):
        kind = game.listed[k]
        for n in range(game.kin_from[kind], game.kin_from[kind + 1]):
            j = state.first[game.kin[n]]
            while j >= 0:
                other = state.sprites[j]
                distance = abs(s.x - other.x) + abs(s.y - other.y)
                if distance < best:
                    best, found = distance, j
                j = other.next
    return found


@helper
def any_of(game, state, listed, number):
    """A random sprite of some types, of which there is one at least."""
    left = next_below(state.luck, listed_number(game, state, listed, number))
    for k in range(listed, listed + number):
        kind = game.listed[k]
        for n in range(game.kin_from[kind], game.kin_from[kind + 1]):
            j = state.first[game.kin[n]]
            while j >= 0:
                if left == 0:
                    return j
                left -= 1
                j = state.sprites[j].next
    return NOWHERE


@helper
def follow(game, state, s, row):
    """Chase along the shortest path, but flee by the next step."""
    if row.kind == PATH_ALTERNATE_CHASER:
        if row.wanders and next_double(state.luck) < row.epsilon:
            move_passively(game, s)
            choose_way(state, s, row)
            move_actively(game, s, s.past_x, s.past_y, s.speed)
            return
        chased = listed_number(game, state, row.chased, row.chased_number)
        feared = listed_number(game, state, row.feared, row.feared_number)
        if feared > chased:
            move_passively(game, s)
            chase(game, state, s, row.feared, row.feared_number, True)
            return
        if feared == chased:
            move_passively(game, s)
            choose_way(state, s, row)
            move_actively(game, s, s.past_x, s.past_y, s.speed)
            return
    move_passively(game, s)
    target = nearest(game, state, s, row.chased, row.chased_number)
    if row.any_target and target >= 0:
        target = any_of(game, state, row.chased, row.chased_number)
    if target < 0:
        choose_way(state, s, row)
        move_actively(game, s, s.past_x, s.past_y, s.speed)
        return
    start = cell_of(game, s)
    goal = cell_of(game, state.sprites[target])
    s.count = row.cons
    if start >= 0 and goal >= 0:
        step = game.paths[start, goal]
        if step < 4:
            move_actively(game, s, STEP_X[step], STEP_Y[step], s.speed)


@helper
def cell_of(game, s):
    """The cell in which a sprite's corner is; NOWHERE beyond the screen."""
    column, row = s.x // game.block, s.y // game.block
    if 0 <= column < game.columns and 0 <= row < game.rows:
        return row * game.columns + column
    return NOWHERE
