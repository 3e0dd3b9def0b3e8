"""Tree search of games, made of parts that a user may replace by their own.

A new part is one class and one line here.
"""

from __future__ import annotations

from playout.text.registry import Entry, Registry

TREE_POLICIES = Registry(
    "tree policy",
    "playout.tree_policies",
    {
        "uct": Entry("playout.gametree.tree_policies:UCB1"),
        "ucb1": Entry("playout.gametree.tree_policies:UCB1"),
        "ucb1tuned": Entry("playout.gametree.tree_policies:UCB1Tuned"),
        "puct": Entry("playout.gametree.tree_policies:PUCT"),
        "rave": Entry("playout.gametree.tree_policies:RAVE"),
        "grave": Entry("playout.gametree.tree_policies:GRAVE"),
    },
    base="playout.gametree.parts:TreePolicy",
)

PLAYOUT_POLICIES = Registry(
    "playout policy",
    "playout.playout_policies",
    {
        "uniform": Entry("playout.gametree.playout_policies.uniform:Uniform"),
        "mast": Entry("playout.gametree.playout_policies.mast:MAST"),
        "nst": Entry("playout.gametree.playout_policies.nst:NST"),
        "ppa": Entry("playout.gametree.playout_policies.ppa:PPA"),
        "ppaf": Entry("playout.gametree.playout_policies.ppa:PPAF"),
        "nppa": Entry("playout.gametree.playout_policies.nppa:NPPA"),
        "heuristic": Entry("playout.gametree.playout_policies.heuristic:Heuristic"),
    },
    base="playout.gametree.parts:PlayoutPolicy",
)

BACKUPS = Registry(
    "backup",
    "playout.backups",
    {
        "mean": Entry("playout.gametree.backups:Mean"),
        "max": Entry("playout.gametree.backups:Max"),
        "mixmax": Entry("playout.gametree.backups:MixMax"),
    },
    base="playout.gametree.parts:Backup",
)

PARALLEL_SCHEMES = Registry(
    "parallel scheme",
    "playout.parallel_schemes",
    {
        "tree": Entry("playout.gametree.parallel_schemes:Team"),
        "root": Entry("playout.gametree.parallel_schemes:RootTeam"),
        "leaf": Entry("playout.gametree.parallel_schemes:LeafTeam"),
        "slow-tree": Entry("playout.gametree.slowtree:SlowTreeTeam"),
    },
    base="playout.gametree.parallel_schemes:Team",
)
