"""T. Cazenave, Monte Carlo Game Solver, MCS 2020.

Tables 1, 2, 4 to 7, 9 and 10: the moves and the seconds that solvers take to solve a game, with
Monte Carlo move ordering and without. Moves are counted as the paper counts them, each that is
played; its PN2 and ours differ in what is played again on the way down a tree. Table 3: who wins
NoGo, for the sizes of at most 30 points.

What the paper did not solve in a day is a dash. Df-pn is not in the paper, which names Monte Carlo
ordering for it as future work.
"""

from __future__ import annotations

from collections.abc import Mapping

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


def _table(
    name: str, title: str, games: Mapping[str, str], paper: str, plain: str = "game"
) -> Table:
    """A line for each solver; the moves and the seconds of each game.

    `plain` is the order without Monte Carlo: the game's own, or none where the paper has none.
    """
    figures = printed_table(paper)
    cells = []
    for line, (solver, order) in SOLVERS.items():
        order = plain if order == PLAIN else order
        theirs = figures.get(line, [None] * 2 * len(games))
        for number, (size, game) in enumerate(games.items()):
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


ATARIGO = _table(
    "1",
    "Atarigo, won by the first player",
    {"5x5": "atarigo:5x5", "6x5": "atarigo:6x5"},
    """
    PN2       14,784,088,742  37901.56  -               -
    ID-ab     -               -         -               -
    ab        -               -         -               -
    ID-ab-MC  62,800,334      126.84    12,713,931,627  27298.35
    ab-MC     3,956,049       12.79     329,780,434     787.17
    """,
)

NOGO = _table(
    "2",
    "NoGo, won by the first player",
    {"7x3": "nogo:7x3", "5x4": "nogo:5x4"},
    """
    PN2       -               -         -              -
    ID-ab     10,921,978,839  12261.64  1,394,182,870  1573.72
    ab        3,742,927,598   4412.21   1,446,922,704  1675.64
    ID-ab-MC  1,927,635,856   2648.91   73,387,083     134.26
    ab-MC     35,178,886      49.72     33,850,535     74.77
    """,
    plain="none",
)

WINNERS = """
    1   2 1 1 2 1 1 1 1 1 1
    2   1 1 2 2 1 1 1 1 2 2
    3   1 2 1 2 1 1 1 1 - -
    4   2 2 2 2 1 1 - - - -
    5   1 1 1 1 1 - - - - -
    6   1 1 1 1 - - - - - -
    7   1 1 1 - - - - - - -
    8   1 1 1 - - - - - - -
    9   1 2 - - - - - - - -
    10  1 2 - - - - - - - -
"""


def _winners() -> Table:
    cells = []
    for row, figures in printed_table(WINNERS).items():
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
    {"3x3": "go:3x3,komi=8.5", "4x3": "go:4x3,komi=3.5"},
    """
    PN2       246,394  3.72   43,202,038   619.98
    ID-ab     840,707  11.34  39,590,950   515.71
    ab        420,265  11.50  107,815,563  1977.86
    ID-ab-MC  375,414  5.62   22,382,730   348.08
    ab-MC     6,104    0.16   4,296,893    96.63
    """,
)

BREAKTHROUGH = _table(
    "5",
    "Breakthrough, lost by the first player",
    {"5x5": "breakthrough:5x5"},
    """
    PN2       -               -
    ID-ab     13,083,392,799  33590.59
    ab        19,163,127,770  43406.79
    ID-ab-MC  3,866,853,361   11319.39
    ab-MC     3,499,173,137   9243.66
    """,
)

MISERE_BREAKTHROUGH = _table(
    "6",
    "misere Breakthrough, lost by the first player",
    {"4x5": "misere-breakthrough:4x5"},
    """
    ID-ab-MC  1,540,153,635  3661.50
    ab-MC     447,879,697    1055.32
    """,
)

KNIGHTTHROUGH = _table(
    "7",
    "Knightthrough, won by the first player",
    {"6x6": "knightthrough:6x6", "7x6": "knightthrough:7x6"},
    """
    PN2       -              -        -              -
    ID-ab     1,153,730,169  4894.69  -              -
    ab        2,284,038,427  6541.08  -              -
    ID-ab-MC  17,747,503     102.60   2,540,383,012  13716.36
    ab-MC     528,783,129    1699.01  6,650,804,159  23958.04
    """,
)

DOMINEERING = _table(
    "9",
    "Domineering, won by the first player",
    {"7x7": "domineering:7x7"},
    """
    ID-ab     18,958,604,687  35196.62
    ab        197,471,137     376.23
    ID-ab-MC  2,342,641,133   5282.06
    ab-MC     29,803,373      123.76
    """,
)

MISERE_DOMINEERING = _table(
    "10",
    "misere Domineering, won by the first player",
    {"7x7": "misere-domineering:7x7"},
    """
    ID-ab-MC  7,013,298,932  14936.03
    ab-MC     72,728,678     212.25
    """,
    plain="none",
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
