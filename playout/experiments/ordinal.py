"""T. Joppen and J. Fuernkranz, Ordinal Monte Carlo Tree Search: Tables 1 and 2.

Seven video games of GVGAI (`$PLAYOUT_DATA/vgdl`), four budgets of calls of the forward model for a
move, 40 runs. Of each search 36 settings are played, and Table 1 has the best of them for each game
and budget, by wins and then by score. The paper does not say which levels it played: here it is
level 0 (`ordinal-levels` plays eight runs on each of the five). YOLOBOT, a program in Java, is
printed only. The tables named "fixed" have one setting for all games and budgets, the paper's best.
Table 2 has the ranks of all settings, the paper's over all games and budgets and among 181
settings (37 of which it does not print), ours over the games, by wins, for each budget.

The descriptions of the games at hand are of 2021: Whackamole ends after 500 ticks, not 2,000, and
Jaws asks for 15 shells, not 20. Orders can be compared, figures cannot.
"""

from __future__ import annotations

from playout.study import Cell, Experiment, Figure, Table
from playout.study.kinds.episodes import Episodes
from playout.study.rankings import ranks_of

RUNS = 40
BUDGETS = (250, 500, 1000, 10_000)
C_VALUES = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
LENGTHS = (5, 10, 25, 50)
SEARCHES = {"O-MCTS": "ordinal", "MCTS": "openloop", "PB-MCTS": "preference", "MixMax": "mixmax"}
FIXED = {"O-MCTS": 1.25, "MCTS": 0.25, "PB-MCTS": 1.25, "MixMax": 1.25}  # C, with playouts of 5

# game, calls: wins in percent / mean score of O-MCTS, MCTS, PB-MCTS, MixMax, YOLOBOT
TABLE_1 = """
jaws 10000 100/1083.8 100/832.7 80/895.7 67.5/866.8 27.5/274.7
jaws 1000 92.5/1028.2 95/958.9 52.5/788.5 65/736.4 35/391
jaws 500 85/923.4 90/1023.1 50/577.6 52.5/629 65/705.7
jaws 250 85/1000.9 85/997.6 37.5/548.8 37.5/469 32.5/359.6
surround 10000 100/81.5 100/71 100/64.3 100/57.6 100/81.2
surround 1000 100/83 100/80.8 100/40.8 100/25 100/77.3
surround 500 100/84.6 100/61.8 100/26.3 100/17.3 100/83.3
surround 250 100/83.4 100/64.7 100/14.3 100/10.3 100/76.1
aliens 10000 100/82.4 100/81.6 100/81.8 100/77 100/81.5
aliens 1000 100/79.7 100/78.4 100/76.9 100/76.4 100/82.2
aliens 500 100/78 100/77.3 100/77.2 100/76 100/81.1
aliens 250 100/77.7 100/77.1 100/75.8 100/74.8 100/79.3
chase 10000 87.5/6.2 80/6 67.5/5.2 37.5/3.9 50/4.8
chase 1000 60/4.8 50/4.8 30/3.7 17.5/2.6 70/5.1
chase 500 55/4.9 45/4.5 27.5/2.9 12.5/2.1 90/5.5
chase 250 40/4.2 32.5/4.1 17.5/2.5 7.5/2.6 90/5.6
boulderchase 10000 62.5/23.7 75/22.1 82.5/27.3 30/20.1 45/18.8
boulderchase 1000 50/22.8 32.5/18.6 40/18.1 22.5/16.2 52.5/21.8
boulderchase 500 47.5/24.7 30/20.2 32.5/19.4 15/14.4 35/18.3
boulderchase 250 40/20.9 40/20.1 17.5/14.7 15/15.3 60/21.7
whackamole 10000 100/72.5 100/44.4 97.5/60.1 75/48.5 75/37
whackamole 1000 100/64 100/41.8 77.5/43.9 65/39 55/33.9
whackamole 500 100/59.5 100/50 70/38.1 52.5/35.4 57.5/29
whackamole 250 97.5/54.8 100/45.9 65/35.1 52.5/26.6 50/28.5
zelda 10000 97.5/8.3 87.5/7.4 90/9.6 70/8.1 95/3.8
zelda 1000 80/8.8 85/7.5 57.5/8.6 42.5/8.8 87.5/5.3
zelda 500 62.5/8.6 75/8.2 50/8.8 35/7.8 77.5/4.6
zelda 250 55/8.4 55/7.8 45/8 30/7.2 70/4.4
"""

# search, length of playouts: the rank of each C
TABLE_2 = """
O-MCTS 5 31 17 9 7 4 1 11 3 13
O-MCTS 10 39 12 6 5 14 16 2 10 8
O-MCTS 25 45 19 24 35 43 27 29 51 20
O-MCTS 50 74 59 46 61 49 55 57 69 56
MCTS 5 53 18 23 30 41 22 32 28 40
MCTS 10 60 21 36 25 26 34 38 37 33
MCTS 25 76 52 42 44 54 48 50 58 47
MCTS 50 88 70 75 81 85 84 90 87 93
PB-MCTS 5 63 67 71 72 73 62 68 64 65
PB-MCTS 10 80 83 89 79 66 82 86 78 77
PB-MCTS 25 97 94 91 100 101 153 104 103 92
PB-MCTS 50 151 105 154 152 155 108 148 106 145
MixMax 5 146 147 98 99 96 95 107 102 149
MixMax 10 162 158 161 163 159 150 157 160 156
MixMax 25 174 167 173 178 165 170 166 164 172
MixMax 50 181 169 168 171 176 179 177 175 180
"""


