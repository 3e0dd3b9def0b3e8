"""Solvers against brute force in plain Python, on every board small enough for it."""

from __future__ import annotations

import doctest
import importlib
import json
import random

import numpy as np
import pytest

import playout as po
from playout.compiled import wrapping
from playout.errors import OptionError
from playout.games import load_game
from playout.solvers import position_table
from playout.solvers.monte_carlo_order import MonteCarlo
from playout.solvers.position_table import (
    FALSE,
    LOCKED,
    NOT_TRUE,
    TRUE,
    Table,
    best_of,
    depth_of,
    keep_answer,
    probe,
    says,
)
from playout.solvers.prove import prove
from playout.solvers.prover import Prover
from playout.solvers.solver import make_solver
from tests.support.forms import long
from tests.support.naive_minimax import minimax


@pytest.mark.parametrize("solver", ["alphabeta", "ids"])
@pytest.mark.parametrize("order", ["none", long("killer"), long("history"), long("success")])
def test_every_solver_and_order(solver, order):
    proof = prove(load_game("tictactoe"), solver=solver, order=order)
    assert (proof.winner, proof.value) == ("draw", 0.5)
    assert len(proof.variation) == 9
    assert proof.nodes > 0


@pytest.mark.parametrize(
    "name",
    [
        "domineering:3x3",
        "domineering:4x3",
        "domineering:3x4",
        "domineering:4x4",
        "misere-domineering:4x3",
        "misere-domineering:3x3",
    ],
)
@pytest.mark.parametrize("symmetry", [False, True])
def test_against_brute_force(name, symmetry):
    game = load_game(name)
    proof = prove(game, order="history", symmetry=symmetry)
    assert proof.value == minimax(game)


@pytest.mark.long
@pytest.mark.parametrize("name", ["tictactoe", "misere-domineering:4x3"])
def test_auto_against_brute_force(name):
    """Before and after its order has learnt, and with a table that grows; it says what it chose."""
    game = load_game(name)
    value = minimax(game)
    proof = prove(game)
    assert (proof.value, proof.solver) == (value, "auto")
    assert proof.chosen.startswith("alphabeta:")
    assert prove(game, proof.chosen).nodes == proof.nodes
    for order in ("mcsuccess:playouts=50,later=20", "mcsuccess:playouts=50,later=0"):
        prover = Prover(game, "auto", order=order)
        prover.run()
        assert prover.value == value


def test_a_table_that_grows_forgets_nothing():
    table = Table(load_game("tictactoe"), 8, tiers=2, most=1 << 10)
    width = table.entries.shape[1] - 1
    words = np.arange(1, 4 * width + 1, dtype=np.uint64).reshape(4, width)
    with wrapping():
        keys = [position_table.hash_words(row) for row in words]
        for key, row in zip(keys, words, strict=True):
            keep_answer(table, key, row, TRUE, 0, 5, 0, np.uint64(0))
        known = [says(probe(table, key, row, np.uint64(0))[0]) for key, row in zip(keys, words)]
        used = int(table.used[0])
        table.grow()
        assert (len(table.entries), int(table.used[0])) == (64, used)
        for key, row, told in zip(keys, words, known, strict=True):
            assert says(probe(table, key, row, np.uint64(0))[0]) == told
    assert not table.may_grow()


@pytest.mark.long
@pytest.mark.parametrize("solver", ["alphabeta", "ids"])
@pytest.mark.parametrize("name", ["tictactoe", long("misere-domineering:4x4")])
def test_moves_that_are_looked_up_first(name, solver):
    """From the start and after random moves, the first few of them looked up or all."""
    game, rng = load_game(name), random.Random(5)
    for number in range(20):
        state = game.root()
        for _ in range(number % 7):
            legal = game.new_moves()
            n = game.moves(state[0], legal)
            if n > 0:
                game.play(state[0], legal[rng.randrange(n)].copy())
        value = minimax(game, state)
        for ahead, workers in ((1, 1), (3, 2), (100, 1)):
            prover = Prover(
                game,
                solver=solver,
                order="success",
                symmetry=True,
                ahead=ahead,
                state=state,
                workers=workers,
            )
            prover.run()
            assert prover.value == value


