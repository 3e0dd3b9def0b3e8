"""T. Joppen and J. Fuernkranz, Ordinal Monte Carlo Tree Search: Tables 1 and 2.

Seven video games of GVGAI (`$PLAYOUT_DATA/vgdl`), four budgets of calls of the forward model for a
move, 40 runs. Of each search 36 settings are played, and Table 1 has the best of them for each game
and budget, by wins and then by score. The paper does not say which levels it played: here it is
level 0 (`ordinal-levels` plays eight runs on each of the five). YOLOBOT, a program in Java, is
printed only. The tables named "fixed" have one setting for all games and budgets, the paper's best.
Those named "chosen" have the setting that was the best of 36 in three runs with 250 calls;
their runs have other luck, at which nobody looked to choose it.
Table 2 has the ranks of all settings, the paper's over all games and budgets and among 181
settings (37 of which it does not print), ours over the games, by wins, for each budget.

The descriptions of the games at hand are of 2021: Whackamole ends after 500 ticks, not 2,000, and
Jaws asks for 15 shells, not 20. Orders can be compared, figures cannot.
"""

from __future__ import annotations

from typing import Any

from playout.experiments.printed import printed
from playout.study import Cell, Experiment, Figure, Table
from playout.study.kinds.episodes import Episodes
from playout.study.rankings import ranks_of

RUNS = 40
BUDGETS = (250, 500, 1000, 10_000)
C_VALUES = (0.0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0)
LENGTHS = (5, 10, 25, 50)
SEARCHES = {"O-MCTS": "ordinal", "MCTS": "openloop", "PB-MCTS": "preference", "MixMax": "mixmax"}
FIXED = {"O-MCTS": 1.25, "MCTS": 0.25, "PB-MCTS": 1.25, "MixMax": 1.25}  # C, with playouts of 5

# game: C and length of O-MCTS, MCTS, PB-MCTS, MixMax that won most often, then scored highest, in
# so many first runs of the table "1 wins, 250"
CHOSEN_SEEDS = 3
CHOSEN = """
jaws 0/10 0.5/25 0.25/10 0.5/10
surround 1/50 0.75/25 0.5/50 0.75/25
aliens 1.25/10 0.75/10 0.5/10 1/10
chase 1/10 1.75/5 0/5 0.25/10
boulderchase 0.25/5 0.5/5 0.25/5 0.75/5
whackamole 1/5 1/5 0/5 0.25/5
zelda 0.25/50 0.25/50 1/10 0.25/10
"""

# game, calls: wins in percent / mean score of O-MCTS, MCTS, PB-MCTS, MixMax, YOLOBOT
TABLE_1 = printed("ordinal", "1")

# search, length of playouts: the rank of each C
TABLE_2 = printed("ordinal", "2")


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


def _chosen() -> dict[tuple[str, str], str]:
    """The settings of `CHOSEN`, by game and column."""
    table = {}
    for line in filter(None, CHOSEN.splitlines()):
        game, *found = line.split()
        for column, text in zip(SEARCHES, found, strict=True):
            C, length = text.split("/")
            table[game, column] = _setting(column, float(C), int(length))
    return table


WHICH = {
    "1": "the best of 36 settings",
    "fixed": "one setting of each search for all games",
    "chosen": "the best of 36 settings in three other runs with 250 calls",
}


CHOSEN_SETTINGS = _chosen()


def _played(which: str, game: str, column: str) -> tuple[str, ...]:
    """The settings of a search that a table has in a game."""
    if which == "chosen":
        return (CHOSEN_SETTINGS[game, column],)
    return (_setting(column, FIXED[column], 5),) if which == "fixed" else GRIDS[column]


def _paper_ranks(calls: int) -> str:
    """The mean ranks of the searches in the printed table, ranked as ours are."""
    rows = [PRINTED[game, calls] for game in GAMES]
    ranks = [ranks_of([row[column] for column in SEARCHES]) for row in rows]
    means = [sum(column) / len(rows) for column in zip(*ranks)]
    return ", ".join(f"{name} {mean:.2f}" for name, mean in zip(SEARCHES, means))


def _table(calls: int, shows: str, which: str, levels: int) -> Table:
    """Wins or scores of all games with a budget, with some settings of each search (`WHICH`)."""
    cells = []
    for game in GAMES:
        for column in SEARCHES:
            search = Episodes(
                f"vgdl:game={game}", _played(which, game, column), shows, levels=levels
            )
            figure = PRINTED[game, calls][column][0 if shows == "won" else 1]
            paper = Figure(figure) if which == "1" else None
            cells.append(Cell(game, column, float(calls), (search,), paper))
        if which == "1":
            figure = PRINTED[game, calls]["YOLOBOT"][0 if shows == "won" else 1]
            cells.append(Cell(game, "YOLOBOT", float(calls), (), Figure(figure)))
    what = "wins, %" if shows == "won" else "mean scores"
    ranks = f"the paper's mean ranks of these searches: {_paper_ranks(calls)}"
    return _by_calls(
        calls,
        f"{which} {'wins' if shows == 'won' else 'scores'}",
        f"{what}, {calls:,} calls for a move, {WHICH[which]}",
        cells,
        paper_runs=RUNS,
        unit=0.01 if shows == "won" else 1.0,
        row_title="game",
        compared=which == "1",
        ranked=shows == "won",
        note=ranks if shows == "won" else "",
        first_seed=CHOSEN_SEEDS + 1 if which == "chosen" else 1,
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
    return _by_calls(
        calls,
        "2",
        f"places of the settings by wins over all games, {calls:,} calls for a move",
        cells,
        measure="rank",
        lower=True,
        row_title="setting",
        note="the paper ranks 181 settings over all budgets; 36 of another search are not printed",
    )


def _by_calls(calls: int, name: str, title: str, cells: list[Cell], **settings: Any) -> Table:
    """A table of runs with so many calls for a move."""
    return Table(
        f"{name}, {calls}",
        title,
        tuple(cells),
        seconds=float(calls),
        playouts=calls,
        runs=RUNS,
        by="playouts",
        **settings,
    )


def make_experiment(name: str, levels: int) -> Experiment:
    """The experiment, on the first level of each game or on several."""
    tables = []
    for which in WHICH if levels == 1 else ("1", "fixed"):
        for shows in ("won", "score"):
            tables += [_table(calls, shows, which, levels) for calls in BUDGETS]
    tables += [_settings(calls, levels) for calls in BUDGETS]
    return Experiment(
        name,
        "Ordinal search in video games" + (f", on {levels} levels" if levels > 1 else ""),
        tuple(tables),
        paper="T. Joppen and J. Fuernkranz: Ordinal Monte Carlo Tree Search",
    )


EXPERIMENT = make_experiment("ordinal", levels=1)
