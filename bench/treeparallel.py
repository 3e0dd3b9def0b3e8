"""Parallel schemes of the tree search: two workers against one, on Connect Four.

python -m bench.treeparallel                    # all
python -m bench.treeparallel speed              # simulations per second of each scheme
python -m bench.treeparallel busy               # of tree and root, on a machine that is busy
python -m bench.treeparallel strength           # tree-parallel at equal simulations, a match
python -m bench.treeparallel strength --games 400 --simulations 1000 5000
python -m bench.treeparallel scale --threads 1,2,4,8,16 --json FILE   # on idle cores

Speed is that of searches in which both threads had a processor nearly all the time: on a machine
with other work to do few have, so they are short and many, one worker and two in turn. Where none
has, `busy` times every single simulation by the processor's clock and takes those that ended while
the other thread was running too; what was interrupted is left out.
"""

from __future__ import annotations

import argparse
import json
import os
import threading
import time
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

import playout as po
from bench.common import machine, store
from playout.compiled import kernel
from playout.games import load_game
from playout.gametree.shared_counters import take_tickets
from playout.gametree.simulate import hand_in_all, one_simulation
from playout.gametree.tree_arrays import SLOT, TreeArrays
from playout.gametree.tree_session import TreeSession

SECONDS = 0.15  # of a search
HAD_PROCESSORS = 0.9  # share of the wall time that each thread was running, at least
SCHEMES = {
    "tree": "uct:parallel=tree",
    "root": "uct:parallel=root",
    "leaf": "uct:parallel=leaf",
    "slow-tree": "uct:parallel=slow-tree,graph=uct3",
}
LEAST = {"tree": 1.6}
PARTS = ("speed", "busy", "strength", "scale")
GAMES = ("connectfour", "breakthrough:8x8", "hex:11x11")


def speed(rounds: int, names: list[str]) -> dict[str, Any]:
    """Simulations per second with one worker and with two, of each scheme."""
    game = po.games.ConnectFour()
    sessions = {
        (name, workers): TreeSession(
            game, po.TreeSearch.parse(SCHEMES[name]), seed=1, workers=workers
        )
        for name in names
        for workers in (1, 2)
    }
    found: dict[tuple[str, int], list[tuple[float, float]]] = {key: [] for key in sessions}
    for session in sessions.values():
        _search(session)  # compile
    for _ in range(rounds):
        for key, session in sessions.items():
            found[key].append(_search(session))
    figures = {}
    print(f"{'scheme':10} {'1 worker':>12} {'2 workers':>12} {'ratio':>6}   rounds that count")
    for name in names:
        rates = {}
        for workers in (1, 2):
            rounds_of = found[name, workers]
            good = [rate for rate, share in rounds_of if share >= HAD_PROCESSORS]
            # threads that wait for each other never have a processor all the time
            rates[workers] = median(good or [rate for rate, _ in rounds_of])
            figures[f"{name}, rounds, {workers}"] = len(good)
        ratio = rates[2] / rates[1] if rates[1] else 0.0
        wanted = f"   (wanted: at least {LEAST[name]})" if name in LEAST else ""
        counts = [figures[f"{name}, rounds, {workers}"] for workers in (1, 2)]
        print(
            f"{name:10} {rates[1]:12,.0f} {rates[2]:12,.0f} {ratio:6.2f}   "
            f"{counts[0]} and {counts[1]} of {rounds}{wanted}"
        )
        figures[name] = {
            "one": round(rates[1]),
            "two": round(rates[2]),
            "ratio": round(ratio, 3),
            "rounds": counts,
            "least": LEAST.get(name),
        }
    return {name: figures[name] for name in names}


def _search(session: TreeSession) -> tuple[float, float]:
    """Simulations per second of a search, and the share of a processor that each thread had."""
    session.set_position()
    wall, processor = time.perf_counter(), time.process_time()
    result = session.run(po.Seconds(SECONDS))
    share = (time.process_time() - processor) / (time.perf_counter() - wall) / result.workers
    return result.simulations / result.seconds, share


