"""The default player against every named tree search, at equal time: who wins, with intervals.

    python -m bench.players --out FILE                  # a first look: 20 games each, 10 ms a move
    python -m bench.players --out FILE --games 200 --minutes 8.5    # the table; it can go on
    python -m bench.players --out FILE hex:7 reversi --against uct  # these games, this opponent
    python -m bench.players --out FILE --simulations 1000           # at equal simulations instead

A match is played by one process, as many matches at once as there are cores, the longest first:
nothing else should run on the machine. Where the default player is the other one there is nothing
to play. Intervals are those of `playout match`.
"""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import playout as po
from bench.many_runs import Runs, rows
from playout.games import load_game
from playout.gametree.usual_search import usual_search

# by the length of a game, the longest first
GAMES = [
    "go:7x7",
    "reversi",
    "misere-breakthrough:6x6",
    "misere-knightthrough:6x6",
    "breakthrough:6x6",
    "dotsandboxes:4x4",
    "examples/kalah.py:Kalah",
    "hex:7",
    "connectfour",
    "nogo:7x7",
    "atarigo:7x7",
    "knightthrough:6x6",
    "domineering:8x8",
    "misere-domineering:8x8",
    "tictactoe",
]
AGAINST = ["uct", "rave", "grave", "ucb1tuned", "puct"]
PLIES = 80  # of a long game


Task = tuple[str, str, dict[str, Any]]


def play(task: Task) -> dict[str, Any]:
    """One match of `auto`, as figures."""
    game, against, how = task
    result = po.match(game, "auto", against, seed=1, workers=1, **how)
    score = result.score(0)
    low, high = score.interval
    return {
        "game": game,
        "against": against,
        "score": round(score.win_rate, 4),
        "interval": [round(low, 4), round(high, 4)],
        **how,
    }


def compile_all(game: str) -> None:
    """Fill the cache with what the matches of a game need."""
    for against in AGAINST:
        po.match(game, "auto", against, games=1, seed=1, workers=1, simulations=2)


def is_of(row: dict[str, Any], how: dict[str, Any]) -> bool:
    """Whether a match was played so."""
    return all(row.get(name) == value for name, value in how.items())


def tasks(given: argparse.Namespace, how: dict[str, Any]) -> Iterator[Task]:
    """The matches that were not played yet."""
    played = {(row["game"], row["against"]) for row in rows(given.out) if is_of(row, how)}
    for game in given.names or GAMES:
        itself = usual_search(load_game(game))
        for against in given.against:
            if (game, against) not in played and against != itself:
                yield game, against, how


def report(given: argparse.Namespace, how: dict[str, Any]) -> None:
    print(f"{'game':30}{'against':12}{'games':>6}{'score':>8}  95% interval")
    for row in rows(given.out):
        if is_of(row, how):
            low, high = row["interval"]
            behind = "  BEHIND" if high < 0.5 else ""
            print(f"{row['game']:30}{row['against']:12}{row['games']:6}{row['score']:8.1%}", end="")
            print(f"  [{low:.1%}, {high:.1%}]{behind}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--against", nargs="*", default=AGAINST)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.01, help="for a move")
    parser.add_argument("--simulations", type=int)
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--minutes", type=float, default=math.inf)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    how: dict[str, Any] = {"games": given.games}
    how |= {"simulations": given.simulations} if given.simulations else {"seconds": given.seconds}
    longest = 0.0 if given.simulations else given.games * PLIES * given.seconds
    with Runs(given.cores, given.minutes, longest) as runs:
        runs.prepare(compile_all, given.names or GAMES)
        runs.perform(play, tasks(given, how), given.out)
    report(given, how)


if __name__ == "__main__":
    main()
