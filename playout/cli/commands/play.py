"""`playout play`: a game in the terminal against any tree search."""

from __future__ import annotations

import argparse
import signal
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import Parser, keywords, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.game_arguments import GAME_HELP, add_search, deal_of, load_budget, separate
from playout.cli.live_line import waiting
from playout.cli.outputs import output_file
from playout.errors import OptionError, PlayoutError, nearest

if TYPE_CHECKING:
    from playout.adapters.live_game import LiveGame
    from playout.gametree.search_result import SearchResult

USAGE = "playout play GAME [-a SEARCH] [options]"

DESCRIPTION = """\
Play a game in the terminal against a tree search. Type a move as the game writes it (`moves`
lists them), or a command: `help` shows all of them. Nothing that was played is lost: the moves and
the position are printed at the end, however it comes, and --record keeps the game in a file.
"""

EPILOG = """\
examples:
  playout play connectfour                              you begin
  playout play breakthrough:6x6 -a grave --second       the search begins
  playout play hex:7 --simulations 20000 --record game.txt
      keep the game in a file; the same command goes on with it
  playout play nogo:7x7 --record game.sgf               SGF for Go, NoGo and Atarigo
  playout play connectfour:4x4 -a zero:model=four.safetensors
      against a network that playout train has made
  playout play tictactoe --position "x../.o./... x"     from a position
  playout play dotsandboxes:3x3,players=3 --seat 2      the second of three

exit code: 0 at the end of the game or of the input, 2 for a mistake in the command, 130 after
Ctrl-C
"""

COMMANDS = {
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


class HungUp(BaseException):
    """The terminal is gone."""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to play")
    what("GAME", GAME_HELP)
    seats = what.one_of()
    seat: dict[str, Any] = {"dest": "seat", "action": "store_const"}
    seats("--first", "you begin (the default)", const=1, default=1, **seat)
    seats("--second", "the search begins", const=2, **seat)
    seats("--seat N", "your seat, for more than two players", whole(1, "seat"))
    what("--position TEXT", "begin with this position, in the game's notation")
    what("--moves MOVES", "moves to play first, separated by blanks or commas", default="")
    what(
        "--record FILE",
        "keep the game in this file, written at every move; go on with the game in it if it "
        "exists. FILE.sgf is SGF for Go, NoGo and Atarigo",
    )
    add_search(parser.group("how the search plays, for each move"), "1")


def run(options: argparse.Namespace) -> int:
    """Play to the end of the game, or of the input."""
    live = _begin(options)
    before = signal.getsignal(signal.SIGHUP)
    if before is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, _hang_up)
    try:
        try:
            code = _play(live)
        except KeyboardInterrupt:
            print()
            code = INTERRUPTED
        except PlayoutError:
            _farewell(live)
            raise
        kept = _farewell(live)
        sys.stdout.flush()
        return code if kept else 2
    except HungUp:
        live.rescue()
        return 128 + 1
    except OSError:  # nobody can be told
        live.rescue()
        raise
    finally:
        signal.signal(signal.SIGHUP, before)


def _hang_up(number: int, frame: Any) -> None:
    raise HungUp


def _begin(options: argparse.Namespace) -> LiveGame:
    """The game that is to be played, at its start or where it was left."""
    from playout.adapters.game_under_way import open_session
    from playout.adapters.live_game import LiveGame, continued
    from playout.games import load_game
    from playout.stop import Seconds

    game = load_game(options.game)
    if options.seat > game.players:
        raise OptionError(f"--seat {options.seat}: {options.game} has {game.players} players")
    deal = deal_of(options, game)
    start, moves = game.root(deal), separate(options.moves)
    if options.position is not None:
        start = game.read_position(options.position)
    source, file = "--moves", _game_file(options, game)
    if file is not None and file.exists():
        if options.position is not None or moves:
            raise OptionError(f"{file} has a game already: leave --position and --moves out")
        played = continued(file, game, options.game)
        start, moves, source = played.first_state(str(file), game), played.moves, str(file)
        deal = played.deal
    session, budget = open_session(
        game,
        options.game,
        options.search,
        load_budget(options),
        compiled=not options.interpreted,
        **keywords(options, "seed", "workers", "open"),
    )
    stop = budget or Seconds(1.0)
    live = LiveGame(game, options.game, start, stop, session, options.seat - 1, deal)
    live.play_texts(moves, source)
    live.file, live.seed = file, options.seed
    if live.rewards() is not None:
        raise OptionError("the game is over there: there is nothing to play")
    return live


def _game_file(options: argparse.Namespace, game: Any) -> Path | None:
    from playout.adapters.sgf import RULES

    file = output_file("record", options.record)
    if file and file.suffix.lower() == ".sgf" and type(game).__name__ not in RULES:
        raise OptionError(f"--record {file}: SGF is for Go, NoGo and Atarigo; name a .txt")
    return file


