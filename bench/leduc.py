"""What PIMC and ISMCTS get in a game that is solved: Leduc poker beside its equilibrium.

    python -m bench.leduc [--simulations 1000] [--seeds 3] [--only speed]

The equilibrium is exact: the sequence-form linear program over all deals, solved with SciPy. A
search becomes a strategy by asking it at every information set. How well the strategy does against
the equilibrium, and against the best reply to it (how much it can be exploited), is then worked out
over all deals: there is no sampling but that of the search itself, over seeds.

D. Koller, N. Megiddo and B. von Stengel, Fast Algorithms for Finding Randomized Strategies in Game
Trees, 1994.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from dataclasses import dataclass, field
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np

import playout as po
from playout.compiled import wrapping
from playout.gametree.search_result import SearchResult
from playout.statistics import mean_interval

EXAMPLE = Path(__file__).parents[1] / "examples" / "leduc.py"
SEARCHES = ("pimc:worlds=20", "ismcts", "ismcts:observers=many")


@dataclass
class Node:
    """A position after a deal: whose turn it is, its information set, and what follows."""

    player: int  # -1: the end
    view: int = 0
    chips: float = 0.0  # what the first player has won, at the end
    depth: int = 0
    state: Any = None
    children: dict[int, Node] = field(default_factory=dict)


Strategy = dict[tuple[int, int], dict[int, float]]  # by player and view, the moves' chances


def load_leduc() -> Any:
    """The game of the example."""
    spec = importlib.util.spec_from_file_location("leduc", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Leduc()


def leduc_deals(game: Any) -> list[np.ndarray]:
    """All deals, each as likely as another."""
    deals = []
    for cards in permutations(range(6), 3):
        state = game.root()
        state[0].cards[:] = cards
        deals.append(state)
    return deals


def trees(game: Any, deals: list[np.ndarray], most: float) -> list[Node]:
    """The game tree of each deal; rewards are chips from -most to most."""

    def grow(state: np.ndarray, depth: int) -> Node:
        legal = game.legal_moves(state[0])
        if len(legal) == 0:
            return Node(-1, chips=(2 * game.reward(state[0], 0) - 1) * most, depth=depth)
        player = int(game.turn(state[0]))
        node = Node(player, int(game.view(state[0], player)), depth=depth, state=state)
        for move in legal:
            after = state.copy()
            game.play(after[0], move)
            node.children[int(move)] = grow(after, depth + 1)
        return node

    with wrapping():
        return [grow(deal, 0) for deal in deals]


def information_sets(roots: list[Node]) -> dict[tuple[int, int], Node]:
    """A node of each information set, those of the start first."""
    found: dict[tuple[int, int], Node] = {}
    level = list(roots)
    while level:
        for node in level:
            if node.player >= 0:
                found.setdefault((node.player, node.view), node)
        level = [child for node in level for child in node.children.values()]
    return found


def value(roots: list[Node], first: Strategy, second: Strategy) -> float:
    """The chips that the first player wins in the mean."""
    both = {**{key: first[key] for key in first if key[0] == 0}}
    both |= {key: second[key] for key in second if key[0] == 1}

    def worth(node: Node) -> float:
        if node.player < 0:
            return node.chips
        chances = both[node.player, node.view]
        return sum(p * worth(node.children[move]) for move, p in chances.items() if p > 0)

    return float(np.mean([worth(root) for root in roots]))


def best_reply(roots: list[Node], player: int, other: Strategy) -> tuple[float, Strategy]:
    """What a player gets who knows the other's strategy, and the strategy that gets it."""
    reached: dict[tuple[int, int], list[tuple[Node, float]]] = {}

    def walk(node: Node, chance: float) -> None:
        if node.player < 0:
            return
        if node.player == player:
            reached.setdefault((player, node.view), []).append((node, chance))
        for move, child in node.children.items():
            p = 1.0 if node.player == player else other[node.player, node.view].get(move, 0.0)
            walk(child, chance * p)

    for root in roots:
        walk(root, 1 / len(roots))
    sign = 1 if player == 0 else -1
    reply: Strategy = {}

    def worth(node: Node) -> float:
        if node.player < 0:
            return sign * node.chips
        chances = reply if node.player == player else other
        return sum(
            p * worth(node.children[move])
            for move, p in chances[node.player, node.view].items()
            if p > 0
        )

    for key, nodes in sorted(reached.items(), key=lambda item: -item[1][0][0].depth):
        moves = nodes[0][0].children
        worths = {m: sum(p * worth(node.children[m]) for node, p in nodes) for m in moves}
        best = max(worths, key=lambda move: worths[move])
        reply[key] = {move: float(move == best) for move in moves}
    return float(np.mean([worth(root) for root in roots])), reply


