"""Proofs that are interrupted at any moment and go on."""

from __future__ import annotations

import numpy as np
import pytest

import playout as po
from playout.games import load_game
from playout.run.checkpoint import CheckpointError
from playout.solvers import monte_carlo_success
from playout.solvers import proof_checkpoint as module
from playout.solvers import prover as prover_module
from playout.solvers import solver as solver_module
from playout.solvers.proof_checkpoint import ProofCheckpoint
from playout.solvers.prover import Prover
from tests.support.forms import long

pytestmark = pytest.mark.long


def prover_of(name="tictactoe", **settings):
    return Prover(load_game(name), **settings)


@pytest.mark.parametrize(
    ("solver", "order"),
    [("alphabeta", "none"), ("ids", "killer"), long("dfpn", "history"), long("pn2", "none")],
)
def test_a_proof_in_pieces_is_the_same_proof(tmp_path, solver, order):
    """After every few moves another process: the same answer after the same moves."""
    proof_in_pieces(tmp_path, {"solver": solver, "order": order, "entries": 5000})


@pytest.mark.parametrize(
    ("order", "size", "learnings"),
    [
        ("mcsuccess:playouts=50,later=100", 1 << 10, 2),
        long("latemc:playouts=50,later=50", 1 << 7, 1),
    ],
)
def test_a_proof_by_auto_in_pieces_is_the_same_proof(tmp_path, monkeypatch, order, size, learnings):
    """Its table has grown and its order has learnt in some of the pieces and not in others."""
    monkeypatch.setattr(prover_module, "LOOK_NODES", 64)
    monkeypatch.setattr(solver_module, "FEWEST", 16)
    monkeypatch.setattr(monte_carlo_success, "AGAIN", 4)
    settings = {"solver": "auto", "order": order, "entries": 1 << 10}
    part = proof_in_pieces(tmp_path, settings)
    assert len(part.table.entries) == size
    assert part.learnings == learnings


