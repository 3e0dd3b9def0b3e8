"""The papers' pages are what the committed results say, and verdicts follow their rules."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from bench.papers import results as files
from bench.papers.__main__ import PAGES, pages
from bench.papers.figures import figure
from bench.papers.page import paper_page
from bench.papers.results import Cell, Claim, Ours, Table
from bench.papers.verdicts import AGREES, DIFFERS, NOT_RUN, OURS_ALONE, UNDECIDED, judge
from playout.errors import DataError
from playout.experiments import EXPERIMENTS, load_experiment
from playout.statistics import fisher, runs_to_tell, wilson
from playout.study import Experiment, Solve, curve_table

HIGHER = Claim("order", "B is above A.", better="B", than="A")


def table(*cells: Cell, **settings) -> Table:
    return Table("1", "a table", cells=cells, **settings)


def mean(column: str, value: float, sd: float, runs: int, row: str = "x", **more) -> Cell:
    return Cell(row, column, ours=Ours(mean=value, sd=sd, runs=runs), source="A", **more)


def points(column: str, won: float, games: int, row: str = "x", **more) -> Cell:
    return Cell(row, column, ours=Ours(points=won, games=games), source="A", **more)


def word(claim: Claim, *cells: Cell, **settings) -> str:
    return judge(table(*cells, claims=(claim,), **settings)).word


def test_the_pages_are_those_of_the_files():
    made = pages()
    assert sorted(made) == sorted(file.name for file in PAGES.iterdir())
    for name, text in made.items():
        assert text == (PAGES / name).read_text(), f"{name}: run python -m bench.papers pages"


@pytest.mark.parametrize("name", files.names())
def test_a_file_is_written_as_it_is_read(name):
    text = (files.FOLDER / f"{name}.json").read_text()
    assert files.as_text(files.to_json(files.read(name))) + "\n" == text


@pytest.mark.parametrize("name", files.names())
def test_the_papers_figures_are_those_of_the_experiment(name):
    if name not in EXPERIMENTS:
        pytest.skip(f"{name} has no experiment")
    known = {
        (t.name, c.row, c.column): c.paper
        for t in load_experiment(name).tables
        for c in t.cells
        if c.paper is not None
    }
    for one in files.read(name).tables:
        for cell in one.cells:
            paper = known.get((one.name, cell.row, cell.column))
            if paper is not None:
                assert (cell.paper, cell.half) == (paper.value, paper.half), (one.name, cell)


@pytest.mark.parametrize("name", files.names())
def test_a_table_that_differs_says_why_and_one_that_is_not_run_what_it_takes(name):
    for one in files.read(name).tables:
        verdict = judge(one).word
        assert one.why or verdict != DIFFERS, one.name
        assert one.more or verdict != NOT_RUN, one.name


class TestOrder:
    def test_told_apart_by_welch(self):
        # 10 and 20 with standard errors of 1: t = 10 / sqrt(2), far out
        assert word(HIGHER, mean("A", 10, 10, 100), mean("B", 20, 10, 100)) == AGREES
        assert word(HIGHER, mean("A", 20, 10, 100), mean("B", 10, 10, 100)) == DIFFERS

    def test_lower_is_better(self):
        cells = mean("A", 10, 10, 100), mean("B", 20, 10, 100)
        assert word(HIGHER, *cells, lower=True) == DIFFERS

    def test_not_told_apart_says_how_many_runs(self):
        # t = 1 / sqrt(2) with some 198 degrees: p = 0.48
        (test,) = judge(
            table(mean("A", 10, 10, 100), mean("B", 11, 10, 100), claims=(HIGHER,))
        ).tests
        assert test.verdict == UNDECIDED
        assert test.chance == pytest.approx(0.4804, abs=1e-4)
        assert test.needed == pytest.approx(runs_to_tell(1, 100, 100))

    def test_a_single_run_tells_nothing(self):
        one = Ours(mean=10, runs=1)
        cells = Cell("x", "A", ours=one), Cell("x", "B", ours=Ours(mean=99, runs=1))
        assert word(HIGHER, *cells) == UNDECIDED

    def test_two_and_two_without_spread_tell_nothing(self):
        assert word(HIGHER, mean("A", 0, 0, 2), mean("B", 100, 0, 2)) == UNDECIDED

    def test_runs_that_are_alike_say_how_many_would_tell(self):
        # 2 and 2 part so by chance in one case of 3, 4 and 4 in one of 35
        (test,) = judge(table(mean("A", 0, 0, 2), mean("B", 1, 0, 2), claims=(HIGHER,))).tests
        assert (test.verdict, test.needed) == (UNDECIDED, 4)
        assert word(HIGHER, mean("A", 0, 0, 4), mean("B", 1, 0, 4)) == AGREES

    def test_games_by_fisher(self):
        # 9 of 10 and 2 of 10: p = 0.0055; 6 and 4 of 10: p = 0.66
        (test,) = judge(table(points("A", 2, 10), points("B", 9, 10), claims=(HIGHER,))).tests
        assert test.verdict == AGREES
        assert test.chance == pytest.approx(fisher(9, 10, 2, 10))
        assert word(HIGHER, points("A", 4, 10), points("B", 6, 10)) == UNDECIDED

    def test_moves_of_proofs_are_compared_as_they_are(self):
        cells = (
            Cell("x", "A", ours=Ours(value=500, runs=1)),
            Cell("x", "B", ours=Ours(value=3, runs=1)),
        )
        assert word(HIGHER, *cells, measure="proof", lower=True) == AGREES
        assert word(HIGHER, *cells, measure="proof") == DIFFERS
        assert word(HIGHER, *cells, measure="best") == UNDECIDED  # with more runs either may gain

    @pytest.mark.parametrize(
        ("mine", "over", "theirs", "theirs_over", "expected"),
        [
            (3, False, 500, True, AGREES),  # the other one takes more still
            (500, False, 3, True, UNDECIDED),  # the other one may take more than 500, or less
            (500, True, 3, False, DIFFERS),
            (3, True, 500, False, UNDECIDED),
            (3, True, 500, True, UNDECIDED),
        ],
    )
    def test_a_proof_that_was_broken_off_takes_more(
        self, mine, over, theirs, theirs_over, expected
    ):
        cells = (
            Cell("x", "A", ours=Ours(value=theirs, runs=1, over=theirs_over)),
            Cell("x", "B", ours=Ours(value=mine, runs=1, over=over)),
        )
        assert word(HIGHER, *cells, measure="proof", lower=True) == expected

    def test_lines_are_compared_within_columns(self):
        claim = Claim("order", "more is better", better="9", than="1", by="row")
        cells = points("A", 1, 50, row="1"), points("A", 45, 50, row="9")
        assert word(claim, *cells) == AGREES

    def test_a_line_in_which_the_paper_has_it_the_other_way_round_is_not_claimed(self):
        said = mean("A", 10, 1, 50, "1", paper=1), mean("B", 20, 1, 50, "1", paper=2)
        not_said = mean("A", 20, 1, 50, "2", paper=2), mean("B", 10, 1, 50, "2", paper=1)
        found = judge(table(*said, *not_said, claims=(HIGHER,)))
        assert [(test.where, test.verdict) for test in found.tests] == [("1", AGREES)]

    def test_holm_corrects_for_all_tests_of_a_table(self):
        # 8 and 1 of 10 have p = 0.0055 alone; with ten lines that are alike p is 0.055
        lines = [
            c for n in range(9) for c in (points("A", 5, 10, f"{n}"), points("B", 5, 10, f"{n}"))
        ]
        alone = judge(table(points("A", 1, 10), points("B", 8, 10), claims=(HIGHER,)))
        assert alone.word == AGREES
        among = judge(table(points("A", 1, 10), points("B", 8, 10), *lines, claims=(HIGHER,)))
        assert among.count(AGREES) == 0
        assert among.tests[0].chance == pytest.approx(10 * fisher(8, 10, 1, 10))
        # the ten are not told: what would tell this one has p < 0.005
        (one,) = alone.tests
        assert among.tests[0].needed / one.needed == pytest.approx(
            runs_to_tell(1, 1, 1, level=0.005) / runs_to_tell(1, 1, 1)
        )

    def test_what_is_told_leaves_the_level_to_the_rest(self):
        told = points("A", 0, 50, "told"), points("B", 50, 50, "told")
        cells = points("A", 4, 10), points("B", 6, 10)
        (alone,) = judge(table(*cells, claims=(HIGHER,))).tests
        _, beside = judge(table(*told, *cells, claims=(HIGHER,))).tests
        assert beside.needed == alone.needed


class TestMostly:
    CLAIM = Claim("mostly", "B is mostly above A.", better="B", than="A")

    def lines(self, *pairs):
        values = {"A": [pair[0] for pair in pairs], "B": [pair[1] for pair in pairs]}
        return [
            Cell(f"{n}", column, ours=Ours(value=value, runs=1))
            for column, found in values.items()
            for n, value in enumerate(found)
        ]

    def test_by_the_sign_test_over_the_lines(self):
        # 6 of 6: p = 2 / 64; 5 of 5: p = 2 / 32
        assert word(self.CLAIM, *self.lines(*[(1, 2)] * 6), measure="best") == AGREES
        assert word(self.CLAIM, *self.lines(*[(2, 1)] * 6), measure="best") == DIFFERS
        assert word(self.CLAIM, *self.lines(*[(1, 2)] * 5), measure="best") == UNDECIDED
        assert word(self.CLAIM, *self.lines(*[(1, 2)] * 6), measure="best", lower=True) == DIFFERS

    def test_the_page_says_in_how_many(self):
        one = table(*self.lines(*[(1, 2)] * 6), claims=(self.CLAIM,), measure="best")
        paper = files.Results("p", "A paper", "someone", (), {}, ())
        assert "It agrees, in 6 of 6 lines." in paper_page(paper.with_table(one))

    def test_equal_lines_do_not_count(self):
        found = judge(table(*self.lines((1, 2), (3, 3), (5, 4)), claims=(self.CLAIM,)))
        assert [(one.where, one.chance) for one in found.tests] == [("1 of 2 lines", 1.0)]
        assert judge(table(*self.lines((3, 3)), claims=(self.CLAIM,))).word == UNDECIDED

    def test_most_cells_are_on_the_papers_side(self):
        claim = Claim("mostly", "as in the paper", value=50)
        cells = [points("A", 60, 100, f"{n}", paper=70, half=4) for n in range(5)]
        below = points("A", 40, 100, "below", paper=30, half=4)
        assert word(claim, *cells, below, per=100.0) == AGREES  # 6 of 6
        untold = points("A", 40, 100, "untold", paper=52, half=4)
        assert word(claim, *cells, untold, per=100.0) == UNDECIDED  # 5 of 5
        assert word(claim, *[replace(c, paper=30) for c in cells], below, per=100.0) == UNDECIDED

    def test_the_papers_own_exceptions_count(self):
        cells = [
            replace(cell, paper=9.0 if cell.column == "A" else 1.0)
            for cell in self.lines(*[(1, 2)] * 6)
        ]
        assert word(self.CLAIM, *cells) == AGREES


class TestFigures:
    CLAIM = Claim("figures", "as the paper's", margin=5)

    def test_agreement_needs_the_runs_to_tell_the_margin(self):
        # a variance of 100 and a margin of 5: 2.8 squared times 100 / 25 = 31.4 runs
        assert runs_to_tell(5, 100, 0) == pytest.approx(31.4, abs=0.05)
        assert word(self.CLAIM, mean("A", 50, 10, 32, paper=51), paper_runs=200) == AGREES
        assert word(self.CLAIM, mean("A", 50, 10, 31, paper=51), paper_runs=200) == UNDECIDED

    def test_runs_that_are_alike_do_not_agree_with_what_is_far_off(self):
        # five of a coin's throws on one side: p = 1 / 16; six: 1 / 32
        assert word(self.CLAIM, mean("A", 50, 0, 5, paper=60)) == UNDECIDED
        assert word(self.CLAIM, mean("A", 50, 0, 6, paper=60)) == DIFFERS
        assert word(self.CLAIM, mean("A", 50, 0, 5, paper=50)) == UNDECIDED
        assert word(self.CLAIM, mean("A", 50, 0, 6, paper=50)) == AGREES
        assert word(self.CLAIM, mean("A", 50, 0, 3, paper=60), paper_runs=200) == DIFFERS

    def test_the_papers_own_interval_counts(self):
        cell = mean("A", 50, 1, 100, paper=53, half=1.0)
        assert word(self.CLAIM, cell) == DIFFERS
        assert word(self.CLAIM, mean("A", 50, 1, 100, paper=53, half=8.0)) == AGREES

    def test_shares_against_the_papers_games(self):
        # 50 of 100 against 70% of 500
        cell = points("A", 50, 100, paper=70)
        found = judge(table(cell, claims=(self.CLAIM,), per=100.0, paper_games=500))
        assert found.word == DIFFERS
        assert found.tests[0].chance == pytest.approx(fisher(50, 100, 350, 500))
        assert found.tests[0].ours.low == pytest.approx(100 * wilson(50, 100)[0])

    def test_a_winner_is_the_papers_or_not(self):
        claim = Claim("figures", "the same winner", margin=0.5)
        cell = Cell("x", "A", paper=2, ours=Ours(value=2, runs=1))
        assert word(claim, cell, measure="proof") == AGREES
        other = Cell("x", "A", paper=2, ours=Ours(value=1, runs=1))
        assert word(claim, other, measure="proof") == DIFFERS


class TestSideAndReach:
    SIDE = Claim("side", "more than half", value=50)
    REACH = Claim("reach", "as good")

    def test_a_side(self):
        assert word(self.SIDE, points("A", 90, 100, paper=60), per=100.0) == AGREES
        assert word(self.SIDE, points("A", 90, 100, paper=40), per=100.0) == DIFFERS
        assert word(self.SIDE, points("A", 52, 100, paper=60), per=100.0) == UNDECIDED

    def test_runs_that_are_alike_are_on_a_side(self):
        # as throws of a coin: 5 alike have p = 1 / 16, 6 have 1 / 32
        (few,) = judge(table(mean("A", 100, 0, 5, paper=60), claims=(self.SIDE,))).tests
        assert (few.verdict, few.chance, few.needed) == (UNDECIDED, 1 / 16, 6)
        assert word(self.SIDE, mean("A", 100, 0, 6, paper=60)) == AGREES
        assert word(self.SIDE, mean("A", 50, 0, 6, paper=60)) == UNDECIDED

    def test_a_side_in_words_is_above(self):
        assert word(self.SIDE, points("A", 90, 100), per=100.0) == AGREES
        assert word(self.SIDE, points("A", 10, 100), per=100.0) == DIFFERS

    def test_what_the_paper_does_not_tell_is_not_tested(self):
        cell = points("A", 90, 100, paper=52, half=4.0)
        assert judge(table(cell, claims=(self.SIDE,), per=100.0)).tests == ()

    @pytest.mark.parametrize(
        ("measure", "value", "expected"),
        [("proof", 16, AGREES), ("proof", 15, AGREES), ("proof", 14, DIFFERS)]
        + [("best", 16, AGREES), ("best", 15, AGREES), ("best", 14, UNDECIDED)],
    )
    def test_reach(self, measure, value, expected):
        cell = Cell("x", "A", 15, ours=Ours(value=value, runs=1))
        assert word(self.REACH, cell, measure=measure) == expected

    def test_a_mean_that_is_worse_is_tested(self):
        low = mean("A", 14, 10, 50, paper=15)
        assert word(self.REACH, low, paper_runs=50) == UNDECIDED
        assert word(self.REACH, mean("A", 5, 10, 50, paper=15), paper_runs=50) == DIFFERS


def test_a_table_differs_if_one_test_does_and_is_not_run_without_cells():
    cells = [
        mean("A", 10, 1, 50, "1"),
        mean("B", 20, 1, 50, "1"),
        mean("A", 10, 1, 50, "2"),
        mean("B", 10.1, 1, 50, "2"),
    ]
    assert word(HIGHER, *cells) == UNDECIDED
    worse = mean("A", 20, 1, 50, "3"), mean("B", 10, 1, 50, "3")
    found = judge(table(*cells, *worse, claims=(HIGHER,)))
    assert found.word == DIFFERS
    assert [found.count(w) for w in (AGREES, UNDECIDED, DIFFERS)] == [1, 1, 1]
    assert judge(table(claims=(HIGHER,))).word == NOT_RUN
    assert judge(table(cells[0], claims=(HIGHER,))).word == UNDECIDED
    assert judge(table(*cells)).word == OURS_ALONE


def test_a_claim_that_was_not_measured_keeps_a_table_from_agreeing():
    other = Claim("order", "C is above A.", better="C", than="A")
    cells = mean("A", 10, 1, 50), mean("B", 20, 1, 50)
    assert word(HIGHER, *cells) == AGREES
    found = judge(table(*cells, claims=(HIGHER, other)))
    assert (found.word, found.count(AGREES), found.count(UNDECIDED)) == (UNDECIDED, 1, 1)


def test_who_wins_is_not_better_or_worse():
    paper = files.Results("p", "A paper", "someone", (), {}, ())
    winner = Claim("figures", "the same winner", margin=0.5)
    cell = Cell("x", "A", paper=2, ours=Ours(value=2, runs=1), source="A")
    one = table(cell, measure="proof", claims=(winner,))
    assert "is better" not in paper_page(paper.with_table(one))
    moves = table(cell, measure="proof", lower=True, claims=(Claim("reach", "as few"),))
    assert "Lower is better." in paper_page(paper.with_table(moves))


def test_a_line_says_its_budget_and_a_cell_its_own():
    one = Ours(value=3, runs=1)
    cells = [
        Cell(row, column, ours=one, source="A", at=at)
        for row, column, at in (
            ("x", "A", "10 s"),
            ("x", "B", "10 s"),
            ("y", "A", "10 s"),
            ("y", "B", ""),
        )
    ]
    paper = files.Results("p", "A paper", "someone", (), {}, ())
    text = paper_page(paper.with_table(table(*cells, measure="best")))
    assert "| x (at 10 s) | 3 | 3 |" in text
    assert "| y | 3 (at 10 s) | 3 |" in text


def test_an_interval_from_a_half_width_is_that_half_width():
    found = figure(table(), Cell("x", "A", ours=Ours(mean=10, half=2.5, runs=7)))
    assert found.low == pytest.approx(7.5)
    assert found.high == pytest.approx(12.5)
    again = figure(table(), mean("A", 10, found.error * math.sqrt(7), 7))
    assert again.low == pytest.approx(7.5)
    single = figure(table(), Cell("x", "A", ours=Ours(mean=10, half=1.96, runs=1)))
    assert (single.low, single.high, single.error) == pytest.approx((8.04, 11.96, 1.0))


@pytest.mark.parametrize(
    "data",
    [
        {"mean": 1, "points": 1, "games": 2},
        {"points": 3, "games": 2},
        {"mean": 1},
        {"median": 1, "runs": 2},
        {"mean": 1, "runs": 2, "over": True},
    ],
)
def test_a_figure_that_makes_no_sense_is_refused(data):
    cell = {"row": "x", "column": "A", "ours": data, "source": "A"}
    source = {"command": "c", "machine": "m", "effort": "e"}
    paper = {"name": "n", "title": "t", "paper": "p", "says": [], "sources": {"A": source}}
    with pytest.raises(DataError):
        files.from_json({**paper, "tables": [{"name": "1", "title": "t", "cells": [cell]}]})


def test_a_store_is_taken_as_its_runs_are(tmp_path, monkeypatch):
    from bench.papers.take import take
    from playout.experiments.reproduce import reproduce

    searches = {"A": Solve("maximum", "random", compiled=False)}
    one = curve_table("1", "a", searches, (0.5, 1.0), playouts=20, runs=3, paper="1.0 7(2)")
    store = tmp_path / "runs.sqlite"
    experiment = Experiment("mine", "My own", (one,), paper="A paper")
    report = reproduce(experiment, by="playouts", workers=1, store=store)
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    assert take(store, only=["2"]) == [f"mine: 0 cells from {store}"]
    assert take(store, "`a command`", "all of it") == [f"mine: 2 cells from {store}"]
    cell = files.read("mine").tables[0].cells[1]
    assert (cell.paper, cell.half, cell.source, cell.at) == (7.0, 2.0, "A", "20 playouts")
    shown = report.tables[0].cells[1].ours
    found = figure(files.read("mine").tables[0], cell)
    assert np.allclose([found.value, found.low, found.high], [shown.value, shown.low, shown.high])
    assert take(store) == [f"mine: 0 cells from {store}"]  # nothing new
    reproduce(experiment, by="playouts", playouts=30, runs=4, workers=1, store=store)
    assert take(store) == [f"mine: 0 cells from {store}"]  # more runs, at another budget
    assert take(store, replacing=True) == [f"mine: 2 cells from {store}"]
    assert list(json.loads((tmp_path / "mine.json").read_text())["sources"]) == ["B"]


def test_lines_of_proofs_are_taken_as_they_ended(tmp_path, monkeypatch):
    from bench import solver_lines

    (nine,) = [line for line in solver_lines.lines() if line.table == "9"]
    assert (nine.name, nine.than, nine.size) == ("ab-MC", "ab", "7x7")
    assert (nine.search.order, nine.rival.order) == ("mc:playouts=100000", "game")
    assert nine.search.solver == nine.rival.solver == "alphabeta"
    (tmp_path / "solver.json").write_text((files.FOLDER / "solver.json").read_text())
    out = tmp_path / "lines.jsonl"
    ended = {"table": "9", "size": "7x7", "row": "ab-MC", "value": 1.0, "moves": 7, "seconds": 3}
    broken_off = {**ended, "row": "ab", "value": None, "moves": 20, "seconds": 2}
    out.write_text(f"{json.dumps(ended)}\n{json.dumps(broken_off)}\n")
    monkeypatch.setattr(files, "FOLDER", tmp_path)
    assert solver_lines.take(out, "") == 4
    found = judge(files.read("solver").table("9"))
    by_place = {test.where: test.verdict for test in found.tests if test.claim.kind == "order"}
    assert by_place == {"7x7 moves": AGREES, "7x7 seconds": UNDECIDED}
    before = set(files.read("solver").sources)
    assert solver_lines.take(out, "", "another machine") == 4
    (key,) = set(files.read("solver").sources) - before
    assert files.read("solver").sources[key].machine.startswith("another machine")
    assert solver_lines.KEY in files.read("solver").sources  # for the lines of other tables
