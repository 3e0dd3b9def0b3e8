"""The compiled part of PB-MCTS: pairs of moves chosen by RUCB, simulated and compared.

A simulation is a binary tree, walked with a stack of states. Formulas and papers are in
`preference.py`.
"""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import copy_record, helper, kernel
from playout.compiled.random import random_below, stream_of
from playout.contract import most_moves
from playout.gametree.nodes import TOO_MANY_MOVES
from playout.gametree.simulate import TOO_LONG
from playout.worlds.arrays import (
    CALLS,
    CHILD,
    COUNT,
    DESCENDING,
    FINE,
    FIRST,
    GROWN,
    IDLE,
    ITERATIONS,
    NODES,
    PAIR_WORDS,
    PAIRS,
    ROOM,
    ROW_SPACE,
    ROWS,
    SIMULATIONS,
    SPACE,
    TOTAL,
    VISITS,
    W_NODES,
    W_PAIRS,
    N,
)
from playout.worlds.edges import child_of, find_legal, make_room
from playout.worlds.simulate import play_on, take_outcomes

# columns of `nodes` that have another meaning here: how wide its pairs are, and one more than the
# number of the edge that was the only one that may be best
WIDTH, BEST = ROW_SPACE, ROWS

# columns of `frames`: a node, who moves there, the two edges, and what is under way
NODE, MOVER, EDGE, OTHER, STAGE = range(5)
OPENING, FIRST_OF_TWO, SECOND_OF_TWO = range(3)

OVER = 2  # where a frame is opened: the game is over there, or the calls are used up
W_FRAMES = len(GROWN)


@helper
def pair(tree, node, edge, other):
    """Twice how often an edge of a node won against another, a tie for one."""
    first, width = tree.nodes[node, FIRST], tree.nodes[node, WIDTH]
    a, b = edge - first, other - first
    if a >= width or b >= width:
        return np.int64(0)
    return tree.pairs[tree.nodes[node, PAIRS] + a * width + b]


@kernel
def compare_pairs(tree, game, playout, alpha, better, limits):
    """Go on until there are `limits[0]` playouts; FINE, ROOM or an error.

    `limits[1]` playouts and `limits[2]` calls of `play` are never exceeded: a node whose second
    simulation cannot be begun has nothing to compare.
    """
    head = tree.head[0]
    if limits[0] < 0:  # as `simulate` has it
        game.play(tree.root_state[0], tree.moves[0])
        return FINE
    while True:
        if head.phase == IDLE:
            if spent(tree, limits) or tree.counters[SIMULATIONS] >= limits[0]:
                return FINE
            tree.rng[0] = stream_of(head.seed, tree.counters[ITERATIONS])
            game.copy_world(tree.root_state[0], tree.stack[0])
            game.redraw(tree.stack[0], head.player, tree.rng)
            tree.frames[0, NODE] = tree.roots[0]
            tree.frames[0, STAGE] = OPENING
            head.depth = 0
            head.phase = DESCENDING
        level = head.depth
        state, ended = tree.stack[level], False
        if tree.frames[level, STAGE] == OPENING:
            status = open_frame(tree, game, alpha, limits)
            ended = status == OVER
            if status != FINE and not ended:
                return status
        if not ended:
            edge = advance(tree, game)
            child = tree.edges[edge, CHILD]
            if child > 0:
                tree.frames[level + 1, NODE] = child
                tree.frames[level + 1, STAGE] = OPENING
                head.depth = level + 1
                continue
            state = tree.stack[level + 1]
            child = child_of(tree, edge)
            tree.nodes[child, VISITS] += 1  # nobody's too, if the tree is full
            head.depth = level + 1
            head.played = level + 1
            playout.begin()
            status = play_on(tree, game, state, playout, limits[2])
            head.depth = level
            if status != FINE:
                return status
        status = take_outcomes(tree, game, state)
        if status != FINE:
            return status
        playout.learn(game, tree.rewards)
        tree.counters[SIMULATIONS] += 1
        if ended:
            tree.nodes[tree.frames[level, NODE], VISITS] += 1
            head.depth = level - 1
        if head.depth < 0 or close_frames(tree, game, better, limits):
            tree.counters[ITERATIONS] += 1
            head.phase = IDLE


