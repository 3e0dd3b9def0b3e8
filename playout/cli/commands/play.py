"""`playout play`: a game in the terminal against any tree search."""

from __future__ import annotations

import argparse
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import Parser, keywords, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.game_arguments import (
    GAME_HELP,
    add_calls,
    add_search,
    deal_of,
    load_budget,
    separate,
)
from playout.cli.outputs import output_file
from playout.cli.play_commands import COMMANDS, keep, think, value, wrapped
from playout.errors import OptionError, PlayoutError, nearest

if TYPE_CHECKING:
    from playout.adapters.live_game import LiveGame

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
    how = parser.group("how the search plays, for each move")
    add_search(how, "1")
    add_calls(how)


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
        load_budget(options, game),
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
            print(live.board())
            shown = len(live.moves)
        line = _ask(live)
        if line is None:
            return 0
        if not line:
            continue
        word, _, rest = line.partition(" ")
        command = COMMANDS.get(word.lower())
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
        hint = nearest(line.lower(), COMMANDS) if line.isalpha() and len(line) > 2 else ""
        hint = f" (or did you mean the command{hint[12:]})" if "did you mean" in hint else ""
        raise type(error)(f"{error}{hint}") from None
    live.play(move)
    keep(live)
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
        keep(live)
        print(f"player {seat + 1} plays pass")
        return
    result = think(live)
    live.play(result.record)
    keep(live)
    if live.together():
        _reveal(live)
        return
    if not live.sees_last_move():
        print(f"player {seat + 1} plays something that you do not see")
        return
    found = f"{value(result)}, {result.simulations:,} simulations"
    if live.hides():
        found = f"{result.simulations:,} simulations"  # its value would tell of its cards
    if not result.simulations:  # by a player that does not search
        found = live.opponent
    print(f"player {seat + 1} plays {result.move}   ({found})")


def _farewell(live: LiveGame) -> bool:
    """What the game came to, and how to go on with it; whether its file could be written."""
    rewards = live.rewards()
    if rewards is not None:
        if not live.resigned:
            print()
            print(live.board())
        print(f"\n{live.ending(rewards)}")
    if live.moves:
        print(wrapped(f"moves     {live.line()}", subsequent_indent=" " * 10))
        if rewards is None:
            print(f"go on     {live.go_on()}")
    kept = keep(live)
    if kept:
        print(f"saved     {live.file}")
    return kept or live.file is None
