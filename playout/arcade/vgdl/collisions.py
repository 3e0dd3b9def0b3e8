"""Rules of sprites that touch: pair by pair in the order of first mention.

Each rule goes over both groups as they were when it began: a sprite made since has a higher serial
number. The seconds that touch a first are noted before any of them has its effect, and each is
tested again when its turn comes.
"""

from __future__ import annotations

import numpy as np

from playout.arcade.vgdl.effects import apply
from playout.arcade.vgdl.pool import DEAD, touching, types_under
from playout.compiled import helper


@helper
def pair_rules(game, state):
    """Rules of sprites that touch, pair by pair."""
    for number in range(len(game.rules)):
        rule = game.rules[number]
        if rule.firsts & state.present[0] == 0 or rule.seconds & state.present[0] == 0:
            continue
        limit = state.serial
        if rule.by_seconds:
            hits = find_hits(game, state, rule)
            for h in range(hits):
                i = state.hit[h]
                if state.sprites[i].mode & DEAD == 0:
                    meet(game, state, rule, number, i, limit)
            continue
        for k in range(game.kin_from[rule.first], game.kin_from[rule.first + 1]):
            i = state.first[game.kin[k]]
            while i >= 0:
                s = state.sprites[i]
                if s.serial < limit and s.mode & DEAD == 0:
                    meet(game, state, rule, number, i, limit)
                i = s.next


@helper
def find_hits(game, state, rule):
    """The fixed firsts that seconds touch, in their order, in `hit`; how many."""
    hits = 0
    for k in range(game.kin_from[rule.second], game.kin_from[rule.second + 1]):
        j = state.first[game.kin[k]]
        while j >= 0:
            other = state.sprites[j]
            j_next = other.next
            if types_under(game, state, other) & rule.firsts:
                hits = add_hits(game, state, rule, j, hits)
            if rule.firsts & state.loose_types[0]:
                i = state.loose
                while i >= 0:
                    hits = add_hit(game, state, rule, i, j, hits)
                    i = state.sprites[i].chain
            j = j_next
    return hits


@helper
def add_hits(game, state, rule, j, hits):
    """The firsts in the cells that a second covers."""
    other = state.sprites[j]
    block = game.block
    column, row = other.x // block, other.y // block
    right = column + (other.x - column * block > 0)
    below = row + (other.y - row * block > 0)
    for r in range(max(row, 0), min(below + 1, game.rows)):
        for c in range(max(column, 0), min(right + 1, game.columns)):
            cell = r * game.columns + c
            if state.cells[cell] & rule.firsts:
                i = state.heads[cell]
                while i >= 0:
                    hits = add_hit(game, state, rule, i, j, hits)
                    i = state.sprites[i].chain
    return hits


@helper
def add_hit(game, state, rule, i, j, hits):
    """One first, at its place in the order, unless it is there already."""
    s = state.sprites[i]
    if i == j or (rule.firsts >> np.uint64(s.type)) & np.uint64(1) == 0:
        return hits
    if not touching(game, s, state.sprites[j]):
        return hits
    at = hits
    while at > 0:
        before = state.sprites[state.hit[at - 1]]
        if before.type == s.type:
            later = before.serial >= s.serial
        else:
            later = rank(game, rule.first, before.type) > rank(game, rule.first, s.type)
        if not later:
            break
        at -= 1
    if at < hits and state.hit[at] == i:
        return hits
    if hits == len(state.hit):
        return hits
    for k in range(hits, at, -1):
        state.hit[k] = state.hit[k - 1]
    state.hit[at] = i
    return hits + 1


@helper
def rank(game, kind, member):
    """The place of a type among those that a name stands for."""
    k = game.kin_from[kind]
    while game.kin[k] != member:
        k += 1
    return k


@helper
def meet(game, state, rule, number, i, limit):
    """A first meets its seconds: those that touch are noted, then each has its effect."""
    s = state.sprites[i]
    if rule.seconds & ~game.movers == rule.seconds:
        if (types_under(game, state, s) | state.loose_types[0]) & rule.seconds == 0:
            return
    noted = 0
    for k in range(game.kin_from[rule.second], game.kin_from[rule.second + 1]):
        kind = game.kin[k]
        if game.types[kind].fixed:
            bit = np.uint64(1) << np.uint64(kind)
            start = noted
            if types_under(game, state, s) & bit:
                noted = note_cells(game, state, i, kind, limit, noted)
            if state.loose_types[0] & bit:
                j = state.loose
                while j >= 0:
                    other = state.sprites[j]
                    if other.type == kind and other.serial < limit and i != j:
                        if touching(game, s, other):
                            noted = note_second(state, j, noted)
                    j = other.chain
            sort_seconds(state, start, noted)
        else:
            j = state.first[kind]
            while j >= 0:
                other = state.sprites[j]
                if touching(game, s, other) and i != j and other.serial < limit:
                    noted = note_second(state, j, noted)
                j = other.next
    for k in range(noted):
        j = state.near[k]
        if s.mode & DEAD:
            break
        if touching(game, s, state.sprites[j]):
            if state.shields > 0 and shielded(game, state, rule, s, state.sprites[j]):
                continue
            if apply(game, state, rule, number, i, j):
                state.score += rule.score


@helper
def note_second(state, j, noted):
    if noted < len(state.near):
        state.near[noted] = j
        return noted + 1
    return noted


@helper
def note_cells(game, state, i, kind, limit, noted):
    """The seconds of a fixed type in the cells that a first covers."""
    s = state.sprites[i]
    block = game.block
    column, row = s.x // block, s.y // block
    right = column + (s.x - column * block > 0)
    below = row + (s.y - row * block > 0)
    bit = np.uint64(1) << np.uint64(kind)
    for r in range(max(row, 0), min(below + 1, game.rows)):
        for c in range(max(column, 0), min(right + 1, game.columns)):
            cell = r * game.columns + c
            if state.cells[cell] & bit:
                j = state.heads[cell]
                while j >= 0:
                    other = state.sprites[j]
                    if other.type == kind and j != i and other.serial < limit:
                        noted = note_second(state, j, noted)
                    j = other.chain
    return noted


@helper
def sort_seconds(state, start, stop):
    """By creation: a group's order."""
    for k in range(start + 1, stop):
        j = state.near[k]
        serial = state.sprites[j].serial
        at = k
        while at > start and state.sprites[state.near[at - 1]].serial > serial:
            state.near[at] = state.near[at - 1]
            at -= 1
        state.near[at] = j


@helper
def shielded(game, state, rule, s, other):
    """Whether a first is shielded from this effect of the second in this tick."""
    for k in range(state.shields):
        if state.shield[3 * k] == s.type and state.shield[3 * k + 2] == rule.effect:
            word = game.family[state.shield[3 * k + 1]]
            if (word >> np.uint64(other.type)) & np.uint64(1):
                return True
    return False
