"""Moves at the same time: decoupled UCT by hand, and nothing new where players move in turn."""

from __future__ import annotations

import pytest

import playout as po
from playout.errors import OptionError
from playout.gametree.joint_moves import choosers
from playout.gametree.tree_session import TreeSession
from playout.matches.player import Player, RandomPlayer, TreePlayer
from playout.matches.referee import play_game
from playout.solvers.prover import Prover
from tests.support.forms import long
from tests.support.rulesheets import PENNIES, game_of

# Whatever the other does, `up` and `left` are worth more: 60 or 80 against 20 or 40.
DOMINANT = """
(role row) (role column)
(move row up 40) (move row down 0) (move column left 40) (move column right 0)
(<= (legal ?r ?m) (move ?r ?m ?v))
(<= (next (chose ?r ?m)) (does ?r ?m))
(<= terminal (true (chose row ?m)))
(<= (goal ?r 80) (role ?r) (worth ?r 40) (other ?r 40))
(<= (goal ?r 60) (role ?r) (worth ?r 40) (other ?r 0))
(<= (goal ?r 40) (role ?r) (worth ?r 0) (other ?r 40))
(<= (goal ?r 20) (role ?r) (worth ?r 0) (other ?r 0))
(<= (worth ?r ?v) (true (chose ?r ?m)) (move ?r ?m ?v))
(<= (other ?r ?v) (role ?r) (worth ?o ?v) (distinct ?r ?o))
"""


def matrix(rows, columns, percents):
    """A rulesheet in which both choose once; `percents` are the goals of who chooses the row."""
    text = "(role row) (role column) (<= (legal ?r ?m) (may ?r ?m))"
    text += "".join(f"(may row {move})" for move in rows)
    text += "".join(f"(may column {move})" for move in columns)
    for row, line in zip(rows, percents, strict=True):
        for column, percent in zip(columns, line, strict=True):
            text += f"(pays {row} {column} {percent} {100 - percent})"
    return (
        text
        + """
    (<= (next (chose ?r ?m)) (does ?r ?m)) (<= terminal (true (chose row ?m)))
    (<= (goal row ?v) (true (chose row ?a)) (true (chose column ?b)) (pays ?a ?b ?v ?w))
    (<= (goal column ?w) (true (chose row ?a)) (true (chose column ?b)) (pays ?a ?b ?v ?w))
    """
    )


# the rows' value, and how often each move is chosen, in equilibrium
MATRICES = {
    "pennies": (matrix("ht", "ht", [[100, 0], [0, 100]]), 1 / 2, {"h": 1 / 2, "t": 1 / 2}),
    "unequal pennies": (matrix("ht", "ht", [[100, 0], [0, 50]]), 1 / 3, {"h": 1 / 3, "t": 2 / 3}),
    "rock, paper, scissors": (
        matrix("rps", "rps", [[50, 0, 100], [100, 50, 0], [0, 100, 50]]),
        1 / 2,
        {"r": 1 / 3, "p": 1 / 3, "s": 1 / 3},
    ),
}


def result_of(game, search, simulations=400, compiled=False):
    session = TreeSession(game, po.TreeSearch.parse(search), seed=1, compiled=compiled)
    return session.run(po.Playouts(simulations))


@pytest.mark.parametrize("search", ["uct", "uct:graph=uct1", "uct:graph=uct3"])
def test_nobody_knows_what_the_other_shows(tmp_path, search):
    result = result_of(game_of(tmp_path, PENNIES), search)
    assert sorted(result.choices) == [0, 1]
    for rows in result.choices.values():
        assert sorted(row.move for row in rows) == ["heads", "tails"]
        assert sum(row.visits for row in rows) >= 399
        assert all(0.3 < row.value < 0.7 for row in rows)


@pytest.mark.parametrize("name", [long(name) for name in MATRICES])
def test_who_move_at_the_same_time_mix_their_moves(tmp_path, name):
    text, value, shares = MATRICES[name]
    simulations = 100_000
    result = result_of(game_of(tmp_path, text), "uct", simulations, compiled=True)
    assert abs(result.value - value) < 0.02
    for rows in result.choices.values():  # the games are such that both mix alike
        for row in rows:
            assert abs(row.visits / simulations - shares[row.move]) < 0.03


def test_a_search_in_which_the_later_sees_the_earlier_loses(tmp_path):
    result = result_of(game_of(tmp_path, PENNIES), "uct:joint=sequential")
    assert result.value < 0.1
    assert result.choices == {}


def test_a_dominant_move_is_found_by_both(tmp_path):
    result = result_of(game_of(tmp_path, DOMINANT), "uct:choice=mean", 300)
    assert [rows[0].move for rows in result.choices.values()] == ["up", "left"]


