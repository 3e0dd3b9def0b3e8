"""What happens when two sprites touch, or one is at the edge, or its time has come.

`apply` does what a rule says to a first and a second sprite, and says whether the rule's score
counts. At the edge and at a time there is no second: its number is NOWHERE.
"""

from __future__ import annotations

import numpy as np

from playout.arcade.vgdl.javarandom import next_below, next_double
from playout.arcade.vgdl.pool import DEAD, PULLED, count_types, create, kill, place, step_back
from playout.arcade.vgdl.sprites import WAY_X, WAY_Y, move_actively, shift
from playout.arcade.vgdl.words import Effect
from playout.compiled import helper

KILLSPRITE, KILLBOTH, KILLALL = int(Effect.KILLSPRITE), int(Effect.KILLBOTH), int(Effect.KILLALL)
KILLIFHASMORE, KILLIFHASLESS = int(Effect.KILLIFHASMORE), int(Effect.KILLIFHASLESS)
KILLIFOTHERHASMORE = int(Effect.KILLIFOTHERHASMORE)
KILLIFOTHERHASLESS = int(Effect.KILLIFOTHERHASLESS)
KILLIFFROMABOVE, KILLIFALIVE = int(Effect.KILLIFFROMABOVE), int(Effect.KILLIFALIVE)
KILLIFFRONTAL, KILLIFNOTFRONTAL = int(Effect.KILLIFFRONTAL), int(Effect.KILLIFNOTFRONTAL)
STEPBACK, UNDOALL, TURNAROUND = int(Effect.STEPBACK), int(Effect.UNDOALL), int(Effect.TURNAROUND)
REVERSEDIRECTION, FLIPDIRECTION = int(Effect.REVERSEDIRECTION), int(Effect.FLIPDIRECTION)
BOUNCEFORWARD, ATTRACTGAZE = int(Effect.BOUNCEFORWARD), int(Effect.ATTRACTGAZE)
ALIGN, WRAPAROUND, PULLWITHIT = int(Effect.ALIGN), int(Effect.WRAPAROUND), int(Effect.PULLWITHIT)
TELEPORTTOEXIT, TRANSFORMTO = int(Effect.TELEPORTTOEXIT), int(Effect.TRANSFORMTO)
TRANSFORMTOALL = int(Effect.TRANSFORMTOALL)
TRANSFORMTOSINGLETON = int(Effect.TRANSFORMTOSINGLETON)
TRANSFORMTORANDOMCHILD = int(Effect.TRANSFORMTORANDOMCHILD)
TRANSFORMIFCOUNT = int(Effect.TRANSFORMIFCOUNT)
SPAWN, SPAWNBEHIND = int(Effect.SPAWN), int(Effect.SPAWNBEHIND)
SPAWNIFHASMORE, SPAWNIFHASLESS = int(Effect.SPAWNIFHASMORE), int(Effect.SPAWNIFHASLESS)
SPAWNABOVE, SPAWNBELOW = int(Effect.SPAWNABOVE), int(Effect.SPAWNBELOW)
SPAWNLEFT, SPAWNRIGHT = int(Effect.SPAWNLEFT), int(Effect.SPAWNRIGHT)
CLONESPRITE, COLLECTRESOURCE = int(Effect.CLONESPRITE), int(Effect.COLLECTRESOURCE)
COLLECTRESOURCEIFHELD = int(Effect.COLLECTRESOURCEIFHELD)
CHANGERESOURCE, ADDHEALTHPOINTS = int(Effect.CHANGERESOURCE), int(Effect.ADDHEALTHPOINTS)
ADDHEALTHPOINTSTOMAX = int(Effect.ADDHEALTHPOINTSTOMAX)
SUBTRACTHEALTHPOINTS = int(Effect.SUBTRACTHEALTHPOINTS)
INCREASESPEEDTOALL = int(Effect.INCREASESPEEDTOALL)
DECREASESPEEDTOALL = int(Effect.DECREASESPEEDTOALL)
SETSPEEDFORALL, HALFSPEED = int(Effect.SETSPEEDFORALL), int(Effect.HALFSPEED)
UPDATESPAWNTYPE, SHIELDFROM = int(Effect.UPDATESPAWNTYPE), int(Effect.SHIELDFROM)
REMOVESCORE, ADDTIMER, WALLSTOP = (
    int(Effect.REMOVESCORE),
    int(Effect.ADDTIMER),
    int(Effect.WALLSTOP),
)


