"""Mistakes of a first problem: each is one line that says what is wrong, and where."""

from __future__ import annotations

import inspect
from pathlib import Path

import pytest

from tests.support.cli_shell import KNAPSACK, RANDOM, Shell
from tests.support.contract_cases import Nim

GAME = "import numpy as np\nfrom playout import Game, record\n\n" + inspect.getsource(Nim)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def changed(text: str, before: str, after: str) -> str:
    assert before in text
    return text.replace(before, after)


SCORES_AN_ARRAY = changed(KNAPSACK, "return state.worth", "return state.taken")
NO_SHAPE = changed(KNAPSACK, "state.worth +=", "state.worth[0] +=")
RESET_RETURNS = changed(KNAPSACK, "state.room = self.capacity", "return {'room': 60}")
WRONG_FIELD = changed(KNAPSACK, "moves[n].index", "moves[n].idx")
LEAVES = changed(KNAPSACK, "self.capacity = capacity", "raise SystemExit(3)")
OF_TEXT = changed(KNAPSACK, 'index="i8"', "index=str")
OF_NUMBERS = changed(KNAPSACK, 'playout.record(index="i8")', '"i8"')
ENDLESS = changed(
    KNAPSACK, "        n = 0\n", "        n = 0\n        while True:\n            n = 1\n"
)
HUGE = changed(KNAPSACK, "self.max_length = 10", "self.max_length = 10**12")
SORTED = changed(KNAPSACK, "range(10)", "sorted(range(10), key=lambda i: self.value[i])")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (SCORES_AN_ARRAY, "score() is no number"),
        (LEAVES, "mine.py, line 13, in __init__: SystemExit: 3"),
        (OF_TEXT, "a field 'index' of type <class 'str'>: give NumPy's name of a number's type"),
        (OF_NUMBERS, "a plain number has no 'index': write moves[n] = ..."),
        (ENDLESS, "Knapsack.moves() never returns: it has a loop without an end"),
        (HUGE, "Knapsack.max_moves is 1000000000000: no memory has room for so many"),
        (SORTED, "a lambda or a function inside a method cannot read 'self'"),
    ],
)
def test_solve_says_what_is_wrong(shell: Shell, text: str, hint: str) -> None:
    shell.write("mine.py", text)
    assert hint in shell.refused("solve", "mine.py:Knapsack", *RANDOM)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        (SCORES_AN_ARRAY, "score() is no number"),
        (NO_SHAPE, "a field is an array if its type has a shape"),
        (RESET_RETURNS, "reset() returns something and changes nothing"),
        (WRONG_FIELD, "the record has no field 'idx': did you mean index?"),
    ],
)
def test_check_says_what_is_wrong(shell: Shell, text: str, hint: str) -> None:
    shell.write("mine.py", text)
    done = shell("check", "mine.py:Knapsack")
    assert (done.returncode, done.stderr) == (1, "")
    assert hint in done.stdout


@pytest.mark.parametrize(
    ("before", "after", "search", "hint"),
    [
        ("return 1.0 if", "return np.inf if", "uct", "reward() returned NaN, or an infinite"),
        ("    def turn", "    def bias(self, state, move):\n        return np.nan\n\n    def turn",
         "puct", "bias() returned NaN, or an infinite number"),
        ("    def turn", "    def bias(self, state, move):\n        return np.nan\n\n    def turn",
         "uct:playout=heuristic", "bias() returned NaN, or an infinite number"),
        ("state.player = 1", "state.playr = 1", "uct", "no field 'playr': did you mean player?"),
    ],
)  # fmt: skip
def test_a_match_says_what_is_wrong(
    shell: Shell, before: str, after: str, search: str, hint: str
) -> None:
    shell.write("game.py", changed(GAME, before, after))
    words = ("--games", 2, "--simulations", 20, "--interpreted")
    assert hint in shell.refused("match", "game.py:Nim", "random", search, *words)


@pytest.mark.parametrize("name", ["mine", "mine.Knapsack"])
def test_a_file_that_is_named_as_a_module_is(shell: Shell, name: str) -> None:
    shell.write("mine.py", KNAPSACK)
    own = "mine.py:Knapsack" if "." in name else "mine.py:Class"
    assert f"did you mean {own}?" in shell.refused("solve", name)


def test_the_article_is_right(shell: Shell) -> None:
    words = ("solve", "my_problem.py:Knapsack", "-a", "my_problem.py:Knapsack")
    assert "Knapsack is not an algorithm: write class" in shell.refused(*words)


def test_a_proof_with_a_player_that_there_is_not(shell: Shell) -> None:
    shell.write("game.py", changed(GAME, "return state.player\n", "return state.player + 1\n"))
    assert "Nim.turn() returned 2; the first of 2 players is 0" in shell.refused(
        "prove", "game.py:Nim"
    )


def test_what_ggp_needs(shell: Shell) -> None:
    assert "give ACTION; see" in shell.refused("ggp")


INFINITE = changed(KNAPSACK, "return state.worth", "return np.inf if state.worth > 9 else 0.0")
PLAINLY = ("--interpreted", "--seed", 1)


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("analyse mine.py:Knapsack --simulations 20", "Knapsack.score() returned NaN, or an inf"),
        ("episode mine.py:Knapsack --calls 20", "Knapsack.outcome(), or score(), gave NaN or an"),
    ],
)
def test_an_infinite_score_is_told_of_the_method_that_is_written(
    shell: Shell, words: str, hint: str
) -> None:
    shell.write("mine.py", INFINITE)
    assert hint in shell.refused(*words.split(), *PLAINLY)


def test_an_instance_behind_a_colon(shell: Shell) -> None:
    shell.write("board.txt", "0 1\n0 1\n")
    said = shell.refused("solve", "samegame:board.txt")
    assert "a file stands apart: samegame board.txt" in said


def test_a_file_in_place_of_the_labs_folder(shell: Shell) -> None:
    pytest.importorskip("starlette")
    said = shell.refused("lab", "--folder", "my_problem.py", "--port", 8123)
    assert "my_problem.py: it is a file, not a folder" in said