def test_nothing_is_proven_through_moves_at_the_same_time(tmp_path):
    for text in (PENNIES, DOMINANT):
        result = result_of(game_of(tmp_path, text), "uct:solver=true")
        assert not result.proven
        assert all(row.proven is None for rows in result.choices.values() for row in rows)


def test_a_solver_refuses_moves_at_the_same_time(tmp_path):
    with pytest.raises(OptionError, match="move at the same time"):
        Prover(game_of(tmp_path, PENNIES))


def test_what_does_not_go_together_is_refused(tmp_path):
    game = game_of(tmp_path, PENNIES)
    for search in ("uct:joint=sequential,graph=uct1", "uct:parallel=slow-tree,graph=uct3"):
        with pytest.raises(OptionError):
            result_of(game, search)


class Watcher(Player):
    """Shows heads, and looks whether it could know what the other has shown."""

    def __init__(self):
        self.seen = []

    def choose(self, position, stop):
        self.seen.append(self.game.position_text(position[0]))
        return "heads"


class Tails(Player):
    def choose(self, position, stop):
        return "tails"


def test_the_referee_tells_nobody_what_the_others_choose(tmp_path):
    game = game_of(tmp_path, PENNIES)
    watcher = Watcher()
    played = play_game(game, [Tails(), watcher], [po.Playouts(1)] * 2, [1, 2])
    assert played.moves == ["tails", "heads"]
    assert played.rewards == [0.0, 1.0]
    assert watcher.seen == ["(does even heads)"]  # the first legal move, not the one chosen
    assert [seat for seat, _ in choosers(game, game.root())] == [0, 1]


@pytest.mark.parametrize("search", ["uct", "uct:joint=sequential", "uct:keep=false"])
def test_tree_searches_play_at_the_same_time(tmp_path, search):
    game = game_of(tmp_path, PENNIES)
    player = TreePlayer(po.TreeSearch.parse(search), compiled=False)
    for players in ([player, RandomPlayer()], [RandomPlayer(), player]):
        played = play_game(game, players, [po.Playouts(30)] * 2, [1, 2])
        assert sorted(played.rewards) == [0.0, 1.0]


# The first step alone decides what the game is worth; the second and the third are idle.
ONE_THAT_COUNTS = """
(role row) (role column) (init (step 1)) (succ 1 2) (succ 2 3) (succ 3 4)
(<= (legal ?r ?m) (role ?r) (move ?m)) (move a) (move b)
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (chose ?r ?m)) (true (step 1)) (does ?r ?m))
(<= (next (chose ?r ?m)) (true (chose ?r ?m)))
(<= terminal (true (step 4)))
(<= (goal ?r ?v) (role ?r) (true (chose row ?a)) (true (chose column ?b)) (worth ?a ?b ?v))
(worth a a 10) (worth a b 20) (worth b a 30) (worth b b 40)
"""


@pytest.mark.parametrize(
    "search", ["uct", "uct:graph=uct2", "uct:keep=false", long("uct:playout=nst")]
)
def test_the_tree_is_kept_behind_the_moves_of_all(tmp_path, search):
    game = game_of(tmp_path, ONE_THAT_COUNTS)
    session = TreeSession(game, po.TreeSearch.parse(search), seed=1, compiled=False)
    for row, column, worth in (("a", "b", 0.2), ("b", "a", 0.3)):
        session.set_position()
        session.run(po.Playouts(300))
        state = game.root()
        for text in (row, column):
            move = game.parse_move(state[0], text)
            session.play(move)
            game.play_move(state[0], move)
        kept = sum(found.visits for found in session.run(po.Playouts(1)).moves) - 1
        result = session.run(po.Playouts(50))
        assert sum(found.visits for found in result.moves) == kept + 51
        assert (kept > 5) == (search in ("uct", "uct:playout=nst"))
        assert {round(found.value, 6) for found in result.moves} == {worth}
        for role in (0, 1):  # nothing of another first step has been kept
            assert {round(found.value, 6) for found in result.choices[role]} == {worth}
            assert sum(found.visits for found in result.choices[role]) > kept
        session.play(result.record)
        assert session.run(po.Playouts(5)).player == 1  # a search in the middle of a step


@pytest.mark.long
def test_a_kept_tree_is_the_same_compiled(tmp_path):
    game = game_of(tmp_path, ONE_THAT_COUNTS)
    found = []
    for compiled in (False, True):
        session = TreeSession(game, po.TreeSearch.parse("uct"), seed=1, compiled=compiled)
        session.run(po.Playouts(300))
        for move in [session.run(po.Playouts(1)).choices[role][0].record for role in (0, 1)]:
            session.play(move)
        result = session.run(po.Playouts(50))
        found.append([(row.move, row.visits) for rows in result.choices.values() for row in rows])
    assert found[0] == found[1]
