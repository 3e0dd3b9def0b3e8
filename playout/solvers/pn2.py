"""Proof-number search of two levels, PN2, as data and a step.

Proof-number search keeps a tree and always looks into the position where the fewest positions have
to be decided to prove the root, or to disprove it (L. V. Allis et al., 1994). In PN2 each leaf of
this tree is looked at by a second proof-number search, as large as the first tree is; of the second
tree only the moves of its root are kept (D. Breuker, 1998). So the work done is the square of the
memory. There is no table: positions that come about in two ways are two positions.

When the first tree is full, what lies below decided positions is let go of, and if that is not
enough, what lies deepest.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from playout.algorithms.array_checks import Line, check_tree, need, within
from playout.compiled import Compiled, helper, kernel, record
from playout.contract import Game, room_for_moves
from playout.errors import OptionError
from playout.solvers.dfpn import ENDLESS, MOST, numbers_for, put_in_order
from playout.solvers.move_order import MoveOrder
from playout.solvers.position_table import ENTRIES, FALSE, TRUE
from playout.solvers.question import QUESTION, set_goal
from playout.solvers.stack_checks import check_head, to_move
from playout.solvers.step_status import BAD_REWARD, DONE, RUNNING, TOO_LONG, TOO_MANY_MOVES

ROOM = 2  # a step that needs larger arrays has changed nothing
SMALLEST = 1000  # positions of a second search, at the least
FIRST_SIZE = 1 << 14  # of the arrays

HEAD = record(
    **QUESTION,
    nodes="i8",  # moves played
    deepest="i8",
    answer="i1",
    second="i1",  # whether the second search is at work
    depth="i8",  # of the position that is looked at
    top="i8",  # depth of the root of the second search
    most="i8",  # positions of the first tree
)

FIRST, SECOND = 0, 1  # the two trees


class Pn2(Compiled):
    """The two trees, and the path from the root to the position that is looked at."""

    fields = ("head", "used", "first", "second", "path", "wants", "states", "moves", "scores")
    growing: ClassVar = {"first": 0, "second": 0}  # the axes on which arrays may grow

    def __init__(self, game: Game, root: np.ndarray, goal: float, entries: int = ENTRIES) -> None:
        if isinstance(entries, bool) or not isinstance(entries, int) or entries < 2:
            raise OptionError(f"entries={entries!r}: a whole number from 2")
        depth = game.max_length + 2
        node = record(move=game.move_type, proof="i8", disproof="i8", begin="i8", count="i4")
        self.head = np.zeros(1, HEAD)
        set_goal(self.head[0], game, goal)
        self.head[0].most = max(entries, 4 * game.max_moves + 4)
        self.used = np.ones(2, np.int64)
        smallest = SMALLEST + game.max_moves + 1
        self.first = np.zeros(max(smallest, min(FIRST_SIZE, entries)), node)
        self.second = np.zeros(max(smallest, min(FIRST_SIZE, entries)), node)
        self.first[0].proof = self.first[0].disproof = 1
        self.path = np.zeros((2, depth), np.int64)
        self.wants = np.zeros(depth, np.int8)
        self.states = game.new_states(depth)
        self.states[0] = root[0]
        self.moves = np.zeros((2, room_for_moves(game.max_moves)), game.move_type)
        self.scores = np.zeros((1, game.max_moves), np.float64)

    def check_arrays(self, game: Game, fresh: dict[str, np.ndarray]) -> None:
        """ValueError if arrays from a file cannot be those of a search under way."""
        check_head(self, fresh, ("most",))
        head, most = self.head[0], self.scores.shape[1]
        within(head.second, 0, 1, "whether the second search is at work")
        top = int(head.depth)
        if head.second:
            within(head.top, 0, head.depth, "the depth of the second search")
            top = int(head.top)
            within(self.used[FIRST], 1, len(self.first) - most, "positions in use")
            within(self.limit(), 1, len(self.second) - most, "positions in use")
            within(self.used[SECOND], 1, self.limit() + most, "positions in use")
        within(self.used[FIRST], 1, len(self.first), "positions in use")
        line = Line(game, fresh["states"][:1], compiled=False)
        leaf = self._check_tree(game, line, FIRST, 0, top)
        if head.second:
            need(leaf.count == 0, "a position that is looked at twice")
            self._check_tree(game, line, SECOND, top, int(head.depth))

    def _check_tree(self, game: Game, line: Line, level: int, top: int, depth: int) -> Any:
        """One of the trees, below the position of a line; the node at the end of its path."""
        nodes = (self.first, self.second)[level][: self.used[level]]
        path, room = self.path[level], len(self.states) - 2 - top
        check_tree(game, line.state, nodes["begin"], nodes["count"], nodes["move"], room, True)
        for numbers in ("proof", "disproof"):
            within(nodes[numbers], 0, ENDLESS, f"a {numbers} number")
        need(path[top] == 0, "a path from elsewhere")
        for d in range(top, depth + 1):
            node = nodes[path[d]]
            self.states[d] = line.state[0]
            self.wants[d] = to_move(game, line)
            if d < depth:
                within(path[d + 1], node.begin, node.begin + node.count - 1, "a path")
                line.play(nodes["move"][path[d + 1] : path[d + 1] + 1])
        return node

    # what a prover asks of every solver, in plain Python

    def go_on(self, game: Game, table: object, order: MoveOrder, nodes: int) -> int:
        """Search until so many nodes have been played in all, or the answer is known."""
        while True:
            status = int(step(self, game, order, nodes))
            if status != ROOM:
                return status
            self.grow(game)

    def grow(self, game: Game) -> None:
        """Make room, by letting go of what is not needed and by larger arrays."""
        most = int(self.head[0].most)
        if int(self.used[FIRST]) + game.max_moves > len(self.first):
            size = min(2 * len(self.first), most + game.max_moves)
            kept = np.zeros(max(size, len(self.first)), self.first.dtype)
            self.used[FIRST] = compact(self.first, kept, min(most, len(kept)) // 2)
            self.first = kept
            self.head[0].depth = self.head[0].second = 0
        if self.limit() + game.max_moves > len(self.second):
            size = min(2 * self.limit(), most) + game.max_moves
            self.second = np.concatenate(
                [self.second, np.zeros(size - len(self.second), self.second.dtype)]
            )

    def share_used(self) -> float:
        """How full the first tree is."""
        return min(1.0, int(self.used[FIRST]) / int(self.head[0].most))

    def limit(self) -> int:
        """How large the second tree may become."""
        return int(second_limit(self))


@helper
def second_limit(search):
    return min(max(np.int64(SMALLEST), search.used[0]), search.head[0].most)


@kernel
def step(search, game, order, nodes):
    """Search until so many nodes have been played in all, or the answer is known."""
    head = search.head[0]
    while head.nodes < nodes:
        if not head.second:
            if decided(search.first[0]):
                head.answer = TRUE if search.first[0].proof == 0 else FALSE
                return DONE
            if search.used[FIRST] + search.scores.shape[1] > len(search.first):
                return ROOM
            if second_limit(search) + search.scores.shape[1] > len(search.second):
                return ROOM
            if search.first[search.path[FIRST, head.depth]].count == 0:
                begin_second(search)
            elif not descend(search, game, search.first, FIRST):
                return TOO_LONG
        else:
            root = search.second[0]
            if decided(root) or (root.count > 0 and search.used[SECOND] >= second_limit(search)):
                end_second(search, game)
            elif search.second[search.path[SECOND, head.depth]].count > 0:
                if not descend(search, game, search.second, SECOND):
                    return TOO_LONG
            else:
                status = expand(search, game, order)
                if status < 0:
                    return status
                go_up(search, search.second, SECOND, head.top)
    return RUNNING


@helper
def decided(node):
    return node.proof == 0 or node.disproof == 0


@helper
def descend(search, game, nodes, level):
    """Play the move that most is to be hoped of; False if the game is too long."""
    head = search.head[0]
    d = head.depth
    if d + 2 >= len(search.states):
        return False
    node = nodes[search.path[level, d]]
    search.wants[d] = TRUE if game.turn(search.states[d]) == 0 else FALSE
    best, least = node.begin, ENDLESS
    for i in range(node.begin, node.begin + node.count):
        number = nodes[i].proof if search.wants[d] == TRUE else nodes[i].disproof
        if number < least:
            best, least = i, number
    search.path[level, d + 1] = best
    search.states[d + 1] = search.states[d]
    game.play(search.states[d + 1], nodes[best].move)
    head.nodes += 1
    head.depth = d + 1
    head.deepest = max(head.deepest, d + 1)
    return True


@helper
def begin_second(search):
    """Look at a leaf of the first tree by a search of its own."""
    head = search.head[0]
    head.second = 1
    head.top = head.depth
    search.used[SECOND] = 1
    search.path[SECOND, head.depth] = 0
    search.second[0].proof = search.second[0].disproof = 1
    search.second[0].count = 0


@helper
def end_second(search, game):
    """Keep what was found out: the numbers of the leaf, and its moves unless it is decided."""
    head = search.head[0]
    head.second = 0
    head.depth = head.top
    root, leaf = search.second[0], search.first[search.path[FIRST, head.depth]]
    search.wants[head.depth] = TRUE if game.turn(search.states[head.depth]) == 0 else FALSE
    leaf.proof, leaf.disproof = root.proof, root.disproof
    if not decided(root):
        leaf.begin, leaf.count = search.used[FIRST], root.count
        for i in range(root.count):
            child, known = search.first[leaf.begin + i], search.second[root.begin + i]
            child.move = known.move
            child.proof, child.disproof = known.proof, known.disproof
            child.count = 0
        search.used[FIRST] += root.count
    if head.depth > 0:
        head.depth -= 1
        go_up(search, search.first, FIRST, 0)


@helper
def expand(search, game, order):
    """Give a leaf of the second tree its moves, each with the numbers that it begins with."""
    head = search.head[0]
    d = head.depth
    leaf, state, moves = search.second[search.path[SECOND, d]], search.states[d], search.moves[0]
    n = game.moves(state, moves)
    if n == 0:  # the root of the game alone: others were looked at before
        leaf.proof, leaf.disproof = numbers_for(head, game.reward(state, 0))
        head.nodes += 1
        return BAD_REWARD if leaf.proof < 0 else 0
    if not 0 <= n <= search.scores.shape[1]:
        return TOO_MANY_MOVES
    if d + 2 >= len(search.states):
        return TOO_LONG
    search.wants[d] = TRUE if game.turn(state) == 0 else FALSE
    late = 0
    if order.wants_scores():
        order.score(game, state, moves, n, search.scores[0], d)
        put_in_order(search, 0, n)
        late = 1
    leaf.begin, leaf.count = search.used[SECOND], 0
    for i in range(n):
        search.states[d + 1] = state
        game.play(search.states[d + 1], moves[i])
        head.nodes += 1
        proof, disproof = first_numbers(search, game, d + 1)
        if proof < 0:
            return proof
        if proof > 0 and disproof > 0:
            if search.wants[d] == TRUE:
                proof += i * late
            else:
                disproof += i * late
        child = search.second[leaf.begin + i]
        child.move = moves[i]
        child.proof, child.disproof, child.count = proof, disproof, 0
        leaf.count = i + 1
        if (proof if search.wants[d] == TRUE else disproof) == 0:  # this one is enough
            order.cut(game, state, moves[i], d)
            break
    search.used[SECOND] += leaf.count
    return 0


@helper
def first_numbers(search, game, d):
    """The numbers of a new position, or an error twice."""
    state = search.states[d]
    n = game.moves(state, search.moves[1])
    if not 0 <= n <= search.scores.shape[1]:
        return TOO_MANY_MOVES, TOO_MANY_MOVES
    plain = game.reward(state, 0) if n == 0 else game.decided(state)
    if plain == plain:
        proof, disproof = numbers_for(search.head[0], plain)
        return (BAD_REWARD, BAD_REWARD) if proof < 0 else (proof, disproof)
    return (1, n) if game.turn(state) == 0 else (n, 1)


@helper
def go_up(search, nodes, level, top):
    """Work the numbers out again on the way up, as far as they change; go on from there."""
    head = search.head[0]
    while True:
        node = nodes[search.path[level, head.depth]]
        proof, disproof = node.proof, node.disproof
        if node.count > 0:
            proof, disproof = summed(nodes, node, search.wants[head.depth] == TRUE)
        same = proof == node.proof and disproof == node.disproof
        node.proof, node.disproof = proof, disproof
        if same or head.depth == top:
            return
        head.depth -= 1


@helper
def summed(nodes, node, proves):
    """The numbers of a position from those of its moves."""
    least, most = ENDLESS, 0
    for i in range(node.begin, node.begin + node.count):
        mine, other = nodes[i].proof, nodes[i].disproof
        if not proves:
            mine, other = other, mine
        least = min(least, mine)
        most = ENDLESS if other == ENDLESS else min(most + other, MOST) if most < ENDLESS else most
    if least == 0:
        most = ENDLESS
    return (least, most) if proves else (most, least)


@kernel
def compact(old, new, most):
    """Copy a tree, level by level, without what lies below decided positions; its size.

    From `most` positions on, the rest become leaves with the numbers that they have.
    """
    new[0] = old[0]
    used = 1
    for i in range(len(new)):
        if i >= used:
            break
        node = new[i]
        if node.count == 0:
            continue
        if decided(node) or used + node.count > most:
            node.count = 0
            continue
        begin = node.begin
        node.begin = used
        for j in range(node.count):
            new[used + j] = old[begin + j]
        used += node.count
    return used
