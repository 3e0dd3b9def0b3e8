"""A screen as text, a character for each cell, and as SVG, a square for each sprite.

Sprites of which there are few have their character in the picture, too, and a line below names
them: they are told apart without colours.
"""

from __future__ import annotations

import html
import textwrap
from colorsys import hls_to_rgb
from typing import Any

# the colours that descriptions name
COLOURS = {
    "GREEN": (0, 200, 0), "BLUE": (0, 0, 200), "RED": (200, 0, 0), "GRAY": (90, 90, 90),
    "WHITE": (250, 250, 250), "BROWN": (140, 120, 100), "BLACK": (20, 20, 20),
    "ORANGE": (250, 100, 0), "YELLOW": (250, 250, 0), "PINK": (250, 200, 200),
    "GOLD": (250, 212, 52), "LIGHTRED": (250, 50, 50), "LIGHTORANGE": (250, 200, 100),
    "LIGHTBLUE": (50, 100, 250), "LIGHTGREEN": (50, 250, 50), "DARKGRAY": (30, 30, 30),
    "LIGHTGRAY": (150, 150, 150), "DARKBLUE": (20, 20, 100), "PURPLE": (128, 0, 128),
    "LIGHTBROWN": (200, 180, 150), "LIGHTYELLOW": (250, 250, 150),
}  # fmt: skip
SIDE = 20  # of a cell in the picture
FEW = 0.08  # of all cells: sprites that have their character in the picture
SMALL, LINE = 9, 13  # letters and lines of the words below it


def drawing_order(game: Any) -> list[int]:
    """The types from the bottom up: as declared, the avatar on top."""
    kinds = sorted(game.game.types, key=lambda kind: (kind.is_avatar, kind.line, kind.number))
    return [kind.number for kind in kinds]


def signs(game: Any) -> dict[int, str]:
    """A character for each type: that of the levels, else the first letter of its name."""
    found = {kind.number: kind.name[0] for kind in game.game.types}
    for sign, kinds in game.game.mapping.items():
        if kinds:
            found[kinds[-1]] = sign
    return {number: "A" if game.types[number].avatar else sign for number, sign in found.items()}


def colour_of(game: Any, kind: int) -> tuple[int, int, int]:
    """The colour of a type, red, green and blue; one by its number if it names none."""
    name = game.game.types[kind].values.get("color", "")
    if name in COLOURS:
        return COLOURS[name]
    red, green, blue = hls_to_rgb(kind * 0.13 % 1, 0.45, 0.45)
    return round(255 * red), round(255 * green), round(255 * blue)


def colour_text(game: Any, kind: int) -> str:
    """The colour of a type as pages write it."""
    red, green, blue = colour_of(game, kind)
    return f"#{red:02x}{green:02x}{blue:02x}"


def screen_text(game: Any, state: Any) -> str:
    """The topmost type of each cell, and the score below."""
    rows = [[" "] * game.columns for _ in range(game.rows)]
    groups, letters = game.sprites(state), signs(game)
    for kind in drawing_order(game):
        for x, y in groups.get(kind, ()):
            column = (x + game.block // 2) // game.block
            row = (y + game.block // 2) // game.block
            if 0 <= column < game.columns and 0 <= row < game.rows:
                rows[row][column] = letters[kind]
    ends = ("lost", "won")[int(state.won)] if state.ended else "playing"
    lines = ["".join(row).rstrip() for row in rows]
    return "\n".join([*lines, f"tick {int(state.tick)}, score {int(state.score)}, {ends}"])


def screen_svg(game: Any, state: Any) -> str:
    """The sprites as squares of their colours, and below what they are."""
    scale = SIDE / game.block
    width, height = game.columns * SIDE, game.rows * SIDE
    groups, letters = game.sprites(state), signs(game)
    parts, names = [], []
    for kind in drawing_order(game):
        corners = [(x * scale, y * scale) for x, y in groups.get(kind, ())]
        if corners:
            squares = "".join(f"M{x:g} {y:g}h{SIDE}v{SIDE}h-{SIDE}z" for x, y in corners)
            parts.append(f'<path fill="{colour_text(game, kind)}" d="{squares}"/>')
        if corners and len(corners) <= game.columns * game.rows * FEW:
            parts.append(_characters(letters[kind], corners, colour_of(game, kind)))
            names.append(f"{letters[kind]} {game.game.types[kind].name}")
    lines = textwrap.wrap(", ".join(names), max(20, int(width / (0.6 * SMALL))))
    below = height + LINE * len(lines)
    parts += [
        f'<text x="4" y="{height + LINE * number - 4:g}" fill="#fff">{html.escape(line)}</text>'
        for number, line in enumerate(lines, 1)
    ]
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {below}" '
            f'width="{width}" height="{below}" font-family="sans-serif" font-size="{SMALL}">'
            f'<rect width="{width}" height="{below}"/>',
            *parts,
            "</svg>",
        ]
    )


def _characters(sign: str, corners: list[tuple[float, float]], colour: tuple[int, ...]) -> str:
    """A character in the middle of each square, black or white, whatever stands out."""
    red, green, blue = colour
    ink = "#000" if 0.299 * red + 0.587 * green + 0.114 * blue > 128 else "#fff"
    across = " ".join(f"{x + SIDE / 2:g}" for x, _ in corners)
    down = " ".join(f"{y + 0.72 * SIDE:g}" for _, y in corners)
    return (
        f'<text x="{across}" y="{down}" fill="{ink}" text-anchor="middle" '
        f'font-size="{0.6 * SIDE:g}">{html.escape(sign * len(corners))}</text>'
    )
