"""Refining Monte Carlo Tree Search Agents by Monte Carlo Tree Search (MCTS by MCTS, MbM).

Figures 1, 2 and 3: networks trained for tic-tac-toe by AlphaZero and by MbM with four generation
temperatures, and by MbM's variants, against a random and a perfect player, epoch by epoch; the
paper prints curves and no numbers. Table 6 is the share of games that the networks lose to the
perfect player, and tables 7 and 8 are a game that the paper could not do, Connect Four on 4x4.

The settings are the paper's but for one: an epoch has at most 300 mini-batches (`most_steps`);
the paper's grow to 31,250. What is measured is exact, by a sum over all positions.
"""

from __future__ import annotations

from typing import Any

from playout.study import Experiment, Table, Train, curve_table

TEMPERATURES = (0.3, 0.6, 1.2, 2.4)
EPOCHS = 200
MARKS = (2, 10, 20, 40, 60, 80, 100, 150, 200)
SEEDS = 5
NOTE = "An epoch is 100 games."


def _train(method: str, rival: str, temperature: float, **options: Any) -> Train:
    losses = options.pop("losses", False)
    game = options.pop("game", "tictactoe")
    given = {"method": method, "temperature": temperature, "most_steps": 300, **options}
    return Train(game, rival, given, losses)


def _by_temperature(method: str, rival: str) -> dict[str, Train | None]:
    """A column for each temperature; MbM's have AlphaZero's lowest beside them, its worst."""
    columns: dict[str, Train | None] = {
        f"t = {t:g}": _train(method, rival, t) for t in TEMPERATURES
    }
    if method == "mbm":
        lowest = TEMPERATURES[0]
        columns[f"AlphaZero, t = {lowest:g}"] = _train("alphazero", rival, lowest)
    return columns


def _table(
    name: str,
    title: str,
    columns: dict[str, Any],
    marks: tuple[int, ...] = MARKS,
    **settings: Any,
) -> Table:
    return curve_table(
        name,
        title,
        columns,
        marks,
        playouts=marks[-1],
        runs=SEEDS,
        row_title="epochs",
        **{"unit": 0.01, "by": "playouts", "note": NOTE, "compared": False, **settings},
    )


NAMES = {"alphazero": "AlphaZero", "mbm": "MbM"}

BY_METHOD = [
    _table(
        str(2 * figure - 1 + place),
        f"{NAMES[method]} against a {rival} player, mean result in percent (Figure {figure})",
        _by_temperature(method, rival),
    )
    for figure, rival in ((1, "random"), (2, "perfect"))
    for place, method in enumerate(NAMES)
]

OF_MBM: dict[str, tuple[str, dict[str, Any]]] = {
    "MbM": ("mbm", {}),
    "NoNoise": ("mbm", {"master": "none"}),
    "Relaxation": ("mbm", {"master": "relaxed"}),
    "AlphaZero": ("alphazero", {}),
}

VARIANTS = _table(
    "5",
    "variants of MbM against a perfect player, mean result in percent (Figure 3)",
    {
        f"{name} {t:g}": _train(method, "perfect", t, **options)
        for t in (0.3, 0.6)
        for name, (method, options) in OF_MBM.items()
    },
    MARKS[:7],
    compared=True,
)

LOSSES = _table(
    "6",
    "games lost to the perfect player, in percent",
    {
        f"{name} {t:g}": _train(method, "perfect", t, losses=True)
        for method, name in NAMES.items()
        for t in TEMPERATURES
    },
    lower=True,
    compared=True,
)


def _connect_four(name: str, rival: str, losses: bool, title: str) -> Table:
    options: dict[str, Any] = {"game": "connectfour:4x4", "losses": losses, "at_once": 50}
    return _table(
        name,
        title,
        {
            f"{label} {t:g}": _train(method, rival, t, **options)
            for method, label in NAMES.items()
            for t in (0.3, 1.2)
        },
        (2, 10, 20, 40, 60),
        lower=losses,
    )


CONNECT_FOUR = (
    _connect_four(
        "7", "random", False, "Connect Four 4x4 against a random player, mean result in percent"
    ),
    _connect_four(
        "8", "perfect", True, "Connect Four 4x4: games lost to the perfect player, in percent"
    ),
)

EXPERIMENT = Experiment(
    "mbm",
    "AlphaZero and the master game tree",
    (*BY_METHOD, VARIANTS, LOSSES, *CONNECT_FOUR),
    paper="Refining Monte Carlo Tree Search Agents by Monte Carlo Tree Search",
)
