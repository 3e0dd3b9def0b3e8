"""The sessions on the pages, the docstrings' examples, problems and experiments run."""

from __future__ import annotations

import doctest
import importlib
import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest

import playout as po
from playout.algorithms.algorithm import Algorithm
from playout.text.user_files import load_class

ROOT = Path(__file__).parent.parent


@pytest.mark.long
@pytest.mark.parametrize(
    ("page", "examples"),
    [
        ("README.md", 8),
        ("docs/quickstart.md", 5),
        ("docs/tutorials/route.md", 8),
        ("docs/tutorials/notebook.md", 9),
        ("docs/experiment.md", 5),
        ("docs/jass.md", 4),
        ("docs/prove.md", 4),
        ("docs/zonnscan.md", 5),
        ("docs/doubledummy.md", 7),
        ("docs/chance.md", 4),
        ("docs/lab.md", 9),
    ],
)
def test_the_session_on_the_page(page, examples):
    failed, tried = doctest.testfile(
        str(ROOT / page),
        module_relative=False,
        encoding="utf-8",
        optionflags=doctest.NORMALIZE_WHITESPACE,
    )
    assert tried >= examples
    assert failed == 0


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::FutureWarning")
@pytest.mark.parametrize(
    ("page", "examples", "needs", "extra"),
    [("gpu", 8, "torch", "learn"), ("cluster", 5, "ray", "cluster")],
)
def test_the_session_of_a_tutorial_that_needs_an_extra(page, examples, needs, extra):
    if importlib.util.find_spec(needs) is None:  # Ray must not be imported before it is set up
        pytest.skip(f"{needs} is not installed (extra {extra})")
    test_the_session_on_the_page(f"docs/tutorials/{page}.md", examples)


@pytest.mark.parametrize(
    "module",
    [
        "playout",
        "playout.run.solve",
        "playout.run.driver",
        "playout.compiled.records",
        "playout.study.store.results_store",
        "playout.gametree.tree_search",
        "playout.gametree.tree_session",
        "playout.zonnscan.zones",
        "playout.learn.inference.evaluators",
        "playout.problems.inverse_folding.referee",
        "playout.cards.deck",
        "playout.cards.tricks",
        "playout.arcade",
        "playout.adapters.arcade_screen",
    ],
)
def test_docstrings(module):
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("page", ["README.md", "docs/problem.md"])
def test_the_problem_on_the_page_is_a_good_problem(page, tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.S)
    source = next(block for block in blocks if "class Knapsack" in block)
    scope: dict = {"__name__": "on_the_page"}
    exec(compile(source, page, "exec"), scope)
    assert scope["Knapsack"].default().max_moves >= 4  # so the commands on the page work
    problem = scope["Knapsack"]([3, 4, 5, 9], [3.0, 4.0, 4.0, 10.0], 11)
    report = po.check_problem(problem, games=5, compiled=False)
    assert report.passed, str(report)
    # 4 + 5 makes 8, 3 + 5 makes 7, 9 alone makes 10
    assert po.solve(problem, po.Random(), po.Playouts(200), seed=1).score == 10.0
    session = "\n".join(block for block in blocks if ">>>" in block)
    if page == "docs/problem.md":
        tests = doctest.DocTestParser().get_doctest(session, scope, page, page, 0)
        result = doctest.DocTestRunner().run(tests)
        assert (result.attempted, result.failed) == (3, 0)


@pytest.mark.long
def test_the_algorithm_on_the_page_is_a_good_algorithm(tmp_path):
    text = (ROOT / "docs/algorithm.md").read_text()
    source, session = re.findall(r"```python\n(.*?)```", text, re.S)
    (tmp_path / "climb.py").write_text(source)
    named = f"{tmp_path / 'climb.py'}:Climb"
    climb = load_class(named, Algorithm)
    tests = doctest.DocTestParser().get_doctest(session, {"Climb": climb}, "page", "page", 0)
    assert doctest.DocTestRunner().run(tests).failed == 0
    how = dict(seed=2, compiled=False)
    alone = po.solve("maximum:n=15", named, playouts=100, **how)
    together = po.solve("maximum:n=15", climb(), playouts=100, workers=2, parallel="leaf", **how)
    assert (alone.moves, alone.algorithm) == (together.moves, "climb")
    assert po.solve("maximum:n=15", "random", playouts=100, **how).moves != alone.moves
    file = tmp_path / "run.ckpt"
    po.solve("maximum:n=15", climb(), playouts=37, checkpoint=file, **how)
    resumed = po.solve("maximum:n=15", climb(), playouts=100, checkpoint=file, **how)
    assert resumed.moves == alone.moves


