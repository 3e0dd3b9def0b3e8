"""C. Sironi, T. Cazenave and M. Winands, Enhancing Playout Policy Adaptation for GGP.

Tables 1, 2 and 3: win percentages of playout policies in UCT with C = 0.7 and 1,000 simulations a
move, the best mean played, over at least 500 games, on those of the paper's games that are here.
Figures 1 to 3, of which the paper prints curves and no numbers: decay, the simulations of a move,
discount.
"""

from __future__ import annotations

from typing import Any

from playout.study import Cell, Experiment, Match, Table, game_table

GAMES = {
    "Breakthrough": "breakthrough:8x8",
    "Knightthrough": "knightthrough:8x8",
    "Connect_4": "connectfour:8x6",
    "Reversi": "reversi:8x8",
}

UCT = "uct:C=0.7,choice=mean"  # section 3.1: the move with the highest average is played
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

NOTE = "the paper's boards of Connect 4 are 8 wide, as they are here; its average is over 14 games"


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
    Reversi        55.3(±4.30)  62.7(±4.19)  82.8(±3.26)  21.9(±3.58)  26.0(±3.72)
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
    Reversi        26.0(±3.72)  29.7(±3.93)  38.0(±4.20)  37.6(±4.16)
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
    Reversi        84.7(±3.09)  55.5(±4.30)  80.4(±3.40)  55.3(±4.31)  18.4(±3.32)  72.5(±3.84)  40.6(±4.25)
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
    (BASIC, VARIANTS, NGRAMS, DECAY, SIMULATIONS, DISCOUNT),
    paper="C. Sironi, T. Cazenave, M. Winands: Enhancing Playout Policy Adaptation for General "
    "Game Playing",
)