@intrinsic
def cycles(typingctx: Any) -> Any:
    """The processor's clock."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        call = ir.FunctionType(ir.IntType(64), [])
        name = "llvm.readcyclecounter"
        return builder.call(cgutils.get_or_insert_function(builder.module, call, name), [])

    return types.int64(), codegen


@kernel
def timed(tree, game, policy, backup, playout, slot, limit, ends):
    """As `simulate`; when each simulation ended, and how many there were."""
    n = 0
    while True:
        first, end = take_tickets(tree.counters, limit)
        for number in range(first, end):
            one_simulation(tree, game, policy, backup, playout, slot, number)
            ends[n] = cycles()
            n += 1
        if first == end:
            hand_in_all(tree, policy, slot)
            return n


def busy(rounds: int, simulations: int = 100_000) -> dict[str, Any]:
    """What a simulation takes alone and while another thread simulates, in the same tree or not."""
    game, spent = po.games.ConnectFour(), {"one": [], "tree": [], "root": []}
    sessions = {
        "one": TreeSession(game, po.TreeSearch("uct"), seed=1),
        "tree": TreeSession(game, po.TreeSearch("uct"), seed=1, workers=2),
        "root": TreeSession(game, po.TreeSearch("uct", parallel="root"), seed=1, workers=2),
    }
    for _ in range(rounds):
        for name, session in sessions.items():
            session.set_position()
            session.team.begin(1, 1)
            trees = session.team.trees * (2 if name == "tree" else 1)
            spent[name].append(_timed(session, trees, simulations))
    mean = {name: float(np.mean(np.concatenate(parts))) for name, parts in spent.items()}
    figures = {}
    for name in ("tree", "root"):
        n = sum(len(part) for part in spent[name])
        figures[name] = {"ratio": round(2 * mean["one"] / mean[name], 3), "simulations": n}
        print(
            f"{name:10} {mean[name] / mean['one']:.2f} times as long as alone: two threads do "
            f"{figures[name]['ratio']:.2f} times as many ({n:,} simulations)"
        )
    return figures


def _timed(session: TreeSession, trees: list[TreeArrays], simulations: int) -> np.ndarray:
    """What simulations took, in cycles, those that neither thread was interrupted in."""
    ends = [np.zeros(simulations, np.int64) for _ in trees]
    done = [0] * len(trees)
    limit = simulations if len(set(map(id, trees))) == 1 else simulations // 2

    def task(worker: int) -> None:
        os.sched_setaffinity(0, {worker})  # a processor for each
        slot = worker * SLOT if trees[0] is trees[-1] else 0
        search = session.algorithm
        parts = session.game, search.policy, search.backup, session.team.playouts[worker]
        done[worker] = timed(trees[worker], *parts, slot, limit, ends[worker])

    threads = [threading.Thread(target=task, args=(worker,)) for worker in range(len(trees))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    ends = [clock[:n] for clock, n in zip(ends, done, strict=True)]
    took = [np.diff(clock) for clock in ends]
    longest = 10 * min(float(np.median(part)) for part in took if len(part))
    if len(trees) == 1:
        return took[0][took[0] < longest]
    kept = []
    for one, other in ((0, 1), (1, 0)):
        # the simulation of the other thread in whose time this one ended
        at = np.searchsorted(ends[other], ends[one][1:]) - 1
        both = (at >= 0) & (at < len(took[other]))
        both[both] &= took[other][at[both]] < longest
        kept.append(took[one][both & (took[one] < longest)])
    return np.concatenate(kept)


def strength(games: int, budgets: list[int], seed: int) -> dict[str, Any]:
    """Tree-parallel with two workers against one, at equal simulations."""
    figures = {}
    for simulations in budgets:
        result = po.match(
            "connectfour",
            "uct:workers=2",
            "uct",
            games=games,
            simulations=simulations,
            seed=seed,
            opening=2,
        )
        low, high = result.interval
        print(
            f"{simulations:,} simulations, {games} games: {result.win_rate:.3f} "
            f"[{low:.3f}, {high:.3f}], {result.wins} won, {result.draws} drawn"
        )
        figures[str(simulations)] = {
            "games": games,
            "win_rate": round(result.win_rate, 4),
            "interval": [round(low, 4), round(high, 4)],
            "not_weaker": high >= 0.5,
        }
    return figures


def scale(options: argparse.Namespace) -> None:
    """Simulations per second of each scheme with several numbers of threads, against one."""
    rows: list[dict[str, Any]] = []
    for name in options.games_of:
        game = load_game(name)
        for scheme in options.schemes:
            rates: dict[int, float] = {}
            for threads in options.threads:
                search = po.TreeSearch.parse(f"{SCHEMES[scheme]},{options.options}")
                session = TreeSession(game, search, seed=1, workers=threads)
                rates[threads] = _rate(session, options.rounds, options.seconds)
            one = rates[options.threads[0]]
            ratios = {n: round(rate / one, 2) for n, rate in rates.items()}
            rounded = {n: round(rate) for n, rate in rates.items()}
            rows.append({"game": name, "scheme": scheme, "rate": rounded, "ratio": ratios})
            shown = "  ".join(f"{n}: {ratio:5.2f}" for n, ratio in ratios.items())
            print(f"{name:18} {scheme:10} {one:12,.0f}/s   {shown}", flush=True)
            if options.json:
                found = {"machine": machine(), "seconds": options.seconds, "rows": rows}
                options.json.write_text(json.dumps(found, indent=1) + "\n")


def _rate(session: TreeSession, rounds: int, seconds: float) -> float:
    """The median of the simulations per second of some searches from the start."""
    session.set_position()
    session.run(po.Playouts(1000))  # compile
    found = []
    for _ in range(rounds):
        session.set_position()
        result = session.run(po.Seconds(seconds))
        found.append(result.simulations / result.seconds)
    return median(found)


def _numbers(text: str) -> list[int]:
    return [int(part) for part in text.split(",")]


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.treeparallel")
    parser.add_argument("what", nargs="*", choices=[[], *PARTS], default=[])
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--schemes", nargs="+", choices=SCHEMES, default=list(SCHEMES))
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--simulations", type=int, nargs="+", default=[1000, 5000])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=_numbers, default=[1, 2, 4, 8, 16])
    parser.add_argument("--seconds", type=float, default=1.0, help="of a search")
    parser.add_argument("--game", dest="games_of", nargs="+", default=list(GAMES))
    parser.add_argument("--options", default="nodes=4_000_000", help="of the searches of scale")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    if "scale" in options.what:
        options.rounds = options.rounds or 3
        scale(options)
    options.rounds = options.rounds or 40
    if not options.what or "speed" in options.what:
        store("treeparallel-speed", speed(options.rounds, options.schemes))
    if "busy" in options.what:
        store("treeparallel-busy", busy(options.rounds))
    if not options.what or "strength" in options.what:
        store("treeparallel-strength", strength(options.games, options.simulations, options.seed))


if __name__ == "__main__":
    main()
