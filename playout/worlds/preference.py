"""PB-MCTS: at every node two moves are simulated, and which of them is better is all that counts.

The two are chosen by relative upper confidence bounds (RUCB). Each is simulated in the same way
where its node exists already, so that a simulation is a binary tree; it is walked with a stack of
states in place of recursion. The second of the two has luck of its own.

- T. Joppen, C. Wirth and J. Fuernkranz, Preference-based Monte Carlo tree search, KI 2018;
- M. Zoghi, S. Whiteson, R. Munos and M. de Rijke, Relative upper confidence bound for the K-armed
  dueling bandit problem, ICML 2014.

The bound is u(a, b) = w(a, b) / m + sqrt(alpha ln t / m) of m comparisons, w of which a has won, a
tie for half; x / 0 = 1. alpha is 8 C^2: then the second term is the 2 C sqrt(2 ln t / m) of the
other searches.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from playout.compiled import copy_record, helper, kernel
from playout.compiled.random import random_below, stream_of
from playout.contract import Game, most_moves
from playout.gametree import PLAYOUT_POLICIES, WORLD_SEARCHES
from playout.gametree.parts import PlayoutPolicy
from playout.gametree.search_result import MoveStatistics
from playout.gametree.tree_search import as_part, parts_from_text
from playout.stop import Progress, Stop
from playout.text.grammar import named_text, parse_named
from playout.text.options import Options, option
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
    WorldTree,
)
from playout.worlds.edges import child_of, find_legal, make_room
from playout.worlds.root_worlds import find_edge
from playout.worlds.simulate import TOO_LONG, TOO_MANY_MOVES, play_on, take_outcomes
from playout.worlds.world_search import OverWorlds
from playout.worlds.world_session import NO_LIMIT, WorldSession, WorldTeam

# columns of `nodes` that have another meaning here: how wide its pairs are, and one more than the
# number of the edge that was the only one that may be best
WIDTH, BEST = ROW_SPACE, ROWS

# columns of `frames`: a node, who moves there, the two edges, and what is under way
NODE, MOVER, EDGE, OTHER, STAGE = range(5)
OPENING, FIRST_OF_TWO, SECOND_OF_TWO = range(3)

OVER = 2  # where a frame is opened: the game is over there, or the calls are used up
W_FRAMES = len(GROWN)


@dataclass(frozen=True, kw_only=True)
class PreferenceOptions(Options):
    """The options of PB-MCTS."""

    name: ClassVar[str] = "preference"
    keep: ClassVar[bool] = False  # its pairs say nothing of the moves that were played

    C: float = option(1.25, "how much moves are explored: alpha of RUCB is 8 C^2", low=0)
    returned: str = option(
        "better",
        "which of the two simulations of a node counts above it",
        choices=("better", "random"),
    )
    length: int = option(0, "most moves of a playout; 0: to the end of the game", low=0)
    nodes: int = option(1_000_000, "most nodes; a full tree grows no further", low=2)


class PreferenceSearch(OverWorlds):
    """PB-MCTS: compares two simulations at every node.

    Examples
    --------
    >>> PreferenceSearch(C=0.5, length=5).text
    'preference:C=0.5,length=5'
    """

    def __init__(self, playout: PlayoutPolicy | str = "uniform", **options: Any) -> None:
        self.playout = as_part(playout, PLAYOUT_POLICIES, PlayoutPolicy, "Uniform()")
        self.options = PreferenceOptions(**options)
        given: dict[str, Any] = {}
        if playout != "uniform":
            given = {"playout": self.playout.name, **self.playout.given}
        given |= {key: getattr(self.options, key) for key in options}
        self.text = named_text("preference", given)

    @classmethod
    def parse(cls, text: str) -> PreferenceSearch:
        """A search from NAME[:OPTION=VALUE,...]."""
        named = parse_named(text, WORLD_SEARCHES)
        given = dict(named.options)
        classes = {"playout": PLAYOUT_POLICIES.find(given.pop("playout", "uniform"))}
        parts, options = parts_from_text(text, classes, PreferenceOptions, given)
        search = cls(**parts, **options)
        search.text = named.text
        return search

    def session(self, game: Game, **settings: Any) -> PreferenceSession:
        return PreferenceSession(game, self, **settings)


class PreferenceTree(WorldTree):
    """The arrays of PB-MCTS: those of a tree over worlds and a stack.

    `frames`: the nodes on the way, by the columns named above; `stack`: the state of each, and
    the one behind the last; `stack_moves`: the two moves; `first_reached`: what the first of the
    two simulations has come to.
    """

    fields = (*WorldTree.fields, "frames", "stack", "stack_moves", "first_reached")
    grown = (*GROWN, ("frames", "stack", "stack_moves", "first_reached"))

    def __init__(self, game: Game, nodes: int) -> None:
        super().__init__(game, 1, nodes)
        self.frames = np.zeros((8, 5), np.int64)
        self.stack = game.new_states(8)
        self.stack_moves = np.zeros((8, 2), game.move_type)
        self.first_reached = np.zeros((8, game.players), game.outcome_type)


class PreferenceTeam(WorldTeam):
    """The workers of PB-MCTS."""

    most_playouts = NO_LIMIT

    def new_tree(self, nodes: int) -> WorldTree:
        return PreferenceTree(self.game, nodes)

    def begin(self, search: int, seed: int, stop: Stop) -> None:
        super().begin(search, seed, stop)
        left = stop.playouts_left(Progress(0.0, 0, 0.0, 0, 0, 0.0))
        self.most_playouts = int(min(left, NO_LIMIT))

    def step(self, worker: int, goal: int, calls: int) -> int:
        kernel = compare_pairs if self.compiled else compare_pairs.py_func
        options = self.algorithm.options
        alpha, better = 8.0 * options.C * options.C, options.returned == "better"
        limits = np.array([goal, self.share(worker, self.most_playouts), calls])
        parts = self.trees[worker], self.game, self.playouts[worker]
        return int(kernel(*parts, alpha, better, limits))


class PreferenceSession(WorldSession):
    """PB-MCTS at work on a game."""

    team_class = PreferenceTeam

    def figures(self, position: np.ndarray) -> list[MoveStatistics]:
        """Visits of each legal move, and the share of the others against which it has won more."""
        game, rows = self.game, []
        legal = game.legal_moves(position[0])
        for move in legal:
            visits, points = 0, 0.0
            for rival in legal:
                won, lost = 0, 0
                for tree in self.team.trees:
                    a, b = (_root_edge(tree, game, position, one) for one in (move, rival))
                    if a is not None and b is not None and a != b:
                        won += pair(tree, int(tree.roots[0]), a, b)
                        lost += pair(tree, int(tree.roots[0]), b, a)
                points += 0.5 * (1 + np.sign(won - lost)) if won + lost else 0.0
            for tree in self.team.trees:
                edge = _root_edge(tree, game, position, move)
                visits += int(tree.edges[edge, N]) if edge is not None else 0
            value = points / max(1, len(legal) - 1)
            text = game.move_text(position[0], move)
            rows.append(MoveStatistics(text, visits, value, None, move))
        return rows

    def preference(self, row: MoveStatistics) -> tuple[float, float]:
        """The highest Copeland sum, then the most visits."""
        return row.value, row.visits


def _root_edge(tree: WorldTree, game: Game, position: np.ndarray, move: Any) -> int | None:
    return find_edge(tree, game, position, move, int(tree.roots[0]))


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
    if n == 0 or tree.counters[CALLS] >= limits[2]:
        return OVER
    if n > most_moves(tree.moves):
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
