"""`playout play`: games within this process, with what is typed."""

from __future__ import annotations

import io
import re
import shlex
import shutil
import sys

import pytest

from playout.adapters.game_files import load_game_file
from playout.cli import main
from playout.cli.play_commands import COMMANDS, HELP
from playout.games import load_game

QUICK = ("--simulations", "200", "--seed", "1")
PLAIN = ("--interpreted", "--simulations", "40", "--seed", "1")  # where compiling would take longer


@pytest.fixture
def play(tmp_path, monkeypatch, capsys):
    """A game within this process, with what is typed; its exit code and what it printed."""
    monkeypatch.chdir(tmp_path)

    def run(*words: object, typed: str = "") -> tuple[int, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = main(["play", *map(str, words)])
        out, err = capsys.readouterr()
        if code == 2:
            assert out == ""
            assert err.startswith("playout: ")
            assert err.count("\n") == 1
            return code, err
        assert err == ""
        return code, out

    return run


def test_a_whole_game_and_its_record(play, tmp_path):
    """Whatever the search plays, going through all cells ends tic-tac-toe."""
    cells = [column + row for column in "abc" for row in "123"]
    code, out = play("tictactoe", *QUICK, "--record", "game.txt", typed="\n".join(cells))
    assert code == 0
    record = load_game_file(tmp_path / "game.txt")
    assert record.players == ["a person", "puct, 200 simulations"]
    assert record.rewards is not None
    ending = {(1.0, 0.0): "you win", (0.0, 1.0): "player 2 wins", (0.5, 0.5): "a draw"}
    assert ending[tuple(record.rewards)] in out
    assert f"moves     {' '.join(record.moves)}" in out
    assert "saved     game.txt" in out
    assert load_game("tictactoe").render(record.states()[-1][0]) in out


def test_the_search_may_begin(play):
    code, out = play("tictactoe", "--second", *QUICK)
    assert code == 0
    assert out.count("player 1 plays") == 1
    assert re.search(r"go on     playout play tictactoe --position '.*' --seed 1 --second", out)


def test_commands(play, tmp_path):
    typed = [
        "help",
        "moves",
        "hint",
        "view",
        "b2",
        "undo",
        "undo",
        "position",
        "board",
        "save",
        "save a/b",
        "save x.sgf",
        "save x.txt",
        "quit",
    ]
    code, out = play("tictactoe", *QUICK, typed="\n".join(typed))
    assert code == 0
    lines = out.splitlines()
    assert "a1 b1 c1 a2 b2 c2 a3 b3 c3" in lines
    assert any(re.fullmatch(r"[abc][123]   \(value 0\.\d+; it expects .*\)", x) for x in lines)
    assert any(line.startswith("variation  ") for line in lines)
    assert any(re.fullmatch(r"[abc][123] \* +\d+ +\d+%  0\.\d+", line) for line in lines)
    assert "2 moves taken back" in lines
    assert "there is no move of yours to take back" in lines
    assert ".../.../... x" in lines
    assert "save where? give a name: save game.txt" in lines
    assert "cannot write a/b: No such file or directory" in lines
    assert "SGF is for Go, NoGo and Atarigo, not for tictactoe: write text" in lines
    assert load_game_file(tmp_path / "x.txt").moves == []
    assert not (tmp_path / "x.sgf").exists()


def test_every_command_is_in_the_help():
    assert {name.split()[0] for name in HELP} | {"?", "exit"} == set(COMMANDS)


def test_bad_moves_are_one_line_and_the_game_goes_on(play):
    _, out = play("tictactoe", *QUICK, typed="a9\nundoo\n\nb2\nb2\nswitch 3\nquit\n")
    lines = out.splitlines()
    few = "a1, b1, c1, a2, b2, c2, a3, b3, ... (9 in all)"
    assert f"'a9' is not a legal move here; legal: {few}" in lines
    assert any("or did you mean the command undo?" in line for line in lines)
    assert any(line.startswith("'b2' is not a legal move here") for line in lines)
    assert "switch to which seat? give a number from 1 to 2" in lines
    assert any(line.startswith("moves     b2 ") for line in lines)


AMBIGUOUS = """
import playout as po

class Pick(po.Game):
    def __init__(self):
        self.state_type = po.record(left="i1", player="i1")
        self.move_type = po.record(n="i1")
        self.max_moves, self.max_length = 3, 9

    def reset(self, state):
        state.left = 9

    def moves(self, state, moves):
        n = min(3, state.left)
        for i in range(n):
            moves[i].n = i + 1
        return n

    def play(self, state, move):
        state.left -= move.n
        state.player = 1 - state.player

    def turn(self, state):
        return state.player

    def reward(self, state, player):
        return 1.0 if player != state.player else 0.0

    def move_text(self, state, move):
        return "take " + ("one" if move.n == 1 else "some")
"""


def test_ambiguous_moves_and_games_without_notation(play, tmp_path):
    (tmp_path / "pick.py").write_text(AMBIGUOUS)
    words = ("pick.py:Pick", *QUICK, "--interpreted")
    code, out = play(*words, typed="take some\nTake One\nposition\n")
    assert code == 0
    lines = out.splitlines()
    assert "'take some' names 2 legal moves: it is ambiguous" in lines
    assert any(line.startswith("Pick has no notation for positions: write") for line in lines)
    assert "go on     playout play pick.py:Pick --moves 'take one, take" in out
    code, out = play(*words, "--moves", "take one, take one")
    assert "left: 7" in out


@pytest.mark.long
def test_switching_sides(play):
    """After d and its answer the search plays for the first player; then the answer is ours."""
    _, out = play("connectfour", *QUICK, typed="d\nswitch\nundo\nquit\n")
    lines = out.splitlines()
    assert "you are player 2 now" in lines
    assert "2 moves taken back" in lines
    assert sum(line.startswith("player 1 plays") for line in lines) == 1
    assert "moves     d" in lines


def test_moving_twice(play):
    """Who closes a box moves again, person or search; undo takes back to the last decision."""
    # two boxes side by side: only the line between them is missing
    words = ("dotsandboxes:2x1", "--position", "--/|...|/-- r", *PLAIN)
    code, out = play(*words, typed="b1-b2\n")
    assert code == 0
    assert "player 2 plays" not in out
    assert "you win" in out
    # the left box lacks one line, the right box three: after closing the left one we move again
    words = ("dotsandboxes:2x1", "--position", "-./|..../-. b", "--second", *PLAIN)
    _, out = play(*words, typed="b1-b2\nundo\nposition\nb1-b2\nb1-c1\nquit\n")
    assert "1 move taken back" in out
    assert "\n-./|..../-. b\n" in out
    assert out.index("1 move taken back") < out.index("player 1 plays")
    assert re.search(r"moves     b1-b2 b1-c1 ", out)


def test_three_players(play):
    words = ("dotsandboxes:1x1,players=3", "--seat", 2, *PLAIN)
    _, out = play(*words, typed="undo\na1-b1\na1-a2\na2-b2\nb1-b2\n")
    assert "you are player 2 of 3" in out
    assert out.index("player 1 plays") < out.index("player 3 plays")
    assert "there is no move of yours to take back" in out
    assert "switch to which seat? give a number from 1 to 3" in play(*words, typed="switch\n")[1]
    assert "you are player 3 now" in play(*words, typed="switch 3\n")[1]


def test_go_answers_a_pass_that_wins_with_a_pass(play):
    """White leads by the komi alone, and passes too; then black has more, and it plays on."""
    code, out = play("go:3x3,komi=0.5", *PLAIN, typed="pass\n")
    assert code == 0
    assert "player 2 plays pass\n" in out
    assert "player 2 wins" in out
    _, out = play("go:3x3,komi=0.5", *PLAIN, "--position", ".../.b./... b", typed="pass\nquit\n")
    assert "player 2 plays pass" not in out


def test_resigning_is_kept(play, tmp_path):
    _, out = play("nogo:3x3", *PLAIN, "--record", "game.sgf", typed="B2\nresign\n")
    assert "you resigned" in out
    record = load_game_file(tmp_path / "game.sgf")
    assert (record.rewards, record.ending) == ([0.0, 1.0], "resigned")
    assert "RE[W+R]" in (tmp_path / "game.sgf").read_text()
    assert "is over: give another file" in play("nogo:3x3", "--record", "game.sgf")[1]


def test_a_record_goes_on(play, tmp_path):
    command = ("connectfour", *QUICK, "--record", "game.txt")
    play(*command, typed="d\n")
    play(*command, typed="d\n")
    assert len(load_game_file(tmp_path / "game.txt").moves) == 4
    assert "is a game of connectfour, not of hex:3" in play("hex:3", "--record", "game.txt")[1]
    assert "leave --position and --moves out" in play(*command, "--moves", "d")[1]


def test_the_printed_command_goes_on_with_the_game(play):
    first = play("connectfour", *QUICK, typed="a\n")[1]
    line = next(x for x in first.splitlines() if x.startswith("go on"))
    second = play(*shlex.split(line)[4:], *QUICK)[1]
    assert first.split("\n\n")[-1].split("moves")[0] == second.split("\n\n")[-1]


def test_the_printed_command_has_the_same_search(play):
    search = ["-a", "uct:C=0.5", "--simulations", "30", "--interpreted"]
    line = next(
        x for x in play("tictactoe", *search, typed="b2\n")[1].splitlines() if x.startswith("go on")
    )
    assert shlex.split(line)[-5:] == search
    seeded = play("tictactoe", *search, "--seed", "7", typed="b2\n")[1]
    assert "--seed 7" in next(x for x in seeded.splitlines() if x.startswith("go on"))


def test_the_same_seed_gives_the_same_game(play):
    games = [play("connectfour", *QUICK, typed="d\nc\nb\n") for _ in range(2)]
    assert games[0] == games[1]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("tictac", "did you mean tictactoe"),
        ("tictactoe -a mcts", "there is no tree search 'mcts'"),
        ("tictactoe -a uct:solver=maybe", "solver"),
        ("tictactoe --simulations 10 --seconds 1", "give one of them"),
        ("tictactoe --position x", "is no position"),
        ("tictactoe --moves a1,a1", "--moves, move 2: 'a1' is not a legal move"),
        ("tictactoe --position 'xxx/oo./... o'", "the game is over"),
        ("tictactoe --seat 3", "has 2 players"),
        ("tictactoe --first --second", "not allowed with"),
        ("tictactoe --record no/game.txt", "there is no folder"),
        ("tictactoe --record game.sgf", "SGF is for Go"),
        ("tictactoe --record junk.txt", "is no record of a game"),
        ("breakthrough:1x1", "no board of 1x1"),
        ("hex:5 -a uct:symmetry=true", "give graph="),
        ("tictactoe --workers 2 --interpreted", "one worker"),
    ],
)
def test_bad_commands(play, tmp_path, words, hint):
    (tmp_path / "junk.txt").write_text("junk")
    code, err = play(*shlex.split(words))
    assert code == 2
    assert hint in err
    assert [file.name for file in tmp_path.iterdir()] == ["junk.txt"]


def test_a_file_that_cannot_be_written_does_not_end_the_game(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "there").mkdir()

    def typed():
        yield "d"
        shutil.rmtree(tmp_path / "there")
        yield "d"

    lines = typed()
    monkeypatch.setattr("builtins.input", lambda prompt: next(lines, "quit"))
    code = main(["play", "connectfour", *map(str, QUICK), "--record", "there/g.txt"])
    out = capsys.readouterr().out
    assert code == 2  # the game was played to the end, and is nowhere
    assert "not saved: cannot write there/g.txt: No such file or directory" in out
    assert "moves     d " in out
    assert "saved " not in out.replace("not saved", "")


def test_input_that_is_closed_from_the_start(capsys, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    assert main(["play", "tictactoe", *PLAIN]) == 0
    assert "x to move" in capsys.readouterr().out
    assert main(["gtp", "nogo:3x3", *PLAIN]) == 0
    assert capsys.readouterr().out == ""