def equilibrium(roots: list[Node]) -> tuple[float, Strategy]:
    """The value of the game to the first player, and a strategy for both that gets it."""
    strategies: Strategy = {}
    values = []
    for player in (0, 1):
        worth, plan = _best_plan(roots, player)
        values.append(worth)
        strategies |= plan
    if abs(values[0] + values[1]) > 1e-6:
        raise ValueError(f"the two linear programs disagree: {values}")
    return values[0], strategies


def _best_plan(roots: list[Node], player: int) -> tuple[float, Strategy]:
    """The sequence-form linear program of one player: the most that he can be sure of."""
    from scipy.optimize import linprog
    from scipy.sparse import lil_matrix

    sequences: list[dict[tuple, int]] = [{(): 0}, {(): 0}]  # by player: sets and moves, numbered
    parents: list[dict[int, int]] = [{}, {}]  # the sequence that leads to an information set
    payoffs: dict[tuple[int, int], float] = {}

    def walk(node: Node, played: tuple[tuple, tuple]) -> None:
        if node.player < 0:
            at = (sequences[0][played[0]], sequences[1][played[1]])
            payoffs[at] = payoffs.get(at, 0.0) + node.chips / len(roots)
            return
        who = node.player
        parents[who].setdefault(node.view, sequences[who][played[who]])
        for move, child in node.children.items():
            longer = (*played[who], (node.view, move))
            sequences[who].setdefault(longer, len(sequences[who]))
            walk(child, (longer, played[1]) if who == 0 else (played[0], longer))

    for root in roots:
        walk(root, ((), ()))
    mine, theirs, sign = sequences[player], sequences[1 - player], 1 if player == 0 else -1
    sets = [list(parents[who]) for who in (0, 1)]

    def flow(who: int) -> Any:
        """Each information set hands the weight of its sequence on to its moves."""
        matrix = lil_matrix((1 + len(sets[who]), len(sequences[who])))
        matrix[0, 0] = 1
        row = {view: 1 + i for i, view in enumerate(sets[who])}
        for view in sets[who]:
            matrix[row[view], parents[who][view]] = -1
        for sequence, number in sequences[who].items():
            if sequence:
                matrix[row[sequence[-1][0]], number] = 1
        return matrix

    own, other = flow(player), flow(1 - player)
    n, m = len(mine), other.shape[0]
    # the plan x and the other's values q: most q[0] with  F'q <= A'x,  Ex = e,  x >= 0
    upper = lil_matrix((len(theirs), n + m))
    upper[:, n:] = other.T
    for (a, b), chips in payoffs.items():
        i, j = (a, b) if player == 0 else (b, a)
        upper[j, i] = -sign * chips
    equal = lil_matrix((own.shape[0], n + m))
    equal[:, :n] = own
    right = np.zeros(own.shape[0])
    right[0] = 1
    cost = np.zeros(n + m)
    cost[n] = -1
    bounds = [(0, None)] * n + [(None, None)] * m
    solved = linprog(
        cost, upper.tocsr(), np.zeros(len(theirs)), equal.tocsr(), right, bounds, method="highs"
    )
    if not solved.success:
        raise ValueError(solved.message)
    plan: Strategy = {}
    for sequence, number in mine.items():
        if sequence:
            view, move = sequence[-1]
            before = solved.x[parents[player][view]]
            share = solved.x[number] / before if before > 1e-12 else np.nan
            plan.setdefault((player, view), {})[move] = float(share)
    for key, chances in plan.items():
        total = sum(chances.values())
        good = np.isfinite(total) and total > 0
        plan[key] = {m: p / total if good else 1 / len(chances) for m, p in chances.items()}
    return float(-solved.fun), plan


