"""The commands: one file each, and a line here, which `playout --help` shows.

The file of a command has its USAGE, its DESCRIPTION and EPILOG, which its own help shows, `add`,
which declares its arguments, and `run`, which does it and returns the exit code. It is imported
when the command is asked for, and what is heavy when it is run, so that help is quick.
"""

from __future__ import annotations

COMMANDS = {
    "solve": ("solve", "search a problem for its best score"),
    "list": (
        "listing",
        "show the problems, the algorithms with their options, the games, the experiments",
    ),
    "check": ("check", "see whether a problem or game of your own is well written"),
    "compare": ("compare", "compare algorithms on a problem"),
    "tune": ("tune", "find good options of an algorithm"),
    "match": ("match", "play players against each other: who is better?"),
    "reproduce": ("reproduce", "run a paper's tables and show ours beside theirs"),
    "report": ("report", "show what was run of an experiment"),
    "export": ("export", "write the raw runs as CSV, JSON lines or Parquet"),
    "analyse": ("analyse", "search one position of a game and show the top of the tree"),
    "play": ("play", "play a game in the terminal against a search"),
    "prove": ("prove", "solve a game exactly: who wins, and how"),
    "gtp": ("gtp", "play Go, NoGo or Atarigo by the Go Text Protocol"),
    "rna": ("rna", "design RNA sequences that fold into a structure"),
    "color": ("color", "colour a graph with few colours"),
    "train": ("train", "train a policy that guides the search"),
    "zonnscan": ("zonnscan", "how undecided a classifier is around an input"),
}
