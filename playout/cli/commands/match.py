"""`playout match`: players against each other, with seats swapped, seeds paired and intervals."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING

from playout.cli.arguments import COUNT, GAMES, SEED, WORKERS, Parser, duration, keywords, whole
from playout.cli.game_arguments import add_calls
from playout.cli.live_line import LiveLine, waiting
from playout.cli.outputs import prints_aside
from playout.errors import OptionError

if TYPE_CHECKING:
    from playout.matches.match import MatchStanding

USAGE = (
    "playout match GAME PLAYER PLAYER [PLAYER ...] [options]\n"
    "       playout match --replay FILE [GAME]"
)

DESCRIPTION = """\
Play players against each other and say who is better: wins, draws and losses, the score with its
95% interval, the difference in Elo, the score in each seat. Games come in pairs with the same
seeds and opening and the seats swapped. With more than two players it is a round-robin with a
cross table and ratings. The same --seed and --simulations give the same games, bit for bit,
however many are played at once.

GAME is a name with a size and options (connectfour, breakthrough:6x6, hex:7, dotsandboxes:3x3), or
file.py:Class. A player is `auto`, the search that is usual for the game, `random`, a tree search
with its options (uct, uct:C=0.7, grave:bias=1e-5, uct:playout=mast,solver=true), a search over
worlds where players do not know everything (ismcts, pimc:worlds=20, openloop), or file.py:Class, a
playout.Player of your own. In a game of teams a player plays for a whole team. Nobody is shown what
he may not know.
Its options may have a budget of its own, simulations=N or seconds=S a move, and workers=N threads.
"""

EPILOG = """\
examples:
  playout match connectfour uct random --games 20 --simulations 200
      a first look
  playout match breakthrough:6x6 "uct:C=0.4" "grave:bias=1e-5" --games 500 --simulations 1000
      500 games on all cores, 1000 simulations a move each
  playout match hex:7 uct:simulations=2000 uct:simulations=1000 --games 200
      what twice the simulations are worth
  playout match connectfour uct:C=0.5 uct --sprt 0,30 --games 5000 --seconds 0.1
      until it is clear whether it is 30 Elo stronger, or not stronger; at most 5000 games
  playout match tictactoe uct rave grave random --games 50 --simulations 100
      a round-robin: 50 games of each two
  playout match connectfour uct grave --games 1000 --record games.jsonl
      every game is kept; after Ctrl-C or a crash the same command goes on
  playout match --replay games.jsonl
      play the transcript over by the rules, and check its results
  playout match my_game.py:Nim my_player.py:Greedy uct --json
      a game and a player of your own

exit code: 0 when the match is over, 1 when a replay does not agree, 2 for a mistake in the command,
130 after Ctrl-C
"""


def add(parser: Parser) -> None:
    """Declare the arguments."""
    what = parser.group("who plays what")
    what("[GAME]", "connectfour, hex:7, file.py:Class")
    text = "two or more: auto, random, uct:C=0.7, grave:bias=1e-5, file.py:Class"
    what("PLAYER ...", text, dest="players")
    how = parser.group("how to play")
    text = "of each two players (default: 100); with --sprt the most"
    how("--games N", text, GAMES, default=100)
    how("--simulations N", "of a search for each move (default: 1000)", COUNT)
    how("--seconds S", "for each move, in place of simulations", duration)
    add_calls(how)
    how(
        "--sprt ELO0,ELO1[,ALPHA,BETA]",
        "stop when a sequential test tells whether the first player is ELO1 stronger than the "
        "second, or only ELO0; wrong decisions ALPHA and BETA (default: 0.05 each)",
    )
    text = "random plies at the start, the same in both games of a pair (default: 0)"
    how("--opening N", text, whole(0, "number of plies"), default=0)
    text = "of the players and openings (default: drawn, and shown; or that of the transcript)"
    how("--seed N", text, SEED)
    text = "games at once, each in a process of its own (default: one a core)"
    how("--workers N", text, WORKERS)
    how.cluster()
    how("--open", "lay hidden cards and the luck to come open to all players")
    how("--interpreted", "run searches as plain Python, without compiling")
    files = parser.group("the transcript file")
    files(
        "--record FILE",
        "add each game as a line of JSON when it ends; games that are there are not played again",
    )
    files("--replay FILE", "play a transcript over by the rules, and check its results")
    parser.group("what to print").json_and_quiet()


def run(options: argparse.Namespace) -> int:
    """Play the match, or replay a transcript, and print what came of it."""
    if options.replay is not None:
        return _replay(options)
    if options.game is None:
        raise OptionError(
            "give a GAME and two players, as in: playout match connectfour uct random"
        )
    if len(options.players) < 2:
        raise OptionError(
            f"name at least two players, as in: playout match {options.game} uct random"
        )
    if options.simulations is not None and options.seconds is not None:
        raise OptionError("give --simulations or --seconds, not both: a move has one budget")
    if options.calls is not None and (options.simulations or options.seconds) is not None:
        raise OptionError("--calls, --simulations and --seconds: give one of them")
    if options.record is not None and not options.record:
        raise OptionError("--record: give the name of a file")
    from playout.matches.match import MatchStanding, conduct
    from playout.matches.match_settings import MatchSettings, move_budget
    from playout.matches.transcript import TranscriptNotWritten

    aside = prints_aside(options.json)
    wanted = not (options.json or options.quiet)
    unwritten: TranscriptNotWritten | None = None
    with (
        aside,
        LiveLine(
            MatchStanding.shown, _first(options), wanted, lambda s: _safe(options, 0, s)
        ) as line,
    ):
        settings = MatchSettings(
            options.game,
            tuple(options.players),
            move_budget(options.simulations, options.seconds, options.calls),
            compiled=not options.interpreted,
            processes=True,
            **keywords(options, "games", "seed", "opening", "record", "sprt", "open"),
            **keywords(options, "workers", "cluster"),
        )
        try:
            result = conduct(settings, line.update)
        except TranscriptNotWritten as error:
            result, unwritten = error.result, error
    if options.json:
        print(json.dumps(result.to_json(), allow_nan=False))
    else:
        print(result)
    if unwritten is not None:
        raise unwritten
    if result.stopped_by == "interrupt":
        raise KeyboardInterrupt(f"interrupted; {_safe(options, result.games, line.progress)}")
    return 0


def _first(options: argparse.Namespace) -> str:
    """What is shown until a game has ended."""
    return "the first games ..." if options.interpreted else "compiling, and the first games ..."


def _replay(options: argparse.Namespace) -> int:
    from playout.matches.replay import replay_transcript

    if options.players:
        raise OptionError("--replay takes a file, and a GAME at most: the players are in the file")
    if options.record is not None:
        raise OptionError("give --record or --replay, not both")
    with waiting("replaying ..."):
        replay = replay_transcript(options.replay, options.game)
    if options.json:
        data = {**replay.result.to_json(), "agrees": replay.agrees, "faults": replay.faults}
        print(json.dumps(data, allow_nan=False))
    else:
        print(replay.result)
        print()
        print(replay)
    return 0 if replay.agrees else 1


def _safe(options: argparse.Namespace, games: int, standing: MatchStanding | None) -> str:
    """What Ctrl-C leaves."""
    done = f"{games} of {standing.total} games" if standing else "no games"
    if options.record is not None:
        return f"{done} are in {options.record}, and the same command goes on from there"
    return f"{done} were finished; with --record FILE a match can be resumed"
