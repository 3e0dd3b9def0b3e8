"""What a sprite does in its turn, by the kind of its class."""

from __future__ import annotations

import numpy as np

from playout.arcade.vgdl.chasers import PATH_ALTERNATE_CHASER, alternate, chase, follow
from playout.arcade.vgdl.javarandom import next_below, next_double
from playout.arcade.vgdl.motion import WAY_X, WAY_Y, choose_way, move_actively, move_passively
from playout.arcade.vgdl.pool import DEAD, DISABLED, counted, create, kill
from playout.arcade.vgdl.spawners import make, spread
from playout.arcade.vgdl.words import USE, Kind
from playout.compiled import helper

STILL, FLICKER, SPREADER = int(Kind.STILL), int(Kind.FLICKER), int(Kind.SPREADER)
MISSILE, RANDOM_MISSILE = int(Kind.MISSILE), int(Kind.RANDOM_MISSILE)
ERRATIC_MISSILE, RANDOM_NPC, CHASER = (
    int(Kind.ERRATIC_MISSILE),
    int(Kind.RANDOM_NPC),
    int(Kind.CHASER),
)
ALTERNATE_CHASER, PATH_CHASER = int(Kind.ALTERNATE_CHASER), int(Kind.PATH_CHASER)
SPAWNER = int(Kind.SPAWNER)
BOMBER, RANDOM_BOMBER = int(Kind.BOMBER), int(Kind.RANDOM_BOMBER)
BOMBER_RANDOM_MISSILE = int(Kind.BOMBER_RANDOM_MISSILE)
MOVING_AVATAR, ORIENTED_AVATAR = int(Kind.MOVING_AVATAR), int(Kind.ORIENTED_AVATAR)
SHOOT_AVATAR, FLAK_AVATAR = int(Kind.SHOOT_AVATAR), int(Kind.FLAK_AVATAR)
ONGOING_AVATAR, ONGOING_SHOOT_AVATAR = int(Kind.ONGOING_AVATAR), int(Kind.ONGOING_SHOOT_AVATAR)
MISSILE_AVATAR = int(Kind.MISSILE_AVATAR)

# the ways of the moves
MOVE_X = np.array([0, 0, -1, 1, 0, 0])
MOVE_Y = np.array([0, 0, 0, 0, 1, -1])


@helper
def avatar_turn(game, state, move):
    """The avatar does what the player chose."""
    s = state.sprites[state.avatar]
    if s.mode & (DEAD | DISABLED):
        return
    row = game.types[s.type]
    kind = row.kind
    dx, dy = 0, 0
    if (row.moves >> move) & 1:
        dx, dy = MOVE_X[move], MOVE_Y[move]
    uses = move == USE and (row.moves >> USE) & 1
    if kind in (MISSILE_AVATAR, ONGOING_AVATAR, ONGOING_SHOOT_AVATAR):
        if dx != 0 or dy != 0:
            s.way_x = dx
            s.way_y = dy
        move_passively(game, s)
    elif move_actively(game, s, dx, dy, s.speed) and row.oriented:
        s.way_x = dx
        s.way_y = dy
    if uses:
        shoot(game, state, s, row)


@helper
def shoot(game, state, s, row):
    """Make what the avatar shoots, if it has ammunition."""
    if row.ammo >= 0 and s.held[row.ammo] <= max(row.least_ammo, 0):
        return
    x, y = s.x, s.y
    if row.kind != FLAK_AVATAR:
        x += int(s.way_x) * game.block
        y += int(s.way_y) * game.block
    for k in range(row.makes_number):
        i = create(game, state, game.listed[row.makes_first + k], x, y)
        if i >= 0:
            made = state.sprites[i]
            if row.kind != FLAK_AVATAR and game.types[made.type].oriented:
                made.way_x = s.way_x
                made.way_y = s.way_y
            if row.ammo >= 0:
                s.held[row.ammo] = max(0, counted(s.held[row.ammo] - row.ammo_cost))


# all others


@helper
def turn(game, state, i):
    """The turn of a sprite that is no avatar."""
    s = state.sprites[i]
    row = game.types[s.type]
    kind = row.kind
    if kind in (MISSILE, STILL):
        move_passively(game, s)
        if row.life >= 0:
            if s.count >= row.life:
                kill(game, state, i, True)
            s.count += 1
    elif kind in (FLICKER, SPREADER):
        move_passively(game, s)
        if s.count > row.limit:
            kill(game, state, i, True)
        s.count += 1
        if kind == SPREADER and s.count == 2:
            spread(game, state, s, row)
    elif kind == RANDOM_NPC:
        move_passively(game, s)
        choose_way(state, s, row)
        move_actively(game, s, s.past_x, s.past_y, s.speed)
    elif kind == CHASER:
        move_passively(game, s)
        chase(game, state, s, row.chased, row.chased_number, row.flees)
    elif kind == ALTERNATE_CHASER:
        alternate(game, state, s, row)
    elif kind in (PATH_CHASER, PATH_ALTERNATE_CHASER):
        follow(game, state, s, row)
    elif kind in (SPAWNER, BOMBER):
        make(game, state, i)
    elif kind == BOMBER_RANDOM_MISSILE:
        if row.makes_number > 0:
            s.makes = game.listed[row.makes_first + next_below(state.luck, row.makes_number)]
        make(game, state, i)
    elif kind == RANDOM_BOMBER:
        k = next_below(state.luck, 4)
        s.way_x = WAY_X[k]
        s.way_y = WAY_Y[k]
        make(game, state, i)
    elif kind == RANDOM_MISSILE:
        if s.way_x == 0 and s.way_y == 0:
            k = next_below(state.luck, 4)
            s.way_x = WAY_X[k]
            s.way_y = WAY_Y[k]
        move_passively(game, s)
    elif kind == ERRATIC_MISSILE:
        if next_double(state.luck) < row.prob:
            k = next_below(state.luck, 4)
            s.way_x = WAY_X[k]
            s.way_y = WAY_Y[k]
        move_passively(game, s)
