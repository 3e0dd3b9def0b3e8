"""T. Cazenave, B. Negrevergne and F. Sikora, Monte Carlo Graph Coloring.

Tables 1 to 4: the fewest colours found for graphs of the DIMACS collection. The paper lowers the
number of colours as long as one of five searches of 30 minutes finds a colouring; here each of five
runs lowers it within its time in all, and the best of them counts.

UBI is DSatur's colouring, with which all begin. The paper's HEAD is a memetic algorithm; its
figures stand beside GNRPA whose playouts are improved by tabu search.
"""

from __future__ import annotations

from playout.study import Color, Experiment, Table, instance_table

SECONDS = 1800.0
PLAYOUTS = 1_000_000

COLUMNS: dict[str, Color | None] = {
    "UBI": Color("dsatur"),
    "NMCS": Color("nmcs", options={"level": 10, "rising": True}),
    "NRPA": Color("nrpa", options={"level": 7, "adapt": "all"}),
    "SAT": Color("sat"),
    "GNRPA+polish": Color("gnrpa", options={"level": 3, "N": 50, "polish": True}),
}


def _table(name: str, title: str, paper: str) -> Table:
    graphs = {line.split()[0]: f"dimacs/{line.split()[0]}" for line in paper.strip().splitlines()}
    return instance_table(
        name,
        title,
        COLUMNS,
        graphs,
        seconds=SECONDS,
        playouts=PLAYOUTS,
        runs=5,
        measure="best",
        unit=-1.0,
        lower=True,
        row_title="graph",
        paper=paper,
        note="number of colours, the best of the runs; the paper's figures beside GNRPA+polish are "
        "HEAD's; its searches have 30 minutes for each number of colours, ours for all of them",
    )


EASY = _table(
    "1",
    "the easy graphs (NP-m)",
    """
    1-FullIns_4   5   5   5   5   5
    2-FullIns_4   6   6   6   6   6
    3-FullIns_3   6   6   6   6   6
    4-FullIns_3   7   7   7   7   7
    5-FullIns_3   8   8   8   8   8
    ash608GPIA    6   4   4   4   4
    ash958GPIA    6   4   4   4   4
    le450_15a     17  15  15  15  15
    mug100_1      4   4   4   4   4
    mug100_25     4   4   4   4   4
    qg.order40    42  40  40  40  40
    wap05a        50  50  50  50  50
    myciel6       7   7   7   7   7
    school1_nsh   26  14  14  14  14
    """,
)

HARD = _table(
    "2",
    "the hard graphs (NP-h)",
    """
    flat300_28_0  41   38   35   39   31
    r1000.5       248  243  240  247  248
    r250.5        67   65   65   65   66
    DSJR500.5     132  125  122  126  124
    DSJR500.1c    88   88   87   86   86
    DSJC125.5     23   19   18   19   17
    DSJC125.9     50   45   44   46   44
    DSJC250.9     90   84   76   86   72
    queen10_10    14   11   11   12   11
    queen11_11    14   13   13   13   12
    queen12_12    16   14   14   14   13
    queen13_13    17   15   15   15   14
    queen14_14    19   16   16   16   15
    queen15_15    20   17   17   18   16
    """,
)

DIFFICULT = _table(
    "3",
    "the difficult graphs (NP-?)",
    """
    le450_5a      10   6    5    5    5
    le450_5b      7    6    5    5    5
    le450_15b     17   15   15   15   15
    le450_15c     24   22   21   22   15
    le450_15d     24   22   20   22   15
    le450_25c     28   27   26   27   26
    le450_25d     29   27   26   27   26
    qg.order60    63   60   62   61   60
    qg.order100   106  -    102  -    100
    """,
)

OPEN = _table(
    "4",
    "the very difficult graphs (NP-?), whose chromatic number is not known",
    """
    DSJC250.1        10   9    8    9    8
    DSJC250.5        37   34   32   35   28
    DSJC500.1        16   14   14   15   12
    DSJC500.5        65   62   59   63   48
    DSJC500.9        163  161  148  163  126
    DSJC1000.1       25   25   24   25   21
    DSJC1000.5       114  114  112  114  83
    DSJC1000.9       301  301  299  301  223
    flat1000_50_0    113  113  111  113  50
    flat1000_60_0    112  112  112  112  60
    flat1000_76_0    115  115  110  113  82
    r1000.1c         107  107  107  105  98
    abb313GPIA       11   11   11   9    9
    latin_square_10  129  129  121  129  103
    wap01a           47   46   45   43   42
    wap02a           46   46   45   42   42
    wap03a           57   55   55   46   44
    wap04a           46   46   46   44   44
    wap06a           44   42   41   41   42
    wap07a           47   44   43   42   42
    wap08a           44   43   43   42   42
    C2000.5          207  207  207  207  151
    C4000.5          376  376  376  376  281
    """,
)

EXPERIMENT = Experiment(
    "coloring",
    "Graph colouring by NMCS and NRPA, with DSatur, a SAT solver and a tabu search beside them",
    (EASY, HARD, DIFFICULT, OPEN),
    paper="T. Cazenave, B. Negrevergne, F. Sikora: Monte Carlo Graph Coloring",
)
