"""The simulation: down the tree, on to the end of the game, and back up. Compiled.

Several threads may simulate in one tree. None waits for another: an edge or a node that another
thread is just making is left alone for once, and sums are added to atomically. A thread that is
between two additions of another sees a value that is a reward off, as if that simulation had ended
a moment sooner or later; a value that UCT3 keeps is made anew from the sums at every visit.
"""

from __future__ import annotations

import math

import numpy as np

from playout.compiled import helper, kernel
from playout.compiled.atomics import fetch_add, load, raise_to, store
from playout.compiled.random import random_unit, stream_of
from playout.contract import most_moves
from playout.gametree.amaf import amaf_entry, amaf_home, amaf_learn
from playout.gametree.hot_nodes import (
    COLD,
    DEPTH,
    HOT_VISITS,
    LEFT,
    MADE,
    NODE,
    REFERENCE,
    add_to_batch,
    add_to_row,
    add_to_totals,
    begin_batch,
    chosen_before,
    end_batch,
    hand_in,
    is_due,
    make_hot,
    may_batch,
    note_choice,
)
from playout.gametree.joint_moves import follow_step
from playout.gametree.level_ties import (
    are_told,
    as_of_all,
    passed_by_all,
    shared_child,
    take_over_edges,
    take_over_node,
)
from playout.gametree.nodes import (
    BAD_PRIOR,
    FINE,
    PROVEN,
    TOO_MANY_MOVES,
    follow,
    open_node,
)
from playout.gametree.proofs import is_settled, prove
from playout.gametree.shared_counters import take_tickets
from playout.gametree.tree_arrays import (
    HOT,
    LEAF,
    OPEN,
    SIMULATIONS,
    SLOT,
    STATUS,
    TREE,
    UCT2,
    UCT3,
    UNIT,
)

TOO_LONG, BAD_REWARD = -2, -3

# bounds that differ by less are a tie where players move at the same time (ChiaraS/GGP-Project)
TIE = 0.01


@kernel
def simulate(tree, game, policy, backup, playout, slot, limit):
    """Simulate until `limit` simulations have begun in all, or the root is proven.

    FINE or an error.
    """
    while not is_settled(tree):
        first, end = take_tickets(tree.counters, limit)
        for number in range(first, end):
            if is_settled(tree):
                fetch_add(tree.counters, SIMULATIONS, number - end)  # which are not made
                break
            status = load(tree.counters, STATUS)
            if status == FINE:
                status = one_simulation(tree, game, policy, backup, playout, slot, number)
            if status != FINE:
                store(tree.counters, STATUS, status)
        if first == end or load(tree.counters, STATUS) != FINE:
            break
    hand_in_all(tree, policy, slot)
    return load(tree.counters, STATUS)


