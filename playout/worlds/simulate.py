"""One simulation after another in a tree over worlds. Compiled.

A world is drawn from the stream of the simulation's number, so that the result depends neither on
the size of a step nor on how often the arrays had to grow. A budget of calls of `play` is kept
exactly: a simulation ends where it is used up, and what it has come to is backed up all the same.

- P. Cowling, E. Powley and D. Whitehouse, Information Set Monte Carlo Tree Search, 2012;
- D. Perez et al., Open loop search for general video game playing, 2015.
"""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import helper, kernel
from playout.compiled.random import random_below, stream_of
from playout.contract import most_moves
from playout.gametree.nodes import BAD_PRIOR, TOO_MANY_MOVES
from playout.gametree.simulate import TOO_LONG
from playout.worlds.arrays import (
    AVAILABLE,
    BACKING_UP,
    CALLS,
    COUNT,
    DESCENDING,
    FINE,
    IDLE,
    NODES,
    PLACE,
    SIMULATIONS,
    SQUARES,
    TOP,
    TOTAL,
    VISITS,
    N,
)
from playout.worlds.edges import child_of, edge_named, find_legal, known_of, make_room, name_of
from playout.worlds.outcomes import borda_scores, compare_outcome, number_outcomes, room_to_compare

BAD_SCORE = -3


@kernel
def simulate(tree, game, policy, backup, playout, goal, calls):
    """Simulate until there are `goal` simulations or `calls` calls of `play`; FINE, ROOM, error.

    With a goal below 0 play the first of `moves` at the root: what the rules are compiled for.
    """
    head = tree.head[0]
    if goal < 0:
        game.play(tree.root_state[0], tree.moves[0])
        return FINE
    while True:
        if head.phase == IDLE:
            if tree.counters[SIMULATIONS] >= goal or tree.counters[CALLS] >= calls:
                return FINE
            draw_world(tree, game)
            playout.begin()
            head.phase = DESCENDING
        if head.phase == DESCENDING:
            status = descend(tree, game, policy, backup, playout, calls)
            if status == FINE:
                status = play_on(tree, game, tree.states[0], playout, calls)
            if status == FINE:
                status = take_outcomes(tree, game, tree.states[0])
            if status != FINE:
                return status
            playout.learn(game, tree.rewards)
            head.phase = BACKING_UP
        if policy.wants_order():
            status = room_to_compare(tree)
            if status != FINE:
                return status
            number_outcomes(tree, game)
        back_up(tree, policy)
        tree.counters[SIMULATIONS] += 1
        head.phase = IDLE


@helper
def draw_world(tree, game):
    """Begin a simulation at the root, in a world that its player cannot tell from the true one."""
    head = tree.head[0]
    tree.rng[0] = stream_of(head.seed, tree.counters[SIMULATIONS])
    game.copy_world(tree.root_state[0], tree.states[0])
    game.redraw(tree.states[0], head.player, tree.rng)
    for k in range(head.observers):
        tree.path_nodes[0, k] = tree.roots[k]
    head.depth = 0
    head.played = 0


@helper
def descend(tree, game, policy, backup, playout, calls):
    """Go down among the moves that are legal in this world, and add a node; FINE, ROOM, error."""
    head = tree.head[0]
    state, moves, observers = tree.states[0], tree.moves, head.observers
    most, deepest = most_moves(moves), len(tree.path_movers) - 2
    while True:
        depth = head.depth
        mover = np.int64(game.turn(state))
        own = mover if observers > 1 else 0
        node = tree.path_nodes[depth, own]
        if depth > 0 and tree.nodes[node, VISITS] == 0:
            return FINE  # made just now
        full = tree.counters[NODES] > head.most_nodes
        if (full and tree.nodes[node, COUNT] == 0) or tree.counters[CALLS] >= calls:
            return FINE
        if depth == head.horizon > 0:
            return FINE
        n = np.int64(game.moves(state, moves))
        if n == 0:
            return FINE
        if not 0 <= n <= most:
            return TOO_MANY_MOVES
        if depth >= deepest:
            return TOO_LONG
        status = make_room(tree, node, n)
        if status != FINE:
            return status
        observer = mover if observers > 1 else head.player
        twins = find_legal(tree, game, state, node, n, mover, observer)
        chosen = choose(tree, policy, backup, node, n, twins)
        edge = tree.legal[chosen]
        for i in range(n):
            if tree.twins[i] == 0:
                tree.edges[tree.legal[i], AVAILABLE] += 1
        if twins > 0:  # one of those that look the same
            same = 0
            for i in range(n):
                if tree.legal[i] == edge:
                    same += 1
                    if random_below(tree.rng, same) == 0:
                        chosen = i
        if playout.wants_moves():
            playout.seen(game, state, moves, n, chosen, mover)
        tree.edge_moves[edge] = moves[chosen]
        ended = follow(tree, depth, own, edge)
        for k in range(observers):
            if k != own:
                name = name_of(game, state, moves[chosen], mover, k)
                other = edge_named(tree, tree.path_nodes[depth, k], name, moves[chosen])
                ended |= follow(tree, depth, k, other)
        tree.path_movers[depth] = mover
        game.play(state, moves[chosen])
        tree.counters[CALLS] += 1
        head.depth = depth + 1
        head.played = depth + 1
        if ended:
            return FINE


