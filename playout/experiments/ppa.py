"""C. Sironi, T. Cazenave and M. Winands, Enhancing Playout Policy Adaptation for GGP.

Tables 1, 2 and 3: win percentages of playout policies in UCT with C = 0.7 and 1,000 simulations a
move, the best mean played, over at least 500 games, on the paper's 14 games: four of them natively,
the others from rulesheets where the data folder has these. What the paper does not say follows the
authors' program (ChiaraS/GGP-Project). Table 4: milliseconds for 1,000 simulations, from rulesheets
all; the paper's are of an Opteron of 2.2 GHz. Table 5: win percentages by time, which depend on
the speed. Figures 1 to 3, of which the paper prints curves and no numbers: decay, the simulations
of a move, discount.
"""

from __future__ import annotations

from typing import Any

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


GAMES = NATIVE | _there(RULESHEETS)

# Section 3.1: the move with the highest average is played. As in the authors' program, not in the
# paper, a move that was never visited counts 1; without this PPA loses to random playouts.
UCT = "uct:C=0.7,choice=mean,first=1"
RANDOM = UCT
MAST = f"{UCT},playout=mast,epsilon=0.4,decay=0.2"
NST = f"{UCT},playout=nst,epsilon=0.4,decay=0.2"
PPA = f"{UCT},playout=ppa,discount=1"
NPPA = f"{UCT},playout=nppa,discount=1"
PPA_1 = f"{PPA},alpha=1,update=winner"
PPA_32 = f"{PPA},alpha=0.32,update=winner"
PPA_P32 = f"{PPA},alpha=0.32,update=payoff"
PPA_E32 = f"{PPA_32},selection=greedy,epsilon=0.4"
PPA_EP32 = f"{PPA_P32},selection=greedy,epsilon=0.4"
NPPA_1 = f"{NPPA},alpha=1,update=winner"
NPPA_P32 = f"{NPPA},alpha=0.32,update=payoff"

Pair = tuple[str, str] | None  # of players

NOTE = "the paper's average is over 14 games; a run of a game for three has six games, not two"


def _table(
    name: str, title: str, pairs: dict[str, tuple[str, str] | None], paper: str = ""
) -> Table:
    """A column for each pair of players; a run is a pair of games."""
    printed: dict[str, Any] = {"total": "Average", "note": NOTE, "paper": paper} if paper else {}
    return game_table(
        name, title, pairs, GAMES, simulations=1000, runs=250, paper_runs=250, **printed
    )


BASIC = _table(
    "1",
    "PPA and MAST against random playouts and against each other, win percent",
    {
        "PPA1 v random": (PPA_1, RANDOM),
        "PPA0.32 v random": (PPA_32, RANDOM),
        "MAST v random": (MAST, RANDOM),
        "PPA1 v MAST": (PPA_1, MAST),
        "PPA0.32 v MAST": (PPA_32, MAST),
    },
    """
    Breakthrough   66.0(±4.16)  66.4(±4.14)  62.2(±4.25)  62.2(±4.25)  63.0(±4.24)
    Knightthrough  51.6(±4.38)  53.4(±4.38)  85.2(±3.12)  12.2(±2.87)  11.0(±2.75)
    Connect_4      24.8(±3.71)  36.3(±4.12)  27.3(±3.80)  48.2(±4.30)  55.9(±4.27)
    3DTicTacToe    78.2(±3.62)  89.4(±2.70)  88.8(±2.77)  38.1(±4.26)  52.7(±4.37)
    Chinook        64.0(±3.28)  65.7(±3.26)  69.3(±3.30)  45.9(±3.64)  50.8(±3.56)
    Checkers       60.0(±4.00)  68.1(±3.78)  75.3(±3.44)  35.6(±3.91)  37.1(±3.92)
    Connect_5      63.8(±4.17)  75.9(±3.69)  80.7(±3.27)  33.2(±3.55)  49.5(±3.58)
    Quad           73.9(±3.85)  81.7(±3.36)  82.1(±3.35)  36.7(±4.18)  45.7(±4.33)
    SheepAndWolf   59.2(±4.31)  61.4(±4.27)  46.0(±4.37)  69.2(±4.05)  69.4(±4.04)
    TTCC4_2P       75.4(±3.78)  76.8(±3.69)  76.0(±3.74)  50.8(±4.37)  58.1(±4.32)
    Pentago        55.0(±4.32)  62.9(±4.20)  72.1(±3.89)  27.1(±3.86)  39.2(±4.23)
    Reversi        55.3(±4.30)  62.7(±4.19)  82.8(±3.26)  21.9(±3.58)  26.0(±3.72)
    CCheckers_3P   64.7(±4.18)  71.4(±3.95)  74.0(±3.83)  46.6(±4.36)  52.4(±4.36)
    TTCC4_3P       59.3(±4.28)  61.5(±4.23)  59.2(±4.27)  53.9(±4.30)  49.0(±4.34)
    Average        60.8(±1.12)  66.7(±1.08)  70.1(±1.05)  41.6(±1.12)  47.1(±1.13)
    """,
)

