"""The sprites of a state: a pool of records, groups of one type as lists, and fixed ones at cells.

Sprites lie in the pool's prefix, so that a copy of a state moves only what is used. A group is a
doubly linked list in the order of creation. A sprite of a fixed type hangs on the chain of its cell
as well; one that is not on the grid is *loose*, on a chain of its own.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import copy_record, helper, record

SIZES = (128, 256, 512, 1024, 2048, 4096, 8192, 16384)  # sprites or cells that there is room for
RESOURCES = (2, 12)
MOST_HELD = 15_000  # of a resource, or health points: a sprite counts them in 16 bits
NOWHERE = -1

# bits of a sprite's mode
DEAD, DISABLED, NEW, LOOSE, PULLED = 1, 2, 4, 8, 16

# what a state may have run into
POOL_FULL, TIMERS_FULL, SHIELDS_FULL = 1, 2, 3


def sprite_record(resources: int) -> np.dtype:
    """A sprite."""
    return record(
        speed="f8",
        under="u8",  # the fixed types in the cells that it covers
        last_under="u8",
        serial="i4",
        seen="i4",  # the version of the cells for which `under` holds
        last_seen="i4",
        x="i4",
        y="i4",
        last_x="i4",
        last_y="i4",
        next="i2",
        prev="i2",
        chain="i2",
        type="i2",
        rest="i2",  # ticks since it moved
        count="i2",  # repetitions of a move, age, sprites made
        born="i2",  # the tick of its first turn
        health="i2",
        most_health="i2",
        makes="i2",
        way_x="i1",
        way_y="i1",
        past_x="i1",
        past_y="i1",
        mode="i1",
        held=("i2", resources),
    )


def state_record(size: int, resources: int) -> np.dtype:
    """A state with room for `size` sprites and as many cells."""
    return record(
        luck=("u8", 1),
        present=("u8", 1),  # types that have sprites
        loose_types=("u8", 1),
        stacked=("u8", 1),  # fixed types that have shared a cell
        score="i8",
        tick="i4",
        serial="i4",
        version="i4",
        avatar="i2",
        used="i2",
        free="i2",
        loose="i2",
        dying="i2",
        ended="i1",
        won="i1",
        trouble="i1",
        shields="i2",
        first=("i2", 64),
        last=("i2", 64),
        number=("i2", 64),
        lame=("i2", 64),
        shield=("i2", 3 * 64),
        timer_at=("i4", 64),
        timer_rule=("i2", 64),
        timers="i2",
        moved="i2",
        settling=("i2", 64),  # fixed sprites that have the last position of a mover
        dead=("i2", size),
        near=("i2", size),
        hit=("i2", size),
        cells=("u8", size),
        heads=("i2", size),
        sprites=(sprite_record(resources), size),
    )


def spans(cells: int, block: int) -> np.ndarray:
    """The first cell covered at each pixel from a block before the screen, and the last + 1."""
    pixels = np.arange(-block, cells * block)
    first, end = pixels // block, (pixels + block - 1) // block + 1
    return np.array([np.maximum(first, 0), np.minimum(end, cells)])


@helper
def counted(amount):
    """A number of resources or health points as far as a sprite can count it."""
    return max(-MOST_HELD, min(amount, MOST_HELD))


@helper
def create(game, state, kind, x, y):
    """A new sprite of a type at a place; NOWHERE if there may be none."""
    if game.types[kind].rivals & state.present[0]:
        return NOWHERE
    return create_one_more(game, state, kind, x, y)


@helper
def create_one_more(game, state, kind, x, y):
    """A new sprite of a type, even of one of which one is enough."""
    row = game.types[kind]
    if row.kind < 0:
        return NOWHERE
    if state.free >= 0:
        i = state.free
        state.free = state.sprites[i].next
    elif state.used < len(state.sprites):
        i = state.used
        state.used += 1
    else:
        state.trouble = POOL_FULL
        return NOWHERE
    s = state.sprites[i]
    s.speed = row.speed
    s.serial = state.serial
    state.serial += 1
    s.seen = -1
    s.last_seen = -1
    s.under = np.uint64(0)
    s.last_under = np.uint64(0)
    s.x = x
    s.y = y
    s.last_x = x
    s.last_y = y
    s.type = kind
    s.rest = 0
    s.count = 0
    s.born = -1
    s.health = row.health
    s.most_health = row.health
    s.makes = row.makes
    s.way_x = row.way_x
    s.way_y = row.way_y
    s.past_x = 0
    s.past_y = 0
    s.mode = NEW
    s.chain = NOWHERE
    for k in range(len(s.held)):
        s.held[k] = 0
    s.next = NOWHERE
    s.prev = state.last[kind]
    if s.prev >= 0:
        state.sprites[s.prev].next = i
    else:
        state.first[kind] = i
        state.present[0] |= np.uint64(1) << np.uint64(kind)
    state.last[kind] = i
    state.number[kind] += 1
    if row.fixed:
        hang(game, state, i)
    return i


@helper
def hang(game, state, i):
    """Put a fixed sprite on the chain of its cell."""
    s = state.sprites[i]
    bit = np.uint64(1) << np.uint64(s.type)
    column, row = s.x // game.block, s.y // game.block
    aligned = column * game.block == s.x and row * game.block == s.y
    if aligned and 0 <= column < game.columns and 0 <= row < game.rows:
        cell = row * game.columns + column
        if state.heads[cell] >= 0:
            state.stacked[0] |= state.cells[cell] | bit
        s.chain = state.heads[cell]
        state.heads[cell] = i
        if state.cells[cell] & bit == 0:
            state.cells[cell] |= bit
            state.version += 1
    else:
        state.stacked[0] = ~np.uint64(0)
        s.mode |= LOOSE
        s.chain = state.loose
        state.loose = i
        state.loose_types[0] |= bit


@helper
def unhang(game, state, i):
    """Take a fixed sprite from its chain."""
    s = state.sprites[i]
    loose = s.mode & LOOSE != 0
    cell = 0
    if loose:
        j = state.loose
    else:
        cell = (s.y // game.block) * game.columns + s.x // game.block
        j = state.heads[cell]
    before = NOWHERE
    left = False  # whether another of its type stays
    at = j
    while at >= 0:
        if at != i and state.sprites[at].type == s.type:
            left = True
        if state.sprites[at].chain == i:
            before = at
        at = state.sprites[at].chain
    if before >= 0:
        state.sprites[before].chain = s.chain
    elif loose:
        state.loose = s.chain
    else:
        state.heads[cell] = s.chain
    if not left:
        bit = np.uint64(1) << np.uint64(s.type)
        if loose:
            state.loose_types[0] &= ~bit
        else:
            state.cells[cell] &= ~bit
            state.version += 1


@helper
def kill(game, state, i, transformed):
    """Let a sprite go at the end of the tick; an avatar that dies is disabled, and stays."""
    s = state.sprites[i]
    if game.types[s.type].avatar and not transformed:
        if s.mode & DISABLED == 0:
            s.mode |= DISABLED
            state.lame[s.type] += 1
    elif s.mode & DEAD == 0:
        s.mode |= DEAD
        state.dead[state.dying] = i
        state.dying += 1


@helper
def bury(game, state):
    """Take the dead out of the pool."""
    for k in range(state.dying):
        i = state.dead[k]
        s = state.sprites[i]
        kind = s.type
        if game.types[kind].fixed:
            unhang(game, state, i)
        if s.prev >= 0:
            state.sprites[s.prev].next = s.next
        else:
            state.first[kind] = s.next
        if s.next >= 0:
            state.sprites[s.next].prev = s.prev
        else:
            state.last[kind] = s.prev
        state.number[kind] -= 1
        if s.mode & DISABLED:
            state.lame[kind] -= 1
        if state.number[kind] == 0:
            state.present[0] &= ~(np.uint64(1) << np.uint64(kind))
        s.serial = -1
        if i != state.avatar:  # whose place nobody takes: the player moves what lies there
            s.next = state.free
            state.free = i
    state.dying = 0


@helper
def unsettle(state, i):
    """Note a fixed sprite whose last position is that of the mover of which it was made."""
    if state.moved < len(state.settling):
        state.settling[state.moved] = i
    state.moved = min(state.moved + 1, len(state.settling) + 1)


@helper
def settle(game, state):
    """Fixed sprites made in the last tick are where they were; they have no turn to note it."""
    if state.moved <= len(state.settling):
        for k in range(state.moved):
            rest_where_it_is(state.sprites[state.settling[k]])
    else:
        for i in range(state.used):
            if game.types[state.sprites[i].type].fixed:
                rest_where_it_is(state.sprites[i])
    state.moved = 0


@helper
def rest_where_it_is(s):
    s.last_x = s.x
    s.last_y = s.y


@helper
def copy_state(game, state, out):
    """Write a state over another, without what lies behind the last sprite and the last cell."""
    out.luck[0] = state.luck[0]
    out.present[0] = state.present[0]
    out.loose_types[0] = state.loose_types[0]
    out.stacked[0] = state.stacked[0]
    out.score, out.tick, out.serial = state.score, state.tick, state.serial
    out.version, out.avatar, out.used = state.version, state.avatar, state.used
    out.free, out.loose, out.dying = state.free, state.loose, state.dying
    out.ended, out.won, out.trouble = state.ended, state.won, state.trouble
    out.shields, out.timers, out.moved = state.shields, state.timers, state.moved
    for k in range(min(state.moved, len(state.settling))):
        out.settling[k] = state.settling[k]
    for kind in range(len(game.types)):
        out.first[kind] = state.first[kind]
        out.last[kind] = state.last[kind]
        out.number[kind] = state.number[kind]
        out.lame[kind] = state.lame[kind]
    for k in range(state.timers):
        out.timer_at[k] = state.timer_at[k]
        out.timer_rule[k] = state.timer_rule[k]
    for cell in range(game.columns * game.rows):
        out.cells[cell] = state.cells[cell]
        out.heads[cell] = state.heads[cell]
    for i in range(state.used):
        copy_record(state.sprites[i], out.sprites[i])


@helper
def place(s, x, y):
    """Put a sprite of a type that is not fixed somewhere."""
    if s.x != x or s.y != y:
        s.x = x
        s.y = y
        s.seen = -1


@helper
def step_back(state, s):
    """Put a sprite where it was before this tick, with what it knew of the cells there."""
    if s.x != s.last_x or s.y != s.last_y:
        s.x = s.last_x
        s.y = s.last_y
        s.seen = s.last_seen
        s.under = s.last_under


@helper
def covered(game, s):
    """The cells that a sprite covers: columns from and before, rows from and before."""
    x, y = s.x + game.block, s.y + game.block
    if 0 <= x < game.lefts.shape[1] and 0 <= y < game.tops.shape[1]:
        return game.lefts[0, x], game.lefts[1, x], game.tops[0, y], game.tops[1, y]
    return 0, 0, 0, 0


@helper
def types_under(game, state, s):
    """The fixed types in the cells that a sprite covers, as bits."""
    if s.seen == state.version:
        return s.under
    word = np.uint64(0)
    left, right, top, bottom = covered(game, s)
    for row in range(top, bottom):
        for cell in range(row * game.columns + left, row * game.columns + right):
            word |= state.cells[cell]
    s.under = word
    s.seen = state.version
    return word


@helper
def touching(game, s, other):
    """Whether the blocks of two sprites overlap."""
    return abs(s.x - other.x) < game.block and abs(s.y - other.y) < game.block


@helper
def count_types(game, state, kind):
    """How many sprites a type's name stands for, those that are disabled left out."""
    number = 0
    for k in range(game.kin_from[kind], game.kin_from[kind + 1]):
        number += state.number[game.kin[k]] - state.lame[game.kin[k]]
    return number