@helper
def follow(tree, depth, k, edge):
    """Note an edge on the path through a tree; whether there is no node behind it."""
    child = child_of(tree, edge)
    tree.path_edges[depth, k] = edge
    tree.path_nodes[depth + 1, k] = child
    return child == 0


@helper
def choose(tree, policy, backup, node, n, twins):
    """The number of the legal move with the highest bound; the first in random order of equals.

    A move's bound knows how often it was legal here, not how often the node was visited.
    """
    best, most, before = 0, -math.inf, 0
    adds_up = tree.head[0].shows != 0 and twins == 0 and not policy.wants_order()
    if policy.wants_all():
        found = False
        for i in range(n):
            edge = tree.legal[i]
            visits = tree.edges[edge, N]
            if adds_up and visits == 0:
                visits = known_of(tree, node, i)[0]
            if visits == 0 and (not found or tree.edges[edge, PLACE] < before):
                best, before, found = i, tree.edges[edge, PLACE], True
        if found:
            return best
    if policy.wants_order():
        borda_scores(tree, node, n)
    available, prepared = np.int64(-1), 0.0
    for i in range(n):
        edge = tree.legal[i]
        visits, legal = tree.edges[edge, N], tree.edges[edge, AVAILABLE]
        q, squares = 0.0, 0.0
        if adds_up:
            visits, legal, total, squares, top = known_of(tree, node, i)
            if visits > 0:
                q = backup.value(total / visits, top, visits)
                squares /= visits
        elif policy.wants_order():
            q = tree.worths[i]
        elif visits > 0:
            mean = tree.sums[edge, TOTAL] / visits
            q = backup.value(mean, tree.sums[edge, TOP], visits)
            squares = tree.sums[edge, SQUARES] / visits
        if legal != available:  # most often the same for all
            available = legal
            prepared = policy.prepare(max(available, 1))
        x = policy.bound(prepared, visits, q, squares, 0.0, 0.0, 0.0)
        if x > most or (x == most and tree.edges[edge, PLACE] < before):
            best, most, before = i, x, tree.edges[edge, PLACE]
    return best


@helper
def play_on(tree, game, state, playout, calls):
    """Play on from the leaf: to the end, for `length` moves, or until the calls are used up."""
    head = tree.head[0]
    moves, rng = tree.moves, tree.rng
    most, longest = most_moves(moves), len(tree.path_movers) - 2
    limit = head.depth + head.length if head.length > 0 else longest + 1
    if head.horizon > 0:
        limit = min(limit, head.horizon)
    while head.played < limit and tree.counters[CALLS] < calls:
        n = np.int64(game.moves(state, moves))
        if n == 0:
            break
        if not 0 <= n <= most:
            return TOO_MANY_MOVES
        if head.played >= longest:
            return TOO_LONG
        chosen = playout.choose(game, state, moves, n, rng)
        if chosen < 0:
            return BAD_PRIOR
        if playout.wants_moves():
            playout.seen(game, state, moves, n, chosen, np.int64(game.turn(state)))
        game.play(state, moves[chosen])
        tree.counters[CALLS] += 1
        head.played += 1
    return FINE


@helper
def take_outcomes(tree, game, state):
    """Note what a state has come to for each player, and what that is worth from 0 to 1."""
    head = tree.head[0]
    for p in range(len(tree.rewards)):
        game.outcome(state, p, tree.reached[p])
        score = np.float64(tree.reached[p].score)
        if not abs(score) < np.inf:
            return BAD_SCORE
        head.lowest = min(head.lowest, score)
        head.highest = max(head.highest, score)
    for p in range(len(tree.rewards)):
        tree.rewards[p] = game.worth(tree.reached[p], head.lowest, head.highest)
    return FINE


@helper
def back_up(tree, policy):
    """Take the rewards in along the path, in each tree."""
    head = tree.head[0]
    for depth in range(head.depth):
        mover = tree.path_movers[depth]
        own = mover if head.observers > 1 else 0
        for k in range(head.observers):
            tree.nodes[tree.path_nodes[depth, k], VISITS] += 1
            edge = tree.path_edges[depth, k]
            if k == own:
                if policy.wants_order():
                    compare_outcome(tree, depth, own, tree.reached_numbers[mover])
                reward = tree.rewards[mover]
                tree.sums[edge, TOTAL] += reward
                tree.sums[edge, SQUARES] += reward * reward
                if tree.edges[edge, N] == 0 or reward > tree.sums[edge, TOP]:
                    tree.sums[edge, TOP] = reward
            tree.edges[edge, N] += 1
    for k in range(head.observers):
        last = tree.path_nodes[head.depth, k]
        if last > 0:
            tree.nodes[last, VISITS] += 1