@helper
def apply(game, state, rule, i, j):
    """Do what a rule says; whether its score counts."""
    s = state.sprites[max(i, 0)]
    effect = rule.effect
    if effect == STEPBACK:
        if rule.flag and j >= 0:
            stop_beside(game, s, state.sprites[j])
        else:
            step_back(state, s)
        return True
    if effect == KILLSPRITE:
        kill(game, state, i, False)
        return True
    if effect == TRANSFORMTO:
        transform(game, state, i, rule.other, rule.flag)
        if rule.kills_second and j >= 0:
            kill(game, state, j, True)
        return True
    if effect == KILLBOTH:
        kill(game, state, i, False)
        if j >= 0:
            kill(game, state, j, False)
        return True
    if effect <= KILLIFNOTFRONTAL:
        return kill_if(game, state, rule, i, j)
    if effect <= TELEPORTTOEXIT:
        return displace(game, state, rule, i, j)
    if effect <= CLONESPRITE:
        return spawn(game, state, rule, i, j)
    return change(game, state, rule, i, j)


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
def kill_if(game, state, rule, i, j):
    """Effects that kill under a condition."""
    s = state.sprites[max(i, 0)]
    other = state.sprites[max(j, 0)]
    effect = rule.effect
    if effect == KILLALL:
        kill_all(game, state, rule.other)
        return True
    does = False
    if effect == KILLIFHASMORE:
        does = s.held[rule.resource] >= rule.limit
    elif effect == KILLIFHASLESS:
        does = s.held[rule.resource] <= rule.limit
    elif effect == KILLIFOTHERHASMORE:
        does = other.held[rule.resource] >= rule.limit
    elif effect == KILLIFOTHERHASLESS:
        does = other.held[rule.resource] <= rule.limit
    elif effect == KILLIFFROMABOVE:
        higher = s.last_y > other.last_y + game.block // 2
        does = higher and other.y > other.last_y
    elif effect == KILLIFALIVE:
        does = other.mode & DEAD == 0
    else:
        # against each other: the ways in which they moved are opposite
        x, y = way_moved(s)
        u, v = way_moved(other)
        frontal = (x != 0 or y != 0) and x + u == 0 and y + v == 0
        does = frontal == (effect == KILLIFFRONTAL)
    if does:
        kill(game, state, i, False)
    return does


@helper
def way_moved(s):
    """The way in which a sprite moved in this tick, as signs."""
    x, y = s.x - s.last_x, s.y - s.last_y
    return int(x > 0) - int(x < 0), int(y > 0) - int(y < 0)


@helper
def kill_all(game, state, kind):
    for k in range(game.kin_from[kind], game.kin_from[kind + 1]):
        i = state.first[game.kin[k]]
        while i >= 0:
            kill(game, state, i, False)
            i = state.sprites[i].next


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
        if rule.spend != 0:
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


