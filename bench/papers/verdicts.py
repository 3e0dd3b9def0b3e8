"""Whether a table of ours agrees with the paper's: by rule, from the runs.

Each claim of a table is a number of tests. Tests of means are Welch's, of shares Fisher's exact
one, of what is mostly so the sign test over the lines, without those that are equal; all corrected
for the number of tests of a table by Holm's method, at the 5% level. Values that are no means (a
best score, the moves of a proof) are compared as they are; a best score that is worse is undecided,
since more runs may have a better one. A proof that was broken off has more moves than it had by
then: that decides a test or leaves it undecided. Runs that are all alike have no spread for a
t-test: two searches are compared by how rarely they would part like that, and a value that is exact
by the sign test.

| claim | agrees | differs | undecided |
|---|---|---|---|
| order | significantly so | significantly the other way round | not told apart |
| mostly | in significantly more lines than not | in fewer | not told from half of them |
| side | significantly on the paper's side | significantly on the other | not told apart |
| figures | not told apart, and runs would tell the margin | significantly apart | too few runs |
| reach | as good or better | significantly worse | worse, but not significantly |

A table differs if one of its tests does, is undecided if one of them is or if a claim was not
measured at all, and agrees otherwise. One without a claim of the paper's is ours alone.

How many runs an undecided order or side would take is at the level that Holm's method leaves to the
tests of the table that are not told. Figures agree by the runs that tell their margin at 5%.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import count

from bench.papers.figures import MANY, Figure, figure
from bench.papers.results import Cell, Claim, Table
from playout.statistics import LEVEL, holm, points_differ, runs_to_tell, sign_test, welch

AGREES, DIFFERS, UNDECIDED = "agrees", "differs", "undecided"
OURS_ALONE, NOT_RUN = "ours alone", "not run"


@dataclass(frozen=True)
class Test:
    """One comparison: what, its verdict, the probability behind it, the runs that it would take."""

    claim: Claim
    where: str
    verdict: str
    chance: float | None = None
    needed: float | None = None
    ours: Figure | None = None
    rival: float = math.nan  # the paper's figure, or that of the other cell
    above: bool = True  # where the paper's is of a side
    rival_over: bool = False  # whether the other cell's is a bound, which its figure is over

    __test__ = False  # pytest: no test of its own


@dataclass(frozen=True)
class Verdict:
    """The verdict on a table, and the tests behind it."""

    word: str
    tests: tuple[Test, ...]

    def count(self, word: str) -> int:
        """How many tests have this verdict."""
        return sum(test.verdict == word for test in self.tests)


def judge(table: Table) -> Verdict:
    """The verdict on a table."""
    tests = [test for claim in table.claims for test in _tests(table, claim)]
    chances = [test.chance for test in tests if test.chance is not None]
    corrected = iter(holm(chances))
    decided = []
    for test in tests:
        if test.chance is not None:
            test = replace(test, chance=next(corrected))
        decided.append(_decided(table, test))
    decided = _at_the_level_left(decided)
    measured = any(cell.ours is not None for cell in table.cells)
    if measured:
        decided += [
            Test(claim, "", UNDECIDED) for claim in table.claims if not _is_measured(table, claim)
        ]
    words = {test.verdict for test in decided}
    for word in (DIFFERS, UNDECIDED, AGREES):
        if word in words:
            return Verdict(word, tuple(decided))
    if measured:
        return Verdict(UNDECIDED if table.claims else OURS_ALONE, ())
    return Verdict(NOT_RUN, ())


def _at_the_level_left(tests: list[Test]) -> list[Test]:
    """The tests with the runs that orders and sides would take to be told beside the others."""
    left = sum(test.chance is not None and test.chance >= LEVEL for test in tests)
    if left < 2:
        return tests
    more = runs_to_tell(1, 1, 0, LEVEL / left) / runs_to_tell(1, 1, 0)
    return [
        replace(test, needed=test.needed * more)
        if test.needed is not None and test.claim.kind in ("order", "side")
        else test
        for test in tests
    ]


def _tests(table: Table, claim: Claim) -> Iterator[Test]:
    """The tests of a claim, not yet decided."""
    if claim.kind == "order":
        yield from _order_tests(table, claim)
        return
    if claim.kind == "mostly":
        yield from _most_tests(table, claim)
        return
    for cell in table.cells:
        ours = figure(table, cell)
        if ours is None or not _is_meant(claim, cell):
            continue
        if claim.kind == "side":
            if _tells_side(claim, cell):
                yield _side_test(table, claim, cell, ours)
            continue
        if cell.paper is None:
            continue
        chance = None if ours.error is None else _paper_chance(table, cell, ours)
        needed = None
        if claim.kind == "figures" and ours.variance is not None:
            needed = _runs_to_tell_exact(claim.margin, ours.variance)
        yield Test(claim, _place(cell), "", chance, needed, ours, cell.paper)


def _tells_side(claim: Claim, cell: Cell) -> bool:
    """Whether the paper's figure is off the value by more than its interval.

    A paper that prints no figure says so in words, which are those of the claim: above.
    """
    if cell.paper is None or claim.value is None:
        return True
    return abs(cell.paper - claim.value) > (cell.half or 0.0)


def _side_test(table: Table, claim: Claim, cell: Cell, ours: Figure) -> Test:
    """Ours against a value that is exact."""
    assert claim.value is not None
    exact = replace(table, paper_games=0, paper_runs=0)
    against = replace(cell, paper=claim.value, half=None)
    chance = None if ours.error is None else _paper_chance(exact, against, ours)
    needed = None
    if ours.variance is not None:
        needed = _runs_to_tell_exact(ours.value - claim.value, ours.variance)
    above = cell.paper is None or cell.paper > claim.value
    return Test(claim, _place(cell), "", chance, needed, ours, claim.value, above)


def _runs_to_tell_exact(difference: float, variance: float) -> float:
    """The runs that tell a mean from a value that is exact."""
    if variance == 0 and difference != 0:
        return float(next(n for n in count(2) if sign_test(n, n) < LEVEL))
    return runs_to_tell(difference, variance, 0.0)


def _order_tests(table: Table, claim: Claim) -> Iterator[Test]:
    """A test for each line that has both columns, or each column that has both lines.

    Lines in which the paper's own figures are the other way round are no part of its claim.
    """
    for place, cells in _pairs(table, claim):
        if not _is_said(table, *cells):
            continue
        one, other = (figure(table, cell) for cell in cells)
        if one is None or other is None:
            continue
        needed = None
        if one.variance is not None and other.variance is not None:
            needed = runs_to_tell(one.value - other.value, one.variance, other.variance)
        chance = _pair_chance(table, (cells[0], one), (cells[1], other))
        yield Test(claim, place, "", chance, needed, one, other.value, rival_over=other.over)


def _most_tests(table: Table, claim: Claim) -> Iterator[Test]:
    """One test, by the sign test: in how many lines, or cells, it is so, of those that tell."""
    so = list(_on_the_side(table, claim) if claim.value is not None else _better(table, claim))
    if so:
        count, among = sum(so), len(so)
        ours = Figure(count, None, None, among)
        where = f"{count} of {among} {'lines' if claim.value is None else 'cells'}"
        yield Test(claim, where, "", sign_test(count, among), None, ours, among / 2)


def _better(table: Table, claim: Claim) -> Iterator[bool]:
    """For each line that is not equal whether the first column is better.

    All lines count, those in which the paper has it the other way round too: so they did there.
    """
    for _, cells in _pairs(table, claim):
        one, other = (figure(table, cell) for cell in cells)
        if one is not None and other is not None and one.value != other.value:
            yield (one.value < other.value) == table.lower


def _on_the_side(table: Table, claim: Claim) -> Iterator[bool]:
    """For each cell of which the paper tells it whether ours is on its side of the value."""
    assert claim.value is not None
    for cell in table.cells:
        ours = figure(table, cell)
        if ours is None or not _is_meant(claim, cell) or not _tells_side(claim, cell):
            continue
        if ours.value != claim.value:
            above = cell.paper is None or cell.paper > claim.value
            yield (ours.value > claim.value) == above


def _pairs(table: Table, claim: Claim) -> Iterator[tuple[str, tuple[Cell, Cell]]]:
    """The lines that have both columns of a claim, or the columns that have both lines."""
    by_column = claim.by == "column"
    places, chosen = table.columns(), claim.columns
    if by_column:
        places, chosen = table.rows(), claim.rows
    for place in chosen or places:
        one, other = (
            table.cell(place, name) if by_column else table.cell(name, place)
            for name in (claim.better, claim.than)
        )
        if one is not None and other is not None:
            yield place, (one, other)


def _is_said(table: Table, better: Cell, than: Cell) -> bool:
    """Whether the paper's figures have the order of a claim, where it prints both."""
    if better.paper is None or than.paper is None:
        return True
    return better.paper < than.paper if table.lower else better.paper > than.paper