@helper
def spent(tree, limits):
    """Whether no playout may be begun any more."""
    return tree.counters[SIMULATIONS] >= limits[1] or tree.counters[CALLS] >= limits[2]


@helper
def open_frame(tree, game, alpha, limits):
    """Choose the two moves of a node; FINE, OVER if the playout ends here, ROOM or an error."""
    level = tree.head[0].depth
    state, node = tree.stack[level], tree.frames[level, NODE]
    n = np.int64(game.moves(state, tree.moves))
    if n == 0 or tree.counters[CALLS] >= limits[2] or level == tree.head[0].horizon > 0:
        return OVER
    if not 0 <= n <= most_moves(tree.moves):
        return TOO_MANY_MOVES
    if level >= len(tree.path_movers) - 2:
        return TOO_LONG
    status = make_room(tree, node, n)
    pairs = tree.counters[PAIR_WORDS] + 4 * (tree.nodes[node, COUNT] + n) ** 2
    nodes = tree.counters[NODES] + 2 * (level + 1)  # of this frame and those above
    if nodes > len(tree.nodes) or pairs > len(tree.pairs) or level + 2 > len(tree.frames):
        tree.wanted[W_NODES] = nodes
        tree.wanted[W_PAIRS] = pairs
        tree.wanted[W_FRAMES] = level + 2
        status = ROOM
    if status != FINE:
        return status
    mover = np.int64(game.turn(state))
    find_legal(tree, game, state, node, n, mover, tree.head[0].player)
    widen_pairs(tree, node)
    one = first_of_pair(tree, node, n, alpha)
    two = second_of_pair(tree, node, n, alpha, one)
    tree.frames[level, MOVER] = mover
    tree.frames[level, EDGE] = tree.legal[one]
    tree.stack_moves[level, 0] = tree.moves[one]
    tree.frames[level, OTHER] = -1
    if two >= 0:
        tree.frames[level, OTHER] = tree.legal[two]
        tree.stack_moves[level, 1] = tree.moves[two]
    tree.frames[level, STAGE] = FIRST_OF_TWO
    return FINE


@helper
def widen_pairs(tree, node):
    """Give a node pairs that are as wide as its edges have room."""
    space, width = tree.nodes[node, SPACE], tree.nodes[node, WIDTH]
    if width == space:
        return
    old, new = tree.nodes[node, PAIRS], tree.counters[PAIR_WORDS]
    tree.counters[PAIR_WORDS] = new + space * space
    for a in range(space):
        for b in range(space):
            known = a < width and b < width
            tree.pairs[new + a * space + b] = tree.pairs[old + a * width + b] if known else 0
    tree.nodes[node, PAIRS] = new
    tree.nodes[node, WIDTH] = space


@helper
def upper(tree, node, edge, other, explored):
    """How well an edge may do against another; `explored` is alpha ln t."""
    if edge == other:
        return 0.5
    won = pair(tree, node, edge, other)
    twice = won + pair(tree, node, other, edge)  # a comparison adds 2 to both together
    if twice == 0:
        return 2.0
    return won / twice + math.sqrt(2.0 * explored / twice)


