"""The bridge to OpenSpiel, both ways: the rules of both agree, and both meet in matches."""

from __future__ import annotations

import doctest
import json
import random
from pathlib import Path

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is missing: pip install open_spiel")

import playout as po  # noqa: E402
from playout.adapters import openspiel, openspiel_game  # noqa: E402
from playout.adapters.openspiel import (  # noqa: E402
    BotPlayer,
    Bridge,
    MCTSPlayer,
    OpenSpielGame,
    TreeBot,
)
from playout.errors import DataError, OptionError  # noqa: E402
from playout.games import load_game  # noqa: E402
from playout.gametree.tree_session import TreeSession  # noqa: E402
from playout.matches.referee import play_game  # noqa: E402

ROOT = Path(__file__).parents[2]


def test_docstrings():
    for module, examples in ((openspiel, 3), (openspiel_game, 2)):
        failed, tried = doctest.testmod(module)
        assert tried >= examples
        assert failed == 0


# its games, searched here


@pytest.mark.parametrize(
    "name", ["tic_tac_toe", "nim", "hex(board_size=3)", "dots_and_boxes", "quoridor(board_size=3)"]
)
def test_its_games_keep_the_contract(name):
    report = po.check_problem(OpenSpielGame(name), games=3, compiled=False)
    assert report.passed, str(report)


def test_search_finds_what_is_known():
    """Of heaps of 1, 2 and 2 take the 1, in normal and in misere play alike."""
    for misere in ("false", "true"):
        game = OpenSpielGame(f"nim(pile_sizes=1;2;2,is_misere={misere})")
        found = po.search(game, po.TreeSearch("uct", solver=True), po.Playouts(600), seed=1)
        assert found.proven
        assert found.value == 1.0
        assert found.move == "pile:1, take:1;"  # leaves 2;2


@pytest.mark.parametrize("algorithm", ["uct", "grave", "puct", "ucb1tuned", "uct:graph=uct3"])
def test_every_policy_runs_interpreted(algorithm):
    game = OpenSpielGame("tic_tac_toe")
    states = game.read_position("4 0 3")  # x threatens the middle row, o must answer
    algorithm = po.TreeSearch.parse(algorithm)
    assert po.search(game, algorithm, po.Playouts(400), state=states, seed=1).move == "o(1,2)"


def test_more_than_two_players():
    game = OpenSpielGame("chinese_checkers(players=3)")
    assert game.players == 3
    session = TreeSession(game, po.TreeSearch("uct"), seed=1)
    assert session.compiled is False
    states = game.root()
    assert game.moves(states[0], game.new_moves()) > 0
    assert game.turn(states[0]) == 0


def test_states_are_found_again_in_any_order():
    game = OpenSpielGame("tic_tac_toe")
    a, b = game.read_position("0 1 2"), game.read_position("0 4")
    for _ in range(2):
        assert game.turn(a[0]) == 1
        assert game.turn(b[0]) == 0
        assert game.render(b[0]).startswith("x..\n.o.\n...")
    assert game.position_text(a[0]) == "0 1 2"
    assert game.position_text(game.root()[0]) == "start"
    assert game.read_position("start").tobytes() == game.root().tobytes()


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("tic_tac", "did you mean tic_tac_toe"),
        ("battleship", "OpenSpiel cannot draw it anew"),
        ("dark_chess", "does not tell what a player knows"),
        ("tarok", "draws its chance itself"),
        ("goofspiel", "has moves at the same time"),
        ("hex(board_size=x)", "board_size"),
        ("hex(boardsize=3)", "Unknown parameter"),
    ],
)
def test_games_that_cannot_be_searched(name, hint, capfd):
    with pytest.raises(OptionError, match=hint):
        load_game(f"openspiel:{name}")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "hearts", "backgammon"])
