"""The public face: every name is there, typed, documented by an example that runs."""

from __future__ import annotations

import doctest
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import playout as po

ROOT = Path(__file__).parents[1]
NAMES = sorted(name for name in po.__all__ if name not in (*po._MODULES, "__version__"))
SCRIPTS = ROOT / "tests" / "data" / "typing"

# what takes seconds to compile or to train, and the package that it needs
SLOW = {
    "train": "torch",
    "TrainResult": "torch",
    "PolicyMCTS": "numba",
    "tune": "optuna",
    "Tuned": "optuna",
    "design_rna": "RNA",
    "RnaDesigns": "RNA",
    "reproduce": "numba",
}


def test_the_names_are_few():
    assert 40 <= len(NAMES) <= 56


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.long if n in SLOW else ()) for n in NAMES]
)
def test_it_has_an_example_that_runs(name):
    pytest.importorskip(SLOW.get(name, "numba"))
    thing = getattr(po, name)
    module = sys.modules[thing.__module__]
    finder = doctest.DocTestFinder(recurse=False)
    (found,) = finder.find(thing, name, module=module, globs={**vars(module), "po": po})
    assert found.examples, f"{name} has no example"
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert runner.run(found).failed == 0


@pytest.mark.parametrize(
    "name",
    [
        "solve",
        "search",
        "match",
        "prove",
        "episode",
        "train",
        "compare",
        "tune",
        "color",
        "design_rna",
    ],
)
def test_verbs_take_what_how_and_when_to_stop(name):
    parameters = list(inspect.signature(getattr(po, name)).parameters.values())
    positional = [p.name for p in parameters if p.kind is p.POSITIONAL_OR_KEYWORD]
    named = [p.name for p in parameters if p.kind is p.KEYWORD_ONLY]
    assert len(positional) <= 3
    if name != "match":  # which has as many players as you like, and then a budget
        assert positional[2] == "stop"
    assert "seed" in named or name in ("compare", "tune")  # whose runs have the seeds 1, 2, 3, ...


def test_when_to_stop_is_said_by_name():
    plain = {"seed": 1, "compiled": False}
    what = ("maximum:n=9", "nmcs")
    assert po.solve(*what, playouts=20, **plain).playouts == 20
    assert po.start(*what, seconds=600, playouts=20, **plain).result().playouts == 20
    assert po.solve(*what, "1h", target=6, **plain).stopped_by == "target"
    assert po.search("tictactoe", "uct", playouts=50, **plain).simulations == 50
    assert po.analyse("tictactoe", "uct", playouts=50, **plain).result.simulations == 50
    found = po.color([(0, 1), (1, 2)], "nmcs", k=2, playouts=30, **plain)
    assert found.colors == 2
    problem = po.problems.Maximum(9)
    table = po.compare(problem, ["random"], playouts=20, runs=1)
    assert table.rows()[0] == po.compare(problem, ["random"], "20 playouts", runs=1).rows()[0]


def test_a_budget_by_name_that_is_none_is_refused():
    with pytest.raises(po.OptionError, match=r"Seconds\(0\): give a number over 0"):
        po.solve("maximum", seconds=0)
    with pytest.raises(TypeError, match="no argument 'secs'; did you mean seconds or"):
        po.solve("maximum", secs=1)
    with pytest.raises(po.OptionError, match="a tree search stops by Seconds or Playouts"):
        po.search("tictactoe", target=1)


@pytest.mark.parametrize(
    "name",
    [
        "Result",
        "SearchResult",
        "MatchResult",
        "Proof",
        "TrainResult",
        "Comparison",
        "Tuned",
        "Report",
        "Coloring",
        "RnaDesigns",
        "Episode",
    ],
)
def test_results_print_are_saved_and_drawn(name):
    cls = getattr(po, name)
    assert cls.__str__ is not object.__str__
    assert callable(cls.save)
    assert callable(cls._repr_html_)


@pytest.fixture(scope="module")
def type_errors() -> list[tuple[str, str]]:
    """File and line of what a strict type checker finds in a right and in a wrong script.

    It has the settings of `make lint`, and so what that knows of the package already.
    """
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", *(str(path) for path in sorted(SCRIPTS.glob("*.py")))]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    found = [line.partition(": error: ") for line in done.stdout.splitlines()]
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert done.stdout.splitlines()[-1].startswith(("Success", "Found"))
    places = [place.split(":") for place, error, _ in found if error]
    return [(Path(place[0]).name, place[1]) for place in places]


@pytest.mark.long
def test_a_type_checker_passes_a_users_script(type_errors):
    assert (ROOT / "playout" / "py.typed").exists()
    assert not [line for file, line in type_errors if file != "a_wrong_script.py"]


@pytest.mark.long
def test_a_type_checker_finds_a_users_mistakes(type_errors):
    lines = [line for file, line in type_errors if file == "a_wrong_script.py"]
    assert lines == ["5", "6", "7"]
