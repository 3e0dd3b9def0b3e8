"""What a user reads when a method cannot be compiled: the own file, the line and a plain reason."""

from __future__ import annotations

import importlib.util
import sys
import textwrap
import time

import pytest

from playout.algorithms.random_search import Random
from playout.algorithms.search import step
from playout.compiled import CompileError, friendly
from playout.compiled.compile_errors import explain
from playout.errors import PlayoutError, ProblemError
from tests.support.forms import long

PROBLEM = """
import json
import math
import numpy as np
import their_helpers
from playout.compiled import helper, record
from playout.contract import Problem

RATES = {"a": 1.0}
PRICES = [1.0, 2.0]

def plain(x):
    return x + 1

@helper
def clumsy(x):
    return x.nothing

class Toy(Problem):
    fields = ("size",)

    def __init__(self):
        self.size = 3
        self.weights = np.ones(3)
        self.state_type = record(total="f8", left="i8", cells=("i8", 3))
        self.move_type = record(pick="i8")
        self.max_moves = 3
        self.max_length = 3

    def reset(self, state):
        state.left = 3

    def moves(self, state, moves):
        if state.left == 0:
            return 0
        for i in range(3):
            moves[i].pick = i
        return 3

    def play(self, state, move):
        state.left -= 1
        state.total += move.pick

    def score(self, state):
        return state.total
"""

THEIRS = """
from playout.compiled import helper

RATES = {"a": 1.0}

def plain(x):
    return x + 1

@helper
def clumsy(x):
    y = x + 1
    return y.frobnicate()
"""

SCORE = "        return state.total\n"
count = 0


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Load a problem from a file of its own and take a step; with another `score` if given."""

    def run(score="", replace=(), compiled=True):
        global count
        count += 1
        text = PROBLEM
        if score:
            text = text.replace(SCORE, textwrap.indent(textwrap.dedent(score), " " * 8) + "\n")
        for old, new in replace:
            assert old in text
            text = text.replace(old, new)
        name = f"toy_{count}"
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        (tmp_path / "their_helpers.py").write_text(THEIRS)
        monkeypatch.syspath_prepend(str(tmp_path))
        sys.modules.pop("their_helpers", None)
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        monkeypatch.setitem(sys.modules, name, module)
        spec.loader.exec_module(module)
        problem = module.Toy()
        search = Random().start(problem, 1)
        function = step if compiled else step.py_func
        with friendly():
            function(search, problem, 5)

    run.folder = tmp_path
    return run


def check_words(message):
    """Nothing of Numba's own account is left, and it is one line."""
    assert "\n" not in message
    assert len(message) < 600
    lowered = message.lower()
    for word in ("numba", "nopython", "typingerror", "literal[", "overload", "bridge.py", "#"):
        assert word not in lowered, message


