"""T. Cazenave and V. Ventos, The alpha-mu Search Algorithm for the Game of Bridge: Tables 1 to 4.

Declarer is alpha-mu, the defenders two PIMC of 20 worlds, the deals random; both declarers that are
compared get the same deals and the same seeds of worlds. The paper stops Table 1 at 200 games of
different result; here the deals are counted. Its 32, 36 and 40 cards are not explained: here they
are the last 8, 9 and 10 tricks of a full deal. Declarer has won all before, so that he needs 4 of
8, 5 of 9 and 6 of 10. Of Table 3 the text contradicts the table (0.159 s for M = 1, 55 s down to
3 s for M = 3); the table is taken. The paper's solver is DDS, ours is our own.

Its deals cannot have been uniform: declarer makes 7NT on fewer of these than have a different
result there (Table 4). So two tables more have deals that are contested, neither sure nor hopeless.
"""

from __future__ import annotations

from playout.study import Cell, Experiment, Figure, Table
from playout.study.kinds.duplicate import Duplicate

PIMC = "alphamu:M=1,worlds=20"
ENDINGS = "32, 36 and 40 cards: the last tricks of a full deal, declarer has won all before"
CONTESTED = "deals that declarer makes with open cards, with one trick to spare at most"
_ROWS = {"1": "cards", "2": "cards", "4": "M, worlds", "4 results": "M, worlds"}
_NOTES = {"1": ENDINGS, "2": ENDINGS, "contested": CONTESTED, "contested results": CONTESTED}

WINS = {32: 0.620, 36: 0.545, 40: 0.550, 52: 0.580}
DIFFERENT = {32: (10.4, 2.4), 36: (16.4, 3.8), 40: (23.6, 5.8), 52: (40.9, 10.6)}

# table, root cut, early cut; the cuts that are not the paper's are off
CUTS = {"n n n": (False, False, False), "y y n": (True, True, False), "y n y": (True, False, True)}
CUTS["y y y"] = (True, True, True)
SECONDS = {
    (1, "y y y"): 0.118,
    (2, "n n n"): 1.054, (2, "y y n"): 0.512, (2, "y n y"): 0.503, (2, "y y y"): 0.433,
    (3, "n n n"): 10.276, (3, "y y n"): 3.891, (3, "y n y"): 1.950, (3, "y y y"): 1.176,
}  # fmt: skip
ALL_CUTS = "and ours"

# M and worlds: different results of 10,000 games, and the share of these that alpha-mu wins
SLAMS = {
    (2, 20): (283, 0.643), (3, 20): (333, 0.673), (4, 20): (374, 0.679),
    (2, 40): (324, 0.630), (3, 40): (347, 0.637), (4, 40): (368, 0.655),
}  # fmt: skip


def _pair(cards: int, shows: str) -> Duplicate:
    return Duplicate(f"bridge:3NT,S,cards={cards}", "alphamu:M=3,worlds=20", PIMC, PIMC, shows)


def _wins() -> Table:
    cells = [
        Cell(f"{cards}", "M = 3", 1.0, (_pair(cards, "wins"),), Figure(share))
        for cards, share in WINS.items()
    ]
    return _table("1", "wins of M = 3 over PIMC, of the deals that one of them makes", cells, 2000)


def _contested(name: str, title: str, shows: str, unit: float = 1.0) -> Table:
    cells = []
    for contract, share in (("3NT", WINS[52]), ("7NT", SLAMS[3, 20][1])):
        game = f"bridge:{contract},S"
        search = Duplicate(game, "alphamu:M=3,worlds=20", PIMC, PIMC, shows, contested=True)
        paper = Figure(share) if shows == "wins" else None
        cells.append(Cell(contract, title, 1.0, (search,), paper))
    what = "M = 3 against PIMC on contested deals"
    return _table(name, what, cells, 500, unit, "mean" if shows == "wins" else "count")


def _different() -> Table:
    cells = []
    for cards, (games, results) in DIFFERENT.items():
        for column, shows, share in (("games", "games", games), ("results", "results", results)):
            cells.append(
                Cell(
                    f"{cards}",
                    f"different {column}, %",
                    1.0,
                    (_pair(cards, shows),),
                    Figure(share),
                )
            )
    return _table(
        "2", "deals that M = 3 and PIMC play differently", cells, 2000, 0.01, measure="count"
    )


def _times() -> Table:
    cells = []
    for (most, cuts), seconds in SECONDS.items():
        table, root, early = (str(on).lower() for on in CUTS[cuts])
        text = f"alphamu:M={most},worlds=20,table={table},root_cut={root},early_cut={early}"
        cells.append(_time(most, cuts, f"{text},late_cut=false,lost=false", Figure(seconds)))
    for most in (1, 2, 3):
        cells.append(_time(most, ALL_CUTS, f"alphamu:M={most},worlds=20", None))
    return Table(
        "3",
        "seconds for each of declarer's 26 cards, 3NT, 20 worlds; table, root cut, early cut",
        tuple(cells),
        seconds=1.0,
        playouts=1,
        runs=100,
        paper_runs=100,
        lower=True,
        row_title="M, cuts",
        by="playouts",
        note="CPU seconds; a card that is forced, or played when the contract is certain, is none",
    )


def _time(most: int, cuts: str, text: str, paper: Figure | None) -> Cell:
    search = Duplicate("bridge:3NT,S", text, "", PIMC, "seconds")
    return Cell(f"{most}, {cuts}", "seconds", 1.0, (search,), paper)


def _slams(name: str, title: str, shows: str, unit: float = 1.0) -> Table:
    cells = []
    for (most, worlds), (different, share) in SLAMS.items():
        mine, pimc = f"alphamu:M={most},worlds={worlds}", f"alphamu:M=1,worlds={worlds}"
        search = Duplicate("bridge:7NT,S", mine, pimc, PIMC, shows)
        figure = Figure(share if shows == "wins" else float(different))
        cells.append(Cell(f"{most}, {worlds}", title, 1.0, (search,), figure))
    what = "7NT: M and worlds against PIMC of as many worlds"
    return _table(name, what, cells, 10_000, unit, "mean" if shows == "wins" else "count")


def _table(
    name: str,
    title: str,
    cells: list[Cell],
    runs: int,
    unit: float = 1.0,
    measure: str = "mean",
) -> Table:
    return Table(
        name,
        title,
        tuple(cells),
        seconds=1.0,
        playouts=1,
        runs=runs,
        unit=unit,
        measure=measure,
        row_title=_ROWS.get(name, "contract"),
        by="playouts",
        note=_NOTES.get(name, ""),
    )


EXPERIMENT = Experiment(
    "alphamu",
    "alpha-mu against PIMC in Bridge",
    (
        _wins(),
        _different(),
        _times(),
        _slams("4", "wins of different results", "wins"),
        _slams("4 results", "different results of 10,000", "results", 1e-4),
        _contested("contested", "wins of different results", "wins"),
        _contested("contested results", "different results, %", "results", 0.01),
    ),
    paper="T. Cazenave and V. Ventos: The alpha-mu Search Algorithm for the Game of Bridge",
)
