"""A. Seify and M. Buro, Single-Agent Optimization Through Policy Iteration Using Monte-Carlo Tree
Search.

Figure 1: the mean score of self-play by generation, from the training's own record. Figure 2: plain
MCTS, and Policy-MCTS with random and with policy rollouts, after 1, 5 and 15 s a game on random
boards; each run has a board of its own, so that the intervals are over boards. Table 2: how many
simulations, expansions and leaf expansions those runs on 15x15 had. Table 3: the 20 standard
boards, in ten minutes each; the paper's had two hours.

The policies are those of `playout reproduce --model FILE`, and for a size without one that of the
package. "One thread" evaluates one position at a time; "threads" are those of the machine, 16 at
most: plain MCTS has a tree on each, Policy-MCTS one tree with 64 playouts at once (Table 3: as many
as suit the device).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playout.errors import DataError, OptionError
from playout.experiments.printed import printed
from playout.provenance import cores
from playout.study import (
    Cell,
    Experiment,
    Figure,
    Generations,
    Solve,
    Table,
    curve_table,
    instance_table,
)

SIZES = (7, 10, 15)
TIMES = (1, 5, 15)
THREADS = min(16, cores())
LEAVES = 64
RULES = {"tabu": False, "penalty": True}
LAST = {7: 50, 10: 50, 15: 66}  # generations of the paper's trainings
PLAIN_C = {7: 30.0, 10: 4.0, 15: 2.0}  # c_puct of Table 1; Policy-MCTS has its model's
MINUTES = 10


def make(models: Sequence[str] = ()) -> Experiment:
    """The experiment with the policies of these files."""
    files = _by_size(models)
    return Experiment(
        "policymcts",
        "Policy-MCTS: a policy from self-play guides the search of one player",
        (
            *(_generations(size, files.get(size, "")) for size in SIZES),
            *(
                _scores(size, files.get(size, ""), threads)
                for size in SIZES
                for threads in dict.fromkeys((1, THREADS))
            ),
            _counts(files.get(15, "")),
            _boards(files.get(15, "")),
        ),
        paper="A. Seify, M. Buro: Single-Agent Optimization Through Policy Iteration Using "
        "Monte-Carlo Tree Search",
    )


def _by_size(models: Sequence[str]) -> dict[int, str]:
    """Which file is for which size; refuses one that is for none of them."""
    from playout.learn.networks.model_file import read_header
    from playout.learn.networks.network_shape import Shape

    found: dict[int, str] = {}
    for file in models:
        header = read_header(file)
        shape = Shape(**header["network"]["shape"])
        size = shape.rows
        if header["about"].get("class") != "SameGame" or shape != Shape(6, size, size, size**2):
            raise DataError(f"{file}: is no policy for SameGame with five colours, but for {shape}")
        if size not in SIZES or size in found:
            why = f"{found[size]} is for {size}x{size} too" if size in found else f"it is {shape}"
            raise OptionError(f"--model {file}: one for each of 7x7, 10x10 and 15x15; {why}")
        found[size] = file
    return found


def _columns(
    model: str,
    threads: int,
    plain: float,
    guided: float = 0.0,
    leaves: int = LEAVES,
    revisit: bool = True,
    **given: Any,
) -> dict[str, Solve]:
    """Plain MCTS, and Policy-MCTS with both kinds of rollouts; c_puct of plain MCTS and of them."""
    shared: dict[str, Any] = {"workers": threads, **given}
    policy: dict[str, Any] = {"leaves": 1 if threads == 1 else leaves, "revisit": revisit}
    policy |= {"model": model} if model else {}
    policy |= {"c_puct": guided} if guided else {}
    return {
        "MCTS": Solve(
            "samegame",
            "policy-mcts",
            options={"model": "uniform", "c_puct": plain, "revisit": revisit},
            **shared,
        ),
        **{
            f"P-MCTS {rollouts}": Solve(
                "samegame",
                "policy-mcts",
                options={"rollouts": rollouts, **policy},
                parallel="leaf",
                **shared,
            )
            for rollouts in ("random", "policy")
        },
    }


def _random_boards(size: int, model: str, threads: int, **given: Any) -> dict[str, Any]:
    return _columns(
        model,
        threads,
        PLAIN_C[size],
        whole=True,
        instance="random:{seed}",
        problem_options={"rows": size, "columns": size, **RULES},
        **given,
    )


def _scores(size: int, model: str, threads: int) -> Table:
    words = "one thread" if threads == 1 else f"{threads} threads"
    note = "500 random boards, one run each; the paper has 5 runs on each of its 500 boards"
    if size == 15:
        note += ", and prints 1,684 for MCTS in 5 s on one thread and 2,393 on 16"
    return curve_table(
        f"Figure 2 {size}x{size}" + ("" if threads == 1 else " threads"),
        f"SameGame {size}x{size}, {words}: mean score by seconds a game",
        _random_boards(size, model, threads),
        TIMES,
        playouts=3000,
        runs=500,
        note=note,
    )


# Table 2: simulations, expansions and leaf expansions by threads; a line for each time, in it MCTS,
# P-MCTS random, P-MCTS informed
PAPER_COUNTS = {
    1: {
        "playouts": ((20_106, 1_274, 27), (127_504, 13_748, 131), (403_243, 80_580, 398)),
        "expansions": ((12_074, 1_261, 27), (27_089, 6_128, 131), (46_480, 16_426, 398)),
        "leaf_expansions": ((155, 1, 0), (809, 150, 0), (1_731, 628, 0)),
    },
    16: {
        "playouts": ((95_335, 9_652, 201), (697_810, 49_538, 864), (2_297_200, 376_698, 2_575)),
        "expansions": ((91_140, 9_652, 201), (310_313, 46_295, 864), (572_556, 137_509, 2_575)),
        "leaf_expansions": ((148, 0, 0), (5_522, 110, 0), (15_524, 2_691, 0)),
    },
}
COUNTED = {
    "playouts": "simulations",
    "expansions": "expansions",
    "leaf_expansions": "leaf expansions",
}


def _counts(model: str) -> Table:
    """Table 2, a block of lines for each thing counted; its runs are those of Figure 2."""
    cells = []
    for shows, words in COUNTED.items():
        for place, time in enumerate(TIMES):
            for threads in dict.fromkeys((1, THREADS)):
                theirs = PAPER_COUNTS[1 if threads == 1 else 16][shows][place]
                ours = _random_boards(15, model, threads, shows=shows)
                for (name, search), figure in zip(ours.items(), theirs, strict=True):
                    column = name if threads == 1 else f"{name}, {threads} threads"
                    line = f"{words}, {time} s"
                    cells.append(Cell(line, column, time, (search,), Figure(figure)))
    return Table(
        "2",
        "SameGame 15x15: simulations and expansions of the runs of Figure 2",
        tuple(cells),
        seconds=max(TIMES),
        playouts=3000,
        runs=500,
        measure="count",
        paper_runs=2500,
        note="a leaf expansion is the first visit to an end of the game in the tree, and is one of "
        "the expansions; the paper's threads are 16 for MCTS and 100 for P-MCTS, with a GTX 1070",
    )


def _generations(size: int, model: str) -> Table:
    last = _trained(size, model)
    marks = [mark for mark in (1, 2, 3, 5, 10, 15, 20, 30, 40, 50, 60) if mark < last]
    search = Generations("samegame", {"rows": size, "columns": size}, model)
    return Table(
        f"Figure 1 {size}x{size}",
        f"SameGame {size}x{size}: mean score of self-play by generation",
        tuple(Cell(str(mark), "self-play", float(mark), (search,)) for mark in [*marks, last]),
        seconds=float(last),
        playouts=last,
        runs=1,
        by="playouts",
        compared=False,
        row_title="generation",
        note="one training, as its model file tells it; an interval is over the games of a "
        "generation, where the file has the record of them",
    )


def _trained(size: int, model: str) -> int:
    """How many generations a policy was trained for."""
    from playout.learn.networks.find_model import package_models
    from playout.learn.networks.model_file import read_header

    headers = [header for _, header in package_models()] if not model else [read_header(model)]
    for header in headers:
        about = header["about"]
        if about.get("class") == "SameGame" and header["network"]["shape"]["rows"] == size:
            return len(about.get("scores", [])) or 1
    return LAST[size]


def _boards(model: str) -> Table:
    columns = _columns(model, THREADS, 10.0, 5.0, leaves=0, revisit=False, problem_options=RULES)
    return instance_table(
        "3",
        f"SameGame, the 20 standard boards, {MINUTES} minutes each on {THREADS} threads",
        {
            "SP-MCTS": None,
            "NMCS(4)": None,
            "Sel-NRPA(4)": None,
            "Div-NRPA(4)": None,
            "Dist-NRPA(5)": None,
            "MCTS": columns["MCTS"],
            "P-MCTS policy": columns["P-MCTS policy"],
        },
        {str(number): f"standard/{number}" for number in range(1, 21)},
        seconds=60.0 * MINUTES,
        playouts=50_000,
        runs=1,
        total="Total",
        row_title="board",
        note="the paper's MCTS and P-MCTS had two hours a board on 40 cores and 4 GPUs; the others "
        "are of other papers: two hours to days. "
        "Playouts of ours do not go where all games have been played already",
        paper=printed("policymcts", "3"),
    )


EXPERIMENT = make()
