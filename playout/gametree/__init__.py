"""Tree search of games, made of parts that a user may replace by their own.

A new part is one class and one line here.
"""

from __future__ import annotations

from playout.text.registry import Entry, Registry


def _parts(what: str, group: str, base: str, classes: dict[str, str]) -> Registry:
    """A registry of parts, whose classes are given by their modules in this room, or in another."""
    paths = {
        name: found if found.startswith("playout.") else f"playout.gametree.{found}"
        for name, found in classes.items()
    }
    entries = {name: Entry(path) for name, path in paths.items()}
    return Registry(what, f"playout.{group}", entries, base=f"playout.gametree.{base}")


TREE_POLICIES = _parts(
    "tree policy",
    "tree_policies",
    "parts:TreePolicy",
    {
        "uct": "tree_policies:UCB1",
        "ucb1": "tree_policies:UCB1",
        "ucb1tuned": "tree_policies:UCB1Tuned",
        "puct": "tree_policies:PUCT",
        "rave": "tree_policies:RAVE",
        "grave": "tree_policies:GRAVE",
    },
)

PLAYOUT_POLICIES = _parts(
    "playout policy",
    "playout_policies",
    "parts:PlayoutPolicy",
    {
        "uniform": "playout_policies.uniform:Uniform",
        "mast": "playout_policies.mast:MAST",
        "nst": "playout_policies.nst:NST",
        "ppa": "playout_policies.ppa:PPA",
        "ppaf": "playout_policies.ppa:PPAF",
        "nppa": "playout_policies.nppa:NPPA",
        "heuristic": "playout_policies.heuristic:Heuristic",
        "handmade": "playout_policies.jass:HandMade",
        "minmax": "playout_policies.jass:MinMax",
    },
)

_BACKUPS = {"mean": "backups:Mean", "max": "backups:Max", "mixmax": "backups:MixMax"}
BACKUPS = _parts("backup", "backups", "parts:Backup", _BACKUPS)

PARALLEL_SCHEMES = _parts(
    "parallel scheme",
    "parallel_schemes",
    "parallel_schemes:Team",
    {
        "tree": "parallel_schemes:Team",
        "root": "parallel_schemes:RootTeam",
        "leaf": "parallel_schemes:LeafTeam",
        "slow-tree": "slowtree:SlowTreeTeam",
        "lanes": "playout.ggp.lane_team:LaneTeam",
    },
)

# searches of games in which players do not know everything: see playout/worlds
WORLD_SEARCHES = Registry(
    "search over worlds",
    "playout.world_searches",
    {
        "openloop": Entry(
            "playout.worlds.world_search:WorldSearch",
            "open-loop MCTS: by the mean reward, numbers from 0 to 1",
            # a share of 0 is the mean: so these three are one kernel
            {"policy": "ucb", "backup": "mixmax", "mix": "0"},
        ),
        "mixmax": Entry(
            "playout.worlds.world_search:WorldSearch",
            "open-loop MCTS whose values have a share of the highest reward in them",
            {"policy": "ucb", "C": "1.25", "backup": "mixmax", "mix": "0.25"},
        ),
        "ordinal": Entry(
            "playout.worlds.world_search:WorldSearch",
            "O-MCTS: by how often a move's outcomes are better than those of others",
            {
                "policy": "ucb",
                "ordered": "true",
                "C": "1.25",
                "backup": "mixmax",
                "mix": "0",
            },
        ),
        "ismcts": Entry(
            "playout.worlds.world_search:WorldSearch",
            "information set MCTS: one tree for what a player sees, or one for each player",
            {"policy": "ucb1"},
        ),
        "preference": Entry("playout.worlds.preference:PreferenceSearch"),
        "pimc": Entry("playout.worlds.pimc:PIMC"),
        "alphamu": Entry("playout.worlds.alphamu_search:AlphaMuSearch"),
    },
)
