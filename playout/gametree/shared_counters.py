"""Numbers that several threads take from one counter: simulations, nodes and edges. Compiled.

No number is given twice and no counter runs past its end, however many threads ask at once. In a
shared tree a thread puts nodes and edges by, a block at a time: so the counters are asked rarely,
and what two threads write at the same time lies on different cache lines.
"""

from __future__ import annotations

from playout.compiled import helper
from playout.compiled.atomics import compare_exchange, load, store
from playout.gametree.tree_arrays import EDGES, FULL, NODES, SIMULATIONS

MOST_TICKETS = 16  # simulations that a thread takes at once
NODE_BLOCK = 64
EDGE_BLOCK = 512

# columns of a thread's stock
NEXT_NODE, END_NODE, NEXT_EDGE, END_EDGE = 0, 1, 2, 3


@helper
def take_tickets(counters, limit):
    """The numbers of the next few simulations, as the first and the end; none when all are taken.

    Fewer at a time towards the end, so that the threads end together.
    """
    while True:
        first = load(counters, SIMULATIONS)
        n = min(max((limit - first) // 64, 1), MOST_TICKETS)
        if first >= limit:
            return first, first
        if compare_exchange(counters, SIMULATIONS, first, first + n):
            return first, first + n


@helper
def take(counters, index, n, end):
    """The first of n numbers in a row below `end`; -1 if there are not so many left."""
    while True:
        first = load(counters, index)
        if first + n > end:
            return -1
        if compare_exchange(counters, index, first, first + n):
            return first


@helper
def take_node(tree, slot):
    """A node that nobody has; -1 if the tree is full."""
    if not tree.head[0].shared:
        return _noted(tree, take(tree.counters, NODES, 1, len(tree.status)))
    stock = tree.stock[slot]
    if stock[NEXT_NODE] == stock[END_NODE]:
        end = len(tree.status)
        n = _block(NODE_BLOCK, end - load(tree.counters, NODES))
        first = take(tree.counters, NODES, n, end)
        if first < 0:
            return _noted(tree, -1)
        stock[NEXT_NODE] = first
        stock[END_NODE] = first + n
    stock[NEXT_NODE] += 1
    return stock[NEXT_NODE] - 1


@helper
def give_back_node(tree, slot):
    """The node that was taken last is not needed after all."""
    tree.stock[slot, NEXT_NODE] -= 1


@helper
def take_edges(tree, slot, n):
    """The first of n edges side by side that nobody has; -1 if there is no room for them."""
    end = len(tree.child)
    if not tree.head[0].shared:
        return _noted(tree, take(tree.counters, EDGES, n, end))
    stock = tree.stock[slot]
    if stock[NEXT_EDGE] + n > stock[END_EDGE]:
        block = _block(max(EDGE_BLOCK, 8 * n), end - load(tree.counters, EDGES))
        if block < 8 * n:  # the end of a block is lost: not worth while
            block = n
        first = take(tree.counters, EDGES, block, end)
        if first < 0:
            return _noted(tree, -1)
        stock[NEXT_EDGE] = first
        stock[END_EDGE] = first + block
    stock[NEXT_EDGE] += n
    return stock[NEXT_EDGE] - n


@helper
def empty_stocks(tree):
    """Forget what threads have put by: the counters have been set anew."""
    tree.stock[:] = 0


@helper
def _block(most, left):
    """How much to put by: little when little is left."""
    return min(max(left // 1024, 1), most)


@helper
def note_full(tree):
    """There was no room for something. Written once: a line that nobody writes to is read fast."""
    if load(tree.counters, FULL) == 0:
        store(tree.counters, FULL, 1)


@helper
def _noted(tree, first):
    if first < 0:
        note_full(tree)
    return first