def _play(live: LiveGame) -> int:
    """The game, move by move, until it is over or the person leaves."""
    if _in_terminal():
        with suppress(ImportError):  # lines can be edited
            import readline  # noqa: F401
    seats = "" if live.game.players == 2 else f" of {live.game.players}"
    print(
        f"{live.name}: you are player {live.seat + 1}{seats}, against {live.opponent}, "
        f"{live.budget()} a move; help shows the commands"
    )
    shown = -1
    while live.rewards() is None:
        if live.turn() != live.seat:
            _reply(live)
            continue
        if shown != len(live.moves):
            print()
            _board(live)
            shown = len(live.moves)
        line = _ask(live)
        if line is None:
            return 0
        if not line:
            continue
        word, _, rest = line.partition(" ")
        command = _COMMANDS.get(word.lower())
        try:
            if command is None:
                _move(live, line)
            elif command(live, rest.strip()):
                return 0
        except PlayoutError as error:
            print(" ".join(str(error).split()))
    return 0


def _in_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _ask(live: LiveGame) -> str | None:
    """The person's next line; None if there will be none."""
    if sys.stdin is None:  # closed
        return None
    prompt = f"player {live.seat + 1}> " if _in_terminal() else ""
    sys.stdout.flush()
    try:
        return input(prompt).strip()
    except EOFError:
        if prompt:
            print()
        return None
    except UnicodeDecodeError:
        print("that is no text")
        return ""


def _move(live: LiveGame, line: str) -> None:
    try:
        move = live.game.parse_move(live.here(), line)
    except PlayoutError as error:
        hint = nearest(line.lower(), _COMMANDS) if line.isalpha() and len(line) > 2 else ""
        hint = f" (or did you mean the command{hint[12:]})" if "did you mean" in hint else ""
        raise type(error)(f"{error}{hint}") from None
    live.play(move)
    _keep(live)
    _reveal(live)


def _reveal(live: LiveGame) -> None:
    """What was chosen at the same time, once all have chosen."""
    if moves := live.together():
        print("at the same time: " + ", ".join(f"player {s + 1} {text}" for s, text in moves))


def _reply(live: LiveGame) -> None:
    """The search's move."""
    from playout.adapters.game_under_way import wins_by_passing

    seat = live.turn()
    if wins_by_passing(live.game, live.states[-1]):
        live.play(live.game.parse_move(live.here(), "pass"))
        _keep(live)
        print(f"player {seat + 1} plays pass")
        return
    with waiting("thinking ..."):
        result = live.think()
    live.play(result.record)
    _keep(live)
    if live.together():
        _reveal(live)
        return
    if not live.sees_last_move():
        print(f"player {seat + 1} plays something that you do not see")
        return
    found = f"{_value(result)}, {result.simulations:,} simulations"
    if live.hides():
        found = f"{result.simulations:,} simulations"  # its value would tell of its cards
    if not result.simulations:  # by a player that does not search
        found = live.opponent
    print(f"player {seat + 1} plays {result.move}   ({found})")


def _value(result: SearchResult) -> str:
    return f"{'proven' if result.proven else 'value'} {result.value:.3f}"


def _keep(live: LiveGame) -> bool:
    """Write the file that was asked for; whether there is one that could be written."""
    try:
        live.write()
    except PlayoutError as error:
        print(f"not saved: {error}")
        return False
    return live.file is not None


def _board(live: LiveGame) -> None:
    print(live.board())


def _farewell(live: LiveGame) -> bool:
    """What the game came to, and how to go on with it; whether its file could be written."""
    rewards = live.rewards()
    if rewards is not None:
        if not live.resigned:
            print()
            _board(live)
        print(f"\n{live.ending(rewards)}")
    if live.moves:
        print(_wrapped(f"moves     {live.line()}", subsequent_indent=" " * 10))
        if rewards is None:
            print(f"go on     {live.go_on()}")
    kept = _keep(live)
    if kept:
        print(f"saved     {live.file}")
    return kept or live.file is None


def _wrapped(text: str, **settings: Any) -> str:
    return textwrap.fill(text, 96, break_long_words=False, break_on_hyphens=False, **settings)


# the commands; a true answer ends the game


def _help(live: LiveGame, rest: str) -> None:
    width = max(map(len, COMMANDS))
    print("a move, such as " + live.legal()[0] + ", or:")
    for name, meaning in COMMANDS.items():
        print(f"  {name:<{width}}  {meaning}")


def _show_board(live: LiveGame, rest: str) -> None:
    _board(live)


def _moves(live: LiveGame, rest: str) -> None:
    legal = live.legal()
    text = ("  " if any(" " in move for move in legal) else " ").join(legal)
    print(_wrapped(text))


def _hint(live: LiveGame, rest: str) -> None:
    with waiting("thinking ..."):
        result = live.think()
    if not result.simulations:
        print(f"{result.move}   ({live.opponent})")
        return
    print(f"{result.move}   ({_value(result)}; it expects {' '.join(result.variation)})")


def _view(live: LiveGame, rest: str) -> None:
    with waiting("thinking ..."):
        text = live.view()
    print(text)


def _undo(live: LiveGame, rest: str) -> None:
    taken = live.undo()
    if not taken:
        print("there is no move of yours to take back")
        return
    print(f"{taken} move{'s' if taken > 1 else ''} taken back")
    _keep(live)


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
    _keep(live)
    print(f"you are player {seat} now")


def _resign(live: LiveGame, rest: str) -> bool:
    live.resigned = True
    return True


def _quit(live: LiveGame, rest: str) -> bool:
    return True


_COMMANDS: dict[str, Callable[[LiveGame, str], bool | None]] = {
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
