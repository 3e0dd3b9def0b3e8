"""`playout match`: players against each other, with seats swapped, seeds paired and intervals."""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from playout.cli.arguments import duration, whole
from playout.cli.failures import INTERRUPTED
from playout.cli.live_line import BAR, clock, waiting
from playout.errors import OptionError

if TYPE_CHECKING:
    from rich.text import Text

    from playout.matches.match import MatchStanding

DESCRIPTION = """\
Play players against each other and say who is better: wins, draws and losses, the score with its
95% interval, the difference in Elo, the score in each seat. Games come in pairs with the same
seeds and opening and the seats swapped. With more than two players it is a round-robin with a
cross table and ratings. The same --seed and --simulations give the same games, bit for bit,
however many are played at once.

GAME is a name with a size and options (connectfour, breakthrough:6x6, hex:7, dotsandboxes:3x3), or
file.py:Class. A player is `random`, a tree search with its options (uct, uct:C=0.7,
grave:bias=1e-5, uct:playout=mast,solver=true), or file.py:Class, a playout.Player of your own.
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
      play the record over by the rules, and check its results
  playout match my_game.py:Nim my_player.py:Greedy uct --json
      a game and a player of your own

exit code: 0 when the match is over, 1 when a replay does not agree, 2 for a mistake in the command,
130 after Ctrl-C
"""


def add(commands: Any) -> None:
    """Declare the command."""
    parser = commands.add_parser(
        "match",
        help="play players against each other: who is better?",
        description=DESCRIPTION,
        epilog=EPILOG,
        usage="playout match GAME PLAYER PLAYER [PLAYER ...] [options]\n"
        "       playout match --replay FILE [GAME]",
    )
    parser.set_defaults(run=run)
    what = parser.add_argument_group("who plays what")
    what.add_argument("game", metavar="GAME", nargs="?", help="connectfour, hex:7, file.py:Class")
    what.add_argument(
        "players", metavar="PLAYER", nargs="*",
        help="two or more: random, uct:C=0.7, grave:bias=1e-5, file.py:Class",
    )  # fmt: skip
    how = parser.add_argument_group("how to play")
    how.add_argument(
        "--games", metavar="N", default=100,
        type=whole(1, "number of games: give a whole number from 1"),
        help="of each two players (default: 100); with --sprt the most",
    )  # fmt: skip
    how.add_argument(
        "--simulations", metavar="N", type=whole(1, "count: give a whole number from 1"),
        help="of a search for each move (default: 1000)",
    )  # fmt: skip
    how.add_argument(
        "--seconds", metavar="S", type=duration, help="for each move, in place of simulations"
    )
    how.add_argument(
        "--sprt", metavar="ELO0,ELO1[,ALPHA,BETA]",
        help="stop when a sequential test tells whether the first player is ELO1 stronger than "
        "the second, or only ELO0; wrong decisions ALPHA and BETA (default: 0.05 each)",
    )  # fmt: skip
    how.add_argument(
        "--opening", metavar="N", default=0,
        type=whole(0, "number of plies: give a whole number from 0"),
        help="random plies at the start, the same in both games of a pair (default: 0)",
    )  # fmt: skip
    how.add_argument(
        "--seed", metavar="N", type=whole(0, "seed: give a whole number from 0"),
        help="of the players and openings (default: drawn, and shown; or that of the record)",
    )  # fmt: skip
    how.add_argument(
        "--workers", metavar="N",
        type=whole(1, "number of workers: give a whole number from 1"),
        help="games at once, each in a process of its own (default: one a core)",
    )  # fmt: skip
    how.add_argument(
        "--interpreted", action="store_true", help="run searches as plain Python, without compiling"
    )
    files = parser.add_argument_group("the transcript file")
    files.add_argument(
        "--record", metavar="FILE",
        help="add each game as a line of JSON when it ends; games that are there are not "
        "played again",
    )  # fmt: skip
    files.add_argument(
        "--replay", metavar="FILE", help="play a record over by the rules, and check its results"
    )
    output = parser.add_argument_group("what to print")
    output.add_argument(
        "--json", action="store_true", help="print one JSON object and nothing else"
    )
    output.add_argument("--quiet", action="store_true", help="no live line in a terminal")