@pytest.mark.long
def test_looking_up_saves_searches():
    """Fewer positions get into the table, though more moves are played."""
    game = load_game("misere-domineering:6x5")
    kept = []
    for ahead in (0, 100):
        prover = Prover(game, order="success", symmetry=True, ahead=ahead)
        prover.run()
        assert prover.value == 0.0
        kept.append(int(prover.table.used[0]))
    assert kept[1] < 0.8 * kept[0]


@pytest.mark.long
def test_moves_are_not_looked_up_where_the_past_counts():
    game = load_game("go:2x2,komi=0.5")
    plain, ahead = (prove(game, order="history", ahead=n) for n in (0, 5))
    assert (plain.value, plain.nodes) == (ahead.value, ahead.nodes)


def test_looking_up_is_for_alpha_beta():
    game = load_game("tictactoe")
    with pytest.raises(OptionError, match="ahead=-1: a whole number of at least 0"):
        Prover(game, ahead=-1)
    with pytest.raises(OptionError, match="dfpn has no option 'ahead'"):
        Prover(game, solver="dfpn", ahead=2)


@pytest.mark.long
def test_against_brute_force_with_captures():
    game = load_game("breakthrough:3x4")
    assert prove(game, order="history").value == minimax(game)


def test_a_tiny_table_changes_the_cost_and_not_the_answer():
    game = load_game("domineering:4x4")
    large = prove(game, order="history")
    for tiers in (1, 2):
        small = prove(game, order="history", entries=16, tiers=tiers)
        assert small.value == large.value
        assert small.nodes > large.nodes


def test_the_variation_is_perfect_play():
    game = load_game("domineering:4x4")
    proof = prove(game, order="history")
    state = game.root()
    for text in proof.variation:
        assert prove(game, order="history", state=state).value == proof.value
        game.play(state[0], game.parse_move(state[0], text))
    assert game.reward(state[0], 0) == proof.value


def test_a_position_and_a_stop():
    game = load_game("tictactoe")
    state = game.root()
    for text in ("a1", "b1", "a2", "b2"):
        game.play(state[0], game.parse_move(state[0], text))
    assert prove(game, state=state).winner == "first"
    stopped = prove(load_game("domineering:6x6"), order="history", stop=po.Playouts(5000))
    assert (stopped.winner, stopped.value, stopped.stopped_by) == ("unknown", None, "playouts")
    assert stopped.nodes >= 5000


def test_steps_do_not_matter():
    game = load_game("tictactoe")
    whole = Prover(game)
    whole.run()
    parts = Prover(game)
    while parts.value is None:
        parts._step(7)
    assert (parts.value, parts.nodes) == (whole.value, whole.nodes)


def test_the_table_never_mistakes_a_position():
    """Two positions with one key: what is kept of the one is not told of the other."""
    table = Table(load_game("tictactoe"), entries=4)
    one, other = (np.full(table.entries.shape[1] - 1, n, np.uint64) for n in (7, 8))
    key, none = np.uint64(12345), np.uint64(0)
    with np.errstate(over="ignore"):
        keep_answer(table, key, one, TRUE, 3, 10, 0xABCDE, none)
        told, _ = probe(table, key, one, none)
        assert (says(told), depth_of(told), best_of(told)) == (TRUE, 3, 0xBCDE)
        assert probe(table, key, other, none)[0] == 0
        keep_answer(table, key, other, NOT_TRUE, 3, 1, 0, none)
        assert probe(table, key, one, none)[0] == 0  # always replaced
        assert says(probe(table, key, other, none)[0]) == NOT_TRUE


@pytest.mark.parametrize("shared", [False, True])
def test_two_tiers_keep_what_was_costly(shared):
    table = Table(load_game("tictactoe"), entries=4, tiers=2, shared=shared)
    words = [np.full(table.entries.shape[1] - 1, n, np.uint64) for n in range(3)]
    key, none = np.uint64(1), np.uint64(0)
    with np.errstate(over="ignore"):
        for i, cost in enumerate((1000, 10, 10)):
            keep_answer(table, key, words[i], TRUE, 0, cost, 0, none)
        found = [bool(probe(table, key, words[i], none)[0]) for i in range(3)]
    assert found == [True, False, True]