@helper
def first_of_pair(tree, node, n, alpha):
    """A move that no other is sure to beat; the only one of an earlier time half of the time."""
    explored = alpha * math.log(max(tree.nodes[node, VISITS], 1))
    first, kept = tree.nodes[node, FIRST], -1
    candidates = 0
    for i in range(n):
        fine = tree.twins[i] == 0
        for j in range(n):
            fine &= upper(tree, node, tree.legal[i], tree.legal[j], explored) >= 0.5
        if fine:
            tree.fresh[candidates] = i
            candidates += 1
            if tree.legal[i] - first == tree.nodes[node, BEST] - 1:
                kept = candidates - 1
    if candidates == 0:
        return random_below(tree.rng, n)
    if kept < 0:
        tree.nodes[node, BEST] = 0
    if candidates == 1:
        tree.nodes[node, BEST] = tree.legal[tree.fresh[0]] - first + 1
        return tree.fresh[0]
    if kept >= 0:
        if random_below(tree.rng, 2) == 0:
            return tree.fresh[kept]
        candidates -= 1
        tree.fresh[kept] = tree.fresh[candidates]
    return tree.fresh[random_below(tree.rng, candidates)]


@helper
def second_of_pair(tree, node, n, alpha, one):
    """The move that may do best against the first, -1 if there is no other; any of equals."""
    explored = alpha * math.log(max(tree.nodes[node, VISITS], 1))
    chosen, most, equal = np.int64(-1), -math.inf, 0
    for i in range(n):
        if tree.twins[i] == 0 and tree.legal[i] != tree.legal[one]:
            x = upper(tree, node, tree.legal[i], tree.legal[one], explored)
            if x > most:
                chosen, most, equal = np.int64(i), x, 1
            elif x == most:
                equal += 1
                if random_below(tree.rng, equal) == 0:
                    chosen = np.int64(i)
    return chosen


@helper
def advance(tree, game):
    """Play the move whose turn it is at the last frame, in a state of its own; its edge."""
    level = tree.head[0].depth
    game.copy_world(tree.stack[level], tree.stack[level + 1])
    tree.counters[CALLS] += 1
    if tree.frames[level, STAGE] == FIRST_OF_TWO:
        game.play(tree.stack[level + 1], tree.stack_moves[level, 0])
        return tree.frames[level, EDGE]
    game.redraw(tree.stack[level + 1], tree.head[0].player, tree.rng)
    game.play(tree.stack[level + 1], tree.stack_moves[level, 1])
    return tree.frames[level, OTHER]


@helper
def close_frames(tree, game, better, limits):
    """Take in what a simulation has come to, at the last frame and above; whether none is left."""
    head, players = tree.head[0], len(tree.rewards)
    while head.depth >= 0:
        level = head.depth
        frame = tree.frames[level]
        mover = frame[MOVER]
        edge = frame[EDGE] if frame[STAGE] == FIRST_OF_TWO else frame[OTHER]
        tree.edges[edge, N] += 1
        tree.sums[edge, TOTAL] += game.worth(tree.reached[mover], head.lowest, head.highest)
        if frame[STAGE] == FIRST_OF_TWO:
            if frame[OTHER] >= 0 and not spent(tree, limits):
                for p in range(players):
                    copy_record(tree.reached[p], tree.first_reached[level, p])
                frame[STAGE] = SECOND_OF_TWO
                return False
        else:
            sign = game.better(tree.first_reached[level, mover], tree.reached[mover])
            note_comparison(tree, frame, sign)
            up = sign > 0 if better and sign != 0 else random_below(tree.rng, 2) == 0
            if up:
                for p in range(players):
                    copy_record(tree.first_reached[level, p], tree.reached[p])
        tree.nodes[frame[NODE], VISITS] += 1
        head.depth = level - 1
    return True


@helper
def note_comparison(tree, frame, sign):
    """Count a comparison of the two edges of a frame: 1 if the first was better, 0 for a tie."""
    node = frame[NODE]
    first, width, pairs = tree.nodes[node, FIRST], tree.nodes[node, WIDTH], tree.nodes[node, PAIRS]
    a, b = frame[EDGE] - first, frame[OTHER] - first
    tree.pairs[pairs + a * width + b] += 1 + sign
    tree.pairs[pairs + b * width + a] += 1 - sign
