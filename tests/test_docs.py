"""The README's session, the docstrings' examples and the documentation's problems run."""

from __future__ import annotations

import doctest
import importlib
import re
from pathlib import Path

import pytest

import playout as po

ROOT = Path(__file__).parent.parent


def test_the_readme_session():
    failed, tried = doctest.testfile(
        str(ROOT / "README.md"), module_relative=False, encoding="utf-8",
        optionflags=doctest.NORMALIZE_WHITESPACE,
    )  # fmt: skip
    assert tried > 8
    assert failed == 0


@pytest.mark.parametrize(
    "module", ["playout", "playout.run.solve", "playout.compiled.records", "playout.search.gnrpa"]
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
    problem = scope["Knapsack"]([3, 4, 5, 9], [3.0, 4.0, 4.0, 10.0], 11)
    report = po.check_problem(problem, games=5, compiled=False)
    assert report.passed, str(report)
    # 4 + 5 makes 8, 3 + 5 makes 7, 9 alone makes 10
    assert po.solve(problem, po.Random(), po.Playouts(200), seed=1).score == 10.0


def test_every_algorithm_and_problem_is_in_the_readme():
    from playout.problems import PROBLEMS
    from playout.search import ALGORITHMS

    text = (ROOT / "README.md").read_text()
    for name in [*ALGORITHMS, *PROBLEMS]:
        assert f"| `{name}` |" in text
    for name in po.__all__:
        getattr(po, name)
