"""UCT against OpenSpiel's C++ MCTSBot: simulations per second, and playing strength.

    python -m bench.openspiel                       # all of it, about ten minutes
    python -m bench.openspiel --only speed-connectfour
    python -m bench.openspiel --games 40            # shorter matches
    python -m bench.openspiel --record FOLDER       # keep the games; go on after an interruption

Both have uniformly random rollouts, one for each simulation, and the same number of simulations.
Speed is per CPU second of one thread, from the start of the game, medians of neighbours measured
in turn. In the matches seats are swapped and seeds paired; OpenSpiel's bot has its default
uct_c = 2 for returns from -1 to 1, which is C = 1 for rewards from 0 to 1; ours has its default
C = 0.7 and, as the bot builds a new tree for each move, does the same (keep=false).

    pip install 'playout[openspiel]'
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import playout as po
from bench.common import HERE, row, store
from bench.speed import ratio
from playout.games import load_game
from playout.gametree.tree_session import TreeSession

UCT_C = 2.0
SPEED_SIMULATIONS = 50_000
STRENGTH_SIMULATIONS = {"connectfour": 1000, "breakthrough": 500}
WANTED = {"connectfour": 4, "breakthrough": 8}
THEIR_NAMES = {"connectfour": "connect_four", "breakthrough": "breakthrough"}
BOT = f"{HERE.parent / 'examples' / 'openspiel_player.py'}:MCTSPlayer"


def our_rate(name: str) -> Callable[[], float]:
    """Simulations per CPU second of UCT, from the start of the game."""
    session = TreeSession(load_game(name), po.TreeSearch("uct"), seed=1)
    session.run(po.Playouts(1000))  # compiled, and its memory touched

    def measure() -> float:
        session.set_position()
        start = time.thread_time()
        session.run(po.Playouts(SPEED_SIMULATIONS))
        return SPEED_SIMULATIONS / (time.thread_time() - start)

    measure()
    return measure


def their_rate(name: str) -> Callable[[], float]:
    """The same of OpenSpiel's bot."""
    import pyspiel

    game = pyspiel.load_game(THEIR_NAMES[name])

    def measure() -> float:
        bot = pyspiel.MCTSBot(
            game,
            pyspiel.RandomRolloutEvaluator(1, 1),
            UCT_C,
            SPEED_SIMULATIONS,
            10_000,
            False,
            1,
            False,
        )
        state = game.new_initial_state()
        start = time.thread_time()
        bot.mcts_search(state)
        return SPEED_SIMULATIONS / (time.thread_time() - start)

    return measure


def speed(name: str) -> dict[str, Any]:
    ours, theirs, value = ratio(our_rate(name), their_rate(name))
    what = f"UCT simulations per CPU second, {name}, against OpenSpiel's MCTSBot"
    return row(what, ours, theirs, value, WANTED[name])


def strength(name: str, games: int, folder: Path | None) -> dict[str, Any]:
    simulations = STRENGTH_SIMULATIONS[name]
    result = po.match(
        name,
        "uct:keep=false",
        f"{BOT}:c={UCT_C}",
        games=games,
        simulations=simulations,
        seed=1,
        record=folder / f"{name}-{simulations}-{games}.jsonl" if folder else None,
    )
    score = result.score()
    low, high = score.interval
    figures = row(
        f"UCT against OpenSpiel's MCTSBot, {name}, {simulations} simulations a move, {games} games:"
        " the upper end of the win rate's 95% interval",
        score.win_rate,
        None,
        high,
        0.5,
    )
    figures |= {"win rate": score.win_rate, "lower end": low, "upper end": high}
    return figures | {"wins": score.wins, "draws": score.draws, "losses": score.losses}


def main() -> None:
    rows: dict[str, Callable[[int, Path | None], dict[str, Any]]] = {
        "speed-connectfour": lambda games, folder: speed("connectfour"),
        "speed-breakthrough": lambda games, folder: speed("breakthrough"),
        "strength-connectfour": lambda games, folder: strength("connectfour", games, folder),
        "strength-breakthrough": lambda games, folder: strength("breakthrough", games, folder),
    }
    parser = argparse.ArgumentParser(
        prog="python -m bench.openspiel", description=__doc__.split("\n")[0]
    )
    parser.add_argument("--only", action="append", choices=rows, help="measure only this row")
    parser.add_argument("--games", type=int, default=400, help="games of a match (default: 400)")
    parser.add_argument("--record", type=Path, help="a folder for the games")
    args = parser.parse_args()
    try:
        import pyspiel  # noqa: F401
    except ImportError:
        raise SystemExit("OpenSpiel is missing: pip install 'playout[openspiel]'") from None
    for name, measure in rows.items():
        if args.only and name not in args.only:
            continue
        figures = measure(args.games, args.record)
        reached = "yes" if figures["reached"] else "NO"
        print(
            f"{name:22s} {figures['value']:7.3f} (>= {figures['least']}: {reached}) "
            f"{figures['what']}",
            flush=True,
        )
        for key in ("ours", "theirs", "win rate", "lower end", "wins", "draws", "losses"):
            if figures.get(key) is not None:
                print(f"{'':22s} {figures[key]:12,.3f} {key}", flush=True)
        store(f"openspiel {name}", figures)


if __name__ == "__main__":
    main()
