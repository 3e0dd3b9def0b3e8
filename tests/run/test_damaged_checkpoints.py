"""Checkpoints whose arrays are not what a search could have made: refused, never a crash."""

from __future__ import annotations

import argparse

import numpy as np
import pytest

import bench.soak.checkpoints
import playout as po
from bench.soak.case_notes import FAILED, CaseNotes
from bench.soak.checkpoints import runs, soak_checkpoints
from playout.algorithms import ALGORITHMS
from playout.algorithms.array_checks import check_tree, is_partition
from playout.algorithms.search import Search
from playout.run.checkpoint import CheckpointError
from tests.support.algorithm_cases import CASES
from tests.support.forms import long
from tests.support.tiny_tree import TinyTree

PROBLEM = TinyTree(np.random.default_rng(5).integers(0, 50, 3**5), branches=3)


def algorithm(name):
    return ALGORITHMS.find(name)(**CASES[name])


@pytest.mark.long
def test_crafted_checkpoints_are_refused_or_go_on(monkeypatch):
    """Random words inside the arrays, in processes of their own; `bench.soak` does many more."""
    known = bench.soak.checkpoints.ALGORITHMS  # one of each class of searches
    few = [
        one
        for one in known
        if not one.startswith(("nrpa", "snrpa", "nmcs:level=2", "gnrpa:level=2"))
    ]
    monkeypatch.setattr("bench.soak.checkpoints.ALGORITHMS", few)
    monkeypatch.setattr("bench.soak.checkpoints.GAMES", ("tictactoe",))
    notes, count = CaseNotes("", ""), len(runs())
    asked = argparse.Namespace(count=count, every=1, seed=3, keep="", part=(0, 1))
    soak_checkpoints(asked, notes)
    assert len(notes.known) == count
    assert notes.words()[FAILED] == 0


@pytest.mark.parametrize("name", CASES)
def test_every_search_checks_its_own_arrays(name):
    search = type(algorithm(name).start(PROBLEM, 1))
    if set(search.fields) != set(Search.fields):
        assert search.check_knowledge is not Search.check_knowledge


def saved(name, path, playouts=150):
    """A checkpoint, and a run that goes on from it."""

    def run(more=0):
        return po.solve(
            PROBLEM, algorithm(name), po.Playouts(playouts + more), seed=2, checkpoint=path
        )

    run()
    return run


@pytest.mark.parametrize(
    ("name", "array", "field", "value", "says"),
    [
        ("random", "head", "best_length", 10**6, "best length out of range"),
        ("random", "head", "improvements", -1, "improvements out of range"),
        ("random", "head", "batch", 10**6, "a batch out of range"),
        ("random", "lengths", None, -5, "lengths out of range"),
        ("nmcs", "control", "active", 99, "active level out of range"),
        ("nmcs", "levels", "prefix", 10**6, "a prefix out of range"),
        ("nmcs", "played", None, 77, "not legal"),
        ("nrpa", "offsets", None, 1 << 40, "offsets out of range"),
        ("snrpa", "slot_rows", None, 0, "a row of two owners"),
        ("gnrpa", "used", None, 10**9, "codes of a table out of range"),
        ("gnrpa", "kept", "table", 10**9, "a table of two owners"),
        ("gnrpa", "choices", None, -1, "a step of a sequence out of range"),
        ("uct", "tree", "first", 1 << 40, "a node before its parent"),
        ("uct", "tree", "count", 1 << 40, "children out of range"),
        ("uct", "tree_moves", None, 77, "a move in the tree that is not legal"),
        long("policy-mcts", "tree", "visits", -1, "visits out of range"),
        long("policy-mcts", "lanes", "asked", 1, "a prediction that is wanted"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(tmp_path, name, array, field, value, says):
    path = tmp_path / "checkpoint"
    run = saved(name, path)
    with np.load(path) as archive:
        arrays = dict(archive)
    changed = arrays[f"0/{array}"]
    fresh = getattr(algorithm(name).start(PROBLEM, 2), array)
    part = changed.view(fresh.dtype)
    (part if field is None else part[field])[...] = value
    with path.open("wb") as file:
        np.savez(file, **arrays)
    with pytest.raises(CheckpointError, match=f"checkpoint is damaged: .*{says}") as error:
        run(100)
    assert "\n" not in str(error.value)


def test_positions_are_played_again_and_not_read(tmp_path):
    """What is written over in the arrays of positions changes nothing."""
    whole = saved("nmcs", tmp_path / "whole")(300)
    path = tmp_path / "checkpoint"
    run = saved("nmcs", path)
    with np.load(path) as archive:
        arrays = dict(archive)
    for name in ("0/level_states", "0/states", "0/root", "0/moves", "0/level_moves"):
        arrays[name].view(np.uint8)[...] = 0xA5
    with path.open("wb") as file:
        np.savez(file, **arrays)
    assert run(300).records == whole.records


def test_a_checkpoint_that_unpacks_to_too_much_is_refused(tmp_path, monkeypatch):
    """It may unpack to more than there is memory."""
    path = tmp_path / "checkpoint"
    run = saved("random", path)
    monkeypatch.setattr("playout.text.array_files.MOST_BYTES", 1000)
    monkeypatch.setattr("playout.text.array_files.MOST_RATIO", 2)
    with pytest.raises(CheckpointError, match=r"at most .* are unpacked"):
        run(10)


def test_a_checkpoint_is_never_packed_so_small_that_it_is_refused(tmp_path, monkeypatch):
    path = tmp_path / "checkpoint"
    run = saved("random", path)
    packed = path.stat().st_size
    monkeypatch.setattr("playout.text.array_files.MOST_BYTES", 1000)
    monkeypatch.setattr("playout.text.array_files.MOST_RATIO", 0)
    path.unlink()
    saved("random", path)
    assert path.stat().st_size > packed
    monkeypatch.undo()
    assert run(10).playouts == 160


def test_partitions():
    assert is_partition([np.array([1, 0]), np.array([], int)], 2)
    assert not is_partition([np.array([1]), np.array([], int)], 2)
    assert not is_partition([np.array([1, 1])], 2)


@pytest.mark.parametrize(
    ("first", "count"),
    [([1, 1], [1, 1]), ([0, 0], [1, 0]), ([1, 0], [2, 0]), ([2, 0], [1, 0]), ([0, 0], [0, 0])],
)
def test_trees_that_are_none(first, count):
    with pytest.raises(ValueError, match=r"node|children"):
        check_tree(PROBLEM, PROBLEM.root(), first, count, np.zeros(2, "i8"), 5, False)