VARIANTS = _table(
    "2",
    "variants of PPA against MAST, win percent",
    {
        "PPA0.32": (PPA_32, MAST),
        "PPA P0.32": (PPA_P32, MAST),
        "PPA e0.32": (PPA_E32, MAST),
        "PPA eP0.32": (PPA_EP32, MAST),
    },
    """
    Breakthrough   63.0(±4.24)  65.2(±4.18)  58.2(±4.33)  59.4(±4.31)
    Knightthrough  11.0(±2.75)  12.2(±2.87)  38.2(±4.26)  37.0(±4.24)
    Connect_4      55.9(±4.27)  51.3(±4.31)  42.1(±4.22)  44.7(±4.28)
    3DTicTacToe    52.7(±4.37)  61.0(±4.26)  27.5(±3.90)  34.1(±4.15)
    Chinook        50.8(±3.56)  53.7(±3.61)  37.0(±3.41)  34.8(±3.50)
    Checkers       37.1(±3.92)  42.6(±3.99)  26.4(±3.59)  25.7(±3.48)
    Connect_5      49.5(±3.58)  57.3(±3.81)  39.3(±3.74)  32.9(±3.84)
    Quad           45.7(±4.33)  47.2(±4.34)  29.7(±3.97)  33.5(±4.12)
    SheepAndWolf   69.4(±4.04)  71.2(±3.97)  61.6(±4.27)  63.4(±4.23)
    TTCC4_2P       58.1(±4.32)  56.0(±4.33)  50.4(±4.36)  42.7(±4.33)
    Pentago        39.2(±4.23)  41.3(±4.30)  35.0(±4.13)  34.6(±4.15)
    Reversi        26.0(±3.72)  29.7(±3.93)  38.0(±4.20)  37.6(±4.16)
    CCheckers_3P   52.4(±4.36)  41.5(±4.31)  46.2(±4.36)  26.2(±3.84)
    TTCC4_3P       49.0(±4.34)  53.1(±4.33)  47.6(±4.34)  49.2(±4.33)
    Average        47.1(±1.13)  48.8(±1.14)  41.2(±1.12)  39.7(±1.12)
    """,
)