def test_games_with_hidden_cards_and_chance_keep_the_contract(name):
    game = load_game(f"openspiel:{name}")
    assert game.chance
    assert game.hidden == (name != "backgammon")
    report = po.check_problem(game, games=3, compiled=False)
    assert report.passed, str(report)
    starts = {game.root(seed).tobytes() for seed in range(30)}
    assert len(starts) > 4
    with pytest.raises(OptionError, match=r"use pimc|use openloop"):
        po.search(game, "uct", po.Playouts(5))


def test_hidden_games_are_played_by_searches_over_worlds():
    result = po.match(
        "openspiel:kuhn_poker", "ismcts", "pimc:worlds=3", po.Playouts(20), games=4, seed=1
    )
    assert result.games == 4
    game = load_game("openspiel:hearts")
    found = po.search(game, "ismcts", po.Playouts(6), seed=1)
    assert found.simulations == 6
    assert len(found.moves) == len(game.legal_moves(game.root(1)[0]))
    with pytest.raises(OptionError, match="sees all that is hidden"):
        po.match("openspiel:kuhn_poker", MCTSPlayer, "random", games=2)


def test_what_a_person_is_shown_of_a_hidden_game():
    game = load_game("openspiel:kuhn_poker")
    first, second = game.read_position("0 1"), game.read_position("0 2")
    assert game.render_for(first[0], 0) == game.render_for(second[0], 0)
    assert game.view(first[0], 0) == game.view(second[0], 0)
    assert game.view(first[0], 1) != game.view(second[0], 1)


def test_bad_positions():
    game = OpenSpielGame("tic_tac_toe")
    for text in ("9", "0 0", "x", "0 1 3 4 6 5", "-1"):
        with pytest.raises(DataError, match="is no position"):
            game.read_position(text)


