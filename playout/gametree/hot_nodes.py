"""Nodes that nearly every simulation passes, in a tree that threads share. Compiled.

To read what another processor has just written can take as long as a good part of a playout, and
all threads would write to the first nodes all the time. So from `HOT_VISITS` visits on a node is
hot. Each thread adds to a row of its own there, sees the sums and that row, and hands the row in
when it has grown to a small part of the visits of the node or of the move that it takes.

What lies below hot nodes is at hand for the thread that was there last. So a thread stays for a
while: it takes the move that it has chosen a few times running, and where it leaves the hot nodes
it makes a batch of simulations from there, of which the hot nodes above hear when it is over.
All of it is a small part of the move's own visits: of a node's it would be many times those of one
of a hundred moves. Virtual loss is what keeps threads apart: one where a batch begins (one for each
of its simulations would send the others to moves that are worse), and that of each simulation
below. At other moves of hot nodes none is noted.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import helper
from playout.compiled.atomics import compare_exchange, fetch_add, load, store
from playout.gametree.shared_counters import take
from playout.gametree.tree_arrays import HOT, OPEN, SLOT, TREE, UNIT

HOT_VISITS = 1024
FEWEST = 4  # simulations that are handed in together, at least
PART = 32  # at most one visit in so many is not handed in yet, of all threads together
MOST_REPEATS = 16  # a choice is repeated so often at most,
REPEATED_PART = 128  # and for one visit in so many of the move
MOST_BATCH = 16  # simulations in a batch, at most,
BATCH_PART = 16  # and for one visit in so many of the move there

# what `hot` says of a node that is not: not yet, or for lack of room never
COLD, NEVER = 0, -1

# columns of a thread's batch: simulations to make and made, and where it begins
LEFT, MADE, DEPTH, NODE, REFERENCE = 0, 1, 2, 3, 4


@helper
def make_hot(tree, node):
    """Make a node hot, if there is room for one more."""
    if load(tree.status, node) != OPEN or not compare_exchange(tree.hot, node, COLD, NEVER):
        return
    number = take(tree.counters, HOT, 1, tree.hot_sums.shape[1])
    if number > 0:
        tree.hot_nodes[number] = node
        store(tree.hot, node, number)


@helper
def forget_hot(tree):
    """Begin anew: no node is hot."""
    for number in range(1, tree.counters[HOT]):
        tree.hot_sums[:, number] = 0
        tree.hot_totals[:, number] = 0
        tree.hot_choice[:, number] = 0
    tree.counters[HOT] = 1


@helper
def add_to_row(tree, policy, slot, number, edge, reward):
    """A simulation has passed a hot node, over its edge of this number."""
    row = tree.hot_sums[slot // SLOT, number]
    row[3 * edge] += 1
    row[3 * edge + 1] += np.int64(round(reward * UNIT))
    if policy.wants_squares():
        row[3 * edge + 2] += np.int64(round(reward * reward * UNIT))


@helper
def add_to_totals(tree, slot, number):
    """A simulation has passed a hot node, with the rewards in `rewards`."""
    row = tree.hot_totals[slot // SLOT, number]
    row[0] += 1
    if tree.head[0].graph != TREE:
        for p in range(tree.head[0].players):
            row[1 + p] += np.int64(round(tree.rewards[slot, p] * UNIT))


@helper
def may_batch(tree):
    """Whether hot nodes need not hear of each simulation: no proof, no highest reward is kept.

    Nor with the general virtual loss, which takes a share of the value for each simulation under
    way: a batch of sixteen would make any move look hopeless.
    """
    head = tree.head[0]
    kept = head.solver or head.joint or head.general_loss or len(tree.edge_top) > 0
    return not kept


@helper
def begin_batch(tree, slot, depth, node, reference, edge):
    """Begin a batch at a node, behind an edge of a hot one: a small part of the edge's visits."""
    n = min(tree.edge_visits[edge] // BATCH_PART, MOST_BATCH)
    if n < 2:
        return
    batch = tree.batch[slot]
    batch[LEFT], batch[MADE], batch[DEPTH] = n, 0, depth
    batch[NODE], batch[REFERENCE] = node, reference
    tree.batch_sums[slot] = 0
    tree.batch_states[slot] = tree.states[slot]
    fetch_add(tree.edge_loss, edge, 1)


@helper
def add_to_batch(tree, policy, slot):
    """A simulation has passed the hot nodes above a batch."""
    sums, batch = tree.batch_sums[slot], tree.batch[slot]
    for p in range(tree.head[0].players):
        reward = tree.rewards[slot, p]
        sums[0, p] += np.int64(round(reward * UNIT))
        if policy.wants_squares():
            sums[1, p] += np.int64(round(reward * reward * UNIT))
    batch[LEFT] -= 1
    batch[MADE] += 1


@helper
def end_batch(tree, policy, slot):
    """Add the sums of a batch to the rows of the hot nodes above it."""
    batch, sums = tree.batch[slot], tree.batch_sums[slot]
    made, depth = batch[MADE], batch[DEPTH]
    batch[LEFT] = batch[MADE] = 0
    for i in range(depth):
        node, edge = tree.path_nodes[slot, i], tree.path_edges[slot, i]
        number, p = tree.path_hot[slot, i], np.int64(tree.mover[node])
        row, k = tree.hot_sums[slot // SLOT, number], 3 * (edge - tree.first[node])
        row[k] += made
        row[k + 1] += sums[0, p]
        row[k + 2] += sums[1, p]
        row = tree.hot_totals[slot // SLOT, number]
        row[0] += made
        if tree.head[0].graph != TREE:
            for p in range(tree.head[0].players):
                row[1 + p] += sums[0, p]
    fetch_add(tree.edge_loss, tree.path_edges[slot, depth - 1], -1)


@helper
def chosen_before(tree, slot, number):
    """The edge that a thread takes once more at a hot node, by its number; -1: it should choose."""
    if number <= COLD:
        return -1
    choice = tree.hot_choice[slot // SLOT, number]
    if choice[1] == 0:
        return -1
    choice[1] -= 1
    return choice[0]


@helper
def note_choice(tree, slot, number, edge):
    """A thread has chosen the edge of this number; with a solver what is proven decides anew."""
    if number > COLD and not tree.head[0].solver:
        choice = tree.hot_choice[slot // SLOT, number]
        choice[0] = edge
        visits = tree.edge_visits[tree.first[tree.hot_nodes[number]] + edge]
        choice[1] = min(visits // REPEATED_PART, MOST_REPEATS)


@helper
def is_due(tree, slot, number, edge):
    """Whether a thread's row of a hot node should be handed in: much of the node, or of the edge.

    Where there are many moves, each has few visits: a few more that nobody else sees are much.
    """
    threads, node = tree.hot_sums.shape[0], tree.hot_nodes[number]
    many = max(FEWEST, tree.visits[node] // (PART * threads))
    passed = tree.hot_sums[slot // SLOT, number, 3 * (edge - tree.first[node])]
    return (
        tree.hot_totals[slot // SLOT, number, 0] >= many or passed * PART >= tree.edge_visits[edge]
    )


@helper
def hand_in(tree, policy, slot, number):
    """Add a thread's row of a hot node to the sums that all see."""
    node, row = tree.hot_nodes[number], tree.hot_sums[slot // SLOT, number]
    first = tree.first[node]
    for edge in range(tree.count[node]):
        if row[3 * edge] > 0:
            if policy.wants_squares():
                fetch_add(tree.edge_squares, first + edge, row[3 * edge + 2])
            fetch_add(tree.edge_totals, first + edge, row[3 * edge + 1])
            fetch_add(tree.edge_visits, first + edge, row[3 * edge])
            row[3 * edge : 3 * edge + 3] = 0
    row = tree.hot_totals[slot // SLOT, number]
    if tree.head[0].graph != TREE:
        for p in range(tree.head[0].players):
            fetch_add(tree.totals, (node, p), row[1 + p])
    fetch_add(tree.visits, node, row[0])
    row[:] = 0