def _decided(table: Table, test: Test) -> Test:
    """The test with its verdict."""
    assert test.ours is not None
    if test.claim.kind == "mostly":
        most = test.ours.value > test.rival
        told = test.chance is not None and test.chance < LEVEL
        return replace(test, verdict=(AGREES if most else DIFFERS) if told else UNDECIDED)
    if test.ours.over and test.ours.value <= test.rival:
        return replace(test, verdict=UNDECIDED)
    if test.rival_over and test.rival <= test.ours.value:
        return replace(test, verdict=UNDECIDED)
    better = test.ours.value < test.rival if table.lower else test.ours.value > test.rival
    told = test.chance is not None and test.chance < LEVEL
    exact = test.ours.error is None and table.measure in ("best", "proof", "solved")
    if test.claim.kind == "order":
        if exact and table.measure != "best" and test.ours.value != test.rival:
            return replace(test, verdict=AGREES if better else DIFFERS)
        return replace(test, verdict=(AGREES if better else DIFFERS) if told else UNDECIDED)
    if test.claim.kind == "side":
        same = (test.ours.value > test.rival) == test.above
        return replace(test, verdict=(AGREES if same else DIFFERS) if told else UNDECIDED)
    if test.claim.kind == "reach":
        if better or test.ours.value == test.rival:
            return replace(test, verdict=AGREES)
        settled = told or (exact and table.measure != "best")  # more runs may have a better best
        return replace(test, verdict=DIFFERS if settled else UNDECIDED)
    if told:
        return replace(test, verdict=DIFFERS)
    if exact:
        near = abs(test.ours.value - test.rival) <= test.claim.margin
        return replace(test, verdict=AGREES if near else DIFFERS)
    enough = test.needed is not None and test.ours.runs >= test.needed
    if test.ours.variance == 0:  # and no spread to tell a margin by
        enough = enough and abs(test.ours.value - test.rival) <= test.claim.margin
    return replace(test, verdict=AGREES if enough else UNDECIDED)


