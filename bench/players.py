"""The default player against every named tree search, at equal time: who wins, with intervals.

python -m bench.players                                  # a first look: 20 games each, 10 ms a move
python -m bench.players --games 200 --out players.json   # the table; the same command goes on
python -m bench.players hex:7 reversi --against uct      # these games, this opponent
python -m bench.players --simulations 1000               # at equal simulations instead

All games of a pair of players are played before the next; matches are over CPU-bound processes, one
a core, so that nothing else should run on the machine. Intervals are those of `playout match`.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from pathlib import Path
from typing import Any

import playout as po
from playout.text.output_files import write_json

GAMES = [
    "tictactoe",
    "connectfour",
    "breakthrough:6x6",
    "misere-breakthrough:6x6",
    "knightthrough:6x6",
    "misere-knightthrough:6x6",
    "domineering:8x8",
    "misere-domineering:8x8",
    "reversi",
    "hex:7",
    "dotsandboxes:4x4",
    "go:7x7",
    "atarigo:7x7",
    "nogo:7x7",
    "examples/kalah.py:Kalah",
]
AGAINST = ["uct", "rave", "grave", "ucb1tuned", "puct"]


def play(game: str, against: str, given: argparse.Namespace) -> dict[str, Any]:
    """One match of `auto`, as figures."""
    budget = {"simulations": given.simulations} if given.simulations else {"seconds": given.seconds}
    result = po.match(
        game, "auto", against, games=given.games, seed=1, workers=given.cores, **budget
    )
    score = result.score(0)
    low, high = score.interval
    return {
        "game": game,
        "against": against,
        "games": score.games,
        "score": round(score.win_rate, 4),
        "interval": [round(low, 4), round(high, 4)],
        **budget,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="GAME")
    parser.add_argument("--against", nargs="*", default=AGAINST)
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=0.01, help="for a move")
    parser.add_argument("--simulations", type=int)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--minutes", type=float, default=None, help="begin no match after these")
    parser.add_argument("--out", type=Path)
    given = parser.parse_args()
    found = json.loads(given.out.read_text())["rows"] if given.out and given.out.exists() else []
    known = {(row["game"], row["against"]) for row in found}
    print(f"{'game':30}{'against':12}{'games':>6}{'score':>8}  95% interval")
    start = time.perf_counter()
    for against in given.against:
        for game in given.names or GAMES:
            late = given.minutes and time.perf_counter() - start > 60 * given.minutes
            if (game, against) in known or late:
                continue
            row = play(game, against, given)
            low, high = row["interval"]
            print(
                f"{game:30}{against:12}{row['games']:6}{row['score']:8.1%}"
                f"  [{low:.1%}, {high:.1%}]",
                flush=True,
            )
            found.append(row)
            if given.out:
                write_json(given.out, {"rows": found})


if __name__ == "__main__":
    main()
