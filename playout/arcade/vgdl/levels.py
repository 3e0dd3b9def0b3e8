"""A level: a grid of characters, each of which stands for sprites."""

from __future__ import annotations

from dataclasses import dataclass

from playout.arcade.vgdl.rules import Description
from playout.errors import DataError

LARGEST = 200  # columns or rows


@dataclass
class Level:
    """The sprites of a level in the order of their creation: column, row and type."""

    source: str
    columns: int
    rows: int
    sprites: list[tuple[int, int, int]]


def parse_level(text: str, source: str, game: Description) -> Level:
    """The level that a text draws; short lines are filled with blanks, as GVGAI does."""
    lines = [line.rstrip("\r\n") for line in text.splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    columns, rows = max(map(len, lines), default=0), len(lines)
    if not columns or max(columns, rows) > LARGEST:
        raise DataError(
            f"{source}: has {columns:,} columns and {rows:,} rows; from 1 to {LARGEST} each"
        )
    sprites = []
    for row, line in enumerate(lines):
        for column, sign in enumerate(line):
            if sign not in game.mapping and sign != " ":
                raise DataError(
                    f"{source}, line {row + 1}: the character {sign!r} is not in the LevelMapping "
                    f"of {game.source}"
                )
            if sign in game.faults:
                number, name = game.faults[sign]
                raise DataError(
                    f"{game.source}, line {number}: there is no sprite {name[:40]!r} for the "
                    f"character {sign!r}, which {source} has"
                )
            sprites += [(column, row, kind) for kind in game.mapping.get(sign, ())]
    avatars = [(row, kind) for _, row, kind in sprites if game.types[kind].is_avatar]
    if not avatars:
        raise DataError(f"{source}: has no avatar; there should be one")
    if len(avatars) > 1:
        row, kind = avatars[1]
        raise DataError(
            f"{source}, line {row + 1}: has another avatar, {game.types[kind].name}; there are "
            f"{len(avatars)}, there should be one"
        )
    return Level(source, columns, rows, sprites)
