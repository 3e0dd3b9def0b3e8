"""What a result says when something is wrong with the replay, and that this costs no result."""

from __future__ import annotations

import json

import numpy as np
import pytest

import playout as po
from playout.errors import ProblemError
from playout.run.checkpoint import CheckpointError
from tests.support.tiny_tree import TinyTree

LEAVES = np.random.default_rng(5).integers(1, 50, 3**4)


def solved(problem=None, algorithm="random", playouts=40, **settings):
    problem = TinyTree(LEAVES, branches=3) if problem is None else problem
    settings = {"seed": 1, "compiled": False} | settings
    return po.solve(problem, algorithm, playouts=playouts, **settings)


def changed(**methods):
    return type("Wrong", (TinyTree,), methods)(LEAVES, branches=3)


class TestVerify:
    @pytest.mark.parametrize(
        ("verify", "note"),
        [
            (lambda self, moves: 1.5, "verify() returned 1.5"),
            (lambda self, moves: None, "verify() returned None"),
            (lambda self, moves: moves.none, "has no attribute 'none'"),
        ],
    )
    def test_what_it_says_or_raises_is_a_note(self, verify, note):
        result = solved(changed(verify=verify))
        assert not result.verified
        assert note in result.notes[0]
        assert result.moves == solved().moves

    def test_a_score_that_is_another_when_it_is_replayed(self):
        draws = iter(range(10**6))
        result = solved(changed(score=lambda self, state: float(next(draws))))
        assert not result.verified
        assert result.notes[0].startswith("the search saw 39; playout check")

    def test_nothing_is_said_where_all_is_well(self):
        assert solved().notes == []


class TestMoveText:
    @pytest.mark.parametrize(
        ("move_text", "note"),
        [
            (lambda self, state, move: None, "move_text() failed: it returned None"),
            (lambda self, state, move: state.none, "the record has no field 'none'"),
        ],
    )
    def test_one_that_fails_costs_no_result(self, move_text, note):
        result = solved(changed(move_text=move_text), best=2)
        assert note in result.notes[0]
        assert result.verified
        assert result.moves == solved().moves
        assert result.solutions[0].moves == result.moves

    def test_a_start_by_texts_needs_texts(self):
        problem = changed(move_text=lambda self, state, move: None)
        with pytest.raises(ProblemError, match=r"move_text\(\) returned None; it should be a text"):
            solved(problem, start=["0", "1", "2", "0"])


@pytest.mark.parametrize("compiled", [True, False])
def test_a_code_that_is_not_whole_is_noted(compiled):
    # 0, 0.5 and 1: that of the best move may be whole
    half = changed(code=lambda self, state, move: move.branch / 2)
    (note,) = solved(half, compiled=compiled).notes
    assert note.startswith("code() returned")
    assert "what stands after the point is lost" in note
    assert not solved(changed(code=lambda self, state, move: 2 * move.branch)).notes


def test_a_game_without_a_move_is_noted():
    assert "no game has a move" in solved(TinyTree([7.0], branches=1)).notes[0]


class TestSolutions:
    def test_they_have_attributes_and_are_what_json_has(self):
        result = solved(best=3)
        first = result.solutions[0]
        assert (first.score, first.moves, first.records) == (
            result.score,
            result.moves,
            result.records,
        )
        assert first["score"] == first.score
        assert json.loads(json.dumps(result.solutions)) == result.to_json()["solutions"]
        assert repr(first) == f"Solution(score={result.score}, 4 moves)"

    def test_they_are_taken_where_moves_are(self):
        problem, second = TinyTree(LEAVES, branches=3), solved(best=3).solutions[1]
        assert problem.verify(second) == second.score
        assert solved(problem, "nmcs", 1, start=second).score >= second.score

    def test_saved_they_are_the_same(self, tmp_path):
        result = solved(best=3)
        result.save(tmp_path / "r.json")
        loaded = po.Result.load(tmp_path / "r.json")
        assert loaded == result
        assert loaded.solutions[2].score == result.solutions[2].score

    def test_fewer_than_were_asked_for_are_noted(self):
        assert "1 of the 9 solutions asked for" in solved(playouts=1, best=9).notes[0]


class TestSeedOfACheckpoint:
    """The same command goes on, also where no seed was given."""

    def test_it_is_taken(self, tmp_path):
        half, whole = (solved(playouts=n, seed=None, checkpoint=tmp_path / "c") for n in (20, 40))
        assert (half.seed, half.playouts, whole.playouts) == (whole.seed, 20, 40)
        assert whole.records == solved(playouts=40, seed=half.seed).records

    def test_another_that_is_given_is_refused(self, tmp_path):
        first = solved(seed=None, checkpoint=tmp_path / "c")
        with pytest.raises(CheckpointError, match=f"it is for seed {first.seed}, this run has"):
            solved(seed=first.seed + 1, checkpoint=tmp_path / "c")

    def test_of_what_is_none(self, tmp_path):
        (tmp_path / "c").write_text("nothing")
        with pytest.raises(CheckpointError, match="damaged, or not a checkpoint"):
            solved(seed=None, checkpoint=tmp_path / "c")
