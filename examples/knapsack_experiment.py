"""An experiment of one's own: which algorithm fills a sack best, and how soon?

playout reproduce examples/knapsack_experiment.py                two minutes on two cores
playout reproduce examples/knapsack_experiment.py --scale 0.1    a first look
playout report knapsack --out knapsack.html
"""

from playout.study import Experiment, Solve, curve_table, doubling, instance_table

SACK = "examples/knapsack.py:Knapsack"  # from the folder in which the command is given

ALGORITHMS = {
    "random": Solve(SACK, "random"),
    "NMCS(3)": Solve(SACK, "nmcs", options={"level": 3}),
    "NRPA(3)": Solve(SACK, "nrpa", options={"level": 3}),
    "GNRPA(3)": Solve(SACK, "gnrpa", options={"level": 3}),  # with the problem's bias
}

BY_TIME = curve_table(
    "1",
    "the default sack, mean value by time",
    ALGORITHMS,
    doubling(0.1, 1.6),
    playouts=100_000,
    runs=20,
)

BY_SACK = instance_table(
    "2",
    "the best value in each of three sacks",
    ALGORITHMS,
    {"first": "random:11", "second": "random:12", "third": "random:13"},
    seconds=1.6,
    playouts=100_000,
    runs=5,
    measure="best",
    total="sum",
    row_title="sack",
)

EXPERIMENT = Experiment("knapsack", "Filling a sack", (BY_TIME, BY_SACK))
