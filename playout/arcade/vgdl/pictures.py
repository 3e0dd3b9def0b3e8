"""A screen as text, a character for each cell, and as SVG, a square for each sprite."""

from __future__ import annotations

from typing import Any

# the colours that descriptions name
COLOURS = {
    "GREEN": "#00c800", "BLUE": "#0000c8", "RED": "#c80000", "GRAY": "#5a5a5a",
    "WHITE": "#fafafa", "BROWN": "#8c7864", "BLACK": "#141414", "ORANGE": "#fa6400",
    "YELLOW": "#fafa00", "PINK": "#fac8c8", "GOLD": "#fad434", "LIGHTRED": "#fa3232",
    "LIGHTORANGE": "#fac864", "LIGHTBLUE": "#3264fa", "LIGHTGREEN": "#32fa32",
    "DARKGRAY": "#1e1e1e", "LIGHTGRAY": "#969696", "DARKBLUE": "#141464", "PURPLE": "#800080",
    "LIGHTBROWN": "#c8b496", "LIGHTYELLOW": "#fafa96",
}  # fmt: skip
SIDE = 20  # of a cell in the picture


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


def colour_of(game: Any, kind: int) -> str:
    """The colour of a type; one by its number if it names none."""
    name = game.game.types[kind].values.get("color", "")
    return COLOURS.get(name, f"hsl({kind * 47 % 360} 45% 45%)")


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
    """The sprites as squares of their colours."""
    scale = SIDE / game.block
    width, height = game.columns * SIDE, game.rows * SIDE
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}"><rect width="{width}" height="{height}"/>'
    ]
    groups = game.sprites(state)
    for kind in drawing_order(game):
        corners = [(x * scale, y * scale) for x, y in groups.get(kind, ())]
        if corners:
            squares = "".join(f"M{x:g} {y:g}h{SIDE}v{SIDE}h-{SIDE}z" for x, y in corners)
            parts.append(f'<path fill="{colour_of(game, kind)}" d="{squares}"/>')
    return "".join([*parts, "</svg>"])