@helper
def change(game, state, rule, i, j):
    """Effects on what sprites have: resources, health, speed, shields; and on the score."""
    s = state.sprites[max(i, 0)]
    effect = rule.effect
    if effect in (COLLECTRESOURCE, COLLECTRESOURCEIFHELD):
        return collect(game, state, rule, i, j)
    if effect == CHANGERESOURCE:
        amount = int(s.held[rule.resource]) + int(rule.value)
        if amount > game.resource_limits[rule.resource]:
            return False
        s.held[rule.resource] = max(0, amount)
        if rule.flag and j >= 0:
            kill(game, state, j, True)
        return True
    if effect == SUBTRACTHEALTHPOINTS:
        return subtract_health(game, state, rule, i, j)
    if effect in (ADDHEALTHPOINTS, ADDHEALTHPOINTSTOMAX):
        return add_health(game, state, rule, i, j)
    if effect == HALFSPEED:
        s.speed /= 2
    elif effect in (SETSPEEDFORALL, INCREASESPEEDTOALL, DECREASESPEEDTOALL):
        set_speeds(game, state, rule)
    elif effect == UPDATESPAWNTYPE:
        for k in range(game.kin_from[rule.third], game.kin_from[rule.third + 1]):
            n = state.first[game.kin[k]]
            while n >= 0:
                state.sprites[n].makes = rule.other
                n = state.sprites[n].next
    elif effect == SHIELDFROM:
        shield(state, s.type, rule.other, rule.shield)
    elif effect == REMOVESCORE:
        state.score = 0
    elif effect == ADDTIMER:
        if state.timers < len(state.timer_at):
            state.timer_at[state.timers] = state.tick + rule.timer
            state.timer_rule[state.timers] = rule.later
            state.timers += 1
    elif effect == WALLSTOP:
        place(s, s.last_x, s.last_y)
    return True


@helper
def shield(state, kind, other, effect):
    """Note, for this tick, that sprites of a type are safe from an effect of another's."""
    at = 0
    while at < 3 * state.shields:
        there = state.shield[at + 1] == other and state.shield[at + 2] == effect
        if there and state.shield[at] == kind:
            return
        at += 3
    if at < len(state.shield):
        state.shield[at] = kind
        state.shield[at + 1] = other
        state.shield[at + 2] = effect
        state.shields += 1


@helper
def collect(game, state, rule, i, j):
    """The second takes up the first, which is a resource, as far as it can hold it."""
    s = state.sprites[max(i, 0)]
    other = state.sprites[max(j, 0)]
    row = game.types[s.type]
    if row.resource < 0 or j < 0:
        return True
    if rule.effect == COLLECTRESOURCEIFHELD and other.held[rule.held] < rule.value:
        return False
    if int(other.held[row.resource]) + row.value > game.resource_limits[row.resource]:
        return False
    other.held[row.resource] += row.value
    if rule.flag:
        kill(game, state, i, True)
    return True


@helper
def subtract_health(game, state, rule, i, j):
    """Take health points; who has no more than `limit` left dies, for a score of its own."""
    died = False
    if rule.other < 0:
        died = hurt(game, state, rule, i)
    else:
        for k in range(game.kin_from[rule.other], game.kin_from[rule.other + 1]):
            n = state.first[game.kin[k]]
            while n >= 0:
                if hurt(game, state, rule, n):
                    died = True
                n = state.sprites[n].next
    if rule.kills_second and j >= 0:
        kill(game, state, j, True)
    if died and rule.wakes_score != 0:
        state.score += rule.wakes_score - rule.score
    return True


@helper
def hurt(game, state, rule, i):
    s = state.sprites[i]
    s.health = max(-20000, min(int(s.health) - int(rule.value), 20000))
    if s.health > rule.limit:
        return False
    kill(game, state, i, False)
    return True


@helper
def add_health(game, state, rule, i, j):
    """Give health points, as far as the type may have them."""
    s = state.sprites[max(i, 0)]
    most = game.types[s.type].most_health
    value = int(rule.value)
    if rule.effect == ADDHEALTHPOINTS:
        if int(s.health) + value >= most:
            return False
        s.health = int(s.health) + value
    else:
        if s.health >= most:
            return False
        s.health = min(int(s.health) + value, most)
    s.most_health = max(s.most_health, s.health)
    if rule.kills_second and j >= 0:
        kill(game, state, j, True)
    return True


@helper
def set_speeds(game, state, rule):
    """The speed of all sprites of a type."""
    for k in range(game.kin_from[rule.other], game.kin_from[rule.other + 1]):
        i = state.first[game.kin[k]]
        while i >= 0:
            s = state.sprites[i]
            if rule.effect == SETSPEEDFORALL:
                s.speed = rule.value
            elif rule.effect == INCREASESPEEDTOALL:
                s.speed += rule.value
            else:
                s.speed -= rule.value
            i = s.next
