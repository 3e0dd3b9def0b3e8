"""The reference pages: an entry for every name that the package knows, from its registries.

So a new problem, game, algorithm or command is on the site as soon as it has a name.
"""

from __future__ import annotations

import io
from contextlib import redirect_stdout, suppress
from pathlib import Path

from playout.algorithms import ALGORITHMS
from playout.cli import main
from playout.cli.commands import COMMANDS
from playout.experiments import EXPERIMENTS
from playout.games import GAMES
from playout.gametree import BACKUPS, PLAYOUT_POLICIES, TREE_POLICIES, WORLD_SEARCHES
from playout.matches import PLAYERS
from playout.problems import PROBLEMS
from playout.solvers import MOVE_ORDERS, SOLVERS

# page: title, what the reader can do after it, its registries, the words that print an entry
PAGES = {
    "problems": (
        "Problems",
        "Every problem that `playout solve` knows by name, with its options.",
        (PROBLEMS,),
        "list problems {}",
    ),
    "algorithms": (
        "Algorithms",
        "Every algorithm for `playout solve -a NAME`, with its options and its paper.",
        (ALGORITHMS,),
        "list algorithms {}",
    ),
    "games": (
        "Games",
        "Every game for `playout play`, `match`, `analyse` and `prove`, with options and notation.",
        (GAMES,),
        "list games {}",
    ),
    "searches": (
        "Searches for games",
        "The tree policies, playout policies and backups that a search is made of, and the "
        "searches over worlds for games with luck or hidden cards.",
        (TREE_POLICIES, PLAYOUT_POLICIES, BACKUPS, WORLD_SEARCHES),
        "list searches {}",
    ),
    "players": (
        "Players and solvers",
        "Who can sit at the table of a match besides a search, and what proves a game.",
        (PLAYERS, SOLVERS, MOVE_ORDERS),
        "",
    ),
    "experiments": (
        "Experiments",
        "The papers whose tables `playout reproduce NAME` runs, ours beside theirs.",
        (EXPERIMENTS,),
        "list experiments {}",
    ),
    "commands": (
        "Commands",
        "What each command does, with its options and examples, as `playout COMMAND --help` "
        "shows it.",
        (COMMANDS,),
        "{} --help",
    ),
}


def write_entries(folder: Path) -> None:
    """Write a page for each kind of name."""
    folder.mkdir(parents=True, exist_ok=True)
    for page, (title, about, registries, words) in PAGES.items():
        lines = [f"# {title}", "", about, ""]
        for registry in registries:
            if len(registries) > 1:
                lines += [f"## Each {registry.what}", ""]
            level = "###" if len(registries) > 1 else "##"
            for name in registry:
                lines += [f"({page}-{registry.what.replace(' ', '-')}-{name})=", f"{level} {name}"]
                lines += ["", *_entry(registry, name, words), ""]
        (folder / f"{page}.md").write_text("\n".join(lines))


def _entry(registry, name: str, words: str) -> list[str]:
    if not words:
        return [registry.description(name).rstrip(".") + "."]
    said = io.StringIO()
    with redirect_stdout(said), suppress(SystemExit):  # --help exits
        main(words.format(name).split())
    return ["```text", said.getvalue().strip("\n"), "```"]