@pytest.mark.parametrize("solver", ["alphabeta", "ids"])
@pytest.mark.parametrize("name", ["domineering:5x4", "misere-domineering:4x4"])
def test_threads_share_a_table(solver, name):
    """The value is the same for any number of workers, even where they fight for few entries."""
    game = load_game(name)
    alone = prove(game, solver=solver, order="history", symmetry=True)
    for workers, entries, tiers in ((2, 1 << 16, 1), (4, 64, 1), (4, 64, 2)):
        prover = Prover(
            game,
            solver=solver,
            order="history",
            symmetry=True,
            workers=workers,
            entries=entries,
            tiers=tiers,
        )
        while prover.value is None:
            prover._step(2000)
        assert prover.value == alone.value


def test_an_entry_that_is_being_written_is_not_read():
    table = Table(load_game("tictactoe"), entries=4, shared=True)
    words, key, none = np.full(table.entries.shape[1] - 1, 7, np.uint64), np.uint64(9), np.uint64(0)
    with np.errstate(over="ignore"):
        keep_answer(table, key, words, TRUE, 0, 1, 0, none)
        place = int(np.flatnonzero(table.entries[:, 0])[0])
        told = table.entries[place, 0]
        table.entries[place, 0] |= np.uint64(LOCKED)
        assert probe(table, key, words, none)[0] == 0
        keep_answer(table, key, words, FALSE, 0, 1, 0, none)  # another thread is at it
        assert table.entries[place, 0] == told | np.uint64(LOCKED)
        table.entries[place, 0] = told
        keep_answer(table, key, words, FALSE, 0, 1, 0, none)
        assert says(probe(table, key, words, none)[0]) == FALSE
        assert table.entries[place, 0] >> np.uint64(40) == 2  # writings


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"solver": "alphabet"}, "did you mean alphabeta"),
        ({"order": "histery"}, "did you mean history"),
        ({"entries": 1}, "entries=1"),
        ({"tiers": 3}, "tiers=3"),
        ({"workers": 0}, "workers=0"),
        ({"workers": 2, "solver": "dfpn"}, "dfpn has one"),
        ({"order": "mc:playout=3"}, "did you mean playouts"),
        ({"order": "mc:playouts=0"}, "playouts=0"),
        ({"order": "none:x=1"}, "it has none"),
    ],
)
def test_bad_settings(settings, says):
    with pytest.raises(OptionError, match=says):
        prove(load_game("tictactoe"), **settings)
    with pytest.raises(OptionError, match="3 players"):
        prove(load_game("dotsandboxes:1x1,players=3"))


@pytest.mark.long
def test_solvers_are_objects_or_texts(tmp_path):
    texts = prove("domineering:4x4", "dfpn:symmetry=true,order=mc:playouts=200", seed=2)
    solver = make_solver("dfpn", symmetry=True, order=MonteCarlo(playouts=200, seed=2))
    objects = prove(load_game("domineering:4x4"), solver)
    assert texts.to_json() | {"seconds": 0} == objects.to_json() | {"seconds": 0}
    stopped = prove("domineering:6x6", "alphabeta", "3000 playouts")
    assert stopped.winner == "unknown"
    texts.save(tmp_path / "proof.json")
    saved = json.loads((tmp_path / "proof.json").read_text())
    assert saved == {"format": "playout-prove-1", **texts.to_json()}
    assert "<td>the first player wins</td>" in texts._repr_html_()
    with pytest.raises(OptionError, match="is no solver"):
        prove("tictactoe", 3)


@pytest.mark.parametrize("module", ["solver", "proof", "prove", "move_orders"])
def test_docstrings(module):
    failed, tried = doctest.testmod(importlib.import_module(f"playout.solvers.{module}"))
    assert (failed, tried > 0) == (0, True)


def test_a_problem_is_for_solve():
    with pytest.raises(OptionError, match="Maximum has one player: playout solve searches it"):
        Prover(po.problems.Maximum(9))
