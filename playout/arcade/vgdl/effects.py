"""What happens when two sprites touch, or one is at the edge, or its time has come.

`apply` does what a rule says to a first and a second sprite, and says whether the rule's score
counts. At the edge and at a time there is no second: its number is NOWHERE.
"""

from __future__ import annotations

from playout.arcade.vgdl.displacements import displace, stop_beside, way_moved
from playout.arcade.vgdl.effect_numbers import (
    ADDHEALTHPOINTS,
    ADDHEALTHPOINTSTOMAX,
    ADDTIMER,
    CHANGERESOURCE,
    CLONESPRITE,
    COLLECTRESOURCE,
    COLLECTRESOURCEIFHELD,
    DECREASESPEEDTOALL,
    HALFSPEED,
    INCREASESPEEDTOALL,
    KILLALL,
    KILLBOTH,
    KILLIFALIVE,
    KILLIFFROMABOVE,
    KILLIFFRONTAL,
    KILLIFHASLESS,
    KILLIFHASMORE,
    KILLIFNOTFRONTAL,
    KILLIFOTHERHASLESS,
    KILLIFOTHERHASMORE,
    KILLSPRITE,
    REMOVESCORE,
    SETSPEEDFORALL,
    SHIELDFROM,
    STEPBACK,
    SUBTRACTHEALTHPOINTS,
    TELEPORTTOEXIT,
    TRANSFORMTO,
    UPDATESPAWNTYPE,
    WALLSTOP,
)
from playout.arcade.vgdl.pool import (
    DEAD,
    SHIELDS_FULL,
    TIMERS_FULL,
    counted,
    kill,
    place,
    step_back,
)
from playout.arcade.vgdl.transformations import spawn, transform
from playout.arcade.vgdl.words import MOST_SPEED
from playout.compiled import helper


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
        if transform(game, state, i, rule.other, rule.flag) and rule.kills_second and j >= 0:
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
def kill_all(game, state, kind):
    for k in range(game.kin_from[kind], game.kin_from[kind + 1]):
        i = state.first[game.kin[k]]
        while i >= 0:
            kill(game, state, i, False)
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
        else:
            state.trouble = TIMERS_FULL
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
    else:
        state.trouble = SHIELDS_FULL


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
    other.held[row.resource] = counted(int(other.held[row.resource]) + row.value)
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
    s.health = counted(int(s.health) - int(rule.value))
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
        s.health = counted(int(s.health) + value)
    else:
        if s.health >= most:
            return False
        s.health = counted(min(int(s.health) + value, most))
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
            speed = rule.value
            if rule.effect == INCREASESPEEDTOALL:
                speed = s.speed + rule.value
            elif rule.effect == DECREASESPEEDTOALL:
                speed = s.speed - rule.value
            s.speed = max(-MOST_SPEED, min(speed, MOST_SPEED))
            i = s.next