def proof_in_pieces(tmp_path, settings):
    whole = prover_of(**settings)
    whole.run()
    path, rounds = tmp_path / "proof", 0
    while True:
        part = prover_of(**settings)
        saved = ProofCheckpoint(path, part, "tictactoe")
        assert saved.read() == (rounds > 0)
        assert saved.seconds == rounds
        part.run(po.Playouts(part.nodes + whole.nodes // 7))
        saved.write(1.0)
        rounds += 1
        if part.value is not None:
            break
    assert rounds > 3
    assert (part.value, part.nodes, part.depth) == (whole.value, whole.nodes, whole.depth)
    finished = prover_of(**settings)
    assert ProofCheckpoint(path, finished, "tictactoe").read()
    assert (finished.value, finished.run()) == (whole.value, "proven")
    assert len(finished.variation()) == 9  # a draw
    assert [file.name for file in tmp_path.iterdir()] == ["proof"]
    return part


@pytest.mark.long
@pytest.mark.parametrize("solver", ["alphabeta", "dfpn"])
def test_a_table_that_is_too_large_keeps_what_was_costly(tmp_path, monkeypatch, solver):
    monkeypatch.setattr(module, "LARGEST", 2000)
    path = tmp_path / "proof"
    part = prover_of(solver=solver)
    part.run(po.Playouts(500))
    ProofCheckpoint(path, part).write(0.0)
    costs = part.table.costs()
    again = prover_of(solver=solver)
    assert ProofCheckpoint(path, again).read()
    kept = again.table.costs()
    assert again.table.used[0] == (kept > 0).sum() < (costs > 0).sum()
    assert (kept[kept > 0] == costs[kept > 0]).all()
    assert kept[kept > 0].min() >= np.median(costs[costs > 0])
    again.run()
    assert again.value == 0.5


def test_it_is_written_now_and_then(tmp_path, monkeypatch):
    path = tmp_path / "proof"
    part = prover_of()
    saved = ProofCheckpoint(path, part)
    saved.look(1.0)
    assert not path.exists()
    monkeypatch.setattr(module, "EVERY", 0.0)
    saved = ProofCheckpoint(path, part)
    saved.look(1.0)
    assert path.exists()
    saved.path = tmp_path / "none" / "proof"
    saved._next = 0.0
    with pytest.warns(UserWarning, match="no checkpoint: cannot write"):
        saved.look(2.0)
    saved._next = 0.0
    saved.look(3.0)  # said once


def test_checkpoints_of_other_proofs(tmp_path):
    path = tmp_path / "proof"
    ProofCheckpoint(path, prover_of(), "tictactoe").write(0.0)
    state = load_game("tictactoe").read_position("x../.../... o")
    for other, says in (
        (prover_of(entries=4), "entries=4"),
        (prover_of(solver="dfpn"), "algorithm alphabeta, this run has dfpn"),
        (prover_of(order="killer"), "order=killer"),
        (prover_of(state=state), "position=x../.../... o"),
        (prover_of("domineering:3x3"), "problem TicTacToe"),
    ):
        with pytest.raises(CheckpointError, match=says):
            ProofCheckpoint(path, other, "tictactoe").read()
    whole = path.read_bytes()
    for content in (b"", b"junk", whole[: len(whole) // 2]):
        path.write_bytes(content)
        with pytest.raises(CheckpointError):
            ProofCheckpoint(path, prover_of(), "tictactoe").read()


def test_a_table_that_does_not_fit(tmp_path):
    path = tmp_path / "proof"
    part = prover_of()
    part.run(po.Playouts(500))
    saved = ProofCheckpoint(path, part)
    arrays = module._TablePart(part.table).arrays()
    for change in ({"slots": arrays["slots"] + (1 << 40)}, {"entries": arrays["entries"][:, 1:]}):
        with pytest.raises(ValueError, match="a table of another"):
            module._TablePart(part.table).restore({**arrays, **change})
    saved.write(0.0)
    assert saved.read()


@pytest.mark.parametrize(
    ("solver", "array", "field", "value", "says"),
    [
        ("alphabeta", "head", "depth", 10**6, "the depth out of range"),
        ("alphabeta", "frames", "tried", 10**6, "a move of a position out of range"),
        ("alphabeta", "moves", None, 77, "a move that is not legal"),
        ("dfpn", "frames", "child", -3, "a move of a position out of range"),
        ("dfpn", "frames", "count", 10**6, "moves of a position out of range"),
        ("pn2", "second", "begin", 10**9, "a node before its parent"),
        ("pn2", "second", "move", 77, "a move in the tree that is not legal"),
        ("pn2", "used", None, -1, "positions in use out of range"),
    ],
)
def test_arrays_that_no_proof_has(tmp_path, solver, array, field, value, says):
    path = tmp_path / "proof"
    part = prover_of(solver=solver)
    part.run(po.Playouts(500))
    search = part.searches()[0]
    changed = getattr(search, array)
    (changed if field is None else changed[field])[...] = value
    ProofCheckpoint(path, part).write(0.0)
    with pytest.raises(CheckpointError, match=f"damaged: {says}"):
        ProofCheckpoint(path, prover_of(solver=solver)).read()


def test_positions_of_a_proof_are_played_again(tmp_path):
    path = tmp_path / "proof"
    part = prover_of()
    part.run(po.Playouts(500))
    states = part.searches()[0].states
    before = states.copy()
    states[1:].view(np.uint8)[...] = 0xA5
    ProofCheckpoint(path, part).write(0.0)
    again = prover_of()
    assert ProofCheckpoint(path, again).read()
    depth = int(again.searches()[0].head[0].depth)
    assert depth > 0
    assert (again.searches()[0].states[: depth + 1] == before[: depth + 1]).all()


@pytest.mark.long
def test_prove_goes_on_from_its_file(tmp_path):
    """`prove` gives up, and goes on where it was with the same file."""
    path = tmp_path / "dom.proof"
    part = po.prove("domineering:5x5", "alphabeta", "2000 playouts", checkpoint=path)
    assert (part.winner, part.stopped_by) == ("unknown", "playouts")
    whole = po.prove("domineering:5x5", "alphabeta", checkpoint=path)
    assert whole.stopped_by == "proven"
    assert whole.winner == po.prove("domineering:5x5", "alphabeta").winner
    assert whole.nodes > part.nodes >= 2000
