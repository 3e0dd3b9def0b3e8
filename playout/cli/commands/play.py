"""`playout play`: a game in the terminal against any tree search."""

from __future__ import annotations

import argparse
import signal
import sys
import textwrap
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from playout.cli.arguments import Parser, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.game_arguments import GAME_HELP, add_search, load_session
from playout.cli.live_line import waiting
from playout.errors import OptionError, PlayoutError, nearest

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
    table = _table(options)
    before = signal.getsignal(signal.SIGHUP)
    if before is signal.SIG_DFL:
        signal.signal(signal.SIGHUP, _hang_up)
    try:
        try:
            code = _play(table)
        except KeyboardInterrupt:
            print()
            code = INTERRUPTED
        except PlayoutError:
            _farewell(table)
            raise
        _farewell(table)
        sys.stdout.flush()
        return code
    except HungUp:
        table.rescue()
        return 128 + 1
    except OSError:  # nobody can be told
        table.rescue()
        raise
    finally:
        signal.signal(signal.SIGHUP, before)


def _hang_up(number: int, frame: Any) -> None:
    raise HungUp


def _table(options: argparse.Namespace) -> Any:
    from playout.adapters.live_game import Table, continued
    from playout.games import load_game
    from playout.text.output_files import check_writable

    game = load_game(options.game)
    if options.seat > game.players:
        raise OptionError(f"--seat {options.seat}: {options.game} has {game.players} players")
    start, moves = game.root(), _words(options.moves)
    if options.position is not None:
        start = game.read_position(options.position)
    source, file = "--moves", None
    if options.record is not None:
        file = Path(options.record)
        _check_record(options, game, file)
        check_writable(file)
        if file.exists():
            if options.position is not None or moves:
                raise OptionError(f"{file} has a game already: leave --position and --moves out")
            record = continued(file, game, options.game)
            start, moves, source = record.first_state(str(file), game), record.moves, str(file)
    session, stop = load_session(options, game, 1.0)
    table = Table(game, options.game, start, stop, session, options.seat - 1)
    table.play_texts(moves, source)
    table.file = file
    if table.rewards() is not None:
        raise OptionError("the game is over there: there is nothing to play")
    return table


def _check_record(options: argparse.Namespace, game: Any, file: Path) -> None:
    from playout.adapters.sgf import RULES

    if not options.record:
        raise OptionError("--record: give the name of a file")
    if file.suffix.lower() == ".sgf" and type(game).__name__ not in RULES:
        raise OptionError(f"--record {file}: SGF is for Go, NoGo and Atarigo; name a .txt")


def _words(text: str) -> list[str]:
    words = text.split(",") if "," in text else text.split()
    return [word.strip() for word in words if word.strip()]


def _play(table: Any) -> int:
    """The game, move by move, until it is over or the person leaves."""
    if _in_terminal():
        with suppress(ImportError):  # lines can be edited
            import readline  # noqa: F401
    seats = "" if table.game.players == 2 else f" of {table.game.players}"
    print(f"{table.name}: you are player {table.seat + 1}{seats}, against {table.search}, "
          f"{table.budget()} a move; help shows the commands")  # fmt: skip
    shown = -1
    while table.rewards() is None:
        if table.turn() != table.seat:
            _reply(table)
            continue
        if shown != len(table.texts):
            print()
            _board(table)
            shown = len(table.texts)
        line = _ask(table)
        if line is None:
            return 0
        if not line:
            continue
        word, _, rest = line.partition(" ")
        command = _COMMANDS.get(word.lower())
        try:
            if command is None:
                _move(table, line)
            elif command(table, rest.strip()):
                return 0
        except PlayoutError as error:
            print(" ".join(str(error).split()))
    return 0


def _in_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _ask(table: Any) -> str | None:
    """The person's next line; None if there will be none."""
    if sys.stdin is None:  # closed
        return None
    prompt = f"player {table.seat + 1}> " if _in_terminal() else ""
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


def _move(table: Any, line: str) -> None:
    try:
        move = table.game.parse_move(table.here(), line)
    except PlayoutError as error:
        hint = nearest(line.lower(), _COMMANDS) if line.isalpha() and len(line) > 2 else ""
        hint = f" (or did you mean the command{hint[12:]})" if "did you mean" in hint else ""
        raise type(error)(f"{error}{hint}") from None
    table.play(move)
    _keep(table)