NGRAMS = _table(
    "3",
    "NPPA and NST against random playouts, NST and PPA, win percent",
    {
        "NPPA1 v random": (NPPA_1, RANDOM),
        "NPPA P0.32 v random": (NPPA_P32, RANDOM),
        "NST v random": (NST, RANDOM),
        "NPPA1 v NST": (NPPA_1, NST),
        "NPPA P0.32 v NST": (NPPA_P32, NST),
        "NPPA1 v PPA P0.32": (NPPA_1, PPA_P32),
        "NPPA P0.32 v PPA P0.32": (NPPA_P32, PPA_P32),
    },
    """
    Breakthrough   73.6(±3.87)  52.6(±4.38)  68.8(±4.07)  58.4(±4.32)  37.0(±4.24)  57.6(±4.34)  38.4(±4.27)
    Knightthrough  74.0(±3.85)  57.2(±4.34)  89.8(±2.66)  28.4(±3.96)  17.6(±3.34)  76.4(±3.73)  52.0(±4.38)
    Connect_4      44.5(±4.29)  48.7(±4.27)  47.2(±4.28)  42.6(±4.20)  51.8(±4.27)  61.1(±4.21)  67.7(±3.99)
    3DTicTacToe    71.6(±3.96)  51.4(±4.39)  93.4(±2.18)  20.6(±3.55)  8.4(±2.43)  24.8(±3.79)  9.4(±2.56)
    Chinook        62.2(±3.31)  53.2(±3.50)  67.9(±3.45)  47.8(±3.70)  33.4(±3.36)  47.2(±3.40)  36.3(±3.41)
    Checkers       72.3(±3.66)  48.4(±4.13)  73.8(±3.54)  48.6(±4.04)  24.7(±3.44)  58.8(±3.92)  34.8(±3.81)
    Connect_5      61.6(±4.20)  51.2(±4.39)  84.0(±2.99)  30.5(±3.47)  18.2(±3.10)  36.5(±3.97)  21.8(±3.58)
    Quad           75.7(±3.76)  51.8(±4.38)  87.7(±2.85)  38.3(±4.23)  16.6(±3.25)  42.8(±4.31)  19.9(±3.50)
    SheepAndWolf   65.2(±4.18)  50.6(±4.39)  49.0(±4.39)  72.2(±3.93)  52.0(±4.38)  48.2(±4.38)  39.0(±4.28)
    TTCC4_2P       71.2(±3.95)  53.8(±4.36)  72.1(±3.92)  46.0(±4.37)  25.7(±3.83)  45.2(±4.35)  25.7(±3.83)
    Pentago        59.6(±4.26)  54.6(±4.33)  70.2(±3.96)  42.7(±4.29)  30.5(±3.98)  46.5(±4.35)  40.5(±4.25)
    Reversi        84.7(±3.09)  55.5(±4.30)  80.4(±3.40)  55.3(±4.31)  18.4(±3.32)  72.5(±3.84)  40.6(±4.25)
    CCheckers_3P   71.4(±3.95)  53.2(±4.36)  68.5(±4.06)  53.0(±4.36)  30.8(±4.03)  61.9(±4.24)  35.7(±4.19)
    TTCC4_3P       63.5(±4.16)  52.2(±4.36)  59.8(±4.26)  55.3(±4.31)  41.2(±4.25)  50.7(±4.35)  39.3(±4.23)
    Average        67.9(±1.07)  52.5(±1.14)  72.3(±1.02)  45.7(±1.13)  29.0(±1.03)  52.2(±1.14)  35.8(±1.10)
    """,  # noqa: E501
)

DECAY = _table(
    "Figure 1",
    "PPA P0.32 with decay of its weights against MAST, win percent",
    {f"decay {w}": (f"{PPA_P32},decay={w}", MAST) for w in (0, 0.2, 0.4, 0.6, 0.8, 1)},
)

LEARNERS = {"MAST": MAST, "PPA P0.32": PPA_P32, "NST": NST, "NPPA1": NPPA_1}


def _against_random(player: str) -> tuple[Match, ...]:
    return tuple(Match(game, player, RANDOM) for game in GAMES.values())


def _times() -> Table | None:
    """Table 4; None without rulesheets."""
    printed = printed_table("""
    3DTicTacToe    352  196  1357  268  2362
    Breakthrough   683  226  604  275  1374
    Knightthrough  492  166  470  190  633
    Connect_4      102  89  245  98  357
    Reversi        3562  3493  3521  3433  4525
    Chinook        485  281  1568  324  1882
    Checkers       1974  1923  3545  1661  4164
    Connect_5      822  404  2061  520  3100
    Quad           435  300  1248  381  1691
    SheepAndWolf   471  379  718  406  1008
    TTCC4_2P       1069  651  773  745  1465
    Pentago        394  290  1212  357  1668
    CCheckers_3P   191  171  539  191  731
    TTCC4_3P       787  599  650  619  981
    """)
    cells = [
        Cell(label, name, 1000.0, (Speed(game, player),), printed[label][column])
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

BY_TIME = printed_table("""
    1  70.1(±1.04)  50.9(±1.14)  73.7(±0.99)  48.0(±1.14)
    5  60.4(±1.09)  52.8(±1.12)  67.3(±1.05)  53.8(±1.12)
    """)

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
