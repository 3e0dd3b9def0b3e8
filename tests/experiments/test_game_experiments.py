"""The papers' experiments with games: what they play is what the papers played."""

from __future__ import annotations

import pytest

from playout.experiments import load_experiment
from playout.experiments.slowtree import OUTSIDE
from playout.games import load_game
from playout.matches.player import parse_player
from playout.study.kinds.choice import Choice
from playout.study.kinds.kind import Budget
from playout.study.kinds.match import Match
from playout.study.kinds.speed import Speed


def runs(experiment):
    return [run for table in experiment.tables for cell in table.cells for run in cell.searches]


@pytest.mark.parametrize("name", ["ppa", "slowtree", "jass"])
def test_games_and_players_are_there(name):
    found = runs(load_experiment(name))
    assert found
    for game in {run.game for run in found}:
        load_game(game)
    for text in {run.search for run in found if isinstance(run, Choice)}:
        parse_player(text)
    for text in {p for run in found if isinstance(run, Match) for p in (run.first, run.second)}:
        parse_player(text)


@pytest.mark.long
def test_a_speed_is_milliseconds_for_a_thousand_simulations():
    """Table 4: a game of a player against itself; a budget of its own for each move."""
    kind = Speed("tictactoe", "uct")
    row = kind.perform(kind.load(), Budget("playouts", 20), 1, lambda: False)
    assert len(row.moves[0]) >= 5
    assert row.playouts == 20 * len(row.moves[0])
    assert row.score == pytest.approx(1e6 * row.seconds / row.playouts)
    assert 0 < row.score < 1000
    assert kind.cell("playouts", 20) != kind.cell("playouts", 50)


def test_ppa():
    """Tables 1 to 5 and Figures 1 to 3: UCT with C = 0.7, the best mean is played."""
    tables = {table.name: table for table in load_experiment("ppa").tables}
    times = ["4"] if "4" in tables else []  # of rulesheets, which are in the data folder
    assert list(tables) == ["1", "2", "3", *times, "5", "Figure 1", "Figure 2", "Figure 3"]
    # a move of the rulesheet is a column, as in the paper; natively it is a cell
    connect_four = {cell.searches[0].game for cell in tables["1"].cells if cell.row == "Connect_4"}
    sheet = "gdl:ggp/required/connectFour.kif"
    assert connect_four == {sheet if times else "connectfour:8x6"}
    players = [
        parse_player(p)
        for run in runs(load_experiment("ppa"))
        for p in ((run.player,) if isinstance(run, Speed) else (run.first, run.second))
    ]
    searches = [player.make().algorithm for player in players]
    assert {search.policy.C for search in searches} == {0.7}
    assert {search.options.choice for search in searches} == {"mean"}
    for search in searches:
        options = search.playout
        if options.name in ("mast", "nst"):
            assert (options.greedy, options.epsilon, options.decay) == (True, 0.4, 0.2)
        if options.name in ("nst", "nppa"):
            assert (options.L, options.V) == (3, 7)
        if options.name in ("ppa", "nppa"):
            assert (options.k, options.memory) == (1.0, True)
    discounts = {
        parse_player(run.first).make().algorithm.playout.discount
        for cell in tables["Figure 3"].cells
        for run in cell.searches
    }
    assert discounts == {1.0, 0.99, 0.95}
    for name in ("1", "2", "3", "Figure 1"):  # no discount but where it is looked at
        for cell in tables[name].cells:
            for run in cell.searches:
                playout = parse_player(run.first).make().algorithm.playout
                assert getattr(playout, "discount", 1.0) == 1.0


def test_slowtree():
    found = [run for run in runs(load_experiment("slowtree")) if isinstance(run, Match)]
    assert {run.game for run in found} == {f"dotsandboxes:{n}x{n}" for n in (2, 3, 4)}
    assert all(parse_player(run.second).stop.playouts == 5000 for run in found)
    assert all((run.swap, run.wins_only) == (False, True) for run in found)
    searches = [parse_player(run.first) for run in found]
    slow = [one for one in searches if one.make().algorithm.options.parallel == "slow-tree"]
    options = [one.make().algorithm.options for one in slow]
    assert {one.levels for one in options} == {0, 1, 2, 3}
    assert {one.interval for one in options} == {100, 1000, 10_000}
    assert {one.workers for one in slow} == {1, 2, 4, 8, 16}
    assert {run.games() for run in found} == {1}
    assert {one.symmetry for one in options} == {True, False}


def test_outside_lines():
    """The lines of 2x2 boxes that lie on the edge of the board: those beside one box only."""
    game = load_game("dotsandboxes:2x2")
    moves = game.new_moves()
    texts = [
        game.move_text(game.root()[0], moves[i]) for i in range(game.moves(game.root()[0], moves))
    ]
    edge = [
        text
        for text in texts
        if any(
            all(dot[place] == side for dot in text.split("-"))
            for place, sides in ((0, "ac"), (1, "13"))
            for side in sides
        )
    ]
    assert sorted(edge) == sorted(OUTSIDE)


def test_jass():
    """Leaf and root, one to eight threads, 10,000 simulations of the report's position."""
    leaf, root, policies, players = load_experiment("jass").tables
    for table, scheme in ((leaf, "leaf"), (root, "root")):
        searches = [run for cell in table.cells for run in cell.searches]
        entrants = [parse_player(run.search) for run in searches]
        assert [one.workers for one in entrants] == [1, 2, 4, 8]
        assert {one.make().algorithm.options.parallel for one in entrants} == {scheme}
        assert table.playouts == 10_000
        game = load_game(searches[0].game)
        for run in searches:
            assert game.legal_moves(game.read_position(run.position)[0]).size == 3
    program = {run.game for cell in policies.cells for run in cell.searches}
    assert all(load_game(name).loose_trumps for name in program)
    for run in (run for cell in players.cells for run in cell.searches):
        for text in (run.first, run.second):
            parse_player(text).check(load_game(run.game).searched())
