"""What a person may type in a game besides a move, and what it does."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from playout.cli.live_line import LiveLine
from playout.errors import OptionError, PlayoutError
from playout.text.live_words import Shown

if TYPE_CHECKING:
    from playout.adapters.live_game import LiveGame
    from playout.gametree.search_result import SearchResult

HELP = {
    "help": "this list",
    "board": "show the board again",
    "moves": "the legal moves",
    "hint": "what the search would play",
    "view": "what the search thinks: its best moves with visits, values and the variation",
    "undo": "take back your last move, and what was played since",
    "position": "the position in one line",
    "save FILE": "keep the game in a file; FILE.sgf is SGF for Go, NoGo and Atarigo",
    "switch": "change sides with the search (with more than two players: switch SEAT)",
    "resign": "give the game up",
    "quit": "leave; the position is printed",
}


def value(result: SearchResult) -> str:
    """What the search thinks of its move."""
    return f"{'proven' if result.proven else 'value'} {result.value:.3f}"


def think(live: LiveGame) -> SearchResult:
    """What the search would play, with a line that says what it is at meanwhile."""
    line = LiveLine(
        lambda result: Shown([f"thinking ... {result.simulations:,} simulations"]),
        "thinking (what is new is compiled first) ...",
    )
    with line:
        return live.think(line.update if line.drawn else None)


def keep(live: LiveGame) -> bool:
    """Write the file that was asked for; whether there is one that could be written."""
    try:
        live.write()
    except PlayoutError as error:
        print(f"not saved: {error}")
        return False
    return live.file is not None


def wrapped(text: str, **settings: Any) -> str:
    """Text in lines that fit a terminal; no move is broken in two."""
    return textwrap.fill(text, 96, break_long_words=False, break_on_hyphens=False, **settings)


# the commands; a true answer ends the game


def _help(live: LiveGame, rest: str) -> None:
    width = max(map(len, HELP))
    print("a move, such as " + live.legal()[0] + ", or:")
    for name, meaning in HELP.items():
        print(f"  {name:<{width}}  {meaning}")


def _show_board(live: LiveGame, rest: str) -> None:
    print(live.board())


def _moves(live: LiveGame, rest: str) -> None:
    legal = live.legal()
    text = ("  " if any(" " in move for move in legal) else " ").join(legal)
    print(wrapped(text))


def _hint(live: LiveGame, rest: str) -> None:
    result = think(live)
    if not result.simulations:
        print(f"{result.move}   ({live.opponent})")
        return
    print(f"{result.move}   ({value(result)}; it expects {' '.join(result.variation)})")


def _view(live: LiveGame, rest: str) -> None:
    think(live)
    print(live.view())


def _undo(live: LiveGame, rest: str) -> None:
    taken = live.undo()
    if not taken:
        print("there is no move of yours to take back")
        return
    print(f"{taken} move{'s' if taken > 1 else ''} taken back")
    keep(live)


def _position(live: LiveGame, rest: str) -> None:
    if live.hides():
        raise OptionError("the position would tell what you do not know")
    print(live.game.position_text(live.here()))


def _save(live: LiveGame, rest: str) -> None:
    from playout.adapters.game_files import save_game_file

    if not rest:
        raise OptionError("save where? give a name: save game.txt")
    save_game_file(live.played(), rest)
    print(f"saved {rest}")


def _switch(live: LiveGame, rest: str) -> None:
    players = live.game.players
    seat = str(3 - (live.seat + 1)) if players == 2 and not rest else rest
    if not seat.isdecimal() or not 1 <= int(seat) <= players:
        raise OptionError(f"switch to which seat? give a number from 1 to {players}")
    live.seat = int(seat) - 1
    keep(live)
    print(f"you are player {seat} now")


def _resign(live: LiveGame, rest: str) -> bool:
    live.resigned = True
    return True


def _quit(live: LiveGame, rest: str) -> bool:
    return True


COMMANDS: dict[str, Callable[[LiveGame, str], bool | None]] = {
    "help": _help,
    "?": _help,
    "board": _show_board,
    "moves": _moves,
    "hint": _hint,
    "view": _view,
    "undo": _undo,
    "position": _position,
    "save": _save,
    "switch": _switch,
    "resign": _resign,
    "quit": _quit,
    "exit": _quit,
}
