"""Effects that make sprites, of others or beside them."""

from __future__ import annotations

from playout.arcade.vgdl.effect_numbers import (
    CLONESPRITE,
    SPAWNABOVE,
    SPAWNBEHIND,
    SPAWNBELOW,
    SPAWNIFHASLESS,
    SPAWNIFHASMORE,
    SPAWNLEFT,
    SPAWNRIGHT,
    TRANSFORMIFCOUNT,
    TRANSFORMTOALL,
    TRANSFORMTORANDOMCHILD,
    TRANSFORMTOSINGLETON,
)
from playout.arcade.vgdl.javarandom import next_below, next_double
from playout.arcade.vgdl.pool import DEAD, count_types, create, kill, unsettle
from playout.compiled import helper


@helper
def transform(game, state, i, kind, turns):
    """Make a sprite of another type of one; a type that may have no more refuses it."""
    s = state.sprites[i]
    k = create(game, state, kind, s.x, s.y)
    if k < 0:
        return False
    made = state.sprites[k]
    old, new = game.types[s.type], game.types[kind]
    if turns or (new.oriented and old.oriented and made.way_x == 0 and made.way_y == 0):
        made.way_x = s.way_x
        made.way_y = s.way_y
    made.last_x = s.last_x
    made.last_y = s.last_y
    if new.fixed and (s.last_x != s.x or s.last_y != s.y):
        unsettle(state, k)
    for n in range(len(s.held)):
        made.held[n] = s.held[n]
    if old.avatar and new.avatar:
        state.avatar = k
        made.health = s.health
        made.most_health = s.most_health
    kill(game, state, i, not old.avatar or new.avatar)
    return True


@helper
def spawn(game, state, rule, i, j):
    """Effects that make sprites, of others or beside them."""
    effect = rule.effect
    if effect == TRANSFORMTOALL:
        transform_all(game, state, rule.other, rule.third, rule.flag)
        return True
    s = state.sprites[max(i, 0)]
    if effect == TRANSFORMTOSINGLETON:
        transform_all(game, state, rule.other, rule.third, False)
        transform(game, state, i, rule.other, rule.flag)
        return True
    if effect == TRANSFORMTORANDOMCHILD:
        start = game.kin_from[rule.other]
        while game.kin[start] != rule.other:
            start += 1
        children = game.kin_from[rule.other + 1] - start - 1
        if children > 0:
            kind = game.kin[start + 1 + next_below(state.luck, children)]
            transform(game, state, i, kind, rule.flag)
        return True
    if effect == TRANSFORMIFCOUNT:
        number = count_types(game, state, rule.counted)
        if rule.limit <= number <= rule.most:
            transform(game, state, i, rule.other, rule.flag)
            return True
        if rule.third >= 0:
            transform(game, state, i, rule.third, rule.flag)
        return False
    if effect == CLONESPRITE:
        create(game, state, s.type, s.x, s.y)
        return True
    if effect in (SPAWNIFHASMORE, SPAWNIFHASLESS):
        more = effect == SPAWNIFHASMORE
        amount = int(s.held[rule.resource]) if rule.resource >= 0 else 0
        if amount < rule.limit if more else amount > rule.limit:
            return False
        create(game, state, rule.other, s.x, s.y)
        if rule.spend != 0 and rule.resource >= 0:
            s.held[rule.resource] = max(0, amount - rule.spend)
        return True
    if next_double(state.luck) >= rule.prob:
        return True
    x, y = s.x, s.y
    if effect == SPAWNBEHIND:
        behind = state.sprites[max(j, 0)]
        x, y = behind.last_x, behind.last_y
    elif effect == SPAWNABOVE:
        y -= game.block
    elif effect == SPAWNBELOW:
        y += game.block
    elif effect == SPAWNLEFT:
        x -= game.block
    elif effect == SPAWNRIGHT:
        x += game.block
    create(game, state, rule.other, x, y)
    return True


@helper
def transform_all(game, state, kind, into, turns):
    """All sprites of a type become another's; those that come about are left alone."""
    limit = state.serial
    for k in range(game.kin_from[kind], game.kin_from[kind + 1]):
        i = state.first[game.kin[k]]
        while i >= 0:
            s = state.sprites[i]
            if s.serial < limit and s.mode & DEAD == 0:
                transform(game, state, i, into, turns)
            i = state.sprites[i].next