# each is compiled until it fails
REASONS = [
    ("return self.weights[0]", "return self.weights[0]", "'weights' is not in Toy.fields"),
    ("return state.totl", "return state.totl", "no field 'totl': did you mean total?"),
    ("state.totl = 1.0\nreturn 1.0", "state.totl = 1.0", "no field 'totl'"),
    ('return state["nothing"]', 'return state["nothing"]', "no field 'nothing'"),
    ("return len(json.dumps([1]))", "json.dumps([1])", "json.dumps is not available"),
    ("return np.linalg.tensorsolve(1, 2)", "tensorsolve", "numpy.linalg.tensorsolve is not"),
    ("return np.busday_count(1, 2)", "busday_count", "numpy.busday_count is not available"),
    ("x = 1\nreturn x + undefined", "return x + undefined", "'undefined' is not defined"),
    (
        "x = 1\nif self.size == 2:\n    x = 'a'\nreturn len(x)",
        "return len(x)",
        "the variable 'x' is an int in one place and a string in another",
    ),
    (
        "x = np.zeros(3)\nif self.size == 2:\n    x = 1.0\nreturn x",
        "return x",
        "the variable 'x' is an array of float64 in one place and a float in another",
    ),
    ("return self.missing(state)", "self.missing(state)", "Toy has no method 'missing'"),
    ("return self.scores(state)", "self.scores(state)", "did you mean score"),
    ("return plain(1)", "return plain(1)", "plain is a plain Python function; put @helper"),
    ("return their_helpers.plain(1)", "their_helpers.plain(1)", "put @helper"),
    ("return RATES['a']", "RATES['a']", "the global 'RATES' is a dict"),
    ("return their_helpers.RATES['a']", "RATES['a']", "'their_helpers.RATES' is a dict"),
    ("return clumsy(1.0)", "return x.nothing", "a float has no 'nothing'"),
    ("return PRICES[state.left]", "PRICES[state.left]", "the global 'PRICES' is a list"),
    ("state.cells = np.zeros(3)\nreturn 1.0", "state.cells =", "write state.cells[:] = ..."),
    ("return np.zeros((3, 3)).max(axis=1).sum()", "axis=1", "max() takes no 'axis' in compiled"),
    ("return np.ones(3) @ state.cells", "@", "`@` and np.dot need arrays of one type, float64"),
    ("return np.dot(state.cells, state.cells)", "np.dot", "`@` and np.dot need arrays of one"),
    ("if (t := state.total) > 2:\n    return t\nreturn 0.0", ":=", "write it in several lines"),
    ("return len(f'{state.total:.3f}')", ":.3f", "text formatting is not available"),
    (
        "print('%d' % state.left)\nreturn 1.0",
        "'%d' % state.left",
        "`%` cannot be used with a string and an int",
    ),
    ("return state.total + 'a'", "+ 'a'", "`+` cannot be used with a float and a string"),
    ("x = {'a': 1, 2: 'b'}\nreturn 1.0", "x = {'a': 1, 2: 'b'}", "all keys of a dict"),
    (
        "try:\n    x = 1.0\nexcept ValueError as e:\n    x = 2.0\nreturn x",
        "as e",
        "leave out `as e`",
    ),
    ("return sum(i for i in range(3))", "sum(i for", "a generator expression"),
    ("yield 1.0\nx = yield from [1]", "yield from", "a generator"),
    ("import math\nreturn 1.0", "import math", "import at the top of the file"),
    ("with open('x') as f:\n    return 1.0", "", "a `with` block"),
    ("return super().score(state)", "super()", "super() is not available"),
    ("self.size = 4\nreturn 1.0", "self.size = 4", "self.size is assigned"),
    ("return self.size(3)", "self.size(3)", "an int is called like a function"),
    ("return self.size[0]", "self.size[0]", "an int cannot be indexed"),
    (
        "if self.size == 2:\n    return 'a'\nreturn 1.0",
        "return",
        "the method returns a string in one place and a float in another",
    ),
    ("return self.f(1, 2)\n\ndef f(self, a):\n    return a", "self.f(1, 2)", "Toy.f"),
    (
        "return self.f(1, b=2)\n\ndef f(self, a, *, b):\n    return a",
        "self.f(1, b=2)",
        "keyword-only",
    ),
]


@pytest.mark.parametrize(
    ("score", "line", "says"), [*REASONS[:8], *(long(*reason) for reason in REASONS[8:])]
)
@pytest.mark.filterwarnings("ignore:unsafe cast")
def test_the_users_line_and_a_plain_reason(run, score, line, says):
    if "\n\ndef f" in score:
        head, tail = score.split("\n\n")
        tail = textwrap.indent(tail, "    ")
        replace = [(SCORE, f"        {head}\n\n{tail}\n")]
        score = ""
    else:
        replace = []
    with pytest.raises(CompileError) as caught:
        run(score, replace)
    message = str(caught.value)
    check_words(message)
    assert says in message
    assert line in message
    assert f"{run.folder}/toy_{count}.py, line " in message


@pytest.mark.parametrize("compiled", [True, False])
def test_a_field_that_is_not_there_is_in_no_form(run, compiled):
    with pytest.raises(PlayoutError, match="no field 'totl': did you mean total") as caught:
        run("return state.totl", compiled=compiled)
    assert "--interpreted" not in str(caught.value)


def test_a_helper_in_another_module_is_named_with_its_own_line(run):
    with pytest.raises(CompileError) as caught:
        run("return their_helpers.clumsy(1.0)")
    check_words(str(caught.value))
    assert "their_helpers.py, line 12: `return y.frobnicate()`" in str(caught.value)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("def moves(", "def mooves(", "Toy.moves() is not implemented: write def moves(self"),
        ("def score(", "def scoore(", "Toy.score() is not implemented: write def score(self"),
        (
            "def play(self, state, move)",
            "def play(state, move)",
            "Toy.play is defined as play(state, move); it should be play(self, state, move)",
        ),
        (
            "    def score(self, state)",
            "    @staticmethod\n    def score(state)",
            "Toy.score is a staticmethod",
        ),
        ("return state.total", "raise ValueError('no')", "never returns: all it does is raise"),
        ('("size",)', '("size", "sizes")', "fields names 'sizes', but the object has no such"),
        ("self.size = 3", "self.size = {}", "Toy.size is a dict"),
        ("self.size = 3", "self.size = 'three'", "Toy.size is a str"),
        ("self.size = 3", "self.size = [3]", "Toy.size is a list"),
    ],
)
def test_a_class_that_lacks_something(run, old, new, says):
    with pytest.raises(CompileError) as caught:
        run(replace=[(old, new)])
    check_words(str(caught.value))
    assert says in str(caught.value)


