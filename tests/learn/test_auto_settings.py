"""`auto` in `train`: a first generation that fits the board, the time and the device."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from playout.games import TicTacToe
from playout.learn import auto_settings
from playout.learn.alphazero.alphazero_settings import AlphaZeroSettings
from playout.learn.auto_settings import Pace, chosen_settings, fitted, usual_preset
from playout.learn.policy_iteration.policy_iteration_settings import (
    PolicyIterationSettings as Settings,
)
from playout.problems import SameGame
from tests.support.torch_threads import one_thread  # noqa: F401

QUICK = Settings.preset("quick")  # 300 games, 200 simulations in the first generation, then 25


def board(side):
    return SameGame.training(rows=side, columns=side)


def test_the_first_generation_fits_a_quarter_of_the_time():
    # 240 s, 20 moves a game: 60 s x 20,000 / 20 = 60,000 games x simulations: 300 x 200 exactly
    assert fitted(QUICK, 240.0, Pace(20_000, 20)) == replace(QUICK, first_games=300)
    # half the time: half the games
    assert fitted(QUICK, 120.0, Pace(20_000, 20)).first_games == 150
    # a tenth: no fewer than a hundred games, of 60 simulations, 6,000 in all
    few = fitted(QUICK, 24.0, Pace(20_000, 20))
    assert (few.first_games, few.first_simulations) == (100, 60)
    # next to no time: what the later generations have is the least
    least = fitted(QUICK, 1.0, Pace(20_000, 20))
    assert (least.first_games, least.first_simulations) == (100, QUICK.simulations)
    # twice the time: the same games with twice the simulations, up to a bound
    assert fitted(QUICK, 480.0, Pace(20_000, 20)).first_simulations == 400
    most = fitted(QUICK, 1e6, Pace(20_000, 20))
    assert (most.first_games, most.first_simulations) == (300, 20 * QUICK.simulations)
    assert fitted(QUICK, 1e6, Pace(20_000, 20)).games == QUICK.games


def test_size_and_device_say_where_the_choice_begins():
    assert usual_preset(board(5), 600, gpu=False) == QUICK
    assert usual_preset(board(9), 600, gpu=False) == replace(QUICK, c_puct=4.0, alpha=0.4)
    assert usual_preset(board(15), 600, gpu=True) == Settings.preset("15x15")
    game = TicTacToe()
    assert usual_preset(game, 600, gpu=False) == AlphaZeroSettings.preset("quick")
    assert usual_preset(game, 7200, gpu=False) == AlphaZeroSettings.preset("bounded")


def test_own_settings_go_before_and_a_training_keeps_what_it_began_with(tmp_path, monkeypatch):
    monkeypatch.setattr(auto_settings, "pace_of", lambda problem, threads: Pace(20_000, 20))
    model = tmp_path / "m.safetensors"
    about = {"seconds": 120.0, "gpu": False, "threads": 1}
    given = {"first_simulations": "400", "filters": "8"}
    chosen = chosen_settings(board(5), given, model, **about)
    assert (chosen.first_games, chosen.first_simulations, chosen.filters) == (100, 400, 8)
    assert Settings.load(chosen.text()) == chosen
    folder = tmp_path / "m.safetensors.training"
    folder.mkdir()
    kept = {name: value for name, value in chosen.options().items() if name != "generations"}
    (folder / "run.json").write_text(json.dumps({"settings": kept}))
    monkeypatch.setattr(auto_settings, "pace_of", None)  # nothing is measured again
    again = chosen_settings(board(5), {"generations": "3"}, model, **about | {"seconds": 9000.0})
    assert again == replace(chosen, generations=3)


@pytest.mark.long
def test_a_plain_training_says_what_it_chose_and_goes_on(tmp_path, capsys):
    pytest.importorskip("torch")
    from playout.cli import main

    out = str(tmp_path / "m.safetensors")
    words = ["train", "samegame:4x4", "-p", "colours=2", "--device", "cpu", "--threads", "1"]
    words += ["--store", str(tmp_path / "store.sqlite"), "--out", out]
    few = ["-o", "games=12", "-o", "simulations=4", "-o", "filters=4", "-o", "epochs=1"]
    # `few` games: the first generation may have no more than the others
    assert main([*words, *few, "-o", "first_simulations=8", "-o", "generations=1"]) == 0
    first = capsys.readouterr().out.splitlines()
    assert first[0].startswith("settings: quick:generations=1,games=12,first_games=12,")
    assert "generation 1: score" in first[1]
    assert main([*words, *few, "-o", "first_simulations=8", "-o", "generations=1"]) == 0
    assert "going on after generation 1" in capsys.readouterr().out
