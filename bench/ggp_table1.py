"""Table 1 of the paper on games from rulesheets: which playout policies beat random ones.

python -m bench.ggp table1 --games 100 --workers 16 --out table1.json

C. Sironi, T. Cazenave and M. Winands, Enhancing Playout Policy Adaptation for GGP, 2021: UCT with
C = 0.7 and 1,000 simulations a move, the best mean played. A cell is a match between two players;
its games are recorded beside FILE, one file a cell, and what is recorded is not played again: a
measurement that was stopped goes on, on this machine or another, and `--games` may grow. Needs
$PLAYOUT_DATA with ggp/required. Cells take turns, a few games each, so that all of them have about
as many games whenever it is stopped; `--minutes` stops it.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from playout.experiments import ppa
from playout.matches.match import conduct
from playout.matches.match_result import MatchResult
from playout.matches.match_settings import MatchSettings
from playout.stop import Playouts
from playout.study.specification import Figure

COLUMNS = ppa.pairs_of(
    "PPA1 v random", "PPA0.32 v random", "MAST v random", "PPA1 v MAST", "PPA0.32 v MAST"
)
AT_A_TIME = 24  # games of a cell before it is the next one's turn: pairs, and rounds of six


def main(words: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.ggp table1")
    parser.add_argument("--games", type=int, default=100, help="of each cell")
    parser.add_argument("--workers", type=int, default=1, help="games at once, in processes")
    parser.add_argument("--simulations", type=int, default=1000, help="of a move")
    parser.add_argument("--minutes", type=float, default=1e9, help="after which it stops")
    parser.add_argument("--out", type=Path, required=True, help="the figures, as JSON")
    parser.add_argument("--only", default="", help="games whose name has this in it")
    given = parser.parse_args(words)
    end = time.monotonic() + 60 * given.minutes
    printed = {(cell.row, cell.column): cell.paper for cell in ppa.BASIC.cells}
    games = {label: game for label, game in ppa.GAMES.items() if given.only in label}
    records = given.out.with_suffix(".games")
    records.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {}
    for number in range(AT_A_TIME, given.games + AT_A_TIME, AT_A_TIME):
        for label, game in games.items():
            for column, players in COLUMNS.items():
                if time.monotonic() > end:
                    return
                name = f"{label} {column}".replace(" ", "-")
                settings = MatchSettings(
                    game,
                    players,
                    Playouts(given.simulations),
                    games=min(number, given.games),
                    seed=1,
                    workers=given.workers,
                    processes=True,
                    record=records / f"{name}-{given.simulations}.jsonl",
                )
                result = conduct(settings)
                line = figures(result, printed.get((label, column)))
                found[f"{label} {column}"] = line
                given.out.write_text(json.dumps(found, indent=1) + "\n")
                print(f"{label:14} {column:17} {shown(line)}", flush=True)


def figures(result: MatchResult, paper: Figure | None) -> dict[str, Any]:
    """A cell as data: ours with its interval, theirs, and whether the two say the same."""
    low, high = (100 * end for end in result.interval)
    data: dict[str, Any] = {"games": result.games, "percent": 100 * result.win_rate}
    data |= {"low": low, "high": high, "seconds": result.seconds}
    if paper is not None and paper.half is not None:
        data |= {"paper": paper.value, "paper_half": paper.half}
        theirs = (paper.value - paper.half > 50) - (paper.value + paper.half < 50)
        ours = (low > 50) - (high < 50)
        if theirs == 0:
            data["direction"] = "not decided in the paper"
        elif ours == 0:
            data["direction"] = "not decided yet"
        else:
            data["direction"] = "as in the paper" if ours == theirs else "against the paper"
    return data


def shown(line: dict[str, Any]) -> str:
    """A cell as text."""
    text = (
        f"{line['percent']:5.1f}% [{line['low']:.0f}, {line['high']:.0f}] {line['games']:4} games"
    )
    if "paper" in line:
        text += f"   paper {line['paper']:5.1f} ± {line['paper_half']:.1f}   {line['direction']}"
    return text
