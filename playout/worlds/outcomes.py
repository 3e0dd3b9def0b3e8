"""Outcomes that are compared and never added: which move's are better, in exact counts. Compiled.

The distinct outcomes of a tree stand in order. Each node has a table of how often each of its
moves had each outcome, and for each two moves twice the number of pairs of their outcomes of which
the one's was better, a tie for one. A new outcome changes the counts of one move against each
other, by as many as were worse and equal.

A table is its width and the room for rows, the numbers of its outcomes in order, and then a column
for each edge: outcomes that are worse lie side by side. Arrays are local variables where it counts:
compiled code cannot know that a store leaves the tree's own fields alone.

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
    W_INVERSE,
    W_OUTCOMES,
    W_PAIRS,
    W_TABLES,
    N,
)


@helper
def room_to_compare(tree):
    """FINE if there is room for the outcomes of this simulation along its path; else ROOM."""
    head, nodes = tree.head[0], tree.nodes
    tables, pairs, widest = tree.counters[TABLES], tree.counters[PAIR_WORDS], np.int64(0)
    for depth in range(head.depth):
        own = tree.path_movers[depth] if head.observers > 1 else 0
        node = tree.path_nodes[depth, own]
        space, rows, row_space = nodes[node, SPACE], nodes[node, ROWS], nodes[node, ROW_SPACE]
        widest = max(widest, space)
        narrow = row_space == 0 or tree.tables[nodes[node, TABLE]] < space
        if narrow:
            pairs += space * space
        if narrow or rows == row_space:
            tables += 1 + (2 * rows + 4) * (1 + space)
    outcomes = tree.counters[OUTCOMES] + len(tree.rewards)
    fits = tables <= len(tree.tables) and pairs <= len(tree.pairs)
    if fits and outcomes <= len(tree.order) and widest <= len(tree.inverse):
        return FINE
    tree.wanted[W_TABLES] = tables
    tree.wanted[W_PAIRS] = pairs
    tree.wanted[W_OUTCOMES] = outcomes
    tree.wanted[W_INVERSE] = widest
    return ROOM


@helper
def number_outcomes(tree, game):
    """The numbers of the outcomes that were reached; one that is new comes in its place."""
    order, rank = tree.order, tree.rank
    for p in range(len(tree.rewards)):
        low, high = np.int64(0), tree.counters[OUTCOMES]
        number = np.int64(-1)
        while low < high and number < 0:
            middle = (low + high) // 2
            there = np.int64(order[middle])
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
                order[i] = order[i - 1]
                rank[order[i]] = i
            order[low] = number
            rank[number] = low
        tree.reached_numbers[p] = number


@helper
def compare_outcome(tree, depth, k, number):
    """Take an outcome in at the node of a path and its edge there, before that counts as visited.

    It is compared with all outcomes of each other edge.
    """
    node, edge = tree.path_nodes[depth, k], tree.path_edges[depth, k]
    widen(tree, node)
    tables, pairs, edges, ranks = tree.tables, tree.pairs, tree.edges, tree.rank
    first, count = tree.nodes[node, FIRST], tree.nodes[node, COUNT]
    rows, row_space = tree.nodes[node, ROWS], tree.nodes[node, ROW_SPACE]
    numbers = tree.nodes[node, TABLE] + 1
    width = np.int64(tables[numbers - 1])
    rank = ranks[number]
    row, high = np.int64(0), rows  # the first row whose outcome is not worse
    while row < high:
        middle = (row + high) // 2
        if ranks[tables[numbers + middle]] < rank:
            row = middle + 1
        else:
            high = middle
    known = row < rows and tables[numbers + row] == number
    own, start = edge - first, tree.nodes[node, PAIRS]
    for b in range(count):
        visits = edges[first + b, N]
        if b == own or visits == 0:
            continue
        column = numbers + (1 + b) * row_space
        if 2 * row <= rows:
            worse = np.int64(0)
            for r in range(row):
                worse += tables[column + r]
        else:
            worse = visits
            for r in range(row, rows):
                worse -= tables[column + r]
        won = 2 * worse
        if known:
            won += tables[column + row]
        pairs[start + own * width + b] += won
        pairs[start + b * width + own] += 2 * visits - won
    if not known:
        for b in range(1 + count):
            column = numbers + b * row_space
            for r in range(rows, row, -1):
                tables[column + r] = tables[column + r - 1]
            tables[column + row] = 0
        tables[numbers + row] = number
        tree.nodes[node, ROWS] = rows + 1
    tables[numbers + (1 + own) * row_space + row] += 1


@helper
def widen(tree, node):
    """Give a node tables that are as wide as its edges have room, and have a row free."""
    nodes = tree.nodes
    space, rows, row_space = nodes[node, SPACE], nodes[node, ROWS], nodes[node, ROW_SPACE]
    old, width = nodes[node, TABLE], np.int64(0)
    if row_space > 0:
        width = np.int64(tree.tables[old])
        if width == space and rows < row_space:
            return
    tables, table, more = tree.tables, tree.counters[TABLES], 2 * rows + 4
    tree.counters[TABLES] = table + 1 + more * (1 + space)
    tables[table] = space
    for b in range(1 + space):
        for r in range(more):
            copied = b <= width and r < rows
            tables[table + 1 + b * more + r] = tables[old + 1 + b * row_space + r] if copied else 0
    nodes[node, TABLE] = table
    nodes[node, ROW_SPACE] = more
    if width < space:
        pairs, before, new = tree.pairs, nodes[node, PAIRS], tree.counters[PAIR_WORDS]
        tree.counters[PAIR_WORDS] = new + space * space
        for a in range(space):
            for b in range(space):
                copied = a < width and b < width
                pairs[new + a * space + b] = pairs[before + a * width + b] if copied else 0
        nodes[node, PAIRS] = new


@helper
def borda_scores(tree, node, n):
    """Write into `worths` how often each legal move beats another, the mean over all others.

    All n of them were visited. The only move beats half of nobody.
    """
    pairs, legal, inverse, worths = tree.pairs, tree.legal, tree.inverse, tree.worths
    first, start = tree.nodes[node, FIRST], tree.nodes[node, PAIRS]
    width = np.int64(tree.tables[tree.nodes[node, TABLE]])
    others = -1
    for i in range(n):
        inverse[i] = 0.0
        if tree.twins[i] == 0:
            inverse[i] = 1.0 / tree.edges[legal[i], N]
            others += 1
    for i in range(n):
        own = start + (legal[i] - first) * width - first
        total = 0.0
        for j in range(n):  # against itself an edge has no pairs
            total += pairs[own + legal[j]] * inverse[j]
        worths[i] = 0.5
        if others > 0:
            worths[i] = total / (2.0 * tree.edges[legal[i], N] * others)
