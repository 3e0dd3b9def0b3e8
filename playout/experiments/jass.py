"""X. Servot, Improving MCTS (Jass): times of searches, default policies, and what it leaves out.

Tables 1 and 2: the time of 10,000 iterations, leaf and root parallel, in the report's position. Its
program shares the iterations out among threads, on a machine of eight. More threads than cores
gain nothing, so there are runs up to eight. Table 3: policies against random in games to 1,000
points, by the program's rules, faults included. Table 4 the report does not have: UCB1-Tuned
and its final player, and searches over worlds, by the rules of the game.
"""

from __future__ import annotations

from playout.study import Cell, Choice, Experiment, Figure, Match, Table

POOL = "jass:pool=true,reward=points"
POSITION = "S 1 -/T98.JT9876../-/- SJ"
ITERATIONS = 10_000
MOST_THREADS = 8
LEAF = {1: 170, 2: 172, 4: 117, 8: 94, 16: 72, 32: 63, 64: 60, 128: 62, 256: 70}
ROOT = {1: 170, 2: 91, 4: 54, 8: 50, 16: 53, 32: 54, 64: 57, 128: 59, 256: 64}

# the report's c = 40 is of sqrt(2 ln N / n)
UCB1 = "uct:C=56.57,choice=mean,keep=false"

PROGRAM = "jass:goal=1000,last_trump=true,loose_trumps=true,same_leader=true"
POLICIES = {"handmade": 84.7, "minmax": 84.6, "minmax:value=ratio": 92.6}

RULES = "jass:goal=1000"
SIMULATIONS = 1000
PLAYERS = {
    "UCB1, random playouts": "pool:policy=uct,C=56.57,playout=uniform,reward=points",
    "UCB1-Tuned, ratio": "pool:playout=uniform",
    "the final player": "pool",
    "ISMCTS": "ismcts",
    "ISMCTS, HandMade playouts": "ismcts:playout=handmade",
    "PIMC of 20 worlds": "pimc:worlds=20",
}
OPPONENTS = {
    "against random": "random",
    "HandMade": "handmade",
    "ratio MinMax": "minmax:value=ratio",
    "the final player": "pool",
}


def _times(name: str, scheme: str, times: dict[int, int]) -> Table:
    return Table(
        name,
        f"{scheme} parallel: milliseconds for 10,000 simulations",
        tuple(_time(scheme, threads, time) for threads, time in times.items()),
        seconds=float(ITERATIONS),
        playouts=ITERATIONS,
        runs=100,
        paper_runs=100,
        lower=True,
        unit=0.001,
        row_title="threads",
        by="playouts",
        note="the report's times are of a program in Java, on another machine",
    )


def _time(scheme: str, threads: int, time: int) -> Cell:
    search = Choice(POOL, f"{UCB1},parallel={scheme},workers={threads}", position=POSITION)
    searches = (search,) if threads <= MOST_THREADS else ()
    return Cell(f"{threads}", "MCTS", float(ITERATIONS), searches, Figure(float(time)))


def _policies() -> Table:
    cells = [
        Cell(policy, "wins, %", 1.0, (Match(PROGRAM, policy, "random"),), Figure(won))
        for policy, won in POLICIES.items()
    ]
    return Table(
        "3",
        "default policies against random, games to 1,000 points",
        tuple(cells),
        seconds=1.0,
        playouts=1,
        runs=500,
        unit=0.01,
        row_title="policy",
        by="playouts",
        note="two games a run, the same cards with sides swapped; python -m bench.jass plays more",
    )


def _players() -> Table:
    cells = [
        Cell(
            label,
            opponent,
            float(SIMULATIONS),
            (Match(RULES, player, other),) if player != other else (),
        )
        for label, player in PLAYERS.items()
        for opponent, other in OPPONENTS.items()
    ]
    return Table(
        "4",
        f"games to 1,000 points, {SIMULATIONS:,} simulations a card: wins, %",
        tuple(cells),
        seconds=float(SIMULATIONS),
        playouts=SIMULATIONS,
        runs=50,
        unit=0.01,
        row_title="player",
        by="playouts",
        compared=False,
        note="two games a run, the same cards with sides swapped",
    )


EXPERIMENT = Experiment(
    "jass",
    "Jass: parallel searches, default policies, and searches over worlds",
    (_times("1", "leaf", LEAF), _times("2", "root", ROOT), _policies(), _players()),
    paper="X. Servot: Improving MCTS",
)
