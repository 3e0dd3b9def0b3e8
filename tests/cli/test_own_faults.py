"""A mistake in one's own class is one line in every command, and never a bug of the package."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.cli_shell import KNAPSACK, RANDOM, Shell

NIM = '''
import playout

class Nim(playout.Game):
    """Take one or two; who takes the last wins."""

    def __init__(self):
        self.state_type = playout.record(left="i8", player="i8")
        self.move_type = "i8"
        self.max_moves, self.max_length = 2, 5

    def reset(self, state):
        state.left = 5

    def moves(self, state, moves):
        moves[0], moves[1] = 1, 2
        return min(state.left, 2)

    def play(self, state, move):
        state.left -= move
        state.player = 1 - state.player

    def turn(self, state):
        return state.player

    def reward(self, state, player):
        return 1.0 if state.player != player else 0.0

class Nothing:
    pass

class Wrong(Nim):
'''
SEARCH = ("--interpreted", "--simulations", 20, "--seed", 1)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


@pytest.mark.parametrize("command", ["analyse", "match"])
@pytest.mark.parametrize(
    ("method", "says"),
    [
        ("turn(self, state): pass", "turn() is not a player"),
        ("turn(self, state): raise NotImplementedError", "NotImplementedError"),
        ("turn(self): return 0", "it should be def turn(self, state)"),
        ("reward(self, state, player): pass", "reward() returns None"),
        ("play(self, state, move): state.lef -= 1", "did you mean left?"),
    ],
)
def test_of_a_game(shell, command, method, says):
    shell.write("nim.py", f"{NIM}    def {method}\n")
    players = ("uct", "random", "--games", 2) if command == "match" else ()
    done = shell(command, "nim.py:Wrong", *players, *SEARCH)
    assert done.returncode == 2
    assert says in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ("render(self, state): pass", "render() does not return text"),
        ("move_text(self, state, move): pass", "move_text() does not return text"),
    ],
)
def test_of_what_people_see(shell, method, says):
    shell.write("nim.py", f"{NIM}    def {method}\n")
    assert says in shell("analyse", "nim.py:Wrong", *SEARCH).stderr.splitlines()[-1]


def test_half_a_notation_makes_no_certificate(shell):
    shell.write("nim.py", f"{NIM}    def position_text(self, state): return str(state.left)\n")
    said = shell.refused("prove", "nim.py:Wrong", "--certificate", "proof.txt")
    assert "write its methods position_text and read_position" in said


def test_of_what_is_neither(shell):
    shell.write("nim.py", f"{NIM}    pass\n")
    assert "or (playout.Problem) for a single player" in shell.refused("check", "nim.py:Nothing")


class TestProblem:
    @pytest.fixture
    def wrong(self, shell):
        def write(line: str, indent: str = "    ") -> str:
            text = f"{KNAPSACK}\nclass Wrong(Knapsack):\n{indent}{line}\n"
            shell.write("wrong.py", text)
            shell.write("moves.txt", "\r\n".join("0123678") + "\r\n")
            return "wrong.py:Wrong"

        return write

    @pytest.mark.parametrize(
        ("method", "says"),
        [
            ("def score(self, state): return state.worth, 1.0", "it should be one"),
            ("score = playout.Problem.score", "Wrong should define score()"),
            ("def code(self, state, move): return 'x'", "code() is not an integer"),
            ("def bound(self, state): return 9.0", "it should be def bound(self)"),
            ("def bound(self): return 'x'", "Wrong.bound() returned 'x': a bound is a finite"),
            ("def score(self, state): return state.wort", "did you mean worth?"),
            ("def evaluate(self, states): return 3.0", "returned 3.0: it should return a list"),
            ("collections = 7", "Wrong.collections is 7"),
        ],
    )
    @pytest.mark.parametrize("sense", ["max", "min"])
    def test_interpreted(self, shell, wrong, method, says, sense):
        problem = wrong(f"{method}\n    sense = '{sense}'")
        words = ("-a", "gnrpa", "--playouts", 30, "--seed", 1, "--interpreted")
        assert says in shell.refused("solve", problem, *words)

    def test_of_what_is_listed(self, shell, wrong):
        assert "Wrong.collections is 7" in shell.refused(
            "list", "problems", wrong("collections = 7")
        )

    @pytest.mark.parametrize("files", [("--svg", "a.svg"), ("--start-from", "moves.txt")])
    def test_without_a_state_type(self, shell, wrong, files):
        problem = wrong("def __init__(self): pass")
        assert "sets no state_type" in shell.refused("solve", problem, *files)

    @pytest.mark.parametrize(
        ("method", "says", "code"),
        [
            ("def verify(self, moves): pass", "VERIFY SAYS None", 1),
            ("def score(self, state): pass", "score() returned None; it should be a number", 1),
            ("def __init__(self): pass", "sets no state_type", 2),
            ("def play(self, state, move): state.takn[0] = 1", "did you mean taken?", 2),
        ],
    )
    def test_of_a_solution(self, shell, wrong, method, says, code):
        done = shell("check", wrong(method), "--solution", "moves.txt")
        assert done.returncode == code
        assert says in done.stdout + done.stderr
        assert "Traceback" not in done.stderr

    def test_options_in_the_name_as_of_games(self, shell):
        words = (*RANDOM, "--interpreted", "--quiet")
        found = shell.json("solve", "my_problem.py:Knapsack:capacity=12", *words)
        other = shell.json("solve", "my_problem.py:Knapsack", "-p", "capacity=12", *words)
        assert found["score"] == other["score"] == 24
        assert "passed" in shell("check", "maximum:n=5", "--interpreted", "--games", 2).stdout
