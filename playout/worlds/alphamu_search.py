"""alpha-mu as options: `alphamu:M=3,worlds=20`. With M=1 it is PIMC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from playout.contract import Game
from playout.contract.veiled import Veiled
from playout.errors import OptionError
from playout.text.grammar import named_text, parse_named
from playout.text.options import Options, one_of, option

if TYPE_CHECKING:
    from playout.worlds.alphamu_session import AlphaMuSession

MOST_WORLDS = 4096


@dataclass(frozen=True, kw_only=True)
class AlphaMuOptions(Options):
    """The options of alpha-mu."""

    name: ClassVar[str] = "alphamu"

    M: int = option(3, "moves of the player who searches; 1: PIMC", low=1, high=26)
    worlds: int = option(20, "worlds that are drawn", low=1, high=MOST_WORLDS)
    table: bool = option(True, "keep what each round of M has found for the next")
    root_cut: bool = option(True, "stop at a root move that is as good as the best of M - 1")
    early_cut: bool = option(True, "leave what an earlier round has shown to be no better")
    late_cut: bool = option(True, "leave what the replies so far show to be no better")
    lost: bool = option(True, "worlds that are lost in one round are not asked of in the next")
    keep: bool = option(False, "keep the worlds that still fit from move to move")
    partner: str = one_of(
        "the player's partner, who is taken to see all cards, plays with him or against",
        "max",
        "min",
    )
    goal: float = option(1.0, "the reward that counts as won; in Bridge the contract does")
    dds: int = option(
        0,
        "solve endings of so many tricks or more by DDS, where installed; 0: none",
        low=0,
        high=13,
    )


class AlphaMuSearch:
    """alpha-mu over worlds that are drawn at random.

    Parameters
    ----------
    options
        See `AlphaMuOptions`.

    Examples
    --------
    >>> AlphaMuSearch(M=2, worlds=40).text
    'alphamu:M=2,worlds=40'
    """

    who = "alphamu"  # what refuses a game; PIMC with exact worlds is this search, too

    def __init__(self, **options: Any) -> None:
        self.options = AlphaMuOptions(**options)
        self.text = named_text("alphamu", options)

    @classmethod
    def parse(cls, text: str) -> AlphaMuSearch:
        """A search from alphamu[:OPTION=VALUE,...]."""
        named = parse_named(text)
        options = AlphaMuOptions.from_text(named.options)
        search = cls(**{name: getattr(options, name) for name in named.options})
        search.text = named.text
        return search

    def check(self, game: Game) -> None:
        """Refuse a game that alpha-mu cannot search."""
        name = type(game).__name__
        sides = len(set(game.teams)) if game.teams else game.players
        if sides != 2:
            raise OptionError(f"{self.who} is for two sides: {name} has {sides}")
        if game.chance or game.simultaneous:
            what = "luck" if game.chance else "moves at the same time"
            raise OptionError(f"{self.who} is for games without {what}, which {name} has")
        if type(game).seen is not Veiled.seen:
            raise OptionError(
                f"{self.who} is for games whose moves all see, and that show no more than "
                f"themselves: {name} has a seen() of its own"
            )

    def session(self, game: Game, **settings: Any) -> AlphaMuSession:
        """The search at work on a game; `seed`, `workers` and `compiled` as for a tree search."""
        from playout.worlds.alphamu_session import AlphaMuSession

        return AlphaMuSession(game, self, **settings)

    def __repr__(self) -> str:
        return f"AlphaMuSearch({self.text})"