def _reply(table: Any) -> None:
    """The search's move."""
    from playout.adapters.gtp import wins_by_passing

    seat = table.turn()
    if wins_by_passing(table.game, table.states[-1]):
        table.play(table.game.parse_move(table.here(), "pass"))
        _keep(table)
        print(f"player {seat + 1} plays pass")
        return
    with waiting("thinking ..."):
        result = table.think()
    table.play(result.record)
    _keep(table)
    known = "proven" if result.proven else "value"
    print(f"player {seat + 1} plays {result.move}   ({known} {result.value:.3f}, "
          f"{result.simulations:,} simulations)")  # fmt: skip


def _keep(table: Any) -> bool:
    """Write the file that was asked for; whether there is one that could be written."""
    try:
        table.write()
    except PlayoutError as error:
        print(f"not saved: {error}")
        return False
    return table.file is not None


def _board(table: Any) -> None:
    print(table.game.render(table.here()).rstrip("\n"))


def _farewell(table: Any) -> None:
    """What the game came to, and how to go on with it."""
    rewards = table.rewards()
    if rewards is not None:
        if not table.resigned:
            print()
            _board(table)
        print(f"\n{_result(table, rewards)}")
    if table.texts:
        print(textwrap.fill(f"moves     {table.line()}", 96, subsequent_indent=" " * 10,
                            break_long_words=False, break_on_hyphens=False))  # fmt: skip
        if rewards is None:
            print(f"go on     {table.go_on()}")
    if _keep(table):
        print(f"saved     {table.file}")


def _result(table: Any, rewards: list[float]) -> str:
    if table.resigned:
        return "you resigned"
    best = max(rewards)
    winners = [seat for seat, reward in enumerate(rewards) if reward == best]
    if len(winners) == len(rewards):
        return "a draw" if len(rewards) > 1 else f"the end: {best:g}"
    if winners == [table.seat]:
        return "you win"
    names = ["you" if seat == table.seat else f"player {seat + 1}" for seat in winners]
    return f"{' and '.join(names)} win{'s' if len(names) == 1 else ''}"


# the commands; a true answer ends the game


def _help(table: Any, rest: str) -> None:
    width = max(map(len, COMMANDS))
    print("a move, such as " + table.legal()[0] + ", or:")
    for name, meaning in COMMANDS.items():
        print(f"  {name:<{width}}  {meaning}")


def _show_board(table: Any, rest: str) -> None:
    _board(table)


def _moves(table: Any, rest: str) -> None:
    legal = table.legal()
    text = ("  " if any(" " in move for move in legal) else " ").join(legal)
    print(textwrap.fill(text, 96, break_long_words=False, break_on_hyphens=False))


def _hint(table: Any, rest: str) -> None:
    with waiting("thinking ..."):
        result = table.think()
    known = "proven" if result.proven else "value"
    print(f"{result.move}   ({known} {result.value:.3f}; it expects {' '.join(result.variation)})")


def _view(table: Any, rest: str) -> None:
    with waiting("thinking ..."):
        text = table.view()
    print(text)


def _undo(table: Any, rest: str) -> None:
    taken = table.undo()
    if not taken:
        print("there is no move of yours to take back")
        return
    print(f"{taken} move{'s' if taken > 1 else ''} taken back")
    _keep(table)


def _position(table: Any, rest: str) -> None:
    print(table.game.position_text(table.here()))


def _save(table: Any, rest: str) -> None:
    from playout.adapters.game_record import save_record

    if not rest:
        raise OptionError("save where? give a name: save game.txt")
    save_record(table.record(), rest)
    print(f"saved {rest}")


def _switch(table: Any, rest: str) -> None:
    players = table.game.players
    seat = str(3 - (table.seat + 1)) if players == 2 and not rest else rest
    if not seat.isdecimal() or not 1 <= int(seat) <= players:
        raise OptionError(f"switch to which seat? give a number from 1 to {players}")
    table.seat = int(seat) - 1
    _keep(table)
    print(f"you are player {seat} now")


def _resign(table: Any, rest: str) -> bool:
    table.resigned = True
    return True


def _quit(table: Any, rest: str) -> bool:
    return True


_COMMANDS: dict[str, Callable[[Any, str], bool | None]] = {
    "help": _help, "?": _help, "board": _show_board, "moves": _moves, "hint": _hint,
    "view": _view, "undo": _undo, "position": _position, "save": _save, "switch": _switch,
    "resign": _resign, "quit": _quit, "exit": _quit,
}  # fmt: skip
