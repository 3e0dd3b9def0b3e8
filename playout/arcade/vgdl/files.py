"""Where descriptions and levels lie: in the package, in the data folder, anywhere.

The levels of `game.txt` are `game_lvl0.txt`, `game_lvl1.txt` and so on, beside it.
"""

from __future__ import annotations

from pathlib import Path

from playout.arcade.vgdl.levels import Level, parse_level
from playout.arcade.vgdl.rules import Description, parse_description
from playout.errors import DataError, nearest
from playout.text.data_folder import data_folder
from playout.text.input_files import read_text

MOST_BYTES = 1 << 20
OWN = Path(__file__).parent.parent / "games"
COLLECTION = "vgdl"  # in the data folder


def read_game(name: str, level: int | str) -> tuple[Description, Level]:
    """A game and a level of it, each by its name or number, or by its path."""
    place = find_game(name)
    game = parse_description(read_text(place, MOST_BYTES), place.name)
    level_place = find_level(place, level)
    return game, parse_level(read_text(level_place, MOST_BYTES), level_place.name, game)


def find_game(name: str) -> Path:
    """The file of a description."""
    if name.endswith(".txt") or "/" in name:
        return Path(name)
    folders = _folders()
    for folder in folders:
        if name.isidentifier() and (folder / f"{name}.txt").is_file():
            return folder / f"{name}.txt"
    known = [file for folder in folders for file in game_names(folder)]
    raise DataError(f"there is no arcade game {name[:60]!r}; {nearest(name, known)}")


def _folders() -> list[Path]:
    data = data_folder()
    return [OWN] if data is None else [OWN, data / COLLECTION]


def game_names(folder: Path) -> list[str]:
    """The descriptions of a folder that have a level 0."""
    found = sorted(folder.glob("*_lvl0.txt")) if folder.is_dir() else []
    return [file.name.removesuffix("_lvl0.txt") for file in found]


def find_level(game: Path, level: int | str) -> Path:
    """The file of a level."""
    text = str(level)
    if not text.isascii() or not text.isdigit():
        return Path(text)
    place = game.with_name(f"{game.stem}_lvl{int(text)}.txt")
    if not place.is_file():
        found = sorted(game.parent.glob(f"{game.stem}_lvl*.txt"))
        names = [file.stem.rpartition("_lvl")[2] for file in found]
        if not names:
            raise DataError(f"{game.name}: has no {place.name} beside it: give the file of a level")
        raise DataError(f"{game.name}: has no level {text[:20]}; there are: {', '.join(names)}")
    return place
