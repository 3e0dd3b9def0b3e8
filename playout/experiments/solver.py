"""T. Cazenave, Monte Carlo Game Solver, MCS 2020.

Tables 1, 2, 4 to 7, 9 and 10: the moves and the seconds that solvers take to solve a game, with
Monte Carlo move ordering and without. Moves are counted as the paper counts them, each that is
played; its PN2 and ours differ in what is played again on the way down a tree. Table 3: who wins
NoGo, for the sizes of at most 30 points.

What the paper did not solve in a day is a dash. Df-pn is not in the paper, which names Monte Carlo
ordering for it as future work.
"""

from __future__ import annotations

from playout.experiments.printed import printed
from playout.study import Cell, Experiment, Prove, Table
from playout.study.specification import printed_table

DAY = 86_400.0
MOVES = 100_000_000_000  # what stands for a day if budgets are in moves
MC = "mc:playouts=100000"
BLEND = "mc:playouts=30000,blend=2"

PLAIN = "plain"  # stands for the order without Monte Carlo

SOLVERS: dict[str, tuple[str, str]] = {
    "PN2": ("pn2", PLAIN),
    "ID-ab": ("ids", PLAIN),
    "ab": ("alphabeta", PLAIN),
    "ID-ab-MC": ("ids", MC),
    "ab-MC": ("alphabeta", MC),
    "df-pn": ("dfpn", PLAIN),
    "df-pn-MC": ("dfpn", MC),
}

NOTE = (
    "ab is alpha-beta with a transposition table of 1,048,575 entries, ID with iterative "
    "deepening, MC with Monte Carlo move ordering of 100,000 playouts, whose time is counted; the "
    "paper's dashes were not solved in a day"
)


def _table(name: str, title: str, *games: str, plain: str = "game") -> Table:
    """A line for each solver; the moves and the seconds of each game.

    `plain` is the order without Monte Carlo: the game's own, or none where the paper has none.
    """
    figures = printed_table(printed("solver", name))
    cells = []
    for line, (solver, order) in SOLVERS.items():
        order = plain if order == PLAIN else order
        theirs = figures.get(line, [None] * 2 * len(games))
        for number, game in enumerate(games):
            size = game.partition(":")[2].partition(",")[0]
            for place, shows in enumerate(("moves", "seconds")):
                search = Prove(game, solver, order, shows=shows)
                figure = theirs[2 * number + place]
                cells.append(Cell(line, f"{size} {shows}", DAY, (search,), figure))
    return Table(
        name,
        title,
        tuple(cells),
        DAY,
        MOVES,
        runs=1,
        measure="proof",
        lower=True,
        row_title="solver",
        note=NOTE,
    )


ATARIGO = _table("1", "Atarigo, won by the first player", "atarigo:5x5", "atarigo:6x5")

NOGO = _table("2", "NoGo, won by the first player", "nogo:7x3", "nogo:5x4", plain="none")


def _winners() -> Table:
    cells = []
    for row, figures in printed_table(printed("solver", "3")).items():
        for column, figure in enumerate(figures, 1):
            sides = sorted((int(row), column), reverse=True)
            searches: tuple[Prove, ...] = ()
            points = sides[0] * sides[1]
            if points <= 30:
                game, order = "nogo:{}x{}".format(*sides), BLEND if points > 16 else "history"
                searches = (Prove(game, order=order, symmetry=True, shows="winner"),)
            cells.append(Cell(row, str(column), DAY, searches, figure))
    return Table(
        "3",
        "the winner of NoGo by the number of rows and columns",
        tuple(cells),
        DAY,
        MOVES,
        runs=1,
        measure="proof",
        row_title="rows",
        note="1: the first player wins, 2: the second; neither figure is better. Alpha-beta with "
        "the history heuristic, from 17 points on with Monte Carlo ordering of 30,000 playouts, "
        "blended with the game's own order; boards that are the same turned round are solved once",
    )


GO = _table(
    "4",
    "Go, won by the first player: 3x3 with a komi of 8.5, 4x3 with 3.5",
    "go:3x3,komi=8.5",
    "go:4x3,komi=3.5",
)

BREAKTHROUGH = _table("5", "Breakthrough, lost by the first player", "breakthrough:5x5")

MISERE_BREAKTHROUGH = _table(
    "6", "misere Breakthrough, lost by the first player", "misere-breakthrough:4x5"
)

KNIGHTTHROUGH = _table(
    "7", "Knightthrough, won by the first player", "knightthrough:6x6", "knightthrough:7x6"
)

DOMINEERING = _table("9", "Domineering, won by the first player", "domineering:7x7")

MISERE_DOMINEERING = _table(
    "10", "misere Domineering, won by the first player", "misere-domineering:7x7", plain="none"
)

EXPERIMENT = Experiment(
    "solver",
    "Games solved exactly, with move orders that are learnt by Monte Carlo",
    (
        ATARIGO,
        NOGO,
        _winners(),
        GO,
        BREAKTHROUGH,
        MISERE_BREAKTHROUGH,
        KNIGHTTHROUGH,
        DOMINEERING,
        MISERE_DOMINEERING,
    ),
    paper="T. Cazenave: Monte Carlo Game Solver, MCS 2020",
)
