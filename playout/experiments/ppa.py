"""C. Sironi, T. Cazenave and M. Winands, Enhancing Playout Policy Adaptation for GGP.

Tables 1, 2 and 3: win percentages of playout policies in UCT with C = 0.7 and 1,000 simulations a
move, the best mean played, over at least 500 games, on the paper's 14 games: three of them
natively, the others from rulesheets where the data folder has these. In Connect 4 that matters: a
move of the rulesheet is a column, a native one a cell, of which a policy learns more. What the
paper does not say follows the authors' program (ChiaraS/GGP-Project). Table 4: milliseconds for
1,000 simulations, from rulesheets all; the paper's are of an Opteron of 2.2 GHz. Table 5: win
percentages by time, which depend on the speed. Figures 1 to 3, of which the paper prints curves and
no numbers: decay, the simulations of a move, discount.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from playout.experiments.printed import printed
from playout.ggp.rulesheet_file import in_data_folder
from playout.study import Cell, Experiment, Match, Table, game_table
from playout.study.kinds.speed import Speed
from playout.study.specification import printed_table

NATIVE = {
    "Breakthrough": "breakthrough:8x8",
    "Knightthrough": "knightthrough:8x8",
    "Connect_4": "connectfour:8x6",
    "Reversi": "reversi:8x8",
}

# the other games, from their rulesheets, where the data folder has them; the last two are for three
RULESHEETS = {
    "3DTicTacToe": "tictactoe_3d_2player",
    "Chinook": "chinook",
    "Checkers": "checkers",
    "Connect_5": "connect5",
    "Quad": "quad_7x7",
    "SheepAndWolf": "sheepAndWolf",
    "TTCC4_2P": "ttcc4_2player",
    "Pentago": "pentago",
    "CCheckers_3P": "chineseCheckers3",
    "TTCC4_3P": "ttcc4",
}


# those that are there natively too, for the times of rulesheets
OF_NATIVE = {
    "Breakthrough": "breakthrough",
    "Knightthrough": "knightThrough",
    "Connect_4": "connectFour",
    "Reversi": "reversi",
}


def _there(names: dict[str, str]) -> dict[str, str]:
    paths = {label: f"ggp/required/{name}.kif" for label, name in names.items()}
    return {label: f"gdl:{path}" for label, path in paths.items() if in_data_folder(path)}


# natively a move of Connect 4 is a cell, and policies that learn moves beat random playouts there
GAMES = NATIVE | _there({"Connect_4": "connectFour"} | RULESHEETS)

# Section 3.1: the move with the highest average is played. As in the authors' program, not in the
# paper, a move that was never visited counts 1; without this PPA loses to random playouts.
UCT = "uct:C=0.7,choice=mean,first=1"
PPA_32 = f"{UCT},playout=ppa,discount=1,alpha=0.32,update=winner"
PPA_P32 = f"{UCT},playout=ppa,discount=1,alpha=0.32,update=payoff"
PLAYERS = {
    "random": UCT,
    "MAST": f"{UCT},playout=mast,epsilon=0.4,decay=0.2",
    "NST": f"{UCT},playout=nst,epsilon=0.4,decay=0.2",
    "PPA1": f"{UCT},playout=ppa,discount=1,alpha=1,update=winner",
    "PPA0.32": PPA_32,
    "PPA P0.32": PPA_P32,
    "PPA e0.32": f"{PPA_32},selection=greedy,epsilon=0.4",
    "PPA eP0.32": f"{PPA_P32},selection=greedy,epsilon=0.4",
    "NPPA1": f"{UCT},playout=nppa,discount=1,alpha=1,update=winner",
    "NPPA P0.32": f"{UCT},playout=nppa,discount=1,alpha=0.32,update=payoff",
}
RANDOM, MAST = PLAYERS["random"], PLAYERS["MAST"]
LEARNERS = {name: PLAYERS[name] for name in ("MAST", "PPA P0.32", "NST", "NPPA1")}

NOTE = "the paper's average is over 14 games; a run of a game for three has six games, not two"


def pairs_of(*texts: str) -> dict[str, tuple[str, str]]:
    """Two players for each text, which names them: "PPA1 v MAST"."""
    found = {}
    for text in texts:
        first, second = text.split(" v ")
        found[text] = PLAYERS[first], PLAYERS[second]
    return found


def _table(
    name: str, title: str, pairs: Mapping[str, tuple[str, str] | None], paper: str = ""
) -> Table:
    """A column for each pair of players; a run is a pair of games."""
    beside: dict[str, Any] = {"total": "Average", "note": NOTE, "paper": paper} if paper else {}
    return game_table(
        name, title, pairs, GAMES, simulations=1000, runs=250, paper_runs=250, **beside
    )


BASIC = _table(
    "1",
    "PPA and MAST against random playouts and against each other, win percent",
    pairs_of("PPA1 v random", "PPA0.32 v random", "MAST v random", "PPA1 v MAST", "PPA0.32 v MAST"),
    printed("ppa", "1"),
)

VARIANTS = _table(
    "2",
    "variants of PPA against MAST, win percent",
    {name: (PLAYERS[name], MAST) for name in ("PPA0.32", "PPA P0.32", "PPA e0.32", "PPA eP0.32")},
    printed("ppa", "2"),
)

NGRAMS = _table(
    "3",
    "NPPA and NST against random playouts, NST and PPA, win percent",
    pairs_of(
        *("NPPA1 v random", "NPPA P0.32 v random", "NST v random", "NPPA1 v NST"),
        *("NPPA P0.32 v NST", "NPPA1 v PPA P0.32", "NPPA P0.32 v PPA P0.32"),
    ),
    printed("ppa", "3"),
)

DECAY = _table(
    "Figure 1",
    "PPA P0.32 with decay of its weights against MAST, win percent",
    {f"decay {w}": (f"{PPA_P32},decay={w}", MAST) for w in (0, 0.2, 0.4, 0.6, 0.8, 1)},
)


def _against_random(player: str) -> tuple[Match, ...]:
    return tuple(Match(game, player, RANDOM) for game in GAMES.values())


def _times() -> Table | None:
    """Table 4; None without rulesheets."""
    figures = printed_table(printed("ppa", "4"))
    cells = [
        Cell(label, name, 1000.0, (Speed(game, player),), figures[label][column])
        for label, game in _there(OF_NATIVE | RULESHEETS).items()
        for column, (name, player) in enumerate({"random": RANDOM, **LEARNERS}.items())
    ]
    if not cells:
        return None
    return Table(
        "4",
        "milliseconds for 1,000 simulations, the mean over a game",
        tuple(cells),
        seconds=1000.0,
        playouts=1000,
        runs=3,
        lower=True,
        row_title="game",
        by="playouts",
        note="the paper's: the mean over 500 games of the median turn, Opteron 6274, 2.2 GHz",
    )


TIMES = _times()

BY_TIME = printed_table(printed("ppa", "5"))

SECONDS = Table(
    "5",
    "against random playouts by the seconds of a move, mean win percent over the games",
    tuple(
        Cell(f"{seconds} s", name, float(seconds), _against_random(player), figure)
        for seconds in (1, 5)
        for (name, player), figure in zip(LEARNERS.items(), BY_TIME[f"{seconds}"], strict=True)
    ),
    seconds=5.0,
    playouts=5000,
    runs=250,
    unit=0.01 * len(GAMES),
    row_title="a move",
    note="what a second is worth depends on the speed: see Table 4",
)

BUDGETS = (250, 500, 1_000, 2_500, 5_000, 10_000)

SIMULATIONS = Table(
    "Figure 2",
    "against random playouts by the simulations of a move, mean win percent over the games",
    tuple(
        Cell(f"{budget:,}", name, float(budget), _against_random(player))
        for budget in BUDGETS
        for name, player in LEARNERS.items()
    ),
    seconds=float(BUDGETS[-1]),
    playouts=BUDGETS[-1],
    runs=250,
    unit=0.01 * len(GAMES),
    row_title="simulations",
    by="playouts",
)

DISCOUNT = _table(
    "Figure 3",
    "against random playouts with a discount, win percent",
    {
        f"{name} {factor}": (f"{player.replace(',discount=1', '')},discount={factor}", RANDOM)
        for name, player in LEARNERS.items()
        for factor in (1, 0.99, 0.95)
    },
)

EXPERIMENT = Experiment(
    "ppa",
    "Playout policies that learn: MAST, NST, PPA and NPPA",
    tuple(
        table
        for table in (BASIC, VARIANTS, NGRAMS, TIMES, SECONDS, DECAY, SIMULATIONS, DISCOUNT)
        if table is not None
    ),
    paper="C. Sironi, T. Cazenave, M. Winands: Enhancing Playout Policy Adaptation for General "
    "Game Playing",
)
