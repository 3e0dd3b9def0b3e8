"""Searches over worlds: of games with luck to come or hidden cards, for what a player can know.

A node is a sequence of moves as a player sees them, never a state. A simulation copies the root,
draws anew all that the player cannot know (`redraw`), goes down among the moves that are legal in
this world, adds one node, plays on, and backs up. Open-loop search of a stochastic game and
information-set search of a card game are this one tree, with different parts.

- `arrays.py`, `edges.py`, `simulate.py`: the tree, its edges, the simulation; compiled;
- `policies.py`, `outcomes.py`: tree policies; outcomes that are ordered and never added;
- `world_search.py`, `world_session.py`, `kept_worlds.py`: a search as options and at work;
- `process_team.py`: workers that are processes, of games that run interpreted;
- `preference.py`: PB-MCTS, which compares two simulations at every node;
- `pimc.py`: a tree search in each of some worlds;
- `episode.py`: decide, play, and so on to the end of a game.

The names of the searches stand in `playout.gametree.WORLD_SEARCHES`, where lower rooms find them.
"""

from __future__ import annotations

from playout.text.registry import Entry, Registry

WORLD_POLICIES = Registry(
    "tree policy over worlds",
    "playout.world_policies",
    {
        "ucb": Entry("playout.worlds.policies:UCB"),
        "ucb1": Entry("playout.worlds.policies:UCB1"),
        "ucb1tuned": Entry("playout.worlds.policies:UCB1Tuned"),
    },
    base="playout.worlds.policies:WorldPolicy",
)
