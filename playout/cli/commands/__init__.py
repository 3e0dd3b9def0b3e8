"""The commands: one file each, and a line here, which `playout --help` shows.

The module of a command has its USAGE, its DESCRIPTION and EPILOG, which its own help shows, `add`,
which declares its arguments, and `run`, which does it and returns the exit code. It is imported
when the command is asked for, and what is heavy when it is run, so that help is quick. Other
packages add commands of their own in the group `playout.commands`: `playout --help` shows the first
line of the module's docstring.
"""

from __future__ import annotations

from playout.text.registry import Entry, Registry

COMMANDS = Registry(
    "command",
    "playout.commands",
    {
        "solve": Entry("playout.cli.commands.solve", "search a problem for its best score"),
        "list": Entry(
            "playout.cli.commands.listing",
            "show the problems, the algorithms with their options, the games, the experiments",
        ),
        "check": Entry(
            "playout.cli.commands.check",
            "see whether a problem or game of your own is well written",
        ),
        "compare": Entry("playout.cli.commands.compare", "compare algorithms on a problem"),
        "tune": Entry("playout.cli.commands.tune", "find good options of an algorithm"),
        "match": Entry(
            "playout.cli.commands.match", "play players against each other: who is better?"
        ),
        "reproduce": Entry(
            "playout.cli.commands.reproduce", "run a paper's tables and show ours beside theirs"
        ),
        "report": Entry("playout.cli.commands.report", "show what was run of an experiment"),
        "export": Entry(
            "playout.cli.commands.export", "write the raw runs as CSV, JSON lines or Parquet"
        ),
        "analyse": Entry(
            "playout.cli.commands.analyse",
            "search one position of a game and show the top of the tree",
        ),
        "episode": Entry(
            "playout.cli.commands.episode",
            "play a game of luck for one player to its end, with a search for every move",
        ),
        "arcade": Entry(
            "playout.cli.commands.arcade", "play a video game, by a search or by the arrow keys"
        ),
        "lab": Entry(
            "playout.cli.commands.lab", "pages: watch searches, play games, compare, read"
        ),
        "play": Entry("playout.cli.commands.play", "play a game in the terminal against a search"),
        "prove": Entry("playout.cli.commands.prove", "solve a game exactly: who wins, and how"),
        "gtp": Entry(
            "playout.cli.commands.gtp", "play Go, NoGo or Atarigo by the Go Text Protocol"
        ),
        "ggp": Entry(
            "playout.cli.commands.ggp",
            "look a rulesheet over, answer the GGP protocol, or serve a match of it",
        ),
        "bridge": Entry(
            "playout.cli.commands.bridge", "which card to play in Bridge; deals and their files"
        ),
        "rna": Entry("playout.cli.commands.rna", "design RNA sequences that fold into a structure"),
        "color": Entry("playout.cli.commands.color", "colour a graph with few colours"),
        "train": Entry("playout.cli.commands.train", "train a policy that guides the search"),
        "warm": Entry(
            "playout.cli.commands.warm", "compile what the other commands need, before they do"
        ),
        "zonnscan": Entry(
            "playout.cli.commands.zonnscan", "how undecided a classifier is around an input"
        ),
    },
)