def test_on_the_command_line(capsys):
    from playout.cli import main

    words = ["openspiel:tic_tac_toe", "4 0", "--simulations", "60", "--seed", "1"]
    assert main(["analyse", *words, "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["simulations"] == 60
    assert sum(row["visits"] for row in data["moves"]) == 60
    assert main(["check", "openspiel:tic_tac_toe", "--games", "2"]) == 0
    assert "passed" in capsys.readouterr().out


# the games that both have

SAME = [
    ("tic_tac_toe", "TicTacToe"),
    ("connect_four", "ConnectFour"),
    ("connect_four(rows=4,columns=5)", "ConnectFour"),
    ("breakthrough", "Breakthrough"),
    ("breakthrough(rows=6,columns=5)", "Breakthrough"),
    ("othello", "Reversi"),
    ("hex(board_size=5)", "Hex"),
    ("dots_and_boxes(num_rows=2,num_cols=3)", "DotsAndBoxes"),
]


@pytest.mark.parametrize(("name", "ours"), SAME)
def test_the_rules_of_both_agree(name, ours):
    """Moves, turns, the end and the result of random games."""
    bridge = Bridge(pyspiel.load_game(name))
    game = bridge.game
    assert type(game).__name__ == ours
    assert Bridge.of(game).spiel.get_parameters() == bridge.spiel.get_parameters()
    legal = game.new_moves()
    for seed in range(6):
        rng, there, here = random.Random(seed), bridge.spiel.new_initial_state(), game.root()
        while not there.is_terminal():
            n = game.moves(here[0], legal)
            texts = {game.move_text(here[0], legal[i]) for i in range(n)}
            assert texts == {bridge.text(there, action) for action in there.legal_actions()}
            assert game.turn(here[0]) == there.current_player()
            action = rng.choice(there.legal_actions())
            text = bridge.text(there, action)
            assert bridge.action(there, text) == action
            with np.errstate(over="ignore"):
                game.play(here[0], game.parse_move(here[0], text))
            there.apply_action(action)
        assert game.moves(here[0], legal) == 0
        assert [2 * game.reward(here[0], seat) - 1 for seat in range(2)] == there.returns()


def test_games_without_a_native_one():
    assert isinstance(Bridge(pyspiel.load_game("nim")).game, OpenSpielGame)
    assert isinstance(Bridge(pyspiel.load_game("hex(swap=True)")).game, OpenSpielGame)
    assert isinstance(Bridge(pyspiel.load_game("tic_tac_toe"), native=False).game, OpenSpielGame)
    three = pyspiel.load_game("connect_four(rows=5,columns=6,x_in_row=3)")
    assert isinstance(Bridge(three).game, OpenSpielGame)
    for name in ("nogo", "misere-breakthrough", "hex:5,swap=true", "dotsandboxes:2x2,players=3"):
        with pytest.raises(OptionError, match="OpenSpiel has no game with the rules"):
            Bridge.of(load_game(name))


# our search as a bot of its own


@pytest.mark.parametrize("native", [True, False])
def test_our_bot_plays_its_game(native):
    game = pyspiel.load_game("tic_tac_toe")
    ours = TreeBot(game, "uct:solver=true", po.Playouts(300), seed=1, native=native)
    theirs = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 200, 10, False, 1, False
    )
    for bots in ([ours, theirs], [theirs, ours]):
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
        assert returns[bots.index(ours)] >= 0.0
        ours.restart()


def test_our_bot_finds_the_winning_action_and_has_a_policy():
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for action in (3, 0, 3, 0, 3, 1):
        state.apply_action(action)
    bot = TreeBot(game, stop=po.Playouts(400), seed=1)
    assert bot.step(state) == 3
    policy, action = bot.step_with_policy(state)
    assert action == 3
    assert [a for a, _ in policy] == state.legal_actions()
    assert sum(share for _, share in policy) == pytest.approx(1.0)
    assert max(policy, key=lambda pair: pair[1])[0] == 3
    assert bot.provides_policy()
    assert dict(bot.get_policy(state)).keys() == dict(policy).keys()


def test_our_bot_keeps_its_tree_and_follows_any_state():
    game = pyspiel.load_game("connect_four")
    bot = TreeBot(game, stop=po.Playouts(300), seed=1)
    state = game.new_initial_state()
    first = bot.step(state)
    state.apply_action(first)
    state.apply_action(3)
    bot.step(state)
    assert sum(row.visits for row in bot.last.moves) > 300  # more than this search's own
    other = game.new_initial_state()
    other.apply_action(0)
    bot.restart_at(other)
    assert bot.step(other) in other.legal_actions()
    assert sum(row.visits for row in bot.last.moves) == 300


# its bots in our matches


def test_they_meet_in_a_game_of_ours():
    game = load_game("connectfour")
    player = MCTSPlayer()
    played = play_game(game, [_uct(), player], [po.Playouts(100), po.Playouts(50)], [1, 2])
    assert sorted(played.rewards) in ([0.0, 1.0], [0.5, 0.5])
    assert played.simulations[1] == 50 * (len(played.moves) // 2)
    again = play_game(game, [_uct(), player], [po.Playouts(100), po.Playouts(50)], [1, 2])
    assert again.moves == played.moves  # the same seeds


def test_they_meet_in_a_game_of_its_own():
    game = OpenSpielGame("nim")
    theirs = BotPlayer(lambda game, player, stop, seed: TreeBot(game, stop=stop, seed=seed))
    players = [_uct(), theirs]
    played = play_game(game, players, [po.Playouts(20)] * 2, [1, 2])
    assert sorted(played.rewards) == [0.0, 1.0]


def test_a_match_on_the_command_line(capsys, monkeypatch):
    from playout.cli import main

    monkeypatch.chdir(ROOT)
    words = ["--games", "4", "--simulations", "50", "--seed", "1", "--json"]
    for player in ("MCTSPlayer:c=1.4", "UniformPlayer"):
        place = f"examples/openspiel_player.py:{player}"
        assert main(["match", "tictactoe", "uct", place, *words]) == 0
        data = json.loads(capsys.readouterr().out)
        assert data["games"] == 4
        assert data["win_rate"] >= 0.5


def _uct():
    from playout.matches.player import TreePlayer

    return TreePlayer(po.TreeSearch("uct"))
