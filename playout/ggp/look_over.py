"""What there is to know of a rulesheet: its sizes, what random games show, how fast it is."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from playout.compiled import kernel
from playout.compiled.random import random_below, stream_of
from playout.gametree.tree_search import TreeSearch
from playout.gametree.tree_session import TreeSession
from playout.ggp.game import GDLGame
from playout.ggp.lane_team import no_lanes, with_lanes
from playout.stop import Playouts, Seconds

# how a random game ended
ENDED, TOO_LONG, STUCK = 0, 1, 2


@dataclass
class LookOver:
    """Facts about a rulesheet as (name, text), and what is odd about it."""

    facts: list[tuple[str, str]] = field(default_factory=list)
    odd: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        lines = [f"{name:12} {text}" for name, text in self.facts]
        return "\n".join(lines + [f"{'note':12} {text}" for text in self.odd])


@kernel
def random_games(game, root, states, moves, rng, seed, figures):
    """Play random games, one for each row of `figures`: how it ended, steps, goals of each role."""
    for number in range(len(figures)):
        rng[0] = stream_of(seed, number)
        states[0] = root[0]
        state = states[0]
        while True:
            n = game.moves(state, moves)
            if n == 0:
                break
            game.play(state, moves[random_below(rng, n)])
        figures[number, 0] = ENDED
        if not game.is_terminal(state):
            figures[number, 0] = STUCK if state.role < 0 else TOO_LONG
        figures[number, 1] = state.step
        for role in range(figures.shape[1] - 2):
            figures[number, 2 + role] = game.goals_holding(state, role)


def look_over(
    path: str, search: str = "uct", seconds: float = 1.0, games: int = 200, seed: int = 1
) -> LookOver:
    """Load a rulesheet, play random games, and search the start for some time."""
    began = time.perf_counter()
    game = GDLGame(path)
    took = time.perf_counter() - began
    found = LookOver()
    network, layout, grounded = game.network, game.loaded.layout, game.loaded.grounded
    gates = len(network.kinds)
    if network.turns is not None:
        moving = "in turn (proven)"
    else:
        moving = "one role" if game.roles == 1 else "maybe at the same time"
    bound = "a counter ends the game" if not game.step_counts else "the limit (steps)"
    found.facts += [
        ("roles", " ".join(game.role_names) + f", {moving}"),
        ("facts", f"{game.bases:,} ({sum(network.init):,} at the start)"),
        ("moves", f"{len(network.actions):,}, of one role at most {game.max_moves:,}"),
        ("goals", " ".join(f"{100 * value:g}" for value in game.outcomes)),
        ("steps", f"at most {game.longest:,}: {bound}"),
        ("instances", f"{grounded.instances:,} of {grounded.rules:,} rules"),
        ("network", f"{gates:,} gates, {layout.edges:,} edges, {len(network.cycles)} cycles"),
        ("state", f"{game.state_type.itemsize:,} bytes"),
        ("loaded in", f"{took:.2f} s"),
    ]
    _random_games(game, found, games, seed)
    root = game.root()
    if game.is_over(root[0]):
        found.odd.append("the game is over at the start")
        return found
    tried = TreeSearch.parse(search)
    _search(game, tried, found, seconds, seed)
    if tried.options.parallel != "lanes":
        if reason := no_lanes(game, tried):
            found.facts.append(("64 at a time", f"no: {reason}"))
        else:
            _search(game, with_lanes(tried), found, seconds, seed)
    return found


def _search(game: GDLGame, search: TreeSearch, found: LookOver, seconds: float, seed: int) -> None:
    session = TreeSession(game, search, seed=seed)
    session.run(Playouts(1))  # compiles
    result = session.run(Seconds(seconds))
    rate = result.simulations / max(result.seconds, 1e-9)
    found.facts.append(("search", f"{search.text}: {rate:,.0f} simulations/s from the start"))


def _random_games(game: GDLGame, found: LookOver, games: int, seed: int) -> None:
    figures = np.zeros((games, 2 + game.roles), np.int64)
    rng = np.zeros(1, np.uint64)
    random_games(game, game.root(), game.new_states(1), game.new_moves(), rng, seed, figures)
    ends, steps, holding = figures[:, 0], figures[:, 1], figures[:, 2:]
    found.facts.append(
        (
            "random games",
            f"{games}: {steps.min()} to {steps.max()} steps, {steps.mean():.1f} on average",
        )
    )
    count = Counter(ends.tolist())
    if count[TOO_LONG]:
        found.odd.append(f"{count[TOO_LONG]} of them had not ended after {game.longest} steps")
    if count[STUCK]:
        found.odd.append(f"{count[STUCK]} of them came to a role without a legal move")
    for role, name in enumerate(game.role_names):
        none, several = int((holding[:, role] == 0).sum()), int((holding[:, role] > 1).sum())
        if none:
            found.odd.append(f"{none} of them ended without a goal for {name}: it counts 0")
        if several:
            found.odd.append(
                f"{several} of them ended with several goals for {name}: the highest counts"
            )
