"""Outcomes that are compared and never added: which move's are better, in exact counts. Compiled.

The distinct outcomes of a tree stand in order. Each node has a table of how often each of its
moves had each outcome, and for each two moves twice the number of pairs of their outcomes of which
the one's was better, a tie for one. A new outcome changes the counts of one move against each
other, by as many as were worse and equal.

T. Joppen and J. Fuernkranz, Ordinal Monte Carlo Tree Search, 2020. Equation (3) as printed is the
chance that the other move wins and leaves the lowest outcome out; here it is the definition.
"""

from __future__ import annotations

import numpy as np

from playout.compiled import copy_record, helper
from playout.worlds.arrays import (
    COUNT,
    FINE,
    FIRST,
    OUTCOMES,
    PAIR_WORDS,
    PAIRS,
    ROOM,
    ROW_SPACE,
    ROWS,
    SPACE,
    TABLE,
    TABLES,
    W_BEATEN,
    W_OUTCOMES,
    W_PAIRS,
    W_TABLES,
    N,
)


@helper
def room_to_compare(tree):
    """FINE if there is room for the outcomes of this simulation along its path; else ROOM."""
    head = tree.head[0]
    tables, pairs, widest = tree.counters[TABLES], tree.counters[PAIR_WORDS], np.int64(0)
    for depth in range(head.depth):
        own = tree.path_movers[depth] if head.observers > 1 else 0
        node = tree.path_nodes[depth, own]
        space = tree.nodes[node, SPACE]
        widest = max(widest, space)
        narrow = tree.nodes[node, ROW_SPACE] == 0 or tree.tables[tree.nodes[node, TABLE]] < space
        if narrow:
            pairs += space * space
        if narrow or tree.nodes[node, ROWS] == tree.nodes[node, ROW_SPACE]:
            tables += 1 + (2 * tree.nodes[node, ROWS] + 4) * (1 + space)
    outcomes = tree.counters[OUTCOMES] + len(tree.rewards)
    fits = tables <= len(tree.tables) and pairs <= len(tree.pairs)
    if fits and outcomes <= len(tree.order) and widest <= len(tree.beaten):
        return FINE
    tree.wanted[W_TABLES] = tables
    tree.wanted[W_PAIRS] = pairs
    tree.wanted[W_OUTCOMES] = outcomes
    tree.wanted[W_BEATEN] = widest
    return ROOM


@helper
def number_outcomes(tree, game):
    """The numbers of the outcomes that were reached; one that is new comes in its place."""
    for p in range(len(tree.rewards)):
        low, high = np.int64(0), tree.counters[OUTCOMES]
        number = np.int64(-1)
        while low < high and number < 0:
            middle = (low + high) // 2
            there = np.int64(tree.order[middle])
            sign = game.better(tree.reached[p], tree.outcomes[there])
            if sign == 0:
                number = there
            elif sign > 0:
                low = middle + 1
            else:
                high = middle
        if number < 0:
            number = tree.counters[OUTCOMES]
            tree.counters[OUTCOMES] = number + 1
            copy_record(tree.reached[p], tree.outcomes[number])
            for i in range(number, low, -1):
                tree.order[i] = tree.order[i - 1]
                tree.rank[tree.order[i]] = i
            tree.order[low] = number
            tree.rank[number] = low
        tree.reached_numbers[p] = number


@helper
def compare_outcome(tree, depth, k, number):
    """Take an outcome in at the node of a path and its edge there, before that counts as visited.

    It is compared with all outcomes of each other edge.
    """
    node, edge = tree.path_nodes[depth, k], tree.path_edges[depth, k]
    widen(tree, node)
    first, count = tree.nodes[node, FIRST], tree.nodes[node, COUNT]
    table, rows = tree.nodes[node, TABLE] + 1, tree.nodes[node, ROWS]
    width = np.int64(tree.tables[table - 1])
    rank = tree.rank[number]
    row, high = np.int64(0), rows  # the first row whose outcome is not worse
    while row < high:
        middle = (row + high) // 2
        if tree.rank[tree.tables[table + middle * (1 + width)]] < rank:
            row = middle + 1
        else:
            high = middle
    here = table + row * (1 + width)
    known = row < rows and tree.tables[here] == number
    count_worse(tree, table, width, row, rows, count)
    own, pairs = edge - first, tree.nodes[node, PAIRS]
    for b in range(count):
        if b == own:
            continue
        equal = np.int64(tree.tables[here + 1 + b]) if known else np.int64(0)
        won = 2 * tree.beaten[b] + equal
        tree.pairs[pairs + own * width + b] += won
        tree.pairs[pairs + b * width + own] += 2 * tree.edges[first + b, N] - won
    if not known:
        for i in range(table + rows * (1 + width) - 1, here - 1, -1):
            tree.tables[i + 1 + width] = tree.tables[i]
        tree.tables[here : here + 1 + width] = 0
        tree.tables[here] = number
        tree.nodes[node, ROWS] = rows + 1
    tree.tables[here + 1 + own] += 1


@helper
def count_worse(tree, table, width, row, rows, count):
    """Write into `beaten` how many outcomes of each edge are in the rows before one."""
    beaten = tree.beaten
    for b in range(count):
        beaten[b] = 0
    for r in range(row):
        start = table + r * (1 + width) + 1
        for b in range(count):
            beaten[b] += tree.tables[start + b]


@helper
def widen(tree, node):
    """Give a node tables that are as wide as its edges have room, and have a row free."""
    space, rows = tree.nodes[node, SPACE], tree.nodes[node, ROWS]
    old, width = tree.nodes[node, TABLE], np.int64(0)
    if tree.nodes[node, ROW_SPACE] > 0:
        width = np.int64(tree.tables[old])
        if width == space and rows < tree.nodes[node, ROW_SPACE]:
            return
    table = tree.counters[TABLES]
    row_space = 2 * rows + 4
    tree.counters[TABLES] = table + 1 + row_space * (1 + space)
    tree.tables[table] = space
    for r in range(rows):
        source, target = old + 1 + r * (1 + width), table + 1 + r * (1 + space)
        for b in range(1 + space):
            tree.tables[target + b] = tree.tables[source + b] if b <= width else 0
    tree.nodes[node, TABLE] = table
    tree.nodes[node, ROW_SPACE] = row_space
    if width < space:
        before, pairs = tree.nodes[node, PAIRS], tree.counters[PAIR_WORDS]
        tree.counters[PAIR_WORDS] = pairs + space * space
        for a in range(space):
            for b in range(space):
                old_pair = a < width and b < width
                tree.pairs[pairs + a * space + b] = (
                    tree.pairs[before + a * width + b] if old_pair else 0
                )
        tree.nodes[node, PAIRS] = pairs


@helper
def borda_scores(tree, node, n):
    """Write into `worths` how often each legal move beats another, the mean over all others.

    All n of them were visited. The only move beats half of nobody.
    """
    first, pairs = tree.nodes[node, FIRST], tree.nodes[node, PAIRS]
    width = np.int64(tree.tables[tree.nodes[node, TABLE]])
    for i in range(n):
        a = tree.legal[i] - first
        total, others = 0.0, 0
        for j in range(n):
            b = tree.legal[j] - first
            if b != a and tree.twins[j] == 0:
                total += tree.pairs[pairs + a * width + b] / tree.edges[first + b, N]
                others += 1
        if others > 0:
            tree.worths[i] = total / (2.0 * tree.edges[first + a, N] * others)
        else:
            tree.worths[i] = 0.5