def _setting(column: str, C: float, length: int) -> str:
    return f"{SEARCHES[column]}:C={C:g},length={length}"


GRIDS = {
    column: tuple(_setting(column, C, length) for length in LENGTHS for C in C_VALUES)
    for column in SEARCHES
}


def _printed() -> dict[tuple[str, int], dict[str, tuple[float, float]]]:
    """Table 1: wins in percent and mean score, by game and budget, then by column."""
    table = {}
    for line in filter(None, TABLE_1.splitlines()):
        game, calls, *figures = line.split()
        pairs = [tuple(map(float, figure.split("/"))) for figure in figures]
        columns = dict(zip((*SEARCHES, "YOLOBOT"), pairs, strict=True))
        table[game, int(calls)] = {name: (pair[0], pair[1]) for name, pair in columns.items()}
    return table


PRINTED = _printed()
GAMES = tuple(dict.fromkeys(game for game, _ in PRINTED))


def _paper_ranks(calls: int) -> str:
    """The mean ranks of the searches in the printed table, ranked as ours are."""
    rows = [PRINTED[game, calls] for game in GAMES]
    ranks = [ranks_of([row[column] for column in SEARCHES]) for row in rows]
    means = [sum(column) / len(rows) for column in zip(*ranks)]
    return ", ".join(f"{name} {mean:.2f}" for name, mean in zip(SEARCHES, means))


def _table(calls: int, shows: str, fixed: bool, levels: int) -> Table:
    """Wins or scores of all games with a budget: of the best settings, or of the fixed ones."""
    cells = []
    for game in GAMES:
        for column, grid in GRIDS.items():
            played = (_setting(column, FIXED[column], 5),) if fixed else grid
            search = Episodes(f"vgdl:game={game}", played, shows, levels=levels)
            printed = PRINTED[game, calls][column][0 if shows == "won" else 1]
            paper = None if fixed else Figure(printed)
            cells.append(Cell(game, column, float(calls), (search,), paper))
        if not fixed:
            printed = PRINTED[game, calls]["YOLOBOT"][0 if shows == "won" else 1]
            cells.append(Cell(game, "YOLOBOT", float(calls), (), Figure(printed)))
    what = "wins, %" if shows == "won" else "mean scores"
    which = "one setting of each search for all games" if fixed else "the best of 36 settings"
    ranks = f"the paper's mean ranks of these searches: {_paper_ranks(calls)}"
    return Table(
        f"{'fixed' if fixed else '1'} {'wins' if shows == 'won' else 'scores'}, {calls}",
        f"{what}, {calls:,} calls for a move, {which}",
        tuple(cells),
        seconds=float(calls),
        playouts=calls,
        runs=RUNS,
        paper_runs=RUNS,
        unit=0.01 if shows == "won" else 1.0,
        row_title="game",
        by="playouts",
        compared=not fixed,
        ranked=shows == "won",
        note=ranks if shows == "won" else "",
    )


def _settings(calls: int, levels: int) -> Table:
    """The places of all settings with a budget, by wins over all games."""
    cells = []
    for line in filter(None, TABLE_2.splitlines()):
        column, length, *ranks = line.split()
        for C, rank in zip(C_VALUES, ranks, strict=True):
            setting = _setting(column, C, int(length))
            searches = tuple(
                Episodes(f"vgdl:game={game}", GRIDS[column], "won", setting, levels)
                for game in GAMES
            )
            row = f"length {length}, C {C:g}"
            cells.append(Cell(row, column, float(calls), searches, Figure(float(rank))))
    return Table(
        f"2, {calls}",
        f"places of the settings by wins over all games, {calls:,} calls for a move",
        tuple(cells),
        seconds=float(calls),
        playouts=calls,
        runs=RUNS,
        measure="rank",
        lower=True,
        row_title="setting",
        by="playouts",
        note="the paper ranks 181 settings over all budgets; 36 of another search are not printed",
    )


def make_experiment(name: str, levels: int) -> Experiment:
    """The experiment, on the first level of each game or on several."""
    tables = []
    for shows, fixed in (("won", False), ("score", False), ("won", True), ("score", True)):
        tables += [_table(calls, shows, fixed, levels) for calls in BUDGETS]
    tables += [_settings(calls, levels) for calls in BUDGETS]
    return Experiment(
        name,
        "Ordinal search in video games" + (f", on {levels} levels" if levels > 1 else ""),
        tuple(tables),
        paper="T. Joppen and J. Fuernkranz: Ordinal Monte Carlo Tree Search",
    )


EXPERIMENT = make_experiment("ordinal", levels=1)
