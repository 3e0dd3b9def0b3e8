"""The gallery: a game of every problem and game that draws itself, in four moments.

The moves are random or those of a short search, with a fixed seed; what is drawn is what
`playout solve --svg` and `po.film` draw.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import playout as po
from playout.errors import PlayoutError
from playout.games import GAMES
from playout.problems import PROBLEMS

# what a name alone cannot say
EXAMPLES = {
    "hex": "hex:7",
    "go": "go:7",
    "atarigo": "atarigo:7",
    "nogo": "nogo:7",
    "bridge": "bridge:3NT,S",
    "dotsandboxes": "dotsandboxes:4x4",
}


def write_gallery(folder: Path) -> None:
    """Write the page of the gallery and its pictures."""
    pictures = folder / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    lines = ["# Gallery", "", "What every problem and game of the package looks like. "]
    lines += ["Each picture is drawn when this site is built, from a game with a fixed seed.", ""]
    for title, registry, strip in (
        ("Problems", PROBLEMS, _problem), ("Games", GAMES, _game),
    ):  # fmt: skip
        lines += [f"## {title}", ""]
        for name in registry:
            if registry.entry(name).takes_text:
                continue  # a file or a name from elsewhere says what it is
            try:
                svg = strip(name)
            except PlayoutError:
                continue  # an extra is missing, or a file
            if not svg:
                continue
            (pictures / f"{registry.what}-{name}.svg").write_text(svg)
            about = registry.description(name).rstrip(".")
            lines += [f"### {name}", "", f"{about[0].upper()}{about[1:]}.", ""]
            lines += [
                f"![Four moments of {name}: {about}](pictures/{registry.what}-{name}.svg)",
                "",
            ]
    (folder / "gallery.md").write_text("\n".join(lines))


def _problem(name: str) -> str:
    problem = PROBLEMS[name].default()
    result = po.solve(problem, po.Random(), po.Playouts(20), seed=1, compiled=False)
    return po.film(problem, result.moves).strip()


def _game(name: str) -> str:
    game = po.load_game(EXAMPLES.get(name, name))
    rng = np.random.default_rng(1)
    state = game.root()[0]
    moves = []
    while len(legal := game.legal_moves(state)):
        move = legal[rng.integers(len(legal))]
        moves.append(game.move_text(state, move))
        game.play_move(state, move)
    return po.film(game, moves).strip()
