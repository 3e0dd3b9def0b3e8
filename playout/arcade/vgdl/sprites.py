"""What a sprite does in its turn, by the kind of its class."""

from __future__ import annotations

import numpy as np

from playout.arcade.vgdl.javarandom import next_below, next_double, next_float
from playout.arcade.vgdl.paths import STEP_X, STEP_Y
from playout.arcade.vgdl.pool import DISABLED, NEW, NOWHERE, PULLED, count_types, create, kill
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
PATH_ALTERNATE_CHASER, SPAWNER = int(Kind.PATH_ALTERNATE_CHASER), int(Kind.SPAWNER)
BOMBER, RANDOM_BOMBER = int(Kind.BOMBER), int(Kind.RANDOM_BOMBER)
BOMBER_RANDOM_MISSILE = int(Kind.BOMBER_RANDOM_MISSILE)
MOVING_AVATAR, ORIENTED_AVATAR = int(Kind.MOVING_AVATAR), int(Kind.ORIENTED_AVATAR)
SHOOT_AVATAR, FLAK_AVATAR = int(Kind.SHOOT_AVATAR), int(Kind.FLAK_AVATAR)
ONGOING_AVATAR, ONGOING_SHOOT_AVATAR = int(Kind.ONGOING_AVATAR), int(Kind.ONGOING_SHOOT_AVATAR)
MISSILE_AVATAR = int(Kind.MISSILE_AVATAR)

# the four ways in GVGAI's order: up, left, down, right
WAY_X = np.array([0, -1, 0, 1])
WAY_Y = np.array([-1, 0, 1, 0])
BITS = np.array([bin(word).count("1") for word in range(16)])
# the ways of the moves
MOVE_X = np.array([0, 0, -1, 1, 0, 0])
MOVE_Y = np.array([0, 0, 0, 0, 1, -1])


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
def avatar_turn(game, state, move):
    """The avatar does what the player chose."""
    s = state.sprites[state.avatar]
    if s.mode & DISABLED:
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
                s.held[row.ammo] = max(0, s.held[row.ammo] - row.ammo_cost)


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