@pytest.mark.long
def test_algorithms_of_ones_own_are_compared():
    @dataclass(frozen=True, kw_only=True)
    class Mine(po.Random):
        name: ClassVar[str] = ""

    problem = po.problems.Maximum(9)
    table = po.compare(problem, [Mine(), po.Random()], playouts=20, runs=2)
    mine, random = table.rows()
    assert (mine["algorithm"], mine["mean"]) == ("mine", random["mean"])
    with pytest.raises(po.OptionError, match="mine is a class of your own, which other processes"):
        po.compare("maximum:n=9", [Mine()], playouts=20, runs=2)
    Mine.name = "nmcs"
    with pytest.raises(po.OptionError, match="there is the algorithm 'nmcs' already"):
        po.compare(problem, [Mine()], playouts=20, runs=2)


def test_the_files_in_the_readme_are_there_and_can_be_read():
    from playout.cards.deal_lists import read_deals
    from playout.ggp.game import GDLGame
    from playout.problems import PROBLEMS

    named = re.findall(r"^playout .*?(examples/[\w.]+)", (ROOT / "README.md").read_text(), re.M)
    files = {name: ROOT / name for name in named}
    assert all(file.is_file() for file in files.values())
    assert len(PROBLEMS["tsptw"].read(files["examples/tour.txt"])) == 1
    assert len(PROBLEMS["coloring"].read(files["examples/timetable.col"])) == 1
    assert len(read_deals(str(files["examples/deal.pbn"]))) == 1
    game = GDLGame(str(files["examples/pennies.kif"]))
    state = game.root()
    assert [game.move_text(state[0], move) for move in game.legal_moves(state[0])] == [
        f"(take {n})" for n in (1, 2, 3)
    ]


def test_the_method_on_the_page_of_the_contract():
    text = (ROOT / "docs/contract.md").read_text()
    (source,) = re.findall(r"```python\n(.*?)```", text, re.S)
    scope: dict = {}
    exec(f"class Polished:\n{source}", scope)
    assert scope["Polished"]().polish(None, [], 0, 7, None) == 7


@pytest.mark.long
def test_the_experiment_on_the_page_runs(tmp_path, monkeypatch):
    from playout.algorithms import ALGORITHMS
    from playout.experiments import load_experiment
    from playout.study.conduct import conduct
    from playout.study.make_report import make_report
    from playout.study.plan import Settings, make_plan
    from playout.study.store.results_store import open_store

    example = ROOT / "examples" / "knapsack_experiment.py"
    assert f"```python\n{example.read_text()}```" in (ROOT / "docs/experiment.md").read_text()
    monkeypatch.chdir(ROOT)
    experiment = load_experiment(str(example))
    for task in make_plan(experiment, Settings()).planned_runs():
        ALGORITHMS.find(task.search.algorithm)(**task.search.options)
    plan = make_plan(experiment, Settings(scale=0.001, by="playouts", only=("random",)))
    conduct(plan, store=tmp_path / "s.sqlite")
    with open_store(tmp_path / "s.sqlite", read_only=True) as store:
        report = make_report(store, plan)
    cells = [cell for table in report.tables for cell in table.cells if cell.column == "random"]
    assert len(cells) == 9
    assert all(cell.ours is not None for cell in cells)


def test_the_kind_of_run_on_the_page_runs(tmp_path):
    from playout.experiments import load_experiment
    from playout.study.kinds.kind import Budget

    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "docs/experiment.md").read_text(), re.S)
    (tmp_path / "widths.py").write_text(next(block for block in blocks if "GameKind" in block))
    (table,) = load_experiment(str(tmp_path / "widths.py")).tables
    (search,) = table.cells[0].searches
    row = search.perform(search.load(), Budget("playouts", 20), 1, lambda: False)
    assert 4.5 < row.score <= (9 + 8 + 7 + 6 + 5) / 5  # the mean of 9, 8, 7, ... until the end


def test_every_public_name_is_there():
    for name in po.__all__:
        getattr(po, name)