def strategy_of(
    game: Any, roots: list[Node], search: str, simulations: int, seed: int
) -> tuple[Strategy, Strategy]:
    """What a search plays at each information set: its choice, and its visits as chances."""
    from playout.gametree.tree_search import as_search

    session = as_search(search).session(game, seed=seed)
    chosen: Strategy = {}
    mixed: Strategy = {}
    asked: dict[tuple, SearchResult] = {}
    for key, node in information_sets(roots).items():
        alike = (key[0], *ranks_of(node.state[0], key[0]))
        if alike not in asked:
            session.reset(1000 * seed + len(asked))
            session.set_position(node.state)
            asked[alike] = session.run(po.Playouts(simulations))
        result = asked[alike]
        total = sum(row.visits for row in result.moves)
        mixed[key] = {int(row.record): row.visits / total for row in result.moves}
        chosen[key] = {int(row.record): float(row.move == result.move) for row in result.moves}
    return chosen, mixed


def ranks_of(state: Any, player: int) -> tuple[int, int, int]:
    """What of an information set matters: suits do not, so a search is asked once for all."""
    board = int(state.cards[2]) // 2 if state.round > 0 else -1
    return int(state.history), int(state.cards[player]) // 2, board


def figures(roots: list[Node], strategy: Strategy, nash: Strategy) -> tuple[float, float]:
    """Chips a game against the equilibrium, and lost to the best replies; mean of both seats."""
    against = (value(roots, strategy, nash) - value(roots, nash, strategy)) / 2
    replies = [best_reply(roots, player, strategy)[0] for player in (0, 1)]
    return against, sum(replies) / 2


def uniform(roots: list[Node]) -> Strategy:
    """Every move as likely as another."""
    return {
        key: dict.fromkeys(node.children, 1 / len(node.children))
        for key, node in information_sets(roots).items()
    }


def speed(game: Any, simulations: int = 20_000) -> tuple[float, float]:
    """ISMCTS simulations a CPU second, compiled and in plain Python."""
    rates = []
    for compiled, budget in ((True, simulations), (False, simulations // 100)):
        po.search(game, "ismcts", po.Playouts(10), seed=1, compiled=compiled)
        best = 0.0
        for seed in range(3):
            start = time.process_time()
            po.search(game, "ismcts", po.Playouts(budget), seed=seed, compiled=compiled)
            best = max(best, budget / (time.process_time() - start))
        rates.append(best)
    return rates[0], rates[1]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--simulations", type=int, default=1000, help="of a search for each move")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", choices=("speed", "strength"))
    options = parser.parse_args()
    game = load_leduc()
    if options.only != "strength":
        compiled, plain = speed(game)
        rates = f"{compiled:,.0f} compiled, {plain:,.0f} plain, {compiled / plain:.0f} times"
        print(f"ISMCTS simulations a CPU second: {rates}")
    if options.only == "speed":
        return
    roots = trees(game, leduc_deals(game), 13.0)
    worth, nash = equilibrium(roots)
    print(f"{len(information_sets(roots))} information sets, value to the first player {worth:.6f}")
    print(f"{'strategy':<40} {'against equilibrium':>20} {'to the best reply':>20}")
    rows: list[tuple[str, list[Strategy]]] = [
        ("equilibrium", [nash]),
        ("random", [uniform(roots)]),
    ]
    for search in SEARCHES:
        found = [
            strategy_of(game, roots, search, options.simulations, seed)
            for seed in range(options.seeds)
        ]
        rows.append((f"{search}, its choice", [chosen for chosen, _ in found]))
        rows.append((f"{search}, by visits", [mixed for _, mixed in found]))
    for name, strategies in rows:
        pairs = np.array([figures(roots, strategy, nash) for strategy in strategies])
        intervals = [mean_interval(column) for column in pairs.T]
        cells = [f"{mean:+.3f} +- {half or 0:.3f}" for mean, half in intervals]
        print(f"{name:<40} {cells[0]:>20} {cells[1]:>20}")


if __name__ == "__main__":
    main()
