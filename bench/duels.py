"""Strength of several threads at equal time: matches side by side that share out the cores.

python -m bench.duels --minutes 5.5 --records FOLDER            # all, on 16 idle cores
python -m bench.duels hex-slowtree --threads 2 --games 20       # one, small

A search has a core for each of its threads (gated_player.py), so any number of games may be under
way: those that wait do so off their clock. All duels go on side by side, each in a record of its
own; stopped by the minutes or by hand, the same command goes on from there.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from bench.gated_player import FOLDER, make_tickets
from playout.matches.match import conduct
from playout.matches.match_result import MatchResult
from playout.matches.match_settings import MatchSettings
from playout.stop import Seconds

ROOT = Path(__file__).parent.parent
GAMES = {"breakthrough": "breakthrough:8x8", "hex": "hex:11x11"}
PLAYER = "bench/gated_player.py:Gated"
SCHEMES = {  # the threads stand for {}
    "slowtree": (
        "parallel=slow-tree,graph=uct3,threads={}",
        "parallel=root,graph=uct3,threads={}",
    ),
    "threelevels": (
        "parallel=slow-tree,graph=uct3,levels=3,threads={}",
        "parallel=root,graph=uct3,threads={}",
    ),
    "threads": ("threads={}", "threads=1"),
}
DUELS = [f"{game}-{scheme}" for scheme in SCHEMES for game in GAMES]


def duel(name: str, options: argparse.Namespace) -> MatchResult:
    """Play what is missing of a duel until there are so many games or the time is over."""
    game, scheme = name.split("-")
    players = tuple(f"{PLAYER}:{text.format(options.threads)}" for text in SCHEMES[scheme])
    settings = MatchSettings(
        GAMES[game],
        players,
        Seconds(options.seconds),
        games=options.games,
        seed=options.seed,
        opening=options.opening,
        workers=options.at_once,
        record=options.records / f"{name}.jsonl",
        processes=True,
    )
    signal.setitimer(signal.ITIMER_REAL, 60 * options.minutes)
    return conduct(settings)


def told(name: str, result: MatchResult) -> str:
    """The outcome in a line: the first player's share, and how much each has searched."""
    low, high = result.interval
    moves = sum(game.plies - result.match.opening for game in result.transcript) / 2
    made = [result.thinking(player)[1] / moves for player in (0, 1)]
    return (
        f"{name}: {result.win_rate:.3f} [{low:.3f}, {high:.3f}] of {result.games} games, "
        f"{made[0]:,.0f} and {made[1]:,.0f} simulations a move ({result.match.budgets[0]})"
    )


def all_together(options: argparse.Namespace) -> None:
    """A process for each duel, over one set of tickets."""
    with tempfile.TemporaryDirectory() as folder:
        make_tickets(Path(folder), options.cores)
        given = [word for word in sys.argv[1:] if word not in options.duels]
        duels = [
            subprocess.Popen(
                [sys.executable, "-m", "bench.duels", name, *given, "--records", options.records],
                cwd=ROOT,
                env=os.environ | {FOLDER: folder},
            )
            for name in options.duels
        ]
        try:
            for process in duels:
                process.wait()
        except KeyboardInterrupt:  # they have heard of it too, and tell what they have
            for process in duels:
                process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.duels")
    parser.add_argument("duels", nargs="*", metavar="DUEL", help=", ".join(DUELS))
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--seconds", type=float, default=0.01, help="for a move")
    parser.add_argument("--minutes", type=float, default=5.5)
    parser.add_argument("--opening", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=3, help="games of each duel")
    parser.add_argument("--cores", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--records", type=Path, default=Path(tempfile.gettempdir()))
    options = parser.parse_args()
    if unknown := set(options.duels) - set(DUELS):
        parser.error(f"there is no duel {min(unknown)}: {', '.join(DUELS)}")
    options.duels = options.duels or DUELS
    options.records = options.records.resolve()
    options.records.mkdir(parents=True, exist_ok=True)
    if FOLDER not in os.environ:
        all_together(options)
        return
    for ending in (signal.SIGTERM, signal.SIGALRM):  # as Ctrl-C: what has ended counts
        signal.signal(ending, lambda *_: signal.raise_signal(signal.SIGINT))
    (name,) = options.duels
    try:
        print(told(name, duel(name, options)), flush=True)
    except KeyboardInterrupt:
        print(f"{name}: no game has ended", flush=True)


if __name__ == "__main__":
    main()
