"""`playout ggp`: rulesheets in the Game Description Language, and the GGP protocol."""

from __future__ import annotations

import argparse
import sys

from playout.cli.arguments import COUNT, SEED, Parser, duration, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import waiting
from playout.cli.plain_terminal import visible
from playout.errors import OptionError

USAGE = "playout ggp {check,play,serve} [FILE] [URL ...] [options]"

DESCRIPTION = """\
General game playing: games from rulesheets in the Game Description Language (GDL-I).

  check FILE           what is wrong or odd with a rulesheet, its sizes, simulations a second
  play                 a player that answers the GGP protocol by HTTP
  serve FILE URL ...   a game server: a match between players at these addresses, one for each role
                       in the order of the rulesheet; `random` in place of one moves at random
"""

EPILOG = """\
examples:
  playout ggp check connectFour.kif
  playout ggp play --port 9147 -a uct:playout=mast
  playout ggp serve connectFour.kif http://127.0.0.1:9147 random --start 20 --play 5

A rulesheet is a game for all other commands too: playout play gdl:connectFour.kif.
"""

PORT = whole(0, "port", "give a number from 0 to 65535")


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("what to do")
    what("ACTION", "check, play or serve")
    what("[FILE]", "a rulesheet, for check and serve")
    what("URL ...", "the players, for serve", default=[])
    play = parser.group("the player")
    play("-a SEARCH", "how it searches (default: uct)", dest="search", default="uct")
    play("--port N", "where it listens (default: 9147; 0: any that is free)", PORT, default=9147)
    play("--host H", "for whom (default: 127.0.0.1, this machine alone)", default="127.0.0.1")
    play("--interpreted", "search as plain Python: slow, but ready at once")
    serve = parser.group("the game server")
    serve("--start S", "the start clock (default: 30)", duration, default=30.0)
    serve("--play S", "the play clock (default: 10)", duration, default=10.0)
    serve("--games N", "matches (default: 1)", COUNT, default=1)
    serve("--quiet", "no line for each step")
    common = parser.group("all of them")
    common("--seed N", "seed of the random numbers (default: drawn)", SEED)
    common("--seconds S", "check: time of the search (default: 1)", duration, default=1.0)


def run(options: argparse.Namespace) -> int:
    """Do one of the three."""
    actions = {"check": _check, "play": _play, "serve": _serve}
    if options.action not in actions:
        raise OptionError(f"{options.action!r}: give check, play or serve")
    if options.action != "play" and options.file is None:
        raise OptionError(f"playout ggp {options.action}: name a rulesheet")
    if (options.action == "play" and options.file) or (options.action == "check" and options.url):
        raise OptionError(f"playout ggp {options.action}: one argument too many")
    try:
        return actions[options.action](options)
    except KeyboardInterrupt:
        return INTERRUPTED


def _check(options: argparse.Namespace) -> int:
    from playout.ggp.look_over import look_over

    seed = 1 if options.seed is None else options.seed
    with waiting("reading, compiling, playing ..."):
        found = look_over(options.file, options.search, options.seconds, seed=seed)
    print(found)
    return 0


def _play(options: argparse.Namespace) -> int:
    from playout.ggp.http_server import PlayerServer
    from playout.ggp.match_player import MatchPlayer, compile_sizes

    if options.port > 65535:
        raise OptionError(f"--port {options.port}: give a number from 0 to 65535")
    player = MatchPlayer(options.search, options.seed, _say, not options.interpreted)
    if player.compiled:
        _say("compiling ...")
        compile_sizes(player.search)
    try:
        server = PlayerServer(player, options.port, options.host)
    except (OSError, OverflowError) as error:
        raise OptionError(f"cannot listen on {options.host}:{options.port}: {error}") from None
    with server:
        host, port = server.server_address[:2]
        _say(f"listening on http://{host!s}:{port}")
        server.serve_forever()
    return 0


def _serve(options: argparse.Namespace) -> int:
    import secrets

    from playout.ggp.game import GDLGame
    from playout.ggp.game_server import GameServer
    from playout.ggp.rulesheet_file import rules_of_file

    game = GDLGame(options.file)
    rules = rules_of_file(options.file)
    server = GameServer(game, rules, options.url, options.start, options.play)
    seed = secrets.randbits(31) if options.seed is None else options.seed
    note = (lambda line: None) if options.quiet else _say
    for number in range(options.games):
        print(server.run(f"playout.{seed}.{number}", seed + number, note), flush=True)
    return 0


def _say(line: str) -> None:
    print(visible(line), file=sys.stderr, flush=True)
