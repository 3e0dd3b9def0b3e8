"""A video game that was played, as a GIF and as one page with a canvas and a slider."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from playout.arcade.vgdl.pictures import colour_of, colour_text, drawing_order
from playout.errors import OptionError
from playout.pictures.film import film_page
from playout.pictures.look import resource
from playout.text.output_files import write_atomically

if TYPE_CHECKING:
    from playout.arcade.vgdl.engine import VGDL
    from playout.worlds.episode_result import Episode

CELL = 8  # pixels of a cell in a GIF
FRAME = 80  # milliseconds


def states_of(game: VGDL, played: Episode) -> Iterator[Any]:
    """The states of an episode, from its start; each is the same record, played on."""
    states = game.root(played.luck)
    yield states[0]
    for move in game.as_moves(played.records):
        game.play_move(states[0], move)
        yield states[0]


def write_gif(path: Path, game: VGDL, played: Episode) -> None:
    """A frame a tick; the last one stays for a second."""
    try:
        from PIL import Image
    except ImportError:
        raise OptionError('a GIF needs Pillow: pip install "playout[plot]"') from None
    kinds = drawing_order(game)
    palette = [0, 0, 0] + [part for kind in kinds for part in colour_of(game, kind)]
    frames = []
    for state in states_of(game, played):
        frame = Image.fromarray(_pixels(game, kinds, state), "P")
        frame.putpalette(palette)
        frames.append(frame)
    times = [FRAME] * (len(frames) - 1) + [1000]
    write_atomically(
        path,
        lambda file: frames[0].save(
            file, "GIF", save_all=True, append_images=frames[1:], duration=times, loop=0
        ),
    )


def _pixels(game: VGDL, kinds: list[int], state: Any) -> np.ndarray:
    """The screen: the number of a type's colour at each pixel."""
    pixels = np.zeros((game.rows * CELL, game.columns * CELL), np.uint8)
    groups = game.sprites(state)
    for number, kind in enumerate(kinds, 1):
        for x, y in groups.get(kind, ()):
            left, top = x * CELL // game.block, y * CELL // game.block
            pixels[max(top, 0) : max(top + CELL, 0), max(left, 0) : max(left + CELL, 0)] = number
    return pixels


def film(game: VGDL, played: Episode) -> dict[str, Any]:
    """What the page draws: what never changes, and what each tick changes, by serial numbers."""
    still = [
        [kind, column * game.block, row * game.block]
        for column, row, kind in game.level.sprites
        if kind in game.tables.decor
    ]
    changes: list[list[Any]] = []
    notes = []
    before: dict[int, tuple[int, int, int]] = {}
    for state in states_of(game, played):
        now = game.numbered_sprites(state)
        gone = [serial for serial in before if serial not in now]
        new = [[serial, *now[serial]] for serial in now if before.get(serial) != now[serial]]
        changes.append([new, gone])
        notes.append([int(state.score), int(state.ended), int(state.won)])
        before = now
    decisions = [
        [move, one.simulations, one.calls, round(one.value, 4), one.late]
        for move, one in zip(played.moves, played.decisions, strict=True)
    ]
    return {
        "width": game.columns * game.block,
        "height": game.rows * game.block,
        "block": game.block,
        "order": drawing_order(game),
        "still": still,
        "changes": changes,
        "notes": notes,
        "colours": [colour_text(game, kind) for kind in range(len(game.types))],
        "decisions": decisions,
    }


def write_page(path: Path, game: VGDL, played: Episode) -> None:
    """One file that needs nothing else: a canvas, a slider, and what the search thought."""
    title = f"{played.instance or played.problem}"
    words = f"{played.algorithm}, {played.budget} a move, score {played.score:g}"
    page = film_page(title, words, film(game, played), resource("arcade_film.js", __package__))
    write_atomically(path, page.encode())
