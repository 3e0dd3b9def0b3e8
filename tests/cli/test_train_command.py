"""`playout train` for games, and the model that it makes, as a player."""

from __future__ import annotations

import io
import json
import sqlite3
import sys

import pytest

from playout.errors import DataError, OptionError
from playout.games import ConnectFour, TicTacToe
from tests.support.torch_threads import one_thread  # noqa: F401

torch = pytest.importorskip("torch")

from playout.learn.alphazero.epochs import agrees  # noqa: E402

GAME = TicTacToe()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """A model that the command has trained, and what it printed."""
    from playout.cli import main

    path = tmp_path_factory.mktemp("zero") / "m.safetensors"
    store = ("--store", str(path.with_name("store.sqlite")))
    few = ("-o", "games=6", "-o", "simulations=10", "-o", "most_steps=5", "-o", "filters=4")
    words = ["train", "tictactoe", "--method", "mbm", "--device", "cpu", "--out", str(path), *few]
    words += store
    assert main([*words, "-o", "epochs=1"]) == 0
    return path, words


def test_the_command_goes_on(model, capsys):
    from playout.cli import main

    path, words = model
    capsys.readouterr()
    assert main([*words, "-o", "epochs=2"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "tictactoe: going on after epoch 1"
    assert out[1].startswith("epoch 2: policy loss")
    assert "perfect player: won 0.0%" in out[1]
    assert out[2] == f"2 epochs: the training is over; the model is {path}"
    assert "against perfect" in path.with_name(path.name + ".svg").read_text()
    with sqlite3.connect(path.with_name("store.sqlite")) as connection:
        what = "experiment, unit, budget, algorithm, verified, score, records"
        rows = connection.execute(f"SELECT {what} FROM runs ORDER BY budget").fetchall()
    assert [row[:5] for row in rows] == [
        ("train tictactoe", "epochs", epoch, "mbm", 1) for epoch in (1.0, 2.0)
    ]
    for *_, score, records in rows:
        wins, draws, losses = json.loads(records)[0]["perfect"]
        assert score == pytest.approx(wins + draws / 2)
        assert wins + draws + losses == pytest.approx(1, abs=1e-5)


def test_games_are_played_again_before_they_count():
    moves = [0, 3, 1, 4, 2]  # the first player has the lowest row
    assert agrees(GAME, moves, 1.0)
    assert not agrees(GAME, moves, -1.0)
    assert not agrees(GAME, moves[:4], 1.0)  # not over
    assert not agrees(GAME, [0, 0, 1, 4, 2], 1.0)
    assert not agrees(GAME, [*moves, 8], 1.0)


def test_what_the_command_refuses(model, capsys, tmp_path, monkeypatch):
    from playout.cli import main

    _, words = model
    out = ["--out", str(tmp_path / "x.safetensors")]
    refused = {
        ("tictactoe", "--method", "mbm", "-o", "master=loud", *out): "loud",
        ("tictactoe", "--method", "alphazero", "--preset", "7x7", *out): "there is no preset",
        ("tictactoe", "--method", "mbm", "--device", "cuda:7", *out): "cuda:7",
        ("hex:3x3x", "--method", "mbm", *out): "hex",
        ("dotsandboxes:2x2,players=3", "--method", "mbm", *out): "has 3 players",
        ("tictactoe", "--method", "mbm", "-p", "a=1", *out): "-p is for problems",
        ("samegame",): "give --out",
        ("samegame", "--preset", "quikc"): "there is no preset 'quikc'; did you mean quick?",
        ("samegame", "-o", "gmaes=3"): "gmaes",
        ("tictactoe",): "tictactoe is a game: give --method",
        ("tictactoe", *out): "tictactoe is a game: give --method",
        (*words[1:], "-o", "temperature=0.3"): "another training run",
    }
    for line, message in refused.items():
        assert main(["train", *line]) == 2, line
        err = capsys.readouterr().err
        assert message in err
        assert err.count("\n") == 1
    monkeypatch.setitem(sys.modules, "safetensors.torch", None)
    for method in ([], ["--method", "mbm"]):  # before anything is played
        assert main(["train", "tictactoe" if method else "samegame:3x3", *method, *out]) == 2
        assert "model files need safetensors: pip install" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_a_model_plays(model):
    import playout as po
    from playout.matches.player import parse_player
    from playout.matches.referee import play_game

    path, _ = model
    players = [parse_player(f"zero:model={path},device=cpu").make(), parse_player("random").make()]
    points = 0.0
    for seed in range(10):
        order = players if seed % 2 == 0 else players[::-1]
        played = play_game(GAME, order, [po.Playouts(60)] * 2, [seed, seed + 100])
        points += played.rewards[seed % 2]
    assert points >= 8
    player = parse_player(f"zero:model={path},device=cpu").make()
    player.new_game(GAME, 1)
    position = GAME.read_position(GAME.position_text(GAME.root()[0]))
    for text in ("a1", "a2", "b1", "b2"):  # c1 wins at once
        GAME.play(position[0], GAME.parse_move(position[0], text))
    chosen = player.choose(position, po.Playouts(200))
    assert GAME.move_text(position[0], chosen) == "c1"
    assert player.simulations == 200
    for text, message in (
        ("zero", "give a model"),
        ("zero:modell=x", "there is no option 'modell'"),
    ):
        with pytest.raises(OptionError, match=message):
            parse_player(text).make()
    with pytest.raises(DataError, match="is a model of tictactoe"):
        parse_player(f"zero:model={path}").check(ConnectFour(4, 4))


@pytest.mark.long
def test_a_model_is_played_against_and_analyses(model, capsys, monkeypatch):
    from playout.cli import main

    path, _ = model
    words = ["tictactoe", "-a", f"zero:model={path},device=cpu", "--simulations", "200"]
    capsys.readouterr()
    assert main(["analyse", *words, "--moves", "a1 a2 b1 b2", "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["move"], found["simulations"]) == ("c1", 200)
    assert sum(row["visits"] for row in found["moves"]) == 200
    # it must not let c1 be played
    monkeypatch.setattr("sys.stdin", io.StringIO("b1\nhint\nundo\nquit\n"))
    assert main(["play", *words, "--position", "o../.../x.. x", "--seed", "1"]) == 0
    out = capsys.readouterr().out
    assert "against zero:model=" in out
    assert "player 2 plays c1 " in out
    assert "it expects" in out
    assert "2 moves taken back" in out
    assert main(["play", *words, "--workers", "2"]) == 2
    assert "one worker" in capsys.readouterr().err


@pytest.mark.long
def test_a_killed_command_goes_on(model, tmp_path, capsys):
    import subprocess

    from playout.cli import main

    _, words = model
    words = [*words, "--out", str(tmp_path / "killed.safetensors")]
    process = subprocess.Popen(
        [sys.executable, "-m", "playout", *words, "-o", "epochs=100000"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("epoch 3:"):
            break
    process.kill()
    process.wait()
    process.stdout.close()
    capsys.readouterr()
    assert main([*words, "-o", "epochs=100000", "--minutes", "0.02"]) == 0
    out = capsys.readouterr().out.splitlines()
    done = int(out[0].removeprefix("tictactoe: going on after epoch "))
    assert done >= 3
    assert out[1].startswith(f"epoch {done + 1}: ")
    assert out[-1].split()[2:6] == ["and", "the", "time", "is"]