def run(options: argparse.Namespace) -> int:
    """Play the match, or replay a record, and print what came of it."""
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
    if options.record is not None and not options.record:
        raise OptionError("--record: give the name of a file")
    from playout.matches.match import conduct

    # what a game or a player prints for its author's sake must not get into the object
    aside = contextlib.redirect_stdout(sys.stderr) if options.json else contextlib.nullcontext()
    with aside, _live(options) as line:
        result = conduct(
            options.game,
            options.players,
            games=options.games,
            simulations=options.simulations,
            seconds=options.seconds,
            seed=options.seed,
            opening=options.opening,
            workers=options.workers,
            record=options.record,
            sprt=options.sprt,
            compiled=not options.interpreted,
            progress=line.update,
            processes=True,
        )
    if options.json:
        print(json.dumps(result.to_json(), allow_nan=False))
    else:
        print(result)
    if result.stopped_by == "interrupt":
        _say_what_is_safe(options, result.games, line.standing)
        return INTERRUPTED
    return 0


def _replay(options: argparse.Namespace) -> int:
    from playout.matches.replay import replay_record

    if options.players:
        raise OptionError("--replay takes a file, and a GAME at most: the players are in the file")
    if options.record is not None:
        raise OptionError("give --record or --replay, not both")
    with waiting("replaying ..."):
        replay = replay_record(options.replay, options.game)
    if options.json:
        data = {**replay.result.to_json(), "agrees": replay.agrees, "faults": replay.faults}
        print(json.dumps(data, allow_nan=False))
    else:
        print(replay.result)
        print()
        print(replay)
    return 0 if replay.agrees else 1


def _say_what_is_safe(
    options: argparse.Namespace, games: int, standing: MatchStanding | None
) -> None:
    done = f"{games} of {standing.total} games" if standing else "no games"
    if options.record is not None:
        text = f"{done} are in {options.record}, and the same command goes on from there"
    else:
        text = f"{done} were finished; with --record FILE a match can be resumed"
    print(f"playout: interrupted; {text}", file=sys.stderr)


class _NoLine:
    """Shows nothing, but knows how far the match was."""

    def __init__(self) -> None:
        self.standing: MatchStanding | None = None

    def update(self, standing: MatchStanding) -> None:
        self.standing = standing


class _LiveLine(_NoLine):
    """A live line: games done, the score with its interval, the test, the time left."""

    def __init__(self) -> None:
        super().__init__()
        from rich.console import Console
        from rich.live import Live

        self._began = time.perf_counter()
        self.live = Live(
            console=Console(stderr=True), transient=True, refresh_per_second=4,
            get_renderable=self._draw,
        )  # fmt: skip

    def _draw(self) -> Text:
        from rich.text import Text

        text = Text(no_wrap=True, overflow="ellipsis")
        if self.standing is None or self.standing.done == 0:
            return text.append(f"starting ... {clock(time.perf_counter() - self._began)}")
        draw_standing(text, self.standing)
        return text


def draw_standing(text: Text, standing: MatchStanding) -> None:
    """Write how far a match is into a line."""
    full = round(standing.done / max(1, standing.total) * BAR)
    text.append("━" * full, "cyan").append("━" * (BAR - full) + "  ", "dim")
    text.append(f"{standing.done:,}", "bold green").append(f"/{standing.total:,} games  ")
    if len(standing.players) == 2:
        score = standing.tally.score(0)
        low, high = score.interval
        text.append(f"{score.wins}-{score.draws}-{score.losses}  ")
        text.append(f"{100 * score.win_rate:.1f}%", "bold")
        text.append(f" [{100 * low:.1f}, {100 * high:.1f}]  ")
    else:
        rates = [standing.tally.score(player) for player in range(len(standing.players))]
        best = max(range(len(rates)), key=lambda p: rates[p].win_rate if rates[p].games else -1)
        text.append(f"{standing.players[best]} leads with {100 * rates[best].win_rate:.1f}%  ")
    if standing.sprt is not None:
        low, high = standing.sprt.test.bounds()
        text.append(f"LLR {standing.sprt.llr:.2f} ({low:.2f}, {high:.2f})  ")
    text.append(clock(standing.seconds))
    if standing.seconds_left is not None:
        text.append(f", {clock(standing.seconds_left)} left", "dim")


@contextlib.contextmanager
def _live(options: argparse.Namespace) -> Iterator[_NoLine]:
    """A live line if it is wanted and stderr is a terminal; Ctrl-C says what is safe."""
    line = _NoLine()
    try:
        if sys.stderr.isatty() and not (options.json or options.quiet):
            line = _LiveLine()
            with line.live:
                yield line
        else:
            yield line
    except KeyboardInterrupt:
        _say_what_is_safe(options, 0, line.standing)
        raise SystemExit(INTERRUPTED) from None