@pytest.mark.parametrize("compiled", [long(True), False])
@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("return 3\n", "pass\n", "moves() does not return a number of moves: game 1, move 1"),
        ("return 3\n", "return [0, 1, 2]\n", "it returned [0, 1, 2] (a list)"),
    ],
)
def test_what_no_line_shows_is_seen_in_plain_python(run, old, new, says, compiled):
    both = [("            return 0\n", "            " + new), (old, new)]
    with pytest.raises(PlayoutError) as caught:
        run(replace=both, compiled=compiled)
    check_words(str(caught.value))
    assert str(caught.value).startswith("Toy: ")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("score", "says"),
    [
        ("state.total", "Toy: score() returns None: game 1, at the end"),
        long("return 'good'", "Toy: score() is not a finite number: game 1, at the end"),
        ("self.best = state.total\nreturn 1.0", "self.best is assigned"),
        long("self.size += 1\nreturn 1.0", "self.size is assigned"),
        long("return 1.0 if (\n    self.size <= state.nothing\n) else 0.0", "no field 'nothing'"),
    ],
)
def test_a_score_that_cannot_be_one(run, score, says):
    with pytest.raises(CompileError) as caught:
        run(score)
    check_words(str(caught.value))
    assert says in str(caught.value)


def test_a_start_of_zeros_needs_no_reset(run):
    run(replace=[("        state.left = 3\n", ""), ("    def reset(self, state):\n", "")])


@pytest.mark.parametrize(
    ("score", "says"),
    [
        ("return 1 / state.left", "ZeroDivisionError: division by zero"),
        ("return {1: 2.0}[state.left]", "KeyError: 0"),
        ("if self.size == 9:\n    return 1.0", "does every path end in a return?"),
    ],
)
def test_an_exception_at_run_time_names_the_way_to_its_line(run, score, says):
    with pytest.raises(ProblemError) as caught:
        run(score)
    check_words(str(caught.value))
    assert says in str(caught.value)
    assert "--interpreted" in str(caught.value)


@pytest.mark.parametrize("compiled", [True, False])
def test_an_exception_that_a_method_raises_has_its_line(run, compiled):
    # a text of its own: code from the cache tells the file that it was compiled from
    text = f"not so {time.time_ns()}"
    with pytest.raises(ProblemError) as caught:
        run(f"if state.left == 0:\n    raise ValueError('{text}')\nreturn 1.0", compiled=compiled)
    check_words(str(caught.value))
    assert f"line 46: `raise ValueError('{text}')`: ValueError: {text}" in str(caught.value)


@pytest.mark.parametrize("there", ["raise ValueError", "x = 1", None])
def test_compiled_code_whose_file_has_changed_tells_no_line(there, tmp_path):
    path = tmp_path / "problem.py"
    if there is not None:
        path.write_text(f"{there}\n")
    with pytest.raises(ZeroDivisionError) as caught:
        exec(compile("1 / 0", str(path), "exec"))  # an empty code object, as Numba makes it
    message = str(explain(caught.value.with_traceback(caught.tb)))
    if there == "raise ValueError":
        assert f"{path}, line 1: `raise ValueError`: ZeroDivisionError" in message
    else:
        assert "compiled code does not know the line" in message


def test_interpreted_an_exception_has_its_line(run):
    with pytest.raises(ProblemError) as caught:
        run("return [1.0][state.left + 1]", compiled=False)
    assert f"toy_{count}.py, line 45: `return [1.0]" in str(caught.value)
    assert "IndexError: list index out of range" in str(caught.value)


def test_a_problem_that_is_right_runs(run):
    run()


def test_errors_of_the_package_and_interrupts_pass_through():
    with pytest.raises(PlayoutError, match=r"^as it is$"), friendly():
        raise ProblemError("as it is")
    with pytest.raises(KeyboardInterrupt), friendly():
        raise KeyboardInterrupt
