"""The Go Text Protocol: a client's session with a real process, and each command."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

import playout as po
from playout.adapters.game_files import load_game_file
from playout.adapters.gtp import Engine
from playout.errors import OptionError
from playout.games import load_game
from tests.support.cli_shell import Shell

PLAIN = ("--interpreted", "--simulations", "20", "--seed", "1")


class Client:
    """A controller: it sends commands with numbers and reads the answers as the protocol says."""

    def __init__(self, shell: Shell, *words: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "playout", "gtp", *words],
            cwd=shell.folder,
            env=shell.environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.number = 0

    def send(self, command: str) -> tuple[bool, str]:
        """Whether the answer is no error, and its text."""
        self.number += 1
        self.process.stdin.write(f"{self.number} {command}\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) != "\n":
            assert line, "the process has ended"
            lines.append(line.rstrip("\n"))
        head, _, rest = lines[0].partition(" ")
        assert head in (f"={self.number}", f"?{self.number}"), lines
        return head[0] == "=", "\n".join([rest, *lines[1:]])

    def ask(self, command: str) -> str:
        fine, text = self.send(command)
        assert fine, (command, text)
        return text

    def close(self) -> tuple[int, str]:
        self.process.stdin.close()
        code = self.process.wait(600)
        rest = self.process.stdout.read()
        errors = self.process.stderr.read()
        self.process.stdout.close()
        self.process.stderr.close()
        assert rest == ""
        return code, errors


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def plain_engine(game: str = "go:5x5", **settings: object) -> Engine:
    """An engine that needs no compiling."""
    settings = {"stop": po.Playouts(10), "seed": 1, "compiled": False, **settings}
    return Engine(game, None, **settings)


def ask(engine: Engine, command: str) -> str:
    answer = engine.answer(command)
    assert answer.startswith("="), answer
    assert answer.endswith("\n\n")
    assert "\n\n" not in answer[:-2]
    return answer[1:].strip("\n").removeprefix(" ")


def error(engine: Engine, command: str) -> str:
    answer = engine.answer(command)
    assert answer.startswith("? "), answer
    assert answer.endswith("\n\n")
    assert answer.count("\n") == 2
    return answer[2:].strip()


# a real client


def test_a_client_plays_a_whole_game_of_nogo(shell):
    client = Client(shell, "nogo", *PLAIN)
    assert client.ask("protocol_version") == "2"
    assert client.ask("name") == "Playout"
    assert client.ask("version") == po.__version__
    commands = client.ask("list_commands").split("\n")
    for command in commands:
        assert client.ask(f"known_command {command}") == "true"
    assert client.ask("known_command fly") == "false"
    assert client.send("fly") == (False, "unknown command")
    client.ask("boardsize 3")
    client.ask("clear_board")
    client.ask("komi 6.5")
    game, rng = load_game("nogo:3x3"), random.Random(1)
    states, legal = game.root(), game.new_moves()
    while True:
        if not (n := game.moves(states[0], legal)):
            assert client.ask("genmove b") == "resign"
            break
        move = game.move_text(states[0], legal[rng.randrange(n)])
        client.ask(f"play black {move.lower()}")
        game.play(states[0], game.parse_move(states[0], move))
        answer = client.ask("genmove white")
        if answer == "resign":
            assert game.moves(states[0], legal) == 0
            break
        game.play(states[0], game.parse_move(states[0], answer))  # raises if it is not legal
    board = game.render(states[0])
    assert client.ask("showboard") == "\n" + board
    winner = "B" if "black wins" in board else "W"
    assert client.ask("final_score") == f"{winner}+R"
    client.ask("printsgf game.sgf")
    assert load_game_file(shell.folder / "game.sgf").rewards == [winner == "B", winner == "W"]
    assert client.ask("quit") == ""
    assert client.close() == (0, "")


def test_the_end_of_input_and_bytes_that_are_no_text(shell):
    done = subprocess.run(
        [sys.executable, "-m", "playout", "gtp", "atarigo:3x3", *PLAIN],
        cwd=shell.folder,
        env=shell.environment,
        capture_output=True,
        timeout=600,
        input=b"\n# a comment\nname # another\n\xff\xfe\x00\n7\n8 play\tb\tB2\nshow\x01board",
    )
    assert (done.returncode, done.stderr) == (0, b"")
    answers = done.stdout.decode().split("\n\n")
    assert answers[:4] == [
        "= Playout",
        "? unknown command",
        "?7 syntax error: a number without a command",
        "=8",
    ]
    assert answers[4].startswith("= \n3 . . .")


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("hex", "GTP is for Go, NoGo and Atarigo, not for hex"),
        ("nogoo", "did you mean nogo"),
        ("go:30x30", "no board of 30x30"),
        ("go:9x9,komi=x", "komi"),
        ("go -a mcts", "there is no tree search"),
        ("go --seconds 1 --simulations 1", "give one of them"),
    ],
)
def test_bad_commands(words, hint, capsys):
    from playout.cli import main

    assert main(["gtp", *words.split()]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert hint in err
    assert err.count("\n") == 1


# each command


@pytest.mark.long
def test_compiled_and_with_a_tree_that_is_kept():
    engine = Engine("nogo:3x3", po.TreeSearch("uct", solver=True), po.Playouts(3000), seed=1)
    ask(engine, "clear_board")
    ask(engine, "play b B2")
    first = ask(engine, "genmove w")
    assert engine._played.session.searches >= 1
    assert first in load_game("nogo:3x3").names


def test_play_refuses_and_leaves_the_board_alone():
    engine = plain_engine()
    ask(engine, "play b C3")
    before = ask(engine, "showboard")
    for command, hint in (
        ("play w C3", "illegal move: 'C3' is not a legal move here: it is taken"),
        ("play w F9", "illegal move"),
        ("play w", "syntax error"),
        ("play", "syntax error"),
        ("play green A1", "syntax error: a colour is black or white"),
        ("play b C3", "illegal move"),
        ("genmove", "syntax error"),
        ("genmove x", "syntax error"),
    ):
        assert hint in error(engine, command)
        assert ask(engine, "showboard") == before


def test_a_colour_may_move_twice_in_go_only():
    engine = plain_engine()
    ask(engine, "play b C3")
    ask(engine, "play b D3")  # white has passed
    assert "C3" not in ask(engine, "genmove b")
    assert [engine.game.names[move.point] for move in engine._played.moves][1] == "pass"
    nogo = plain_engine("nogo:5x5")
    ask(nogo, "play b C3")
    assert "it is white's turn" in error(nogo, "play b D3")
    assert "it is white's turn" in error(nogo, "genmove b")


def test_undo():
    engine = plain_engine()
    assert error(engine, "undo") == "cannot undo"
    ask(engine, "play b C3")
    ask(engine, "genmove w")
    ask(engine, "undo")
    ask(engine, "undo")
    assert "X" not in ask(engine, "showboard")
    assert error(engine, "undo") == "cannot undo"
    ask(engine, "genmove b")


def test_boardsize_and_komi():
    engine = plain_engine()
    ask(engine, "boardsize 7")
    assert engine.game.width == 7
    assert engine.game.komi == 7.5
    ask(engine, "play b G7")
    ask(engine, "komi 0.5")
    assert engine.game.komi == 0.5
    assert "X" in ask(engine, "showboard")  # komi leaves the board as it is
    ask(engine, "boardsize 4")
    assert (engine.game.width, engine.game.komi) == (4, 0.5)
    for size in ("0", "20", "99999"):
        assert error(engine, f"boardsize {size}") == "unacceptable size"
    for bad in ("boardsize", "boardsize x", "boardsize -3", "komi", "komi x"):
        assert error(engine, bad).startswith("syntax error")


def test_final_score():
    """On 3x3, black's middle row against nothing; then everything is black's."""
    engine = plain_engine("go:3x3,komi=0.5")
    assert ask(engine, "final_score") == "W+0.5"
    ask(engine, "play b B2")
    assert ask(engine, "final_score") == "B+8.5"
    ask(engine, "komi 9")
    assert ask(engine, "final_score") == "0"
    ask(engine, "play w pass")
    ask(engine, "play b pass")
    assert ask(engine, "final_score") == "0"
    assert "the game is over" in error(engine, "play w A1")
    assert ask(engine, "genmove w") == "pass"
    assert "cannot score" in error(plain_engine("nogo:3x3"), "final_score")
    resigned = plain_engine("nogo:3x3")
    ask(resigned, "play b resign")
    assert ask(resigned, "final_score") == "W+R"


def test_go_passes_when_that_wins_and_does_not_fill_its_eyes():
    engine = plain_engine("go:3x3,komi=0.5")
    for move in ("b B1", "w pass", "b B2", "w pass", "b B3"):
        ask(engine, f"play {move}")
    ask(engine, "play w pass")
    assert ask(engine, "genmove b") == "pass"
    engine = plain_engine("go:3x3,komi=0.5")
    for move in (
        "b A2",
        "w pass",
        "b B1",
        "w pass",
        "b B2",
        "w pass",
        "b C2",
        "w pass",
        "b B3",
        "w A3",
    ):
        fine = engine.answer(f"play {move}")
    assert fine.startswith("?")  # white has no liberty in a corner of black's
    assert ask(engine, "genmove w") == "pass"


def test_reg_genmove_leaves_the_board_alone():
    engine = plain_engine()
    before = ask(engine, "showboard")
    assert ask(engine, "reg_genmove w") != ""
    assert ask(engine, "showboard") == before


def test_sgf(tmp_path):
    engine = plain_engine()
    for move in ("b C3", "w D4", "b pass"):
        ask(engine, f"play {move}")
    text = ask(engine, "printsgf")
    assert text.startswith("(;FF[4]GM[1]")
    (tmp_path / "g.sgf").write_text(text)
    other = plain_engine("go:9x9")
    ask(other, f"loadsgf {tmp_path / 'g.sgf'}")
    assert ask(other, "printsgf") == text
    ask(other, f"loadsgf {tmp_path / 'g.sgf'} 2")
    assert len(other._played.moves) == 1
    assert "cannot load file" in error(other, "loadsgf nowhere.sgf")
    assert "game of go" in error(plain_engine("nogo:3x3"), f"loadsgf {tmp_path / 'g.sgf'}")
    assert "syntax error" in error(other, "loadsgf")
    ask(other, f"printsgf {tmp_path / 'again'}")
    assert load_game_file(tmp_path / "again.sgf").moves == ["C3"]


def test_an_error_inside_is_an_answer(monkeypatch):
    engine = plain_engine()
    monkeypatch.setattr(engine, "_choose", lambda colour: 1 / 0)
    assert error(engine, "genmove b") == "internal error: ZeroDivisionError: division by zero"
    assert ask(engine, "name") == "Playout"


# time


def test_the_clock():
    engine = plain_engine(stop=None)
    assert engine._budget(0) == po.Seconds(5)
    ask(engine, "time_settings 100 0 0")  # absolute
    assert 100 / 15 < engine._budget(0).seconds < 100 / 5
    ask(engine, "time_left b 10 0")
    assert engine._budget(0).seconds < 1.0
    assert engine._budget(1).seconds > 5.0
    ask(engine, "time_settings 0 30 10")  # 10 stones in 30 seconds
    assert 2.0 < engine._budget(0).seconds < 3.0
    ask(engine, "time_left w 9.5 1")
    assert 8.0 < engine._budget(1).seconds < 9.5
    ask(engine, "time_left w 0 0")
    assert engine._budget(1).seconds > 0
    ask(engine, "time_settings 10 5 0")  # no limit
    assert engine._budget(0) == po.Seconds(5)
    for bad in (
        "time_settings 1 2",
        "time_settings a b c",
        "time_left b 1",
        "time_left x 1 1",
        "time_left b -3 1",
    ):
        assert error(engine, bad).startswith("syntax error")


def test_what_was_asked_for_is_the_most():
    engine = plain_engine(stop=po.Seconds(0.5))
    ask(engine, "time_settings 1000 0 0")
    assert engine._budget(0) == po.Seconds(0.5)
    engine = plain_engine(stop=po.Playouts(7))
    ask(engine, "time_settings 1000 0 0")
    assert po.Playouts(7) in engine._budget(0).parts()


def test_a_game_within_its_time(monkeypatch):
    """Twelve moves in under 1.2 seconds, none of them late, by the engine's own clock.

    The clock is that of this process: what others do on the machine takes no time.
    """
    monkeypatch.setattr(time, "perf_counter", time.process_time)
    engine = plain_engine("nogo:3x3", stop=None)
    ask(engine, "time_settings 1.2 0 0")
    spent = 0.0
    colour = "b"
    while True:
        began = time.perf_counter()
        answer = ask(engine, f"genmove {colour}")
        spent += time.perf_counter() - began if colour == "b" else 0.0
        if answer == "resign":
            break
        colour = "w" if colour == "b" else "b"
    assert engine._clock._left[0][0] >= 0.1
    assert spent < 3.0


def test_only_the_games_of_go():
    with pytest.raises(OptionError, match="GTP is for Go"):
        Engine("connectfour")
