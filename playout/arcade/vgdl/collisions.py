"""Rules of sprites that touch: pair by pair in the order of first mention.

Each rule goes over both groups as they were when it began: a sprite made since has a higher serial
number. The seconds that touch a first are noted before any of them has its effect, and each is
tested again when its turn comes.
"""

from __future__ import annotations

import numpy as np

from playout.arcade.vgdl.effects import apply
from playout.arcade.vgdl.pool import DEAD, covered, touching, types_under
from playout.compiled import helper


@helper
def pair_rules(game, state):
    """Rules of sprites that touch, pair by pair."""
    for number in range(len(game.rules)):
        rule = game.rules[number]
        if rule.firsts & state.present[0] == 0 or rule.seconds & state.present[0] == 0:
            continue
        limit = state.serial
        still = rule.seconds & game.movers == 0  # whether all seconds are fixed
        for k in range(game.kin_from[rule.first], game.kin_from[rule.first + 1]):
            kind = game.kin[k]
            i = state.first[kind]
            if i < 0:
                continue
            if game.types[kind].fixed and rule.by_seconds:
                for h in range(find_hits(game, state, rule, kind, limit)):
                    i = state.hit[h]
                    if state.sprites[i].mode & DEAD == 0:
                        meet(game, state, rule, i, limit)
                continue
            while i >= 0:
                s = state.sprites[i]
                if s.serial < limit and s.mode & DEAD == 0:
                    if not still or (
                        (types_under(game, state, s) | state.loose_types[0]) & rule.seconds
                    ):
                        meet(game, state, rule, i, limit)
                i = s.next


@helper
def find_hits(game, state, rule, kind, limit):
    """The sprites of a fixed type that seconds touch, in their order, in `hit`; how many.

    Looked up from the side of the seconds. Fixed seconds are left out where no two fixed sprites
    have been in one cell.
    """
    hits = 0
    bit = np.uint64(1) << np.uint64(kind)
    for k in range(game.kin_from[rule.second], game.kin_from[rule.second + 1]):
        second = game.kin[k]
        if game.types[second].fixed:
            if state.stacked[0] & bit == 0:
                continue
            if (state.stacked[0] >> np.uint64(second)) & np.uint64(1) == 0:
                continue
        j = state.first[second]
        while j >= 0:
            other = state.sprites[j]
            if types_under(game, state, other) & bit:
                left, right, top, bottom = covered(game, other)
                for row in range(top, bottom):
                    for cell in range(row * game.columns + left, row * game.columns + right):
                        if state.cells[cell] & bit:
                            i = state.heads[cell]
                            while i >= 0:
                                hits = add_hit(game, state, kind, i, j, limit, hits)
                                i = state.sprites[i].chain
            if state.loose_types[0] & bit:
                i = state.loose
                while i >= 0:
                    hits = add_hit(game, state, kind, i, j, limit, hits)
                    i = state.sprites[i].chain
            j = other.next
    return hits


@helper
def add_hit(game, state, kind, i, j, limit, hits):
    """One first of a type that a second may touch, at its place in the order, once."""
    s = state.sprites[i]
    if i == j or s.type != kind or s.serial >= limit or not touching(game, s, state.sprites[j]):
        return hits
    at = hits
    while at > 0 and state.sprites[state.hit[at - 1]].serial >= s.serial:
        at -= 1
    if at < hits and state.hit[at] == i:
        return hits
    for k in range(hits, at, -1):
        state.hit[k] = state.hit[k - 1]
    state.hit[at] = i
    return hits + 1


@helper
def meet(game, state, rule, i, limit):
    """A first meets its seconds: those that touch are noted, then each has its effect."""
    s = state.sprites[i]
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
                            state.near[noted] = j
                            noted += 1
                    j = other.chain
            sort_seconds(state, start, noted)
        else:
            j = state.first[kind]
            while j >= 0:
                other = state.sprites[j]
                if touching(game, s, other) and i != j and other.serial < limit:
                    state.near[noted] = j
                    noted += 1
                j = other.next
    for k in range(noted):
        j = state.near[k]
        if s.mode & DEAD:
            break
        if touching(game, s, state.sprites[j]):
            if state.shields > 0 and shielded(game, state, rule, s, state.sprites[j]):
                continue
            if apply(game, state, rule, i, j):
                state.score += rule.score


@helper
def note_cells(game, state, i, kind, limit, noted):
    """The seconds of a fixed type in the cells that a first covers."""
    bit = np.uint64(1) << np.uint64(kind)
    left, right, top, bottom = covered(game, state.sprites[i])
    for row in range(top, bottom):
        for cell in range(row * game.columns + left, row * game.columns + right):
            if state.cells[cell] & bit:
                j = state.heads[cell]
                while j >= 0:
                    other = state.sprites[j]
                    if other.type == kind and j != i and other.serial < limit:
                        state.near[noted] = j
                        noted += 1
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
