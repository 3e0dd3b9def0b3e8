"""Leaf parallelism in a tree: every worker plays a game from the leaf that one of them has found.

The leader goes down the tree, says where, plays out too, waits for the others and takes all the
rewards in. Each worker has its own playout policy and each simulation its own random stream, so
the result depends on the number of workers alone. The threads stay in compiled code for a whole
step and meet at counters that are read and changed atomically. They wait for one another after each
playout, so this is for machines that have a processor for each.

T. Cazenave and N. Jouandeau, On the parallelization of UCT, 2007.
"""

from __future__ import annotations

from playout.compiled import helper, kernel
from playout.compiled.atomics import fetch_add, give_way, load, pause, store
from playout.compiled.random import stream_of
from playout.gametree.nodes import FINE, make_canonical
from playout.gametree.simulate import back_up, descend, note_move, play_out
from playout.gametree.tree_arrays import SIMULATIONS, SLOT, STATUS

# indices into the control array, a cache line apart; what is said of a batch is there before BATCH
BATCH, FINISHED, OVER, SAID = 0, 8, 16, 24
FIRST, COUNT, DEPTH = SAID, SAID + 1, SAID + 2
CONTROL = 32

PATIENCE = 1000  # looks at a counter before another thread may have the processor


@kernel
def lead_leaves(tree, game, policy, playout, control, backup, workers, limit):
    """The leader: simulate until there have been `limit` simulations; FINE or an error."""
    batch = 0
    while tree.counters[SIMULATIONS] < limit and load(tree.counters, STATUS) == FINE:
        first = tree.counters[SIMULATIONS]
        count = min(workers, limit - first)
        tree.rng[0] = stream_of(tree.head[0].seed, first)
        status, depth, node, known = descend(tree, game, policy, backup, playout, 0)
        if status == FINE and not known:
            control[FIRST] = first
            control[COUNT] = count
            control[DEPTH] = depth
            tree.spare[0] = tree.states[0]  # the leader plays on in its own
            batch += 1
            store(control, FINISHED, 0)
            store(control, BATCH, batch)
            status = play_out(tree, game, policy, playout, 0)
            looks = 0
            while load(control, FINISHED) < workers - 1 and load(control, OVER) == 0:
                looks = wait(looks)
        if status != FINE:
            store(tree.counters, STATUS, status)
        if load(tree.counters, STATUS) != FINE or load(control, OVER) != 0:
            break
        playout.learn(game, tree.rewards[0])
        for worker in range(count):  # in this order, whoever was ready first
            back_up(tree, policy, 0 if known else worker * SLOT, depth, node)
        tree.counters[SIMULATIONS] = first + count
    return load(tree.counters, STATUS)


@kernel
def help_leaves(tree, game, policy, playout, control, worker):
    """Another worker: play from every leaf that the leader finds, until it is OVER."""
    batch, looks = 0, 0
    while load(control, OVER) == 0:
        if load(control, BATCH) == batch:
            looks = wait(looks)
            continue
        batch, looks = batch + 1, 0
        if worker < control[COUNT]:
            status = play_along(tree, game, policy, playout, control, worker)
            if status != FINE:
                store(tree.counters, STATUS, status)
        fetch_add(control, FINISHED, 1)


@helper
def wait(looks):
    """Wait a moment, so many looks after the waiting began; one look more."""
    if looks < PATIENCE:
        pause()
    else:
        give_way()
    return looks + 1


@helper
def play_along(tree, game, policy, playout, control, worker):
    """Play out from the leader's leaf; FINE or an error."""
    slot, depth = worker * SLOT, control[DEPTH]
    tree.rng[slot] = stream_of(tree.head[0].seed, control[FIRST] + worker)
    for i in range(depth + 1):
        tree.path_nodes[slot, i] = tree.path_nodes[0, i]
        tree.path_edges[slot, i] = tree.path_edges[0, i]
    playout.begin()
    if playout.wants_moves() or policy.wants_amaf():
        retrace(tree, game, policy, playout, slot, depth)
    else:
        tree.states[slot] = tree.spare[0]
        tree.lengths[slot] = depth
    status = play_out(tree, game, policy, playout, slot)
    if status == FINE:
        playout.learn(game, tree.rewards[slot])
    return status


@helper
def retrace(tree, game, policy, playout, slot, depth):
    """Go the leader's way down the tree again, for parts that want to know of every move."""
    tree.states[slot] = tree.root_state[0]
    state = tree.states[slot]
    tree.lengths[slot] = 0
    for i in range(depth):
        node, edge = tree.path_nodes[slot, i], tree.path_edges[slot, i]
        first = tree.first[node]
        moves = tree.edge_moves[first : first + tree.count[node]]
        note_move(tree, game, policy, playout, slot, moves, edge - first, tree.mover[node])
        game.play(state, tree.edge_moves[edge])
        if tree.head[0].symmetry:
            make_canonical(tree, game, slot, state)