@helper
def hand_in_all(tree, policy, slot):
    """Hand in what a thread has collected at hot nodes."""
    if tree.head[0].shared and tree.batch[slot, MADE] > 0:
        end_batch(tree, policy, slot)
    tree.batch[slot, LEFT] = 0
    for number in range(tree.counters[HOT] - 1, 0, -1):
        if tree.hot_totals[slot // SLOT, number, 0] > 0:
            hand_in(tree, policy, slot, number)
            if tree.head[0].graph == UCT3:
                recompute(tree, tree.hot_nodes[number])


@helper
def one_simulation(tree, game, policy, backup, playout, slot, number, levels=None):
    """Simulate once; FINE or an error. `levels` are those that a slow tree shares, and its ties."""
    tree.rng[slot] = stream_of(tree.head[0].seed, number)
    status, depth, node, known = descend(tree, game, policy, backup, playout, slot, levels)
    if status == FINE and not known:
        status = play_out(tree, game, policy, playout, slot)
    if status != FINE:
        return status
    playout.learn(game, tree.rewards[slot])
    back_up(tree, policy, slot, depth, node, levels)
    return FINE


@helper
def descend(tree, game, policy, backup, playout, slot, levels=None):
    """Go down from the root to where the playout begins, in `states`.

    FINE or an error; how many moves that is; the node there, 0 if it has none; and whether the
    rewards are certain without a playout.
    """
    head = tree.head[0]
    state = tree.states[slot]
    playout.begin()
    batch = tree.batch[slot]
    if batch[LEFT] > 0:
        tree.states[slot] = tree.batch_states[slot]
        depth, node, reference = batch[DEPTH], batch[NODE], batch[REFERENCE]
    else:
        tree.states[slot] = tree.root_state[0]
        depth, node, reference = 0, head.root, head.root
    tree.lengths[slot] = depth
    batched = head.shared and depth == 0 and may_batch(tree)
    while True:
        tree.path_nodes[slot, depth] = node
        if head.solver and depth > 0 and load(tree.proof, node) == PROVEN:
            for p in range(head.players):
                tree.rewards[slot, p] = tree.proven[node, p]
            return FINE, depth, node, True
        status = load(tree.status, node)
        if status == LEAF and (depth == 0 or load(tree.visits, node) > 0):
            status = open_node(tree, game, policy, slot, state, node)
            if status < 0:
                return status, depth, node, False
        if status != OPEN or depth + 2 >= tree.path_nodes.shape[1]:
            return FINE, depth, node, False
        if levels is not None:  # known when this is compiled
            take_over_edges(levels[0], levels[1], tree, policy, node)
        if tree.visits[node] >= head.reference:
            reference = node
        hot = load(tree.hot, node) if head.shared else COLD
        first = tree.first[node]
        again = chosen_before(tree, slot, hot)
        if again >= 0:
            edge = first + again
        else:
            edge = choose_edge(tree, game, policy, node, reference, slot, hot, backup, levels)
            note_choice(tree, slot, hot, edge - first)
        tree.path_edges[slot, depth] = edge
        if head.shared:
            tree.path_hot[slot, depth] = hot
            if hot <= COLD:
                fetch_add(tree.edge_loss, edge, 1)
        moves, mover = tree.edge_moves[first : first + tree.count[node]], tree.mover[node]
        note_move(tree, game, policy, playout, slot, moves, edge - first, np.int64(mover))
        before = game.concealed(state)
        game.play(state, tree.edge_moves[edge])
        depth += 1
        # of a game that conceals nothing, for which both are the constant 0, no code is left
        if (before > 0 or game.concealed(state) > 0) and head.joint:
            node = follow_step(tree, game, slot, state, depth, before)
        else:
            node = follow(tree, game, slot, state, edge)
        if node <= 0:  # no room, or another thread is making it
            return FINE, depth, np.int64(0), False
        if levels is not None:
            number = shared_child(levels[0], levels[1], tree.path_nodes[slot, depth - 1], edge)
            if number > 0:
                take_over_node(levels[0], levels[1], tree, node, number)
        if batched and not playout.wants_moves():
            if hot <= COLD:
                batched = False
            elif load(tree.hot, node) <= COLD:
                batched = False
                begin_batch(tree, slot, depth, node, reference, edge)


@helper
def note_move(tree, game, policy, playout, slot, moves, chosen, mover):
    """Tell the parts that want to know of a move that is about to be played in `states`."""
    state = tree.states[slot]
    if playout.wants_moves():
        playout.seen(game, state, moves, len(moves), chosen, mover)
    if policy.wants_amaf():
        length = tree.lengths[slot]
        tree.played_codes[slot, length] = game.code(state, moves[chosen])
        tree.played_movers[slot, length] = mover
    tree.lengths[slot] += 1


@helper
def play_out(tree, game, policy, playout, slot):
    """Play on to the end of the game, and note the rewards."""
    state, moves, rng = tree.states[slot], tree.moves[slot], tree.rng[slot : slot + 1]
    most = most_moves(moves)
    longest = tree.path_nodes.shape[1] - 2
    while True:
        n = game.moves(state, moves)
        if n == 0:
            break
        if not 0 <= n <= most:
            return TOO_MANY_MOVES
        if tree.lengths[slot] >= longest:
            return TOO_LONG
        k = playout.choose(game, state, moves, n, rng)
        if k < 0:
            return BAD_PRIOR
        if playout.wants_moves() or policy.wants_amaf():
            mover = np.int64(game.turn(state))
            note_move(tree, game, policy, playout, slot, moves[:n], k, mover)
        else:
            tree.lengths[slot] += 1
        game.play(state, moves[k])
    for p in range(tree.head[0].players):
        reward = game.reward(state, p)
        if not abs(reward) < np.inf:
            return BAD_REWARD
        tree.rewards[slot, p] = reward
    return FINE


@helper
def choose_edge(tree, game, policy, node, reference, slot=0, hot=COLD, backup=None, levels=None):
    """The edge with the highest bound; the first of equals, and edges are in random order.

    The position of the node is in `states`, for a policy that wants moves as first. At a hot node,
    of which `hot` is the number, a thread knows what it has not handed in yet. Simulations under
    way count as visits. Their virtual loss is usually that they have brought nothing, `head.loss`
    visits each; the general one takes the part `head.loss` of the value off for each, which is
    right for rewards of any range. In the levels that a slow tree shares, what a worker has not
    told yet counts for all. Players who choose at the same time, by the same rule, would fall into
    step with one another: of moves that are nearly equal any may be the one.
    """
    head = tree.head[0]
    first, n = tree.first[node], np.int64(tree.count[node])
    while policy.wants_all() and tree.tried[node] < n:
        k = fetch_add(tree.tried, node, 1)
        if k < n and tree.edge_visits[first + k] == 0:  # not yet, by another worker either
            return first + k
    row = tree.hot_sums[slot // SLOT, max(hot, 0)]
    passed = tree.visits[node] + (tree.hot_totals[slot // SLOT, hot, 0] if hot > COLD else 0)
    together = levels is not None and are_told(levels[0], levels[1], node)
    if together:
        passed = passed_by_all(levels[0], levels[1], node, passed)
    prepared = policy.prepare(max(passed, 1))
    mover = np.int64(tree.mover[node])
    home = amaf_home(tree, reference) if policy.wants_amaf() else np.uint64(0)
    best, most = first, -math.inf
    for edge in range(first, first + n):
        child = load(tree.child, edge)
        if head.solver and child > 0 and load(tree.proof, child) == PROVEN:
            x = np.float64(tree.proven[child, mover])
        else:
            visits, total = tree.edge_visits[edge], tree.edge_totals[edge]
            square = tree.edge_squares[edge] if policy.wants_squares() else 0
            if hot > COLD:
                visits += row[3 * (edge - first)]
                total += row[3 * (edge - first) + 1]
                square += row[3 * (edge - first) + 2]
            q = value_of(tree, edge, mover, visits, total, backup)
            squares, prior, amaf_n, amaf_q = 0.0, 0.0, 0.0, 0.0
            if policy.wants_squares() and visits > 0:
                squares = square / (UNIT * visits)
            if head.shared:
                loss = tree.edge_loss[edge]
                if head.general_loss:
                    q -= head.loss * loss * abs(q)
                elif loss > 0 and visits > 0:  # visits that brought nothing
                    share = visits / (visits + head.loss * loss)
                    q *= share
                    squares *= share
                visits += loss
            if policy.wants_prior():
                prior = np.float64(tree.edge_prior[edge])
            if policy.wants_amaf():
                code = game.code(tree.states[slot], tree.edge_moves[edge])
                entry = amaf_entry(tree, home, code, False)
                if entry >= 0 and tree.amaf_visits[entry] > 0:
                    amaf_n = np.float64(tree.amaf_visits[entry])
                    amaf_q = tree.amaf_totals[entry] / (UNIT * amaf_n)
            if together:
                visits, q = as_of_all(levels[0], levels[1], edge, visits, q)
            x = policy.bound(prepared, visits, q, squares, prior, amaf_n, amaf_q)
        if head.joint:
            x += TIE * random_unit(tree.rng[slot : slot + 1])
        if x > most:
            best, most = edge, x
    return best


@helper
def edge_value(tree, edge, mover, backup=None):
    """The value of an edge to the player who moves; 0 if it was never visited."""
    visits, total = tree.edge_visits[edge], tree.edge_totals[edge]
    return value_of(tree, edge, mover, visits, total, backup)


@helper
def value_of(tree, edge, mover, visits, total, backup=None):
    """The value of an edge that has so many visits and this sum of rewards.

    It is what `backup` makes of it; without one, the mean.
    """
    head = tree.head[0]
    if visits == 0:
        return 0.0
    q = total / (UNIT * visits)
    if head.graph >= UCT2:
        node = load(tree.child, edge)
        if node > 0 and load(tree.visits, node) > 0:
            if head.graph == UCT3:
                q = tree.values[node, mover]
            else:
                q = tree.totals[node, mover] / (UNIT * tree.visits[node])
    if backup is None:  # known when this is compiled
        return q
    return backup.value(q, tree.edge_top[edge] if backup.wants_top() else q, visits)


@helper
def back_up(tree, policy, slot, depth, last, levels=None):
    """Take the rewards in along the path."""
    head = tree.head[0]
    start = 0
    if tree.batch[slot, LEFT] > 0:
        start = tree.batch[slot, DEPTH]
        add_to_batch(tree, policy, slot)
    for i in range(start, depth):
        edge, node = tree.path_edges[slot, i], tree.path_nodes[slot, i]
        reward = tree.rewards[slot, np.int64(tree.mover[node])]
        if len(tree.edge_top) > 0 and reward > tree.edge_top[edge]:
            raise_to(tree.edge_top, edge, reward)
        if head.shared and tree.path_hot[slot, i] > COLD:
            number = edge - tree.first[node]
            add_to_row(tree, policy, slot, tree.path_hot[slot, i], number, reward)
            continue
        if policy.wants_squares():
            fetch_add(tree.edge_squares, edge, np.int64(round(reward * reward * UNIT)))
        fetch_add(tree.edge_totals, edge, np.int64(round(reward * UNIT)))
        fetch_add(tree.edge_visits, edge, 1)  # last: who sees the visit sees its reward
        if head.shared:
            fetch_add(tree.edge_loss, edge, -1)
    nodes = depth + 1 if last > 0 else depth
    for i in range(start, nodes):
        node = tree.path_nodes[slot, i]
        if head.shared and i < depth and tree.path_hot[slot, i] > COLD:
            add_to_totals(tree, slot, tree.path_hot[slot, i])
            continue
        if head.graph != TREE:
            for p in range(head.players):
                fetch_add(tree.totals, (node, p), np.int64(round(tree.rewards[slot, p] * UNIT)))
                if head.graph == UCT3 and tree.visits[node] == 0:  # no thread has made it yet
                    tree.values[node, p] = tree.rewards[slot, p]
        before = fetch_add(tree.visits, node, 1)
        if head.shared and before >= HOT_VISITS and tree.hot[node] == COLD:
            make_hot(tree, node)
    if policy.wants_amaf():
        amaf_learn(tree, slot, nodes - 1)
    if head.shared or head.graph == UCT3:
        if start > 0 and tree.batch[slot, LEFT] == 0:
            end_batch(tree, policy, slot)
            start = 0
        for i in range(nodes - 1, start - 1, -1):
            hot = tree.path_hot[slot, i] if head.shared and i < depth else COLD
            if hot > COLD:
                if not is_due(tree, slot, hot, tree.path_edges[slot, i]):
                    continue
                hand_in(tree, policy, slot, hot)
            if head.graph == UCT3:
                recompute(tree, tree.path_nodes[slot, i], levels)
    if head.solver:
        for i in range(nodes - 1, -1, -1):
            if not prove(tree, tree.path_nodes[slot, i]):
                break


@helper
def recompute(tree, node, levels=None):
    """UCT3: the value of a node from its children's values and the playouts from itself.

    B. Childs, J. Brodeur and L. Kocsis, Transpositions and Move Groups in Monte Carlo Tree
    Search, 2008.
    """
    own = tree.visits[node]
    first, n = 0, 0
    if load(tree.status, node) == OPEN:  # its edges are there if it says so
        first, n = tree.first[node], np.int64(tree.count[node])
    for edge in range(first, first + n):
        own -= tree.edge_visits[edge]
    own = max(own, 0)  # playouts that began here
    for p in range(tree.head[0].players):
        total = np.float64(tree.totals[node, p]) / UNIT
        visits = np.float64(tree.visits[node])
        weight, mixed = 0.0, 0.0
        for edge in range(first, first + n):
            child, times = load(tree.child, edge), tree.edge_visits[edge]
            if times > 0 and child > 0 and load(tree.visits, child) > 0:
                weight += times
                mixed += times * tree.values[child, p]
            elif levels is not None:  # only others have been there
                shared = shared_child(levels[0], levels[1], node, edge) if times > 0 else 0
                if shared > 0 and levels[0].known[shared]:
                    weight += times
                    mixed += times * levels[0].values[shared, p]
        if weight == 0.0:
            tree.values[node, p] = total / max(visits, 1.0)
        else:
            tree.values[node, p] = (own * total / max(visits, 1.0) + mixed) / (own + weight)