def _paper_chance(table: Table, cell: Cell, ours: Figure) -> float | None:
    """The probability that the paper's figure and ours are the same."""
    assert cell.paper is not None
    assert cell.ours is not None
    assert ours.error is not None
    if cell.ours.points is not None and cell.ours.games:
        games = table.paper_games or MANY
        share = min(1.0, max(0.0, cell.paper / table.per))
        return points_differ(cell.ours.points, cell.ours.games, share * games, games)
    if cell.half is not None:
        error = cell.half / 1.96
    elif table.paper_runs:
        error = ours.error * math.sqrt(ours.runs / table.paper_runs)
    else:
        error = 0.0
    if error == 0 and ours.error == 0 and not table.paper_runs:
        # all on one side of a value that is exact, as so many throws of a coin would be
        return 1.0 if ours.value == cell.paper else sign_test(ours.runs, ours.runs)
    return welch(ours.value, ours.error, ours.runs, cell.paper, error, table.paper_runs or MANY)


def _pair_chance(
    table: Table, one: tuple[Cell | None, Figure], other: tuple[Cell | None, Figure]
) -> float | None:
    """The probability that two figures of ours are the same."""
    mine, theirs = (cell.ours if cell is not None else None for cell in (one[0], other[0]))
    if mine is not None and theirs is not None and mine.points is not None:
        if theirs.points is not None and mine.games and theirs.games:
            return points_differ(mine.points, mine.games, theirs.points, theirs.games)
    first, second = one[1], other[1]
    if first.error is None or second.error is None:
        return None
    return welch(first.value, first.error, first.runs, second.value, second.error, second.runs)


def _is_measured(table: Table, claim: Claim) -> bool:
    """Whether there is anything of ours that a claim could be tested by."""
    if claim.kind in ("order", "mostly"):
        return any(True for _ in _tests(table, claim))
    return any(
        cell.ours is not None
        and (cell.paper is not None or claim.kind == "side")
        and _is_meant(claim, cell)
        for cell in table.cells
    )


def _is_meant(claim: Claim, cell: Cell) -> bool:
    return (not claim.rows or cell.row in claim.rows) and (
        not claim.columns or cell.column in claim.columns
    )


def _place(cell: Cell) -> str:
    return f"{cell.row}, {cell.column}"
