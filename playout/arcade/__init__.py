"""Video games: the ones that come with the package, and the way to all others.

`load_arcade` takes a name of `ARCADE`, the name of a description in the data folder, or a file.
"""

from __future__ import annotations

from typing import Any

from playout.errors import ProblemError
from playout.text.registry import Entry, Registry

_VGDL = "playout.arcade.vgdl.engine:VGDL"

ARCADE = Registry(
    "arcade game",
    "playout.arcade",
    {
        "orchard": Entry(
            _VGDL, "pick up apples that fall, and mind the wasps", {"game": "orchard"}
        ),
        "beacon": Entry(_VGDL, "flares keep moths from the lamps", {"game": "beacon"}),
        "crates": Entry(_VGDL, "push crates into pits, a mole in the way", {"game": "crates"}),
        "henhouse": Entry(_VGDL, "drive hens home before the fox comes", {"game": "henhouse"}),
    },
    base="playout.contract:Problem",
    error=ProblemError,
)


def load_arcade(text: str, level: int | str = 0, **options: Any) -> Any:
    """The game that a text names, on a level: its number, or its file.

    `text` is a name of `ARCADE`, a description of VGDL in the data folder by its name (`zelda` is
    `$PLAYOUT_DATA/vgdl/zelda.txt`), or the path of one.

    >>> load_arcade("crates").columns
    10
    """
    if text in ARCADE:
        return ARCADE[text].default(
            **{**ARCADE.entry(text).options, "level": str(level), **options}
        )
    from playout.arcade.vgdl.engine import VGDL

    return VGDL.default(game=text, level=str(level), **options)


def arcade_game(text: str) -> Any:
    """The game that `NAME` or `NAME,LEVEL` names, for whoever plays games: `arcade:orchard,1`.

    >>> arcade_game("crates,1").columns
    12
    """
    name, _, level = text.partition(",")
    if not name.strip():
        raise ProblemError(f"arcade: name a game, as arcade:orchard; there are {', '.join(ARCADE)}")
    return load_arcade(name.strip(), level.strip() or 0)
